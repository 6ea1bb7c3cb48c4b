"""Tic-tac-toe: three in a row on a 3×3 board."""

from typing import Any

from sevenfold._core import State

TITLE = "Tic-tac-toe"
TITLE_ZH = "井字棋"
HOW = "Type a column and a row, such as b2 for the centre; three in a row wins."
HOW_ZH = "輸入直行字母和橫列數字來下子，例如 b2 是正中央；先連成三子的人獲勝。"
HOW_PAGE = "Take turns marking a free cell; three in a row wins."
HOW_PAGE_ZH = "雙方輪流在空格下子；先連成三子的人獲勝。"
SEAT_NAMES = (("Crosses ✕", "叉 ✕"), ("Noughts ○", "圈 ○"))
SEATS = ("[bold red]✕[/]", "[bold cyan]○[/]")

MARK = {"x": "✕", "o": "○", ".": "·"}
STYLE = {"x": "bold red", "o": "bold cyan", ".": "dim"}
WON_STYLE = {"x": "bold white on red", "o": "bold black on cyan"}
LINES = [
    *((3 * i, 3 * i + 1, 3 * i + 2) for i in range(3)),
    *((i, i + 3, i + 6) for i in range(3)),
    (0, 4, 8),
    (2, 4, 6),
]


def __getattr__(name: str) -> Any:
    """YARDSTICK and LEVELS, loaded when somebody asks for them."""
    if name == "YARDSTICK":
        from sevenfold.games.tic_tac_toe.yardstick import YARDSTICK

        return YARDSTICK
    if name == "LEVELS":  # so small a game is soon played perfectly: four steps to there, and proofs at the end
        from sevenfold.levels import PLAIN

        games = {"beginner": 12, "easy": 30, "medium": 80, "hard": 250}
        weak = {level: f"uct:simulations={count},{PLAIN}" for level, count in games.items()}
        return weak | {"strongest": "uct:simulations=20000"}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def draw(state: State, last: int | None) -> str:
    """The board in rich markup: the last stone in parentheses, a winning line between asterisks."""
    cells = [stone for line in str(state).splitlines()[:3] for stone in line.split()[1:]]
    line = {cell for run in LINES if {cells[i] for i in run} in ({"x"}, {"o"}) for cell in run}

    def cell(at: int) -> str:
        stone = cells[at]
        if at in line:
            return f"[{WON_STYLE[stone]}]*{MARK[stone]}*[/]"
        left, right = "()" if at == last else "  "
        return f"[{STYLE[stone]}]{left}{MARK[stone]}{right}[/]"

    rows = [f"[bold]{3 - row}[/]  {'[blue]│[/]'.join(cell(3 * row + col) for col in range(3))}" for row in range(3)]
    return "\n   [blue]───┼───┼───[/]\n".join(rows) + "\n    [bold]a   b   c[/]"
