"""`sevenfold tbp`: one of our players as a bot of the Tetris Bot Protocol.

Time: a suggestion comes at most `seconds` after it is asked for. Who thinks works in a thread of its own, and who
answers sleeps until it is done: on a busy machine a sleeper is woken sooner than a worker gets its turn. How late
sleepers are woken is watched, and left as a margin. When time is up the answer is the best that is there: what was
found in the background, a first quick thought, or any legal move. While nobody asks, a second player thinks about the
position in the background, first for `seconds` and then for longer; what it has found by then is the answer at once.

Input never ends the bot but by `quit` or by its end. A line that cannot be read is a sentence on stderr and nothing
else; a position that cannot be played on is one too, and whoever asks for a move in it is told that there is none,
which in this protocol means to give up.
"""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from sevenfold import __version__
from sevenfold._core import State
from sevenfold.protocols import tbp
from sevenfold.protocols.reading import MAX_LINE
from sevenfold.protocols.seat import MARGIN
from sevenfold.protocols.tbp_position import bag_of, played, with_piece
from sevenfold.protocols.tbp_table import Table
from sevenfold.protocols.tbp_thinking import Ponderer, Thinker, any_moves, metronome

FEATURES = ("randomizer", "move_info")
SHARE, LATEST = 0.88, 0.9
"""The parts of the time for an answer that thinking may take, and after which the answer is what there is, done or not:
the way there and back counts as well."""
DELAYS = 3
"""Times that a sleeper may be woken late between question and answer: the bot by the question and by the clock, and the
frontend by the answer."""


class Bot:
    """What the bot knows between two messages."""

    def __init__(
        self,
        table: Table,
        spec: str,
        seconds: float,
        ponder: bool = True,
        complain: Callable[[str], None] | None = None,
    ) -> None:
        self.table, self.seconds = table, seconds
        self.complain = complain or _complain
        self._thinker = Thinker(table, spec, self.complain)
        self.seats, self.name = self._thinker.seats, self._thinker.name
        self.over = False
        self.position: tbp.Start | None = None
        self._state: State | None = None
        self._ponderer = Ponderer(table, spec, seconds, self.complain) if ponder else None

    def close(self) -> None:
        """Ends what goes on in the background."""
        ended = [thread.close() for thread in (self._thinker, self._ponderer) if thread]
        if not all(ended):
            os._exit(0)  # a player that cannot be stopped

    def info(self) -> dict[str, Any]:
        """Who we are."""
        version = f"{__version__} {self.name}"
        return {"type": "info", "name": "Sevenfold", "version": version, "author": "Sevenfold", "features": [*FEATURES]}

    def answer(self, line: str, came: float) -> dict[str, Any] | None:
        """The answer to a line that came at this time of time.monotonic; None where there is none."""
        try:
            message = tbp.from_frontend(line)
        except ValueError as error:
            if '"start"' in line:
                self._set(None)  # the game that it began is not the one we know
            self.complain(str(error))
            return None
        match message:
            case tbp.Rules():
                return {"type": "ready"}
            case tbp.Start():
                self._start(message)
            case tbp.Suggest():
                return self._suggest(came)
            case tbp.Play(move):
                self._play(move)
            case tbp.NewPiece(piece):
                if self.position is None:
                    self.complain("a new piece came before a position; it is forgotten.")
                else:
                    position, sentence = with_piece(self.position, piece)
                    if sentence:
                        self.complain(sentence)
                    self._set(position)
            case tbp.Stop():
                self._set(None)
            case tbp.Quit():
                self.over = True
        return None

    def _start(self, position: tbp.Start) -> None:
        _, sentence = bag_of(position)
        if sentence:
            self.complain(sentence)
        self._set(position)

    def _play(self, move: tbp.Move) -> None:
        if self.position is None:
            self.complain("a move was played before a position was told; it is forgotten.")
            return
        try:
            self._set(played(self.position, move))
        except ValueError as error:
            self.complain(str(error))
            self._set(None)

    def _set(self, position: tbp.Start | None) -> None:
        """The position from now on, and thoughts about it."""
        self.position, self._state = position, None
        if position is not None and position.queue:
            try:
                self._state = self.table.state(position)
                self.seats.of(self._state.game)  # made before the clock runs
            except ValueError as error:
                self.complain(str(error))
        if self._ponderer:
            self._ponderer.think_about(self._state)

    def _suggest(self, came: float) -> dict[str, Any]:
        found = self._ponderer.take() if self._ponderer else None
        if self._state is None:
            why = "there is no position" if self.position is None else "there is no piece or no place for one"
            self.complain(f"no move can be suggested: {why}.")
            return tbp.suggestion([])
        if found is None or found.seconds < SHARE * self.seconds - MARGIN:
            spare = min(DELAYS * metronome().delay, self.seconds / 2)
            deadline, latest = came + SHARE * self.seconds - spare, came + LATEST * self.seconds - spare
            found = self._thinker.ask(self._state, deadline, latest, quick=found is None) or found
        found = found or any_moves(self.table, self._state)
        answer = tbp.suggestion(found.moves, found.info)
        if self._ponderer:  # on with it: until the move is played, the frontend may ask again
            self._ponderer.think_about(self._state)
        return answer


def run(source: BinaryIO, out: BinaryIO, table: Table, spec: str, seconds: float, ponder: bool = True) -> None:
    """Speaks the protocol until the input ends or `quit` comes."""
    bot = Bot(table, spec, seconds, ponder)
    metronome()  # it knows the machine before the first question comes

    def say(message: dict[str, Any]) -> None:
        out.write(tbp.written(message).encode())
        out.flush()

    say(bot.info())
    lines: queue.SimpleQueue[Line] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, lines), daemon=True).start()
    while not bot.over and (line := lines.get()).text:
        text = line.text.decode("utf-8", "replace").strip()
        if len(line.text) > MAX_LINE:
            bot.complain(f"a line of more than {MAX_LINE} bytes is left out.")
        elif text and (answer := bot.answer(text, line.came)):
            say(answer)
        if not bot.over:
            line.done.set()
    bot.close()


@dataclass
class Line:
    """A line of the input; an empty one is its end."""

    text: bytes
    came: float
    done: threading.Event


def _read(source: BinaryIO, lines: "queue.SimpleQueue[Line]") -> None:
    """Notes when each line came, also while the bot is busy with the one before. After what may be the last one it
    waits until that is done: Python cannot leave while a thread reads."""
    text = b"more"
    while text:
        text = rest = source.readline(MAX_LINE + 1)
        came = time.monotonic()
        while len(text) > MAX_LINE and rest and not rest.endswith(b"\n"):
            rest = source.readline(MAX_LINE)
        line = Line(text, came, threading.Event())
        lines.put(line)
        if b"quit" in text or b"\\u" in text:  # which may be a way to write it
            line.done.wait()


def _complain(sentence: str) -> None:
    print(f"sevenfold: {sentence}", file=sys.stderr, flush=True)
