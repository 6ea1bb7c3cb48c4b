"""The Tetris Bot Protocol: its messages, read strictly and written. One JSON object per line, each with a `type`.

    bot       info, ready | error, suggestion
    frontend  rules, start, suggest, play, new_piece, stop, quit

https://github.com/tetris-bot-protocol/tbp-spec (0000 the protocol, 0001 `randomizer`, 0003 `move_info`). Types and
attributes that nobody knows are ignored, as it asks for: `read` gives None for such a message. What is known and wrong
is a ValueError of one sentence.

A position is that of docs/how-to/tbp.md: rows from the bottom, ten signs each, `.` empty, a piece's letter or `G`.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sevenfold.options import shown

PIECES = "IOTLJSZ"
ORIENTATIONS = ("north", "east", "south", "west")
SPINS = ("none", "mini", "full")
WIDTH, HEIGHT = 10, 40
RANDOMIZERS = ("uniform", "seven_bag", "general_bag", "unknown")
MAX_QUEUE = 1000
MAX_COMBO = 100_000
MAX_AT = 100


@dataclass(frozen=True)
class Move:
    """A piece where it is placed. x and y are those of its centre, from the left and from the bottom."""

    kind: str
    orientation: str
    x: int
    y: int
    spin: str = "none"

    def __str__(self) -> str:
        spin = "" if self.spin == "none" else f" {self.spin} spin"
        return f"{self.kind} {self.orientation} at {self.x},{self.y}{spin}"

    def to_json(self) -> dict[str, Any]:
        """As in a message."""
        location = {"type": self.kind, "orientation": self.orientation, "x": self.x, "y": self.y}
        return {"location": location, "spin": self.spin}


@dataclass(frozen=True)
class Info:
    """Who the bot is."""

    name: str
    version: str
    author: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ready:
    """The bot can play by the rules it was told."""


@dataclass(frozen=True)
class Error:
    """It cannot."""

    reason: str


@dataclass(frozen=True)
class Suggestion:
    """Moves, the best first; none: the bot gives up."""

    moves: tuple[Move, ...]
    info: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rules:
    """What is played."""

    randomizer: str = "unknown"


@dataclass(frozen=True)
class Start:
    """A position to think about."""

    board: tuple[str, ...]
    queue: str
    """The current piece and those that follow."""
    hold: str | None = None
    combo: int = 0
    """Placements in a row, up to now, that have cleared lines."""
    back_to_back: bool = False
    randomizer: str = "unknown"
    bag: str | None = None
    """What is left in the bag after the queue, in a game of seven_bag."""

    def to_json(self) -> dict[str, Any]:
        """As in a message."""
        out: dict[str, Any] = {"type": "start", "hold": self.hold, "queue": [*self.queue], "combo": self.combo}
        rows = [*self.board, *["." * WIDTH] * (HEIGHT - len(self.board))]
        out |= {"back_to_back": self.back_to_back}
        out["board"] = [[None if cell == "." else cell for cell in row] for row in rows]
        if self.randomizer == "seven_bag" and self.bag is not None:
            out["randomizer"] = {"type": "seven_bag", "bag_state": [*(self.bag or PIECES)]}
        elif self.randomizer == "uniform":
            out["randomizer"] = {"type": "uniform"}
        return out


@dataclass(frozen=True)
class Suggest:
    """The bot is asked."""


@dataclass(frozen=True)
class Play:
    """A move was made."""

    move: Move


@dataclass(frozen=True)
class NewPiece:
    """A piece has come to the end of the queue."""

    piece: str


@dataclass(frozen=True)
class Stop:
    """The game is over, or the bot shall not think."""


@dataclass(frozen=True)
class Quit:
    """The bot shall leave."""


FromFrontend = Rules | Start | Suggest | Play | NewPiece | Stop | Quit
FromBot = Info | Ready | Error | Suggestion


def from_frontend(line: str) -> FromFrontend | None:
    """A message to a bot; None where its type is unknown."""
    data = _object(line)
    match data["type"]:
        case "rules":
            told = data.get("randomizer")
            return Rules(told if isinstance(told, str) and told in RANDOMIZERS else "unknown")
        case "start":
            return _start(data)
        case "play":
            return Play(_move(_needed(data, "move", "play")))
        case "new_piece":
            return NewPiece(_piece(_needed(data, "piece", "new_piece")))
        case "suggest":
            return Suggest()
        case "stop":
            return Stop()
        case "quit":
            return Quit()
    return None


def from_bot(line: str) -> FromBot | None:
    """A message of a bot; None where its type is unknown."""
    data = _object(line)
    match data["type"]:
        case "info":
            texts = [_text(_needed(data, key, "info"), key) for key in ("name", "version", "author")]
            features = _needed(data, "features", "info")
            if not isinstance(features, list) or not all(isinstance(one, str) for one in features):
                _wrong("features", "a list of texts", features)
            return Info(texts[0], texts[1], texts[2], tuple(features))
        case "ready":
            return Ready()
        case "error":
            return Error(_text(_needed(data, "reason", "error"), "reason"))
        case "suggestion":
            moves = _needed(data, "moves", "suggestion")
            if not isinstance(moves, list):
                _wrong("moves", "a list", moves)
            return Suggestion(tuple(_move(move) for move in moves), _move_info(data.get("move_info")))
    return None


def written(message: dict[str, Any]) -> str:
    """A message as its line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"


def suggestion(moves: Sequence[Move], info: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer of a bot."""
    out: dict[str, Any] = {"type": "suggestion", "moves": [move.to_json() for move in moves]}
    return out | ({"move_info": info} if info else {})


def bag_fits(queue: str, bag: str) -> bool:
    """Whether a queue may end where this is left of a bag of seven."""
    used = len(PIECES) - len(bag)
    if len(set(bag)) < len(bag) or not set(bag) <= set(PIECES) or used == len(PIECES):
        return False
    parts = [queue[max(0, len(queue) - used) :]] if used else []
    end = len(queue) - used
    while end > 0:
        parts.append(queue[max(0, end - len(PIECES)) : end])
        end -= len(PIECES)
    return all(len(set(part)) == len(part) for part in parts) and not (used and set(parts[0]) & set(bag))


def _object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"a message must be JSON on one line, not {shown(line)}.") from None
    if not isinstance(data, dict):
        raise ValueError(f"a message must be a JSON object, not {shown(data)}.")
    if not isinstance(data.get("type"), str):
        raise ValueError(f"a message must have a type, and {shown(line)} has none.")
    return data


def _needed(data: dict[str, Any], key: str, what: str) -> Any:
    if key not in data:
        raise ValueError(f"a message '{what}' must have '{key}'.")
    return data[key]


def _wrong(key: str, wanted: str, value: object) -> NoReturn:
    raise ValueError(f"'{key}' must be {wanted}, not {shown(value)}.")


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        _wrong(key, "a text", value)
    return value


def _piece(value: Any, key: str = "piece") -> str:
    if not isinstance(value, str) or len(value) != 1 or value not in PIECES:
        _wrong(key, "one of I, O, T, L, J, S, Z", value)
    return value


def _number(value: Any, key: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        _wrong(key, f"a whole number from {low} to {high}", value)
    return int(value)


def _move(value: Any) -> Move:
    if not isinstance(value, dict):
        _wrong("move", "an object", value)
    location = _needed(value, "location", "move")
    if not isinstance(location, dict):
        _wrong("location", "an object", location)
    kind = _piece(_needed(location, "type", "location"), "type")
    orientation = _needed(location, "orientation", "location")
    if orientation not in ORIENTATIONS:
        _wrong("orientation", "one of north, east, south, west", orientation)
    x, y = (_number(_needed(location, key, "location"), key, -MAX_AT, MAX_AT) for key in "xy")
    spin = _needed(value, "spin", "move")
    if spin not in SPINS:
        _wrong("spin", "one of none, mini, full", spin)
    return Move(kind, orientation, x, y, spin)


def _start(data: dict[str, Any]) -> Start:
    hold = _needed(data, "hold", "start")
    if hold is not None:
        hold = _piece(hold, "hold")
    queue = _needed(data, "queue", "start")
    if not isinstance(queue, list) or len(queue) > MAX_QUEUE:
        _wrong("queue", f"a list of at most {MAX_QUEUE} pieces", queue)
    pieces = "".join(_piece(piece, "queue") for piece in queue)
    combo = _number(_needed(data, "combo", "start"), "combo", 0, MAX_COMBO)
    back_to_back = _needed(data, "back_to_back", "start")
    if type(back_to_back) is not bool:
        _wrong("back_to_back", "true or false", back_to_back)
    board = _board(_needed(data, "board", "start"))
    kind, bag = _randomizer(data.get("randomizer"))
    return Start(board, pieces, hold, combo, back_to_back, kind, bag)


def _board(rows: Any) -> tuple[str, ...]:
    if not isinstance(rows, list) or len(rows) != HEIGHT:
        count = f"{len(rows)} of them" if isinstance(rows, list) else shown(rows)
        raise ValueError(f"'board' must be {HEIGHT} rows, the lowest first, not {count}.")
    out = []
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != WIDTH:
            _wrong("board", f"made of rows of {WIDTH} cells", row)
        for cell in row:
            if cell is not None and not (isinstance(cell, str) and len(cell) == 1 and cell in PIECES + "G"):
                _wrong("board", "made of null, pieces and 'G'", cell)
        out.append("".join(cell or "." for cell in row))
        if "." not in out[-1]:
            raise ValueError(f"row {number} of the board is full, which no position is.")
    return tuple(out)


def _randomizer(value: Any) -> tuple[str, str | None]:
    """The kind, and what is left in the bag; an unknown kind is none."""
    if value is None or not isinstance(value, dict) or value.get("type") not in RANDOMIZERS:
        return "unknown", None
    if value["type"] == "seven_bag":
        bag = _needed(value, "bag_state", "randomizer")
        if not isinstance(bag, list) or not bag or len(bag) > len(PIECES):
            _wrong("bag_state", "a list of one to seven pieces", bag)
        return "seven_bag", "".join(_piece(piece, "bag_state") for piece in bag)
    if value["type"] == "general_bag":
        for key in ("current_bag", "filled_bag"):
            counts = _needed(value, key, "randomizer")
            if not isinstance(counts, dict) or not any(counts.get(piece) for piece in PIECES):
                _wrong(key, "the numbers of the pieces in a bag, not all zero", counts)
            for piece in PIECES:
                _number(counts.get(piece, 0), key, 0, MAX_COMBO)
    return value["type"], None


def _move_info(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        _wrong("move_info", "an object", value)
    for key in ("nodes", "nps", "depth"):
        number = value.get(key, 0)
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            _wrong(key, "a number", number)
    if not isinstance(value.get("extra", ""), str):
        _wrong("extra", "a text", value["extra"])
    return {key: value[key] for key in ("nodes", "nps", "depth", "extra") if key in value}
