"""How far a move oversteps its time limit while every core is kept busy by another process."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import sevenfold as sf
from bench.strength.work import Piece, Progress, Store, run

SECONDS = (0.1, 0.5, 1.0)
WANTED = 0.05
"""At most so much more than the limit."""


@contextmanager
def busy_cores() -> Iterator[None]:
    """One process per core that does nothing but count; it ends with us, whatever ends us."""
    count = f"import os\nwhile os.getppid() == {os.getpid()}:\n    for _ in range(10**6): pass"
    crowd = [subprocess.Popen([sys.executable, "-c", count]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for one in crowd:
            one.kill()
        for one in crowd:
            one.wait()


@dataclass(frozen=True)
class Trial:
    """A player and its time."""

    player: str
    seconds: float
    seed: int = 1

    def move(self, key: int) -> Piece:
        """One move after some random ones, on the usual board and on Saiblo's in turn."""
        rng = random.Random(f"{self.seed}/{key}")
        rules = sf.game("connect_four", preset="saiblo", seed=key) if key % 2 else sf.game("connect_four")
        state = rules.new()
        for _ in range(key // 2 % 20):
            child = state.copy()
            child.play(rng.choice(state.legal_actions()))
            if not child.is_over:
                state = child
        player = sf.player(self.player, rules, seconds=self.seconds, seed=key)
        start = time.perf_counter()
        result = player.think(state)
        took = time.perf_counter() - start
        return {"key": key, "took": took, "own": result.seconds, "over": took / self.seconds - 1}


@dataclass
class Oversteps:
    """What the trials came to."""

    what: str
    moves: int
    worst: float
    """The largest overstep, as a share of the limit."""
    median: float
    wanted: float = WANTED

    @property
    def reached(self) -> bool:
        return self.worst <= self.wanted

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"reached": self.reached}


def measure(trial: Trial, moves: int, folder: Path, fresh: bool = False) -> Oversteps:
    sf.player(trial.player, sf.game("connect_four"))  # a wrong name is told before the first move
    store = Store(folder, "limits", asdict(trial), fresh)
    what = f"{trial.player}, {trial.seconds:g} s"

    def note() -> str:
        worst = max((piece["over"] for key, piece in store.pieces.items() if key < moves), default=0.0)
        return f"moves, worst overstep {worst:.1%}"

    try:
        with busy_cores():
            pieces = run(store, range(moves), partial(Trial.move, trial), 1, Progress(what, moves, note))
    finally:
        store.close()
    over = sorted(piece["over"] for piece in pieces)
    return Oversteps(what, moves, over[-1], over[len(over) // 2])
