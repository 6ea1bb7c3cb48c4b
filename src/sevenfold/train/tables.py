"""Games in lockstep: networks, habits and chance round many tables, one batch per step (cpp/selfplay/lockstep.h).

No torch here: a network is any function from planes and features to logits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold import _core
from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.seeds import seed_of

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Network = Callable[[Floats, Floats], Floats]
"""Planes [N, C, H, W] and features [N, F] to logits [N, actions]."""

RANDOM, FIRST_HABIT = -1, -2
SAME = _core.SAME_SEAT
"""Whoever sat there before."""
Believed = tuple[int, int, float]
"""Worlds that a mover believes in: how many, small changes for each, and how likely others are of other kinds."""
SAMPLE_GAMES = 128
"""Random games that say which planes of the other seats are new."""


@dataclass(frozen=True)
class NativeNetwork:
    """A network that the core evaluates itself, and with which it plays games to their ends without Python."""

    net: _core.RowsNet

    def __call__(self, planes: Floats, features: Floats) -> Floats:
        """See Network."""
        logits: Floats = self.net.evaluate(planes, features)[1]
        return logits


@dataclass(frozen=True)
class Everything:
    """What a critic sees of all seats together: planes and features, seat from the mover on × channels + channel."""

    planes: tuple[int, ...] = ()
    features: tuple[int, ...] = ()


@dataclass
class Experience:
    """Decisions of one network, in the order in which they were made, and how their games ended."""

    planes: Floats
    features: Floats
    all_planes: Floats
    all_features: Floats
    legal: NDArray[np.uint8]
    games: Whole
    viewers: Whole
    actions: Whole
    log_p: Floats
    """Of the actions, when they were played."""
    returns: Floats
    """[games, players]"""
    evaluations: int
    """Of all networks."""
    advice: Whole | None = None
    """What the adviser would have done."""

    def __len__(self) -> int:
        return len(self.actions)


def habit_named(game: Game, name: str) -> int:
    """The seat of a habit, by its name; `random` is one of every game."""
    if name == "random":
        return RANDOM
    known = _core.habits(game.new())
    if name not in known:
        raise ValueError(f"{game.name} has no habit {shown(name)}; there are: {', '.join(['random', *known])}.")
    return FIRST_HABIT - known.index(name)


def log_softmax(logits: Floats, legal: NDArray[np.uint8]) -> Floats:
    """Over the legal actions; the others get a very small number."""
    masked = np.where(legal != 0, logits, np.float32(-1e9))
    masked -= masked.max(1, keepdims=True)
    out: Floats = masked - np.log(np.exp(masked).sum(1, keepdims=True))
    return out


def play(
    game: Game,
    deals: NDArray[np.uint64],
    seats: Whole,
    networks: Sequence[Network],
    rng: np.random.Generator,
    everything: Everything | None = None,
    *,
    sample: bool = True,
    keep: bool = True,
    adviser: int = RANDOM,
    obey: float = 0.0,
) -> Experience:
    """Plays games to their end; what network 0 has seen and done.

    seats [games, players]: a network's number, or a habit's seat. Networks draw their actions by their policies;
    without `sample` they play what they like best.
    adviser: a habit that says what it would do; in the share `obey` of positions that is played.
    """
    everything = everything or Everything()
    dice = rng.integers(0, 2**63, len(deals), np.uint64)
    tables = _core.Lockstep(
        game.new(), np.asarray(deals, np.uint64), dice, np.ascontiguousarray(seats, np.int64),
        list(everything.planes), list(everything.features), adviser,
    )  # fmt: skip
    kept: list[tuple[NDArray[np.generic], ...]] = []
    evaluations = 0
    while True:
        planes, features, all_planes, all_features, legal, games, viewers, who, advice = tables.collect()
        if not len(games):
            break
        actions, log_p = decided(networks, planes, features, legal, who, rng, sample=sample)
        evaluations += len(games)
        if obey:
            actions = np.where(rng.random(len(actions)) < obey, advice, actions).astype(np.int32)
        tables.play(actions)
        if keep:
            own = np.flatnonzero(who == 0)
            said = log_p[own, actions[own]]
            actions = actions.astype(np.int64)
            told = advice if adviser != RANDOM else actions
            arrays = (planes, features, all_planes, all_features, legal, games, viewers, actions, told)
            kept.append((*(arrays if len(own) == len(who) else (one[own] for one in arrays)), said))
    if not kept:
        none = (*tables.collect()[:7], np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
        kept.append(none)
    *columns, told, said = [np.concatenate(parts) for parts in zip(*kept, strict=True)]
    found: list[Any] = [*columns, said]
    make: Any = Experience
    out: Experience = make(*found, tables.returns(), evaluations, told if adviser != RANDOM else None)
    return out


@dataclass
class Trials:
    """Decisions of network 0 at which every legal action was tried, and what that brought."""

    planes: Floats
    features: Floats
    legal: NDArray[np.uint8]
    viewers: Whole
    hidden: Floats
    """[N, planes, H, W]: what the other seats saw, where that was asked for."""
    returns: Floats
    """[N, players, actions]; 0 where an action is illegal."""
    games: int
    evaluations: int

    def __len__(self) -> int:
        return len(self.viewers)


def try_all(
    game: Game,
    deals: NDArray[np.uint64],
    seats: Whole,
    networks: Sequence[Network],
    rng: np.random.Generator,
    hidden: Everything | None = None,
    *,
    share: float = 1.0,
    own: int | None = None,
    believed: Believed | None = None,
) -> Trials:
    """Plays games, and at a share of network 0's decisions every legal action from the same position, with the same
    dice to the end, everybody then playing what it likes best. own: a habit that has the mover's seat from then on.
    believed: not from the position itself but from worlds that its mover believes in, and the mean counts."""
    dice = rng.integers(0, 2**63, len(deals), np.uint64)
    tables = _core.Lockstep(
        game.new(), np.asarray(deals, np.uint64), dice, np.ascontiguousarray(seats, np.int64),
        list(hidden.planes) if hidden else [], [],
    )  # fmt: skip
    kept: list[tuple[NDArray[np.generic], ...]] = []
    means: list[Floats] = []
    evaluations = 0
    while True:
        planes, features, others, _, legal, games, viewers, who, _ = tables.collect()
        if not len(games):
            break
        actions, _ = decided(networks, planes, features, legal, who, rng, sample=True)
        evaluations += len(games)
        rows = np.flatnonzero((who == 0) & (rng.random(len(who)) < share))
        if believed is not None:
            alone = networks[0] if len(networks) == 1 else None
            net = alone.net if isinstance(alone, NativeNetwork) else None
            means.append(np.asarray(tables.try_worlds(rows, SAME if own is None else own, *believed, net), np.float32))
        else:
            tables.branch(rows) if own is None else tables.branch(rows, own)
        kept.append((planes[rows], features[rows], legal[rows], viewers[rows], others[rows]))
        tables.play(actions)
    branches = tables.take_branches()
    alone = networks[0]
    if len(networks) == 1 and isinstance(alone, NativeNetwork):
        evaluations += branches.finish(alone.net)
    while True:
        planes, features, _, _, legal, games, _, who, _ = branches.collect()
        if not len(games):
            break
        evaluations += len(games)
        branches.play(decided(networks, planes, features, legal, who, rng, sample=False)[0])
    found: list[Any] = [np.concatenate(parts) for parts in zip(*kept, strict=True)]
    returns = np.zeros((len(found[0]), game.players, game.actions), np.float32)
    if believed is not None:
        returns = np.concatenate(means)
    else:
        row, action = np.nonzero(found[2])
        returns[row, :, action] = np.asarray(branches.returns(), np.float32)
    make: Any = Trials
    out: Trials = make(*found, returns, len(deals), evaluations)
    return out


def decided(
    networks: Sequence[Network],
    planes: Floats,
    features: Floats,
    legal: NDArray[np.uint8],
    who: Whole,
    rng: np.random.Generator,
    *,
    sample: bool,
) -> tuple[NDArray[np.int32], Floats]:
    """What the networks do, and the logarithms of their probabilities [N, actions]."""
    log_p = np.empty(legal.shape, np.float32)
    for number, network in enumerate(networks):
        rows = np.flatnonzero(who == number)
        if len(rows) == len(who):
            log_p = log_softmax(network(planes, features), legal)
        elif len(rows):
            log_p[rows] = log_softmax(network(planes[rows], features[rows]), legal[rows])
    drawn = log_p
    if sample:  # Gumbel's way to draw by shares
        drawn = log_p - np.log(rng.standard_exponential(log_p.shape, np.float32) + np.float32(1e-30))
        drawn = np.where(legal != 0, drawn, -np.inf)
    return drawn.argmax(1).astype(np.int32), log_p


def everything_of(game: Game, seed: int) -> Everything:
    """The planes and features of all seats that are not the same as another's and not always the same number, by what
    random games show."""
    shape = game.planes
    whole = Everything(tuple(range(game.players * shape[0])), tuple(range(game.players * game.features)))
    rng = np.random.default_rng(seed_of(seed, 0, "everything"))
    deals = rng.integers(0, 2**63, SAMPLE_GAMES, np.uint64)
    seats = np.zeros((SAMPLE_GAMES, game.players), np.int64)

    def uniform(planes: Floats, _: Floats) -> Floats:
        return np.zeros((len(planes), game.actions), np.float32)

    found = play(game, deals, seats, [uniform], rng, whole)
    rows = max(1, len(found))
    planes = found.all_planes.reshape(rows, len(whole.planes), -1) if len(whole.planes) else np.zeros((rows, 0, 1))
    return Everything(_new(planes), _new(found.all_features.reshape(rows, -1, 1)))


def hidden_of(game: Game, seed: int) -> Everything:
    """Of these the planes of ones and zeros that other seats see and the mover does not: cards, mostly."""
    found, rng = everything_of(game, seed), np.random.default_rng(seed_of(seed, 1, "everything"))
    others = Everything(tuple(plane for plane in found.planes if plane >= game.planes[0]))
    deals, seats = rng.integers(0, 2**63, SAMPLE_GAMES, np.uint64), np.zeros((SAMPLE_GAMES, game.players), np.int64)
    seen = play(game, deals, seats, [lambda p, _: np.zeros((len(p), game.actions), np.float32)], rng, others)
    sharp = ((seen.all_planes == 0) | (seen.all_planes == 1)).all((0, 2, 3)) if others.planes else []
    return Everything(tuple(plane for plane, fine in zip(others.planes, sharp, strict=True) if fine))


def _new(columns: NDArray[np.generic]) -> tuple[int, ...]:
    """Those of the columns [rows, columns, numbers] that no earlier one repeats, and that are not one number."""
    seen: set[bytes] = set()
    out = []
    for number in range(columns.shape[1]):
        column = np.ascontiguousarray(columns[:, number])
        if column.size and (column != column.flat[0]).any() and column.tobytes() not in seen:
            seen.add(column.tobytes())
            out.append(number)
    return tuple(out)


@dataclass(frozen=True)
class Points:
    """What a network gets per game, the mean over all seats, among copies of an opponent."""

    mean: float
    half: float
    """Half of the 95 % interval, over deals."""
    deals: int


def duplicate(
    game: Game, networks: Sequence[Network], other: int, deals: int, seed: int, *, at_once: int = 2048
) -> Points:
    """Network 0 in every seat of every deal, `other` (a network or a habit) in all the others."""
    scores: list[NDArray[np.float64]] = []
    for first in range(0, deals, at_once):
        numbers = np.arange(first, min(deals, first + at_once))
        chance = np.array([seed_of(seed, int(one), "duplicate") for one in numbers], np.uint64)
        seats = np.full((len(numbers) * game.players, game.players), other, np.int64)
        own = np.tile(np.arange(game.players), len(numbers))
        seats[np.arange(len(seats)), own] = 0
        rng = np.random.default_rng(seed_of(seed, first, "dice"))
        found = play(game, np.repeat(chance, game.players), seats, networks, rng, sample=False, keep=False)
        scores.append(found.returns[np.arange(len(seats)), own].reshape(-1, game.players).mean(1, dtype=np.float64))
    every = np.concatenate(scores)
    half = 1.96 * float(every.std(ddof=1)) / len(every) ** 0.5 if len(every) > 1 else float("inf")
    return Points(float(every.mean()), half, len(every))
