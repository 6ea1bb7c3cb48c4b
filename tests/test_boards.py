"""Proves that what the drawings are tested with is what the rooms say today, and what they set up is a position."""

import json
from pathlib import Path

import pytest
from board_pictures import FILES, written

import sevenfold as sf


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_the_positions_of_the_drawings_are_up_to_date(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == written(file), "write them anew with `python tests/board_pictures.py`."


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_positions_that_are_set_up_are_read(file: Path) -> None:
    found = json.loads(file.read_text(encoding="utf-8"))
    for click in found["set_up"]:
        game = sf.game(found["cases"][click["position"]]["game"])
        assert game.parse(click["text"]).to_text() == click["text"]


def test_every_drawing_has_positions() -> None:
    drawn = {board.parent.name for board in FILES[0].parent.parent.glob("*/board.ts")}
    assert drawn == {file.parent.name for file in FILES}
