"""Sevens: random deals and consistent worlds per second, and what the rule-based players gain over duplicate deals.

    python -m bench sevens                                  all of it, as rows
    python -m bench.sevens blocker greedy --deals 2000      one player among three copies of another

A duplicate deal is played once with the candidate in every seat; the mean over the seats is one number per deal, and
the interval goes over deals. Rule-based players play in C++; any other player of the house (`uct:simulations=100`)
plays by its `think`.
"""

import argparse
import json
import math
import statistics
import sys
from dataclasses import asdict, dataclass

import numpy as np

import sevenfold as sf
from bench.side_by_side import Row, rate
from sevenfold import models
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.evaluators.batch import Batch
from sevenfold.train import tables

RULES = ("random", "greedy", "keeper", "blocker")
GAMES, WORLDS, DEALS, WANTED = 300_000, 500_000, 2_000, 35.0


@dataclass
class Duplicate:
    """What a candidate gains per deal among copies of a reference."""

    game: str
    candidate: str
    reference: str
    deals: int
    mean: float
    half: float
    """Half of the 95 % interval of the mean, clustered by deal."""

    def __str__(self) -> str:
        return (
            f"{self.candidate} among {self.reference}: {self.mean:+.1f} ± {self.half:.1f} points ({self.deals} deals)"
        )


def of_scores(game: sf.Game, candidate: str, reference: str, scores: list[float]) -> Duplicate:
    half = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.inf
    return Duplicate(game.spec, candidate, reference, len(scores), statistics.fmean(scores), half)


def dealt(game: sf.Game, seed: int) -> sf.State:
    state = game.new(seed)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    return state


def one_deal(game: sf.Game, candidate: str, reference: str, seed: int) -> float:
    """The mean over the seats of one deal, played by any players."""
    total = 0.0
    for seat in range(game.players):
        names = [candidate if other == seat else reference for other in range(game.players)]
        players = [sf.player(name, game, seed=seed * 8 + other) for other, name in enumerate(names)]
        state = dealt(game, seed)
        while not state.is_over:
            state.play(players[state.to_move].think(state).action)
        total += state.returns()[seat]
    return total / game.players


def duplicate(game: sf.Game, candidate: str, reference: str, deals: int, seed: int = 1) -> Duplicate:
    """One candidate among copies of a reference, over duplicate deals."""
    if candidate.partition(":")[0] == "policy" and reference in RULES:
        return by_tables(game, candidate, reference, deals, seed)
    if candidate in RULES and reference in RULES:
        return of_scores(game, candidate, reference, core.duplicate(game.new(), candidate, reference, deals, seed))
    scores = [one_deal(game, candidate, reference, mixed) for mixed in range(seed * 10**6, seed * 10**6 + deals)]
    return of_scores(game, candidate, reference, scores)


def by_tables(game: sf.Game, candidate: str, reference: str, deals: int, seed: int) -> Duplicate:
    """The same for a net without a search, all deals side by side: as `policy` plays, in seconds."""
    net = dict(part.split("=", 1) for part in candidate.partition(":")[2].split(",") if part).get("net", "")
    evaluator = models.evaluator("onnx", net, "auto", game)

    def network(planes: tables.Floats, features: tables.Floats) -> tables.Floats:
        nobody = np.zeros(len(planes), np.int64)
        return evaluator.evaluate(Batch(planes, features, nobody, nobody.astype(np.uint64)))[1]

    found = tables.duplicate(game, [network], tables.habit_named(game, reference), deals, seed)
    return Duplicate(game.spec, candidate, reference, deals, found.mean, found.half)


def random_games(game: sf.Game, games: int) -> int:
    game.new().playouts(games, seed=1)
    return games


def worlds(state: sf.State, number: int) -> int:
    core.draw_many(state, state.to_move, number, 1)
    return number


def run() -> list[Row]:
    game = sf.game("sevens")
    random_games(game, 20_000)
    deals_rate = statistics.median(rate(lambda: random_games(game, 200_000)) for _ in range(5))
    state = dealt(game, 1)
    while len(state.history) < 52 + 20:
        state.play(core.choose(state, "blocker", 0))
    worlds_rate = statistics.median(rate(lambda: worlds(state, 500_000)) for _ in range(5))
    rows = [
        Row(
            "sevens, random deals from the first card dealt",
            "deals/s",
            deals_rate,
            None,
            None,
            ">= 300 k",
            deals_rate >= GAMES,
        ),
        Row(
            "sevens, consistent worlds at ply 20",
            "worlds/s",
            worlds_rate,
            None,
            None,
            ">= 500 k",
            worlds_rate >= WORLDS,
        ),
    ]
    for reference in ("random", "greedy", "keeper"):
        found = duplicate(game, "blocker", reference, DEALS)
        wanted = f">= {WANTED:g}" if reference == "greedy" else ""
        fine = reference != "greedy" or found.mean - found.half >= WANTED
        rows.append(Row(f"sevens, {found}", "points/deal", found.mean, None, None, wanted, fine))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.sevens", description=__doc__.splitlines()[0])
    parser.add_argument("candidate", help="a player, such as blocker or uct:simulations=100")
    parser.add_argument("reference", help="the player in all other seats")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", default="tw_seed")
    parser.add_argument("--json", action="store_true", help="print for programs")
    arguments = parser.parse_args()
    try:
        game = sf.game("sevens", preset=arguments.preset)
        found = duplicate(game, arguments.candidate, arguments.reference, arguments.deals, arguments.seed)
    except ValueError as error:
        parser.error(str(error))
    print(json.dumps(asdict(found)) if arguments.json else found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
