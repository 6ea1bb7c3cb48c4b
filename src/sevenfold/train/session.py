"""A session of a run: what the loop works with, brought back to where it was and put away again."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
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


class Session(ABC):
    """A run, its replay and its learner."""

    games: SelfPlayGames

    def __init__(self, run: Run, rules: Game, watch: Watcher | None = None, end: dict[str, Any] | None = None) -> None:
        """end: the settings `minutes` and `iterations`, where the run is to end elsewhere than it was meant to."""
        self.run, self.config, self.rules = run, run.config.changed(end or {}), rules
        self.setups = self.config.setups(rules)
        self.largest = max(self.setups, key=lambda one: one.planes)
        self.description = description_of(self.setups, self.config)
        self.progress = Progress(self.config, run.folder)
        self._watch = watch or (lambda _: None)
        self.begun = False
        """Whether it has got past all that it could be refused for; before that, nothing in the folder is changed."""

    def _until_done(self) -> None:
        """From where it was, iteration by iteration."""
        try:
            self._restore()
            self._after(self.progress.iteration)
            while not self._over():
                self._iterate()
            self._tell("done")
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise ValueError(f"the run in {self.run.folder} stopped, and what was finished is kept: {why}.") from None

    @abstractmethod
    def _iterate(self) -> None:
        """One iteration, with its checkpoint."""

    @abstractmethod
    def _after(self, iteration: int) -> None:
        """What follows a checkpoint, and may be interrupted before it is written down."""

    # Where it was

    def _restore(self) -> None:
        iteration, state, said = self.run.newest()
        self.progress.said += said
        if iteration < 0 and said:
            raise ValueError(f"{self.run.folder} cannot go on: all of its checkpoints are damaged.")
        self.replay = Replay(self.setups, self.config.replay, self.config.net.auxiliary)
        if iteration < 0:
            self.learner = self._fresh(self._from_net if self.config.from_net else None)
            self._begin(iteration)
            self._supervised()
            self._checkpoint(0)
        else:
            self.learner = self._restored(iteration, int(state["steps"]))
            for name in ("iteration", "games", "positions", "steps", "seconds", "metrics"):
                setattr(self.progress, name, state[name])
            self.progress.supervised = state.get("supervised", {})
            self.progress.start = state.get("start", {})
            self._begin(iteration)
            self._refill(int(state["seen"]))
        self._start = time.perf_counter() - self.progress.seconds
        self._over()
        self._tell("starting")

    def _begin(self, iteration: int) -> None:
        """From here on the folder is this session's."""
        self.begun = True
        if self.config != self.run.config:
            self.run.extend(self.config)
        self.run.sweep()
        self.run.forget_after(iteration)
        self.events = Events(self.run)

    def _fresh(self, prepare: Callable[[Any], None] | None) -> Any:
        """A learner at the beginning."""
        from sevenfold.train import saving  # torch, in this process only

        return saving.fresh(self.description, self.config, prepare)

    def _restored(self, iteration: int, steps: int) -> Any:
        """The learner of a checkpoint."""
        from sevenfold.train import saving

        return saving.restored(self.run, iteration, self.description, self.config, steps, self.largest)

    def _written(self, folder: Path) -> None:
        """The files of a checkpoint."""
        from sevenfold.train import saving

        saving.write(folder, self.learner, self.setups, self.config, self.replay)

    def _from_net(self, net: Any) -> None:
        """Before all, where there is a net to start from."""
        from sevenfold.train import start

        self.progress.start = start.of_run(net, self.run, self.largest, self.config)
        self.progress.said.append(start.sentence(self.progress.start))

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
        held, lost, iteration = 0, 0, self.progress.iteration
        while iteration > 0 and held < self.replay.config.window:
            found = [chunk for _, chunk in self.run.played(iteration)]
            lost += self.config.games - sum(len(chunk["id"]) for chunk in found)
            if found:
                kept.append(ordered(found))
                held += chunks.positions(kept[-1])
            iteration -= 1
        if lost:
            self.progress.said.append(
                f"{lost} games in {self.run.folder} are damaged or gone, and not learnt from again."
            )
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
        self._tell("checkpoint")
        names = ("games", "positions", "steps", "seconds")
        state: dict[str, Any] = {name: getattr(self.progress, name) for name in names}
        state |= {"seen": self.replay.seen, "metrics": self.progress.metrics}
        state |= {"supervised": self.progress.supervised, "start": self.progress.start}
        self.run.write_checkpoint(iteration, state, self._written)
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

    def _live(self) -> dict[str, float]:
        """Of the games that are being played."""
        return self.games.counts

    def _tell(self, phase: str) -> None:
        self.progress.phase, self.progress.live = phase, self._live()
        self._watch(self.progress)


def ordered(found: list[chunks.Chunk]) -> chunks.Chunk:
    """Games in the order of their numbers, whoever played them first: the same replay after every interruption."""
    if not found:
        raise ValueError("an iteration has no games.")
    return chunks.sorted_by_id(chunks.joined(found))
