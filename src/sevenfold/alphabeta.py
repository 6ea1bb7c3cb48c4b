"""The players `alphabeta` and `greedy`: depth-first search with an evaluation at its horizon (cpp/search/alphabeta.h,
docs/methods/alphabeta.md)."""

import time
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from sevenfold import _core
from sevenfold._core import State
from sevenfold.evaluation import evaluation
from sevenfold.limits import UNLIMITED, check_least, check_memory, seconds_left
from sevenfold.options import shown
from sevenfold.perft import run_watched
from sevenfold.players import ActionView, Player, SearchResult

DEEPEST = 200
LOSSLESS = ("deepening", "table", "order", "killers", "history", "pvs", "aspiration", "star", "independent")
FORWARD = ("razor", "self_loss", "probability")
CHANCE = ("sampling", "expectation", "guess")
HORIZON = ("quiet", "plans")
STEPS = LOSSLESS + FORWARD + CHANCE + HORIZON
"""The steps that are switched on and off by their names, in the order of the documentation."""
NEEDS = {
    "order": "order",
    "independent": "independent",
    "self_loss": "handicap",
    "star": "chance",
    "sampling": "chance",
    "expectation": "typical",
    "guess": "chance_for",
    "quiet": "quiet",
    "plans": "quiet",
}
"""The ability of the game that a step needs."""
NUMBERS: tuple[str, ...] = ("margin", "growth", "first_plies", "ending", "ending_factor", "razor_from", "razor_depth")
NUMBERS += ("self_loss_share", "self_loss_depth", "self_loss_repeats", "least_probability", "window", "boost")
NUMBERS += ("samples", "sampling_depth", "quiet_plies", "most_worlds", "processor")
"""The options that are the core's by the same name, next to the steps."""
RANGES: dict[str, tuple[float, float | None]] = {
    "seconds": (0, None),
    "nodes": (1, None),
    "depth": (1, DEEPEST),
    "memory": (1, None),
    "worlds": (1, 1000),
    "most_worlds": (1, 1000),
    "quiet_plies": (1, 100_000),
    "samples": (1, 100_000),
    "sampling_depth": (0, DEEPEST),
    "margin": (0, None),
    "growth": (0, None),
    "first_plies": (0, DEEPEST),
    "ending": (0, None),
    "ending_factor": (0, None),
    "razor_from": (1, DEEPEST),
    "razor_depth": (1, DEEPEST),
    "self_loss_share": (0, None),
    "self_loss_depth": (1, DEEPEST),
    "self_loss_repeats": (0, DEEPEST),
    "least_probability": (0.9, 1),
    "window": (0, None),
    "boost": (0, 100),
}
"""The least and the most of each option that is a number; the most memory is check_memory's."""


def _steps(*names: str) -> dict[str, bool]:
    return {step: step in names for step in STEPS}


PRESETS: dict[str, dict[str, bool]] = {
    "default": _steps(*LOSSLESS, "sampling", *HORIZON),
    "plain": _steps("deepening"),
    "razor": _steps("deepening", "razor"),
    "self_loss": _steps("deepening", "self_loss"),
    "hybrid": _steps("deepening", "razor", "self_loss"),
    "full": _steps(*LOSSLESS, *FORWARD, "sampling", *HORIZON),
    "document": _steps("deepening", "order", "independent", *FORWARD, *CHANCE),
}
"""Which steps a preset switches on. All but `default` and `full` are the founding document's."""
STRICT = ("razor", "self_loss", "hybrid")
"""Presets that are nothing without their steps; the others leave out what a game does not offer."""


@dataclass
class AlphaBetaPlayer(Player):
    """Alpha-beta with an evaluation at the horizon, for any game that has one."""

    name: ClassVar[str] = "alphabeta"
    seconds: float | None = None
    """Time per decision; one second where no limit is given."""
    nodes: int | None = None
    depth: int | None = None
    """Plies looked ahead; chance counts none."""
    evaluation: Literal["auto", "heuristic", "linear", "zero"] = "auto"
    """At the horizon: the game's own heuristic, its terms with fitted weights, or nothing; auto: the weights where
    there are some."""
    weights: str | None = None
    """With evaluation=linear: a file of weights instead of the room's."""
    preset: Literal["default", "plain", "razor", "self_loss", "hybrid", "full", "document"] = "default"
    """Which steps are on where they are not named."""
    deepening: bool | None = None
    """Step: depth 1, 2, 3 …, the last principal variation first."""
    table: bool | None = None
    """Step: results are kept by the hash of the position."""
    order: bool | None = None
    """Step: the game's expert ordering, from the previous action."""
    killers: bool | None = None
    """Step: actions that have just refuted a brother position come early; see boost."""
    history: bool | None = None
    """Step: actions that often refute come early; see boost."""
    pvs: bool | None = None
    """Step: null windows for all but the first action."""
    aspiration: bool | None = None
    """Step: a small window around the last value at the root."""
    star: bool | None = None
    """Step: chance nodes are left as soon as they are out of the window."""
    independent: bool | None = None
    """Step: order-independent actions come first and are not looked at again after others."""
    razor: bool | None = None
    """Step: what looks bad, V + R < alpha, is searched less deeply."""
    self_loss: bool | None = None
    """Step: what looks too good, V + R > beta, is cut if it stays so after giving something away."""
    probability: bool | None = None
    """Step: razor and self_loss happen with a probability."""
    sampling: bool | None = None
    """Step: chance nodes are valued by a few samples."""
    expectation: bool | None = None
    """Step: dice are replaced by their typical outcome."""
    guess: bool | None = None
    """Step: the others' draws and dice are replaced by a fixed guess."""
    quiet: bool | None = None
    """Step: what is half done at the horizon is played on by the evaluation alone before it is valued."""
    plans: bool | None = None
    """Step under hidden information: the own actions in a row are chosen once for all worlds; needs quiet."""
    margin: float = 0.1
    """R at depth 1, as a share of half the range of returns."""
    growth: float = 0.05
    """What R grows by with each further ply."""
    first_plies: int = 2
    """No forward pruning in the first plies."""
    ending: float = 0.8
    """From this |V| on a game is near its end …"""
    ending_factor: float = 2.0
    """… and razor's R is multiplied by this, self_loss's divided: both prune less."""
    razor_from: int = 2
    """Remaining plies from which on razor is tried."""
    razor_depth: int = 1
    """Plies that razor takes off."""
    self_loss_share: float = 0.5
    """Of R; a cautious program takes a half of it."""
    self_loss_depth: int = 3
    """Plies that self_loss takes off: 2 or 3."""
    self_loss_repeats: int = 2
    """How often in a row something is given away."""
    least_probability: float = 0.9
    """At the boundary; further away it rises to 1."""
    window: float = 0.1
    """Of aspiration, to each side, as a share of half the range of returns."""
    boost: float = 0.0
    """How far killers and history move an action up where the game has an ordering of its own, as a share of the
    list; without one they order alone."""
    samples: int = 8
    """Per chance node; one with fewer outcomes is looked at whole."""
    sampling_depth: int = 1
    """Plies that a sampled chance node takes off: 1 or 2."""
    quiet_plies: int = 200
    """At most, to a quiet position."""
    several: Literal["paranoid", "maxn"] = "paranoid"
    """More than two players: all others are one opponent, or everyone for itself."""
    hidden: Literal["redeal", "guess"] = "redeal"
    """Hidden information: sampled worlds, or one fixed guess."""
    worlds: int = 8
    """With hidden=redeal: how many; with plans, how many at first."""
    most_worlds: int = 256
    """With plans: as many at most."""
    reuse: bool = True
    """Whether the table is kept from one decision to the next."""
    memory: int = 64
    """Megabytes for the table."""
    processor: bool = False
    """Seconds are those of the processor instead of the clock's, for measurements on a busy machine."""

    _search: _core.AlphaBeta | None = field(default=None, init=False, repr=False)
    _ranking: _core.AlphaBeta | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._check()
        if self.seconds is None and self.nodes is None and self.depth is None:
            self.seconds = 1.0
        self._evaluation = evaluation(self.game, self.evaluation, self.weights)
        self.steps = {step: self._is_on(step) for step in STEPS}
        if self.probability and not (self.steps["razor"] or self.steps["self_loss"]):
            raise ValueError("alphabeta: probability is about razor and self_loss, and neither is on.")

    def _check(self) -> None:
        check_least(self, {key: least for key, (least, _) in RANGES.items()})
        check_memory(self)
        for key, (_, most) in RANGES.items():
            value = getattr(self, key)
            if value is not None and most is not None and value > most:
                raise ValueError(f"alphabeta: {key} must be at most {most}, not {shown(value)}.")
        if self.game.has_hidden_information and "redeal" not in self.game.abilities:
            raise ValueError(f"alphabeta needs the ability 'redeal', which {self.game.name} does not offer.")
        if self.deepening is False and self.depth is None:
            raise ValueError("alphabeta: deepening=false needs a depth.")
        if self.deepening is False and (self.seconds is not None or self.nodes is not None):
            raise ValueError("alphabeta: deepening=false goes to its depth at once, and cannot keep seconds or nodes.")
        self._check_idle()

    def _check_idle(self) -> None:
        """ValueError for a step that is asked for where it can do nothing."""
        everyone = self.game.players > 2 or (self.game.players == 2 and self.game.sum != "zero")
        if everyone and self.several == "maxn":
            for step in ("table", "pvs", "aspiration", "star", *FORWARD, *HORIZON):
                if getattr(self, step):
                    raise ValueError(f"alphabeta: {step} cuts nothing with several=maxn; several=paranoid can use it.")
        if self.aspiration and self.deepening is False:
            raise ValueError("alphabeta: aspiration needs deepening, whose last value its window is around.")

    def _is_on(self, step: str) -> bool:
        """Whether a step is on: as asked, else as the preset has it. ValueError where a step is asked for that the
        game does not allow."""
        asked: bool | None = getattr(self, step)
        on = PRESETS[self.preset][step] if asked is None else asked
        if not on:
            return False
        strict = asked or self.preset in STRICT
        ability = NEEDS.get(step)
        if ability is not None and ability not in self.game.abilities:
            if strict:
                raise ValueError(
                    f"alphabeta: {step} needs the ability '{ability}', which {self.game.name} does not offer."
                )
            return False
        if step in ("razor", "self_loss") and self._evaluation.kind == "zero":
            if strict:
                raise ValueError(f"alphabeta: {step} needs an evaluation, which evaluation=zero is not.")
            return False
        if step == "plans" and not self._may_plan():
            if strict:
                raise ValueError("alphabeta: plans needs the step quiet, hidden information, and hidden=redeal.")
            return False
        return True

    def _may_plan(self) -> bool:
        return self._is_on("quiet") and self.game.has_hidden_information and self.hidden == "redeal"

    def reset(self) -> None:
        """Forgets the table."""
        self._search = self._ranking = None

    def think(self, state: State) -> SearchResult:
        """Searches until a limit is reached or the value is proven."""
        start = time.perf_counter()
        self._legal(state)
        if self._search is None or not self.reuse:
            self._search = _core.AlphaBeta(state, self._options(every=False), self._evaluation)
        return self._run(self._search, state, start)

    def rank(self, state: State) -> list[ActionView]:
        """The value of every legal action, none of them a bound only."""
        start = time.perf_counter()
        self._legal(state)
        if self._ranking is None or not self.reuse:
            self._ranking = _core.AlphaBeta(state, self._options(every=True), self._evaluation)
        return self._run(self._ranking, state, start).actions

    def _options(self, every: bool) -> _core.AlphaBetaOptions:
        """The core's options; every: the value of each root action, not only of the best."""
        out = _core.AlphaBetaOptions()
        for step, on in self.steps.items():
            setattr(out, step, on)
        for key in NUMBERS:
            setattr(out, key, getattr(self, key))
        out.several = self.several
        if self.game.has_hidden_information:
            out.worlds = self.worlds if self.hidden == "redeal" else -1
        out.memory = self.memory << 20
        out.seed = self.seed & (2**64 - 1)
        out.every = every
        return out

    def _run(self, search: _core.AlphaBeta, state: State, start: float) -> SearchResult:
        limit = seconds_left(self.seconds, start)
        report = run_watched(
            lambda watch: search.run(state, limit, self.nodes or UNLIMITED, self.depth or DEEPEST, watch),
            self.progress,
        )
        policy, visits = [0.0] * self.game.actions, [0] * self.game.actions
        policy[report.action] = 1.0
        for one in report.actions:
            visits[one.action] = one.visits
        return SearchResult(
            report.action,
            policy,
            report.values[: self.game.players],
            pv=report.pv,
            visits=visits,
            proven=report.proven,
            nodes=report.nodes,
            seconds=report.seconds,
            actions=[
                ActionView(
                    one.action, one.visits, one.value if one.visits else None, None, one.proven, one.pv, bound=one.bound
                )
                for one in report.actions
            ],
            memory=report.bytes,
            depth=report.depth,
            method=report.method,
            steps=dict(report.counts),
        )


@dataclass
class GreedyPlayer(Player):
    """Takes the action with the best evaluation right after it; looks one ply ahead."""

    name: ClassVar[str] = "greedy"
    evaluation: Literal["auto", "heuristic", "linear"] = "auto"
    weights: str | None = None

    def __post_init__(self) -> None:
        self._inner = AlphaBetaPlayer(
            self.game,
            seed=self.seed,
            depth=1,
            evaluation=self.evaluation,
            weights=self.weights,
            table=False,
            quiet=False,
            plans=False,
        )

    def think(self, state: State) -> SearchResult:
        """The best evaluation among the actions."""
        return self._inner.think(state)

    def rank(self, state: State) -> list[ActionView]:
        """The evaluation after every action."""
        return self._inner.rank(state)
