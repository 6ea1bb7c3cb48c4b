"""One game on the server: its variations, who sits where, which node is shown, and what the person may see of it.

With hidden information the person sees through the eyes of their seat (of the seat to move, where several people play),
until the line shown is played to its end: what an action was, the position, its picture and its texts are told only as
far as those eyes have seen them.
"""

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sevenfold._core import CHANCE, TERMINAL, State
from sevenfold.game import Game
from sevenfold.picture import picture
from sevenfold.records import Record
from sevenfold.seen import is_quiet
from sevenfold.server import wire
from sevenfold.server.quiet import between, merged, plies, tell_merged, without_runs
from sevenfold.server.variations import Move, Variations


def now() -> str:
    """The time as it is told and stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def mover_of(number: int) -> wire.Mover:
    """A mover as it is told."""
    return "chance" if number == CHANCE else "over" if number == TERMINAL else number


@dataclass
class Session:
    """A game with its variations."""

    tree: Variations
    seats: list[wire.Seat]
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    at: int = 0
    """The node that is shown."""
    leaf: int = 0
    """The end of the line that is shown."""
    going: bool = True
    """Whether players and chance move when it is their turn; not after the person has gone back."""
    version: int = 0
    review: dict[str, Any] | None = None
    """The JSON of a ReviewState, and the line it is about."""
    created: str = field(default_factory=now)
    updated: str = field(default_factory=now)
    changed: list[Move] = field(default_factory=list)
    """Moves that are not on disk yet."""
    _told: dict[int, tuple[object, wire.Node]] = field(default_factory=dict, repr=False)
    """Nodes as they were told last, and what they were made of: a long game has thousands, told with every move."""

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def state(self) -> State:
        """The position shown; not to be changed."""
        return self.tree.state(self.at)

    @property
    def line(self) -> list[int]:
        return self.tree.path(self.leaf)

    # What happens

    def touch(self) -> None:
        """Counts a change."""
        self.version += 1
        self.updated = now()

    def play(self, action: int | None) -> Move:
        """Plays at the node shown; None lets chance decide. ValueError where the rules forbid it."""
        move, new = self.tree.play(self.at, action)
        if new:
            self.changed.append(move)
            self.leaf = move.id
        elif move.id not in self.line:
            self.leaf = self.tree.line(move.id)[-1]
        self.at = move.id
        self.going = not self.tree.children(move.id)
        self.touch()
        return move

    def person_plays(self, action: int, at: int) -> None:
        """A person's move, at the node that the person looked at."""
        if at != self.at:
            raise ValueError("the game has moved on; look at the board and play again.")
        mover = self.state.to_move
        if mover == TERMINAL:
            raise ValueError("the game is over.")
        if mover == CHANCE:
            raise ValueError("it is chance's turn.")
        if not self.is_human(mover):
            raise ValueError(f"it is the turn of {self.seats[mover].name}.")
        self.play(action)

    def go(self, node: int) -> None:
        """Shows another node; at the end of the line the game goes on."""
        if node not in self.tree:
            raise ValueError(f"there is no node {node} in this session.")
        if node == self.at:
            return
        line = self.line
        if node not in line:
            self.leaf = self.tree.line(node)[-1]
        self.going = node == line[-1]
        self.at = node
        self.touch()

    def show_line(self, at: int, actions: list[int]) -> None:
        """Adds a variation after a node and shows its first move, from where people step on; nobody answers it."""
        if self.viewer is not None:
            raise ValueError("lines are shown when nothing is hidden any more.")
        self.tree.check_line(at, actions)
        self.go(at)
        shown = [self.play(action).id for action in actions]
        self.at = shown[0] if shown else at
        self.going = False
        self.touch()

    def undo(self) -> None:
        """Back to the person's last decision; to the move before, where nobody plays."""
        for node in reversed(self.tree.path(self.at)[:-1]):
            if self._decides(node):
                self.go(node)
                return
        raise ValueError("there is nothing to take back: this is the first decision.")

    def redo(self) -> None:
        """On to the person's next decision, or to the end of the line."""
        line = self.line
        later = line[line.index(self.at) + 1 :]
        if not later:
            raise ValueError("there is nothing to play again: this is the end of the line.")
        self.go(next((node for node in later if self._decides(node)), later[-1]))

    def hand_over(self, seat: int, to: wire.Seat) -> None:
        """Seats somebody else."""
        self.seats[seat] = to
        self.going = self.going or self.at == self.leaf
        self.touch()

    def think_of(self, node: int, values: list[float], reviewed: bool = False) -> None:
        """Keeps what somebody expects after a node. What a review says stays: its graph agrees with its marks."""
        move = self.tree.moves[node]
        if not values or (node in self._judged and not reviewed):
            return
        if not self.tree.children(node) and self.tree.state(node).is_over:
            return
        move.values = values
        self.changed.append(move)

    @property
    def _judged(self) -> list[int]:
        """The nodes whose positions the review has judged: those before its moves."""
        moves = (self.review["state"] or {}).get("moves", []) if self.review else []
        return [self.review["line"][move["ply"]] for move in moves] if self.review else []

    def _decides(self, node: int) -> bool:
        """Whether a person decides at a node, or anybody, where no person plays."""
        mover = self.tree.state(node).to_move
        return mover >= 0 and (self.is_human(mover) or not self.people)

    # Who sees what

    @property
    def people(self) -> list[int]:
        return [seat for seat, one in enumerate(self.seats) if one.kind == "human"]

    def is_human(self, seat: int) -> bool:
        return seat >= 0 and self.seats[seat].kind == "human"

    @property
    def revealed(self) -> bool:
        """Whether everything may be seen: nothing is hidden, nobody plays, or the line has been played to its end."""
        return not self.game.has_hidden_information or not self.people or self.tree.state(self.leaf).is_over

    @property
    def viewer(self) -> int | None:
        """Whose eyes; None sees everything."""
        if self.revealed:
            return None
        if len(self.people) == 1:
            return self.people[0]
        if self.is_human(mover := self.state.to_move):
            return mover
        moved = [mover for node in self.tree.path(self.at) if self.is_human(mover := self.tree.moves[node].mover)]
        return moved[-1] if moved else self.people[0]

    def may_think(self) -> None:
        """ValueError where a thought about the node shown would tell the person what is hidden from them."""
        if self.state.to_move < 0:
            raise ValueError("there is nothing to think about here: no player is to move.")
        if (viewer := self.viewer) is not None and self.state.to_move != viewer:
            raise ValueError("it is not your turn, and a thought would tell what is hidden from you.")

    # What is told

    def node(self, move: Move) -> wire.Node:
        """A move as the person may see it."""
        viewer = self.viewer
        seen = viewer is None or bool(move.seen >> viewer & 1)
        return wire.Node(
            id=move.id,
            parent=move.parent,
            action=move.action if seen else None,
            text=move.text if seen else "",
            mover=mover_of(move.mover) if move.id else "chance",
            ply=move.ply,
            values=move.values,
            mark=move.mark,  # type: ignore[arg-type]
        )

    def nodes(self) -> list[wire.Node]:
        """All moves as the person may see them; not to be changed."""
        viewer, told = self.viewer, self._told
        for move in self.tree.moves:
            made_of = (viewer, move.values, move.mark)
            if (kept := told.get(move.id)) is None or kept[0] != made_of:
                told[move.id] = (made_of, self.node(move))
        return [told[move.id][1] for move in self.tree.moves]

    def position(self) -> wire.Position:
        """The position shown, as the person may see it."""
        return position(self.state, self.at, self.viewer, self.is_human(self.state.to_move))

    def to_wire(self, thinking: wire.Thinking | None) -> wire.Session:
        """All of it for the page."""
        known = self.review["state"] if self.review else None
        review = wire.ReviewState.model_validate(known) if known else None
        nodes, line = self.nodes(), self.line
        if is_quiet(self.game):
            inside = between(self.tree) - {self.at}
            ends = merged(self.tree, inside, self.at)
            nodes = tell_merged(without_runs([node.model_copy() for node in nodes], inside), ends)
            told_by = {move: end for end, move in ends.items()} | {ends[end]: end for end in line if end in ends}
            line = [node for node in line if node not in inside and node not in told_by]
            for move in review.moves if review else []:
                move.node = told_by.get(move.node, move.node)
        return wire.Session(
            id=self.id,
            version=self.version,
            game=self.game.spec,
            name=self.game.name,
            players=self.game.players,
            returns=(self.game.min_return, self.game.max_return),
            seats=self.seats,
            viewer=self.viewer,
            nodes=nodes,
            line=line,
            at=self.at,
            position=self.position(),
            thinking=thinking,
            review=review,
            created=self.created,
            updated=self.updated,
        )

    def record(self) -> Record:
        """The line shown, from the start to its end, as a record."""
        if not self.revealed:
            raise ValueError("the record of a game with hidden information is given when it is over.")
        return Record.of(self.tree.state(self.leaf), [seat.name for seat in self.seats])

    # To and from disk

    def row(self) -> dict[str, Any]:
        """What the store keeps of it, but for its moves."""
        end = self.tree.state(self.leaf)
        return {
            "id": self.id,
            "game": self.game.spec,
            "seed": str(self.tree.seed),  # SQLite's integers are shorter
            "start": self.tree.start,
            "seats": [seat.model_dump() for seat in self.seats],
            "at": self.at,
            "leaf": self.leaf,
            "going": int(self.going),
            "version": self.version,
            "review": self.review,
            "plies": plies(self.tree, self.leaf),
            "returns": end.returns() if end.is_over else None,
            "created": self.created,
            "updated": self.updated,
        }

    @classmethod
    def of_row(cls, row: dict[str, Any], moves: list[Move], game: Game) -> "Session":
        """A session that the store has kept."""
        tree = Variations(game, int(row["seed"]), row["start"], moves)
        seats = [wire.Seat.model_validate(seat) for seat in row["seats"]]
        own = ("id", "at", "leaf", "version", "review", "created", "updated")
        return cls(tree, seats, going=bool(row["going"]), **{key: row[key] for key in own})


def position(state: State, node: int, viewer: int | None, own_turn: bool) -> wire.Position:
    """A position through somebody's eyes; the legal actions only where it is their turn to choose."""
    legal = state.legal_actions() if own_turn else []
    return wire.Position(
        node=node,
        to_move=mover_of(state.to_move),
        legal=[wire.ActionInfo(action=action, text=state.action_text(action)) for action in legal],
        returns=state.returns() if state.is_over else None,
        text=state.to_text() if viewer is None and state.replayable else None,
        drawn=str(state) if viewer is None else state.view(viewer),
        picture=picture(state, viewer),
    )
