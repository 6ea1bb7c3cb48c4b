"""Proves that what a rating list or a sequential test cannot use is told before the first game."""

import json
import math
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold import rating, ratings


def test_a_list_that_cannot_be_written_is_told_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be written"):
        sf.match("tic_tac_toe", ["random", "random"], games=2, ratings=tmp_path / "file" / "list.jsonl")


@pytest.mark.parametrize("options", [{"alpha": 0.0}, {"beta": 0.0}, {"alpha": math.nan}, {"elo0": 5, "elo1": 5}])
def test_a_test_that_could_never_end_is_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be b"):
        rating.Sprt(**options)


GOOD = {
    1: {"returns": [[1, 1.0, 1.0], [1, 0.5, 0.25]]},
    2: {"pairs": [[0, 1, 1, 0, 0]]},
    3: {"rankings": [[[0], [1], [2]]]},
}


def entry(seats: int, **results: object) -> str:
    players = ["a", "b", "c"][: max(seats, 2)]
    line = {"format": 1, "match": "m", "game": "g", "seats": seats, "players": players, "games": 2}
    return json.dumps({**line, "date": "2026-01-01", **results})


@pytest.mark.parametrize("seats", GOOD)
def test_a_whole_entry_is_read_and_rated(seats: int, tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text(entry(seats, **GOOD[seats]))
    assert ratings.rated(ratings.read(path), "g")


@pytest.mark.parametrize(
    ("seats", "results"),
    [
        (1, {}),
        (1, {"returns": [[1, 1, 1], ["nan", 1, math.nan]]}),
        (1, {"returns": [[1, 1], [1, 1, 1, 1]]}),
        (2, {}),
        (2, {"pairs": [[0, 1, 10**300, 0, 0]]}),
        (2, {"pairs": [[0, 0, 1, 0, 0]]}),
        (3, {}),
        (3, {"rankings": [[[]]]}),
        (3, {"rankings": [[]]}),
    ],
)
def test_results_that_cannot_be_are_refused(seats: int, results: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text(entry(seats, **results))
    with pytest.raises(ValueError, match="line 1 is no entry of a rating list"):
        ratings.read(path)
