"""Proves the nets that the core evaluates itself: they say what torch says, play on by it, and refuse what is not
theirs."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import sevenfold as sf
from sevenfold import _core, models, nets
from sevenfold.nets.architecture import Architecture, Shape
from sevenfold.nets.native import can_be_native, native
from sevenfold.nets.presets import PRESETS
from sevenfold.train import gradient, tables

torch.set_num_threads(1)

SEVENS = sf.game("sevens")
SHAPE = Shape(SEVENS.planes, SEVENS.features, SEVENS.actions, SEVENS.players)
SUITS = PRESETS["suits"]


def made(architecture: Architecture, shape: Shape = SHAPE) -> tuple[nets.Net, _core.RowsNet]:
    torch.manual_seed(3)
    net = nets.build(architecture, shape).eval()
    return net, native({name: one.numpy() for name, one in net.state_dict().items()}, architecture, shape)


def seen(count: int, shape: Shape = SHAPE) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    planes = rng.random((count, *shape.planes), np.float32) * (rng.random((count, *shape.planes)) < 0.2)
    return planes.astype(np.float32), rng.standard_normal((count, shape.features), np.float32)


@pytest.mark.parametrize("channels", range(16, 129, 16))
@pytest.mark.parametrize("count", [1, 5, 37])
def test_it_says_what_torch_says(channels: int, count: int) -> None:
    architecture = replace(SUITS, channels=channels, blocks=2, balanced=False)
    net, quick = made(architecture)
    planes, features = seen(count)
    with torch.inference_mode():
        said = net(torch.from_numpy(planes), torch.from_numpy(features))
    values, logits = quick.evaluate(planes, features)
    assert np.abs(logits - said["policy"].numpy()).max() < 1e-4
    assert np.abs(values - said["value"].numpy()).max() < 1e-4
    assert np.abs(logits).max() > 0.01


@pytest.mark.parametrize("channels", [16, 32, 48, 96, 128])
@pytest.mark.parametrize("count", [1, 5, 37])
def test_by_sixteen_bits_it_says_nearly_the_same(channels: int, count: int) -> None:
    _, quick = made(replace(SUITS, channels=channels, blocks=3, balanced=False))
    planes, features = seen(count)
    exact, rough = quick.evaluate(planes, features)[1], quick.evaluate(planes, features, rough=True)[1]
    assert np.abs(rough - exact).max() < 0.02 * np.abs(exact).max()


@pytest.mark.parametrize("shape", [Shape((3, 5, 7), 0, 35, 2), Shape((2, 1, 20), 4, 20, 3), Shape((1, 9, 2), 1, 18, 2)])
def test_other_rows_than_four_of_thirteen(shape: Shape) -> None:
    architecture = replace(SUITS, channels=32, blocks=1, value_hidden=0, balanced=False)
    net, quick = made(architecture, shape)
    planes, features = seen(11, shape)
    with torch.inference_mode():
        said = net(torch.from_numpy(planes), torch.from_numpy(features) if shape.features else None)
    values, logits = quick.evaluate(planes, features)
    assert np.abs(logits - said["policy"].numpy()).max() < 1e-4
    assert np.abs(values - said["value"].numpy()).max() < 1e-4


def test_which_nets_can_be_native() -> None:
    assert can_be_native(SUITS, SHAPE)
    assert not can_be_native(replace(SUITS, channels=100), SHAPE)
    assert not can_be_native(replace(SUITS, channels=144), SHAPE)
    assert not can_be_native(PRESETS["sevens"], SHAPE)
    assert not can_be_native(SUITS, replace(SHAPE, actions=53))


def test_what_is_not_its_own_is_refused() -> None:
    with pytest.raises(ValueError, match="weights, not 7"):
        _core.RowsNet((13, 4, 13), 12, 96, 2, 64, 4, np.zeros(7, np.float32))
    with pytest.raises(ValueError, match="multiple of 16"):
        _core.RowsNet((13, 4, 13), 12, 40, 2, 64, 4, np.zeros(7, np.float32))
    _, quick = made(replace(SUITS, channels=16, blocks=1))
    planes, features = seen(2)
    with pytest.raises(ValueError, match="shape"):
        quick.evaluate(planes[:, :5].copy(), features)
    timed = sf.game("sevens", observation="timed")
    seats = np.zeros((1, 4), np.int64)
    table = _core.Lockstep(timed.new(), np.ones(1, np.uint64), np.ones(1, np.uint64), seats, [], [])
    with pytest.raises(ValueError, match="another game"):
        table.finish(quick)
    table.collect()
    with pytest.raises(ValueError, match="another game"):
        table.try_worlds(np.zeros(1, np.int64), tables.SAME, 4, 4, 0.0, quick)


def test_games_end_as_they_do_step_by_step() -> None:
    net, quick = made(replace(SUITS, channels=32, blocks=1))
    blocker = tables.habit_named(SEVENS, "blocker")
    deals = np.random.default_rng(4).integers(0, 2**63, 300, np.uint64)
    seats = np.tile(np.array([0, blocker, 0, -1], np.int64), (300, 1))
    by_steps = tables.play(
        SEVENS, deals, seats, [lambda p, f: gradient.logits_of(net, p, f)], np.random.default_rng(1), sample=False
    )
    dice = np.random.default_rng(1).integers(0, 2**63, 300, np.uint64)
    at_once = _core.Lockstep(SEVENS.new(), deals, dice, seats, [], [])
    assert at_once.finish(quick) == by_steps.evaluations
    # Sums in another order differ in the last digit, so that a draw between two actions may fall otherwise.
    same = (np.asarray(at_once.returns()) == by_steps.returns).all(1)
    assert same.mean() > 0.99


def test_the_shipped_net_searches_natively_as_it_does_by_onnx() -> None:
    state = SEVENS.new(5)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    for _ in range(14):
        state.play(state.legal_actions()[0])
    found = [
        sf.player(f"alphazero:simulations=400,native={on}", SEVENS, seed=1).think(state) for on in ("true", "false")
    ]
    quick, slow = ({one.action: one for one in result.actions} for result in found)
    assert len(quick) > 1
    for action, one in quick.items():
        assert one.prior == pytest.approx(slow[action].prior, abs=1e-4)
        if one.value is not None and slow[action].value is not None:
            assert one.value == pytest.approx(slow[action].value, abs=15)  # by other dice for the net's own draws


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    path = models.shipped(SEVENS)
    assert path is not None
    for suffix in (".onnx", ".json", ".safetensors"):
        shutil.copy(path.with_suffix(suffix), tmp_path / f"n{suffix}")
    assert models.native(str(tmp_path / "n.onnx"), SEVENS) is not None
    (tmp_path / "n.safetensors").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="damaged"):
        models.native(str(tmp_path / "n.onnx"), SEVENS)
    (tmp_path / "n.safetensors").unlink()
    assert models.native(str(tmp_path / "n.onnx"), SEVENS) is None
