"""Chance that is not told move by move (`QUIET_CHANCE` of a room): each run of it is one line, such as the deal.

With `QUIET_CHANCE = "merged"` what follows a move is told with it, such as the piece that comes after a placement of
Tetris: people step from decision to decision, and read moves alone.
"""

from sevenfold._core import CHANCE
from sevenfold.seen import is_merged, is_quiet
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


def merged(tree: Variations, inside: set[int], at: int) -> dict[int, int]:
    """Ends of runs of chance, each with the move before the run, which is told by it. Nothing is merged with the node
    shown, after which something is still to be seen."""
    out: dict[int, int] = {}
    if not is_merged(tree.game):
        return out
    for move in tree.moves[1:]:
        if move.mover != CHANCE or move.id in inside:
            continue
        before = move.parent
        while before and before != at and tree.moves[before].mover == CHANCE:
            before = tree.moves[before].parent
        if before and before != at:
            out[move.id] = before
    return out


def tell_merged(nodes: list[wire.Node], ends: dict[int, int]) -> list[wire.Node]:
    """The nodes, of which those at the end of a run say the move before it, which is left out."""
    by_id = {node.id: node for node in nodes}
    for end, move in ends.items():
        told, node = by_id[end], by_id[move]
        told.action, told.text, told.mover, told.mark = node.action, node.text, node.mover, node.mark
        told.ply, told.parent = node.ply, node.parent
        told.values = told.values or node.values
    left_out = set(ends.values())
    return [node for node in nodes if node.id not in left_out]


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
