"""The evaluation contract, fitted weights and where they are stored, and how smoothness is measured."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sevenfold as sf
from sevenfold.evaluation import Weights, read_weights, save_weights, weights_for, weights_path
from sevenfold.selfplay import self_play
from sevenfold.smoothness import measured, quantile

BARE = str(Path(__file__).parent.parent / "examples" / "nim.py")
"""A game without an evaluation."""

WALK = '''
import math
import sevenfold as sf


class Walk(sf.Rules):
    """Players push their own counters; the result is drawn by chance from what the counters promise."""

    actions, outcomes = 3, 2

    def __init__(self, players: int = 2, plies: int = 6, a: float = 0.8, b: float = -0.4):
        self.players = players
        self.plies, self.a, self.b = plies, a, b
        self.min_return, self.max_return = -1.0, 1.0
        self.sum = "zero" if players == 2 else "any"
        self.up = [[0, 0] for _ in range(players)]
        self.done, self.won = 0, None

    def to_move(self):
        if self.done < self.plies:
            return self.done % self.players
        return sf.CHANCE if self.won is None else sf.TERMINAL

    def legal_actions(self):
        return [0, 1, 2]

    def lead(self):
        """z of player 0, by the true weights."""
        first, *others = [self.a * x + self.b * y for x, y in self.up]
        return first - sum(others) / max(len(others), 1)

    def chance(self):
        p = 1 / (1 + math.exp(-2 * self.lead()))
        return [(0, 1 - p), (1, p)]

    def play(self, action):
        if self.done == self.plies:
            self.won = action
            return
        if action:
            self.up[self.done % self.players][action - 1] += 1
        self.done += 1

    def returns(self):
        if self.won is None:
            return [0.0] * self.players
        value = 1.0 if self.won else -1.0
        return [value] + [-value] * (self.players - 1)

    def heuristic(self):
        value = self.lead() * 2
        return [value] + [-value] * (self.players - 1)

    def terms(self, player):
        return {"x": self.up[player][0], "y": self.up[player][1]}
'''


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.py"
    path.write_text(WALK)
    return path


def random_states(game: sf.Game, games: int, seed: int = 0) -> Iterator[sf.State]:
    rng = random.Random(seed)
    for number in range(games):
        state = game.new(number)
        while not state.is_over:
            yield state.copy()
            if state.to_move == sf.CHANCE:
                state.play_chance()
            else:
                state.play(rng.choice(state.legal_actions()))
        yield state


def played(game: sf.Game, games: int, seed: int = 0) -> list[sf.Record]:
    return [sf.Record.of(state) for state in random_states(game, games, seed) if state.is_over]


# The contract


@pytest.mark.parametrize("kind", ["heuristic", "linear", "zero"])
def test_a_guess_is_antisymmetric_and_never_as_good_as_a_win(walk: Path, kind: Any) -> None:
    game = sf.game(str(walk), plies=20)
    judge = sf.evaluation(game, kind, {"x": 5.0, "y": -3.0} if kind == "linear" else None)
    assert judge.kind == kind
    extremes = set()
    for state in random_states(game, 30):
        mine, theirs = judge(state)
        assert mine == -theirs
        if state.is_over:
            assert abs(mine) == 1
        else:
            assert abs(mine) <= 0.999
            extremes.add(abs(mine))
    assert max(extremes) == (0 if kind == "zero" else pytest.approx(0.999, abs=1e-6))


def test_a_guess_inside_the_range_is_what_the_game_says(walk: Path) -> None:
    state = sf.game(str(walk)).new()
    state.play(1)
    assert sf.evaluation(state.game, "heuristic")(state) == [0.999, -0.999]  # the game says 1.6, more than a win
    state.play(1)
    state.play(2)
    assert sf.evaluation(state.game, "heuristic")(state) == state.heuristic() == pytest.approx([-0.8, 0.8])


@pytest.mark.parametrize(("players", "low", "high"), [(1, 0, 10), (2, -1, 1), (2, -3, 7), (3, -1, 1), (4, 0, 1)])
def test_linear_is_what_numpy_computes(players: int, low: float, high: float) -> None:
    class Heaps(sf.Rules):
        actions = 4

        def __init__(self) -> None:
            self.players, self.min_return, self.max_return, self.sum = players, low, high, "any"
            self.heaps = [[1, 0, 0, 0] for _ in range(players)]
            self.plies = 0

        def to_move(self) -> int:
            return sf.TERMINAL if self.plies == 12 else self.plies % players

        def legal_actions(self) -> list[int]:
            return [0, 1, 2, 3]

        def play(self, action: int) -> None:
            self.heaps[self.plies % players][action] += 1
            self.plies += 1

        def returns(self) -> list[float]:
            return [low] * players

        def terms(self, player: int) -> dict[str, float]:
            return {str(number): math.sqrt(heap) for number, heap in enumerate(self.heaps[player])}

    game = sf.game(Heaps)
    weights = np.array([0.3, -0.2, 0.05, 0.11])
    judge = sf.evaluation(game, "linear", {str(number): weight for number, weight in enumerate(weights.tolist())})
    count = 0
    for state in random_states(game, 10):
        if state.is_over:
            assert judge(state) == [low] * players
            continue
        sums = np.array([list(state.terms(player).values()) for player in range(players)]) @ weights
        z = sums - (sums.sum() - sums) / (players - 1) if players > 1 else sums
        np.testing.assert_allclose(judge(state), (high + low) / 2 + 0.999 * (high - low) / 2 * np.tanh(z), atol=1e-12)
        count += 1
    assert count == 120


class Odd(sf.Rules):
    actions = 1

    def __init__(self) -> None:
        self.plies = 0

    def to_move(self) -> int:
        return sf.TERMINAL if self.plies == 3 else 0

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        self.plies += 1

    def returns(self) -> list[float]:
        return [0, 0]

    def heuristic(self) -> list[float]:
        return [math.nan if self.plies == 2 else 0.0, 0.0]

    def terms(self, player: int) -> dict[str, float]:
        return {"huge": 1e308 if self.plies == 2 and player == 1 else 1.0}

    def __str__(self) -> str:
        return f"after {self.plies}\nplies"


def test_nonsense_names_the_position() -> None:
    game = sf.game(Odd)
    state = game.replay([0, 0])
    with pytest.raises(
        ValueError, match=r"^odd: heuristic\(\) returned \[nan, 0.0\].* in the position after 2 plies\.$"
    ):
        sf.evaluation(game, "heuristic")(state)
    judge = sf.evaluation(game, "linear", {"huge": 10.0})
    with pytest.raises(ValueError, match=r"^odd: terms\(\) .* player 1 infinite in the position after 2 plies\.$"):
        judge(state)
    assert judge(game.new()) == [0, 0]


def test_wrong_evaluations_are_refused_in_a_sentence(walk: Path, tmp_path: Path) -> None:
    game, bare = sf.game(str(walk)), sf.game(BARE)
    for wrong, words in [
        (lambda: sf.evaluation(bare), "does not offer the ability 'heuristic'.*'zero' does without"),
        (lambda: sf.evaluation(bare, "linear"), "needs the ability 'terms'"),
        (lambda: sf.evaluation(bare, "heuristic"), "needs the ability 'heuristic'"),
        (lambda: sf.evaluation(game, "linear"), "no weights are stored for .*sevenfold fit"),
        (lambda: sf.evaluation(game, "quadratic"), "auto, heuristic, linear or zero, not 'quadratic'"),  # type: ignore[arg-type]
        (lambda: sf.evaluation(game, "zero", {"x": 1.0}), "takes no weights"),
        (lambda: sf.evaluation(game, "linear", {"x": 1.0}), "lack its term 'y'"),
        (lambda: sf.evaluation(game, "linear", {"x": 1.0, "y": 1.0, "z": 1.0}), "has no term 'z'"),
        (lambda: sf.evaluation(game, "linear", {"x": 1.0, "y": math.nan}), "finite numbers"),
        (lambda: sf.evaluation(game, "linear", tmp_path / "nothing.json"), "there is no file"),
        (lambda: sf.evaluation(game, "linear", 7), "not 7"),  # type: ignore[arg-type]
        (lambda: sf.evaluation("walk"), "from sf.game"),  # type: ignore[arg-type]
        (lambda: sf.evaluation(game, "zero")(bare.new()), "is not one of nim"),
    ]:
        with pytest.raises(ValueError, match=f"{words}.*\\.$"):
            wrong()


# Stored weights


def test_weights_come_back_as_they_were_stored_each_for_its_options(walk: Path) -> None:
    game, longer = sf.game(str(walk)), sf.game(str(walk), plies=8)
    path = weights_path(game)
    assert path == walk.parent / "walk.evaluation.json"
    assert weights_for(game) is None
    assert sf.evaluation(game).kind == "heuristic"
    some = Weights("walk", {"x": 0.25, "y": -1e-7}, {}, {"games": 3})
    save_weights(path, some)
    assert read_weights(path) == [some]
    assert weights_for(game) == some
    assert weights_for(longer) is None
    for other in (Weights("walk", {"x": 1.0, "y": 2.0}), Weights("walk", {"y": 4.0, "x": 3.0}, {"plies": 8})):
        save_weights(path, other)
    assert sf.evaluation(game).weights == [0.25, -1e-7]
    assert sf.evaluation(longer).weights == [3, 4]  # by name, whatever the order
    assert sf.evaluation(sf.game(str(walk), plies=9)).weights == [1, 2]
    save_weights(path, Weights("walk", {"x": 9.0, "y": 9.0}, {}))
    assert [entry.options for entry in read_weights(path)] == [None, {}, {"plies": 8}]
    assert sf.evaluation(game, weights=path).weights == [9, 9]
    assert [each.name for each in walk.parent.iterdir() if each.suffix != ".py" and each.is_file()] == [path.name]


def test_a_room_keeps_its_weights_in_its_folder() -> None:
    path = weights_path(sf.game("connect_four", rows=9))
    assert path is not None
    assert path.parts[-2:] == ("connect_four", "evaluation.json")


GOOD = {"format": 1, "game": "walk", "entries": [{"options": {}, "terms": {"x": 1, "y": 2}, "about": {}}]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is not JSON"),
        (b"\xff\xfe", "it is not UTF-8"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "not of format 1"),
        (json.dumps(GOOD | {"format": 2}), "not of format 1"),
        (json.dumps(GOOD | {"entries": 3}), "entries a list"),
        (json.dumps(GOOD | {"entries": [3]}), "entry 1 is not an object"),
        (json.dumps(GOOD | {"entries": [{"options": 3, "terms": {}}]}), "entry 1 needs terms"),
        (json.dumps(GOOD).replace('"x": 1', '"x": NaN'), "the weight of 'x' in entry 1 is no finite number"),
        (json.dumps(GOOD).replace('"x": 1', '"x": "1"'), "the weight of 'x' in entry 1 is no finite number"),
        (json.dumps(GOOD).replace('"x": 1', '"z": 1'), "has no term 'z'"),
        (json.dumps(GOOD).replace('"x": 1, ', ""), "lack its term 'x'"),
    ],
)
def test_a_broken_file_of_weights_is_refused_in_a_sentence(walk: Path, content: Any, words: str) -> None:
    game = sf.game(str(walk))
    path = walk.parent / "walk.evaluation.json"
    path.write_text(json.dumps(GOOD))
    assert sf.evaluation(game).weights == [1, 2]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=f"{words}.*\\.$"):
        sf.evaluation(game)


def test_weights_of_another_game_are_not_overwritten(tmp_path: Path) -> None:
    save_weights(tmp_path / "w.json", Weights("walk", {"x": 1.0}))
    with pytest.raises(ValueError, match="holds weights of 'walk', not of chess; nothing was written"):
        save_weights(tmp_path / "w.json", Weights("chess", {"pawn": 1.0}))
    assert [entry.game for entry in read_weights(tmp_path / "w.json")] == ["walk"]


# Fitting


class Deal(sf.Rules):
    """Chance deals both players two counters, player 0 looks, and chance draws the result from what they promise."""

    actions, outcomes = 1, 81

    def __init__(self) -> None:
        self.dealt: list[int] = []
        self.looked, self.won = False, -1

    def to_move(self) -> int:
        if self.won >= 0:
            return sf.TERMINAL
        return 0 if self.dealt and not self.looked else sf.CHANCE

    def legal_actions(self) -> list[int]:
        return [0]

    def chance(self) -> list[tuple[int, float]]:
        if not self.dealt:
            return [(deal, 1 / 81) for deal in range(81)]
        a, b, c, d = self.dealt
        p = 1 / (1 + math.exp(-2 * (0.8 * (a - c) - 0.4 * (b - d))))
        return [(0, 1 - p), (1, p)]

    def play(self, action: int) -> None:
        if not self.dealt:
            self.dealt = [action // 3**place % 3 for place in range(4)]
        elif not self.looked:
            self.looked = True
        else:
            self.won = action

    def returns(self) -> list[float]:
        return [0, 0] if self.won < 0 else [2.0 * self.won - 1, 1 - 2.0 * self.won]

    def terms(self, player: int) -> dict[str, float]:
        x, y = self.dealt[2 * player : 2 * player + 2] or [0, 0]
        return {"x": x, "y": y}


def test_logistic_finds_the_weights_that_made_the_results() -> None:
    game = sf.game(Deal)
    result = sf.fit(played(game, 4000), game, l2=1e-3)
    for name, true in {"x": 0.8, "y": -0.4}.items():
        assert abs(result.weights.terms[name] - true) < 4 * result.errors[name]
        assert result.errors[name] < 0.05
    assert result.train.positions == 3200
    assert result.test is not None
    assert result.test.calibration_error < 0.05
    assert result.heuristic is None


def test_three_players_are_fitted_as_well(walk: Path) -> None:
    game = sf.game(str(walk), players=3)
    result = sf.fit(played(game, 600), game)
    assert result.train.positions == 480 * 6 * 3
    assert result.weights.terms["x"] > 0 > result.weights.terms["y"]
    assert result.test is not None
    assert result.test.log_loss < math.log(2)


def last_rows(weights: np.ndarray[Any, Any], count: int) -> Any:
    """Rows of one position each, with results drawn from known weights."""
    from sevenfold.fit import _Rows

    rng = np.random.default_rng(1)
    x = rng.normal(size=(count, len(weights))) * np.array([1.0, 20.0, 0.05])
    won = rng.random(count) < 1 / (1 + np.exp(-2 * x @ weights))
    return _Rows(x, np.where(won, 1.0, -1.0), np.ones(count), np.arange(count), np.zeros(count))


def test_both_losses_on_known_data() -> None:
    from sevenfold.fit import _quality, _solved

    true = np.array([0.7, -0.03, 0.0])
    rows = last_rows(true, 20_000)
    w, errors, spread = _solved(rows, "logistic", 1e-6)
    assert np.all(np.abs(w - true) < 4 * errors)
    assert np.all(errors * spread < 0.02)
    assert _quality(np.tanh(rows.x @ w), rows).calibration_error < 0.01
    squares, _, _ = _solved(rows, "squares", 1e-9)
    np.testing.assert_allclose(squares, np.linalg.lstsq(rows.x, rows.y, rcond=None)[0], rtol=1e-6)
    held, _, _ = _solved(rows, "logistic", 1e6)
    assert np.abs(held).max() < 0.02 * np.abs(w).max()


def test_every_game_counts_the_same_however_long(walk: Path) -> None:
    from sevenfold.fit import _rows

    short, long = sf.game(str(walk), plies=2), sf.game(str(walk), plies=8)
    rows = _rows([(short, played(short, 1)[0]), (long, played(long, 1)[0])])
    assert [int(n) for n in np.bincount(rows.game)] == [2, 8]
    np.testing.assert_allclose(np.bincount(rows.game, rows.weight), [1, 1])


def test_separable_results_and_a_term_that_never_differs_are_no_trouble(walk: Path) -> None:
    game = sf.game(str(walk), a=4, b=0)  # whoever has more x always wins
    result = sf.fit(played(game, 200), game)
    assert all(math.isfinite(value) for value in [*result.weights.terms.values(), *result.errors.values()])
    assert result.test is not None
    assert result.test.accuracy > 0.6

    class Flat(Odd):
        def heuristic(self) -> list[float]:
            return [0, 0]

        def terms(self, player: int) -> dict[str, float]:
            return {"same": 7}

    flat = sf.game(Flat)
    result = sf.fit([sf.Record.of(flat.replay([0, 0, 0]))], flat)
    assert result.weights.terms == {"same": 0}
    assert result.test is None
    assert math.isnan(result.train.accuracy)


def test_what_cannot_be_fitted_is_refused_in_a_sentence(walk: Path, tmp_path: Path) -> None:
    game = sf.game(str(walk))
    unfinished = sf.Record.of(game.new())
    done, bare = played(game, 2), sf.game("tic_tac_toe")
    for wrong, words in [
        (lambda: sf.fit([], game), "there is no finished game to fit to"),
        (lambda: sf.fit([unfinished], game), "no finished game to fit to; 1 are unfinished"),
        (lambda: sf.fit(done, sf.game(str(walk), plies=2)), "other options"),
        (lambda: sf.fit(done, bare), "a record of 'walk', not of tic_tac_toe"),
        (lambda: sf.fit([sf.Record.of(bare.replay([0, 3, 1, 4, 2]))], bare), "needs the ability 'terms'"),
        (lambda: sf.fit(done), "there is no game 'walk'"),
        (lambda: sf.fit(done, game, loss="cubes"), "logistic or squares, not 'cubes'"),  # type: ignore[arg-type]
        (lambda: sf.fit(done, game, l2=0), "l2 must be"),
        (lambda: sf.fit(done, game, test_share=1), "test_share must be"),
    ]:
        with pytest.raises(ValueError, match=f"{words}.*\\.$"):
            wrong()
    assert sf.fit([*done, unfinished], game).skipped == 1
    longer = played(sf.game(str(walk), plies=8), 2)
    assert sf.fit(longer, game, any_options=True).weights.options == {"plies": 8}
    assert sf.fit(done + longer, game, any_options=True).weights.options is None
    sf.write_records(tmp_path / "r.jsonl", done)
    assert sf.fit(tmp_path / "r.jsonl", game).weights == sf.fit(done, game).weights


# Smoothness


class Stairs(sf.Rules):
    """Player 0 climbs steps of known heights, and falls at the end."""

    actions, players = 4, 2
    HEIGHT = 0.1

    def __init__(self) -> None:
        self.height = 0.0
        self.plies = 0

    def to_move(self) -> int:
        return sf.TERMINAL if self.plies == 5 else self.plies % 2

    def legal_actions(self) -> list[int]:
        return [0, 1, 2, 3]

    def play(self, action: int) -> None:
        self.height += self.HEIGHT * action * (1 if self.plies % 2 == 0 else -1)
        self.plies += 1

    def returns(self) -> list[float]:
        return [-1, 1] if self.plies == 5 else [0, 0]

    def heuristic(self) -> list[float]:
        return [self.height, -self.height]


def test_the_steps_of_a_game_are_measured() -> None:
    game = sf.game(Stairs)
    records = [sf.Record.of(game.replay(actions)) for actions in ([1, 0, 2, 1, 0], [3, 1, 0, 0, 0])]
    found = measured(game, sf.evaluation(game, "heuristic"), records)
    assert sorted(found.inside.sizes) == pytest.approx([0, 0, 0, 0.1, 0.1, 0.1, 0.2, 0.3])
    assert sorted(found.ends.sizes) == pytest.approx([1.2, 1.2])
    assert sorted(found.gains) == pytest.approx([0, 0, 0, 0.1, 0.1, 0.1, 0.2, 0.3])
    assert found.inside.mean == pytest.approx(0.1)
    assert (found.inside.worst[0].position, found.inside.worst[0].move) == ("moves:", "3")
    assert found.epsilon == found.razor == pytest.approx(0.3)
    assert sum(found.inside.histogram(found.edges())) == 8
    assert found.contract.kept
    assert found.contract.antisymmetry == found.contract.antisymmetry_at_ends == 0


def test_a_broken_contract_is_seen() -> None:
    class Lopsided(Stairs):
        def heuristic(self) -> list[float]:
            return [self.height, 0.0]

    class Cliff(Stairs):
        HEIGHT = 2.0

    game = sf.game(Lopsided)
    record = sf.Record.of(game.replay([3, 0, 0, 0, 0]))
    found = measured(game, sf.evaluation(game, "heuristic"), [record])
    assert found.contract.antisymmetry == pytest.approx(0.3)
    assert not found.contract.kept
    game = sf.game(Cliff)
    found = measured(game, sf.evaluation(game, "heuristic"), [sf.Record.of(game.replay([3, 0, 0, 0, 0]))])
    assert (found.contract.cut_off, found.contract.inside) == (4, pytest.approx(0.999))


def test_quantiles() -> None:
    assert [quantile([3, 1, 2, 4], share) for share in (0, 0.25, 0.26, 0.5, 0.95, 1)] == [1, 1, 2, 2, 4, 4]
    assert quantile([], 0.5) == 0


def test_self_play_differs_from_game_to_game_and_not_from_run_to_run(walk: Path, tmp_path: Path) -> None:
    game = sf.game("tic_tac_toe")
    games = self_play(game, 10, "uct:simulations=20,seed=1", processes=0)
    assert len({tuple(record.actions) for record in games}) >= 5
    again = self_play(game, 10, "uct:simulations=20,seed=1", processes=0, record=tmp_path / "g.jsonl")
    assert [record.actions for record in games] == [record.actions for record in again]
    more = self_play(game, 12, "uct:simulations=20,seed=1", processes=0, record=tmp_path / "g.jsonl")
    assert len((tmp_path / "g.jsonl").read_text().splitlines()) == len(more) == 12
    with pytest.raises(ValueError, match="from 0 to 1, not 2"):
        self_play(game, 1, share=2)
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        self_play(game, 1, "nobody", processes=0)
    solo = sf.game(str(walk), players=1)
    assert len(self_play(solo, 3, "random", processes=0)) == 3


# The command line


def test_fit_stores_weights_that_players_find(run: Any, walk: Path) -> None:
    kept = walk.parent / "games.jsonl"
    common = ["fit", str(walk), "--player", "random", "--records", str(kept), "--processes", "1"]
    answer = run(*common, "--games", "40")
    assert answer.code == 0, answer.err
    for words in ("weight", "spread", "linear, held out", "heuristic, held out", "not stored"):
        assert words in answer.out
    assert max(len(line) for line in answer.out.splitlines() if str(kept) not in line) <= 80
    data = run(*common, "--games", "40", "--room", "--json").json
    assert len(kept.read_text().splitlines()) == 40
    assert [term["term"] for term in data["terms"]] == ["x", "y"]
    assert data["about"]["command"].startswith("sevenfold fit walk.py --games 40 --player random --random 0.1 ")
    assert (data["train"]["games"], data["test"]["games"]) == (32, 8)
    assert data["stored"].endswith("walk.evaluation.json")
    assert sf.evaluation(sf.game(str(walk))).weights == [term["weight"] for term in data["terms"]]
    other = walk.parent / "other.json"
    text = run(
        "fit", str(walk), "--records", str(kept), "--loss", "squares", "--out", str(other), "--lang", "zh-TW"
    ).out
    assert "權重" in text
    assert f"已存到 {other}" in text
    assert read_weights(other)[0].about["loss"] == "squares"


def test_smoothness_on_the_command_line(run: Any, walk: Path) -> None:
    common = ["think", str(walk), "--smoothness", "--games", "6", "--player", "random"]
    text = run(*common).out
    for words in ("within the game", "into its end", "ε", "razoring", "The contract is kept", "moves:"):
        assert words in text
    data = run(*common, "--json").json
    assert data["evaluation"] == "heuristic"
    assert data["ends"]["count"] == data["games"] == 6
    assert sum(data["inside"]["histogram"]) == data["inside"]["count"] == 6 * 6
    weights = walk.parent / "w.json"
    save_weights(weights, Weights("walk", {"x": 0.1, "y": 0.0}))
    assert run(*common, "--weights", str(weights), "--json").json["evaluation"] == "linear"
    assert "符合評價函數的約定" in run(*common, "--lang", "zh-TW").out


def test_smoothness_as_a_picture(run: Any, walk: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = walk.parent / "steps.png"
    answer = run("think", str(walk), "--smoothness", "--games", "4", "--player", "random", "--plot", str(picture))
    assert answer.code == 0, answer.err
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["fit", "WALK"], "--records FILE, or --games N"),
        (["fit", "WALK", "--games", "2", "--out", "a", "--room"], "either --out or --room"),
        (["fit", "WALK", "--games", "0"], "--games"),
        (["fit", "WALK", "--records", "nothing.jsonl"], "No such file"),
        (["fit", "WALK", "--games", "2", "--player", "nobody"], "there is no player 'nobody'"),
        (["fit", "tic_tac_toe", "--games", "2"], "needs the ability 'terms'"),
        (["fit", "WALK", "--records", "WALK", "--loss", "cubes"], "'cubes'"),
        (["fit", "WALK", "--records", "WALK"], "is not a record"),
        (["think", BARE, "--smoothness"], "'zero' does without"),
        (["think", "WALK", "--smoothness", "--moves", "1"], "leave out --moves"),
        (["think", "WALK", "--smoothness", "--evaluation", "linear"], "no weights are stored"),
        (["think", "WALK", "--smoothness", "--evaluation", "good"], "not 'good'"),
        (["think", "WALK", "--smoothness", "--games", "0"], "--games"),
    ],
)
def test_wrong_commands_are_answered_in_a_sentence(
    run: Any, walk: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], words: str
) -> None:
    monkeypatch.chdir(walk.parent)
    answer = run(*[str(walk) if word == "WALK" else word for word in argv])
    assert answer.code == 2
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1
    assert answer.err.endswith(".\n")


def test_a_killed_fit_goes_on(walk: Path, run: Any) -> None:
    kept = walk.parent / "games.jsonl"
    argv = ["fit", str(walk), "--games", "400", "--player", "montecarlo:simulations=30", "--records", str(kept)]
    argv += ["--processes", "1", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "sevenfold", *argv],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not kept.exists() or kept.read_bytes().count(b"\n") < 5:
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = [line for line in kept.read_text().splitlines(keepends=True) if line.endswith("\n")]
    assert 5 <= len(before) < 400
    argv[argv.index("400")] = str(len(before) + 3)
    data = run(*argv).json
    after = kept.read_text().splitlines(keepends=True)
    assert after[: len(before)] == before
    assert data["train"]["games"] + data["test"]["games"] == len(before) + 3
