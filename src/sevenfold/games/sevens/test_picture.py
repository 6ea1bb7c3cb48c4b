"""What the page draws of Sevens: what the rules say, and nothing that the viewer may not know."""

import json
import math
import random
from collections.abc import Iterator

import pytest

import sevenfold as sf
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.games.sevens.picture import WORLDS, points, winners
from sevenfold.games.sevens.test_reference import GAMES, Table, dead, hands_of
from sevenfold.picture import miniature, picture

SEED = GAMES["tw_seed"]


def positions(game: sf.Game, seed: int) -> Iterator[tuple[sf.State, Table]]:
    """All positions of a random deal, beside the slow reading of the rules."""
    rng = random.Random(seed)
    hands = hands_of(game, rng)
    state, table = game.new(deal=hands), Table(dict(game.options), [set(hand) for hand in hands])
    yield state, table
    while not state.is_over:
        state = state.copy()
        action = rng.choice(state.legal_actions())
        state.play(action)
        table.play(action)
        yield state, table


def winners_of(table: Table) -> list[int]:
    """By the slow reading: who takes the pot, where there is one; else the best score. Nobody where all are equal."""
    returns = table.returns()
    best = [seat for seat, score in enumerate(returns) if math.isclose(score, max(returns), abs_tol=1e-9)]
    pot = table.options["scoring"] in ("seed_pot", "cards_left")
    if len(best) == len(returns) or (pot and not table.winners()):
        return []
    return best


def test_nobody_wins_where_the_options_say_so() -> None:
    """Scores as people have seen them: `seed_literal` with no seat that played everything, and what is near it."""
    literal = dict(sf.game("sevens", preset="seed_literal").options)
    left, paid = [49, 116, 3, 18], [-49.0, -232.0, -3.0, -18.0]
    assert winners(literal, left, paid) == []
    assert winners(literal, [49, 116, 0, 18], [-98.0, -464.0, 598.0, -36.0]) == [2]
    assert winners(literal | {"no_winner": "min_penalty_takes_pot"}, left, [-49.0, -232.0, 299.0, -18.0]) == [2]
    assert winners(literal | {"no_winner": "void"}, left, [0.0] * 4) == []
    usual = dict(SEED.options)
    assert winners(usual | {"winner": "none"}, left, paid) == []
    assert winners(usual | {"winner": "none"}, [49, 116, 0, 18], [-49.0, -116.0, 0.0, -18.0]) == []
    reversed_ = usual | {"winner": "none", "all_covered": "reversal_wins"}
    assert winners(reversed_, left, [-49.0, 70.0, -3.0, -18.0]) == [1]
    assert winners(usual | {"scoring": "penalty_only"}, left, [-49.0, -116.0, -3.0, -18.0]) == [2]
    assert winners(usual | {"scoring": "rank_points"}, left, [-1.0, -3.0, 3.0, 1.0]) == [2]
    assert winners(usual, left, [20.0, -40.0, 20.0, 0.0]) == [0, 2]


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_says_what_the_rules_say(name: str) -> None:
    game = GAMES[name]
    for state, table in positions(game, 3):
        drawn = picture(state, None)
        assert drawn is not None
        assert drawn == json.loads(json.dumps(drawn))
        assert drawn["phase"] == ("over" if state.is_over else "play")
        assert drawn["mover"] == (None if state.is_over else state.to_move)
        assert drawn["belief"] is None
        assert set(drawn["table"]) == table.table
        if not state.is_over:
            assert set(drawn["frontier"]) == table.frontier()
        for seat, one in enumerate(drawn["seats"]):
            assert set(one["hand"]) == table.hands[seat]
            assert one["cards"] == len(one["hand"])
            assert one["left"] == points([*one["hand"], *one["covers"]])
            if not one["out"]:
                assert set(one["dead"]) == dead(table, seat)
                assert one["sunk"] == points([*one["covers"], *one["dead"]])
                assert one["covered"] == len(one["covers"])
                assert one["covers"] == sorted(table.covered[seat])
                assert one["passes"] == table.passes[seat]
        if state.is_over:
            assert [one["score"] for one in drawn["seats"]] == state.returns()
            assert [seat for seat, one in enumerate(drawn["seats"]) if one["won"]] == winners_of(table)
        else:
            assert [one["won"] for one in drawn["seats"]] == [None] * game.players
            fits = set(drawn["frontier"]) & table.hands[state.to_move]
            legal = set(state.legal_actions()) - {52}
            assert drawn["stuck"] == (not fits)
            if fits or game.options["variant"] != "cover":
                assert fits == legal


@pytest.mark.parametrize("name", GAMES)
def test_a_world_that_the_viewer_cannot_tell_apart_looks_the_same(name: str) -> None:
    """Also the belief: it is sampled from what the viewer knows."""
    game, rng, differ = GAMES[name], random.Random(8), 0
    for seed in (1, 2, 3):
        for state, _ in positions(game, seed):
            if rng.random() < 0.6:
                continue
            viewer = rng.randrange(game.players)
            drawn = picture(state, viewer)
            for _ in range(3):
                world = state.redeal(viewer, rng.getrandbits(60))
                assert picture(world, viewer) == drawn
                differ += world.hash() != state.hash()
    assert differ > (3 if game.players == 2 else 30)


@pytest.mark.parametrize("name", ["tw_seed", "six", "jp_7narabe"])
def test_others_cards_are_not_in_the_picture(name: str) -> None:
    for state, _ in positions(GAMES[name], 5):
        if state.is_over:
            break
        drawn = picture(state, 1)
        assert drawn is not None
        for seat, one in enumerate(drawn["seats"]):
            known = seat == 1 or one["out"]
            assert (
                (one["hand"] is not None)
                == (one["covers"] is not None)
                == (one["sunk"] is not None)
                == (one["dead"] is not None)
                == known
            )
            assert one["left"] is None
        assert (drawn["stuck"] is not None) == (state.to_move == 1)
        for event in drawn["last"]:
            assert (event["card"] is None) == (
                event["kind"] == "pass" or (event["kind"] == "cover" and event["seat"] != 1)
            )


@pytest.mark.parametrize("name", ["tw_seed", "five", "west_sevens", "jp_7narabe"])
def test_the_belief_counts_every_world_and_never_what_is_impossible(name: str) -> None:
    game = GAMES[name]
    for state, _ in positions(game, 9):
        if state.is_over:
            break
        drawn = picture(state, 0)
        assert drawn is not None
        cards, holders = drawn["belief"]["cards"], core.holders(state)
        assert drawn["belief"]["worlds"] == WORLDS
        seen = {*drawn["table"], *drawn["seats"][0]["hand"], *drawn["seats"][0]["covers"]}
        assert {int(card) for card in cards} == set(range(52)) - seen
        for card, counts in cards.items():
            assert sum(counts) == WORLDS
            assert counts[0] == counts[game.players] == 0
            for seat, one in enumerate(drawn["seats"]):
                if int(card) in one["lacks"]:
                    assert counts[seat] == 0
        for seat, one in enumerate(drawn["seats"][1:], 1):
            assert sum(counts[seat] for counts in cards.values()) == WORLDS * one["cards"]
            if game.options["variant"] == "cover":
                assert sum(counts[game.players + seat] for counts in cards.values()) == WORLDS * one["covered"]
        assert all(holders[int(card)] % 8 != 0 for card in cards)


def test_during_the_deal_nobody_is_told_who_has_how_many() -> None:
    state = SEED.new(4)
    for _ in range(20):
        state.play_chance()
    drawn = picture(state, 2)
    assert drawn is not None
    assert drawn["phase"] == "deal"
    assert [one["cards"] is None for one in drawn["seats"]] == [True, True, False, True]
    assert [one["hand"] is None for one in drawn["seats"]] == [True, True, False, True]
    assert drawn["belief"] is None


def test_the_last_round_is_told() -> None:
    state = next(positions(SEED, 1))[0]
    first = state.to_move
    state.play(6)
    drawn = picture(state, (first + 1) % 4)
    assert drawn is not None
    assert drawn["last"] == [{"seat": first, "kind": "play", "card": 6}]
    assert drawn["stakes"] == {"shutout": 2, "clean": [0, 1, 2, 3], "dealer": 2, "threshold": 50, "above": 2}
    assert [one["dealer"] for one in drawn["seats"]] == [seat == first for seat in range(4)]


def test_the_miniature_is_in_the_middle_of_a_game() -> None:
    drawn = miniature(SEED)
    assert drawn is not None
    assert drawn["phase"] == "play"
    assert 12 < len(drawn["table"]) < 40
    assert drawn["seats"][1]["hand"] is None
