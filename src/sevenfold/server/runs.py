"""Training runs: folders on disk, read as they grow; those started from the page are processes of their own.

A run is known by the name of its folder in the folder of runs. What was started here is noted in `.page/`, with the
words of its process, so that a server that was started anew still knows whom it may stop.
"""

import fcntl
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.rating import elo_of
from sevenfold.results import finite
from sevenfold.server import wire
from sevenfold.server.catalogue import Catalogue, can_train, trains
from sevenfold.train import config as training
from sevenfold.train.report import is_elo
from sevenfold.train.run import Run

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
MOST_LINES = 2000
LAST_WORDS = 2000
ENDLESS = 10_000
"""A run planned for more iterations than this ends by time."""
NICENESS = 5
RATING_EVERY = 5
"""Iterations between matches of a run whose preset plays none: people want to see it become stronger."""


class Runs:
    """The folder of runs."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self._folder, self._notes, self._catalogue = folder, folder / ".page", catalogue
        self._process: subprocess.Popen[bytes] | None = None

    # Reading

    def ids(self) -> list[str]:
        """All runs, the newest first."""
        found = {path.parent.name for path in self._folder.glob("*/config.json")}
        found |= {path.stem for path in self._notes.glob("*.json")}
        return sorted(filter(NAME.fullmatch, found), key=self._updated, reverse=True)

    def find(self, id: str) -> Run | None:
        """A run by its name, which is no path."""
        return Run(self._folder / id) if NAME.fullmatch(id) and id in self.ids() else None

    def line(self, id: str) -> wire.RunLine:
        """A run in short."""
        run, note = Run(self._folder / id), self._note(id)
        about, last = _json(run.folder / "config.json"), (run.lines("metrics") or [{}])[-1]
        return wire.RunLine(
            id=id,
            game=str(about.get("game") or note.get("game") or "?"),
            preset=about.get("preset") or note.get("preset"),
            running=self._running(id),
            from_page=bool(note),
            iteration=int(last.get("iteration", 0)),
            games=int(last.get("games", 0)),
            seconds=float(last.get("seconds", 0.0)),
            updated=datetime.fromtimestamp(self._updated(id), UTC).isoformat(timespec="milliseconds"),
            checkpoints=run.iterations(),
        )

    def state(self, id: str) -> wire.RunState:
        """A run with its curves."""
        run, line = Run(self._folder / id), self.line(id)
        lines = [_numbers(one) for one in run.lines("metrics")]
        step = -(-len(lines) // MOST_LINES) or 1
        kept = lines[::step] + (lines[-1:] if lines and (len(lines) - 1) % step else [])
        log = "" if line.running else self._last_words(id)
        about = _json(run.folder / "config.json")
        return wire.RunState(
            **line.model_dump(),
            metrics=kept,
            ratings=[_rating(one) for one in run.lines("ratings")],
            progress=_progress(about, line),
            log=log,
            config=about or None,
        )

    def stamp(self, id: str) -> tuple[Any, ...]:
        """Something else whenever there is something new to read."""
        run = self._folder / id
        files = [run / name for name in ("config.json", "metrics.jsonl", "ratings.jsonl", "checkpoints")]
        return (self._running(id), *(path.stat().st_mtime_ns if path.exists() else 0 for path in files))

    def metrics_after(self, id: str, iteration: int) -> list[dict[str, float]]:
        """The lines of iterations after one."""
        lines = Run(self._folder / id).lines("metrics")
        return [_numbers(one) for one in lines if one.get("iteration", 0) > iteration]

    def checkpoint(self, id: str, iteration: int) -> Path:
        """The net of a checkpoint; ValueError where there is none."""
        run = self.find(id)
        if run is None:
            raise ValueError(f"there is no run {shown(id)} on this server.")
        net = run.checkpoint(iteration) / "net.onnx"
        if not net.is_file():
            raise ValueError(f"the run {id} has no checkpoint {iteration}.")
        return net

    def _updated(self, id: str) -> float:
        paths = (self._folder / id / "metrics.jsonl", self._folder / id / "config.json", self._notes / f"{id}.json")
        return next((path.stat().st_mtime for path in paths if path.exists()), 0.0)

    def _note(self, id: str) -> dict[str, Any]:
        return _json(self._notes / f"{id}.json")

    def _last_words(self, id: str) -> str:
        """What the process of a run wrote last, where it did not end well."""
        note = self._note(id)
        if not note or self._progress_is_full(id):
            return ""
        try:
            text = (self._notes / f"{id}.log").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return text[-LAST_WORDS:].strip()

    def _progress_is_full(self, id: str) -> bool:
        return (self._notes / f"{id}.done").exists()

    # Starting and stopping

    def start(self, wanted: wire.NewRun) -> str:
        """Starts a run; its name."""
        game = self._catalogue.game(wanted.game)
        if not can_train():
            raise ValueError("training needs more packages; install them by: pip install 'sevenfold[train]'.")
        if not trains(game):
            raise ValueError(f"{game.name} cannot be trained from the page; use `sevenfold train`.")
        known = training.preset_names(game)
        if wanted.preset not in known:
            raise ValueError(f"{game.name} has no preset {shown(wanted.preset)}; there are: {', '.join(known)}.")
        if busy := [id for id in self.ids() if self._note(id) and self._running(id)]:
            raise ValueError(f"the run {busy[0]} is still training; stop it first, or wait for its end.")
        id = self._new_name(game, wanted.preset)
        self._notes.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "sevenfold", "train", game.spec, "--preset", wanted.preset, "--quiet"]
        command += ["--out", str(self._folder / id)]
        if wanted.minutes is not None:
            command += ["--minutes", f"{wanted.minutes:g}"]
        if not training.preset(wanted.preset, game).rating.every:
            command += ["--set", f"rating.every={RATING_EVERY}"]
        with open(self._notes / f"{id}.log", "wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)
        note = {"game": game.spec, "preset": wanted.preset, "pid": self._process.pid, "began": time.time()}
        (self._notes / f"{id}.json").write_text(json.dumps(note), encoding="utf-8")
        self._id = id
        return id

    def stop(self, id: str) -> None:
        """Ends a run that was started here, as Ctrl-C does: what it has learnt is kept."""
        note = self._note(id)
        if not note:
            raise ValueError(f"the run {id} was not started from the page; stop it where it was started.")
        if not self._running(id):
            raise ValueError(f"the run {id} is not running.")
        self._is_meant_to_end(id)
        os.kill(note["pid"], signal.SIGINT)

    def close(self) -> None:
        """The server ends, and so does what it has started."""
        if self._process is not None and self._process.poll() is None:
            self._is_meant_to_end(self._id)
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()

    def _is_meant_to_end(self, id: str) -> None:
        """Whatever its process says from now on, it has not failed."""
        (self._notes / f"{id}.done").touch()

    def _new_name(self, game: Game, preset: str) -> str:
        base = f"{re.sub('[^A-Za-z0-9_]+', '-', game.name)}-{preset}"
        taken = {*self.ids(), *(path.name for path in self._folder.glob("*"))}
        return next(
            name for name in itertools.chain([base], (f"{base}-{n}" for n in itertools.count(2))) if name not in taken
        )

    def _running(self, id: str) -> bool:
        """Whether a process trains it: our own, or whoever holds its folder."""
        if self._process is not None and id == self._id:
            code = self._process.poll()
            if code == 0:
                self._is_meant_to_end(id)
            return code is None
        note = self._note(id)
        if note:
            return _is_alive(int(note.get("pid", 0)), str(self._folder / id))
        return _is_held(self._folder / id)


def _is_alive(pid: int, folder: str) -> bool:
    """Whether a process still trains in a folder; its number may have gone to another one."""
    done = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return "sevenfold train" in done.stdout and folder in done.stdout


def _is_held(folder: Path) -> bool:
    """Whether a process has locked a run's folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _numbers(line: dict[str, Any]) -> dict[str, float]:
    return {
        key: value
        for key, value in line.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and finite(value) is not None
    }


def _rating(line: dict[str, Any]) -> wire.RunRating:
    score = float(line.get("score", 0.0))
    return wire.RunRating(
        iteration=int(line.get("iteration", 0)),
        opponent=str(line.get("opponent", "?")),
        score=score,
        elo=finite(elo_of(score)) if is_elo(line | {"score": score}) else None,
        games=int(line.get("games", 0)),
    )


def _progress(about: dict[str, Any], line: wire.RunLine) -> wire.RunProgress | None:
    if not line.running:
        return None
    iterations, minutes = int(about.get("iterations") or 0), float(about.get("minutes") or 0)
    planned = iterations if 0 < iterations < ENDLESS else None
    left = [60 * minutes - line.seconds] if minutes else []
    if planned and line.iteration:
        left.append((planned - line.iteration) * line.seconds / line.iteration)
    return wire.RunProgress(done=line.iteration, planned=planned, seconds_left=max(0.0, min(left)) if left else None)
