"""A process that plays games, and notes what it does where the notes outlive it.

The notes say who has the word, until when, and what was played. Processes are forked: any game and any player that this
process knows can be played, also those that only a notebook knows. A worker has a process group of its own, so that
engines it has started end with it.
"""

import contextlib
import mmap
import os
import signal
import struct
import sys
import threading
import time
from multiprocessing import connection, get_context
from typing import Any

from sevenfold.schedule import Fixture
from sevenfold.table import BrokenGame, Notes, Played, Table, said

CHECK = Fixture(-1, -1, 0, ())
"""The task of checking the match before its first game."""


class SharedNotes(Notes):
    """Notes in memory that is shared with the process that watches."""

    HEAD = struct.Struct("<dii")
    ACTION = struct.Struct("<i")
    PLIES = 1 << 18

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self.HEAD.size + self.ACTION.size * self.PLIES)
        self.clear()

    def clear(self) -> None:
        """A new game begins."""
        self.HEAD.pack_into(self._memory, 0, 0.0, -1, 0)

    def thinking(self, seat: int, seconds: float) -> None:
        self.HEAD.pack_into(self._memory, 0, time.monotonic() + seconds, seat, self.read()[2])

    def nobody(self) -> None:
        self.HEAD.pack_into(self._memory, 0, 0.0, -1, self.read()[2])

    def played(self, action: int) -> None:
        until, seat, plies = self.read()
        if plies < self.PLIES:
            self.ACTION.pack_into(self._memory, self.HEAD.size + self.ACTION.size * plies, action)
            self.HEAD.pack_into(self._memory, 0, until, seat, plies + 1)

    def read(self) -> tuple[float, int, int]:
        """Until when (of `time.monotonic`) which seat has the word (-1: nobody), and how many actions were played."""
        until, seat, plies = self.HEAD.unpack_from(self._memory)
        return until, seat, plies

    def actions(self) -> list[int]:
        """What was played after the opening."""
        size, start = self.ACTION.size, self.HEAD.size
        return [self.ACTION.unpack_from(self._memory, start + size * i)[0] for i in range(self.read()[2])]


class Gone(str):
    """How a worker has ended, in a sentence."""


class Worker:
    """A process that plays one game after another."""

    def __init__(self, table: Table) -> None:
        self.notes = SharedNotes()
        self.fixture: Fixture | None = None
        """What it is busy with."""
        self._overdue: float | None = None
        context = get_context("fork")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(table, self.notes, theirs, os.getpid()))
        if sys.stdout:
            sys.stdout.flush()  # or the child would print it again
        self.process.start()
        theirs.close()
        with contextlib.suppress(OSError):  # as the child does itself: whichever comes first
            os.setpgid(self.process.pid or 0, self.process.pid or 0)

    def give(self, fixture: Fixture) -> None:
        """Hands it a game to play."""
        self.fixture = fixture
        self.notes.clear()
        with contextlib.suppress(OSError):  # it has died: that is seen at the next look
            self.connection.send(fixture)

    def answer(self) -> "Played | BrokenGame | Gone | Worker | None":
        """What it has sent: a game, why there can be none, or None for a match that is in order; how it has ended,
        where it is gone; itself, where it is still busy."""
        try:
            if self.connection.poll():
                sent: Played | BrokenGame | None = self.connection.recv()
                return sent
        except (EOFError, OSError):
            connection.wait([self.process.sentinel], 1)
        except Exception as error:
            self.end()
            return Gone(f"its answer could not be read: {said(error)}")
        # The sentinel first: it tells without taking leave of the process, whose number is then still its own.
        if connection.wait([self.process.sentinel], 0) or not self.process.is_alive():
            self.end()
            code = self.process.exitcode or 0
            if code < 0:
                with contextlib.suppress(ValueError):
                    return Gone(f"its process was ended by {signal.Signals(-code).name}.")
            return Gone(f"its process ended with exit code {code}.")
        if self._stuck():
            self.end()
            return Gone("it did not return and was ended.")
        return self

    def _stuck(self) -> bool:
        """Whether a player holds the word far too long; at the second look, lest the first saw half a note."""
        until, seat, _ = self.notes.read()
        overdue = until if seat >= 0 and time.monotonic() > until else None
        before, self._overdue = self._overdue, overdue
        return overdue is not None and overdue == before

    def end(self) -> None:
        """Ends the process and whatever it has started."""
        if self.process.pid:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.connection.close()

    def dismiss(self) -> None:
        """Lets an idle process end by itself."""
        with contextlib.suppress(OSError):
            self.connection.send(None)
        connection.wait([self.process.sentinel], 1)
        self.end()


def _serve(table: Table, notes: SharedNotes, parent: Any, pid: int) -> None:
    """What a worker does: games, until there are no more."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # a player may write to the terminal's stderr
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # what a player prints is no part of the answer on stdout
    sys.stdout = sys.stderr
    threading.Thread(target=_follow, args=(pid,), daemon=True).start()
    while True:
        try:
            fixture = parent.recv()
        except (EOFError, OSError):
            return
        if fixture is None:
            return
        parent.send(_done(table, fixture, notes))


def _done(table: Table, fixture: Fixture, notes: Notes) -> Played | BrokenGame | None:
    """What a worker answers: the game; why there can be none; or None, where the match was only checked."""
    try:
        if fixture != CHECK:
            return table.play(fixture, notes)
        table.check(notes)
        return None
    except ValueError as error:  # with a sentence for the person who asked
        return BrokenGame(str(error))
    except Exception as error:
        return BrokenGame(f"the match cannot be played: {said(error)}")


def _follow(pid: int) -> None:
    """Ends this process, and what it has started, when the one that started it is gone."""
    while os.getppid() == pid:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)
