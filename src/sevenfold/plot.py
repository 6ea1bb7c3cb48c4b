"""The evaluation over a game as a picture: one curve for two players whose interests are opposed (above the middle the
first is ahead, below it the second), otherwise a curve for each player. Marks differ by shape as well as by colour.

Needs matplotlib, which is imported only here. The same review gives the same SVG, byte for byte: no date, no random
names. Texts are English: a picture cannot know which fonts its viewer has.
"""

import importlib.util
import os
import warnings
from pathlib import Path
from typing import Any

from sevenfold.game import heading_of
from sevenfold.judgement import MoveReview
from sevenfold.review import Review

COLOUR = {"good": "#2e8b57", "slack": "#e0a100", "blunder": "#c8372d"}
SHAPE = {"good": "o", "slack": "s", "blunder": "X"}
SIZE = {"good": 26, "slack": 40, "blunder": 62}
AHEAD, BEHIND, INK, PALE = "#dfe9f5", "#f7e6df", "#2f3a45", "#8a949e"
CURVES = ("#2f6db3", "#c2662d", "#3c8d5a", "#8a5bb0", "#b23a6b", "#6b6b2f", "#3a9aa6", "#7a5230")
TEXTS = 60
"""With more moves than this, only those that were not good have their texts."""
CJK = ("Noto Sans CJK TC", "Noto Sans CJK SC", "PingFang TC", "Microsoft JhengHei", "WenQuanYi Zen Hei")


def require_matplotlib() -> None:
    """Says what to install where matplotlib is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise ImportError("a plot needs matplotlib: pip install 'sevenfold[plot]'.")


def plot_review(review: Review, path: str | os.PathLike[str]) -> None:
    """Draws a review into an .svg or .png file."""
    require_matplotlib()
    path = Path(path)
    if path.suffix.lower() not in (".svg", ".png"):
        raise ValueError(f"a plot is a .svg or .png file, not {str(path)!r}.")
    import matplotlib
    from matplotlib import font_manager
    from matplotlib.figure import Figure

    fonts = ["DejaVu Sans", *(font for font in CJK if font in font_manager.get_font_names())]
    settings: Any = {"svg.hashsalt": "sevenfold", "font.family": fonts, "font.size": 9.0, "svg.fonttype": "path"}
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a sign that no font has is a box, not a warning
        figure = Figure(figsize=(min(16.0, max(6.5, 3.0 + 0.2 * len(review.actions))), 4.2), layout="constrained")
        axes = figure.add_subplot()
        _draw(axes, review)
        picture = path.suffix.lower()[1:]
        metadata: dict[str, Any] = {"Date": None} if picture == "svg" else {"Software": None}
        figure.savefig(path, format=picture, dpi=160, metadata=metadata)


def _draw(axes: Any, review: Review) -> None:
    opposed = review.players == 2 and review.sum == "zero"
    low, high = review.returns
    for player in range(1 if opposed or review.players == 1 else review.players):
        _curve(axes, review, player, opposed)
    _marks(axes, review, opposed)
    _texts(axes, review, opposed)
    margin = 0.17 * (high - low)
    axes.set_ylim(low - margin, high + margin)
    axes.set_xlim(0.3, len(review.actions) + 1.7)
    axes.axhline((low + high) / 2, color=PALE, linewidth=0.8, zorder=1)
    axes.set_xlabel("move", color=INK)
    axes.set_ylabel("what player 1 can expect" if opposed else "what each player can expect", color=INK)
    axes.xaxis.get_major_locator().set_params(integer=True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(PALE)
    axes.tick_params(colors=INK)
    _title(axes, review)
    _legend(axes, review, opposed)


def _name(review: Review, player: int) -> str:
    name = review.seat(player)
    return f"player {player + 1}" + (f" ({_cut(name, 24)})" if name else "")


def _cut(text: str, most: int) -> str:
    """A text without line breaks and without matplotlib's sign for formulas, not too long."""
    text = " ".join(text.split()).replace("$", r"\$")
    return text if len(text) <= most else text[: most - 1] + "…"


def _points(review: Review, player: int) -> tuple[list[int], list[float]]:
    """The evaluation before each move, by the move's number from 1, and the result after the last."""
    numbers = [move.ply + 1 for move in review.moves]
    values = [move.values[player] for move in review.moves]
    if review.complete and review.result is not None:
        numbers.append(len(review.actions) + 1)
        values.append(review.result[player])
    return numbers, values


def _curve(axes: Any, review: Review, player: int, opposed: bool) -> None:
    numbers, values = _points(review, player)
    colour = INK if opposed else CURVES[player % len(CURVES)]
    axes.plot(numbers, values, color=colour, linewidth=1.4, zorder=2, label=None if opposed else _name(review, player))
    if opposed:
        middle = sum(review.returns) / 2
        above = [value >= middle for value in values]
        below = [value <= middle for value in values]
        axes.fill_between(numbers, values, middle, where=above, interpolate=True, color=AHEAD, linewidth=0, zorder=0)
        axes.fill_between(numbers, values, middle, where=below, interpolate=True, color=BEHIND, linewidth=0, zorder=0)


def _height(move: MoveReview, opposed: bool) -> float:
    """A move's mark stands on its mover's curve, or on the one there is."""
    return move.values[0 if opposed else move.player]


def _marks(axes: Any, review: Review, opposed: bool) -> None:
    for mark in ("good", "slack", "blunder"):
        moves = [move for move in review.moves if move.mark == mark and not move.forced]
        if moves:
            places, heights = [move.ply + 1 for move in moves], [_height(move, opposed) for move in moves]
            axes.scatter(places, heights, marker=SHAPE[mark], s=SIZE[mark], color=COLOUR[mark], edgecolors="white",
                         linewidths=0.7, zorder=4, label=f"{mark} ({len(moves)})")  # fmt: skip
    only = [move for move in review.moves if move.only_good]
    if only:
        places, heights = [move.ply + 1 for move in only], [_height(move, opposed) for move in only]
        axes.scatter(places, heights, marker="o", s=95, facecolors="none", edgecolors=COLOUR["good"], linewidths=1.0,
                     zorder=3, label=f"only good move ({len(only)})")  # fmt: skip
    forced = [move for move in review.moves if move.forced]
    if forced:
        places, heights = [move.ply + 1 for move in forced], [_height(move, opposed) for move in forced]
        axes.scatter(places, heights, marker=".", s=16, color=PALE, zorder=4, label=f"forced ({len(forced)})")


def _texts(axes: Any, review: Review, opposed: bool) -> None:
    """The moves' texts, all of them in a short game: above a peak of the curve, below a valley, where no line runs."""
    from matplotlib.patheffects import withStroke

    short = len(review.moves) <= TEXTS and max(len(move.text) for move in review.moves) <= 4
    for move in review.moves:
        if not short and (move.mark == "good" or len(review.moves) > 4 * TEXTS):
            continue
        curve = 0 if opposed else move.player
        _, heights = _points(review, curve)
        at = review.moves.index(move)
        around = heights[max(0, at - 1) : at] + heights[at + 1 : at + 2]
        bend = heights[at] - sum(around) / len(around) if around else 0.0
        up = bend > 0 if abs(bend) > 1e-9 else move.player == 0
        axes.annotate(
            _cut(move.text, 10), (move.ply + 1, heights[at]), xytext=(0, 8 if up else -8), textcoords="offset points",
            ha="center", va="bottom" if up else "top", fontsize=7.5, zorder=5,
            color=INK if move.mark == "good" else COLOUR[move.mark],
            fontweight="normal" if move.mark == "good" else "bold",
            path_effects=[withStroke(linewidth=2, foreground="white")],
        )  # fmt: skip


def _title(axes: Any, review: Review) -> None:
    excitement = "" if review.excitement is None else f"excitement {review.excitement:.2f}"
    axes.set_title(_cut(heading_of(review.game)[0], 60), loc="left", color=INK, fontsize=12, fontweight="bold")
    axes.set_title(excitement, loc="right", color=INK, fontsize=10)


def _legend(axes: Any, review: Review, opposed: bool) -> None:
    handles, labels = axes.get_legend_handles_labels()
    who = "reviewed by " + _cut(f"{review.player}, tolerance {review.tolerance:g}", 60)
    if opposed and review.seats:
        who = ", ".join(_name(review, player) for player in range(2)) + "\n" + who
    if options := heading_of(review.game)[1]:
        who = _cut(options, 110) + "\n" + who
    legend = axes.figure.legend(
        handles, labels, loc="outside lower center", ncols=min(5, len(handles)), frameon=False, fontsize=8,
        labelcolor=INK, title=who, title_fontproperties={"size": 8},
    )  # fmt: skip
    legend.get_title().set_color(INK)
    legend.get_title().set_multialignment("center")
