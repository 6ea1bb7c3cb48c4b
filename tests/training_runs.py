"""Tiny training runs: what the tests of training share. As a program it runs their sessions, and kills them."""

import importlib
import json
import os
import resource
import shutil
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import sevenfold as sf
from sevenfold import nets
from sevenfold.files import whole_file
from sevenfold.nets import Architecture
from sevenfold.train import Config, Run, chunks, loop, resume, saving
from sevenfold.train import run as run_module
from sevenfold.train.config import Gate, Learning, Rating, Replaying, SelfPlay

TINY = Architecture(blocks=1, channels=8, policy_channels=2, value_channels=1, value_hidden=8)


def config(**settings: Any) -> Config:
    """Four iterations of twelve games of tic-tac-toe: seconds."""
    base = Config(
        game="tic_tac_toe",
        net=TINY,
        iterations=4,
        games=12,
        actors=2,
        seed=7,
        keep=2,
        selfplay=SelfPlay(slots=4, simulations=6, cache=100, memory=1),
        replay=Replaying(window=400, window_start=100),
        learning=Learning(batch=32, passes=2, warmup=2, bfloat16=False),
        gate=Gate(),
        rating=Rating(),
    )
    return base.changed(settings)


def begin(folder: Path, **settings: Any) -> Run:
    """A run that has done nothing yet."""
    return Run.begin(folder, config(**settings))


def watched(run: Run, watch: Any = None) -> loop.Loop:
    """A session of a run."""
    return loop.Loop(run, sf.game(run.config.game), watch)


def exported(source: Path) -> Any:
    """In place of `nets.export_onnx`, which takes seconds: every net plays like the one of a file."""

    def export(path: Path, *_: object) -> float:
        shutil.copyfile(source, path)
        return 0.0

    return export


# As a program: sessions of runs, each in a process of its own that may be killed; torch is loaded once.


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _checkpoint_dies(iteration: int, files: int) -> None:
    """In the middle of a checkpoint, with so many of its files written."""
    write = saving.write

    def dying(folder: Path, *rest: Any) -> None:
        write(folder, *rest)
        if folder.name == f".{iteration:06d}":
            for path in sorted(folder.iterdir())[files:]:
                path.unlink()
            _die()

    saving.write = dying


def _log_dies(iteration: int, half: bool) -> None:
    """After a checkpoint and before its line of metrics is written, or in the middle of it."""
    log = Run.log

    def dying(self: Run, name: str, *lines: dict[str, Any]) -> None:
        if lines[0]["iteration"] == iteration:
            if half:
                with open(self.folder / f"{name}.jsonl", "a", encoding="utf-8") as file:
                    file.write(json.dumps(lines[0])[:40])
            _die()
        log(self, name, *lines)

    Run.log = dying  # type: ignore[method-assign]


def _rename_dies(iteration: int) -> None:
    """A checkpoint is all written and has not got its name yet."""
    rename = Path.rename

    def dying(self: Path, target: Any) -> Any:
        if self.name == f".{iteration:06d}":
            _die()
        return rename(self, target)

    Path.rename = dying  # type: ignore[method-assign]


def _chunk_dies() -> None:
    """An actor is writing games when its parent is killed."""
    parent = os.getpid()

    def dying(path: Path, chunk: Any) -> None:
        with whole_file(path) as temporary:
            temporary.write_bytes(b"half")
            os.kill(parent, signal.SIGKILL)
            time.sleep(30)

    chunks.save = dying


def _later_dies(seconds: float) -> None:
    threading.Thread(target=lambda: (time.sleep(seconds), _die()), daemon=True).start()


def _actor_dies(progress: Any) -> None:
    if progress.phase in ("self-play", "learning"):
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if children:
            os.kill(int(children[0]), signal.SIGKILL)
            time.sleep(0.05)


def _session(folder: str, kill: list[Any], limit: int, patience: float) -> int:
    how, *rest = kill or [""]
    ways = {"checkpoint": _checkpoint_dies, "log": _log_dies, "rename": _rename_dies, "chunk": _chunk_dies}
    if how in ways:
        ways[how](*rest)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    run_module.PATIENCE = patience

    def watch(progress: Any) -> None:
        if how == "later" and progress.phase == "starting":
            _later_dies(*rest)
        if how == "actor":
            _actor_dies(progress)

    try:
        run = resume(folder, watch=watch)
    except ValueError as error:
        print(error, flush=True)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"done {run.iterations()[-1]}", flush=True)
    return 0


def _serve() -> None:
    nets.export_onnx = exported(Path(sys.argv[1]))  # type: ignore[attr-defined]
    for slow in ("onnxruntime", "torch._dynamo"):  # what a session would load when it first needs it
        importlib.import_module(slow)
    print("ready", flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        if (pid := os.fork()) == 0:
            code = 1
            try:
                os.setsid()
                handle = os.open(task.pop("out"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(handle, 1)
                os.dup2(handle, 2)
                code = _session(**task)
            except BaseException:
                traceback.print_exc()
                sys.stderr.flush()
            finally:
                os._exit(code)
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve()
