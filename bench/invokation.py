"""Genius Invokation: speed, strength and the founding document's round robin.

    python -m bench invokation                    random decisions and alpha-beta nodes per second of processor time;
                                                  with LPSIM_PYTHON=ENV/bin/python also LPSim's, and the ratio
    python -m bench.invokation strength           the full player against random, greedy and plain alpha-beta that
                                                  judges by hit points alone
    python -m bench.invokation round-robin        plain, razor, self_loss and hybrid against each other
    python -m bench.invokation steps              the full player without the steps of its horizon against greedy

Every pair plays the four sample decks as mirrors, both sides of each deal. Games are kept as they end (--out): a run
that was stopped goes on with the same command, and --games may grow. On a busy machine
--budget seconds=0.5,processor=true counts the processor's time.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import sevenfold as sf
from bench.side_by_side import Row, rate
from sevenfold._core import _invokation as core  # type: ignore[attr-defined]
from sevenfold.rating import score_interval

GAMES, ROUNDS = 2_000, 5
WANTED_DECISIONS, WANTED_NODES, WANTED_RATIO = 1e6, 300e3, 2000
DECKS = "ABCD"
HIT_POINTS = Path(__file__).with_name("invokation_hit_points.json")
LPSIM = Path(__file__).parent.parent / "tools" / "invokation" / "lpsim_speed.py"
OPPONENTS = {"random": 0.99, "greedy": 0.99, "plain": 0.75}
"""Who the full player must beat, and how clearly."""
DOCUMENT = ("plain", "razor", "self_loss", "hybrid")
LUCK = "hidden=guess,sampling=true,expectation=true,guess=true"
"""The document's chance in the round robin: a fixed guess for the other side, samples of own draws, one throw for own
dice. Without it the four look a ply ahead, where nothing is pruned, and play the same games."""
HORIZON = {"without_plans": "plans=false", "without_quiet": "quiet=false"}
"""The full player with a step switched off; plans are nothing without quiet."""
LOOKED_AT = 3
"""Positions of each deck in which depth and nodes of a player are measured."""


def decisions(letter: str) -> int:
    start = sf.game("invokation", deck0=letter, deck1=letter).new()
    return int(core.random_games(start, GAMES, 1)[0])


def middle(seed: int, decks: str = "BC") -> sf.State:
    """A position of the second round, reached at random."""
    game = sf.game("invokation", deck0=decks[0], deck1=decks[1])
    state = game.new(seed)
    player = sf.player("random:seed=1", game)
    while state.to_move != sf.TERMINAL:
        described = state.to_json()
        if described["round"] == 2 and described["state"] == "act":
            break
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)
    return state


def run() -> list[Row]:
    """Speed, for `python -m bench invokation`."""
    rows = []
    speeds = []
    for letter in DECKS:
        speeds.append(statistics.median(rate(lambda letter=letter: decisions(letter)) for _ in range(ROUNDS)))
        rows.append(
            Row(
                f"invokation, random games of deck {letter}",
                "decisions/s",
                speeds[-1],
                wanted=f">= {WANTED_DECISIONS:,.0f}",
                reached=speeds[-1] >= WANTED_DECISIONS,
            )
        )
    if python := os.environ.get("LPSIM_PYTHON"):
        theirs = lpsim_speed(python)
        ratio = statistics.median(speeds) / theirs
        what = "invokation, random games against LPSim"
        wanted = f">= {WANTED_RATIO:,}x"
        rows.append(Row(what, "decisions/s", statistics.median(speeds), theirs, ratio, wanted, ratio >= WANTED_RATIO))
    states = [middle(seed) for seed in range(ROUNDS)]
    for spec in ("alphabeta:nodes=100000", "alphabeta:preset=plain,nodes=100000"):
        speed = statistics.median(rate(lambda s=state, p=spec: sf.player(p, s.game).think(s).nodes) for state in states)
        rows.append(
            Row(
                f"invokation, {spec.partition(',nodes')[0].partition(':nodes')[0]}",
                "nodes/s",
                speed,
                wanted=f">= {WANTED_NODES:,.0f}",
                reached=speed >= WANTED_NODES,
            )
        )
    return rows


def lpsim_speed(python: str) -> float:
    """LPSim's random decisions per second of processor time, from a process of its own."""
    done = subprocess.run([python, "-E", str(LPSIM)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"LPSIM_PYTHON={python} did not run LPSim: {done.stderr.strip().splitlines()[-1:]}")
    return float(json.loads(done.stdout)["decisions_per_second"])


@dataclass
class Duel:
    """One pair over all decks, from the first one's side."""

    first: str
    second: str
    budget: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]
    wanted: float | None = None

    @property
    def reached(self) -> bool:
        return self.wanted is None or self.score >= self.wanted


def spec_of(name: str, budget: str, poor: bool) -> str:
    """poor: hit points are all that is judged by, as the document's first evaluation."""
    if name in ("random", "greedy"):
        return name
    if name in HORIZON:
        return f"alphabeta:preset=full,{budget},{HORIZON[name]}"
    judge = f",evaluation=linear,weights={HIT_POINTS}" if poor else ""
    return f"alphabeta:preset={name},{budget}{judge}"


def play(
    first: tuple[str, str], second: tuple[str, str], budget: str, games: int, out: Path, tell: Callable[[str], None]
) -> Duel:
    """Two players, each a name and its spec; so many games, a quarter with each deck."""
    out.mkdir(parents=True, exist_ok=True)
    counts = [0, 0, 0]
    rounds: list[float] = []  # both sides of a deal together
    for letter in DECKS:
        path = out / f"invokation-{budget.replace('=', '')}-{first[0]}-{second[0]}-{letter}.jsonl"
        match = sf.match(
            sf.game("invokation", deck0=letter, deck1=letter),
            [first[1], second[1]],
            games=games // len(DECKS),
            processes=1,
            record=path,
            resume=path.exists(),
            progress=lambda so_far, deck=letter: tell(f"{first[0]} - {second[0]}, deck {deck}: {so_far.games} games"),
        )
        counts = [a + b for a, b in zip(counts, (match.wins, match.draws, match.losses), strict=True)]
        rounds += match.round_scores()
    total = sum(counts)
    score = (counts[0] + counts[1] / 2) / total
    return Duel(first[0], second[0], budget, total, *counts, score, score_interval(rounds))


def looked(name: str, spec: str) -> dict[str, float]:
    """Mean depth and nodes of a decision, over positions of the second round of every deck."""
    depths, nodes = [], []
    for letter in DECKS:
        for seed in range(LOOKED_AT):
            state = middle(seed, letter * 2)
            if state.to_move >= 0:
                result = sf.player(spec, state.game).think(state)
                depths.append(result.depth)
                nodes.append(result.nodes)
    return {"depth": statistics.fmean(depths), "nodes": statistics.fmean(nodes)}


def show(duels: list[Duel], steps: dict[str, dict[str, float]], console: Console) -> None:
    table = Table("first", "second", "per move")
    for heading in ("games", "won-drawn-lost", "score (95 %)", "wanted", ""):
        table.add_column(heading, justify="right")
    for one in duels:
        low, high = one.interval
        score = f"{100 * one.score:.1f} % ({100 * low:.1f}-{100 * high:.1f})"
        wanted = "" if one.wanted is None else f">= {100 * one.wanted:.0f} %"
        verdict = "" if one.wanted is None else "ok" if one.reached else "MISSED"
        record = f"{one.wins}-{one.draws}-{one.losses}"
        table.add_row(one.first, one.second, one.budget, str(one.games), record, score, wanted, verdict)
    console.print(table)
    table = Table("player", "mean depth", "nodes per decision")
    for name, one in steps.items():
        table.add_row(name, f"{one['depth']:.1f}", f"{one['nodes']:,.0f}")
    console.print(table)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.invokation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["strength", "round-robin", "steps"])
    parser.add_argument("--games", type=int, default=400, help="per pair, a quarter with each deck")
    parser.add_argument("--budget", default="seconds=0.5", help="of alpha-beta per move, as nodes=20000")
    parser.add_argument("--against", nargs="+", choices=list(OPPONENTS), default=list(OPPONENTS))
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results", help="folder of results")
    parser.add_argument("--json", action="store_true", help="print for programs")
    arguments = parser.parse_args(given)
    if arguments.games < len(DECKS) * 2:
        parser.error(f"--games must be at least {len(DECKS) * 2}: every deck, both sides.")
    budget = arguments.budget
    console = Console()
    duels: list[Duel] = []
    try:
        with Console(stderr=True).status("playing …") as status:
            if arguments.what == "strength":
                names = {"full": spec_of("full", budget, poor=False)}
                names |= {name: spec_of(name, budget, poor=name == "plain") for name in arguments.against}
                pairs = [("full", name) for name in arguments.against]
            elif arguments.what == "steps":
                names = {name: spec_of(name, budget, poor=False) for name in ("full", *HORIZON, "greedy")}
                pairs = [(name, "greedy") for name in ("full", *HORIZON)]
            else:
                names = {name: f"{spec_of(name, budget, poor=False)},{LUCK}" for name in DOCUMENT}
                pairs = list(itertools.combinations(DOCUMENT, 2))
            for first, second in pairs:
                duel = play(
                    (first, names[first]),
                    (second, names[second]),
                    budget,
                    arguments.games,
                    arguments.out,
                    status.update,
                )
                duel.wanted = OPPONENTS[second] if arguments.what == "strength" else None
                duels.append(duel)
            steps = {name: looked(name, spec) for name, spec in names.items() if spec.startswith("alphabeta")}
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here.", file=sys.stderr)
        return 130
    if arguments.json:
        rows: list[dict[str, Any]] = [asdict(one) | {"reached": one.reached} for one in duels]
        print(json.dumps({"duels": rows, "players": steps}, indent=2))
    else:
        show(duels, steps, console if console.is_terminal else Console(width=130))
    return 0 if all(one.reached for one in duels) else 1


if __name__ == "__main__":
    sys.exit(main())
