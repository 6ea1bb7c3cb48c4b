"""The dry run: every part of training once, for a game and a config, in about a minute; what it found, as sentences.

  1 rules        sf.check on a few random games; hidden information must not leak
  2 net          fits the game's observations and actions; its .onnx gives what it gives
  3 self-play    a few short games to their end; how fast the config's own searches are
  4 positions    encoded through every symmetry: finite, and the policy's mass stays on legal actions
  5 learning     a few steps; the loss is a number, and falls
  6 checkpoint   written, read back, the same
  7 estimate     time per iteration, and memory

With method=policy_gradient steps 3 to 6 are a small run of that method: tables, an update, a checkpoint, and again.

Nothing is kept, and no other process is started.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sevenfold import models
from sevenfold.check import CheckReport, check
from sevenfold.evaluators.evaluator import Evaluator
from sevenfold.game import Game
from sevenfold.nets import Description
from sevenfold.train import chunks
from sevenfold.train.actor import Pools
from sevenfold.train.begin import check_others
from sevenfold.train.config import Config
from sevenfold.train.replay import Replay, Samples
from sevenfold.train.run import Run

CHECKING, PLAYING, LEARNING = 8.0, 8.0, 6.0
"""Seconds for these steps, about."""
PATIENCE = 60.0
"""Seconds more until the first game ends: a large net is slow."""
STEPS = 12
GAMES = 8
TABLES = 128
"""With method=policy_gradient: games between two updates, at most."""
SHORT = {"simulations": 4, "fast_simulations": 2, "slots": GAMES, "endgame": 0, "random_share": 0.0, "cache": 0}
SHORT |= {"resign": -1.0, "memory": 4, "full_share": 1.0}
"""How the few games are played that must come to an end."""
DAY = 86_400


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    mark: Literal["ok", "note", "problem"]
    about: str
    """The step: rules, net, …"""
    text: str


@dataclass
class Trial:
    """A dry run and what it found."""

    rules: Game
    config: Config
    findings: list[Finding] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    _tell: Callable[["Trial", str], None] = lambda trial, step: None

    @property
    def ok(self) -> bool:
        """Whether the run can begin."""
        return all(finding.mark != "problem" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "ok": self.ok,
            "game": self.rules.spec,
            "findings": [vars(finding) for finding in self.findings],
            "figures": self.figures,
            "seconds": round(self.seconds, 2),
        }

    def _add(self, mark: Literal["ok", "note", "problem"], about: str, text: str) -> None:
        self.findings.append(Finding(mark, about, text))
        self._tell(self, about)

    def go(self, tell: Callable[["Trial", str], None] | None = None) -> "Trial":
        """Tries everything, until something breaks. tell: called with the trial and the step that it is at."""
        began = time.perf_counter()
        self._tell = tell or self._tell
        training = self._gradient if self.config.method == "policy_gradient" else self._train
        for about, step in (("rules", self._rules), ("net", self._net_fits), ("training", training)):
            self._tell(self, about)
            self._step = about
            try:
                step()
            except Exception as error:  # whatever a game's own code raises is a finding, not our crash
                notes = [note for note in getattr(error, "__notes__", []) if note.startswith("raised by")][:1]
                kind = "" if isinstance(error, ValueError) and not notes else f"{type(error).__name__}: "
                self._add("problem", self._step, kind + " ".join([str(error).rstrip("."), *notes]) + ".")
            if not self.ok:
                break
        self.seconds = time.perf_counter() - began
        return self

    # 1

    def _rules(self) -> None:
        end = time.perf_counter() + CHECKING
        report, games = CheckReport(self.rules.spec), 0
        while games < 5 and (games == 0 or time.perf_counter() < end):
            report = check(self.rules, 1, 1 + games)
            games += 1
            for warning in report.warnings if games == 1 else []:
                self._add("note", "rules", f"{warning[0].upper()}{warning[1:].rstrip('.')}.")
        names = len(report.passed)
        self._add("ok", "rules", f"{games} random games keep all {names} properties (`sevenfold check` plays more).")
        if self.rules.has_hidden_information:
            if "redeal" not in self.rules.abilities:
                self._add("problem", "rules", "players do not see everything, so the game needs redeal(viewer, rng).")
            else:
                self._add("ok", "rules", "what a player observes stays the same when the hidden part is dealt again.")
        if not {"symmetries", "looks"} & {*self.rules.abilities} and self.config.replay.symmetries:
            self._add(
                "note", "rules", "no symmetries are offered; where a board has some, each is as good as more games."
            )

    # 2

    def _net_fits(self) -> None:
        if "observe" not in self.rules.abilities:
            raise ValueError(
                f"{self.rules.name} has no observe(viewer), so a net cannot see it; see docs/how-to/write-a-game.md."
            )
        self.setups = self.config.setups(self.rules)
        self.largest = max(self.setups, key=lambda one: one.planes)
        self.about = Description.of(self.largest, self.config.net, self.config.varied, self.setups)
        if self.config.method == "policy_gradient":
            check_others(self.rules, self.config)

    # 3 to 6

    def _train(self) -> None:
        from sevenfold.train import saving

        self._step = "net"
        learner = saving.fresh(self.about, self.config, self._from_net if self.config.from_net else None)
        size = sum(p.numel() for p in learner.net.parameters())
        shape = self.about.shape
        seen = [f"planes {'×'.join(map(str, shape.planes))}"] if all(shape.planes) else []
        seen += [f"{shape.features} features"] if shape.features else []
        self._add("ok", "net", f"{size:,} weights from {' and '.join(seen)} to {shape.actions} actions.")
        with tempfile.TemporaryDirectory(prefix="sevenfold-dry-run-") as folder:
            run = Run.begin(Path(folder) / "run", self.config)
            replay = Replay(self.setups, self.config.replay, self.config.net.auxiliary)
            self._write(run, 0, learner, replay)
            self._add("ok", "net", "its .onnx gives what it gives, on random numbers and on positions of the game.")
            self._tell(self, "self-play")
            self._step = "self-play"
            replay.add(self._play(run))
            self._step = "positions"
            self._encode(replay)
            self._step = "learning"
            self._learn(learner, replay)
            self._step = "checkpoint"
            self._write(run, 1, learner, replay)
            self._read(run, learner)
        self._step = "estimate"
        self._estimate(replay)

    def _gradient(self) -> None:
        from sevenfold.train.begin import begin, loop_of

        wanted, self._step = self.config.gradient, "self-play"
        tables = min(TABLES, wanted.tables)
        small = {"gradient.tables": tables, "games": tables, "iterations": 2, "minutes": 0.0, "rating.every": 0}
        small |= {"overlap": False, "gradient.imitate_games": min(tables, wanted.imitate_games)}
        with tempfile.TemporaryDirectory(prefix="sevenfold-dry-run-") as folder:
            run = begin(self.rules, Path(folder) / "run", self.config.changed(small))
            loop_of(run, self.rules, None).go()
            lines = run.lines("metrics")
            size = sum(path.stat().st_size for path in run.checkpoint(2).iterdir())
        first, last = lines[0], lines[-1]  # the second one: whatever is made once is made
        playing, learning = float(last["selfplay_seconds"]), float(last["learning_seconds"])
        positions, evaluations = last["selfplay_positions"], last["selfplay_evaluations"]
        self._add(
            "ok", "self-play",
            f"{tables} games at once, {positions / tables:.1f} decisions each; "
            f"{evaluations / max(playing, 1e-9):,.0f} evaluations per second.",
        )  # fmt: skip
        self._add("ok", "learning", f"{last['steps']} steps: loss {first['loss']:.3f} to {last['loss']:.3f}.")
        self._add("ok", "checkpoint", f"written, twice; {size / 1e6:.1f} MB.")
        times = self.config.games / tables
        side_by_side = min(self.config.actors, os.cpu_count() or 1) if self.config.overlap else 1
        play, learn = times * playing / side_by_side, times * learning
        each = max(play, learn) if self.config.overlap else play + learn
        self.figures |= {"positions_per_game": positions / tables, "games_per_hour": 3600 * self.config.games / each}
        self.figures |= {"selfplay_seconds": play, "learning_seconds": learn, "iteration_seconds": each}
        self._add(
            "ok", "estimate",
            f"an iteration of {self.config.games:,} games takes about {_time(each)} (play {_time(play)}, "
            f"learning {_time(learn)}), and its measurements.",
        )  # fmt: skip
        self._whole(each)

    def _from_net(self, net: Any) -> None:
        from sevenfold.train import start

        told = start.apply(net, models.weights(self.config.from_net, self.largest), self.config)
        words = start.sentence(told)
        self._add("note" if told["fresh"] else "ok", "net", words[0].upper() + words[1:])

    def _write(self, run: Run, number: int, learner: Any, replay: Replay) -> None:
        from sevenfold.train import saving

        self._tell(self, "checkpoint")
        began = time.perf_counter()
        run.write_checkpoint(
            number,
            {"steps": learner.steps},
            lambda place: saving.write(place, learner, self.setups, self.config, replay),
        )
        self.figures["checkpoint_seconds"] = time.perf_counter() - began

    def _play(self, run: Run) -> chunks.Chunk:
        from sevenfold.evaluators.onnx import OnnxEvaluator

        int8 = self.config.selfplay.precision == "int8"

        net = run.checkpoint(0) / ("net.int8.onnx" if int8 else "net.onnx")

        def evaluator_of(setup: Game) -> Evaluator:
            return OnnxEvaluator(net, setup)

        pools = Pools(self.setups, self.config.changed({f"selfplay.{name}": value for name, value in SHORT.items()}))
        pools.play_with(evaluator_of)
        for number in range(GAMES):
            pools.add(number, number % len(self.setups))
        end = time.perf_counter() + PLAYING
        while pools.unfinished and time.perf_counter() < (end if pools.unfinished < GAMES else end + PATIENCE):
            pools.step()
        games = pools.take_finished()
        if games is None:
            raise ValueError(
                f"no game of self-play ended within {PLAYING + PATIENCE:.0f} seconds; "
                "are games finite, and rules and net fast enough? selfplay.move_cap ends long ones."
            )
        plies = np.diff(games["action_start"])
        self.figures["plies"] = float(plies.mean())
        self.figures["positions_per_game"] = chunks.positions(games) / len(games["id"])
        self._add("ok", "self-play", f"{len(games['id'])} quick games, {plies.min()} to {plies.max()} plies.")
        if pools.unfinished:
            self._add(
                "note",
                "self-play",
                f"{pools.unfinished} of {GAMES} quick games did not end within {PLAYING:.0f} seconds.",
            )
        if len(np.unique(games["returns"], axis=0)) < 2 and len(games["id"]) > 3:
            self._add(
                "note", "self-play", "all of them had the same result; random openings show a net more of a game."
            )
        self._measure(evaluator_of)
        return games

    def _measure(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        """How fast the config's own searches are, the first seconds of its games."""
        pools = Pools(self.setups, self.config)
        pools.play_with(evaluator_of)
        for number in range(4 * self.config.selfplay.slots):
            pools.add(number, number % len(self.setups))
        began = time.perf_counter()
        while pools.unfinished and time.perf_counter() - began < PLAYING:
            pools.step()
        seconds, counts = time.perf_counter() - began, pools.counts()
        parallel = min(self.config.actors * self.config.selfplay.threads, os.cpu_count() or 1)
        for name in ("evaluations", "searches"):
            self.figures[f"{name}_per_second"] = parallel * counts[name] / seconds
        rate = self.figures["evaluations_per_second"]
        self._add("ok", "self-play", f"{rate:,.0f} evaluations per second with {self.config.actors} actors, about.")
        if self.config.actors > (os.cpu_count() or 1):
            self._add(
                "note", "self-play", f"there are {os.cpu_count()} cores for {self.config.actors} actors; set actors."
            )

    # 4

    def _encode(self, replay: Replay) -> None:
        count = len(replay)
        most = max(1, max(setup.new().symmetries for setup in self.setups) if self._symmetric else 1)
        for symmetry in range(most):
            for start in range(0, count, 512):
                rows = np.arange(start, min(count, start + 512))
                by_shape: dict[Any, list[int]] = {}
                for row in rows.tolist():
                    by_shape.setdefault(replay.position(row)[0].planes, []).append(row)
                for same in by_shape.values():
                    samples = replay.encoded(np.array(same), np.full(len(same), symmetry, np.uint32))
                    self._check_samples(samples, replay, symmetry)
        through = f", through {most} symmetries" if most > 1 else ""
        self._add(
            "ok", "positions", f"{count} positions{through}: numbers are finite, and policies stay on legal actions."
        )

    @property
    def _symmetric(self) -> bool:
        return self.config.replay.symmetries and "symmetries" in self.rules.abilities

    def _check_samples(self, samples: Samples, replay: Replay, symmetry: int) -> None:
        taught = samples.policy_weight > 0
        off = np.abs(samples.policy.sum(1) - 1) > 1e-3
        astray = (samples.policy * (samples.legal == 0)).sum(1) > 1e-6
        strange = ~np.isfinite(samples.planes.reshape(len(samples.rows), -1)).all(1) | ~np.isfinite(
            samples.features
        ).all(1)
        for wrong, what in (
            (strange, "observe() gives something that is not a finite number"),
            (taught & off, "the policy to learn does not add up to 1"),
            (taught & astray, "the policy to learn has mass on illegal actions"),
        ):
            if wrong.any():
                _, actions = replay.position(int(samples.rows[int(wrong.argmax())]))
                through = f" through symmetry {symmetry}" if symmetry else ""
                raise ValueError(f"{what}{through}, after the actions {actions}.")
        largest = max(
            (float(np.abs(part).max()) for part in (samples.planes, samples.features) if part.size), default=0.0
        )
        if largest > 20 and not self.figures.get("largest_input"):
            self._add(
                "note", "positions", f"observe() gives numbers up to {largest:g}; nets learn better from -1 to 1."
            )
        self.figures["largest_input"] = max(largest, self.figures.get("largest_input", 0.0))

    # 5

    def _learn(self, learner: Any, replay: Replay) -> None:
        from sevenfold.train import saving

        self._tell(self, "learning")
        rng = np.random.default_rng(0)
        end = time.perf_counter() + LEARNING
        losses: list[float] = []
        seconds: list[float] = []
        while len(losses) < STEPS and (len(losses) < 2 or time.perf_counter() < end):
            began = time.perf_counter()
            learner.steps = max(learner.steps, self.config.learning.warmup)  # the full rate at once
            samples = replay.draw(self.config.learning.batch, rng)
            losses.append(saving.step(learner, samples, 0.0, Run(tempfile.gettempdir()), replay)["loss"])
            seconds.append(time.perf_counter() - began)
        self.figures["step_seconds"] = float(np.median(seconds[1:]))
        words = (
            f"{len(losses)} steps of {self.config.learning.batch} positions: loss {losses[0]:.3f} to {losses[-1]:.3f}"
        )
        self._add("ok", "learning", f"{words}, {self.figures['step_seconds']:.3f} seconds each.")
        if len(losses) >= STEPS and losses[-1] > 1.2 * losses[0]:
            self._add("note", "learning", "the loss rises; a smaller learning.rate may help.")

    # 6

    def _read(self, run: Run, learner: Any) -> None:
        import torch

        from sevenfold.train import saving

        number, state, said = run.newest()
        if number != 1 or said:
            raise ValueError(f"the checkpoint is not read back: {' '.join(said) or 'another one is.'}")
        again = saving.restored(run, 1, self.about, self.config, int(state["steps"]))
        mine, read = learner.net.state_dict(), again.net.state_dict()
        if not all(torch.equal(mine[name].cpu(), read[name].cpu()) for name in mine):
            raise ValueError("the net that was read back from its checkpoint is another one.")
        size = sum(path.stat().st_size for path in run.checkpoint(1).iterdir())
        self.figures["checkpoint_bytes"] = size
        self._add("ok", "checkpoint", f"written, read back, the same; {size / 1e6:.1f} MB.")

    # 7

    def _estimate(self, replay: Replay) -> None:
        config, figures = self.config, self.figures
        positions = figures["positions_per_game"]
        games = figures["searches_per_second"] / positions  # a search per position; forced moves are few
        playing = config.games / games if games else float("inf")
        steps = max(1, round(config.games * positions * config.learning.passes / config.learning.batch))
        learning = steps * figures["step_seconds"]
        saving = figures["checkpoint_seconds"]
        each = max(playing, learning + saving) if config.overlap else playing + learning + saving
        figures |= {"games_per_hour": 3600 * games, "selfplay_seconds": playing, "learning_seconds": learning}
        figures["iteration_seconds"] = each
        self._add(
            "ok", "estimate",
            f"{3600 * games:,.0f} games an hour; an iteration of {config.games:,} games takes about {_time(each)} "
            f"(play {_time(playing)}, learning {_time(learning)}, saving {_time(saving)}).",
        )  # fmt: skip
        self._whole(each)
        if learning > 3 * playing and learning > saving:
            self._add(
                "note", "estimate", "learning takes longest: fewer learning.passes, or a smaller net, would balance it."
            )
        self._memory(replay)

    def _whole(self, each: float) -> None:
        """How far the run comes, by the seconds of an iteration."""
        config = self.config
        whole = each * config.iterations
        if config.minutes and 60 * config.minutes < whole:
            count = 60 * config.minutes / each
            self._add("ok", "estimate", f"{config.minutes:g} minutes are about {count:,.0f} iterations.")
            if count < 10:
                self._add(
                    "note", "estimate", "that is few: fewer games per iteration, or a smaller net, let it learn sooner."
                )
        else:
            self._add(
                "ok", "estimate", f"the whole run of {config.iterations:,} iterations takes about {_time(whole)}."
            )
            if whole > 7 * DAY:
                self._add("note", "estimate", "that is long: --minutes ends it sooner, and what it has learnt is kept.")

    def _memory(self, replay: Replay) -> None:
        config = self.config
        each = replay.bytes / max(1, len(replay))
        window = 2 * each * config.replay.window  # as it came in, and joined
        trees = config.actors * config.selfplay.slots * config.selfplay.memory * 2**20
        self.figures |= {"bytes_per_position": each, "replay_bytes": window, "tree_bytes": trees}
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        words = f"{each:.0f} bytes per position: at most {_size(window)} for the window, and {_size(trees)} for trees"
        if window > 0.5 * there:
            self._add(
                "problem", "estimate", f"{words}; this machine has {_size(there)}, so set a smaller replay.window."
            )
        elif window + trees > there:
            self._add(
                "note", "estimate", f"{words}; this machine has {_size(there)}: if trees fill up, set selfplay.memory."
            )
        else:
            self._add("ok", "estimate", f"{words}.")


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.1f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours" if seconds < 2 * DAY else f"{seconds / DAY:,.0f} days"


def _size(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
