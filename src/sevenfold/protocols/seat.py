"""One of our players at a table with a clock that is not ours."""

import time
from pathlib import Path
from typing import Any

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.game import game as game_named
from sevenfold.options import RESERVED, shown
from sevenfold.players import SearchResult, player

MARGIN = 0.02
"""Seconds kept for writing the answer."""
FORGETS = 0.97
"""What is left of a delay after the next move: half after 23, so that a busy moment does not cost a whole game."""
LEAST = 0.005
"""Seconds of thought, however late it is."""


class Seat:
    """A player who is done by a deadline, as far as it has an option `seconds`; its other limits stay in force.

    `caution`: as many times the longest delay of late are left before the deadline, and `margin` seconds."""

    def __init__(self, spec: str, game: Game, seed: int = 0, caution: float = 1.5, margin: float = MARGIN) -> None:
        self.game, self._caution, self._margin = game, caution, margin
        self.player = player(spec, game, **({} if "seed=" in spec else {"seed": seed}))
        self._own: float | None = getattr(self.player, "seconds", None) if "seconds=" in spec else None
        self._extra = 0.0
        """The most that thinking has of late taken longer than it was told to: stepping down a large tree takes its
        time, and so do others on the same machine."""

    def think(self, state: State, deadline: float) -> SearchResult:
        """What the player would do, by a deadline on the clock of time.monotonic."""
        start = time.monotonic()
        given = max(LEAST, deadline - start - self._margin - self._caution * self._extra)
        given = given if self._own is None else min(given, self._own)
        if hasattr(self.player, "seconds"):
            self.player.seconds = given
        result = self.player.think(state)
        self._extra = max(FORGETS * self._extra, time.monotonic() - start - given)
        return result


def with_options(game: Game, options: dict[str, Any]) -> Game:
    """The same game with the options that a referee names."""
    if options == game.options:
        return game
    if wrong := [key for key in options if key in RESERVED or not isinstance(key, str)]:
        raise ValueError(f"{shown(wrong[0])} is no option of a game.")
    base = game.spec if Path(game.spec).is_file() else game.spec.partition("(")[0]
    return game_named(base, **options)


def check_open(game: Game) -> None:
    """Refuses games whose positions cannot be rebuilt from what a seat is told."""
    if game.has_hidden_information:
        raise ValueError(f"{game.name} has hidden information: from what one seat is told our players get no position.")
