"""Who plays whom, where, and on which opening: the fixtures of matches and tournaments.

Games come in rounds of one opening each. In a round of k players every player sits on every seat equally often: game t
of the round is the round's seating with player i replaced by (i + t) mod k. The seatings themselves change from round
to round, so that in games of more than two seats the neighbours change as well.
"""

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sevenfold.seeds import seed_of

FEW_SEATS = 6
"""Up to so many seats all seatings are gone through in turn; beyond, each round draws one."""
FEW_TABLES = 100
"""Up to so many tables in a tournament everyone meets everyone; beyond, tables are drawn."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played."""

    number: int
    round: int
    """Games of a round have their players and their opening in common."""
    opening: int
    """Games with the same opening have the same board, deal and first moves."""
    seats: tuple[int, ...]
    """The player on each seat."""


@cache
def seatings(players: int, seats: int) -> list[tuple[int, ...]]:
    """All seatings in which nobody has two seats more than another, of those that differ by a turn only the first."""
    usual = [seat % players for seat in range(seats)]
    turned = {
        min(tuple((who + turn) % players for who in order) for turn in range(players))
        for order in set(itertools.permutations(usual))
    }
    return sorted(turned)


def seating(players: int, seats: int, round: int, seed: int) -> tuple[int, ...]:
    """The seating with which a round begins."""
    if seats <= FEW_SEATS:
        found = seatings(players, seats)
        return found[round % len(found)]
    order = [seat % players for seat in range(seats)]
    random.Random(seed_of(seed, round, "seating")).shuffle(order)
    return tuple(order)


def match_fixtures(players: int, seats: int, games: int, seed: int) -> Iterator[Fixture]:
    """A match: rounds of all players, as many as make at least so many games."""
    for number in range(math.ceil(games / players) * players):
        round, turn = divmod(number, players)
        start = seating(players, seats, round, seed)
        yield Fixture(number, round, round, tuple((who + turn) % players for who in start))


DUPLICATES = ("one", "others", "both", "all")
"""How a duplicate match seats its two players: the first alone among copies of the second, once on every seat; the
second alone among copies of the first; both of these; or all seatings in which both have equally many seats."""


def duplicate_seatings(seats: int, duplicate: str) -> list[tuple[int, ...]]:
    """The seatings of one deal of a duplicate match."""
    alone = [tuple(int(seat != one) for seat in range(seats)) for one in range(seats)]
    others = [tuple(1 - who for who in order) for order in alone]
    even = [
        tuple(int(seat not in taken) for seat in range(seats))
        for taken in itertools.combinations(range(seats), seats // 2)
    ]
    return {"one": alone, "others": others, "both": alone + others, "all": even}[duplicate]


def duplicate_fixtures(seats: int, games: int, duplicate: str) -> Iterator[Fixture]:
    """A duplicate match: each deal is played with all its seatings, as many deals as make at least so many games."""
    orders = duplicate_seatings(seats, duplicate)
    for number in range(math.ceil(games / len(orders)) * len(orders)):
        deal, turn = divmod(number, len(orders))
        yield Fixture(number, deal, deal, orders[turn])


def tournament_fixtures(players: int, seats: int, rounds: int, seed: int) -> Iterator[Fixture]:
    """A tournament: in each of its rounds every table plays one opening, which is the same for all tables.

    The tables come in an order in which nobody gets far ahead, so that a tournament that is stopped is still balanced.
    """
    number = itertools.count()
    tables = itertools.count()
    for opening in range(rounds):
        for table in tables_of(players, seats, opening, seed):
            round = next(tables)
            start = seating(len(table), seats, opening, seed)
            for turn in range(len(table)):
                seated = tuple(table[(who + turn) % len(table)] for who in start)
                yield Fixture(next(number), round, opening, seated)


def tables_of(players: int, seats: int, opening: int, seed: int) -> list[tuple[int, ...]]:
    """The tables of one round of a tournament.

    Two seats: every pair. More: every group of as many players as there are seats, or, where that is more than
    FEW_TABLES, as many drawn tables as there are players, everyone at equally many. One seat, or no more players than
    seats: one table of all.
    """
    if seats == 1 or players <= seats:
        return [tuple(range(players))]
    if seats == 2:
        return _pairs(players)
    rng = random.Random(seed_of(seed, opening, "tables"))
    if math.comb(players, seats) <= FEW_TABLES:
        groups = list(itertools.combinations(range(players), seats))
        rng.shuffle(groups)
        return groups
    return _drawn(players, seats, rng)


def _pairs(players: int) -> list[tuple[int, ...]]:
    """All pairs by the circle method: in each turn of the circle everyone plays once."""
    ring: list[int | None] = [*range(players), *([None] if players % 2 else [])]
    pairs: list[tuple[int, ...]] = []
    for _ in range(len(ring) - 1):
        for left, right in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
            if left is not None and right is not None:
                pairs.append((min(left, right), max(left, right)))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return pairs


def _drawn(players: int, seats: int, rng: random.Random) -> list[tuple[int, ...]]:
    """As many tables as players: all are shuffled, cut into tables, and shuffled again, until everyone has sat `seats`
    times. Somebody who would sit twice at a table waits for the next."""
    line: list[int] = []
    for _ in range(seats):
        shuffled = list(range(players))
        rng.shuffle(shuffled)
        line += shuffled
    tables = []
    while line:
        table = list(dict.fromkeys(line))[:seats]
        if len(table) < seats:  # the same few are left over: draw again
            return _drawn(players, seats, rng)
        for who in table:
            line.remove(who)
        tables.append(tuple(table))
    return tables


def labels(names: Sequence[str]) -> list[str]:
    """Names that tell everyone apart: of two of the same name the second is called "name (2)"."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return out
