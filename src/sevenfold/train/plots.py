"""The curves of a run as pictures, each as .svg and .png. Needs matplotlib, which is imported only here.

The same run gives the same SVG, byte for byte. Texts are English: a picture cannot know which fonts its viewer has.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sevenfold.plot import CURVES, INK, PALE, require_matplotlib
from sevenfold.rating import elo_of
from sevenfold.train.report import CLIPPED, EXPLAINED, GAIN, Report, interval_of, is_elo, without_search

MARKS = "osD^vPX*"


def draw(report: Report, folder: Path) -> list[Path]:
    """Writes the pictures there is something to draw for; without matplotlib an ImportError says what to install."""
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
            figure = Figure(figsize=(7.0, 3.8), layout="constrained")
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
        axes.set_xlabel(_when(report)[0], color=INK, labelpad=1)
        if _when(report)[1] is float:  # there is no iteration 1.02
            axes.locator_params(axis="x", integer=True, min_n_ticks=1)
        axes.margins(x=0.02, y=0.08)
    found[0].set_ylabel(label, color=INK)
    found[0].set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold")
    return found


def _when(report: Report) -> tuple[str, Callable[[int], float]]:
    """What the curves run over: minutes, or iterations where the run is short."""
    if report.last.get("seconds", 0.0) >= 120:
        return "minutes", report.minutes
    return "iteration", float


def _curve(
    axes: Any, report: Report, key: str, number: int, label: str, scale: float = 1.0, dashed: bool = False
) -> None:
    lines = [line for line in report.metrics if isinstance(line.get(key), int | float)]
    if not lines:  # a run of another method has none
        return
    when = _when(report)[1]
    x = [when(line["iteration"]) for line in lines]
    y = [scale * line[key] for line in lines]
    style = "--" if dashed else "-"
    marker = MARKS[number] if len(x) < 25 else ""
    axes.plot(x, y, style, color=CURVES[number], linewidth=1.5, marker=marker, markersize=4, label=label)


def _from_zero(axes: Any) -> None:
    """The axis begins at 0, or below where a curve does."""
    low, high = axes.dataLim.y0, axes.dataLim.y1
    if not (math.isfinite(low) and math.isfinite(high)):  # nothing is drawn
        low = high = 0.0
    axes.set_ylim(1.1 * min(0.0, low), 1.1 * max(0.0, high) or 1.0)


def _legend(axes: Any, columns: int = 1) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    axes.legend(handles, labels, frameon=False, fontsize=8, labelcolor=INK, loc="upper center",
                bbox_to_anchor=(0.5, -0.17), ncols=min(columns, len(labels)))  # fmt: skip


def _losses(figure: Any, report: Report) -> None:
    (axes,) = _axes(figure, report, "Losses", "loss")
    terms = [("loss", "total"), ("policy_loss", "policy"), ("value_loss", "value")]
    gradient = without_search(report.config)
    if gradient:
        more = (("critic_loss", "critic"), ("belief_loss", "what the others hold"))
        terms += [one for one in more if any(line.get(one[0]) for line in report.metrics)]
    else:
        terms.append(("l2_loss", "weights"))
    for number, (key, label) in enumerate(terms):
        _curve(axes, report, key, number, label)
    if not gradient:
        _curve(axes, report, "policy_entropy", 1, "the policy's least possible", dashed=True)
    _from_zero(axes)
    _legend(axes, 3)


def _policy(figure: Any, report: Report) -> None:
    wanted = report.config.gradient
    if not without_search(report.config):
        left, right = _axes(figure, report, "Policy", "likeliest move is the search's, %", 2)
        _curve(left, report, "policy_correct", 0, "", 100.0)
        left.set_ylim(0, 100)
        right.set_ylabel("nats", color=INK)
        _curve(right, report, "policy_loss", 1, "cross-entropy: what is learnt")
        _curve(right, report, "policy_entropy", 1, "entropy of the search: its floor", dashed=True)
    elif wanted.estimate == "trials":
        unit = "squared points" if wanted.unit == 1 else f"squares of {wanted.unit:g} points"
        left, right = _axes(figure, report, "Policy", f"least squares, {unit}", 2)
        _curve(left, report, "policy_loss", 0, "")
        _from_zero(left)
        right.set_ylabel("points", color=INK)
        _curve(right, report, "gain", 1, GAIN)
    else:
        left, right = _axes(figure, report, "Policy", "entropy of the policy, nats", 2)
        _curve(left, report, "policy_entropy", 0, "")
        _from_zero(left)
        right.set_ylabel("%", color=INK)
        _curve(right, report, "explained", 1, EXPLAINED, 100.0)
        _curve(right, report, "clipped", 2, CLIPPED, 100.0)
    _from_zero(right)
    _legend(right)


def _strength(figure: Any, report: Report) -> None:
    elo = all(is_elo(line) for line in report.ratings)
    label = f"Elo with {report.config.rating.simulations} simulations" if elo else "score"
    if report.in_points:
        label = "points per game, without a search"
    (axes,) = _axes(figure, report, "Strength against fixed opponents", label)
    when = _when(report)[1]
    for number, name in enumerate(report.opponents()[: len(MARKS)]):
        lines = [line for line in report.ratings if line["opponent"] == name]
        x = [when(line["iteration"]) for line in lines]
        y = [_height(line, elo) for line in lines]
        ends = [tuple(elo_of(end) if elo else end for end in interval_of(line)) for line in lines]
        below = [max(0.0, at - low) if math.isfinite(low) else 0.0 for at, (low, _) in zip(y, ends, strict=True)]
        above = [max(0.0, high - at) if math.isfinite(high) else 0.0 for at, (_, high) in zip(y, ends, strict=True)]
        axes.errorbar(
            x, y, yerr=[below, above], color=CURVES[number], marker=MARKS[number], markersize=5, linewidth=1.4,
            capsize=2.5, elinewidth=0.8, label=_cut(name),
        )  # fmt: skip
        if open_ended := [place for place, line in enumerate(lines) if elo and line["score"] in (0, 1)]:
            axes.plot([x[i] for i in open_ended], [y[i] for i in open_ended], linestyle="", color=CURVES[number],
                      marker=MARKS[number], markersize=5, markerfacecolor="white", zorder=4)  # fmt: skip
    if elo or report.in_points:
        axes.axhline(0, color=PALE, linewidth=0.9)
    if elo and any(line["score"] in (0, 1) for line in report.ratings):
        axes.set_title("hollow: all games won, or none", loc="right", color=PALE, fontsize=8)
    _legend(axes, 3)


def _height(line: dict[str, Any], elo: bool) -> float:
    """Where a match is drawn; Elo is infinite where every game was won, so half a game is taken off."""
    score = line["score"]
    if not elo:
        return float(score)
    games = max(1, line.get("games", 1))
    return elo_of(min(max(score, 0.5 / (games + 1)), (games + 0.5) / (games + 1)))


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
    _from_zero(left)
    right.set_ylabel("seconds per iteration", color=INK)
    ends = [0.0, *(line["seconds"] for line in report.metrics)]
    whole = [{"iteration": line["iteration"], "whole": end - begin}
             for line, begin, end in zip(report.metrics, ends, ends[1:], strict=False)]  # fmt: skip
    right.plot([when(one["iteration"]) for one in whole], [one["whole"] for one in whole], color=CURVES[0],
               marker=MARKS[0] if len(whole) < 25 else "", markersize=4, linewidth=1.5, label="in all")  # fmt: skip
    _curve(right, report, "learning_seconds", 1, "learning")
    _curve(right, report, "waiting_seconds", 2, "waiting for games")
    _from_zero(right)
    _legend(right)


def _games(figure: Any, report: Report) -> None:
    left, right = _axes(figure, report, "Games", "plies per game", 2)
    _curve(left, report, "plies", 0, "")
    _from_zero(left)
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
    ("games", _games, lambda report: report.knows("plies")),
    ("speed", _speed, lambda report: any(line.get("selfplay_seconds") for line in report.metrics)),
]
