"""The three runs, and one that is measured in processor time."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from sevenfold.files import whole_file
from sevenfold.game import Game, game
from sevenfold.train.begin import begin
from sevenfold.train.config import Config
from sevenfold.train.loop import Loop
from sevenfold.train.progress import Progress
from sevenfold.train.run import Run

SHARED: dict[str, Any] = {
    "iterations": 1_000_000,  # processor time ends a run
    "games": 200,
    "selfplay.root": "puct",
    "selfplay.simulations": 48,
    "selfplay.noise_alpha": 1.0,
    "selfplay.temperature_moves": 12,
    "selfplay.random_plies": 4,
    "selfplay.random_share": 0.3,
    "learning.batch": 256,
    "learning.passes": 4.0,
}
GATE: dict[str, Any] = {"gate.games": 60, "gate.threshold": 0.55, "gate.simulations": 48}
RUNS: dict[str, dict[str, Any]] = {
    "alphago": {"net.separate": True, "selfplay.rollouts": 0.5}
    | {"supervised.required": True, "supervised.passes": 2.0}
    | GATE,
    "alphagozero": GATE,
    "alphazero": {},
}
RECORDED, RECORDER = 2000, "uct:simulations=200"
"""The records that alphago starts from: so many games of this player against itself."""
PHASES = {"supervised": "records", "learning": "learning", "iteration": "learning", "gate": "gate"}
PHASES |= {"self-play": "self-play", "starting": "self-play", "checkpoint": "checkpoints"}
"""What the learner's own time is counted as, by what it is doing."""
SPENT = ("records", "self-play", "learning", "checkpoints", "gate")


def config_of(name: str, rules: Game, records: Path) -> Config:
    """The config of one of the runs."""
    more = {"supervised.records": str(records)} if "supervised.required" in RUNS[name] else {}
    return Config(rules.spec).changed(SHARED | RUNS[name] | more)


def processor_seconds(pid: int) -> float:
    """What a living process has used; 0 for one that is not there."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Measured(Loop):
    """A run that ends by processor time, and knows what it was spent on (spent.json)."""

    def __init__(self, run: Run, rules: Game, seconds: float, watch: Callable[[Progress], None]) -> None:
        super().__init__(run, rules, watch)
        self._seconds = seconds
        self._file = run.folder / "spent.json"
        kept = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else {}
        self.spent: dict[str, float] = dict.fromkeys(SPENT, 0.0) | kept
        self._own = time.process_time()
        self._ended = ended_children()
        self._actors: dict[int, float] = {}

    def _tell(self, phase: str) -> None:
        before = self.progress.phase
        own, ended = time.process_time(), ended_children()
        self.spent[PHASES.get(before, "learning")] += own - self._own
        self.spent["gate"] += ended - self._ended  # the matches' processes; actors end after the run
        self._own, self._ended = own, ended
        for actor in self.games._actors if hasattr(self, "games") else []:
            pid = actor.process.pid or 0
            used = processor_seconds(pid)
            self.spent["self-play"] += used - self._actors.get(pid, 0.0)
            self._actors[pid] = used
        if phase in ("iteration", "done"):
            with whole_file(self._file) as temporary:
                temporary.write_text(json.dumps(self.spent) + "\n", encoding="utf-8")
        super()._tell(phase)

    def _over(self) -> bool:
        self.progress.share = min(1.0, sum(self.spent.values()) / self._seconds)
        return self.progress.share >= 1


def ended_children() -> float:
    """The processor time of this process's children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def trained(folder: Path, config: Config, rules: Game, seconds: float, watch: Callable[[Progress], None]) -> Run:
    """A run of so many seconds of processor time, begun or gone on with."""
    run = Run(folder) if (folder / "config.json").exists() else begin(rules, folder, config)
    Measured(run, rules, seconds, watch).go()
    return run


def train_one(name: str, out: str, seconds: float) -> None:
    """In a process of its own, whose children are the run's alone."""
    console, folder, rules = Console(stderr=True), Path(out), game("connect_four")
    with console.status(f"{name} …") as status:

        def watch(progress: Progress) -> None:
            status.update(f"{name}: {100 * progress.share:.0f} %, iteration {progress.iteration}, {progress.phase}")

        config = config_of(name, rules, folder / "records.jsonl")
        trained(folder / name, config, rules, seconds, watch)
