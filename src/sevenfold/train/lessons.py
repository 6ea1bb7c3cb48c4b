"""Lessons: what the auxiliary heads of a net learn from the same games, so that the tower learns more from each.

  reply    the policy of the next decision of the game, which is often the opponent's    as many numbers as actions
  soon     what the next searches thought the position is worth for the viewer           1 number
  others   what the other seats see and the viewer does not: their cards                 as `tables.hidden_of` finds
           (method policy_gradient with estimate=trials alone; the other two are for all else)

A room declares its own by `LESSONS`, a dictionary of name to function: from a position and the end of its game, both
seen through the same symmetry, to numbers from -1 to 1, always as many. A net has the heads that its architecture names
(`auxiliary`, sizes by name); they are for learning, and no part of what plays.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.train.chunks import FULL, Chunk

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Lesson = tuple[Floats, Floats]
"""Numbers to learn [N, size], and a weight [N]: 0 where there are none."""
Declared = Callable[[State, State], list[float]]
OWN = ("reply", "soon", "others")
SOON, FADES = 6, 0.8
"""`soon` looks at so many positions; each counts this much of the one before."""


def check(setups: list[Game], auxiliary: Mapping[str, int]) -> None:
    """Refuses heads that nobody teaches, or of another size than their lesson."""
    declared = declared_by(setups[0])
    for name, size in auxiliary.items():
        if name not in OWN and name not in declared:
            known = ", ".join([*OWN, *declared])
            raise ValueError(f"nothing teaches the auxiliary head {shown(name)}; the lessons are: {known}.")
        wanted = {"reply": setups[0].actions, "soon": 1}.get(name, size)
        if size != wanted:
            raise ValueError(f"the auxiliary head {name} needs the size {wanted}, not {size}.")
        if name == "reply" and any(setup.actions != wanted for setup in setups):
            raise ValueError("the lesson reply needs boards that all have the same actions.")


def declared_by(game: Game) -> dict[str, Declared]:
    """The lessons of a game's room."""
    return dict(getattr(game.room, "LESSONS", {}))


def soon(data: Chunk, game_of: Whole, rows: Whole, viewers: Whole, scale: float) -> Lesson:
    """The mean of the next searches' values, near ones more; forced moves had none."""
    total, weight = np.zeros(len(rows)), np.zeros(len(rows))
    for ahead in range(1, SOON + 1):
        later = np.minimum(rows + ahead, len(game_of) - 1)
        there = (rows + ahead < len(game_of)) & (game_of[later] == game_of[rows]) & (data["kind"][later] <= 1)
        part = FADES**ahead * there
        total += part * data["value"][later, viewers]
        weight += part
    means = total / np.maximum(weight, 1e-9) / scale
    return means[:, None].astype(np.float32), (weight > 0).astype(np.float32)


def reply_rows(data: Chunk, game_of: Whole, rows: Whole) -> tuple[Whole, Floats]:
    """The next position of each one's game (itself where there is none), and whether it has a policy to learn."""
    later = np.minimum(rows + 1, len(game_of) - 1)
    there = (rows + 1 < len(game_of)) & (game_of[later] == game_of[rows]) & (data["kind"][later] == FULL)
    return np.where(there, later, rows), there.astype(np.float32)


def of_room(name: str, size: int, teach: Declared, position: State, end: State, symmetry: int) -> list[float]:
    """What a room's lesson says about a position; ValueError where it is not what the head can learn."""
    turn = symmetry % max(1, position.symmetries)
    if turn:
        position, end = position.symmetric(turn), end.symmetric(turn)
    numbers = list(teach(position, end))
    if len(numbers) != size or not all(-1 <= number <= 1 for number in numbers):
        raise ValueError(f"the lesson {name} must give {size} numbers from -1 to 1, not {shown(numbers)}.")
    return numbers
