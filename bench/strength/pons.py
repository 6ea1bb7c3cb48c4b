"""How often a player keeps the value of a position (win, draw or loss) on Pons' public sets, judged by `perfect`.

The sets (`moves score` per line) are not ours to ship: SEVENFOLD_PONS names their folder."""

import os
import random
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import sevenfold as sf
from bench.strength.work import Piece, Progress, Store, run

WANTED = {"L2_R1": 0.99, "L3_R1": 0.99, "L1_R1": 0.99, "L2_R2": 0.95}
"""The share of positions whose value is kept that we set ourselves."""


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


@dataclass(frozen=True)
class Exam:
    """A player and a set; `positions` are drawn from it by the seed."""

    player: str
    seconds: float
    name: str
    seed: int = 1

    def lines(self) -> list[str]:
        """The set in an order of the seed's, so that more positions extend fewer."""
        folder = os.environ.get("SEVENFOLD_PONS")
        if not folder:
            raise ValueError("set SEVENFOLD_PONS to the folder of Pons' sets.")
        path = Path(folder) / f"Test_{self.name}"
        if not path.exists():
            raise ValueError(f"there is no set {path}.")
        lines = path.read_text().splitlines()
        random.Random(self.seed).shuffle(lines)
        return lines

    def ask(self, lines: list[str], key: int) -> Piece:
        moves, score = lines[key].split()
        state = sf.game("connect_four").replay([int(column) - 1 for column in moves])
        start = time.perf_counter()
        result = sf.player(self.player, state.game, seconds=self.seconds, seed=key).think(state)
        took = time.perf_counter() - start
        judge = sf.player("perfect", state.game, cache=False).think(state)
        assert judge.score == int(score), f"{moves}: the solver says {judge.score}, the set {score}"
        after = judge.scores[result.action]
        return {
            "key": key,
            "moves": moves,
            "score": int(score),
            "action": result.action,
            "after": after,
            "kept": sign(after) == sign(int(score)),
            "proven": result.proven,
            "seconds": round(took, 4),
        }


@dataclass
class Marks:
    """What an exam came to."""

    what: str
    positions: int
    kept: float
    wanted: float
    proven: float
    seconds: float
    """Mean time per position."""
    lost: list[str]
    """The positions whose value was given away, as columns from 1."""

    @property
    def reached(self) -> bool:
        return self.kept >= self.wanted

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"reached": self.reached}


def measure(exam: Exam, positions: int, folder: Path, processes: int, fresh: bool = False) -> Marks:
    lines = exam.lines()
    positions = min(positions, len(lines))
    sf.player(exam.player, sf.game("connect_four"))  # a wrong name is told before the first position
    store = Store(folder, "pons", asdict(exam), fresh)

    def note() -> str:
        pieces = [piece for key, piece in store.pieces.items() if key < positions]
        return f"positions, {sum(piece['kept'] for piece in pieces)} values kept"

    try:
        progress = Progress(exam.name, positions, note)
        pieces = run(store, range(positions), partial(Exam.ask, exam, lines), processes, progress)
    finally:
        store.close()
    share = {what: sum(piece[what] for piece in pieces) / positions for what in ("kept", "proven", "seconds")}
    lost = [piece["moves"] for piece in pieces if not piece["kept"]]
    return Marks(
        exam.name, positions, share["kept"], WANTED.get(exam.name, 0.0), share["proven"], share["seconds"], lost
    )
