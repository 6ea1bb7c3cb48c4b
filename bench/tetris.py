"""Tetris: how fast placements are counted and played, and what the players reach.

    python -m bench tetris                               speeds, as rows
    python -m bench.tetris beam --pieces 1000            attack per piece of `beam`, 100 ms a piece of processor time
    python -m bench.tetris controllers --games 300       lines of the one-piece controllers on ten rows

`beam` plays with a fixed width here, and the milliseconds of processor time that a piece took are printed: a busy
machine would give a player with a clock less than its 100 ms. tetris-gymnasium is compared with where it is installed
(pip install tetris-gymnasium).
"""

import argparse
import json
import math
import random
import statistics
import sys
import time

import numpy as np

import sevenfold as sf
from bench.side_by_side import Row, rate
from sevenfold import _core
from sevenfold.games.tetris.position import side

core = _core._tetris  # type: ignore[attr-defined]
COUNTED, BATCHED, SINGLE = 40e6, 200e3, 20e3


def counted(queue: str) -> int:
    number: int = core.count([], queue, "srs", True, 4, 19, _core.Watch())
    return number


def batched(game: sf.Game, steps: int) -> int:
    batch, chosen = core.Batch(game.new(), [*range(256)], observes=False), np.empty(256, np.int32)
    for _ in range(steps):
        batch.random(chosen)
        batch.step(chosen)
    return 256 * steps


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
    """Placements per second of tetris-gymnasium's grouped actions; none where it is not installed."""
    try:
        from tetris_gymnasium.envs.tetris import Tetris
        from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations
    except ImportError:
        return None
    env = GroupedActionsObservations(Tetris())
    env.reset(seed=1)

    def play(steps: int = 100) -> int:
        for _ in range(steps):
            if env.step(env.action_space.sample())[2]:
                env.reset()
        return steps

    return rate(play)


def row(what: str, speed: float, wanted: float, theirs: float | None = None) -> Row:
    ratio = speed / theirs if theirs else None
    return Row(what, "placements/s", speed, theirs, ratio, f">= {wanted:,.0f}", speed >= wanted)


def run() -> list[Row]:
    game = sf.game("tetris")
    counted("IOLT"), batched(game, 20), single(game, 200)
    theirs = peer()
    return [
        row(
            "tetris, perft IOLJST with spins",
            statistics.median(rate(lambda: counted("IOLJST")) for _ in range(3)),
            COUNTED,
        ),
        row(
            "tetris, 256 games from Python",
            statistics.median(rate(lambda: batched(game, 300)) for _ in range(3)),
            BATCHED,
            theirs,
        ),
        row(
            "tetris, one game from Python",
            statistics.median(rate(lambda: single(game, 5000)) for _ in range(3)),
            SINGLE,
            theirs,
        ),
    ]


def beam(pieces: int, width: int, samples: int, seed: int, **options: str) -> dict[str, object]:
    """A game of `beam` from empty: attack per piece, and processor time."""
    game = sf.game("tetris", pieces=20000, **options)
    player = sf.player("beam", game, seconds=None, width=width, samples=samples)
    state = game.new(seed)
    start = time.process_time()
    while state.to_move != sf.TERMINAL and side(state)["pieces"] < pieces:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)
    seconds, facts = time.process_time() - start, side(state)
    return {
        "pieces": facts["pieces"],
        "attack": facts["attack"],
        "attack_per_piece": round(facts["attack"] / facts["pieces"], 4),
        "end": facts["end"],
        "width": width,
        "samples": samples,
        "milliseconds_per_piece": round(1000 * seconds / facts["pieces"], 1),
    }


def controllers(games: int, seed: int) -> list[dict[str, object]]:
    """Lines of each controller on a board of ten rows, uniform pieces, straight drops."""
    out: list[dict[str, object]] = []
    for name, published in (("bcts", 4171), ("dellacherie", 2004)):
        lines = [core.lines_of_a_game(name, 10, seed + game, 10**9) for game in range(games)]
        error = statistics.stdev(lines) / math.sqrt(games)
        mean = statistics.fmean(lines)
        out.append({"player": name, "games": games, "lines": round(mean), "standard_error": round(error)})
        out[-1] |= {"known": published, "errors_apart": round((mean - published) / error, 2)}
    return out


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.tetris", description="What the players of Tetris reach.")
    parser.add_argument("what", choices=["beam", "controllers"])
    parser.add_argument("--pieces", type=int, default=1000)
    parser.add_argument("--width", type=int, default=600)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attack", default="ppt")
    given = parser.parse_args(arguments)
    if given.what == "beam":
        print(json.dumps(beam(given.pieces, given.width, given.samples, given.seed, attack=given.attack)))
    else:
        for line in controllers(given.games, given.seed):
            print(json.dumps(line))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
