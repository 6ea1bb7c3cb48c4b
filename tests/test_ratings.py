"""Proves that what a rating list or a sequential test cannot use is told before the first game."""

import math
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold import rating


def test_a_list_that_cannot_be_written_is_told_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be written"):
        sf.match("tic_tac_toe", ["random", "random"], games=2, ratings=tmp_path / "file" / "list.jsonl")


@pytest.mark.parametrize("options", [{"alpha": 0.0}, {"beta": 0.0}, {"alpha": math.nan}, {"elo0": 5, "elo1": 5}])
def test_a_test_that_could_never_end_is_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be b"):
        rating.Sprt(**options)
