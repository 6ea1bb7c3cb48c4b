"""What the page draws of connect-four. A cell is [row, col], row 0 on top.

    {
      "rows": 6, "cols": 7, "connect": 4,
      "blocked": [2, 3],                            the cell that never holds a stone; null where there is none
      "cells": [".......", …],                      a text per row, top row first: "x", "o", "." empty, "#" blocked
      "actions": [{"action": 3, "cell": [5, 3]}, …], for each legal column the cell where the stone would land
      "last": [5, 3],                               the stone played last; null at the start or in a position set up
      "line": [[5, 0], [5, 1], …],                  the stones of all completed lines; [] while nobody has one
      "threats": {"x": [{"cell": [4, 2], "now": true}, …], "o": […]}
                                                    the empty cells that would complete a line of this side; `now`: a
                                                    stone can land there at once. Both [] when the game is over
    }

Threats are counted on the board for the drawing alone; who moves has no part in them.
"""

from functools import cache
from typing import Any

from sevenfold._core import State

MINIATURE = [3, 3, 2, 4, 4, 2, 2, 5, 3, 3, 5, 4]


def picture(state: State, viewer: int | None) -> dict[str, Any]:
    """The board; everybody sees all of it."""
    rows = [line.replace(" ", "") for line in str(state).splitlines()[:-1]]
    cols, connect = len(rows[0]), int(state.game.options["connect"])
    board = "".join(rows)
    bits = {sign: sum(1 << at for at, cell in enumerate(board) if cell == sign) for sign in "xo.#"}
    lines = _lines(len(rows), cols, connect)
    won = [line for sign in "xo" for line in lines if bits[sign] & line == line]
    landing = {action: _landing(rows, action) for action in state.legal_actions()}
    history = state.history if state.replayable else []
    return {
        "rows": len(rows),
        "cols": cols,
        "connect": connect,
        "blocked": _cell(board.index("#"), cols) if "#" in board else None,
        "cells": rows,
        "actions": [{"action": action, "cell": [row, action]} for action, row in landing.items()],
        "last": [_top(rows, history[-1]), history[-1]] if history else None,
        "line": [_cell(at, cols) for at in _ones(_union(won))],
        "threats": {
            sign: []
            if state.is_over
            else _threats(_union(_missing(lines, bits[sign], bits["."], connect)), cols, landing)
            for sign in "xo"
        },
    }


@cache
def _lines(rows: int, cols: int, connect: int) -> list[int]:
    """All lines of the board, one bit per cell, row by row."""
    found = []
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row, end_col = row + (connect - 1) * down, col + (connect - 1) * right
                if end_row < rows and 0 <= end_col < cols:
                    found.append(sum(1 << (row + i * down) * cols + col + i * right for i in range(connect)))
    return found


def _missing(lines: list[int], stones: int, empty: int, connect: int) -> list[int]:
    """For each line that lacks one stone of this side and has room for it: the cell it lacks."""
    rest = [line & ~stones for line in lines if (line & stones).bit_count() == connect - 1]
    return [cell for cell in rest if cell & empty]


def _threats(cells: int, cols: int, landing: dict[int, int]) -> list[dict[str, Any]]:
    found = [_cell(at, cols) for at in _ones(cells)]
    return [{"cell": [row, col], "now": landing.get(col) == row} for row, col in found]


def _landing(rows: list[str], col: int) -> int:
    """The row where a stone comes to rest: the lowest free one, since stones fall past the blocked cell."""
    return max(row for row in range(len(rows)) if rows[row][col] == ".")


def _top(rows: list[str], col: int) -> int:
    return min(row for row in range(len(rows)) if rows[row][col] in "xo")


def _union(masks: list[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


def _ones(mask: int) -> list[int]:
    return [at for at in range(mask.bit_length()) if mask >> at & 1]


def _cell(at: int, cols: int) -> list[int]:
    return [at // cols, at % cols]
