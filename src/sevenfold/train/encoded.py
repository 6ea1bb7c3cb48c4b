"""Positions encoded once and kept small, for `replay.store=planes`.

Every array takes as few bits as hold it, chunk by chunk: one where all numbers are 0 or 1, a byte where they are whole
and from -128 to 127, two bytes (a relative error of 1/2000) or four for the rest. Policies stay as they are, a number
for every action that has a share.

With symmetries, a position is seen through one of them, drawn from its game and ply, so that an interrupted run sees
the same again. An observation cannot be turned afterwards: that takes the rules, which are asked once here. What
`store=actions` gives more is another symmetry each time a position is drawn.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold import _core
from sevenfold.train.chunks import Chunk

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


class Packed:
    """Rows of numbers, in as few bits as hold them."""

    def __init__(self, rows: NDArray[Any]) -> None:
        self.shape = rows.shape[1:]
        flat = np.ascontiguousarray(rows).reshape(len(rows), -1)
        self.bits = bool(((flat == 0) | (flat == 1)).all())
        self.data: NDArray[Any]
        if self.bits:
            self.data = np.packbits(flat != 0, axis=1)
        elif (flat >= -128).all() and (flat <= 127).all() and (flat == np.round(flat)).all():
            self.data = flat.astype(np.int8)
        else:
            self.data = flat.astype(np.float16 if np.abs(flat).max() < 60000 else np.float32)

    def __getitem__(self, rows: Whole) -> Floats:
        found = self.data[rows]
        if self.bits:
            found = np.unpackbits(found, axis=1, count=int(np.prod(self.shape)))
        return found.astype(np.float32).reshape(len(rows), *self.shape)

    @property
    def nbytes(self) -> int:
        """Memory."""
        return self.data.nbytes


@dataclass(frozen=True)
class Encoded:
    """Positions of one chunk and one board size."""

    rows: Whole
    """Which of the chunk's they are, rising."""
    planes: Packed
    features: Packed
    legal: Packed
    viewers: NDArray[np.int8]

    @property
    def nbytes(self) -> int:
        """Memory."""
        parts = (self.rows, self.planes, self.features, self.legal, self.viewers)
        return sum(part.nbytes for part in parts)


Views = tuple[Floats, Floats, Whole, NDArray[np.uint8], Floats]
"""Planes, features, viewers, legal actions, policies."""


def view(state: _core.State, chunk: Chunk, games: Whole, rows: Whole, symmetries: NDArray[np.uint32]) -> Views:
    """Positions of a chunk as a network sees them; all of the game of `state`."""
    starts = chunk["policy_start"][rows]
    return _core.encode(
        state,
        chunk["actions"],
        np.ascontiguousarray(chunk["action_start"][games]),
        np.ascontiguousarray(chunk["ply"][rows]),
        np.ascontiguousarray(symmetries),
        chunk["policy_action"],
        chunk["policy_share"],
        np.ascontiguousarray(starts),
        (chunk["policy_start"][rows + 1] - starts).astype(np.int32),
    )


def views(states: list[_core.State], chunk: Chunk, games: Whole, rows: Whole, symmetries: NDArray[np.uint32]) -> Views:
    """The same for several games of one board size, in the order of `rows`."""
    setups = chunk["game"][games]
    order = np.argsort(setups, kind="stable")
    parts = []
    for setup in np.unique(setups):
        mine = order[slice(*np.searchsorted(setups[order], [setup, setup + 1]))]
        parts.append(view(states[setup], chunk, games[mine], rows[mine], symmetries[mine]))
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    planes, features, viewers, legal, policy = (np.concatenate(one)[back] for one in zip(*parts, strict=True))
    return planes, features, viewers, legal, policy


def encode(
    states: list[_core.State], sizes: NDArray[np.int64], chunk: Chunk, symmetries: bool
) -> tuple[Chunk, list[Encoded | None]]:
    """A chunk's positions encoded, by board size (`sizes`: that of every game of the run), and the chunk with its
    policies seen through the same symmetries."""
    games = np.repeat(np.arange(len(chunk["id"])), np.diff(chunk["position_start"]))
    drawn = np.zeros(len(games), np.uint32)
    if symmetries:
        mixed = (chunk["id"][games].astype(np.uint64) << np.uint64(20)) ^ chunk["ply"].astype(np.uint64)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        drawn = (mixed >> np.uint64(32)).astype(np.uint32)
    of_size, out = sizes[chunk["game"][games]], list[Encoded | None]()
    actions, shares = chunk["policy_action"].copy(), chunk["policy_share"].copy()
    for size in range(int(sizes.max()) + 1):
        rows = np.flatnonzero(of_size == size)
        if not len(rows):
            out.append(None)
            continue
        planes, features, viewers, legal, policy = views(states, chunk, games[rows], rows, drawn[rows])
        out.append(Encoded(rows, Packed(planes), Packed(features), Packed(legal), viewers.astype(np.int8)))
        if symmetries:
            _turn(chunk, rows, policy, actions, shares)
    return chunk | {"policy_action": actions, "policy_share": shares}, out


def _turn(chunk: Chunk, rows: Whole, policy: Floats, actions: NDArray[np.uint16], shares: Floats) -> None:
    """Writes turned policies in the places of the others: as many actions have a share as before."""
    for row, turned in zip(rows.tolist(), policy, strict=True):
        where = slice(*chunk["policy_start"][row : row + 2])
        size = where.stop - where.start
        found = np.argpartition(-turned, size - 1)[:size] if size < len(turned) else np.arange(size)
        actions[where], shares[where] = found, turned[found]
