"""What `perfect` has solved once and keeps: early positions that took long, in one small file of the user's cache.

The file is JSON: a version, the positions and a checksum of them. A file that is not exactly that (another version,
half written, edited, no file at all) counts as empty and is replaced by the next one written. Writers take turns by a
lock, add to what is there, and put the new file in place at once; a reader sees the old file or the new one.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from sevenfold.files import whole_file

VERSION = 1
"""Raised when the scores' meaning changes."""
MOST = 10_000
"""Positions kept; the oldest make room."""


def cache_file() -> Path:
    """Where the solved positions are kept: $XDG_CACHE_HOME or ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
    return folder / "sevenfold" / "connect_four_solved.json"


def checksum(positions: object) -> str:
    """Of the positions, in any order."""
    return hashlib.sha256(json.dumps(positions, sort_keys=True).encode()).hexdigest()


Positions = dict[str, list[int | None]]
"""The scores of a position's columns; none where the column is full."""
_read: dict[Path, tuple[tuple[int, ...], Positions]] = {}
"""What was in a file when it had this inode, size and time, so that it is read once and not for every move."""


def load(path: Path) -> Positions:
    """Every kept position; empty where the file is not a sound one."""
    try:
        stat = path.stat()
    except OSError:
        return {}
    signature = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    if path not in _read or _read[path][0] != signature:
        _read[path] = signature, _load(path)
    return _read[path][1]


def _load(path: Path) -> Positions:
    try:
        content = json.loads(path.read_bytes())
        positions: Positions = content["positions"]
        sound = content["version"] == VERSION and content["checksum"] == checksum(positions)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return positions if sound and isinstance(positions, dict) else {}


def keep(path: Path, position: str, scores: list[int | None]) -> None:
    """Adds one position; a folder that cannot be written to keeps nothing."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_suffix(".lock")):
            others = [item for item in load(path).items() if item[0] != position]
            positions = dict([*others, (position, scores)][-MOST:])
            content = {"version": VERSION, "checksum": checksum(positions), "positions": positions}
            with whole_file(path) as temporary:
                temporary.write_text(json.dumps(content), encoding="utf-8")


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One writer at a time, where the system can lock files; elsewhere the last writer wins."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
