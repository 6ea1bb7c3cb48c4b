"""A game at the terminal: people and players around one table, with undo, hints and records.

`Sitting` keeps the game going; what it looks like is the screen's business (screen.py).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.markup import escape

from sevenfold import players
from sevenfold._core import CHANCE, State
from sevenfold.advisers import adviser, with_seconds
from sevenfold.game import Game
from sevenfold.lang import explained, t
from sevenfold.players import Player
from sevenfold.records import Record, RecordWriter
from sevenfold.screen import Screen
from sevenfold.seen import is_quiet, is_seen

HUMAN = "human"
HINT_SECONDS = 1.0

COMMANDS = {
    "undo": "undo",
    "悔棋": "undo",
    "hint": "hint",
    "提示": "hint",
    "moves": "moves",
    "著法": "moves",
    "help": "help",
    "?": "help",
    "？": "help",
    "說明": "help",
    "resign": "resign",
    "認輸": "resign",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
    "離開": "quit",
}


class Leave(Exception):  # noqa: N818  # not an error
    """The person wants to go."""


def seat_names(game: Game, against: Sequence[str], seat: str, watch: bool, seed: int) -> list[str]:
    """Who sits where, by player number: "human" or a player's text.

    The person takes `seat` (from 1, or "random"); `against` fills the other seats in order, its last name all that
    are left. With `watch` nobody plays, and `against` fills every seat.
    """
    if watch:
        names = list(against) or ["random"]
        if HUMAN in names:
            raise ValueError(t("--watch is for games without people; leave out --against human."))
    else:
        names = list(against) or (["random"] if game.players > 1 else [])
    wanted = game.players if watch else game.players - 1
    if len(names) > wanted:
        raise ValueError(t("there are {wanted} seats for --against, not {given}.", wanted=wanted, given=len(names)))
    names += names[-1:] * (wanted - len(names))
    if watch:
        return names
    if seat == "random":
        mine = random.Random(seed).randrange(game.players)
    elif seat.isascii() and seat.isdigit() and 1 <= int(seat) <= game.players:
        mine = int(seat) - 1
    else:
        raise ValueError(
            t("--seat is a number from 1 to {players}, or random, not {seat!r}.", players=game.players, seat=seat)
        )
    return [*names[:mine], HUMAN, *names[mine:]]


@dataclass
class Sitting:
    """One or more games around one table."""

    game: Game
    names: list[str]
    """Who sits where: "human", or a player's text."""
    screen: Screen
    seed: int = 0
    adviser: str | None = None
    """The player that gives hints; None: the game's adviser."""
    writer: RecordWriter | None = None

    state: State = field(init=False)
    seats: list[Player | None] = field(init=False)
    """The players; None is a person."""
    past: list[State] = field(init=False)
    """The position before each action of the history."""
    told: dict[int | None, int] = field(init=False)
    """How many of those actions each viewer has been told of."""

    def __post_init__(self) -> None:
        self.people = [seat for seat, name in enumerate(self.names) if name == HUMAN]
        self.secretive = self.game.has_hidden_information and len(self.people) > 1
        self.quiet = is_quiet(self.game)  # a deal of many cards is shown, not told
        self._set_up()

    def _set_up(self) -> None:
        self.seats = [
            None if name == HUMAN else seated(name, self.game, self.seed + number)
            for number, name in enumerate(self.names)
        ]
        self.state = self.game.new(self.seed)
        self.past, self.told = [], {}

    def run(self) -> None:
        """Plays until the person leaves."""
        try:
            while self._one_game():
                self.seed += 1
                self._set_up()
        except Leave:
            self.screen.goodbye(t("Goodbye."))
        except EOFError:
            over = self.state.is_over
            self.screen.goodbye(t("Goodbye.") if over else t("The input has ended, and the game stops here."))

    def _one_game(self) -> bool:
        """One game with the question after it; whether another is wanted."""
        self.screen.opening(self.seed)
        if not self.people:
            self.screen.position(self.state, None, None, pause=True)
        try:
            while True:
                finished = self._play_on()
                if not self.people:
                    return False
                answer = self.screen.again()
                if answer == "leave":
                    raise Leave
                if answer == "again":
                    return True
                if finished:
                    self._undo()
        finally:
            # After the question, so that a game whose last move is taken back becomes one record, not two; and on
            # Ctrl-C, so that nothing is lost.
            if self.writer and self.state.history:
                self.writer.write(Record.of(self.state, self.names))
                if self.state.is_over:
                    self.screen.recorded(self.writer.path)

    def _play_on(self) -> bool:
        """Plays to the end; False where a person gave up."""
        last_person = self.people[0] if self.people else None
        while not self.state.is_over:
            mover = self.state.to_move
            if mover == CHANCE:
                self._happened(self.state.copy(), self.state.play_chance(), last_person)
            elif (player := self.seats[mover]) is None:
                if self.secretive and mover != last_person:
                    self.screen.hand_over(mover)
                last_person = mover
                if not self._person(mover):
                    return False
            else:
                with self.screen.thinking(self.names[mover]):
                    action = player.think(self.state).action
                self._play(action, last_person)
        self._tell(last_person)
        self.screen.position(self.state, last_person, self._last())
        self.screen.ending(self.state)
        return True

    def _play(self, action: int, viewer: int | None) -> None:
        before = self.state.copy()
        self.state.play(action)
        self._happened(before, action, viewer)

    def _happened(self, before: State, action: int, viewer: int | None) -> None:
        """Keeps what happened; with several people and hidden information each is told at their own turn."""
        self.past.append(before)
        if not self.secretive:
            self._tell(viewer)
        if not self.people and not self.state.is_over and not (self.quiet and before.to_move == CHANCE):
            self.screen.position(self.state, None, action, pause=True)

    def _tell(self, viewer: int | None) -> None:
        key = viewer if self.secretive else None
        for ply in range(self.told.get(key, 0), len(self.past)):
            before, action = self.past[ply], self.state.history[ply]
            if self.quiet and before.to_move == CHANCE:
                continue
            own = before.to_move in self.people if not self.secretive else before.to_move == viewer
            text = before.action_text(action) if is_seen(before, action, viewer) else None
            self.screen.move(before.to_move, action, text, own)
        self.told[key] = len(self.past)

    def _last(self) -> int | None:
        """The last action, if a player made it."""
        if not self.past or self.past[-1].to_move == CHANCE:
            return None
        return self.state.history[-1]

    def _person(self, mover: int) -> bool:
        """A person's turn, until they have moved; False where they give up."""
        self._tell(mover)
        self.screen.position(self.state, mover, self._last())
        while True:
            typed = self.screen.ask(self.state, mover)
            action, command = self._read(typed)
            if action is not None:
                self._play(action, mover)
                return True
            if command == "undo":
                if self._undo():
                    return True  # the loop shows the earlier position
                self.screen.say(t("There is nothing to take back: this is your first decision."))
            elif command == "hint":
                self._hint()
            elif command == "moves":
                self.screen.moves(self.state)
            elif command == "help":
                self.screen.help()
            elif command == "resign":
                self.screen.say(t("You give this game up."))
                return False
            elif command == "quit":
                raise Leave
            elif typed and (said := explained(self.game, typed.lstrip("?？ "))):
                self.screen.say(escape(said))
            elif typed:
                self.screen.say(
                    t("{typed} is not a move here; type [b]moves[/] to see yours, or [b]?[/] for help.",
                      typed=escape(repr(typed[:40])))
                )  # fmt: skip

    def _read(self, typed: str) -> tuple[int | None, str | None]:
        """A legal action, or a command. Moves come first: what a game calls its moves is its own affair."""
        if typed.startswith("/") and (command := COMMANDS.get(typed[1:].casefold())):
            return None, command
        try:
            return (self.state.parse_action(typed), None) if typed else (None, None)
        except ValueError:
            return None, COMMANDS.get(typed.casefold())

    def _undo(self) -> bool:
        """Goes back to the previous decision of a person; False where there is none."""
        for ply in range(len(self.past) - 1, -1, -1):
            if self.past[ply].to_move in self.people:
                self.state = self.past[ply]
                del self.past[ply:]
                self.told = {viewer: min(count, ply) for viewer, count in self.told.items()}
                return True
        return False

    def _hint(self) -> None:
        try:
            text = self.adviser or with_seconds(adviser(self.game), HINT_SECONDS)
            with self.screen.thinking(text):
                seat = seated(text, self.game, self.seed)
                result = seat.think(self.state)
        except ValueError as error:
            self.screen.say(t("No hint can be given: {reason}", reason=escape(str(error))))
            return
        self.screen.hint(self.state, seat.name, result)


def seated(text: str, game: Game, seed: int) -> Player:
    """A player with a seed of its own, unless its text gives one."""
    return players.player(text, game, **({} if "seed=" in text else {"seed": seed}))
