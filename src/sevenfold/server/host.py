"""The sessions that people look at: what they ask for, what is thought for them, and what they are told.

Everything here runs in one event loop; only thinking happens elsewhere (pool.py). A change is on disk before anybody is
told of it.
"""

import random
import time
from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from typing import Any

from sevenfold.formats import OWN, format_of, read_line
from sevenfold.game import Game
from sevenfold.levels import levels
from sevenfold.server import specs, wire
from sevenfold.server.catalogue import Catalogue
from sevenfold.server.config import Config
from sevenfold.server.pool import Pool
from sevenfold.server.session import Session
from sevenfold.server.store import Store
from sevenfold.server.table import Table
from sevenfold.server.variations import Variations

OLD = timedelta(days=7)
"""A session that nobody touched for so long makes room for a new one."""
OPEN = 200
"""Sessions that are kept in memory though nobody looks at them."""


class Refused(ValueError):  # noqa: N818  # a sentence for people, as every ValueError here
    """Not now: too much at once."""


class Host:
    """All sessions."""

    def __init__(
        self, config: Config, catalogue: Catalogue, store: Store, pool: Pool, checkpoint: specs.Checkpoint
    ) -> None:
        self.config, self.catalogue, self.store, self.pool = config, catalogue, store, pool
        self.checkpoint = checkpoint
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._made: list[float] = []
        """When the sessions of the last minute were made."""

    # Making, finding, removing

    def create(self, wanted: wire.NewSession) -> Table:
        """A new session; ValueError says what is wrong with it."""
        self._room_for_one()
        seed = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(2**53)
        if wanted.record is not None:
            session = self._of_record(wanted)
        else:
            game = self._game(wanted, seed)
            tree = Variations(game, seed, None)
            if wanted.start is not None:
                tree = _from_position(game, wanted.start, seed)
            end = len(tree.moves) - 1
            session = Session(tree, [], at=end, leaf=end)
        if len(wanted.seats) not in (0, session.game.players):
            raise ValueError(f"{session.game.name} has {session.game.players} seats, not {len(wanted.seats)}.")
        given = wanted.seats or [wire.NewSeat()] * session.game.players
        session.seats = [self.seat(session.game, number, one.level, one.player) for number, one in enumerate(given)]
        session.touch()
        session.changed = list(session.tree.moves)
        table = Table(self, session)
        table.save()
        self._made.append(time.monotonic())
        self._tables[session.id] = table
        self._forget()
        return table

    def _game(self, wanted: wire.NewSession, seed: int) -> Game:
        """By name and options, or that of another session, with whatever options it was made."""
        if wanted.like is None:
            return self.catalogue.game(wanted.game, wanted.options, wanted.preset, seed)
        if (other := self.find(wanted.like)) is None:
            raise ValueError(f"there is no game {wanted.like[:40]!r} on this server.")
        return other.session.game

    def _room_for_one(self) -> None:
        """Refused where there are too many sessions, or too many new ones."""
        self._made = [when for when in self._made if when > time.monotonic() - 60]
        if len(self._made) >= self.config.sessions_per_minute:
            raise Refused("too many games were begun within a minute; wait a little and try again.")
        while self.store.count() >= self.config.sessions:
            oldest = self.store.oldest()
            if oldest is None or datetime.fromisoformat(oldest[1]) > datetime.now(UTC) - OLD:
                raise Refused(f"this server keeps {self.config.sessions} games at most; delete one that is over.")
            self.delete(oldest[0])

    def _of_record(self, wanted: wire.NewSession) -> Session:
        """A session that begins with the moves of a record, shown at its end."""
        text, name = wanted.record or "", wanted.format or OWN
        game = self.catalogue.game(wanted.game) if name != OWN else None  # a record of the house says of which it is
        record = read_line(text) if game is None else format_of(game, name).read(text, game)
        game = self.catalogue.game(record.game, record.options)
        record.replay(game)
        tree = Variations(game, record.seed, record.start)
        for action in record.actions:
            tree.play(len(tree.moves) - 1, action)
        end = len(tree.moves) - 1
        return Session(tree, [], at=end, leaf=end, going=False)

    def seat(self, game: Any, number: int, level: str | None, player: str | None) -> wire.Seat:
        """Who sits on a seat: a person, a level, or a player by its text."""
        if level is None and player is None:
            return wire.Seat(kind="human", player=None, level=None, name=f"Player {number + 1}")
        if level is not None:
            found = {one.id: one for one in levels(game)}
            if level not in found:
                raise ValueError(f"{game.name} has no level {level!r}; its levels are: {', '.join(found)}.")
            one = found[level]
            return wire.Seat(kind="player", player=one.player, level=one.id, name=one.title["en"])
        assert player is not None
        specs.checked(player, game, self.checkpoint)
        return wire.Seat(kind="player", player=player, level=None, name=player)

    def find(self, id: str) -> Table | None:
        """A session, from memory or from disk."""
        if (table := self._tables.get(id)) is not None:
            self._tables.move_to_end(id)
            return table
        if (kept := self.store.load(id)) is None:
            return None
        row, moves = kept
        table = Table(self, Session.of_row(row, moves, self.catalogue.known(row["game"])))
        self._tables[id] = table
        self._forget()
        return table

    def _forget(self) -> None:
        """Sessions that nobody looks at stay only on disk."""
        idle = [id for id, table in self._tables.items() if table.idle]
        for id in idle[: max(0, len(idle) - OPEN)]:
            del self._tables[id]

    def delete(self, id: str) -> bool:
        """Removes a session; whether there was one."""
        if (table := self._tables.pop(id, None)) is not None:
            table.close("this game was deleted.")
        return self.store.delete(id)

    def lines(self) -> list[wire.SessionLine]:
        """The newest sessions."""
        out = []
        for row in self.store.lines():
            name = self.catalogue.name_of(row["game"])
            over, own = row["returns"] is not None, ("id", "game", "seats", "plies", "returns", "updated")
            out.append(wire.SessionLine(name=name, over=over, **{key: row[key] for key in own}))
        return out


def _from_position(game: Any, text: str, seed: int) -> Variations:
    """A position that somebody typed: as a start, or as the moves that lead to it."""
    state = game.parse(text)
    if state.start is None:  # "moves: d d e"
        tree = Variations(game, seed, None)
        for action in state.history:
            tree.play(len(tree.moves) - 1, action)
        return tree
    tree = Variations(game, seed, state.start)
    for action in state.history:
        tree.play(len(tree.moves) - 1, action)
    return tree
