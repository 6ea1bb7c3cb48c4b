"""A net as .onnx: for playing without torch, and faster on a CPU.

Inputs `planes` [N, C, H, W] and `features` [N, F], those that the game has; outputs `value` and `policy`, as the net's
own (the auxiliary heads are for learning and stay behind). N is free; with pooling, so are H and W.
"""

import contextlib
import copy
import logging
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.onnx import session
from sevenfold.files import FilePath, whole_file
from sevenfold.game import Game
from sevenfold.nets.description import KEY, Description
from sevenfold.nets.net import Net
from sevenfold.nets.positions import random_positions

TOLERANCE = 1e-4
"""The largest difference between the file's outputs and torch's."""
POSITIONS = 64
OPSET = 18


def export_onnx(path: FilePath, net: Net, description: Description, game: Game) -> float:
    """Writes the file, if it gives what the net gives on random numbers and on positions of the game.

    Returns the largest difference; one above TOLERANCE is a ValueError, and no file is written.
    """
    path = Path(path)
    description = description.check(game)
    batches = [random_inputs(description), random_positions(game, POSITIONS)]
    with whole_file(path) as temporary:
        write(temporary, net, description)
        difference = max(compare(temporary, net, batch) for batch in batches)
        if not difference <= TOLERANCE:  # so that NaN is refused too
            raise ValueError(f"{path.name} was not written: it differs from the net by {difference:.2g}.")
    return difference


def write(path: Path, net: Net, description: Description) -> None:
    """The file, unchecked."""
    inputs = _tensors(random_inputs(description, 3))
    boards = {2: torch.export.Dim("height"), 3: torch.export.Dim("width")} if description.architecture.pooling else {}
    shapes = {name: {0: torch.export.Dim("batch")} | (boards if name == "planes" else {}) for name in inputs}
    with _quiet():
        program = torch.onnx.export(
            _Playing(copy.deepcopy(net).cpu().eval(), list(inputs)),
            tuple(inputs.values()),
            dynamo=True,
            input_names=list(inputs),
            output_names=["value", "policy"],
            dynamic_shapes=(tuple(shapes.values()),),
            opset_version=OPSET,
            verbose=False,
        )
        assert program is not None
        _without_origins(program.model)
        program.model.metadata_props[KEY] = description.to_text()
        program.save(str(path), external_data=False)


def _without_origins(model: Any) -> None:
    """Drops the exporter's notes on every node: they say in which lines of which files of this machine it was made."""
    model.metadata_props.clear()
    for graph in [model.graph, *model.functions.values()]:
        graph.metadata_props.clear()
        for node in graph.all_nodes():
            node.metadata_props.clear()
            node.doc_string = None
            for value in node.outputs:
                value.metadata_props.clear()


def compare(path: Path, net: Net, batch: Batch) -> float:
    """The largest difference between a file's outputs and those of the net."""
    found = session(path).run(["value", "policy"], batch.inputs())
    training = net.training
    with torch.inference_mode():
        device = next(net.parameters()).device
        named = {name: tensor.to(device) for name, tensor in _tensors(batch).items()}
        out = net.eval()(named.get("planes"), named.get("features"))
    net.train(training)
    wanted = [out["value"].cpu().numpy(), out["policy"].cpu().numpy()]
    return max(float(np.abs(a - b).max()) for a, b in zip(found, wanted, strict=True))


def random_inputs(description: Description, rows: int = POSITIONS) -> Batch:
    """Numbers of no position at all."""
    random_numbers = np.random.default_rng(rows)
    shape = description.shape
    planes = random_numbers.standard_normal((rows, *shape.planes), np.float32)
    features = random_numbers.standard_normal((rows, shape.features), np.float32)
    return Batch(planes, features, np.zeros(rows, np.int64), np.arange(rows, dtype=np.uint64))


class _Playing(nn.Module):
    """The net with the inputs it uses, and the outputs that playing needs, in a fixed order."""

    def __init__(self, net: Net, inputs: list[str]) -> None:
        super().__init__()
        self.net, self.inputs = net, inputs

    def forward(self, *given: Tensor) -> tuple[Tensor, Tensor]:
        named = dict(zip(self.inputs, given, strict=True))
        out = self.net(named.get("planes"), named.get("features"))
        return out["value"], out["policy"]


def _tensors(batch: Batch) -> dict[str, Tensor]:
    return {name: torch.from_numpy(array) for name, array in batch.inputs().items()}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the exporter's reports of its progress, which are of no use to anybody who exports a net."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    with warnings.catch_warnings(), open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logger.setLevel(level)
