"""Chance that is not told move by move (`QUIET_CHANCE` of a room): each run of it is one line, such as the deal."""

from sevenfold._core import CHANCE
from sevenfold.seen import is_quiet
from sevenfold.server import wire
from sevenfold.server.variations import Variations

DEALT = "dealt"
"""What people read for a run of chance; the page has it in its languages."""


def between(tree: Variations) -> set[int]:
    """The nodes inside a run of chance: chance moves again after them, and nobody stops there."""
    return {
        move.parent
        for move in tree.moves[1:]
        if move.mover == CHANCE and move.parent and tree.moves[move.parent].mover == CHANCE
    }


def plies(tree: Variations, node: int) -> int:
    """Moves up to a node, as people count them."""
    whole = tree.moves[node].ply
    return (
        whole if not is_quiet(tree.game) else whole - sum(tree.moves[at].mover == CHANCE for at in tree.path(node)[1:])
    )


def without_runs(nodes: list[wire.Node], left_out: set[int]) -> list[wire.Node]:
    """The nodes with one for each run of chance, and plies counted as people count them."""
    parents = {node.id: node.parent for node in nodes}
    plies: dict[int, int] = {}
    out = []
    for node in nodes:
        if node.id in left_out:
            continue
        while node.parent in left_out:
            node.parent = parents[node.parent]
        if node.id and node.mover == "chance":
            node.action, node.text = None, DEALT
            plies[node.id] = plies[node.parent or 0]
        else:
            plies[node.id] = plies[node.parent] + 1 if node.parent is not None else 0
        node.ply = plies[node.id]
        out.append(node)
    return out
