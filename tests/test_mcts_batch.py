"""Proves the search that an evaluator drives in batches: it keeps its books, finds the best, refuses nonsense."""

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import _core

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")


def options(**given: object) -> _core.MctsOptions:
    out = _core.MctsOptions()
    out.leaf, out.selection, out.exploration = "evaluator", "puct", 1.5
    for key, value in given.items():
        setattr(out, key, value)
    return out


def start(state: sf.State, **given: object) -> _core.Mcts:
    search = _core.Mcts(state, options(**given))
    search.reset(state)
    return search


def feed(search: _core.Mcts, game: sf.Game, batch: int, positions: int, value: float = 0.0) -> int:
    """Drives a search with an evaluator that knows nothing; how many positions it was asked about."""
    asked = 0
    while asked < positions:
        waiting = search.collect(batch)
        if not waiting:
            break
        asked += len(waiting)
        search.resume(
            np.full((len(waiting), game.players), value), np.ones((len(waiting), game.actions), dtype=np.float32)
        )
    return asked


@pytest.mark.parametrize("batch", [1, 8, 64])
@pytest.mark.parametrize("transpositions", [False, True])
def test_virtual_losses_are_taken_back(batch: int, transpositions: bool) -> None:
    search = start(FOUR.new(), transpositions=transpositions)
    asked = feed(search, FOUR, batch, 2000)
    report = search.report()
    assert asked >= 2000
    assert report.simulations >= asked
    assert sum(one.visits for one in report.actions) == report.simulations - 1  # the root's own position is the one
    # Nothing but zeros and proven results can be in the values: a loss left over would show near the root.
    assert all(abs(one.value) < 0.2 for one in report.actions)


def test_a_batch_holds_different_positions() -> None:
    search = start(FOUR.new(), transpositions=False)
    feed(search, FOUR, 1, 50)
    waiting = search.collect(32)
    assert len(waiting) > 16
    assert len({tuple(map(tuple, state.observe(0).planes.reshape(3, -1).tolist())) for state in waiting}) > 16
    assert all(state.to_move >= 0 for state in waiting)


@pytest.mark.parametrize("batch", [1, 16])
def test_the_solver_works_with_an_evaluator(batch: int) -> None:
    state = TIC.parse("x.o/.x./..o x")
    search = start(state)
    feed(search, TIC, batch, 20_000)
    report = search.report()
    assert report.proven
    assert state.action_text(report.action) == "c2"  # everything else loses to the column c


def test_priors_are_those_of_the_legal_actions() -> None:
    state = FOUR.new()
    for action in (0, 0, 0, 0, 0, 0):
        state.play(action)
    search = start(state, decisive=False, forced=False, forced_win=False)
    assert len(search.collect(8)) == 1  # the root comes first, alone
    weights = np.array([[5, 1, 2, 3, 1, 1, 2]], dtype=np.float32)
    search.resume(np.zeros((1, 2)), weights)
    report = search.report()
    assert {one.action: one.prior for one in report.actions} == pytest.approx(
        {1: 0.1, 2: 0.2, 3: 0.3, 4: 0.1, 5: 0.1, 6: 0.2}
    )


def test_an_evaluator_that_knows_more_steers_the_search() -> None:
    search = start(FOUR.new(), decisive=False, forced=False, forced_win=False)
    for _ in range(200):
        waiting = search.collect(4)
        values = np.zeros((len(waiting), 2))
        for i, state in enumerate(waiting):
            values[i] = [0.9, -0.9] if str(state).splitlines()[-2].split()[6] == "x" else [-0.5, 0.5]
        search.resume(values, np.ones((len(waiting), 7), dtype=np.float32))
    assert search.report().action == 6


def test_it_steps_on_while_positions_wait() -> None:
    search = start(FOUR.new())
    feed(search, FOUR, 16, 400)
    before = {one.action: one.visits for one in search.report().actions}
    search.collect(16)
    search.advance(3)
    feed(search, FOUR, 16, 100)
    report = search.report()
    assert before[3] > 10
    assert all(abs(one.value) < 0.3 for one in report.actions)


def test_nonsense_is_refused() -> None:
    search = start(FOUR.new())
    assert search.report().action == -1
    assert len(search.collect(4)) == 1
    with pytest.raises(ValueError, match=r"values of shape \(1, 2\) and weights of shape \(1, 7\)"):
        search.resume(np.zeros((2, 2)), np.ones((2, 7), dtype=np.float32))
    with pytest.raises(ValueError, match="no number"):
        search.resume(np.full((1, 2), np.nan), np.ones((1, 7), dtype=np.float32))
    with pytest.raises(ValueError, match="weight that is not 0 or more"):
        search.resume(np.zeros((1, 2)), np.full((1, 7), -1, dtype=np.float32))
    search.resume(np.zeros((1, 2)), np.zeros((1, 7), dtype=np.float32))  # no opinion: all alike
    assert [one.prior for one in search.report().actions] == pytest.approx([1 / 7] * 7)
    with pytest.raises(ValueError, match="use collect"):
        search.run(1.0, 10, 10, _core.Watch())
    plain = _core.Mcts(FOUR.new(), _core.MctsOptions())
    plain.reset(FOUR.new())
    with pytest.raises(ValueError, match="needs leaf=evaluator"):
        plain.collect(1)


def test_a_game_that_is_all_in_the_tree_leaves_nothing_to_wait_for() -> None:
    search = start(TIC.new(), solver=False)
    assert 1000 < feed(search, TIC, 8, 1_000_000) < 100_000
    assert not search.report().proven


@pytest.mark.parametrize("alpha", [0.1, 0.3, 1.0, 10.0])
def test_noise_at_the_root_is_dirichlet_distributed(alpha: float) -> None:
    priors = []
    for seed in range(1500):
        search = start(FOUR.new(), seed=seed)
        feed(search, FOUR, 1, 1)
        search.add_noise(alpha, 1.0)
        priors.append([one.prior for one in search.report().actions])
    drawn = np.array(priors)
    actions = drawn.shape[1]
    assert np.allclose(drawn.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(drawn.mean(axis=0), 1 / actions, atol=0.035)
    variance = (1 / actions) * (1 - 1 / actions) / (actions * alpha + 1)
    assert drawn.var() == pytest.approx(variance, rel=0.15)


def test_noise_is_mixed_by_its_share_and_nonsense_is_refused() -> None:
    search = start(FOUR.new(), seed=1)
    search.add_noise(0.3, 0.25)  # nothing to mix it into yet
    feed(search, FOUR, 1, 1)
    search.add_noise(0.3, 0.0)
    assert [one.prior for one in search.report().actions] == pytest.approx([1 / 7] * 7)
    search.add_noise(0.3, 0.25)
    assert min(one.prior for one in search.report().actions) >= 0.75 / 7 - 1e-6
    for alpha, share in ((0, 0.5), (-1, 0.5), (float("nan"), 0.5), (0.3, 1.5), (0.3, float("nan"))):
        with pytest.raises(ValueError, match=r"^noise needs an alpha above 0 and a share from 0 to 1\.$"):
            search.add_noise(alpha, share)


def test_growth_and_fpu_change_how_widely_a_search_looks() -> None:
    def tried(**given: float) -> int:
        search = start(FOUR.new(), transpositions=False, solver=False, **given)
        weights = np.full((1, FOUR.actions), 0.05, dtype=np.float32)
        weights[0, 3] = 1.0
        for _ in range(100):
            waiting = search.collect(1)
            search.resume(np.full((len(waiting), 2), 0.0), np.repeat(weights, len(waiting), axis=0))
        return sum(one.visits > 0 for one in search.report().actions)

    assert tried(fpu=0.0) > tried(fpu=1.0)
    assert tried(growth=2.0, fpu=1.0) > tried(growth=0.0, fpu=1.0)
