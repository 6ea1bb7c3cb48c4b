"""Proves the belief search: it looks at no hidden card, repeats itself, finds the best response to a fixed opponent,
weighs worlds by Bayes' rule, and its steps can be switched off."""

import importlib.util
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selfplay_games import Secret, by_id, finish, played, policy_at, pool_options

import sevenfold as sf
from sevenfold import _core
from sevenfold.evaluators.batch import Batch

KUHN = str(Path(__file__).parent.parent / "examples" / "kuhn_poker.py")
PASS, BET = 0, 1
JACK, QUEEN, KING = 0, 1, 2
SEVENS = sf.game("sevens")


def dealt(seed: int, plies: int) -> sf.State:
    """A position of Sevens after so many random plies, at a decision with a choice."""
    state, rng = SEVENS.new(seed), random.Random(seed)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    while len(state.history) < 52 + plies or len(state.legal_actions()) == 1:
        state.play(rng.choice(state.legal_actions()))
    return state


def kuhn(bets: dict[tuple[int, str], float]) -> sf.Game:
    """Kuhn poker in which the quick policy bets (or calls) with a probability by own card and what was bet before."""

    class Fixed(_example()):  # type: ignore[misc, valid-type]
        name = "fixed_kuhn"

        def odds(self) -> list[float]:
            bet = bets.get((self.cards[self.to_move()], self.bets), 0.5)
            return [1 - bet, bet]

        def rewind(self) -> list[int]:
            past = ["pb".index(one) for one in self.bets]
            self.bets = ""
            return past

    return sf.game(Fixed)


def _example() -> Any:
    """The class of the example."""
    spec = importlib.util.spec_from_file_location("kuhn_example", KUHN)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.KuhnPoker


HONEST = {
    (JACK, "p"): 0.0,
    (QUEEN, "p"): 0.0,
    (KING, "p"): 1.0,
    (JACK, "b"): 0.0,
    (QUEEN, "b"): 1 / 3,
    (KING, "b"): 1.0,
}
"""The second player never bluffs."""
BLUFFER = {**HONEST, (JACK, "p"): 1.0}
"""It always bets a Jack."""


def position(game: sf.Game, *actions: int) -> sf.State:
    state = game.new()
    for action in actions:
        state.play(action)
    return state


@pytest.mark.parametrize(("bets", "calls"), [(HONEST, False), (BLUFFER, True)], ids=["honest", "bluffer"])
def test_a_queen_calls_a_bluffer_and_folds_to_an_honest_bet(bets: dict[tuple[int, str], float], calls: bool) -> None:
    """After pass and bet, Jack and King are as likely before the bet; only the weights know who bets."""
    game = kuhn(bets)
    player = sf.player("belief:simulations=400,doubt=0,least_share=0,memory=1", game)
    result = player.think(position(game, QUEEN, KING, PASS, BET))
    values = {view.action: view.value for view in result.actions}
    assert values[PASS] == -1
    assert values[BET] == pytest.approx(0 if calls else -2, abs=0.2)  # half of the bluffer's bets are Jacks
    assert result.action == (BET if calls else PASS)


def test_it_finds_the_best_response_from_the_first_decision() -> None:
    """Against who folds every Jack and Queen and never bets, a bet with anything wins a chip unless a King calls."""
    timid = dict.fromkeys(HONEST, 0.0) | {(KING, "b"): 1.0}
    game = kuhn(timid)
    player = sf.player("belief:simulations=4000,weigh=off,memory=1", game)
    # By hand: J pass: -1 always. J bet: Queen folds +1, King calls -2: -0.5. Q pass 0; Q bet: +1, -2: -0.5. K bet: +1.
    for card, best, value in ((JACK, BET, -0.5), (QUEEN, PASS, 0.0), (KING, BET, 1.0)):
        result = player.think(position(game, card, (card + 1) % 3))
        found = {view.action: view.value for view in result.actions}
        assert result.values[0] == pytest.approx(value, abs=0.1)
        if card != KING:  # both of a King's actions win one chip
            assert result.action == best, found


@pytest.mark.parametrize("weigh", ["off", "policy"])
@pytest.mark.parametrize("opponents", ["policy", "uniform", "puct"])
def test_it_does_not_look_into_hidden_hands(weigh: str, opponents: str) -> None:
    for seed, plies in ((1, 6), (2, 22), (3, 34)):
        state = dealt(seed, plies)
        spec = f"belief:simulations=150,worlds=32,weigh={weigh},opponents={opponents}"
        found = []
        for world in [state] + [state.redeal(state.to_move, s) for s in (7, 8)]:
            search = _core.BeliefSearch(world, sf.player(spec, SEVENS)._options)  # type: ignore[attr-defined]
            search.reset(world)
            search.seed(5)
            report = search.run(1e9, 150, 10**9, _core.Watch())
            found.append([(one.action, one.visits, one.value, one.prior) for one in report.actions] + [report.nodes])
        assert found[0] == found[1] == found[2]


def test_same_seed_same_search_and_another_seed_another() -> None:
    state = dealt(4, 20)
    results = [sf.player("belief:simulations=300", SEVENS, seed=seed).think(state) for seed in (1, 1, 2)]
    assert results[0].visits == results[1].visits
    assert results[0].values == results[1].values
    assert results[0].values != results[2].values


def seen_by(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """An evaluator that knows an observation and nothing else."""
    rows = np.concatenate([batch.planes.reshape(len(batch), -1), batch.features], 1).astype(np.float64)
    rng = np.random.default_rng(1)
    logits = rows @ rng.normal(0, 0.3, (rows.shape[1], SEVENS.actions))
    own = rows @ rng.normal(0, 3, rows.shape[1])
    values = np.zeros((len(batch), SEVENS.players))
    values[np.arange(len(batch)), batch.viewers] = own
    return values.astype(np.float32), logits.astype(np.float32)


@pytest.mark.parametrize("opponents", ["evaluator", "policy", "puct"])
@pytest.mark.parametrize("weigh", ["off", "evaluator"])
def test_collect_and_resume_do_every_simulation_and_see_nothing_hidden(opponents: str, weigh: str) -> None:
    state = dealt(5, 18)
    found = []
    for world in (state, state.redeal(state.to_move, 3)):
        options = _core.BeliefOptions()
        options.leaf, options.opponents, options.weigh, options.worlds = "evaluator", opponents, weigh, 16
        search = _core.BeliefSearch(world, options)
        search.reset(world)
        search.seed(1)
        search.plan(100)
        most = 0
        while not search.done:
            batch = Batch(*search.collect(8))
            most = max(most, len(batch))
            if len(batch):
                search.resume(*seen_by(batch))
        report = search.report()
        assert report.simulations == 100 == sum(one.visits for one in report.actions)
        assert most == 8
        found.append([(one.action, one.visits, one.value) for one in report.actions])
    assert found[0] == found[1]


def driven(search: _core.BeliefSearch, simulations: int, flights: int = 32) -> _core.SearchReport:
    return counted(search, simulations, flights)[0]


def counted(search: _core.BeliefSearch, simulations: int, flights: int) -> tuple[_core.SearchReport, int]:
    """A whole search, and how many positions the evaluator was asked about."""
    asked = 0
    search.plan(simulations)
    while not search.done:
        batch = Batch(*search.collect(flights))
        asked += len(batch)
        if len(batch):
            search.resume(*seen_by(batch))
    return search.report(), asked


@pytest.mark.parametrize("weigh", ["off", "evaluator"])
def test_simulations_that_follow_the_evaluator_end_in_results(weigh: str) -> None:
    """Values are those of finished games, each action is tried in the same worlds, and nothing hidden is seen."""
    state = dealt(5, 18)
    found = []
    for world in (state, state.redeal(state.to_move, 3)):
        options = _core.BeliefOptions()
        options.leaf, options.opponents, options.weigh, options.worlds = "follow", "evaluator", weigh, 16
        options.depth, options.even, options.sharp = 1, 1e-9, 4.0
        search = _core.BeliefSearch(world, options)
        search.reset(world)
        search.seed(1)
        report = driven(search, 30 * len(state.legal_actions()))
        assert {one.visits for one in report.actions} == {30}
        for one in report.actions:  # whole points, or a pot that two to four share: no evaluator's numbers
            assert 30 * 12 * one.value == pytest.approx(round(30 * 12 * one.value), abs=1e-6)
        assert report.nodes == 1  # the root alone
        found.append([(one.action, one.value) for one in report.actions])
    assert found[0] == found[1]


def test_actions_that_the_priors_rule_out_are_not_tried() -> None:
    state = dealt(5, 18)
    options = _core.BeliefOptions()
    options.leaf, options.opponents, options.depth, options.even = "follow", "evaluator", 1, 0.5
    search = _core.BeliefSearch(state, options)
    search.reset(state)
    report = driven(search, 40)
    most = max(one.prior for one in report.actions)
    assert any(one.visits == 0 for one in report.actions)
    assert all((one.visits > 0) == (one.prior >= 0.5 * most) for one in report.actions)


def test_the_choice_goes_by_results_and_priors() -> None:
    """With endless trust the prior decides, with next to none the results do."""
    state = dealt(5, 18)
    chosen = {}
    for trust in (1e-6, 1e9):
        options = _core.BeliefOptions()
        options.leaf, options.opponents, options.depth, options.even = "follow", "evaluator", 1, 1e-9
        options.trust, options.unit = trust, 10.0
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        report = driven(search, 40 * len(state.legal_actions()))
        assert sum(one.share for one in report.actions) == pytest.approx(1)
        assert max(report.actions, key=lambda one: one.share).action == report.action
        chosen[trust] = report
    by_value = max(chosen[1e-6].actions, key=lambda one: one.value).action
    by_prior = max(chosen[1e9].actions, key=lambda one: one.prior).action
    assert [chosen[trust].action for trust in (1e-6, 1e9)] == [by_value, by_prior]
    assert by_value != by_prior


def test_an_action_that_is_clearly_worse_falls_out_of_the_race() -> None:
    state = dealt(8, 18)
    even, race = (
        sf.player(f"belief:simulations=3000,even=0.01{more}", SEVENS).think(state) for more in ("", ",race=2")
    )
    tried = {view.action: view.visits for view in even.actions if view.visits}
    kept = {view.action: view.visits for view in race.actions if view.visits}
    assert set(kept) == set(tried)  # each has a try
    assert min(kept.values()) < min(tried.values())
    assert max(kept.values()) > max(tried.values())
    assert kept[race.action] == max(kept.values())  # nobody wins whom the race has left behind


def test_an_action_is_worth_what_the_better_of_two_policies_makes_of_it() -> None:
    """The evaluator here plays nonsense, which the game's own policy does not: its results are the values."""
    state = dealt(5, 18)
    reports = {}
    for both in (False, True):
        options = _core.BeliefOptions()
        options.leaf, options.opponents, options.weigh, options.worlds = "follow", "policy", "policy", 64
        options.stir, options.depth, options.even, options.both = 16, 1, 1e-9, both
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        search.seed(1)
        reports[both] = driven(search, (256 if both else 128) * len(state.legal_actions()))
    alone, better = ([one.value for one in reports[both].actions] for both in (False, True))
    # The same worlds and dice: what follows the evaluator brings what it brought alone.
    assert all(two >= one - 1e-9 for one, two in zip(alone, better, strict=True))
    assert max(better) > max(alone)


def test_quick_simulations_are_as_many_as_asked_for_and_see_worlds_of_their_own() -> None:
    """For each simulation of the evaluator three by the game's own policy; all actions meet the same ones."""
    state = dealt(5, 18)
    asked, reports = {}, {}
    for quick in (1, 3):
        options = _core.BeliefOptions()
        options.leaf, options.opponents, options.weigh, options.worlds = "follow", "policy", "policy", 64
        options.stir, options.depth, options.even, options.both, options.quick = 16, 1, 1e-9, True, quick
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        search.seed(1)
        reports[quick], asked[quick] = counted(search, 64 * (1 + quick) * len(state.legal_actions()), 1)
    tries = [{one.visits for one in report.actions} for report in reports.values()]
    assert tries == [{128}, {256}]  # all alike
    assert asked[1] == asked[3]  # the evaluator's 64 worlds are the same, and the others ask nothing
    assert [one.value for one in reports[1].actions] != [one.value for one in reports[3].actions]
    options.quick = 0
    with pytest.raises(ValueError, match="out of its range"):
        _core.BeliefSearch(state, options)


def test_in_the_tree_a_trusted_prior_outweighs_a_few_results() -> None:
    """With endless trust the searcher takes what the priors say, also at its later decisions; with little it tries."""
    state = dealt(5, 18)
    options = _core.BeliefOptions()
    options.leaf, options.opponents, options.depth, options.even = "follow", "policy", 0, 1e-9
    options.exploration, options.sharp = 1.0, 1000.0
    options.weigh, options.worlds = "policy", 4  # so that decisions are met again
    found = []
    for trust, unit, depth in ((1e9, 1e9, 0), (1e9, 1e9, 1), (1e-3, 1.0, 0)):
        options.trust, options.unit, options.depth = trust, unit, depth
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        search.seed(1)
        found.append([one.value for one in driven(search, 64 * len(state.legal_actions()), 1).actions])
    assert found[0] == found[1] != found[2]


def test_worlds_that_are_weighed_so_far_are_enough() -> None:
    state = dealt(6, 30)
    options = _core.BeliefOptions()
    options.leaf, options.opponents, options.weigh, options.worlds = "follow", "evaluator", "evaluator", 4096
    options.depth, options.least_share = 1, 0.0
    search = _core.BeliefSearch(state, options)
    search.reset(state)
    search.weighed_enough()  # nothing is weighed yet: nothing happens
    search.plan(20)
    for _ in range(60):
        search.resume(*seen_by(Batch(*search.collect(8))))
    assert not search.weighed
    search.weighed_enough()
    assert search.weighed
    assert 1 <= len(search.worlds()) < 4096
    assert driven(search, 20).simulations == 20


def test_worlds_are_weighed_by_bayes_rule() -> None:
    game = kuhn({**HONEST, (JACK, "p"): 0.25})
    state = position(game, QUEEN, KING, PASS, BET)
    options = _core.BeliefOptions()
    options.weigh, options.doubt, options.least_share, options.worlds = "policy", 0.0, 0.0, 400
    search = _core.BeliefSearch(state, options)
    search.reset(state)
    king = sum(weight for world, weight in search.worlds() if "K" in world.view(1))
    assert king == pytest.approx(1 / 1.25, abs=0.04)  # P(bet | K) = 1, P(bet | J) = 1/4
    assert search.flattened == 1


def test_too_few_effective_worlds_are_flattened() -> None:
    state = dealt(6, 30)
    options = _core.BeliefOptions()
    options.weigh, options.worlds = "policy", 128
    for least in (0.02, 0.5):
        options.least_share = least
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        weights = [weight for _, weight in search.worlds()]
        assert sum(weights) == pytest.approx(1)
        assert 1 / sum(weight**2 for weight in weights) == pytest.approx(search.effective_worlds, rel=1e-6)
        assert search.effective_worlds >= least * 128 * 0.999
    assert search.flattened < 1


@pytest.mark.parametrize("step", ["paired", "spread", "forced", "priors", "policy"])
def test_every_step_can_be_switched_off(step: str) -> None:
    state = dealt(8, 18)
    one = sf.player("belief:simulations=400", SEVENS).think(state)
    other = sf.player(f"belief:simulations=400,{step}=false", SEVENS).think(state)
    assert (one.visits, one.values) != (other.visits, other.values)


@pytest.mark.parametrize(("option", "off"), [("stir", 0), ("weigh", "off"), ("even", 0.001)])
def test_steps_of_worlds_and_of_the_root_can_be_switched(option: str, off: object) -> None:
    state = dealt(8, 18)
    one = sf.player("belief:simulations=400", SEVENS).think(state)
    other = sf.player(f"belief:simulations=400,{option}={off}", SEVENS).think(state)
    assert (one.visits, one.values) != (other.visits, other.values)


def test_actions_tried_equally_often_are_chosen_by_their_results() -> None:
    result = sf.player("belief:simulations=2000,even=0.000001", SEVENS).think(state := dealt(8, 18))
    tried = [view for view in result.actions if view.visits]
    assert 2 < len(tried) <= len(state.legal_actions())
    assert max(view.visits for view in tried) - min(view.visits for view in tried) <= 1
    assert result.action == max(tried, key=lambda view: view.value or 0).action


def test_stirring_finds_likelier_worlds_than_drawing_and_keeps_to_its_time() -> None:
    """After a dozen choices of the others, hardly any of 256 worlds drawn has a past as likely as the stirred ones."""
    state = SEVENS.new(3)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    while len(state.history) < 52 + 28 or len(state.legal_actions()) == 1:
        state.play(_core._sevens.choose(state, "blocker", 0))  # type: ignore[attr-defined]

    def likely(stir: int) -> float:
        options = _core.BeliefOptions()
        options.weigh, options.worlds, options.stir, options.least_share = "policy", 256, stir, 0.0
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        return sum(weight * log_likelihood(world, state.to_move) for world, weight in search.worlds())

    assert likely(64) > likely(0) + 1
    player = sf.player("belief:seconds=0.05,stir=60000,worlds=60000", SEVENS)
    assert player.think(state).seconds < 2  # a hundred times as long without the limit


def log_likelihood(world: sf.State, viewer: int) -> float:
    """Of the others' past actions, by the game's odds."""
    then, past = world.rewind()
    out = 0.0
    for action in past:
        legal = then.legal_actions()
        if then.to_move != viewer and len(legal) > 1:
            out += math.log(0.9 * then.odds()[legal.index(action)] + 0.1 / len(legal))
        then.play(action)
    return out


@pytest.mark.parametrize("expand_at", [1, 5])
def test_an_evaluator_that_is_asked_late_steers_what_is_met_often(expand_at: int) -> None:
    """Every simulation ends in a result, and the evaluator sees fewer positions the later it is asked."""
    state = dealt(5, 30)
    seen = []
    for late in (0, expand_at):
        options = _core.BeliefOptions()
        options.leaf, options.opponents, options.weigh, options.worlds = "evaluator", "policy", "policy", 64
        options.mix, options.expand_at = 1.0, late
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        search.seed(1)
        search.plan(400)
        asked = 0
        while not search.done:
            batch = Batch(*search.collect(8))
            asked += len(batch)
            if len(batch):
                search.resume(*seen_by(batch))
        assert search.report().simulations == 400
        seen.append(asked)
    assert 1 < seen[1] < seen[0]


def test_noise_changes_priors_and_zero_share_does_not() -> None:
    state = dealt(8, 10)
    plain, same, noisy = (
        sf.player(f"belief:simulations=50,{given}", SEVENS).think(state)
        for given in ("noise_alpha=0", "noise_alpha=0.3,noise_share=0", "noise_alpha=0.3")
    )
    assert [view.prior for view in plain.actions] == [view.prior for view in same.actions]
    assert [view.prior for view in plain.actions] != [view.prior for view in noisy.actions]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("belief:doubt=2", "doubt must be from 0 to 1"),
        ("belief:worlds=0", "worlds must be 1 or more"),
        ("belief:simulations=0", "simulations must be 1 or more"),
        ("belief:fpu=nan", "fpu must be a number"),
        ("belief:stir=-1", "stir must be 0 or more"),
        ("belief:stir=70000", "stir must be at most 65536"),
        ("belief:even=2", "even must be from 0 to 1"),
        ("belief:race=-1", "race must be 0 or more"),
        ("alphazero:race=-1", "race must be 0 or more"),
        ("alphazero:depth=-1", "depth must be 0 or more"),
        ("alphazero:reach=nan", "reach must be 0 or more"),
        ("belief:weigh=off,stir=3", "stir goes with weigh=policy"),
        ("alphazero:stir=-1", "stir must be 0 or more"),
        ("alphazero:stir=70000", "stir must be at most 65536"),
        ("alphazero:quick=0", "quick must be 1 or more"),
        ("alphazero:known=2", "known must be from 0 to 1"),
        ("alphazero:least=-1", "least must be 0 or more"),
        ("alphazero:quick=70000", "quick must be at most 65536"),
    ],
)
def test_nonsense_is_refused(spec: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        sf.player(spec, SEVENS)


def test_a_game_without_the_abilities_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the ability 'redeal'"):
        sf.player("belief", sf.game("tic_tac_toe"))
    with pytest.raises(ValueError, match="needs the ability 'rewind'"):
        sf.player("belief:weigh=policy", sf.game(KUHN))


def test_self_play_by_belief_repeats_itself_and_records_every_decision() -> None:
    def games(slots: int) -> dict[int, Any]:
        options = pool_options("puct", belief=True, slots=slots, simulations=12, cache=64 * slots)
        options.hidden = hidden
        pool = _core.Pool([SEVENS.new()], options)
        for number in range(3):
            pool.add(number, 0)
        chunk = finish(pool, SEVENS)
        assert pool.counts["cached"] > 0
        assert sorted(chunk["ply"][: chunk["position_start"][1]].tolist()) == list(range(52, 104))
        return by_id(chunk)

    hidden = _core.BeliefOptions()
    hidden.opponents = "evaluator"
    assert games(1) == games(3)


def test_the_pool_does_not_look_at_the_true_world() -> None:
    """Player 0 does not see the card: its first searches are the same whatever it is."""
    first = []
    for card in range(4):
        chunk = played(sf.game(Secret, card=card), 6, root="puct", belief=True, simulations=30)
        starts = chunk["position_start"][:-1].tolist()
        found = {number: policy_at(chunk, start) for number, start in zip(chunk["id"].tolist(), starts, strict=True)}
        first.append([found[number] for number in range(6)])
    assert first[0] == first[1] == first[2] == first[3]
    assert len({str(policy) for policy in first[0]}) > 1  # other dice, other searches


def test_pimc_tries_every_action_in_the_same_worlds_and_sees_nothing_hidden() -> None:
    state = dealt(9, 16)
    found = []
    for world in (state, state.redeal(state.to_move, 4)):
        search = _core.Pimc(world, _core.PimcOptions())
        search.seed(3)
        report = search.run(world, 1e9, 40 * len(state.legal_actions()), _core.Watch())
        assert {one.visits for one in report.actions} == {40}
        assert report.action == max(report.actions, key=lambda one: one.value).action
        found.append([(one.action, one.value) for one in report.actions])
    assert found[0] == found[1]
    searched = sf.player("pimc:worlds=4,search=20", SEVENS).think(state)
    assert sum(searched.visits) == 4 * len(state.legal_actions())
