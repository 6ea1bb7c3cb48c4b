"""What somebody at the table sees of a move."""

from sevenfold._core import CHANCE, State
from sevenfold.game import Game

WORLDS = 8
"""Worlds that a viewer might be in: how many are tried for whether an action was seen."""


def is_quiet(game: Game) -> bool:
    """Whether chance is not told move by move: a room says `QUIET_CHANCE`, such as where fifty cards are dealt. What
    a seat has got is on its table; who else got what is not to be guessed from the order of the deal."""
    return bool(getattr(game.room, "QUIET_CHANCE", False))


def is_merged(game: Game) -> bool:
    """Whether what chance does after a move is told with the move: a room says `QUIET_CHANCE = "merged"`."""
    return getattr(game.room, "QUIET_CHANCE", False) == "merged"


def is_seen(before: State, action: int, viewer: int | None) -> bool:
    """Whether a viewer sees what was played: every other action would have looked different to these eyes, also in
    other worlds that the viewer might be in (a last card that is laid face down is the only legal action there is)."""
    if viewer is None or before.to_move == viewer or not before.game.has_hidden_information:
        return True
    if before.to_move == CHANCE and is_quiet(before.game):
        return False

    def view_after(world: State, other: int) -> str:
        after = world.copy()
        after.play(other)
        return after.view(viewer)

    seen = view_after(before, action)
    if seen == before.view(viewer):
        return False
    worlds = [before]
    if "redeal" in before.game.abilities and before.to_move != CHANCE:
        worlds += [before.redeal(viewer, seed) for seed in range(WORLDS)]
    text = before.action_text(action)  # the same number may be another move there: "the first card of the hand"
    return all(
        view_after(world, other) != seen
        for world in worlds
        for other in world.legal_actions()
        if other != action or world.action_text(other) != text
    )
