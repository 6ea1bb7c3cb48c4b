"""Lessons, where this installation has them."""

from typing import Any

from sevenfold.game import Game


def lesson(game: Game, start: str | None, simulations: int, method: str) -> dict[str, Any]:
    """The next simulation of a search, step by step."""
    try:
        from sevenfold.lesson import lesson as made
    except ImportError:
        raise ValueError(f"there is no lesson for {game.name}.") from None
    return made(game, start, simulations, method)
