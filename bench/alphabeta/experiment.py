"""The founding document's experiment on easycard: which prunings beat which, at equal time and at equal nodes."""

import itertools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sevenfold as sf

PLAYERS = ("plain", "razor", "self_loss", "hybrid", "full")
HIT_POINTS = Path(__file__).parent / "hit_points.json"
BUDGETS = {
    "20 ms": "seconds=0.02",
    "20000 nodes": "nodes=20000",
    "20000 nodes, hp only": f"nodes=20000,margin=0.5,growth=0,evaluation=linear,weights={HIT_POINTS}",
}
"""What each player gets per move. The last one judges by the difference of hit points alone, as a first program would:
there a search has more to find, and R must be larger, since a single action may change V by 0.46."""


@dataclass
class Duel:
    """One pair at one budget, from the first one's side."""

    budget: str
    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]
    second_seat: float
    """The share of the points that the second seat got."""

    @property
    def verdict(self) -> str:
        low, high = self.interval
        return f"{self.first} wins" if low > 0.5 else f"{self.second} wins" if high < 0.5 else "undecided"

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"verdict": self.verdict}


@dataclass
class Claim:
    """What the document says, and what we find."""

    budget: str
    claim: str
    found: str
    score: float
    interval: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def play(
    budget: str, first: str, second: str, games: int, folder: Path, processes: int | None, tell: Callable[[str], None]
) -> Duel:
    """A match of both colours on the same deals."""
    specs = [f"alphabeta:preset={name},{BUDGETS[budget]}" for name in (first, second)]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"easycard-{budget.replace(', ', '-').replace(' ', '')}-{first}-{second}.jsonl"
    match = sf.match(
        "easycard",
        specs,
        games=games,
        preset="arena",
        processes=processes,
        record=path,
        resume=path.exists(),
        progress=lambda so_far: tell(f"{budget}: {first} - {second}, {so_far.games} of {games} games"),
    )
    seat = sum(one.points[one.seats[1]] for one in match.played) / match.games
    return Duel(
        budget,
        first,
        second,
        match.games,
        match.wins,
        match.draws,
        match.losses,
        match.score,
        match.score_interval,
        match.elo,
        match.elo_interval,
        seat,
    )


def claims(duels: list[Duel]) -> list[Claim]:
    """The document's sentences on its test, one by one."""
    by_pair = {(duel.budget, duel.first, duel.second): duel for duel in duels}
    out = []
    for budget in dict.fromkeys(duel.budget for duel in duels):
        for first, second, sentence in (
            ("hybrid", "plain", "hybrid beats plain"),
            ("hybrid", "razor", "hybrid beats razor"),
            ("razor", "plain", "razor beats plain"),
            ("self_loss", "plain", "self-loss alone does not beat plain"),
        ):
            duel = by_pair.get((budget, second, first))
            if duel is None:
                continue
            score, (low, high) = 1 - duel.score, (1 - duel.interval[1], 1 - duel.interval[0])
            if "not" in sentence:
                found = "does not hold" if low > 0.5 else "holds"
            else:
                found = "holds" if low > 0.5 else "does not hold" if high < 0.5 else "is open"
            out.append(Claim(budget, sentence, found, score, (low, high)))
        mine = [duel for duel in duels if duel.budget == budget]
        games = sum(duel.games for duel in mine)
        share = sum(duel.second_seat * duel.games for duel in mine) / games
        error = 1.96 * (share * (1 - share) / games) ** 0.5
        found = "holds" if share - error > 0.5 else "does not hold" if share + error < 0.5 else "is open"
        out.append(Claim(budget, "the second mover is favoured", found, share, (share - error, share + error)))
    return out


def measure(
    games: int, budgets: list[str], folder: Path, processes: int | None, tell: Callable[[str], None]
) -> list[Duel]:
    return [
        play(budget, first, second, games, folder, processes, tell)
        for budget in budgets
        for first, second in itertools.combinations(PLAYERS, 2)
    ]
