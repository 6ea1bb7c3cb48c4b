"""The page's server under load: many games at once, how fairly they share the cores, and what it costs beside them.

50 browsers play whole games of connect-four against `uct:seconds=0.2`. Meanwhile somebody asks for the list of games
and pings; before it one browser alone shows what an answer takes beyond the thinking time; after it hundreds of games
are made, played, left and deleted, while the memory of the server and its workers is watched.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import httpx
import websockets

from bench.side_by_side import Row

SECONDS = 0.2
PLAYER = f"uct:seconds={SECONDS}"
NAP = 0.05


class Game:
    """A browser at a session."""

    def __init__(self, address: str, player: str) -> None:
        self._address, self._player = address, player
        self.answers: list[float] = []
        """Seconds from a person's move to the player's, as the browser sees them."""
        self.beyond: list[float] = []
        """How much of that was not thinking."""
        self.errors: list[str] = []
        self._thought = 0.0
        self._rng = random.Random(0)

    async def play(self, client: httpx.AsyncClient, most: int = 1000) -> str:
        """A game, to its end or for so many moves; its id."""
        asked = {"game": "connect_four", "seats": [{}, {"player": self._player}]}
        while (made := await client.post("/api/sessions", json=asked)).status_code == 429:
            await asyncio.sleep(1)
        session = made.json()
        address = f"{self._address.replace('http', 'ws')}api/sessions/{session['id']}/ws"
        async with websockets.connect(address, max_size=None) as socket:
            session = await self._session(socket)
            while session["position"]["legal"] and most:
                most -= 1
                action = self._rng.choice(session["position"]["legal"])["action"]
                began = time.perf_counter()
                await socket.send(json.dumps({"type": "play", "action": action, "at": session["at"]}))
                session = await self._session(socket)
                if session["position"]["to_move"] == 1:
                    session = await self._session(socket)
                    self.answers.append(time.perf_counter() - began)
                    self.beyond.append(self.answers[-1] - self._thought)
        return str(session["id"])

    async def _session(self, socket: Any) -> Any:
        while (message := json.loads(await socket.recv()))["type"] != "session":
            if message["type"] == "thought":
                self._thought = message["thought"]["seconds"]
            if message["type"] == "error":
                self.errors.append(message["sentence"])
                raise RuntimeError(message["sentence"])
        return message["session"]


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A server with one worker per core; its address and process."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "sevenfold", "serve", "--port", "0", "--json", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"], process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def memory(pid: int) -> float:
    """Megabytes that a process and its children hold."""
    rows = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    table = [tuple(map(int, row.split())) for row in rows.splitlines()]
    return sum(rss for one, parent, rss in table if pid in (one, parent)) / 1024


async def probe(client: httpx.AsyncClient, address: str, took: list[float], done: asyncio.Event) -> None:
    """Asks for what needs no search, again and again."""
    id = (await client.post("/api/sessions", json={"game": "tic_tac_toe", "seats": []})).json()["id"]
    async with websockets.connect(f"{address.replace('http', 'ws')}api/sessions/{id}/ws") as socket:
        await socket.recv()
        while not done.is_set():
            began = time.perf_counter()
            (await client.get("/api/games")).raise_for_status()
            took.append(time.perf_counter() - began)
            began = time.perf_counter()
            await socket.send('{"type": "ping", "id": 1}')
            await socket.recv()
            took.append(time.perf_counter() - began)
            await asyncio.sleep(NAP)


async def alone(client: httpx.AsyncClient, address: str, moves: int) -> list[float]:
    """What answers take beyond the thinking time, with nothing else to do; the first, which warms up, is left out."""
    game = Game(address, PLAYER)
    await game.play(client, moves + 1)
    return game.beyond[1:]


async def crowd(client: httpx.AsyncClient, address: str, sessions: int, moves: int) -> tuple[list[Game], list[float]]:
    """Many games at once, and how long others had to wait meanwhile for what needs no search."""
    took: list[float] = []
    done = asyncio.Event()
    prober = asyncio.create_task(probe(client, address, took, done))
    games = [Game(address, PLAYER) for _ in range(sessions)]
    ended = await asyncio.gather(*(game.play(client, moves) for game in games), return_exceptions=True)
    for game, end in zip(games, ended, strict=True):
        if isinstance(end, BaseException) and not game.errors:
            game.errors.append(repr(end))
    done.set()
    await prober
    return games, took


async def soak(client: httpx.AsyncClient, address: str, pid: int, sessions: int) -> tuple[float, float]:
    """The most memory held during the first half of many short sessions, and during the second."""
    held = [0.0, 0.0]
    for number in range(sessions):
        id = await Game(address, "uct:simulations=2000").play(client, 4)
        (await client.delete(f"/api/sessions/{id}")).raise_for_status()
        half = 2 * number // sessions
        held[half] = max(held[half], memory(pid))
    return held[0], held[1]


def share(numbers: list[float], part: float) -> float:
    """The number below which this part of them lies."""
    return sorted(numbers)[min(len(numbers) - 1, int(part * len(numbers)))]


async def measured(sessions: int, moves: int, soaked: int) -> list[Row]:
    with server() as (address, pid):
        async with httpx.AsyncClient(base_url=address, timeout=120) as client:
            beyond = await alone(client, address, 8)
            games, took = await crowd(client, address, sessions, moves)
            before, after = await soak(client, address, pid, soaked)
    errors = sum(bool(game.errors) for game in games)
    # While all play: to the shortest game's end. Later answers come sooner, since fewer share the cores.
    fewest = min(len(game.answers) for game in games)
    waits = [statistics.mean(game.answers[:fewest]) for game in games] if fewest else [1.0]
    spread = max(waits) / min(waits)
    late = 1000 * statistics.median(beyond)
    other = 1000 * share(took, 0.95)
    return [
        Row("serve: an answer beyond the thinking time, alone", "ms", late, None, None, "< 50 ms", late < 50),
        Row(f"serve: {sessions} games at once, with an error", "games", errors, None, None, "0", errors == 0),
        Row(f"serve: {sessions} games at once, an answer", "s", statistics.mean(waits)),
        Row("serve: longest mean wait for an answer / shortest", "x", spread, None, None, "<= 1.5x", spread <= 1.5),
        Row("serve: other requests meanwhile, p95", "ms", other, None, None, "< 100 ms", other < 100),
        Row(f"serve: most memory, sessions 1 to {soaked // 2}", "MB", before),
        Row(f"serve: most memory, up to session {soaked}", "MB", after, None, None, "<= 1.1x", after <= 1.1 * before),
    ]


def run(sessions: int = 50, moves: int = 1000, soaked: int = 300) -> list[Row]:
    """The figures of issue "the page"."""
    if hasattr(os, "sched_setaffinity"):  # the server may use every core, whatever the other measurements do
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    return asyncio.run(measured(sessions, moves, soaked))
