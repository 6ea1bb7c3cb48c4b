"""A value for every legal action of a position, whatever the search: the default of `Player.rank`.

A search looks long at what it likes and hardly at the rest, so its own view of a position can be trusted for all
actions only where it is proven. The other actions are played, and the player thinks in the positions after them:

    value of an action = what the player expects the mover to get in the position after it

    1. Think about the position; keep what is proven.
    2. Play each other action. A finished game is worth its returns. Where chance moves next, take all its outcomes, or
       WORLDS samples where there are more: the value is their mean.
    3. Think about all these positions, each from nothing, so that none profits from another.

The player's limits (seconds, simulations, nodes) hold for all of it together: the position and the actions get equal
parts of them. Under hidden information there is only step 1, with the whole limit: the position after an action is what
somebody else sees, and to think there would be to look into hidden hands.
"""

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from sevenfold._core import CHANCE, State
from sevenfold.advisers import adviser
from sevenfold.players import ActionView, Player, SearchResult

WORLDS = 32
"""As many outcomes of chance after an action as are all looked at."""
LIMITS = ("seconds", "simulations", "nodes")
EACH = 24
"""Under hidden information: simulations that every action gets, where the player has an option for that (`least`)."""


def rank(player: Player, state: State) -> list[ActionView]:
    """A view with a value of every legal action, the best first."""
    legal, mover = state.legal_actions(), state.to_move
    alone = len(legal) == 1 or state.game.has_hidden_information
    parts = 1 if alone else len(legal) + 1
    with _each_tried(player, len(legal)) if alone else nullcontext():
        found = _think(player, state, parts)
    if not _has_opinion(player, found):
        raise ValueError(f"{player.name} has no opinion on positions: {instead(player)}.")
    if len(legal) == 1:
        views = [ActionView(legal[0], found.nodes, found.values[mover], proven=found.proven, pv=found.pv)]
    elif alone:
        views = _own_views(player, found, legal)
    else:
        known = {view.action: view for view in found.actions if view.proven and view.value is not None}
        ahead = {action: _after(state, action, player.seed) for action in legal if action not in known}
        open_positions = sum(not world.is_over for worlds, _ in ahead.values() for _, world in worlds)
        each = open_positions * parts / len(legal)
        views = [known.get(action) or _by_playing(player, action, mover, *ahead[action], each) for action in legal]
    longest = [replace(view, pv=found.pv) if _continues(found, view) else view for view in views]
    return sorted(longest, key=lambda view: _order(found, view), reverse=True)


def expected(player: Player, state: State, action: int) -> list[float]:
    """What each player gets after an action, by thinking in the positions after it, with the limits for all of them."""
    worlds, _ = _after(state, action, player.seed)
    total = [0.0] * state.game.players
    for weight, world in worlds:
        values = world.returns() if world.is_over else _think(player, world, len(worlds)).values
        total = [sum_ + weight * value for sum_, value in zip(total, values, strict=True)]
    return total


def instead(player: Player) -> str:
    """What to do where a player cannot judge."""
    return f"review with a player that searches, such as {adviser(player.game)}"


def _order(found: SearchResult, view: ActionView) -> tuple[float, int, bool, int]:
    """By value; of equal ones by the player's own scale (the sooner win), then the one it would play."""
    assert view.value is not None
    return view.value, view.score or 0, view.action == found.action, -view.action


def _continues(found: SearchResult, view: ActionView) -> bool:
    return found.pv[:1] == [view.action] and len(found.pv) > len(view.pv)


def _has_opinion(player: Player, found: SearchResult) -> bool:
    """Whether the player has looked at the position at all, and says what it is worth."""
    if len(found.values) != player.game.players or not all(map(math.isfinite, found.values)):
        return False
    valued = any(view.value is not None for view in found.actions)
    return valued or found.proven or found.nodes > 1 or any(found.values)


def _own_views(player: Player, found: SearchResult, legal: list[int]) -> list[ActionView]:
    """The player's own views, under hidden information; a search that was too short has not tried everything."""
    tried = {view.action: view for view in found.actions if view.value is not None and (view.visits or view.proven)}
    if not tried:
        raise ValueError(f"{player.name} has no opinion on single actions: {instead(player)}.")
    if missing := len([action for action in legal if action not in tried]):
        raise ValueError(
            f"{player.name} has not tried {missing} of {len(legal)} actions of a position: let it think longer."
        )
    return [tried[action] for action in legal]


@contextmanager
def _each_tried(player: Player, actions: int) -> Iterator[None]:
    """Has the player try every action, where it would else leave some out that it does not like."""
    before: int | None = getattr(player, "least", None)
    if before is None:
        yield
        return
    most = min((value for key in ("simulations", "nodes") if (value := getattr(player, key, None))), default=None)
    try:
        player.least = max(before, 1, EACH if most is None else min(EACH, most // actions))  # type: ignore[attr-defined]
        yield
    finally:
        player.least = before  # type: ignore[attr-defined]
        player.reset()  # what it searches with next has its own options again


@contextmanager
def _limited(player: Player, parts: float) -> Iterator[None]:
    """Gives the player only one of so many parts of its limits."""
    limits = {key: value for key in LIMITS if (value := getattr(player, key, None)) is not None}
    try:
        for key, value in limits.items():
            setattr(player, key, value / parts if key == "seconds" else max(1, int(value / parts)))
        yield
    finally:
        for key, value in limits.items():
            setattr(player, key, value)


def _think(player: Player, state: State, parts: float) -> SearchResult:
    """Thinks from nothing, so that a position gets the same value whatever was looked at before."""
    player.reset()
    with _limited(player, parts):
        return player.think(state)


Worlds = list[tuple[float, State]]


def _after(state: State, action: int, seed: int) -> tuple[Worlds, bool]:
    """The positions that an action leads to, with their probabilities, and whether these are all."""
    child = state.copy()
    child.play(action)
    worlds: Worlds = [(1.0, child)]
    while any(world.to_move == CHANCE for _, world in worlds):
        worlds = [after for weight, world in worlds for after in _outcomes(weight, world)]
        if len(worlds) > WORLDS:
            rng = random.Random(f"{seed} {state.history} {action}")
            return [(1 / WORLDS, _sample(child, rng)) for _ in range(WORLDS)], False
    return worlds, True


def _outcomes(weight: float, state: State) -> Iterator[tuple[float, State]]:
    if state.to_move != CHANCE:
        yield weight, state
        return
    for outcome, probability in state.chance():
        world = state.copy()
        world.play(outcome)
        yield weight * probability, world


def _sample(state: State, rng: random.Random) -> State:
    state = state.copy()
    while state.to_move == CHANCE:
        outcomes, weights = zip(*state.chance(), strict=True)
        state.play(rng.choices(outcomes, weights)[0])
    return state


def _by_playing(player: Player, action: int, mover: int, worlds: Worlds, all_of_them: bool, parts: float) -> ActionView:
    """The view of an action by thinking in the positions after it, each with one of so many parts of the limits."""
    view = ActionView(action, value=0.0, proven=all_of_them, pv=[action])
    value = 0.0
    for weight, world in worlds:
        if world.is_over:
            value += weight * world.returns()[mover]
            continue
        found = _think(player, world, parts)
        value += weight * found.values[mover]
        view.visits += found.nodes
        view.proven &= found.proven
        if len(worlds) == 1:  # what follows an outcome of chance is no line that can be played from here
            view.pv = [action, *found.pv]
    view.value = value
    return view
