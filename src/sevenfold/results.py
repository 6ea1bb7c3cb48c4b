"""The games of a match or tournament as they come in: on disk at once, read back to go on, and counted by pairs."""

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sevenfold import rating
from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.records import Record, RecordWriter, numbered_records
from sevenfold.schedule import Fixture, labels
from sevenfold.table import Entrant, Played, Table, name_of, read


def finite(x: float) -> float | None:
    """A number as JSON holds it: what is infinite or unknown is null."""
    return x if math.isfinite(x) else None


@dataclass
class Pair:
    """What one player has scored against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    """More than wins and halves of draws tell where players have several seats."""

    @property
    def games(self) -> int:
        """Games between them."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points."""
        return self.points / max(self.games, 1)

    def add(self, points: float) -> None:
        """Counts a game."""
        self.wins += points > 0.5
        self.draws += points == 0.5
        self.losses += points < 0.5
        self.points += points


@dataclass
class Results:
    """What matches and tournaments have in common: players, games, and how they are counted."""

    game: str
    players: list[str]
    seats: int
    id: str
    """The same for the same game, players, seed, openings and limits, however many games are played."""
    planned: int
    """Games in all, if nothing stops it before."""
    played: list[Played] = field(default_factory=list)
    seconds: float = 0.0
    """Of this run; games that were read back took none."""

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.played)

    def points(self, player: int = 0) -> float:
        """Points of a player; in a solo game the sum of its returns."""
        return sum(one.points.get(player, 0.0) for one in self.played)

    def games_of(self, player: int) -> int:
        """Games that a player took part in."""
        return sum(player in one.seats for one in self.played)

    def share(self, player: int = 0) -> float:
        """The share of the points that a player got: 0.5 is even. In a solo game its mean return."""
        return self.points(player) / max(self.games_of(player), 1)

    def round_scores(self, player: int = 0) -> list[float]:
        """The mean score of a player in each complete round it played."""
        rounds: dict[int, list[Played]] = {}
        for one in self.played:
            rounds.setdefault(one.round, []).append(one)
        out = []
        for _, games in sorted(rounds.items()):
            scores = [one.points[player] for one in games if player in one.seats]
            if scores and len(games) == self._round_size:
                out.append(sum(scores) / len(scores))
        return out

    @property
    def _round_size(self) -> int:
        """Games in a round."""
        return len(self.players) if self.seats == 1 else min(self.seats, len(self.players))

    def share_interval(self, player: int = 0) -> tuple[float, float]:
        """The 95 % interval of a player's share, from the spread between rounds."""
        scores = self.round_scores(player)
        if self.seats == 1:
            mean, error = rating.mean_and_error(scores)
            return mean - rating.Z95 * error, mean + rating.Z95 * error
        return rating.score_interval(scores or [one.points[player] for one in self.played if player in one.seats])

    def pair(self, one: int, other: int) -> Pair:
        """What one player scored against another."""
        return self.pairs().get((one, other), Pair())

    def pairs(self) -> dict[tuple[int, int], Pair]:
        """All pairs that met, in both orders."""
        out: dict[tuple[int, int], Pair] = {}
        for game in self.played:
            everyone = sorted(set(game.seats))
            for a in everyone:
                for b in everyone:
                    if a != b:
                        out.setdefault((a, b), Pair()).add(game.against(a, b))
        return out

    def rankings(self) -> list[list[list[str]]]:
        """Each game as groups of equals, the best first."""
        out = []
        for game in self.played:
            points = game.points
            ranks = sorted(set(points.values()), reverse=True)
            out.append([[self.players[who] for who in sorted(points) if points[who] == rank] for rank in ranks])
        return out

    def skills(self) -> dict[str, tuple[float, float]]:
        """OpenSkill's mu and sigma of everyone, for games of more than two players."""
        return rating.openskill(self.players, self.rankings())

    @property
    def faults(self) -> list[str]:
        """What went wrong with players."""
        return [one.fault for one in self.played if one.fault]

    @property
    def rated_by(self) -> str:
        """What fits this game: "elo", "openskill" (three or more players around a table) or "returns" (solo)."""
        if self.seats == 1:
            return "returns"
        return "elo" if min(self.seats, len(self.players)) == 2 else "openskill"

    def standings(self) -> list[dict[str, Any]]:
        """Everyone for programs, in the order given."""
        skills = self.skills() if self.rated_by == "openskill" else {}
        out = []
        for player, name in enumerate(self.players):
            data: dict[str, Any] = {"player": name, "games": self.games_of(player), "points": self.points(player)}
            low, high = self.share_interval(player)
            data |= {"score": self.share(player), "score_interval": [finite(low), finite(high)]}
            if name in skills:
                data |= dict(zip(("mu", "sigma"), skills[name], strict=True))
            out.append(data)
        return out


def make_table(
    kind: str,
    game: Game | str,
    players: Sequence[Entrant],
    seed: int,
    preset: str | None,
    opening_plies: int,
    seconds: float | None,
) -> tuple[Table, Game, str]:
    """The table of a match or tournament, the rules of its first board, and the game's text."""
    names = labels([name_of(entrant) for entrant in players])
    table = Table(game, preset, tuple(players), seed, opening_plies, seconds)
    rules = table.rules(0)
    spec = rules.spec
    if preset is not None:
        spec = f"{game.spec if isinstance(game, Game) else game} ({preset})"
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise ValueError(f"seed must be from 0 to 2**63 - 1, not {seed!r}.")
    if type(opening_plies) is not int or opening_plies < 0:
        raise ValueError(f"opening_plies must be 0 or more, not {opening_plies!r}.")
    if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
        raise ValueError(f"seconds must be a number above 0, not {seconds!r}.")
    what = [kind, spec, rules.version, names, seed, opening_plies, seconds]
    id = hashlib.sha256(json.dumps(what, ensure_ascii=False).encode()).hexdigest()[:16]
    return Table(game, preset, tuple(players), seed, opening_plies, seconds, names, id), rules, spec


def _check(record: Record, rules: Game) -> None:
    """Refuses a record that the rules contradict. A game lost by a fault ended before they gave a result, so that only
    its moves can be checked."""
    loser = record.about.get("lost_by")
    if loser is None:
        record.replay(rules)
    elif type(loser) is int and 0 <= loser < rules.players:
        replace(record, result=None).replay(rules)
    else:
        raise ValueError(f"this record of {record.game} says that seat {shown(loser)} lost it, which there is not.")


class Journal:
    """The record file of a match: every game is in it as soon as it is over."""

    def __init__(self, path: str | os.PathLike[str] | None, resume: bool) -> None:
        if resume and path is None:
            raise ValueError("to go on with a match, name the file in which its games are recorded.")
        self._resume = resume
        self._writer = RecordWriter(path) if path is not None else None

    def known(self, table: Table, fixtures: Iterable[Fixture]) -> dict[int, Played]:
        """The games of this match that the file holds already; ValueError where one contradicts the rules."""
        if not self._resume or self._writer is None:
            return {}
        wanted = {fixture.number: fixture for fixture in fixtures}
        lowest = table.rules(0).min_return
        boards: dict[int, Game] = {}
        out: dict[int, Played] = {}
        for line, record in numbered_records(self._writer.path):
            number = record.about.get("number")
            if record.about.get("match") != table.id or type(number) is not int or number not in wanted:
                continue
            fixture = wanted[number]
            if record.result is None and record.about.get("lost_by") is None:
                continue  # not over
            board = fixture.opening if table.preset is not None else 0
            if board not in boards:
                boards[board] = table.rules(board)
            try:
                _check(record, boards[board])
            except ValueError as error:
                raise ValueError(f"{self._writer.path}, line {line}: {error}") from error
            out[number] = read(fixture, record, lowest)
        return out

    def write(self, one: Played) -> None:
        """Keeps a game."""
        if self._writer:
            self._writer.write(one.record)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer:
            self._writer.close()


def fill(
    result: Results,
    table: Table,
    fixtures: Sequence[Fixture],
    processes: int | None,
    record: str | os.PathLike[str] | None,
    resume: bool,
    ratings: str | os.PathLike[str] | None,
    go_on: Callable[[], bool],
) -> None:
    """Plays games into a result, in their order, until `go_on`, asked after each, says no."""
    from sevenfold.arena import in_order  # processes and rating lists are not everyone's business
    from sevenfold.ratings import kept

    if processes is not None and (type(processes) is not int or processes < 0):
        raise ValueError(f"processes must be 0 or more, not {processes!r}.")
    workers = (os.cpu_count() or 1) if processes is None else processes
    start = time.perf_counter()
    with Journal(record, resume) as journal, kept(ratings, result):
        games = in_order(table, fixtures, workers, journal.known(table, fixtures), journal.write)
        with contextlib.closing(games):
            for one in games:
                result.played.append(one)
                result.seconds = time.perf_counter() - start
                if not go_on():
                    break
