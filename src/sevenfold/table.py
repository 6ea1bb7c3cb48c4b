"""One game of a match: its board and opening, its players, its moves, and who lost it by a fault.

A player that raises, plays an illegal action, takes too long or ends its process has lost the game. That is also so
while it is made and while it is told that a new game begins (`reset`).
"""

import contextlib
import math
import operator
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sevenfold._core import CHANCE, TERMINAL, State
from sevenfold.game import Game
from sevenfold.game import game as game_named
from sevenfold.options import shown
from sevenfold.players import Player
from sevenfold.players import player as player_named
from sevenfold.records import Record
from sevenfold.schedule import Fixture
from sevenfold.seeds import seed_of

Entrant = str | type[Player] | Callable[[Game], Player]
"""A player's text ("uct:simulations=1000"), a class of players, or a function that makes one for a game."""

LIMITS = ("seconds=", "simulations=", "nodes=", "depth=")
"""How a player's text says how long it thinks."""
TO_START = 60.0
"""Seconds that a player may take to be made, where the match has a time limit."""


def late(seconds: float) -> float:
    """The time from which on a move is late: the clock of a busy machine may err by a little."""
    return seconds * 1.05 + 0.05


def hopeless(seconds: float) -> float:
    """The time after which a player that has not returned is taken to never return."""
    return seconds * 2 + 2


@dataclass(frozen=True)
class Played:
    """One game of a match."""

    number: int
    round: int
    seats: list[int]
    """Which player sat where."""
    returns: list[float]
    """The returns by seat; minus infinity for who lost by a fault, and 0 for the others then."""
    record: Record
    fault: str | None = None
    """Who broke down, and how; that player has lost."""

    @cached_property
    def points(self) -> dict[int, float]:
        """Points by player: 1 for a win, a half for a draw; in a solo game its return.

        With more than two seats: the share of the others' seats it did better than, a tie counting half, on average
        over its own seats.
        """
        if len(self.seats) == 1:
            return {self.seats[0]: self.returns[0]}
        everyone = set(self.seats)
        return {who: sum(self.against(who, other) for other in everyone - {who}) / (len(everyone) - 1)
                for who in everyone}  # fmt: skip

    def against(self, one: int, other: int) -> float:
        """The points of one player against another: the share of the pairs of their seats that it won."""
        mine = [value for value, who in zip(self.returns, self.seats, strict=True) if who == one]
        theirs = [value for value, who in zip(self.returns, self.seats, strict=True) if who == other]
        return sum((a > b) + (a == b) / 2 for a in mine for b in theirs) / (len(mine) * len(theirs))


class Notes:
    """Where a game notes how far it is, for whoever watches over it; this one keeps nothing."""

    def thinking(self, seat: int, seconds: float) -> None:
        """A player has been given the word, for at most so long (infinity: no limit)."""

    def nobody(self) -> None:
        """No player has the word."""

    def played(self, action: int) -> None:
        """An action was played."""


class BrokenGame(ValueError):  # noqa: N818
    """The rules themselves failed: no player's fault, and no match can go on."""


@dataclass(frozen=True)
class Table:
    """What a worker needs to play any game of a match."""

    game: Game | str
    preset: str | None
    players: Sequence[Entrant]
    seed: int = 1
    opening_plies: int = 0
    seconds: float | None = None
    names: Sequence[str] = ()
    id: str = ""
    """Of the match; records carry it."""

    def rules(self, opening: int) -> Game:
        """The game, with the board that an opening draws from the preset."""
        if isinstance(self.game, Game) and self.preset is None:
            return self.game
        spec = self.game.spec if isinstance(self.game, Game) else self.game
        return game_named(spec, preset=self.preset, seed=seed_of(self.seed, opening, "board"))

    def opened(self, rules: Game, opening: int) -> State:
        """The start of a round: the opening's deal, and so many random moves; never a finished game."""
        seed = seed_of(self.seed, opening, "opening")
        for attempt in range(1000):
            rng = random.Random(seed + attempt)
            state = rules.new(seed)
            for _ in range(self.opening_plies):
                while state.to_move == CHANCE:
                    state.play_chance()
                if state.to_move == TERMINAL:
                    break
                state.play(rng.choice(state.legal_actions()))
            if state.to_move != TERMINAL:
                return state
        raise ValueError(
            f"{self.opening_plies} random plies end every game of {rules.name}; take fewer for the opening."
        )

    def check(self, notes: Notes) -> None:
        """ValueError where the match cannot be played; a player that breaks down otherwise loses its games instead."""
        rules = self.rules(0)
        self.opened(rules, 0)
        for entrant in self.players:
            notes.thinking(0, self._to_start())
            try:
                _close(self._made(entrant, rules, 0))
            except ValueError:
                raise
            except Exception:
                continue

    def play(self, fixture: Fixture, notes: Notes) -> Played:
        """One game, whatever its players do."""
        try:
            rules = self.rules(fixture.opening)
            state = self.opened(rules, fixture.opening)
            return _Game(self, fixture, notes, rules, state).run()
        except Exception as error:
            if isinstance(error, ValueError) and not _of_the_rules(error):
                raise  # it has a sentence
            raise BrokenGame(f"game {fixture.number} cannot be played: {said(error)}") from error

    def lost(self, fixture: Fixture, actions: Sequence[int], seat: int, reason: str) -> Played:
        """The game of a worker that is gone: the player that had the word has lost."""
        state = self.opened(self.rules(fixture.opening), fixture.opening)
        for action in actions:
            state.play(action)
        return self.ended(fixture, state, [], (seat, reason))

    def ended(
        self, fixture: Fixture, state: State, moves: list[dict[str, Any] | None], fault: tuple[int, str] | None
    ) -> Played:
        """The result of a game that is over, or that a player lost by a fault."""
        record = Record.of(state, [self.names[who] for who in fixture.seats], moves)
        record.about = {"match": self.id, "number": fixture.number}
        if fault:
            seat, reason = fault
            who = self.names[fixture.seats[seat]]
            text = f"{who} lost game {fixture.number} at ply {len(state.history)}: {reason}"
            record.about |= {"lost_by": seat, "fault": text}
        return read(fixture, record, state.game.min_return)

    def _to_start(self) -> float:
        return math.inf if self.seconds is None else max(TO_START, hopeless(self.seconds))

    def _made(self, entrant: Entrant, rules: Game, seed: int) -> Player:
        if isinstance(entrant, str):
            options: dict[str, Any] = {} if "seed=" in entrant else {"seed": seed}
            if self.seconds is not None and not any(limit in entrant for limit in LIMITS):
                with contextlib.suppress(ValueError):  # not every player has a clock
                    return player_named(entrant, rules, seconds=self.seconds, **options)
            return player_named(entrant, rules, **options)
        made = entrant(rules, seed=seed) if isinstance(entrant, type) else entrant(rules)
        if not callable(getattr(made, "think", None)):
            raise ValueError(f"{name_of(entrant)} makes no player, but {shown(made)}.")
        return made


def name_of(entrant: Entrant) -> str:
    """What a player is called."""
    if isinstance(entrant, str):
        return entrant
    if isinstance(entrant, Player) or not callable(entrant):
        raise ValueError(f"a player is given by its text, or by a function that makes one, not as {shown(entrant)}.")
    return str(getattr(entrant, "name", None) or getattr(entrant, "__name__", None) or type(entrant).__name__)


def read(fixture: Fixture, record: Record, lowest: float) -> Played:
    """What a record says of a game of a match. lowest: what a solo game that was lost by a fault counts."""
    loser, fault = record.about.get("lost_by"), record.about.get("fault")
    if loser is None:
        returns = list(record.result or [])
    elif len(fixture.seats) == 1:
        returns = [lowest]
    else:
        returns = [-math.inf if seat == loser else 0.0 for seat in range(len(fixture.seats))]
    return Played(fixture.number, fixture.round, list(fixture.seats), returns, record, fault)


def _of_the_rules(error: BaseException) -> list[str]:
    """What the core notes about an exception of a game that is written in Python."""
    return [note for note in getattr(error, "__notes__", []) if note.startswith("raised by")]


def said(error: BaseException) -> str:
    """An exception in one short sentence, and where a Python game raised it."""
    notes = _of_the_rules(error)
    text = f"{type(error).__name__}: {shown(str(error), 300)[1:-1]}" if str(error) else type(error).__name__
    return f"{text.rstrip('.')}{f' ({notes[0]})' if notes else ''}."


class _Fault(Exception):  # noqa: N818  # the player's, not ours
    """A player has lost by this."""


@dataclass
class _Game:
    """A game under way."""

    table: Table
    fixture: Fixture
    notes: Notes
    rules: Game
    state: State
    seated: list[Player] = field(default_factory=list)
    moves: list[dict[str, Any] | None] = field(default_factory=list)

    def run(self) -> Played:
        seat = 0
        fault = None
        self.moves = [None] * len(self.state.history)
        try:
            for seat in range(len(self.fixture.seats)):
                self._seat(seat)
            while self.state.to_move != TERMINAL:
                seat = self.state.to_move
                if seat == CHANCE:
                    self._note(self.state.play_chance(), None)
                else:
                    self._move(seat)
        except _Fault as broken:
            fault = (seat, str(broken))
        finally:
            self.notes.nobody()
            for player in self.seated:
                _close(player)
        return self.table.ended(self.fixture, self.state, self.moves, fault)

    def _seat(self, seat: int) -> None:
        entrant = self.table.players[self.fixture.seats[seat]]
        self.notes.thinking(seat, self.table._to_start())
        try:
            player = self.table._made(
                entrant, self.rules, seed_of(self.table.seed, self.fixture.number, f"seat {seat}")
            )
            self.seated.append(player)
            player.reset()
            player.prepare()
        except (Exception, SystemExit) as error:
            raise _Fault(said(error)) from error
        self.notes.nobody()

    def _move(self, seat: int) -> None:
        seconds = self.table.seconds
        copy = self.state.copy()
        self.notes.thinking(seat, math.inf if seconds is None else hopeless(seconds))
        start = time.perf_counter()
        try:
            result = self.seated[seat].think(copy)
            took = time.perf_counter() - start
            action = operator.index(result.action)
            legal = action in self.state.legal_actions()
        except (Exception, SystemExit) as error:
            if _of_the_rules(error):
                raise BrokenGame(f"game {self.fixture.number} cannot be played: {said(error)}") from error
            raise _Fault(said(error)) from error
        self.notes.nobody()
        if seconds is not None and took > late(seconds):
            raise _Fault(f"it took {took:.3f} s of {seconds:g} s.")
        if not legal:
            raise _Fault(f"{shown(action)} is not a legal action.")
        self.state.play(action)
        self._note(action, {"seconds": round(took, 4)} | _said_of(result))

    def _note(self, action: int, about: dict[str, Any] | None) -> None:
        self.notes.played(action)
        self.moves.append(about)


def _said_of(result: Any) -> dict[str, Any]:
    """What a player said about its move, where JSON can hold it; a player may well say nonsense."""
    try:
        values, nodes = [float(value) for value in result.values], operator.index(result.nodes)
    except (TypeError, ValueError, AttributeError):
        return {}
    return {"values": values, "nodes": nodes} if all(map(math.isfinite, values)) else {"nodes": nodes}


def _close(player: Any) -> None:
    """Ends what a player has running, where it has a word for it (an engine in a process of its own)."""
    close = getattr(player, "close", None)
    if callable(close):
        with contextlib.suppress(Exception):  # the game is over: it has lost nothing by this
            close()
