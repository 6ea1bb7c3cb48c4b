"""Reviews: marks and scores against brute force and the perfect solver, what is refused, files, screens, pictures."""

import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
import types
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import ranking
from sevenfold import review as review_of
from sevenfold.advisers import adviser
from sevenfold.game import heading_of
from sevenfold.judgement import Judgement, MoveReview, judge
from sevenfold.players import ActionView, Player
from sevenfold.review import Review

TIC_TAC_TOE = sf.game("tic_tac_toe")
DRAWN = "a1 b2 a2 a3 c1 b1 b3 c3 c2"
LOST = "a1 b2 a2 a3 c3 c1"


def played(text: str, game: sf.Game = TIC_TAC_TOE) -> sf.State:
    return game.parse(f"moves: {text}")


def written(path: Path, *games: str) -> str:
    sf.write_records(path, [sf.Record.of(played(text), ["Ann", "Bob"]) for text in games])
    return str(path)


# The definitions, on bare numbers: (values, played, tolerance) and what comes out.
CASES: dict[str, tuple[list[float], int, float, Judgement]] = {
    "the best of three": ([0.5, 0.45, -1], 0, 0.1, Judgement("good", 1, 10, False, False)),
    "good within the tolerance": ([0.5, 0.45, -1], 1, 0.1, Judgement("good", 2, 5, False, False)),
    "the only blunder": ([0.5, 0.45, -1], 2, 0.1, Judgement("blunder", 3, -10, False, True)),
    "the only good move": ([1, 0.2, 0], 0, 0.1, Judgement("good", 1, 20, True, False)),
    "slack": ([1, 0.2, 0], 1, 0.1, Judgement("slack", 2, 5, False, False)),
    "slack at exactly 0": ([1, 0.2, 0], 2, 0.1, Judgement("slack", 3, 0, False, False)),
    "one of two blunders": ([1, -0.2, -0.3], 1, 0.1, Judgement("blunder", 2, 5, False, False)),
    "only good and only blunder": ([0.1, -0.3], 1, 0.1, Judgement("blunder", 2, -10, False, True)),
    "all equal": ([0, 0, 0, 0], 2, 0, Judgement("good", 2.5, 5, False, False)),
    "two of four equal": ([1, 0, 0, -1], 1, 0.1, Judgement("slack", 2.5, 5, False, False)),
    "all lost alike": ([-1, -1], 0, 0.1, Judgement("good", 1.5, 5, False, False)),
    "forced": ([-1], 0, 0.1, Judgement("good", 1, 10, False, False)),
    "the edge of the tolerance": ([0.3, 0.2], 1, 0.1, Judgement("good", 2, 0, False, False)),
    "just beyond it": ([0.3, 0.19], 1, 0.1, Judgement("slack", 2, 0, False, False)),
    "beyond it below 0": ([-0.3, -0.5], 1, 0.1, Judgement("blunder", 2, -10, False, True)),
    "a tolerance of 0": ([0.3, 0.29], 1, 0, Judgement("slack", 2, 0, False, False)),
    "a tolerance of everything": ([1, -1], 1, 2, Judgement("good", 2, 0, False, False)),
}


@pytest.mark.parametrize("case", CASES)
def test_the_definitions(case: str) -> None:
    values, at, tolerance, expected = CASES[case]
    assert judge(values, at, tolerance) == expected


def test_the_scores_of_a_position_are_spread_evenly_from_10_to_0() -> None:
    values = [0.9, 0.85, 0.5, 0.4, 0.3]  # two good ones, no blunder: nothing extra
    assert [judge(values, at, 0.1).score for at in range(5)] == [10, 7.5, 5, 2.5, 0]


@cache
def minimax(text: str) -> float:
    """The value of a position of tic-tac-toe for the side to move, by looking at everything."""
    state = TIC_TAC_TOE.parse(text)
    if state.is_over:
        return state.returns()[int(text[-1] == "o")]
    return max(after(state, action) for action in state.legal_actions())


def after(state: sf.State, action: int) -> float:
    child = state.copy()
    child.play(action)
    if child.is_over:
        return child.returns()[state.to_move]
    return -minimax(child.to_text())


@pytest.mark.parametrize("game", [DRAWN, LOST, "b2 a1 c3 a3 a2 c2 b1 b3", "b2 b1 a1 c3 a3 a2 c1"])
def test_a_whole_game_is_judged_as_brute_force_would(game: str) -> None:
    state = played(game)
    found = sf.review(state, "uct:simulations=40000,seed=3", tolerance=0.05)
    assert [move.action for move in found.moves] == state.history
    scores = []
    for move, before in zip(found.moves, sf.Record.of(state).states(), strict=False):
        legal = before.legal_actions()
        exact = judge([after(before, action) for action in legal], legal.index(move.action), 0.05)
        assert move.legal == len(legal)
        assert move.player == before.to_move
        assert move.text == before.action_text(move.action)
        if move.ply == 0:  # the first position is not proven; its value is known well enough for its mark
            assert abs(move.best_value) < 0.3
        else:
            assert move.proven
            assert (move.mark, move.score, move.rank) == (exact.mark, exact.score, exact.rank)
            assert (move.only_good, move.only_blunder) == (exact.only_good, exact.only_blunder)
            assert move.value == after(before, move.action)
            assert move.best_value == max(after(before, action) for action in legal)
            assert after(before, move.best_action) == move.best_value
            assert move.values[before.to_move] == move.best_value == -move.values[1 - before.to_move]
            assert move.line[0] == move.best_action
            assert move.line_texts[0] == move.best_text == before.action_text(move.best_action)
        scores.append(move.score)
    assert found.excitement == pytest.approx(sum(scores) / len(scores))
    assert found.complete
    assert found.result == (state.returns() if state.is_over else None)


@pytest.mark.parametrize("text", ["d c c d d d e c f e", "a b a b a c f a", "c d c d d e e f f c b b a"])
def test_connect_four_is_judged_as_the_perfect_solver_would(text: str) -> None:
    game = sf.game("connect_four", rows=5, cols=6)
    state, solver = played(text, game), sf.player("perfect", game)
    found = sf.review(state, "perfect")
    assert len(found.moves) == len(state.history)
    for move, before in zip(found.moves, sf.Record.of(state).states(), strict=False):
        legal = before.legal_actions()
        scores = {action: solver.think(before).actions[legal.index(action)].score for action in legal}
        values = [(scores[action] > 0) - (scores[action] < 0) for action in legal]
        exact = judge(values, legal.index(move.action), 0.1)
        assert (move.mark, move.score, move.rank, move.proven) == (exact.mark, exact.score, exact.rank, True)
        assert move.value == values[legal.index(move.action)]
        assert scores[move.best_action] == max(scores.values())  # the soonest win, the latest loss
    assert len({move.mark for move in found.moves}) > 1


# Players that say what the test wants: a value for each player in every position.
class Oracle(sf.Player):
    """Knows the values of the positions by what was played."""

    name = "oracle"
    table: dict[tuple[int, ...], list[float]]

    def think(self, state: sf.State) -> sf.SearchResult:
        values = self.table[tuple(state.history)]
        return sf.SearchResult(self._legal(state)[0], [], list(values), nodes=10)


class Race(sf.Rules):
    """Three players in turn take 0, 1 or 2 points of a pot of 5; at the end each has what it took."""

    players, actions, max_plies = 3, 3, 3
    min_return, max_return, sum = 0, 2, "any"

    def __init__(self) -> None:
        self.taken: list[int] = []

    def to_move(self) -> int:
        return len(self.taken) if len(self.taken) < 3 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1, 2] if len(self.taken) < 2 else [max(0, 2 - self.taken[0])]

    def play(self, action: int) -> None:
        self.taken.append(action)

    def returns(self) -> list[float]:
        return [float(value) for value in [*self.taken, 0, 0, 0][:3]]


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> sf.Game:
    """Registered, and forgotten again afterwards."""
    monkeypatch.setattr(sys.modules["sevenfold.game"], "_registered", {})
    sf.register(Race)
    return sf.game("race")


def test_three_players_have_their_own_values_and_the_middle_is_that_of_the_range(race: sf.Game) -> None:
    found = sf.review(race.replay([1, 0, 1]), "uct:simulations=3000")
    first, second, third = found.moves
    assert [move.player for move in found.moves] == [0, 1, 2]
    # Returns from 0 to 2: the middle is 1. Taking 1 of 2 is at the middle, taking 0 is below it.
    assert (first.value, first.best_value, first.mark, first.rank) == (1, 2, "slack", 2)
    assert (second.value, second.best_value, second.mark, second.score) == (0, 2, "blunder", -10)
    assert second.only_blunder
    assert (third.legal, third.forced, third.score, third.value) == (1, True, 10, 1)
    assert first.values[0] == 2
    assert second.values == pytest.approx([1, 2, 1])
    assert [found.of_player(player).score for player in range(3)] == [5, -10, 10]
    assert found.excitement == pytest.approx(5 / 3)


def test_forced_moves_count_unless_told_otherwise(race: sf.Game) -> None:
    found = sf.review(race.replay([1, 0, 1]), "uct:simulations=3000", skip_forced=True)
    assert len(found.moves) == 3
    assert found.excitement == (5 - 10) / 2
    assert (found.of_player(2).moves, found.of_player(2).score, found.of_player(2).best_share) == (0, None, None)
    alone = sf.review(race.replay([1, 0, 1]), "uct:simulations=3000")
    alone.moves, alone.skip_forced = alone.moves[2:], True
    assert alone.excitement is None


def test_the_tolerance_is_a_share_of_half_the_range() -> None:
    class Wide(Race):
        name, min_return, max_return, sum = "wide", -30, 50, "any"

    game = sf.game(Wide)
    oracle = Oracle(game)
    others = [0.0, 0.0]
    # The middle is 10 and half the range 40: 0.25 are 10 points.
    oracle.table = {(): [40, *others], (0,): [30, *others], (1,): [40, *others], (2,): [29.9, *others]}
    marks = [sf.review(game.replay([a]), oracle, tolerance=0.25, game=game).moves[0].mark for a in range(3)]
    assert marks == ["good", "good", "slack"]
    oracle.table |= {(2,): [9.9, *others], (0,): [10, *others]}
    marks = [sf.review(game.replay([a]), oracle, tolerance=0.25, game=game).moves[0].mark for a in range(3)]
    assert marks == ["slack", "good", "blunder"]


class Dice(sf.Rules):
    """Take 1 for sure, or roll a die of so many sides and win with the highest number only."""

    players, actions, max_plies, outcomes = 1, 2, 2, 64
    min_return, max_return, sum = 0, 64, "any"
    sides = 4

    def __init__(self) -> None:
        self.stage, self.won = "choose", 0

    def to_move(self) -> int:
        return {"choose": 0, "roll": sf.CHANCE}.get(self.stage, sf.TERMINAL)

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def chance(self) -> list[tuple[int, float]]:
        return [(side, 1 / self.sides) for side in range(self.sides)]

    def play(self, action: int) -> None:
        if self.stage == "choose":
            self.stage, self.won = ("roll", 0) if action else ("over", 1)
        else:
            self.stage, self.won = "over", (self.sides if action == self.sides - 1 else 0)

    def returns(self) -> list[float]:
        return [float(self.won)]


def test_chance_after_a_move_is_a_mean_and_is_not_reviewed_itself() -> None:
    game = sf.game(Dice)
    found = sf.review(game.replay([1, 3]), "uct:simulations=50,solver=false,decisive=false", game=game)
    (move,) = found.moves
    assert (move.ply, move.action, len(found.actions)) == (0, 1, 2)
    assert move.value == move.best_value == 1.0  # a quarter of 4, exactly
    assert (move.rank, move.score, move.mark) == (1.5, 5, "good")
    assert move.proven
    assert found.result == [4.0]


def test_many_outcomes_of_chance_are_sampled() -> None:
    class Many(Dice):
        name, sides = "many", 64

    game = sf.game(Many)
    oracle = Oracle(game)
    oracle.table = {(): [1.0]}
    views = {view.action: view for view in ranking.rank(oracle, game.new())}
    assert views[0].proven
    assert views[0].value == 1
    assert not views[1].proven
    assert views[1].value in [64 * k / ranking.WORLDS for k in range(6)]
    assert ranking.rank(oracle, game.new()) == ranking.rank(oracle, game.new())


KUHN = Path(__file__).parent.parent / "examples" / "kuhn_poker.py"


def test_hidden_information_is_judged_by_what_the_mover_knows() -> None:
    """With the king a bet cannot lose and with the jack calling can only lose, whatever the other card; but with the
    queen to call is a guess, whose value must not depend on the card that the record tells."""
    game = sf.game(str(KUHN))
    spec = "uct:simulations=4000,worlds=redeal,selection=ucb1"
    jack_calls = sf.review(game.replay([2, 0, 1, 1]), spec, game=game).moves[1]
    assert (jack_calls.player, jack_calls.mark, jack_calls.value) == (1, "blunder", pytest.approx(-2, abs=0.05))
    queen = [sf.review(game.replay([card, 1, 1, 1]), spec, game=game).moves[1] for card in (0, 2)]
    assert queen[0].value == queen[1].value
    assert queen[0].values == queen[1].values
    assert abs(queen[0].value) < 1.5  # neither certainly won nor certainly lost


def test_a_search_that_was_too_short_says_so() -> None:
    game = sf.game(str(KUHN))
    with pytest.raises(ValueError, match=r"uct has not tried 1 of 2 actions of a position: let it think longer\."):
        sf.review(game.replay([2, 0, 1]), "uct:simulations=1,worlds=redeal,selection=ucb1", game=game)


def test_the_limits_hold_for_a_whole_move() -> None:
    calls: list[int] = []

    class Counting(Oracle):
        name = "counting"
        simulations = 900

        def think(self, state: sf.State) -> sf.SearchResult:
            calls.append(self.simulations)
            return sf.SearchResult(self._legal(state)[0], [], [0.0, 0.0], nodes=self.simulations)

    player = Counting(TIC_TAC_TOE)
    views = player.rank(TIC_TAC_TOE.new())
    assert len(views) == 9
    assert calls == [90] * 10  # the position and its nine actions
    assert player.simulations == 900


def test_what_is_proven_is_not_thought_about_again() -> None:
    seen: list[int] = []

    class Sure(Oracle):
        name = "sure"

        def think(self, state: sf.State) -> sf.SearchResult:
            seen.append(len(state.history))
            views = [ActionView(action, value=action / 10, proven=action != 5) for action in state.legal_actions()]
            return sf.SearchResult(0, [], [0.0, 0.0], actions=views, nodes=2)

    views = Sure(TIC_TAC_TOE).rank(TIC_TAC_TOE.new())
    assert seen == [0, 1]
    assert [view.action for view in views] == [8, 7, 6, 4, 3, 2, 1, 0, 5]  # 5 is worth 0 by what comes after it


def test_the_same_seed_gives_the_same_review_and_a_resumed_one_too() -> None:
    whole = sf.review(played(LOST), "uct:simulations=300")
    assert sf.review(played(LOST), "uct:simulations=300") == whole
    part = Review.from_json(json.loads(json.dumps(whole.to_json())))
    assert part == whole
    part.moves = part.moves[:2]
    seen: list[int] = []
    again = sf.review(played(LOST), "uct:simulations=300", earlier=part, progress=lambda r: seen.append(len(r.moves)))
    assert again == whole
    assert seen == [2, 3, 4, 5, 6]
    assert len(part.moves) == 2


def test_a_room_may_add_to_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    room = TIC_TAC_TOE.room
    assert isinstance(room, types.ModuleType)
    plain = sf.review(played(LOST), "uct:simulations=300")
    given: list[tuple[list[int], int]] = []

    def bonus(state: sf.State, action: int) -> float:
        given.append((state.history, action))
        state.play(action)  # a room's slip must not change the game
        return 10 if action == 4 else 0.5

    monkeypatch.setattr(room, "review_bonus", bonus, raising=False)
    found = sf.review(played(LOST), "uct:simulations=300")
    history = played(LOST).history
    assert given == [(history[:ply], history[ply]) for ply in range(6)]
    assert [move.bonus for move in found.moves] == [10 if action == 4 else 0.5 for action in history]
    assert [move.score for move in found.moves] == [
        move.score + more.bonus for move, more in zip(plain.moves, found.moves, strict=True)
    ]
    for wrong in (math.nan, math.inf, "10", None, True):
        monkeypatch.setattr(room, "review_bonus", lambda state, action, wrong=wrong: wrong, raising=False)
        with pytest.raises(ValueError, match=r"^review_bonus of tic_tac_toe must give a finite number, not .*\.$"):
            sf.review(played(LOST), "uct:simulations=100")


def other_version() -> sf.Record:
    record = sf.Record.of(played(LOST))
    record.version = 99
    return record


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (lambda: (played(LOST), "random"), "random has no opinion on positions: review with a player"),
        (lambda: (played(LOST), "nobody"), "there is no player 'nobody'"),
        (lambda: (played(LOST), "uct", math.nan), "tolerance must be from 0 to 2"),
        (lambda: (played(LOST), "uct", -0.1), "tolerance must be from 0 to 2"),
        (lambda: (played(LOST), "uct", "0.1"), "tolerance must be from 0 to 2"),
        (lambda: (played(LOST), "uct", True), "tolerance must be from 0 to 2"),
        (lambda: (TIC_TAC_TOE.new(),), "this record holds no move of a player to review."),
        (lambda: (sf.game(Dice).replay([]), "uct", 0.1, sf.game(Dice)), "this record holds no move of a player"),
        (lambda: (other_version(),), "this is a record of 'tic_tac_toe' v99"),
        (lambda: ("games.jsonl",), "a review is of a record or a state, not 'games.jsonl'."),
        (lambda: (played(LOST), "uct", 0.1, sf.game("connect_four")), "the rules at hand are connect_four"),
    ],
)  # fmt: skip
def test_what_cannot_be_reviewed_is_a_sentence(arguments: Any, words: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the words are compared below, as they are
        sf.review(*arguments())
    assert words in str(error.value)
    assert str(error.value).endswith(".")


def test_an_earlier_review_must_be_of_the_same_game_player_and_tolerance() -> None:
    earlier = sf.review(played(LOST), "uct:simulations=50")
    for state, player, tolerance in (
        (played(DRAWN), "uct:simulations=50", 0.1),
        (played(LOST), "uct:simulations=51", 0.1),
        (played(LOST), "uct:simulations=50", 0.2),
    ):
        with pytest.raises(ValueError, match=r"differs in game, player or tolerance\."):
            sf.review(state, player, tolerance, earlier=earlier)
    earlier.moves = earlier.moves[1:]
    with pytest.raises(ValueError, match=r"holds other moves than the game\."):
        sf.review(played(LOST), "uct:simulations=50", earlier=earlier)


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes() -> None:
    found = sf.review(played("b2 a1"), "uct:simulations=200")
    assert (len(found.moves), found.complete, found.result) == (2, True, None)


def test_options_of_the_player_are_part_of_its_text() -> None:
    assert sf.review(played("b2"), "uct", simulations=20, seed=2).player == "uct:simulations=20,seed=2"
    assert sf.review(played("b2"), "uct:seed=2", simulations=20).player == "uct:seed=2,simulations=20"
    assert review_of.__module__ == "sevenfold.review"


# Hindsight: the position after a move was searched too


class Trap(sf.Rules):
    """Player 1 takes the bait (0) or not (1), player 2 answers, player 1 answers that; whoever took the bait is lost
    after the best answer, which a search of one ply does not see. Two more plies decide nothing."""

    players, actions, max_plies = 2, 2, 4

    def __init__(self) -> None:
        self.played: list[int] = []

    def to_move(self) -> int:
        return len(self.played) % 2 if len(self.played) < 4 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        self.played.append(action)

    def returns(self) -> list[float]:
        value = (self.played[:2] == [0, 1] and -1.0) or 0.0
        return [value, -value]

    def heuristic(self) -> list[float]:
        """The bait looks like a gain until it has been answered; otherwise player 1 is a little ahead."""
        value = {(0,): 0.6, (1,): 0.2, (0, 1): -0.9, (0, 0): 0.1}.get(tuple(self.played[:2]), 0.15)
        return [value, -value]


def short(table: dict[tuple[int, ...], dict[int, float]], **proven: bool) -> type[sf.Player]:
    """A player that has a value of every action for the mover in every position it knows."""

    class Short(sf.Player):
        name = "short"

        def think(self, state: sf.State) -> sf.SearchResult:
            best = max(self.rank(state), key=lambda view: view.value or 0.0)
            count = state.game.players
            share = (best.value or 0.0) / max(1, count - 1)
            values = [best.value or 0.0 if seat == state.to_move else -share for seat in range(count)]
            return sf.SearchResult(best.action, [], values, nodes=10)

        def rank(self, state: sf.State) -> list[ActionView]:
            known = table[tuple(state.history)]
            views = [
                ActionView(action, 1, value, None, f"{len(state.history)}{action}" in proven, [action])
                for action, value in known.items()
            ]
            return sorted(views, key=lambda view: -(view.value or 0.0))

    return Short


BAIT: dict[tuple[int, ...], dict[int, float]] = {
    (): {0: 0.6, 1: 0.2},
    (0,): {0: -0.1, 1: 0.7},
    (0, 1): {0: -1, 1: -1},
    (0, 1, 0): {0: 1, 1: 1},
}


def trapped(hindsight: bool = True, actions: tuple[int, ...] = (0, 1, 0, 0), **changes: Any) -> Review:
    game = sf.game(Trap)
    player = short(changes.pop("table", BAIT), **changes)(game)
    return sf.review(game.replay(list(actions)), player, game=game, hindsight=hindsight)


def test_a_trap_beyond_the_horizon_is_blamed_on_the_move_that_fell_into_it() -> None:
    game = sf.game(Trap)
    state = game.replay([0, 1, 0, 0])
    for player in ("alphabeta:depth=1", "greedy"):
        blind = sf.review(state, player, game=game, hindsight=False).moves[0]
        assert (blind.mark, blind.value, blind.best) == ("good", pytest.approx(0.6), True)
        move = sf.review(state, player, game=game).moves[0]
        assert (move.mark, move.value) == ("blunder", pytest.approx(-0.9))
        assert (move.searched_mark, move.searched) == ("good", blind.value)
        assert (move.best_action, move.best_value, move.only_blunder) == (1, pytest.approx(0.2), True)
        assert move.line_texts == [move.best_text] == ["1"]
        assert move.score == -10
        assert move.values == pytest.approx([0.2, -0.2])


def test_hindsight_goes_from_the_end_backwards() -> None:
    found = trapped()
    assert [move.value for move in found.moves] == [-1, 1, -1, 1]
    assert [move.mark for move in found.moves] == ["blunder", "good", "good", "good"]
    assert found.moves[1].line == [1, 0]  # the move that was played, and what followed it
    assert [move.values for move in found.moves] == [[0.2, -0.2], [-1, 1], [-1, 1], [-1, 1]]
    assert found.moves[0].exact == [False, False]
    assert found.moves[3].exact == [True, True]
    assert [move.value for move in trapped(hindsight=False).moves] == [0.6, 0.7, -1, 1]


def test_the_end_of_the_game_is_certain_and_an_unfinished_one_ends_in_a_search() -> None:
    wrong = {**BAIT, (0, 1, 0): {0: -0.4, 1: -0.5}}
    assert trapped(table=wrong).moves[3].value == 1
    assert trapped(table=wrong, actions=(0, 1, 0)).moves[2].value == -1
    short_of = trapped(actions=(0,))
    assert (short_of.moves[0].value, short_of.moves[0].mark) == (0.6, "good")
    assert trapped(actions=(0, 1)).moves[0].value == -0.7


def test_what_is_proven_stays_unless_the_later_value_is_proven_too() -> None:
    assert trapped(actions=(0, 1), **{"00": True}).moves[0].value == 0.6
    assert trapped(actions=(0, 1), **{"00": True, "10": True, "11": True}).moves[0].value == -0.7


def test_noise_marks_nothing() -> None:
    noisy = {**BAIT, (): {0: 0.30, 1: 0.29}, (0,): {0: -0.4, 1: -0.22}}
    move = trapped(actions=(0, 1), table=noisy).moves[0]
    assert (move.mark, move.value, move.score, move.best) == ("good", 0.30, 10, True)
    noisy = {**BAIT, (): {0: 0.25, 1: 0.30}, (0,): {0: -0.4, 1: -0.18}}
    assert trapped(actions=(0, 1), table=noisy).moves[0].mark == "good"
    better = {**BAIT, (): {0: -0.5, 1: 0.30}, (0,): {0: -0.4, 1: -0.35}}  # better than the search thought
    move = trapped(actions=(0, 1), table=better).moves[0]
    assert (move.mark, move.searched_mark, move.best_action, move.best_value) == ("good", "blunder", 0, 0.35)
    assert move.line == [0, 1]


def test_luck_is_not_skill() -> None:
    class Lucky(Trap):
        """As Trap, but chance answers first."""

        name, outcomes, max_plies = "lucky", 2, 5

        def to_move(self) -> int:
            return (0, sf.CHANCE, 1, 0, sf.TERMINAL)[len(self.played)]

        def chance(self) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.5)]

    game = sf.game(Lucky)
    table = {(): {0: 0.6, 1: 0.2}, (0, 1): {0: 0.9, 1: 0.8}, (0, 1, 0): {0: 0.4, 1: 0.3}}
    first, second, third = sf.review(game.replay([0, 1, 0, 0]), short(table)(game), game=game).moves
    assert (first.value, first.mark) == (0.6, "good")
    assert (third.value, third.best_value, second.value) == (-1, 0.3, -0.3)
    assert first.values == [0.6, -0.6]


def test_hindsight_does_not_look_into_hidden_hands() -> None:
    game = sf.game(str(KUHN))
    spec = "uct:simulations=1000,worlds=redeal,selection=ucb1"
    found = sf.review(game.replay([2, 0, 1, 1]), spec, game=game)
    assert not found.hindsight
    assert found.moves == sf.review(game.replay([2, 0, 1, 1]), spec, game=game, hindsight=False).moves
    assert [move.value for move in found.moves] == [move.searched for move in found.moves]


def test_hindsight_is_each_players_own_among_three(race: sf.Game) -> None:
    """The first player's search hopes for 2 from taking 0; it gets what it took. The others' values come along."""
    table = {(): {0: 2.0, 1: 1.0, 2: 0.4}, (0,): {0: 0.0, 1: 1.0, 2: 2.0}, (0, 2): {2: 1.0}}

    class Hopeful(short(table)):  # type: ignore[misc]
        def think(self, state: sf.State) -> sf.SearchResult:
            values = {(): [2.0, 0.5, 0.5], (0,): [1.5, 2.0, 0.5], (1,): [1.0, 2.0, 1.0]}
            return sf.SearchResult(0, [], values.get(tuple(state.history), [1.0, 1.0, 1.0]), nodes=10)

    first, second, third = sf.review(race.replay([0, 2, 2]), Hopeful(race)).moves
    assert (third.value, third.values, third.exact) == (2, [0, 2, 2], [True] * 3)
    assert (second.value, second.mark, second.values) == (2, "good", [0, 2, 2])
    assert second.exact == [False, True, False]  # nothing is better than 2, whatever that is for the others
    assert (first.value, first.searched, first.mark, first.best_action) == (0, 2, "blunder", 1)
    assert first.values == [1, 2, 1]  # as the player thinks of the position after the better move


@pytest.mark.parametrize("player", ["uct:simulations=60", "alphabeta:nodes=300"])
def test_a_resumed_review_has_the_same_hindsight(player: str) -> None:
    game = sf.game("connect_four", rows=5, cols=6)
    state = played("d c c d d d e c f e", game)
    whole = sf.review(state, player)
    assert any(move.value != move.searched for move in whole.moves)
    stages: list[Any] = []
    sf.review(state, player, progress=lambda so_far: stages.append(json.loads(json.dumps(so_far.to_json()))))
    for stage in stages:
        assert sf.review(state, player, earlier=Review.from_json(stage)) == whole
    blind = sf.review(state, player, hindsight=False)
    assert sf.review(state, player, earlier=blind) == whole
    assert sf.review(state, player, earlier=whole, hindsight=False) == blind
    assert [move.value for move in blind.moves] == [move.searched for move in whole.moves]


# The command line

QUICK = ("--player", "uct:simulations=300")
FIELDS = (
    "format game version players returns sum seed start actions seats result player tolerance decisions skip_forced "
    "hindsight moves complete per_player excitement"
)
MOVE_FIELDS = (
    "ply player action text mark score value best_value best_action best_text line line_texts values exact proven "
    "only_good only_blunder rank legal bonus searched searched_mark found forced best"
)


def test_the_json_has_the_fields_that_others_rely_on(run: Any, tmp_path: Path) -> None:
    answer = run("review", written(tmp_path / "g.jsonl", DRAWN, LOST), *QUICK, "--json")
    assert answer.code == 0, answer.err
    data = answer.json
    assert list(data) == ["number", *FIELDS.split()]
    assert list(data["moves"][0]) == MOVE_FIELDS.split()
    assert list(data["per_player"][0]) == ["player", "name", "moves", "good", "slack", "blunder", "best_share", "score"]
    assert (data["number"], data["game"], data["seats"]) == (2, "tic_tac_toe", ["Ann", "Bob"])
    assert data["excitement"] == pytest.approx(sum(move["score"] for move in data["moves"]) / 6)
    marks = [move["mark"] for move in data["moves"] if move["player"] == 0]
    assert [data["per_player"][0][mark] for mark in ("good", "slack", "blunder")] == [
        marks.count(mark) for mark in ("good", "slack", "blunder")
    ]
    assert data["moves"][4]["mark"] == "blunder"


def test_the_screen_shows_signs_words_and_the_better_move(run: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "g.jsonl", LOST)
    answer = run("review", path, *QUICK)
    assert answer.code == 0
    rows = [line.split() for line in answer.out.splitlines()]
    blunder = next(row for row in rows if row[:3] == ["5", "1", "c3"])
    assert blunder[3:5] == ["??", "blunder"]
    assert blunder[5] == "-1.00"
    assert "c1" in blunder
    assert next(row for row in rows if row[:3] == ["2", "2", "b2"])[3:6] == ["!", "only", "good"]
    assert any(row[:2] == ["1", "Ann"] for row in rows)
    assert "Excitement: " in answer.out
    chinese = run("review", path, *QUICK, "--lang", "zh-TW").out
    for word in ("錯著", "正著", "緩手", "唯一正著", "精彩程度："):
        assert word in chinese


def test_one_game_by_number_or_all(run: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "g.jsonl", DRAWN, LOST)
    assert run("review", path, *QUICK, "--game", "1", "--json").json["decisions"] == 9
    data = run("review", path, *QUICK, "--all", "--json").json
    assert [one["number"] for one in data["games"]] == [1, 2]
    assert data["excitement"] == pytest.approx(sum(one["excitement"] for one in data["games"]) / 2)
    table = run("review", path, *QUICK, "--all", "--out", str(tmp_path / "r.json")).out
    assert f"{data['games'][1]['excitement']:.2f}" in table
    assert Review.load(tmp_path / "r-2.json").decisions == 6


def test_a_game_of_a_file_is_reviewed_with_its_rules(run: Any, tmp_path: Path) -> None:
    game = sf.game(str(KUHN))
    sf.write_records(tmp_path / "k.jsonl", [sf.Record.of(game.replay([2, 0, 1, 1]))])
    asked = ("review", str(tmp_path / "k.jsonl"), "--player", "uct:simulations=500", "--json")
    assert "there is no game" in run(*asked).err
    assert [move["ply"] for move in run(*asked, "--rules", str(KUHN)).json["moves"]] == [2, 3]


@pytest.mark.parametrize(
    ("lines", "argv", "words"),
    [
        (None, [], "No such file"),
        ("", [], "holds no game."),
        ("nonsense\n", [], "line 1 is not a record"),
        ("GAME\nnonsense\nGAME\n", [], "line 2 is not a record"),
        ("GAME\n", ["--game", "2"], "has the games 1 to 1, and no game 2."),
        ("GAME\n", ["--game", "0"], "and no game 0."),
        ("GAME\n", ["--game", "1", "--all"], "give either --game or --all, not both."),
        ("GAME\n", ["--player", "random"], "has no opinion"),
        ("GAME\n", ["--player", "nobody"], "there is no player"),
        ("GAME\n", ["--tolerance", "nan"], "tolerance must be"),
        ("GAME\n", ["--seconds", "nan"], "seconds must be"),
        ("GAME\n", ["--plot", "game.gif"], "a plot is a .svg or .png file, not 'game.gif'."),
        ("GAME\n", ["--out", "nowhere/r.json"], "there is no folder 'nowhere'."),
        ("GAME\n", ["--out", "g.jsonl"], "g.jsonl is not a review."),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str | None, argv: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    game = sf.Record.of(played(LOST)).to_line()
    if lines is not None:
        Path("g.jsonl").write_text(lines.replace("GAME", game))
    before = Path("g.jsonl").read_text() if lines else ""
    answer = run("review", "g.jsonl", *argv)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert answer.err.endswith(".\n")
    assert not lines or Path("g.jsonl").read_text() == before


def test_a_finished_review_in_a_file_is_not_made_again(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = written(tmp_path / "g.jsonl", LOST), tmp_path / "r.json"
    first = run("review", path, *QUICK, "--out", str(out), "--json")
    assert {"number": 1, **json.loads(out.read_text())} == first.json
    monkeypatch.setattr(sf.Player, "rank", lambda *_: pytest.fail("it was made again"))
    assert run("review", path, *QUICK, "--out", str(out), "--json").json == first.json
    assert "differs in" in run("review", path, *QUICK, "--out", str(out), "--tolerance", "0.2").err
    assert {*tmp_path.iterdir()} == {out, Path(path)}


def started(*argv: str) -> "subprocess.Popen[str]":
    program = "from sevenfold.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, "review", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_moves(out: Path, count: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if out.exists() and len(Review.load(out).moves) >= count:
            return
        time.sleep(0.02)
    pytest.fail("no move was saved")


SLOW = ("--player", "uct:simulations=1500000,solver=false")


def test_kill_9_loses_no_finished_move(tmp_path: Path, run: Any) -> None:
    path, out = written(tmp_path / "g.jsonl", DRAWN), tmp_path / "r.json"
    process = started(path, *SLOW, "--out", str(out))
    wait_for_moves(out, 2)
    process.kill()
    process.communicate()
    saved = Review.load(out).moves
    assert 2 <= len(saved) < 9
    answer = run("review", path, *SLOW, "--out", str(out), "--json")
    assert answer.json["complete"]
    whole = answer.json["moves"]
    assert [move.to_json()["found"] for move in saved] == [move["found"] for move in whole[: len(saved)]]
    assert whole == [move.to_json() for move in Review.load(out).moves]
    assert Review.load(out).complete


def test_ctrl_c_shows_the_moves_reviewed_so_far(tmp_path: Path) -> None:
    path, out = written(tmp_path / "g.jsonl", DRAWN), tmp_path / "r.json"
    process = started(path, *SLOW, "--out", str(out), "--json")
    wait_for_moves(out, 1)
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=20)
    assert process.returncode == 130, complaint
    data = json.loads(said)
    assert not data["complete"]
    assert 1 <= len(data["moves"]) < 9
    assert len(data["moves"]) == len(Review.load(out).moves)
    assert complaint == "sevenfold: stopped.\n"


def test_a_save_that_fails_leaves_the_file_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, out = sf.review(played("b2 a1"), "uct:simulations=50"), tmp_path / "r.json"
    found.save(out)
    before = out.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        found.save(out)
    assert out.read_bytes() == before
    assert os.listdir(tmp_path) == ["r.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 1}', '{"format": 2, "moves": []}', '{"format": 1, "moves": [1]}', "[" * 100000]
)
def test_a_file_that_is_no_review_is_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(ValueError, match=r"r\.json is not a review\.$"):
        Review.load(tmp_path / "r.json")


# Pictures


def test_the_plot_is_a_picture_and_the_same_every_time(run: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "g.jsonl", LOST)
    for name in ("a.svg", "b.svg", "c.PNG"):
        answer = run("review", path, *QUICK, "--plot", str(tmp_path / name))
        assert answer.code == 0, answer.err
        assert answer.err == ""
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    assert root.tag.endswith("svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "c.PNG").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_every_mark_has_its_shape_and_every_player_a_curve(race: sf.Game) -> None:
    from matplotlib.figure import Figure

    from sevenfold import plot

    found = sf.review(race.replay([1, 0, 1]), "uct:simulations=500")
    found.seats = ["$x$", "乙", "c" * 99]
    axes = Figure().add_subplot()
    plot._draw(axes, found)
    labels = axes.get_legend_handles_labels()[1]
    assert len(axes.lines) == 3 + 1  # and the middle
    assert {"slack (1)", "blunder (1)", "forced (1)"} <= set(labels)
    assert len(set(plot.SHAPE.values())) == len(set(plot.COLOUR.values())) == 3


def test_an_unfinished_review_and_a_very_long_game_can_be_drawn(tmp_path: Path) -> None:
    found = sf.review(played(LOST), "uct:simulations=50")
    part = Review.from_json(found.to_json())
    part.moves = part.moves[:1]
    part.plot(tmp_path / "part.svg")
    move = found.moves[0]
    found.moves = [MoveReview(**{**vars(move), "ply": ply, "text": "a long text"}) for ply in range(500)]
    found.actions = [0] * 500
    found.plot(tmp_path / "long.png")
    for name in ("part.svg", "long.png"):
        assert (tmp_path / name).stat().st_size > 1000


def test_without_matplotlib_a_sentence_says_what_to_install(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answer = run("review", written(tmp_path / "g.jsonl", LOST), *QUICK, "--plot", str(tmp_path / "a.svg"))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "sevenfold: a plot needs matplotlib: pip install 'sevenfold[plot]'.\n"


def test_a_finished_game_that_was_recorded_tells_how_to_review_it(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my games.jsonl"
    answer = run("play", "tic_tac_toe", "--watch", "--record", str(path), "--seed", "1")
    assert f"sevenfold review '{path}'" in "".join(answer.out.split("\n"))
    assert "sevenfold review" not in run("play", "tic_tac_toe", "--watch", "--seed", "1").out
    assert run("review", str(path), *QUICK).code == 0


def test_the_table_says_where_hindsight_changed_a_mark(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["sevenfold.game"], "_registered", {})
    sf.register(Trap)
    sf.write_records(tmp_path / "t.jsonl", [sf.Record.of(sf.game("trap").replay([0, 1, 0, 0]))])
    asked = ("review", str(tmp_path / "t.jsonl"), "--player", "greedy")
    assert run(*asked).out.count("only blunder, in hindsight") == 1
    assert "唯一錯著（事後看）" in run(*asked, "--lang", "zh-TW").out
    plain = run(*asked, "--no-hindsight")
    assert (plain.code, "hindsight" in plain.out, "blunder, " in plain.out) == (0, False, False)
    move = run(*asked, "--json").json["moves"][0]
    assert (move["mark"], move["searched_mark"]) == ("blunder", "good")
    assert (move["value"], move["searched"]) == (pytest.approx(-0.9), pytest.approx(0.6))
    assert not run(*asked, "--no-hindsight", "--json").json["hindsight"]


# Headings


def test_a_heading_is_the_plain_name_with_the_preset_and_the_options_apart() -> None:
    arena = sf.game("easycard", preset="arena").spec
    name, options = heading_of(arena)
    assert name == "easycard (arena)"
    assert f"easycard({options})" == arena
    assert heading_of("easycard(hp=29)") == ("easycard", "hp=29")
    assert heading_of("connect_four(rows=9, cols=9)") == ("connect_four", "rows=9, cols=9")
    assert heading_of("tic_tac_toe") == ("tic_tac_toe", "")
    assert heading_of("a/folder/nim.py:Nim") == ("nim", "")
    assert heading_of("unknown(x=1)") == ("unknown", "x=1")


def test_no_line_of_the_heading_is_longer_than_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    from sevenfold import review_screen

    found = sf.review(played("b2"), "uct:simulations=50")
    found.game = sf.game("easycard", preset="arena").spec
    for width in (40, 80, 200):
        lines = review_screen._heading(found, f"reviewed by {found.player}, tolerance 0.1", width, True)
        assert all(line.cell_len <= width for line in lines)
        assert lines[0].plain.startswith("easycard (arena)")
        assert len(lines) == (3 if width == 40 else 2)


def test_long_names_of_moves_leave_room_for_the_marks() -> None:
    from rich.console import Console

    from sevenfold import review_screen

    found = sf.review(played("b2"), "uct:simulations=50")
    found.moves[0].text = "redraw " + "Mondstadt Hash Brown + " * 4
    out = Console(width=80, record=True)
    out.print(review_screen._moves(found, True, 80))
    assert review_screen.word(found.moves[0]) in out.export_text()


def test_alone_a_position_is_its_own_scale() -> None:
    """In a game for one the range of returns says nothing: a move is slack in the upper half of what was possible."""
    from sevenfold.judgement import Measure

    values = [10.0, 9.9, 6.0, 2.0, 0.0]
    alone = Measure(0, 100_000, 0.1, True, alone=True)
    assert [alone.judge(values, at).mark for at in range(5)] == ["good", "good", "slack", "blunder", "blunder"]
    assert [alone.judge([3.0, 3.0], at).mark for at in range(2)] == ["good", "good"]
    among = Measure(0, 100_000, 0.1, True)
    assert {among.judge(values, at).mark for at in range(5)} == {"good"}


@pytest.mark.parametrize("spec", ["alphazero:simulations=96", "belief:simulations=96"])
def test_a_review_values_what_a_search_would_not_even_try(spec: str) -> None:
    """Belief search leaves actions out that it thinks little of; a review asks about each of them."""
    game = sf.game("sevens")
    state = game.new(3)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    while len(state.legal_actions()) < 4:
        state.play(state.legal_actions()[0])
    player = sf.player(spec, game, seed=1)
    own = {view.action for view in player.think(state).actions if view.visits}
    views = player.rank(state)
    assert {view.action for view in views} == set(state.legal_actions())
    assert all(view.visits and view.value is not None for view in views)
    again = {view.action for view in player.think(state).actions if view.visits}
    assert again == own  # and then it thinks as before


def test_a_player_without_a_search_is_told_so() -> None:
    game = sf.game("sevens")
    state = game.new(3)
    while state.to_move == sf.CHANCE or len(state.legal_actions()) == 1:
        state.play_chance() if state.to_move == sf.CHANCE else state.play(state.legal_actions()[0])
    with pytest.raises(ValueError, match="policy has no opinion on single actions: review with a player"):
        sf.player("policy", game).rank(state)


@pytest.mark.parametrize("name", ["sevens", "connect_four", "tetris"])
def test_who_cannot_judge_names_the_adviser_of_the_game(name: str) -> None:
    game = sf.game(name)
    state = game.new(1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    with pytest.raises(ValueError, match=f"random has no opinion .* such as {re.escape(adviser(game))}\\.$"):
        sf.player("random", game).rank(state)


def test_a_value_that_is_none_names_the_adviser_too() -> None:
    class Silent(Player):
        name = "silent"

        def rank(self, state: sf.State) -> list[ActionView]:
            return [ActionView(action) for action in state.legal_actions()]

    with pytest.raises(ValueError, match=r"silent gave no value .* such as alphazero\.$"):
        sf.review(played(LOST), Silent(TIC_TAC_TOE))


def test_a_room_says_what_its_games_usually_bring() -> None:
    """A deal of Sevens may pay 1960 points; a card that costs ten of them is a mistake all the same."""
    game = sf.game("sevens")
    assert game.usual_returns == (-100, 100) != (game.min_return, game.max_return)
    other = sf.game("sevens", scoring="penalty_only", winner="none")
    assert other.usual_returns == (other.min_return, other.max_return)
    state, rng = game.new(3), random.Random(1)
    while not state.is_over:
        state.play_chance() if state.to_move == sf.CHANCE else state.play(rng.choice(state.legal_actions()))
    found = sf.review(state, "belief:simulations=60")
    marks = {move.mark for move in found.moves}
    assert found.returns == (-100, 100)
    assert {"good", "blunder"} <= marks
