"""Matches: two or more players, many games, fair seats, and what the result means.

Games come in rounds of one opening each (schedule.py): everyone sits everywhere on the same board, deal and first
moves. So luck in the opening and the advantage of a seat cancel, and the spread of the rounds' scores gives the
interval.
"""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sevenfold import rating
from sevenfold.game import Game
from sevenfold.rating import Sprt
from sevenfold.results import Results, fill, finite, make_table
from sevenfold.schedule import DUPLICATES, duplicate_fixtures, duplicate_seatings, match_fixtures
from sevenfold.table import Entrant, Played

__all__ = ["Match", "Played", "Sprt", "match"]


@dataclass
class Match(Results):
    """The result of a match, from the first player's side."""

    verdict: str | None = None
    """What the sequential test said, where one was asked for."""
    duplicate: str | None = None
    """How each deal was played again with other seatings, where that was asked for (schedule.DUPLICATES)."""

    @property
    def score(self) -> float:
        """The first player's share of the points; in a solo game its mean return."""
        return self.share(0)

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return self.share_interval(0)

    @property
    def _round_size(self) -> int:
        return len(duplicate_seatings(self.seats, self.duplicate)) if self.duplicate else super()._round_size

    def deal_returns(self, player: int = 0) -> list[float]:
        """The mean return of a player in each complete round: over its seats in all games of the round's deal.

        Equal players get exactly 0: a pot split in three leaves a rest of a few 1e-16, which is rounded away.
        """
        rounds: dict[int, list[Played]] = {}
        for one in self.played:
            rounds.setdefault(one.round, []).append(one)
        out = []
        for _, games in sorted(rounds.items()):
            if len(games) == self._round_size:
                seats = [zip(one.seats, one.returns, strict=True) for one in games]
                own = [value for seated in seats for who, value in seated if who == player]
                out.append(round(math.fsum(own) / len(own), 9) + 0.0)  # + 0.0: never -0.0
        return out

    def mean_return(self, player: int = 0) -> tuple[float, float]:
        """What a player gets per game and seat, and half of its 95 % interval, from the spread between deals: games of
        one deal are not independent."""
        mean, error = rating.mean_and_error(self.deal_returns(player))
        return mean, rating.Z95 * error

    def _count(self, points: float) -> int:
        return sum(one.points.get(0) == points for one in self.played)

    @property
    def wins(self) -> int:
        """Games the first player won outright."""
        return self._count(1.0)

    @property
    def losses(self) -> int:
        """Games it came last in."""
        return self._count(0.0)

    @property
    def draws(self) -> int:
        """All others."""
        return self.games - self.wins - self.losses

    @property
    def elo(self) -> float:
        """The Elo difference that the score means (for two players)."""
        return rating.elo_of(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of the Elo difference."""
        low, high = self.score_interval
        return rating.elo_of(low), rating.elo_of(high)

    @property
    def superiority(self) -> float:
        """How probable it is that the first player is the stronger one."""
        return rating.superiority(self.round_scores())

    def to_json(self) -> dict[str, Any]:
        """The same for programs; an infinite Elo is null."""
        data: dict[str, Any] = {
            "game": self.game,
            "match": self.id,
            "players": self.players,
            "games": self.games,
            "planned": self.planned,
            "points": [self.points(p) for p in range(len(self.players))],
            "score": self.score,
            "score_interval": [finite(x) for x in self.score_interval],
        }
        if self.duplicate:
            means = [self.mean_return(p) for p in range(len(self.players))]
            data |= {"duplicate": self.duplicate, "deals": len(self.deal_returns())}
            data |= {
                "returns": [finite(mean) for mean, _ in means],
                "returns_half": [finite(half) for _, half in means],
            }
            data |= {"openskill": {name: list(skill) for name, skill in self.skills().items()}}
        if self.rated_by != "returns":
            data |= {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        if self.rated_by == "elo":
            data |= {"elo": finite(self.elo), "elo_interval": [finite(x) for x in self.elo_interval]}
            data |= {"superiority": self.superiority}
        return data | {
            "standings": self.standings(),
            "verdict": self.verdict,
            "faults": self.faults,
            "seconds": self.seconds,
        }


def match(
    game: Game | str,
    players: Sequence[Entrant],
    games: int = 100,
    seed: int = 1,
    *,
    preset: str | None = None,
    opening_plies: int = 0,
    seconds: float | None = None,
    processes: int | None = None,
    sprt: Sprt | None = None,
    duplicate: str | None = None,
    record: str | os.PathLike[str] | None = None,
    resume: bool = False,
    ratings: str | os.PathLike[str] | None = None,
    progress: Callable[[Match], None] | None = None,
) -> Match:
    """Plays a match and says what the result means.

    players: texts such as "uct:simulations=1000", subclasses of `sf.Player`, or functions from a game to a player.
        There may be fewer than seats: they share the seats evenly. In a solo game each plays alone, on the same deals.
    games: rounded up to full rounds, in which everyone sits everywhere equally often.
    preset: each round is played on a board of its own, drawn from this preset of the game.
    opening_plies: so many random plies start each round.
    seconds: a move that takes longer (by more than 5 % and 0.05 s) loses the game; a player that does not return within
        twice the time and two seconds is ended. A player whose text names no limit is given this one.
    processes: games at once; by default one per core. Same seed, same result, however many. 0 plays in this process,
        where a player that ends its process ends the match as well.
    sprt: stops as soon as this test has an answer.
    duplicate: two players; every deal is played again with other seatings. "one": the first player alone among copies
        of the second, once on every seat; "others": the other way round; "both": all of these; "all": all seatings with
        as many seats for each. `mean_return` then tells what each gets, free of the luck of the deal and of the seat.
    record: every game is appended to this file as soon as it is over.
    resume: games of this match that `record` holds already are not played again.
    ratings: a rating list, a file that grows from match to match (ratings.py); the result is added to it, also after
        Ctrl-C.
    progress: called with the result so far after each game.
    """
    kind = f"match {duplicate}" if duplicate else "match"
    table, rules, spec = make_table(kind, game, players, seed, preset, opening_plies, seconds)
    _check(rules, players, games, sprt)
    _check_duplicate(rules, players, duplicate, sprt)
    if duplicate:
        fixtures = list(duplicate_fixtures(rules.players, games, duplicate))
    else:
        fixtures = list(match_fixtures(len(players), rules.players, games, seed))
    result = Match(spec, list(table.names), rules.players, table.id, len(fixtures), duplicate=duplicate)
    scores: list[float] = []

    def go_on() -> bool:
        if sprt and result.games % len(players) == 0:
            scores.append(sum(one.points[0] for one in result.played[-len(players) :]) / len(players))
            result.verdict = sprt.verdict(scores)
        if progress:
            progress(result)
        return result.verdict is None

    fill(result, table, fixtures, processes, record, resume, ratings, go_on)
    return result


def _check(rules: Game, players: Sequence[Entrant], games: int, sprt: Sprt | None) -> None:
    least, most = (1, len(players)) if rules.players == 1 else (2, rules.players)
    if not least <= len(players) <= max(most, 1):
        seats = "2 players" if most == 2 else f"2 to {most} players"
        raise ValueError(f"{rules.name} is for {seats}, not {len(players)}.")
    if type(games) is not int or games < 1:
        raise ValueError(f"games must be 1 or more, not {games}.")
    if sprt and (len(players) != 2 or rules.players == 1):
        raise ValueError("a sequential test compares two players around one table.")


def _check_duplicate(rules: Game, players: Sequence[Entrant], duplicate: str | None, sprt: Sprt | None) -> None:
    if duplicate is None:
        return
    if duplicate not in DUPLICATES:
        raise ValueError(f"duplicate must be one of {', '.join(DUPLICATES)}, not {duplicate!r}.")
    if len(players) != 2 or rules.players == 1:
        raise ValueError("a duplicate match compares two players around one table.")
    if duplicate == "all" and rules.players % 2:
        raise ValueError(f"{rules.players} seats cannot be shared evenly by two players; take one, others or both.")
    if sprt:
        raise ValueError("a duplicate match has no sequential test.")
