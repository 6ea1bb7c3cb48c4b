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
from sevenfold.game import Game
from sevenfold.perft import Enough
from sevenfold.players import SearchResult
from sevenfold.protocols import tbp
from sevenfold.protocols.reading import MAX_LINE
from sevenfold.protocols.seat import MARGIN, Seat
from sevenfold.protocols.tbp_position import bag_of, played, with_piece
from sevenfold.protocols.tbp_table import Table

FEATURES = ("randomizer", "move_info")
MOST_MOVES = 8
"""Moves in a suggestion: others than the best one are for frontends with other rules."""
MOST_SEATS = 8
LEAVING = 1.0
"""Seconds that a thought in the background has to end when the bot leaves."""
SHARE, LATEST = 0.88, 0.9
"""The parts of the time for an answer that thinking may take, and after which the answer is what there is, done or not:
the way there and back counts as well."""
TICK, MEMORY = 0.01, 3.0
"""Seconds between two looks at how late a sleeper is woken, and until a delay counts for a third only."""
DELAYS = 3
"""Times that a sleeper may be woken late between question and answer: the bot by the question and by the clock, and the
frontend by the answer."""
QUICK = 0.005
"""Seconds of the first thought, in case the machine leaves no time for the second."""
PONDER = (1, 2, 4)
"""The background thoughts about one position, in multiples of `seconds`."""


@dataclass
class Thought:
    """What a player found in a position."""

    moves: list[tbp.Move]
    info: dict[str, Any]
    seconds: float


class Seats:
    """A player for each game that positions are played in: queues of other lengths are other games."""

    def __init__(self, spec: str, seed: int = 0) -> None:
        self._spec, self._seed = spec, seed
        self._found: dict[Game, Seat] = {}
        self.progress: Callable[[int], None] | None = None

    def of(self, game: Game) -> Seat:
        """The player for a game, ready to think."""
        if game not in self._found:
            if len(self._found) == MOST_SEATS:
                del self._found[next(iter(self._found))]
            # Whoever asks has another answer for when this one is late: it may be bold.
            seat = Seat(self._spec, game, self._seed, caution=1.0, margin=MARGIN / 4)
            seat.player.prepare()
            seat.player.progress = self.progress
            self._found[game] = seat
        return self._found[game]


class Metronome:
    """Sleeps and looks how late it was woken: what a busy machine makes of everybody's alarm clocks."""

    def __init__(self) -> None:
        self.delay = 0.0
        """The longest delay of the last seconds."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            start = time.monotonic()
            time.sleep(TICK)
            late = time.monotonic() - start - TICK
            self.delay = max(late, self.delay * (1 - TICK / MEMORY))


class Thinker:
    """Thinks in a thread of its own, for somebody who cannot wait."""

    def __init__(self, table: Table, spec: str, complain: Callable[[str], None]) -> None:
        self._table, self._complain = table, complain
        self.seats = Seats(spec)
        self.seats.progress = self._look
        self.name = self.seats.of(table.game).player.name
        self._lock = threading.Condition()
        self._asked: tuple[State, float, bool] | None = None
        self._found: Thought | None = None
        self._number = self._busy_with = 0
        self._over = self._done = False
        self._thread: threading.Thread | None = None

    def ask(self, state: State, deadline: float, latest: float, quick: bool) -> Thought | None:
        """A thought that should be done by a deadline; what there is at the latest, which may be nothing. `quick`: a
        first thought is needed, for there is none from elsewhere."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        with self._lock:
            self._number += 1
            self._asked, self._found, self._done = (state, deadline, quick), None, False
            self._lock.notify_all()
            self._lock.wait_for(lambda: self._done, max(0.0, latest - time.monotonic()))
            self._number += 1  # what is not done by now is not wanted any more
            return self._found

    def close(self) -> bool:
        """No more thoughts; whether the last one has ended."""
        if self._thread is None:
            return True
        with self._lock:
            self._number += 1
            self._over = True
            self._lock.notify_all()
        self._thread.join(LEAVING)
        return not self._thread.is_alive()

    def _look(self, _: int) -> None:
        if self._number != self._busy_with:
            raise Enough

    def _run(self) -> None:
        while True:
            with self._lock:
                while self._asked is None:
                    if self._over:
                        return
                    self._lock.wait()
                (state, deadline, quick), self._asked = self._asked, None
                number = self._busy_with = self._number
            for until in (min(deadline, time.monotonic() + QUICK), deadline) if quick else (deadline,):
                thought = self._thought(state, until)
                with self._lock:
                    if self._number != number:
                        break
                    self._found = thought
            with self._lock:
                if self._number == number:
                    self._done = True
                    self._lock.notify_all()

    def _thought(self, state: State, deadline: float) -> Thought:
        start = time.monotonic()
        try:
            result = self.seats.of(state.game).think(state, deadline)
            return thought_of(self._table, state, result, time.monotonic() - start)
        except Exception as error:  # of the player: any legal move is better than none
            self._complain(f"{self.name} failed: {type(error).__name__}: {error}")
            return any_moves(self._table, state)


class Ponderer:
    """Thinks about one position after the other in a thread of its own."""

    def __init__(self, table: Table, spec: str, seconds: float, complain: Callable[[str], None]) -> None:
        self._table, self._seconds, self._complain = table, seconds, complain
        self._seats = Seats(spec, 1)
        self._seats.progress = self._look
        self._lock = threading.Condition()
        self._wanted: State | None = None
        self._number = self._busy_with = 0
        self._found: Thought | None = None
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def think_about(self, state: State | None) -> None:
        """From now on about this position; None: about nothing."""
        with self._lock:
            self._number += 1
            self._wanted, self._found = state, None
            self._lock.notify()

    def take(self) -> Thought | None:
        """What it has found in the position, and no more thoughts about it."""
        with self._lock:
            found, self._found, self._wanted = self._found, None, None
            self._number += 1
            return found

    def close(self) -> bool:
        """No more thoughts at all; whether the last one has ended: a thread in the core must not outlive Python."""
        with self._lock:
            self._number += 1
            self._wanted, self._over = None, True
            self._lock.notify()
        self._thread.join(LEAVING)
        return not self._thread.is_alive()

    def _look(self, _: int) -> None:
        if self._number != self._busy_with:
            raise Enough

    def _run(self) -> None:
        while True:
            with self._lock:
                while self._wanted is None:
                    if self._over:
                        return
                    self._lock.wait()
                state, number = self._wanted, self._number
                self._busy_with = number
            for times in PONDER:
                try:
                    start = time.monotonic()
                    result = self._seats.of(state.game).think(state, start + times * self._seconds)
                    thought = thought_of(self._table, state, result, time.monotonic() - start)
                except Exception as error:  # of the player: the one in front will tell
                    self._complain(f"thinking in the background failed: {type(error).__name__}: {error}")
                    break
                with self._lock:
                    if self._number != number:
                        break
                    self._found = thought
            with self._lock:
                if self._number == number:
                    self._wanted = None


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
        self._thinker, self._metronome = Thinker(table, spec, self.complain), Metronome()
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
            spare = min(DELAYS * self._metronome.delay, self.seconds / 2)
            deadline, latest = came + SHARE * self.seconds - spare, came + LATEST * self.seconds - spare
            found = self._thinker.ask(self._state, deadline, latest, quick=found is None) or found
        found = found or any_moves(self.table, self._state)
        answer = tbp.suggestion(found.moves, found.info)
        if self._ponderer:  # on with it: until the move is played, the frontend may ask again
            self._ponderer.think_about(self._state)
        return answer


def any_moves(table: Table, state: State) -> Thought:
    """Legal moves without a thought."""
    return Thought([move for _, move in table.moves(state)][:MOST_MOVES], {}, 0.0)


def thought_of(table: Table, state: State, result: SearchResult, seconds: float) -> Thought:
    """A result as moves, the best first."""
    moves = dict(table.moves(state))
    views = sorted(result.actions, key=lambda view: -(view.value if view.value is not None else -1e300))
    order = [result.action, *(view.action for view in views), *moves]
    best = [*dict.fromkeys(action for action in order if action in moves)][:MOST_MOVES]
    info: dict[str, Any] = {"nodes": result.nodes}
    if result.seconds > 0:
        info["nps"] = round(result.nodes / result.seconds)
    if result.depth:
        info["depth"] = result.depth
    return Thought([moves[action] for action in best], info, seconds)


def run(source: BinaryIO, out: BinaryIO, table: Table, spec: str, seconds: float, ponder: bool = True) -> None:
    """Speaks the protocol until the input ends or `quit` comes."""
    bot = Bot(table, spec, seconds, ponder)

    def say(message: dict[str, Any]) -> None:
        out.write(tbp.written(message).encode())
        out.flush()

    say(bot.info())
    lines: queue.SimpleQueue[tuple[bytes, float]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, lines), daemon=True).start()
    while not bot.over and (line := lines.get())[0]:
        text, came = line[0].decode("utf-8", "replace").strip(), line[1]
        if len(line[0]) > MAX_LINE:
            bot.complain(f"a line of more than {MAX_LINE} bytes is left out.")
        elif text and (answer := bot.answer(text, came)):
            say(answer)
    bot.close()


def _read(source: BinaryIO, lines: "queue.SimpleQueue[tuple[bytes, float]]") -> None:
    """Notes when each line came, also while the bot is busy with the one before; an empty one is the end."""
    line = b"more"
    while line:
        line = source.readline(MAX_LINE + 1)
        lines.put((line, time.monotonic()))
        rest = line
        while len(line) > MAX_LINE and rest and not rest.endswith(b"\n"):
            rest = source.readline(MAX_LINE)


def _complain(sentence: str) -> None:
    print(f"sevenfold: {sentence}", file=sys.stderr, flush=True)
