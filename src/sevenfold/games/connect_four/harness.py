"""The board as the harness of Tsinghua's course and Saiblo write it.

Row by row from the top: 0 empty or blocked, 1 the opponent, 2 me. `top[column] - 1` is the row in which the next stone
lands; so it is the number of rows in an empty column, 0 in a full one, and lowered by one more where the blocked cell
comes next.
"""

from itertools import groupby

from sevenfold._core import State
from sevenfold.game import Game

Grid = list[list[str]]


def grid_of(state: State) -> Grid:
    """The cells, row by row from the top: x, o, # (blocked) or . (empty)."""
    return [line.split() for line in str(state).splitlines()[: int(state.game.options["rows"])]]


def blocked_of(game: Game) -> tuple[int, int]:
    """Row and column of the blocked cell; -1 -1 where there is none."""
    row, _, col = str(game.options["blocked"]).partition(",")
    return (int(row), int(col)) if col else (-1, -1)


def numbers_of(grid: Grid, me: int) -> list[list[int]]:
    """The board from the eyes of a player."""
    mine, others = "xo"[me], "xo"[1 - me]
    return [[2 if cell == mine else int(cell == others) for cell in row] for row in grid]


def landing(grid: Grid, col: int) -> int:
    """The row in which the next stone of a column lands; -1 where it is full."""
    for row in range(len(grid) - 1, -1, -1):
        if grid[row][col] == ".":
            return row
    return -1


def highest(grid: Grid, col: int) -> int:
    """The row of a column's highest stone; the number of rows where there is none."""
    return next((row for row in range(len(grid)) if grid[row][col] in "xo"), len(grid))


def tops_of(grid: Grid) -> list[int]:
    """The top of each column."""
    return [landing(grid, col) + 1 for col in range(len(grid[0]))]


def text_of(grid: Grid, to_move: str) -> str:
    """The position's text, which `game.parse` reads and checks."""
    rows = (
        "".join(f"{len(list(run))}" if cell == "." else cell * len(list(run)) for cell, run in groupby(row))
        for row in grid
    )
    return f"{'/'.join(rows)} {to_move}"


def point_of(state: State, action: int) -> dict[str, int]:
    """Where a stone would land, as {"x": row, "y": column}."""
    return {"x": landing(grid_of(state), action), "y": action}


def action_at(state: State, x: int, y: int) -> int:
    """The action that puts a stone on this row and column. ValueError where it would not land there."""
    if y not in state.legal_actions() or landing(grid_of(state), y) != x:
        raise ValueError(f"no stone lands on row {x} of column {y} here.")
    return y
