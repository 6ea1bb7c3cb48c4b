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

import time

import numpy as np

from sevenfold.seeds import seed_of
from sevenfold.train import chunks
from sevenfold.train.actor import SelfPlayGames
from sevenfold.train.session import Session, ordered


class Loop(Session):
    """One session of a run: `Session` is what it works with."""

    def go(self) -> None:
        """Until the run is done. Whatever ends it earlier, nothing that was finished is lost."""
        with self.run.held():
            # Its processes are forked before torch is loaded.
            self.games = SelfPlayGames(self.run, self.setups, self.config)
            try:
                self._until_done()
            finally:
                self.games.close()
                if self.begun:
                    self.run.sweep()

    def _iterate(self) -> None:
        self.progress.iteration += 1
        iteration = self.progress.iteration
        began = time.perf_counter()
        self.games.want(iteration, self._player_of(iteration))
        counts = self._wait_for_games(iteration)
        if self.config.overlap and iteration < self.config.iterations:
            self.games.want(iteration + 1, self._player_of(iteration + 1))
        found = ordered([chunk for _, chunk in self.run.played(iteration)])
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

    def _after(self, iteration: int) -> None:
        """What follows a checkpoint, and may be interrupted before it is written down."""
        if iteration and all(line["iteration"] != iteration for line in self.run.lines("metrics")):
            self.run.log("metrics", self.progress.metrics)
            self.events.metrics(self.progress.metrics)
        if self.progress.supervised and not self.run.lines("supervised"):
            self.run.log("supervised", self.progress.supervised)
        if self.progress.start and not self.run.lines("start"):
            self.run.log("start", self.progress.start)
        self._gate(iteration)
        self._rate(iteration)

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
