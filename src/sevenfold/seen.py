"""Whether a player sees what another has done."""

from sevenfold._core import State


def is_seen(before: State, action: int, viewer: int | None) -> bool:
    """Whether a viewer sees what was played: every other action would have looked different to these eyes."""
    if viewer is None or before.to_move == viewer or not before.game.has_hidden_information:
        return True

    def view_after(other: int) -> str:
        after = before.copy()
        after.play(other)
        return after.view(viewer)

    seen = view_after(action)
    others = (other for other in before.legal_actions() if other != action)
    return seen != before.view(viewer) and all(view_after(other) != seen for other in others)
