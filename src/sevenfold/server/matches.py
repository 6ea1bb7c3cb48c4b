"""Matches that the page has asked for: each in a process of its own, which tells the result after every game."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from collections import OrderedDict

from sevenfold.game import Game
from sevenfold.server import wire

AT_ONCE = 2
KEPT = 50
CHILD = "sevenfold.server.match_child"


class Matches:
    """The matches since the server was started."""

    def __init__(self) -> None:
        self._states: OrderedDict[str, wire.MatchState] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def find(self, id: str) -> wire.MatchState | None:
        """A match as far as it has got."""
        return self._states.get(id)

    def all(self) -> list[wire.MatchState]:
        """All of them, the newest first."""
        return list(reversed(self._states.values()))

    def start(self, game: Game, names: list[str], specs: list[str], games: int) -> wire.MatchState:
        """Starts a match between two players, by the names people know and the texts that make them."""
        if len(self._tasks) >= AT_ONCE:
            raise ValueError(f"{AT_ONCE} matches are being played already; wait for one to end, or stop it.")
        state = wire.MatchState(
            id=secrets.token_hex(8), game=game.spec, players=names, games=0, planned=games, wins=0, draws=0, losses=0,
            score=0.0, elo=None, elo_interval=(None, None), running=True, sentence=None,
        )  # fmt: skip
        self._states[state.id] = state
        while len(self._states) > KEPT:
            self._states.popitem(last=False)
        task = asyncio.create_task(self._play(state, specs))
        self._tasks[state.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(state.id, None))
        return state

    def stop(self, id: str) -> None:
        """Ends a match; its games so far count."""
        if (task := self._tasks.get(id)) is None:
            raise ValueError("this match is over already.")
        task.cancel()

    async def close(self) -> None:
        """The server ends."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, state: wire.MatchState, specs: list[str]) -> None:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", CHILD, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            wanted = {"game": state.game, "players": specs, "games": state.planned}
            child.stdin.write(json.dumps(wanted).encode())
            child.stdin.close()
            async for line in child.stdout:
                for key, value in json.loads(line).items():
                    setattr(state, key, tuple(value) if key == "elo_interval" else value)
            await child.wait()
            if state.games < state.planned and state.sentence is None:
                state.sentence = "the process of the match ended before its last game."
        finally:
            state.running = False
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)  # and the processes it plays in
            with contextlib.suppress(asyncio.CancelledError):
                await child.wait()
