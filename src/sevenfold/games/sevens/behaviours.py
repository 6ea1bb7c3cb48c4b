"""The founding document's three expected behaviours, as hypotheses with a test: `sevenfold report sevens-behaviours`.

Each is an intervention at identical information states, on the net without a search: the same decisions, once as they
are and once with one thing changed, and what the net then does. The thresholds are fixed here, before anything is
measured; a hypothesis that they do not bear out is reported as not observed.

  sniper   what others have shown not to hold is taken away (planes 10-12, with timed 10-15, zeroed): how many plays
           change
  panic    the dealer is the mover, or the seat opposite (features 4-7): how much higher a card is played as the dealer
  cliff    sunk points are another number (feature 10): how the value falls along them, and whether it breaks at 40

Whether the changes of `sniper` are blocks is not said: that decisions go by inference is what is tested. In `cliff`
the planes stay as they are, so that a state with another number of sunk points is one that no game has: the curve says
what the net makes of the number, not what it would do with other cards.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold import models
from sevenfold.evaluators.batch import Batch
from sevenfold.files import whole_file
from sevenfold.game import Game, game
from sevenfold.plot import CURVES, INK, PALE, require_matplotlib
from sevenfold.seeds import seed_of
from sevenfold.train import tables

Floats = NDArray[np.float32]
Said = tuple[Floats, Floats]
"""Values of the mover [N], in points; probabilities [N, actions]."""

RANKS = np.tile(np.arange(1, 14), 4)
LEGAL, FRONTIER, SHOWN, DEALER, TURN, MUST_COVER, SUNK = 2, 3, slice(10, 13), slice(4, 8), 8, 9, 10
INFERRED = slice(10, 16)
"""What others have shown, by covering and by what they left alone; of obs24 the first three alone."""
BANDS = tuple(range(0, 52, 8))
"""Turns from which on a band of decisions begins."""
CHANGED, SHIFT, BREAK = 0.10, 0.25, 1.5
"""Thresholds: the share of changed decisions; ranks; the slope from 40 to 50 sunk points by that from 20 to 40."""
STEPS = tuple(range(0, 71, 5))


@dataclass(frozen=True)
class Behaviour:
    """A hypothesis and what was found."""

    name: str
    hypothesis: str
    measured: dict[str, float]
    observed: bool
    decisions: int


@dataclass
class Behaviours:
    """All three, and the curves behind them."""

    game: str
    net: str
    deals: int
    found: list[Behaviour]
    curves: dict[str, list[float]]

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)

    def to_markdown(self) -> str:
        """For people."""
        lines = [f"# Behaviours of {self.net}", "", f"{self.deals} deals of {self.game}, the net in all seats.", ""]
        lines += ["| hypothesis | decisions | observed | measured |", "|---|---:|---|---|"]
        for one in self.found:
            numbers = ", ".join(f"{name} {value:.3g}" for name, value in one.measured.items())
            lines += [f"| {one.hypothesis} | {one.decisions} | {'yes' if one.observed else 'no'} | {numbers} |"]
        return "\n".join([*lines, ""])


def behaviours(rules: Game | None = None, net: str = "", deals: int = 500, seed: int = 1) -> Behaviours:
    """Measures the net of the room, or another."""
    rules = rules or game("sevens")
    if rules.options["observation"] == "obs11" or rules.players != 4 or rules.options["variant"] != "cover":
        raise ValueError("the behaviours are those of four players who cover, seen by obs24 or timed.")
    if deals < 10:
        raise ValueError(f"the behaviours need at least 10 deals, not {deals}.")
    path = models.find(net, rules)
    evaluator = models.evaluator("onnx", net, "auto", rules)

    def said(planes: Floats, features: Floats) -> tuple[Floats, Floats]:
        viewers = np.zeros(len(planes), np.int64)
        values, logits = evaluator.evaluate(Batch(planes, features, viewers, viewers.astype(np.uint64)))
        return values[:, 0], logits

    rng = np.random.default_rng(seed_of(seed, 0, "behaviours"))
    chance = rng.integers(0, 2**63, deals, np.uint64)
    seats = np.zeros((deals, 4), np.int64)
    seen = tables.play(rules, chance, seats, [lambda planes, features: said(planes, features)[1]], rng)

    def ask(planes: Floats, features: Floats) -> Said:
        values, logits = said(planes, features)
        return values, np.exp(tables.log_softmax(logits, seen.legal))

    plays = seen.features[:, MUST_COVER] == 0
    curves: dict[str, list[float]] = {}
    found = [_sniper(seen, plays, ask, curves), _panic(seen, plays, ask, curves), _cliff(seen, ask, curves)]
    return Behaviours(rules.spec, path.stem, deals, found, curves)


def _by_turn(
    seen: tables.Experience, rows: NDArray[np.bool_], what: NDArray[Any], name: str, curves: dict[str, list[float]]
) -> None:
    """The mean of something over the bands of turns that have decisions, as a curve."""
    turns = (seen.features[:, TURN] * 52 + 0.5).astype(int)[rows]
    bands = {first: what[(turns >= first) & (turns < first + BANDS[1])] for first in BANDS}
    told = {first: float(band.mean()) for first, band in bands.items() if len(band)}
    curves |= {f"{name} turn": [float(first) for first in told], name: list(told.values())}


def _sniper(
    seen: tables.Experience,
    plays: NDArray[np.bool_],
    ask: Callable[[Floats, Floats], Said],
    curves: dict[str, list[float]],
) -> Behaviour:
    """Blocking goes by what others have shown not to hold."""
    _, before = ask(seen.planes, seen.features)
    blind = seen.planes.copy()
    blind[:, INFERRED] = 0
    _, after = ask(blind, seen.features)
    shown = plays & (seen.planes[:, SHOWN].sum((1, 2, 3)) > 0)
    changed = (before.argmax(1) != after.argmax(1))[shown]
    _by_turn(seen, shown, changed, "changed", curves)
    share = float(changed.mean()) if len(changed) else 0.0
    half = 1.96 * (share * (1 - share) / max(1, len(changed))) ** 0.5
    measured = {"changed": share, "half interval": half}
    return Behaviour(
        "sniper",
        f"without what others have shown not to hold, at least {CHANGED:.0%} of plays change",
        measured,
        share - half >= CHANGED,
        int(shown.sum()),
    )


def _panic(
    seen: tables.Experience,
    plays: NDArray[np.bool_],
    ask: Callable[[Floats, Floats], Said],
    curves: dict[str, list[float]],
) -> Behaviour:
    """The dealer, who pays double, plays higher cards."""
    own = seen.features.copy()
    own[:, DEALER] = (1, 0, 0, 0)
    other = own.copy()
    other[:, DEALER] = (0, 0, 1, 0)
    _, as_dealer = ask(seen.planes, own)
    _, as_other = ask(seen.planes, other)
    shift = ((as_dealer - as_other) @ RANKS)[plays]
    changed = (as_dealer.argmax(1) != as_other.argmax(1))[plays]
    _by_turn(seen, plays, shift, "shift", curves)
    half = 1.96 * float(shift.std()) / max(1, len(shift)) ** 0.5
    measured = {"rank shift": float(shift.mean()), "half interval": half, "changed": float(changed.mean())}
    return Behaviour(
        "panic",
        f"as the dealer the mean rank that is played rises by at least {SHIFT:g}",
        measured,
        measured["rank shift"] - half >= SHIFT,
        int(plays.sum()),
    )


def _cliff(seen: tables.Experience, ask: Callable[[Floats, Floats], Said], curves: dict[str, list[float]]) -> Behaviour:
    """The value falls faster from 40 sunk points on."""
    curve, highest = [], []
    for points in STEPS:
        other = seen.features.copy()
        other[:, SUNK] = points / 50
        values, shares = ask(seen.planes, other)
        curve.append(float(values.mean()))
        highest.append(float((shares @ RANKS).mean()))
    at = dict(zip(STEPS, curve, strict=True))
    before, near, past = (at[40] - at[20]) / 20, (at[50] - at[40]) / 10, (at[60] - at[50]) / 10
    curves |= {"sunk": [float(one) for one in STEPS], "value": curve, "rank": highest}
    ratio = near / before if before else 0.0
    measured = {"slope 20-40": before, "slope 40-50": near, "slope 50-60": past, "ratio": ratio}
    return Behaviour(
        "cliff",
        f"the value falls at least {BREAK:g} times as fast from 40 to 50 sunk points as from 20 to 40",
        measured,
        before < 0 and ratio >= BREAK,
        len(seen),
    )


def report(folder: Path) -> tuple[dict[str, Any], list[Path], str]:
    """Writes behaviours.md and, with matplotlib, a picture of each; what was found, the files, what is missing."""
    found = behaviours()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "behaviours.md"
    with whole_file(path) as temporary:
        temporary.write_text(found.to_markdown(), encoding="utf-8")
    try:
        return found.to_json(), [path, *_drawn(found, folder)], ""
    except ImportError as error:
        return found.to_json(), [path], str(error)


PICTURES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "sniper": (("changed turn", "changed", "plays that change without inference"),),
    "panic": (("shift turn", "shift", "ranks higher as the dealer"),),
    "cliff": (("sunk", "value", "value, in points"), ("sunk", "rank", "mean rank of the card")),
}
"""By behaviour, for each plot: what lies along it, what is shown, its title."""
ALONG = {"changed turn": "turn of the deal", "shift turn": "turn of the deal", "sunk": "sunk points, all else equal"}


def _drawn(found: Behaviours, folder: Path) -> list[Path]:
    require_matplotlib()
    from matplotlib.figure import Figure

    out = []
    for name, plots in PICTURES.items():
        figure = Figure(figsize=(3.6 * len(plots), 3.6), layout="constrained")
        for number, (along, what, title) in enumerate(plots):
            axes = figure.add_subplot(1, len(plots), number + 1)
            axes.plot(found.curves[along], found.curves[what], marker="o", color=CURVES[number])
            if name != "cliff":
                axes.axhline({"sniper": CHANGED, "panic": SHIFT}[name], color=PALE, linewidth=0.8, linestyle="--")
                axes.set_ylim(bottom=min(0.0, *found.curves[what]))
            for edge in (40, 50) if name == "cliff" else ():
                axes.axvline(edge, color=PALE, linewidth=0.8, linestyle="--")
            axes.set_xlabel(ALONG[along], color=INK)
            axes.set_title(title, color=INK, fontsize=10)
        for kind in ("svg", "png"):
            metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
            out.append(folder / f"{name}.{kind}")
            figure.savefig(out[-1], format=kind, dpi=140, metadata=metadata)
    return out
