"""Proves the evaluators: they agree, they drive a search, they turn values to seats, and refuse nonsense."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import sevenfold as sf
from sevenfold import _core, models, nets
from sevenfold.evaluators import Batch, Evaluator, evaluate_states, priors
from sevenfold.evaluators.cached import CachedEvaluator
from sevenfold.evaluators.onnx import OnnxEvaluator
from sevenfold.evaluators.torch import TorchEvaluator
from sevenfold.evaluators.uniform import UniformEvaluator
from sevenfold.nets import Architecture, Description
from sevenfold.nets.export import random_positions

torch.set_num_threads(1)

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
SMALL = Architecture(blocks=1, channels=8, value_hidden=8)


class Counting:
    """An evaluator that writes down how many positions it was asked about."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.asked = evaluator, list[int]()

    def evaluate(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append(len(batch))
        return self.evaluator.evaluate(batch)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one net as checkpoint and as ONNX file."""
    folder = tmp_path_factory.mktemp("nets")
    description = Description.of(FOUR, SMALL)
    torch.manual_seed(3)
    net = nets.build(SMALL, description.shape)
    nets.save(folder / "net.safetensors", net, description)
    nets.export_onnx(folder / "net.onnx", net, description, FOUR)
    return folder


def torch_evaluator(architecture: Architecture = SMALL) -> TorchEvaluator:
    description = Description.of(FOUR, architecture)
    torch.manual_seed(3)
    return TorchEvaluator(nets.build(architecture, description.shape), description)


def test_onnx_and_torch_agree(files: Path) -> None:
    one, two = OnnxEvaluator(files / "net.onnx", FOUR), TorchEvaluator.of(files / "net.safetensors", FOUR)
    for rows in (1, 7, 64):
        batch = random_positions(FOUR, rows)
        for a, b in zip(one.evaluate(batch), two.evaluate(batch), strict=True):
            assert a.dtype == b.dtype == np.float32
            np.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("value", ["scalar", "players", "wdl"])
def test_values_belong_to_seats_and_not_to_movers(value: str) -> None:
    evaluator = torch_evaluator(replace(SMALL, value=value))  # type: ignore[arg-type]
    state = FOUR.new()
    state.play(3)
    batch = Batch.of([state])
    assert batch.viewers.tolist() == [1]
    (mine, other), _ = (array[0] for array in evaluator.evaluate(batch))
    turned = Batch(batch.planes, batch.features, np.array([0]), batch.keys)  # the same view, from the other seat
    assert evaluator.evaluate(turned)[0][0].tolist() == [other, mine]
    if value != "players":
        assert mine == -other != 0


def test_a_net_drives_a_search(files: Path) -> None:
    evaluator = CachedEvaluator(OnnxEvaluator(files / "net.onnx", FOUR))
    options = _core.MctsOptions()
    options.leaf, options.selection = "evaluator", "puct"
    state = FOUR.parse("moves: a g a g a g")
    search = _core.Mcts(state, options)
    search.reset(state)
    for _ in range(20):
        if waiting := search.collect(8):
            search.resume(*evaluate_states(evaluator, waiting))
    assert search.report().action == 0


def test_playing_with_a_net_does_without_torch(files: Path) -> None:
    script = (
        "import sys, sevenfold as sf\n"
        "from sevenfold.evaluators import evaluate_states\n"
        "from sevenfold.evaluators.onnx import OnnxEvaluator\n"
        "game = sf.game('connect_four')\n"
        "values, weights = evaluate_states(OnnxEvaluator(sys.argv[1], game), [game.new()])\n"
        "assert values.shape == (1, 2) and abs(weights.sum() - 1) < 1e-6\n"
        "assert not {'torch', 'onnx', 'safetensors'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script, files / "net.onnx"], check=True)


def test_a_file_that_lies_about_its_net_is_refused(files: Path, tmp_path: Path) -> None:
    import onnx

    for lie, message in [
        (replace(SMALL, value="wdl"), r"gives \(2, 1\) and \(2, 7\), which is not what it describes"),
        (SMALL, "is not what it describes, and cannot be run"),
    ]:
        game = FOUR if lie != SMALL else TIC
        model = onnx.load(files / "net.onnx")
        (entry,) = [one for one in model.metadata_props if one.key == "sevenfold"]
        entry.value = Description.of(game, lie).to_text()
        onnx.save(model, tmp_path / "net.onnx")
        with pytest.raises(ValueError, match=message):
            OnnxEvaluator(tmp_path / "net.onnx", game).evaluate(random_positions(game, 2))


def test_priors_are_a_softmax_of_the_legal_actions() -> None:
    logits = np.array([[0, np.log(3), 50, 1000]], np.float32)
    np.testing.assert_allclose(priors(logits, np.array([[1, 1, 0, 0]], np.uint8)), [[0.25, 0.75, 0, 0]], rtol=1e-6)
    np.testing.assert_allclose(priors(logits, np.array([[0, 0, 1, 1]], np.uint8)), [[0, 0, 0, 1]])


def test_uniform_knows_nothing() -> None:
    values, weights = evaluate_states(UniformEvaluator(TIC), [TIC.parse("moves: a1 b2"), TIC.new()])
    assert values.tolist() == [[0, 0], [0, 0]]
    np.testing.assert_allclose(sorted(weights[0]), [0, 0] + [1 / 7] * 7, rtol=1e-6)


def test_the_cache_asks_once_and_answers_the_same() -> None:
    plain = torch_evaluator()
    counting = Counting(plain)
    cache = CachedEvaluator(counting)
    batch = random_positions(FOUR, 20)
    twice = batch.take([*range(20), *range(20)])
    distinct = len(set(batch.keys.tolist()))
    for _ in range(2):
        for a, b in zip(cache.evaluate(twice), plain.evaluate(twice), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-6)
    assert counting.asked == [distinct]
    assert (cache.misses, cache.hits, len(cache)) == (distinct, 80 - distinct, distinct)
    cache.clear()
    cache.evaluate(batch)
    assert counting.asked == [distinct, distinct]


def test_the_cache_keeps_what_was_used_last() -> None:
    counting = Counting(UniformEvaluator(FOUR))
    cache = CachedEvaluator(counting, size=2)
    state = FOUR.new()
    batches = []
    for action in (0, 1, 2):
        batches.append(Batch.of([state]))
        state.play(action)
    first, second, third = batches
    for batch in (first, second, first, third, first, second):  # the third pushes the second out
        cache.evaluate(batch)
        assert len(cache) <= 2
    assert len(counting.asked) == 4
    many = random_positions(FOUR, 30)
    assert cache.evaluate(many)[0].shape == (30, 2)  # more at once than it can hold
    assert len(cache) == 2
    with pytest.raises(ValueError, match="at least 1 position, not 0"):
        CachedEvaluator(counting, size=0)


def test_a_number_that_is_none_is_refused_with_the_nets_name() -> None:
    batch = random_positions(FOUR, 4)
    for kind in ("value", "policy"):
        evaluator = torch_evaluator()
        evaluator.name = "broken.safetensors"
        with torch.no_grad():
            evaluator.net.get_parameter(f"{kind}.dense.{2 if kind == 'value' else 0}.bias")[0] = float("nan")
        message = rf"the net broken\.safetensors gave a {kind} that is no number, for position 0 of 4\."
        with pytest.raises(ValueError, match=message):
            evaluator.evaluate(batch)


def test_other_games_and_broken_files_are_refused(files: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="this net is for connect_four, not for tic_tac_toe"):
        OnnxEvaluator(files / "net.onnx", TIC)
    with pytest.raises(ValueError, match="with cols=7, not with cols=9"):
        OnnxEvaluator(files / "net.onnx", sf.game("connect_four", cols=9))
    with pytest.raises(ValueError, match="there is no net"):
        OnnxEvaluator(tmp_path / "none.onnx", FOUR)
    whole = (files / "net.onnx").read_bytes()
    for bad in (b"", b"no net", whole[: len(whole) // 2], b"\0" * 1000):
        (tmp_path / "net.onnx").write_bytes(bad)
        with pytest.raises(ValueError, match=r"net\.onnx (is damaged|does not say).*\.$"):
            OnnxEvaluator(tmp_path / "net.onnx", FOUR)
    with pytest.raises(ValueError, match=r"is for planes and features .*, not for \(\(2, 3, 3\), \(0,\)\)"):
        OnnxEvaluator(files / "net.onnx", FOUR).evaluate(random_positions(TIC, 2))
    with pytest.raises(ValueError, match="a player is to move"):
        Batch.of([])
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="device must be cpu, cuda or cuda:NUMBER, not 'gpu'"):
            TorchEvaluator.of(files / "net.safetensors", FOUR, device="gpu")
        with pytest.raises(ValueError, match="no CUDA device here"):
            TorchEvaluator.of(files / "net.safetensors", FOUR, device="cuda")


def test_a_cache_is_smaller_where_a_game_has_many_actions() -> None:
    """A row of 5760 logits is 23 kilobytes: a hundred thousand of them would be two gigabytes."""
    tetris, small = sf.game("tetris"), sf.game("tic_tac_toe")
    wide, narrow = (models.evaluator("uniform", "", "auto", game, 100_000) for game in (tetris, small))
    assert isinstance(wide, CachedEvaluator)
    assert isinstance(narrow, CachedEvaluator)
    assert wide.size * tetris.actions * 4 < 210_000_000
    assert narrow.size == 100_000
