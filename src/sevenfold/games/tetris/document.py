"""The founding document's interface to the engine: `get_state`, `get_legal_moves_with_ids`, `step`.

The arrays are views of the engine's memory, written anew by every step. The document's ids do not tell spins apart, and
its context holds piece ids as plain numbers: it is here for what was made for it; new work takes the default encoding.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold._core import _tetris as core  # type: ignore[attr-defined]
from sevenfold.game import game
from sevenfold.options import shown

ACTIONS = 2304
HOLD, ROTATION, X, Y = 1152, 288, 24, 1
"""What each part of an id counts: hold × 1152 + rotation × 288 + x × 24 + y, x being the centre's column plus one."""


class DocumentEngine:
    """One game of the preset `document`."""

    def __init__(self, seed: int = 0, **options: Any) -> None:
        self.game = game("tetris", preset="document", **options)
        self._batch = core.Batch(self.game.new(), [seed])
        self.binary_board: NDArray[np.float32] = self._batch.planes[0]
        """[1, 20, 10], bottom row first: a view of the engine's memory."""
        self.context: NDArray[np.float32] = self._batch.features[0]
        """[11]: a view of the engine's memory."""

    def get_state(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The binary board and the context."""
        return self.binary_board, self.context

    def get_legal_moves_with_ids(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Rows (x, y, rotation, hold) of every legal placement, and their ids."""
        ids: NDArray[np.int32] = np.array(self._batch.actions)
        moves = np.stack([ids // X % 12 - 1, ids % X, ids // ROTATION % 4, ids // HOLD], axis=1).astype(np.int32)
        return moves, ids

    def step(self, x: int, y: int, rot: int, hold: int) -> dict[str, Any]:
        """Plays a placement: the lines it cleared, its attack, and whether the game is over (a new one begins then)."""
        for name, value, low, high in (("x", x, -1, 10), ("y", y, 0, 23), ("rot", rot, 0, 3), ("hold", hold, 0, 1)):
            if not low <= int(value) <= high:  # or the id of another placement would come out
                raise ValueError(f"{name} is from {low} to {high}, not {shown(value)}.")
        action = int(hold) * HOLD + int(rot) * ROTATION + (int(x) + 1) * X + int(y)
        self._batch.step(np.array([action], dtype=np.int32))
        return {
            "lines": int(self._batch.lines[0]),
            "attack": float(self._batch.rewards[0]),
            "done": bool(self._batch.ended[0]),
        }

    def reset(self) -> None:
        """Begins anew."""
        self._batch.reset()
