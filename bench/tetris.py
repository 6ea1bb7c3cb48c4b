"""Tetris: known counts, how fast placements are counted and played, and what the players without a net reach.

    python -m bench tetris [--json]                      every figure, as rows
    python -m bench.tetris beam --pieces 1000            attack per piece of `beam` at 100 ms a piece
    python -m bench.tetris controllers --games 300       lines of the one-piece controllers on ten rows

The seconds of `beam` are seconds of the processor here, and the clock's with --clock: on a busy machine a player by the
clock gets less than its 100 ms. tetris-gymnasium is compared with in an environment of its own, .venv-tetris, which is
made where it is missing; without a package index its column stays empty.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

import numpy as np

import sevenfold as sf
from bench.side_by_side import Row, rate
from sevenfold import _core
from sevenfold.games.tetris.environment import VectorEnv
from sevenfold.games.tetris.position import side

core = _core._tetris  # type: ignore[attr-defined]
ROOT = Path(__file__).parent.parent
ENVIRONMENT = ROOT / ".venv-tetris"
GAMES = 256
COUNTED, BATCHED, SINGLE, ATTACK = 40e6, 200e3, 20e3, 0.75

# Queue, count; without spins and with them, on an empty board and on others.
PLAIN = {"IIIII": 1725571, "IOLJS": 3497187, "TIOL": 201082, "TT": 1182, "SZ": 296, "IOLJSZ": 67002200}
SPINS = {"TT": 1190, "TTT": 43166}
BOARDS = {
    "tst_left": ([0x3FD, 0x3F9, 0x3FD, 0x1, 0x3], (36, 676, 317, 47195, 228637, 448462)),
    "tsd_mid": ([0x3EF, 0x3C7, 0x3E7], (38, 662, 311, 46900, 191412, 452409)),
    "pc_box": ([0x3F] * 4, (34, 603, 302, 44945, 204605, 424076)),
    "tall18": ([0x3EF] * 18, (34, 273, 189, 10279, 42260, 58548)),
}
QUEUES = ("T", "TI", "SZ", "LJT", "IOLJ", "TSZL")
KNOWN_LINES = {"bcts": (4171, 247, 300), "dellacherie": (2004, 109, 1000)}
"""Lines on ten rows, their standard error, and how many games we play."""

PEER = """
import json, time
from tetris_gymnasium.envs.tetris import Tetris
from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations
env = GroupedActionsObservations(Tetris())
_, info = env.reset(seed=1)
def play(steps):
    global info
    for _ in range(steps):
        *_, over, _, info = env.step(env.action_space.sample(info["action_mask"].astype("int8")))
        if over:
            _, info = env.reset()
play(3)
start = time.process_time()
play(60)
print(json.dumps(60 / (time.process_time() - start)))
"""


def counted(queue: str, rows: list[int] | None = None, spins: bool = True, kicks: str = "srs") -> int:
    number: int = core.count(rows or [], queue, kicks, spins, 4, 19, _core.Watch())
    return number


def counts() -> Row:
    """How many of the known counts are ours."""
    right = [counted(queue, spins=False) == known for queue, known in PLAIN.items()]
    right += [counted(queue) == known for queue, known in SPINS.items()]
    right += [
        counted(queue, rows) == n for rows, known in BOARDS.values() for queue, n in zip(QUEUES, known, strict=True)
    ]
    right += [counted("IOLJ", kicks="srs+") == 188561]
    return Row("tetris, known counts that are ours", "counts", sum(right), wanted=str(len(right)), reached=all(right))


def batched(envs: VectorEnv, steps: int) -> int:
    for _ in range(steps):
        envs.step(envs.sample_legal())
    return GAMES * steps


def bare(batch: Any, steps: int) -> int:
    chosen = np.empty(GAMES, np.int32)
    for _ in range(steps):
        batch.random(chosen)
        batch.step(chosen)
    return GAMES * steps


def single(game: sf.Game, placements: int) -> int:
    rng, placed, seed = random.Random(1), 0, 0
    while placed < placements:
        seed += 1
        state = game.new(seed)
        while state.to_move != sf.TERMINAL:
            if state.to_move == sf.CHANCE:
                state.play_chance()
            else:
                state.play(rng.choice(state.legal_actions()))
                placed += 1
    return placed


def peer() -> float | None:
    """Placements per second of tetris-gymnasium's grouped actions; none where it cannot be installed."""
    python = ENVIRONMENT / "bin" / "python"
    try:
        if not (ENVIRONMENT / "installed").exists():
            venv.create(ENVIRONMENT, with_pip=True, clear=True)
            install = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q", "tetris-gymnasium"]
            subprocess.run(install, check=True, capture_output=True)
            (ENVIRONMENT / "installed").touch()
        quiet = os.environ | {"OMP_NUM_THREADS": "1"}
        done = subprocess.run([python, "-c", PEER], check=True, capture_output=True, text=True, env=quiet, timeout=600)
        return float(json.loads(done.stdout.splitlines()[-1]))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"tetris-gymnasium was not measured: {error}", file=sys.stderr)
        return None


def row(what: str, speed: float, wanted: float, theirs: float | None = None) -> Row:
    ratio = speed / theirs if theirs else None
    return Row(what, "placements/s", speed, theirs, ratio, f">= {wanted:,.0f}", speed >= wanted)


def speeds() -> list[Row]:
    """Placements a second, the median of three."""
    game, theirs = sf.game("tetris"), peer()
    envs, batch = VectorEnv(GAMES), core.Batch(game.new(), [*range(GAMES)], observes=False)
    envs.reset(seed=1)
    counted("IOLT"), batched(envs, 20), bare(batch, 20), single(game, 200)
    middle = statistics.median
    return [
        row("tetris, perft IOLJST with spins", middle(rate(lambda: counted("IOLJST")) for _ in range(3)), COUNTED),
        row(
            "tetris, 256 games as VectorEnv",
            middle(rate(lambda: batched(envs, 200)) for _ in range(3)),
            BATCHED,
            theirs,
        ),
        row(
            "tetris, 256 games without observations",
            middle(rate(lambda: bare(batch, 300)) for _ in range(3)),
            BATCHED,
            theirs,
        ),
        row(
            "tetris, one game from Python",
            middle(rate(lambda: single(game, 5000)) for _ in range(3)),
            SINGLE,
            theirs,
        ),
    ]


def run() -> list[Row]:
    """Every figure."""
    rows = [counts(), *speeds()]
    for name, (known, error, games) in KNOWN_LINES.items():
        found = controllers(name, games)
        apart = (found["lines"] - known) / math.hypot(error, found["standard_error"])
        rows.append(
            Row(
                f"tetris, {name} on ten rows, {games} games",
                f"lines +- {found['standard_error']}",
                found["lines"],
                known,
                found["lines"] / known,
                "within 2 errors",
                abs(apart) <= 2,
            )
        )
    played = beam(1000, seconds=0.1)
    reached = played["attack_per_piece"] >= ATTACK and played["pieces"] == 1000
    rows.append(
        Row(
            "tetris, beam at 100 ms, 1000 pieces",
            "attack/piece",
            played["attack_per_piece"],
            None,
            None,
            ">= 0.75",
            reached,
        )
    )
    return rows


def beam(pieces: int, seed: int = 1, clock: bool = False, attack: str = "ppt", **options: Any) -> dict[str, Any]:
    """A game of `beam` from empty: attack per piece, and processor time."""
    game = sf.game("tetris", pieces=20000, attack=attack)
    player = sf.player("beam", game, processor=not clock, **options)
    state = game.new(seed)
    start, widths = time.process_time(), []
    while state.to_move != sf.TERMINAL and side(state)["pieces"] < pieces:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            result = player.think(state)
            widths.append(result.nodes)
            state.play(result.action)
    seconds, facts = time.process_time() - start, side(state)
    return {
        "pieces": facts["pieces"],
        "attack": facts["attack"],
        "attack_per_piece": round(facts["attack"] / facts["pieces"], 4),
        "end": facts["end"],
        **options,
        "positions_per_piece": round(statistics.fmean(widths)),
        "milliseconds_per_piece": round(1000 * seconds / facts["pieces"], 1),
    }


def controllers(name: str, games: int, seed: int = 1) -> dict[str, Any]:
    """Lines of a controller on a board of ten rows, uniform pieces, straight drops."""
    lines = [core.lines_of_a_game(name, 10, seed + game, 10**9) for game in range(games)]
    error, mean = statistics.stdev(lines) / math.sqrt(games), statistics.fmean(lines)
    return {"player": name, "games": games, "lines": round(mean), "standard_error": round(error)}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.tetris", description="What the players of Tetris reach.")
    parser.add_argument("what", choices=["beam", "controllers"])
    parser.add_argument("--pieces", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a piece; 0: a fixed --width")
    parser.add_argument("--clock", action="store_true", help="seconds of the clock instead of the processor's")
    parser.add_argument("--width", type=int, default=4000)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--ahead", type=int, default=2)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attack", default="ppt")
    given = parser.parse_args(arguments)
    if given.what == "beam":
        options = {
            "seconds": given.seconds or None,
            "width": given.width,
            "samples": given.samples,
            "ahead": given.ahead,
        }
        print(json.dumps(beam(given.pieces, given.seed, given.clock, given.attack, **options)))
        return 0
    for name, (known, error, _) in KNOWN_LINES.items():
        found = controllers(name, given.games, given.seed)
        apart = (found["lines"] - known) / math.hypot(error, found["standard_error"])
        print(json.dumps({**found, "known": known, "known_error": error, "errors_apart": round(apart, 2)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
