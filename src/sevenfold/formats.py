"""What a game's records can be written as beside JSON lines: formats of its room, such as SGF or fumen.

A room says so in its `__init__.py`: `FORMATS = {"sgf": (write, read)}`, where `write(record)` is the text of a record
and `read(text, game)` the record of a text; both say in a ValueError what they cannot do. The page saves and loads
them.
"""

from collections.abc import Callable
from typing import NamedTuple

from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.records import Record

OWN = "jsonl"
"""The house's own format, which every game has."""


class Format(NamedTuple):
    """How records are written as another text, and read from it."""

    write: Callable[[Record], str]
    read: Callable[[str, Game], Record]


def formats(game: Game) -> dict[str, Format]:
    """All formats of a game by name, the house's own first."""
    own = {OWN: Format(lambda record: record.to_line() + "\n", lambda text, _: read_line(text))}
    added = getattr(game.room, "FORMATS", None)
    return own | ({name: Format(*pair) for name, pair in added.items()} if isinstance(added, dict) else {})


def format_of(game: Game, name: str) -> Format:
    """A format by its name; ValueError names those that there are."""
    there = formats(game)
    if name not in there:
        raise ValueError(f"records of {game.name} are written as {', '.join(there)}, not as {shown(name)}.")
    return there[name]


def read_line(text: str) -> Record:
    """The record of a text that is one line of JSON; it says itself of which game it is."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise ValueError(f"a record of one game is one line, not {len(lines)}.")
    try:
        return Record.from_line(lines[0])
    except ValueError as error:
        raise ValueError(f"this is no record: {error}") from None
