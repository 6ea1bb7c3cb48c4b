"""Connect-four on any board from 4×4 to 12×12, with the Saiblo game 重力四子棋 as a preset."""

import random
from typing import Any

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.games.connect_four.harness import action_at, point_of  # noqa: F401  (how Botzone writes an action)

TITLE = "Connect-four"
TITLE_ZH = "四子棋"
HOW = "Type a column's letter to drop a stone there; {connect} in a row wins."
HOW_ZH = "輸入直行的字母，棋子就落進那一行；任何方向先連成 {connect} 子的人獲勝。"
YARDSTICK_NOTE = "AlphaZero.jl: about, as reported for 600 simulations on Pons' sets."
YARDSTICK_NOTE_ZH = "AlphaZero.jl：約略值，在 Pons 的局面上每著 600 次模擬，依其公布。"
HOW_PAGE = "Drop a stone into a column; {connect} in a row, in any direction, wins."
HOW_PAGE_ZH = "把棋子落進一個直行；任何方向先連成 {connect} 子的人獲勝。"
OPTIONS_ZH = {
    "rows": ("橫列", "棋盤有幾個橫列"),
    "cols": ("直行", "棋盤有幾個直行"),
    "connect": ("連線", "連成幾子獲勝"),
    "blocked": ("封鎖格", "不能放棋子的一格，寫成「列,行」，左上角是 0,0；沒有就寫 none"),
}
"""Names and meanings of the options, for the page."""
SEAT_NAMES = (("Red", "紅方"), ("Yellow", "黃方"))
SEATS = ("[bold red]●[/]", "[bold yellow]○[/]")


def saiblo(rng: random.Random) -> dict[str, object]:
    """A board as Saiblo draws it: both sides from 9 to 12, and any one cell blocked."""
    rows, cols = rng.randint(9, 12), rng.randint(9, 12)
    return {"rows": rows, "cols": cols, "blocked": (rng.randrange(rows), rng.randrange(cols))}


PRESETS = {"saiblo": saiblo}

SOLVED_CELLS = 30
"""Boards of so many cells are solved from the first stone within half a second (5×6, 6×5)."""


def strongest(game: Game) -> str:
    """Perfect play where the board is small; on the classic one a net, with the solver as soon as it gets through; on
    others a search without a net, which wins against the first net for all boards (model/boards.card.md)."""
    from sevenfold import models  # nets are no part of drawing a board

    if int(game.options["rows"]) * int(game.options["cols"]) <= SOLVED_CELLS:
        return "perfect:seconds=2"
    classic = game.spec == "connect_four" and models.playable(game)
    return "alphazero:seconds=1.5,endgame=500000" if classic else "uct:seconds=2"


def adviser(game: Game) -> str:
    """The net where it is the strongest, and never the net for all boards."""
    return "alphazero" if strongest(game).startswith("alphazero") else "uct"


ADVISER = adviser
LEVELS = {"strongest": strongest}


def __getattr__(name: str) -> Any:
    """PLAYERS, UCT_PRESETS, YARDSTICK, loaded when somebody asks for them: searches are no part of drawing a board."""
    if name == "PLAYERS":
        from sevenfold.games.connect_four.perfect import PLAYERS
        from sevenfold.games.connect_four.thu import ThuPlayer

        return PLAYERS | {ThuPlayer.name: ThuPlayer}
    if name == "UCT_PRESETS":
        from sevenfold.games.connect_four.report import UCT_PRESETS

        return UCT_PRESETS
    if name == "YARDSTICK":
        from sevenfold.games.connect_four.yardstick import YARDSTICK

        return YARDSTICK
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# The two sides differ by shape as well as by colour, for eyes and terminals that do not tell the colours apart.
STONE = {"x": "●", "o": "○"}
STYLE = {"x": "bold red", "o": "bold yellow"}
WON = {"x": "◉", "o": "◎"}
WON_STYLE = {"x": "bold white on red", "o": "bold black on yellow"}


def draw(state: State, last: int | None) -> str:
    """The board in rich markup: the last stone in parentheses, the stones of a winning line with a ring or a dot."""
    grid = [line.split() for line in str(state).splitlines()[:-1]]
    cols = len(grid[0])
    line = winning_cells(grid, int(state.game.options["connect"]))
    newest = next(((row, last) for row in range(len(grid)) if last is not None and grid[row][last] in STONE), None)

    def cell(row: int, col: int) -> str:
        stone = grid[row][col]
        if stone == "#":
            return "[dim]▒▒▒[/]"
        if stone == ".":
            return "[dim] · [/]"
        marks, styles = (WON, WON_STYLE) if (row, col) in line else (STONE, STYLE)
        mark = f"({marks[stone]})" if (row, col) == newest else f" {marks[stone]} "
        return f"[{styles[stone]}]{mark}[/]"

    rows = ["[blue]│[/]" + "".join(cell(row, col) for col in range(cols)) + "[blue]│[/]" for row in range(len(grid))]
    letters = "".join(f" {chr(ord('a') + col)} " for col in range(cols))
    return "\n".join([*rows, f"[blue]╰{'───' * cols}╯[/]", f" [bold]{letters}[/]"])


def winning_cells(grid: list[list[str]], connect: int) -> set[tuple[int, int]]:
    """The cells of every line of at least `connect` equal stones."""
    found: set[tuple[int, int]] = set()
    for row, line in enumerate(grid):
        for col, stone in enumerate(line):
            if stone not in STONE:
                continue
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = [(row + i * down, col + i * right) for i in range(connect)]
                if all(r < len(grid) and 0 <= c < len(line) and grid[r][c] == stone for r, c in run):
                    found.update(run)
    return found
