"""Positions as a net sees them, many at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sevenfold._core import State

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Batch:
    """N positions."""

    planes: Floats
    """[N, C, H, W]"""
    features: Floats
    """[N, F]"""
    viewers: NDArray[np.int64]
    """[N]: whose eyes they are seen through; the player to move."""
    keys: NDArray[np.uint64]
    """[N]: the states' hashes."""

    @classmethod
    def of(cls, states: Sequence[State]) -> "Batch":
        """Each state as its mover sees it; at least one, all of one game, none at a chance node or over."""
        if not states or any(state.to_move < 0 for state in states):
            raise ValueError("an evaluator needs positions in which a player is to move.")
        seen = [state.observe() for state in states]
        return cls(
            np.stack([one.planes for one in seen]),
            np.stack([one.features for one in seen]),
            np.array([state.to_move for state in states], np.int64),
            np.array([state.hash() for state in states], np.uint64),
        )

    def __len__(self) -> int:
        return len(self.viewers)

    def take(self, rows: Sequence[int]) -> "Batch":
        """Some of the positions."""
        return Batch(self.planes[rows], self.features[rows], self.viewers[rows], self.keys[rows])

    def inputs(self) -> dict[str, Floats]:
        """What a net is given: the arrays that are not empty, by name."""
        return {
            name: array
            for name, array in (("planes", self.planes), ("features", self.features))
            if all(array.shape[1:])
        }
