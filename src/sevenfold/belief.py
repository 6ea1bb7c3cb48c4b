"""The player `belief`: tree search of one player who does not see everything, without a net (cpp/search/belief.h,
docs/methods/belief.md). With a net the same search is what `alphazero` does under hidden information.

Each simulation plays in one world that fits what the player has seen; the others act by the game's own quick policy on
what they see in that world; values are found by playing on by that policy.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from sevenfold import _core
from sevenfold._core import State
from sevenfold.alphazero import tempered
from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluator
from sevenfold.limits import UNLIMITED, check_least, check_memory, seconds_left
from sevenfold.options import shown
from sevenfold.perft import Enough, run_watched
from sevenfold.players import ActionView, Player, SearchResult

SHARED: tuple[str, ...] = ("opponents", "fpu", "worlds", "least_share", "doubt", "even", "race")
SHARED += ("paired", "spread", "forced", "priors", "policy")
"""The options that are the core's by the same name."""
FEW = 64
"""Simulations where there is one legal action: enough to say what the position is worth."""
FLIGHTS = 256
"""Simulations under way at once where they are played to the end by a net."""
STIR = 64
"""Small changes tried for each world that is looked for."""
FOR_WORLDS = 0.5
"""The share of the time that looking for worlds may take."""
PROGRESS = 0.02
"""Seconds between two calls of `progress`."""


@dataclass
class BeliefPlayer(Player):
    """Searches its own decisions in worlds that fit what it has seen."""

    name: ClassVar[str] = "belief"
    seconds: float | None = None
    """Time per decision; one second where no limit is given."""
    simulations: int | None = None
    nodes: int | None = None
    """The same as simulations."""
    opponents: Literal["policy", "uniform", "puct"] = "policy"
    """How the others act: by the game's own quick policy, at random, or by a search of their own (information-set
    tree search)."""
    weigh: Literal["auto", "off", "policy"] = "auto"
    """Step: worlds count by how likely the others' actions so far are in them, under the game's policy; auto: where
    the game offers `odds` and `rewind`."""
    worlds: int = 256
    """With weigh: as many are weighed."""
    stir: int | None = None
    """Step with weigh=policy: likely worlds are looked for by so many small changes for each world; 0: worlds are
    drawn, and weighed. None: 64 where the game offers `stir`, else 0."""
    least_share: float = 0.1
    """With weigh: worlds count for at least this share of their number; weights are flattened until they do."""
    doubt: float = 0.1
    """With weigh: the share of actions that are taken for any legal one."""
    exploration: float = 1.0
    """The constant c of PUCT, in deviations of the results."""
    fpu: float = 0.0
    """An action not tried is taken for so many deviations less than its node."""
    even: float = 0.0
    """Step: the root's actions with at least this share of the best prior are tried equally often, and the one with the
    best results is taken; 0: by the formula."""
    race: float = 0.0
    """Step with even: an action falls out whose mean is so many standard errors below the best one's; 0: none does."""
    least: int = 0
    """Each action of the root is tried at least so often, whatever priors and results say of it; for reviews."""
    temperature: float = 0.0
    """0: the most visited action; above: one drawn with the share N^(1/temperature) of its visits N."""
    noise_alpha: float = 0.0
    """Dirichlet noise at the root: its alpha; 0: no noise."""
    noise_share: float = 0.25
    paired: bool = True
    """Step: every action is tried in the same worlds, in the same order."""
    spread: bool = True
    """Step: values are measured by their own deviation, not by the range of returns."""
    forced: bool = True
    """Step: a single legal action is played without a search."""
    priors: bool = True
    """Step: priors by the game's odds, where it offers them."""
    policy: bool = True
    """Step: simulations are played on by the game's own rollout policy."""
    memory: int = 256
    """Megabytes for the tree; a full tree goes on searching without growing."""

    _search: _core.BeliefSearch | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        least: dict[str, float] = {
            "seconds": 0,
            "simulations": 1,
            "nodes": 1,
            "worlds": 1,
            "exploration": 0,
            "stir": 0,
            "race": 0,
            "least": 0,
        }
        check_least(self, least | {"temperature": 0, "noise_alpha": 0, "memory": 1})
        check_memory(self)
        for key in ("least_share", "doubt", "noise_share", "even"):
            if not 0 <= (share := getattr(self, key)) <= 1:
                raise ValueError(f"belief: {key} must be from 0 to 1, not {shown(share)}.")
        if not math.isfinite(self.fpu):
            raise ValueError(f"belief: fpu must be a number, not {shown(self.fpu)}.")
        for key in ("worlds", "least"):
            if getattr(self, key) > 65536:
                raise ValueError(f"belief: {key} must be at most 65536, not {shown(getattr(self, key))}.")
        if self.stir is not None and self.stir > 65536:
            raise ValueError(f"belief: stir must be at most 65536, not {shown(self.stir)}.")
        if self.seconds is None and self.simulations is None and self.nodes is None:
            self.seconds = 1.0
        self._options = belief_options(self, self.weigh, "policy")
        usual = STIR if "stir" in self.game.abilities and self._options.weigh == "policy" else 0
        self._options.stir = usual if self.stir is None else self.stir
        self._options.exploration = self.exploration
        for key in SHARED:
            setattr(self._options, key, getattr(self, key))
        _core.BeliefSearch(self.game.new(), self._options)  # what the game lacks is said before the first move

    def reset(self) -> None:
        """Begins a new game."""
        self._search = None

    def think(self, state: State) -> SearchResult:
        """Searches until a limit is reached."""
        start = time.perf_counter()
        legal = self._legal(state)
        if self._search is None:
            self._options.least = self.least
            self._search = _core.BeliefSearch(state, self._options)
        search = self._search
        try:
            search.reset(state)
            # The same decision of the same game is thought about in the same way, whatever was thought about before.
            search.seed(seed_at(self, state))
            if self.noise_alpha > 0 and self.noise_share > 0:
                search.run(0.0, 1, 1, _core.Watch())
                search.add_noise(self.noise_alpha, self.noise_share)
            limit = seconds_left(self.seconds, start)
            most = min(self.simulations or UNLIMITED, FEW if self.forced and len(legal) == 1 else UNLIMITED)
            report = run_watched(
                lambda watch: search.run(limit, most, self.nodes or UNLIMITED, watch),
                self.progress,
            )
        except BaseException:
            self.reset()
            raise
        return belief_result(self, state, report, self.temperature, start)


@dataclass
class PimcPlayer(Player):
    """Tries every action in many worlds, as if each were the real one, and takes the best mean."""

    name: ClassVar[str] = "pimc"
    seconds: float | None = None
    """Time per decision; one second where no limit is given."""
    worlds: int | None = None
    """As many worlds at most."""
    simulations: int | None = None
    """As many tries of an action at most; each world takes one for every action."""
    search: int = 0
    """Each world is searched by so many simulations per action, as if everybody saw it; 0: one game is played on."""
    policy: bool = True
    """Step: games are played on by the game's own quick policy, where it has one."""

    _search: _core.Pimc | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check_least(self, {"seconds": 0, "worlds": 1, "simulations": 1, "search": 0})
        if self.search > 10**9:
            raise ValueError(f"pimc: search must be at most 1000000000, not {shown(self.search)}.")
        if self.seconds is None and self.worlds is None and self.simulations is None:
            self.seconds = 1.0
        self._options = _core.PimcOptions()
        self._options.search, self._options.policy = self.search, self.policy
        _core.Pimc(self.game.new(), self._options)  # what the game lacks is said before the first move

    def think(self, state: State) -> SearchResult:
        """The action with the best mean over worlds."""
        start = time.perf_counter()
        legal = self._legal(state)
        if self._search is None:
            self._search = _core.Pimc(state, self._options)
        search = self._search
        search.seed(seed_at(self, state))
        most = min(self.simulations or UNLIMITED, (self.worlds or UNLIMITED) * len(legal))
        most = min(most, FEW) if len(legal) == 1 else most
        limit = seconds_left(self.seconds, start)
        report = run_watched(lambda watch: search.run(state, limit, most, watch), self.progress)
        return belief_result(self, state, report, 0.0, start)


def belief_options(player: Player, weigh: str, auto: str) -> _core.BeliefOptions:
    """What the players with this search share; `auto` is how worlds are weighed where the game allows."""
    options = _core.BeliefOptions()
    if weigh == "auto":
        able = {"rewind"} | ({"odds"} if auto == "policy" else set())
        weigh = auto if able <= set(player.game.abilities) else "off"
    options.weigh = weigh
    options.memory = int(getattr(player, "memory", 256)) << 20
    options.seed = player.seed & (2**64 - 1)
    return options


def seed_at(player: Player, state: State) -> int:
    """The seed of the thoughts about a position, from the player's own and how far the game is."""
    return (player.seed * 1_000_003 + len(state.history)) & (2**64 - 1)


def drive(
    player: Player,
    search: _core.BeliefSearch,
    evaluator: Evaluator | _core.RowsNet,
    batch: int,
    most: int,
    until: Callable[[], float],
) -> None:
    """Simulations by an evaluator, up to `most` of them, or while `until` has seconds left. A native net needs no
    Python in between, but now and then a look at the clock and at who waits."""
    looked, slowest, last, given = time.perf_counter(), 0.0, -1, until()
    search.plan(most)
    search.stir_within(given * FOR_WORLDS)
    while not search.done and (left := until()) > slowest:
        now, simulates = time.perf_counter(), search.weighed  # looking for worlds has a limit of its own
        if left < given / 2:
            search.weighed_enough()
        if isinstance(evaluator, _core.RowsNet):
            if not search.fly(evaluator, batch, min(PROGRESS, left / 2)):
                break
            done = search.report().simulations
        else:
            waiting = Batch(*search.collect(batch))
            done = search.report().simulations
            if not len(waiting) and done == last and search.weighed:
                break  # every simulation ends in what is known
            if len(waiting):
                search.resume(*evaluator.evaluate(waiting))
        last = done
        if simulates:
            slowest = max(slowest, time.perf_counter() - now)
        if player.progress and now - looked >= PROGRESS:
            looked = now
            try:
                player.progress(done)
            except Enough:
                break


def candidates(search: _core.BeliefSearch, even: float) -> int:
    """Actions of the root that the priors do not rule out."""
    priors = [one.prior for one in search.report().actions]
    return sum(one >= even * max(priors) for one in priors)


def belief_result(
    player: Player, state: State, report: _core.SearchReport, temperature: float, start: float
) -> SearchResult:
    """What the search found."""
    policy, visits = [0.0] * player.game.actions, [0] * player.game.actions
    for one in report.actions:
        policy[one.action], visits[one.action] = one.share, one.visits
    action = report.action
    if temperature:
        policy = tempered(policy, temperature)
        action = random.Random(seed_at(player, state)).choices(range(len(policy)), policy)[0]
    return SearchResult(
        action,
        policy,
        report.values[: player.game.players],
        pv=[action],
        visits=visits,
        nodes=report.simulations,
        seconds=time.perf_counter() - start,
        actions=[
            ActionView(one.action, one.visits, one.value if one.visits else None, one.prior, pv=[one.action])
            for one in report.actions
        ],
        memory=report.bytes,
        method=report.method,
        steps=dict(report.counts),
    )
