"""Evaluations per second of processor time of one thread: torch, ONNX Runtime and OpenVINO, in fp32, bf16 and int8.

The peer of every row is ONNX Runtime in fp32 on the same net and batch. The nets are for connect_four 7×6 and have
random weights, on which speed does not depend.
"""

import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

import sevenfold as sf
from bench.side_by_side import Row
from sevenfold import nets
from sevenfold.evaluators import Batch, Evaluator
from sevenfold.evaluators.onnx import OnnxEvaluator
from sevenfold.evaluators.torch import TorchEvaluator
from sevenfold.nets.positions import random_positions

GAME = sf.game("connect_four")
LARGE = nets.preset("laptop_large")
NETS = {"32×3": nets.preset("laptop"), "64×5": LARGE, "128×10": replace(LARGE, channels=128, blocks=10)}
BATCHES = {"32×3": [64], "64×5": [1, 16, 64, 256], "128×10": [64]}
PEER = "onnxruntime fp32"
WANTED = {("64×5", 64): 2.5, ("128×10", 64): 2.5}
"""What int8 must be worth in ONNX Runtime."""
ROUNDS = 7
SECONDS = 0.1


def export(folder: Path, name: str) -> tuple[Path, Path, Row]:
    """A net in fp32 and in int8, and how long the second took."""
    about = nets.Description.of(GAME, NETS[name])
    torch.manual_seed(1)
    net = nets.build(about.architecture, about.shape)
    nets.save(folder / "net.safetensors", net, about)
    fp32, int8 = folder / "net.onnx", folder / "int8.onnx"
    nets.export_onnx(fp32, net, about, GAME)
    start = time.process_time()
    nets.export_int8(int8, fp32, GAME)
    return fp32, int8, Row(f"connect_four net {name}, export to int8", "s", time.process_time() - start)


def evaluators(fp32: Path, int8: Path) -> dict[str, Evaluator]:
    """Every way to evaluate one net."""
    out: dict[str, Evaluator] = {
        "torch eager fp32": TorchEvaluator.of(fp32.with_suffix(".safetensors"), GAME),
        PEER: OnnxEvaluator(fp32, GAME),
        "onnxruntime int8": OnnxEvaluator(int8, GAME),
    }
    if importlib.util.find_spec("openvino"):
        from sevenfold.evaluators.openvino import OpenVinoEvaluator

        out["openvino fp32"] = OpenVinoEvaluator(fp32, GAME)
        out["openvino bf16"] = OpenVinoEvaluator(fp32, GAME, bf16=True)
        out["openvino int8"] = OpenVinoEvaluator(int8, GAME)
    return out


def speed(evaluator: Evaluator, batch: Batch) -> float:
    """Positions per second of processor time."""
    start, calls = time.process_time(), 0
    while (seconds := time.process_time() - start) < SECONDS:
        evaluator.evaluate(batch)
        calls += 1
    return calls * len(batch) / seconds


def compared(name: str, found: dict[str, Evaluator], size: int) -> list[Row]:
    batch = random_positions(GAME, size)
    for evaluator in found.values():
        speed(evaluator, batch)  # warm
    rounds = [{kind: speed(evaluator, batch) for kind, evaluator in found.items()} for _ in range(ROUNDS)]
    rows = []
    for kind in found:
        ratio = statistics.median(one[kind] / one[PEER] for one in rounds)
        wanted = WANTED.get((name, size), 0.0) if kind == "onnxruntime int8" else 0.0
        rows.append(
            Row(
                f"connect_four net {name}, batch {size}, {kind}",
                "evaluations/s",
                statistics.median(one[kind] for one in rounds),
                statistics.median(one[PEER] for one in rounds),
                ratio,
                f">= {wanted:g}x" if wanted else "",
                ratio >= wanted,
            )
        )
    return rows


def overhead(evaluator: OnnxEvaluator, size: int) -> Row:
    """What an evaluation costs beyond the run of ONNX Runtime."""
    batch = random_positions(GAME, size)
    inputs = batch.inputs()

    def seconds(call: Callable[[], object]) -> float:
        start = time.process_time()
        for _ in range(200):
            call()
        return (time.process_time() - start) / 200

    differences = [
        seconds(lambda: evaluator.evaluate(batch))
        - seconds(lambda: evaluator._session.run(["value", "policy"], inputs))
        for _ in range(ROUNDS)
    ]
    spent = statistics.median(differences) * 1e6
    return Row(f"connect_four evaluate beyond the run, batch {size}", "µs", spent, wanted="< 30 µs", reached=spent < 30)


def run() -> list[Row]:
    torch.set_num_threads(1)
    rows: list[Row] = []
    for name, sizes in BATCHES.items():
        with tempfile.TemporaryDirectory() as folder:
            fp32, int8, exported = export(Path(folder), name)
            rows.append(exported)
            found = evaluators(fp32, int8)
            for size in sizes:
                rows += compared(name, found, size)
            if name == "32×3":
                rows.append(overhead(OnnxEvaluator(int8, GAME), 1))
    return rows
