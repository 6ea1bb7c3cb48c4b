"""Perft of Tetris: how many ways a queue can be placed, without hold, as the published counts have it."""

from collections.abc import Callable, Mapping
from typing import Any

from sevenfold._core import _tetris as core  # type: ignore[attr-defined]
from sevenfold.perft import run_watched

OPTIONS = ("queue", "spins", "kicks", "board", "spawn")


def count(given: Mapping[str, str | bool], progress: Callable[[int], None] | None = None) -> dict[str, Any]:
    """`queue`: the pieces; `spins`: placements that differ in their spin count apart; `kicks`: srs, srs+ or none;
    `board`: rows from the bottom, hexadecimal, bit 0 the left column; `spawn`: the centre, "4,19"."""
    for key in given:
        if key not in OPTIONS:
            raise ValueError(f"perft of tetris has no option --{key}; it has {', '.join('--' + o for o in OPTIONS)}.")

    def text(key: str, usual: str) -> str:
        value = given.get(key, usual)
        if not isinstance(value, str):
            raise ValueError(f"--{key} needs a value.")
        return value

    queue, kicks, board = text("queue", ""), text("kicks", "srs"), text("board", "")
    if not 1 <= len(queue) <= 20:
        raise ValueError("--queue is 1 to 20 pieces, such as IOLJSZT.")
    if given.get("spins", False) not in (True, False):
        raise ValueError("--spins takes no value.")
    try:
        rows = [int(row, 16) for row in board.split(",")] if board else []
    except ValueError:
        raise ValueError("--board is rows from the bottom in hexadecimal, such as 3fd,3f9.") from None
    try:
        x, y = (int(number) for number in text("spawn", "4,19").split(","))
    except ValueError:
        raise ValueError("--spawn is column and row of the centre, such as 4,19.") from None
    spins = given.get("spins", False) is True
    number: int = run_watched(lambda watch: core.count(rows, queue, kicks, spins, x, y, watch), progress)
    return {"count": number, "queue": queue, "spins": spins, "kicks": kicks, "board": board, "spawn": [x, y]}
