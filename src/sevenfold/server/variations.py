"""The tree of variations of one game: nodes are moves, node 0 is the start, and the rules are the only judge."""

from dataclasses import dataclass

from sevenfold._core import CHANCE, State
from sevenfold.game import Game
from sevenfold.seen import is_seen

MOST_NODES = 20_000
"""Of one session."""
FULL = f"this session holds {MOST_NODES} moves, and no more can be added; begin a new one."
STATES_KEPT = 8
"""Positions that are not replayed when they are asked for again."""


@dataclass
class Move:
    """A node: a move, and what is known of the position after it."""

    id: int
    parent: int | None
    action: int | None
    mover: int
    """A seat, or CHANCE; at the start of no meaning."""
    ply: int
    text: str
    seen: int
    """Whose eyes saw which action it was: bit n for seat n."""
    values: list[float] | None = None
    mark: str | None = None


class Variations:
    """Moves from a start, as a tree."""

    def __init__(self, game: Game, seed: int, start: str | None, moves: list[Move] | None = None) -> None:
        self.game, self.seed, self.start = game, seed, start
        self.moves = moves or [Move(0, None, None, CHANCE, 0, "", (1 << game.players) - 1)]
        self._children: dict[int, list[int]] = {}
        for move in self.moves[1:]:
            self._children.setdefault(move.parent or 0, []).append(move.id)
        self._states: dict[int, State] = {}

    def __contains__(self, node: int) -> bool:
        return 0 <= node < len(self.moves)

    def children(self, node: int) -> list[int]:
        """The moves that were tried after a node, the oldest first."""
        return self._children.get(node, [])

    def path(self, node: int) -> list[int]:
        """The nodes from the start to this one."""
        out = [node]
        while (parent := self.moves[out[-1]].parent) is not None:
            out.append(parent)
        return out[::-1]

    def line(self, node: int) -> list[int]:
        """The path through a node and on, by the newest move at each fork."""
        out = self.path(node)
        while children := self.children(out[-1]):
            out.append(children[-1])
        return out

    def actions(self, node: int) -> list[int]:
        """What was played from the start to a node."""
        return [action for at in self.path(node) if (action := self.moves[at].action) is not None]

    def state(self, node: int) -> State:
        """The position at a node; not to be changed."""
        state = self._states.pop(node, None)
        if state is None:
            parent = self.moves[node].parent
            if parent is not None and parent in self._states:
                state = self._states[parent].copy()
                state.play(self.moves[node].action or 0)
            else:
                state = self.game.replay(self.actions(node), self.seed, self.start)
        self._states[node] = state
        while len(self._states) > STATES_KEPT:
            self._states.pop(next(iter(self._states)))
        return state

    def check_line(self, node: int, actions: list[int]) -> None:
        """ValueError where these moves cannot all follow a node: a line is added as a whole or not at all."""
        if node not in self:
            raise ValueError(f"there is no node {node} in this session.")
        if len(self.moves) + len(actions) > MOST_NODES:
            raise ValueError(FULL)
        state = self.state(node).copy()
        for action in actions:
            state.play(action)

    def play(self, node: int, action: int | None) -> tuple[Move, bool]:
        """The move after a node, and whether it is new; None lets chance decide. ValueError says the rule it breaks."""
        before = self.state(node)
        if action is None:
            known = self.children(node)
            after = before.copy()
            action = self.moves[known[-1]].action if known else after.play_chance()
            assert action is not None
        for child in self.children(node):
            if self.moves[child].action == action:
                return self.moves[child], False
        if len(self.moves) >= MOST_NODES:
            raise ValueError(FULL)
        after = before.copy()
        after.play(action)
        text = before.action_text(action)
        seen = sum(1 << seat for seat in range(self.game.players) if is_seen(before, action, seat))
        move = Move(len(self.moves), node, action, before.to_move, self.moves[node].ply + 1, text, seen)
        if after.is_over:
            move.values = after.returns()
        self.moves.append(move)
        self._children.setdefault(node, []).append(move.id)
        self._states[move.id] = after
        return move, True
