"""What the command line prints about matches, tournaments and rating lists: a bar while they run, tables afterwards."""

import math
import time

from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from sevenfold.lang import t
from sevenfold.listing import table_of
from sevenfold.match import Match
from sevenfold.ratings import Rated
from sevenfold.results import Results
from sevenfold.screen import console
from sevenfold.tournament import Tournament

FAULTS = 5
"""As many faults as are listed."""


def signed(elo: float) -> str:
    """An Elo difference."""
    if math.isnan(elo):
        return "?"
    return f"{elo:+.0f}" if math.isfinite(elo) else ("+∞" if elo > 0 else "-∞")


def percent(share: float) -> str:
    """A share of the points."""
    return f"{100 * share:.1f} %"


def likelihood(probability: float) -> str:
    """A probability that is never said to be certain."""
    if 0.0005 <= probability < 0.9995:
        return percent(probability)
    return "> 99.9 %" if probability > 0.5 else "< 0.1 %"


def number(value: float) -> str:
    """Points: whole or with a half where they are."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def duration(seconds: float) -> str:
    """A time for people."""
    if seconds < 100:
        return t("{seconds:.1f} s", seconds=seconds)
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def elo_and_interval(result: Match) -> str:
    """Elo with its 95 % interval."""
    low, high = result.elo_interval
    return f"{signed(result.elo)} [{signed(low)}, {signed(high)}]"


def _running(result: Results) -> str:
    """The result so far in a few words."""
    if isinstance(result, Match) and result.rated_by == "elo":
        counts = f"{result.wins}-{result.draws}-{result.losses}"
        return f"{percent(result.score)}  {counts}  Elo {elo_and_interval(result)}"
    if isinstance(result, Tournament) and result.rated_by != "returns":
        best = result.order()[0]
        return f"{result.players[best]} {percent(result.share(best))}"
    return "  ".join(f"{name} {result.share(i):.3g}" for i, name in enumerate(result.players[:3]))


class Running:
    """The result so far, and a bar on stderr that shows it with the time left, where that is a terminal.

    The bar is drawn when a game is over, by this thread: processes are forked meanwhile, and a second thread would not
    bear that.
    """

    def __init__(self) -> None:
        self.result: Results | None = None
        self._err = console(stderr=True)
        self._bar: Progress | None = None
        self._start = time.monotonic()
        self._drawn = 0.0
        self._read_back = 0

    def __enter__(self) -> "Running":
        if self._err.is_terminal and not self._err.is_dumb_terminal:
            words = TextColumn("{task.description}", markup=False)
            self._bar = Progress(BarColumn(bar_width=20), words, console=self._err, auto_refresh=False, transient=True)
            self._bar.start()
            self._bar.add_task(t("the first game is being played …"), total=None)
            self._bar.refresh()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, result: Results) -> None:
        """One more game is over."""
        self.result = result
        now = time.monotonic()
        if result.seconds < 0.05:
            self._read_back = result.games  # too soon to have been played: they tell nothing about the time left
        if self._bar is None or (now - self._drawn < 0.1 and result.games < result.planned):
            return
        self._drawn = now
        words = f"{result.games:,}/{result.planned:,}  {_running(result)}"
        if result.games > self._read_back:
            left = (result.planned - result.games) * result.seconds / (result.games - self._read_back)
            words += "  " + t("{time} left", time=duration(left))
        task = self._bar.tasks[0].id
        self._bar.update(task, completed=result.games, total=result.planned, description=words, refresh=True)


def _head(result: Results) -> Text:
    summary = t("{games} games in {time}", games=f"{result.games:,}", time=duration(result.seconds))
    if result.games < result.planned:
        summary = t("{games} of {planned} games in {time}", games=f"{result.games:,}", planned=f"{result.planned:,}",
                    time=duration(result.seconds))  # fmt: skip
    return Text.assemble((result.game, "bold"), f"  {summary}")


def _grid(heads: list[str], rows: list[list[str]]) -> Table:
    """A table whose first column is for names and whose others are for numbers."""
    table = table_of(*heads)
    table.columns[0].overflow = "fold"
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    for row in rows:
        table.add_row(*(Text(cell, style="dim" if cell == "·" else "") for cell in row))
    return table


def show_match(result: Match) -> None:
    """The result of a match."""
    out = console()
    out.print(_head(result))
    solo, even = result.rated_by == "returns", result.rated_by == "elo"
    heads = [t("player"), t("mean return") if solo else t("points"), *([] if solo else [t("score")])]
    heads += [t("95 % interval"), *([t("won"), t("drawn"), t("lost")] if even else [])]
    skills = result.skills() if result.rated_by == "openskill" else {}
    heads += ["OpenSkill"] if skills else []
    heads += [t("return per deal")] if result.duplicate else []
    rows = []
    for player, name in enumerate(result.players):
        low, high = result.share_interval(player)
        row = [name]
        if solo:
            row += [f"{result.share(player):.4g}", f"{low:.4g} – {high:.4g}" if math.isfinite(low) else "?"]
        else:
            row += [number(result.points(player)), percent(result.share(player)), f"{100 * low:.1f} – {100 * high:.1f}"]
        if even:
            pair = result.pair(player, 1 - player)
            row += [f"{count:,}" for count in (pair.wins, pair.draws, pair.losses)]
        if skills:
            row.append(f"{skills[name][0]:.1f} ± {2 * skills[name][1]:.1f}")
        if result.duplicate:
            mean, half = result.mean_return(player)
            row.append(f"{mean:+.2f} ± {half:.2f}")
        rows.append(row)
    out.print(_grid(heads, rows))
    if even:
        out.print(
            t("Elo {elo} for {player}, which is the stronger one with a probability of {likelihood}.",
              elo=elo_and_interval(result), player=result.players[0], likelihood=likelihood(result.superiority)),
            markup=False,
        )  # fmt: skip
    if result.verdict == "stronger":
        out.print(t("The sequential test says: {player} is stronger.", player=result.players[0]), markup=False)
    elif result.verdict:
        out.print(t("The sequential test says: {player} is not stronger.", player=result.players[0]), markup=False)
    _faults(result)


def show_tournament(result: Tournament) -> None:
    """Standings and cross table of a tournament."""
    out = console()
    out.print(_head(result))
    order, how = result.order(), result.rated_by
    rated = {"elo": result.elos, "openskill": result.skills}.get(how, dict)()
    pairs = result.pairs()
    crossed = [] if how == "returns" else order
    heads = [t("player"), t("games"), t("mean return")] if how == "returns" else [t("player"), t("points"), t("score")]
    heads += {"elo": ["Elo"], "openskill": ["OpenSkill"]}.get(how, [t("95 % interval")])
    heads += [str(place) for place, _ in enumerate(crossed, start=1)]
    rows = []
    for place, player in enumerate(order, start=1):
        name = result.players[player]
        row = [f"{place:>2} {name}"]
        if how == "returns":
            low, high = result.share_interval(player)
            row += [f"{result.games_of(player):,}", f"{result.share(player):.4g}"]
            row += [f"{low:.4g} – {high:.4g}" if math.isfinite(low) else "?"]
        else:
            points = f"{number(result.points(player))}/{result.games_of(player)}"
            value, spread = rated.get(name, (math.nan, math.nan))
            shown = f"{signed(value)} ± {spread:.0f}" if how == "elo" else f"{value:.1f} ± {2 * spread:.1f}"
            row += [points, percent(result.share(player)), shown]
        row += [f"{100 * pairs[player, one].score:.0f}" if (player, one) in pairs else "·" for one in crossed]
        rows.append(row)
    whole = _grid(heads, rows)
    if out.measure(whole, options=out.options.update(max_width=10_000)).maximum <= out.width:
        out.print(whole)
    else:  # the cross table by itself, with places for names
        size = len(crossed)
        out.print(_grid(heads[: len(heads) - size], [row[: len(row) - size] for row in rows]))
        out.print(_grid(["", *heads[len(heads) - size :]], [[row[0][:2], *row[len(row) - size :]] for row in rows]))
    if crossed:
        out.print(t("The numbered columns: points out of 100 against the player of that place."), style="dim")
    _faults(result)


def _faults(result: Results) -> None:
    if not result.faults:
        return
    out = console()
    out.print(t("Games lost by a fault: {count}.", count=len(result.faults)), style="yellow")
    for fault in result.faults[:FAULTS]:
        out.print(Text(f"  {fault}"), soft_wrap=True)
    if len(result.faults) > FAULTS:
        out.print("  " + t("… and {count} more.", count=len(result.faults) - FAULTS))


def show_ratings(game: str, how: str, rows: list[Rated]) -> None:
    """The rating list of one game."""
    out = console()
    out.print(Text(game, style="bold"))
    rating = {"elo": "Elo", "openskill": "OpenSkill"}.get(how) or t("mean return")
    heads = [t("player"), rating, "±", t("games"), *([] if how == "returns" else [t("score")]), t("last game")]
    lines = []
    for place, row in enumerate(rows, start=1):
        margin = "?" if math.isinf(row.margin) else f"{row.margin:.0f}" if how == "elo" else f"{row.margin:.2g}"
        value = signed(row.rating) if how == "elo" else f"{row.rating:.4g}"
        score = [] if how == "returns" else [percent(row.score)]
        lines.append([f"{place:>2} {row.player}", value, margin, f"{row.games:,}", *score, row.last])
    out.print(_grid(heads, lines))
