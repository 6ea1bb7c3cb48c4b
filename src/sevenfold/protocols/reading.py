"""What a referee sends: lines or numbers, of bounded size, and since when they have been there."""

import os
import re
import time
from collections import deque
from typing import BinaryIO

from sevenfold.options import shown

MAX_LINE = 1 << 20
WAITED = 0.005
"""A read that takes longer than so many seconds had to wait: what it brought is new."""


def process_start() -> float:
    """When this process began, on the clock of time.monotonic: a referee's clock may be running since then."""
    now = time.monotonic()
    try:
        with open("/proc/self/stat") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
        if time.process_time() / 2 <= age < 60:
            return now - age
    except (OSError, ValueError, AttributeError, IndexError):  # no Linux
        pass
    return now - time.process_time()


class Input:
    """The referee's side of a dialogue."""

    def __init__(self, source: BinaryIO, began: float | None = None) -> None:
        self._source = source
        self._words: deque[bytes] = deque()
        self._rest = b""
        self.clock = time.monotonic() if began is None else began
        """Since when our time runs: since `began`, where the first request was already there when it was read, or
        else since the request came."""

    def line(self) -> str | None:
        """The next line that is not blank; None at the end."""
        while True:
            before = time.monotonic()
            line = self._source.readline(MAX_LINE + 1)
            self._came(before)
            if len(line) > MAX_LINE:
                raise ValueError(f"a line of the input has more than {MAX_LINE} bytes.")
            if not line:
                return None
            try:
                text = line.decode().strip()
            except UnicodeDecodeError:
                raise ValueError(f"the input is not UTF-8: {shown(line[:60])}.") from None
            if text:
                return text

    def is_over(self) -> bool:
        """Waits for a number; True where the input has ended instead."""
        while not self._words:
            before = time.monotonic()
            read = self._source.read1(1 << 16)  # type: ignore[attr-defined]
            self._came(before)
            if not read and not self._rest:
                return True
            *words, self._rest = re.split(rb"\s+", self._rest + (read or b" "))
            self._words.extend(filter(None, words))
            if len(self._rest) > 20:
                raise ValueError(f"the input is not made of numbers: {shown(_text(self._rest))}.")
        return False

    def numbers(self, count: int, what: str) -> list[int]:
        """The next whole numbers, separated by any space."""
        out: list[int] = []
        while len(out) < count:
            if self.is_over():
                raise ValueError(f"the input ends in the middle of {what}: {len(out)} of {count} numbers are there.")
            word = self._words.popleft()
            if not re.fullmatch(rb"-?[0-9]{1,6}", word):
                raise ValueError(f"{what} must be whole numbers, not {shown(_text(word))}.")
            out.append(int(word))
        return out

    def answered(self) -> None:
        """Our time stops; it runs again when something comes."""
        self.clock = time.monotonic()

    def _came(self, before: float) -> None:
        now = time.monotonic()
        if now - before > WAITED:
            self.clock = now


def _text(word: bytes) -> str:
    return word[:60].decode(errors="replace")
