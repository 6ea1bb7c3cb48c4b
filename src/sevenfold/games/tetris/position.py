"""Positions of Tetris from what a program has at hand: `set_up(game, rows=…, queue=…)`, and a position's own facts.

A position's text (text.h) says everything; this writes it. Coordinates are those of the Tetris bot protocol."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sevenfold._core import State
from sevenfold._core import _tetris as core  # type: ignore[attr-defined]
from sevenfold.game import Game
from sevenfold.options import shown

PIECES = "IOTLJSZ"
ORIENTATIONS = ("north", "east", "south", "west")
SPINS = ("none", "mini", "full")


@dataclass(frozen=True)
class Placement:
    """A legal action of a position: where the piece comes to rest, by the centre of its true rotation."""

    action: int
    hold: bool
    piece: str
    orientation: str
    x: int
    y: int
    spin: str


def side_text(
    rows: Iterable[int] = (),
    queue: str = "",
    hold: str | None = None,
    bag: str | None = None,
    combo: int = 0,
    b2b: int | bool = -1,
    garbage: Sequence[int] = (),
    **more: int,
) -> str:
    """The text of a side: `rows` from the bottom, bit 0 the left column; `queue` with the current piece first; `bag`
    what is left in it after the queue (nothing or all: a full one); `combo` clears in a row; `b2b` a flag or the
    counter, -1 for none; `garbage` packets that wait, oldest first. `more`: attack, lines, pieces, score, hole …"""
    rows = list(rows)
    if any(isinstance(row, bool) or not isinstance(row, int) or row < 0 for row in rows):
        raise ValueError(f"rows are numbers of ten bits, not {shown(rows)}.")
    words = []
    if rows:
        words.append("board=" + ",".join(f"{row:x}" for row in rows))
    words.append(f"queue={queue}")
    if hold:
        words.append(f"hold={hold}")
    if bag and len(bag) < len(PIECES):
        words.append(f"bag={bag}")
    if b2b is True or b2b is False:
        b2b = int(b2b) - 1
    numbers = {"combo": combo, "b2b": b2b, **more}
    words += [f"{key}={value}" for key, value in numbers.items() if value != (-1 if key in ("b2b", "hole") else 0)]
    if garbage:
        words.append("garbage=" + ",".join(str(lines) for lines in garbage))
    return " ".join(words)


def set_up(game: Game, **side: Any) -> State:
    """A position of the solo game from the parts of `side_text`; a ValueError says what is wrong with them."""
    return game.parse(side_text(**side))


def set_up_versus(game: Game, sides: Sequence[dict[str, Any]], turn: int = 0) -> State:
    """A position of tetris_versus from two sides."""
    first, second = sides
    return game.parse(f"turn={turn} {side_text(**first)} | {side_text(**second)}")


def placements(state: State) -> list[Placement]:
    """The legal actions as placements; none where nobody is to move."""
    return [
        Placement(action, hold, piece, ORIENTATIONS[r], x, y, SPINS[spin])
        for action, hold, piece, r, x, y, spin in core.placements(state)
    ]


def find(state: State, piece: str, orientation: str, x: int, y: int, spin: str | None = None) -> int | None:
    """The legal action that fills these cells, whichever pose names them; without a spin, the best spin."""
    if orientation not in ORIENTATIONS or (spin is not None and spin not in SPINS) or piece not in tuple(PIECES):
        return None
    wanted = -1 if spin is None else SPINS.index(spin)
    action: int = core.find(state, piece, ORIENTATIONS.index(orientation), x, y, wanted)
    return None if action < 0 else action


def side(state: State, player: int | None = None) -> dict[str, Any]:
    """A side's facts: rows, queue, hold, bag, combo, b2b, garbage, due, attack, sent, lines, pieces, score, end …"""
    facts: dict[str, Any] = core.side(state, -1 if player is None else player)
    return facts
