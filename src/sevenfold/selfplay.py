"""Self-play: games of a player against itself, with a share of random moves so that no two games are alike.

Random moves also lead to lopsided positions, which good players avoid and an evaluation must still judge.
"""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.match import Match, match
from sevenfold.options import shown
from sevenfold.players import Player, SearchResult, player
from sevenfold.records import Record

PLAYER = "uct:simulations=200"
"""Who plays where nobody is named."""
SHARE = 0.1
"""The share of random moves."""


@dataclass
class _Explorer(Player):
    """A player that now and then plays any legal action instead of its own choice."""

    spec: ClassVar[str]
    share: ClassVar[float]

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        options = {} if "seed=" in self.spec else {"seed": self.seed}
        self._inner = player(self.spec, self.game, **options)

    def think(self, state: State) -> SearchResult:
        if self._random.random() >= self.share:
            return self._inner.think(state)
        return SearchResult(self._random.choice(self._legal(state)), [], [])

    def reset(self) -> None:
        self._inner.reset()

    def prepare(self) -> None:
        self._inner.prepare()

    def close(self) -> None:
        """Ends what the player has running."""
        close = getattr(self._inner, "close", None)
        if callable(close):
            close()


def self_play(
    game: Game | str,
    games: int,
    player: str = PLAYER,
    seed: int = 1,
    *,
    preset: str | None = None,
    share: float = SHARE,
    processes: int | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: Callable[[Match], None] | None = None,
) -> list[Record]:
    """Games of a player against itself.

    preset: each pair of games on a board of its own, drawn from this preset of the game.
    share: of the moves that are random.
    record: the games are kept in this file, and those of an earlier call with the same arguments are not played again.
    """
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise ValueError(f"the share of random moves must be from 0 to 1, not {shown(share)}.")
    name = f"{player} with {share:g} random"
    explorer = type("Explorer", (_Explorer,), {"name": name, "spec": player, "share": share})
    seats = game.players if isinstance(game, Game) else 2
    played = match(
        game,
        [explorer] * min(seats, 2),
        games,
        seed,
        preset=preset,
        processes=processes,
        record=record,
        resume=record is not None,
        progress=progress,
    )
    if played.faults:
        raise ValueError(f"self-play broke down: {played.faults[0]}")
    return [one.record for one in played.played][:games]
