"""What the tests of self-play and training share: Python games that observe, an evaluator that always says the same,
and games played by it."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import sevenfold as sf
from sevenfold import _core

Chunk = dict[str, np.ndarray]


class Sticks(sf.Rules):
    """Nim with one heap: take one to three; whoever takes the last wins."""

    actions, features, max_plies = 3, 12, 10

    def __init__(self, count: int = 10) -> None:
        self.count, self.turn = count, 0

    def to_move(self) -> int:
        return self.turn if self.count else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [n - 1 for n in (1, 2, 3) if n <= self.count]

    def play(self, action: int) -> None:
        self.count -= action + 1
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        return [0, 0] if self.count else ([-1, 1] if self.turn == 0 else [1, -1])

    def observe(self, viewer: int) -> Any:
        return [float(self.count == i) for i in range(11)] + [float(viewer == self.turn)]


class Three(sf.Rules):
    """Three players name numbers in turn, two rounds; what each gets is any function of them."""

    players, actions, sum, features, max_plies = 3, 4, "any", 7, 6

    def __init__(self) -> None:
        self.named: list[int] = []

    def to_move(self) -> int:
        return len(self.named) % 3 if len(self.named) < 6 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1, 2, 3]

    def play(self, action: int) -> None:
        self.named.append(action)

    def returns(self) -> list[float]:
        text = sum(one * 7**i for i, one in enumerate(self.named))
        return [((text * prime) % 101) / 50 - 1 for prime in (3, 7, 13)]

    def observe(self, viewer: int) -> Any:
        return self.named + [-1] * (6 - len(self.named)) + [viewer]


class Secret(sf.Rules):
    """Player 1 holds a card that player 0 does not see; both guess twice in turn, and the card pays."""

    actions, features, max_plies = 4, 4, 4

    def __init__(self, card: int = 0) -> None:
        self.card, self.said = card, list[int]()

    def to_move(self) -> int:
        return len(self.said) % 2 if len(self.said) < 4 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1, 2, 3]

    def play(self, action: int) -> None:
        self.said.append(action)

    def returns(self) -> list[float]:
        own = (self.said[:1] == [self.card]) - (self.said[1:2] == [self.card])
        return [own, -own]

    def observe(self, viewer: int) -> Any:
        return [viewer, self.card if viewer else -1, len(self.said), sum(self.said)]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if viewer == 0:
            self.card = rng.randrange(4)

    def view(self, viewer: int) -> str:
        return f"{self.card if viewer else '?'} {self.said}"


def answer(planes: np.ndarray, features: np.ndarray, players: int, actions: int) -> tuple[np.ndarray, np.ndarray]:
    """Values and logits that depend on each position alone, and on nothing that shares its batch."""
    rows = len(planes)
    x = np.concatenate([planes.reshape(rows, -1), features], 1).astype(np.float64)
    rng = np.random.default_rng(5)
    first = rng.normal(0, 1, (x.shape[1], players))
    second = rng.normal(0, 1, (x.shape[1], actions))
    values = np.stack([np.tanh((one[:, None] * first).sum(0)) for one in x])
    if players == 2:
        values[:, 1] = -values[:, 0]
    return values.astype(np.float32), np.stack([(one[:, None] * second).sum(0) for one in x]).astype(np.float32)


def pool_options(root: str = "gumbel", **given: Any) -> _core.PoolOptions:
    """Small searches; what begins with search_ is the search's."""
    search = _core.MctsOptions()
    search.root, search.exploration, search.memory = root, 1.5, 1 << 20
    out = _core.PoolOptions()
    out.slots, out.simulations = 4, 12
    for key, value in given.items():
        if key == "solver" and not value:
            search.solver = search.decisive = search.forced = search.forced_win = False
        elif key.startswith("search_"):
            setattr(search, key.removeprefix("search_"), value)
        else:
            setattr(out, key, value)
    out.search = search
    return out


Evaluate = Callable[[np.ndarray, np.ndarray, int, int], tuple[np.ndarray, np.ndarray]]


def finish(pool: _core.Pool, game: sf.Game, evaluate: Evaluate = answer) -> Chunk:
    """Plays all games of a pool to their end."""
    while pool.collect():
        planes, features, _, _ = pool.batch()
        pool.resume(*evaluate(planes, features, game.players, game.actions))
    assert pool.unfinished == 0
    return pool.take_finished()


def played(game: sf.Game | list[sf.Game], count: int, evaluate: Evaluate = answer, **given: Any) -> Chunk:
    """So many games of self-play."""
    games = game if isinstance(game, list) else [game]
    pool = _core.Pool([one.new() for one in games], pool_options(**given))
    for number in range(count):
        pool.add(number, number % len(games))
    return finish(pool, games[0], evaluate)


def game_at(chunk: Chunk, row: int) -> tuple[list[int], range]:
    """The actions of a game of a chunk, and its positions."""
    actions = chunk["actions"][slice(*chunk["action_start"][row : row + 2])]
    return actions.tolist(), range(*chunk["position_start"][row : row + 2])


def policy_at(chunk: Chunk, position: int) -> dict[int, float]:
    """The policy of a position."""
    where = slice(*chunk["policy_start"][position : position + 2])
    return dict(zip(chunk["policy_action"][where].tolist(), chunk["policy_share"][where].tolist(), strict=True))


def by_id(chunk: Chunk) -> dict[int, tuple[Any, ...]]:
    """Everything about each game, to compare."""
    out = {}
    for row, number in enumerate(chunk["id"].tolist()):
        actions, positions = game_at(chunk, row)
        names = ("ply", "kind", "exact", "surprise")
        found = [(*(chunk[name][p] for name in names), tuple(policy_at(chunk, p).items())) for p in positions]
        values = [(tuple(chunk["value"][p]), tuple(chunk["target"][p])) for p in positions]
        out[number] = (actions, int(chunk["ended"][row]), tuple(chunk["returns"][row]), found, values)
    return out
