"""A look into the tree of a player's last search, for the page: one node at a time, opened by the actions to it.

The players `uct` and `alphazero` keep one tree. Where information is hidden a search goes through many worlds and there
is no single tree to show. Numbers are in the game's own units: q and u of an edge add up to what the selection formula
compares.
"""

from collections.abc import Sequence
from typing import Any

from sevenfold import _core
from sevenfold._core import CHANCE, State
from sevenfold.players import Player


def tree(player: Player, state: State, path: Sequence[int]) -> dict[str, Any]:
    """The node to which `path` leads from `state`, which the player has thought about (wire.ts: TreeNode).

    A path of legal actions that the search did not follow leads to a node without children.
    """
    view = player.tree(state, path)
    game = state.game
    # alphazero has no such option, and always goes by priors
    guided = getattr(player, "selection", "puct") == "puct"
    return described(view, after(state, path), path, (game.min_return, game.max_return), guided)


def after(state: State, path: Sequence[int]) -> State:
    """The position at the end of a path; ValueError, with the rule's sentence, where an action is illegal."""
    end = state.copy()
    for action in path:
        end.play(action)
    return end


def described(
    view: _core.NodeView, state: State, path: Sequence[int], returns: tuple[float, float], guided: bool
) -> dict[str, Any]:
    """A node of a tree as JSON.

    returns: what the search's -1 and 1 stand for; guided: whether its priors mean something.
    """
    low, high = returns

    def value(scaled: float) -> float:
        return low + (scaled + 1) / 2 * (high - low)

    decides = state.to_move >= 0
    children = []
    for edge in sorted(view.edges, key=lambda one: -one.visits):
        known = decides and (edge.visits > 0 or edge.proven)
        formula = decides and (edge.visits > 0 or guided)
        children.append(
            {
                "action": edge.action,
                "text": state.action_text(edge.action),
                "visits": edge.visits,
                "q": value(edge.q) if known else None,
                "prior": edge.prior if guided or not decides else None,
                "u": edge.u * (high - low) / 2 if formula else None,
                "proven": edge.proven,
                "expandable": edge.expanded,
            }
        )
    return {
        "path": list(path),
        "mover": mover(state),
        "visits": view.visits,
        "value": None if (mean := _mean(view)) is None or not decides else value(mean),
        "proven": view.proven or state.is_over,
        "children": children,
    }


def mover(state: State) -> int | str:
    """Who is to move, in the words of the page."""
    return "over" if state.is_over else "chance" if state.to_move == CHANCE else state.to_move


def _mean(view: _core.NodeView) -> float | None:
    """What a node is worth for its mover: its best proven action where that settles it, else the mean of its visits."""
    if view.proven and any(edge.proven for edge in view.edges):
        return max(edge.q for edge in view.edges if edge.proven)
    visits = sum(edge.visits for edge in view.edges)
    return sum(edge.q * edge.visits for edge in view.edges) / visits if visits else None
