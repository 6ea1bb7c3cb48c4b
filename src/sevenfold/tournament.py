"""Tournaments: everyone against everyone, one cross table, and ratings from all games together."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sevenfold import rating
from sevenfold.game import Game
from sevenfold.results import Results, fill, finite, make_table
from sevenfold.schedule import tournament_fixtures
from sevenfold.table import Entrant


@dataclass
class Tournament(Results):
    """The result of a tournament."""

    anchor: str | None = None
    """Whose Elo is 0; without one, the mean is."""

    def elos(self) -> dict[str, tuple[float, float]]:
        """Elo and half its 95 % interval, of everyone that has played, by Bradley-Terry (rating.py)."""
        pairs = self.pairs()
        names = self.players
        points = {(names[a], names[b]): pair.points for (a, b), pair in pairs.items()}
        games = {(names[a], names[b]): pair.games for (a, b), pair in pairs.items()}
        anchor = self.anchor if any(self.anchor in pair for pair in games) else None
        return rating.bradley_terry(points, games, anchor)

    def order(self) -> list[int]:
        """The players, the best first."""
        return sorted(range(len(self.players)), key=lambda player: (-self.share(player), player))

    def standings(self) -> list[dict[str, Any]]:
        """Everyone for programs, the best first."""
        data = super().standings()
        elos = self.elos() if self.rated_by == "elo" else {}
        for one in data:
            if one["player"] in elos:
                elo, margin = elos[one["player"]]
                one |= {"elo": finite(elo), "elo_margin": finite(margin)}
        return [data[player] for player in self.order()]

    def to_json(self) -> dict[str, Any]:
        """The same for programs. `cross` has, by row and column, wins, draws and losses of the row's player."""
        pairs = self.pairs()
        size = range(len(self.players))

        def cell(a: int, b: int) -> dict[str, Any] | None:
            pair = pairs.get((a, b))
            if pair is None:
                return None
            return {"wins": pair.wins, "draws": pair.draws, "losses": pair.losses, "score": pair.score}

        return {
            "game": self.game,
            "tournament": self.id,
            "players": self.players,
            "games": self.games,
            "planned": self.planned,
            "standings": self.standings(),
            "cross": [[cell(a, b) for b in size] for a in size],
            "faults": self.faults,
            "seconds": self.seconds,
        }


def tournament(
    game: Game | str,
    players: Sequence[Entrant],
    rounds: int = 10,
    seed: int = 1,
    *,
    preset: str | None = None,
    opening_plies: int = 0,
    seconds: float | None = None,
    processes: int | None = None,
    anchor: str | None = None,
    record: str | os.PathLike[str] | None = None,
    resume: bool = False,
    ratings: str | os.PathLike[str] | None = None,
    progress: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Plays a tournament of two or more players.

    rounds: in each round every table plays one opening, everyone on every seat equally often. The tables are all pairs
        in a game of two seats; all groups in a game of more, or, where those are more than a hundred, drawn ones.
    anchor: the player whose Elo is 0; without one, the mean is.
    The rest is as for `sf.match`.
    """
    table, rules, spec = make_table("tournament", game, players, seed, preset, opening_plies, seconds)
    names = list(table.names)
    if len(players) < 2:
        raise ValueError(f"a tournament is for 2 or more players, not {len(players)}.")
    if len({str(entrant) for entrant in players}) < len(players):
        raise ValueError("name each player of a tournament once.")
    if type(rounds) is not int or rounds < 1:
        raise ValueError(f"rounds must be 1 or more, not {rounds}.")
    if anchor is not None and anchor not in names:
        raise ValueError(f"there is no {anchor!r} to take as 0; the players are: {', '.join(names)}.")
    fixtures = list(tournament_fixtures(len(players), rules.players, rounds, seed))
    result = Tournament(spec, names, rules.players, table.id, len(fixtures), anchor=anchor)

    def go_on() -> bool:
        if progress:
            progress(result)
        return True

    fill(result, table, fixtures, processes, record, resume, ratings, go_on)
    return result
