"""Proves that a net which gives no number stops self-play with a sentence; the batch and its positions are kept."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training_runs import config

import sevenfold as sf
from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.uniform import UniformEvaluator
from sevenfold.train.actor import BadAnswerError, Pools, Task, _told

TIC = sf.game("tic_tac_toe")


class Breaks(UniformEvaluator):
    """Knows nothing, and after some batches not even that."""

    left = 5

    def evaluate(self, batch: Batch) -> Any:
        self.left -= 1
        if not self.left:
            raise ValueError("the net gave a value that is no number.")
        return super().evaluate(batch)


def test_the_batch_and_its_positions_are_kept(tmp_path: Path) -> None:
    pools = Pools([TIC], config())
    pools.play_with(Breaks)
    for number in range(4):
        pools.add(number, 0)
    for _ in range(4):
        pools.step()
    with pytest.raises(BadAnswerError) as raised:
        pools.step()
    (tmp_path / "games").mkdir()
    said = _told(raised.value, Task(tmp_path / "net.onnx", tmp_path / "games" / "000001", []), 0)
    assert said == (
        f"the net gave a value that is no number. The batch is in {tmp_path / 'nan-actor-0.npz'}, "
        "its positions are beside it in nan-actor-0.jsonl."
    )
    batch = np.load(tmp_path / "nan-actor-0.npz")
    lines = [json.loads(line) for line in (tmp_path / "nan-actor-0.jsonl").read_text().splitlines()]
    assert len(lines) == len(batch["planes"]) == 4
    for row, line in enumerate(lines):
        assert line["game"] == "tic_tac_toe"
        state = TIC.replay(line["actions"])
        assert (state.observe(state.to_move).planes == batch["planes"][row]).all()
