"""The engine's side of our own protocol (docs/reference/protocol.md): `sevenfold engine GAME`."""

import json
from typing import Any, BinaryIO

from sevenfold._core import State
from sevenfold.engine import VERSION
from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.protocols.reading import Input
from sevenfold.protocols.seat import Seat, check_open, with_options

SHARE = 0.92
"""The part of the time it is given that an engine uses: the way there and back counts as well."""


class Engine:
    """What an engine knows between two requests."""

    def __init__(self, game: Game, spec: str) -> None:
        check_open(game)
        self.game, self.spec = game, spec
        self.seat = Seat(spec, game)
        self.start: str | None = None
        self.moves: list[int] | None = None
        self.legal: list[int] | None = None

    def play_game(self, rest: str) -> None:
        """game NAME OPTIONS: the same game, perhaps with other options."""
        name, _, text = rest.partition(" ")
        options = _read_json(text, dict, "the options of a game")
        if name != self.game.name:
            raise ValueError(f"this engine plays {self.game.name}, not {shown(name)}.")
        self.game = with_options(self.game, options)

    def begin(self, rest: str) -> None:
        """new seed=N."""
        seed = _pairs(rest).get("seed", "0")
        if not (seed.isascii() and seed.isdigit() and len(seed) < 20):
            raise ValueError(f"new takes seed=N, not {shown(rest)}.")
        self.seat = Seat(self.spec, self.game, int(seed))
        self.start = self.moves = self.legal = None

    def state(self) -> State:
        """The position that was told, checked against the actions that are legal there for the other side."""
        if self.moves is None:
            raise ValueError("go must come after moves.")
        state = self.game.replay(self.moves, 0, self.start)
        if self.legal is not None and state.to_move >= 0 and sorted(self.legal) != sorted(state.legal_actions()):
            raise ValueError(f"the rules differ: here the legal actions are {shown(state.legal_actions())}.")
        self.start = self.moves = self.legal = None
        return state

    def go(self, rest: str, clock: float) -> str:
        """go seat=N seconds=S: the answer."""
        told = _pairs(rest)
        state = self.state()
        if told.get("seat", str(state.to_move)) != str(state.to_move) or state.to_move < 0:
            raise ValueError(f"it is not the turn of seat {shown(told.get('seat', 'none'))} after these moves.")
        try:
            seconds = float(told.get("seconds", "3"))
        except ValueError:
            seconds = -1
        if not 0 < seconds < 1e6:
            raise ValueError(f"go takes seconds=S with a number above 0, not {shown(rest)}.")
        result = self.seat.think(state, clock + SHARE * seconds)
        words = [f"move {result.action}"]
        if result.values:
            words.append("values=" + ",".join(f"{value:.6g}" for value in result.values))
        if result.pv:
            words.append("pv=" + ",".join(map(str, result.pv)))
        return " ".join([*words, f"nodes={result.nodes}"])


def run(source: BinaryIO, out: BinaryIO, game: Game, spec: str) -> None:
    """Answers requests until the input ends or `quit` comes."""
    engine, incoming = Engine(game, spec), Input(source)

    def say(line: str) -> None:
        out.write(line.encode() + b"\n")
        out.flush()

    greeted = False
    while (line := incoming.line()) is not None:
        word, _, rest = line.partition(" ")
        if word == "quit":
            return
        if word == "sevenfold":
            if rest.strip() != str(VERSION):
                raise ValueError(f"this engine speaks version {VERSION} of the protocol, not {shown(rest)}.")
            greeted = True
            say(f"ready sevenfold {engine.seat.player.name}")
        elif not greeted:
            raise ValueError(f"the first line must be 'sevenfold {VERSION}', not {shown(line)}.")
        elif word == "game":
            engine.play_game(rest)
        elif word == "new":
            engine.begin(rest)
        elif word == "start":
            engine.start = _read_json(rest, str, "the start of a game")
        elif word == "moves":
            engine.moves = _actions(rest)
        elif word == "legal":
            engine.legal = _actions(rest)
        elif word == "go":
            say(engine.go(rest, incoming.clock))
            incoming.answered()


def _pairs(text: str) -> dict[str, str]:
    """key=value words."""
    return {key: value for key, _, value in (word.partition("=") for word in text.split())}


def _actions(text: str) -> list[int]:
    words = text.split()
    if wrong := [word for word in words if not (word.isascii() and word.isdigit() and len(word) < 10)]:
        raise ValueError(f"actions are told by their numbers, not as {shown(wrong[0])}.")
    return [int(word) for word in words]


def _read_json(text: str, kind: type, what: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise ValueError(f"{what} must be written as JSON, not {shown(text)}.")
    return value
