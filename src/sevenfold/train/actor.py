"""Actors: processes that play games with the newest net and write them down, chunk by chunk.

They are forked before torch is loaded, never load it, and end when the process that started them does.
"""

import contextlib
import errno
import json
import os
import queue
import random
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from pathlib import Path

import numpy as np

from sevenfold import _core
from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluator
from sevenfold.files import whole_file
from sevenfold.game import Game
from sevenfold.seeds import seed_of
from sevenfold.train import chunks
from sevenfold.train.config import Config, SelfPlay
from sevenfold.train.run import Run

CHUNK_SECONDS = 5.0
"""How long finished games may be kept in memory: what kill -9 can lose."""
HAND_OVER_SECONDS = 0.5


def pool_options(config: SelfPlay, seed: int) -> _core.PoolOptions:
    """The core's options for a config."""
    search = _core.MctsOptions()
    search.root = "gumbel" if config.root == "gumbel" else "formula"
    search.exploration, search.growth, search.fpu, search.mix = (
        config.c_puct,
        config.growth,
        config.fpu,
        config.rollouts,
    )
    search.rollout_count, search.settle = config.rollout_count, config.settle
    search.expand_at = config.expand_at
    search.considered, search.visit_offset, search.value_scale = (
        config.considered,
        config.visit_offset,
        config.value_scale,
    )
    if not config.solver:
        search.solver = search.decisive = search.forced = search.forced_win = False
    search.memory = config.memory << 20
    options = _core.PoolOptions()
    options.search = search
    for name in SHARED:
        setattr(options, name, getattr(config, name))
    options.belief = config.belief
    hidden = _core.BeliefOptions()
    hidden.opponents = "evaluator" if config.opponents == "net" else config.opponents
    hidden.weigh = "evaluator" if config.weigh == "net" else config.weigh
    hidden.worlds, hidden.fpu = config.weighed, config.fpu
    options.hidden = hidden
    options.seed = seed
    return options


SHARED: tuple[str, ...] = (
    "slots",
    "leaves",
    "simulations",
    "full_share",
    "fast_simulations",
    "noise_alpha",
    "noise_share",
)
SHARED += ("temperature", "temperature_moves", "final_temperature", "reuse", "random_plies", "random_share", "quiet")
SHARED += ("resign", "play_on_share", "stop_proven", "move_cap", "endgame", "worlds", "value_mix", "cache")
"""The settings that are the core's by the same name."""


class BadAnswerError(ValueError):
    """A net that gave no numbers, or too few."""

    def __init__(self, text: str, batch: Batch, positions: list[tuple[str, list[int]]]) -> None:
        super().__init__(text)
        self.batch = Batch(*(array.copy() for array in vars(batch).values()))
        self.positions = positions
        """The game's spec and the actions to each position of the batch."""


class Pools:
    """Self-play of several games: one pool for each board size, in turns."""

    def __init__(self, setups: Sequence[Game], config: Config) -> None:
        self._setups, self._config = setups, config
        self._sizes = sizes_of(setups)
        self._place = {
            number: (size, i) for size, members in enumerate(self._sizes) for i, number in enumerate(members)
        }
        self._pools: dict[int, _core.Pool] = {}
        self.stopped = False
        """Whether games are left where they are, because those of another thread have failed."""
        self._evaluators: dict[int, Evaluator] = {}
        self._evaluator_of: Callable[[Game], Evaluator]

    def play_with(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        """From now on with another net."""
        self._evaluator_of = evaluator_of
        self._evaluators = {}
        for pool in self._pools.values():
            pool.clear_cache()

    def _pool(self, size: int) -> _core.Pool:
        if size not in self._pools:
            config = self._config.selfplay
            options = pool_options(config, self._config.seed)
            at_once = min(len(self._sizes), self._config.variant_sizes)
            options.slots = max(1, config.slots // at_once)
            options.cache = config.cache // at_once
            self._pools[size] = _core.Pool([self._setups[number].new() for number in self._sizes[size]], options)
        return self._pools[size]

    def _evaluator(self, size: int) -> Evaluator:
        if size not in self._evaluators:
            self._evaluators[size] = self._evaluator_of(self._setups[self._sizes[size][0]])
        return self._evaluators[size]

    def add(self, game_id: int, setup: int) -> None:
        """One more game to be played."""
        size, place = self._place[setup]
        self._pool(size).add(game_id, place)

    @property
    def unfinished(self) -> int:
        """Games that are wanted and not over."""
        return sum(pool.unfinished for pool in self._pools.values())

    def step(self) -> None:
        """One batch of every pool."""
        for size, pool in self._pools.items():
            if pool.unfinished == 0 or pool.collect() == 0:
                continue
            batch = Batch(*pool.batch())
            try:
                values, logits = self._evaluator(size).evaluate(batch)
            except ValueError as error:
                members = self._sizes[size]
                places = [(self._setups[members[game]].spec, actions) for game, actions in pool.places()]
                raise BadAnswerError(str(error), batch, places) from None
            pool.resume(values, logits)

    def run(self, finished: "queue.SimpleQueue[chunks.Chunk]") -> None:
        """Plays all games to their end, and hands them over now and then."""
        last = time.perf_counter()
        while self.unfinished > 0 and not self.stopped:
            self.step()
            if time.perf_counter() - last > HAND_OVER_SECONDS:
                last = time.perf_counter()
                self._hand_over(finished)
        self._hand_over(finished)

    def _hand_over(self, finished: "queue.SimpleQueue[chunks.Chunk]") -> None:
        if (chunk := self.take_finished()) is not None:
            finished.put(chunk)

    def take_finished(self) -> chunks.Chunk | None:
        """The games that ended since the last call."""
        out = []
        for size, pool in self._pools.items():
            chunk = pool.take_finished()
            if len(chunk["id"]):
                chunk["game"] = np.asarray(self._sizes[size], np.uint16)[chunk["game"]]
                out.append(chunk)
        return chunks.joined(out) if out else None

    def counts(self) -> dict[str, int]:
        """What the pools have done so far."""
        return _sum(pool.counts for pool in list(self._pools.values()))


@dataclass
class Task:
    """Games to be played."""

    net: Path
    """.onnx"""
    folder: Path
    ids: list[int]


@dataclass
class News:
    """What an actor has to say."""

    games: int = 0
    positions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    done: bool = False
    error: str = ""


class Actor:
    """A process that plays; this side of it."""

    def __init__(self, number: int, setups: list[Game], config: Config) -> None:
        context = get_context("fork")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(number, setups, config, theirs, os.getpid()), name=f"actor {number}", daemon=True
        )
        # Ctrl-C goes to the actor too, which must not hear it before it has learnt to ignore it; nor `close` before it
        # has learnt to obey it: a signal that comes in between is taken by neither handler.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()

    def play(self, task: Task) -> None:
        """Begins to play."""
        try:
            self.connection.send(task)
        except OSError:
            raise self._ended() from None

    def news(self) -> News:
        """What it says; ValueError where it has stopped."""
        try:
            news: News = self.connection.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        if news.error:
            raise ValueError(f"{self.process.name} stopped: {news.error}")
        return news

    def _ended(self) -> ValueError:
        self.process.join(1)
        return ValueError(f"{self.process.name} has ended by itself (exit code {self.process.exitcode}).")

    def close(self) -> None:
        """Ends the process."""
        with contextlib.suppress(OSError):
            self.connection.close()
        self.process.terminate()
        self.process.join()


class SelfPlayGames:
    """The games of one iteration after another, played by actors; those that are written down are not played again."""

    def __init__(self, run: Run, setups: list[Game], config: Config) -> None:
        self._run, self._config = run, config
        self._actors = [Actor(number, setups, config) for number in range(config.actors)]
        self._busy: list[Actor] = []
        self._iteration = 0
        self.done = 0
        """Games of the iteration that are written down."""
        self.counts: dict[str, float] = {}
        """What the actors have done for them."""

    def want(self, iteration: int, player: int) -> None:
        """Begins with an iteration's games, played by the net of a checkpoint; nothing if it has begun."""
        if iteration == self._iteration:
            return
        self._iteration, self.counts = iteration, {}
        first = (iteration - 1) * self._config.games
        wanted = set(range(first, first + self._config.games))
        for path, chunk in self._run.played(iteration):
            ids = set(chunk["id"].tolist())
            if not ids <= wanted:
                raise ValueError(f"{path} has games that are not of its iteration, or that another file has too.")
            wanted -= ids
        self.done = self._config.games - len(wanted)
        left = sorted(wanted)
        name = "net.int8.onnx" if self._config.selfplay.precision == "int8" else "net.onnx"
        net = self._run.checkpoint(player) / name
        for number, actor in enumerate(self._actors):
            if ids_of := left[number :: len(self._actors)]:
                actor.play(Task(net, self._run.games(iteration), ids_of))
                self._busy.append(actor)

    def wait(self, seconds: float) -> bool:
        """Hears what actors have to say, for so long at most; whether all games are there."""
        if not self._busy:
            return True
        for ready in connection.wait([actor.connection for actor in self._busy], seconds):
            actor = next(one for one in self._busy if one.connection is ready)
            news = actor.news()
            for name, count in news.counts.items():
                self.counts[name] = self.counts.get(name, 0) + count
            for name in ("games", "positions", "seconds"):
                self.counts[name] = self.counts.get(name, 0) + getattr(news, name)
            self.done += news.games
            if news.done:
                self._busy.remove(actor)
        return not self._busy

    def close(self) -> None:
        """Ends the actors."""
        for actor in self._actors:
            actor.close()


def _serve(number: int, setups: list[Game], config: Config, pipe: connection.Connection, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the command line's handler, inherited, would write a traceback
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    os.nice(5)  # the learner, which all wait for in the end, goes first where cores are short
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    tables = [Pools(setups, config) for _ in range(config.selfplay.threads)]
    while True:
        try:
            task: Task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            _play(number, setups, config, pipe, task, tables)
        except Exception as error:  # told to the parent, which ends the run with it
            with contextlib.suppress(OSError):
                pipe.send(News(error=_told(error, task, number)))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def _play(
    number: int, setups: list[Game], config: Config, pipe: connection.Connection, task: Task, tables: list[Pools]
) -> None:
    """Plays a task's games. With several threads, one walks trees while another waits for its net: none of them holds
    the interpreter then."""
    from sevenfold.evaluators.onnx import OnnxEvaluator

    for pools in tables:
        pools.play_with(lambda setup: OnnxEvaluator(task.net, setup))
    for turn, game_id in enumerate(task.ids):
        tables[turn % len(tables)].add(game_id, setup_of(config, setups, game_id))
    finished: queue.SimpleQueue[chunks.Chunk] = queue.SimpleQueue()
    before, last = _sum(pools.counts() for pools in tables), time.perf_counter()
    with ThreadPoolExecutor(len(tables)) as threads:
        running = {threads.submit(pools.run, finished) for pools in tables}
        try:
            while running:
                done, running = wait(running, CHUNK_SECONDS)
                for one in done:
                    one.result()  # raises what went wrong
                now, counts = time.perf_counter(), _sum(pools.counts() for pools in tables)
                news = News(seconds=now - last, done=not running)
                news.counts = {name: counts[name] - before.get(name, 0) for name in counts}
                before, last = counts, now
                found = [finished.get() for _ in range(finished.qsize())]
                if found:
                    kept = chunks.joined(found)
                    chunks.save(task.folder / f"{number}-{int(kept['id'][0]):09d}.npz", kept)
                    news.games, news.positions = len(kept["id"]), chunks.positions(kept)
                pipe.send(news)
        except BaseException:
            for pools in tables:
                pools.stopped = True
            raise


def _told(error: Exception, task: Task, number: int) -> str:
    """An error in a sentence; what a net gave no numbers for is kept."""
    if isinstance(error, BadAnswerError):
        path = task.folder.parent.parent / f"nan-actor-{number}.npz"
        with contextlib.suppress(OSError):  # where the disk is full too, the sentence alone must do
            with whole_file(path) as temporary, open(temporary, "wb") as file:
                np.savez_compressed(file, **vars(error.batch))
            lines = [json.dumps({"game": spec, "actions": actions}) for spec, actions in error.positions]
            with whole_file(path.with_suffix(".jsonl")) as temporary:
                temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return f"{error} The batch is in {path}, its positions are beside it in {path.stem}.jsonl."
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "there is no space left on the disk; the games so far are whole, make room and resume."
    text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return " ".join(text.split()).rstrip(".") + "."


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in counts:
        for name, count in one.items():
            total[name] = total.get(name, 0) + count
    return total


def sizes_of(setups: Sequence[Game]) -> list[list[int]]:
    """The numbers of the games of each board size: only these can be in one batch."""
    sizes: dict[tuple[int, int, int], list[int]] = {}
    for number, setup in enumerate(setups):
        sizes.setdefault(setup.planes, []).append(number)
    return list(sizes.values())


def setup_of(config: Config, setups: Sequence[Game], game_id: int) -> int:
    """Which of the variants a game is played on; an iteration has few board sizes, so that its batches are large."""
    sizes = sizes_of(setups)
    iteration = game_id // config.games
    chosen = random.Random(seed_of(config.seed, iteration, "sizes")).sample(
        sizes, min(len(sizes), config.variant_sizes)
    )
    members = chosen[game_id % len(chosen)]
    return members[seed_of(config.seed, game_id, "variant") % len(members)]
