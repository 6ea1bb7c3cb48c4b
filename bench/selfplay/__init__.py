"""Self-play side by side: with the bare network, with mctx and pgx, and with a loop that evaluates one leaf at a time.

    make bench-selfplay

Evaluations are positions that went through the network, per second of processor time on one core; the cache is off.
Games per second are with the caches that both sides have by default.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sevenfold as sf
from bench.selfplay_peers import measure
from bench.side_by_side import Row
from sevenfold import _core, nets
from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.onnx import OnnxEvaluator, session
from sevenfold.game import Game
from sevenfold.train.actor import pool_options
from sevenfold.train.config import SelfPlay

BATCH, SIMULATIONS = 64, 32
SECONDS, ROUNDS = 2.0, 7
GAMES = 8 * BATCH
"""So many that those under way at the end hardly count."""


class Ours:
    """A pool of games that never ends, with one net."""

    def __init__(self, path: Path, game: Game, cache: int = 0) -> None:
        self.evaluator = OnnxEvaluator(path, game)
        options = pool_options(SelfPlay(slots=BATCH, simulations=SIMULATIONS, cache=cache, endgame=0), seed=1)
        self.pool = _core.Pool([game.new()], options)
        self.wanted = 0

    def play(self, seconds: float) -> float:
        """Evaluations per second of processor time, over a while."""
        start, before = time.process_time(), self.pool.counts["evaluations"]
        while time.process_time() - start < seconds:
            while self.pool.unfinished < 2 * BATCH:
                self.pool.add(self.wanted)
                self.wanted += 1
            self.pool.collect()
            values, logits = self.evaluator.evaluate(Batch(*self.pool.batch()))
            self.pool.resume(values, logits)
        done: int = self.pool.counts["evaluations"] - before
        self.pool.take_finished()
        return done / (time.process_time() - start)

    def games(self, count: int) -> float:
        """Whole games per second of processor time."""
        start = time.process_time()
        finished = 0
        while finished < count:
            self.play(0.1)
            finished = self.wanted - self.pool.unfinished
        return finished / (time.process_time() - start)


def bare(path: Path, game: Game) -> Callable[[float], float]:
    """ONNX Runtime alone, on one batch over and over."""
    runtime = session(path)
    rng = np.random.default_rng(0)
    batch = {"planes": rng.integers(0, 2, (BATCH, *game.planes)).astype(np.float32)}

    def run(seconds: float) -> float:
        start, done = time.process_time(), 0
        while time.process_time() - start < seconds:
            runtime.run(["value", "policy"], batch)
            done += BATCH
        return done / (time.process_time() - start)

    return run


def exported(name: str, game: Game, folder: Path) -> tuple[Path, Path]:
    """A net of an architecture with random weights, in 32 and in 8 bits."""
    import torch

    torch.manual_seed(0)
    about = nets.Description.of(game, nets.preset(name))
    whole, small = folder / f"{name}.onnx", folder / f"{name}.int8.onnx"
    nets.export_onnx(whole, nets.build(about.architecture, about.shape).eval(), about, game)
    nets.export_int8(small, whole, game)
    return whole, small


def in_turns(what: str, path: Path, game: Game) -> Row:
    """Self-play and the bare network in turns."""
    ours, theirs = Ours(path, game), bare(path, game)
    ours.play(SECONDS), theirs(0.5)
    pairs = [(ours.play(SECONDS), theirs(SECONDS)) for _ in range(ROUNDS)]
    ratio = statistics.median(mine / other for mine, other in pairs)
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    return Row(what, "evaluations/s", mine, other, ratio, ">= 0.9x", ratio >= 0.9)


def against(what: str, unit: str, ours: float, theirs: float, at_least: float) -> Row:
    return Row(what, unit, ours, theirs, ours / theirs, f">= {at_least:g}x", ours / theirs >= at_least)


def run() -> list[Row]:
    game = sf.game("connect_four")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large, large8 = exported("laptop_large", game, folder)
        small, small8 = exported("laptop", game, folder)
        rows = [
            in_turns("64x5 self-play : bare ONNX Runtime", large, game),
            in_turns("32x3 self-play : bare ONNX Runtime", small, game),
            in_turns("64x5 int8 self-play : bare ONNX Runtime", large8, game),
            in_turns("32x3 int8 self-play : bare ONNX Runtime", small8, game),
        ]
        for label, path, wanted in (("fp32", large, 0.0), ("int8, the default", large8, 3.0)):
            rate = Ours(path, game).play(SECONDS * 2)
            rows.append(
                against(
                    f"64x5 {label} : mctx + pgx",
                    "evaluations/s",
                    rate,
                    measure("mctx_pgx")["evaluations_per_second"],
                    wanted,
                )
            )
        theirs = measure("openspiel_torch")
        for label, path, wanted in (("fp32", large, 0.0), ("int8, the default", large8, 10.0)):
            rate = Ours(path, game, SelfPlay().cache).games(GAMES)
            rows.append(
                against(f"64x5 {label} : torch, leaf by leaf", "games/s", rate, theirs["games_per_second"], wanted)
            )
    return rows
