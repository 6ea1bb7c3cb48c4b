"""What a game at the terminal looks like to people; json_screen.py is the same for programs.

A screen shows and asks; it keeps no game. It is given the viewer whose eyes it shows the game to: under hidden
information only `state.view(viewer)` may appear, and `viewer` None (nobody plays, somebody watches) sees everything.
"""

import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from shlex import quote

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sevenfold._core import CHANCE, State
from sevenfold.game import Game
from sevenfold.lang import drawn, of_room, t, title
from sevenfold.picture import picture
from sevenfold.players import SearchResult

FEW = 14
"""As many legal moves as are shown in the prompt itself."""
MANY = 200
"""As many legal moves as `moves` lists."""
SEAT = re.compile(r"^(?:player|玩家) (\d)(?!\d)", re.MULTILINE)
"""A line of a drawing that is about a seat, by its number from 1; its sign says who that is."""
PAUSE = 0.5
"""Seconds between two moves that a person only watches."""


def console(stderr: bool = False) -> Console:
    """A console that shows texts as they are: no emoji codes, no guessing at numbers and paths."""
    return Console(stderr=stderr, emoji=False, highlight=False)


class Screen:
    """A game for people, in lines that scroll."""

    def __init__(self, game: Game, seats: Sequence[str], out: Console | None = None) -> None:
        self.game = game
        self.seats = list(seats)
        """Who sits where: "human", or a player's name."""
        self.out = out or console()
        self.people = [seat for seat, name in enumerate(seats) if name == "human"]

    def name(self, seat: int) -> str:
        """A seat's name in markup."""
        if seat == CHANCE:
            return t("Chance")
        sign = self._sign(seat)
        if self.people == [seat]:
            return t("You") + sign
        if self.seats[seat] == "human":
            return t("Player {number}", number=seat + 1) + sign
        alike = self.seats.count(self.seats[seat]) > 1 and not sign
        return escape(self.seats[seat]) + (f" {seat + 1}" if alike else "") + sign

    def _sign(self, seat: int) -> str:
        """A seat's sign, where the room has signs that can be shown here, and a space before it."""
        signs = getattr(self.game.room, "SEATS", ())
        return f" {signs[seat]}" if seat < len(signs) and _can_show(signs[seat], self.out.encoding) else ""

    def line(self, markup: str = "", style: str = "") -> None:
        """One line or paragraph of markup."""
        self.out.print(Text.from_markup(markup, style=style, emoji=False))

    def opening(self, seed: int) -> None:
        """The first lines: what is played, by whom, and how."""
        self.line()
        names = t(", ").join(self.name(seat) for seat in range(self.game.players))
        name = title(self.game)
        spec = f"{escape(self.game.spec)}, " if name != self.game.spec else ""
        self.line(f"[bold]{escape(name)}[/]  [dim]{spec}{t('seed')} {seed}[/]")
        self.line(t("In order of their turns: {names}.", names=names))
        if how := of_room(self.game, "HOW"):
            with suppress(LookupError, ValueError):  # a slip in the room's sentence must not stop the game
                how = how.format(**self.game.options)
            self.line(escape(how))
        if self.people:
            self.line(t("You can also type [b]undo[/], [b]hint[/], [b]moves[/], [b]quit[/], or [b]?[/] for help."))

    def position(self, state: State, viewer: int | None, last: int | None, pause: bool = False) -> None:
        """The board."""
        self.line()
        for line in self._board(state, viewer, last).split("\n"):
            self.out.print("  ", line, sep="", soft_wrap=True)
        self.line()
        if pause and self.out.is_terminal:
            time.sleep(PAUSE)

    def _board(self, state: State, viewer: int | None, last: int | None) -> Text:
        draw = getattr(self.game.room, "draw", None)
        if draw and not self.game.has_hidden_information:
            markup: str = draw(state, last)
            if _can_show(markup, self.out.encoding):
                return Text.from_markup(markup, emoji=False)
        hidden = viewer is not None and not state.is_over
        text = drawn(self.game, state.view(viewer) if hidden and viewer is not None else str(state))
        return Text.from_markup(SEAT.sub(lambda one: one[0] + self._sign(int(one[1]) - 1), escape(text)), emoji=False)

    def move(self, mover: int, action: int, text: str | None, own: bool) -> None:
        """Somebody has moved; text None: the viewer may not know what."""
        if own:
            return  # the person typed it, and the board shows it
        if text is None:
            self.line(t("{name} has moved, and you do not see how.", name=self.name(mover)))
        elif mover == CHANCE:
            self.line(t("Chance decides: [b]{move}[/].", move=escape(text)))
        else:
            self.line(t("{name} plays [b]{move}[/].", name=self.name(mover), move=escape(text)))

    def ask(self, state: State, mover: int) -> str:
        """What the person types; EOFError where the input has ended."""
        legal = state.legal_actions()
        words = " ".join(state.action_text(action) for action in legal[:FEW])
        if len(legal) > FEW or len(words) > 40:
            words = t("{count} moves, such as {move}", count=len(legal), move=state.action_text(legal[0]))
        who = t("Your move") if len(self.people) == 1 else Text.from_markup(self.name(mover)).plain
        return self.read(f"{who} ({words}): ")

    def read(self, prompt: str) -> str:
        """One line of input after a prompt."""
        if sys.stdin.isatty():
            _edit_lines()
            return input(prompt).strip()
        self.out.print(prompt, end="", markup=False, soft_wrap=True)
        line = sys.stdin.readline()
        self.line(escape(line.strip()))  # so that what a script played can be read between the prompts
        if not line:
            raise EOFError
        return line.strip()

    def say(self, sentence: str) -> None:
        """An answer to the person, in markup."""
        self.line(sentence, style="yellow")

    @contextmanager
    def thinking(self, name: str) -> Iterator[None]:
        """Shows that somebody is thinking while the block runs."""
        if not self.out.is_terminal or self.out.is_dumb_terminal:
            yield
            return
        with self.out.status(t("{name} is thinking …", name=escape(name))):
            yield

    def hint(self, state: State, player: str, result: SearchResult) -> None:
        """Advice in plain words."""
        move = state.action_text(result.action)
        judgement = self._judgement(result.values[state.to_move]) if result.values else ""
        self.line(t("Hint: [b]{move}[/]. {judgement}", move=escape(move), judgement=judgement), style="cyan")
        self.line(
            t("({player}, after {nodes} tries in {seconds:.2f} s)",
              player=escape(player), nodes=result.nodes, seconds=result.seconds),
            style="dim",
        )  # fmt: skip

    def _judgement(self, value: float) -> str:
        game = self.game
        if (game.min_return, game.max_return, game.players, game.sum) != (-1, 1, 2, "zero"):
            return t("It expects a result of about {value:+.2f} for you.", value=round(value, 2) + 0.0)
        share = 50 * (value + 1)
        words = [
            (90, t("It looks winning for you")),
            (60, t("You are ahead")),
            (40, t("It looks even")),
            (10, t("You are behind")),
            (-1, t("It looks lost for you")),
        ]
        verdict = next(text for least, text in words if share >= least)
        return t("{verdict}: it expects {share:.0f} points out of 100.", verdict=verdict, share=share)

    def moves(self, state: State) -> None:
        """The legal moves."""
        legal = state.legal_actions()
        self.line(t("1 move:") if len(legal) == 1 else t("{count} moves:", count=len(legal)))
        self.out.print(Padding(Columns([Text(state.action_text(action)) for action in legal[:MANY]]), (0, 0, 0, 2)))
        if len(legal) > MANY:
            self.line(t("… and {count} more.", count=len(legal) - MANY))

    def help(self) -> None:
        """What can be typed."""
        table = Table.grid(padding=(0, 2))
        for word, meaning in (
            (t("a move"), t("plays it; write it as the list of moves does")),
            ("moves", t("lists your legal moves")),
            ("undo", t("takes back everything since your previous decision")),
            ("hint", t("asks a computer player for advice")),
            ("resign", t("gives this game up")),
            ("quit", t("leaves; Ctrl-C and Ctrl-D do too")),
        ):
            table.add_row(Text(f"  {word}", style="bold"), Text(meaning))
        self.out.print(table)
        self.line(t("Where a move has the same name as a command, write the command as /undo, /hint …"), style="dim")

    def hand_over(self, mover: int) -> None:
        """Hides what the last person saw, and waits for the next."""
        self.out.clear()
        if self.out.is_terminal:
            self.out.file.write("\x1b[3J")  # what has scrolled away as well
        self.line(t("It is the turn of {name}. Hand over the keyboard.", name=self.name(mover)))
        self.read(t("Press Enter when nobody else is looking: "))

    def ending(self, state: State) -> None:
        """Who won."""
        returns = state.returns()
        best = [seat for seat, value in enumerate(returns) if value == max(returns)]
        scores = ", ".join(f"{self.name(seat)} {value:+g}" for seat, value in enumerate(returns))
        if len(returns) == 1:
            text = t("The game is over: {value:g} points.", value=returns[0])
        elif len(best) == len(returns):
            text = t("The game is a draw.")
        elif not self._won(state, best):
            text = t("The game is over.")
        elif self.people == best:
            text = t("You win!")
        elif len(self.people) == 1 and len(returns) == 2:
            text = t("You lose; {name} wins.", name=self.name(best[0]))
        else:
            text = t("The winner is {names}.", names=t(", ").join(self.name(seat) for seat in best))
        self.line(f"[bold]{text}[/]" + ("" if {*returns} <= {-1, 0, 1} or len(returns) == 1 else f"  ({scores})"))

    def _won(self, state: State, best: list[int]) -> bool:
        """Whether who has the most has won: where a room's picture says who has, that counts."""
        seats = (picture(state, None) or {}).get("seats", [])
        said = [one["won"] for one in seats if isinstance(one, dict) and "won" in one]
        return not said or any(said[seat] for seat in best)

    def recorded(self, path: Path) -> None:
        """A finished game is in a file."""
        self.line(t("To review this game: {command}", command=escape(f"sevenfold review {quote(str(path))}")), "dim")

    def again(self) -> str:
        """What to do after the end: "again", "undo" or "leave"."""
        answers = {"": "again", "undo": "undo", "/undo": "undo", "悔棋": "undo"}
        answers |= dict.fromkeys(("y", "yes", "是", "好", "再來"), "again")
        answers |= dict.fromkeys(("n", "no", "q", "quit", "exit", "/quit", "否", "不", "不要", "離開"), "leave")
        while True:
            typed = self.read(t("Another game? (yes, no or undo): ")).casefold()
            if typed in answers:
                return answers[typed]

    def goodbye(self, sentence: str) -> None:
        """The last words."""
        self.line(sentence)


@cache
def _edit_lines() -> None:
    """Gives input() line editing and a history, where the system has readline."""
    with suppress(ImportError):
        import readline

        # So that Chinese can be typed even where the locale that LANG names is not installed.
        for setting in ("input-meta on", "output-meta on", "convert-meta off"):
            readline.parse_and_bind(f"set {setting}")


def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
