"""The seven pieces as cells around a centre, for what is not the engine's work: drawings, fumens, other protocols.

The centre is that of true rotation (SRS), which the bot protocol and fumen use as well; the engine has the same table.
"""

from collections.abc import Sequence

ORIENTATIONS = ("north", "east", "south", "west")
CELLS = {
    "I": ((-1, 0), (0, 0), (1, 0), (2, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((-1, 0), (0, 0), (1, 0), (0, 1)),
    "L": ((-1, 0), (0, 0), (1, 0), (1, 1)),
    "J": ((-1, 0), (0, 0), (1, 0), (-1, 1)),
    "S": ((-1, 0), (0, 0), (0, 1), (1, 1)),
    "Z": ((-1, 1), (0, 1), (0, 0), (1, 0)),
}
"""Facing north; a turn to the right takes (x, y) to (y, -x)."""
WIDTH = 10
EMPTY = "." * WIDTH


def cells(kind: str, orientation: str, x: int, y: int) -> list[tuple[int, int]]:
    """The four cells of a piece with its centre at x, y."""
    found = list(CELLS[kind])
    for _ in range(ORIENTATIONS.index(orientation)):
        found = [(up, -right) for right, up in found]
    return [(x + right, y + up) for right, up in found]


def fits(rows: Sequence[str], places: Sequence[tuple[int, int]]) -> bool:
    """Whether these cells are free, on rows from the bottom; above the rows everything is."""
    return all(0 <= x < WIDTH and y >= 0 and (y >= len(rows) or rows[y][x] == ".") for x, y in places)


def locked(rows: Sequence[str], places: Sequence[tuple[int, int]], kind: str) -> tuple[list[str], int]:
    """The rows with a piece on them, the full ones gone and as many empty ones on top; and how many those were."""
    out = list(rows)
    for x, y in places:
        out[y] = out[y][:x] + kind + out[y][x + 1 :]
    left = [row for row in out if "." in row]
    gone = len(out) - len(left)
    return left + [EMPTY] * gone, gone
