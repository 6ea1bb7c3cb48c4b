"""The player `perfect`, and exact values to test searches by: the solver in solver.h from Python.

`solve` and `minimax` answer with values for player 0, whoever moves: 1 a win, -1 a loss, between them what can be
expected. `PerfectPlayer` plays by `solve`.
"""

import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sevenfold._core import State
from sevenfold._core import _easycard as core  # type: ignore[attr-defined]
from sevenfold.options import shown
from sevenfold.perft import run_watched
from sevenfold.players import ActionView, Player, SearchResult

NODES = 2_000_000
"""As many nodes as a question may take: a second or two, and some 200 MB."""


@dataclass
class Exact:
    """An exact answer; all values are player 0's."""

    value: float
    actions: dict[int, float] = field(default_factory=dict)
    """The value after each action, or after each outcome where chance is to move."""
    nodes: int = 0


def solve(state: State, every: bool = True, nodes: int = NODES) -> Exact:
    """The value under best play. every: that of each action too; without, it stops at the first that wins."""
    return _answer(lambda watch: core.Solver(_checked(nodes)).solve(state, every, watch), nodes)


def minimax(state: State, depth: int, chance_plies: bool = True, nodes: int = 100 * NODES) -> Exact:
    """The value of a full search of so many plies with the heuristic where the game is not over by then.

    chance_plies: whether an outcome of chance counts as a ply, as an action does.
    """
    if not isinstance(depth, int) or depth < 1:
        raise ValueError(f"depth must be 1 or more, not {shown(depth)}.")
    return _answer(lambda watch: core.Solver(_checked(nodes)).minimax(state, depth, chance_plies, watch), nodes)


def _checked(nodes: int) -> int:
    if not isinstance(nodes, int) or not 1 <= nodes < 2**63:
        raise ValueError(f"nodes must be a whole number from 1, not {shown(nodes)}.")
    return nodes


def _answer(question: Any, nodes: int, progress: Any = None) -> Exact:
    found = run_watched(question, progress)
    if not found.complete:
        why = f"takes more than {nodes} nodes" if found.nodes >= nodes else "was not solved before it was stopped"
        raise ValueError(f"this position of easycard {why}; perfect is for small or late ones.")
    return Exact(found.value, dict(found.actions), found.nodes)


@dataclass
class PerfectPlayer(Player):
    """Plays perfectly: it looks at every position that can follow. For small games and late positions with open hands;
    where that takes too many nodes it refuses."""

    name: ClassVar[str] = "perfect"
    nodes: int = NODES
    """Nodes per decision, beyond which it refuses."""

    def __post_init__(self) -> None:
        if not 1 <= self.nodes < 2**63:
            raise ValueError(f"perfect: nodes must be a whole number from 1, not {shown(self.nodes)}.")
        if self.game.has_hidden_information:
            raise ValueError("perfect needs open hands, and in this game they are closed.")
        self._solver = core.Solver(self.nodes)

    def reset(self) -> None:
        """Empties the table. Its entries stay true in the next game; only the node counts depend on them."""
        self._solver.forget()

    def think(self, state: State) -> SearchResult:
        """The exact value of the position and of every action."""
        start = time.perf_counter()
        self._legal(state)
        found = _answer(lambda watch: self._solver.solve(state, True, watch), self.nodes, self.progress)
        sign = 1 if state.to_move == 0 else -1
        views = [ActionView(a, value=sign * v, proven=True, pv=[a]) for a, v in found.actions.items()]
        best = [action for action, value in found.actions.items() if value == found.value]
        action = next(action for action in state.order(None) if action in best)
        policy = [0.0] * self.game.actions
        for each in best:
            policy[each] = 1 / len(best)
        return SearchResult(
            action,
            policy,
            [found.value, -found.value],
            pv=[action],
            proven=True,
            nodes=found.nodes,
            seconds=time.perf_counter() - start,
            actions=views,
        )


PLAYERS: dict[str, type[Player]] = {"perfect": PerfectPlayer}
