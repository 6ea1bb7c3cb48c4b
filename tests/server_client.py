"""A server to test: in this process behind Starlette's client, or as a process of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from starlette.testclient import TestClient, WebSocketTestSession

from sevenfold.server.app import make_app
from sevenfold.server.config import Config

HOST = "127.0.0.1:7077"
PATIENCE = 60
"""Seconds: the machine that tests may be busy with other things."""


@contextlib.contextmanager
def serving(data: Path, **settings: Any) -> Iterator[TestClient]:
    """A server in this process, with one worker."""
    settings = {"workers": 1, "sessions_per_minute": 1000} | settings
    app = make_app(Config(data=data, **settings))
    with TestClient(app, base_url=f"http://{HOST}", raise_server_exceptions=True) as client:
        yield client


def begin(client: TestClient, game: str = "tic_tac_toe", seats: list[dict[str, Any]] | None = None, **more: Any) -> Any:
    """A new session; two people by default."""
    answer = client.post("/api/sessions", json={"game": game, "seats": seats or [{}, {}], **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


class Browser:
    """What a page hears and asks at one session."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket = socket
        self.heard: list[Any] = []
        self.session: Any = self.until(lambda message: message["type"] == "session")["session"]

    def hear(self) -> Any:
        timer = threading.Timer(PATIENCE, lambda: os.kill(os.getpid(), signal.SIGINT))  # fails, but does not hang
        timer.start()
        try:
            message = json.loads(self._socket.receive_text())
        finally:
            timer.cancel()
        self.heard.append(message)
        if message["type"] == "session":
            self.session = message["session"]
        return message

    def until(self, wanted: Callable[[Any], bool]) -> Any:
        while not wanted(message := self.hear()):
            pass
        return message

    def say(self, **ask: Any) -> None:
        self._socket.send_text(json.dumps(ask))

    def ask(self, **ask: Any) -> Any:
        """Asks, and hears the session or the error that follows."""
        self.say(**ask)
        return self.until(lambda message: message["type"] in ("session", "error"))

    def refused(self, **ask: Any) -> str:
        """The sentence with which something is refused."""
        self.say(**ask)
        return str(self.until(lambda message: message["type"] == "error")["sentence"])

    def play(self, text: str) -> Any:
        """Plays what people call so."""
        action = next(one["action"] for one in self.session["position"]["legal"] if one["text"] == text)
        return self.ask(type="play", action=action, at=self.session["at"])

    def wait(self, wanted: Callable[[Any], bool]) -> Any:
        """The session as soon as it is as wanted."""
        while not wanted(self.session):
            message = self.until(lambda message: message["type"] in ("session", "error"))
            assert message["type"] == "session", message
        return self.session

    def my_turn(self, seat: int = 0) -> Any:
        return self.wait(lambda session: session["position"]["to_move"] in (seat, "over"))

    @property
    def moves(self) -> list[str]:
        nodes = self.session["nodes"]
        return [nodes[node]["text"] for node in self.session["line"][1:]]


@contextlib.contextmanager
def looking(client: TestClient, id: str) -> Iterator[Browser]:
    """A browser at a session."""
    with client.websocket_connect(f"/api/sessions/{id}/ws", headers={"host": HOST}) as socket:
        yield Browser(socket)


class Process:
    """`sevenfold serve` as people start it."""

    def __init__(self, data: Path, *more: str) -> None:
        command = [sys.executable, "-m", "sevenfold", "serve", "--port", "0", "--json", "--workers", "1"]
        self.popen = subprocess.Popen(
            [*command, "--data", str(data), *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.popen.stdout is not None
        self.told = json.loads(self.popen.stdout.readline())
        self.address = self.told["address"]

    def children(self) -> list[int]:
        """The processes that it has started and that live."""
        found = subprocess.run(
            ["ps", "-o", "pid=,command=", "--ppid", str(self.popen.pid)], capture_output=True, text=True
        )
        return [int(line.split()[0]) for line in found.stdout.splitlines() if "spawn_main" in line]

    def end(self, number: int = signal.SIGINT) -> int:
        self.popen.send_signal(number)
        return self.popen.wait(PATIENCE)


def post(address: str, path: str, data: Any) -> Any:
    """What a server answers."""
    asked = Request(address + path, json.dumps(data).encode(), {"content-type": "application/json"})
    return json.load(urlopen(asked))


def soon(what: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What is true after a while."""
    until = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < until, "it did not come true"
        time.sleep(0.05)
    return found
