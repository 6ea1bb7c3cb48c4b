"""Proves Sevens: the invariants of the rules page, texts and refusals, symmetries, records, views and players.
test_reference.py compares every rule with a plain reading of the rules page, test_scoring.py the scores, test_belief.py
what is hidden."""

import itertools
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import refused

import sevenfold as sf
from sevenfold import lang
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.games import sevens as room
from sevenfold.games.sevens.test_reference import GAMES, hands_of
from sevenfold.playthrough import playthrough
from sevenfold.records import Record
from sevenfold.terminal import is_seen

SEED = sf.game("sevens")
PRESETS = {name: sf.game("sevens", preset=name) for name in room.PRESETS}
COVERS = {name: game for name, game in GAMES.items() if game.options["variant"] == "cover"}
SEVENS = {6, 19, 32, 45}


def dealt(game: sf.Game, seed: int) -> sf.State:
    return game.new(deal=hands_of(game, random.Random(seed)))


def chain(card: int) -> list[int]:
    """The cards nearer to the seven than a card, the seven not among them."""
    place, base = card % 13, card - card % 13
    return [base + p for p in (range(7, place) if place > 6 else range(place + 1, 6))]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_passes_the_check(preset: str) -> None:
    report = sf.check(PRESETS[preset], games=1)
    assert not report.warnings


def test_the_golden_playthrough_is_as_it_was() -> None:
    golden = Path(__file__).with_name("golden.txt").read_text(encoding="utf-8")
    assert playthrough("sevens") == golden


# --- The invariants of the rules page ---------------------------------------------------------------------------------


def test_four_players_always_take_13_turns_each_and_the_leader_is_done_first() -> None:
    for seed in range(60):
        rng, state = random.Random(seed), dealt(SEED, seed)
        leader = state.to_move
        assert state.legal_actions() == [6]
        for ply in range(52):
            assert state.to_move == (leader + ply) % 4
            holders = core.holders(state)
            for seat in range(4):
                turns = (ply - (seat - leader) % 4 + 3) // 4
                assert holders.count(seat) == 13 - turns
            if ply == 49:
                assert [holders.count((leader + i) % 4) for i in range(4)] == [0, 1, 1, 1]
            state.play(rng.choice(state.legal_actions()))
        assert state.is_over


@pytest.mark.parametrize("name", COVERS)
def test_each_action_takes_one_card_and_sevens_are_never_covered(name: str) -> None:
    game, rng = GAMES[name], random.Random(1)
    for seed in range(8):
        state = dealt(game, seed)
        while not state.is_over:
            mover, before = state.to_move, core.holders(state)
            state.play(rng.choice(state.legal_actions()))
            after = core.holders(state)
            assert after.count(mover) == before.count(mover) - 1
            assert not any(after[seven] >= 8 for seven in SEVENS)
        if game.options["end"] == "all_cards":
            assert all(holder == -1 or holder >= 8 for holder in core.holders(state))


def test_frontier_cards_stay_until_played_and_dead_cards_are_never_played() -> None:
    for seed in range(40):
        rng, state, frontier = random.Random(seed), dealt(SEED, seed), set()
        while not state.is_over:
            planes = state.observe(0).planes.reshape(13, 52)
            now = {c for c in range(52) if planes[3][c]}
            board = {c for c in range(52) if planes[1][c]}
            assert frontier - board <= now
            frontier = now
            holders = core.holders(state)
            dead = {c for c in range(52) if c not in SEVENS and any(holders[near] >= 8 for near in chain(c))}
            assert not dead & (board | now)
            state.play(rng.choice(state.legal_actions()))


def test_penalties_follow_from_the_first_covered_card_of_each_chain() -> None:
    for seed in range(60):
        rng, state = random.Random(seed), dealt(SEED, seed)
        owner = core.holders(state)
        while not state.is_over:
            state.play(rng.choice(state.legal_actions()))
        holders = core.holders(state)
        for seat in range(4):
            covered = sum(c % 13 + 1 for c in range(52) if holders[c] == seat + 8)
            implied = sum(
                c % 13 + 1
                for c in range(52)
                if c not in SEVENS and owner[c] == seat and any(holders[x] >= 8 for x in [*chain(c), c])
            )
            assert covered == implied <= 154


# --- Symmetry ---------------------------------------------------------------------------------------------------------


def test_the_suits_are_interchangeable_after_the_first_card() -> None:
    state = dealt(SEED, 1)
    assert state.symmetries == 1
    assert SEED.new().symmetries == 1
    state.play(6)
    assert state.symmetries == 24
    assert dealt(PRESETS["jp_7narabe"], 1).symmetries == 24
    assert dealt(PRESETS["fan_tan"], 1).symmetries == 24
    images = {state.symmetric(s).to_text() for s in range(24)}
    assert len(images) == 24


@pytest.mark.parametrize("preset", PRESETS)
def test_observations_turn_with_the_suits(preset: str) -> None:
    game, rng = PRESETS[preset], random.Random(4)
    state = dealt(game, 3)
    for _ in range(30):
        if state.is_over:
            break
        state.play(rng.choice(state.legal_actions()))
        s, viewer = rng.randrange(24), rng.randrange(4)
        rows = [state.symmetric_action(s, 13 * suit) // 13 for suit in range(4)]
        here, there = state.observe(viewer), state.symmetric(s).observe(viewer)
        for suit in range(4):
            assert (here.planes[:, suit] == there.planes[:, rows[suit]]).all()
        assert (here.features == there.features).all()


# --- Observations -----------------------------------------------------------------------------------------------------


def test_the_timed_observation_counts_what_was_left_alone() -> None:
    """Against a count by hand: an open card, and how often each other seat has played another one since."""
    game, rng = sf.game("sevens", observation="timed"), random.Random(4)
    assert (game.planes, game.features) == ((17, 4, 13), 12)
    plain, state = (one.new(deal=hands_of(SEED, random.Random(3))) for one in (SEED, game))
    left: dict[int, list[int]] = {}
    came: dict[int, int] = {}
    while not state.is_over:
        mover = state.to_move
        action = rng.choice(state.legal_actions())
        before = state.observe(mover).planes[3].reshape(52)
        if before[action]:
            for card in range(52):
                if before[card] and card != action:
                    left.setdefault(card, [0] * 4)[mover] += 1
            came[action] = len(came)
        state.play(action)
        plain.play(action)
        viewer = rng.randrange(4)
        seen = state.observe(viewer)
        assert (seen.planes[:13] == plain.observe(viewer).planes).all()
        own, open_cards = seen.planes[0].reshape(52), seen.planes[3].reshape(52)
        for card in range(52):
            for other in range(3):
                times = left.get(card, [0] * 4)[(viewer + 1 + other) % 4]
                wanted = min(1.0, times / 4) if open_cards[card] and not own[card] else 0.0
                assert seen.planes[13 + other].reshape(52)[card] == wanted
            assert (seen.planes[16].reshape(52)[card] > 0) == (card in came)
    order = sorted(came, key=lambda card: came[card])
    times = [float(state.observe(0).planes[16].reshape(52)[card]) for card in order]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_the_layouts_of_the_observations() -> None:
    literal = PRESETS["seed_literal"]
    assert (SEED.planes, SEED.features) == ((13, 4, 13), 12)
    assert (literal.planes, literal.features) == ((11, 4, 13), 0)
    rng = random.Random(2)
    card = sf.game("sevens", observation="obs11")
    for seed in range(6):
        hands = hands_of(SEED, random.Random(seed))
        states = [game.new(deal=hands) for game in (SEED, card, literal)]
        leader = states[0].to_move
        while not states[0].is_over:
            action = rng.choice(states[0].legal_actions())
            for state in states:
                state.play(action)
            viewer = states[0].to_move if not states[0].is_over else 0
            full, small, suit = (state.observe(viewer) for state in states)
            assert (full.planes[:3] == small.planes[:3]).all()
            for other in range(3):
                assert (small.planes[3 + other] == full.features[1 + other]).all()
                assert (small.planes[6 + other] == full.planes[10 + other]).all()
                assert (suit.planes[6 + other] == full.planes[10 + other].max(axis=1, keepdims=True)).all()
            assert (small.planes[9] == (viewer == leader)).all()
            assert list(full.features[4:8]).index(1) == (leader - viewer) % 4
            assert abs(float(small.planes[10][0][0]) - len(states[0].history) / 52) < 1e-6
            legal = {c for c in range(52) if full.planes[2].reshape(52)[c]}
            assert legal == ({*states[0].legal_actions()} if not states[0].is_over else set())
            assert full.features[9] == (bool(legal) and not legal & {*full.planes[3].reshape(52).nonzero()[0].tolist()})


# --- Texts, deals, refusals -------------------------------------------------------------------------------------------


def test_cards_are_written_as_signs_or_letters() -> None:
    state = dealt(SEED, 1)
    assert state.action_text(6) == "♠7"
    for text in ("♠7", "S7", "s7"):
        assert state.parse_action(text) == 6
    assert [room.card_id(text) for text in ("SA", "h10", "♥10", "HT", "ck", 51, "♦7")] == [0, 22, 22, 22, 51, 51, 32]


def test_a_deal_is_given_by_numbers_or_texts_and_records_replay() -> None:
    hands = hands_of(SEED, random.Random(5))
    texts = [[f"{room.SUITS[c // 13]}{room.RANKS[c % 13]}" for c in hand] for hand in hands]
    state = SEED.new(deal=hands)
    assert SEED.new(deal=texts).to_text() == state.to_text()
    rng = random.Random(1)
    while not state.is_over:
        state.play(rng.choice(state.legal_actions()))
    assert SEED.parse(state.to_text()).returns() == state.returns()
    again = Record.from_line(Record.of(state, ["random"] * 4).to_line())
    assert again.replay().returns() == state.returns()
    played = SEED.new(5)
    while not played.is_over:
        played.play(rng.choice(played.legal_actions()))
    assert Record.from_line(Record.of(played).to_line()).replay().to_text() == played.to_text()


@pytest.mark.parametrize("name", GAMES)
def test_texts_read_back_at_every_ply(name: str) -> None:
    game, rng = GAMES[name], random.Random(1)
    state = dealt(game, 2)
    while not state.is_over:
        assert game.parse(state.to_text()).hash() == state.hash()
        state.play(rng.choice(state.legal_actions()))


def bad_deals() -> dict[str, tuple[Any, str]]:
    hands = hands_of(SEED, random.Random(5))
    twice, swapped = [list(hand) for hand in hands], [list(hand) for hand in hands]
    twice[0][0] = twice[1][0]
    swapped[0].append(swapped[1].pop())
    own = [[hands[0][0], *hands[0][:-1]], *hands[1:]]
    return {
        "a card in two hands": (twice, "is dealt twice"),
        "a card twice in a hand": (own, "twice"),
        "the wrong numbers": (swapped, "is dealt 14 cards, not 13"),
        "three hands": (hands[:3], "each of the 4 players, not 3"),
        "no hands": (5, "a list of hands"),
        "a word": ("S7", "a list of hands"),
        "a hand that is a word": (["S7"] * 4, "a hand is a list of cards"),
        "a card that is none": ([["S1"] * 13] * 4, "is no card"),
        "a number that is none": ([[52] * 13] * 4, "is no card"),
        "true": ([[True] * 13] * 4, "is no card"),
        "nothing": ([], "each of the 4 players"),
        "empty hands": ([[], [], [], []], "is dealt 0 cards, not 13"),
    }


@pytest.mark.parametrize("what", bad_deals())
def test_an_impossible_deal_is_refused(what: str) -> None:
    deal, match = bad_deals()[what]
    with refused(match):
        SEED.new(deal=deal)


def test_other_bad_starts_are_refused() -> None:
    with refused("takes a seed, deal, and no 'cards'"):
        SEED.new(cards=[])
    with refused("takes a seed, and no 'deal'"):
        sf.game("tic_tac_toe").new(deal=[])


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda text: "", "empty"),
        (lambda text: "dealing", "hands are missing"),
        (lambda text: "dealing " + text, "nothing can be played|all cards are dealt"),
        (lambda text: text.replace("/", ".", 1), "3 hands for 4 players"),
        (lambda text: text.replace(".", "", 1), "a hand is four suits"),
        (lambda text: text + " S7", "cannot play 'S7' there"),
        (lambda text: text + " 7", "neither a card"),
        (lambda text: text + " pass", "cannot play 'pass' there"),
        (lambda text: "dealing 2.../.../.../...", "dealt in the order"),
        (lambda text: "X.../.../.../...", "is no rank"),
        (lambda text: text.split(" ")[0] + " H7", "cannot play"),
    ],
)
def test_a_text_that_is_no_position_is_refused(change: Any, match: str) -> None:
    state = dealt(SEED, 1)
    state.play(6)
    with refused(match):
        SEED.parse(change(state.to_text()))


def test_a_deal_is_read_from_numpys_numbers_and_arrays_too() -> None:
    hands = hands_of(SEED, random.Random(2))
    wanted = SEED.new(deal=hands).to_text()
    arrays = [np.array(hand) for hand in hands]
    for deal in (arrays, tuple(arrays), np.array(hands), [[np.int64(card) for card in hand] for hand in hands]):
        assert SEED.new(deal=deal).to_text() == wanted


@pytest.mark.parametrize(
    "deal",
    [
        np.array(5),
        np.zeros((4, 13)),
        np.zeros((4, 13), dtype=bool),
        [[np.bool_(True)]] * 4,
        [[True]] * 4,
        [[np.int64(52)]] * 4,
        [[5.0]] * 4,
        np.arange(52),
        "S7",
    ],
    ids=str,
)
def test_a_deal_of_other_things_than_cards_is_refused(deal: Any) -> None:
    with refused("is no card|a deal|a hand"):
        SEED.new(deal=deal)


def test_a_record_that_contradicts_the_rules_is_refused() -> None:
    state = dealt(SEED, 1)
    state.play(6)
    data = json.loads(Record.of(state, ["random"] * 4).to_line()) | {"actions": [6, 6]}
    with refused("not legal|record"):
        Record.from_line(json.dumps(data)).replay()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"num_players": 7}, "num_players"),
        ({"num_players": 1}, "num_players"),
        ({"num_players": 5, "scoring": "tw_table"}, "for 4 players"),
        ({"num_players": 3, "dealer_seat": 3}, "dealer_seat"),
        ({"num_players": 2, "first_seat": 2, "start": "sevens_laid_first"}, "first_seat"),
        ({"first_seat": 1}, "first_seat is for"),
        ({"end": "first_out"}, "pass variants"),
        ({"winner": "first_out"}, "pass variants"),
        ({"start": "left_of_dealer_any7"}, "dealer cannot be starter"),
        ({"jokers": 1}, "jokers"),
        ({"variant": "pass", "all_covered": "reversal_wins"}, "variant=cover"),
        ({"variant": "pass", "close_on_end": True}, "variant=cover"),
        ({"variant": "pass", "scoring": "tw_table"}, "variant=cover"),
        ({"close_on_end": True, "ak_tunnel": True}, "exclude each other"),
        ({"scoring": "pairwise", "last_seven_bonus": "fixed"}, "seed_pot"),
        ({"max_passes": 6}, "max_passes"),
        ({"variant": "poker"}, "variant"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], match: str) -> None:
    with refused(match):
        sf.game("sevens", **options)


# --- Views, matches, players ------------------------------------------------------------------------------------------


def test_a_view_shows_the_own_hand_and_only_counts_of_the_others() -> None:
    state = dealt(SEED, 1)
    state.play(6)
    for viewer in range(4):
        lines = state.view(viewer).splitlines()
        assert lines[1] == "♠  ·  ·  ·  ·  ·  ·  7  ·  ·  ·  ·  ·  ·"
        own = [line for line in lines if "cards ♠" in line or "cards ♥" in line]
        assert len(own) == 1
        assert own[0].startswith(f"player {viewer}")
    assert "at stake: ×2 for all losers if player 0 or player 1 or player 2 or player 3 covers nothing" in state.view(0)
    assert len([line for line in str(state).splitlines() if "cards ♠" in line or "cards ♥" in line]) == 4


@pytest.mark.parametrize(("rule", "wanted"), [("rotate", lambda seat: (seat + 1) % 4), ("fixed", lambda seat: seat)])
def test_the_dealer_moves_on_as_its_option_says(rule: str, wanted: Any) -> None:
    game = sf.game("sevens", dealer=rule, dealer_seat=2)
    state = dealt(game, 1)
    with refused("is over"):
        room.next_deal(state)
    while not state.is_over:
        state.play(state.legal_actions()[0])
    assert room.next_deal(state).options["dealer_seat"] == wanted(2)


def test_the_previous_loser_deals() -> None:
    state = dealt(sf.game("sevens", dealer="previous_loser"), 1)
    while not state.is_over:
        state.play(state.legal_actions()[0])
    following = room.next_deal(state)
    assert state.returns()[int(following.options["dealer_seat"])] == min(state.returns())


@pytest.mark.parametrize("name", ["greedy", "keeper", "blocker"])
def test_a_rule_based_player_sees_nothing_hidden(name: str) -> None:
    for game in (SEED, PRESETS["jp_7narabe"], PRESETS["west_sevens"]):
        player = sf.player(name, game)
        state = dealt(game, 7)
        while not state.is_over:
            action = player.think(state).action
            assert action in state.legal_actions()
            assert player.think(state.redeal(state.to_move, len(state.history))).action == action
            state.play(action)


def test_greedy_plays_its_highest_and_covers_its_lowest() -> None:
    player = sf.player("greedy", SEED)
    for seed in range(5):
        state = dealt(SEED, seed)
        while not state.is_over:
            legal = state.legal_actions()
            frontier = state.observe().planes[3].reshape(52)
            rank = player.think(state).action % 13
            ranks = [action % 13 for action in legal]
            assert rank == (max(ranks) if frontier[legal[0]] else min(ranks))
            state.play(player.think(state).action)


def test_a_player_among_copies_of_itself_gains_exactly_nothing() -> None:
    for name in ("greedy", "keeper", "blocker"):
        assert max(map(abs, core.duplicate(SEED.new(), name, name, 50, 1))) < 1e-9


def test_the_ladder_of_the_rule_based_players() -> None:
    """The figure is 35 points a deal for blocker among three greedy; `python -m bench sevens` measures it."""

    def mean(one: str, others: str) -> float:
        scores = core.duplicate(SEED.new(), one, others, 600, 3)
        return float(sum(scores) / len(scores))

    assert mean("blocker", "greedy") > 45
    assert mean("blocker", "keeper") > 15
    assert mean("greedy", "blocker") < -30
    assert mean("random", "blocker") < -40
    assert mean("keeper", "greedy") > 8


def test_uneven_hands_go_to_the_first_seats_and_empty_hands_are_skipped() -> None:
    game = GAMES["five"]
    state = game.new(3)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    assert [core.holders(state).count(seat) for seat in range(5)] == [11, 11, 10, 10, 10]
    movers = []
    while not state.is_over:
        movers.append(state.to_move)
        state.play(state.legal_actions()[0])
    assert [movers.count(seat) for seat in range(5)] == [11, 11, 10, 10, 10]
    assert all((b - a) % 5 == 1 for a, b in itertools.pairwise(movers[:50]))


# --- At the terminal --------------------------------------------------------------------------------------------------


def test_a_last_card_laid_face_down_is_not_told() -> None:
    hidden = told = 0
    for seed in range(12):
        state = dealt(SEED, seed)
        while not state.is_over:
            action = core.choose(state, "blocker", 0)
            frontier = state.observe().planes[3].reshape(52)
            covers = not frontier[action]
            if 47 <= len(state.history) < 51:  # after the last one everything lies open
                viewer = (state.to_move + 1) % 4
                others = [state.redeal(viewer, 100 + s).legal_actions()[0] for s in range(20)]
                seen = is_seen(state, action, viewer)
                if covers and sum(other != action and not frontier[other] for other in others) > 8:
                    assert not seen
                    hidden += 1
                elif not covers:
                    assert seen
                    told += 1
            state.play(action)
    assert hidden > 5
    assert told > 5


def test_a_person_plays_a_deal_through_a_pipe() -> None:
    command = [sys.executable, "-m", "sevenfold", "play", "sevens", "--against", "greedy", "--seat", "1", "--seed", "3"]
    wishes = "\n".join(f"{suit}{rank}" for _ in range(13) for suit in "SHDC" for rank in room.RANKS)
    done = subprocess.run(command, input=wishes, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "the deal is over after 52 plies" in done.stdout
    assert "Chance" not in done.stdout
    before_the_end = done.stdout.split("the deal is over")[0]
    assert not re.search(r"player [234] .( \(dealer\))?: \d+ cards [♠♥♦♣]", before_the_end)
    assert re.search(r"player 1 .( \(dealer\))?: 13 cards [♠♥♦♣]", before_the_end)


@pytest.mark.parametrize("name", GAMES)
def test_the_table_is_all_chinese_where_that_is_the_language(name: str) -> None:
    game, rng = GAMES[name], random.Random(6)
    lang.use("zh-TW")
    try:
        for seed in range(3):
            state = dealt(game, seed)
            texts = [str(game.new()), game.new().view(0)]
            while not state.is_over:
                texts += [str(state), state.view(rng.randrange(game.players))]
                state.play(rng.choice(state.legal_actions()))
            for text in [*texts, str(state)]:
                words = re.findall(r"[A-Za-z]+", lang.drawn(game, text))
                assert {*words} <= {*"AJQK", "pass"}, lang.drawn(game, text)
                assert "玩家 0" not in lang.drawn(game, text)
    finally:
        lang.use("en")
    assert lang.drawn(game, "player 0") == "player 1"
