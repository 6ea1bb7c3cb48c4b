"""The rule-based players of Sevens, from Python: `greedy`, `keeper` and `blocker` of policy.h.

They know their own cards and what happened in the open, and nothing else. They weigh cards, not what a deal is worth:
their `values` are empty, which is an expectation of nothing rather than one of 0.
"""

import time
from dataclasses import dataclass
from typing import ClassVar

from sevenfold._core import State
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.players import Player, SearchResult


@dataclass
class RulePlayer(Player):
    """A player by fixed rules."""

    def think(self, state: State) -> SearchResult:
        """The rule's action."""
        start = time.perf_counter()
        self._legal(state)
        action: int = core.choose(state, self.name, self.seed & (2**64 - 1))
        policy = [0.0] * self.game.actions
        policy[action] = 1.0
        return SearchResult(action, policy, values=[], pv=[action], nodes=1, seconds=time.perf_counter() - start)


@dataclass
class HighestPlayer(RulePlayer):
    """Plays its highest card; covers its lowest."""

    name: ClassVar[str] = "greedy"


@dataclass
class KeeperPlayer(RulePlayer):
    """A gate-keeper: plays first what opens nothing to others; covers where it loses the least."""

    name: ClassVar[str] = "keeper"


@dataclass
class BlockerPlayer(RulePlayer):
    """Weighs its own cards behind a card against what the others are expected to hold there."""

    name: ClassVar[str] = "blocker"


PLAYERS: dict[str, type[Player]] = {cls.name: cls for cls in (HighestPlayer, KeeperPlayer, BlockerPlayer)}
