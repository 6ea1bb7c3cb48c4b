"""Work in many pieces that survives a power cut: each finished piece is a line of a file, and is not done again."""

import fcntl
import hashlib
import json
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from pathlib import Path
from typing import IO, Any

from sevenfold import _core

Piece = dict[str, Any]
"""What one piece of work gave: a line of the file. Its "key" says which piece."""


@cache
def build() -> str:
    """A name for the core that is running, so that results of different ones can be told apart."""
    return hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:12]


class Store:
    """The file of one kind of work with one set of settings."""

    def __init__(self, folder: Path, kind: str, settings: dict[str, Any], fresh: bool = False) -> None:
        text = json.dumps(settings, sort_keys=True)
        self.path = folder / f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] = self.path.open("a+b")
        try:
            fcntl.lockf(
                self._file, fcntl.LOCK_EX | fcntl.LOCK_NB
            )  # not flock: workers would hold it when we are killed
        except OSError:
            raise ValueError(f"another run is writing {self.path}.") from None
        if fresh:
            self._file.truncate(0)
        self.pieces: dict[int, Piece] = {}
        self._load()
        if self._file.tell() == 0:
            self._write({"settings": settings})

    def _load(self) -> None:
        """Reads the finished pieces; a line that was cut off is removed, so that the next one starts a line."""
        self._file.seek(0)
        whole = 0
        for line in self._file.read().splitlines(keepends=True):
            try:
                piece = json.loads(line)
            except ValueError:
                break
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            if "key" in piece:
                self.pieces[piece["key"]] = piece
        self._file.truncate(whole)
        self._file.seek(0, os.SEEK_END)

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def add(self, piece: Piece) -> None:
        self.pieces[piece["key"]] = piece
        self._write(piece)

    def close(self) -> None:
        self._file.close()


class Progress:
    """One line on the error stream that is written over; where that is a file, a new line now and then."""

    def __init__(self, what: str, total: int, note: Callable[[], str]) -> None:
        self.what, self.total, self.note = what, total, note
        self.start, self.shown, self.at_start = time.monotonic(), -math.inf, -1

    def show(self, done: int, last: bool = False) -> None:
        now = time.monotonic()
        if self.at_start < 0:
            self.at_start = done
        if not last and now - self.shown < (0.5 if sys.stderr.isatty() else 60):
            return
        self.shown = now
        new = done - self.at_start
        left = (self.total - done) * (now - self.start) / new if new else math.nan
        text = f"{self.what}: {done}/{self.total} {self.note()}"
        if not last and math.isfinite(left):
            text += f", {left / 60:.0f} min left" if left >= 90 else f", {left:.0f} s left"
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="\n" if last else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)


def _start_worker(parent: int) -> None:
    """A worker ends with its parent, whatever ended that, and at once on Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def run(
    store: Store, keys: Sequence[int], do: Callable[[int], Piece], processes: int, progress: Progress
) -> list[Piece]:
    """Does what is left to do, and gives all pieces in the order of the keys. `do` runs in another process."""
    left = [key for key in keys if key not in store.pieces]
    done = len(keys) - len(left)
    if not left:
        return [store.pieces[key] for key in keys]
    progress.show(done)
    pool = ProcessPoolExecutor(
        processes, multiprocessing.get_context("fork"), initializer=_start_worker, initargs=(os.getpid(),)
    )
    running: set[Future[Piece]] = set()
    try:
        while left or running:
            while left and len(running) < processes:
                running.add(pool.submit(do, left.pop(0)))
            finished, running = wait(running, timeout=1, return_when=FIRST_COMPLETED)
            for future in finished:
                store.add(future.result() | {"build": build()})
                done += 1
            progress.show(done)
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    finally:
        progress.show(done, last=True)
    return [store.pieces[key] for key in keys]
