"""Thinking for a bot of the Tetris Bot Protocol: in threads, so that whoever answers is never kept waiting."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.perft import Enough
from sevenfold.players import SearchResult
from sevenfold.protocols import tbp
from sevenfold.protocols.seat import MARGIN, Seat
from sevenfold.protocols.tbp_table import Table

MOST_MOVES = 8
"""Moves in a suggestion: others than the best one are for frontends with other rules."""
MOST_SEATS = 8
LEAVING = 1.0
"""Seconds that a thought in the background has to end when the bot leaves."""
QUICK = 0.005
"""Seconds of the first thought, in case the machine leaves no time for the second."""
PONDER = (1, 2, 4)
"""The background thoughts about one position, in multiples of `seconds`."""
TICK, MEMORY = 0.01, 3.0
"""Seconds between two looks at how late a sleeper is woken, and until a delay counts for a third only."""


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


@cache
def metronome() -> Metronome:
    """The one of this process."""
    return Metronome()


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
