"""What the searching players share about their limits."""

import math
import time
from typing import Any

from sevenfold.options import shown

UNLIMITED = 2**63
MOST_MEMORY = 65536
"""Megabytes."""
SPARED = 0.05
"""The share of a time limit, up to 20 ms, that is left unused: a busy machine may give the search no turn just then."""


def seconds_left(limit: float | None, start: float) -> float:
    """How long a search may run whose player was asked at `start` (time.perf_counter)."""
    if limit is None:
        return math.inf
    return max(0.0, limit - min(SPARED * limit, 0.02) - (time.perf_counter() - start))


def check_least(player: Any, least: dict[str, float]) -> None:
    """ValueError for an option, by name, that is below its least value or no number; None is left alone."""
    for key, low in least.items():
        value = getattr(player, key)
        if value is not None and not (math.isfinite(value) and low <= value < UNLIMITED):
            raise ValueError(f"{player.name}: {key} must be {low:g} or more, not {shown(value)}.")


def check_memory(player: Any) -> None:
    """ValueError for more megabytes than there can be."""
    if player.memory > MOST_MEMORY:
        raise ValueError(f"{player.name}: memory must be from 1 to {MOST_MEMORY}, not {shown(player.memory)}.")
