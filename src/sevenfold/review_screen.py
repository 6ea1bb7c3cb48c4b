"""What `sevenfold review` prints: a bar while it works; then the moves, the players, the curve, the excitement.

Every mark has a sign besides its colour, for eyes and terminals that do not tell the colours apart.
"""

import time
from collections.abc import Sequence

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from sevenfold.game import heading_of
from sevenfold.judgement import MoveReview
from sevenfold.lang import t
from sevenfold.listing import table_of
from sevenfold.review import PlayerReview, Review
from sevenfold.scoreboard import duration, percent
from sevenfold.screen import console

SIGN = {"good": "+", "slack": "?", "blunder": "??"}
STYLE = {"good": "green", "slack": "yellow", "blunder": "bold red"}
BAR = 3
"""Cells on each side of a value bar's middle."""
LINE = 6
"""As many plies of the better line as are shown."""
LEAST_ROOM = 10
"""As narrow as the better line may get before it is left out."""
LEVELS, PLAIN_LEVELS = "▁▂▃▄▅▆▇█", "0123456789"


def sign(move: MoveReview) -> str:
    """+ good, ! the only good one, ? slack, ?? a blunder, = forced."""
    if move.forced:
        return "="
    return "!" if move.only_good else SIGN[move.mark]


def word(move: MoveReview) -> str:
    """The mark in words, and whether only hindsight gave it."""
    plain = _plain_word(move)
    return plain if move.mark == move.searched_mark else t("{mark}, in hindsight", mark=plain)


def _plain_word(move: MoveReview) -> str:
    if move.forced:
        return t("forced")
    if move.only_good:
        return t("only good")
    if move.only_blunder:
        return t("only blunder")
    return {"good": t("good"), "slack": t("slack"), "blunder": t("blunder")}[move.mark]


def name_of(review: Review, player: int) -> str:
    """A player's number, and who played where that is known."""
    name = review.seat(player)
    return f"{player + 1} {name}" if name else t("Player {number}", number=player + 1)


class Running:
    """The review so far, and a bar on stderr that shows it with the time left, where that is a terminal."""

    def __init__(self, games: int) -> None:
        self.review: Review | None = None
        self._games = games
        self._game = 0
        self._err = console(stderr=True)
        self._bar: Progress | None = None
        self._start, self._before = 0.0, 0

    def __enter__(self) -> "Running":
        if self._err.is_terminal and not self._err.is_dumb_terminal:
            words = TextColumn("{task.description}", markup=False)
            self._bar = Progress(SpinnerColumn(), BarColumn(bar_width=20), words, console=self._err, transient=True)
            self._bar.start()
            self._bar.add_task("", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, review: Review) -> None:
        """A review begins, or one more move of it is done."""
        done = len(review.moves)
        if review is not self.review:
            self.review, self._game = review, self._game + 1
            self._start, self._before = time.monotonic(), done
        if self._bar is None:
            return
        words = t("{done} of {count} moves", done=done, count=review.decisions)
        if self._games > 1:
            words = t("game {number} of {games}", number=self._game, games=self._games) + "  " + words
        if done > self._before:
            each = (time.monotonic() - self._start) / (done - self._before)
            words += "  " + t("{time} left", time=duration(each * (review.decisions - done)))
        self._bar.update(self._bar.tasks[0].id, completed=done, total=review.decisions, description=words)


def show(review: Review, number: int | None = None) -> None:
    """One review."""
    out = console()
    head = t("game {number}", number=number) + "  " if number is not None else ""
    words = t("reviewed by {player}, tolerance {tolerance:g}", player=review.player, tolerance=review.tolerance)
    for line in _heading(review, f"{head}{words}", out.width, _can_show(out.encoding)):
        out.print(line)
    if not review.complete:
        out.print(t("{done} of {count} moves", done=len(review.moves), count=review.decisions))
    blocks = _can_show(out.encoding)
    out.print(_moves(review, blocks, out.width))
    for line in _curves(review, blocks, out.width):
        out.print(line)
    out.print(_players(review))
    _show_excitement(review.excitement)


def _heading(review: Review, words: str, width: int, blocks: bool) -> list[Text]:
    """The game and who reviews, on one line or two, and the game's options; no line is longer than the screen."""
    name, options = heading_of(review.game)
    lines = [Text.assemble((name, "bold"), f"  {words}")]
    if lines[0].cell_len > width:
        lines = [Text(name, style="bold"), Text(words)]
    if options:
        lines.append(Text(options, style="dim"))
    for line in lines:
        line.truncate(width, overflow="ellipsis" if blocks else "crop")
    return lines


def _can_show(encoding: str) -> bool:
    try:
        f"{LEVELS}│…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _moves(review: Review, blocks: bool, width: int) -> Table:
    """The moves; the better line is cut to what the screen's width leaves for it, a narrow screen has no bars, and long
    names of moves are cut before the marks are."""
    heads = ["#", t("player"), t("move"), t("mark"), t("value"), t("points"), ""]
    rows = [_cells(review, move, blocks) for move in review.moves]
    room = width - console().measure(_grid(heads, rows)).maximum - 3
    if room >= LEAST_ROOM:
        heads.append(t("better"))
        rows = [[*row, _cut(_better(move), room, blocks)] for row, move in zip(rows, review.moves, strict=True)]
    elif room < -2:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
        wide = console().options.update(width=10_000)
        if (over := console().measure(_grid(heads, rows), options=wide).maximum - width) > 0:
            most = max(LEAST_ROOM, max(row[2].cell_len for row in rows) - over)
            for row in rows:
                row[2].truncate(most, overflow="ellipsis" if blocks else "crop")
    return _grid(heads, rows)


def _cells(review: Review, move: MoveReview, blocks: bool) -> list[Text]:
    style = "dim" if move.forced else STYLE[move.mark]
    return [
        Text(str(move.ply + 1)),
        Text(str(move.player + 1)),
        Text(move.text, style="bold"),
        Text(f"{sign(move):<2} {word(move)}", style=style),
        Text(f"{move.value + 0.0:+.2f}"),
        Text(f"{move.score:.1f}"),
        Text(bar(move.value, *review.returns, blocks), style=style),
    ]


def _grid(heads: list[str], rows: list[list[Text]]) -> Table:
    table = table_of(*heads)
    for at, column in enumerate(table.columns):
        column.no_wrap, column.justify = True, "right" if at in (0, 4, 5) else "left"
    for row in rows:
        table.add_row(*row)
    return table


def _cut(text: str, width: int, blocks: bool) -> Text:
    cut = Text(text)
    cut.truncate(width, overflow="ellipsis" if blocks else "crop")
    return cut


def _better(move: MoveReview) -> str:
    """The better move with what was expected to follow; nothing where the move was as good."""
    if move.best:
        return ""
    line = " ".join(move.line_texts[1 : 1 + LINE])
    return f"{move.best_text} ({move.best_value + 0.0:+.2f})" + (f"  {line}" if line else "")


def bar(value: float, low: float, high: float, blocks: bool) -> str:
    """A value between two returns as a bar from the middle: to the right what is good for the mover."""
    full, middle = ("█", "│") if blocks else ("#", "|")
    share = (2 * value - low - high) / ((high - low) or 1.0)
    cells = min(BAR, max(-BAR, round(share * BAR)))
    left = full * -cells if cells < 0 else ""
    return f"{left:>{BAR}}{middle}{full * max(cells, 0):<{BAR}}"


def _curves(review: Review, blocks: bool, width: int) -> list[Text]:
    """The evaluation over the game as a line of small bars: of the first player, or of everyone."""
    shown = 1 if review.players <= 2 and review.sum == "zero" else review.players
    names = [name_of(review, player) for player in range(shown)]
    longest = max(len(name) for name in names)
    lines = []
    for player, name in enumerate(names):
        values = [move.values[player] for move in review.moves]
        if review.complete and review.result is not None:
            values.append(review.result[player])
        lines.append(Text(f"{name:<{longest}}  {curve(values, *review.returns, blocks, max(10, width - longest - 3))}"))
    return lines


def curve(values: Sequence[float], low: float, high: float, blocks: bool, width: int) -> str:
    """Values between two returns as a line of small bars (or digits), not longer than a width."""
    levels = LEVELS if blocks else PLAIN_LEVELS
    step = -(-len(values) // width) if values else 1
    out = ""
    for at in range(0, len(values), step):
        part = values[at : at + step]
        share = (sum(part) / len(part) - low) / ((high - low) or 1.0)
        out += levels[min(len(levels) - 1, max(0, int(share * len(levels))))]
    return out


def _players(review: Review) -> Table:
    table = table_of(
        t("player"), f"+ {t('good')}", f"? {t('slack')}", f"?? {t('blunder')}", t("best moves"), t("mean points")
    )
    for column in table.columns[1:]:
        column.justify, column.no_wrap = "right", True
    for player in range(review.players):
        one = review.of_player(player)
        table.add_row(Text(name_of(review, player)), *_counts(one))
    return table


def _counts(one: PlayerReview) -> list[str]:
    share = "-" if one.best_share is None else percent(one.best_share)
    score = "-" if one.score is None else f"{one.score:.2f}"
    return [str(one.good), str(one.slack), str(one.blunder), share, score]


def _show_excitement(excitement: float | None) -> None:
    value = "-" if excitement is None else f"{excitement:.2f}"
    console().print(Text.assemble(t("Excitement: "), (value, "bold")))


def show_all(reviews: list[tuple[int, Review]], excitement: float | None) -> None:
    """Many reviews: a line for each game, and the mean."""
    table = table_of("#", t("game"), t("moves"), f"+ {t('good')}", f"? {t('slack')}", f"?? {t('blunder')}",
                     t("excitement"))  # fmt: skip
    for at in (0, 2, 3, 4, 5, 6):
        table.columns[at].justify, table.columns[at].no_wrap = "right", True
    for number, review in reviews:
        totals = [review.of_player(player) for player in range(review.players)]
        counts = [str(sum(getattr(one, mark) for one in totals)) for mark in SIGN]
        value = "-" if review.excitement is None else f"{review.excitement:.2f}"
        done = str(len(review.moves)) if review.complete else f"{len(review.moves)}/{review.decisions}"
        table.add_row(str(number), Text(heading_of(review.game)[0]), done, *counts, value)
    console().print(table)
    _show_excitement(excitement)
