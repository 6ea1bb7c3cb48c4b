"""The yardstick of connect_four: positions in six classes with the outcome of every column, in `positions/`.

The classes are those of P. Pons' public test sets, which AlphaZero.jl measures itself by:

    L3 after more than 28 stones, L2 after 15 to 28, L1 after at most 14;
    R1 at most 14 stones before the end under perfect play, R2 15 to 28, R3 more.

A line is the moves, columns 1 to 7, and the outcome of each column for the side to move: `+` wins, `0` draws, `-`
loses, `x` does not win while another does, `.` is full. `python -m bench.yardstick_sets` makes our own sets; the
outcomes of other files, `--sets DIR`, are found once and kept in the user's cache, line by line as they are found.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sevenfold._core import State
from sevenfold._core import _connect_four as core  # type: ignore[attr-defined]
from sevenfold.game import Game
from sevenfold.games.connect_four import solved
from sevenfold.perft import run_watched
from sevenfold.yardstick import Position

CLASSES = ("L3_R1", "L2_R1", "L1_R1", "L2_R2", "L1_R2", "L1_R3")
"""From easy to hard."""
FOLDER = Path(__file__).parent / "positions"
SIGNS = {1: "+", 0: "0", -1: "-", -2: "x", None: "."}
BEST = "x-0+"
"""The signs from bad to good."""
LINE = re.compile(r"([1-7]*) ([-+0x.]{7})")
FOREIGN = re.compile(r"([1-7]*) (-?\d+)")
"""A line of Pons' files: the moves and the score, which says nothing about the columns."""


def cache_file() -> Path:
    """Where outcomes of positions that are not ours are kept."""
    return solved.cache_file().with_name("connect_four_outcomes.txt")


def stage(stones: int) -> str:
    """L1, L2 or L3."""
    return "L1" if stones <= 14 else "L2" if stones <= 28 else "L3"


def class_of(stones: int, score: int, cells: int = 42) -> str:
    """The class of a position from its score on Pons' scale, which says when the game ends."""
    left = left_until_end(stones, score, cells)
    return f"{stage(stones)}_{'R1' if left <= 14 else 'R2' if left <= 28 else 'R3'}"


def left_until_end(stones: int, score: int, cells: int = 42) -> int:
    """Stones until the end under perfect play: the winner's last one is number cells / 2 + 1 - |score| of its own."""
    if score == 0:
        return cells - stones
    seat = (stones + (score < 0)) % 2
    own = cells // 2 + 1 - abs(score)
    return 2 * own - 1 + seat - stones


def read(path: Path) -> dict[str, str]:
    """The outcomes of a file by moves. Lines that are none, such as one half written, are passed over."""
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return {}
    return {found[1]: found[2] for line in text.splitlines() if (found := LINE.fullmatch(line))}


def keep(path: Path, moves: str, outcomes: str) -> None:
    """Appends a line, at once and whole, also where several processes do; a folder that cannot be written to keeps
    nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    except OSError:
        return
    try:
        os.write(handle, f"\n{moves} {outcomes}".encode())  # the line break first: whatever is half there ends here
    finally:
        os.close(handle)


def kept_by(outcomes: str) -> frozenset[int]:
    """The columns that are as good as the best."""
    best = max(outcomes.replace(".", ""), key=BEST.index)
    return frozenset(column for column, sign in enumerate(outcomes) if sign == best)


def actions_of(moves: str) -> tuple[int, ...]:
    """Columns 1 to 7 as actions."""
    return tuple(int(sign) - 1 for sign in moves)


def outcomes(solver: Any, state: State, progress: Callable[[int], None] | None = None) -> str:
    """The outcome of each column, by `core.Solver`."""
    found = run_watched(lambda watch: solver.outcomes(state, None, watch), progress)
    if not found:
        raise KeyboardInterrupt
    return "".join(SIGNS[one] for one in found)


class FourYardstick:
    """See `sevenfold.yardstick.Standard`."""

    spec = "connect_four"
    published = {  # noqa: RUF012
        "AlphaZero.jl": {
            "L3_R1": "0", "L2_R1": "0", "L1_R1": "0", "L2_R2": "2–3", "L1_R2": "2", "L1_R3": "7–8",
        },
    }  # fmt: skip

    def __init__(self) -> None:
        self._solver: Any = None

    def sets(self, folder: Path | None) -> dict[str, list[Position]]:
        """Our own six sets, or those of the files of the same classes in a folder, by whatever name contains theirs."""
        if folder is None:
            found = {name: read(FOLDER / f"{name}.txt") for name in CLASSES}
            return {name: [_position(*item) for item in lines.items()] for name, lines in found.items()}
        if not folder.is_dir():
            raise ValueError(f"there is no folder {folder} with sets.")
        files = {name: path for name in CLASSES for path in sorted(folder.iterdir()) if name in path.name}
        if not files:
            raise ValueError(f"{folder} holds no file whose name contains one of {', '.join(CLASSES)}.")
        known = read(cache_file())
        return {name: list(_foreign(path, known)) for name, path in files.items()}

    def judge(self, game: Game, position: Position, progress: Callable[[int], None] | None = None) -> Position:
        """The position with the outcome of each column, by the solver; kept in the user's cache."""
        state = game.replay(list(position.actions))
        if self._solver is None:
            self._solver = core.Solver(game.new(), 512 << 20, core.Steps())
        moves, found = "".join(str(action + 1) for action in position.actions), outcomes(self._solver, state, progress)
        keep(cache_file(), moves, found)
        return _position(moves, found)


def _position(moves: str, outcomes: str) -> Position:
    return Position(actions_of(moves), kept_by(outcomes) if outcomes.strip(".") else None)


def _foreign(path: Path, known: dict[str, str]) -> Iterator[Position]:
    """The positions of a file of Pons' form or ours."""
    for number, line in enumerate(path.read_text(encoding="ascii", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        ours, theirs = LINE.fullmatch(line.strip()), FOREIGN.fullmatch(line.strip())
        if ours is None and theirs is None:
            raise ValueError(f"line {number} of {path} is not moves and a score, such as 32164625 11.")
        if theirs and int(theirs[2]) < 0:  # lost: no column gives anything away, and nothing has to be solved
            yield Position(actions_of(theirs[1]), frozenset(range(7)))
            continue
        moves = (ours or theirs)[1]  # type: ignore[index]
        verdict = ours[2] if ours else known.get(moves, ".......")
        yield _position(moves, verdict)


YARDSTICK = FourYardstick()
