"""The player `thu`: a shared library with the interface of Tsinghua's course, `thu:path/to/x.so`.

`extern "C" Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX, const int
lastY, const int noX, const int noY)` and `extern "C" void clearPoint(Point* p)` with `struct Point { int x; int y; }`.
The library is loaded by thu_child.py, in a process of its own for each game: what it breaks there is only its game.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from sevenfold._core import State
from sevenfold.engine import check_seconds
from sevenfold.games.connect_four import harness
from sevenfold.options import shown
from sevenfold.players import Player, SearchResult
from sevenfold.process import Program

CHILD = Path(__file__).with_name("thu_child.py")


@dataclass
class ThuPlayer(Player):
    """A library written for the course's harness."""

    name: ClassVar[str] = "thu"
    takes: ClassVar[str] = "library"
    library: str = ""
    """The path of the shared library."""
    seconds: float = 3.0
    """Time per decision; a library that takes longer is ended."""
    startup: float = 10.0
    """Time to load it."""

    _program: Program | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_seconds(self, "seconds", "startup")
        if self.game.options["connect"] != 4:
            raise ValueError(f"thu: these libraries play with four in a row, not {self.game.options['connect']}.")
        if not self.library:
            raise ValueError("thu needs a library, such as thu:path/to/x.so.")
        if "\0" in self.library or not os.path.isfile(self.library):
            raise ValueError(f"thu: there is no file {shown(self.library)}.")

    def reset(self) -> None:
        """Ends the process; the next game gets another."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def prepare(self) -> None:
        """Loads the library."""
        self._loaded()

    def think(self, state: State) -> SearchResult:
        """Asks the library. An EngineError where it fails; it is loaded anew the next time."""
        legal = self._legal(state)
        grid = harness.grid_of(state)
        program = self._loaded()
        try:
            program.send(request(state, grid), self.seconds)
            answer = program.line()
            try:
                row, col = map(int, answer.split())
            except ValueError:
                program.fail(f"gave no point: {shown(answer)}")
            if col not in legal or harness.landing(grid, col) != row:
                program.fail(f"answered row {row}, column {col}, where no stone can land")
        except BaseException:
            self.reset()
            raise
        policy = [float(each == col) for each in range(self.game.actions)]
        return SearchResult(col, policy, [0.0] * self.game.players, [col], seconds=program.elapsed)

    def _loaded(self) -> Program:
        if self._program is None:
            command = [sys.executable, "-I", "-S", str(CHILD), os.path.abspath(self.library)]
            program = Program(command, f"the library {shown(self.library)}")
            program.send("", self.startup)
            if (answer := program.line()) != "ready":
                program.fail(f"cannot be used: {shown(answer)[1:-1]}")
            self._program = program
        return self._program


def request(state: State, grid: harness.Grid) -> str:
    """One line of numbers: the arguments of getPoint."""
    rows, cols, me = len(grid), len(grid[0]), state.to_move
    last = state.history[-1] if state.history and state.replayable else None  # a mirrored position has no last move
    point = (-1, -1) if last is None else (harness.highest(grid, last), last)
    board = [cell for row in harness.numbers_of(grid, me) for cell in row]
    numbers = [rows, cols, *harness.tops_of(grid), *board, *point, *harness.blocked_of(state.game)]
    return " ".join(map(str, numbers)) + "\n"
