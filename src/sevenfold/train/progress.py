"""What a run has done and is doing, as it is told to whoever watches it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sevenfold.train.config import Config


@dataclass
class Progress:
    """What a run has done, and is doing; told to whoever watches."""

    config: Config
    folder: Path
    phase: str = "starting"
    """supervised, self-play, learning, gate, rating, checkpoint, done"""
    iteration: int = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    seconds: float = 0.0
    """Of this run, over all sessions."""
    share: float = 0.0
    """Of the whole run that is done."""
    phase_done: int = 0
    phase_total: int = 0
    metrics: dict[str, Any] = field(default_factory=dict)
    """Of the last iteration."""
    supervised: dict[str, Any] = field(default_factory=dict)
    """What game records have taught, where there were any."""
    start: dict[str, Any] = field(default_factory=dict)
    """What was taken over from another net, where the run started from one."""
    live: dict[str, float] = field(default_factory=dict)
    """Of the games that are being played: games, positions, evaluations, simulations, … so far, and the seconds that
    all actors together took."""
    losses: dict[str, float] = field(default_factory=dict)
    """Of the last step of learning."""
    said: list[str] = field(default_factory=list)


Watcher = Callable[[Progress], None]
