"""The perfect connect-four solver: what each step is worth, and nodes and time against other solvers.

The steps are measured on random positions of our own. The comparison needs Pons' public sets (`moves score` per line),
which are not ours to ship: SEVENFOLD_PONS names their folder, SEVENFOLD_PONS_MOST how many positions to take of each
(default 100; 1000 is all of them). Every position starts with an empty table, and every score is checked.
bitbully (PyPI) runs without its opening book, position by position in turn with us.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import sevenfold as sf
from bench.side_by_side import Row
from sevenfold import _core
from sevenfold.games.connect_four.perfect import PerfectPlayer

REFERENCE = {
    "L3_R1": 51,
    "L2_R1": 449,
    "L1_R1": 3296,
    "L2_R2": 39807,
    "L1_R2": 1.10e6,
    "L1_R3": 22.9e6,
}
"""Mean positions per position of the reference solver (the author's table)."""
AT_MOST = {"L1_R3": 100}
"""Minutes otherwise."""
TIMED = ("L2_R2", "L1_R2")
"""The sets on which time is compared."""

Measured = tuple[int | None, int, float]
"""Score, nodes, seconds."""


def fresh(game: sf.Game, **options: bool) -> Callable[[sf.State], Measured]:
    """Solves with an empty table; emptying it counts."""
    steps = _core._connect_four.Steps()
    for name, value in options.items():
        setattr(steps, name, value)
    solver = _core._connect_four.Solver(game.new(), 256 << 20, steps)
    watch = _core.Watch()

    def solve(state: sf.State) -> Measured:
        start = time.perf_counter()
        solver.forget()
        found = solver.analyse(state, False, None, None, watch)
        return found.score[0], found.nodes, time.perf_counter() - start

    return solve


def bitbully() -> Callable[[sf.State], Measured]:
    from bitbully import bitbully_core

    solver = bitbully_core.BitBullyCore()
    assert not solver.isBookLoaded()

    def solve(state: sf.State) -> Measured:
        board = bitbully_core.BoardCore()
        for column in state.history:
            board.play(column)
        solver.resetNodeCounter()
        solver.resetTranspositionTable()  # takes a tenth of a second, so it does not count
        start = time.perf_counter()
        score = solver.mtdf(board, 0)
        return score, solver.getNodeCounter(), time.perf_counter() - start

    return solve


def positions(path: Path, most: int) -> Iterator[tuple[sf.State, int]]:
    game = sf.game("connect_four")
    with path.open() as lines:
        for _, line in zip(range(most), lines, strict=False):
            moves, score = line.split()
            state = game.new()
            for column in moves:
                state.play(int(column) - 1)
            yield state, int(score)


def of_set(name: str, path: Path, most: int) -> list[Row]:
    ours, theirs = fresh(sf.game("connect_four")), bitbully() if name in TIMED and find_spec("bitbully") else None
    count = nodes = wrong = 0
    seconds = [0.0, 0.0]
    for state, score in positions(path, min(most, AT_MOST.get(name, most))):
        found, searched, took = ours(state)
        count, nodes, wrong = count + 1, nodes + searched, wrong + (found != score)
        seconds[0] += took
        if theirs:
            found, _, took = theirs(state)
            assert found == score
            seconds[1] += took
    mean, wanted = nodes / count, REFERENCE[name]
    rows = [
        Row(f"{name}, {count} positions, wrong scores", "positions", wrong, None, None, "0", wrong == 0),
        Row(f"{name}, nodes, peer: reference", "nodes/position", mean, wanted, wanted / mean, ">= 1x", mean <= wanted),
    ]
    if theirs:
        ratio = seconds[1] / seconds[0]
        rates = [count / total for total in seconds]
        rows.append(Row(f"{name}, speed, peer: bitbully", "positions/s", *rates, ratio, ">= 1x", ratio >= 1))
    return rows


def of_steps(count: int = 60, stones: int = 14) -> list[Row]:
    """Nodes without each step next to nodes with all of them, on random positions; they have no mirror images to meet,
    so that step is measured on a small empty board."""
    game, rng = sf.game("connect_four"), random.Random(1)
    states: list[sf.State] = []
    while len(states) < count:
        state = game.new()
        while state.to_move != sf.TERMINAL and len(state.history) < stones:
            state.play(rng.choice(state.legal_actions()))
        if state.to_move != sf.TERMINAL:
            states.append(state)

    small = sf.game("connect_four", rows=6, cols=5).new()

    def mean(states: list[sf.State], **options: bool) -> float:
        solve = fresh(states[0].game, **options)
        return sum(solve(state)[1] for state in states) / len(states)

    out = []
    for step in PerfectPlayer.STEPS:
        measured, what = ([small], "empty 5x6") if step == "mirror" else (states, f"{stones} random stones")
        full, without = mean(measured), mean(measured, **{step: False})
        out.append(Row(f"{what}, peer: without {step}", "nodes/position", full, without, without / full))
    return out


def run() -> list[Row]:
    rows = of_steps()
    folder = os.environ.get("SEVENFOLD_PONS")
    if not folder:
        print("perfect: set SEVENFOLD_PONS to the folder of Pons' sets for the comparison.", file=sys.stderr)
        return rows
    for name in REFERENCE:
        rows += of_set(name, Path(folder) / f"Test_{name}", int(os.environ.get("SEVENFOLD_PONS_MOST", "100")))
    return rows
