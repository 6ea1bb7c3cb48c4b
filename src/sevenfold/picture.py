"""What a page draws of a position: `picture(state, viewer)`, JSON made by the game's room.

A room may bring `picture.py` with `picture(state, viewer)` and, for the lobby, `MINIATURE`, a list of actions that lead
to a position worth showing. `viewer` is the seat whose eyes it is for: nothing that this seat may not know is in the
picture; None sees everything. The room's `board.ts` draws it. A game without one is shown as text.
"""

import importlib
import importlib.util
import random
from functools import cache
from types import ModuleType
from typing import Any

from sevenfold import games as rooms
from sevenfold._core import CHANCE, State
from sevenfold.game import Game
from sevenfold.options import shown

MINIATURE_PLIES = 12
"""Random plies to a room's miniature where it names no actions."""


def picture(state: State, viewer: int | None) -> dict[str, Any] | None:
    """A position for the page, as `viewer` may see it; None where the room draws nothing."""
    if viewer is not None and viewer not in range(state.game.players):
        raise ValueError(f"a viewer is a seat from 0 to {state.game.players - 1} or none, not {shown(viewer)}.")
    module = _module(state.game)
    if module is None:
        return None
    made: dict[str, Any] = module.picture(state, viewer)
    return made


def has_picture(game: Game) -> bool:
    """Whether the game's room draws its positions."""
    return _module(game) is not None


def miniature(game: Game) -> dict[str, Any] | None:
    """A picture from the middle of a game, for the lobby: always the same one; None where the room draws nothing."""
    module = _module(game)
    if module is None:
        return None
    actions = getattr(module, "MINIATURE", None)
    state = _shown_position(game, actions if isinstance(actions, list) else None)
    return picture(state, 0 if game.has_hidden_information else None)


def _shown_position(game: Game, actions: list[int] | None) -> State:
    """The position after these actions, without those that other options forbid, or after random ones."""
    rng, state = random.Random(0), game.new()
    _settle(state)
    for wanted in actions if actions is not None else [None] * MINIATURE_PLIES:
        legal = state.legal_actions()
        action = rng.choice(legal) if wanted is None and legal else wanted
        if action not in legal:
            continue
        after = state.copy()
        after.play(action)
        _settle(after)
        if after.is_over:
            break
        state = after
    return state


def _settle(state: State) -> None:
    while state.to_move == CHANCE:
        state.play_chance()


def _module(game: Game) -> ModuleType | None:
    """The room's picture.py: only a room of the house can have one, since the page brings the house's drawings."""
    package = getattr(game.room, "__package__", None)
    if not isinstance(package, str) or not package.startswith(f"{rooms.__name__}."):
        return None
    return _found(package)


@cache
def _found(package: str) -> ModuleType | None:
    name = f"{package}.picture"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
