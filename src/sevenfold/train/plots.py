"""The curves of a run as pictures, each as .svg and .png. Needs matplotlib, which is imported only here.

The same run gives the same SVG, byte for byte. Texts are English: a picture cannot know which fonts its viewer has.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sevenfold.plot import CURVES, INK, PALE, require_matplotlib
from sevenfold.rating import elo_of
from sevenfold.train.report import Report, interval_of, is_elo

MARKS = "osD^vPX*"
FAR = 1200.0
"""An Elo beyond which a curve is drawn at the edge: a score of 100 % has no end."""


def draw(report: Report, folder: Path) -> list[Path]:
    """Writes the pictures there is something to draw for; ImportError says what to install where matplotlib is missing."""
    require_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    out = []
    folder.mkdir(parents=True, exist_ok=True)
    settings: Any = {"svg.hashsalt": "sevenfold", "font.size": 9.0, "svg.fonttype": "path"}
    with matplotlib.rc_context(settings):
        for name, picture, wanted in PICTURES:
            if not wanted(report):
                continue
            figure = Figure(figsize=(7.0, 3.6), layout="constrained")
            picture(figure, report)
            for kind in ("svg", "png"):
                path = folder / f"{name}.{kind}"
                metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
                figure.savefig(path, format=kind, dpi=140, metadata=metadata)
                out.append(path)
    return out


def _axes(figure: Any, report: Report, title: str, label: str, parts: int = 1) -> list[Any]:
    found = [figure.add_subplot(1, parts, number + 1) for number in range(parts)]
    for axes in found:
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            axes.spines[side].set_color(PALE)
        axes.tick_params(colors=INK)
        axes.grid(axis="y", color=PALE, alpha=0.25, linewidth=0.6)
        axes.set_xlabel(_when(report)[0], color=INK)
    found[0].set_ylabel(label, color=INK)
    found[0].set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold")
    return found


def _when(report: Report) -> tuple[str, Callable[[int], float]]:
    """What the curves run over: minutes, or iterations where the run is short."""
    if report.last.get("seconds", 0.0) >= 120:
        return "minutes", report.minutes
    return "iteration", float


def _curve(axes: Any, report: Report, key: str, number: int, label: str, scale: float = 1.0, dashed: bool = False) -> None:
    lines = [line for line in report.metrics if isinstance(line.get(key), int | float)]
    when = _when(report)[1]
    x = [when(line["iteration"]) for line in lines]
    y = [scale * line[key] for line in lines]
    style = "--" if dashed else "-"
    marker = MARKS[number] if len(x) < 25 else ""
    axes.plot(x, y, style, color=CURVES[number], linewidth=1.5, marker=marker, markersize=4, label=label)


def _legend(axes: Any) -> None:
    axes.legend(frameon=False, fontsize=8, labelcolor=INK)


def _losses(figure: Any, report: Report) -> None:
    (axes,) = _axes(figure, report, "Losses", "loss")
    for number, (key, label) in enumerate(
        (("loss", "total"), ("policy_loss", "policy"), ("value_loss", "value"), ("l2_loss", "weights"))
    ):
        _curve(axes, report, key, number, label)
    _curve(axes, report, "policy_entropy", 1, "the policy's least possible", dashed=True)
    axes.set_ylim(bottom=0)
    _legend(axes)


def _policy(figure: Any, report: Report) -> None:
    left, right = _axes(figure, report, "Policy", "likeliest move is the search's, %", 2)
    _curve(left, report, "policy_correct", 0, "", 100.0)
    left.set_ylim(0, 100)
    right.set_ylabel("nats", color=INK)
    _curve(right, report, "policy_loss", 1, "cross-entropy: what is learnt")
    _curve(right, report, "policy_entropy", 1, "entropy of the search: its floor", dashed=True)
    right.set_ylim(bottom=0)
    _legend(right)


def _strength(figure: Any, report: Report) -> None:
    elo = all(is_elo(line) for line in report.ratings)
    label = f"Elo with {report.config.rating.simulations} simulations" if elo else "score"
    (axes,) = _axes(figure, report, "Strength against fixed opponents", label)
    when = _when(report)[1]
    for number, name in enumerate(report.opponents()[: len(MARKS)]):
        lines = [line for line in report.ratings if line["opponent"] == name]
        x = [when(line["iteration"]) for line in lines]
        ends = [interval_of(line) for line in lines]
        y = [_near(line["score"], elo) for line in lines]
        below = [max(0.0, at - _near(low, elo)) for at, (low, _) in zip(y, ends, strict=True)]
        above = [max(0.0, _near(high, elo) - at) for at, (_, high) in zip(y, ends, strict=True)]
        axes.errorbar(
            x, y, yerr=[below, above], color=CURVES[number], marker=MARKS[number], markersize=5, linewidth=1.4, capsize=2.5,
            elinewidth=0.8, label=_cut(name),
        )  # fmt: skip
    if elo:
        axes.axhline(0, color=PALE, linewidth=0.9)
        low, high = axes.get_ylim()
        axes.set_ylim(max(low, -FAR - 60), min(high, FAR + 60))
        if any(line["score"] in (0, 1) for line in report.ratings):
            axes.set_title(f"every or no game won: drawn at ±{FAR:.0f}", loc="right", color=PALE, fontsize=8)
    _legend(axes)


def _near(score: float, elo: bool) -> float:
    value = elo_of(score) if elo else score
    return max(-FAR, min(FAR, value)) if math.isfinite(value) or elo else 0.0


def _cut(text: str, most: int = 40) -> str:
    text = text.replace("$", r"\$")
    return text if len(text) <= most else text[: most - 1] + "…"


def _speed(figure: Any, report: Report) -> None:
    left, right = _axes(figure, report, "Speed", "evaluations per second, all actors", 2)
    when, actors = _when(report)[1], report.config.actors
    lines = [line for line in report.metrics if line.get("selfplay_seconds")]
    x = [when(line["iteration"]) for line in lines]
    left.plot(x, [line["selfplay_evaluations"] * actors / line["selfplay_seconds"] for line in lines],
              color=CURVES[0], marker="o" if len(x) < 25 else "", markersize=4, linewidth=1.5)  # fmt: skip
    left.set_ylim(bottom=0)
    right.set_ylabel("seconds per iteration", color=INK)
    ends = [0.0, *(line["seconds"] for line in report.metrics)]
    whole = [{"iteration": line["iteration"], "whole": end - begin}
             for line, begin, end in zip(report.metrics, ends, ends[1:], strict=False)]  # fmt: skip
    right.plot([when(one["iteration"]) for one in whole], [one["whole"] for one in whole], color=CURVES[0],
               marker=MARKS[0] if len(whole) < 25 else "", markersize=4, linewidth=1.5, label="in all")  # fmt: skip
    _curve(right, report, "learning_seconds", 1, "learning")
    _curve(right, report, "waiting_seconds", 2, "waiting for games")
    right.set_ylim(bottom=0)
    _legend(right)


def _games(figure: Any, report: Report) -> None:
    left, right = _axes(figure, report, "Games", "plies per game", 2)
    _curve(left, report, "plies", 0, "")
    left.set_ylim(bottom=0)
    right.set_ylabel("%", color=INK)
    names = (("first_wins", "won by the first player"), ("draws", "drawn"), ("exact", "positions with exact values"))
    for number, (key, label) in enumerate(names):
        _curve(right, report, key, number, label, 100.0)
    right.set_ylim(0, 100)
    _legend(right)


def _learnt(report: Report) -> bool:
    return any("loss" in line for line in report.metrics)


PICTURES: list[tuple[str, Callable[[Any, Report], None], Callable[[Report], bool]]] = [
    ("strength", _strength, lambda report: bool(report.ratings)),
    ("losses", _losses, _learnt),
    ("policy", _policy, _learnt),
    ("games", _games, lambda report: bool(report.metrics)),
    ("speed", _speed, lambda report: any(line.get("selfplay_seconds") for line in report.metrics)),
]
