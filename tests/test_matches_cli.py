"""The verbs that compare players and show what they think: for people and programs, in two languages, and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf

EXAMPLES = Path(__file__).parent.parent / "examples"


MATCH = ("match", "tic_tac_toe", "uct:simulations=60", "random", "--games", "10")


def test_a_match_says_what_it_means(run: Any) -> None:
    answer = run(*MATCH)
    assert answer.code == 0
    assert answer.err == ""  # the bar is for terminals
    for words in ("uct:simulations=60", "random", "10 games", "95 % interval", "Elo ", "stronger one"):
        assert words in answer.out
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    chinese = run(*MATCH, "--lang", "zh-TW").out
    for words in ("玩家", "得分率", "10 局", "較強的機率"):
        assert words in chinese


def test_a_match_for_programs_is_that_of_the_package(run: Any) -> None:
    data = run(*MATCH, "--json").json
    same = sf.match("tic_tac_toe", ["uct:simulations=60", "random"], games=10).to_json()
    assert {**data, "seconds": 0} == {**same, "seconds": 0}
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 10


def test_the_options_of_a_match_arrive(run: Any, tmp_path: Path) -> None:
    games, ratings = tmp_path / "games.jsonl", tmp_path / "ratings.jsonl"
    options = ["--opening-plies", "2", "--seed", "7", "-o", "connect=5", "--preset", "saiblo", "--processes", "1"]
    options += ["--seconds", "5", "--record", str(games), "--ratings", str(ratings), "--json"]
    command = ["match", "connect_four", "random", "montecarlo:simulations=10", *options]
    data = run(*command, "--games", "4").json
    records = list(sf.read_records(games))
    assert len(records) == 4
    assert {record.options["connect"] for record in records} == {5}
    assert min(record.options["rows"] for record in records) >= 9
    assert data["game"] == "connect_four(connect=5) (saiblo)"
    assert data["ratings"][0]["games"] == 4
    more = run(*command, "--games", "6", "--resume").json
    assert more["games"] == 6
    assert len(list(sf.read_records(games))) == 6
    assert more["ratings"][0]["games"] == 6
    assert list(run("ratings", str(ratings), "--json").json) == [data["game"]]


def test_a_sequential_test_is_told(run: Any) -> None:
    command = ["match", "tic_tac_toe", "uct:simulations=200", "random", "--games", "400", "--sprt", "0,100"]
    answer = run(*command)
    assert "The sequential test says: uct:simulations=200 is stronger." in answer.out
    assert "of 400 games" in answer.out
    weaker = run("match", "tic_tac_toe", "random", "uct:simulations=200", "--games", "400", "--sprt", "0,100")
    assert "random is not stronger" in weaker.out
    chinese = run("match", "tic_tac_toe", "random", "uct:simulations=200", "--sprt", "0,100", "--lang", "zh-TW")
    assert "沒有較強" in chinese.out


BROKEN = """
import os
import sevenfold as sf
from sevenfold.players import RandomPlayer

class Dies(RandomPlayer):
    name = "dies"
    def think(self, state):
        os._exit(5)

class Coin(sf.Rules):
    players, actions = 2, 2
    def __init__(self): self.moves = []
    def to_move(self): return sf.TERMINAL if len(self.moves) == 4 else len(self.moves) % 2
    def legal_actions(self): return [0, 1]
    def play(self, action): self.moves.append(action)
    def returns(self): return [1, -1] if len(self.moves) == 4 and sum(self.moves) % 2 else [-1, 1]

PLAYERS = {"dies": Dies}
"""


def test_faults_are_listed(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "coin.py"
    path.write_text(BROKEN)
    answer = run("match", str(path), "random", "dies", "--games", "8")
    assert answer.code == 0
    assert "Games lost by a fault: 8." in answer.out
    assert "dies lost game 0 at ply 1: its process ended with exit code 5." in answer.out
    assert "… and 3 more." in answer.out
    assert "超時而輸的局數：8" in run("match", str(path), "random", "dies", "--games", "8", "--lang", "zh-TW").out


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"result": [1000, -1000, 0, 0]}, "says the result is [1000, -1000, 0, 0], but its moves do not."),
        ({"actions": [0] * 60, "moves": []}, "cannot be replayed: at ply "),
    ],
)
def test_a_record_that_contradicts_the_rules_is_refused_as_review_refuses_it(
    run: Any, tmp_path: Path, fields: dict[str, Any], words: str
) -> None:
    path = tmp_path / "games.jsonl"
    command = ["match", "sevens", "greedy", "keeper", "--games", "4", "--processes", "1", "--record", str(path)]
    assert run(*command).code == 0
    assert run(*command, "--resume").code == 0
    lines = path.read_text().splitlines()
    lines[-1] = json.dumps({**json.loads(lines[-1]), **fields})
    path.write_text("\n".join(lines) + "\n")
    before = path.read_bytes()
    ratings = tmp_path / "ratings.jsonl"
    answer = run(*command, "--resume", "--ratings", str(ratings))
    assert (answer.code, answer.out) == (2, "")
    assert f"{path}, line 4: this record of sevens" in answer.err
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert path.read_bytes() == before
    assert not ratings.exists()
    assert answer.err.partition("this record")[2] == run("review", str(path)).err.partition("this record")[2]


def test_a_tournament_has_a_cross_table(run: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "ratings.jsonl")
    command = [
        "tournament",
        "tic_tac_toe",
        "random",
        "uct:simulations=50",
        "montecarlo:simulations=20",
        "--rounds",
        "3",
    ]
    answer = run(*command, "--ratings", path)
    assert answer.code == 0
    for words in (" 1 uct:simulations=50", " 3 random", "Elo", "points out of 100", "18 games"):
        assert words in answer.out
    data = run(*command, "--json", "--anchor", "random").json
    assert [one["player"] for one in data["standings"]][2] == "random"
    assert data["standings"][2]["elo"] == 0
    assert "名次" in run(*command, "--lang", "zh-TW").out
    shown = run("ratings", path)
    assert shown.out.count("12") >= 3  # games each
    assert "最後對局" in run("ratings", path, "--lang", "zh-TW").out
    rows = run("ratings", path, "--json", "--anchor", "random").json["tic_tac_toe"]
    assert rows[-1]["rating"] == 0
    assert set(rows[0]) == {"player", "games", "score", "rating", "margin", "last"}


def test_three_around_a_table_are_rated_by_openskill(run: Any) -> None:
    command = ["match", "openspiel:kuhn_poker(players=3)", "random", "random:seed=3", "random:seed=5", "--games", "6"]
    assert "OpenSkill" in run(*command).out
    assert {"mu", "sigma"} <= set(run(*command, "--json").json["standings"][0])


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["match"], "GAME"),
        (["match", "tic_tac_toe"], "PLAYER"),
        (["match", "tic_tac_toe", "random"], "is for 2 players, not 1"),
        (["match", "nope", "random", "random"], "there is no game 'nope'"),
        (["match", "tic_tac_toe", "random", "nope"], "there is no player 'nope'"),
        (["match", "tic_tac_toe", "random", "uct:x=1"], "no option 'x'"),
        (["match", "tic_tac_toe", "random", "random", "--games", "0"], "games must be 1 or more"),
        (["match", "tic_tac_toe", "random", "random", "--seed", "-1"], "seed must be from 0"),
        (["match", "tic_tac_toe", "random", "random", "--sprt", "5"], "--sprt ELO0,ELO1"),
        (["match", "tic_tac_toe", "random", "random", "--sprt", "20,0"], "--sprt ELO0,ELO1"),
        (["match", "tic_tac_toe", "random", "random", "--sprt", "nan,1"], "--sprt ELO0,ELO1"),
        (["match", "tic_tac_toe", "random", "random", "--seconds", "0"], "seconds must be a number above 0"),
        (["match", "tic_tac_toe", "random", "random", "--processes", "-2"], "processes must be 0 or more"),
        (["match", "tic_tac_toe", "random", "random", "--opening-plies", "20"], "take fewer"),
        (["match", "tic_tac_toe", "random", "random", "--preset", "x"], "no preset 'x'"),
        (["match", "tic_tac_toe", "random", "random", "--resume"], "name the file"),
        (["match", "tic_tac_toe", "random", "random", "--record", "/"], "directory"),
        (["tournament", "tic_tac_toe", "random"], "2 or more players"),
        (["tournament", "tic_tac_toe", "random", "random"], "once"),
        (["tournament", "tic_tac_toe", "random", "uct", "--anchor", "x"], "there is no 'x'"),
        (["ratings", "/nope/nothing.jsonl"], "No such file"),
        (["ratings", str(EXAMPLES / "nim.py")], "no entry of a rating list"),
        (["think"], "GAME"),
        (["think", "tic_tac_toe", "--moves", "a1", "--position", "x"], "not both"),
        (["think", "tic_tac_toe", "--moves", "z9"], "not a legal action"),
        (["think", "tic_tac_toe", "--player", "nope"], "there is no player 'nope'"),
        (["think", "tic_tac_toe", "--player", "random", "--seconds", "1"], "no option 'seconds'"),
        (["think", "tic_tac_toe", "--lines", "0"], "--lines"),
        (["think", "tic_tac_toe", "--moves", "a1 a2 b1 b2 c1"], "nothing to think about"),
    ],
)
def test_a_mistake_is_one_sentence_on_stderr_and_exit_code_2(run: Any, argv: list[str], words: str) -> None:
    answer = run(*argv)
    assert answer.code == 2, answer.err
    assert answer.out == ""
    assert words in answer.err
    assert answer.err.startswith("sevenfold: ")
    assert answer.err.endswith(".\n")
    assert answer.err.count("\n") == 1


# think


def test_think_shows_every_move_the_best_first(run: Any) -> None:
    answer = run("think", "tic_tac_toe", "--moves", "a1 b2 a2", "--player", "uct:simulations=500")
    assert answer.code == 0
    assert "Best move: a3." in answer.out  # anything else loses at once
    assert "500 tries" in answer.out or "proven" in answer.out
    assert "expected line" in answer.out
    rows = [line.split()[0] for line in answer.out.splitlines() if line.strip()[:2] in ("a3", "b1", "c1", "c2", "c3")]
    assert rows[0] == "a3"
    chinese = run("think", "tic_tac_toe", "--moves", "a1 b2 a2", "--player", "uct:simulations=500", "--lang", "zh-TW")
    for words in ("最佳著法：a3", "著法", "預期著法"):
        assert words in chinese.out


def test_think_for_programs(run: Any) -> None:
    data = run(
        "think", "connect_four", "--moves", "d d e", "--player", "uct:simulations=300", "--seed", "4", "--json"
    ).json
    assert data["position"]["history"] == [3, 3, 4]
    assert (data["game"], data["to_move"], data["player"]) == ("connect_four", 1, "uct:simulations=300")
    assert data["actions"][0]["action"] == data["action"]
    assert data["text"] == data["actions"][0]["text"] == data["line"][0]
    assert sum(one["visits"] for one in data["actions"]) == sum(data["visits"].values()) > 0
    for one in data["actions"]:
        assert set(one) >= {"action", "text", "visits", "value", "prior", "proven", "pv"}
        assert -1 <= one["value"] <= 1
    again = run(
        "think", "connect_four", "--moves", "d d e", "--player", "uct:simulations=300", "--seed", "4", "--json"
    ).json
    assert again["actions"] == data["actions"]


def test_think_with_the_perfect_player_tells_exact_scores(run: Any) -> None:
    small, player = "connect_four(rows=5, cols=5)", "perfect:cache=false"
    data = run("think", small, "--moves", "c c b", "--player", player, "--json").json
    assert data["proven"]
    state = sf.game(small).parse("moves: c c b")
    scores = sf.player("perfect", state.game, cache=False).think(state).scores  # type: ignore[attr-defined]
    assert {one["action"]: one["score"] for one in data["actions"]} == dict(enumerate(scores))
    for one in data["actions"]:
        assert one["value"] == (one["score"] > 0) - (one["score"] < 0)
    assert "exact score" in run("think", small, "--moves", "c c b", "--player", player).out


def test_think_with_players_that_know_less(run: Any) -> None:
    flat = run("think", "tic_tac_toe", "--player", "montecarlo:simulations=90", "--lines", "3").out
    assert "… and 6 more." in flat
    assert "Best move" in flat
    assert "It chooses" in run("think", "tic_tac_toe", "--player", "random").out
    assert run("think", "tic_tac_toe", "--player", "random", "--json").json["nodes"] == 1


def test_think_keeps_hidden_cards_hidden_and_lets_chance_go_first(run: Any) -> None:
    answer = run("think", str(EXAMPLES / "kuhn_poker.py"), "--player", "montecarlo:simulations=50", "--seed", "2")
    assert answer.code == 0
    assert "your card" in answer.out
    assert "Player 1 is to move" in answer.out


def test_think_deals_by_itself_after_moves_too(run: Any) -> None:
    """Only the players' moves have to be typed, and outcomes may be: from the seed on, both lead to the same game."""
    quick = ("--player", "blocker", "--json")
    game = sf.game("sevens")
    for seed in (1, 4):
        state = game.new(seed)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        dealt = [f"seat{seat}" for seat in state.history]
        state.play(state.parse_action("S7"))
        own = run("think", "sevens", "--seed", str(seed), "--moves", "S7", *quick).json["position"]
        assert (own["history"], own["seed"]) == (state.history, seed)
        typed = run("think", "sevens", "--seed", str(seed), "--moves", " ".join([*dealt, "S7"]), *quick).json[
            "position"
        ]
        assert typed["history"] == state.history
    turned = [*dealt[1:], dealt[0]]
    typed = run("think", "sevens", "--moves", " ".join(turned), *quick).json["position"]["history"]
    assert typed == [*state.history[1:52], state.history[0]]
    none = run("think", "sevens", "--seed", "1", "--moves", "", *quick).json["position"]["history"]
    assert none == game.after("S7", 1).history[:52]
    wrong = run("think", "sevens", "--seed", "1", "--moves", "S7 S7", *quick)
    assert wrong.code == 2
    assert "'S7' is not a legal action here" in wrong.err
    assert "seat0" not in wrong.err  # the choices are those of the player, not of the deal


def test_chance_between_moves_plays_too_where_it_is_not_typed(run: Any) -> None:
    kuhn = str(EXAMPLES / "kuhn_poker.py")
    quick = ("--player", "random", "--json")
    assert run("think", kuhn, "--moves", "K J bet", *quick).json["position"]["history"] == [2, 0, 1]
    game = sf.game(kuhn)
    for seed in range(4):
        state = game.new(seed)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        state.play(state.parse_action("bet"))
        found = run("think", kuhn, "--moves", "bet", "--seed", str(seed), *quick).json["position"]["history"]
        assert found == state.history
        mixed = run("think", kuhn, "--moves", "#2 bet", "--seed", str(seed), *quick).json["position"]["history"]
        assert (mixed[0], len(mixed)) == (2, 3)
    with pytest.raises(ValueError, match="'bet' is not a legal action here"):
        game.parse("moves: bet")  # in Python a text tells the whole game
    with pytest.raises(ValueError, match="moves are typed as a text"):
        game.after(3)  # type: ignore[arg-type]


def test_think_says_what_is_proven(run: Any) -> None:
    won = run("think", "tic_tac_toe", "--moves", "a1 b1 a2 b2", "--player", "uct")
    assert "It is proven that Player 1" in won.out
    assert "已證明" in run("think", "tic_tac_toe", "--moves", "a1 b1 a2 b2", "--lang", "zh-TW").out
    drawn = run("think", "tic_tac_toe", "--player", "uct:seconds=20")
    assert "It is proven to be a draw" in drawn.out


# Ctrl-C


def interrupted(*argv: str, after: Path | None = None, seconds: float = 1.0) -> "subprocess.CompletedProcess[str]":
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program += "from sevenfold.cli import main; main()"
    child = subprocess.Popen(
        [sys.executable, "-c", program, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 30
    if after is None:
        time.sleep(seconds)
    while after and time.monotonic() < deadline and (not after.exists() or after.read_bytes().count(b"\n") < 6):
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=30)
    return subprocess.CompletedProcess(argv, child.returncode, out, err)


def test_ctrl_c_prints_the_result_so_far(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    players = ["connect_four", "uct:simulations=500", "montecarlo:simulations=500"]
    done = interrupted("match", *players, "--games", "5000", "--record", str(path), after=path)
    assert done.returncode == 130, done.stderr
    assert "of 5,000 games" in done.stdout
    assert "95 % interval" in done.stdout
    assert done.stderr == "sevenfold: stopped.\n"
    assert len(list(sf.read_records(path))) >= 6
    other = tmp_path / "other.jsonl"
    again = interrupted("tournament", *players, "--rounds", "5000", "--json", "--record", str(other), after=other)
    assert again.returncode == 130
    data = json.loads(again.stdout)
    assert 1 <= data["games"] < data["planned"] == 10_000


def test_ctrl_c_shows_what_was_thought_so_far() -> None:
    done = interrupted("think", "connect_four", "--seconds", "60", "--json", seconds=2.0)
    assert done.returncode == 130
    assert done.stderr == "sevenfold: stopped.\n"
    data = json.loads(done.stdout)
    assert data["nodes"] > 100
    assert data["seconds"] < 30
    stopped = interrupted("think", "connect_four", "--player", "montecarlo:simulations=900000000", seconds=2.0)
    assert stopped.returncode == 130
    assert stopped.stdout == ""
