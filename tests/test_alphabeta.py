"""Alpha-beta against brute force: whatever is switched on without loss, the value is that of a full minimax."""

import itertools
import random
from collections.abc import Iterator
from functools import cache

import pytest

import sevenfold as sf
from sevenfold.alphabeta import LOSSLESS
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


def paranoid(state: sf.State, depth: int, me: int) -> float:
    if state.is_over:
        return state.returns()[me]
    if depth <= 0:
        return state.heuristic()[me]
    if state.to_move == sf.CHANCE:
        return sum(p * paranoid(after(state, a), depth, me) for a, p in state.chance())
    values = [paranoid(after(state, action), depth - 1, me) for action in state.legal_actions()]
    return max(values) if state.to_move == me else min(values)


def max_n(state: sf.State, depth: int) -> list[float]:
    if state.is_over:
        return state.returns()
    if depth <= 0:
        return state.heuristic()
    if state.to_move == sf.CHANCE:
        parts = [(p, max_n(after(state, a), depth)) for a, p in state.chance()]
        return [sum(p * values[player] for p, values in parts) for player in range(state.game.players)]
    mover = state.to_move
    return max((max_n(after(state, action), depth - 1) for action in state.legal_actions()), key=lambda v: v[mover])


def think(spec: str, state: sf.State) -> SearchResult:
    return sf.player(spec, state.game).think(state)


def spec_of(depth: int, off: tuple[str, ...] = ()) -> str:
    steps = ",".join(f"{step}=false" for step in off if step != "deepening" or depth)
    return f"alphabeta:depth={depth},{EXACT}" + (f",{steps}" if steps else "")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_a_search_to_a_depth_is_minimax_to_that_depth(seed: int, luck: float) -> None:
    state = sf.game(Tree, number=seed, luck=luck, length=7).new()
    for depth in (1, 2, 3, 5, 7):
        want = minimax(state, depth)
        result = think(spec_of(depth), state)
        assert result.values == pytest.approx([want, -want], abs=1e-12)
        assert result.method == "negamax"


@pytest.mark.parametrize("off", [*itertools.combinations(LOSSLESS, 1), tuple(LOSSLESS), LOSSLESS[1:]])
def test_no_lossless_step_changes_a_value(off: tuple[str, ...]) -> None:
    for seed in range(12):
        state = sf.game(Tree, number=seed, luck=0.25 * (seed % 2), length=7).new()
        want = minimax(state, 5)
        assert think(spec_of(5, off), state).values[0] == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_every_action_is_valued_when_ranked(seed: int) -> None:
    state = sf.game(Tree, number=seed, luck=0.1, length=7).new()
    ranked = sf.player(spec_of(4), state.game).rank(state)
    sign = 1 if state.to_move == 0 else -1
    assert sorted(view.action for view in ranked) == state.legal_actions()
    for view in ranked:
        assert view.bound == "exact"
        assert view.value == pytest.approx(sign * minimax(after(state, view.action), 3), abs=1e-12)
    assert [view.value for view in ranked] == sorted((view.value for view in ranked), reverse=True)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_three_players_are_paranoid_or_each_for_itself(seed: int, luck: float) -> None:
    state = sf.game(Tree, number=seed, players=3, luck=luck, length=6).new()
    for depth in (1, 3, 5):
        one = think(spec_of(depth), state)
        assert one.method == "paranoid"
        assert one.values[state.to_move] == pytest.approx(paranoid(state, depth, state.to_move), abs=1e-12)
        other = think(spec_of(depth) + ",several=maxn", state)
        assert other.method == "max^n"
        assert other.values[state.to_move] == pytest.approx(max_n(state, depth)[state.to_move], abs=1e-12)


def test_one_player_maximises() -> None:
    state = sf.game(Tree, number=3, players=1, length=6).new()

    def best(at: sf.State, depth: int) -> float:
        if at.is_over:
            return at.returns()[0]
        return max(best(after(at, a), depth - 1) for a in at.legal_actions()) if depth else at.heuristic()[0]

    assert think(spec_of(4), state).values == pytest.approx([best(state, 4)])


# Whole games


@cache
def tic_tac_toe_value(text: str) -> int:
    state = sf.game("tic_tac_toe").parse(text)
    if state.is_over:
        return int(state.returns()[0])
    values = [tic_tac_toe_value(after(state, action).to_text()) for action in state.legal_actions()]
    return max(values) if state.to_move == 0 else min(values)


def reachable(name: str) -> Iterator[sf.State]:
    waiting, seen = [sf.game(name).new()], set()
    while waiting:
        state = waiting.pop()
        if state.hash() in seen or state.is_over:
            continue
        seen.add(state.hash())
        yield state
        waiting += [after(state, action) for action in state.legal_actions()]


@pytest.mark.parametrize("options", ["", ",table=false,pvs=false,reuse=false"])
def test_every_tic_tac_toe_position(options: str) -> None:
    player = sf.player("alphabeta:evaluation=zero,depth=9" + options, sf.game("tic_tac_toe"))
    count = 0
    for state in reachable("tic_tac_toe"):
        result = player.think(state)
        assert result.proven
        assert result.values[0] == tic_tac_toe_value(state.to_text())
        best = after(state, result.action).to_text()
        assert tic_tac_toe_value(best) == result.values[0]
        count += 1
    assert count == 5478 - 958  # all reachable positions but those in which the game is over


def test_connect_four_positions_against_the_solver() -> None:
    game = sf.game("connect_four", rows=5, cols=4)
    searches = [sf.player(f"alphabeta:evaluation=zero,depth=20{more}", game) for more in ("", ",table=false,memory=1")]
    solver = sf.player("perfect", game)
    rng = random.Random(4)
    seen: set[int] = set()
    while len(seen) < 2000:
        state = game.new()
        for _ in range(rng.randint(4, 19)):
            if not state.is_over:
                state.play(rng.choice(state.legal_actions()))
        if state.is_over or state.hash() in seen:
            continue
        seen.add(state.hash())
        result = searches[len(state.history) > 10].think(state)
        assert result.proven
        assert result.values == solver.think(state).values, state.to_text()


# Behaviour


def test_same_seed_same_nodes() -> None:
    game = sf.game("connect_four")
    runs = [sf.player("alphabeta:evaluation=zero,nodes=50000,seed=7", game).think(game.new()) for _ in range(2)]
    assert runs[0].nodes == runs[1].nodes
    assert runs[0].steps == runs[1].steps
    assert 50000 <= runs[0].nodes < 50100
