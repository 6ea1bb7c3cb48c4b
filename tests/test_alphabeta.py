"""Alpha-beta against brute force: whatever is switched on without loss, the value is that of a full minimax."""

import importlib
import itertools
import random
from collections.abc import Iterator
from functools import cache

import pytest
from alphabeta_games import EXACT, Tree, after, easycard_positions, minimax, spec_of, think

import sevenfold as sf
from sevenfold.alphabeta import LOSSLESS


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


def test_easycard_positions_against_the_solver() -> None:
    solved = importlib.import_module("sevenfold.games.easycard.perfect").solve
    player = sf.player("alphabeta:depth=100", sf.game("easycard"))
    for state in easycard_positions("small", 500, range(18, 50), seed=3):
        result = player.think(state)
        assert result.proven
        assert result.values[0] == solved(state, every=False).value, state.to_text()


def test_chance_easycard_positions_against_expectimax() -> None:
    solved = importlib.import_module("sevenfold.games.easycard.perfect").solve
    player = sf.player("alphabeta:depth=100,sampling=false", sf.game("easycard", preset="chance"))
    count = 0
    for state in easycard_positions("chance", 2000, range(40, 80), seed=5):
        try:
            want = solved(state, every=True, nodes=200_000)
        except ValueError:  # too far from the end for the oracle
            continue
        result = player.think(state)
        assert result.proven
        assert result.values[0] == pytest.approx(want.value, abs=1e-9), state.to_text()
        assert want.actions[result.action] == pytest.approx(want.value, abs=1e-9)
        count += 1
        if count == 200:
            break
    assert count == 200


@pytest.mark.parametrize("preset", ["small", "arena"])
def test_easycard_to_a_depth_with_every_lossless_step(preset: str) -> None:
    """The step `independent` as well: easycard says with what its free actions may be exchanged."""
    minimax_of = importlib.import_module("sevenfold.games.easycard.perfect").minimax
    for state in easycard_positions(preset, 40, range(12, 40), seed=9):
        player = sf.player("alphabeta:depth=6,evaluation=heuristic", state.game)
        result = player.think(state)
        if result.depth == 6:
            assert result.values[0] == pytest.approx(minimax_of(state, 6).value, abs=1e-9), state.to_text()
        else:
            assert result.proven


def test_every_action_of_easycard_is_ranked_as_the_solver_does() -> None:
    """What is left out below one root action as looked at below another must not change the first one's value."""
    solved = importlib.import_module("sevenfold.games.easycard.perfect").solve
    player = sf.player("alphabeta:depth=100", sf.game("easycard"))
    for state in easycard_positions("small", 80, range(20, 50), seed=11):
        sign = 1 if state.to_move == 0 else -1
        want = {action: sign * value for action, value in solved(state, every=True).actions.items()}
        for views in (player.rank(state), player.think(state).actions):
            for view in views:
                if view.proven:
                    assert view.value == want[view.action], state.to_text()
        assert {view.action: view.value for view in player.rank(state)} == want


@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_proven_never_lies_however_early_the_search_is_stopped(luck: float) -> None:
    for seed in range(12):
        state = sf.game(Tree, number=100 + seed, luck=luck, length=6).new()
        want = minimax(state, 6)
        for nodes in (1, 2, 3, 5, 8, 12, 16, 17, 18, 19, 20, 21, 25, 30, 40, 60, 90, 150):
            result = think(f"alphabeta:nodes={nodes},{EXACT}", state)
            if result.proven:
                assert result.values[0] == pytest.approx(want, abs=1e-12)
