"""The player `tbp`: any bot of the Tetris Bot Protocol, `tbp:COMMAND`, alone or at a table of two.

Such a bot thinks all the time and answers as soon as it is asked, so it is left alone for `seconds` and then asked. It
is told a game once and then its moves and pieces; when what it knows is no longer true (garbage has come, another game
began), it is told the position anew, as frontends do. The first of its moves that is legal is played.
"""

import shlex
import shutil
from dataclasses import dataclass, field, replace
from typing import ClassVar

from sevenfold._core import State
from sevenfold.engine import check_seconds
from sevenfold.games.tetris.position import find, side
from sevenfold.options import shown
from sevenfold.players import Player, SearchResult
from sevenfold.process import Program
from sevenfold.protocols import tbp
from sevenfold.protocols.tbp_position import played


@dataclass
class TbpPlayer(Player):
    """An outside bot, asked for its moves in the Tetris Bot Protocol."""

    name: ClassVar[str] = "tbp"
    takes: ClassVar[str] = "command"
    command: str = ""
    """The program and its arguments, as typed in a shell (but no shell reads them)."""
    seconds: float = 0.1
    """Time that the bot is left to think before it is asked."""
    patience: float = 1.0
    """Time from then to its answer; a bot that takes longer is ended."""
    startup: float = 10.0
    """Time from its start to its first message."""
    resend: bool = False
    """Tells the whole position before every move, for bots that do not follow a game by its moves."""

    title: str = field(default="", init=False, repr=False)
    """What it calls itself; known after its first message."""
    _program: Program | None = field(default=None, init=False, repr=False, compare=False)
    _known: tbp.Start | None = field(default=None, init=False, repr=False, compare=False)
    _moved: tbp.Move | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_seconds(self, "seconds", "patience", "startup")
        if self.game.name not in ("tetris", "tetris_versus"):
            raise ValueError(f"tbp plays tetris, not {self.game.name}.")
        try:
            self._words = shlex.split(self.command)
        except ValueError as error:
            raise ValueError(f"tbp: the command {shown(self.command)} cannot be read: {error}.") from None
        if not self._words:
            raise ValueError("tbp needs a command, such as tbp:cold-clear-2.")
        if "\0" in self.command or shutil.which(self._words[0]) is None:
            raise ValueError(f"tbp: there is no program {shown(self._words[0])} to start.")

    def reset(self) -> None:
        """The next position is that of a new game."""
        self._known = self._moved = None

    def prepare(self) -> None:
        """Starts the bot."""
        self._started()

    def think(self, state: State) -> SearchResult:
        """Asks the bot. An EngineError where it fails; it is started anew the next time."""
        self._legal(state)
        now = position_of(state)
        program = self._started()
        try:
            program.send(self._news(now), self.patience + self.seconds)
            if program.speaks(self.seconds):
                program.fail(f"spoke without being asked: {shown(program.line())}")
            program.send(tbp.written({"type": "suggest"}), self.patience)
            result = self._answer(program, state)
        except BaseException:
            program.close()
            self._program = None
            raise
        self._known = now
        return result

    def _started(self) -> Program:
        """The bot: the one at hand, or a new one after the greeting."""
        if self._program is None:
            program = Program(self._words, f"the bot {shown(self.command)}", farewell=tbp.written({"type": "quit"}))
            program.send("", self.startup)
            info = _message(program)
            if not isinstance(info, tbp.Info):
                program.fail("did not begin with info")
            self.title = f"{info.name} {info.version}"
            program.send(tbp.written({"type": "rules", "randomizer": _randomizer(self.game.options)}), self.startup)
            ready = _message(program)
            if not isinstance(ready, tbp.Ready):
                program.fail("cannot play by these rules" if isinstance(ready, tbp.Error) else "did not say ready")
            self._program = program
            self.reset()
        return self._program

    def _news(self, now: tbp.Start) -> str:
        """What the bot has to be told: its last move and the pieces that came since, or the whole position."""
        before, move = self._known, self._moved
        if before is not None and move is not None and not self.resend:
            then = played(before, move)
            pieces = now.queue.removeprefix(then.queue)
            follows = now.queue.startswith(then.queue) and _plain(then) == _plain(replace(now, queue=then.queue))
            if follows:
                lines = [tbp.written({"type": "play", "move": move.to_json()})]
                lines += [tbp.written({"type": "new_piece", "piece": piece}) for piece in pieces]
                return "".join(lines)
        return tbp.written(now.to_json())

    def _answer(self, program: Program, state: State) -> SearchResult:
        told = _message(program)
        if not isinstance(told, tbp.Suggestion):
            program.fail("did not answer with a suggestion")
        if not told.moves:
            program.fail("gave up")
        for move in told.moves:
            for spin in (move.spin, None):  # its spin, or the best one where it has another name for it
                action = find(state, move.kind, move.orientation, move.x, move.y, spin)
                if action is not None:
                    self._moved = move
                    policy = [float(each == action) for each in range(self.game.actions)]
                    nodes = int(told.info.get("nodes", 0))
                    values = [0.0] * self.game.players
                    seconds = self.seconds + program.elapsed
                    depth = int(told.info.get("depth", 0))
                    return SearchResult(action, policy, values, [action], nodes=nodes, seconds=seconds, depth=depth)
        program.fail(f"suggested nothing legal, but {told.moves[0]}")


def position_of(state: State) -> tbp.Start:
    """A position as the protocol tells it, for who is to move."""
    facts = side(state)
    rows = tuple("".join("G" if row >> x & 1 else "." for x in range(tbp.WIDTH)) for row in facts["rows"])
    board = (*rows, *["." * tbp.WIDTH] * (tbp.HEIGHT - len(rows)))
    kind = _randomizer(state.game.options)
    bag = facts["bag"] if kind == "seven_bag" else None
    return tbp.Start(board, facts["queue"], facts["hold"] or None, facts["combo"], facts["b2b"] >= 0, kind, bag)


def _randomizer(options: "dict[str, bool | int | float | str]") -> str:
    return "uniform" if options["randomizer"] == "uniform" else "seven_bag"


def _plain(position: tbp.Start) -> tuple[object, ...]:
    """What a bot has to know, without the colours of the cells."""
    rows = tuple("".join("." if cell == "." else "G" for cell in row) for row in position.board)
    return rows, position.queue, position.hold, position.combo, position.back_to_back


def _message(program: Program) -> tbp.FromBot:
    """The next message that is known; time runs out for who says nothing."""
    while True:
        line = program.line()
        if not line:
            continue
        try:
            message = tbp.from_bot(line)
        except ValueError as error:
            program.fail(f"cannot be understood: {str(error).removesuffix('.')}")
        if message is not None:
            return message
