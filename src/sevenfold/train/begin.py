"""The beginning of a run, and going on with one."""

import itertools
import re
from pathlib import Path
from typing import Any

from sevenfold import models
from sevenfold.files import FilePath
from sevenfold.game import Game, game
from sevenfold.options import shown
from sevenfold.players import player
from sevenfold.train import records, tables
from sevenfold.train.config import Config
from sevenfold.train.config import preset as config_of
from sevenfold.train.gradient_loop import GradientLoop
from sevenfold.train.loop import Loop
from sevenfold.train.progress import Watcher
from sevenfold.train.run import Run
from sevenfold.train.session import description_of

FOREVER = 1_000_000
"""Iterations of a run that ends by time."""


def train(
    rules: Game | str,
    preset: str = "quick",
    out: FilePath | None = None,
    config: Config | None = None,
    watch: Watcher | None = None,
    from_records: FilePath | None = None,
    from_net: FilePath | None = None,
    **settings: Any,
) -> Run:
    """Trains a net from nothing, from game records or from a net; `sf.train` says what the parameters are."""
    rules = game(rules) if isinstance(rules, str) else rules
    if from_records is not None:
        settings["supervised.records"] = str(from_records)
    if from_net is not None:
        settings["from_net"] = str(from_net)
    if config is not None and not isinstance(config, Config):
        raise ValueError(f"config must be a Config or None, not {shown(config)}.")
    config = (config or config_of(preset, rules)).changed(settings)
    run = begin(rules, out if out is not None else new_folder(rules, preset), config)
    session = loop_of(run, rules, watch)
    try:
        session.go()
    except (ValueError, ImportError):
        if not session.begun:  # there is nothing in it that could be lost
            run.discard()
        raise
    return run


def loop_of(run: Run, rules: Game, watch: Watcher | None, end: dict[str, Any] | None = None) -> Loop | GradientLoop:
    """The loop of a run's method."""
    return (GradientLoop if run.config.method == "policy_gradient" else Loop)(run, rules, watch, end)


def begin(rules: Game, out: FilePath, config: Config) -> Run:
    """The folder of a new run, with the game records it starts from; ValueError, and no folder, where it cannot be."""
    if "," in str(out) and (config.gate.games or config.rating.every):
        raise ValueError(
            f"{out} has a comma, and the players of the run's matches are named by its folder; name another."
        )
    given, setups = config.supervised, config.setups(rules)
    if config.rating.every and config.method != "policy_gradient":
        for anchor in config.rating.anchors:
            player(anchor, setups[0])  # refused now, and not at the first match
    if config.method == "policy_gradient":
        check_others(rules, config)
    about, largest = description_of(setups, config), max(setups, key=lambda one: one.planes)
    if not given.records and (given.required or not config.iterations):
        why = "its preset starts from them" if given.required else "without iterations it learns from nothing else"
        raise ValueError(f"this run needs game records, since {why}; name them by --from-records FILE.")
    games = records.read(given.records, about, rules) if given.records else None
    net = models.weights(config.from_net, largest) if config.from_net else None
    if given.records:
        config = config.changed({"supervised.records": str(Path(given.records).resolve())})
    if config.from_net and Path(config.from_net).exists():
        config = config.changed({"from_net": str(Path(config.from_net).resolve())})
    run = Run.begin(out, config)
    if games is not None:
        records.save(run.games(0), games)
    if net is not None:
        run.keep_start(net)
    return run


def check_others(rules: Game, config: Config) -> None:
    """ValueError where somebody whom a net of method=policy_gradient is to meet is not there, at its tables or where it
    is measured."""
    wanted = config.gradient
    met = {
        "gradient.league": wanted.league,
        "gradient.goes_on": (wanted.goes_on,) if wanted.goes_on else (),
        "gradient.imitate": (wanted.imitate,) if wanted.imitate else (),
        "rating.anchors": config.rating.anchors if config.rating.every else (),
    }
    for setting, names in met.items():
        for name in names:
            try:
                tables.habit_named(rules, name)
            except ValueError as error:
                raise ValueError(f"{setting}: {error}") from None
    if wanted.against:
        try:
            models.refuse_others(models.weights(wanted.against, rules), rules)
        except ValueError as error:
            raise ValueError(f"gradient.against: {error}") from None


def end_of(minutes: float | None, iterations: int | None) -> dict[str, Any]:
    """The settings of where a run ends: whichever is given replaces both of the preset's."""
    chosen: dict[str, Any] = {}
    if minutes == 0 and iterations is None:
        raise ValueError("a run of 0 minutes would have no end; give it more, or iterations.")
    if minutes is not None:
        chosen |= {"minutes": minutes, "iterations": FOREVER}
    if iterations is not None:
        chosen["iterations"] = iterations
        if minutes is None:
            chosen["minutes"] = 0.0
    return chosen


def new_folder(rules: Game, preset: str) -> Path:
    """Where a run goes that nobody has named: runs/GAME-PRESET, or the first runs/GAME-PRESET-N that is not there."""
    name = f"{re.sub('[^A-Za-z0-9_]+', '-', rules.name)}-{preset}"
    numbers = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
    return next(path for path in (Path("runs") / f"{name}{number}" for number in numbers) if not path.exists())


def resume(
    folder: FilePath,
    rules: Game | None = None,
    watch: Watcher | None = None,
    minutes: float | None = None,
    iterations: int | None = None,
) -> Run:
    """Goes on with a run, exactly where it was; to another end, where minutes or iterations are given. A run that
    cannot go on is left as it is."""
    run = Run(folder)
    loop_of(run, rules or game(run.config.game), watch, end_of(minutes, iterations)).go()
    return run
