"""Saiblo's 重力四子棋 on stdin and stdout: one process plays one game, and keeps its tree.

In: once `rows cols blocked-row blocked-col`; at each turn the opponent's last point (-1 -1 at the start), the top of
each column, and the board from our eyes (games/connect_four/harness.py). Out: the length of the answer in four bytes,
the highest first, and the answer, `row col`. Nothing else is written.
"""

import struct
from typing import BinaryIO

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.game import game as game_named
from sevenfold.games.connect_four import harness
from sevenfold.protocols.reading import Input
from sevenfold.protocols.seat import Seat


def run(source: BinaryIO, out: BinaryIO, spec: str, seconds: float, began: float | None = None) -> None:
    """Plays one game, each move in less than so many seconds."""
    incoming = Input(source, began)
    if incoming.is_over():
        return
    rows, cols, *blocked = incoming.numbers(4, "the size of the board")
    none = blocked == [-1, -1]
    game = game_named("connect_four", rows=rows, cols=cols, blocked=None if none else tuple(blocked))
    seat = Seat(spec, game)
    state = game.new()
    while not incoming.is_over():
        state = read_turn(incoming, state)
        if state.is_over:
            raise ValueError("the game is over on the board that was sent.")
        action = seat.think(state, incoming.clock + seconds).action
        answer = "{x} {y}".format(**harness.point_of(state, action)).encode()
        out.write(struct.pack(">I", len(answer)) + answer)
        out.flush()
        incoming.answered()
        state.play(action)


def read_turn(incoming: Input, known: State) -> State:
    """The position we are asked about: the one we know and the opponent's move, or else whatever the board says."""
    game = known.game
    rows, cols = int(game.options["rows"]), int(game.options["cols"])
    x, y = incoming.numbers(2, "the opponent's last point")
    tops = incoming.numbers(cols, "the tops of the columns")
    cells = incoming.numbers(rows * cols, "the board")
    board = [cells[row * cols : (row + 1) * cols] for row in range(rows)]
    state = known.copy()
    if (x, y) != (-1, -1):
        if not (0 <= x < rows and 0 <= y < cols and board[x][y] == 1):
            raise ValueError(f"the opponent's last point {x} {y} is not a stone of theirs on the board.")
        if y in state.legal_actions():
            state.play(y)
    if state.to_move < 0 or harness.numbers_of(harness.grid_of(state), state.to_move) != board:
        state = position(game, board)
    check_tops(state, tops)
    return state


def position(game: Game, board: list[list[int]]) -> State:
    """The position of a board of numbers. ValueError where no game leads to it."""
    counts = [sum(row.count(kind) for row in board) for kind in range(3)]
    if sum(counts) < sum(map(len, board)):
        raise ValueError("the board must be made of 0, 1 and 2.")
    if counts[1] - counts[2] not in (0, 1):
        raise ValueError(f"it cannot be our turn with {counts[2]} stones of ours and {counts[1]} of the opponent's.")
    mine, theirs = "xo" if counts[1] == counts[2] else "ox"
    grid = [[(".", theirs, mine)[cell] for cell in row] for row in board]
    row, col = harness.blocked_of(game)
    if row >= 0:
        if grid[row][col] != ".":
            raise ValueError("there is a stone on the blocked cell.")
        grid[row][col] = "#"
    return game.parse(harness.text_of(grid, mine))


def check_tops(state: State, tops: list[int]) -> None:
    """The tops must say what the board does, whether or not they jump a blocked cell that comes next."""
    grid = harness.grid_of(state)
    for col, (told, jumped) in enumerate(zip(tops, harness.tops_of(grid), strict=True)):
        if told not in (jumped, harness.highest(grid, col)):
            raise ValueError(f"the top of column {col} is {told}, but on the board it is {jumped}.")
