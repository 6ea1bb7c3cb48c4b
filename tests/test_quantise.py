"""Proves nets in 8 bits: small, near the original, for every kind of net, written whole and without a sound; and that
OpenVINO gives what ONNX Runtime gives."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from helpers import refused

import sevenfold as sf
from sevenfold import nets
from sevenfold.evaluators import Batch
from sevenfold.evaluators.onnx import OnnxEvaluator
from sevenfold.nets import Architecture, Description
from sevenfold.nets.positions import random_positions
from sevenfold.nets.quantise import Difference, difference

torch.set_num_threads(1)

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
CARDS = sf.game("easycard")
SMALL = Architecture(blocks=2, channels=16, policy_channels=4, value_channels=2, value_hidden=16)
BOARDS = replace(SMALL, policy="columns", pooling=True)
KINDS = {
    "planes": (FOUR, SMALL, ()),
    "features": (CARDS, SMALL, ()),
    "pooling": (FOUR, BOARDS, ("rows", "cols")),
    "wdl": (TIC, replace(SMALL, value="wdl", policy="cells"), ()),
}


def export(folder: Path, kind: str) -> Path:
    """A net whose normalisations have seen positions, as those of a trained one have."""
    game, architecture, varied = KINDS[kind]
    description = Description.of(game, architecture, varied=varied)
    torch.manual_seed(5)
    net = nets.build(architecture, description.shape).train()
    inputs = {name: torch.from_numpy(array) for name, array in random_positions(game, 128).inputs().items()}
    for _ in range(20):
        net(inputs.get("planes"), inputs.get("features"))
    path = folder / f"{kind}.onnx"
    nets.export_onnx(path, net.eval(), description, game)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One net of each kind in fp32."""
    folder = tmp_path_factory.mktemp("nets")
    return {kind: export(folder, kind) for kind in KINDS}


def operators(path: Path) -> dict[str, list[onnx.NodeProto]]:
    found: dict[str, list[onnx.NodeProto]] = {}
    for node in onnx.load(path).graph.node:
        found.setdefault(node.op_type, []).append(node)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_eight_bits_give_nearly_the_same(kind: str, files: dict[str, Path], tmp_path: Path) -> None:
    game = KINDS[kind][0]
    path = tmp_path / "int8.onnx"
    found = nets.export_int8(path, files[kind], game)
    assert 0 < found.value_mean < found.value < 0.1
    assert 0 < found.policy_mean < found.policy < 0.05
    one, two = OnnxEvaluator(files[kind], game), OnnxEvaluator(path, game)
    assert two.description == one.description
    fresh = difference(one, two, random_positions(game, 64, seed=77))
    assert fresh.value_mean < 3 * found.value_mean
    assert fresh.policy_mean < 3 * found.policy_mean


def test_layers_are_quantised_but_the_last_of_each_head(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "int8.onnx"
    nets.export_int8(path, files["planes"], FOUR)
    model = onnx.load(path)
    found = operators(path)
    assert "BatchNormalization" not in found
    quantised = {node.output[0] for node in found["DequantizeLinear"]}
    plain = [node for kind in ("Conv", "Gemm") for node in found[kind] if node.input[1] not in quantised]
    assert len(found["Conv"]) == 7  # the first, two in each of two blocks, and one in each head
    assert len(plain) == 2
    assert {node.op_type for node in plain} == {"Gemm"}
    kinds = {one.name: one.data_type for one in model.graph.initializer}
    weights = [node for node in found["DequantizeLinear"] if kinds.get(node.input[0]) == onnx.TensorProto.INT8]
    assert len(weights) == 8
    shapes = {one.name: tuple(one.dims) for one in model.graph.initializer}
    assert all(shapes[node.input[1]][0] > 1 for node in weights)  # a scale per channel
    zeros = {kinds[node.input[2]] for node in found["QuantizeLinear"]}
    assert zeros == {onnx.TensorProto.UINT8}  # of what flows between the layers
    assert [entry.key for entry in model.metadata_props] == ["sevenfold"]


def test_normalisations_are_folded_first(files: dict[str, Path], tmp_path: Path) -> None:
    """An exporter of another day may leave them; quantised apart they would cost speed and precision."""
    model = onnx.load(files["planes"])
    first = next(node for node in model.graph.node if node.op_type == "Conv")
    channels = SMALL.channels
    ones, zeros = np.ones(channels, np.float32), np.zeros(channels, np.float32)
    numbers = {"scale": 2 * ones, "bias": zeros, "mean": zeros, "variance": ones}
    model.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in numbers.items())
    output, first.output[0] = first.output[0], "before"
    norm = onnx.helper.make_node("BatchNormalization", ["before", *numbers], [output], name="norm")
    model.graph.node.insert(list(model.graph.node).index(first) + 1, norm)
    onnx.save(model, tmp_path / "norm.onnx")
    assert nets.export_int8(tmp_path / "int8.onnx", tmp_path / "norm.onnx", FOUR).value < 0.1
    assert "BatchNormalization" not in operators(tmp_path / "int8.onnx")


def test_with_pooling_the_board_stays_free(files: dict[str, Path], tmp_path: Path) -> None:
    nets.export_int8(tmp_path / "int8.onnx", files["pooling"], FOUR)
    taller = sf.game("connect_four", rows=8, cols=9)
    one, two = OnnxEvaluator(files["pooling"], taller), OnnxEvaluator(tmp_path / "int8.onnx", taller)
    assert difference(one, two, random_positions(taller, 32)).value < 0.1


def test_given_positions_decide_and_are_never_in_both_parts(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sevenfold.nets import quantise

    used: list[Batch] = []
    reader = quantise._Reader
    monkeypatch.setattr(quantise, "_Reader", lambda batch: used.append(batch) or reader(batch))
    compared: list[Batch] = []
    monkeypatch.setattr(quantise, "difference", lambda a, b, batch: compared.append(batch) or difference(a, b, batch))
    states = [FOUR.new()] * 30
    for action in [3, 3, 2, 4, 0, 1, 5, 6, 0, 1, 2]:
        state = states[-1].copy()
        state.play(action)
        states.append(state)
    by_states = nets.export_int8(tmp_path / "a.onnx", files["planes"], FOUR, states)
    by_batch = nets.export_int8(tmp_path / "b.onnx", files["planes"], FOUR, Batch.of(states))
    assert by_states == by_batch
    assert isinstance(by_batch, Difference)
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    calibrated, held_out = set(used[0].keys.tolist()), set(compared[0].keys.tolist())
    assert (len(calibrated), len(held_out), by_batch.positions) == (9, 3, 3)
    assert not calibrated & held_out
    assert calibrated | held_out == {state.hash() for state in states}


def test_nothing_is_left_behind_and_nothing_said(files: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    script = (
        "import logging, sys, tempfile, sevenfold as sf\n"
        "from sevenfold import nets\n"
        "tempfile.tempdir = sys.argv[3]\n"
        "nets.export_int8(sys.argv[1], sys.argv[2], sf.game('easycard'))\n"
        "assert 'torch' not in sys.modules\n"
        "assert not logging.getLogger().handlers"
    )
    given = [tmp_path / "out" / "int8.onnx", files["features"], tmp_path / "temporary"]
    done = subprocess.run([sys.executable, "-c", script, *given], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["int8.onnx"]
    assert not list((tmp_path / "temporary").iterdir())


def test_what_cannot_be_quantised_is_refused_and_the_old_file_stays(files: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "int8.onnx"
    nets.export_int8(path, files["planes"], FOUR)
    before = path.read_bytes()
    with refused("quantised already"):
        nets.export_int8(path, path, FOUR)
    with refused("at least 8 different positions, not 1"):
        nets.export_int8(path, files["planes"], FOUR, [FOUR.new()] * 20)
    with refused("is for connect_four, not for tic_tac_toe"):
        nets.export_int8(path, files["planes"], TIC)
    with refused("there is no net"):
        nets.export_int8(path, tmp_path / "none.onnx", FOUR)
    with refused("is for planes and features"):
        nets.export_int8(path, files["planes"], FOUR, random_positions(TIC, 20))
    (tmp_path / "bad.onnx").write_bytes(b"no net")
    with refused("is damaged"):
        nets.export_int8(path, tmp_path / "bad.onnx", FOUR)
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bad.onnx", "int8.onnx"]


@pytest.mark.parametrize("kind", KINDS)
def test_openvino_and_onnx_runtime_agree(kind: str, files: dict[str, Path], tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    from sevenfold.evaluators.openvino import OpenVinoEvaluator

    game = KINDS[kind][0]
    path = tmp_path / "int8.onnx"
    changed = nets.export_int8(path, files[kind], game)
    one, two = OnnxEvaluator(files[kind], game), OpenVinoEvaluator(files[kind], game)
    assert two.description == one.description
    for rows in (1, 7, 64):
        batch = random_positions(game, rows)
        assert difference(one, two, batch).value < 1e-5
    kept = two.evaluate(batch)
    first = [array.copy() for array in kept]
    two.evaluate(random_positions(game, 64, seed=5))
    for a, b in zip(first, kept, strict=True):  # an answer stays what it was when the next one comes
        np.testing.assert_array_equal(a, b)
    rounded = difference(one, OpenVinoEvaluator(path, game), batch)
    assert 0 < rounded.value_mean < 3 * changed.value_mean
    assert rounded.policy_mean < 3 * changed.policy_mean
    assert difference(one, OpenVinoEvaluator(files[kind], game, bf16=True), batch).value < 0.02


def test_openvino_refuses_what_onnx_runtime_refuses(
    files: dict[str, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openvino")
    from sevenfold.evaluators.openvino import OpenVinoEvaluator

    with refused("this net is for connect_four, not for tic_tac_toe"):
        OpenVinoEvaluator(files["planes"], TIC)
    with refused("there is no net"):
        OpenVinoEvaluator(tmp_path / "none.onnx", FOUR)
    whole = files["planes"].read_bytes()
    for bad in (b"", b"no net", whole[: len(whole) // 2], b"\0" * 1000):
        (tmp_path / "net.onnx").write_bytes(bad)
        with refused(r"net\.onnx (is damaged|does not say)"):
            OpenVinoEvaluator(tmp_path / "net.onnx", FOUR)
    with refused("is for planes and features"):
        OpenVinoEvaluator(files["planes"], FOUR).evaluate(random_positions(TIC, 2))
    model = onnx.load(files["planes"])
    del model.metadata_props[:]
    onnx.save(model, tmp_path / "net.onnx")
    with refused("does not say which game"):
        OpenVinoEvaluator(tmp_path / "net.onnx", FOUR)
    onnx.helper.set_model_props(model, {"sevenfold": Description.of(TIC, SMALL).to_text()})
    onnx.save(model, tmp_path / "net.onnx")
    with refused("is not what it describes, and cannot be run"):
        OpenVinoEvaluator(tmp_path / "net.onnx", TIC).evaluate(random_positions(TIC, 2))
    assert capfd.readouterr().err == ""


def test_without_openvino_a_sentence_says_what_to_install(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sevenfold.evaluators.openvino import OpenVinoEvaluator

    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(ImportError, match=r"pip install 'sevenfold\[openvino\]'\.$"):
        OpenVinoEvaluator(files["planes"], FOUR)
