"""Learning from game records, before the first self-play: the first net of a run is what they teach (records.py).

It happens before checkpoint 0 is written, from the seed alone: whatever interrupts it, it is done again and comes to
the same net. A tenth of the games is held out, and says how well the net foresees moves and results, before and after.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from sevenfold.game import Game
from sevenfold.nets.values import targets
from sevenfold.seeds import seed_of
from sevenfold.train import chunks, records, saving
from sevenfold.train.config import Config
from sevenfold.train.learner import Learner
from sevenfold.train.replay import Replay
from sevenfold.train.run import Run

AT_ONCE = 1024
"""Positions that are judged at once."""


@dataclass(frozen=True)
class Judged:
    """How well a net foresees games."""

    correct: float
    """The share of moves that are the net's own first choice."""
    value_error: float
    """The mean square of what the value head says less what it should have said, for the player to move."""


def games_of(run: Run, rules: Game, learner: Learner, config: Config) -> records.Games:
    """The records of a run: those it holds, else those of the file, which it then holds."""
    folder = run.games(0)
    found = records.load(folder, rules)
    if found is None:
        found = records.read(config.supervised.records, learner.description, rules)
        records.save(folder, found)
    return found


def learn(run: Run, rules: Game, learner: Learner, config: Config, tell: Callable[[int, int], None]) -> dict[str, Any]:
    """Teaches a fresh net; what there is to say about it. tell: is told the steps done, and all there are."""
    games = games_of(run, rules, learner, config)
    replay = Replay(games.setups, config.replay)
    replay.add(games.chunk)
    learnt, held = (_by_shape(games, rows) for rows in games.split(config.supervised.held_out, config.seed))
    sizes = np.array([len(rows) for rows in learnt], np.float64)
    before = judged(learner, replay, held)
    rng = np.random.default_rng(seed_of(config.seed, 0, "supervised"))
    steps = max(1, round(sizes.sum() * config.supervised.passes / config.learning.batch))
    totals: dict[str, float] = {}
    for step in range(steps):
        tell(step, steps)
        rows = learnt[int(rng.choice(len(sizes), p=sizes / sizes.sum()))]
        picked = rows[rng.integers(0, len(rows), config.learning.batch)]
        symmetries = rng.integers(0, 2**32, len(picked), np.uint32) * np.uint32(config.replay.symmetries)
        samples = replay.encoded(picked, symmetries)
        for name, value in saving.step(learner, samples, step / steps, run, replay).items():
            totals[name] = totals.get(name, 0.0) + value / steps
    tell(steps, steps)
    after = judged(learner, replay, held)
    out: dict[str, Any] = {"iteration": 0, "games": len(games.chunk["id"]), "positions": chunks.positions(games.chunk)}
    out |= {"unfinished": games.unfinished, "elsewhere": games.elsewhere}
    out |= {"held_out": sum(map(len, held)), "steps": steps}
    out |= {name: round(value, 5) for name, value in totals.items()}
    for when, one in (("before", before), ("after", after)):
        if one is not None:
            out |= {f"correct_{when}": round(one.correct, 5), f"value_error_{when}": round(one.value_error, 5)}
    return out


def _by_shape(games: records.Games, rows: records.Whole) -> list[records.Whole]:
    """Positions of one board size together: a batch is of one."""
    sizes = list(dict.fromkeys(one.planes for one in games.setups))
    number = np.array([sizes.index(one.planes) for one in games.setups])
    of_game = np.repeat(number[games.chunk["game"]], np.diff(games.chunk["position_start"]))
    parts = [rows[of_game[rows] == size] for size in range(len(sizes))]
    return [part for part in parts if len(part)]


def judged(learner: Learner, replay: Replay, by_shape: list[records.Whole]) -> Judged | None:
    """How well the net that plays foresees some positions, by board size; None where there are none."""
    net, about = learner.mean.eval(), learner.description
    head = about.architecture.value
    right = moves = wrong = 0.0
    for rows in (part[i : i + AT_ONCE] for part in by_shape for i in range(0, len(part), AT_ONCE)):
        seen = replay.encoded(rows, np.zeros(len(rows), np.uint32))
        planes, features = (torch.from_numpy(one).to(learner.config.device) for one in (seen.planes, seen.features))
        with torch.inference_mode():
            out = net(planes if all(planes.shape[1:]) else None, features if features.shape[1] else None)
        logits = np.where(seen.legal > 0, out["policy"].float().cpu().numpy(), -np.inf)
        right += float(((logits.argmax(1) == seen.policy.argmax(1)) * seen.policy_weight).sum())
        moves += float(seen.policy_weight.sum())
        said, wanted = out["value"].float().cpu(), targets(head, seen.values, seen.viewers, about.scale)
        if head == "wdl":
            odds = said.softmax(1).numpy()
            error = (odds[:, 0] - odds[:, 2]) - (wanted[:, 0] - wanted[:, 2])
        else:
            error = said.numpy()[:, 0] - wanted[:, 0]
        wrong += float(np.square(error).sum())
    count = sum(map(len, by_shape))
    return Judged(right / max(1.0, moves), wrong / count) if count else None
