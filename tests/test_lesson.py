"""A simulation step by step: what the lesson shows is what the search does."""

import importlib.util
import json
import math
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold.lesson import MOST, lesson

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
GAMES = {
    "tic_tac_toe": sf.game("tic_tac_toe"),
    "connect_four": sf.game("connect_four"),
    "connect_four 5": sf.game("connect_four", connect=5, rows=5, cols=5),
    "easycard coins": sf.game("easycard", coins=2, dice=1, rounds=2),
    "nim": sf.game(str(EXAMPLES / "nim.py")),
}


class Pay:
    """Take nothing or 5 coins, twice."""

    players, actions, max_plies, min_return, max_return = 1, 2, 2, 0.0, 10.0

    def __init__(self):
        self.taken = []

    def to_move(self):
        return len(self.taken) % self.players if len(self.taken) < self.max_plies else sf.TERMINAL

    def legal_actions(self):
        return [0, 1]

    def play(self, action):
        self.taken = [*self.taken, action]

    def returns(self):
        return [5.0 * sum(self.taken[seat :: self.players]) for seat in range(self.players)]


class PayThree(Pay):
    """The same for three players, once each."""

    players, max_plies, sum = 3, 3, "any"


def of(made, kind):
    return [step for step in made["steps"] if step["kind"] == kind]


def methods(game):
    return ["uct", "alphazero"] if "observe" in game.abilities else ["uct"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("method", ["uct", "alphazero"])
@pytest.mark.parametrize("simulations", [0, 1, 2, 10, 57, 200])
def test_the_steps_fit_together(name, method, simulations):
    game = GAMES[name]
    if method not in methods(game):
        pytest.skip(f"{name} has no observations.")
    made = lesson(game, None, simulations, method)
    assert made == json.loads(json.dumps(made, allow_nan=False))
    kinds = [step["kind"] for step in made["steps"]]
    assert kinds == ["select"] * kinds.count("select") + ["expand"] * kinds.count("expand") + ["evaluate", "back_up"]
    assert made["number"] == simulations + 1
    assert (made["before"]["visits"], made["after"]["visits"]) == (simulations, simulations + 1)

    path = made["steps"][-1]["path"]
    assert kinds.count("select") == len(path) > 0
    for depth, step in enumerate(of(made, "select")):
        assert step["path"] == path[:depth]
        assert [edge["action"] for edge in step["edges"] if edge["chosen"]] == [path[depth]]
        assert step["code"]["text"]
        if step["position"]["to_move"] == "chance":
            assert sum(edge["prior"] for edge in step["edges"]) == pytest.approx(1)
            continue
        assert [edge["action"] for edge in step["edges"]] == [one["action"] for one in step["position"]["legal"]]
        totals = {edge["action"]: math.inf if edge["total"] is None else edge["total"] for edge in step["edges"]}
        assert totals[path[depth]] == pytest.approx(max(totals.values()), abs=1e-5)  # the core counts in floats

    [back_up] = of(made, "back_up")
    assert [change["path"] for change in back_up["changes"]] == [path[:n] for n in range(len(path), 0, -1)]
    [evaluate] = of(made, "evaluate")
    low, high = game.min_return, game.max_return
    for change in back_up["changes"]:
        (old, new), (was, now) = change["visits"], change["q"]
        assert new == old + 1
        seat = mover_at(made, change["path"][:-1])
        if isinstance(seat, int):
            value = 2 * (evaluate["value"][seat] - low) / (high - low) - 1
            assert now == pytest.approx(((was or 0) * old + value) / new, abs=1e-6)
        else:
            assert change["q"] == [None, None]


def mover_at(made, path):
    """Who moves at a path, by the select step there."""
    return next(step["position"]["to_move"] for step in of(made, "select") if step["path"] == path)


@pytest.mark.parametrize("method", ["uct", "alphazero"])
def test_lessons_follow_each_other(method):
    game = GAMES["connect_four"]
    for number in (5, 30):
        this, following = (lesson(game, None, simulations, method) for simulations in (number, number + 1))
        assert this["after"] == following["before"]
    assert lesson(game, None, 30, method) == this


def test_the_formula_is_filled_in():
    made = lesson(GAMES["tic_tac_toe"], None, 40, "uct")
    assert (made["formula"], made["constants"]) == ("Q + c · √(ln N / n)", {"c": 1.0})
    for edge in made["steps"][0]["edges"]:
        assert edge["filled"] == f"{edge['q']:z.2f} + 1 · √(ln 40 / {edge['visits']}) = {edge['total']:z.2f}"
        assert edge["total"] == pytest.approx(edge["q"] + edge["u"])
    made = lesson(GAMES["connect_four"], None, 40, "alphazero")
    assert made["formula"] == "Q + c · P · √(N + 1) / (1 + n)"
    for edge in made["steps"][0]["edges"]:
        said = f" + 1.5 · {edge['prior']:.2f} · √(40 + 1) / (1 + {edge['visits']}) = {edge['total']:z.2f}"
        assert edge["filled"].endswith(said)
        if edge["visits"]:
            assert edge["total"] == pytest.approx(edge["q"] + edge["u"])
        else:
            assert edge["filled"].startswith(f"({made['before']['value']:z.2f} - 0.2)")


def test_what_is_not_tried_comes_first():
    made = lesson(GAMES["tic_tac_toe"], None, 3, "uct")
    edges = made["steps"][0]["edges"]
    assert sorted(edge["visits"] for edge in edges) == [0] * 6 + [1] * 3
    [chosen] = [edge for edge in edges if edge["chosen"]]
    assert (chosen["visits"], chosen["filled"], chosen["total"]) == (0, "∞", None)
    assert "not tried yet" in made["steps"][0]["code"]["text"]
    assert of(made, "expand")[0]["path"] == [chosen["action"]]
    assert of(made, "evaluate")[0]["by"] == "rollout"


def test_a_net_gives_priors_to_the_new_node():
    made = lesson(GAMES["tic_tac_toe"], None, 12, "alphazero")
    [expand] = of(made, "expand")
    children = expand["node"]["children"]
    assert len(children) == len(expand["position"]["legal"])
    assert sum(edge["prior"] for edge in children) == pytest.approx(1)
    assert of(made, "evaluate")[0]["by"] == "net"


def test_without_a_net_all_positions_are_alike():
    [evaluate] = of(lesson(GAMES["connect_four 5"], None, 7, "alphazero"), "evaluate")
    assert (evaluate["by"], evaluate["value"]) == ("uniform", [0, 0])


@pytest.mark.parametrize("method", ["uct", "alphazero"])
def test_the_end_of_the_game_is_valued_by_the_rules(method):
    game = GAMES["tic_tac_toe"]
    start = "xx./oo./... x"
    seen = set()
    for simulations in range(12):
        made = lesson(game, start, simulations, method)
        [evaluate] = of(made, "evaluate")
        if evaluate["path"] == [2]:
            assert (evaluate["by"], evaluate["value"]) == ("rules", [1, -1])
            assert evaluate["position"]["returns"] == [1, -1]
            seen.add(len(of(made, "expand")))
    assert seen == {0, 1}  # new at first; after that it comes again


def test_one_player_and_other_units():
    made = lesson(sf.game(Pay), None, 30, "uct")
    [evaluate] = of(made, "evaluate")
    assert evaluate["value"][0] in (0, 5, 10)
    assert made["root"]["picture"] is None
    assert -1 <= made["after"]["value"] <= 1


def test_a_random_game_tells_of_those_who_moved():
    [evaluate] = of(lesson(sf.game(PayThree), None, 0, "uct"), "evaluate")
    assert evaluate["by"] == "rollout"
    assert evaluate["value"][0] in (0, 5)
    assert evaluate["value"][1:] == [None, None]


def test_a_start_by_text_and_after_chance():
    made = lesson(GAMES["connect_four"], "7/7/7/7/3o3/2xx3 o", 20, "uct")
    assert made["root"]["to_move"] == 1
    assert made["root"]["picture"]["cells"][5] == "..xx..."
    assert lesson(GAMES["easycard coins"], None, 3, "uct")["root"]["to_move"] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((GAMES["tic_tac_toe"], "xxx/oo./... o", 5, "uct"), "the game is over in this position"),
        ((GAMES["tic_tac_toe"], "nonsense", 5, "uct"), "a tic_tac_toe position looks like"),
        ((GAMES["tic_tac_toe"], None, -1, "uct"), f"simulations must be from 0 to {MOST}, not -1"),
        ((GAMES["tic_tac_toe"], None, MOST + 1, "uct"), "simulations must be"),
        ((GAMES["tic_tac_toe"], None, True, "uct"), "simulations must be"),
        ((GAMES["tic_tac_toe"], None, 5, "alphabeta"), "a lesson is about uct or alphazero, not 'alphabeta'"),
        ((sf.game(Pay), None, 5, "alphazero"), "alphazero needs the ability 'observe'"),
        ((sf.game("easycard", preset="chance", hidden=True), None, 5, "uct"), "there is no lesson about easycard"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=rf"^{sentence}.*\.$"):
        lesson(*arguments)


@pytest.mark.skipif(not (ROOT / "cpp").is_dir(), reason="there is no source beside an installed package")
def test_the_code_is_what_the_source_says_now():
    spec = importlib.util.spec_from_file_location("pull_lesson_code", ROOT / "docs" / "pull_lesson_code.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    kept = json.loads(tool.FILE.read_text(encoding="utf-8"))
    assert kept == tool.lines_of(), "lesson_code.json shows old source: run `make docs`."
