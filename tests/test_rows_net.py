"""Proves the nets of rows that are alike: exchanged rows are exchanged in the policy alone; files; exports."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import torch

import sevenfold as sf
from sevenfold import nets
from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.onnx import OnnxEvaluator
from sevenfold.nets import Architecture, Description, Shape
from sevenfold.nets.positions import random_positions

torch.set_num_threads(1)

SEVENS = sf.game("sevens")
SUITS = replace(nets.preset("suits"), channels=16, value_hidden=8)


def made(architecture: Architecture = SUITS, game: sf.Game = SEVENS) -> tuple[nets.Net, Description]:
    torch.manual_seed(3)
    about = Description.of(game, architecture)
    return nets.build(architecture, about.shape).eval(), about


def test_exchanged_rows_are_exchanged_in_the_policy_and_nowhere_else() -> None:
    net, about = made(replace(SUITS, auxiliary={"belief": 156, "soon": 1}))
    planes, features = torch.randn(5, *about.shape.planes), torch.randn(5, about.shape.features)
    with torch.inference_mode():
        plain = net(planes, features)
        for order in permutations(range(4)):
            turned = net(planes[:, :, list(order)], features)
            rows = plain["policy"].unflatten(1, (4, 13))[:, list(order)].flatten(1)
            assert torch.allclose(turned["policy"], rows, atol=1e-6)
            belief = plain["belief"].unflatten(1, (3, 4, 13))[:, :, list(order)].flatten(1)
            assert torch.allclose(turned["belief"], belief, atol=1e-6)
            for name in ("value", "soon"):
                assert torch.allclose(turned[name], plain[name], atol=1e-6)
        moved = net(planes.roll(1, 3), features)
    assert not torch.allclose(moved["value"], plain["value"], atol=1e-3)  # ranks are not alike


def test_the_suits_of_a_position_are_exchanged_exactly() -> None:
    """The same by the game's own symmetries: what the net says of a turned position is what it says, turned."""
    net, _ = made()
    state = SEVENS.new(4)
    while len(state.history) < 52 + 9:
        state.play_chance() if state.to_move < 0 else state.play(state.legal_actions()[-1])
    seen = [state.symmetric(s) for s in range(state.symmetries)]
    batch = Batch.of(seen)
    with torch.inference_mode():
        out = net(torch.from_numpy(batch.planes), torch.from_numpy(batch.features))
    for s in range(state.symmetries):
        for action in state.legal_actions():
            turned = out["policy"][s, state.symmetric_action(s, action)]
            assert float(turned) == pytest.approx(float(out["policy"][0, action]), abs=1e-5)
        assert torch.allclose(out["value"][s], out["value"][0], atol=1e-5)


def test_values_are_points_and_add_up_to_nothing() -> None:
    net, about = made()
    assert about.scale == 100.0
    with torch.inference_mode():
        value = net(100 * torch.randn(4, *about.shape.planes), torch.randn(4, about.shape.features))["value"]
    assert torch.allclose(value.sum(1), torch.zeros(4), atol=1e-3)
    assert value.abs().max() > 1  # linear: no tanh holds it


def test_a_pass_comes_after_the_cells() -> None:
    game = sf.game("sevens", preset="fan_tan")
    architecture = replace(SUITS, balanced=game.sum == "zero")
    net, about = made(architecture, game)
    out = net(torch.randn(2, *about.shape.planes), torch.randn(2, about.shape.features))
    assert out["policy"].shape == (2, 53)


def test_files_and_exports_say_the_same(tmp_path: Path) -> None:
    net, about = made()
    nets.save(tmp_path / "net.safetensors", net, about)
    again, said = nets.load(tmp_path / "net.safetensors", SEVENS)
    assert said == about
    assert nets.export_onnx(tmp_path / "net.onnx", again, about, SEVENS) <= 1e-4
    batch = random_positions(SEVENS, 8)
    values, logits = OnnxEvaluator(tmp_path / "net.onnx", SEVENS).evaluate(batch)
    with torch.inference_mode():
        out = net(torch.from_numpy(batch.planes), torch.from_numpy(batch.features))
    assert np.allclose(logits, out["policy"].numpy(), atol=1e-4)
    own = values[np.arange(8), batch.viewers]
    assert np.allclose(own, 100 * out["value"][:, 0].numpy(), atol=1e-2)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"policy": "dense", "policy_hidden": 8}, "policy_hidden"),
        ({"pooling": True}, "pooling"),
        ({"value": "scalar"}, "balanced"),
        ({"value_unit": -1.0}, "value_unit"),
        ({"family": "columns"}, "family"),
    ],
)
def test_what_it_does_not_have_is_refused(change: dict[str, object], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        replace(SUITS, **change)  # type: ignore[arg-type]


def test_a_game_without_planes_is_refused() -> None:
    with pytest.raises(ValueError, match="planes"):
        nets.build(SUITS, Shape((0, 0, 0), 5, 10, 4))
