"""The positions that are learnt from: the newest ones, drawn at random, as a network sees them.

Games are kept by their actions, and a position is encoded when it is drawn (cpp/selfplay/encode.h), through a random
symmetry of the game; `store=planes` encodes once instead, into bytes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sevenfold import _core
from sevenfold.evaluators.batch import Batch
from sevenfold.game import Game
from sevenfold.train import chunks
from sevenfold.train.chunks import Chunk
from sevenfold.train.config import Replaying

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Samples:
    """Positions to learn from."""

    planes: Floats
    features: Floats
    viewers: Whole
    legal: NDArray[np.uint8]
    policy: Floats
    """What the search found, [N, actions]."""
    policy_weight: Floats
    """[N]: 0 where no policy is to be learnt."""
    values: Floats
    """[N, players], absolute."""
    rows: Whole
    """Which positions of the replay they are."""


class Replay:
    """A window of self-play games."""

    def __init__(self, setups: list[Game], config: Replaying) -> None:
        self.config = config
        self._setups = setups
        self._states = [setup.new() for setup in setups]
        self._shapes = np.unique([setup.planes for setup in setups], axis=0, return_inverse=True)[1].reshape(-1)
        self._chunks: list[Chunk] = []
        self._all: Chunk | None = None
        self.seen = 0
        """Positions that ever came in."""

    def add(self, chunk: Chunk) -> None:
        """More games; the oldest leave when the window is full."""
        self.seen += chunks.positions(chunk)
        self._chunks.append(chunk)
        self._all = None
        window = self.window
        held = sum(chunks.positions(one) for one in self._chunks)
        while len(self._chunks) > 1 and held - chunks.positions(self._chunks[0]) >= window:
            held -= chunks.positions(self._chunks.pop(0))

    @property
    def window(self) -> int:
        """How many positions are kept now."""
        config = self.config
        return int(min(config.window, max(config.window_start, config.window_share * self.seen)))

    def __len__(self) -> int:
        return sum(chunks.positions(one) for one in self._chunks)

    @property
    def bytes(self) -> int:
        """Memory of what is kept."""
        return sum(array.nbytes for one in self._chunks for array in one.values())

    def _prepare(self) -> Chunk:
        if self._all is None:
            self._all = chunks.joined(self._chunks)
            self._chunks = [self._all] if len(self._chunks) < 2 else self._chunks
            games = np.repeat(np.arange(len(self._all["id"])), np.diff(self._all["position_start"]))
            self._game_of = games
            setups = self._all["game"][games]
            by_shape = self._shapes[setups]
            self._rows = [np.flatnonzero(by_shape == shape) for shape in range(int(self._shapes.max()) + 1)]
            self._chances = [self._weights(rows) for rows in self._rows]
        return self._all

    def _weights(self, rows: Whole) -> NDArray[np.float64]:
        """Cumulated probabilities: some of the samples are drawn by surprise."""
        assert self._all is not None
        surprise = np.maximum(self._all["surprise"][rows], 0) * (self._all["kind"][rows] == chunks.FULL)
        share = self.config.surprise if surprise.sum() > 0 else 0.0
        weights = np.full(len(rows), (1 - share) / max(1, len(rows)))
        if share > 0:
            weights += share * surprise / surprise.sum()
        return np.cumsum(weights)

    def draw(self, count: int, rng: np.random.Generator) -> Samples:
        """So many positions, all of one board size, sizes as often as there are positions of them."""
        self._prepare()
        sizes = np.array([len(rows) for rows in self._rows], np.float64)
        shape = int(rng.choice(len(sizes), p=sizes / sizes.sum()))
        chances = self._chances[shape]
        places = np.searchsorted(chances, rng.random(count) * chances[-1], side="right")
        rows = self._rows[shape][np.minimum(places, len(chances) - 1)]
        symmetries = rng.integers(0, 2**32, count, np.uint32) if self.config.symmetries else np.zeros(count, np.uint32)
        return self.encoded(rows, symmetries)

    def encoded(self, rows: Whole, symmetries: NDArray[np.uint32]) -> Samples:
        """Some positions, through symmetries (0: as they are)."""
        data = self._prepare()
        games = self._game_of[rows]
        setups = data["game"][games]
        order = np.argsort(setups, kind="stable")
        rows, games, setups, symmetries = rows[order], games[order], setups[order], symmetries[order]
        parts = []
        for setup in np.unique(setups):
            mine = slice(*np.searchsorted(setups, [setup, setup + 1]))
            picked = rows[mine]
            starts = data["policy_start"][picked]
            parts.append(
                _core.encode(
                    self._states[setup],
                    data["actions"],
                    np.ascontiguousarray(data["action_start"][games[mine]]),
                    np.ascontiguousarray(data["ply"][picked]),
                    np.ascontiguousarray(symmetries[mine]),
                    data["policy_action"],
                    data["policy_share"],
                    np.ascontiguousarray(starts),
                    (data["policy_start"][picked + 1] - starts).astype(np.int32),
                )
            )
        planes, features, viewers, legal, policy = (np.concatenate(one) for one in zip(*parts, strict=True))
        weight = (data["kind"][rows] == chunks.FULL).astype(np.float32)
        return Samples(planes, features, viewers, legal, policy, weight, data["target"][rows], rows)

    def some(self, setup: Game, count: int) -> Batch | None:
        """Positions of a board size, each once, the same for the same replay; None where there are few."""
        data = self._prepare()
        setups = data["game"][self._game_of]
        rows = np.flatnonzero(np.array([one.planes == setup.planes for one in self._setups])[setups])
        if len(rows) < count:
            return None
        rows = np.sort(np.random.default_rng(0).choice(rows, count, replace=False))
        seen = self.encoded(rows, np.zeros(count, np.uint32))
        return Batch(seen.planes, seen.features, seen.viewers, np.arange(1, count + 1, dtype=np.uint64))

    def position(self, row: int) -> tuple[Game, list[int]]:
        """The game of a position, and the actions that lead to it."""
        data = self._prepare()
        game = self._game_of[row]
        start = int(data["action_start"][game])
        return self._setups[data["game"][game]], data["actions"][start : start + int(data["ply"][row])].tolist()
