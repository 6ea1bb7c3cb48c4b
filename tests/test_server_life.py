"""A server's life: started, killed in the middle of a game, started again; its workers killed; its language."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import websockets
from server_client import HOST, Process, begin, looking, post, serving, soon
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from sevenfold.server import pool as pools
from sevenfold.server.analysis import Analysis
from sevenfold.server.pool import ANALYSIS, MOVE, Job, Pool


def get(address: str, path: str) -> Any:
    return json.load(urlopen(address + path))


async def played(address: str, id: str, moves: int) -> Any:
    """So many moves of a person; the last session that was told."""
    async with websockets.connect(f"{address.replace('http', 'ws')}api/sessions/{id}/ws") as socket:
        session = json.loads(await socket.recv())["session"]
        while moves and session["position"]["to_move"] != "over":
            if session["position"]["legal"]:
                action = session["position"]["legal"][0]["action"]
                await socket.send(json.dumps({"type": "play", "action": action, "at": session["at"]}))
                moves -= 1
            while (message := json.loads(await socket.recv()))["type"] != "session":
                pass
            session = message["session"]
        return session


def test_a_server_that_is_killed_in_the_middle_of_a_game_has_lost_no_move(tmp_path: Path) -> None:
    server = Process(tmp_path)
    game = {"game": "connect_four", "seats": [{}, {"player": "uct:seconds=30"}]}
    id = post(server.address, "api/sessions", game)["id"]
    session = asyncio.run(played(server.address, id, 1))
    workers = server.children()
    assert session["thinking"]["kind"] == "move"  # the player thinks for half a minute, and is killed at it
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    soon(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers))  # no orphans
    again = Process(tmp_path)
    try:
        back = get(again.address, f"api/sessions/{id}")
        assert back["line"] == session["line"]
        assert back["nodes"] == session["nodes"]
        assert back["position"] == session["position"]

        async def look() -> Any:
            async with websockets.connect(f"{again.address.replace('http', 'ws')}api/sessions/{id}/ws") as socket:
                return json.loads(await socket.recv())["session"]

        assert asyncio.run(look())["thinking"]["kind"] == "move"  # it goes on when somebody looks
    finally:
        assert again.end() == 130  # Ctrl-C ends it, as it ends every verb


def test_a_worker_that_is_killed_is_replaced_and_its_job_done_again(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        session = begin(client, "connect_four", [{}, {"player": "uct:seconds=1.5"}])
        pool = client.app.state.host.pool  # type: ignore[attr-defined]
        with looking(client, session["id"]) as browser:
            browser.play("d")
            assert browser.session["thinking"]["kind"] == "move"
            (pid,) = pool.pids()
            time.sleep(0.3)
            os.kill(pid, signal.SIGKILL)
            browser.my_turn()
            assert len(browser.moves) == 2
            assert pool.pids() != [pid]
            assert not [message for message in browser.heard if message["type"] == "error"]


def test_a_job_that_kills_its_process_twice_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        session = begin(client, "connect_four", [{}, {"player": "uct:seconds=20"}])
        pool = client.app.state.host.pool  # type: ignore[attr-defined]
        with looking(client, session["id"]) as browser:
            browser.play("d")
            for _ in range(2):
                soon(lambda: any(one.job and one.job.urgency == MOVE for one in pool._processes))
                (pid,) = pool.pids()
                os.kill(pid, signal.SIGKILL)
                soon(lambda pid=pid: pool.pids() and pool.pids() != [pid])
            error = browser.until(lambda message: message["type"] == "error")
            assert "twice" in error["sentence"]
            browser.wait(lambda session: session["thinking"] is None)


def test_thinking_stops_at_once_when_the_person_moves_or_leaves(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        pool = client.app.state.host.pool  # type: ignore[attr-defined]
        session = begin(client, "connect_four", [{}, {"player": "uct:seconds=20"}])
        with looking(client, session["id"]) as browser:
            browser.say(type="hint", seconds=0.1)
            browser.until(lambda message: message["type"] == "thought")  # the worker has started
            browser.play("d")
            soon(lambda: pool._processes[0].job is not None)
            time.sleep(0.3)
            began = time.monotonic()
            browser.say(type="undo")
            soon(lambda: pool.busy() == 0)
            assert time.monotonic() - began < 0.5  # 50 ms on a machine with nothing else to do
            browser.wait(lambda session: session["at"] == 0)
            browser.say(type="analyse", on=True, player="uct")
            browser.until(lambda message: message["type"] == "thought")
        soon(lambda: pool.busy() == 0, 2)


def test_an_analysis_waits_for_the_process_with_its_tree_but_not_for_ever() -> None:
    class Pipe:
        def send(self, message: Any) -> None:
            pass

    pool = Pool(2)
    busy, idle = (pools.Process(number, None, Pipe()) for number in (1, 2))  # type: ignore[arg-type]
    other = Job("other", MOVE, {"kind": "think", "key": "other"}, lambda *_: None, began=time.monotonic())
    pool._processes, pool._homes, busy.job = [busy, idle], {"mine": 1}, other
    job = Job("me", ANALYSIS, {"kind": "think", "key": "mine", "slice": 0.5}, lambda *_: None)
    pool.submit(job)
    assert idle.job is None
    job.asked -= pools.STAY + 1
    pool._dispatch()
    assert idle.job is job


def test_an_analysis_never_tells_less_than_it_has_told() -> None:
    analysis = Analysis()
    analysis.switch_on("uct")
    analysis.slice(0)
    assert analysis.is_worth_telling({"nodes": 1000, "proven": False})
    assert not analysis.is_worth_telling({"nodes": 400, "proven": False})  # begun anew in another process
    assert analysis.is_worth_telling({"nodes": 1200, "proven": False})
    assert analysis.is_worth_telling({"nodes": 10, "proven": True})
    analysis.slice(1)
    assert analysis.is_worth_telling({"nodes": 400, "proven": False})


def test_a_player_that_does_not_look_up_is_interrupted(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        pool = client.app.state.host.pool  # type: ignore[attr-defined]
        session = begin(client, "connect_four", [{}, {"player": "montecarlo:simulations=100000000"}])
        with looking(client, session["id"]) as browser:
            browser.play("d")
            soon(lambda: pool._processes[0].job is not None)
            browser.ask(type="stop")
            assert browser.session["thinking"] is None
            soon(lambda: pool.busy() == 0, 10)
            browser.say(type="hint", seconds=0.1)
            assert browser.until(lambda message: message["type"] in ("thought", "error"))["type"] == "thought"


def test_a_file_of_another_kind_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "page.db").write_bytes(b"something else" * 100)
    with pytest.raises(ValueError, match="--data"), serving(tmp_path):
        pass
    assert (tmp_path / "page.db").read_bytes() == b"something else" * 100


def command(*argv: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "sevenfold", "serve", *argv], capture_output=True, text=True, timeout=60
    )


def test_beyond_this_machine_the_addresses_are_those_that_others_can_open(tmp_path: Path) -> None:
    process = Process(tmp_path, "--host", "0.0.0.0", "--token", "secret")
    try:
        told = process.told
        assert told["address"].startswith("http://127.0.0.1:")
        assert all("0.0.0.0" not in one and "127.0.0.1" not in one for one in told["others"])
        for address in [told["address"], *told["others"]]:
            assert address.endswith("/?token=secret")
            games = urlopen(address.replace("/?", "/api/games?"), timeout=30)
            assert games.status == 200
    finally:
        process.end()


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = command("--port", str(taken.getsockname()[1]), "--data", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--port" in done.stderr


def test_beyond_this_machine_there_is_a_warning_and_a_token(tmp_path: Path) -> None:
    server = Process(tmp_path, "--host", "0.0.0.0")
    try:
        assert "?token=" in server.address
        bare = server.address.partition("?")[0]
        soon(lambda: answers(bare))
        assert answers(bare) == 401
        assert answers(server.address.replace("/?", "/api/games?")) == 200
    finally:
        server.end()
    assert server.popen.stderr is not None
    assert "warning" in server.popen.stderr.read()


def answers(address: str) -> int | None:
    try:
        return int(urlopen(address).status)
    except OSError as error:
        return getattr(error, "code", None)


def test_more_games_can_be_offered_when_it_is_started(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    with serving(tmp_path, games=(str(file),)) as client:
        games = {one["name"]: one for one in client.get("/api/games").json()}
        assert "nim" in games
        assert games["nim"]["drawing"] is False
        play_nim(client)


def play_nim(client: TestClient) -> None:
    session = begin(client, "nim", [{}, {"player": "uct:simulations=20"}])
    assert session["position"]["picture"] is None
    with looking(client, session["id"]) as browser:
        while browser.my_turn()["position"]["to_move"] == 0:
            browser.play(browser.session["position"]["legal"][0]["text"])
        assert browser.session["position"]["returns"]


NIM = '''
import sevenfold as sf

class Nim(sf.Rules):
    """Take one to three; who takes the last wins."""

    players, actions = 2, 3

    def __init__(self, sticks: int = 7):
        self.sticks, self.turn = sticks, 0

    def to_move(self):
        return self.turn if self.sticks else sf.TERMINAL

    def legal_actions(self):
        return [take for take in range(3) if take < self.sticks]

    def play(self, take):
        self.sticks -= take + 1
        self.turn = 1 - self.turn

    def returns(self):
        return [0, 0] if self.sticks else [-1 if self.turn == 0 else 1, 1 if self.turn == 0 else -1]

    def __str__(self):
        return "|" * self.sticks
'''


BROKEN = """
import sevenfold as sf

class Broken(sf.Rules):
    players, actions, max_plies = 2, 3, 9
    def __init__(self): self.played = []
    def to_move(self): return len(self.played) % 2
    def legal_actions(self): return [0, 1, 2] if len(self.played) < 4 else {}["nothing"]
    def play(self, action):
        if action == 2: raise KeyError("two")
        self.played = [*self.played, action]
    def returns(self): return [0, 0]
    def __str__(self): return str(self.played)
"""


def test_rules_that_fail_are_told_of_and_the_server_goes_on(tmp_path: Path) -> None:
    """A game of somebody's own may have faults; they are told to whoever plays it, and nobody else hears of them."""
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    with serving(tmp_path / "data", games=(str(file),)) as client:
        session = begin(client, "broken", [{}, {}])
        with looking(client, session["id"]) as browser:
            assert "two" in browser.refused(type="play", action=2, at=0)
            for _ in range(3):
                browser.ask(type="play", action=0, at=browser.session["at"])
            assert "nothing" in browser.refused(type="play", action=1, at=browser.session["at"])
        with client.websocket_connect(f"/api/sessions/{session['id']}/ws", headers={"host": HOST}) as socket:
            said = socket.receive_json()
            assert said["type"] == "error"
            assert "nothing" in said["sentence"]
            with pytest.raises(WebSocketDisconnect) as left:
                socket.receive_json()
            assert left.value.code == 4404
        answered = begin(client, "broken", [{}, {"player": "random:seed=1"}])
        with looking(client, answered["id"]) as browser:
            for _ in range(2):
                browser.ask(type="play", action=0, at=browser.session["at"])
                browser.until(lambda message: message["type"] == "error" or not message["session"]["thinking"])
        other = begin(client)
        with looking(client, other["id"]) as browser:
            browser.play("b2")
