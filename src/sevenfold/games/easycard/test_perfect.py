"""Proves easycard's solver by trying everything with nothing but the rules, and the player `perfect` by the solver."""

import random
from typing import Any

import pytest
from helpers import refused

import sevenfold as sf
from sevenfold.games.easycard.perfect import minimax, solve

SMALL = sf.game("easycard")
CHANCE = sf.game("easycard", preset="chance")
TINY: dict[str, dict[str, Any]] = {
    "fixed": {"hp": 4, "dice": 3, "rounds": 2, "snack": 1},
    "long": {"hp": 5, "dice": 2, "rounds": 3, "snack": 1, "pet": 0},
    "coins": {"hp": 4, "dice": 1, "coins": 2, "rounds": 2, "snack": 1, "pet": 0, "field": 0},
    "piles": {"hp": 3, "dice": 2, "rounds": 2, "deal": "piles", "hand": 1, "snack": 1, "field": 0},
    "same": {"hp": 4, "start_hp": 3, "dice": 2, "rounds": 2, "deal": "same", "hand": 2},
}


def after(state: sf.State, action: int) -> sf.State:
    child = state.copy()
    child.play(action)
    return child


def brute_force(state: sf.State, known: dict[str, float]) -> float:
    """Player 0's value by trying everything."""
    name = state.to_text()
    if name not in known:
        if state.is_over:
            known[name] = state.returns()[0]
        elif state.to_move == sf.CHANCE:
            known[name] = sum(p * brute_force(after(state, a), known) for a, p in state.chance())
        else:
            best = max if state.to_move == 0 else min
            known[name] = best(brute_force(after(state, action), known) for action in state.legal_actions())
    return known[name]


def to_depth(state: sf.State, depth: int, chance_plies: bool) -> float:
    """Player 0's value of a search to a depth, with the heuristic below."""
    if state.is_over:
        return state.returns()[0]
    below = depth - (1 if state.to_move >= 0 or chance_plies else 0)
    if below < 0:
        return state.heuristic()[0]
    if state.to_move == sf.CHANCE:
        return sum(p * to_depth(after(state, a), below, chance_plies) for a, p in state.chance())
    best = max if state.to_move == 0 else min
    return best(to_depth(after(state, action), below, chance_plies) for action in state.legal_actions())


def random_position(game: sf.Game, plies: int, rng: random.Random) -> sf.State:
    """Some position after so many plies in which the game is not over."""
    while True:
        state = game.new(rng.getrandbits(30))
        for _ in range(plies):
            if state.is_over:
                break
            if state.to_move == sf.CHANCE:
                state.play_chance()
            else:
                state.play(rng.choice(state.legal_actions()))
        if not state.is_over:
            return state


@pytest.mark.parametrize("name", TINY)
def test_it_agrees_with_brute_force(name: str) -> None:
    game, rng, known = sf.game("easycard", **TINY[name]), random.Random(1), dict[str, float]()
    values = set()
    for plies in range(2, 12):
        state = random_position(game, plies, rng)
        found = solve(state)
        assert found.value == pytest.approx(brute_force(state, known), abs=1e-12)
        for action, value in found.actions.items():
            assert value == pytest.approx(brute_force(after(state, action), known), abs=1e-12)
        assert sorted(found.actions) == sorted(state.legal_actions())
        assert solve(state, every=False).value == pytest.approx(found.value)
        values.add(round(found.value, 3))
    assert len(values) > 1
    assert name in ("fixed", "long") or any(value not in (-1, 0, 1) for value in values)


def test_the_first_player_wins_the_small_game() -> None:
    found = solve(SMALL.new(), every=False)
    assert found.value == 1
    assert 130_000 < found.nodes < 150_000  # "about 140 000 positions" for a plain search with a table


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("chance_plies", [True, False])
def test_a_search_to_a_depth_agrees_with_brute_force(name: str, chance_plies: bool) -> None:
    game, rng = sf.game("easycard", **TINY[name]), random.Random(2)
    for depth in (1, 2, 3):
        for _ in range(4):
            state = random_position(game, rng.randrange(4, 10), rng)
            found = minimax(state, depth, chance_plies)
            assert found.value == pytest.approx(to_depth(state, depth, chance_plies), abs=1e-12)
            assert sorted(found.actions) == sorted(state.legal_actions())


def test_a_deep_enough_search_is_exact() -> None:
    game = sf.game("easycard", **TINY["coins"])
    state = random_position(game, 10, random.Random(3))
    assert minimax(state, game.max_plies).value == pytest.approx(solve(state).value)


def test_the_heuristic_mostly_has_the_sign_of_the_exact_value() -> None:
    rng, right, games = random.Random(4), 0, 0
    player = sf.player("perfect", SMALL)
    for _ in range(150):
        state = random_position(SMALL, rng.randrange(4, 20), rng)
        exact = player.think(state).values[0]
        if exact:
            games += 1
            right += (state.heuristic()[0] > 0) == (exact > 0)
    assert games > 100
    assert right > 0.75 * games


def test_the_ordering_puts_a_best_action_first_more_often_than_the_numbering_does() -> None:
    """In games in which every other action is a best one."""
    rng, ours, numbering, positions = random.Random(5), 0, 0, 0
    player = sf.player("perfect", SMALL)
    for _ in range(12):
        state = SMALL.new()
        while not state.is_over:
            policy, legal = player.think(state).policy, state.legal_actions()
            best = [action for action in legal if policy[action] > 0]
            if len(best) < len(legal):
                positions += 1
                ours += state.order(state.history[-1] if state.history else None)[0] in best
                numbering += legal[0] in best
            state.play(rng.choice(best if rng.random() < 0.5 else legal))
    assert positions > 50
    assert ours > numbering
    assert ours > 0.85 * positions


def test_the_player_says_the_exact_value_of_every_action() -> None:
    rng, player = random.Random(6), sf.player("perfect", SMALL)
    for _ in range(15):
        state = random_position(SMALL, rng.randrange(4, 16), rng)
        result, exact, sign = player.think(state), solve(state), 1 if state.to_move == 0 else -1
        assert result.proven
        assert result.values == [exact.value, -exact.value]
        assert {view.action: view.value for view in result.actions} == {a: sign * v for a, v in exact.actions.items()}
        assert all(view.proven for view in result.actions)
        assert sum(result.policy) == pytest.approx(1)
        assert all(result.policy[a] == 0 or v == exact.value for a, v in exact.actions.items())
        assert exact.actions[result.action] == exact.value


def test_it_wins_the_small_game_against_any_opponent() -> None:
    for seed in range(2):
        state, player = SMALL.new(), sf.player("perfect", SMALL)
        opponent = sf.player("montecarlo:simulations=100", SMALL, seed=seed)
        while not state.is_over:
            state.play((player if state.to_move == 0 else opponent).think(state).action)
        assert state.returns() == [1, -1]


def late(seed: int) -> sf.State:
    """The chance game in its last round."""
    state = CHANCE.new(seed)
    while True:
        while state.to_move == sf.CHANCE:
            state.play_chance()
        if state.to_text().startswith("6"):
            return state
        state.play(state.parse_action("pass"))


def test_the_last_round_of_the_chance_game_is_solved() -> None:
    values = {round(solve(late(seed)).value, 6) for seed in range(10)}
    assert len(values) > 1
    assert all(-1 <= value <= 1 for value in values)


def test_it_refuses_what_takes_too_long_and_what_it_is_not_for() -> None:
    state = random_position(CHANCE, 8, random.Random(7))
    with refused(match="more than 1000 nodes"):
        sf.player("perfect", CHANCE, nodes=1000).think(state)
    with refused(match="more than 1000 nodes"):
        minimax(state, 30, nodes=1000)
    with refused(match="more than 50000 nodes"):
        solve(sf.game("easycard", preset="arena").new(), nodes=50_000)
    closed = sf.game("easycard", preset="chance", hidden=True)
    with refused(match="open hands"):
        sf.player("perfect", closed)
    with refused(match="open hands"):
        solve(closed.new())
    with refused(match="for easycard"):
        solve(sf.game("tic_tac_toe").new())
    with refused(match="nothing to think about"):
        sf.player("perfect", CHANCE).think(CHANCE.new())
    with refused(match="depth must be 1 or more"):
        minimax(state, 0)
    for nodes in (0, 2**63):
        with refused(match="nodes must be"):
            sf.player("perfect", SMALL, nodes=nodes)
        with refused(match="nodes must be"):
            solve(SMALL.new(), nodes=nodes)
