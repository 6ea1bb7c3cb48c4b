"""Makes connect_four's own yardstick sets: positions of random play in the six classes of Pons' files, with the outcome
of every column by the room's solver.

    python -m bench.yardstick_sets [--each 1000] [--log FILE]

Candidate number i comes from a seed of its own, so that the sets are the same wherever they are made. With a log,
candidates looked at before are not solved again: an interrupted run goes on. A thousand of L1_R3 take half an hour or
more.
"""

import argparse
import random
import time
from pathlib import Path

import sevenfold as sf
from sevenfold._core import State
from sevenfold._core import _connect_four as core  # type: ignore[attr-defined]
from sevenfold.games.connect_four import yardstick as room
from sevenfold.perft import run_watched

STAGES = {
    ("L3_R1",): range(29, 42),
    ("L2_R1", "L2_R2"): range(15, 29),
    ("L1_R1", "L1_R2"): range(10, 15),
    ("L1_R3",): range(5, 13),
}
"""Sets that are filled together, and the stones of their candidates: with fewer there are few positions, which take
long."""
MOST = {"L3_R1": 900}
"""Fewer where the moves are long, so that no file is over 40 KB."""
GAME = sf.game("connect_four")


def candidate(sets: tuple[str, ...], number: int) -> State | None:
    """A position of random play that is not over and in which nobody wins at once; None where play went elsewhere."""
    rng = random.Random(f"yardstick {sets} {number}")
    stones = rng.choice(STAGES[sets])
    state = GAME.new()
    for _ in range(stones):
        state.play(rng.choice(state.legal_actions()))
        if state.is_over:
            return None
    wins = [column for column in state.legal_actions() if over(state, column)]
    return None if wins else state


def over(state: State, column: int) -> bool:
    """Whether a column wins at once."""
    child = state.copy()
    child.play(column)
    return child.is_over and any(child.returns())


def image(state: State) -> str:
    """The same text for a position and its mirror image."""
    return min(state.symmetric(number).to_text() for number in range(state.symmetries))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--classes", nargs="*", default=list(room.CLASSES))
    given = parser.parse_args()
    solver = core.Solver(GAME.new(), 512 << 20, core.Steps())
    log = dict(line.split() for line in given.log.read_text().splitlines()) if given.log and given.log.exists() else {}
    for sets in STAGES:
        fill(sets, given, solver, log)


def fill(sets: tuple[str, ...], given: argparse.Namespace, solver: object, log: dict[str, str]) -> None:
    """Some sets at the same time: a candidate goes where it belongs."""
    wanted = {name: min(given.each, MOST.get(name, given.each)) for name in given.classes if name in sets}
    lines: dict[str, dict[str, str]] = {name: {} for name in wanted}
    seen: set[str] = set()
    start, number = time.monotonic(), 0
    while any(len(lines[name]) < wanted[name] for name in wanted):
        number += 1
        state = candidate(sets, number)
        if state is None or image(state) in seen:
            continue
        seen.add(image(state))
        moves = "".join(str(action + 1) for action in state.history)
        missing = {name for name in wanted if len(lines[name]) < wanted[name]}
        name, outcomes = looked_at(state, moves, solver, log, missing, given.log)
        if name in wanted and outcomes and len(lines[name]) < wanted[name]:
            lines[name][moves] = outcomes
            if number % 20 == 0:
                print({n: len(some) for n, some in lines.items()}, f"{time.monotonic() - start:.0f} s", flush=True)
            write(name, lines[name])


def looked_at(
    state: State, moves: str, solver: object, log: dict[str, str], wanted: set[str], path: Path | None
) -> tuple[str, str]:
    """A candidate's class and, where that is wanted, its outcomes; from the log or by the solver."""
    known = log.get(moves, "").split(":")
    if len(known) == 2 and (known[1] or known[0] not in wanted):
        return known[0], known[1]
    found = run_watched(lambda watch: solver.analyse(state, False, None, None, watch))  # type: ignore[attr-defined]
    name = room.class_of(len(moves), found.score[0])
    outcomes = room.outcomes(solver, state) if name in wanted else ""
    log[moves] = f"{name}:{outcomes}"
    if path:
        with path.open("a") as file:
            file.write(f"{moves} {name}:{outcomes}\n")
    return name, outcomes


def write(name: str, lines: dict[str, str]) -> None:
    """The set so far."""
    room.FOLDER.mkdir(exist_ok=True)
    text = "".join(f"{moves} {outcomes}\n" for moves, outcomes in lines.items())
    (room.FOLDER / f"{name}.txt").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
