"""A session of a run: what the loop works with, brought back to where it was and put away again."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from sevenfold.game import Game
from sevenfold.nets import Description
from sevenfold.train import chunks
from sevenfold.train.actor import SelfPlayGames
from sevenfold.train.config import Config
from sevenfold.train.events import Events
from sevenfold.train.progress import Progress, Watcher
from sevenfold.train.replay import Replay
from sevenfold.train.run import Run


def description_of(setups: list[Game], config: Config) -> Description:
    """What a run's net is for: the largest of its boards, and the options it knows."""
    return Description.of(max(setups, key=lambda one: one.planes), config.net, config.varied, setups)


class Session:
    """A run, its replay and its learner."""

    games: SelfPlayGames

    def __init__(self, run: Run, rules: Game, watch: Watcher | None = None) -> None:
        self.run, self.config, self.rules = run, run.config, rules
        self.setups = self.config.setups(rules)
        self.largest = max(self.setups, key=lambda one: one.planes)
        self.description = description_of(self.setups, self.config)
        self.progress = Progress(self.config, run.folder)
        self._watch = watch or (lambda _: None)

    # Where it was

    def _restore(self) -> None:
        from sevenfold.train import saving  # torch, in this process only

        iteration, state, said = self.run.newest()
        self.progress.said += said
        self.run.forget_after(iteration)
        self.events = Events(self.run)
        self.replay = Replay(self.setups, self.config.replay, self.config.net.auxiliary)
        if iteration < 0 and said:
            raise ValueError(f"{self.run.folder} cannot go on: all of its checkpoints are damaged.")
        if iteration < 0:
            self.learner = saving.fresh(self.description, self.config)
            self._supervised()
            self._checkpoint(0)
        else:
            steps = int(state["steps"])
            self.learner = saving.restored(self.run, iteration, self.description, self.config, steps, self.largest)
            for name in ("iteration", "games", "positions", "steps", "seconds", "metrics"):
                setattr(self.progress, name, state[name])
            self.progress.supervised = state.get("supervised", {})
            self._refill(int(state["seen"]))
        self._start = time.perf_counter() - self.progress.seconds
        self._over()
        self._tell("starting")

    def _supervised(self) -> None:
        """Before the first iteration, where there are game records to learn from."""
        if not self.config.supervised.records:
            return
        from sevenfold.train import supervised

        began = time.perf_counter()

        def tell(done: int, total: int) -> None:
            self.progress.phase_done, self.progress.phase_total = done, total
            self.progress.seconds = time.perf_counter() - began
            self._tell("supervised")

        said = supervised.learn(self.run, self.rules, self.learner, self.config, tell)
        self.progress.steps, self.progress.seconds = self.learner.steps, time.perf_counter() - began
        self.progress.supervised = said | {"seconds": round(self.progress.seconds, 1)}

    def _refill(self, seen: int) -> None:
        """The replay as it was: the newest games, back to the oldest that was in it."""
        kept: list[chunks.Chunk] = []
        held, iteration = 0, self.progress.iteration
        while iteration > 0 and held < self.replay.config.window:
            found = [chunk for _, chunk in self.run.played(iteration)]
            if found:
                kept.append(ordered(found))
                held += chunks.positions(kept[-1])
            iteration -= 1
        self.replay.seen = seen - held
        for chunk in reversed(kept):
            self.replay.add(chunk)
        self.replay.seen = seen

    def _over(self) -> bool:
        config = self.config
        done = self.progress.iteration / config.iterations if config.iterations else 1.0
        if config.minutes:
            done = max(done, self.progress.seconds / (60 * config.minutes))
        self.progress.share = min(1.0, done)
        return done >= 1

    # What it leaves behind

    def _checkpoint(self, iteration: int) -> None:
        """Everything that another session needs to go on from here."""
        from sevenfold.train import saving

        self._tell("checkpoint")
        names = ("games", "positions", "steps", "seconds")
        state: dict[str, Any] = {name: getattr(self.progress, name) for name in names}
        state |= {"seen": self.replay.seen, "metrics": self.progress.metrics, "supervised": self.progress.supervised}
        self.run.write_checkpoint(
            iteration, state, lambda folder: saving.write(folder, self.learner, self.setups, self.config, self.replay)
        )
        # Whichever of those kept a later session goes on from, the net that plays its next games is there too.
        newest = self.run.iterations()[-self.config.keep :]
        players = {self._player_of(one + 1) for one in newest}
        self.run.thin_out(self.config.keep, {0, self._player_of(iteration + 2)} | players)

    def _metrics(self, found: chunks.Chunk, counts: dict[str, float], losses: dict[str, float]) -> dict[str, Any]:
        plies = np.diff(found["action_start"])
        out: dict[str, Any] = {name: getattr(self.progress, name) for name in ("iteration", "games", "positions")}
        out |= {"steps": self.progress.steps, "seconds": round(self.progress.seconds, 1)}
        out |= {name: round(value, 5) for name, value in losses.items()}
        out |= {f"selfplay_{name}": count for name, count in counts.items()}
        out |= {
            "plies": float(plies.mean()),
            "first_wins": float((found["returns"][:, 0] > 0).mean()),
            "draws": float((found["returns"][:, 0] == 0).mean()),
            "exact": float(found["exact"].sum() / max(1, len(found["exact"]))),
            "surprise": float(found["surprise"].sum() / max(1, len(found["surprise"]))),
            "window": len(self.replay),
            "replay_bytes": self.replay.bytes,
            "bytes_per_sample": round(self.replay.bytes_per_sample, 1),
            "rate": self.learner.rate(self.progress.share),
        }
        return out

    def _player_of(self, iteration: int) -> int:
        """The checkpoint that plays an iteration's games: the newest there is when they begin, or the gate's choice."""
        newest = max(0, iteration - (2 if self.config.overlap else 1))
        if not self.config.gate.games:
            return newest
        passed = [int(line["iteration"]) for line in self.run.lines("gate") if line["passed"]]
        return max((number for number in passed if number <= newest), default=0)

    # What it says

    def _match_watcher(self, phase: str) -> Callable[[int, int], None]:
        """Tells how many games of a match are played."""

        def told(done: int, total: int) -> None:
            self.progress.phase_done, self.progress.phase_total = done, total
            self.progress.seconds = time.perf_counter() - self._start
            self._tell(phase)

        told(0, 0)
        return told

    def _tell(self, phase: str) -> None:
        self.progress.phase, self.progress.live = phase, self.games.counts
        self._watch(self.progress)


def ordered(found: list[chunks.Chunk]) -> chunks.Chunk:
    """Games in the order of their numbers, whoever played them first: the same replay after every interruption."""
    if not found:
        raise ValueError("an iteration has no games.")
    return chunks.sorted_by_id(chunks.joined(found))
