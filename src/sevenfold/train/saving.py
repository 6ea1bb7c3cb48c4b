"""What of the loop needs torch: fresh and restored learners, their checkpoints, and a step that may go wrong."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch

from sevenfold import nets
from sevenfold.files import whole_file
from sevenfold.game import Game
from sevenfold.nets import Description, Net
from sevenfold.seeds import seed_of
from sevenfold.train.config import Config
from sevenfold.train.learner import Learner, NotANumberError
from sevenfold.train.replay import Replay, Samples
from sevenfold.train.run import Run


def fresh(description: Description, config: Config, prepare: Callable[[Net], None] | None = None) -> Learner:
    """A learner whose net knows nothing, or what `prepare` gives it."""
    torch.manual_seed(seed_of(config.seed, 0, "weights"))
    net = nets.build(config.net, description.shape)
    if prepare is not None:
        prepare(net)
    return Learner(net, description, config.learning)


def restored(
    run: Run, iteration: int, description: Description, config: Config, steps: int, rules: Game | None = None
) -> Learner:
    """The learner of a checkpoint; ValueError where it is another's, and with the rules given, in what it differs."""
    folder = run.checkpoint(iteration)
    net, found = nets.load(folder / "net.safetensors", rules)
    if found != description:
        raise ValueError(f"the net of {folder} is not the one of the run's config.")
    learner = Learner(net.train(), description, config.learning)
    mean, _ = nets.load(folder / "mean.safetensors")
    learner.mean.load_state_dict(mean.state_dict())
    learner.load_optimiser(safetensors.torch.load_file(folder / "optimiser.safetensors"))
    learner.steps = steps
    return learner


def write(folder: Path, learner: Learner, setups: list[Game], config: Config, replay: Replay) -> None:
    """The files of a checkpoint."""
    about = learner.description
    nets.save(folder / "net.safetensors", learner.net, about)
    nets.save(folder / "mean.safetensors", learner.mean, about)
    largest = max(setups, key=lambda one: one.planes)
    nets.export_onnx(folder / "net.onnx", learner.mean.eval(), about, largest)
    if config.selfplay.precision == "int8":
        positions = replay.some(largest, 512) if len(replay) else None
        nets.export_int8(folder / "net.int8.onnx", folder / "net.onnx", largest, positions)
    with whole_file(folder / "optimiser.safetensors") as temporary:
        temporary.write_bytes(safetensors.torch.save(learner.optimiser_tensors()))


def step(learner: Learner, samples: Samples, share: float, run: Run, replay: Replay) -> dict[str, float]:
    """A step of learning; a loss that is no number stops the run, with the batch and its positions saved."""
    torch.manual_seed(seed_of(learner.steps, 0, "dropout"))
    try:
        losses = learner.step(samples, share)
    except NotANumberError:
        where = _save_batch(samples, run, replay, learner.steps)
        raise ValueError(
            f"the loss is no number any more, at step {learner.steps + 1}; the batch and its positions are in {where}. "
            "A smaller learning.rate may help; the last checkpoint is whole."
        ) from None
    beyond = {} if losses.clipped is None else {"value_clipped": losses.clipped}
    return beyond | {
        "loss": losses.total,
        "value_loss": losses.value,
        "policy_loss": losses.policy,
        "l2_loss": losses.l2,
        "auxiliary_loss": losses.auxiliary,
        "policy_entropy": losses.entropy,
        "policy_correct": losses.correct,
    }


def _save_batch(samples: Samples, run: Run, replay: Replay, step_number: int) -> Path:
    path = run.folder / f"nan-{step_number + 1}.npz"
    arrays: dict[str, Any] = {name: getattr(samples, name) for name in ("planes", "features", "viewers", "legal")}
    arrays |= {"policy": samples.policy, "policy_weight": samples.policy_weight, "values": samples.values}
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        np.savez_compressed(file, **arrays)
    lines = []
    for row in samples.rows.tolist():
        rules, actions = replay.position(row)
        lines.append(json.dumps({"game": rules.spec, "actions": actions}))
    with whole_file(path.with_suffix(".jsonl")) as temporary:
        temporary.write_text("\n".join(lines) + os.linesep, encoding="utf-8")
    return path
