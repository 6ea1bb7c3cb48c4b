"""The player `guided` of Tetris for two: the beam proposes, a small net judges where its lines lead.

Its steps:

    1. Propose. The beam (games/tetris/beam.h) searches all pieces it sees, and says what each placement is worth in
                lines of attack, and the best line that begins with it.
    2. Foresee. The best lines are played out by the rules, garbage and all, while the other side waits (foresight.h).
    3. Judge.   The net says who stands better there: it sees both sides (judge.h), and the beam its own alone.
    4. Choose.  The placement with the largest worth + trust * value.

Garbage that the other side sends meanwhile is not foreseen.
"""

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sevenfold._core import State
from sevenfold._core import _tetris_versus as core  # type: ignore[attr-defined]
from sevenfold.games.tetris.players import LOST, finite, shares, weights
from sevenfold.limits import check_least
from sevenfold.perft import run_watched
from sevenfold.players import ActionView, Player, SearchResult

Floats = NDArray[np.float32]
JUDGE = Path(__file__).parent / "judge.json"
RESERVE = 0.02
"""The share of the time that nobody uses: what reads the clock is not exact."""


class Judge:
    """A net of one hidden layer over what is seen of two sides; value(a, b) = -value(b, a)."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.hidden, self.bias, self.out = (np.array(data[key], np.float32) for key in ("hidden", "bias", "out"))
        size = (2 * len(data["sees"]), len(self.bias))
        if data["sees"] != core.judged() or self.hidden.shape != size or self.out.shape != self.bias.shape:
            raise ValueError("this judge sees other things than the engine shows.")

    def values(self, sides: Floats) -> Floats:
        """What the first side of each row [N, 2, features] may expect, from -1 to 1."""
        out: Floats = np.clip((self._raw(sides) - self._raw(sides[:, ::-1])) / 2, -1, 1)
        return out

    def _raw(self, sides: Floats) -> Floats:
        flat = np.ascontiguousarray(sides).reshape(len(sides), -1)
        out: Floats = np.tanh(flat @ self.hidden + self.bias) @ self.out
        return out


@cache
def judge() -> Judge:
    """The one that the room has."""
    return Judge(json.loads(JUDGE.read_text(encoding="utf-8")))


@dataclass
class GuidedPlayer(Player):
    """Beam search whose best lines a small net judges, both sides in view."""

    name: ClassVar[str] = "guided"
    seconds: float = 0.1
    """Time for a move."""
    width: int = 4000
    """Positions that the beam keeps at each level, at most."""
    samples: int = 4
    """Futures beyond the queue, drawn from the bag, that the beam looks at."""
    ahead: int = 2
    """Pieces of a future."""
    lines: int = 10
    """Step: as many placements' best lines are judged by the net; 0: none, and the beam decides."""
    draws: int = 3
    """How often each of them is: with other garbage, and other pieces after the known ones."""
    trust: float = 25.0
    """Lines of attack that a value of 1 counts for; 0: the beam decides."""
    processor: bool = False
    """Seconds are those of the processor instead of the clock's, for measurements on a busy machine."""

    def __post_init__(self) -> None:
        check_least(self, {"seconds": 0.001, "width": 1, "samples": 0, "ahead": 0, "lines": 0, "draws": 1, "trust": 0})
        if self.lines * self.draws > 4096:
            raise ValueError("guided: lines times draws must be at most 4096.")
        self.width = min(self.width, 100_000)
        self._judging = 0.0  # seconds that all but the beam has taken of late

    def think(self, state: State) -> SearchResult:
        """The placement that the beam and the net together like best."""
        clock = time.process_time if self.processor else time.perf_counter
        start, began = clock(), time.perf_counter()
        legal = self._legal(state)
        limit = max(0.0005, self.seconds * (1 - RESERVE) - self._judging)
        lines = self.lines if self.trust > 0 else 0
        given = (self.width, self.samples, self.ahead, limit, self.seed, self.processor, lines, self.draws)
        actions, worth, best, nodes, depth, which, lives, sides = run_watched(
            lambda watch: core.foresee(state, weights(), *given, watch), self.progress
        )
        chosen, judged = best if best >= 0 else legal[0], dict[int, float]()
        if which:
            values = np.where(lives, judge().values(sides), -1.0).reshape(len(which), self.draws).mean(1)
            judged = {actions[i]: float(value) for i, value in zip(which, values, strict=True) if worth[i] > LOST}
        told = dict(zip(actions, finite(worth), strict=True)) or {chosen: 0.0}
        least = min(judged.values(), default=0.0)
        score = {action: one + self.trust * judged.get(action, least) for action, one in told.items()}
        if judged:
            chosen = max(judged, key=score.__getitem__)
        policy = [0.0] * self.game.actions
        for action, share in shares(score).items():
            policy[action] = share
        value = judged.get(chosen, 0.0)
        views = [ActionView(action, value=judged.get(action)) for action in told]
        result = SearchResult(
            chosen,
            policy,
            [value, -value] if state.to_move == 0 else [-value, value],
            pv=[chosen],
            nodes=nodes,
            depth=depth,
            actions=sorted(views, key=lambda view: (view.action != chosen, -score[view.action])),
        )
        result.seconds = time.perf_counter() - began
        self._judging = min(0.8 * self.seconds, max(clock() - start - limit, 0.9 * self._judging))
        return result
