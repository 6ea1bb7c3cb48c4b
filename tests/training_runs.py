"""Tiny training runs: what the tests of training share. As a program it trains: python training_runs.py FOLDER."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import sevenfold as sf
from sevenfold import nets
from sevenfold.nets import Architecture
from sevenfold.train import Config, Run, loop
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


if __name__ == "__main__":
    nets.export_onnx = exported(Path(os.environ["NET"]))  # type: ignore[attr-defined]
    try:
        loop.resume(sys.argv[1])
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
