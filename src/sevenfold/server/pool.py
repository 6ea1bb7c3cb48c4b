"""Worker processes and the queue before them.

Jobs are taken by urgency (a person's opponent before hints, those before analyses, those before reviews), and among
equals the owner goes first who was served longest ago, so that fifty sessions share two cores evenly. A job goes to the
process that knows its player's tree; another one takes it only when it has nothing else to do. A process that dies is
replaced, and its job is done again, once.
"""

import asyncio
import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from sevenfold.server import worker

MOVE, HINT, ANALYSIS, REVIEW = range(4)
"""How urgent a job is."""
GRACE = 3.0
"""Seconds after its deadline, or after it was told to stop, in which a job must have ended."""
STAY = 5.0
"""Seconds that a slice of an analysis waits for the process with its tree; elsewhere it begins from nothing."""
TRIES = 2
KNOWN = 4096
"""Players whose process is remembered."""

Done = Callable[[Any, str | None], None]
"""Hears the result, or why there is none: a sentence, empty where it was stopped."""


@dataclass
class Job:
    """Something to think about."""

    owner: str
    """Whose turn in the queue it is: a session's id."""
    urgency: int
    work: dict[str, Any]
    """What the worker gets."""
    done: Done
    id: int = 0
    tries: int = 0
    stopped_at: float | None = None
    began: float | None = None
    asked: float = 0.0
    """When it came into the queue."""

    @property
    def waiting(self) -> bool:
        return self.began is None


@dataclass
class Process:
    """A worker, as the server sees it."""

    number: int
    process: Any
    pipe: Connection
    job: Job | None = None
    gone: bool = field(default=False)


class Pool:
    """The processes, and the jobs that wait for one."""

    def __init__(self, workers: int | None = None) -> None:
        self.size = workers or os.cpu_count() or 1
        self._context = get_context("spawn")
        self._numbers = itertools.count(1)
        self._queue: list[Job] = []
        self._processes: list[Process] = []
        self._homes: dict[str, int] = {}
        self._served: dict[str, int] = {}
        self._closed = False

    # Its life

    async def start(self) -> None:
        """Starts the processes; they import the package while the server already answers."""
        self._loop = asyncio.get_running_loop()
        for _ in range(self.size):
            self._add()
        self._watcher = asyncio.create_task(self._watch())

    def _add(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=worker.main, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        one = Process(next(self._numbers), process, ours)
        self._processes.append(one)
        threading.Thread(target=self._listen, args=(one,), daemon=True).start()

    def _listen(self, one: Process) -> None:
        """In a thread: a message may come in pieces, and the server must not wait for them."""
        while True:
            try:
                message = one.pipe.recv()
            except (EOFError, OSError):
                message = None
            try:
                self._loop.call_soon_threadsafe(self._heard, one, message)
            except RuntimeError:  # the loop has been closed
                return
            if message is None:
                return

    async def close(self) -> None:
        """Ends the processes."""
        self._closed = True
        self._watcher.cancel()
        for one in self._processes:
            one.process.kill()
        for one in self._processes:
            await asyncio.to_thread(one.process.join, 2)
            one.pipe.close()

    # Jobs

    def submit(self, job: Job) -> Job:
        """Puts a job into the queue."""
        job.id, job.asked = next(self._numbers), time.monotonic()
        self._queue.append(job)
        self._dispatch()
        return job

    async def answer(self, owner: str, urgency: int, work: dict[str, Any]) -> Any:
        """The result of a job that somebody waits for; ValueError says why there is none."""
        answer: asyncio.Future[Any] = self._loop.create_future()

        def done(result: Any, failed: str | None) -> None:
            if answer.done():
                return
            if failed is None:
                answer.set_result(result)
            else:
                answer.set_exception(ValueError(failed or "it was stopped."))

        job = self.submit(Job(owner, urgency, work, done))
        try:
            return await answer
        finally:
            if not answer.done() or answer.cancelled():
                self.stop(job)

    def stop(self, job: Job) -> None:
        """Ends a job; nobody hears of it any more."""
        job.done = _nothing
        if job in self._queue:
            self._queue.remove(job)
        self._cut(job)

    def _cut(self, job: Job) -> None:
        for one in self._processes:
            if one.job is job and job.stopped_at is None:
                job.stopped_at = time.monotonic()
                self._send(one, {"stop": job.id})

    def busy(self) -> int:
        """Jobs that run or wait."""
        return len(self._queue) + sum(one.job is not None for one in self._processes)

    def pids(self) -> list[int]:
        """The processes."""
        return [one.process.pid for one in self._processes]

    def _dispatch(self) -> None:
        """Gives every idle process something to do: first what it knows, then what others know."""
        self._queue.sort(key=lambda job: (job.urgency, self._served.get(job.owner, 0), job.id))
        for steal in (False, True):
            for job in list(self._queue):
                idle = [one for one in self._processes if one.job is None and not one.gone]
                if not idle:
                    break
                home = self._homes.get(job.work["key"])
                at_home = [one for one in idle if one.number == home]
                known = any(one.number == home for one in self._processes)
                if at_home or not known or (steal and self._may_move(job)):
                    self._give((at_home or idle)[0], job)
        if self._queue and self._queue[0].urgency == MOVE:
            self._make_way()

    def _may_move(self, job: Job) -> bool:
        """Whether another process may take it: a tree is only at home, and an analysis goes on there if it can."""
        if job.work["kind"] == "tree":
            return False
        return not job.work.get("slice") or time.monotonic() - job.asked > STAY

    def _make_way(self) -> None:
        """An opponent's move is waited for: cuts an analysis or a review short, unless one is ending already."""
        running = [one.job for one in self._processes if one.job]
        if any(job.stopped_at is not None for job in running):
            return
        lesser = [job for job in running if job.urgency >= ANALYSIS]
        if lesser:
            self._cut(max(lesser, key=lambda job: job.urgency))

    def _give(self, one: Process, job: Job) -> None:
        self._queue.remove(job)
        self._served[job.owner] = next(self._numbers)
        self._homes.pop(job.work["key"], None)
        self._homes[job.work["key"]] = one.number
        for known in (self._homes, self._served):
            if len(known) > KNOWN:
                known.pop(next(iter(known)))
        one.job, job.began, job.stopped_at = job, time.monotonic(), None
        job.tries += 1
        self._send(one, {"id": job.id, **job.work})

    def _send(self, one: Process, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # it has died, which is heard next
            one.pipe.send(message)

    def _heard(self, one: Process, message: dict[str, Any] | None) -> None:
        """A process has answered, or has died."""
        if message is None:
            self._lost(one)
            return
        job, one.job = one.job, None
        if job is not None and job.id == message["id"]:
            cut = job.done is not _nothing and message.get("failed") == "" and job.stopped_at is not None
            if cut:  # made way for another, and has nothing yet: again later
                job.began, job.tries = None, job.tries - 1
                self._queue.append(job)
            else:
                job.done(message.get("result"), message.get("failed"))
        self._dispatch()

    def _lost(self, one: Process) -> None:
        if one.gone:
            return
        one.gone = True
        self._processes.remove(one)
        one.pipe.close()
        if self._closed:
            return
        self._add()
        job = one.job
        if job is not None and job.done is not _nothing:
            job.began = None
            if job.tries < TRIES:
                self._queue.append(job)
            else:
                job.done(None, f"{job.work['player']} ended its process twice; choose another player.")
        self._dispatch()

    async def _watch(self) -> None:
        """Ends processes that neither finish nor stop."""
        while True:
            await asyncio.sleep(0.5)
            if self._queue:
                self._dispatch()
            for one in list(self._processes):
                job = one.job
                if job is None or job.began is None:
                    continue
                late = time.monotonic() - job.began > job.work["budget"] + GRACE
                stuck = job.stopped_at is not None and time.monotonic() - job.stopped_at > GRACE
                if late or stuck:
                    job.tries = TRIES
                    one.process.kill()


def _nothing(_: Any, __: str | None) -> None:
    """Nobody listens."""
