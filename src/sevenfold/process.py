"""Outside programs that are asked for moves: each in a process group of its own, with a clock, and never trusted.

A request is written, and one line is read back. Whatever else the program does (hang, die, flood its output, leave
children behind) ends in an EngineError of one sentence, and in the end of the program with its whole group. A child
that makes a session of its own escapes that; nothing portable would hold it.
"""

import contextlib
import os
import select
import signal
import time
import weakref
from collections import deque
from collections.abc import Sequence
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import NoReturn

from sevenfold.options import shown

MAX_LINE = 1 << 16
"""Bytes of one line."""
MAX_SAID = 1 << 20
"""Bytes of all lines before the answer: a program that says more has lost its way."""
LOOK = 0.02
"""Seconds between looks at whether it lives: the child of a dead program may hold its output open."""
FAREWELL = 0.3
"""Seconds it has to leave by itself when asked to."""


class EngineError(ValueError):
    """An outside program did not do what it was asked to."""


class EngineTimeout(EngineError, TimeoutError):  # noqa: N818  # named after the built-in one
    """An outside program took too long."""


class Program:
    """An outside program, started at once and spoken to in lines. After a failure it is over."""

    def __init__(self, command: Sequence[str], title: str, farewell: str = "") -> None:
        self.title = title
        """What the sentences call it."""
        try:
            self._process = Popen(
                list(command), bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"{title} cannot be started: {getattr(error, 'strerror', None) or error}.") from None
        try:
            self._guard = _guard(self._process.pid)
        except OSError as error:
            _kill(self._process, self._process)
            raise EngineError(f"{title} cannot be guarded: {error.strerror}.") from None
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr) if pipe
        )
        self._poll = select.poll()
        for pipe in (self._out, self._err):
            self._poll.register(pipe, select.POLLIN)
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._said = self._muttered = self._unsent = b""
        self._lines: deque[bytes] = deque()
        self._heard = 0
        self._started, self._seconds = time.monotonic(), 0.0
        self._end = weakref.finalize(self, _end, self._process, self._guard, os.getpid(), farewell.encode())

    @property
    def pid(self) -> int:
        """Its number, and that of its group."""
        return self._process.pid

    @property
    def elapsed(self) -> float:
        """Seconds since the last request."""
        return time.monotonic() - self._started

    def close(self) -> None:
        """Asks it to leave, and ends what is left of it and of its children."""
        self._end()
        self._in = self._out = self._err = -1  # the numbers may soon be those of other files

    def send(self, request: str, seconds: float) -> None:
        """Begins an exchange, which has to be over within so many seconds; `line` gives the answer."""
        if self._seconds and (self._read() or self._lines or self._said):  # what it says when it starts is heard later
            self.fail(f"spoke without being asked: {_quoted([*self._lines, self._said][0])}")
        self._started, self._seconds = time.monotonic(), seconds
        self._unsent, self._heard = request.encode(), 0
        self._poll.register(self._in, select.POLLOUT)

    def line(self) -> str:
        """The next line it says."""
        if not self.speaks(self._seconds - self.elapsed):
            self.fail(f"took longer than {self._seconds:g} s", EngineTimeout)
        line = self._lines.popleft()
        self._heard += len(line) + 1
        if self._heard > MAX_SAID:
            self.fail(f"wrote more than {MAX_SAID} bytes instead of an answer")
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            self.fail(f"answered {_quoted(line)}, which is not UTF-8")

    def speaks(self, seconds: float) -> bool:
        """Whether it says a line within so many seconds, which `line` then gives."""
        patience = time.monotonic() + seconds
        while not self._lines:
            if len(self._said) > MAX_LINE:
                self.fail(f"wrote a line of more than {MAX_LINE} bytes")
            left = patience - time.monotonic()
            if left <= 0:
                return False
            self._poll.poll(1000 * min(left, LOOK))
            over = _is_over(self._process)
            self._write()
            self._mutter()
            read = self._read()
            if read == 0 or (over and read is None):
                self._die()
        return True

    def wait(self, seconds: float) -> int | None:
        """Its exit code, if it leaves by itself within so many seconds; then it is over."""
        patience = time.monotonic() + seconds
        while not _is_over(self._process):
            if time.monotonic() > patience:
                return None
            self._write()
            time.sleep(LOOK / 10)
        return self._stop()

    def fail(self, why: str, kind: type[EngineError] = EngineError) -> NoReturn:
        """Ends the program, and says why."""
        self._mutter()
        self._stop()
        words = self._muttered.strip().rpartition(b"\n")[2]
        raise kind(f"{self.title} {why}{f'; it said {_quoted(words)}' if words else ''}.")

    def _stop(self) -> int:
        """Ends it at once; its exit code."""
        if self._end.detach():
            _kill(self._process, self._guard)
        self._in = self._out = self._err = -1
        return self._process.returncode or 0

    def _die(self) -> NoReturn:
        """Its output has ended or it has: which of the two, and what it said about it."""
        patience = time.monotonic() + 10 * LOOK
        while time.monotonic() < patience and not (_is_over(self._process) and self._mutter() in (0, None)):
            time.sleep(LOOK / 10)
        if not _is_over(self._process):
            self.fail("closed its output")
        self._mutter()
        code = self._stop()
        self.fail(f"was ended by {_signal(-code)}" if code < 0 else f"ended with exit code {code}")

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            return
        except OSError:  # it has closed its input; whether it answers all the same shows when it is read
            self._unsent = b""
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._in)

    def _read(self) -> int | None:
        """How many bytes came: 0 at the end of its output, None where there is nothing for now."""
        try:
            read = os.read(self._out, MAX_LINE)
        except BlockingIOError:
            return None
        *lines, self._said = (self._said + read).split(b"\n")
        self._lines.extend(lines)
        return len(read)

    def _mutter(self) -> int | None:
        """Keeps the end of what it writes to stderr, so that it can be quoted; the same answer as `_read`."""
        try:
            read = os.read(self._err, MAX_LINE)
        except (BlockingIOError, ValueError, OSError):
            return None
        if not read:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._err)
        self._muttered = (self._muttered + read)[-1000:]
        return len(read)


def _quoted(words: bytes) -> str:
    return shown(words[:200].decode(errors="replace").strip())


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of the numbered ones
        return f"signal {number}"


def _is_over(process: "Popen[bytes]") -> bool:
    """Whether a process has ended. It is not waited for yet, so that its number is not given to another one."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _guard(group: int) -> "Popen[bytes]":
    """A shell that ends the group if this process is killed and cannot do it: then its input ends."""
    command = ["/bin/sh", "-c", "read _; kill -s KILL -- -$0", str(group)]
    return Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)


def _end(process: "Popen[bytes]", guard: "Popen[bytes]", owner: int, farewell: bytes) -> None:
    """The end of a program that did nothing wrong: it may leave by itself before it is made to."""
    if os.getpid() != owner:
        return  # a forked copy of the player is gone; the program is the original's
    with contextlib.suppress(OSError):
        os.write(process.stdin.fileno(), farewell)  # type: ignore[union-attr]
    with contextlib.suppress(OSError):
        process.stdin.close()  # type: ignore[union-attr]
    patience = time.monotonic() + FAREWELL
    while not _is_over(process) and time.monotonic() < patience:
        time.sleep(0.005)
    _kill(process, guard)


def _kill(process: "Popen[bytes]", guard: "Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    guard.kill()  # before the group's number can become another's
    for one in (guard, process):
        with contextlib.suppress(TimeoutExpired):
            one.wait(5)
    for pipe in (process.stdin, process.stdout, process.stderr, guard.stdin):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
