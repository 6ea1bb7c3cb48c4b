"""Proves what auxiliary heads learn: the next decision's policy and values, and what a room declares, in the frame of
the symmetry that the position is seen through; and that heads nobody teaches are refused."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import refused
from selfplay_games import Chunk, played

import sevenfold as sf
from sevenfold import nets
from sevenfold._core import State
from sevenfold.games import tic_tac_toe
from sevenfold.train.config import Learning, Replaying
from sevenfold.train.lessons import FADES, SOON
from sevenfold.train.replay import Replay

TIC = sf.game("tic_tac_toe")
HEADS = {"reply": 9, "soon": 1}


@pytest.fixture(scope="module")
def tic() -> Chunk:
    return played(TIC, 10, simulations=8, full_share=0.5, fast_simulations=4, seed=3)


def replay_of(chunk: Chunk, heads: dict[str, int]) -> Replay:
    out = Replay([TIC], Replaying(), heads)
    out.add(chunk)
    return out


def test_reply_and_soon_are_those_of_the_next_decisions(tic: Chunk) -> None:
    rows = np.arange(len(tic["ply"]))
    samples = replay_of(tic, HEADS).encoded(rows, np.zeros(len(rows), np.uint32))
    replies, known = samples.lessons["reply"]
    values, valued = samples.lessons["soon"]
    game_of = np.repeat(np.arange(len(tic["id"])), np.diff(tic["position_start"]))
    for row in rows:
        later = [r for r in range(row + 1, len(rows)) if game_of[r] == game_of[row]]
        answered = bool(later) and tic["kind"][later[0]] == 0
        assert known[row] == answered
        if answered:
            assert (replies[row] == samples.policy[later[0]]).all()
        parts = [
            (FADES**ahead, tic["value"][r, samples.viewers[row]])
            for ahead, r in enumerate(later[:SOON], start=1)
            if tic["kind"][r] != 2
        ]
        assert valued[row] == bool(parts)
        if parts:
            mean = sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts)
            assert values[row, 0] == pytest.approx(mean, abs=1e-6)


def test_a_reply_is_turned_with_its_position(tic: Chunk) -> None:
    rows = np.arange(len(tic["ply"]) - 1)
    replay = replay_of(tic, {"reply": 9})
    for symmetry in range(8):
        turned = replay.encoded(rows, np.full(len(rows), symmetry, np.uint32))
        after = replay.encoded(rows + 1, np.full(len(rows), symmetry, np.uint32))
        numbers, known = turned.lessons["reply"]
        assert known.any()
        assert (numbers[known > 0] == after.policy[known > 0]).all()


def owners(position: State, end: State) -> list[float]:
    """Who has each cell in the end, seen by the player to move."""
    seen = end.observe(position.to_move).planes
    return [float(x) for x in (seen[0] - seen[1]).reshape(-1)]


def test_a_room_declares_a_lesson_of_its_own(tic: Chunk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tic_tac_toe, "LESSONS", {"owners": owners}, raising=False)
    rows = np.arange(len(tic["ply"]))
    replay = replay_of(tic, {"owners": 9})
    for symmetry in (0, 1, 5):
        samples = replay.encoded(rows, np.full(len(rows), symmetry, np.uint32))
        numbers, known = samples.lessons["owners"]
        assert known.all()
        own, others = samples.planes[:, 0].reshape(-1, 9), samples.planes[:, 1].reshape(-1, 9)
        assert (numbers[own > 0] == 1).all()  # a stone that is there stays there
        assert (numbers[others > 0] == -1).all()
    monkeypatch.setattr(tic_tac_toe, "LESSONS", {"owners": lambda position, end: [2.0] * 9})
    with refused("lesson owners must give 9 numbers"):
        replay.encoded(rows, np.zeros(len(rows), np.uint32))


def test_heads_learn_their_lessons(tic: Chunk) -> None:
    from sevenfold.train.learner import Learner

    architecture = nets.Architecture(blocks=1, channels=8, auxiliary=HEADS)
    about = nets.Description.of(TIC, architecture)
    learner = Learner(nets.build(architecture, about.shape), about, Learning(warmup=0, bfloat16=False))
    replay, rng = replay_of(tic, HEADS), np.random.default_rng(0)
    first = learner.step(replay.draw(64, rng), 0.0).auxiliary
    for _ in range(60):
        last = learner.step(replay.draw(64, rng), 0.0).auxiliary
    assert last < 0.9 * first
    alone = Learner(nets.build(architecture, about.shape), about, replace(Learning(), auxiliary_weight=0.0))
    assert alone.step(replay.draw(64, rng), 0.0).auxiliary == 0


def test_heads_that_nobody_teaches_are_refused() -> None:
    with refused("nothing teaches the auxiliary head 'score'; the lessons are: reply, soon"):
        Replay([TIC], Replaying(), {"score": 1})
    with refused("reply needs the size 9, not 7"):
        Replay([TIC], Replaying(), {"reply": 7})
    with refused("replay.store=actions"):
        Replay([TIC], Replaying(store="planes"), {"soon": 1})
    with refused("all have the same actions"):
        Replay([sf.game("connect_four"), sf.game("connect_four", cols=9)], Replaying(), {"reply": 7})
