"""A process that thinks: one job at a time, each with a deadline, and able to stop in the middle.

Jobs come through a pipe and are read by a thread of their own, so that a "stop" is heard while the job runs. A search
that looks up now and then (`Player.progress`) ends by itself with what it has; one that does not is interrupted by a
signal, and one that does not even hear that is ended by the pool. Players are kept for the next job of the same key, so
that their trees are reused, as long as there is room.
"""

import os
import queue
import signal
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

NICENESS = 5
"""The server itself answers first."""
PATIENCE = 0.1
"""Seconds for a search to look up after it was told to stop."""
KEPT = 16
"""Players, at most."""
KEPT_BYTES = 400 << 20
"""What the trees of all of them may hold together."""


@dataclass
class Seated:
    """A player that is kept, and what its last search held and has spent on one position."""

    player: Any
    bytes: int = 0
    position: object = None
    nodes: int = 0
    seconds: float = 0.0


class Worker:
    """What happens in the process."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._players: OrderedDict[tuple[str, str], Seated] = OrderedDict()
        self._running: int | None = None
        self._stopped: int | None = None
        self._deadline = 0.0
        signal.signal(signal.SIGUSR1, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Hears jobs and stops, and watches the deadline; when the server is gone, so is the process."""
        while True:
            try:
                if not self._pipe.poll(0.25):
                    if self._running is not None and time.monotonic() > self._deadline + PATIENCE:
                        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
                    continue
                message = self._pipe.recv()
            except (EOFError, OSError):
                os._exit(0)
            if "stop" in message:
                self._stopped = message["stop"]
                threading.Timer(PATIENCE, self._insist, [message["stop"]]).start()
            else:
                self._jobs.put(message)

    def _insist(self, id: int) -> None:
        if self._running == id:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    def _interrupt(self, *_: object) -> None:
        from sevenfold.perft import Enough

        if self._running is not None and (self._stopped == self._running or time.monotonic() > self._deadline):
            raise Enough

    def _look_up(self, _: int = 0) -> None:
        """What searches call now and then."""
        from sevenfold.perft import Enough

        if self._stopped == self._running or time.monotonic() > self._deadline:
            raise Enough

    def serve(self) -> None:
        """Jobs, until the server is gone."""
        while True:
            job = self._jobs.get()
            self._pipe.send({"id": job["id"], **self._done(job)})

    def _done(self, job: dict[str, Any]) -> dict[str, Any]:
        from sevenfold.perft import Enough

        self._deadline = time.monotonic() + job["budget"]
        try:
            try:
                self._running = job["id"]
                if self._stopped == self._running:
                    raise Enough
                return {"result": getattr(self, f"_{job['kind']}")(job)}
            finally:
                self._running = None
        except Enough:
            self._players.pop((job["key"], job["player"]), None)  # it was cut short anywhere
            late = "" if self._stopped == job["id"] else f"{job['player']} took longer than {job['budget']:g} s."
            return {"failed": late}
        except (ValueError, ImportError) as error:
            return {"failed": str(error)}
        except MemoryError:
            return {"failed": "there is not enough memory for that."}
        except Exception as error:
            return {"failed": f"{job['player']} failed: {type(error).__name__}: {error}."}

    # The kinds of jobs

    def _prepare(self, job: dict[str, Any]) -> None:
        """Gets a player ready before its first move."""
        self._seated(job)

    def _think(self, job: dict[str, Any]) -> dict[str, Any]:
        """A thought: a move, a hint, or a slice of an analysis, which goes on where the last one ended."""
        seated, state = self._seated(job), self._state(job)
        player = seated.player
        if job.get("slice") and hasattr(player, "seconds"):
            player.seconds = job["slice"]
        player.progress = self._look_up
        began = time.perf_counter()
        found = player.think(state)
        where = (job["start"], job["seed"], job["actions"])
        if seated.position != where or not job.get("slice"):
            seated.position, seated.nodes, seated.seconds = where, 0, 0.0
        seated.nodes += found.nodes
        seated.seconds += time.perf_counter() - began
        seated.bytes = found.memory
        self._make_room()
        return thought(state, found) | {"nodes": seated.nodes, "seconds": seated.seconds}

    def _tree(self, job: dict[str, Any]) -> dict[str, Any]:
        from sevenfold.searchtree import tree

        seated, state = self._seated(job), self._state(job)
        if seated.position != (job["start"], job["seed"], job["actions"]):
            raise ValueError("there is no tree of this position yet; switch the analysis on.")
        return tree(seated.player, state, job["path"])

    def _review(self, job: dict[str, Any]) -> dict[str, Any]:
        """One more move of a review."""
        from sevenfold.perft import Enough
        from sevenfold.records import Record
        from sevenfold.review import Review, review

        earlier = Review.from_json(job["earlier"]) if job["earlier"] else None
        found: list[Review] = []

        def progress(so_far: Review) -> None:
            found[:] = [so_far]
            if len(so_far.moves) > len(earlier.moves if earlier else []) or self._stopped == self._running:
                raise Enough

        seated = self._seated(job)
        record = Record.from_line(job["record"])
        try:
            review(record, seated.player, game=seated.player.game, progress=progress, earlier=earlier)
        except Enough:
            if self._stopped == self._running or not found:
                raise
        return found[0].to_json()

    def _lesson(self, job: dict[str, Any]) -> dict[str, Any]:
        from sevenfold.game import game
        from sevenfold.lesson import lesson

        return lesson(game(job["game"]), job["start"], job["simulations"], job["method"])

    # Players and positions

    def _seated(self, job: dict[str, Any]) -> Seated:
        from sevenfold.game import game
        from sevenfold.server import specs

        key = (job["key"], job["player"])
        if key not in self._players:
            player = specs.made(job["player"], game(job["game"]), job["player_seed"])
            player.prepare()  # a net is loaded before the clock runs
            self._players[key] = Seated(player)
            self._make_room()
        self._players.move_to_end(key)
        return self._players[key]

    def _make_room(self) -> None:
        """The players that were not asked for longest make room for the others."""
        while len(self._players) > 1 and (
            len(self._players) > KEPT or sum(one.bytes for one in self._players.values()) > KEPT_BYTES
        ):
            self._players.popitem(last=False)

    def _state(self, job: dict[str, Any]) -> Any:
        from sevenfold.game import game

        return game(job["game"]).replay(job["actions"], job["seed"], job["start"])


def thought(state: Any, found: Any) -> dict[str, Any]:
    """A SearchResult with texts, its actions best first. Under hidden information nothing beyond the own action is
    told: in the true position a line that was only imagined might not even be legal."""
    hidden = state.game.has_hidden_information
    best = found.action
    views = {view.action: view for view in found.actions}
    actions = []
    for action in state.legal_actions():
        view, share = views.get(action), found.policy[action]
        if view is None and not share and action != best:
            continue
        value = view.value if view else None
        actions.append(
            {
                "action": action,
                "text": state.action_text(action),
                "visits": view.visits if view else 0,
                "value": value if value is None or value == value else None,
                "prior": view.prior if view else None,
                "share": share,
                "proven": view.proven if view else False,
                "pv": line(state, [action] if hidden or not view else view.pv or [action]),
                "score": view.score if view else None,
            }
        )
    actions.sort(key=lambda one: (one["action"] == best, one["share"], one["visits"]), reverse=True)
    return {
        "mover": state.to_move,
        "action": best,
        "values": list(found.values),
        "proven": found.proven,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "depth": found.depth,
        "pv": line(state, [best] if hidden else found.pv or [best]),
        "actions": actions,
    }


def line(state: Any, actions: list[int]) -> list[dict[str, Any]]:
    """Actions that follow each other, with their texts."""
    out: list[dict[str, Any]] = []
    state = state.copy()
    for action in actions[:40]:
        try:
            text = state.action_text(action)
            state.play(action)
        except ValueError:  # a line through chance is only one of many
            break
        out.append({"action": action, "text": text})
    return out


def main(pipe: Connection) -> None:
    """What a process of the pool does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the pipe
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.nice(NICENESS)
    worker = Worker(pipe)
    # Before the first job, not in it.
    from sevenfold import alphazero, players, review, uct  # noqa: F401
    from sevenfold.server import specs  # noqa: F401

    players.players()
    worker.serve()
