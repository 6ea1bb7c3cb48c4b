"""Proves matches and Elo: fair seats, same seed same result, faults cost the game, and the formulas."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import players, rating
from sevenfold.match import match
from sevenfold.players import Player, SearchResult


class Broken(Player):
    """Raises, plays nonsense or is late, as its seed says."""

    name = "broken"

    def think(self, state: sf.State) -> SearchResult:
        if self.seed == 1:
            raise RuntimeError("out of order")
        return SearchResult(99, [], [])


def test_everyone_sits_everywhere_on_the_same_opening() -> None:
    result = match("connect_four", ["random", "montecarlo:simulations=50"], games=5, opening_plies=3, processes=1)
    assert result.games == 6  # full rounds
    for first, second in zip(result.played[::2], result.played[1::2], strict=True):
        assert (first.seats, second.seats) == ([0, 1], [1, 0])
        assert first.record.actions[:3] == second.record.actions[:3]
        assert first.record.seats == list(reversed(second.record.seats))
    assert len({tuple(one.record.actions[:3]) for one in result.played}) > 1


def test_each_round_of_a_preset_has_a_board_of_its_own() -> None:
    result = match("connect_four", ["random", "random"], games=8, preset="saiblo", processes=1)
    boards = [tuple(one.record.options.items()) for one in result.played]
    assert boards[::2] == boards[1::2]
    assert len(set(boards)) == 4


def test_the_same_seed_is_the_same_match_in_one_process_or_two(tmp_path: Path) -> None:
    def lines(processes: int, seed: int) -> list[list[int]]:
        result = match("tic_tac_toe", ["random", "uct:simulations=20"], games=8, seed=seed, processes=processes)
        return [one.record.actions for one in result.played]

    assert lines(1, 3) == lines(2, 3)
    assert lines(1, 3) != lines(1, 4)


def test_the_stronger_wins_and_every_game_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = match("connect_four", ["uct:simulations=300", "random"], games=10, processes=1, record=path)
    assert result.wins == 10
    assert result.score == 1
    assert result.elo == math.inf
    assert result.to_json()["elo"] is None
    records = list(sf.read_records(path))
    assert [record.actions for record in records] == [one.record.actions for one in result.played]
    for record in records:
        record.replay()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_player_that_breaks_down_loses_and_the_match_goes_on(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setitem(players.PLAYERS, "broken", Broken)
    result = match("connect_four", ["random", f"broken:seed={seed}"], games=4, processes=1)
    assert result.wins == 4
    assert len(result.faults) == 4
    assert "broken" in result.faults[0]


RECORDED: dict[str, Callable[[Path, bool], Any]] = {
    "match": lambda path, resume: match(
        "sevens", ["greedy", "keeper"], games=4, processes=0, record=path, resume=resume
    ),
    "tournament": lambda path, resume: sf.tournament(
        "tic_tac_toe", ["random", "random:seed=4"], rounds=2, processes=0, record=path, resume=resume
    ),
    "a board of its own for each round": lambda path, resume: match(
        "connect_four", ["random", "random"], games=4, preset="saiblo", processes=0, record=path, resume=resume
    ),
    "alone": lambda path, resume: match(
        "tetris", ["random"], games=2, preset=None, processes=0, record=path, resume=resume
    ),
    "of OpenSpiel": lambda path, resume: match(
        "openspiel:kuhn_poker(players=3)", ["random", "random"], games=6, processes=0, record=path, resume=resume
    ),
}  # fmt: skip


def changed(path: Path, line: int, **fields: Any) -> bytes:
    """Writes something else into a record of a file; what the file holds then."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **fields})
    path.write_text("\n".join(lines) + "\n")
    return path.read_bytes()


@pytest.mark.parametrize("kind", RECORDED)
def test_going_on_takes_over_what_the_rules_confirm_and_nothing_else(kind: str, tmp_path: Path) -> None:
    path, play = tmp_path / "games.jsonl", RECORDED[kind]
    first = play(path, False)
    written = path.read_bytes()
    assert [one.returns for one in play(path, True).played] == [one.returns for one in first.played]
    assert path.read_bytes() == written  # nothing was played again
    record = json.loads(written.splitlines()[1])
    for fields, words in (
        ({"result": [value + 1 for value in record["result"]]}, "says the result is .*, but its moves do not"),
        ({"result": [*record["result"], 0]}, "says the result is .*, but its moves do not"),
        ({"actions": record["actions"][:-1], "moves": []}, "says the result is .*, but its moves do not"),
        ({"actions": [*record["actions"][:-1], 9999], "moves": []}, "cannot be replayed: at ply"),
    ):
        path.write_bytes(written)
        now = changed(path, 1, **fields)
        with pytest.raises(ValueError, match=f"games.jsonl, line 2: this record of .* {words}") as caught:
            play(path, True)
        assert str(caught.value).endswith(".")
        assert path.read_bytes() == now
        with pytest.raises(ValueError, match=words):  # as replaying it, and so reviewing it, says
            list(sf.read_records(path))[1].replay()


def test_a_game_lost_by_a_fault_is_taken_over_if_its_moves_are_legal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(players.PLAYERS, "broken", Broken)
    path = tmp_path / "games.jsonl"

    def play(resume: bool) -> Any:
        return match("connect_four", ["random", "broken"], games=4, processes=0, record=path, resume=resume)

    play(False)
    written = path.read_bytes()
    again = play(True)
    assert (again.wins, len(again.faults)) == (4, 4)
    assert path.read_bytes() == written
    about = json.loads(written.splitlines()[0])["about"]
    changed(path, 0, result=[1, -1])  # the rules give none, and the fault decides
    assert play(True).wins == 4
    path.write_bytes(written)
    for fields, words in (
        ({"actions": [3, 77], "moves": []}, "cannot be replayed: at ply 1"),
        ({"about": about | {"lost_by": 2}}, "says that seat 2 lost it, which there is not"),
    ):
        path.write_bytes(written)
        changed(path, 0, **fields)
        with pytest.raises(ValueError, match=words):
            play(True)


def test_a_sequential_test_stops_early() -> None:
    result = match("tic_tac_toe", ["uct:simulations=200", "random"], games=400, processes=1, sprt=rating.Sprt(0, 100))
    assert result.verdict == "stronger"
    assert result.games < 100


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": ["random"]}, "is for 2 players, not 1"),
        ({"players": ["random", "nobody"]}, "there is no player 'nobody'"),
        ({"games": 0}, "games must be 1 or more"),
        ({"preset": "nonsense"}, "no preset 'nonsense'"),
        ({"opening_plies": 60}, "take fewer"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_refused_by_a_sentence(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        match("connect_four", **{"players": ["random", "random"], "games": 2, "processes": 1, **arguments})


def test_elo_and_score_are_each_others_opposite() -> None:
    assert rating.elo_of(0.5) == 0
    assert rating.elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    for elo in (-500, -3, 0, 120, 700):
        assert rating.elo_of(rating.score_of(elo)) == pytest.approx(elo)


def test_an_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    import random

    rng, hits = random.Random(1), 0
    for _ in range(400):
        scores = [float(rng.random() < 0.6) for _ in range(100)]
        low, high = rating.score_interval(scores)
        hits += low <= 0.6 <= high
    assert 0.92 <= hits / 400 <= 0.98


def test_ratings_of_a_list_find_the_strengths_that_made_the_results() -> None:
    truth = {"a": 100.0, "b": 0.0, "c": -100.0}
    games = {(x, y): 100_000 for x in truth for y in truth if x != y}
    points = {(x, y): 100_000 * rating.score_of(truth[x] - truth[y]) for x, y in games}
    for name, (elo, margin) in rating.bradley_terry(points, games).items():
        assert elo == pytest.approx(truth[name], abs=0.5)
        assert 0 < margin < 3


def test_the_sequential_test_is_seldom_wrong() -> None:
    import random

    rng, wrong = random.Random(2), 0
    for _ in range(100):
        scores: list[float] = []
        verdict = None
        while verdict is None and len(scores) < 5000:
            scores.append(float(rng.random() < 0.5))
            verdict = rating.Sprt(0, 50).verdict(scores)
        wrong += verdict == "stronger"
    assert wrong <= 12
