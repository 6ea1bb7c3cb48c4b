"""Sevens: random deals, consistent worlds and simulations per second, and what players gain over duplicate deals.

    python -m bench sevens                                  all of it that is quick, as rows
    python -m bench.sevens blocker greedy --deals 2000      one player among three copies of another
    python -m bench.sevens policy blocker --three           three copies of the one, one of the other
    python -m bench.sevens alphazero blocker --workers 2 --keep FILE      hours; goes on where it stopped

A duplicate deal is played once for every seat that the single player can have; what the candidate gets, the mean over
its seats, is one number per deal, and the interval goes over deals. Rule-based players and nets without a search play
side by side in C++; any other player of the house (`uct:simulations=100`) plays by its `think`, deal after deal, and
says how it stands on the way.
"""

import argparse
import hashlib
import json
import math
import os
import statistics
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import NoReturn

import numpy as np

import sevenfold as sf
from bench.side_by_side import Row, rate
from sevenfold import models
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.evaluators.batch import Batch
from sevenfold.results import finite
from sevenfold.seeds import seed_of
from sevenfold.train import tables

RULES = ("random", "greedy", "keeper", "blocker")
GAMES, WORLDS, SIMULATIONS, DEALS, WANTED = 300_000, 500_000, 50_000, 2_000, 35.0
MORE = 10.0
"""By so much the net has to gain more than `blocker` does, against weaker players."""
POLICY = 15.0


@dataclass
class Duplicate:
    """What a candidate gains per deal among copies of a reference."""

    game: str
    candidate: str
    reference: str
    deals: int
    mean: float
    half: float
    """Half of the 95 % interval of the mean, clustered by deal; infinite for one deal, which has no spread."""
    three: bool = False
    """Whether three candidates sit with one of the reference."""
    than: str = ""
    """Another candidate, whose gains at the same deals are subtracted."""

    def __str__(self) -> str:
        who = f"three {self.candidate} with one {self.reference}" if self.three else None
        more = f" more than {self.than}" if self.than else ""
        spread = f" ± {self.half:.1f}" if math.isfinite(self.half) else ""
        over = f"{self.deals} deals" if self.deals > 1 else "1 deal: no interval"
        return f"{who or f'{self.candidate} among {self.reference}'}: {self.mean:+.1f}{spread} points{more} ({over})"

    def to_json(self) -> dict[str, object]:
        """The same for programs; an unknown interval is null."""
        return asdict(self) | {"half": finite(self.half)}


def of_scores(
    game: sf.Game, candidate: str, reference: str, scores: list[float], three: bool = False, than: str = ""
) -> Duplicate:
    scores = [round(score, 9) for score in scores]  # a pot split in three leaves a rest: equal players get exactly 0
    half = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.inf
    return Duplicate(game.spec, candidate, reference, len(scores), statistics.fmean(scores) + 0.0, half, three, than)


def dealt(game: sf.Game, seed: int) -> sf.State:
    state = game.new(seed)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    return state


def one_deal(game: sf.Game, candidate: str, reference: str, seed: int, three: bool = False) -> float:
    """What the candidate gets per game of one deal, the mean over its seats, played by any players."""
    total = 0.0
    for seat in range(game.players):
        own = [other for other in range(game.players) if (other == seat) != three]
        names = [candidate if other in own else reference for other in range(game.players)]
        players = [sf.player(name, game, seed=seed * 8 + other) for other, name in enumerate(names)]
        state = dealt(game, seed)
        while not state.is_over:
            state.play(players[state.to_move].think(state).action)
        total += statistics.fmean(state.returns()[one] for one in own)
    return total / game.players


def duplicate(
    game: sf.Game,
    candidate: str,
    reference: str,
    deals: int,
    seed: int = 1,
    three: bool = False,
    told: bool = False,
    workers: int = 1,
    keep: str = "",
    than: str = "",
) -> Duplicate:
    """One candidate among copies of a reference, or three with one, over duplicate deals; or what it gains more `than`
    another candidate at the same deals, which says so much sooner."""
    if not than and all(name in RULES or name.partition(":")[0] == "policy" for name in (candidate, reference)):
        if candidate in RULES and reference in RULES and not three:
            return of_scores(game, candidate, reference, core.duplicate(game.new(), candidate, reference, deals, seed))
        return by_tables(game, candidate, reference, deals, seed, three)
    about = {"game": game.spec, "candidate": candidate, "reference": reference, "three": three, "than": than}
    about["net"] = shipped_net(game)
    if keep:  # said before the first deal is played
        Path(keep).open("ab").close()
    scores = kept_scores(keep, about)
    wanted = range(seed * 10**6, seed * 10**6 + deals)
    left = [(game.spec, candidate, reference, mixed, three, than) for mixed in wanted if mixed not in scores]
    with ProcessPoolExecutor(workers, get_context("spawn"), leave_with, (os.getpid(),)) as pool:
        for done in as_completed([pool.submit(numbered_deal, *one) for one in left]):
            mixed, score = done.result()
            scores[mixed] = score
            if keep:
                keep_line(keep, about | {"deal": mixed, "score": score})
            here = [scores[one] for one in wanted if one in scores]
            if told and len(here) % 10 == 0 and len(here) < deals:
                print(of_scores(game, candidate, reference, here, three, than), file=sys.stderr, flush=True)
    return of_scores(game, candidate, reference, [scores[one] for one in wanted], three, than)


def leave_with(parent: int) -> None:
    """A worker ends when who started it is gone, however that ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def numbered_deal(spec: str, candidate: str, reference: str, mixed: int, three: bool, than: str) -> tuple[int, float]:
    """A deal in a process of its own."""
    game = sf.game(spec)
    less = one_deal(game, than, reference, mixed, three) if than else 0.0
    return mixed, one_deal(game, candidate, reference, mixed, three) - less


def shipped_net(game: sf.Game) -> str:
    """Which net the players have where none is named: deals of another one are not this one's."""
    path = models.shipped(game)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path else ""


def kept_scores(keep: str, about: dict[str, object]) -> dict[int, float]:
    """What earlier runs of the same match have written down; a line that was cut short is played again."""
    out: dict[int, float] = {}
    if not keep or not Path(keep).is_file():
        return out
    for text in Path(keep).read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            line = json.loads(text)
            if all(line[name] == said for name, said in about.items()) and math.isfinite(score := float(line["score"])):
                out[int(line["deal"])] = score
        except (ValueError, TypeError, KeyError):
            continue
    return out


def keep_line(keep: str, line: dict[str, object]) -> None:
    """Adds a finished deal, on a line of its own whatever was cut short before it."""
    path = Path(keep)
    with path.open("a+b") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(line).encode() + b"\n")


def network(game: sf.Game, player: str) -> tables.Network:
    """A net without a search, as `policy` plays."""
    evaluator = models.evaluator("onnx", sf.player(player, game).net, "auto", game)

    def logits(planes: tables.Floats, features: tables.Floats) -> tables.Floats:
        nobody = np.zeros(len(planes), np.int64)
        return evaluator.evaluate(Batch(planes, features, nobody, nobody.astype(np.uint64)))[1]

    return logits


def by_tables(
    game: sf.Game, candidate: str, reference: str, deals: int, seed: int, three: bool, at_once: int = 1024
) -> Duplicate:
    """The same for nets without a search and rule-based players, many deals side by side."""
    networks: list[tables.Network] = []
    who = []
    for name in (candidate, reference):
        who.append(tables.habit_named(game, name) if name in RULES else len(networks))
        networks += [] if name in RULES else [network(game, name)]
    scores: list[float] = []
    for first in range(0, deals, at_once):
        numbers = np.arange(first, min(deals, first + at_once))
        chance = np.array([seed_of(seed, int(one), "duplicate") for one in numbers], np.uint64)
        single = np.tile(np.eye(game.players, dtype=bool), (len(numbers), 1))
        own = ~single if three else single
        seats = np.where(own, who[0], who[1]).astype(np.int64)
        rng = np.random.default_rng(seed_of(seed, first, "dice"))
        found = tables.play(game, np.repeat(chance, game.players), seats, networks, rng, sample=False, keep=False)
        got = (found.returns * own).sum(1, dtype=np.float64) / own.sum(1)
        scores += got.reshape(-1, game.players).mean(1).tolist()
    return of_scores(game, candidate, reference, scores, three)


def random_games(game: sf.Game, games: int) -> int:
    game.new().playouts(games, seed=1)
    return games


def worlds(state: sf.State, number: int) -> int:
    core.draw_many(state, state.to_move, number, 1)
    return number


def simulations(state: sf.State, number: int) -> int:
    """Simulations of `belief` without a net."""
    player = sf.player(f"belief:simulations={number}", sf.game("sevens"), seed=1)
    return player.think(state).nodes


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
    search_rate = statistics.median(rate(lambda: simulations(state, 50_000)) for _ in range(5))
    fast = search_rate >= SIMULATIONS
    rows.append(Row("sevens, belief without a net at ply 20", "sims/s", search_rate, None, None, ">= 50 k", fast))
    gains = {}
    for reference in ("random", "greedy", "keeper"):
        found = duplicate(game, "blocker", reference, DEALS)
        gains[reference] = found.mean
        wanted = f">= {WANTED:g}" if reference == "greedy" else ""
        fine = reference != "greedy" or found.mean - found.half >= WANTED
        rows.append(Row(f"sevens, {found}", "points/deal", found.mean, None, None, wanted, fine))
    for reference in ("blocker", "greedy", "random"):
        found = duplicate(game, "policy", reference, DEALS)
        least = POLICY if reference == "blocker" else gains[reference] + MORE
        fine = found.mean >= least
        rows.append(Row(f"sevens, {found}", "points/deal", found.mean, None, None, f">= {least:.1f}", fine))
    found = duplicate(game, "policy", "blocker", DEALS, three=True)
    rows.append(Row(f"sevens, {found}", "points/deal", found.mean, None, None, "> 0", found.mean - found.half > 0))
    return rows


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message.rstrip('.')}.\n")


def main() -> int:
    parser = Parser(prog="python -m bench.sevens", description=__doc__.splitlines()[0])
    parser.add_argument("candidate", help="a player, such as blocker or uct:simulations=100")
    parser.add_argument("reference", help="the player in all other seats")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", default="tw_seed")
    parser.add_argument("--observation", default="", help="what a net sees: timed has a net of its own")
    parser.add_argument("--three", action="store_true", help="three candidates and one of the reference")
    parser.add_argument("--than", default="", help="another candidate: what is gained more than by this one")
    parser.add_argument("--workers", type=int, default=1, help="processes, for players that search")
    parser.add_argument(
        "--keep", default="", help="a file of finished deals, from which a later run goes on; for players that search"
    )
    parser.add_argument("--json", action="store_true", help="print for programs")
    arguments = parser.parse_args()
    if arguments.deals < 1 or arguments.workers < 1:
        parser.error("deals and workers are at least 1.")
    if not 0 <= arguments.seed < 10**12:
        parser.error(f"seed is from 0 to {10**12 - 1}.")
    try:
        seen = {"observation": arguments.observation} if arguments.observation else {}
        game = sf.game("sevens", preset=arguments.preset, **seen)
        names = arguments.candidate, arguments.reference
        more = {"workers": arguments.workers, "keep": arguments.keep, "than": arguments.than}
        found = duplicate(game, *names, arguments.deals, arguments.seed, arguments.three, told=True, **more)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    print(json.dumps(found.to_json()) if arguments.json else found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
