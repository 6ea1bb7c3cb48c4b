"""The positions that are learnt from: the newest ones, drawn at random, as a network sees them.

Games are kept by their actions, and a position is encoded when it is drawn (cpp/selfplay/encode.h), through a random
symmetry of the game; `store=planes` encodes once instead, into bits or bytes (encoded.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sevenfold.evaluators.batch import Batch
from sevenfold.game import Game
from sevenfold.train import chunks, lessons
from sevenfold.train.chunks import Chunk
from sevenfold.train.config import Replaying
from sevenfold.train.encoded import Encoded, encode, views
from sevenfold.train.lessons import Lesson

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
    lessons: dict[str, Lesson] = field(default_factory=dict)
    """What auxiliary heads learn, by their names."""


class Replay:
    """A window of self-play games."""

    def __init__(self, setups: list[Game], config: Replaying, auxiliary: Mapping[str, int] | None = None) -> None:
        self.config = config
        self._auxiliary = dict(auxiliary or {})
        lessons.check(setups, self._auxiliary)
        if self._auxiliary and config.store == "planes":
            raise ValueError("auxiliary heads need replay.store=actions: their lessons are drawn with the positions.")
        self._setups = setups
        self._states = [setup.new() for setup in setups]
        self._shapes = np.unique([setup.planes for setup in setups], axis=0, return_inverse=True)[1].reshape(-1)
        # What came in: how many games and positions each time, the newest last; the chunks that hold them, joined when
        # positions are drawn, and how many games of them have left the window since; with store=planes, their planes.
        self._counts: list[tuple[int, int]] = []
        self._parts: list[Chunk] = []
        self._left = 0
        self._encoded: list[list[Encoded | None]] = []
        self._ready = False
        self.seen = 0
        """Positions that ever came in."""

    def add(self, chunk: Chunk) -> None:
        """More games; the oldest leave when the window is full. ValueError where they are no games of this run."""
        if len(chunk["game"]) and int(chunk["game"].max()) >= len(self._setups):
            raise ValueError("a recorded game is on a variant that this run does not have.")
        if chunk["returns"].shape[1] != self._setups[0].players:
            raise ValueError("a recorded game has another number of players.")
        if self.config.store == "planes":
            chunk, encoded = encode(self._states, self._shapes, chunk, self.config.symmetries)
            self._encoded.append(encoded)
        self.seen += chunks.positions(chunk)
        self._parts.append(chunk)
        self._counts.append((len(chunk["id"]), chunks.positions(chunk)))
        self._ready = False
        window = self.window
        while len(self._counts) > 1 and len(self) - self._counts[0][1] >= window:
            self._left += self._counts.pop(0)[0]
            del self._encoded[:1]

    @property
    def window(self) -> int:
        """How many positions are kept now."""
        config = self.config
        return int(min(config.window, max(config.window_start, config.window_share * self.seen)))

    def __len__(self) -> int:
        return sum(positions for _, positions in self._counts)

    @property
    def bytes(self) -> int:
        """Memory of what is kept."""
        records = sum(array.nbytes for one in self._parts for array in one.values())
        return records + sum(one.nbytes for part in self._encoded for one in part if one is not None)

    @property
    def bytes_per_sample(self) -> float:
        """The same, per position."""
        return self.bytes / max(1, len(self))

    def _prepare(self) -> Chunk:
        if not self._ready:
            if self._left or len(self._parts) > 1:
                data = chunks.tail(chunks.joined(self._parts), self._left)
                self._parts, self._left = [{name: array.copy() for name, array in data.items()}], 0
            data = self._parts[0]
            self._game_of = np.repeat(np.arange(len(data["id"])), np.diff(data["position_start"]))
            by_shape = self._shapes[data["game"][self._game_of]]
            self._rows = [np.flatnonzero(by_shape == shape) for shape in range(int(self._shapes.max()) + 1)]
            self._chances = [self._weights(data, rows) for rows in self._rows]
            self._starts = np.cumsum([0] + [positions for _, positions in self._counts])
            self._ready = True
        return self._parts[0]

    def _weights(self, data: Chunk, rows: Whole) -> NDArray[np.float64]:
        """Cumulated probabilities: some of the samples are drawn by surprise."""
        surprise = np.maximum(data["surprise"][rows], 0) * (data["kind"][rows] == chunks.FULL)
        share = self.config.surprise if surprise.sum() > 0 else 0.0
        weights = np.full(len(rows), (1 - share) / max(1, len(rows)))
        if share > 0:
            weights += share * surprise / surprise.sum()
        return np.cumsum(weights)

    def draw(self, count: int, rng: np.random.Generator) -> Samples:
        """So many positions, all of one board size, sizes as often as there are positions of them."""
        if not len(self):
            raise ValueError("there are no positions to learn from: every game was over before the first decision.")
        self._prepare()
        sizes = np.array([len(rows) for rows in self._rows], np.float64)
        shape = int(rng.choice(len(sizes), p=sizes / sizes.sum()))
        chances = self._chances[shape]
        places = np.searchsorted(chances, rng.random(count) * chances[-1], side="right")
        rows = self._rows[shape][np.minimum(places, len(chances) - 1)]
        symmetries = rng.integers(0, 2**32, count, np.uint32) if self.config.symmetries else np.zeros(count, np.uint32)
        return self.encoded(rows, symmetries)

    def encoded(self, rows: Whole, symmetries: NDArray[np.uint32]) -> Samples:
        """Some positions of one board size, through symmetries (0: as they are); store=planes has chosen its own."""
        data = self._prepare()
        if self.config.store == "planes":
            planes, features, viewers, legal = self._kept(rows)
            policy = self._policies(data, rows)
        else:
            planes, features, viewers, legal, policy = views(self._states, data, self._game_of[rows], rows, symmetries)
        weight = (data["kind"][rows] == chunks.FULL).astype(np.float32)
        taught = {name: self._lesson(name, rows, symmetries, viewers) for name in self._auxiliary}
        return Samples(planes, features, viewers, legal, policy, weight, data["target"][rows], rows, taught)

    def _lesson(self, name: str, rows: Whole, symmetries: NDArray[np.uint32], viewers: Whole) -> Lesson:
        data = self._prepare()
        if name == "soon":
            setup = self._setups[0]
            scale = max(abs(setup.min_return), abs(setup.max_return)) or 1.0
            return lessons.soon(data, self._game_of, rows, viewers, scale)
        if name == "reply":
            later, weight = lessons.reply_rows(data, self._game_of, rows)
            return views(self._states, data, self._game_of[later], later, symmetries)[4], weight
        teach, size = lessons.declared_by(self._setups[0])[name], self._auxiliary[name]
        out = []
        for row, symmetry in zip(rows.tolist(), symmetries.tolist(), strict=True):
            rules, actions = self.position(row)
            position, end = rules.replay(actions), rules.replay(self._whole_game(row))
            out.append(lessons.of_room(name, size, teach, position, end, symmetry))
        return np.array(out, np.float32), np.ones(len(rows), np.float32)

    def _whole_game(self, row: int) -> list[int]:
        data = self._prepare()
        start, end = data["action_start"][self._game_of[row] : self._game_of[row] + 2]
        return list(data["actions"][int(start) : int(end)].tolist())

    def _kept(self, rows: Whole) -> tuple[Floats, Floats, Whole, NDArray[np.uint8]]:
        """What was encoded when it came in."""
        shape = int(self._shapes[self._parts[0]["game"][self._game_of[rows[0]]]])
        of_chunk = np.searchsorted(self._starts, rows, side="right") - 1
        order = np.argsort(of_chunk, kind="stable")
        parts = []
        for number in np.unique(of_chunk):
            one = self._encoded[number][shape]
            assert one is not None
            mine = order[slice(*np.searchsorted(of_chunk[order], [number, number + 1]))]
            at = np.searchsorted(one.rows, rows[mine] - self._starts[number])
            parts.append((one.planes[at], one.features[at], one.viewers[at].astype(np.int64), one.legal[at]))
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        planes, features, viewers, legal = (np.concatenate(one)[back] for one in zip(*parts, strict=True))
        return planes, features, viewers, legal.astype(np.uint8)

    def _policies(self, data: Chunk, rows: Whole) -> Floats:
        out = np.zeros((len(rows), self._setups[int(data["game"][self._game_of[rows[0]]])].actions), np.float32)
        sizes = data["policy_start"][rows + 1] - data["policy_start"][rows]
        at = chunks.ranges(data["policy_start"], rows)
        out[np.repeat(np.arange(len(rows)), sizes), data["policy_action"][at]] = data["policy_share"][at]
        return out

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
