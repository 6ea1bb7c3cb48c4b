"""The loop of method=policy_gradient: tables full of games, an update of the net, and again (gradient.py).

  1. `tables` games are played to their end: the net against itself, against simple players of the game (`league`),
     against older selves, or, for a best response, against one net that stays as it is (`against`)
  2. the net learns from what its choices led to, judged by a critic; or from what every action would have led to, where
     all of them are tried (`estimate`)
  3. after `games` games an iteration is over: a checkpoint, a line of metrics, now and then a measurement

One process does it all, with a thread for each of the `actors`. Games and dice follow from the seed and the number of
the update, so that whatever is interrupted is done again from the last checkpoint.
"""

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from sevenfold import models
from sevenfold.seeds import seed_of
from sevenfold.train import matches, tables
from sevenfold.train.session import Session

Played = tables.Experience | tables.Trials
OBEY = 0.7
"""The share of moves that are the adviser's own while it is imitated; the rest shows what to do after others."""


class GradientLoop(Session):
    """One session of such a run."""

    def go(self) -> None:
        """Until the run is done. Whatever ends it earlier, nothing that was finished is lost."""
        self._counts: dict[str, float] = {}
        if len(self.setups) > 1:
            raise ValueError("policy_gradient learns one variant of a game at a time; leave out variants.")
        self._league = [tables.habit_named(self.rules, name) for name in self.config.gradient.league]
        self._hidden = self._lesson()
        with self.run.held():
            try:
                self._until_done()
            finally:
                if self.begun:
                    self.run.sweep()

    # What it works with

    def _everything(self) -> tables.Everything:
        if not self.config.gradient.has_critic:
            return tables.Everything()
        return tables.everything_of(self.rules, self.config.seed)

    def _lesson(self) -> tables.Everything:
        """What the lesson `others` teaches, where the net has a head for it; ValueError where that cannot be."""
        heads = self.config.net.auxiliary
        if not heads:
            return tables.Everything()
        hidden = tables.hidden_of(self.rules, self.config.seed)
        size = len(hidden.planes) * self.description.shape.cells
        if heads != {"others": size} or not size or self.config.gradient.estimate != "trials":
            raise ValueError(
                "policy_gradient teaches one auxiliary head, others, with estimate=trials, and for "
                f"{self.rules.spec} that has the size {size}."
            )
        return hidden

    def _fresh(self, prepare: Callable[[Any], None] | None) -> Any:
        from sevenfold.train import gradient_saving

        self._seen = self._everything()
        return gradient_saving.fresh(self.rules, self.description, self.config, self._seen, prepare)

    def _restored(self, iteration: int, steps: int) -> Any:
        from sevenfold.train import gradient_saving

        self._seen = self._everything()
        folder = self.run.checkpoint(iteration)
        return gradient_saving.restored(folder, self.rules, self.description, self.config, self._seen, steps)

    def _written(self, folder: Path) -> None:
        from sevenfold.train import gradient_saving

        super()._written(folder)
        gradient_saving.write(folder, self.learner)

    def _live(self) -> dict[str, float]:
        return self._counts

    def _player_of(self, iteration: int) -> int:
        return max(0, iteration - 1)

    def _supervised(self) -> None:
        """Before the first iteration: what game records and a habit teach."""
        super()._supervised()
        wanted = self.config.gradient
        if not wanted.imitate:
            return
        adviser = tables.habit_named(self.rules, wanted.imitate)
        if adviser == tables.RANDOM:
            raise ValueError("gradient.imitate needs a habit of the game; random has nothing to teach.")
        began, rounds = time.perf_counter(), max(1, round(wanted.imitate_games / wanted.tables))
        rng = np.random.default_rng(seed_of(self.config.seed, 0, "imitation"))
        for number in range(rounds):
            self.progress.phase_done, self.progress.phase_total = number, rounds
            self.progress.seconds = time.perf_counter() - began
            self._tell("supervised")
            deals = rng.integers(0, 2**63, wanted.tables, np.uint64)
            seats = np.zeros((wanted.tables, self.rules.players), np.int64)
            found = tables.play(
                self.rules, deals, seats, [self.learner.logits], rng, self._seen, adviser=adviser, obey=OBEY
            )
            self.learner.imitate(found, number / rounds, rng)
        self.learner.restart()
        self.progress.steps, self.progress.seconds = self.learner.steps, time.perf_counter() - began

    # An iteration

    def _iterate(self) -> None:
        self.progress.iteration += 1
        iteration, wanted = self.progress.iteration, self.config.gradient
        updates = max(1, round(self.config.games / wanted.tables))
        self.progress.phase_total = updates
        self._playing = 0.0
        self._counts = dict.fromkeys(("games", "positions", "evaluations", "simulations", "seconds"), 0.0)
        others, learning = self._others(iteration), 0.0
        totals: dict[str, float] = {}
        # With `overlap` the next tables are played while the net learns from the last, by the nets from before that: as
        # many of them side by side as there are actors.
        most = self.config.actors if self.config.overlap else 1
        with ThreadPoolExecutor(most) as beside:
            ahead: deque[Future[Played]] = deque()
            for update in range(updates):
                while len(ahead) < most and update + len(ahead) < updates:
                    networks = [self.learner.acting(), *others]
                    ahead.append(beside.submit(self._played, iteration, update + len(ahead), networks))
                found = ahead.popleft().result()
                if self.config.overlap and update + 1 + len(ahead) < updates:
                    networks = [self.learner.acting(), *others]
                    ahead.append(beside.submit(self._played, iteration, update + 1 + len(ahead), networks))
                self._count(found)
                began = time.perf_counter()
                for name, value in self._learned(found, self._rng(iteration, update, "learning")).items():
                    totals[name] = totals.get(name, 0.0) + value / updates
                learning += time.perf_counter() - began
                self.progress.phase_done = update + 1
                self.progress.seconds = time.perf_counter() - self._start
                self._tell("learning")
        self.progress.steps = self.learner.steps
        self.progress.seconds = time.perf_counter() - self._start
        self._over()
        self.progress.metrics = self._line(totals) | {"learning_seconds": round(learning, 3)}
        self._checkpoint(iteration)
        self._after(iteration)
        self.progress.seconds = time.perf_counter() - self._start
        self._tell("iteration")

    def _rng(self, iteration: int, update: int, purpose: str) -> np.random.Generator:
        return np.random.default_rng(seed_of(self.config.seed, iteration * 100_000 + update, purpose))

    def _played(self, iteration: int, update: int, networks: list[tables.Network]) -> Played:
        rng, began = self._rng(iteration, update, "gradient"), time.perf_counter()
        found = self._games(rng, networks)
        self._playing += time.perf_counter() - began
        return found

    def _games(self, rng: np.random.Generator, networks: list[tables.Network]) -> Played:
        wanted = self.config.gradient
        deals, seats = rng.integers(0, 2**63, wanted.tables, np.uint64), self._seats(rng, len(networks))
        if wanted.estimate == "critic":
            return tables.play(self.rules, deals, seats, networks, rng, self._seen)
        own = tables.habit_named(self.rules, wanted.goes_on) if wanted.goes_on else None
        believed = (wanted.worlds, wanted.stir, wanted.kinds) if wanted.worlds else None
        return tables.try_all(
            self.rules, deals, seats, networks, rng, self._hidden, share=wanted.share, own=own, believed=believed
        )

    def _learned(self, found: Played, rng: np.random.Generator) -> dict[str, float]:
        from sevenfold.train.learner import NotANumberError

        learn = self.learner.update if isinstance(found, tables.Experience) else self.learner.study
        try:
            terms = vars(learn(found, self.progress.share, rng))
        except NotANumberError:
            raise ValueError(
                f"the loss is no number any more, at step {self.learner.steps + 1}. A smaller learning.rate may help; "
                "the last checkpoint is whole."
            ) from None
        self.progress.losses = terms | {"l2_loss": 0.0}
        return dict(self.progress.losses)

    def _count(self, found: Played) -> None:
        counts, count = self._counts, self.config.gradient.tables
        self.progress.games += count
        self.progress.positions += len(found)
        for name, more in (("games", count), ("positions", len(found)), ("evaluations", found.evaluations)):
            counts[name] += more
        counts["seconds"] = self._playing

    def _seats(self, rng: np.random.Generator, networks: int) -> tables.Whole:
        """Who sits where: the net in all seats, in one, or in some of them."""
        wanted, players = self.config.gradient, self.rules.players
        seats = np.zeros((wanted.tables, players), np.int64)
        drawn = rng.random(wanted.tables)
        some = rng.integers(1, max(2, players), wanted.tables)
        others = np.where(rng.random(wanted.tables) < wanted.alone, players - 1, some)
        taken = rng.random(seats.shape).argsort(1).argsort(1) < others[:, None]
        if self._league:
            league = taken & (drawn < wanted.league_share)[:, None]
            habits = np.array(self._league)[rng.integers(0, len(self._league), wanted.tables)]
            seats = np.where(league, habits[:, None], seats)
        above = wanted.league_share if self._league else 0.0
        if networks > 1 and not wanted.against:
            past = taken & ((drawn >= above) & (drawn < above + wanted.past_share))[:, None]
            seats = np.where(past, 1, seats)
        elif wanted.against:
            alone = rng.random(seats.shape).argsort(1) > 0
            seats = np.where(alone & (drawn >= above)[:, None], 1, seats)
        return seats

    def _others(self, iteration: int) -> list[tables.Network]:
        """Network 1: the net to answer, or an older self."""
        from sevenfold.train import gradient_saving

        wanted = self.config.gradient
        if wanted.against:
            return [gradient_saving.network(models.weights(wanted.against, self.rules), self.rules)]
        kept = [one for one in self.run.iterations() if one < iteration]
        if not wanted.past_share or not kept:
            return []
        chosen = kept[seed_of(self.config.seed, iteration, "past") % len(kept)]
        return [gradient_saving.network(self.run.checkpoint(chosen) / "mean.safetensors", self.rules)]

    def _line(self, totals: dict[str, float]) -> dict[str, Any]:
        out: dict[str, Any] = {name: getattr(self.progress, name) for name in ("iteration", "games", "positions")}
        out |= {"steps": self.progress.steps, "seconds": round(self.progress.seconds, 1)}
        out |= {name: round(value, 5) for name, value in totals.items()}
        out |= {f"selfplay_{name}": count for name, count in self._counts.items()}
        return out | {"rate": self.learner.rate(self.progress.share)}

    def _after(self, iteration: int) -> None:
        """What follows a checkpoint, and may be interrupted before it is written down."""
        if iteration and all(line["iteration"] != iteration for line in self.run.lines("metrics")):
            self.run.log("metrics", self.progress.metrics)
            self.events.metrics(self.progress.metrics)
        for name in ("supervised", "start"):
            if (said := getattr(self.progress, name)) and not self.run.lines(name):
                self.run.log(name, said)
        every = self.config.rating.every
        if not every or (iteration % every and self.progress.share < 1):
            return
        if any(line["iteration"] == iteration for line in self.run.lines("ratings")):
            return
        watch = self._match_watcher("rating")
        lines = matches.points(self.run, self.rules, self.config, iteration, self.learner.mean_logits,
                               self._others(iteration) if self.config.gradient.against else [], watch)  # fmt: skip
        self.run.log("ratings", *lines)
        for line in lines:
            self.events.rating(line, self.progress.metrics)
