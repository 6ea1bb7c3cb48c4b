"""Proves the State: its methods, its independence of its game, fair random play, seeds, and that bad input changes
nothing."""

import copy
import gc
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import refused

import sevenfold as sf

KUHN = sf.game(str(Path(__file__).parent.parent / "examples" / "kuhn_poker.py"))
TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")


class Dice(sf.Rules):
    """Chance rolls a loaded die `rolls` times, then the one player may say whether the sum is even."""

    players, actions, outcomes, sum = 1, 2, 6, "any"

    def __init__(self, rolls: int = 2) -> None:
        self.left, self.total, self.said = rolls, 0, -1

    def to_move(self) -> int:
        return sf.CHANCE if self.left else 0 if self.said < 0 else sf.TERMINAL

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.3), (1, 0.25), (2, 0.2), (3, 0.15), (4, 0.07), (5, 0.03)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        if self.left:
            self.left, self.total = self.left - 1, self.total + action
        else:
            self.said = action

    def returns(self) -> list[float]:
        return [0] if self.said < 0 else [1 if self.said == self.total % 2 else -1]


def fingerprint(state: sf.State) -> tuple[Any, ...]:
    """Everything a state says about itself."""
    seen = [state.observe(viewer).planes.tobytes() for viewer in range(state.game.players)] if "observe" in (
        state.game.abilities
    ) else []  # fmt: skip
    return (str(state), state.history, state.to_move, state.legal_actions(), state.returns(), state.hash(), seen)


def random_state(game: sf.Game, rng: random.Random, plies: int) -> sf.State:
    state = game.new(rng.getrandbits(60))
    while len(state.history) < plies and not state.is_over:
        state.play(rng.choice(state.legal_actions()))
    return state


BAD_ACTIONS = [
    -1,
    -(10**30),
    7,
    65535,
    65536,
    2**31,
    2**32,
    2**63,
    2**64,
    10**30,
    10**5000,
    3.0,
    float("nan"),
    "3",
    "d",
    "",
    "é" * 100,
    "a" + "é" * 100,
    "line\nbreak",
    None,
    [],
    [3],
    {},
    (3,),
    b"3",
    1j,
    object(),
    np.zeros((3, 3)),
    np.float64(3),
]


@pytest.mark.parametrize("action", BAD_ACTIONS, ids=lambda value: type(value).__name__)
def test_an_illegal_action_is_refused_and_changes_nothing(action: object) -> None:
    for game in (FOUR, sf.game("connect_four", rows=12, cols=7)):
        state = game.replay([3, 3, 4])
        before = fingerprint(state)
        for method in (state.play, state.action_text, partial(state.symmetric_action, 1)):
            with refused():
                method(action)
            assert fingerprint(state) == before


@pytest.mark.parametrize("action", [3, True, np.int64(3), np.uint8(3), np.array(3)])
def test_whole_numbers_of_any_kind_are_actions(action: Any) -> None:
    state = FOUR.new()
    state.play(action)
    assert state.history == [int(action)]
    assert type(state.history[0]) is int


def test_a_full_column_is_illegal() -> None:
    state = FOUR.replay([0, 0, 0, 0, 0, 0])
    before = fingerprint(state)
    with refused(match=r"action 0 is not legal here in connect_four; legal are 1 \(b\), 2 \(c\)"):
        state.play(0)
    assert fingerprint(state) == before


@pytest.mark.parametrize("game", [FOUR, TIC, KUHN], ids=lambda game: game.name)
def test_nothing_can_be_played_after_the_end(game: sf.Game) -> None:
    state = random_state(game, random.Random(1), 1000)
    assert state.is_over
    assert state.to_move == sf.TERMINAL
    assert state.legal_actions() == []
    assert not state.legal_mask().any()
    before = fingerprint(state)
    for action in range(game.actions):
        with refused(match="is over: no action can be played"):
            state.play(action)
        with refused(match="is over"):
            state.parse_action(str(action))
    with refused(match="not chance's turn"):
        state.play_chance()
    assert fingerprint(state) == before


def test_history_holds_every_action_and_is_a_copy() -> None:
    state = FOUR.new()
    for action in (3, 2, 3):
        state.play(action)
    assert state.history == [3, 2, 3]
    state.history.append(9)
    assert state.history == [3, 2, 3]
    assert repr(state) == "<State of connect_four at ply 3>"


@pytest.mark.parametrize("copied", [lambda s: s.copy(), copy.copy, copy.deepcopy], ids=["copy()", "copy", "deepcopy"])
@pytest.mark.parametrize("game", [FOUR, TIC, KUHN, sf.game("connect_four", rows=12, cols=12)], ids=str)
def test_a_copy_goes_its_own_way(game: sf.Game, copied: Any) -> None:
    rng = random.Random(3)
    for plies in range(4):
        state = random_state(game, rng, plies)
        before, twin = fingerprint(state), copied(state)
        assert fingerprint(twin) == before
        assert (twin.seed, twin.game) == (state.seed, state.game)
        twin.play(twin.legal_actions()[0])
        assert fingerprint(state) == before
        assert twin.history != state.history


def test_a_copy_inside_a_structure_is_deep_copied() -> None:
    state = FOUR.new()
    twins = copy.deepcopy({"a": [state, state]})
    twins["a"][0].play(3)
    assert state.history == []


def test_the_legal_mask_marks_the_legal_actions() -> None:
    rng = random.Random(4)
    for game in (FOUR, TIC, KUHN):
        for plies in range(6):
            state = random_state(game, rng, plies)
            mask = state.legal_mask()
            size = game.outcomes if state.to_move == sf.CHANCE else game.actions
            assert (mask.dtype, mask.shape) == (np.uint8, (size,))
            assert np.flatnonzero(mask).tolist() == sorted(state.legal_actions())


def test_a_state_outlives_its_game_object() -> None:
    for name, options in (("connect_four", {"rows": 9, "blocked": (8, 3)}), ("tic_tac_toe", {})):
        states = [sf.game(name, **options).new() for _ in range(50)]
        gc.collect()
        rng = random.Random(5)
        for state in states:
            while not state.is_over:
                state.play(rng.choice(state.legal_actions()))
            assert state.game.name == name
            assert state.observe(0).planes.shape == state.game.planes
    state = sf.game(Dice, rolls=3).new(1)
    gc.collect()
    assert [state.play_chance() for _ in range(3)] == state.history


def test_an_observation_outlives_its_state_and_is_no_window_into_it() -> None:
    state = FOUR.replay([3])
    planes = state.observe(0).planes
    planes[:] = 7
    assert state.observe(0).planes.sum() == 1
    del state
    gc.collect()
    assert (planes == 7).all()


def test_an_observation_is_the_viewer_s() -> None:
    state = FOUR.replay([3, 2])
    for viewer in (0, 1):
        mine, other, blocked = state.observe(viewer).planes
        assert (mine[5, 3], other[5, 2]) == ((1, 1) if viewer == 0 else (0, 0))
        assert (mine[5, 2], other[5, 3]) == ((0, 0) if viewer == 0 else (1, 1))
        assert not blocked.any()
    assert state.observe().planes.tobytes() == state.observe(0).planes.tobytes()
    state.play(0)
    assert state.observe().planes.tobytes() == state.observe(1).planes.tobytes()
    observation = state.observe(0)
    assert (observation.planes.dtype, observation.features.dtype) == (np.float32, np.float32)
    assert observation.features.shape == (0,)
    assert random_state(TIC, random.Random(6), 9).observe().planes.shape == (2, 3, 3)  # after the end: player 0


@pytest.mark.parametrize("viewer", [-1, 2, 8, 2**31, 10**12])
def test_a_viewer_must_be_a_player(viewer: int) -> None:
    for method in (FOUR.new().observe, FOUR.new().view, lambda viewer: KUHN.new().redeal(viewer, 1)):
        with refused(match="viewer must be a player from 0 to 1"):
            method(viewer)


def test_what_a_game_does_not_offer_is_refused_by_name() -> None:
    state = TIC.new()
    for method, ability in (
        (lambda: state.redeal(0, 1), "redeal"),
        (sf.game(Dice).new().heuristic, "heuristic"),
        (lambda: state.terms(0), "terms"),
        (lambda: state.commutes(0, 1), "commutes"),
        (state.quiet, "quiet"),
        (state.order, "order"),
        (lambda: state.independent(0), "independent"),
        (state.handicap, "handicap"),
        (sf.game(Dice).new().observe, "observe"),
    ):
        with refused(match=f"does not offer the ability '{ability}'"):
            method()
    assert state.chance() == []
    assert sf.game(Dice).new().symmetries == 1


def test_a_redealt_world_keeps_what_the_viewer_sees_and_deals_the_rest_fairly() -> None:
    state = KUHN.replay([2, 0, 1], seed=3)  # K, J, a bet
    dealt = Counter()
    for seed in range(2000):
        world = state.redeal(0, seed)
        assert world.observe(0).features.tolist() == state.observe(0).features.tolist()
        assert world.view(0) == state.view(0)
        assert world.to_move == state.to_move
        assert world.legal_actions() == state.legal_actions()
        dealt[tuple(world.rules.cards)] += 1
    assert set(dealt) == {(2, 0), (2, 1)}
    assert abs(dealt[2, 0] - 1000) < 4.5 * 2000**0.5 / 2
    assert state.redeal(0, 7).hash() == state.redeal(0, 7).hash()
    assert state.history == [2, 0, 1]
    assert state.replayable


def test_a_redealt_or_mirrored_world_can_be_played_but_has_no_history() -> None:
    for world in (KUHN.replay([2, 0]).redeal(0, 1), FOUR.replay([0, 1]).symmetric(1)):
        assert not world.replayable
        assert world.history == []
        assert world.start is None
        world.play(world.legal_actions()[0])
        assert len(world.history) == 1
        with refused(match="cannot be recorded"):
            sf.Record.of(world)
    mirrored = FOUR.replay([0, 1]).symmetric(1)
    assert FOUR.parse(json.dumps(mirrored.to_json())).hash() == mirrored.hash()
    with refused(match="no moves from the start lead to this one"):
        KUHN.replay([2, 0]).redeal(0, 1).to_text()


def test_symmetry_zero_is_the_position_itself_with_its_history() -> None:
    state = FOUR.replay([0, 1])
    image = state.symmetric(0)
    assert fingerprint(image) == fingerprint(state)
    assert image.replayable
    for symmetry in (-1, 2, 10**12):
        with refused(match="symmetry must be from 0 to 1"):
            state.symmetric(symmetry)
        with refused(match="symmetry must be from 0 to 1"):
            state.symmetric_action(symmetry, 0)


@pytest.mark.parametrize("game", [FOUR, TIC, sf.game("connect_four", rows=9, cols=9, blocked=(3, 4))], ids=str)
def test_symmetries_commute_with_play_and_form_a_group(game: sf.Game) -> None:
    rng = random.Random(7)
    for plies in range(8):
        state = random_state(game, rng, plies)
        images = {state.symmetric(s).to_text() for s in range(state.symmetries)}
        for s in range(state.symmetries):
            image = state.symmetric(s)
            assert {image.symmetric(t).to_text() for t in range(state.symmetries)} == images
            for action in state.legal_actions():
                after, other = state.copy(), image.copy()
                after.play(action)
                other.play(state.symmetric_action(s, action))
                assert after.symmetric(s).to_text() == other.to_text()
                assert after.symmetric(s).hash() == other.hash()


def test_transpositions_hash_equal_and_positions_apart() -> None:
    """Over random games: the hash is a function of the position and tells all of them apart."""
    rng, by_text = random.Random(8), {}
    for game in (FOUR, sf.game("connect_four", rows=4, cols=4), sf.game("connect_four", rows=12, cols=11)):
        by_text.clear()
        met_again = 0
        for _ in range(1500):
            state = game.new()
            while not state.is_over and len(state.history) < 8:
                state.play(rng.choice(state.legal_actions()))
                text = state.to_text()
                met_again += text in by_text
                assert by_text.setdefault(text, state.hash()) == state.hash()
        assert met_again > 1000
        assert len(set(by_text.values())) == len(by_text)


def test_the_json_of_a_position_reads_back_with_history_and_seed() -> None:
    for game in (FOUR, TIC, KUHN, sf.game("connect_four", blocked=(0, 0)), sf.game(Dice)):
        for plies in range(4):
            state = random_state(game, random.Random(plies), plies)
            data = json.loads(json.dumps(state.to_json()))
            again = game.parse(json.dumps(data))
            assert fingerprint(again) == fingerprint(state)
            assert again.seed == state.seed
            assert data["legal_actions"] == state.legal_actions()
            assert data["to_move"] == state.to_move
            assert data["returns"] == state.returns()
            assert (data["game"], data["version"]) == (game.name, game.version)


def test_a_parsed_position_remembers_what_it_started_from() -> None:
    state = FOUR.parse("7/7/7/7/7/3x3 o")
    state.play(3)
    assert (state.start, state.history) == ("7/7/7/7/7/3x3 o", [3])
    again = FOUR.parse(json.dumps(state.to_json()))
    assert (again.start, again.history, again.hash()) == (state.start, [3], state.hash())


def test_moves_are_a_text_of_any_position() -> None:
    assert FOUR.parse("moves: d d e").history == [3, 3, 4]
    assert FOUR.parse("moves:d,d;e").history == [3, 3, 4]
    assert FOUR.parse("moves: #3 #3 5").history == [3, 3, 4]
    assert FOUR.parse("moves:").history == []
    assert KUHN.parse("moves: K J bet").history == [2, 0, 1]
    assert KUHN.replay([2, 0, 1]).to_text() == "moves: K J bet"
    for text in ("moves: z", "moves: d #9", "moves: #99999999999999", "moves: d d d d d d d", "moves: #", "moves: -"):
        with refused():
            FOUR.parse(text)


@pytest.mark.parametrize("space", ["　", "\u2003", "\x0b", "\x0c", "\x1c", "\x85"])
def test_a_move_with_any_kind_of_space_in_its_name_still_reads_back(space: str) -> None:
    class Named(Dice):
        def action_text(self, action: int) -> str:
            return f"左{space}{action}"

    state = sf.game(Named).replay([1, 2])
    assert sf.game(Named).parse(state.to_text()).history == [1, 2]


def test_capitals_count_only_where_they_tell_two_actions_apart() -> None:
    class Letters(Dice):
        outcomes = 6

        def action_text(self, action: int) -> str:
            return "Bb"[action] if self.left == 0 else "abCdef"[action]

    state = sf.game(Letters, rolls=1).new()
    assert state.parse_action("c") == state.parse_action(" C ") == 2
    state.play(0)
    assert [state.parse_action("B"), state.parse_action("b")] == [0, 1]
    state = sf.game(Letters, rolls=1).replay([0])
    with refused(match="could mean several actions"):
        state.parse_action(" B")


def test_a_game_s_own_parser_is_given_the_text_as_typed() -> None:
    class Chessy(Dice):
        def action_text(self, action: int) -> str:
            return "Bb"[action] if self.left == 0 else str(action)

        def parse_action(self, text: str) -> int | None:
            return {"B": 0, "b": 1}.get(text)

    state = sf.game(Chessy, rolls=0).new()
    assert [state.parse_action("B"), state.parse_action("b")] == [0, 1]


def test_chance_is_drawn_from_the_seed_and_the_ply_alone() -> None:
    game = sf.game(Dice, rolls=40)
    state, again, other = game.new(11), game.new(11), game.new(12)
    rolls = [state.play_chance() for _ in range(40)]
    assert rolls == state.history
    assert rolls == [again.play_chance() for _ in range(40)]
    assert rolls != [other.play_chance() for _ in range(40)]
    middle = game.replay(rolls[:20], seed=11)
    assert [middle.copy().play_chance() for _ in range(5)] == [rolls[20]] * 5
    assert middle.copy().seed == 11
    assert len(set(rolls)) > 2


def chi_square(counts: Counter[Any], expected: dict[Any, float]) -> float:
    total = sum(counts.values())
    assert set(counts) <= set(expected)
    return sum((counts[key] - total * p) ** 2 / (total * p) for key, p in expected.items())


def test_chance_keeps_its_probabilities_and_plies_are_independent() -> None:
    game, pairs = sf.game(Dice), Counter()
    for seed in range(20_000):
        state = game.new(seed)
        pairs[state.play_chance(), state.play_chance()] += 1
    die = dict(Dice().chance())
    expected = {(a, b): die[a] * die[b] for a in die for b in die}
    assert chi_square(pairs, expected) < 81  # 35 degrees of freedom: exceeded once in 50 000
    assert chi_square(Counter(seed for seed, _ in pairs.elements()), die) < 29.9  # 5 degrees, once in 66 000


def exact_results(state: sf.State) -> dict[float, float]:
    """The distribution of player 0's return under uniform random play, by looking at every game."""

    @cache
    def results(text: str) -> tuple[tuple[float, float], ...]:
        here = state.game.parse(text)
        if here.is_over:
            return ((here.returns()[0], 1.0),)
        out: Counter[float] = Counter()
        legal = here.legal_actions()
        for action in legal:
            child = here.copy()
            child.play(action)
            for value, p in results(child.to_text()):
                out[value] += p / len(legal)
        return tuple(out.items())

    return dict(results(state.to_text()))


def late_state(game: sf.Game, rng: random.Random, plies: int) -> sf.State:
    """A position after so many plies, of a game in which nobody wanted to win."""
    while True:
        state = game.new()
        while len(state.history) < plies:
            children = [state.copy() for _ in state.legal_actions()]
            for child, action in zip(children, state.legal_actions(), strict=True):
                child.play(action)
            going_on = [child for child in children if not child.is_over]
            if not going_on:
                break
            state = rng.choice(going_on)
        else:
            return state


@pytest.mark.parametrize(
    "game",
    [
        TIC,
        sf.game("connect_four", rows=4, cols=4, connect=3),
        sf.game("connect_four", rows=4, cols=5, connect=3, blocked=(2, 1)),
        sf.game("connect_four", rows=9, cols=8, connect=5),
        sf.game("connect_four", rows=12, cols=12, connect=6),
    ],
    ids=str,
)
def test_random_playouts_choose_every_action_with_equal_chance(game: sf.Game) -> None:
    """Wins, draws and losses of many playouts against their exact probabilities: a biased choice would shift them."""
    rng, statistic, degrees = random.Random(9), 0.0, 0
    for _ in range(24):
        state = late_state(game, rng, game.max_plies - 7)
        exact = exact_results(state)
        if len(exact) == 1:
            continue
        counts = Counter(state.playouts(1, seed)[0] for seed in range(4000))
        statistic += chi_square(counts, exact)
        degrees += len(exact) - 1
    assert degrees >= 5
    assert statistic < degrees + 4.5 * (2 * degrees) ** 0.5 + 6


def test_random_playouts_from_the_start_of_tic_tac_toe_have_the_exact_mean() -> None:
    exact = exact_results(TIC.new())
    assert exact[1.0] == pytest.approx(0.5849, abs=1e-4)
    mean = sum(value * p for value, p in exact.items())
    variance = sum(value**2 * p for value, p in exact.items()) - mean**2
    games = 200_000
    assert abs(TIC.new().playouts(games, 1)[0] - mean) < 4.5 * (variance / games) ** 0.5


def test_playouts_are_the_same_for_the_same_seed_and_leave_the_state_alone() -> None:
    for game in (FOUR, TIC, KUHN, sf.game(Dice)):
        state = game.new(5)
        before = state.history, str(state), state.hash()
        assert state.playouts(50, 3) == state.playouts(50, 3)
        assert len({tuple(state.playouts(50, seed)) for seed in range(20)}) > 1
        assert (state.history, str(state), state.hash()) == before
    assert FOUR.replay([0, 1, 0, 1, 0, 1, 0]).playouts(3) == [1.0, -1.0]
    for games in (0, -1):
        with refused(match="games must be 1 or more"):
            FOUR.new().playouts(games)


@pytest.mark.parametrize("games", [2**31, 10**12])
def test_a_number_of_playouts_that_is_too_large_is_refused(games: int) -> None:
    with refused(match="games"):
        FOUR.replay([0, 1, 0, 1, 0, 1, 0]).playouts(games)


def test_ctrl_c_stops_a_long_row_of_playouts() -> None:
    script = """
import signal
import sevenfold as sf
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    sf.game("connect_four").new().playouts(1_000_000_000)
except KeyboardInterrupt:
    raise SystemExit(7)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            assert process.wait(3) == 7
        finally:
            process.kill()


def test_playouts_in_several_threads_agree_with_one() -> None:
    state, answers = FOUR.replay([3]), []
    expected = state.playouts(3000, 1)
    threads = [threading.Thread(target=lambda: answers.append(state.playouts(3000, 1))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 6


def test_the_text_of_a_wrong_kind_is_refused_by_a_sentence() -> None:
    for game in (FOUR, TIC, KUHN):
        for text in ("\ud800", "x\ud800", "moves: \ud800", '{"game": "\ud800"}'):
            with refused():
                game.parse(text)
            with refused():
                game.new().parse_action(text)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "tic_tac_toe"},
        {"game": None},
        {"version": 2},
        {"version": "1"},
        {"options": {}},
        {"options": {"rows": 6}},
        {"options": None},
        {"options": {"x": "y" * 10_000}},
        {"game": "y" * 10_000},
        {"history": None},
        {"history": "333"},
        {"history": [7]},
        {"history": [-1]},
        {"history": ["d"]},
        {"history": [None]},
        {"history": [[3]]},
        {"history": [3.0]},
        {"history": [10**30]},
        {"history": [3] * 7},
        {"history": [0, 1, 0, 1, 0, 1, 0, 1]},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": "1"},
        {"seed": None},
        {"seed": 1.5},
        {"seed": -1, "start": "7/7/7/7/7/7 x"},
        {"seed": 2**64, "start": "7/7/7/7/7/7 x"},
        {"start": 3},
        {"start": "nonsense"},
        {"start": "\ud800"},
        {"start": "moves: d"},
        {"start": '{"game": "connect_four"}'},
    ],
    ids=lambda change: str(change)[:50],
)
def test_json_that_is_no_position_is_refused_by_a_sentence(change: dict[str, Any]) -> None:
    with refused():
        FOUR.parse(json.dumps({**FOUR.replay([3]).to_json(), **change}))


@pytest.mark.parametrize(
    "text", ["{", "{}", "{]", '{"game"}', "{" * 5000, '{"a":' * 100_000, '{"seed": 1' + "0" * 5000]
)
def test_text_that_is_no_json_is_refused_by_a_sentence(text: str) -> None:
    for game in (FOUR, KUHN):
        with refused():
            game.parse(text)


def test_a_game_without_a_text_of_its_own_reads_no_start() -> None:
    """There is no parser to give it to: this must be a sentence and not a crash."""
    data = {"game": KUHN.name, "version": 1, "history": [], "start": "whatever"}
    with refused():
        KUHN.parse(json.dumps(data))
    with refused():
        KUHN.replay([], 0, "whatever")
    with refused():
        KUHN.parse("whatever")


def test_the_facts_and_names_are_the_documented_ones() -> None:
    assert set(sf.__all__) <= set(dir(sf))
    assert (sf.CHANCE, sf.TERMINAL) == (-1, -2)
    assert sf.game_names() == sorted(sf.game_names())
    assert {"connect_four", "tic_tac_toe"} <= set(sf.game_names())
