"""Proves the tree search: it agrees with brute force, proves only what is true, repeats itself, keeps its memory."""

import math
import random
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import soonest

import sevenfold as sf
from sevenfold import _core

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
NIM = sf.game(str(Path(__file__).parent.parent / "examples" / "nim.py"))
STEPS = ("policy", "solver", "decisive", "forced", "reuse")


def exact_values(state: sf.State, known: dict[int, list[float]]) -> list[float]:
    """Full search: every player takes what is best for it, chance is averaged."""
    key = state.hash()
    if key in known:
        return known[key]
    if state.is_over:
        values = state.returns()
    elif state.to_move == sf.CHANCE:
        parts = [(p, exact_values(after(state, a), known)) for a, p in state.chance()]
        values = [sum(p * part[i] for p, part in parts) for i in range(state.game.players)]
    else:
        mover = state.to_move
        values = max((exact_values(after(state, a), known) for a in state.legal_actions()), key=lambda v: v[mover])
    known[key] = values
    return values


def after(state: sf.State, action: int) -> sf.State:
    child = state.copy()
    child.play(action)
    return child


def random_position(game: sf.Game, rng: random.Random, plies: int) -> sf.State | None:
    state = game.new(rng.getrandbits(30))
    for _ in range(plies):
        if state.is_over:
            return None
        state.play(rng.choice(state.legal_actions()))
    return state if state.to_move >= 0 else None


@pytest.mark.parametrize(
    ("game", "plies", "positions", "simulations"),
    [
        (TIC, 8, 150, 60_000),
        (sf.game("connect_four", rows=4, cols=4, connect=3), 10, 60, 100_000),
        (sf.game("connect_four", rows=4, cols=4), 16, 60, 100_000),
        (sf.game("connect_four", rows=4, cols=5, blocked=(3, 2)), 19, 20, 100_000),
        (NIM, 6, 60, 60_000),
    ],
    ids=lambda value: value.spec.rpartition("/")[2] if isinstance(value, sf.Game) else str(value),
)
def test_what_it_proves_is_what_brute_force_finds(game: sf.Game, plies: int, positions: int, simulations: int) -> None:
    rng, known, proven, tried = random.Random(1), {}, 0, 0
    while tried < positions:
        state = random_position(game, rng, rng.randrange(2 if game is not TIC else 0, plies))
        if state is None:
            continue
        tried += 1
        result = sf.player("uct", game, simulations=simulations, seed=tried).think(state)
        if not result.proven:
            continue
        proven += 1
        best = exact_values(state, known)
        assert result.values == pytest.approx(best), state.to_text()
        assert exact_values(after(state, result.action), known)[state.to_move] == best[state.to_move]
    assert proven > positions / 2


class Race(sf.Rules):
    """A die decides how far; the mover keeps what was rolled or takes 3: chance, one player, path rewards."""

    players, actions, outcomes, sum, min_return, max_return, max_plies = 1, 2, 6, "any", 0, 30, 20

    def __init__(self, rounds: int = 3) -> None:
        self.left, self.rolled, self.got = rounds, 0, 0

    def to_move(self) -> int:
        if self.left == 0:
            return sf.TERMINAL
        return 0 if self.rolled else sf.CHANCE

    def chance(self) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(6)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        if self.rolled == 0:
            self.rolled = action + 1
            return
        self.got += self.rolled if action == 0 else 3
        self.rolled = 0
        self.left -= 1

    def returns(self) -> list[float]:
        return [self.got]


class Auction(sf.Rules):
    """Three players, two turns in a row each: takes 0, 1 or 2 from a pile of five; what is over goes to player 2."""

    players, actions, sum, min_return, max_return, max_plies = 3, 3, "any", 0, 5, 6

    def __init__(self) -> None:
        self.got, self.ply = [0, 0, 0], 0

    def to_move(self) -> int:
        return sf.TERMINAL if self.ply == 6 else self.ply // 2

    def legal_actions(self) -> list[int]:
        return list(range(min(2, 5 - sum(self.got)) + 1))

    def play(self, action: int) -> None:
        self.got[self.ply // 2] += action
        self.ply += 1

    def returns(self) -> list[float]:
        return [float(x) for x in self.got]


def test_chance_is_averaged_and_proven() -> None:
    game = sf.game(Race, rounds=2)
    state = game.replay([0])  # rolled a 1
    result = sf.player("uct", game, simulations=20_000).think(state)
    assert result.action == 1
    assert result.proven
    assert result.values == pytest.approx(exact_values(state, {}))
    assert result.values == pytest.approx([3 + (3 + 3 + 3 + 4 + 5 + 6) / 6])


def test_three_players_with_two_turns_each_take_what_they_can() -> None:
    game = sf.game(Auction)
    result = sf.player("uct", game, simulations=5_000).think(game.new())
    assert result.action == 2
    assert result.values == pytest.approx([4, 1, 0], abs=0.3)
    assert len(result.values) == 3


@pytest.mark.parametrize("off", ["none", *STEPS])
def test_with_any_step_off_it_wins_and_blocks_at_once(off: str) -> None:
    options: dict[str, Any] = {} if off == "none" else {off: False}
    player = sf.player("uct", FOUR, simulations=3000, **options)
    win = FOUR.parse("7/7/7/o6/o6/o1xxx2 x")
    assert player.think(win).action in (1, 5)
    block = FOUR.parse("7/7/7/7/x6/xxooo2 x")
    assert player.think(block).action == 5


@pytest.mark.parametrize("game", [TIC, FOUR, NIM], ids=lambda game: game.name)
def test_the_same_seed_thinks_the_same(game: sf.Game) -> None:
    def thoughts(seed: int) -> tuple[Any, ...]:
        result = sf.player("uct", game, simulations=500, seed=seed, solver=False).think(game.new())
        return result.action, result.visits, result.values, result.pv

    assert thoughts(1) == thoughts(1)
    assert any(thoughts(1) != thoughts(seed) for seed in range(2, 6))


def test_the_tree_below_the_moves_played_is_kept() -> None:
    player = sf.player("uct", FOUR, simulations=5000, seed=1)
    state = FOUR.new()
    first = player.think(state)
    for action in first.pv[:2]:
        state.play(action)
    kept = player.think(state)
    anew = sf.player("uct", FOUR, simulations=5000, seed=1).think(state)
    assert sum(anew.visits) == 5000
    assert sum(kept.visits) > 5500
    player.reset()
    assert sum(player.think(state).visits) == 5000


def test_a_full_tree_goes_on_searching() -> None:
    options = _core.MctsOptions()
    options.memory = 1 << 20
    options.solver = False
    state = FOUR.new()
    search = _core.Mcts(state, options)
    search.reset(state)
    report = search.run(math.inf, 150_000, 2**63, _core.Watch())
    assert report.simulations == 150_000
    assert sum(one.visits for one in report.actions) == 150_000
    assert report.bytes <= 1 << 20


@pytest.mark.parametrize("steps", [True, False])
def test_memory_is_at_most_40_bytes_per_visited_edge(steps: bool) -> None:
    options = _core.MctsOptions()
    options.solver = options.decisive = options.forced = options.policy = steps
    options.forced_win = options.transpositions = steps
    options.exploration = 1.4
    state = FOUR.new()
    search = _core.Mcts(state, options)
    search.reset(state)
    report = search.run(math.inf, 100_000, 2**63, _core.Watch())
    # Every simulation of this short search visits one edge for the first time, but for those that end in a known one.
    assert report.bytes / report.simulations < 40


def test_it_stops_in_time() -> None:
    player = sf.player("uct:seconds=0.2", sf.game("connect_four", rows=12, cols=12))

    def taken() -> float:
        start = time.perf_counter()
        player.think(player.game.new())
        return time.perf_counter() - start

    assert 0.18 < soonest(taken, 0.25) < 0.25


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"simulations": 0}, "simulations must be 1 or more"),
        ({"seconds": -1.0}, "seconds must be 0 or more"),
        ({"seconds": math.nan}, "seconds"),
        ({"memory": 0}, "memory"),
        ({"memory": 10**9}, "memory must be from 1 to 65536"),
        ({"bias_weight": math.inf}, "bias_weight must be a number"),
        ({"mix": 2.0}, "mix must be from 0 to 1"),
        ({"leaf": "nonsense"}, "leaf"),
        ({"selection": "nonsense"}, "selection"),
    ],
    ids=str,
)
def test_a_wrong_option_is_refused_by_a_sentence(options: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        sf.player("uct", FOUR, **options)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("option", ["bias=true", "leaf=heuristic"])
def test_what_needs_a_heuristic_says_so(option: str) -> None:
    word = option.removesuffix("=true")
    with pytest.raises(ValueError, match=f"^{word} needs the ability 'heuristic', which race does not offer\\.$"):
        sf.player(f"uct:{option}", sf.game(Race))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_any_seed_will_do(seed: int) -> None:
    assert sf.player("uct", FOUR, seed=seed, simulations=10).think(FOUR.new()).nodes == 10


@cache
def kuhn() -> sf.Game:
    return sf.game(str(Path(__file__).parent.parent / "examples" / "kuhn_poker.py"))


def test_ways_that_meet_share_what_is_known() -> None:
    """Tic-tac-toe is proven with a fraction of the simulations when positions are not searched once per way to them."""

    def needed(**options: bool) -> int:
        result = sf.player("uct", TIC, simulations=200_000, seed=1, **options).think(TIC.new())
        assert result.proven
        assert result.values == [0, 0]
        return result.nodes

    assert needed() * 2 < needed(transpositions=False)


class Circle(sf.Rules):
    """Both move one token along a ring of five, either way; who brings it to 0 wins. It may go on for ever."""

    players, actions = 2, 2

    def __init__(self) -> None:
        self.at, self.turn = 2, 0

    def to_move(self) -> int:
        return sf.TERMINAL if self.at == 0 else self.turn

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        self.at = (self.at + (1 if action else -1)) % 5
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        if self.at != 0:
            return [0, 0]
        return [-1, 1] if self.turn == 0 else [1, -1]

    def hash(self) -> int:
        return self.at * 2 + self.turn

    def action_text(self, action: int) -> str:
        return ("left", "right")[action]

    def __str__(self) -> str:
        return f"{self.at} {self.turn}"


@pytest.mark.parametrize("steps", [True, False])
def test_a_graph_that_runs_in_circles_is_searched(steps: bool) -> None:
    game = sf.game(Circle)
    options = dict.fromkeys(("solver", "decisive", "forced"), steps)
    result = sf.player("uct", game, simulations=2000, seed=1, **options).think(game.new())
    # From 2 the token must not go to 1, where the other wins at once.
    assert game.new().action_text(result.action) == "right"
    assert sum(result.visits) >= 1


def test_an_error_in_a_game_leaves_the_player_usable() -> None:
    class Fails(Circle):
        broken = False

        def play(self, action: int) -> None:
            if Fails.broken:
                raise RuntimeError("the rules gave up")
            super().play(action)

    game = sf.game(Fails)
    player = sf.player("uct", game, simulations=300)
    player.think(game.new())
    Fails.broken = True
    with pytest.raises(RuntimeError, match="gave up"):
        player.think(game.new())
    Fails.broken = False
    assert player.think(game.new()).action == 1


def test_a_proven_draw_is_preferred_to_a_worse_guess_with_more_visits() -> None:
    """Proven actions are visited no more, so visits alone would pass them over."""
    seen = 0
    for seed in range(40):
        state = random_position(TIC, random.Random(seed), 3)
        if state is None:
            continue
        for simulations in range(60, 400, 20):
            result = sf.player("uct", TIC, simulations=simulations, seed=seed, forced=False).think(state)
            proven = [one for one in result.actions if one.proven]
            chosen = next(one for one in result.actions if one.action == result.action)
            if not result.proven and proven:
                seen += 1
                assert chosen.value >= max(one.value for one in proven)
    assert seen > 20


class Generous(sf.Rules):
    """Action 1 ends the game with 0 for everyone. After action 0 the second player wins by either action, and what
    that gives the first player is `first` or `second`."""

    actions = 2
    sum = "any"
    max_plies = 2

    def __init__(self, players: int = 2, first: float = 0.5, second: float = 0.5) -> None:
        self.players, self.gifts = players, (first, second)
        self.played: list[int] = []

    def to_move(self) -> int:
        return sf.TERMINAL if self.played[:1] == [1] or len(self.played) == 2 else len(self.played)

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        self.played.append(action)

    def returns(self) -> list[float]:
        if len(self.played) < 2:
            return [0.0] * self.players
        return [self.gifts[self.played[1]], 1.0, -1.0][: self.players]


@pytest.mark.parametrize("players", [2, 3])
def test_the_next_player_may_win_where_that_is_no_loss(players: int) -> None:
    game = sf.game(Generous, players=players, first=0.5, second=0.5)
    result = sf.player("uct", game, simulations=100).think(game.new())
    assert (result.action, result.proven, result.values[0]) == (0, True, 0.5)
    game = sf.game(Generous, players=players, first=-1.0, second=-1.0)
    result = sf.player("uct", game, simulations=100).think(game.new())
    assert (result.action, result.proven, result.values[0]) == (1, True, 0.0)


@pytest.mark.parametrize("players", [2, 3])
def test_a_win_that_leaves_the_others_shares_open_proves_nothing(players: int) -> None:
    game = sf.game(Generous, players=players, first=0.5, second=-1.0)
    assert not sf.player("uct", game, simulations=100).think(game.new()).proven
