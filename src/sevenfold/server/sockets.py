"""The websockets: a person's browser at a table or at a training run, with a limit on how fast it may speak."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from sevenfold.server import wire
from sevenfold.server.config import Config
from sevenfold.server.runs import Runs
from sevenfold.server.table import Table, failure

log = logging.getLogger("uvicorn.error")
WAITING = 2000
"""Messages that may wait for a slow browser before it is let go."""
GONE = 4404
"""The code with which the line to something that cannot be shown is closed: the page does not try again."""
TRY_LATER = 1013
LOOK = 0.5
"""Seconds between two looks at the files of a run."""
PATIENCE = 5
"""Seconds of too many messages before it is let go."""


def sentence_of(error: ValidationError | RequestValidationError) -> str:
    """What is wrong with a message or a request, in one sentence that a long name cannot make long."""
    first = error.errors()[0]
    inside = first["loc"][1:] if isinstance(error, RequestValidationError) else first["loc"]  # not the word "body"
    where = ".".join(str(part)[:40] for part in inside[:5]) or "the message"
    fault = str(first["msg"]).rstrip(".")[:200]
    return f"{where} cannot be read: {fault[:1].lower()}{fault[1:]}."


def error(sentence: str) -> str:
    """An error as it is told."""
    return json.dumps({"type": "error", "sentence": sentence}, ensure_ascii=False)


class Browser:
    """One websocket, as a table sees it."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._out: asyncio.Queue[str | None] = asyncio.Queue()
        self._over, self._code = False, 1000

    def tell(self, message: str) -> None:
        """Sends a message, in order with the others."""
        if self._out.qsize() > WAITING:
            self.close("")
        elif not self._over:
            self._out.put_nowait(message)

    def close(self, sentence: str, code: int = 1000) -> None:
        """Says goodbye."""
        if not self._over:
            self._over, self._code = True, code
            if sentence:
                self._out.put_nowait(error(sentence))
            self._out.put_nowait(None)

    async def write(self) -> None:
        """Sends what there is to send, until it is closed."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (message := await self._out.get()) is not None:
                await self._socket.send_text(message)
            await self._socket.close(self._code)


class Windows:
    """How many websockets are open: each costs memory, and hears everything that happens at its table."""

    def __init__(self, most: int) -> None:
        self._most, self._open = most, 0

    @contextlib.asynccontextmanager
    async def one_more(self, socket: WebSocket) -> AsyncIterator[bool]:
        """Whether there is room for a websocket, which is told so and closed where there is none."""
        if self._open >= self._most:
            await socket.accept()
            await socket.send_text(error("too many windows look at this server; close one of them."))
            await socket.close(TRY_LATER)
            yield False
            return
        self._open += 1
        try:
            yield True
        finally:
            self._open -= 1


class Rate:
    """A bucket of messages that fills up with time."""

    def __init__(self, per_second: float) -> None:
        self._per_second, self._left, self._then = per_second, 2 * per_second, time.monotonic()

    def take(self) -> float:
        """Takes one message out; how many are left, below 0 where it was one too many."""
        now = time.monotonic()
        self._left = min(2 * self._per_second, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left >= 1:
            self._left -= 1
            return self._left
        return -1.0


async def serve(socket: WebSocket, table: Table, config: Config) -> None:
    """A person at a table."""
    await socket.accept()
    browser, rate, flooded = Browser(socket), Rate(config.messages_per_second), 0.0
    writer = asyncio.create_task(browser.write())
    try:
        if not _enter(browser, table):
            return
        while not writer.done():
            receiver = asyncio.ensure_future(socket.receive())
            await asyncio.wait({receiver, writer}, return_when=asyncio.FIRST_COMPLETED)
            if not receiver.done():
                receiver.cancel()
                break
            message = receiver.result()
            if message["type"] == "websocket.disconnect":
                break
            if rate.take() < 0:
                flooded += 1
                if flooded > PATIENCE * config.messages_per_second:
                    browser.close("too many messages; the connection is closed.")
                elif flooded == 1:
                    browser.tell(error("too many messages at once; some are not heard."))
                continue
            flooded = max(0.0, flooded - 1)
            hear(browser, table, message.get("text"))
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        table.leave(browser)
        browser.close("")
        with contextlib.suppress(asyncio.TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(writer, 1)


def _enter(browser: Browser, table: Table) -> bool:
    """Whether there is something to show: the rules of a game of somebody's own may fail at it."""
    try:
        table.enter(browser)
    except Exception as wrong:
        log.exception("a game cannot be shown")
        browser.close(failure(wrong), GONE)
        return False
    return True


def hear(browser: Browser, table: Table, text: str | None) -> None:
    """One message of a person."""
    try:
        ask: Any = wire.ASK.validate_json(text or "")
        if isinstance(ask, wire.AskPing):
            browser.tell(json.dumps({"type": "pong", "id": ask.id}))
        else:
            table.ask(ask)
    except ValidationError as wrong:
        browser.tell(error(sentence_of(wrong)))
    except (ValueError, ImportError) as wrong:
        browser.tell(error(str(wrong)))
    except Exception as wrong:
        log.exception("a message of a browser could not be answered")
        browser.tell(error(failure(wrong)))


async def watch_run(socket: WebSocket, runs: Runs, id: str) -> None:
    """A person who watches a run: all of it, then each new line, and all of it again when more than that changes."""
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        if runs.find(id) is None:
            await socket.send_text(error(f"there is no run {id[:80]!r} on this server."))
            await socket.close(GONE)
            return
        leaving = asyncio.ensure_future(_until_left(socket))
        try:
            await _tell_run(socket, runs, id, leaving)
        finally:
            leaving.cancel()


async def _tell_run(socket: WebSocket, runs: Runs, id: str, leaving: "asyncio.Future[None]") -> None:
    seen, stamp, told = -1, None, None
    while not leaving.done():
        new = await asyncio.to_thread(runs.stamp, id)
        if new != stamp:
            stamp = new
            if told:
                for line in await asyncio.to_thread(runs.metrics_after, id, seen):
                    await socket.send_text(json.dumps({"type": "metrics", "line": line}))
            state = await asyncio.to_thread(runs.state, id)
            now = (state.running, state.ratings, state.checkpoints)
            if now != told:
                await socket.send_text(f'{{"type":"run","run":{state.model_dump_json()}}}')
            seen, told = state.iteration, now
        await asyncio.wait({leaving}, timeout=LOOK)


async def _until_left(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
