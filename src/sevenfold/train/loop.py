"""The loop: self-play, learning, and now and then a match; iteration by iteration, each of which can be done again.

  1. actors play `games` games with the newest net, and write them down; with `overlap` they play the next iteration's
     meanwhile, with the net from before this iteration's learning
  2. the replay takes them in, and the oldest leave it
  3. the learner makes its steps
  4. the gate, if there is one, decides whether the new net plays the next games
  5. a checkpoint; a line of metrics

With game records, the first net has learnt from them before all this (supervised.py).

Games, steps and dice follow from the seed and the iteration alone, so that whatever is interrupted is done again and
comes to as many games and steps as without the interruption; games that were written down are not played again. A run
with one actor and without `overlap`, `endgame` and `minutes` that is interrupted between two iterations even comes to
the same weights, bit by bit; otherwise what shares a batch, or the clock, has a say.
"""

import itertools
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sevenfold.files import FilePath
from sevenfold.game import Game, game
from sevenfold.nets import Description
from sevenfold.seeds import seed_of
from sevenfold.train import chunks, records
from sevenfold.train.actor import SelfPlayGames
from sevenfold.train.config import Config
from sevenfold.train.config import preset as config_of
from sevenfold.train.events import Events
from sevenfold.train.replay import Replay
from sevenfold.train.run import Run


@dataclass
class Progress:
    """What a run has done, and is doing; told to whoever watches."""

    config: Config
    folder: Path
    phase: str = "starting"
    """supervised, self-play, learning, gate, rating, checkpoint, done"""
    iteration: int = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    seconds: float = 0.0
    """Of this run, over all sessions."""
    share: float = 0.0
    """Of the whole run that is done."""
    phase_done: int = 0
    phase_total: int = 0
    metrics: dict[str, Any] = field(default_factory=dict)
    """Of the last iteration."""
    supervised: dict[str, Any] = field(default_factory=dict)
    """What game records have taught, where there were any."""
    live: dict[str, float] = field(default_factory=dict)
    """Of the games that are being played: games, positions, evaluations, simulations, … so far, and the seconds that
    all actors together took."""
    losses: dict[str, float] = field(default_factory=dict)
    """Of the last step of learning."""
    said: list[str] = field(default_factory=list)


Watcher = Callable[[Progress], None]


def train(
    rules: Game | str,
    preset: str = "quick",
    out: FilePath | None = None,
    config: Config | None = None,
    watch: Watcher | None = None,
    from_records: FilePath | None = None,
    **settings: Any,
) -> Run:
    """Trains a net from nothing, or from game records; `sf.train` says what the parameters are."""
    rules = game(rules) if isinstance(rules, str) else rules
    if from_records is not None:
        settings["supervised.records"] = str(from_records)
    config = (config or config_of(preset, rules)).changed(settings)
    run = begin(rules, out if out is not None else new_folder(rules, preset), config)
    Loop(run, rules, watch).go()
    return run


def begin(rules: Game, out: FilePath, config: Config) -> Run:
    """The folder of a new run, with the game records it starts from; ValueError, and no folder, where it cannot be."""
    given, about = config.supervised, _description(config.setups(rules), config)
    if not given.records and (given.required or not config.iterations):
        why = "its preset starts from them" if given.required else "without iterations it learns from nothing else"
        raise ValueError(f"this run needs game records, since {why}; name them by --from-records FILE.")
    if not given.records:
        return Run.begin(out, config)
    games = records.read(given.records, about, rules)
    run = Run.begin(out, config.changed({"supervised.records": str(Path(given.records).resolve())}))
    records.save(run.games(0), games)
    return run


def new_folder(rules: Game, preset: str) -> Path:
    """Where a run goes that nobody has named: runs/GAME-PRESET, or the first runs/GAME-PRESET-N that is not there."""
    name = f"{re.sub('[^A-Za-z0-9_]+', '-', rules.name)}-{preset}"
    numbers = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
    return next(path for path in (Path("runs") / f"{name}{number}" for number in numbers) if not path.exists())


def resume(folder: FilePath, rules: Game | None = None, watch: Watcher | None = None) -> Run:
    """Goes on with a run, exactly where it was."""
    run = Run(folder)
    Loop(run, rules or game(run.config.game), watch).go()
    return run


def _description(setups: list[Game], config: Config) -> Description:
    return Description.of(max(setups, key=lambda one: one.planes), config.net, config.varied)


class Loop:
    """One session of a run."""

    def __init__(self, run: Run, rules: Game, watch: Watcher | None = None) -> None:
        self.run, self.config, self.rules = run, run.config, rules
        self.setups = self.config.setups(rules)
        self.largest = max(self.setups, key=lambda one: one.planes)
        self.description = _description(self.setups, self.config)
        self.progress = Progress(self.config, run.folder)
        self._watch = watch or (lambda _: None)

    def go(self) -> None:
        """Until the run is done. Whatever ends it earlier, nothing that was finished is lost."""
        with self.run.held():
            self.run.sweep()
            # Its processes are forked before torch is loaded.
            self.games = SelfPlayGames(self.run, self.setups, self.config)
            try:
                self._restore()
                while not self._over():
                    self._iterate()
                self._tell("done")
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise ValueError(
                    f"the run in {self.run.folder} stopped, and what was finished is kept: {why}."
                ) from None
            finally:
                self.games.close()
                self.run.sweep()

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
        self._after(self.progress.iteration)

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
                kept.append(_ordered(found))
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

    # One iteration

    def _iterate(self) -> None:
        self.progress.iteration += 1
        iteration = self.progress.iteration
        began = time.perf_counter()
        self.games.want(iteration, self._player_of(iteration))
        counts = self._wait_for_games(iteration)
        if self.config.overlap and iteration < self.config.iterations:
            self.games.want(iteration + 1, self._player_of(iteration + 1))
        found = _ordered([chunk for _, chunk in self.run.played(iteration)])
        first = (iteration - 1) * self.config.games
        if found["id"].tolist() != list(range(first, first + self.config.games)):
            raise ValueError(f"{self.run.games(iteration)} does not have all games of its iteration; resume the run.")
        self.replay.add(found)
        self.progress.games += len(found["id"])
        self.progress.positions += chunks.positions(found)
        played = time.perf_counter()
        losses = self._learn(iteration, chunks.positions(found))
        learned = time.perf_counter()
        self.progress.seconds = time.perf_counter() - self._start
        self._over()
        self.progress.metrics = self._metrics(found, counts, losses) | {
            "waiting_seconds": round(played - began, 3),
            "learning_seconds": round(learned - played, 3),
        }
        self._checkpoint(iteration)
        self._after(iteration)
        self.progress.seconds = time.perf_counter() - self._start
        self._tell("iteration")

    def _after(self, iteration: int) -> None:
        """What follows a checkpoint, and may be interrupted before it is written down."""
        if iteration and all(line["iteration"] != iteration for line in self.run.lines("metrics")):
            self.run.log("metrics", self.progress.metrics)
            self.events.metrics(self.progress.metrics)
        if self.progress.supervised and not self.run.lines("supervised"):
            self.run.log("supervised", self.progress.supervised)
        self._gate(iteration)
        self._rate(iteration)

    def _player_of(self, iteration: int) -> int:
        """The checkpoint that plays an iteration's games: the newest there is when they begin, or the gate's choice."""
        newest = max(0, iteration - (2 if self.config.overlap else 1))
        if not self.config.gate.games:
            return newest
        passed = [int(line["iteration"]) for line in self.run.lines("gate") if line["passed"]]
        return max((number for number in passed if number <= newest), default=0)

    def _wait_for_games(self, iteration: int) -> dict[str, float]:
        """Step 1."""
        self.progress.phase_total = self.config.games
        while True:
            done = self.games.wait(1.0)
            self.progress.phase_done = self.games.done
            self.progress.seconds = time.perf_counter() - self._start
            self._tell("self-play")
            if done:
                return dict(self.games.counts)

    def _learn(self, iteration: int, new: int) -> dict[str, float]:
        """Step 3: as many steps as the new positions are worth."""
        config = self.config.learning
        if self.progress.games < config.warm_games or not len(self.replay):
            return {}
        rng = np.random.default_rng(seed_of(self.config.seed, iteration, "learning"))
        steps = max(1, round(new * config.passes / config.batch))
        self.progress.phase_total, self.progress.phase_done = steps, 0
        totals: dict[str, float] = {}
        for step in range(steps):
            samples = self.replay.draw(config.batch, rng)
            from sevenfold.train import saving

            terms = saving.step(self.learner, samples, self.progress.share, self.run, self.replay)
            for name, value in terms.items():
                totals[name] = totals.get(name, 0.0) + value / steps
            self.progress.phase_done, self.progress.losses = step + 1, terms
            if step % 10 == 0:
                self.games.wait(0)  # hears what the actors say meanwhile
                self.progress.seconds = time.perf_counter() - self._start
                self._tell("learning")
        self.progress.steps = self.learner.steps
        return totals

    def _gate(self, iteration: int) -> None:
        """Step 4: whether actors play with the new net."""
        if not iteration or not self.config.gate.games:
            return
        if any(line["iteration"] == iteration for line in self.run.lines("gate")):
            return
        from sevenfold.train import matches

        best = max((int(line["iteration"]) for line in self.run.lines("gate") if line["passed"]), default=0)
        watch = self._match_watcher("gate")
        self.run.log("gate", matches.gate(self.run, self.setups[0], self.config, iteration, best, watch))

    def _rate(self, iteration: int) -> None:
        every = self.config.rating.every
        if not every or (iteration % every and self.progress.share < 1):
            return
        if any(line["iteration"] == iteration for line in self.run.lines("ratings")):
            return
        from sevenfold.train import matches

        watch = self._match_watcher("rating")
        lines = matches.rate(self.run, self.setups[0], self.config, iteration, watch)
        self.run.log("ratings", *lines)
        for line in lines:
            self.events.rating(line, self.progress.metrics)

    def _checkpoint(self, iteration: int) -> None:
        """Step 5."""
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


def _ordered(found: list[chunks.Chunk]) -> chunks.Chunk:
    """Games in the order of their numbers, whoever played them first: the same replay after every interruption."""
    if not found:
        raise ValueError("an iteration has no games.")
    return chunks.sorted_by_id(chunks.joined(found))
