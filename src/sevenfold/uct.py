"""The player `uct`: Monte-Carlo tree search without a network (cpp/search/mcts.h, and ismcts.h or regret.h where
information is hidden; docs/methods/mcts.md)."""

import itertools
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from sevenfold import _core
from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.limits import UNLIMITED, check_least, check_memory, seconds_left
from sevenfold.options import shown
from sevenfold.perft import run_watched
from sevenfold.players import ActionView, Player, SearchResult

SHARED: tuple[str, ...] = ("exploration", "leaf", "mix", "bias_weight")
SHARED += ("policy", "solver", "decisive", "forced", "forced_win", "bias", "transpositions", "put_off")
"""The options that are the core's by the same name."""
SHARED_HIDDEN: tuple[str, ...] = ("exploration", "policy", "smooth")
"""The same where information is hidden."""
SHARED_REGRET: tuple[str, ...] = ("policy",)
"""The same with selection=regret."""

SMALL = 20_000
"""Positions up to which a game of hidden information is learnt from the first deal on; leduc_poker has 9457."""
PROBES, LONG = 64, 1000


def positions(game: Game) -> float:
    """About how many positions a game has, ways to them counted; infinity where that is far over SMALL.

    Knuth 1975, "Estimating the efficiency of backtrack programs": a random game with the choices c1, c2, c3 … on its
    way stands for 1 + c1 + c1 c2 + c1 c2 c3 + … positions, which is right on average.
    """
    rng, total = random.Random(0), 0.0
    for _ in range(PROBES):
        state, width = game.new(), 1.0
        for ply in itertools.count():
            total += width
            if state.is_over:
                break
            chance = state.to_move == _core.CHANCE
            actions = [outcome for outcome, _ in state.chance()] if chance else state.legal_actions()
            width *= len(actions)
            if total > PROBES * SMALL or ply == LONG or not actions:
                return math.inf
            state.play(rng.choice(actions))
    return total / PROBES


@dataclass
class UctPlayer(Player):
    """Monte-Carlo tree search with random or guided rollouts."""

    name: ClassVar[str] = "uct"
    seconds: float | None = None
    """Time per decision; one second where no limit is given."""
    simulations: int | None = None
    nodes: int | None = None
    selection: Literal["auto", "ucb1", "puct", "regret"] = "auto"
    """How actions are chosen on the way; auto: ucb1, or regret in small games of hidden information."""
    exploration: float = 1.0
    """The constant c of the selection formula; values are scaled to [-1, 1]."""
    leaf: Literal["rollout", "heuristic"] = "rollout"
    """How a new position is valued: by playing it out, or by the game's heuristic."""
    mix: float = 0.0
    """With leaf=heuristic: the share of a rollout in the value (AlphaGo's lambda)."""
    choice: Literal["auto", "visits", "value", "lcb", "sample"] = "auto"
    """What the final choice goes by; auto: visits, or under hidden information a sample of the visits."""
    policy: bool = True
    """Step: rollouts by the game's own rollout policy, where it has one."""
    solver: bool = True
    """Step: proven results travel up the tree."""
    decisive: bool = True
    """Step: a winning action is the only one looked at."""
    forced: bool = True
    """Step: actions that lose at once are left out where there is another."""
    forced_win: bool = True
    """Step: a win by force that the game itself sees counts as won."""
    bias: bool = False
    """Step: progressive bias by the game's heuristic."""
    bias_weight: float = 1.0
    reuse: bool = True
    """Step: the tree below the moves played is kept for the next decision."""
    put_off: bool = True
    """Step: chance decides only what the next decision needs, where the game can put the rest off."""
    transpositions: bool = True
    """Step: positions reached by different ways share what is known of them."""
    worlds: Literal["auto", "redeal", "start"] = "auto"
    """Hidden information: each simulation in a world that fits what the player has seen, or a whole new game; auto:
    a whole new game with selection=regret."""
    smooth: bool = True
    """Step under hidden information: everyone partly plays its average so far, which settles on mixtures."""
    memory: int = 512
    """Megabytes for the tree; a full tree goes on searching without growing."""

    _mcts: _core.Mcts | None = field(default=None, init=False, repr=False)
    _hidden: _core.Ismcts | _core.Regret | None = field(default=None, init=False, repr=False)
    _root: State | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._regret = self.selection == "regret" or (
            self.selection == "auto"
            and self.worlds == "auto"
            and self.game.has_hidden_information
            and positions(self.game) <= SMALL
        )
        self._check()
        if self.seconds is None and self.simulations is None and self.nodes is None:
            self.seconds = 1.0
        hidden = self.game.has_hidden_information
        self._options: _core.MctsOptions | _core.IsmctsOptions | _core.RegretOptions
        if self._regret:
            self._options, shared = _core.RegretOptions(), SHARED_REGRET
        elif hidden:
            self._options, shared = _core.IsmctsOptions(), SHARED_HIDDEN
            self._options.worlds = "start" if self.worlds == "start" else "redeal"
        else:
            self._options, shared = _core.MctsOptions(), SHARED
            self._options.selection = "puct" if self.selection == "puct" else "ucb1"
        for key in shared:
            setattr(self._options, key, getattr(self, key))
        self._options.memory = self.memory << 20
        self._options.seed = self.seed & (2**64 - 1)
        if isinstance(self._options, _core.MctsOptions) and self.choice in ("value", "lcb"):
            self._options.choice = self.choice
        self._samples = self.choice == "sample" or (hidden and self.choice == "auto")
        self._random = random.Random(self.seed)

    def _check(self) -> None:
        check_least(self, {"seconds": 0, "simulations": 1, "nodes": 1, "memory": 1, "exploration": 0})
        check_memory(self)
        if not math.isfinite(self.bias_weight):
            raise ValueError(f"uct: bias_weight must be a number, not {shown(self.bias_weight)}.")
        if not 0 <= self.mix <= 1:
            raise ValueError(f"uct: mix must be from 0 to 1, not {shown(self.mix)}.")
        needs = [step for step, used in (("bias", self.bias), ("leaf=heuristic", self.leaf == "heuristic")) if used]
        if needs and "heuristic" not in self.game.abilities:
            raise ValueError(f"{needs[0]} needs the ability 'heuristic', which {self.game.name} does not offer.")
        hidden = self.game.has_hidden_information
        if self.selection == "regret" and not hidden:
            raise ValueError(f"uct: selection=regret is for hidden information, of which {self.game.name} has none.")
        if self.selection == "regret" and self.worlds == "redeal":
            raise ValueError("uct: selection=regret learns from the first deal on and cannot go with worlds=redeal.")
        if self.selection == "puct" and hidden:
            raise ValueError("uct: under hidden information selection must be ucb1 or regret, not puct.")
        redeals = hidden and self.worlds != "start" and not self._regret
        if redeals and "redeal" not in self.game.abilities:
            raise ValueError(f"uct needs the ability 'redeal', which {self.game.name} does not offer, or worlds=start.")
        if hidden and not {"view", "observe"} & set(self.game.abilities):
            raise ValueError(f"uct needs the ability 'view' or 'observe', which {self.game.name} does not offer.")

    def tree(self, state: State, path: Sequence[int]) -> _core.NodeView:
        """The node of the last search's tree to which these actions lead."""
        return self._node(self._mcts, self._root, state, path)

    def reset(self) -> None:
        """Forgets the tree."""
        self._mcts = self._root = self._hidden = None

    def think(self, state: State) -> SearchResult:
        """Searches until a limit is reached or the result is proven."""
        start = time.perf_counter()
        self._legal(state)
        try:
            search = self._hidden_at(state) or self._search_at(state)
            limit = seconds_left(self.seconds, start)
            report = run_watched(
                lambda watch: search.run(limit, self.simulations or UNLIMITED, self.nodes or UNLIMITED, watch),
                self.progress,
            )
        except BaseException:
            self.reset()  # a walk that was cut short leaves its marks in the tree
            raise
        policy, visits = [0.0] * self.game.actions, [0] * self.game.actions
        total = sum(one.visits for one in report.actions)
        for one in report.actions:
            visits[one.action] = one.visits
            if self.game.has_hidden_information:
                policy[one.action] = one.share
            else:  # a proof leaves no doubt, however few visits it took
                policy[one.action] = float(one.action == report.action) if report.proven else one.visits / total
        action = report.action
        if self._samples:
            action = self._random.choices(range(self.game.actions), policy)[0]
        return SearchResult(
            action,
            policy,
            report.values[: self.game.players],
            pv=report.pv if action == report.action else [action],
            visits=visits,
            proven=report.proven,
            nodes=report.simulations,
            seconds=report.seconds,
            actions=[
                ActionView(one.action, one.visits, one.value, one.prior, one.proven, one.pv) for one in report.actions
            ],
            memory=report.bytes,
        )

    def _hidden_at(self, state: State) -> _core.Ismcts | _core.Regret | None:
        """The search for hidden information, where that is needed, looking at a state."""
        if isinstance(self._options, _core.MctsOptions):
            return None
        if self._hidden is None or not self.reuse:
            self._hidden = (
                _core.Regret(state, self._options)
                if isinstance(self._options, _core.RegretOptions)
                else _core.Ismcts(state, self._options)
            )
        self._hidden.look_at(state)
        return self._hidden

    def _search_at(self, state: State) -> _core.Mcts:
        """The search with its root at a state: stepped there from the last one where that leads there."""
        assert isinstance(self._options, _core.MctsOptions)
        if self._mcts is None:
            self._mcts = _core.Mcts(state, self._options)
        last, self._root = self._root, state.copy()
        if self.reuse and last is not None and last.replayable and state.replayable:
            played = len(last.history)
            if (last.start, last.seed, last.history) == (state.start, state.seed, state.history[:played]):
                for action in state.history[played:]:
                    self._mcts.advance(action)
                return self._mcts
        self._mcts.reset(state)
        return self._mcts
