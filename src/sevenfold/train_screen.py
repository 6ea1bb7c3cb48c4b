"""What `sevenfold train` shows: a dashboard that is drawn again and again; without a terminal, a line per iteration.

Drawn by the thread that trains, whenever it has something to tell: processes are forked meanwhile, and a second thread
would not bear that. It needs 80 columns and about 20 lines, and says the same without colours.
"""

import json
import math
import time
from collections.abc import Sequence
from itertools import pairwise
from shlex import quote
from typing import Any

from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sevenfold.lang import t
from sevenfold.rating import elo_of
from sevenfold.scoreboard import duration, percent, signed
from sevenfold.screen import console
from sevenfold.train.config import Gradient
from sevenfold.train.progress import Progress
from sevenfold.train.report import interval_of, is_elo, is_points, without_search
from sevenfold.train.run import Run

LEVELS, PLAIN_LEVELS = "▁▂▃▄▅▆▇█", "0123456789"
SPARKS = 24
"""Cells of a curve."""
EVERY = 0.25
"""Seconds between two drawings."""
STEADY = 4.0
"""Seconds of an actor's work before its speed is believed."""


def sparkline(
    values: Sequence[float], width: int = SPARKS, levels: str = LEVELS, limits: tuple[float, float] | None = None
) -> str:
    """A curve in one line of text, the newest value last; long ones by the means of their parts."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) > width:
        edges = [round(i * len(known) / width) for i in range(width + 1)]
        known = [sum(known[a:b]) / (b - a) for a, b in pairwise(edges)]
    if len(known) < 2:
        return ""
    low, high = limits or (min(known), max(known))
    top = len(levels) - 1
    return "".join(levels[round((value - low) / (high - low) * top) if high > low else 0] for value in known)


def time_left(progress: Progress, ended: float) -> float | None:
    """Seconds to the end of the run, by time or by iterations, whichever comes first; None where nothing is known.

    ended: the run's seconds at the end of the last whole iteration.
    """
    config = progress.config
    left = [60 * config.minutes - progress.seconds] if config.minutes else []
    if (done := progress.metrics.get("iteration")) and ended:
        left.append(ended / done * config.iterations - progress.seconds)
    return max(0.0, min(left)) if left else None


def speeds(progress: Progress) -> dict[str, float]:
    """Games, positions and evaluations per second of all actors together, and the share of evaluations that the cache
    gave: of the games that are being played, or of the last iteration where those have just begun."""
    counts, actors = progress.live, progress.config.actors
    if counts.get("seconds", 0.0) < STEADY * actors:
        last = {name.removeprefix("selfplay_"): value for name, value in progress.metrics.items()
                if name.startswith("selfplay_")}  # fmt: skip
        counts = last if last.get("seconds") else counts
    seconds = counts.get("seconds", 0.0) / actors
    if seconds <= 0:
        return {}
    out = {name: counts.get(name, 0) / seconds for name in ("games", "positions", "evaluations")}
    asked = counts.get("evaluations", 0) + counts.get("cached", 0)
    return out | {"cached": counts.get("cached", 0) / asked if asked else 0.0}


class Dashboard:
    """The screen of a run; also what says it in lines, where there is no terminal."""

    def __init__(self, out: Console | None = None) -> None:
        self._out = out or console()
        self._live: Live | None = None
        self._drawn = 0.0
        self._metrics: list[dict[str, Any]] = []
        self._ratings: list[dict[str, Any]] = []
        self._ended = 0.0
        """Seconds of the run at the end of the last iteration."""
        self._told = 0
        """Iterations that a line has been printed for."""
        self._said: list[str] = []
        self.progress: Progress | None = None

    def __enter__(self) -> "Dashboard":
        if self._out.is_terminal and not self._out.is_dumb_terminal:
            self._live = Live(Text(t("starting …"), style="dim"), console=self._out, auto_refresh=False)
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            if self.progress:
                self._live.update(self.drawn(self.progress), refresh=True)
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Something has happened."""
        first, self.progress = self.progress is None, progress
        if first or progress.phase in ("starting", "iteration", "done"):
            run = Run(progress.folder)
            self._metrics, self._ratings = run.lines("metrics"), run.lines("ratings")
            self._told = len(self._metrics) if first else self._told
            self._ended = progress.seconds
        if self._live is None:
            self._say(progress)
            return
        now = time.monotonic()
        if now - self._drawn > EVERY or progress.phase in ("checkpoint", "iteration", "done"):
            self._drawn = now
            self._live.update(self.drawn(progress), refresh=True)

    # Where there is no terminal

    def _say(self, progress: Progress) -> None:
        for sentence in progress.said[len(self._said) :]:
            self._out.print(Text(f"! {sentence}", style="yellow"), soft_wrap=True)
        self._said = list(progress.said)
        for line in self._metrics[self._told :]:
            self._out.print(self._line(line, progress), soft_wrap=True)
            for match in self._ratings:
                if match.get("iteration") == line["iteration"]:
                    score = f"{_score_text(match)}  {_elo_text(match)}".rstrip()
                    self._out.print(Text(f"  {match['opponent']}: {score}"), soft_wrap=True)
        self._told = len(self._metrics)

    def _line(self, line: dict[str, Any], progress: Progress) -> Text:
        rates = speeds(progress)
        words = [t("iteration {number}", number=line["iteration"]), t("{count} games", count=f"{line['games']:,}")]
        if rates:
            words.append(t("{rate} evaluations/s", rate=_figure(rates["evaluations"])))
        if "loss" in line:
            words.append(t("loss {loss:.3f} (value {value:.3f}, policy {policy:.3f})",
                           loss=line["loss"], value=line["value_loss"], policy=line["policy_loss"]))  # fmt: skip
        words.append(duration(progress.seconds))
        if (left := time_left(progress, self._ended)) is not None and progress.share < 1:
            words.append(t("{time} left", time=duration(left)))
        return Text("  ".join(words))

    # The dashboard

    def drawn(self, progress: Progress) -> Group:
        """All of it."""
        parts: list[Any] = [self._head(progress), self._bars(progress), Text(), self._figures(progress)]
        if curves := self._losses():
            parts += [Text(), curves]
        if ratings := self._strength():
            parts += [Text(), ratings]
        parts += [Text(f"! {sentence}", style="yellow") for sentence in progress.said[-3:]]
        return Group(*parts)

    @property
    def _levels(self) -> str:
        try:
            LEVELS.encode(self._out.encoding)
        except (UnicodeEncodeError, LookupError):
            return PLAIN_LEVELS
        return LEVELS

    def _head(self, progress: Progress) -> Text:
        times = duration(progress.seconds)
        if (left := time_left(progress, self._ended)) is not None and progress.phase != "done":
            times += "  " + t("{time} left", time=duration(left))
        head = Text.assemble((progress.config.game, "bold"), "  ", (str(progress.folder), "dim"))
        head.truncate(max(10, self._out.width - cell_len(times) - 2), overflow="ellipsis", pad=True)
        return Text.assemble(head, "  ", times)

    def _bars(self, progress: Progress) -> Table:
        config = progress.config
        whole = progress.share
        if config.minutes:
            whole = max(whole, min(1.0, progress.seconds / (60 * config.minutes)))
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, min_width=14)
        grid.add_column(width=34)
        grid.add_column(no_wrap=True)
        ended = t("iteration {number}", number=progress.iteration)
        if config.iterations < 100_000:
            ended += f"/{config.iterations}"
        grid.add_row(t("the run"), ProgressBar(total=1, completed=whole, width=34), f"{100 * whole:3.0f} %  {ended}")
        done, total = progress.phase_done, progress.phase_total
        idle = progress.phase in ("starting", "checkpoint", "iteration", "done") or not total
        bar: Any = Text() if idle else ProgressBar(total=total, completed=done, width=34)
        grid.add_row(_phase(progress.phase), bar, "" if idle else f"{done:,}/{total:,} {_unit(progress.phase)}")
        return grid

    def _figures(self, progress: Progress) -> Table:
        rates, last = speeds(progress), progress.metrics

        def rate(name: str) -> str:
            return _figure(rates[name]) + t("/s") if rates else "·"

        def share(value: float | None) -> str:
            return "·" if value is None else percent(value)

        asked = _figure(last["rate"]) if "rate" in last else "·"
        window = f"{last['window']:,}" if "window" in last else "·"
        left = [
            (t("games"), f"{progress.games:,}", rate("games")),
            (t("positions"), f"{progress.positions:,}", rate("positions")),
            (t("steps of learning"), f"{progress.steps:,}", ""),
        ]
        right = [(t("evaluations"), rate("evaluations")), (t("learning rate"), asked)]
        if without_search(progress.config):  # which has no cache, no solver and no window
            right.append(("", ""))
        else:
            right[1:1] = [
                (t("from the cache"), share(rates.get("cached"))),
                (t("exact values"), share(last.get("exact"))),
            ]
            left.append((t("window"), window, ""))
        rows = [(*one, *other) for one, other in zip(left, right, strict=True)]
        grid = Table.grid(padding=(0, 2, 0, 0))
        for justify, width in (("left", 14), ("right", 11), ("right", 11), ("left", 18), ("right", 11)):
            grid.add_column(justify=justify, min_width=width, no_wrap=True)  # type: ignore[arg-type]
        for first, count, per_second, second, value in rows:
            grid.add_row(Text(first, style="dim"), count, per_second, Text(f"   {second}", style="dim"), value)
        return grid

    def _losses(self) -> Table | None:
        lines = [line for line in self._metrics if "loss" in line]
        newest = self.progress.losses if self.progress else {}
        if not lines and not newest:
            return None
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, min_width=14)
        grid.add_column(justify="right", no_wrap=True, min_width=11)
        grid.add_column(no_wrap=True, width=SPARKS)
        grid.add_column(no_wrap=True, overflow="ellipsis")
        now = lines[-1] if lines else newest
        rows = [(t("loss"), "loss", self._loss_note(now)), (t("value"), "value_loss", "")]
        rows.append((t("policy"), "policy_loss", self._policy_note(now)))
        if "policy_correct" in now:
            rows.append((t("policy right"), "policy_correct", ""))
        for name, key, note in rows:
            text = percent(now[key]) if key == "policy_correct" else f"{now[key]:.3f}"
            curve = sparkline([line[key] for line in lines], levels=self._levels)
            grid.add_row(Text(name, style="dim"), text, Text(curve, style="cyan"), Text(note, style="dim"))
        return grid

    @property
    def _gradient(self) -> Gradient | None:
        """How the run learns, where it does so without a search."""
        config = self.progress.config if self.progress else None
        return config.gradient if config and without_search(config) else None

    def _loss_note(self, now: dict[str, Any]) -> str:
        return "" if self._gradient else t("of it the weights {value:.3f}", value=now["l2_loss"])

    def _policy_note(self, now: dict[str, Any]) -> str:
        """What the policy's loss is to be compared with; of tried actions it is luck for the most part."""
        if self._gradient is None:
            return t("the least possible {value:.3f}", value=now["policy_entropy"])
        if self._gradient.estimate == "critic":
            return t("entropy {value:.3f}", value=now["policy_entropy"])
        return t("best tried {points:+.1f} points", points=now["gain"])

    def _strength(self) -> Table | None:
        newest = max((line["iteration"] for line in self._ratings), default=0)
        names = [line["opponent"] for line in self._ratings if line["iteration"] == newest]
        if not names:
            return None
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, max_width=28, overflow="ellipsis")
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True, overflow="crop", max_width=16)
        head = t("strength after iteration {number}", number=newest)
        for name in names[:6]:
            lines = [line for line in self._ratings if line["opponent"] == name]
            curve = sparkline(
                [line["score"] for line in lines], 16, self._levels, (0, 1) if is_elo(lines[-1]) else None
            )
            grid.add_row(Text(name), _score_text(lines[-1]), _elo_text(lines[-1]), Text(curve, style="cyan"))
        whole = Table.grid()
        whole.add_row(Text(head, style="dim"))
        whole.add_row(grid)
        return whole


def _score_text(line: dict[str, Any]) -> str:
    """A score in its unit."""
    return t("{points:+.1f} points", points=line["score"]) if is_points(line) else percent(line["score"])


def _elo_text(line: dict[str, Any]) -> str:
    """Elo with its interval, where there is one."""
    if not is_elo(line):
        return ""
    low, high = interval_of(line)
    return f"Elo {signed(elo_of(line['score']))} [{signed(elo_of(low))}, {signed(elo_of(high))}]"


def _figure(value: float) -> str:
    """A number with three digits or more."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _phase(phase: str) -> str:
    return {
        "starting": t("starting …"),
        "self-play": t("self-play"),
        "supervised": t("learning from records"),
        "learning": t("learning"),
        "gate": t("gate"),
        "rating": t("rating"),
        "checkpoint": t("saving …"),
        "iteration": t("self-play"),
        "done": t("done"),
    }.get(phase, phase)


def _unit(phase: str) -> str:
    return t("steps") if phase in ("learning", "supervised") else t("games")


def show_end(run: Run, game: str) -> None:
    """What a finished run is good for."""
    out = console()
    name, folder = quote(game), quote(str(run.folder))
    for caption, command in (
        (t("The run is done. Play against it:"), f"sevenfold play {name} --against alphazero:net={folder}"),
        (t("What it has done, with curves:"), f"sevenfold report {folder}"),
    ):
        out.print(Text(f"{caption} {command}"), soft_wrap=True)


def show_presets(game: str, found: dict[str, dict[str, Any]], defaults: dict[str, Any]) -> None:
    """The presets of a game and what they set, and every setting."""
    out = console()
    out.print(Text(game, style="bold"))
    for name, given in found.items():
        out.print(Text.assemble("\n", (name, "bold"), f"  {given.get('about', '')}"))
        out.print(Padding(Text(_settings(flat(given)), style="dim"), (0, 0, 0, 2)))
    out.print(Text("\n" + t("Every setting, with its default:"), style="bold"))
    out.print(Padding(Text(_settings(flat(defaults)), style="dim"), (0, 0, 0, 2)))
    out.print()
    command = f"sevenfold train {quote(game)} --preset NAME --set learning.batch=256"
    out.print(Text(t("Begin: {command}", command=command)), soft_wrap=True)


def _settings(given: dict[str, Any]) -> str:
    return "  ".join(f"{key}={_plain(value)}" for key, value in given.items())


def _plain(value: Any) -> str:
    """As --set reads it."""
    return value if isinstance(value, str) else json.dumps(value)


def flat(given: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Settings by dotted names."""
    out: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, dict):
            out |= flat(value, f"{before}{key}.")
        elif before or key != "about":
            out[before + key] = value
    return out
