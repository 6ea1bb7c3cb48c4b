"""What the page draws of tic-tac-toe."""

import json

import sevenfold as sf
from sevenfold.picture import miniature, picture

GAME = sf.game("tic_tac_toe")


def test_start_and_moves():
    state = GAME.new()
    assert picture(state, None) == {
        "cells": ["."] * 9,
        "line": [],
        "actions": [{"action": cell, "cell": cell} for cell in range(9)],
        "last": None,
    }
    state.play(4)
    state.play(0)
    drawn = picture(state, 1)
    assert drawn["cells"] == ["o", ".", ".", ".", "x", ".", ".", ".", "."]
    assert drawn["last"] == 0
    assert [one["cell"] for one in drawn["actions"]] == state.legal_actions()


def test_all_completed_lines_are_marked():
    state = GAME.parse("xox/oxo/.xo x")
    state.play(6)  # completes the diagonal only: 2 4 6
    drawn = picture(state, None)
    assert drawn["line"] == [2, 4, 6]
    assert drawn["actions"] == []
    both = GAME.parse("xxx/xoo/xoo o")
    assert picture(both, None)["line"] == [0, 1, 2, 3, 6]


def test_a_position_that_was_set_up_has_no_last_stone():
    assert picture(GAME.parse("x.o/.x./... o"), None)["last"] is None


def test_miniature_is_an_open_game():
    drawn = miniature(GAME)
    assert drawn == json.loads(json.dumps(drawn))
    assert drawn["line"] == []
    assert drawn["actions"]
    assert drawn["cells"].count("x") == 3
