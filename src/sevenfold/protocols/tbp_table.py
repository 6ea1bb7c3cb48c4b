"""Positions of the bot protocol as positions of our engine, and its placements as moves of the protocol."""

from functools import lru_cache
from typing import Any

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.game import game as game_named
from sevenfold.games.tetris.position import placements, side_text
from sevenfold.protocols.tbp import Move, Start
from sevenfold.protocols.tbp_position import bag_of

MOST_PREVIEWS = 18
"""Of the engine."""
LOW = 24
"""Rows that the engine's usual action ids can tell apart; a higher stack is played without lock-out."""
MOST_COMBO = 10_000


class Table:
    """The game that positions are played in: solo Tetris with the options of the table."""

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self._options = dict(options or {})
        self._most = int(self._options.pop("previews", MOST_PREVIEWS))
        if not 0 <= self._most <= MOST_PREVIEWS:
            raise ValueError(f"previews must be from 0 to {MOST_PREVIEWS}, not {self._most}.")
        self.game = self._game(min(5, self._most))
        """The usual one, with five previews."""

    @lru_cache(maxsize=64)  # noqa: B019  # a table lives as long as its program
    def _game(self, previews: int, high: bool = False, uniform: bool = False) -> Game:
        more: dict[str, Any] = {"lock_out": "none"} if high else {}
        more |= {"randomizer": "uniform"} if uniform else {}
        return game_named("tetris", **({"previews": previews} | more | self._options))

    def state(self, position: Start) -> State:
        """The position for the engine. ValueError where it is none, or the game is over in it."""
        if not position.queue:
            raise ValueError("the queue is empty: there is no piece to place.")
        rows = [*position.board]
        while rows and not rows[-1].strip("."):
            rows.pop()
        queue = position.queue[: self._most + 1]
        bag, _ = bag_of(position if len(queue) == len(position.queue) else _shortened(position, queue))
        uniform = position.randomizer == "uniform"
        game = self._game(len(queue) - 1, len(rows) > LOW - 3, uniform)
        text = side_text(
            rows=[_bits(row) for row in rows],
            queue=queue,
            hold=position.hold,
            bag=None if uniform else bag,
            combo=min(position.combo, MOST_COMBO),
            b2b=position.back_to_back,
        )
        state = game.parse(text)
        if state.is_over:
            raise ValueError("the game is over in this position: the piece has no room to appear.")
        return state

    def moves(self, state: State) -> list[tuple[int, Move]]:
        """The legal actions of a position as moves, the lowest first."""
        found = [(one.action, Move(one.piece, one.orientation, one.x, one.y, one.spin)) for one in placements(state)]
        return sorted(found, key=lambda one: one[1].y)

    def legal(self, position: Start) -> list[Move]:
        """The legal moves of a position; none where the game is over."""
        try:
            return [move for _, move in self.moves(self.state(position))]
        except ValueError:
            return []


def _bits(row: str) -> int:
    return sum(1 << x for x, cell in enumerate(row) if cell != ".")


def _shortened(position: Start, queue: str) -> Start:
    """A position with a shorter queue: what is left in the bag then is for the rest of it to tell."""
    return Start(position.board, queue, position.hold)
