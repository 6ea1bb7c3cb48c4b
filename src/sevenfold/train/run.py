"""The Run folder: everything a training run is.

  config.json                what it does
  games/000012/*.npz         the games of each iteration (chunks.py); in 000000 the records it starts from (records.py)
  checkpoints/000012/        state.json, net.safetensors (the weights), mean.safetensors (what plays), net.onnx,
                             optimiser.safetensors
  metrics.jsonl              a line per iteration
  ratings.jsonl              a line per match
  gate.jsonl                 a line per net that wanted to take over
  supervised.jsonl           a line about what game records have taught
  start.safetensors, .jsonl  the net it starts from (start.py), and a line about what of it was taken over
  tensorboard/               the same for TensorBoard (events.py)

A checkpoint is a folder that takes its name when all of it is written; what a killed process leaves behind has another
name and is swept away. Nothing in it is code.
"""

import contextlib
import dataclasses
import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sevenfold.files import FilePath, whole_file
from sevenfold.options import shown
from sevenfold.train import chunks
from sevenfold.train.config import Config

PATIENCE = 5.0
"""Seconds to wait for another process to leave the folder: actors outlive a killed one by a moment."""
LINES: dict[str, dict[str, Any]] = {
    "metrics": {"iteration": int, "seconds": int | float},
    "ratings": {"iteration": int, "opponent": str, "score": int | float},
    "gate": {"iteration": int, "passed": bool},
    "supervised": {"iteration": int},
    "start": {"iteration": int, "net": str, "game": str},
}
"""What a line must say to be one."""
CHECKPOINT = ("net.safetensors", "mean.safetensors", "net.onnx", "optimiser.safetensors")


class Run:
    """A folder with a training run."""

    def __init__(self, folder: FilePath) -> None:
        self.folder = Path(folder)
        self._made: list[Path] = []

    @classmethod
    def begin(cls, folder: FilePath, config: Config) -> "Run":
        """A new run; ValueError where the folder holds something already."""
        run = cls(folder)
        if run.folder.exists() and (not run.folder.is_dir() or any(run.folder.iterdir())):
            raise ValueError(f"{folder} is there already; continue it with --resume, or name another folder.")
        run._made = [path for path in run.folder.parents if not path.exists()]
        run.folder.mkdir(parents=True, exist_ok=True)
        _write_config(run.folder, config)
        return run

    def discard(self) -> None:
        """Removes a run that could not begin, and the folders that were made for it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # somebody else has put something there
            for path in self._made:
                path.rmdir()

    def keep_start(self, net: Path) -> None:
        """Copies the weights that it starts from, so that they are there if the start is done again."""
        with whole_file(self.start) as temporary:
            shutil.copyfile(net, temporary)

    @property
    def start(self) -> Path:
        """The weights that it starts from, if it does not from random ones."""
        return self.folder / "start.safetensors"

    @property
    def config(self) -> Config:
        """What it does."""
        path = self.folder / "config.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(f"{self.folder} is no training run: it has no config.json.") from None
        except (OSError, RecursionError, ValueError):
            raise ValueError(f"{path} cannot be read.") from None
        return Config.from_json(data)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """For one process and its actors alone: they all hold the folder until the last of them ends."""
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            patience = time.monotonic() + PATIENCE
            while not _locked(handle):
                if time.monotonic() > patience:
                    raise ValueError(f"{self.folder} is being trained by another process.")
                time.sleep(0.05)
            yield
        finally:
            os.close(handle)

    def extend(self, config: Config) -> None:
        """Goes on for longer than it was meant to: only its end may change."""
        now = self.config
        same = dataclasses.replace(now, minutes=config.minutes, iterations=config.iterations)
        if same != config:
            raise ValueError(f"only the end of the run {self.folder} can be changed.")
        _write_config(self.folder, config)

    # Games

    def games(self, iteration: int) -> Path:
        """The folder of an iteration's games."""
        return self.folder / "games" / f"{iteration:06d}"

    def played(self, iteration: int) -> Iterator[tuple[Path, chunks.Chunk]]:
        """The games of an iteration that are written down; what cannot be read is put aside and played again."""
        for path in sorted(self.games(iteration).glob("*.npz")):
            try:
                yield path, chunks.load(path)
            except ValueError:
                path.rename(path.with_suffix(".damaged"))

    def sweep(self) -> None:
        """Removes what a killed process left half written."""
        for path in [*self.folder.glob(".*.tmp"), *self.folder.glob("games/*/.*.tmp")]:
            path.unlink(missing_ok=True)
        for path in self.folder.glob("checkpoints/.*"):
            shutil.rmtree(path, ignore_errors=True)

    # Checkpoints

    def checkpoint(self, iteration: int) -> Path:
        """The folder of a checkpoint."""
        return self.folder / "checkpoints" / f"{iteration:06d}"

    def iterations(self) -> list[int]:
        """The checkpoints there are, oldest first."""
        return sorted(int(path.name) for path in self.folder.glob("checkpoints/[0-9]*") if path.name.isdigit())

    def write_checkpoint(self, iteration: int, state: dict[str, Any], fill: Any) -> Path:
        """Writes a checkpoint: `fill` puts the files into a folder, which then takes its name at once."""
        target = self.checkpoint(iteration)
        temporary = target.parent / f".{target.name}"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            fill(temporary)
            sums = {path.name: _sum(path) for path in sorted(temporary.iterdir())}
            state = state | {"iteration": iteration, "files": sums}
            with whole_file(temporary / "state.json") as file:
                file.write_text(json.dumps(state | {"sum": _sum_of(state)}, indent=2) + "\n", encoding="utf-8")
            _sync(temporary)
            shutil.rmtree(target, ignore_errors=True)
            temporary.rename(target)
            _sync(target.parent)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        return target

    def state(self, iteration: int) -> dict[str, Any]:
        """What a checkpoint says; ValueError where it is damaged."""
        folder = self.checkpoint(iteration)
        try:
            state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
            files, told = state["files"], state.pop("sum", None)
            if told is not None and told != _sum_of(state):
                raise ValueError(f"the checkpoint {folder} is damaged: state.json.")
            for name in sorted({*CHECKPOINT, *files}):
                if files.get(name) != _sum(folder / name):
                    raise ValueError(f"the checkpoint {folder} is damaged: {name}.")
        except (OSError, KeyError, TypeError, AttributeError, RecursionError, UnicodeDecodeError, json.JSONDecodeError):
            raise ValueError(f"the checkpoint {folder} is damaged or cut short.") from None
        return dict(state)

    def newest(self) -> tuple[int, dict[str, Any], list[str]]:
        """The newest whole checkpoint (-1: none), what it says, and a sentence for every damaged one after it."""
        said: list[str] = []
        for iteration in reversed(self.iterations()):
            try:
                return iteration, self.state(iteration), said
            except ValueError as error:
                said.append(f"{error} The one before it is used.")
        return -1, {}, said

    def thin_out(self, keep: int, also: set[int]) -> None:
        """Removes old checkpoints, but for the newest, every 10th and some others."""
        numbers = self.iterations()
        for number in numbers[:-keep]:
            if number % 10 and number not in also:
                shutil.rmtree(self.checkpoint(number), ignore_errors=True)

    # What happened

    def log(self, name: str, *lines: dict[str, Any]) -> None:
        """Adds lines to metrics.jsonl, gate.jsonl or ratings.jsonl, at once."""
        with open(self.folder / f"{name}.jsonl", "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The lines of metrics.jsonl or ratings.jsonl; what was cut short, or is no such line, is left out."""
        try:
            text = (self.folder / f"{name}.jsonl").read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return []
        out = []
        for line in text.splitlines():
            try:
                out.append(json.loads(line))
            except (RecursionError, ValueError):
                continue
        needed = LINES[name]
        return [
            line
            for line in out
            if isinstance(line, dict) and all(isinstance(line.get(key), kind) for key, kind in needed.items())
        ]

    def forget_after(self, iteration: int) -> None:
        """Drops lines of iterations whose checkpoint was never finished: they are done again."""
        for name in ("metrics", "ratings", "gate", "supervised", "start"):
            path = self.folder / f"{name}.jsonl"
            if path.exists():
                kept = [line for line in self.lines(name) if line["iteration"] <= iteration]
                with whole_file(path) as temporary:
                    temporary.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")

    def net(self) -> Path:
        """The .onnx that plays best so far."""
        iteration, _, _ = self.newest()
        if iteration < 0:
            raise ValueError(f"the run {shown(str(self.folder))} has no net yet.")
        passed = [int(line["iteration"]) for line in self.lines("gate") if line.get("passed")]
        if self.config.gate.games:
            iteration = max(passed, default=0)
        return self.checkpoint(iteration) / "net.onnx"


def _write_config(folder: Path, config: Config) -> None:
    with whole_file(folder / "config.json") as temporary:
        temporary.write_text(json.dumps(config.to_json(), indent=2) + "\n", encoding="utf-8")


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _sum_of(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system that knows no locks
        return True
    return True


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
