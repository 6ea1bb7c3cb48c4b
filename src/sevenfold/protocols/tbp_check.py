"""`sevenfold tbp-check COMMAND`: whether a program is a bot of the Tetris Bot Protocol that frontends can rely on.

The program is started, greeted, given positions of every kind and a whole game, and asked to leave. Each check is a
sentence that holds or not, with what was seen where it does not. Checks are of two kinds: `must`, which the protocol
asks for, and `should`, which it leaves open but frontends are glad of. A bot passes when every `must` holds.

Legal is what can be reached by shifts, soft drops and turns with the kicks of SRS from the spawn (x=4, y=19 or 20);
with `--kicks srs+` half turns as well. Poses that fill the same cells are the same move.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sevenfold.options import shown
from sevenfold.process import EngineError, Program
from sevenfold.protocols import tbp
from sevenfold.protocols.tbp_position import played, same_place, usable, with_piece
from sevenfold.protocols.tbp_positions import POSITIONS
from sevenfold.protocols.tbp_table import Table

LEAVING = 2.0
"""Seconds in which a bot has to be gone after `quit`."""
PATIENCE = 2
"""A late answer is waited for so many times as long: it is late, and the rest can still be looked at."""
QUIET = 0.1
"""Seconds in which nothing may be said where nothing was asked."""
OTHER = 6
"""In the game, every so many moves the frontend plays another one than the bot suggested."""
FRESH = 25
"""And every so many pieces garbage comes, which a frontend tells by a new `start` without `stop`."""


@dataclass
class Check:
    """One promise, and whether it was kept."""

    name: str
    what: str
    kind: Literal["must", "should"]
    ok: bool | None = None
    """None: could not be looked at, because of another one."""
    seen: str = ""
    """What was there instead, or a figure."""


@dataclass
class Report:
    """All of them."""

    command: str
    bot: str = ""
    features: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    suggestions: int = 0
    moves: int = 0
    """Moves in all suggestions."""
    illegal: int = 0
    wrong_spin: int = 0
    other_names: int = 0
    """Moves whose pose has another, canonical name: fine, but frontends must compare cells."""
    spins: dict[str, int] = field(default_factory=dict)
    """Suggested first moves by their spin."""
    seconds: list[float] = field(default_factory=list)
    """What each suggestion took."""

    @property
    def passed(self) -> bool:
        """Whether every must holds."""
        return all(check.ok for check in self.checks if check.kind == "must")

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        times = sorted(self.seconds)
        out = {key: value for key, value in asdict(self).items() if key != "seconds"}
        out["seconds"] = {
            "mean": sum(times) / len(times) if times else None,
            "median": times[len(times) // 2] if times else None,
            "most": times[-1] if times else None,
        }
        return {"passed": self.passed, **out}


class Failed(Exception):  # noqa: N818  # of a check, not of ours
    """A promise was broken so that those after it cannot be looked at."""


class Checker:
    """One run of all the checks."""

    def __init__(
        self,
        words: list[str],
        table: Table,
        pieces: int = 100,
        seconds: float = 1.0,
        startup: float = 10.0,
        seed: int = 1,
        progress: Callable[[Check], None] | None = None,
    ) -> None:
        self.words, self.table, self.pieces, self.seconds, self.startup = words, table, pieces, seconds, startup
        self.random = random.Random(seed)
        self.report = Report(" ".join(words))
        self.progress = progress
        self.program: Program | None = None
        self._unsent: list[str] = []
        self._notes: dict[str, str] = {}
        """The first move of each kind that was wrong."""

    def run(self) -> Report:
        """Everything, as far as the bot lets us."""
        steps: list[tuple[str, str, Literal["must", "should"], Callable[[], str | None]]] = [
            ("info", "says who it is, first of all and unasked", "must", self._greeted),
            ("rules", "answers rules with ready", "must", self._rules),
            ("unknown", "ignores a message of an unknown type", "must", self._unknown),
            ("first", "suggests a legal move on an empty board", "must", self._first),
            ("again", "may be asked twice in the same position", "should", self._again),
            ("attributes", "ignores attributes that it does not know", "must", self._attributes),
            ("positions", "suggests legal moves in positions of every kind", "must", self._positions),
            ("game", "follows a game by play and new_piece", "must", self._game),
            ("legal", "suggests nothing illegal in all of this", "must", self._all_legal),
            ("spins", "names spins as the rules do", "must", self._all_spins),
            ("time", f"answers within {self.seconds:g} s", "must", self._in_time),
            ("stop", "can be stopped and started again", "must", self._stopped),
            ("quiet", "says nothing when nothing is asked", "must", self._quiet),
            ("single", "plays with a queue of one piece and an empty hold", "should", self._single),
            ("bag", "survives a bag that contradicts the queue", "should", self._wrong_bag),
            ("lost", "suggests no move where there is none", "should", self._lost),
            ("damaged", "survives lines that are no messages", "should", self._damaged),
            ("quit", "leaves when it is told to", "must", self._quits),
        ]
        broken = False
        try:
            for name, what, kind, look in steps:
                check = Check(name, what, kind)
                self.report.checks.append(check)
                if broken and name not in ("legal", "spins", "time"):
                    continue
                try:
                    seen = look()
                    check.ok, check.seen = True, seen or ""
                except Failed as error:
                    check.ok, check.seen = False, str(error)
                except (EngineError, ValueError) as error:
                    check.ok, check.seen = False, str(error)
                    broken = not self._revived(name)
                if self.progress:
                    self.progress(check)
        finally:
            if self.program:
                self.program.close()
        return self.report

    def _revived(self, name: str) -> bool:
        """A bot that is gone is started again, so that the rest can be looked at; not one that never came."""
        if name in ("info", "rules"):
            return False
        if name == "quit":
            return True
        try:
            if self.program:
                self.program.close()
            self._unsent = []
            self._start_program()
            self._say({"type": "rules", "randomizer": "seven_bag"})
            return isinstance(self._hear(self.startup), tbp.Ready)
        except (EngineError, ValueError):
            return False

    # ---- the dialogue

    def _start_program(self) -> tbp.FromBot | None:
        self.program = Program(self.words, "the bot", farewell=tbp.written({"type": "quit"}))
        self.program.send("", self.startup)
        return tbp.from_bot(self.program.line())

    @property
    def _bot(self) -> Program:
        assert self.program
        return self.program

    def _say(self, *messages: dict[str, Any] | str) -> None:
        """To be sent with the next thing that is asked."""
        self._unsent += [one if isinstance(one, str) else tbp.written(one) for one in messages]

    def _send(self, seconds: float) -> None:
        lines, self._unsent = "".join(self._unsent), []
        self._bot.send(lines, seconds)

    def _hear(self, seconds: float | None = None) -> tbp.FromBot | None:
        """The answer to what was said."""
        self._send(seconds or PATIENCE * self.seconds + 1)
        return tbp.from_bot(self._bot.line())

    def _silent(self, seconds: float = QUIET) -> None:
        """Nothing may come for a while."""
        self._send(seconds)
        if self._bot.speaks(seconds):
            raise Failed(f"it said {shown(self._bot.line())}")

    def _ask(self, position: tbp.Start) -> tbp.Suggestion:
        """A suggestion for the position that the bot has been told, and what there is to say of it."""
        self._say({"type": "suggest"})
        told = self._hear()
        self.report.seconds.append(self._bot.elapsed)
        if not isinstance(told, tbp.Suggestion):
            raise Failed(f"it answered suggest with {type(told).__name__.lower() if told else 'something unknown'}")
        self.report.suggestions += 1
        legal = self.table.legal(position)
        for number, move in enumerate(told.moves):
            self._look_at(position, legal, move, number == 0)
        return told

    def _look_at(self, position: tbp.Start, legal: list[tbp.Move], move: tbp.Move, first: bool) -> None:
        report = self.report
        report.moves += 1
        same = [one for one in legal if same_place(one, move)]
        if not same:
            report.illegal += 1
            self._remember("legal", position, move)
        elif move.spin not in [one.spin for one in same]:
            report.wrong_spin += 1
            self._remember("spins", position, move, " or ".join(one.spin for one in same))
        elif move not in legal:
            report.other_names += 1
        if first:
            report.spins = dict(Counter(report.spins) + Counter({move.spin: 1}))

    def _remember(self, what: str, position: tbp.Start, move: tbp.Move, right: str = "") -> None:
        """The first of its kind, to be shown."""
        rows = "/".join(row for row in reversed(position.board) if row.strip("."))
        where = f"{move} with {''.join(usable(position))} on {rows or 'an empty board'}"
        self._notes.setdefault(what, where + (f"; it is {right}" if right else ""))

    def _chosen(self, position: tbp.Start, told: tbp.Suggestion) -> tbp.Move:
        """The first legal move of a suggestion, as a frontend takes it; a wrong spin is forgiven here."""
        legal = self.table.legal(position)
        for move in told.moves:
            same = [one for one in legal if same_place(one, move)]
            if same:
                return next((one for one in same if one.spin == move.spin), same[0])
        raise Failed(f"it suggested {'nothing' if not told.moves else f'only illegal moves, {told.moves[0]}'}")

    def _new_start(self, queue: str | None = None, board: tuple[str, ...] | None = None) -> tbp.Start:
        pieces = queue or "".join(self.random.sample(tbp.PIECES, 7))[:6]
        bag = "".join(piece for piece in tbp.PIECES if piece not in pieces) or tbp.PIECES
        empty = ("." * tbp.WIDTH,) * tbp.HEIGHT
        return tbp.Start(board or empty, pieces, randomizer="seven_bag", bag=bag)

    # ---- the checks: each gives a figure or nothing, or raises

    def _greeted(self) -> str | None:
        told = self._start_program()
        if not isinstance(told, tbp.Info):
            raise Failed("its first message is not info")
        self.report.bot, self.report.features = f"{told.name} {told.version} by {told.author}", [*told.features]
        self._silent()
        return self.report.bot

    def _rules(self) -> str | None:
        self._say({"type": "rules", "randomizer": "seven_bag"})
        told = self._hear(self.startup)
        if isinstance(told, tbp.Error):
            raise Failed(f"it refused the standard rules: {shown(told.reason)}")
        if not isinstance(told, tbp.Ready):
            raise Failed("it answered something else")
        return None

    def _unknown(self) -> str | None:
        self._say({"type": "sevenfold_unheard_of", "answer": 42})
        self._silent()
        return None

    def _first(self) -> str | None:
        position = self._new_start("TIOSZL")
        self._say(position.to_json())
        move = self._chosen(position, self._ask(position))
        return str(move)

    def _again(self) -> str | None:
        position = self._new_start("TIOSZL")
        self._chosen(position, self._ask(position))
        return None

    def _attributes(self) -> str | None:
        position = self._new_start()
        self._say({**position.to_json(), "unheard_of": [1, 2], "comment": None})
        self._chosen(position, self._ask(position))
        return None

    def _positions(self) -> str | None:
        failed = []
        for name, position in POSITIONS.items():
            self._say(position.to_json())
            told = self._ask(position)
            try:
                self._chosen(position, told)
            except Failed as error:
                failed.append(f"{name}: {error}")
        if failed:
            raise Failed("; ".join(failed))
        return f"{len(POSITIONS)} positions"

    def _game(self) -> str | None:
        """A game with a queue of six; some moves are others than suggested, and now and then garbage comes."""
        position = self._new_start()
        bag = list(position.bag or "")
        self._say(position.to_json())
        for number in range(1, self.pieces + 1):
            told = self._ask(position)
            move = self._chosen(position, told)
            if number % OTHER == 0:
                low = sorted(self.table.legal(position), key=lambda one: one.y)
                move = self.random.choice(low[: max(1, len(low) // 4)])
            before = len(position.queue)
            position = played(position, move)
            self._say({"type": "play", "move": move.to_json()})
            for _ in range(before - len(position.queue)):
                piece = self.random.choice(bag)
                bag.remove(piece)
                position, _sentence = with_piece(position, piece)
                bag = bag or list(tbp.PIECES)
                self._say({"type": "new_piece", "piece": piece})
            if number % FRESH == 0 or not self.table.legal(position):
                position = self._after_garbage(position)
                self._say(position.to_json())
        return f"{self.pieces} pieces"

    def _after_garbage(self, position: tbp.Start) -> tbp.Start:
        """Two rows rise; a stack that is too high for that is cleared away."""
        hole = self.random.randrange(tbp.WIDTH)
        row = "G" * hole + "." + "G" * (tbp.WIDTH - hole - 1)
        high = any(one.strip(".") for one in position.board[14:])
        rows = (row, row) if high else (row, row, *position.board)
        rows = (*rows, *["." * tbp.WIDTH] * tbp.HEIGHT)[: tbp.HEIGHT]
        return tbp.Start(rows, position.queue, position.hold, 0, position.back_to_back, "seven_bag", position.bag)

    def _all_legal(self) -> str | None:
        if self.report.illegal:
            raise Failed(f"{self.report.illegal} of {self.report.moves} moves, such as {self._notes['legal']}")
        return f"{self.report.moves} moves in {self.report.suggestions} suggestions"

    def _all_spins(self) -> str | None:
        if self.report.wrong_spin:
            raise Failed(f"{self.report.wrong_spin} of {self.report.moves} moves, such as {self._notes['spins']}")
        return ", ".join(f"{count} {spin}" for spin, count in sorted(self.report.spins.items()))

    def _in_time(self) -> str | None:
        times = sorted(self.report.seconds)
        if not times:
            raise Failed("there was no answer")
        figure = f"median {times[len(times) // 2]:.3f} s, most {times[-1]:.3f} s"
        if times[-1] > self.seconds:
            late = sum(one > self.seconds for one in times)
            raise Failed(f"{late} of {len(times)} answers came later: {figure}")
        return figure

    def _stopped(self) -> str | None:
        self._say({"type": "stop"})
        self._silent()
        position = self._new_start()
        self._say(position.to_json())
        self._chosen(position, self._ask(position))
        self._say({"type": "stop"})
        return None

    def _quiet(self) -> str | None:
        self._silent(3 * QUIET)
        return None

    def _single(self) -> str | None:
        position = tbp.Start(("." * tbp.WIDTH,) * tbp.HEIGHT, "T")
        self._say(position.to_json())
        self._chosen(position, self._ask(position))
        return None

    def _wrong_bag(self) -> str | None:
        position = self._new_start("TIOSZL")
        wrong = {"type": "seven_bag", "bag_state": ["L", "Z"]}
        self._say({**position.to_json(), "randomizer": wrong})
        self._chosen(position, self._ask(position))
        return None

    def _lost(self) -> str | None:
        row = "GGGGGGGGG."
        position = tbp.Start((row,) * 30 + ("." * tbp.WIDTH,) * 10, "TIOSZL")
        self._say(position.to_json())
        self._say({"type": "suggest"})
        told = self._hear()
        if not isinstance(told, tbp.Suggestion):
            raise Failed("it answered something else")
        if told.moves:
            raise Failed(f"it suggested {told.moves[0]} under a ceiling")
        return None

    def _damaged(self) -> str | None:
        for line in ("", "no JSON", "{", "[]", '{"type": 5}', '{"type": "start"}', '{"type": "play", "move": null}'):
            self._say(line + "\n")
        self._silent()
        position = self._new_start()
        self._say(position.to_json())
        self._chosen(position, self._ask(position))
        return None

    def _quits(self) -> str | None:
        self._say({"type": "quit"})
        start = time.monotonic()
        self._send(LEAVING)
        code = self._bot.wait(LEAVING)
        if code is None:
            raise Failed(f"it was still there after {LEAVING:g} s")
        if code != 0:
            raise Failed(f"its exit code is {code}")
        return f"after {time.monotonic() - start:.2f} s"
