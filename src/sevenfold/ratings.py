"""A rating list in a file that grows from match to match.

The file is JSON lines, one line per match or tournament with its results; ratings are computed from all lines anew. A
match is known by its id and counts once: a later run of it takes its line's place if it has more games. The file is
never changed in place: a whole new one takes its place, and a lock keeps two runs apart.
"""

import contextlib
import datetime
import fcntl
import json
import math
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sevenfold import rating
from sevenfold.files import whole_file
from sevenfold.options import shown
from sevenfold.results import Results, finite

FORMAT = 1
MOST = 10**12
"""More games than anybody has played."""

FilePath = str | os.PathLike[str]


@dataclass
class Entry:
    """The results of one match or tournament."""

    match: str
    """Its id."""
    game: str
    seats: int
    players: list[str]
    games: int
    date: str
    """The day of its last game."""
    pairs: list[list[int]] = field(default_factory=list)
    """Two seats: player, player, wins, draws, losses."""
    rankings: list[list[list[int]]] = field(default_factory=list)
    """More seats: each game as groups of equals, the best first."""
    returns: list[list[float]] = field(default_factory=list)
    """One seat: each player's games, sum of returns, sum of their squares."""

    @classmethod
    def of(cls, result: Results) -> "Entry":
        """What a list keeps of a result."""
        out = cls(result.id, result.game, result.seats, result.players, result.games, datetime.date.today().isoformat())
        place = {name: i for i, name in enumerate(result.players)}
        if result.seats == 1:
            for player in range(len(result.players)):
                mine = [one.returns[0] for one in result.played if one.seats == [player]]
                out.returns.append([len(mine), sum(mine), sum(value**2 for value in mine)])
        elif result.seats == 2:
            out.pairs = [[a, b, pair.wins, pair.draws, pair.losses] for (a, b), pair in result.pairs().items() if a < b]
        else:
            out.rankings = [[[place[name] for name in group] for group in game] for game in result.rankings()]
        return out

    def to_line(self) -> str:
        """One line of JSON, without what is empty."""
        data = {key: value for key, value in asdict(self).items() if value != []}
        return json.dumps({"format": FORMAT, **data}, ensure_ascii=False)

    @classmethod
    def from_line(cls, line: bytes) -> "Entry":
        """ValueError, TypeError or LookupError where the line is something else."""
        data = json.loads(line)
        if data.pop("format") != FORMAT:
            raise ValueError
        entry = cls(**data)
        texts = [entry.match, entry.game, entry.date, *entry.players]
        numbers = [entry.seats, entry.games]
        numbers += [n for pair in entry.pairs for n in pair] + [n for g in entry.rankings for group in g for n in group]
        if not isinstance(entry.players, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError
        if not all(type(n) is int and 0 <= n < MOST for n in numbers):
            raise ValueError
        who = [n for a, b, _, _, _ in entry.pairs for n in (a, b)] + [n for g in entry.rankings for x in g for n in x]
        if any(n >= len(entry.players) for n in who):
            raise ValueError
        if any(a == b for a, b, _, _, _ in entry.pairs) or not all(game and all(game) for game in entry.rankings):
            raise ValueError
        sums = [n for one in entry.returns for n in one]
        if not all(type(n) in (int, float) and math.isfinite(n) for n in sums):
            raise ValueError
        fits = {1: bool(entry.returns), 2: bool(entry.pairs)}.get(entry.seats, bool(entry.rankings))
        if not fits or any(len(one) != 3 for one in entry.returns) or len(sums) not in (0, 3 * len(entry.players)):
            raise ValueError
        datetime.date.fromisoformat(entry.date)
        return entry


@dataclass
class Rated:
    """One player of a rating list."""

    player: str
    games: int
    score: float
    """The share of the points; in a solo game the mean return."""
    rating: float
    """Elo, OpenSkill's mu, or the mean return."""
    margin: float
    """Half the 95 % interval; of OpenSkill twice sigma."""
    last: str
    """The day of the last game."""

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {key: finite(value) if isinstance(value, float) else value for key, value in asdict(self).items()}


def read(path: FilePath) -> list[Entry]:
    """The entries of a list; ValueError where the file is something else."""
    entries = []
    for number, line in enumerate(Path(path).read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entries.append(Entry.from_line(line))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise ValueError(f"{path}, line {number} is no entry of a rating list; nothing was changed.") from None
    return entries


def add(path: FilePath, result: Results) -> None:
    """Adds a result to a list; the file is made if there is none."""
    if not result.played:
        return
    entry = Entry.of(result)
    target = Path(path).resolve()  # of a link, what it leads to
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target.parent):
        entries = read(target) if target.exists() else []
        for i, old in enumerate(entries):
            if old.match == entry.match:
                if old.games < entry.games:
                    entries[i] = entry
                break
        else:
            entries.append(entry)
        with whole_file(target) as temporary:
            temporary.write_text("".join(f"{one.to_line()}\n" for one in entries), encoding="utf-8")


@contextlib.contextmanager
def kept(path: FilePath | None, result: Results) -> Iterator[None]:
    """Adds a result to a list when the block is over, also by Ctrl-C; a file that cannot be used is told before."""
    if path is None:
        yield
        return
    target = Path(path).resolve()
    if target.exists():
        read(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise ValueError(f"the rating list {shown(str(path))} cannot be written: {error.strerror}.") from None
    os.close(handle)
    os.unlink(name)
    try:
        yield
    finally:
        add(path, result)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One at a time in this folder; the lock ends with the process that holds it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def games(entries: list[Entry]) -> list[str]:
    """The games that a list has results of."""
    return list(dict.fromkeys(entry.game for entry in entries))


def kind(entries: list[Entry]) -> str:
    """How the players of a game are rated: "elo" (two seats), "openskill" (more), "returns" (one)."""
    return {1: "returns", 2: "elo"}.get(entries[0].seats, "openskill")


def rated(entries: list[Entry], game: str, anchor: str | None = None) -> list[Rated]:
    """The rating list of one game, the best first. anchor: whose Elo is 0; without one, the mean is."""
    mine = [entry for entry in entries if entry.game == game]
    if not mine:
        raise ValueError(f"there are no results of {shown(game)}; there are: {', '.join(games(entries)) or 'none'}.")
    how = kind(mine)
    if anchor is not None and how != "elo":
        raise ValueError(f"only Elo has a zero to choose; the players of {game} are rated otherwise.")
    rows = {"elo": _by_elo, "openskill": _by_openskill, "returns": _by_returns}[how](mine, anchor)
    return sorted(rows, key=lambda row: (-row.rating, row.player))


def _last(entries: list[Entry]) -> dict[str, str]:
    out: dict[str, str] = {}
    for entry in entries:
        for name in entry.players:
            out[name] = max(out.get(name, ""), entry.date)
    return out


def _by_elo(entries: list[Entry], anchor: str | None) -> list[Rated]:
    points: dict[tuple[str, str], float] = {}
    met: dict[tuple[str, str], int] = {}
    for entry in entries:
        for a, b, wins, draws, losses in entry.pairs:
            for pair, won in (((a, b), wins), ((b, a), losses)):
                names = (entry.players[pair[0]], entry.players[pair[1]])
                points[names] = points.get(names, 0.0) + won + draws / 2
                met[names] = met.get(names, 0) + wins + draws + losses
    last = _last(entries)
    out = []
    for name, (elo, margin) in rating.bradley_terry(points, met, anchor).items():
        count = sum(n for (a, _), n in met.items() if a == name)
        gained = sum(n for (a, _), n in points.items() if a == name)
        out.append(Rated(name, count, gained / max(count, 1), elo, margin, last[name]))
    return out


def _by_openskill(entries: list[Entry], anchor: str | None) -> list[Rated]:
    last = _last(entries)
    rankings = [
        [[entry.players[who] for who in group] for group in game] for entry in entries for game in entry.rankings
    ]
    count, gained = dict.fromkeys(last, 0), dict.fromkeys(last, 0.0)
    for game in rankings:
        size = sum(map(len, game))
        better = 0
        for group in game:
            for name in group:
                count[name] += 1
                gained[name] += (size - better - len(group) + (len(group) - 1) / 2) / max(size - 1, 1)
            better += len(group)
    skills = rating.openskill(list(last), rankings)
    return [
        Rated(name, count[name], gained[name] / max(count[name], 1), mu, 2 * sigma, last[name])
        for name, (mu, sigma) in skills.items()
    ]


def _by_returns(entries: list[Entry], anchor: str | None) -> list[Rated]:
    sums: dict[str, list[float]] = {}
    for entry in entries:
        for name, (n, total, squares) in zip(entry.players, entry.returns, strict=True):
            mine = sums.setdefault(name, [0.0, 0.0, 0.0])
            mine[:] = [mine[0] + n, mine[1] + total, mine[2] + squares]
    last = _last(entries)
    out = []
    for name, (n, total, squares) in sums.items():
        mean = total / max(n, 1)
        spread = max(squares - n * mean**2, 0.0) / (n - 1) / n if n > 1 else float("inf")
        out.append(Rated(name, int(n), mean, mean, rating.Z95 * spread**0.5, last[name]))
    return out
