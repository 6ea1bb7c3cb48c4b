"""Proves what connect_four tells the tree search: wins by threats are wins, and rollouts end as the rules say."""

import random

import pytest

import sevenfold as sf

SMALL = [
    {"rows": 4, "cols": 5},
    {"rows": 5, "cols": 4, "blocked": (2, 1)},
    {"rows": 5, "cols": 5, "blocked": (4, 2)},
    {"rows": 4, "cols": 4, "connect": 3},
    {"rows": 5, "cols": 5, "connect": 3, "blocked": (0, 0)},
]


def positions(game: sf.Game, rng: random.Random, count: int) -> list[sf.State]:
    out: list[sf.State] = []
    while len(out) < count:
        state = game.new()
        for _ in range(rng.randrange(2, game.max_plies)):
            state.play(rng.choice(state.legal_actions()))
            if state.is_over:
                break
        if not state.is_over:
            out.append(state)
    return out


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_a_forced_win_is_a_win(options: dict[str, object]) -> None:
    game = sf.game("connect_four", **options)
    perfect = sf.player("perfect", game)
    rng, found, missed = random.Random(1), 0, 0
    for state in positions(game, rng, 300):
        won = perfect.think(state).score > 0
        # One simulation cannot prove more than the root's own look at the threats.
        result = sf.player("uct", game, simulations=1, decisive=False, forced=False).think(state)
        if not result.proven or result.values[state.to_move] != 1:
            missed += won
            continue
        found += 1
        assert won, state.to_text()
        state.play(result.action)
        assert state.is_over or perfect.think(state).score < 0, state.to_text()
    assert found > 20
    assert 2 * found > missed  # many wins on small boards are by threats


def test_a_win_many_plies_ahead_is_seen_at_once() -> None:
    game = sf.game("connect_four", rows=12, cols=12)
    state = game.new()
    for column in ["f", "a", "g", "a"]:
        state.play(state.parse_action(column))
    result = sf.player("uct", game, simulations=1).think(state)  # an open three along the bottom
    assert result.proven
    assert state.action_text(result.action) in "eh"


def test_a_threat_above_the_blocked_cell_is_seen() -> None:
    # o has a3 b3 c3 with d3 next in the row; d2 is blocked, so that a stone on d1 hands d3 over.
    game = sf.game("connect_four", rows=6, cols=7, blocked=(4, 3))
    state = game.parse("7/7/7/ooo4/xxx#x2/oox1o1x x")
    result = sf.player("uct", game, simulations=2000, solver=False, forced_win=False).think(state)
    assert result.visits[3] == 0
    unguarded = sf.player("uct", game, simulations=2000, solver=False, forced_win=False, forced=False).think(state)
    assert unguarded.visits[3] > 0


@pytest.mark.parametrize(
    "options", [{}, {"rows": 9, "cols": 9}, {"rows": 12, "cols": 12, "blocked": (5, 5)}, {"connect": 5}], ids=str
)
def test_rollouts_by_the_policy_value_what_random_ones_do(options: dict[str, object]) -> None:
    """Both kinds of rollouts, on one word and on several, see who is ahead where that is plain."""
    game = sf.game("connect_four", **options)
    rng = random.Random(3)
    agreed = 0
    for state in positions(game, rng, 60):
        deep = sf.player("uct", game, simulations=4000, solver=False, forced_win=False).think(state)
        plain = sf.player("uct", game, simulations=4000, solver=False, forced_win=False, policy=False).think(state)
        mover = state.to_move
        if abs(plain.values[mover]) > 0.9:
            agreed += 1
            assert deep.values[mover] * plain.values[mover] > 0, state.to_text()
    assert agreed > 3


def test_an_own_win_above_is_kept_for_the_end() -> None:
    """On small full boards zugzwang decides: who must play under a threat loses. The values know it."""
    game = sf.game("connect_four", rows=4, cols=4)
    rng = random.Random(5)
    right = wrong = 0
    perfect = sf.player("perfect", game)
    for state in positions(game, rng, 200):
        score = perfect.think(state).score
        value = (
            sf.player("uct", game, simulations=200, solver=False, forced_win=False).think(state).values[state.to_move]
        )
        if score != 0 and abs(value) > 0.3:
            right += score * value > 0
            wrong += score * value < 0
    assert right > 5 * max(1, wrong)
