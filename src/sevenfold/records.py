"""Game records: one JSON object per line, one line per game.

A record holds what is needed to replay the game exactly (game, version, options, seed, start, actions) and what is
known about it (seats, result, per-move data). Lines are written whole and flushed, so that a killed process loses at
most the line it was writing; a truncated last line is skipped with a warning by the reader and cut off by the writer.
"""

import json
import math
import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any

from sevenfold._core import TERMINAL, State
from sevenfold.game import Game, game_by_name
from sevenfold.options import shown

FORMAT = 1
START = b'{"format"'
"""How every line begins."""


@dataclass
class Record:
    """One game, finished or not."""

    game: str
    version: int
    """Of the rules: a record of other rules is refused, not misread."""
    options: dict[str, Any]
    actions: list[int]
    """Every action, chance outcomes included."""
    seed: int = 0
    start: str | None = None
    """The text of the position the actions start from; None: the initial one."""
    seats: list[str] = field(default_factory=list)
    """Who played, by player number."""
    result: list[float] | None = None
    """The returns at the end; None while the game is not over."""
    moves: list[dict[str, Any] | None] = field(default_factory=list)
    """Data about each action (value, time, …), aligned with `actions` where there is any."""
    about: dict[str, Any] = field(default_factory=dict)
    """Data about the game as a whole: which match it belongs to, who lost it by a fault; left out where empty."""

    @classmethod
    def of(cls, state: State, seats: Iterable[str] = (), moves: Iterable[dict[str, Any] | None] = ()) -> "Record":
        """The record of the game that led to a state."""
        if not state.replayable:
            raise ValueError("a redealt or mirrored world cannot be recorded: no moves lead to it.")
        rules = state.game
        record = cls(
            game=rules.name,
            version=rules.version,
            options=dict(rules.options),
            actions=list(state.history),
            seed=state.seed,
            start=state.start,
            seats=list(seats),
            result=state.returns() if state.to_move == TERMINAL else None,
            moves=list(moves),
        )
        record._check_counts(rules)
        return record

    def states(self, game: Game | None = None) -> Iterator[State]:
        """Every position of the game, the first one first. ValueError where the record does not fit the rules.

        game: needed only for a game that `sf.game` cannot find by name.
        """
        for state in self._replayed(game):
            yield state.copy()

    def _replayed(self, game: Game | None) -> Iterator[State]:
        """One state, as it is before the first action and after each."""
        game = game if game is not None else game_by_name(self.game, self.options)
        if (game.name, game.version) != (self.game, self.version):
            raise ValueError(
                f"this is a record of {shown(self.game)} v{shown(self.version)}; "
                f"the rules at hand are {game.name} v{game.version}."
            )
        if game.options != self.options:
            raise ValueError(f"this record of {self.game} was played with other options: {shown(self.options)}.")
        self._check_counts(game)
        state = game.replay([], self.seed, self.start)
        yield state
        for ply, action in enumerate(self.actions):
            try:
                state.play(action)
            except ValueError as error:
                raise ValueError(f"this record of {self.game} cannot be replayed: at ply {ply}, {error}") from error
            yield state
        if self.result is not None and (state.to_move != TERMINAL or not _equal(state.returns(), self.result)):
            raise ValueError(
                f"this record of {self.game} says the result is {shown(self.result)}, but its moves do not."
            )

    def replay(self, game: Game | None = None) -> State:
        """The last position, after checking every move and the result."""
        for state in self._replayed(game):  # noqa: B007  # the last one is wanted
            pass
        return state

    def to_line(self) -> str:
        """The record as one line of JSON."""
        data = asdict(self)
        if not self.about:
            del data["about"]
        return json.dumps({"format": FORMAT, **data}, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_line(cls, line: str) -> "Record":
        """The record in a line of JSON; ValueError with one sentence where there is none."""
        try:
            data = json.loads(line, parse_constant=_no_number, parse_float=_finite)
        except _NoNumberError as error:
            raise ValueError(f"it holds {error}, which is no number.") from None
        except (ValueError, RecursionError):
            raise ValueError("it is not JSON.") from None
        written = data.pop("format", None) if isinstance(data, dict) else None
        if type(written) is not int or written != FORMAT:
            raise ValueError(f"it is not a game record of format {FORMAT}.")
        known = {f.name for f in fields(cls)}
        if missing := [key for key in ("game", "version", "options", "actions") if key not in data]:
            raise ValueError(f"it lacks {', '.join(missing)}.")
        record = cls(**{key: value for key, value in data.items() if key in known})
        record._check()
        return record

    def _check(self) -> None:
        def numbers(values: object, *kinds: type) -> bool:
            return isinstance(values, list) and all(type(v) in kinds and abs(v) < 1e300 for v in values)

        wrong = [
            name
            for name, fine in {
                "game": isinstance(self.game, str),
                "version": type(self.version) is int,
                "options": isinstance(self.options, dict),
                "actions": numbers(self.actions, int),
                "seed": type(self.seed) is int and 0 <= self.seed < 2**64,
                "start": isinstance(self.start, str | None),
                "seats": isinstance(self.seats, list) and all(isinstance(seat, str) for seat in self.seats),
                "result": self.result is None or numbers(self.result, int, float),
                "moves": isinstance(self.moves, list) and all(isinstance(move, dict | None) for move in self.moves),
                "about": isinstance(self.about, dict),
            }.items()
            if not fine
        ]
        if wrong:
            raise ValueError(f"its {', '.join(wrong)} cannot be read.")

    def _check_counts(self, game: Game) -> None:
        """Refuses names and data that cannot be told apart by seat and by action."""
        if len(self.seats) not in (0, game.players):
            raise ValueError(
                f"this record of {self.game} names {len(self.seats)} of {game.players} seats; name all of them or none."
            )
        if len(self.moves) > len(self.actions):
            raise ValueError(
                f"this record of {self.game} has data about {len(self.moves)} moves, but {len(self.actions)} actions."
            )


class _NoNumberError(Exception):
    """Stands where JSON wants a number."""


def _no_number(text: str) -> float:
    """NaN and Infinity: Python's reader would take them, JSON has no such numbers."""
    raise _NoNumberError(text)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(shown(text, 20))


def _equal(a: list[float], b: list[float]) -> bool:
    return len(a) == len(b) and all(math.isclose(x, y, abs_tol=1e-9) for x, y in zip(a, b, strict=True))


def _is_json(line: bytes) -> bool:
    """Whether a line without an end is whole all the same."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


class RecordWriter:
    """Appends records to a file, each handed to the system before `write` returns: a killed process loses none."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("a+b", buffering=0)
        try:
            self._check_head()
            self._mend_tail()
        except BaseException:
            self._file.close()
            raise

    def _check_head(self) -> None:
        """Refuses to write into a file that is something else."""
        self._file.seek(0)
        head = self._file.read(len(START))
        if not head.startswith(START[: len(head)]):
            raise ValueError(f"{self.path} is not a file of game records; nothing was written to it.")

    def _mend_tail(self) -> None:
        """Cuts off a last line that a killed process left unfinished, so that the next record starts a line."""
        size = self._file.seek(0, os.SEEK_END)
        if size == 0:
            return
        start, chunk = size, b""
        while start > 0 and b"\n" not in chunk:
            step = min(65536, start)
            start -= step
            self._file.seek(start)
            chunk = self._file.read(step) + chunk
        if chunk.endswith(b"\n"):
            return
        tail = chunk[chunk.rfind(b"\n") + 1 :]
        if _is_json(tail):
            self._write(b"\n")
        else:
            warnings.warn(f"{self.path}: the last line was cut short and is removed.", stacklevel=3)
            self._file.truncate(size - len(tail))

    def write(self, record: Record) -> None:
        """Appends one record."""
        self._write(record.to_line().encode() + b"\n")

    def _write(self, line: bytes) -> None:
        """All of a line or nothing: what a full disk cut short is taken back."""
        size = self._file.seek(0, os.SEEK_END)
        try:
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
        except BaseException:
            self._file.truncate(size)
            raise

    def close(self) -> None:
        """Closes the file; `with` does it."""
        self._file.close()

    def __enter__(self) -> "RecordWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Appends records to a file."""
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The records of a file, one at a time.

    A truncated last line is skipped with a warning; a broken line before it is a ValueError that names the line.
    """
    for _, record in numbered_records(path):
        yield record


def numbered_records(path: str | os.PathLike[str]) -> Iterator[tuple[int, Record]]:
    """The same, each with the number of its line."""
    with Path(path).open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.strip():
                continue
            try:
                yield number, Record.from_line(raw.decode())
            except ValueError as error:
                if not raw.endswith(b"\n") and not _is_json(raw):
                    warnings.warn(f"{path}, line {number}: cut short and skipped.", stacklevel=3)
                    return
                reason = "it is not UTF-8." if isinstance(error, UnicodeError) else error
                raise ValueError(f"{path}, line {number} is not a record: {reason}") from None
