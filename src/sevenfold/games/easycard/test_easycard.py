"""Proves easycard: its known counts, its presets, its texts and refusals, its abilities, and that closed hands stay
closed. test_reference.py compares every rule with a plain reading of the rules page."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import refused
from rich.text import Text

import sevenfold as sf
from sevenfold import lang
from sevenfold.games import easycard as room
from sevenfold.playthrough import playthrough

STRIKE, BURST, SWIFT, CHEAP, HEAL, ATTACK, FIELD, PET, PASS = range(9)
SMALL = sf.game("easycard")
ARENA = sf.game("easycard", preset="arena")
CHANCE = sf.game("easycard", preset="chance")
HIDDEN = sf.game("easycard", preset="chance", hidden=True)
GAMES = {"small": SMALL, "arena": ARENA, "chance": CHANCE, "hidden": HIDDEN}
START = "1 0 play/12 6 0 0 - 11211 00000/12 6 0 0 - 11211 00000"


def dealt(game: sf.Game, seed: int) -> sf.State:
    """The first position in which a player moves."""
    state = game.new(seed)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    return state


def random_states(game: sf.Game, games: int, seed: int = 1) -> Iterator[sf.State]:
    """The positions of random games, in which passing is rarer than usual."""
    rng = random.Random(seed)
    for number in range(games):
        state = game.new(number)
        while True:
            yield state
            if state.to_move == sf.TERMINAL:
                break
            state = state.copy()
            if state.to_move == sf.CHANCE:
                state.play_chance()
            else:
                legal = state.legal_actions()
                state.play(rng.choice(legal[:-1] if len(legal) > 1 and rng.random() < 0.6 else legal))


def test_the_plain_game_is_the_small_one() -> None:
    assert sf.game("easycard", preset="small") == SMALL
    assert SMALL.new().to_text() == START
    assert (SMALL.players, SMALL.actions, SMALL.outcomes) == (2, 9, 0)
    assert not SMALL.has_chance
    assert not SMALL.has_hidden_information


def test_chance_and_hidden_information_are_abilities_only_of_the_games_that_have_them() -> None:
    assert [game.has_chance for game in GAMES.values()] == [False, True, True, True]
    assert [game.has_hidden_information for game in GAMES.values()] == [False, False, False, True]
    assert not sf.game("easycard", start_hp=12).has_chance
    assert sf.game("easycard", coins=1).has_chance


def test_sequences_from_the_start_are_as_the_rules_page_counts_them() -> None:
    counts = [7, 46, 288, 1_722, 9_634, 50_155, 247_744, 1_187_219, 5_634_544]
    assert sf.perft(SMALL.new(), 9, detail=True).per_ply == [1, *counts]


@pytest.mark.parametrize("name", GAMES)
def test_every_preset_passes_the_check(name: str) -> None:
    report = sf.check(GAMES[name], games=25)
    assert not report.warnings
    assert report.longest <= GAMES[name].max_plies


def test_the_golden_playthrough_is_as_it_was() -> None:
    golden = Path(__file__).with_name("golden.txt").read_text(encoding="utf-8")
    assert playthrough("easycard") == golden


# --- Deals -----------------------------------------------------------------------------------------------------------


def sides(state: sf.State) -> list[list[str]]:
    """hp, dice, energy, pet, flags, hand, pile of each player."""
    return [side.split() for side in state.to_text().split("/")[1:]]


def test_the_arena_deals_both_the_same_hand_and_24_to_30_hit_points() -> None:
    hands, hit_points = Counter(), Counter()
    for seed in range(300):
        state = dealt(ARENA, seed)
        first, second = sides(state)
        assert first[5] == second[5]
        counts = [int(digit) for digit in first[5]]
        assert sum(counts) == 8
        assert all(count <= most for count, most in zip(counts, (3, 3, 4, 2, 3), strict=True))
        assert first[6] == second[6] == "00000"
        assert first[1] == second[1] == "8"
        assert len(state.history) == 10
        hands[first[5]] += 1
        hit_points.update([int(first[0]), int(second[0])])
    assert len(hands) > 40
    assert sorted(hit_points) == list(range(24, 31))


def test_the_same_seed_deals_the_same() -> None:
    for game in (ARENA, CHANCE):
        assert dealt(game, 5).to_text() == dealt(game, 5).to_text()
        assert len({dealt(game, seed).to_text() for seed in range(20)}) > 10


def test_the_chance_game_draws_three_cards_and_one_more_each_round() -> None:
    state = dealt(CHANCE, 1)
    for rounds in range(6):
        for hp, dice, *_, hand, pile in sides(state):
            assert hp == "12"
            assert sum(map(int, hand)) == 3 + rounds
            assert sum(map(int, pile)) == 7 - rounds
            assert 3 <= int(dice) <= 9
        for _ in range(2):
            state.play(PASS)
        while state.to_move == sf.CHANCE:
            state.play_chance()
    assert state.is_over
    assert state.returns() == [0, 0]


def test_dice_are_three_and_the_heads_of_six_coins() -> None:
    dice = Counter(int(side[1]) for seed in range(1500) for side in sides(dealt(CHANCE, seed)))
    assert sorted(dice) == list(range(3, 10))
    for value, share in zip(range(3, 10), (1, 6, 15, 20, 15, 6, 1), strict=True):
        expected = 3000 * share / 64
        assert abs(dice[value] - expected) < 5 * (expected**0.5)


# --- Rules, told as stories -------------------------------------------------------------------------------------------


def play(*actions: int, game: sf.Game = SMALL, text: str | None = None) -> sf.State:
    state = game.parse(text) if text else game.new()
    for action in actions:
        state.play(action)
    return state


def test_a_swift_strike_keeps_the_turn_and_a_cheap_one_costs_one_die() -> None:
    state = play(SWIFT, CHEAP, STRIKE)
    assert state.to_text() == "1 0 play/12 5 1 0 - 00211 00000/10 6 0 0 - 11211 00000"
    assert play(STRIKE).to_move == 1


def test_a_burst_leaves_swift_as_it_is() -> None:
    state = play(BURST, text="1 0 play/12 6 2 0 s 00000 00000/12 6 0 0 - 00000 00000")
    assert state.to_text() == "1 1 play/12 3 0 0 s 00000 00000/7 6 0 0 - 00000 00000"


def test_the_first_passer_s_pet_bites_first_and_may_win() -> None:
    text = "3 1 play/1 0 0 2 e 00000 00000/1 0 0 2 - 00000 00000"
    state = play(PASS, text=text)
    assert state.is_over
    assert state.returns() == [1, -1]
    assert play(PASS, text=text.replace("3 1 play/1", "3 1 play/2").replace("/1 0", "/2 0")).to_move == 0


def test_food_is_lost_with_the_round_but_swift_and_cheap_stay() -> None:
    state = play(SWIFT, CHEAP, ATTACK, PASS, PASS)
    assert sides(state)[0] == ["12", "6", "0", "0", "sc", "00111", "00000"]


def test_a_field_gives_a_die_in_every_later_round() -> None:
    state = play(FIELD, PASS, PASS)
    assert [side[1] for side in sides(state)] == ["7", "6"]
    assert [side[1] for side in sides(play(PASS, PASS, text=state.to_text()))] == ["7", "6"]


def test_no_healing_at_the_most_and_one_snack_per_round() -> None:
    assert HEAL not in SMALL.new().legal_actions()
    state = play(text=START.replace("/12 6", "/11 6", 1))
    assert HEAL in state.legal_actions()
    state.play(HEAL)
    assert not {HEAL, ATTACK} & set(state.legal_actions())
    assert sides(state)[0][0] == "12"


def test_after_the_last_round_the_higher_hit_points_win() -> None:
    text = "6 0 play/{} 0 0 0 - 00000 00000/{} 0 0 0 e 00000 00000"
    for first, second, returns in ((5, 4, [1, -1]), (4, 5, [-1, 1]), (4, 4, [0, 0])):
        state = play(PASS, text=text.format(first, second))
        assert state.is_over
        assert state.returns() == returns


# --- Abilities --------------------------------------------------------------------------------------------------------


def test_the_handicap_takes_two_dice_from_the_mover() -> None:
    for state in random_states(SMALL, 20):
        if state.to_move < 0:
            continue
        before, after = sides(state), sides(state.handicap())
        mover = state.to_move
        assert int(after[mover][1]) == max(0, int(before[mover][1]) - 2)
        assert after[1 - mover] == before[1 - mover]
        assert after[mover][2:] == before[mover][2:]


def test_swift_and_cheap_are_independent_and_nothing_else_is() -> None:
    state = SMALL.new()
    assert [action for action in range(9) if state.independent(action)] == [SWIFT, CHEAP]


def test_commuting_is_having_any_order_with_swift_and_cheap() -> None:
    """What it says is checked by sf.check; here, that it says so of all fast cards and of nothing else."""
    state = SMALL.new()
    for action in range(9):
        commuting = {other for other in range(9) if state.commutes(action, other)}
        fast = {SWIFT, CHEAP, HEAL, ATTACK, FIELD} - {action}
        assert commuting == (fast if action in (SWIFT, CHEAP) else set())


def test_chance_belongs_to_whom_it_deals_to_and_dice_have_a_typical_outcome() -> None:
    kinds = Counter()
    for state in random_states(CHANCE, 5):
        if state.to_move != sf.CHANCE:
            assert state.chance_for is None
            assert state.typical is None
            continue
        for action in state.legal_actions():
            after = state.copy()
            after.play(action)
            changed = [player for player in (0, 1) if sides(after)[player] != sides(state)[player]]
            assert changed == [state.chance_for]
        dice = state.action_text(state.legal_actions()[0]).startswith("heads")
        assert (state.typical is not None) == dice
        if state.typical is not None:
            assert state.action_text(state.typical) == "heads3"
        kinds[dice] += 1
    assert min(kinds[True], kinds[False]) > 20
    state = ARENA.new()
    while state.to_move == sf.CHANCE:
        assert (state.chance_for, state.typical) == (None, None)
        state.play_chance()


def mirrored(state: sf.State) -> sf.State:
    """The same position with the seats exchanged."""
    head, first, second = state.to_text().split("/")
    turn, mover, phase = head.split()
    return state.game.parse(f"{turn} {1 - int(mover)} {phase}/{second}/{first}")


@pytest.mark.parametrize("name", GAMES)
def test_the_heuristic_is_antisymmetric_and_inside_the_returns(name: str) -> None:
    for state in random_states(GAMES[name], 20):
        first, second = state.heuristic()
        assert first == -second
        assert -0.999 < first < 0.999
        if state.to_move >= 0:
            assert mirrored(state).heuristic() == pytest.approx([second, first])
            assert list(mirrored(state).terms(0).values()) == list(state.terms(1).values())


def test_the_heuristic_changes_little_from_action_to_action() -> None:
    """But where somebody throws the round away: passing with dice in hand is a blunder, and should show."""
    for game in (SMALL, ARENA, CHANCE):
        steps, blunders = [], []
        for state in random_states(game, 40):
            if state.to_move == sf.TERMINAL:
                continue
            for action in state.legal_actions():
                after = state.copy()
                after.play(action)
                if after.is_over:
                    continue
                blunder = state.to_move >= 0 and action == PASS and int(sides(state)[state.to_move][1]) >= 2
                change = abs(after.heuristic()[0] - state.heuristic()[0])
                (blunders if blunder else steps).append(change)
        assert np.mean(steps) < 0.2
        assert np.quantile(steps, 0.95) < 0.6
        assert np.mean(blunders) > np.mean(steps)


def test_more_of_a_good_thing_is_better() -> None:
    base = "2 0 play/8 4 1 0 - 11111 00000/8 4 1 0 - 11111 00000"
    value = SMALL.parse(base).heuristic()[0]
    for better in (
        base.replace("play/8", "play/9"),
        base.replace("play/8 4", "play/8 5"),
        base.replace("play/8 4 1", "play/8 4 2"),
        base.replace("play/8 4 1 0", "play/8 4 1 2"),
        base.replace("play/8 4 1 0 -", "play/8 4 1 0 s"),
        base.replace("play/8 4 1 0 -", "play/8 4 1 0 F"),
        base.replace("11111 00000/", "11211 00000/"),
    ):
        assert better != base
        assert SMALL.parse(better).heuristic()[0] > value, better


def test_the_terms_are_named_once_each() -> None:
    terms = SMALL.new().terms(0)
    assert {"hp", "dice", "energy", "swift_cards", "field", "pet", "to_move"} <= set(terms)
    assert terms["hp"] == 1.2
    assert (terms["to_move"], SMALL.new().terms(1)["to_move"]) == (1, 0)


def test_the_ordering_uses_what_was_prepared_wins_at_once_and_does_not_pass_early() -> None:
    assert play(SWIFT).order(SWIFT)[0] == STRIKE
    assert play(CHEAP).order(CHEAP)[0] == STRIKE
    assert play(text="2 0 play/8 6 2 0 - 11111 00000/5 4 1 0 - 11111 00000").order(None)[0] == BURST
    assert play(text="2 0 play/8 2 2 0 - 11111 00000/2 4 1 0 - 11111 00000").order(None)[0] == STRIKE
    assert SMALL.new().order(None)[-1] == PASS
    assert play(text="2 0 play/8 0 1 0 - 11111 00000/8 4 1 0 - 11111 00000").order(None)[0] == PASS


def test_a_random_game_plays_every_legal_action_equally_often() -> None:
    """random_action, seen through playouts of one ply: the mean over many games of the smallest game there is."""
    game = sf.game("easycard", hp=2, dice=2, rounds=1, swift=0, cheap=0, snack=0, field=0, pet=1)

    # strike (wins), pet, pass: a third each; then the other has strike (wins), pet or pass as well, and so on.
    def value(state: sf.State) -> float:
        if state.is_over:
            return state.returns()[0]
        legal = state.legal_actions()
        total = 0.0
        for action in legal:
            after = state.copy()
            after.play(action)
            total += value(after)
        return total / len(legal)

    assert abs(game.new().playouts(40_000, 1)[0] - value(game.new())) < 0.02


# --- Observation ------------------------------------------------------------------------------------------------------


def test_the_features_are_the_position_s_numbers() -> None:
    features = play(SWIFT, STRIKE).observe(1).features
    mine, other, rest = features[:21], features[21:42], features[42:]
    assert np.allclose(mine[:4], [10 / 12, 6 / 8, 0, 0])
    assert np.allclose(other[:4], [1, 4 / 8, 1 / 2, 0])
    assert np.allclose(other[4:11], [0, 0, 0, 0, 0, 0, 5 / 8])
    assert np.allclose(other[11:16], [0, 1 / 4, 2 / 4, 1 / 4, 1 / 4])
    assert np.allclose(rest, [0, 0.6, 0, 1, 0])


@pytest.mark.parametrize("name", GAMES)
def test_positions_that_differ_are_observed_differently(name: str) -> None:
    seen: dict[bytes, str] = {}
    for state in random_states(GAMES[name], 40):
        if name == "hidden" or state.to_move < 0:
            continue
        key = state.observe(0).features.tobytes()
        assert seen.setdefault(key, state.to_text()) == state.to_text()


def test_closed_hands_do_not_leak() -> None:
    """Every world with another hand of the same size from the same unseen cards looks the same to the viewer."""
    rng, others = random.Random(1), 0
    for state in random_states(HIDDEN, 15):
        for viewer in (0, 1):
            head, *parts = state.to_text().split("/")
            fields = parts[1 - viewer].split()
            unseen = [card for card in range(5) for _ in range(int(fields[5][card]) + int(fields[6][card]))]
            rng.shuffle(unseen)
            size = sum(map(int, fields[5]))
            hand, pile = unseen[:size], unseen[size:]
            fields[5:] = ["".join(str(cards.count(card)) for card in range(5)) for cards in (hand, pile)]
            parts[1 - viewer] = " ".join(fields)
            world = HIDDEN.parse("/".join([head, *parts]))
            others += world.to_text() != state.to_text()
            assert world.view(viewer) == state.view(viewer)
            assert world.observe(viewer).features.tobytes() == state.observe(viewer).features.tobytes()
    assert others > 100


def test_a_redeal_reaches_every_hand_as_often_as_it_is_likely() -> None:
    text = "3 0 play/12 5 0 0 - 10000 11111/12 5 0 0 - 10100 12101"
    state = HIDDEN.parse(text)
    hands = Counter(state.redeal(0, seed).to_text().split("/")[2].split()[5] for seed in range(4000))
    # Two cards out of 2 swift, 2 cheap, 2 snack and 1 pet, of 21 pairs.
    ways = {"20000": 1, "02000": 1, "00200": 1, "11000": 4, "10100": 4, "01100": 4, "10001": 2, "01001": 2, "00101": 2}
    assert set(hands) == set(ways)
    for hand, count in ways.items():
        expected = 4000 * count / 21
        assert abs(hands[hand] - expected) < 5 * expected**0.5
    assert all(state.redeal(0, seed).to_text().split("/")[1] == text.split("/")[1] for seed in range(20))


# --- At the terminal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["small", "arena", "chance"])
def test_the_table_is_drawn_in_both_languages(name: str) -> None:
    try:
        for language, word in (("en", "energy"), ("zh-TW", "能量")):
            lang.use(language)
            for state in random_states(GAMES[name], 2):
                text = Text.from_markup(room.draw(state, None)).plain
                assert text.count(word) == 2
                for hp, dice, *_ in sides(state):
                    assert f" {hp}/{GAMES[name].options['hp']}" in text
                    assert "●" * int(dice) + " " + dice in text
                assert ("▶" in text) == (state.to_move != sf.TERMINAL)
                assert len(text.splitlines()) == 7
    finally:
        lang.use("en")


def test_both_languages_have_the_same_words() -> None:
    assert len(room.WORDS.split(",")) == len(room.WORDS_ZH.split(","))
    for how in (room.HOW, room.HOW_ZH):
        assert "6" in how.format(**SMALL.options)
        assert all(word in how.lower() for word in ("strike", "burst", "swift", "cheap", "heal", "attack", "pass"))


def test_a_closed_hand_is_shown_as_a_number() -> None:
    state = dealt(HIDDEN, 3)
    mine, other = (view.split("player 1")[1] for view in (state.view(1), state.view(0)))
    assert "hand: 3 closed" in other
    assert "closed" not in mine


# --- Texts and refusals -----------------------------------------------------------------------------------------------


def test_a_position_that_is_read_is_the_position_that_was_written() -> None:
    for game in GAMES.values():
        for state in random_states(game, 10):
            again = game.parse(state.to_text())
            assert (again.to_text(), again.hash(), again.to_move) == (state.to_text(), state.hash(), state.to_move)


def test_a_damaged_text_is_refused_or_another_position() -> None:
    """Whatever is read is written again as it was, and can be played to its end."""
    rng, read, faults = random.Random(1), 0, set()
    for game in GAMES.values():
        texts = [state.to_text() for state in random_states(game, 6)]
        for _ in range(3000):
            text = list(rng.choice(texts))
            for _ in range(rng.randint(1, 2)):
                at = rng.randrange(len(text))
                text[at : at + rng.randint(0, 1)] = rng.choice(["0", "1", "2", "9", "-", "e", "F", "s", " ", "/", ""])
            damaged = "".join(text)
            try:
                state = game.parse(damaged)
            except ValueError as error:
                faults.add(re.sub("[0-9'].*[0-9']", "", str(error)))
                continue
            assert state.to_text() == damaged.strip()
            state.playouts(1, 1)
            read += 1
    assert read > 300
    assert len(faults) > 12
    assert all(fault.endswith(".") for fault in faults)


def test_the_order_of_play_does_not_show_in_the_hash() -> None:
    assert play(SWIFT, FIELD, CHEAP).hash() == play(CHEAP, SWIFT, FIELD).hash()
    positions = {state.to_text(): state.hash() for game in GAMES.values() for state in random_states(game, 30)}
    assert len(set(positions.values())) == len(positions)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        START[:-1],
        START + "0",
        START.replace("play", "over"),
        START.replace("play", "chance1"),
        START.replace("1 0 play", "0 0 play"),
        START.replace("1 0 play", "7 0 play"),
        START.replace("1 0 play", "1 2 play"),
        START.replace("1 0 play", "01 0 play"),
        START.replace("/12 6", "/13 6"),
        START.replace("/12 6", "/0 6"),
        START.replace("/12 6", "/12 8"),
        START.replace("6 0 0", "6 3 0"),
        START.replace("6 0 0", "6 0 3"),
        START.replace("-", "x"),
        START.replace("-", "cs"),
        START.replace("-", "f"),
        START.replace("-", "e"),
        START.replace("-", ""),
        START.replace("11211", "21211"),
        START.replace("11211", "1121"),
        START.replace("11211", "1121x"),
        START.replace("00000", "00001"),
        START.replace("/12", "/-1"),
        START + "\x00",
    ],
)  # fmt: skip
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with refused(match="easycard position"):
        SMALL.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "1 0 chance99/12 0 0 0 - 00000 22312/12 0 0 0 - 00000 22312",
        "1 0 chance8/12 3 0 0 - 00000 22312/12 0 0 0 - 00000 22312",
        "1 0 chance8/11 0 0 0 - 00000 22312/12 0 0 0 - 00000 22312",
        "1 1 chance8/12 0 0 0 - 00000 22312/12 0 0 0 - 00000 22312",
        "1 0 chance8/12 0 0 0 - 10000 12312/12 0 0 0 - 00000 22312",
        "2 0 chance4/12 0 0 0 a 10000 12212/12 0 0 0 - 10000 12212",
        "2 0 chance1/12 2 0 0 - 10000 11212/12 0 0 0 - 10000 11212",
        "1 0 play/12 6 0 0 - 10000 22312/12 6 0 0 - 10000 22312",
    ],
)
def test_a_text_that_chance_cannot_have_brought_about_is_refused(text: str) -> None:
    with refused(match="easycard position"):
        CHANCE.parse(text)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"hp": 0}, "hp"),
        ({"dice": -1}, "dice"),
        ({"rounds": 21}, "rounds"),
        ({"deal": "all"}, "fixed, same, piles"),
        ({"hand": 3}, "hand is for"),
        ({"deal": "same"}, "hand must be from 1"),
        ({"deal": "piles", "hand": 7}, "hand must be from 1"),
        ({"start_hp": 13}, "start_hp must not be above hp"),
        ({"hidden": True}, "hidden needs deal=piles"),
        ({"hidden": True, "deal": "same", "hand": 2}, "hidden needs deal=piles"),
        ({"swift": 10}, "swift"),
        ({"colour": "red"}, "no option 'colour'"),
        ({"preset": "big"}, "no preset 'big'"),
    ],
    ids=str,
)
def test_bad_options_are_refused_by_name(options: dict[str, Any], match: str) -> None:
    with refused(match=re.escape(match)):
        sf.game("easycard", **options)


def test_actions_and_outcomes_are_single_words() -> None:
    for game in GAMES.values():
        for state in random_states(game, 3):
            for action in state.legal_actions():
                text = state.action_text(action)
                assert re.fullmatch("[a-z]+[0-9]*", text)
                assert state.parse_action(text.upper()) == action
    assert [SMALL.new().action_text(a) for a in SMALL.new().legal_actions()] == (
        ["strike", "swift", "cheap", "attack", "field", "pet", "pass"]
    )


def test_a_pass_that_keeps_many_dice_is_rewarded_in_a_review() -> None:
    game = sf.game("easycard")
    room = game.room
    state = game.new()
    passes, strikes = state.parse_action("pass"), state.parse_action("strike")
    assert room.review_bonus(state, passes) == 10  # six dice
    assert room.review_bonus(state, strikes) == 0
    for words, bonus in ((["strike", "strike"], 10), (["strike", "strike", "strike"], 10)):
        at = game.new()
        for word in words:
            at.play(at.parse_action(word))
        assert room.review_bonus(at, passes) == bonus
    at.play(strikes)
    assert room.review_bonus(at, passes) == 0  # two dice
    with_field = game.new()
    with_field.play(with_field.parse_action("field"))
    assert room.review_bonus(with_field, passes) == 0  # four dice and a field
    state.play(passes)
    review = sf.review(sf.Record.of(state), "alphabeta:depth=3", game=game)
    assert [move.bonus for move in review.moves] == [10.0]
