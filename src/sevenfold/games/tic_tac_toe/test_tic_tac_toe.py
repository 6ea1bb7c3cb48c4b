"""Proves tic_tac_toe right over its whole game tree: 5 478 positions, 255 168 games, all eight symmetries."""

import itertools
from functools import cache

import numpy as np
import pytest
from helpers import refused

import sevenfold as sf

GAME = sf.game("tic_tac_toe")
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board: str) -> str | None:
    return next((board[a] for a, b, c in LINES if board[a] != "." and board[a] == board[b] == board[c]), None)


@cache
def all_boards() -> frozenset[str]:
    """Every position of the game, found by playing it with nothing but strings."""
    level, found = {"." * 9}, set()
    for ply in range(10):
        found |= level
        level = {
            board[:cell] + "xo"[ply % 2] + board[cell + 1 :]
            for board in level
            if not winner(board)
            for cell in range(9)
            if board[cell] == "."
        }
    return frozenset(found)


def text_of(board: str) -> str:
    return f"{board[:3]}/{board[3:6]}/{board[6:]} {'xo'[(9 - board.count('.')) % 2]}"


def test_the_facts_are_those_of_the_game() -> None:
    assert (GAME.players, GAME.actions, GAME.planes, GAME.max_plies) == (2, 9, (2, 3, 3), 9)
    assert (GAME.options, GAME.sum) == ({}, "zero")
    assert set(GAME.abilities) >= {"observe", "symmetries", "to_text"}
    with refused(match="no option 'size'; its options are: none"):
        sf.game("tic_tac_toe", size=4)


def test_every_position_of_the_game_is_as_the_strings_say() -> None:
    assert len(all_boards()) == 5478
    for board in all_boards():
        state = GAME.parse(text_of(board))
        won, ply = winner(board), 9 - board.count(".")
        over = won is not None or ply == 9
        assert state.to_text() == text_of(board)
        assert state.to_move == (sf.TERMINAL if over else ply % 2)
        assert state.legal_actions() == ([] if over else [cell for cell in range(9) if board[cell] == "."])
        assert state.returns() == {None: [0, 0], "x": [1, -1], "o": [-1, 1]}[won]
        for viewer, stones in enumerate(("xo", "ox")):
            expected = [[float(cell == stone) for cell in board] for stone in stones]
            assert np.array_equal(state.observe(viewer).planes.reshape(2, 9), expected)


def test_exactly_the_positions_of_the_game_are_read() -> None:
    read = 0
    for cells in itertools.product(".xo", repeat=9):
        board = "".join(cells)
        for mover in "xo":
            text = f"{board[:3]}/{board[3:6]}/{board[6:]} {mover}"
            try:
                GAME.parse(text)
                read += 1
            except ValueError:
                assert board not in all_boards() or text != text_of(board), text
    assert read == 5478


def test_different_positions_hash_differently() -> None:
    assert len({GAME.parse(text_of(board)).hash() for board in all_boards()}) == 5478


def test_perft_counts_all_games_and_all_positions() -> None:
    games = sf.perft(GAME.new(), 9, detail=True)
    assert games.per_ply == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert games.complete == 255_168
    positions = sf.perft(GAME.new(), 9, distinct=True, detail=True)
    assert positions.per_ply == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert positions.total == 5478
    assert positions.complete == 958


def test_best_play_is_a_draw() -> None:
    @cache
    def value(text: str) -> float:
        state = GAME.parse(text)
        if state.is_over:
            return state.returns()[0]
        after = []
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            after.append(value(child.to_text()))
        return max(after) if state.to_move == 0 else min(after)

    assert value(GAME.new().to_text()) == 0


def test_the_eight_symmetries_are_the_square_s() -> None:
    """Each maps corners to corners and keeps lines; together they are eight different maps."""
    state = GAME.new()
    maps = [tuple(state.symmetric_action(s, cell) for cell in range(9)) for s in range(state.symmetries)]
    assert maps[0] == tuple(range(9))
    assert len(set(maps)) == 8
    for mapped in maps:
        assert sorted(mapped) == list(range(9))
        assert {frozenset(mapped[cell] for cell in line) for line in LINES} == {frozenset(line) for line in LINES}


def test_a_cell_is_a_letter_and_a_number_from_the_bottom() -> None:
    state = GAME.new()
    assert [state.action_text(cell) for cell in range(9)] == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert state.parse_action(" B2 ") == 4
    state.play(4)
    assert str(state) == "3 . . .\n2 . x .\n1 . . .\n  a b c"
    for nonsense in ("b2", "d1", "a4", "", "a", "1a", "a33", "ａ１"):
        with refused(match="not a legal action"):
            state.parse_action(nonsense)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        ".../.../...",
        ".../.../... z",
        ".../.../... o",
        ".../.../.x. x",
        "xx./.../... x",
        ".../.../o.. o",
        "xxx/.../... o",
        "xxx/ooo/... x",
        "xxx/oo./o.. x",
        "ooo/xxx/x.. o",
        ".../.../.... x",
        "...|...|... x",
        "X../.../... o",
        ".../.../... x\x00",
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with refused(match="tic_tac_toe"):
        GAME.parse(text)


def test_the_heuristic_counts_the_lines_still_open() -> None:
    """Inside the range, the same through every symmetry, and turned round when the stones are exchanged."""
    for board in all_boards():
        if winner(board) or "." not in board:
            continue
        state = GAME.parse(text_of(board))
        value = state.heuristic()[0]
        lead = [sum(all(board[cell] != other for cell in line) for line in LINES) for other in "ox"]
        assert state.heuristic() == pytest.approx([(lead[0] - lead[1]) / 9, (lead[1] - lead[0]) / 9])
        assert -1 < value < 1
        assert all(state.symmetric(s).heuristic()[0] == value for s in range(state.symmetries))
        exchanged = board.translate(str.maketrans("xo", "ox"))
        if exchanged in all_boards():
            assert GAME.parse(text_of(exchanged)).heuristic()[0] == -value
    assert GAME.parse(".../.x./... o").heuristic()[0] == pytest.approx(4 / 9)
