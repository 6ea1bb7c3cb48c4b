"""Proves the solver of open Sevens against brute force, and information-set regret against what it is made of."""

import random

import pytest

import sevenfold as sf
from sevenfold.games.sevens.regret import information_set_regret, solve

PRESETS = ("tw_seed", "cn_pairwise", "seed_literal")


def late(preset: str, seed: int, left: int) -> sf.State:
    """A random position with so many plies left."""
    state, rng = sf.game("sevens", preset=preset).new(seed), random.Random(seed)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    while len(state.history) < 104 - left:
        state.play(rng.choice(state.legal_actions()))
    return state


def brute(state: sf.State, mode: str, equal: str, asks: int) -> list[float]:
    """The values by trying everything."""
    if state.is_over:
        return state.returns()
    mover, found = state.to_move, []
    for action in state.legal_actions():
        child = state.copy()
        child.play(action)
        found.append(brute(child, mode, equal, asks))
    if mode == "paranoid":
        return (max if mover == asks else min)(found, key=lambda one: one[asks])
    best = max(one[mover] for one in found)
    ties = sorted({tuple(one) for one in found if one[mover] == best})
    if equal == "average":
        return [sum(one[p] for one in ties) / len(ties) for p in range(4)]
    return list((max if equal == "kind" else min)(ties, key=lambda one: one[asks]))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("mode", "equal"), [("maxn", "average"), ("maxn", "kind"), ("maxn", "hostile"), ("paranoid", "average")]
)
def test_it_agrees_with_brute_force(preset: str, mode: str, equal: str) -> None:
    differing = 0
    for seed in range(12):
        state = late(preset, seed, 9)
        asks = state.to_move
        found = solve(state, mode, equal)  # type: ignore[arg-type]
        assert list(found) == state.legal_actions()
        for action, values in found.items():
            child = state.copy()
            child.play(action)
            expected = brute(child, mode, equal, asks)
            if mode == "paranoid":
                assert values[asks] == pytest.approx(expected[asks])
            elif equal == "average":
                assert values == pytest.approx(expected)
            else:  # of ties that are equal for who asks, any may stand
                assert values[asks] == pytest.approx(expected[asks])
        differing += len({values[asks] for values in found.values()}) > 1
    assert differing > 0  # the choice matters somewhere


def test_all_against_one_is_never_better_than_everybody_for_itself() -> None:
    for seed in range(6):
        state = late("tw_seed", seed, 14)
        hostile, paranoid = solve(state, "maxn", "hostile"), solve(state, "paranoid")
        assert all(paranoid[a][state.to_move] <= hostile[a][state.to_move] + 1e-9 for a in hostile)


def test_regret_is_the_mean_over_worlds_and_nobody_sees_the_real_one() -> None:
    state = late("tw_seed", 3, 12)
    found = information_set_regret(state, worlds=8, seed=2)
    mover = state.to_move
    solved = [solve(state.redeal(mover, 2 * 1_000_003 + number)) for number in range(8)]
    for action, mean in found.means.items():
        assert mean == pytest.approx(sum(one[action][mover] for one in solved) / 8)
    assert found.of(found.best) == 0
    assert min(map(found.of, found.means)) == 0
    assert information_set_regret(state.redeal(mover, 9), worlds=8, seed=2).means == found.means


def test_what_it_cannot_solve_is_refused() -> None:
    with pytest.raises(ValueError, match="limit of positions"):
        solve(late("tw_seed", 1, 30), most=10)
    with pytest.raises(ValueError, match="after the first card"):
        solve(sf.game("sevens").new(1))
    with pytest.raises(ValueError, match="is for covers"):
        solve(late("west_sevens", 1, 52))
    with pytest.raises(ValueError, match="does not know scoring=tw_table"):
        solve(late("tw_table", 1, 8))
    with pytest.raises(ValueError, match="at least one world"):
        information_set_regret(late("tw_seed", 1, 8), worlds=0)
    with pytest.raises(ValueError, match=r"^this solver is for sevens, not for tic_tac_toe\.$"):
        solve(sf.game("tic_tac_toe").new())
    with pytest.raises(ValueError, match=r"^this solver is for sevens, not for tic_tac_toe\.$"):
        information_set_regret(sf.game("tic_tac_toe").new())
    with pytest.raises(ValueError, match="the cards are not dealt yet"):
        information_set_regret(sf.game("sevens").new(1))
    with pytest.raises(ValueError, match="this game is over"):
        information_set_regret(late("tw_seed", 1, 0))
