"""Proves the networks: their shapes, the founding documents' layer lists, files that are whole or refused, exports."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch

import sevenfold as sf
from sevenfold import nets
from sevenfold.nets import PRESETS, Architecture, Description, Net, Shape
from sevenfold.nets import export as exporting
from sevenfold.nets.values import absolute, targets

torch.set_num_threads(1)

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
CARDS = sf.game("easycard")
SMALL = Architecture(blocks=2, channels=8, value_hidden=8)
BOARDS = replace(SMALL, policy="columns", pooling=True)


def run(net: Net, rows: int = 3, board: tuple[int, int] | None = None) -> dict[str, torch.Tensor]:
    channels, height, width = net.shape.planes
    height, width = board or (height, width)
    with torch.inference_mode():
        return net.eval()(torch.randn(rows, channels, height, width), torch.randn(rows, net.shape.features))


def small(game: sf.Game = TIC, architecture: Architecture = SMALL, **about: Any) -> tuple[Net, Description]:
    """A net whose normalisations have seen something, as those of a trained one have."""
    description = Description.of(game, architecture, **about)
    torch.manual_seed(5)
    net = nets.build(architecture, description.shape)
    net.train()(torch.randn(32, *description.shape.planes), torch.randn(32, description.shape.features))
    return net.eval(), description


# The layer lists of the founding documents, counted by hand-written formulas and not by our own code.


def conv(inputs: int, outputs: int, size: int, bias: bool) -> int:
    return inputs * outputs * size * size + bias * outputs


def norm(channels: int) -> int:
    return 2 * channels


def dense(inputs: int, outputs: int) -> int:
    return inputs * outputs + outputs


def tower(planes: int, channels: int, blocks: int, bias: bool) -> int:
    """First convolution, then blocks of two, each normalised."""
    each = 2 * (conv(channels, channels, 3, bias) + norm(channels))
    return conv(planes, channels, 3, bias) + norm(channels) + blocks * each


def two_heads(channels: int, cells: int, actions: int, hidden: int, bias: bool) -> int:
    """Policy: conv 1×1 to 2, normalise, dense. Value: conv 1×1 to 1, normalise, dense, dense to 1."""
    policy = conv(channels, 2, 1, bias) + norm(2) + dense(2 * cells, actions)
    return policy + conv(channels, 1, 1, bias) + norm(1) + dense(cells, hidden) + dense(hidden, 1)


TETRIS = (
    tower(1, 128, 10, False)
    + dense(11, 64)
    + (conv(128, 32, 1, True) + dense(32 * 200 + 64, 1024) + dense(1024, 2304))
    + (conv(128, 4, 1, True) + dense(4 * 200 + 64, 256) + dense(256, 1))
)
FOUNDING = [
    # Connect-four as the tutorial sees it: one plane, 6×7, 7 columns; a net of 64×5 with biases everywhere.
    ("tutorial", Shape((1, 6, 7), 0, 7, 2), tower(1, 64, 5, True) + two_heads(64, 42, 7, 64, True)),
    ("alphagozero", Shape((17, 19, 19), 0, 362, 2), tower(17, 256, 19, False) + two_heads(256, 361, 362, 256, False)),
    ("sevens", Shape((11, 4, 13), 0, 52, 4), tower(11, 256, 5, False) + two_heads(256, 52, 52, 256, False)),
    ("sevens_deep", Shape((11, 4, 13), 0, 52, 4), tower(11, 256, 10, False) + two_heads(256, 52, 52, 256, False)),
    ("tetris", Shape((1, 20, 10), 11, 2304, 1), TETRIS),
]


@pytest.mark.parametrize(("name", "shape", "parameters"), FOUNDING, ids=[one[0] for one in FOUNDING])
def test_the_founding_nets_are_those_of_the_documents(name: str, shape: Shape, parameters: int) -> None:
    net = nets.build(nets.preset(name), shape)
    assert net.parameter_count == parameters
    out = run(net, 2)
    assert out["policy"].shape == (2, shape.actions)
    assert out["value"].shape == (2, 1)
    assert out["value"].abs().max() <= 1
    assert {layer.p for layer in net.modules() if isinstance(layer, torch.nn.Dropout)} == (
        {0.3} if name == "tetris" else set()
    )


class AlphaZeroNet(torch.nn.Module):
    """The tutorial's net, its modules in its order, for connect-four."""

    def __init__(self) -> None:
        super().__init__()
        nn = torch.nn
        self.conv1, self.bn1 = nn.Conv2d(1, 64, 3, padding=1), nn.BatchNorm2d(64)
        self.res_blocks = nn.ModuleList()
        for _ in range(5):
            block = nn.Module()
            block.conv1, block.bn1 = nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64)
            block.conv2, block.bn2 = nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64)
            self.res_blocks.append(block)
        self.policy_conv, self.policy_bn, self.policy_fc = nn.Conv2d(64, 2, 1), nn.BatchNorm2d(2), nn.Linear(84, 7)
        self.value_conv, self.value_bn = nn.Conv2d(64, 1, 1), nn.BatchNorm2d(1)
        self.value_fc1, self.value_fc2 = nn.Linear(42, 64), nn.Linear(64, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        relu = torch.relu
        x = relu(self.bn1(self.conv1(x)))
        for block in self.res_blocks:
            x = relu(x + block.bn2(block.conv2(relu(block.bn1(block.conv1(x))))))
        policy = self.policy_fc(relu(self.policy_bn(self.policy_conv(x))).view(-1, 84))
        value = relu(self.value_fc1(relu(self.value_bn(self.value_conv(x))).view(-1, 42)))
        return policy, torch.tanh(self.value_fc2(value))


def test_with_the_tutorials_weights_it_says_what_the_tutorials_net_says() -> None:
    torch.manual_seed(1)
    theirs = AlphaZeroNet()
    theirs(torch.randn(16, 1, 6, 7))
    ours = nets.build(PRESETS["tutorial"], Shape((1, 6, 7), 0, 7, 2))
    pairs = zip(ours.state_dict(), theirs.state_dict().values(), strict=True)  # both name their layers in order
    ours.load_state_dict(dict(pairs))
    planes = torch.randn(4, 1, 6, 7)
    with torch.inference_mode():
        policy, value = theirs.eval()(planes)
        out = ours.eval()(planes)
    torch.testing.assert_close(out["policy"], policy)
    torch.testing.assert_close(out["value"], value)


def test_small_presets_fit_the_games_of_the_house() -> None:
    counts = {}
    for name, game in [("quick", TIC), ("laptop", FOUR), ("laptop_large", FOUR), ("boards", FOUR), ("laptop", CARDS)]:
        net = nets.build(PRESETS[name], Shape.of(game))
        assert run(net)["policy"].shape == (3, game.actions)
        counts[name, game.name] = net.parameter_count
    assert counts["quick", "tic_tac_toe"] < 20_000
    assert counts["laptop", "connect_four"] < 100_000


@pytest.mark.parametrize("separate", [False, True])
@pytest.mark.parametrize("pooling", [False, True])
@pytest.mark.parametrize("fusion", ["heads", "stem"])
@pytest.mark.parametrize("policy", ["dense", "cells", "columns"])
@pytest.mark.parametrize(("value", "size"), [("scalar", 1), ("players", 2), ("wdl", 3)])
def test_every_combination_has_its_shapes_and_learns_in_all_its_layers(
    separate: bool, pooling: bool, fusion: str, policy: str, value: str, size: int
) -> None:
    actions = {"dense": 11, "cells": 2 * 20 + 1, "columns": 5}[policy]
    architecture = Architecture(
        blocks=2,
        channels=8,
        policy=policy,
        value=value,
        separate=separate,
        pooling=pooling,
        fusion=fusion,
        auxiliary={"reply": 4},  # type: ignore[arg-type]
    )
    torch.manual_seed(1)
    net = nets.build(architecture, Shape((3, 4, 5), 6, actions, 2))
    out = net.train()(torch.randn(16, 3, 4, 5), torch.randn(16, 6))
    assert {name: tuple(tensor.shape) for name, tensor in out.items()} == {
        "value": (16, size),
        "policy": (16, actions),
        "reply": (16, 4),
    }
    # A square, not a sum: a sum's gradient is the same for every row, and normalisation takes that away.
    torch.stack([tensor.square().mean() for tensor in out.values()]).sum().backward()
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_separate_nets_share_nothing() -> None:
    """Two towers and the same heads; what the value learns, the policy does not notice, and the other way round."""
    joint, apart = (nets.build(replace(SMALL, separate=one), Shape.of(FOUR)) for one in (False, True))
    assert apart.parameter_count == joint.parameter_count + tower(FOUR.planes[0], 8, 2, False)
    for head, other in (("value", "policy"), ("policy", "value")):
        apart.zero_grad()
        apart.train()(torch.randn(8, *FOUR.planes), torch.randn(8, FOUR.features))[head].square().sum().backward()
        moved = {name.split(".")[0] for name, one in apart.named_parameters() if one.grad is not None}
        assert moved == ({"judge", "value"} if head == "value" else {"stem", "tower", "policy"}), other


def test_separate_nets_with_features_hear_them_apart() -> None:
    both = Architecture(blocks=1, channels=4, fusion_hidden=4, value_hidden=4)
    shape = Shape((1, 3, 3), 2, 9, 2)
    joint, apart = (nets.build(replace(both, separate=one), shape).parameter_count for one in (False, True))
    assert apart == joint + tower(1, 4, 1, False) + dense(2, 4)


def test_separate_nets_are_one_file(tmp_path: Path) -> None:
    """The same inputs and outputs as a joint net's: nothing else has to know."""
    net, description = small(FOUR, replace(SMALL, separate=True))
    nets.save(tmp_path / "net.safetensors", net, description)
    again, found = nets.load(tmp_path / "net.safetensors", FOUR)
    assert found == description
    assert found.architecture.separate
    planes = torch.randn(4, *FOUR.planes)
    with torch.inference_mode():
        for name, tensor in net(planes).items():
            torch.testing.assert_close(again(planes)[name], tensor)
    assert nets.export_onnx(tmp_path / "net.onnx", net, description, FOUR) < exporting.TOLERANCE
    assert sf.player(f"policy:net={tmp_path / 'net.onnx'}", FOUR).think(FOUR.new()).action in range(7)


def test_descriptions_from_before_separate_nets_are_of_joint_ones() -> None:
    old = SMALL.to_json()
    del old["separate"]
    assert Architecture.from_json(old) == SMALL
    with pytest.raises(ValueError, match="separate must be true or false, not 1"):
        Architecture(separate=1)  # type: ignore[arg-type]


def test_features_alone_get_a_dense_tower() -> None:
    net = nets.build(SMALL, Shape.of(CARDS))
    assert not any(isinstance(layer, torch.nn.Conv2d) for layer in net.modules())
    assert run(net)["policy"].shape == (3, CARDS.actions)


def test_features_change_the_answer() -> None:
    torch.manual_seed(1)  # by bad luck no feature gets through four hidden numbers
    for fusion in ("heads", "stem"):
        net = nets.build(replace(SMALL, fusion=fusion, fusion_hidden=4), Shape((1, 3, 3), 2, 9, 2)).eval()  # type: ignore[arg-type]
        planes = torch.randn(1, 1, 3, 3)
        one, two = (net(planes, torch.full((1, 2), x))["policy"] for x in (0.0, 1.0))
        assert not torch.equal(one, two)


def test_one_net_with_pooling_serves_all_boards() -> None:
    net = nets.build(BOARDS, Shape.of(FOUR))
    for rows, cols in [(6, 7), (9, 12), (12, 9)]:
        assert run(net, 2, (rows, cols))["policy"].shape == (2, cols)
    cells = nets.build(replace(BOARDS, policy="cells"), Shape((2, 3, 3), 0, 10, 2))
    assert run(cells, 2, (5, 4))["policy"].shape == (2, 21)


def test_cells_are_numbered_row_by_row() -> None:
    net = nets.build(Architecture(blocks=0, channels=4, policy="cells"), Shape((1, 3, 4), 0, 12, 2)).eval()
    plane = torch.zeros(1, 1, 3, 4)
    plain = net(plane)["policy"]
    plane[0, 0, 2, 0] = 1  # a corner, which its 2×2 neighbourhood sees
    changed = (net(plane)["policy"] != plain).nonzero()[:, 1].tolist()
    assert set(changed) <= {4, 5, 8, 9}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"blocks": -1}, "blocks must be a whole number from 0 to 256, not -1."),
        ({"channels": True}, "channels must be a whole number"),
        ({"policy": "tree"}, "policy must be dense or cells or columns, not 'tree'."),
        ({"dropout": 1}, "dropout must be from 0 to below 1"),
        ({"policy": "cells", "policy_hidden": 3}, "policy_hidden is for a dense policy head"),
        ({"auxiliary": {"value": 1}}, "cannot be called value"),
        ({"auxiliary": {"a.b": 1}}, "auxiliary must be sizes by name"),
        ({"auxiliary": {"reply": 0}}, "auxiliary reply must be from 1"),
        ({"pooling": 1}, "pooling must be true or false"),
        ({"width": 3}, "there is no field 'width'."),
    ],
)
def test_nonsense_architectures_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Architecture.from_json(given)


def test_heads_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="needs 9 actions, a multiple of that, or one more for a pass, not 7"):
        nets.build(replace(SMALL, policy="cells"), Shape((1, 3, 3), 0, 7, 2))
    with pytest.raises(ValueError, match="needs planes"):
        nets.build(replace(SMALL, policy="cells"), Shape.of(CARDS))
    with pytest.raises(ValueError, match="for 2 players, not for 3"):
        nets.build(replace(SMALL, value="wdl"), Shape((1, 3, 3), 0, 9, 3))
    with pytest.raises(ValueError, match="there is no architecture 'huge'"):
        nets.preset("huge")


@pytest.mark.parametrize("name", PRESETS)
def test_architectures_survive_json(name: str) -> None:
    text = json.dumps(PRESETS[name].to_json())
    assert Architecture.from_json(json.loads(text)) == PRESETS[name]


def test_values_are_turned_to_seats_and_back() -> None:
    viewers = np.array([0, 1, 2])
    raw = np.array([[0.5, 0.2, -0.7]] * 3, np.float32)  # the viewer's, the next seat's, the one after
    turned = absolute("players", raw, viewers, 3, scale=2)
    np.testing.assert_allclose(turned, [[1, 0.4, -1.4], [-1.4, 1, 0.4], [0.4, -1.4, 1]], rtol=1e-6)
    np.testing.assert_allclose(targets("players", turned, viewers, scale=2), raw, rtol=1e-6)
    two = absolute("scalar", np.array([[0.5], [0.5]], np.float32), np.array([0, 1]), 2)
    np.testing.assert_allclose(two, [[0.5, -0.5], [-0.5, 0.5]])
    np.testing.assert_allclose(targets("scalar", two, np.array([0, 1])), [[0.5], [0.5]])
    three = absolute("scalar", np.array([[0.5]], np.float32), np.array([1]), 3)
    np.testing.assert_allclose(three, [[-0.25, 0.5, -0.25]])
    alone = absolute("scalar", np.array([[0.5]], np.float32), np.array([0]), 1, scale=100)
    np.testing.assert_allclose(alone, [[50]])


def test_win_draw_loss_is_a_value_and_back() -> None:
    viewers = np.array([0, 1, 1])
    returns = np.array([[1, -1], [1, -1], [0, 0]], np.float32)
    chances = targets("wdl", returns, viewers)
    assert chances.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    np.testing.assert_allclose(absolute("wdl", np.log(chances + 1e-9), viewers, 2), returns, atol=1e-6)
    huge = absolute("wdl", np.array([[500, 0, -500]], np.float32), np.array([1]), 2)
    np.testing.assert_allclose(huge, [[-1, 1]])


def test_a_checkpoint_comes_back_as_it_was(tmp_path: Path) -> None:
    for game, architecture in [(TIC, replace(SMALL, auxiliary={"reply": 9})), (CARDS, SMALL)]:
        net, description = small(game, architecture)
        path = tmp_path / f"{game.name}.safetensors"
        nets.save(path, net, description)
        again, read = nets.load(path, game)
        assert read == description
        assert not again.training
        assert all(parameter.requires_grad for parameter in again.parameters())
        assert again.state_dict().keys() == net.state_dict().keys()
        for name, tensor in net.state_dict().items():
            assert torch.equal(tensor, again.state_dict()[name]), name
        beside = json.loads(path.with_suffix(".json").read_text())
        assert Description.from_json({key: beside[key] for key in description.to_json()}) == description
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".json", ".safetensors", ".safetensors"]


def test_a_write_that_fails_leaves_the_old_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net, description = small()
    path = tmp_path / "net.safetensors"
    nets.save(path, net, description)
    before = path.read_bytes()

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="no space"):
        nets.save(path, net, description)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    nets.save(path, *small())
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[-5] ^= 1
    for bad in (b"", b"no checkpoint", whole[:5], whole[:200], whole[:-1], whole + b"x", b"\xff" * 100):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match=r"net\.safetensors cannot be loaded: it is damaged.*\.$"):
            nets.load(path)
    path.write_bytes(bytes(flipped))
    with pytest.raises(ValueError, match=r"its weights are damaged\.$"):
        nets.load(path)
    with pytest.raises(ValueError, match="there is no net"):
        nets.load(tmp_path / "none.safetensors")
    with pytest.raises(ValueError, match=r"a checkpoint is a file \*\.safetensors, not net\.pt\."):
        nets.load(tmp_path / "net.pt")


def test_a_description_that_lies_about_the_weights_is_refused_before_it_takes_memory(tmp_path: Path) -> None:
    net, description = small()
    liar = replace(description, architecture=replace(SMALL, channels=4096, blocks=256))  # 77 GB, if it were built
    path = tmp_path / "net.safetensors"
    net.architecture = liar.architecture
    nets.save(path, net, liar)
    with pytest.raises(ValueError, match="not those of its architecture"):
        nets.load(path)


def test_weights_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    net, description = small()
    weights = {name: tensor.bfloat16() for name, tensor in net.state_dict().items()}  # which numpy does not know
    safetensors.torch.save_file(weights, path, {"sevenfold": description.to_text()})
    with pytest.raises(ValueError, match="has another size or kind"):
        nets.load(path)
    safetensors.torch.save_file(net.state_dict(), path)
    with pytest.raises(ValueError, match="the description of this net is not JSON"):
        nets.load(path)


def test_another_game_other_options_other_rules_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    net, description = small(FOUR)
    nets.save(path, net, description)
    with pytest.raises(ValueError, match=r"this net is for connect_four, not for tic_tac_toe\.$"):
        nets.load(path, TIC)
    with pytest.raises(ValueError, match=r"this net is for connect_four with rows=6, not with rows=9\.$"):
        nets.load(path, sf.game("connect_four", rows=9))
    nets.save(path, net, replace(description, version=7))
    with pytest.raises(ValueError, match=r"this net is for connect_four v7, not for v1 of its rules\.$"):
        nets.load(path, FOUR)
    nets.save(path, net, replace(description, varied=("rows", "cols")))  # but without pooling
    with pytest.raises(ValueError, match=r"planes \(3, 6, 7\), .* not for \(3, 9, 7\)"):
        nets.load(path, sf.game("connect_four", rows=9))
    later = description.to_json() | {"format": 2}
    with pytest.raises(ValueError, match="this net is of format 2, and only 1 is known"):
        Description.from_json(later)


def test_a_net_with_pooling_loads_for_the_boards_it_declares_and_no_others(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    nets.save(path, *small(FOUR, BOARDS, varied=("rows", "cols", "blocked")))
    net, description = nets.load(path, sf.game("connect_four", rows=9, cols=12, blocked=(8, 3)))
    assert (net.shape.planes, description.shape.actions) == ((3, 9, 12), 12)
    with pytest.raises(ValueError, match="with connect=4, not with connect=5"):
        nets.load(path, sf.game("connect_four", rows=9, connect=5))
    with pytest.raises(ValueError, match="connect_four has no option 'size'"):
        Description.of(FOUR, BOARDS, varied=("size",))


def test_a_net_for_many_boards_knows_the_sizes_it_has_seen(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    setups = [sf.game("connect_four", rows=rows, cols=9, blocked=(2, 2)) for rows in (9, 11)]
    net, _ = small(setups[1], BOARDS, varied=("rows", "cols", "blocked"))
    description = Description.of(setups[1], BOARDS, ("rows", "cols", "blocked"), setups)
    assert description.ranges == {"rows": (9, 11), "cols": (9, 9)}
    nets.save(path, net, description)
    assert nets.load(path, sf.game("connect_four", rows=10, cols=9))[1].ranges == description.ranges
    with pytest.raises(ValueError, match=r"with rows from 9 to 11, not with rows=12\.$"):
        nets.load(path, sf.game("connect_four", rows=12, cols=9))
    for nonsense in ([], {"rows": [9]}, {"rows": [11, 9]}, {"rows": ["9", "11"]}, 3):
        with pytest.raises(ValueError, match="the ranges of a net are the least and the most of an option"):
            Description.from_json(description.to_json() | {"ranges": nonsense})


@pytest.mark.parametrize(
    ("game", "architecture"),
    [(FOUR, replace(SMALL, value="wdl", auxiliary={"reply": 7})), (FOUR, BOARDS), (CARDS, SMALL)],
    ids=["planes", "pooling", "features"],
)
def test_an_export_says_what_the_net_says(game: sf.Game, architecture: Architecture, tmp_path: Path) -> None:
    net, description = small(game, architecture, varied=("rows",) if architecture.pooling else ())
    path = tmp_path / "net.onnx"
    assert nets.export_onnx(path, net.train(), description, game) <= exporting.TOLERANCE
    assert net.training  # as it was
    assert [one.name for one in tmp_path.iterdir()] == ["net.onnx"]
    session = exporting.session(path)
    assert {one.name for one in session.get_inputs()} == {"features" if game is CARDS else "planes"}
    assert [one.name for one in session.get_outputs()] == ["value", "policy"]
    if architecture.pooling:
        taller = sf.game("connect_four", rows=9)
        assert exporting.compare(path, net, exporting.random_positions(taller, 64)) <= exporting.TOLERANCE


def test_an_export_does_not_say_where_it_was_made(tmp_path: Path) -> None:
    description = Description.of(FOUR, BOARDS)
    path = tmp_path / "net.onnx"
    nets.export_onnx(path, nets.build(BOARDS, description.shape), description, FOUR)
    shipped = sorted(Path(sf.__file__).parent.glob("games/*/model/*.onnx"))
    assert shipped
    for file in (path, *shipped):
        found = file.read_bytes()
        assert b"site-packages" not in found, file.name
        assert str(Path(sf.__file__).parent).encode() not in found, file.name


def test_an_export_that_differs_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net, description = small()
    other = nets.build(SMALL, description.shape)
    write = exporting.write
    monkeypatch.setattr(exporting, "write", lambda path, _, about: write(path, other, about))
    with pytest.raises(ValueError, match=r"net\.onnx was not written: it differs from the net by 0\.\d+\.$"):
        nets.export_onnx(tmp_path / "net.onnx", net, description, TIC)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "shape", "parameters"), FOUNDING, ids=[one[0] for one in FOUNDING])
def test_the_documentation_counts_the_same(name: str, shape: Shape, parameters: int) -> None:
    page = (Path(__file__).parent.parent / "docs/reference/networks.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}`")]
    assert row.split("|")[-2].replace(" ", "") == str(parameters)


@pytest.mark.parametrize(("names", "game"), [(("quick",), TIC), (("laptop", "laptop_large"), FOUR), (("boards",), FOUR),
    (("suits", "suits_small", "suits_deep"), sf.game("sevens")), (("alphago",), FOUR)])  # fmt: skip
def test_the_documentation_counts_those_of_the_house(names: tuple[str, ...], game: sf.Game) -> None:
    page = (Path(__file__).parent.parent / "docs/reference/networks.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| {', '.join(f'`{name}`' for name in names)} |")]
    counts = [nets.build(PRESETS[name], Shape.of(game)).parameter_count for name in names]
    assert row.split("|")[-2].replace(" ", "") == ",".join(map(str, counts))


def test_torch_is_loaded_only_when_it_is_needed() -> None:
    script = (
        "import sys, sevenfold.nets as nets, sevenfold.evaluators.onnx, sevenfold.evaluators.cached\n"
        "assert nets.preset('tutorial').blocks == 5\n"
        "assert not {'torch', 'onnxruntime', 'onnx', 'safetensors'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
