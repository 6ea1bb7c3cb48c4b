"""Players whose text comes from outside: which are allowed, and how much they may use.

Players that take a whole text (`exec` runs it as a command) are refused, and so is every option that is a free text: it
names a file. A net of a run is named by "run:ID@ITERATION", which the server itself turns into the path of that
checkpoint.
"""

import dataclasses
import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from sevenfold.advisers import adviser
from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.players import Player, player, players

HEAVY = ("torch",)
"""Evaluators that no worker loads."""
MOST = {"seconds": 60.0, "memory": 256, "worlds": 32, "simulations": 100_000_000, "nodes": 10_000_000_000}
MOST |= {"cache": 200_000, "batch": 256, "rollout_count": 64, "endgame": 10_000_000, "settle": 100_000, "depth": 200}
"""The most that a player from outside may use."""
USUAL = {"memory": 64, "cache": 50_000}
"""What it gets where its text names nothing: many sit in one process."""

Checkpoint = Callable[[str, int], Path]
"""The net of a run's checkpoint, by the run's id and the iteration; ValueError where there is none."""


def analyst(game: Game) -> str:
    """Who analyses: the adviser, but a net looks wider, so that it has something to say about other moves too."""
    found = adviser(game)
    return f"{found}:c_puct=4" if found == "alphazero" else found


def names(game: Game) -> list[str]:
    """The players that may be named from outside."""
    return [name for name, cls in players(game).items() if cls.takes is None]


def checked(text: str, game: Game, checkpoint: Checkpoint | None = None) -> str:
    """The same player, allowed and within its limits, as a text that makes it in a worker; ValueError says why not."""
    if text.startswith("run:"):
        return _checked(text, game, checkpoint)
    return _remembered(text, game)


@lru_cache(maxsize=1024)
def _remembered(text: str, game: Game) -> str:
    return _checked(text, game, None)


def _checked(text: str, game: Game, checkpoint: Checkpoint | None) -> str:
    name, colon, rest = text.partition(":")
    if name == "run" and colon:
        run, _, options = rest.partition(",")
        given = ["alphazero", *options.split(",")]
    else:
        run, given = "", [name, *rest.split(",")]
    allowed = names(game)
    if given[0] not in allowed:
        raise ValueError(f"there is no player {shown(name)} here; the players are: {', '.join(allowed)}.")
    chosen: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in given[1:])):
        key, equals, value = (one.strip() for one in part.partition("="))
        if not equals:
            raise ValueError(f"write a player as name:option=value,…, not {shown(text)}.")
        if key in _free_texts(game) or value in HEAVY:
            raise ValueError(f"{given[0]}: the option {key} cannot be {shown(value)} here; leave it out.")
        chosen[key] = _limited(given[0], key, value)
    if run:
        chosen["net"] = str(_net(run, checkpoint))
    for key, usual in USUAL.items():
        its_own = getattr(players(game)[given[0]], key, None)
        if type(its_own) is int and its_own > usual and key not in chosen:
            chosen[key] = str(usual)
    out = given[0] + ("" if not chosen else ":" + ",".join(f"{key}={value}" for key, value in chosen.items()))
    player(out, game)  # says in its own sentence what is wrong with its options
    return out


def made(spec: str, game: Game, seed: int) -> Player:
    """The player of a checked text, with a seed of its own."""
    return player(spec, game, **({} if "seed=" in spec else {"seed": seed}))


def _free_texts(game: Game) -> set[str]:
    """The options of any player of a game, presets included, that are neither numbers nor one of several words."""
    found = players(game)
    added = [getattr(game.room, f"{name.upper()}_PRESETS", None) for name in found]
    classes = [*found.values(), *(cls for presets in added if isinstance(presets, dict) for cls in presets.values())]
    fields = [one for cls in classes if dataclasses.is_dataclass(cls) for one in dataclasses.fields(cls)]
    return {one.name for one in fields if one.init and one.type in (str, str | None, "str", "str | None")}


def _limited(name: str, key: str, value: str) -> str:
    most = MOST.get(key)
    try:
        number = float(value)
    except ValueError:
        return value  # the player says what it wants instead
    if most is not None and (math.isnan(number) or number > most):
        raise ValueError(f"{name}: {key} can be at most {most:g} here, not {shown(value)}.")
    return value


def _net(text: str, checkpoint: Checkpoint | None) -> Path:
    run, at, iteration = text.rpartition("@")
    if not at or not iteration.isascii() or not iteration.isdigit() or len(iteration) > 9 or checkpoint is None:
        raise ValueError(f"write a checkpoint as run:ID@ITERATION, not {shown('run:' + text)}.")
    return checkpoint(run, int(iteration))


@lru_cache(maxsize=1024)
def seconds(spec: str, game: Game) -> float | None:
    """How long a player thinks, where it goes by time."""
    found = getattr(player(spec, game), "seconds", None)
    return float(found) if isinstance(found, int | float) else None
