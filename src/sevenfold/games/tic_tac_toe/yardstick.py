"""The yardstick of tic_tac_toe: every position there is, with what its actions are worth by looking at all of them.

not_lost   a mistake is an action that loses where another would not: who makes none cannot be beaten
value      a mistake is any action that gives something away, such as a win for a draw
"""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from sevenfold._core import State
from sevenfold.game import Game, game
from sevenfold.yardstick import Position

LEGAL_LOSS = -1.0


class TicTacToeYardstick:
    """All 4 520 positions in which a player is to move, of the 5 478 that can be reached."""

    spec = "tic_tac_toe"
    published: ClassVar[dict[str, dict[str, str]]] = {}

    def sets(self, folder: Path | None) -> dict[str, list[Position]]:
        """The two sets; there are no others to be read from files."""
        if folder is not None:
            raise ValueError("the yardstick of tic_tac_toe has all positions, and takes none from files.")
        known: dict[int, float] = {}
        positions: dict[int, tuple[tuple[int, ...], dict[int, float]]] = {}
        _solve(game(self.spec).new(), (), known, positions)
        not_lost, value = [], []
        for actions, worth in positions.values():
            best = max(worth.values())
            value.append(Position(actions, frozenset(a for a, v in worth.items() if v == best)))
            if best > LEGAL_LOSS:
                not_lost.append(Position(actions, frozenset(a for a, v in worth.items() if v > LEGAL_LOSS)))
            else:
                not_lost.append(Position(actions, frozenset(worth)))
        return {"not_lost": not_lost, "value": value}

    def judge(self, game: Game, position: Position, progress: Callable[[int], None] | None) -> Position:
        """Every position has its verdict already."""
        return position


def _solve(
    state: State,
    actions: tuple[int, ...],
    known: dict[int, float],
    positions: dict[int, tuple[tuple[int, ...], dict[int, float]]],
) -> float:
    """What a position is worth for the player to move."""
    key = state.hash()
    if key in known:
        return known[key]
    worth = {}
    for action in state.legal_actions():
        after = state.copy()
        after.play(action)
        mover = state.to_move
        worth[action] = (
            after.returns()[mover] if after.is_over else -_solve(after, (*actions, action), known, positions)
        )
    positions[key] = actions, worth
    known[key] = max(worth.values())
    return known[key]


YARDSTICK = TicTacToeYardstick()
