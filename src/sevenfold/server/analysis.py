"""The analysis of the position shown: slices of thinking that go on where the last one ended, until it is switched off.

A slice is short, so that many sessions share the cores, and so that the person sees the thoughts grow.
"""

from typing import Any

from sevenfold.server import specs

SLICES = (0.2, 0.3, 0.5)
"""Seconds of the first slices, and of all after them."""
MOST = 300.0
"""Seconds after which the analysis of one position ends by itself."""


class Analysis:
    """Who analyses, and how far the analysis of the position shown has got."""

    def __init__(self) -> None:
        self.player: str | None = None
        """While it is switched on."""
        self.looked: tuple[int, str] | None = None
        """The node and the player of the last slice, whose tree can be opened."""
        self._slices, self._over = 0, False

    def switch_on(self, player: str) -> None:
        """Begins; what was found before is shown again."""
        self.player, self._over = player, False

    def switch_off(self) -> None:
        """Ends."""
        self.player = None

    def slice(self, node: int) -> float | None:
        """Seconds of the next slice at a node; None where there is nothing to do."""
        if self.player is None:
            return None
        if self.looked != (node, self.player):
            self.looked, self._slices, self._over = (node, self.player), 0, False
        if self._over:
            return None
        self._slices += 1
        return SLICES[min(self._slices, len(SLICES)) - 1]

    def is_worth_telling(self, result: dict[str, Any]) -> bool:
        """Not before it has looked at anything: on a busy machine a slice may end before that."""
        return bool(result["nodes"] or result["proven"] or self._slices > 10)

    def ends_with(self, player: str, result: dict[str, Any]) -> bool:
        """Whether thinking longer would change nothing, or has gone on for long enough."""
        self._over = result["proven"] or result["seconds"] > MOST or not specs.takes_time(player)
        return self._over
