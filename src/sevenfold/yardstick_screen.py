"""What `sevenfold yardstick` prints: a bar while it measures, then the shares of mistakes set by set."""

import time

from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from sevenfold.game import Game
from sevenfold.lang import of_room, t
from sevenfold.listing import table_of
from sevenfold.scoreboard import duration
from sevenfold.screen import console
from sevenfold.yardstick import Measured


class Running:
    """The result so far, and a bar on stderr with the time left, where that is a terminal.

    Drawn by this thread alone: processes are forked meanwhile.
    """

    def __init__(self) -> None:
        self.result: Measured | None = None
        self._err = console(stderr=True)
        self._bar: Progress | None = None
        self._start = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> "Running":
        if self._err.is_terminal and not self._err.is_dumb_terminal:
            words = TextColumn("{task.description}", markup=False)
            self._bar = Progress(BarColumn(bar_width=20), words, console=self._err, auto_refresh=False, transient=True)
            self._bar.start()
            self._bar.add_task("", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def judging(self, done: int, total: int) -> None:
        """So many verdicts have been found of those that were not known."""
        self._draw(done, total, t("verdicts, kept as they are found"), time.monotonic() - self._start)

    def __call__(self, result: Measured) -> None:
        """One more answer."""
        self.result = result
        self._draw(result.done, result.planned, t("answers"), result.seconds)

    def _draw(self, done: int, total: int, what: str, seconds: float) -> None:
        now = time.monotonic()
        if self._bar is None or (now - self._drawn < 0.1 and done < total):
            return
        self._drawn = now
        words = f"{done:,}/{total:,} {what}"
        if done:
            words += "  " + t("{time} left", time=duration((total - done) * seconds / done))
        self._bar.update(self._bar.tasks[0].id, completed=done, total=total, description=words, refresh=True)


def show(game: Game, result: Measured) -> None:
    """The table for people."""
    out = console()
    summary = t("{done} answers in {time}", done=f"{result.done:,}", time=duration(result.seconds))
    out.print(Text.assemble((result.game, "bold"), f"  {summary}"))
    table = table_of(t("set"), t("positions"), *result.players, *result.published)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, tally in result.sets.items():
        asked = min((tally.positions.get(who, 0) for who in result.players), default=0)
        count = f"{asked:,}" if asked == tally.planned else f"{asked:,}/{tally.planned:,}"
        theirs = (figures.get(name) for figures in result.published.values())
        table.add_row(
            Text(name), count,
            *(_share(tally.share(who)) for who in result.players),
            *("·" if figure is None else f"{figure} %" for figure in theirs),
        )  # fmt: skip
    out.print(table)
    out.print(t("The share of positions in which the move gives away a win or a draw."), style="dim")
    if note := of_room(game, "YARDSTICK_NOTE"):
        out.print(note, style="dim", markup=False)


def _share(share: float | None) -> str:
    return "·" if share is None else f"{100 * share:.1f} %"
