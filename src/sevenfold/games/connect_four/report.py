"""The player `uct:preset=report`: the founding report's, by the search in report.h (docs: methods/mcts)."""

import math
from dataclasses import dataclass
from typing import ClassVar

from sevenfold._core import State
from sevenfold._core import _connect_four as core  # type: ignore[attr-defined]
from sevenfold.options import shown
from sevenfold.perft import run_watched
from sevenfold.players import Player, SearchResult

UNLIMITED = 2**63


@dataclass
class ReportPlayer(Player):
    """The founding report's UCT: one-ply tests for wins and losses, decided games worth 10000, no memory of the tree.

    `values` are the chosen child's Q/N, cut off at -1 and 1: a decided game near the root makes it far larger."""

    name: ClassVar[str] = "uct:preset=report"
    seconds: float | None = None
    """Time per decision; three seconds where no limit is given."""
    simulations: int | None = None
    c1: float = 0.5
    """The weight of exploration."""
    c2: float = 0.05
    """The weight of the enemy's stones around a cell."""
    memory: int = 512
    """Megabytes for the tree, 1 to 65536; a full tree goes on searching without growing."""

    def __post_init__(self) -> None:
        for key, low, high in (
            ("seconds", 0.0, UNLIMITED),
            ("simulations", 1, 2**32),
            ("c1", 0.0, UNLIMITED),
            ("c2", 0.0, UNLIMITED),
            ("memory", 1, 65537),
        ):
            value = getattr(self, key)
            if value is not None and not (math.isfinite(value) and low <= value < high):
                most = f"{low:g} or more" if high == UNLIMITED else f"from {low} to {high - 1}"
                raise ValueError(f"{self.name}: {key} must be {most}, not {shown(value)}.")
        if self.seconds is None and self.simulations is None:
            self.seconds = 3.0
        self.reset()

    def reset(self) -> None:
        """Starts the random numbers again from the seed; there is no tree to forget."""
        self._search = core.Report(self.c1, self.c2, self.memory << 20, self.seed & (2**64 - 1))

    def think(self, state: State) -> SearchResult:
        """Searches until a limit is reached."""
        self._legal(state)
        found = run_watched(lambda watch: self._search.run(state, self.seconds, self.simulations, watch))
        total = sum(found.visits)
        mean = max(-1.0, min(1.0, found.totals[found.action] / found.visits[found.action]))
        return SearchResult(
            found.action,
            [n / total for n in found.visits],
            [mean if player == state.to_move else -mean for player in range(2)],
            pv=found.line,
            visits=found.visits,
            nodes=found.simulations,
            seconds=found.seconds,
        )


UCT_PRESETS: dict[str, type[Player]] = {"report": ReportPlayer}
