"""A net's .onnx in 8 bits: about three times as fast on a CPU with VNNI, and nearly the same answers.

Weights become int8 with a scale per channel. What flows between the layers becomes uint8, with ranges that are measured
once, on positions (static quantisation, written as QDQ nodes). Unsigned on purpose: int8 activations have no fast path
on x86 and are slower than fp32. The last layer of each head stays fp32: it costs next to no time, and rounding there is
seen at once in the policy. Needs onnx and onnxruntime, not torch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from sevenfold._core import State
from sevenfold.evaluators.batch import Batch, Floats
from sevenfold.evaluators.evaluator import Evaluator, check_batch
from sevenfold.evaluators.onnx import OnnxEvaluator, session
from sevenfold.files import FilePath, whole_file
from sevenfold.game import Game
from sevenfold.nets.positions import random_positions

CALIBRATION = 512
"""How many positions the ranges are measured on, where none are given; with four times as many nothing got better."""
FEWEST = 8
HELD_OUT = 4
"""Every fourth position is kept back to compare with."""
CHUNK = 64
LAYERS = ("Conv", "Gemm", "MatMul")
PREPARED = "onnx.quant.pre_process", "onnxruntime.quant"
"""How ONNX Runtime's quantiser knows a graph that was optimised before; without it, it gives advice on stderr."""


@dataclass(frozen=True)
class Difference:
    """How far a quantised net is from its original, on positions that it was not calibrated on."""

    value: float
    """The largest difference of a value, in returns of the game."""
    value_mean: float
    policy: float
    """The largest difference of a probability, of a softmax over all actions."""
    policy_mean: float
    positions: int
    """How many were compared."""


def export_int8(
    path: FilePath, onnx_path: FilePath, game: Game, positions: Batch | Sequence[State] | None = None
) -> Difference:
    """Writes the net of `onnx_path` in 8 bits to `path`, and returns how much that changed.

    Calibrated on three quarters of the positions, compared on the others. They should be of games as the net will meet
    them, such as the last self-play games (512 are plenty); positions of random games where none are given.
    """
    path = Path(path)
    original = OnnxEvaluator(onnx_path, game)  # refuses what is no net of this game
    given = _distinct(game, positions)
    check_batch(original.description, given)
    held_out = list(range(0, len(given), HELD_OUT))
    calibration = given.take(sorted({*range(len(given))} - {*held_out}))
    with whole_file(path) as temporary:
        _write(temporary, _optimised(onnx_path, temporary), calibration)
        quantised = OnnxEvaluator(temporary, game)
        return difference(original, quantised, given.take(held_out))


def difference(original: Evaluator, other: Evaluator, batch: Batch) -> Difference:
    """How far one evaluator is from another on these positions."""
    (values, logits), (values_too, logits_too) = original.evaluate(batch), other.evaluate(batch)
    value = np.abs(values - values_too)
    policy = np.abs(_softmax(logits) - _softmax(logits_too))
    return Difference(float(value.max()), float(value.mean()), float(policy.max()), float(policy.mean()), len(batch))


def _distinct(game: Game, positions: Batch | Sequence[State] | None) -> Batch:
    """Each position once, so that none is in both parts, in an order that mixes games and their beginnings and ends."""
    if positions is None:
        positions = random_positions(game, CALIBRATION * HELD_OUT // (HELD_OUT - 1))
    batch = positions if isinstance(positions, Batch) else Batch.of(positions)
    rows = np.unique(batch.keys, return_index=True)[1]
    if len(rows) < FEWEST:
        raise ValueError(f"quantising a net needs at least {FEWEST} different positions, not {len(rows)}.")
    return batch.take(np.random.default_rng(0).permutation(rows).tolist())


def _optimised(onnx_path: FilePath, temporary: Path) -> Any:
    """The graph with each normalisation folded into the layer before it: a layer must be rounded as it will be run."""
    session(onnx_path, optimised=temporary)
    model = onnx.load(temporary)
    if any(node.op_type == "QuantizeLinear" for node in model.graph.node):
        raise ValueError(f"the net {onnx_path} is quantised already.")
    return model


def _write(path: Path, model: Any, calibration: Batch) -> None:
    described = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, described | dict([PREPARED]))
    quantize_static(
        model,
        str(path),
        _Reader(calibration),
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=_last_layers(model.graph),
    )
    written = onnx.load(path)
    onnx.helper.set_model_props(written, described)
    onnx.save(written, path)


def _last_layers(graph: Any) -> list[str]:
    """The names of the layers nearest to each output."""
    makers = {name: node for node in graph.node for name in node.output}
    found: set[str] = set()
    waiting = [output.name for output in graph.output]
    while waiting:
        node = makers.get(waiting.pop())
        if node is None:
            continue
        if node.op_type in LAYERS:
            found.add(node.name)
        else:
            waiting += node.input
    return sorted(found)


class _Reader(CalibrationDataReader):  # type: ignore[misc]  # ONNX Runtime has no types
    """The positions, as the quantiser asks for them."""

    def __init__(self, batch: Batch) -> None:
        self._chunks = self._cut(batch)

    @staticmethod
    def _cut(batch: Batch) -> Iterator[dict[str, Floats]]:
        for start in range(0, len(batch), CHUNK):
            yield batch.take(range(start, min(start + CHUNK, len(batch)))).inputs()

    def get_next(self) -> dict[str, Floats] | None:
        """The next positions, or None."""
        return next(self._chunks, None)


def _softmax(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max(1, keepdims=True))
    out: Floats = odds / odds.sum(1, keepdims=True)
    return out
