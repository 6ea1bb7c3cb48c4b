"""Sessions on disk: SQLite, one transaction per change, so that a server that is killed has lost no move."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from sevenfold.server.variations import Move

FORMAT = 1
SCHEMA = """
create table if not exists sessions (
  id text primary key, game text not null, seed text not null, start text, seats text not null,
  at integer not null, leaf integer not null, going integer not null, version integer not null,
  review text, plies integer not null, returns text, created text not null, updated text not null
);
create index if not exists by_time on sessions (updated);
create table if not exists moves (
  session text not null references sessions (id) on delete cascade,
  id integer not null, parent integer, action integer, mover integer not null, ply integer not null,
  words text not null, seen integer not null, worth text, mark text, primary key (session, id)
) without rowid;
"""
COLUMNS: tuple[str, ...] = (
    "id",
    "game",
    "seed",
    "start",
    "seats",
    "at",
    "leaf",
    "going",
    "version",
    "review",
    "plies",
    "returns",
)
COLUMNS += ("created", "updated")
JSON = ("seats", "review", "returns")


class Store:
    """The file with all sessions."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file.execute("pragma journal_mode=wal")
            self._file.execute("pragma synchronous=normal")  # outlives the process; a power cut may cost the last move
            self._file.execute("pragma foreign_keys=on")
            (version,) = self._file.execute("pragma user_version").fetchone()
            if version not in (0, FORMAT):
                raise ValueError(f"{path} was written by another version of sevenfold; name another folder by --data.")
            self._file.executescript(SCHEMA)
            self._file.execute(f"pragma user_version={FORMAT}")
        except sqlite3.Error as error:
            raise ValueError(
                f"{path} cannot be used ({error}); move it away, or name another folder by --data."
            ) from None

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def save(self, row: dict[str, Any], moves: list[Move]) -> None:
        """A session's row and those of its moves that are new or changed, all or nothing."""
        values = [json.dumps(row[key]) if key in JSON and row[key] is not None else row[key] for key in COLUMNS]
        changed = ", ".join(f"{key}=excluded.{key}" for key in COLUMNS[1:])
        self._file.execute("begin immediate")
        try:
            self._file.execute(
                f"insert into sessions ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))}) "
                f"on conflict (id) do update set {changed}",
                values,
            )
            self._file.executemany(
                "insert or replace into moves values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(row["id"], *_columns(move)) for move in moves],
            )
        except BaseException:
            self._file.execute("rollback")
            raise
        self._file.execute("commit")

    def load(self, id: str) -> tuple[dict[str, Any], list[Move]] | None:
        """A session's row and its moves; None where there is no such session."""
        row = self._file.execute(f"select {', '.join(COLUMNS)} from sessions where id = ?", [id]).fetchone()
        if row is None:
            return None
        moves = self._file.execute(
            "select id, parent, action, mover, ply, words, seen, worth, mark from moves where session = ? order by id",
            [id],
        )
        return _row(row), [_move(one) for one in moves]

    def lines(self, most: int = 200) -> list[dict[str, Any]]:
        """The newest sessions, without their moves."""
        rows = self._file.execute(f"select {', '.join(COLUMNS)} from sessions order by updated desc limit ?", [most])
        return [_row(row) for row in rows]

    def count(self) -> int:
        """How many sessions there are."""
        return int(self._file.execute("select count(*) from sessions").fetchone()[0])

    def oldest(self) -> tuple[str, str] | None:
        """The session that was not touched for longest, and when it was."""
        row = self._file.execute("select id, updated from sessions order by updated limit 1").fetchone()
        return (str(row[0]), str(row[1])) if row else None

    def delete(self, id: str) -> bool:
        """Removes a session; whether there was one."""
        return self._file.execute("delete from sessions where id = ?", [id]).rowcount > 0


def _row(values: tuple[Any, ...]) -> dict[str, Any]:
    row = dict(zip(COLUMNS, values, strict=True))
    return row | {key: json.loads(row[key]) for key in JSON if row[key] is not None}


def _columns(move: Move) -> tuple[Any, ...]:
    worth = json.dumps(move.values) if move.values is not None else None
    return (move.id, move.parent, move.action, move.mover, move.ply, move.text, move.seen, worth, move.mark)


def _move(values: tuple[Any, ...]) -> Move:
    id, parent, action, mover, ply, text, seen, worth, mark = values
    return Move(id, parent, action, mover, ply, text, seen, json.loads(worth) if worth is not None else None, mark)
