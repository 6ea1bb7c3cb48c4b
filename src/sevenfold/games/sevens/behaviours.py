"""The founding document's three expected behaviours, as hypotheses with a test: `sevenfold report sevens-behaviours`.

Each is an intervention at identical information states: the same decisions, once as they are and once with one thing
changed, and what the net without a search then does, or, where rules are changed, a search without a net
(interventions.py). The thresholds are fixed here, before anything is measured; a hypothesis that they do not bear out
is reported as not observed.

  sniper   what others have shown not to hold is taken away (planes 10-12, with timed 10-15, zeroed): how many plays
           change
  withhold how much more often a card is held back that another has shown not to hold, so that its row stays closed to
           one who waits for it, than such a card at other decisions that are alike: the same rank, as many legal cards,
           the same part of the deal, own cards behind it or none
  panic    the dealer is the mover, or the seat opposite (features 4-7): how much higher a card is played as the dealer
  cliff    sunk points are another number (feature 10): how the value falls along them, and whether it breaks at 40
  dealer_rule, threshold_rule
           the dealer, or a penalty above the threshold, pays once instead of double: how many decisions of a search
           change, of the dealer, and of those with 25 to 50 sunk points

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
from sevenfold.games.sevens.interventions import Intervention, intervene
from sevenfold.plot import CURVES, INK, PALE, require_matplotlib
from sevenfold.seeds import seed_of
from sevenfold.train import tables

Floats = NDArray[np.float32]
Said = tuple[Floats, Floats]
"""Values of the mover [N], in points; probabilities [N, actions]."""

RANKS = np.tile(np.arange(1, 14), 4)
HAND, LEGAL, FRONTIER, SHOWN, DEALER, TURN, MUST_COVER, SUNK = 0, 2, 3, slice(10, 13), slice(4, 8), 8, 9, 10
INFERRED = slice(10, 16)
"""What others have shown, by covering and by what they left alone; of obs24 the first three alone."""
BANDS = tuple(range(0, 52, 8))
"""Turns from which on a band of decisions begins."""
CHANGED, SHIFT, BREAK, WITHHELD = 0.10, 0.25, 1.5, 0.05
"""Thresholds: the share of changed decisions; ranks; the slope from 40 to 50 sunk points by that from 20 to 40; how
much more often a card is held back."""
SEARCHED = 2
"""One deal for so many of the net's is searched: a search takes longer."""
RESAMPLES = 400
"""Of the bootstrap over deals."""
STEPS = tuple(range(0, 71, 5))
WITHHOLDING = f"a card that another has shown not to hold is held back at least {WITHHELD:.0%} more often"


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
    """All of them, and the curves behind them."""

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
    found = [_sniper(seen, plays, ask, curves), _withhold(seen, plays, ask, curves, rng)]
    found += [_panic(seen, plays, ask, curves), _cliff(seen, ask, curves)]
    searched = max(2, deals // SEARCHED)
    found.append(_by_rule("dealer_rule", intervene(rules, "mult_dealer_loses", searched, seed), curves))
    found.append(_by_rule("threshold_rule", intervene(rules, "mult_threshold", searched, seed), curves))
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


def matched(
    held: NDArray[np.float64],
    hungry: NDArray[np.bool_],
    alike: NDArray[np.int64],
    deals: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[float, float]:
    """How much more is held back where somebody waits than in matched rows (equal rows of `alike`), over those where
    somebody waits; and its standard error, by drawing deals anew."""
    kind = np.unique(alike, axis=0, return_inverse=True)[1].reshape(-1)
    which = np.unique(deals, return_inverse=True)[1].reshape(-1)
    kinds, count = int(kind.max()) + 1, int(which.max()) + 1

    def difference(weight: NDArray[np.float64]) -> float:
        of = [np.bincount(kind[rows], weight[rows], kinds) for rows in (hungry, ~hungry)]
        sums = [np.bincount(kind[rows], (weight * held)[rows], kinds) for rows in (hungry, ~hungry)]
        both = (of[0] > 0) & (of[1] > 0)
        if not both.any():
            return 0.0
        return float(np.average(sums[0][both] / of[0][both] - sums[1][both] / of[1][both], weights=of[0][both]))

    draws = [
        difference(np.bincount(rng.integers(0, count, count), minlength=count)[which].astype(np.float64))
        for _ in range(RESAMPLES)
    ]
    return difference(np.ones(len(held))), float(np.std(draws))


def _withhold(
    seen: tables.Experience,
    plays: NDArray[np.bool_],
    ask: Callable[[Floats, Floats], Said],
    curves: dict[str, list[float]],
    rng: np.random.Generator,
) -> Behaviour:
    """A card that somebody waits for is held back."""
    _, shares = ask(seen.planes, seen.features)
    legal = (seen.planes[:, LEGAL] > 0).reshape(len(seen), -1)
    some = plays & (legal.sum(1) > 1)
    rows, cards = np.nonzero(legal & some[:, None])
    hungry = seen.planes[:, SHOWN].max(1).reshape(len(seen), -1)[rows, cards] > 0
    hand = seen.planes[:, HAND] > 0
    below: NDArray[Any] = np.cumsum(hand, 2) - hand
    above: NDArray[Any] = np.cumsum(hand[:, :, ::-1], 2)[:, :, ::-1] - hand
    behind = np.where(np.arange(13) < 6, below, np.where(np.arange(13) > 6, above, below + above)).reshape(
        len(seen), -1
    )
    turn = (seen.features[:, TURN] * 52 + 0.5).astype(np.int64)[rows] // BANDS[1]
    number = np.minimum(legal.sum(1)[rows], 5)
    alike = np.stack([cards % 13, number, turn, behind[rows, cards] > 0], 1).astype(np.int64)
    held = 1.0 - shares[rows, cards].astype(np.float64)
    if not hungry.any():
        return Behaviour("withhold", WITHHOLDING, {"held back": 0.0, "half interval": 0.0}, False, 0)
    mean, error = matched(held, hungry, alike, seen.games[rows], rng)
    told = {
        rank: matched(held[at], hungry[at], alike[at], seen.games[rows][at], rng)[0]
        for rank in range(13)
        if hungry[at := cards % 13 == rank].sum() >= 20
    }
    curves |= {"held rank": [rank + 1.0 for rank in told], "held back": list(told.values())}
    half = 1.96 * error
    measured = {"held back": mean, "half interval": half}
    return Behaviour("withhold", WITHHOLDING, measured, mean - half >= WITHHELD, int(hungry.sum()))


def _by_rule(name: str, found: Intervention, curves: dict[str, list[float]]) -> Behaviour:
    """How many decisions of a search change."""
    count = len(found.changed)
    share = float(found.changed.mean()) if count else 0.0
    half = 1.96 * (share * (1 - share) / max(1, count)) ** 0.5
    along, first, step = (found.turn, 0, 8) if name == "dealer_rule" else (found.sunk, 25, 5)
    bands = {edge: found.changed[(along >= edge) & (along < edge + step)] for edge in range(first, 56, step)}
    told = {edge: float(band.mean()) for edge, band in bands.items() if len(band)}
    curves |= {f"{name} along": [float(edge) for edge in told], f"{name} changed": list(told.values())}
    who = "the dealer paid once" if name == "dealer_rule" else "no penalty paid double, with 25 to 50 sunk points"
    measured = {"changed": share, "half interval": half}
    if name == "dealer_rule":
        measured["rank shift"] = float(found.shift.mean()) if count else 0.0
    hypothesis = f"if {who}, at least {CHANGED:.0%} of a search's decisions would change"
    return Behaviour(name, hypothesis, measured, share - half >= CHANGED, count)


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
    shift = highest[STEPS.index(50)] - highest[STEPS.index(20)]  # the document expects that high cards go first then
    measured = {"slope 20-40": before, "slope 40-50": near, "slope 50-60": past, "ratio": ratio, "rank shift": shift}
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
    "withhold": (("held rank", "held back", "held back where somebody waits"),),
    "panic": (("shift turn", "shift", "ranks higher as the dealer"),),
    "cliff": (("sunk", "value", "value, in points"), ("sunk", "rank", "mean rank of the card")),
    "dealer_rule": (("dealer_rule along", "dealer_rule changed", "change if the dealer pays once"),),
    "threshold_rule": (("threshold_rule along", "threshold_rule changed", "change without the threshold"),),
}
"""By behaviour, for each plot: what lies along it, what is shown, its title."""
ALONG = {
    "changed turn": "turn of the deal",
    "held rank": "rank of the card",
    "shift turn": "turn of the deal",
    "sunk": "sunk points, all else equal",
    "dealer_rule along": "turn of the deal",
    "threshold_rule along": "sunk points",
}
LINE = {"sniper": CHANGED, "withhold": WITHHELD, "panic": SHIFT, "dealer_rule": CHANGED, "threshold_rule": CHANGED}
"""What a mean must reach."""


def _drawn(found: Behaviours, folder: Path) -> list[Path]:
    require_matplotlib()
    from matplotlib.figure import Figure

    out = []
    for name, plots in PICTURES.items():
        figure = Figure(figsize=(3.6 * len(plots), 3.6), layout="constrained")
        for number, (along, what, title) in enumerate(plots):
            axes = figure.add_subplot(1, len(plots), number + 1)
            axes.plot(found.curves[along], found.curves[what], marker="o", color=CURVES[number])
            if name in LINE:
                axes.axhline(LINE[name], color=PALE, linewidth=0.8, linestyle="--")
                axes.set_ylim(bottom=1.1 * min([0.0, *found.curves[what]]))
            for edge in (40, 50) if name == "cliff" else ():
                axes.axvline(edge, color=PALE, linewidth=0.8, linestyle="--")
            axes.set_xlabel(ALONG[along], color=INK)
            axes.set_title(title, color=INK, fontsize=10)
        for kind in ("svg", "png"):
            metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
            out.append(folder / f"{name}.{kind}")
            figure.savefig(out[-1], format=kind, dpi=140, metadata=metadata)
    return out
