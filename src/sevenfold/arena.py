"""Games in worker processes: a player that ends its process, or never returns, costs one game and not the match.

When a worker dies, the player that had the word has lost. When the word is held far too long (`table.hopeless`), the
worker is killed, and the same holds. A worker that dies while nobody has the word is replaced, and its game begun anew.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from multiprocessing import connection
from types import FrameType
from typing import Any

from sevenfold.schedule import Fixture
from sevenfold.table import BrokenGame, Notes, Played, Table
from sevenfold.worker import CHECK, Gone, SharedNotes, Worker

LOOK = 0.25
"""Seconds between two looks at the workers."""
TRIES = 3
"""How often a game is begun whose worker dies while nobody has the word."""


class Interrupts:
    """Holds Ctrl-C back while a finished game is on its way to the disk; a second one is not held back."""

    def __init__(self) -> None:
        self.caught = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is signal.default_int_handler:
                    self._before[number] = signal.signal(number, self._catch)
        return self

    def _catch(self, number: int, frame: FrameType | None) -> None:
        if self.caught:
            raise KeyboardInterrupt
        self.caught = True

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def check(self) -> None:
        """Lets a Ctrl-C through that was held back."""
        if self.caught:
            raise KeyboardInterrupt


class Arena:
    """A few workers at as many tables, and the games they have still to play."""

    def __init__(self, table: Table, fixtures: Iterable[Fixture], processes: int) -> None:
        self.table = table
        self.processes = processes
        self.workers: list[Worker] = []
        self._todo = iter(fixtures)
        self._again: list[Fixture] = []
        self._tries: dict[int, int] = {}

    def play(self) -> Generator[Played, None, None]:
        """The games, in the order in which they are finished."""
        with Interrupts() as interrupts:
            try:
                self._worker().give(CHECK)
                while True:
                    if not interrupts.caught:
                        self._hand_out()
                    busy = [worker for worker in self.workers if worker.fixture]
                    if not busy:
                        break
                    sources: list[Any] = [source for one in busy for source in (one.connection, one.process.sentinel)]
                    connection.wait(sources, 0 if interrupts.caught else LOOK)
                    for worker in busy:
                        if (one := self._look(worker)) is not None:
                            yield one
                    interrupts.check()
                while self.workers:
                    self.workers.pop().dismiss()
            finally:
                while self.workers:
                    self.workers.pop().end()

    def _worker(self) -> Worker:
        self.workers.append(Worker(self.table))
        return self.workers[-1]

    def _hand_out(self) -> None:
        """Gives everyone a game; none before the match was checked."""
        while not any(worker.fixture is CHECK for worker in self.workers):
            free = next((worker for worker in self.workers if worker.fixture is None), None)
            if free is None and len(self.workers) >= self.processes:
                return
            fixture = self._again.pop() if self._again else next(self._todo, None)
            if fixture is None:
                return
            (free or self._worker()).give(fixture)

    def _look(self, worker: Worker) -> Played | None:
        """The game that a worker has finished, or lost with its life; None where there is none yet."""
        answer = worker.answer()
        if isinstance(answer, Worker):
            return None
        fixture, worker.fixture = worker.fixture, None
        assert fixture is not None
        if isinstance(answer, Gone):
            self.workers.remove(worker)
            answer = self._lost(fixture, worker.notes, answer)
        if isinstance(answer, BrokenGame):
            raise answer
        return answer

    def _lost(self, fixture: Fixture, notes: SharedNotes, reason: str) -> Played | None:
        """The game of a worker that is gone; None where it is to be played again."""
        if fixture is CHECK:  # a player that cannot even be made; it is about to lose its games
            return None
        _, seat, _ = notes.read()
        if seat >= 0:
            return self.table.lost(fixture, notes.actions(), seat, reason)
        self._tries[fixture.number] = self._tries.get(fixture.number, 0) + 1
        if self._tries[fixture.number] >= TRIES:
            raise BrokenGame(
                f"game {fixture.number} cannot be played: {TRIES} times, while no player had the word, {reason}"
            )
        self._again.append(fixture)
        return None


def _here(table: Table, fixtures: Iterable[Fixture]) -> Generator[Played, None, None]:
    """The games in this process, without the protection of another."""
    table.check(Notes())
    for fixture in fixtures:
        yield table.play(fixture, Notes())


def in_order(
    table: Table,
    fixtures: Iterable[Fixture],
    processes: int,
    known: dict[int, Played],
    finished: Callable[[Played], None],
) -> Generator[Played, None, None]:
    """The games in the order of their numbers, so that the result does not depend on which is finished first.

    processes: 0 plays in this process. known: games that need not be played again. finished: is told of every other
    one as soon as it is over.
    """
    order = list(fixtures)
    waiting = dict(known)
    done = 0

    def next_ones() -> Iterator[Played]:
        nonlocal done
        while done < len(order) and order[done].number in waiting:
            done += 1
            yield waiting.pop(order[done - 1].number)

    yield from next_ones()
    missing = [fixture for fixture in order if fixture.number not in known]
    if not missing:
        return
    games = Arena(table, missing, processes).play() if processes else _here(table, missing)
    with contextlib.closing(games):  # whoever stops early ends the workers
        for one in games:
            finished(one)
            waiting[one.number] = one
            yield from next_ones()
