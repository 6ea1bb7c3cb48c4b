"""Proves what a deal of Sevens is worth: the rules page's vectors, the founding document's reward function, and the sum
of the returns of every preset that claims one."""

import random
from dataclasses import dataclass

import pytest

import sevenfold as sf
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.games import sevens as room

SEED = sf.game("sevens")
LITERAL = sf.game("sevens", preset="seed_literal")


@pytest.mark.parametrize(
    ("penalties", "dealer", "rewards"),
    [
        ([0, 12, 51, 30], 2, [492, -24, -408, -60]),
        ([5, 12, 50, 60], 0, [182, -12, -50, -120]),
        ([20, 7, 7, 33], 3, [-20, 43, 43, -66]),
        ([0, 0, 0, 0], 1, [0, 0, 0, 0]),
        ([0, 154, 90, 91], 1, [1956, -1232, -360, -364]),
    ],
)
def test_the_vectors_of_the_rules_page(penalties: list[int], dealer: int, rewards: list[int]) -> None:
    assert core.settle(SEED.new(), penalties, dealer) == rewards


def settled(penalties: list[int], dealer: int = -1, **options: object) -> list[float]:
    found: list[float] = core.settle(sf.game("sevens", **options).new(), penalties, dealer)
    return found


@pytest.mark.parametrize(
    ("options", "table"),
    [({"preset": "tw_table"}, True), ({"all_covered": "reversal_wins"}, False)],
    ids=["table", "reversal"],
)
def test_who_still_holds_a_card_has_not_covered_every_card(options: dict[str, str], table: bool) -> None:
    """Player 0 empties its hand by playing, and the deal ends while player 3 has covered twelve cards and holds one."""
    hands = [
        [0, 1, 2, 3, 4, 5, 6, 14, 15, 16, 17, 18, 19],  # spades from the ace to the seven, hearts from the two
        [7, 8, 9, 13, 20, 21, 22, 26, 27, 28, 29, 30, 31],
        [32, 33, 34, 35, 39, 40, 41, 42, 43, 44, 45, 46, 47],
        [10, 11, 12, 23, 24, 25, 36, 37, 38, 48, 49, 50, 51],
    ]

    def played(end: str) -> sf.State:
        state = sf.game("sevens", end=end, **options).new(deal=hands)
        while not state.is_over:
            legal = state.legal_actions()
            inwards = [card for card in legal if state.to_move not in (1, 2) or card % 13 < 7]
            state.play(min(inwards or legal))
        return state

    cut, whole = played("first_shutout"), played("all_cards")
    assert "player 3: 1 card" in str(cut)
    assert "covered 12" in str(cut).splitlines()[8]
    assert "covered 13" in str(whole).splitlines()[8]
    if table:
        assert cut.returns()[3] < 0
        assert whole.returns()[3] > 1000 - 300
    else:
        assert cut.returns()[3] < 0 <= whole.returns()[3]


def test_ties_for_the_lowest_penalty() -> None:
    penalties = [20, 7, 7, 33]
    assert settled(penalties, 3, ties="first_index") == [-20, 20 + 7 + 66, -7, -66]
    assert settled(penalties, 3, ties="count_then_order") == [-20, 93, -7, -66]
    assert settled(penalties, 3, ties="no_pot") == [0, 0, 0, 0]


def test_pairwise_counts_double_when_exactly_one_has_covered_nothing() -> None:
    assert settled([1, 2, 3, 4], scoring="pairwise") == [6, 2, -2, -6]
    assert settled([0, 2, 3, 4], scoring="pairwise") == [18, 2, -6, -14]
    assert settled([0, 0, 3, 4], scoring="pairwise") == [7, 7, -5, -9]


def test_the_taiwan_table() -> None:
    assert settled([5, 6, 7, 8], scoring="tw_table") == [45, 44, 43, 42]
    assert settled([0, 6, 7, 8], scoring="tw_table") == [150, 34, 33, 32]
    assert settled([0, 0, 7, 8], scoring="tw_table") == [120, 120, 3, 2]
    assert settled([0, 0, 0, 8], scoring="tw_table") == [90, 90, 90, -28]
    assert settled([0, 0, 0, 0], scoring="tw_table") == [60, 60, 60, 60]


def test_the_other_scorings() -> None:
    assert settled([5, 0, 7, 8], scoring="penalty_only") == [-5, 0, -7, -8]
    assert settled([5, 0, 7, 7], scoring="rank_points") == [1, 3, -2, -2]
    assert settled([5, 3, 7, 8], 0, winner="none") == [-10, -3, -7, -8]
    literal = {"winner": "shutout_only"}
    assert settled([5, 3, 7, 8], 0, **literal) == [-10, 25, -7, -8]
    assert settled([5, 3, 7, 8], 0, **literal, no_winner="negative_sum") == [-10, -3, -7, -8]
    assert settled([5, 3, 7, 8], 0, **literal, no_winner="void") == [0, 0, 0, 0]
    assert settled([5, 3, 7, 8], 1, mult_dealer_wins=3) == [-15, 60, -21, -24]


# --- The founding document's reward function --------------------------------------------------------------------------


@dataclass
class Card:
    rank: int


@dataclass
class Hand:
    hand: list[Card]


def calculate_final_rewards(players: list[Hand], dealer_index: int) -> list[float]:
    """Section 3 of the document, as it stands; `hand` is what a player has not played."""
    raw_penalties = []
    winner_index = next((i for i, p in enumerate(players) if len(p.hand) == 0), None)
    for i, player in enumerate(players):
        if i == winner_index:
            raw_penalties.append(0.0)
            continue
        score = sum(card.rank for card in player.hand)
        multiplier = 1.0
        if winner_index is not None:
            multiplier *= 2.0
        if i == dealer_index:
            multiplier *= 2.0
        if score > 50:
            multiplier *= 2.0
        raw_penalties.append(score * multiplier)
    rewards = []
    total_loss_pool = sum(raw_penalties)
    for i in range(4):
        if i == winner_index:
            rewards.append(total_loss_pool)
        else:
            rewards.append(-raw_penalties[i])
    return [r / 800.0 for r in rewards]


def test_seed_literal_is_the_document_s_reward_function() -> None:
    winners = 0
    for seed in range(400):
        state = played_out(LITERAL, seed)
        holders = core.holders(state)
        players = [Hand([Card(c % 13 + 1) for c in range(52) if holders[c] in (seat, seat + 8)]) for seat in range(4)]
        first_mover = state.game.replay(state.history[:52], seed).to_move
        wanted = calculate_final_rewards(players, first_mover)
        assert [value / 800 for value in state.returns()] == wanted
        winners += any(not p.hand for p in players)
    assert 100 < winners < 300


def played_out(game: sf.Game, seed: int) -> sf.State:
    rng, state = random.Random(seed), game.new(seed)
    while not state.is_over:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("preset", room.PRESETS)
def test_returns_add_up_to_0_where_a_preset_says_so_and_nowhere_else(preset: str) -> None:
    game = sf.game("sevens", preset=preset)
    sums = [sum(played_out(game, seed).returns()) for seed in range(60)]
    assert (game.sum == "zero") == (preset not in ("seed_literal", "tw_table"))
    assert all(abs(total) < 1e-9 for total in sums) == (game.sum == "zero")


def test_the_range_of_the_returns_is_that_of_the_rules_page() -> None:
    assert SEED.min_return == -1232
    assert SEED.max_return == 1960
    assert (sf.game("sevens", preset="jp_7narabe").min_return, sf.game("sevens", preset="jp_7narabe").max_return) == (
        -3,
        3,
    )
