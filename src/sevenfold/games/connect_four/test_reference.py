"""Proves connect_four right against a slow, plain reading of its rules: every board size and every blocked cell."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import sevenfold as sf

Cell = tuple[int, int]
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


class Reference:
    """The rules page as code: a list of lists, row 0 on top. Nothing here is clever, and nothing is shared with C++."""

    def __init__(self, rows: int = 6, cols: int = 7, connect: int = 4, blocked: Cell | None = None) -> None:
        self.rows, self.cols, self.connect = rows, cols, connect
        self.board = [["."] * cols for _ in range(rows)]
        if blocked:
            self.board[blocked[0]][blocked[1]] = "#"
        self.stone = "x"
        self.winner: str | None = None

    def landing_row(self, col: int) -> int | None:
        """The lowest free cell of a column: the blocked cell is not free, so a stone jumps it."""
        for row in reversed(range(self.rows)):
            if self.board[row][col] == ".":
                return row
        return None

    def legal_actions(self) -> list[int]:
        return [] if self.is_over() else self.free_columns()

    def free_columns(self) -> list[int]:
        return [col for col in range(self.cols) if self.landing_row(col) is not None]

    def play(self, col: int) -> int:
        """Drops a stone and says in which row it came to rest."""
        row = self.landing_row(col)
        assert row is not None
        self.board[row][col] = self.stone
        if any(1 + self.run(row, col, dy, dx) + self.run(row, col, -dy, -dx) >= self.connect for dy, dx in LINES):
            self.winner = self.stone
        self.stone = "o" if self.stone == "x" else "x"
        return row

    def run(self, row: int, col: int, dy: int, dx: int) -> int:
        """How many stones of the same side follow a stone in one direction."""
        stone, length = self.board[row][col], 0
        while 0 <= row + dy < self.rows and 0 <= col + dx < self.cols and self.board[row + dy][col + dx] == stone:
            row, col, length = row + dy, col + dx, length + 1
        return length

    def is_over(self) -> bool:
        return self.winner is not None or not self.free_columns()

    def to_move(self) -> int:
        return sf.TERMINAL if self.is_over() else "xo".index(self.stone)

    def returns(self) -> list[float]:
        return {None: [0.0, 0.0], "x": [1.0, -1.0], "o": [-1.0, 1.0]}[self.winner]

    def draw(self) -> str:
        return "\n".join(" ".join(row) for row in [*self.board, [chr(ord("a") + col) for col in range(self.cols)]])

    def to_text(self) -> str:
        """Rows from the top, runs of empty cells as their number, then who would move."""
        rows = []
        for row in self.board:
            line, gap = "", 0
            for cell in [*row, ""]:
                if cell == ".":
                    gap += 1
                else:
                    line, gap = line + (str(gap) if gap else "") + cell, 0
            rows.append(line)
        return "/".join(rows) + " " + self.stone

    def planes(self, viewer: int) -> np.ndarray:
        mine, other = "xo" if viewer == 0 else "ox"
        return np.array([[[cell == sign for cell in row] for row in self.board] for sign in (mine, other, "#")])


def compare(state: sf.State, reference: Reference) -> None:
    """Everything that can be asked about a position has the reference's answer."""
    assert str(state) == reference.draw()
    assert state.to_move == reference.to_move()
    assert state.is_over == reference.is_over()
    assert state.legal_actions() == reference.legal_actions()
    assert state.returns() == reference.returns()
    text = reference.to_text()
    assert state.to_text() == text
    again = state.game.parse(text)
    assert (again.to_text(), again.to_move, again.returns(), again.hash()) == (
        text,
        state.to_move,
        state.returns(),
        state.hash(),
    )
    for viewer in (0, 1):
        assert np.array_equal(state.observe(viewer).planes, reference.planes(viewer))


def walk(state: sf.State, reference: Reference, columns: Iterator[int], blocked: Cell | None) -> tuple[int, bool]:
    """Plays columns on both until they or the game end: positions compared, and whether a stone jumped the block."""
    compare(state, reference)
    positions, jumped = 1, False
    for col in columns:
        row = reference.play(col)
        state.play(col)
        compare(state, reference)
        positions += 1
        jumped |= blocked is not None and col == blocked[1] and row < blocked[0]
        if reference.is_over():
            break
    return positions, jumped


def at_random(reference: Reference, rng: random.Random, favoured: int | None) -> Iterator[int]:
    """Random legal columns, one third of them the favoured one."""
    while legal := reference.legal_actions():
        yield favoured if favoured in legal and rng.random() < 1 / 3 else rng.choice(legal)


def fill(reference: Reference, col: int) -> Iterator[int]:
    """One column to the top: the sides take turns, so no line arises."""
    while col in reference.legal_actions():
        yield col


@pytest.mark.parametrize("rows", range(4, 13))
def test_every_board_size_with_blocked_cells_agrees_with_the_reference(rows: int) -> None:
    """A fifth of the blocked cells, others at every size."""
    assert sweep(rows, 5) >= 1_200


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(4, 13))
def test_every_board_size_with_every_blocked_cell_agrees_with_the_reference(rows: int) -> None:
    assert sweep(rows, 1) >= 6_000  # 9 row counts: well over the 20 000 that the sweep promises


def sweep(rows: int, step: int) -> int:
    """Boards of all widths, with every so many-th cell blocked; the number of positions compared."""
    positions, boards = 0, 0
    for cols in range(4, 13):
        cells = [None, *((row, col) for row in range(rows) for col in range(cols))][(rows + cols) % step :: step]
        for blocked in cells:
            rng = random.Random(f"{rows} {cols} {blocked}")
            connect = rng.choice([n for n in (3, 4, 4, 5, 6) if n <= max(rows, cols)])
            options = {"rows": rows, "cols": cols, "connect": connect, "blocked": blocked}
            game = sf.game("connect_four", **options)
            reference = Reference(**options)
            count, jumped = walk(
                game.new(), reference, at_random(reference, rng, blocked[1] if blocked else None), blocked
            )
            positions += count
            assert reference.is_over(), "the random game was cut short"
            if blocked and not jumped:
                reference = Reference(**options)
                count, jumped = walk(game.new(), reference, fill(reference, blocked[1]), blocked)
                positions += count
                assert jumped == (blocked[0] > 0), "only a block in the top row is never jumped"
            boards += 1
    assert step > 1 or boards == 9 * (1 + rows * 8)  # 9 widths, 8 columns on average
    return positions


@pytest.mark.parametrize(
    ("rows", "cols", "connect"),
    [
        (rows, cols, connect)
        for rows, cols in [(4, 4), (4, 12), (12, 4), (6, 7), (7, 9), (12, 12)]
        for connect in (3, 4, 5, 6)
        if connect <= max(rows, cols)
    ],
)
def test_every_line_length_agrees_with_the_reference_on_boards_of_one_two_and_three_words(
    rows: int, cols: int, connect: int
) -> None:
    game, winners = sf.game("connect_four", rows=rows, cols=cols, connect=connect), set()
    rng = random.Random(connect)
    for _ in range(8):
        reference = Reference(rows, cols, connect)
        walk(game.new(), reference, at_random(reference, rng, None), None)
        winners.add(reference.winner)
    assert len(winners) > 1 or connect > 4  # more than one kind of ending was seen


def test_sequences_agree_with_the_reference_to_depth_five() -> None:
    def count(columns: list[int], depth: int) -> int:
        reference = Reference(4, 4, 3, (2, 1))
        for col in columns:
            reference.play(col)
        if depth == 0:
            return 1
        return sum(count([*columns, col], depth - 1) for col in reference.legal_actions())

    start = sf.game("connect_four", rows=4, cols=4, connect=3, blocked=(2, 1)).new()
    counted = [count([], depth) for depth in range(6)]
    assert sf.perft(start, 5, detail=True).per_ply == counted
    assert counted[5] < 4**5  # some games end before


@pytest.mark.parametrize("blocked", [None, (0, 1), (2, 2), (3, 0)])
def test_distinct_positions_agree_with_the_reference_over_a_whole_small_game(blocked: Cell | None) -> None:
    level, per_ply = {Reference(4, 4, 3, blocked).to_text(): []}, []
    while level:
        per_ply.append(len(level))
        below: dict[str, list[int]] = {}
        for columns in level.values():
            reference = Reference(4, 4, 3, blocked)
            for col in columns:
                reference.play(col)
            for col in reference.legal_actions():
                after = Reference(4, 4, 3, blocked)
                for each in [*columns, col]:
                    after.play(each)
                below[after.to_text()] = [*columns, col]
        level = below
        if len(per_ply) == 8:
            break
    start = sf.game("connect_four", rows=4, cols=4, connect=3, blocked=blocked).new()
    assert sf.perft(start, 7, distinct=True, detail=True).per_ply == per_ply
