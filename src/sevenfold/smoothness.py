"""Smoothness: how much an evaluation changes from one position to the next, measured over self-play.

A good evaluation has |V(s') - V(s)| <= eps for the successors s' of s, also where the game ends. Steps into the end are
counted apart: what a search sees there and could not see before is the horizon. The same games show whether the
evaluation keeps its contract (cpp/search/evaluation.h), and how much a move gains for who makes it, which is what the
margin R of razoring is chosen by.

It measures the steps of games as they are played, not those to every legal successor.
"""

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sevenfold import _core
from sevenfold._core import TERMINAL, State
from sevenfold.evaluation import Kind, Weights, evaluation
from sevenfold.game import Game
from sevenfold.match import Match
from sevenfold.options import shown
from sevenfold.records import Record
from sevenfold.selfplay import PLAYER, self_play

WORST = 5
"""As many of the largest steps as are kept."""
EXACT = 1e-9
"""Values that differ by no more are equal."""


@dataclass(frozen=True)
class Step:
    """One step of a game."""

    position: str
    move: str
    before: list[float]
    after: list[float]
    size: float
    """The largest change of a player's value."""


@dataclass(frozen=True)
class Steps:
    """The sizes of many steps."""

    sizes: list[float] = field(repr=False)
    worst: list[Step] = field(repr=False)
    """The largest, the largest one first."""

    @property
    def count(self) -> int:
        """How many."""
        return len(self.sizes)

    @property
    def mean(self) -> float:
        """The mean size."""
        return sum(self.sizes) / max(self.count, 1)

    def quantile(self, share: float) -> float:
        """The size that so large a share of the steps does not exceed."""
        return quantile(self.sizes, share)

    def histogram(self, edges: Sequence[float]) -> list[int]:
        """How many steps lie between two edges each; the last edge belongs to the last interval."""
        import numpy as np

        return [int(count) for count in np.histogram(self.sizes, edges)[0]]

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "count": self.count,
            "mean": self.mean,
            "median": self.quantile(0.5),
            "p90": self.quantile(0.9),
            "p95": self.quantile(0.95),
            "p99": self.quantile(0.99),
            "max": self.quantile(1),
            "worst": [vars(step) for step in self.worst],
        }


@dataclass(frozen=True)
class Contract:
    """Whether the evaluation kept its contract in these positions."""

    inside: float
    """The largest distance from the middle of the range in a game not over, in halves of the range: below 1."""
    cut_off: int
    """Positions at the very limit: there the evaluation is flat, and a search sees no difference."""
    antisymmetry: float | None
    """The largest |V_0 + V_1| around the middle in games not over; None where it need not be 0."""
    antisymmetry_at_ends: float | None
    """The same for ended games: V(won) = -V(lost)."""

    @property
    def kept(self) -> bool:
        """Whether nothing is wrong."""
        sums = (self.antisymmetry or 0.0, self.antisymmetry_at_ends or 0.0)
        return self.inside < 1 and max(sums) <= EXACT


@dataclass(frozen=True)
class Smoothness:
    """What was measured."""

    game: str
    evaluation: str
    player: str
    games: int
    inside: Steps
    """Steps within games."""
    ends: Steps
    """Steps into the end."""
    gains: list[float] = field(repr=False)
    """What each move within games changed for the player who made it."""
    contract: Contract
    span: float
    """The range of the returns: the largest step there could be."""

    @property
    def epsilon(self) -> float:
        """The eps that 95 % of the steps within games do not exceed."""
        return self.inside.quantile(0.95)

    @property
    def razor(self) -> float:
        """A margin for razoring: 95 % of the moves gain no more than this for who makes them."""
        return max(0.0, quantile(self.gains, 0.95))

    def edges(self, bins: int = 16) -> list[float]:
        """The intervals of a histogram that holds all steps."""
        most = max(self.inside.quantile(1), self.ends.quantile(1)) or self.span
        return [most * i / bins for i in range(bins + 1)]

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        edges = self.edges()
        return {
            "game": self.game,
            "evaluation": self.evaluation,
            "player": self.player,
            "games": self.games,
            "epsilon": self.epsilon,
            "razor": self.razor,
            "inside": self.inside.to_json() | {"histogram": self.inside.histogram(edges)},
            "ends": self.ends.to_json() | {"histogram": self.ends.histogram(edges)},
            "edges": edges,
            "gains": {f"p{share}": quantile(self.gains, share / 100) for share in (50, 90, 95, 99)},
            "contract": vars(self.contract) | {"kept": self.contract.kept},
        }


def quantile(values: list[float], share: float) -> float:
    """The value that so large a share does not exceed; 0 where there is none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def smoothness(
    game: Game,
    games: int = 50,
    player: str = PLAYER,
    kind: Kind = "auto",
    weights: "Weights | dict[str, float] | str | os.PathLike[str] | None" = None,
    seed: int = 1,
    *,
    processes: int | None = None,
    progress: Callable[[Match], None] | None = None,
) -> Smoothness:
    """Plays games of a player against itself and measures an evaluation on them."""
    if type(games) is not int or games < 1:
        raise ValueError(f"games must be 1 or more, not {shown(games)}.")
    judge = evaluation(game, kind, weights)
    records = self_play(game, games, player, seed, processes=processes, progress=progress)
    return measured(game, judge, records, player)


def measured(game: Game, judge: _core.Evaluation, records: Iterable[Record], player: str = "") -> Smoothness:
    """The same on games that were played before."""
    middle, half = (game.max_return + game.min_return) / 2, (game.max_return - game.min_return) / 2
    mirrored = game.players == 2 and game.sum == "zero"
    inside: list[float] = []
    ends: list[float] = []
    worst: dict[bool, list[tuple[float, State, int, list[float], list[float]]]] = {False: [], True: []}
    gains: list[float] = []
    farthest, cut_off, count = 0.0, 0, 0
    sums = {False: 0.0, True: 0.0}
    for record in records:
        count += 1
        earlier: tuple[State, list[float]] | None = None
        for ply, state in enumerate(record.states(game)):
            values, over = judge(state), state.to_move == TERMINAL
            if mirrored:
                sums[over] = max(sums[over], abs(sum(values) - 2 * middle))
            if not over:
                distance = max(abs(value - middle) for value in values) / (half or 1)
                farthest, cut_off = max(farthest, distance), cut_off + (distance >= 0.999 - EXACT)
            if earlier is not None:
                previous, before = earlier
                size = max(abs(a - b) for a, b in zip(values, before, strict=True))
                (ends if over else inside).append(size)
                if not over and previous.to_move >= 0:
                    gains.append(values[previous.to_move] - before[previous.to_move])
                largest = worst[over]
                seen = any(action == record.actions[ply - 1] and other.hash() == previous.hash()
                           for _, other, action, _, _ in largest)  # fmt: skip
                if not seen and (len(largest) < WORST or size > largest[-1][0]):
                    largest.append((size, previous, record.actions[ply - 1], before, values))
                    largest.sort(key=lambda step: -step[0])
                    del largest[WORST:]
            earlier = state, values
    kept = {
        over: [
            Step(state.to_text(), state.action_text(action), before, after, size)
            for size, state, action, before, after in steps
        ]
        for over, steps in worst.items()
    }
    contract = Contract(farthest, cut_off, sums[False] if mirrored else None, sums[True] if mirrored else None)
    return Smoothness(
        game.spec,
        judge.kind,
        player,
        count,
        Steps(inside, kept[False]),
        Steps(ends, kept[True]),
        gains,
        contract,
        2 * half,
    )
