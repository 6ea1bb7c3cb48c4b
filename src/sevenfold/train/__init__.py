"""Training: self-play and learning, in a Run folder that outlives every interruption (docs/how-to/train.md).

`config` says what to do, `loop` does it; `actor` plays, `replay` keeps, `learner` learns, `run` is the folder;
`records` and `supervised` are the start from game records, `start` is that from a net; `trial` is the dry run, `report`
and `plots` tell what a run has done, `events` tells TensorBoard. Only `learner`, `saving`, `start` and `supervised`
need torch, and only the process that learns loads them. The names here are loaded when they are used: `import
sevenfold` imports this file, and stays light.

`sf.train(…)` calls this package: as an attribute of sevenfold, a function would hide the package and all that is in it.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sevenfold.files import FilePath
from sevenfold.game import Game

if TYPE_CHECKING:
    from sevenfold.train.begin import resume
    from sevenfold.train.config import Config, Gate, Learning, Replaying, SelfPlay, preset, preset_names
    from sevenfold.train.progress import Progress, Watcher
    from sevenfold.train.run import Run

__all__ = ["Config", "Gate", "Learning", "Progress", "Replaying", "Run", "SelfPlay", "preset", "preset_names", "resume"]
__all__ += ["train"]

_HOMES = dict.fromkeys(("Config", "Gate", "Learning", "Replaying", "SelfPlay", "preset", "preset_names"), "config")
_HOMES |= {"Progress": "progress", "Watcher": "progress", "resume": "begin", "Run": "run"}


def train(
    game: Game | str,
    preset: str = "quick",
    out: FilePath | None = None,
    config: "Config | None" = None,
    watch: "Watcher | None" = None,
    from_records: FilePath | None = None,
    from_net: FilePath | None = None,
    **settings: Any,
) -> "Run":
    """Trains a net from nothing: `sf.train("connect_four", preset="laptop", out="runs/c4")`.

    preset: a name from `sevenfold train GAME --list`, or a whole `config` instead.
    out: the run's folder, which must be new; by default runs/GAME-PRESET, with a number where that is there.
    watch: called with a `Progress` again and again.
    from_records: a file of game records to learn from before the first self-play, as `sevenfold match --record` writes
        it; with iterations=0 the net learns from nothing else.
    from_net: a net to start from: a file, a run's folder, a model of the room, or "shipped"; layers of the same name
        and shape are taken over, the others start afresh (start.jsonl in the run says which).
    settings: by dotted names, `**{"learning.batch": 256}`; those without a dot as they are, `iterations=10`.
    """
    from sevenfold.train import begin

    return begin.train(game, preset, out, config, watch, from_records, from_net, **settings)


class _Training(ModuleType):
    def __call__(self, *args: Any, **settings: Any) -> "Run":
        return train(*args, **settings)


sys.modules[__name__].__class__ = _Training


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
