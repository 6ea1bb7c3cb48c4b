"""The players `alphazero`, a tree search guided by a net, and `policy`, the net alone (docs/methods/alphazero.md).

The search is cpp/search/mcts.h with its leaves valued outside, in batches:

    1. Collect.  Walks down the tree by PUCT, until enough new positions wait or the limit is near.
    2. Evaluate. One call of the net for all of them: a value per player, a prior per action.
    3. Resume.   The values travel up, the priors go to the new edges.

D. Silver et al., Mastering the game of Go without human knowledge (2017); A general reinforcement learning algorithm
that masters chess, shogi, and Go through self-play (2018). I. Danihelka et al., Policy improvement by planning with
Gumbel (2022), for `root=gumbel`.

Under hidden information the search is that of cpp/search/belief.h instead (docs/methods/belief.md): a tree of the
mover's own decisions over worlds that fit what it has seen (`redeal`), in which the others act by the net on what they
see. With `belief=false` several such worlds are searched as if everybody saw them, and the results are averaged; then
the worth of knowing, and of hiding, is not seen.
"""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from sevenfold import _core, models
from sevenfold._core import State
from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluator, evaluate_states, evaluate_symmetric, evaluated
from sevenfold.limits import UNLIMITED, check_least, check_memory, seconds_left
from sevenfold.options import shown
from sevenfold.perft import Enough
from sevenfold.players import ActionView, Player, SearchResult

Kind = Literal["onnx", "torch", "openvino", "uniform"]
Precision = Literal["auto", "fp32", "int8"]

SHARED: tuple[str, ...] = ("growth", "fpu", "considered", "gumbel_scale", "visit_offset", "value_scale")
SHARED += ("solver", "decisive", "forced", "forced_win", "transpositions", "to_come", "spread", "put_off", "doubt")
"""The options that are the core's by the same name."""
ROUNDS = 16
"""A search of few simulations takes its leaves in at least so many rounds: leaves of one round do not learn from each
other."""
SETTLE = 4000
"""Nodes for a new position, where the game has a solver of its own; more costs time and finds little more."""
EXPLORATION = 1.0
"""With expand_at: the constant c of UCB1, as in uct."""
FEW_WORLDS = 256
"""So many worlds are looked for, however few simulations there are."""
FIRST_PROOF, PROOF_GROWS = 256, 4
"""Nodes of the first try to prove the root's actions, and how much longer each next one is."""
PROGRESS = 0.02
"""Seconds between two calls of `progress`."""
MOST_WORLDS = 65536
BELIEF: dict[str, Any] = {"weigh": "off", "weighed": 256, "follow": False, "sharp": 1.0, "even": 0.0, "trust": 0.0}
BELIEF |= {"unit": 1.0, "stir": 0, "opponents": "net", "depth": 1, "reach": 0.0, "race": 0.0, "both": False, "quick": 1}
BELIEF |= {"kinds": 0.0, "known": 1.0}
"""How it searches under hidden information where the net's description says nothing."""


def plies(state: State) -> int:
    """The actions of players so far; what chance did is none of them."""
    if "chance" not in state.game.abilities or not state.replayable:
        return len(state.history)
    walk, count = state.game.replay([], state.seed, state.start), 0
    for action in state.history:
        count += walk.to_move != _core.CHANCE
        walk.play(action)
    return count


def tempered(weights: Sequence[float], temperature: float) -> list[float]:
    """Shares proportional to weight^(1 / temperature); the largest gets everything as temperature goes to 0."""
    most = max(weights)
    if most <= 0:
        return [1 / len(weights)] * len(weights)
    logs = [math.log(weight / most) / temperature if weight > 0 else -math.inf for weight in weights]
    powers = [math.exp(one) for one in logs]
    return [power / sum(powers) for power in powers]


@dataclass
class NetPlayer(Player):
    """What the players with a net share."""

    net: str = ""
    """A .onnx or .safetensors file, the folder of a training run, or a model of the room; empty: the shipped one."""
    evaluator: Kind = "onnx"
    """What evaluates the net; uniform knows nothing and needs none."""
    device: str = "cpu"
    """evaluator=torch: where the net is evaluated; cuda is a GPU, cuda:1 the second one."""
    precision: Precision = "auto"
    """int8 is faster where NAME.int8.onnx lies beside NAME.onnx; auto: what the net's description recommends."""
    temperature: float = 0.0
    """0: the best action; above: one drawn with the share N^(1/temperature) of its visits N (of its prior)."""
    temperature_moves: int | None = None
    """The ply until which the temperature applies, of players alone; none: to the end."""

    _evaluator: Evaluator | None = field(default=None, init=False, repr=False)

    def _check_net(self) -> None:
        check_least(self, {"temperature": 0, "temperature_moves": 0})
        if "observe" not in self.game.abilities:
            raise ValueError(f"{self.name} needs the ability 'observe', which {self.game.name} does not offer.")
        if self.device != "cpu" and self.evaluator != "torch":
            raise ValueError(f"{self.name}: device={self.device} needs evaluator=torch, not {self.evaluator}.")
        if self.evaluator != "uniform":
            # One that is not there, or for another game, is refused before the first move.
            models.refuse_others(models.find(self.net, self.game), self.game)
        self._random = random.Random(self.seed)

    def use(self, evaluator: Evaluator) -> None:
        """Evaluates by this from now on: a net that is just being trained, or a test's."""
        self._evaluator = evaluator
        self.reset()

    def prepare(self) -> None:
        """Loads the net."""
        self._loaded()

    def _loaded(self) -> Evaluator:
        if self._evaluator is None:
            cache = getattr(self, "cache", 0)
            self._evaluator = models.evaluator(self.evaluator, self.net, self.precision, self.game, cache, self.device)
        return self._evaluator

    def _temperature(self, state: State) -> float:
        over = self.temperature_moves is not None and plies(state) >= self.temperature_moves
        return 0.0 if over else self.temperature

    def _drawn(self, policy: list[float]) -> int:
        return self._random.choices(range(len(policy)), policy)[0]


@dataclass
class PolicyPlayer(NetPlayer):
    """Plays what the net likes best at first sight: one evaluation, no search."""

    name: ClassVar[str] = "policy"

    def __post_init__(self) -> None:
        self._check_net()

    def think(self, state: State) -> SearchResult:
        """The net's view of the position."""
        start = time.perf_counter()
        legal = self._legal(state)
        values, weights = evaluated(self._loaded(), state)
        priors = weights[0].tolist()
        best, temperature = max(legal, key=lambda action: priors[action]), self._temperature(state)
        policy = [0.0] * self.game.actions
        shares = [priors[action] for action in legal]
        for action, share in zip(legal, tempered(shares, temperature) if temperature else shares, strict=True):
            policy[action] = share
        action = self._drawn(policy) if temperature else best
        return SearchResult(
            action,
            policy,
            values[0].tolist(),
            pv=[action],
            nodes=1,
            seconds=time.perf_counter() - start,
            actions=[ActionView(one, prior=priors[one], pv=[one]) for one in legal],
        )


@dataclass
class AlphaZeroPlayer(NetPlayer):
    """PUCT search with a net."""

    name: ClassVar[str] = "alphazero"
    seconds: float | None = None
    """Time per decision; one second where no limit is given."""
    simulations: int | None = None
    nodes: int | None = None
    """The same as simulations: each adds a position to the tree, or ends in a known one."""
    root: Literal["puct", "gumbel"] = "puct"
    """How the root's simulations are shared: by the formula, or by sequential halving, which needs `simulations`."""
    c_puct: float = 1.5
    """The constant c of PUCT; values are scaled to [-1, 1]."""
    growth: float = 0.0
    """c grows with the visits N of a node, by ln((1 + N + growth) / growth); AlphaZero: 19652. 0: it does not."""
    fpu: float = 0.2
    """An action not tried is taken for so much less than its position's mean so far."""
    rollouts: float | None = None
    """The share of rollouts in the value of a new position (AlphaGo's lambda); the rest is the net's. None: what the
    net's description recommends, which is 0 for most."""
    rollout_count: int | None = None
    """As many of them per position; none: as the net's description says, or one."""
    expand_at: int | None = None
    """Step: AlphaGo's way. New positions are valued by rollouts, as in uct, and the net is asked about those visited so
    often: it steers the search there, and its value counts as `rollouts` says. 0: the net is asked about every new
    position. None: what the net's description recommends, which is 0 for most."""
    doubt: float = 0.1
    """With expand_at: the share of plain UCB1 in a selection by the net's priors; 1: they change nothing."""
    endgame: int = 0
    """Nodes that the game's own solver, or alpha-beta, may spend on proving the root's actions, in half of the time at
    most; 0: none."""
    settle: int | None = None
    """Step: nodes that the game's own solver, or alpha-beta, may spend on proving each new position, which then needs
    no value of the net; 0: none. None: 4000 where the game has a solver of its own, and 0 with expand_at."""
    considered: int = 16
    """root=gumbel: as many actions of the root are looked at."""
    gumbel_scale: float = 0.0
    """root=gumbel: how random their choice is; 0: the best by prior. 1 in self-play."""
    visit_offset: float = 50.0
    """root=gumbel: with value_scale, how soon values outweigh priors: value_scale * (visit_offset + visits) * value."""
    value_scale: float = 1.0
    batch: int = 8
    """Positions per call of the net, at most; those that wait count as lost, so that the others look elsewhere."""
    cache: int = 100_000
    """Evaluations kept, so that a position that comes again is not evaluated again; 0: none."""
    noise_alpha: float = 0.0
    """Dirichlet noise at the root: its alpha; 0: no noise. AlphaZero: about 10 / legal actions."""
    noise_share: float = 0.25
    """The share of the noise in the root's priors."""
    belief: bool = True
    """Step under hidden information, with root=puct: a tree of the own decisions over worlds that fit what the player
    has seen; else worlds are searched side by side, as if everybody saw them."""
    opponents: Literal["auto", "net", "policy", "uniform", "puct"] = "auto"
    """With belief: how the others act: by the net on what they see, by the game's own quick policy, at random, or by a
    search of their own (information-set tree search). auto: what the net's description recommends; without one, net."""
    weigh: Literal["auto", "off", "policy", "net"] = "auto"
    """With belief: worlds count by how likely the others' actions so far are in them, by the game's own policy or by
    the net; off: all that fit count the same. auto, and none below: what the net's description recommends; without one,
    off."""
    weighed: int | None = None
    """With weigh: as many worlds are weighed, as far as half of the time goes; 256 without a recommendation."""
    stir: int | None = None
    """Step with weigh=policy: likely worlds are looked for by so many small changes for each; 0: worlds are drawn."""
    kinds: float | None = None
    """Step with stir: so likely it is at first that another player does not act by the game's own policy but is one of
    its simple players, or random; what it does says which. 0: nobody is."""
    known: float | None = None
    """Step with kinds: the share of trust where it is sure which simple players the others are; 1: all of it."""
    native: bool = True
    """Step with follow: a small net is evaluated by the core itself, without a library and without Python."""
    follow: bool | None = None
    """Step with belief: simulations are played to the end by the net; else the net values the first new decision."""
    both: bool | None = None
    """Step with follow: simulations are also played on by the game's own quick policy, and an action is worth what the
    better of the two makes of it."""
    quick: int | None = None
    """With both: so many by the game's own policy for each that the net plays on; 1 without a recommendation."""
    depth: int | None = None
    """With follow: so many of the own decisions in a row have results of their own, by which they are taken; 0: all; 1
    without a recommendation: the root alone."""
    reach: float | None = None
    """With belief: the constant c of PUCT, in deviations of the results; 0: c_puct."""
    sharp: float | None = None
    """With belief: the net acts for players by its priors to this power; 1 without a recommendation."""
    even: float | None = None
    """Step with belief: the root's actions with at least this share of the best prior are tried equally often; 0: by
    the formula."""
    race: float | None = None
    """Step with even: an action falls out whose mean is so many standard errors below the best one's; 0: none does."""
    least: int = 0
    """With belief: each action of the root is tried at least so often, whatever even and race say; for reviews."""
    trust: float | None = None
    """Step with belief: the choice is by results and priors, which count for so many simulations; 0: by visits."""
    worlds: int = 8
    """Without belief: as many worlds are searched side by side."""
    solver: bool = True
    """Step: proven results travel up the tree."""
    decisive: bool = True
    """Step: a winning action is the only one looked at."""
    forced: bool = True
    """Step: actions that lose at once are left out where there is another."""
    forced_win: bool = True
    """Step: a win by force that the game itself sees counts as won."""
    transpositions: bool = True
    """Step: positions reached by different ways share what is known of them."""
    to_come: bool = True
    """Step, where returns grow on the way: what has been got on the way to a position is added to what the net says is
    still to come."""
    spread: bool = True
    """Step, the same games: values are judged by where they lie between the least and the most that the tree has
    found."""
    put_off: bool = True
    """Step: chance decides only what the next decision needs, where the game can put the rest off."""
    symmetries: bool = False
    """Step: positions are evaluated through all symmetries of the game, and the mean is taken: better, and slower."""
    reuse: bool = True
    """Step: the tree below the moves played is kept for the next decision."""
    memory: int = 512
    """Megabytes for the tree; a full tree goes on searching without growing."""

    _search: _core.Mcts | None = field(default=None, init=False, repr=False)
    _root: State | None = field(default=None, init=False, repr=False)
    _belief: _core.BeliefSearch | None = field(default=None, init=False, repr=False)
    _hidden: _core.BeliefOptions | None = field(default=None, init=False, repr=False)
    _native: _core.RowsNet | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._check()
        self._check_net()
        if self.seconds is None and self.simulations is None and self.nodes is None:
            self.seconds = 1.0

    def _check(self) -> None:
        least: dict[str, float] = {
            "seconds": 0,
            "simulations": 1,
            "nodes": 1,
            "c_puct": 0,
            "growth": 0,
            "batch": 1,
            "cache": 0,
            "rollout_count": 1,
            "expand_at": 0,
            "endgame": 0,
            "settle": 0,
        }
        least |= {"considered": 1, "gumbel_scale": 0, "visit_offset": 0, "value_scale": 0}
        check_least(
            self,
            least
            | {
                "noise_alpha": 0,
                "worlds": 1,
                "weighed": 1,
                "stir": 0,
                "depth": 0,
                "reach": 0,
                "race": 0,
                "least": 0,
                "quick": 1,
                "memory": 1,
                "sharp": 0,
                "trust": 0,
            },
        )
        for key in ("weighed", "stir", "quick", "least"):
            if (number := getattr(self, key)) is not None and number > MOST_WORLDS:
                raise ValueError(f"alphazero: {key} must be at most {MOST_WORLDS}, not {shown(number)}.")
        check_memory(self)
        if not math.isfinite(self.fpu):
            raise ValueError(f"alphazero: fpu must be a number, not {shown(self.fpu)}.")
        for key in ("noise_share", "rollouts", "even", "doubt", "kinds", "known"):
            if (share := getattr(self, key)) is not None and not 0 <= share <= 1:
                raise ValueError(f"alphazero: {key} must be from 0 to 1, not {shown(share)}.")
        if self.root == "gumbel" and self._limit == UNLIMITED:
            raise ValueError("alphazero: root=gumbel plans its simulations; give simulations=N.")
        if self.expand_at and self.root == "gumbel":
            raise ValueError("alphazero: expand_at goes with root=puct, not with gumbel.")
        if self.expand_at and self.rollouts == 0:
            raise ValueError("alphazero: expand_at needs rollouts above 0: they value new positions.")
        if self.game.has_hidden_information and "redeal" not in self.game.abilities:
            raise ValueError(f"alphazero needs the ability 'redeal', which {self.game.name} does not offer.")

    def _options(self, trees: int = 1) -> _core.MctsOptions:
        options = _core.MctsOptions()
        options.leaf, options.selection, options.exploration = "evaluator", "puct", self.c_puct
        options.root = "gumbel" if self.root == "gumbel" else "formula"
        options.mix, options.rollout_count = self._rollouts()
        if expand_at := self._expand_at():
            options.expand_at, options.exploration, options.mix = expand_at, EXPLORATION, options.mix or 1.0
        for key in SHARED:
            setattr(options, key, getattr(self, key))
        own = SETTLE if "prover" in self.game.abilities and not options.expand_at else 0
        options.settle = own if self.settle is None else self.settle
        options.memory = (self.memory << 20) // trees
        options.seed = self._random.getrandbits(64) if trees > 1 else self.seed & (2**64 - 1)
        return options

    def _rollouts(self) -> tuple[float, int]:
        """Their share and their number, as given or as the net's description says."""
        share, count = (0.0, 1)
        if self.evaluator != "uniform":
            share, count = models.default_rollouts(models.find(self.net, self.game))
        return share if self.rollouts is None else self.rollouts, self.rollout_count or count

    def _expand_at(self) -> int:
        """As given, or as the net's description says, unless it would be asked for something else."""
        if self.expand_at is not None or self.evaluator == "uniform" or self.root == "gumbel" or self.rollouts == 0:
            return self.expand_at or 0
        return models.default_expand_at(models.find(self.net, self.game))

    def tree(self, state: State, path: Sequence[int]) -> _core.NodeView:
        """The node of the last search's tree to which these actions lead."""
        return self._node(self._search, self._root, state, path)

    def reset(self) -> None:
        """Forgets the tree."""
        self._search = self._root = self._belief = None

    def think(self, state: State) -> SearchResult:
        """Searches until a limit is reached or the result is proven."""
        start = time.perf_counter()
        self._legal(state)
        evaluator = self._loaded()
        if self.game.has_hidden_information and self.belief and self.root == "puct":
            return self._think_belief(state, evaluator, start)
        try:
            trees = self._worlds(state) if self.game.has_hidden_information else [self._search_at(state)]
            done = self._run(trees, evaluator, start)
        except BaseException:
            self.reset()  # walks that wait leave their marks in the tree
            raise
        reports = [tree.report() for tree in trees]
        searched = any(report.proven or any(one.visits for one in report.actions) for report in reports)
        return self._result(state, reports, done, start) if searched else self._first_sight(state, reports, start)

    def _think_belief(self, state: State, evaluator: Evaluator, start: float) -> SearchResult:
        """The search for hidden information; the true hidden cards are never looked at."""
        from sevenfold import belief  # it is made of this module's parts

        try:
            options = self._hidden = self._hidden or self._belief_options()
            options.least = self.least
            if self._belief is None:
                self._belief = _core.BeliefSearch(state, options)
            search = self._belief
            search.reset(state)
            search.seed(belief.seed_at(self, state))
            search.plan(1)
            search.resume(*evaluator.evaluate(Batch(*search.collect(1))))  # the root
            if self.noise_alpha > 0 and self.noise_share > 0:
                search.add_noise(self.noise_alpha, self.noise_share)
            if options.even and not self.least and belief.candidates(search, options.even) == 1:
                return self._first_sight(state, [search.report()], start)  # nothing to choose, by the priors
            most = min(self._limit, belief.FEW if len(state.legal_actions()) == 1 else UNLIMITED)
            under_way = belief.FLIGHTS if options.leaf == "follow" else self.batch
            under_way = max(1, min(under_way, most // ROUNDS))
            by = self._native if self._native is not None and options.leaf == "follow" else evaluator
            belief.drive(self, search, by, under_way, most, lambda: seconds_left(self.seconds, start))
        except BaseException:
            self.reset()
            raise
        report = search.report()
        if not any(one.visits for one in report.actions):
            return self._first_sight(state, [report], start)
        return belief.belief_result(self, state, report, self._temperature(state), start)

    def _belief_options(self) -> _core.BeliefOptions:
        options, said = _core.BeliefOptions(), BELIEF.copy()
        if self.evaluator != "uniform":
            said |= models.default_belief(models.find(self.net, self.game), said)
        said |= {name: given for name in said if (given := getattr(self, name, None)) not in (None, "auto")}
        if said["weigh"] != "off" and "rewind" not in self.game.abilities:
            said["weigh"] = "off"
        options.leaf = "follow" if said["follow"] else "evaluator"
        options.depth = said["depth"] if said["follow"] else 0
        options.both = said["follow"] and said["both"]
        options.opponents = "evaluator" if said["opponents"] == "net" else said["opponents"]
        options.weigh = "evaluator" if said["weigh"] == "net" else said["weigh"]
        # A search of few simulations needs few worlds: looking for them takes its time.
        needed = max(FEW_WORLDS, self._limit) if self.weighed is None else self.weighed
        options.worlds, options.exploration = min(said["weighed"], needed), said["reach"] or self.c_puct
        options.stir = said["stir"] if options.weigh == "policy" and "stir" in self.game.abilities else 0
        options.kinds = said["kinds"] if options.stir and "habit" in self.game.abilities else 0.0
        for one in ("quick", "known", "sharp", "even", "race", "trust", "unit"):
            setattr(options, one, said[one])
        if self.native and said["follow"] and self.evaluator == "onnx":
            self._native = models.native(self.net, self.game)
        options.mix, options.expand_at = self._rollouts()[0], self._expand_at()
        if options.expand_at and not options.mix:
            options.mix = 1.0
        options.memory = self.memory << 20
        return options

    def _search_at(self, state: State) -> _core.Mcts:
        """The search with its root at a state: stepped there from the last one where that leads there."""
        if self._search is None:
            self._search = _core.Mcts(state, self._options())
        last, self._root = self._root, state.copy()
        if self.reuse and last is not None and last.replayable and state.replayable:
            played = len(last.history)
            if (last.start, last.seed, last.history) == (state.start, state.seed, state.history[:played]):
                for action in state.history[played:]:
                    self._search.advance(action)
                return self._search
        self._search.reset(state)
        return self._search

    def _worlds(self, state: State) -> list[_core.Mcts]:
        """A search in each of several worlds that fit what the mover has seen; the true one is not looked at."""
        trees = []
        for _ in range(max(1, min(self.worlds, self._limit))):
            world = state.redeal(state.to_move, self._random.getrandbits(63))
            tree = _core.Mcts(world, self._options(self.worlds))
            tree.reset(world)
            trees.append(tree)
        return trees

    @property
    def _limit(self) -> int:
        return min(self.simulations or UNLIMITED, self.nodes or UNLIMITED)

    def _run(self, trees: list[_core.Mcts], evaluator: Evaluator, start: float) -> int:
        """Drives the searches side by side until a limit; the number of simulations."""
        each = -(-self._limit // len(trees))
        share = max(1, min(self.batch // len(trees), each // ROUNDS))
        self._resume([(tree, tree.collect(1)) for tree in trees if tree.report().action < 0], evaluator)  # the roots
        before = sum(tree.report().simulations for tree in trees)
        for tree in trees:
            tree.plan(each)
            if self.endgame:
                self._prove(tree, start)
            if self.noise_alpha > 0 and self.noise_share > 0:
                tree.add_noise(self.noise_alpha, self.noise_share)
        looked, slowest, done, last = start, 0.0, 0, -1
        # Nothing new: there is nothing left to look at.
        while done > last and not all(tree.done for tree in trees) and seconds_left(self.seconds, start) > slowest:
            now, last = time.perf_counter(), done
            self._resume([(tree, tree.collect(share)) for tree in trees], evaluator)
            done = sum(tree.report().simulations for tree in trees) - before
            slowest = max(slowest, time.perf_counter() - now)
            if self.progress and now - looked >= PROGRESS:
                looked = now
                try:
                    self.progress(done)
                except Enough:
                    break
        return done

    def _prove(self, tree: _core.Mcts, start: float) -> None:
        """Step by step, each four times as long as the last, while half of the time is enough for the next; what one
        finds the prover's table keeps for it."""
        if self.seconds is None:
            tree.prove(self.endgame)
            return
        nodes, took = min(FIRST_PROOF, self.endgame), 0.0
        while not tree.done and seconds_left(self.seconds / 2, start) > PROOF_GROWS * took:
            began = time.perf_counter()
            tree.prove(nodes)
            took = time.perf_counter() - began
            if nodes == self.endgame:
                break
            nodes = min(PROOF_GROWS * nodes, self.endgame)

    def _resume(self, waiting: list[tuple[_core.Mcts, list[State]]], evaluator: Evaluator) -> None:
        """Evaluates what waits in all trees in one batch."""
        states = [state for _, some in waiting for state in some]
        if not states:
            return
        many = self.symmetries and "symmetries" in self.game.abilities
        values, weights = (evaluate_symmetric if many else evaluate_states)(evaluator, states)
        at = 0
        for tree, some in waiting:
            if some:
                tree.resume(values[at : at + len(some)], weights[at : at + len(some)])
                at += len(some)

    def _first_sight(self, state: State, reports: list[_core.SearchReport], began: float) -> SearchResult:
        """Where there was no time for a simulation: what the net says, but for what is proven."""
        values, weights = evaluated(self._loaded(), state)
        views, policy = _views(reports, state.legal_actions()), weights[0].tolist()
        for one in views:
            if one.proven and one.value is not None:  # a proven action is taken or left by what it is worth
                policy[one.action] = float(one.value > values[0][state.to_move])
        total = sum(policy) or 1.0
        policy = [share / total for share in policy] if any(policy) else weights[0].tolist()
        action = max((one.action for one in views), key=policy.__getitem__)
        if temperature := self._temperature(state):
            policy = tempered(policy, temperature)
            action = self._drawn(policy)
        return SearchResult(
            action,
            policy,
            values[0].tolist(),
            pv=[action],
            visits=[0] * self.game.actions,
            seconds=time.perf_counter() - began,
            actions=views,
            memory=sum(report.bytes for report in reports),
        )

    def _result(self, state: State, reports: list[_core.SearchReport], simulations: int, began: float) -> SearchResult:
        """What the searches found; their mean, where there are several worlds."""
        actions, players = self.game.actions, self.game.players
        shares = [_shares(report, actions) for report in reports]
        policy = [sum(share[action] for share in shares) / len(shares) for action in range(actions)]
        views = _views(reports, state.legal_actions())
        only = reports[0] if len(reports) == 1 else None
        proven = only is not None and only.proven
        if only is not None and (only.proven or any(one.visits for one in only.actions)):
            action = only.action
        else:
            action = max(range(actions), key=policy.__getitem__)
        if (temperature := self._temperature(state)) and not proven:
            policy = tempered(policy, temperature)
            action = self._drawn(policy)
        visits = [0] * actions
        for view in views:
            visits[view.action] = view.visits
        return SearchResult(
            action,
            policy,
            [sum(report.values[seat] for report in reports) / len(reports) for seat in range(players)],
            pv=only.pv if only is not None and only.pv[:1] == [action] else [action],
            visits=visits,
            proven=proven,
            nodes=simulations,
            seconds=time.perf_counter() - began,
            actions=views,
            memory=sum(report.bytes for report in reports),
        )


def _shares(report: _core.SearchReport, actions: int) -> list[float]:
    """How much a search likes each action: the core's shares, or priors before the first visit; a proof leaves no
    doubt."""
    weights = [0.0] * actions
    visited = any(one.visits for one in report.actions)
    for one in report.actions:
        weights[one.action] = one.share if visited else one.prior
        if report.proven:
            weights[one.action] = float(one.action == report.action)
    total = sum(weights)
    return [weight / total for weight in weights]


def _views(reports: list[_core.SearchReport], legal: list[int]) -> list[ActionView]:
    """What the searches think of each action that one of them kept: steps `decisive` and `forced` leave some out."""
    found = ([one for report in reports for one in report.actions if one.action == action] for action in legal)
    return [_view(some, len(reports)) for some in found if some]


def _view(found: list[_core.ActionReport], worlds: int) -> ActionView:
    """One action in all worlds."""
    if worlds == 1:
        one = found[0]
        value = one.value if one.visits or one.proven else None  # not tried: nothing is known of it but the prior
        return ActionView(one.action, one.visits, value, one.prior, one.proven, one.pv)
    known = [one for one in found if one.visits or one.proven]
    weight = sum(max(1, one.visits) for one in known)
    value = sum(one.value * max(1, one.visits) for one in known) / weight if known else None
    prior = sum(one.prior for one in found) / worlds
    return ActionView(found[0].action, sum(one.visits for one in found), value, prior, pv=[found[0].action])
