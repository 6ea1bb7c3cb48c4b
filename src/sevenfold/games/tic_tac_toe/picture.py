"""What the page draws of tic-tac-toe.

{
  "cells": ["x", ".", "o", …],              nine cells, row by row from the top left; "." is empty
  "line": [0, 4, 8],                        the cells of all completed lines; [] while nobody has one
  "actions": [{"action": 1, "cell": 1}, …], for each legal action the cell it fills
  "last": 4                                 the cell filled last; null at the start or in a position set up
}
"""

from typing import Any

from sevenfold._core import State
from sevenfold.games.tic_tac_toe import LINES

MINIATURE = [4, 0, 8, 2, 1]


def picture(state: State, viewer: int | None) -> dict[str, Any]:
    """The board; everybody sees all of it."""
    cells = list(state.to_text().replace("/", "")[:9])
    lines = [line for line in LINES if {cells[cell] for cell in line} in ({"x"}, {"o"})]
    history = state.history if state.replayable else []
    return {
        "cells": cells,
        "line": sorted({cell for line in lines for cell in line}),
        "actions": [{"action": action, "cell": action} for action in state.legal_actions()],
        "last": history[-1] if history else None,
    }
