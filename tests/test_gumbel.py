"""Proves Gumbel search at the root against a slow Python reference of the paper, and what it promises; and the noise
and temperature of the other kind of root."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from gumbel_reference import Reference, guess, schedule

import sevenfold as sf
from sevenfold import _core

TIC = sf.game("tic_tac_toe")


class Three(sf.Rules):
    """Three players name numbers in turn, two rounds; what each gets is any function of them."""

    players, actions, sum, features, max_plies = 3, 6, "any", 1, 6

    def __init__(self) -> None:
        self.named: list[int] = []

    def to_move(self) -> int:
        return len(self.named) % 3 if len(self.named) < 6 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return list(range(6))

    def play(self, action: int) -> None:
        self.named.append(action)

    def returns(self) -> list[float]:
        text = sum(one * 7**i for i, one in enumerate(self.named))
        return [((text * prime) % 101) / 50 - 1 for prime in (3, 7, 13)]


class Bandit(sf.Rules):
    """One action, and the game is over: arm i gives the i-th number."""

    players, actions, features, max_plies = 1, 8, 1, 1
    sum = "any"

    def __init__(self, arms: int = 0) -> None:
        self.arms, self.taken = arms, -1

    def to_move(self) -> int:
        return 0 if self.taken < 0 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return list(range(8))

    def play(self, action: int) -> None:
        self.taken = action

    def returns(self) -> list[float]:
        return [0.0] if self.taken < 0 else [worth(self.arms)[self.taken]]

    def observe(self, viewer: int) -> Any:
        return [1.0]


def worth(arms: int) -> list[float]:
    """The numbers of a bandit."""
    return np.random.default_rng(arms).uniform(-1, 1, 8).round(3).tolist()


def options(**given: object) -> _core.MctsOptions:
    out = _core.MctsOptions()
    out.leaf, out.selection, out.root, out.exploration = "evaluator", "puct", "gumbel", 1.5
    out.solver = out.decisive = out.forced = out.forced_win = out.transpositions = False
    out.memory = 1 << 20
    for key, value in given.items():
        setattr(out, key, value)
    return out


def feed(search: _core.Mcts, most: int = 1) -> None:
    """Answers until the plan is done."""
    while not search.done:
        waiting = search.collect(most)
        if not waiting:
            return
        answers = [guess(state) for state in waiting]
        search.resume(np.array([a[0] for a in answers]), np.stack([a[1] for a in answers]))


def searched(state: sf.State, simulations: int, most: int = 1, **given: object) -> _core.SearchReport:
    search = _core.Mcts(state, options(**given))
    search.reset(state)
    search.plan(simulations)
    feed(search, most)
    return search.report()


@pytest.mark.parametrize("considered", [1, 2, 4, 8, 16])
def test_the_schedule_is_that_of_the_authors_where_halves_are_whole(considered: int) -> None:
    """mctx's get_sequence_of_considered_visits; it rounds odd numbers down, Karnin et al. up."""
    for simulations in (1, 3, 16, 50, 200):
        visits, left, done = [0] * considered, considered, 0
        while done < simulations:
            for _ in range(max(1, int(simulations / (max(1, math.log2(considered)) * left)))):
                for i in range(left):
                    visits[i] += done < simulations
                    done += 1
            left = max(2, left // 2) if considered > 1 else 1
        assert schedule(simulations, considered) == sorted(visits, reverse=True)
    assert schedule(32, 16) == [4] * 4 + [2] * 4 + [1] * 8
    assert schedule(20, 7) == [7, 6, 2, 2, 1, 1, 1]


@pytest.mark.parametrize("history", [[], [4], [0, 4, 8], [0, 1, 2, 3, 4]])
@pytest.mark.parametrize(("simulations", "considered"), [(1, 4), (8, 4), (16, 16), (32, 8), (50, 5), (64, 2), (7, 1)])
def test_it_is_the_search_of_the_paper(history: list[int], simulations: int, considered: int) -> None:
    for seed in range(3):
        state = TIC.replay(history)
        given: dict[str, Any] = {"considered": considered, "seed": seed, "visit_offset": 5.0, "value_scale": 0.7}
        report = searched(state, simulations, **given)
        reference = Reference(state, options(**given), [one.action for one in report.actions])
        action = reference.run(simulations)
        assert {one.action: one.visits for one in report.actions} == reference.root.visits
        assert {one.action: one.share for one in report.actions} == pytest.approx(reference.policy(), abs=1e-5)
        assert report.action == action
        for one in report.actions:
            if one.visits:
                assert one.value == pytest.approx(reference.root.q(one.action), abs=1e-9)


def test_three_players_maximise_their_own() -> None:
    game = sf.game(Three)
    for seed in range(4):
        for history in ([], [2], [5, 1]):
            state = game.replay(history)
            given: dict[str, Any] = {"considered": 4, "seed": seed}
            report = searched(state, 40, **given)
            reference = Reference(state, options(**given), [one.action for one in report.actions])
            assert report.action == reference.run(40)
            assert {one.action: one.visits for one in report.actions} == reference.root.visits
            assert {one.action: one.share for one in report.actions} == pytest.approx(reference.policy(), abs=1e-5)
            assert report.values[state.to_move] == pytest.approx(reference.root.q(report.action))


@pytest.mark.parametrize("most", [2, 5, 16])
@pytest.mark.parametrize(("simulations", "considered"), [(32, 8), (24, 4), (60, 9)])
def test_several_leaves_at_once_keep_the_schedule(most: int, simulations: int, considered: int) -> None:
    """A phase ends when all of it has come back: a loss that is only pretended must not decide who is left."""
    for seed in range(5):
        report = searched(TIC.new(), simulations, most, considered=considered, seed=seed)
        visits = sorted((one.visits for one in report.actions), reverse=True)
        assert visits[:considered] == schedule(simulations, considered)
        assert sum(visits) == simulations


def test_the_first_phase_of_several_leaves_keeps_the_better_half() -> None:
    for seed in range(5):
        given: dict[str, Any] = {"considered": 8, "seed": seed}
        at_once, in_turn = searched(TIC.new(), 16, 3, **given), searched(TIC.new(), 16, 1, **given)
        # 16 of 8: two rounds of eight would be one phase; 5 visits each go to those left, 3 of the 8 for one leaf each.
        kept = [{one.action for one in report.actions if one.visits > 1} for report in (at_once, in_turn)]
        assert kept[0] == kept[1]


def test_without_randomness_the_seed_does_not_matter() -> None:
    reports = [searched(TIC.new(), 32, gumbel_scale=0.0, considered=4, seed=seed) for seed in range(6)]
    assert len({(one.action, tuple((a.visits, a.share) for a in one.actions)) for one in reports}) == 1
    looked = {one.action for one in reports[0].actions if one.visits}
    assert looked == set(sorted(range(9), key=lambda a: -guess(TIC.new())[1][a])[:4])
    assert len({searched(TIC.new(), 32, considered=4, seed=seed).action for seed in range(30)}) > 1


def test_no_more_actions_are_looked_at_than_considered() -> None:
    for considered in (1, 2, 3, 8):
        report = searched(TIC.new(), 200, considered=considered)
        assert sum(one.visits > 0 for one in report.actions) == considered
        assert all(one.share > 0 for one in report.actions)  # completed by the mixture


def bandit(arms: int, logits: np.ndarray, simulations: int, seed: int) -> _core.SearchReport:
    state = sf.game(Bandit, arms=arms).new()
    search = _core.Mcts(state, options(seed=seed, considered=4))
    search.reset(state)
    search.plan(simulations)
    search.collect(1)
    prior = np.exp(logits) / np.exp(logits).sum()
    search.resume(np.array([[float(prior @ worth(arms))]]), prior[None].astype(np.float32))
    assert search.collect(1) == []  # every arm ends the game
    return search.report()


@pytest.mark.parametrize("arms", [1, 2, 3, 4])
def test_it_improves_on_the_prior(arms: int) -> None:
    """The promise of the paper: whatever the prior, the action chosen is worth at least as much on average."""
    rng = np.random.default_rng(arms)
    logits, q = rng.normal(0, 2, 8), np.array(worth(arms))
    prior = np.exp(logits) / np.exp(logits).sum()
    reports = [bandit(arms, logits, 4, seed) for seed in range(150)]
    chosen = np.array([q[report.action] for report in reports])
    assert chosen.mean() >= prior @ q - 1e-9
    improved = [sum(one.share * q[one.action] for one in report.actions) for report in reports]
    assert np.mean(improved) >= prior @ q
    # A sample without replacement from the prior: each action is among the four as often as it should be.
    looked = Counter(one.action for report in reports for one in report.actions if one.visits)
    drawn: Counter[int] = Counter()
    for _ in range(4000):
        drawn.update(rng.choice(8, 4, False, prior).tolist())
    for action in range(8):
        p = drawn[action] / 4000
        assert abs(looked[action] / 150 - p) < 4 * math.sqrt(p * (1 - p) / 150) + 0.01


@pytest.mark.parametrize(
    ("text", "values"),
    [("xx./oo./... x", [1.0, -1.0]), ("xo./.../... x", [1.0, -1.0]), ("x.o/.../..x o", None), ("xox/oo./..x x", None)],
)
def test_a_proven_root_has_only_its_best_actions(text: str, values: list[float] | None) -> None:
    state = TIC.parse(text)
    truth = sf.player("alphabeta:depth=9", TIC).think(state)
    for seed in range(3):
        report = searched(state, 100_000, solver=True, decisive=True, forced=True, seed=seed)
        assert report.proven
        assert report.values[:2] == truth.values
        assert values is None or report.values[:2] == values
        mover = state.to_move
        for one in report.actions:
            assert (one.share > 0) == (one.proven and one.value == report.values[mover])
        assert sum(one.share for one in report.actions) == pytest.approx(1)
        assert next(one for one in report.actions if one.action == report.action).share > 0


def test_the_tree_that_is_kept_does_not_count_against_the_plan() -> None:
    state = TIC.new()
    search = _core.Mcts(state, options(considered=4, seed=3))
    search.reset(state)
    search.plan(300)
    feed(search)
    action = search.report().action
    search.advance(action)
    before = {one.action: one.visits for one in search.report().actions}
    assert sum(before.values()) > 20
    search.plan(24)
    feed(search)
    after = {one.action: one.visits for one in search.report().actions}
    gained = sorted((after[a] - before[a] for a in after), reverse=True)
    assert gained[:4] == schedule(24, 4)
    assert sum(gained) == 24
    assert after[search.report().action] > before[search.report().action]  # the choice is among those looked at now


def test_chance_below_the_root_takes_no_part_in_the_schedule() -> None:
    game = sf.game("easycard", preset="chance")
    state = game.new(5)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    count = len(state.legal_actions())
    assert count > 2
    report = searched(state, 48, considered=4, seed=1)
    visits = sorted((one.visits for one in report.actions), reverse=True)
    assert visits[: min(4, count)] == schedule(48, min(4, count))
    again = searched(state, 48, considered=4, seed=1)
    assert [(one.visits, one.share) for one in report.actions] == [(one.visits, one.share) for one in again.actions]


# The other kind of root: visits, temperature and noise


def bandit_games(count: int, **given: Any) -> tuple[np.ndarray, np.ndarray]:
    """The actions played by so many games of self-play on one bandit, and the policy of the last search."""
    search = _core.MctsOptions()
    search.solver = search.decisive = search.forced = False
    search.memory = 1 << 20
    pool_options = _core.PoolOptions()
    pool_options.search, pool_options.slots, pool_options.simulations = search, 8, 24
    for key, value in given.items():
        setattr(pool_options, key, value)
    pool = _core.Pool([sf.game(Bandit, arms=1).new()], pool_options)
    for number in range(count):
        pool.add(number)
    logits = np.array([0.5, 1, 0, -0.5, 0.3, 0.2, 0.8, -1], np.float32)
    while rows := pool.collect():
        pool.resume(np.zeros((rows, 1), np.float32), np.tile(logits, (rows, 1)))
    chunk = pool.take_finished()
    policies = np.zeros((count, 8))
    for game in range(count):
        where = slice(*chunk["policy_start"][game : game + 2])
        policies[game, chunk["policy_action"][where]] = chunk["policy_share"][where]
    return chunk["actions"], policies


@pytest.mark.parametrize("tau", [0.5, 1.0, 2.0])
def test_actions_are_drawn_by_temperature(tau: float) -> None:
    count = 600
    actions, policies = bandit_games(count, noise_share=0.0, temperature=tau, temperature_moves=1)
    assert (policies == policies[0]).all()
    assert (np.round(policies[0] * 24, 4) % 1 == 0).all()  # visits
    wanted = policies[0] ** (1 / tau)
    wanted = wanted / wanted.sum() * count
    found = np.bincount(actions, minlength=8)
    assert (found[wanted == 0] == 0).all()
    some = wanted > 0
    square = ((found - wanted)[some] ** 2 / wanted[some]).sum()
    assert square < 30  # 7 degrees of freedom: one in ten thousand


@pytest.mark.parametrize("tau", [0.0, 1e-3])
def test_the_most_visited_is_played_at_low_temperature(tau: float) -> None:
    for moves in (0, 5):
        given = {"temperature": tau, "final_temperature": tau, "temperature_moves": moves}
        actions, policies = bandit_games(40, noise_share=0.0, **given)
        assert set(actions.tolist()) <= set(np.flatnonzero(policies[0] == policies[0].max()).tolist())


def test_noise_is_mixed_into_the_priors_of_full_searches() -> None:
    still = bandit_games(60, noise_share=0.0, simulations=1)[1].argmax(1)
    assert set(still.tolist()) == {1}  # the likeliest by the prior
    noisy = bandit_games(800, noise_share=1.0, noise_alpha=1.0, simulations=1)[1].argmax(1)
    found = np.bincount(noisy, minlength=8)
    assert ((found - 100) ** 2 / 100).sum() < 30  # the prior has no say
    fast = bandit_games(60, noise_share=1.0, full_share=0.0, fast_simulations=1)[1].argmax(1)
    assert set(fast.tolist()) == {1}  # short searches only move on
