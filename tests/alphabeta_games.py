"""Games, positions and a brute force that the tests of alpha-beta share."""

import random
from collections.abc import Iterator

import sevenfold as sf
from sevenfold.players import SearchResult

EXACT = ",".join(f"{step}=false" for step in ("sampling",))
"""Every forward pruning off; razor and self_loss are off by themselves."""


def drawn(*numbers: int) -> random.Random:
    return random.Random(repr(numbers))


class Tree(sf.Rules):
    """A game that is a random tree: who moves, how many actions there are, and every value come from the path."""

    sum = "zero"
    outcomes = 3
    actions = 4

    def __init__(self, number: int = 0, players: int = 2, length: int = 6, luck: float = 0.0) -> None:
        self.players = players
        self.setup = (number, length, luck)
        self.path: tuple[int, ...] = ()

    def _draw(self, salt: int) -> random.Random:
        return drawn(self.setup[0], salt, *self.path)

    def to_move(self) -> int:
        _, length, luck = self.setup
        rng = self._draw(0)
        if self.path and (len(self.path) >= length or rng.random() < 0.1):
            return sf.TERMINAL
        if self.path and rng.random() < luck:
            return sf.CHANCE
        return rng.randrange(self.players)  # often the same player again

    def legal_actions(self) -> list[int]:
        return sorted(self._draw(1).sample(range(4), self._draw(2).randint(1, 4)))

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.25), (2, 0.25)]

    def play(self, action: int) -> None:
        self.path += (action,)

    def _values(self, salt: int, reach: int) -> list[float]:
        rng = self._draw(salt)
        if self.players <= 2:  # ties are many
            value = rng.randint(-reach, reach) / 4
            return [value, -value][: self.players]
        values = [rng.uniform(-reach, reach) / 4 for _ in range(self.players)]  # none: max^n would have many answers
        mean = sum(values) / self.players
        return [(value - mean) / 2 for value in values]

    def returns(self) -> list[float]:
        return self._values(3, 4) if self.to_move() == sf.TERMINAL else [0.0] * self.players

    def heuristic(self) -> list[float]:
        return self._values(4, 3)

    def order(self, previous: int | None, actions: list[int]) -> list[int]:
        return sorted(actions, key=lambda action: (action * 7 + (previous or 0)) % 5)

    def hash(self) -> int:
        return hash((*self.path, 99))


def minimax(state: sf.State, depth: int) -> float:
    """The value for player 0 of two, by looking at everything."""
    if state.is_over:
        return state.returns()[0]
    if depth <= 0:
        return state.heuristic()[0]
    if state.to_move == sf.CHANCE:
        return sum(p * minimax(after(state, a), depth) for a, p in state.chance())
    values = [minimax(after(state, action), depth - 1) for action in state.legal_actions()]
    return max(values) if state.to_move == 0 else min(values)


def after(state: sf.State, action: int) -> sf.State:
    child = state.copy()
    child.play(action)
    return child


def think(spec: str, state: sf.State) -> SearchResult:
    return sf.player(spec, state.game).think(state)


def spec_of(depth: int, off: tuple[str, ...] = ()) -> str:
    steps = ",".join(f"{step}=false" for step in off if step != "deepening" or depth)
    return f"alphabeta:depth={depth},{EXACT}" + (f",{steps}" if steps else "")


def easycard_positions(preset: str, count: int, plies: range, seed: int) -> Iterator[sf.State]:
    """Different positions in which a player moves, after random games."""
    game = sf.game("easycard", preset=preset)
    rng = random.Random(seed)
    seen: set[int] = set()
    while len(seen) < count:
        state = game.new(seed=rng.randrange(10**9))
        for _ in range(rng.choice(plies)):
            if not state.is_over:
                state.play_chance() if state.to_move == sf.CHANCE else state.play(rng.choice(state.legal_actions()))
        if state.to_move >= 0 and state.hash() not in seen:
            seen.add(state.hash())
            yield state


def arena(seed: int = 1, plies: int = 6) -> sf.State:
    return next(easycard_positions("arena", 1, range(12 + plies, 13 + plies), seed))


class Status(sf.Rules):
    """Player 0 sets marks in any order and then ends the game; the order is kept in the state but does not matter."""

    players = 1
    actions = 5
    min_return, max_return = 0, 10
    sum = "any"

    def __init__(self) -> None:
        self.marks: list[int] = []
        self.done = False

    def to_move(self) -> int:
        return sf.TERMINAL if self.done else 0

    def legal_actions(self) -> list[int]:
        return [mark for mark in range(4) if mark not in self.marks] + [4]

    def play(self, action: int) -> None:
        if action == 4:
            self.done = True
        else:
            self.marks.append(action)

    def returns(self) -> list[float]:
        return [float(sum(self.marks)) if self.done else 0.0]

    def heuristic(self) -> list[float]:
        return [5.0]

    def independent(self, action: int) -> bool:
        return action < 4
