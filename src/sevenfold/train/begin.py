"""The beginning of a run, and going on with one."""

import itertools
import re
from pathlib import Path
from typing import Any

from sevenfold.files import FilePath
from sevenfold.game import Game, game
from sevenfold.train import records
from sevenfold.train.config import Config
from sevenfold.train.config import preset as config_of
from sevenfold.train.loop import Loop
from sevenfold.train.progress import Watcher
from sevenfold.train.run import Run
from sevenfold.train.session import description_of


def train(
    rules: Game | str,
    preset: str = "quick",
    out: FilePath | None = None,
    config: Config | None = None,
    watch: Watcher | None = None,
    from_records: FilePath | None = None,
    **settings: Any,
) -> Run:
    """Trains a net from nothing, or from game records; `sf.train` says what the parameters are."""
    rules = game(rules) if isinstance(rules, str) else rules
    if from_records is not None:
        settings["supervised.records"] = str(from_records)
    config = (config or config_of(preset, rules)).changed(settings)
    run = begin(rules, out if out is not None else new_folder(rules, preset), config)
    Loop(run, rules, watch).go()
    return run


def begin(rules: Game, out: FilePath, config: Config) -> Run:
    """The folder of a new run, with the game records it starts from; ValueError, and no folder, where it cannot be."""
    given, about = config.supervised, description_of(config.setups(rules), config)
    if not given.records and (given.required or not config.iterations):
        why = "its preset starts from them" if given.required else "without iterations it learns from nothing else"
        raise ValueError(f"this run needs game records, since {why}; name them by --from-records FILE.")
    if not given.records:
        return Run.begin(out, config)
    games = records.read(given.records, about, rules)
    run = Run.begin(out, config.changed({"supervised.records": str(Path(given.records).resolve())}))
    records.save(run.games(0), games)
    return run


def new_folder(rules: Game, preset: str) -> Path:
    """Where a run goes that nobody has named: runs/GAME-PRESET, or the first runs/GAME-PRESET-N that is not there."""
    name = f"{re.sub('[^A-Za-z0-9_]+', '-', rules.name)}-{preset}"
    numbers = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
    return next(path for path in (Path("runs") / f"{name}{number}" for number in numbers) if not path.exists())


def resume(folder: FilePath, rules: Game | None = None, watch: Watcher | None = None) -> Run:
    """Goes on with a run, exactly where it was."""
    run = Run(folder)
    Loop(run, rules or game(run.config.game), watch).go()
    return run
