"""Proves that what the drawings are tested with is what the rooms say today, and what they set up is a position."""

import pytest
from board_pictures import CASES, ROOMS, SET_UP, written

import sevenfold as sf


@pytest.mark.parametrize("room", CASES)
def test_the_positions_of_the_drawings_are_up_to_date(room: str) -> None:
    assert (ROOMS / room / "board.test.json").read_text(encoding="utf-8") == written(room), (
        "write them anew with `python tests/board_pictures.py`."
    )


@pytest.mark.parametrize(("room", "click"), [(room, click) for room, clicks in SET_UP.items() for click in clicks])
def test_a_position_that_is_set_up_is_read(room: str, click: tuple[str, str, str, str]) -> None:
    game = CASES[room][click[0]][0]
    assert sf.game(game).parse(click[3]).to_text() == click[3]
