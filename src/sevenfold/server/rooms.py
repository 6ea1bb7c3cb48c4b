"""What rooms give the page, each where it is: pictures, levels, search trees, lessons."""

from dataclasses import dataclass
from typing import Any

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.players import Player


@dataclass(frozen=True)
class Level:
    """An opponent in plain words."""

    id: str
    player: str
    title: tuple[str, str]
    about: tuple[str, str]


def picture(state: State, viewer: int | None) -> dict[str, Any] | None:
    try:
        from sevenfold.picture import picture as made
    except ImportError:
        return None
    return made(state, viewer)


def miniature(game: Game) -> dict[str, Any] | None:
    try:
        from sevenfold.picture import miniature as made
    except ImportError:
        return None
    return made(game)


def levels(game: Game) -> list[Any]:
    try:
        from sevenfold.levels import levels as made
    except ImportError:
        return [
            Level("beginner", "random", ("Beginner", "新手"), ("plays anything", "隨便走")),
            Level("easy", "uct:simulations=30", ("Easy", "簡單"), ("looks ahead a little", "會稍微往後看")),
            Level("medium", "uct:simulations=300", ("Medium", "中等"), ("looks ahead", "會往後看")),
            Level("hard", "uct:seconds=0.5", ("Hard", "困難"), ("thinks for half a second", "思考半秒")),
            Level("strongest", "uct:seconds=2", ("Strongest", "最強"), ("thinks for two seconds", "思考兩秒")),
        ]
    return list(made(game))


def tree(player: Player, state: State, path: list[int]) -> dict[str, Any]:
    try:
        from sevenfold.searchtree import tree as made
    except ImportError:
        raise ValueError("this player has no tree to look into.") from None
    return made(player, state, path)


def lesson(game: Game, start: str | None, simulations: int, method: str) -> dict[str, Any]:
    try:
        from sevenfold.lesson import lesson as made
    except ImportError:
        raise ValueError(f"there is no lesson for {game.name}.") from None
    return made(game, start, simulations, method)
