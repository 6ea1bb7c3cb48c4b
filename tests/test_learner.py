"""Proves the learner: every term of the loss by hand, steps that do what the formulas say, no harm by numbers that are
none, and the same weights from a run that is interrupted."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from helpers import refused
from selfplay_games import Three, played
from training_runs import TINY, begin, config, watched

import sevenfold as sf
from sevenfold import nets
from sevenfold.nets import Architecture, Description
from sevenfold.train import saving
from sevenfold.train.config import Learning, Replaying
from sevenfold.train.learner import Learner, NotANumberError, multiplies_16_bits
from sevenfold.train.replay import Replay, Samples

TIC = sf.game("tic_tac_toe")


def learner(game: sf.Game = TIC, net: Architecture = TINY, **given: Any) -> Learner:
    torch.manual_seed(1)
    about = Description.of(game, net)
    plain: dict[str, Any] = {"bfloat16": False, "warmup": 0, "clip": 0.0, "ema": 0.0, "l2": 0.0}
    return Learner(nets.build(net, about.shape), about, Learning(**plain | given))


def test_values_beyond_the_unit_of_a_tanh_are_clipped_and_counted() -> None:
    """The founding document of Sevens divides by 800, and a deal may pay 1960."""
    small = samples()
    large = changed(small, values=small.values * 1600)
    mine = learner(net=dataclasses.replace(TINY, value="scalar", value_unit=800.0))
    _, found = mine.loss(large)
    own = large.values[np.arange(len(large.viewers)), large.viewers]
    assert found.clipped == pytest.approx(float((abs(own) > 800).mean()))
    assert found.clipped > 0
    _, same = mine.loss(changed(small, values=np.clip(large.values, -800, 800)))
    assert same.clipped == 0
    assert found.value == pytest.approx(same.value)
    assert learner().loss(small)[1].clipped is None


@pytest.mark.parametrize(
    ("has", "wanted"), [({"avx512_bf16": True}, True), ({"avx512_bf16": False}, False), ({}, False)]
)
def test_layers_are_in_16_bits_only_where_the_processor_multiplies_them(
    monkeypatch: pytest.MonkeyPatch, has: dict[str, bool], wanted: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has)
    assert multiplies_16_bits("cpu") is wanted
    assert multiplies_16_bits("cuda:0")
    assert learner(bfloat16=True).sixteen_bits is wanted
    assert not learner().sixteen_bits


def samples(game: sf.Game = TIC, count: int = 24, seed: int = 1) -> Samples:
    kept = Replay([game], Replaying())
    kept.add(played(game, 6, simulations=6, full_share=0.5, fast_simulations=4, value_mix=0.3, seed=seed))
    return kept.draw(count, np.random.default_rng(seed))


def changed(given: Samples, **arrays: Any) -> Samples:
    return Samples(**{name: getattr(given, name) for name in Samples.__dataclass_fields__} | arrays)


def outputs(mine: Learner, given: Samples) -> dict[str, np.ndarray]:
    mine.net.train()
    with torch.no_grad():
        planes = torch.from_numpy(given.planes) if given.planes.size else None
        found = mine.net(planes, torch.from_numpy(given.features) if given.features.size else None)
    return {name: value.numpy().astype(np.float64) for name, value in found.items()}


def softmax(x: np.ndarray) -> np.ndarray:
    odds = np.exp(x - x.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


@pytest.mark.parametrize(
    ("game", "head"), [(TIC, "scalar"), (TIC, "players"), (TIC, "wdl"), (sf.game(Three), "players")]
)
def test_the_loss_by_hand(game: sf.Game, head: str) -> None:
    net = Architecture(blocks=1, channels=8, value=head, value_hidden=8)  # type: ignore[arg-type]
    mine = learner(game, net, value_weight=1.5, policy_weight=0.7, l2=0.01)
    given = samples(game)
    found, terms = mine.loss(given)
    out = outputs(mine, given)
    n, scale = len(given.rows), mine.description.scale
    value = policy = entropy = hits = 0.0
    for i in range(n):
        viewer = int(given.viewers[i])
        own = given.values[i] / scale
        turned = [own[(viewer + j) % game.players] for j in range(game.players)]
        if head == "scalar":
            value += (turned[0] - out["value"][i, 0]) ** 2
        elif head == "players":
            value += sum((turned[j] - out["value"][i, j]) ** 2 for j in range(game.players))
        else:
            p = softmax(out["value"][i : i + 1])[0]
            z = max(turned[0], 0), 1 - abs(turned[0]), max(-turned[0], 0)
            value -= sum(z[j] * math.log(p[j]) for j in range(3))
        legal = np.flatnonzero(given.legal[i])
        p = softmax(out["policy"][i : i + 1, legal])[0]
        pi = given.policy[i, legal]
        assert pi.sum() == pytest.approx(1, abs=1e-4)
        if given.policy_weight[i]:
            policy -= sum(pi[j] * math.log(p[j]) for j in range(len(legal)))
            entropy -= sum(pi[j] * math.log(pi[j]) for j in range(len(legal)) if pi[j] > 0)
            hits += p.argmax() == pi.argmax()
    assert 0 < given.policy_weight.sum() < n
    norm = sum(float(p.detach().square().sum()) for p in mine.net.parameters() if p.ndim > 1)
    assert terms.value == pytest.approx(1.5 * value / n, rel=1e-4)
    assert terms.policy == pytest.approx(0.7 * policy / n, rel=1e-4)
    assert terms.entropy == pytest.approx(0.7 * entropy / n, rel=1e-4)
    assert terms.correct == pytest.approx(hits / given.policy_weight.sum())
    assert terms.l2 == pytest.approx(0.01 * norm)
    assert found.item() == pytest.approx(terms.value + terms.policy, rel=1e-5)


class Fixed(torch.nn.Module):
    """Says what its parameters are."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(torch.randn(rows, 9))
        self.value = torch.nn.Parameter(torch.zeros(rows, 1))

    def forward(self, planes: Any, features: Any = None) -> dict[str, torch.Tensor]:
        return {"value": torch.tanh(self.value), "policy": self.logits}


def test_illegal_actions_get_no_gradient() -> None:
    mine, given = learner(), samples()
    mine.net = fixed = Fixed(24)  # type: ignore[assignment]
    mine.loss(given)[0].backward()
    gradient, legal = fixed.logits.grad, torch.from_numpy(given.legal)
    assert gradient is not None
    assert (gradient[legal == 0] == 0).all()
    taught = torch.from_numpy(given.policy_weight) > 0
    assert (gradient[~taught] == 0).all()
    p = torch.softmax(fixed.logits.detach().masked_fill(legal == 0, -1e9), 1)
    wanted = (p - torch.from_numpy(given.policy))[taught] / 24
    assert torch.allclose(gradient[taught], wanted, atol=1e-6)
    assert (gradient[taught].abs().sum(1) > 0).any()


def gradients(mine: Learner, given: Samples) -> dict[str, torch.Tensor]:
    mine.net.train()
    mine.loss(given)[0].backward()
    out = {name: p.grad.clone() for name, p in mine.net.named_parameters() if p.grad is not None}
    mine.net.zero_grad()
    return out


def weights(mine: Learner) -> dict[str, torch.Tensor]:
    return {name: p.detach().clone() for name, p in mine.net.named_parameters()}


@pytest.mark.parametrize("optimiser", ["sgd", "adamw"])
def test_weights_shrink_but_biases_do_not(optimiser: str) -> None:
    mine, plain = (learner(optimiser=optimiser, rate=0.1, momentum=0.0, l2=c) for c in (0.01, 0.0))
    given = samples()
    slope, before = gradients(mine, given), weights(mine)
    mine.step(given, 0.0)
    plain.step(given, 0.0)
    for name, after in weights(mine).items():
        shrink = 0.1 * 2 * 0.01 * before[name] if before[name].ndim > 1 else 0 * before[name]
        if optimiser == "sgd":
            assert torch.allclose(after, before[name] - 0.1 * slope[name] - shrink, atol=1e-6)
        else:
            assert torch.allclose(after, weights(plain)[name] - 250 * shrink, atol=1e-5)


def test_gradients_are_clipped() -> None:
    given = samples()
    mine = learner(optimiser="sgd", rate=0.5, momentum=0.0, clip=0.01)
    slope, before = gradients(mine, given), weights(mine)
    length = math.sqrt(sum(float(one.square().sum()) for one in slope.values()))
    assert length > 0.01
    mine.step(given, 0.0)
    for name, after in weights(mine).items():
        assert torch.allclose(after, before[name] - 0.5 * slope[name] * 0.01 / length, atol=1e-6)


def test_the_rate_rises_and_falls() -> None:
    mine = learner(rate=0.2, final_rate=0.02, warmup=4)
    rates = []
    for steps in range(6):
        mine.steps = steps
        rates.append(mine.rate(0.0))
    assert rates == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.2, 0.2])
    assert [mine.rate(share) for share in (0.25, 0.5, 1.0, 1.7)] == pytest.approx(
        [0.02 + 0.18 * (1 + math.cos(math.pi / 4)) / 2, 0.11, 0.02, 0.02]
    )
    mine.step(samples(), 0.5)
    assert {group["lr"] for group in mine.optimiser.param_groups} == {mine.rate(0.5)}


def test_the_mean_follows_the_weights() -> None:
    mine = learner(ema=0.5, rate=0.05)
    mean = {name: tensor.clone() for name, tensor in mine.mean.state_dict().items()}
    for step in range(1, 25):
        mine.step(samples(seed=step % 3), 0.0)
        keep = min(0.5, (1 + step) / (10 + step))
        for name, new in mine.net.state_dict().items():
            mean[name] = keep * mean[name] + (1 - keep) * new if new.is_floating_point() else new.clone()
    for name, tensor in mine.mean.state_dict().items():
        assert torch.allclose(tensor, mean[name], atol=1e-5)
    plain = learner(ema=0.0)
    plain.step(samples(), 0.0)
    assert all((plain.net.state_dict()[name] == one).all() for name, one in plain.mean.state_dict().items())


# Numbers that are none


def test_what_is_no_number_is_not_learnt(tmp_path: Path) -> None:
    given = samples()
    bad = changed(given, values=np.where(np.arange(24)[:, None] == 5, np.float32("nan"), given.values))
    for wrong in (bad, changed(given, policy=given.policy * np.float32("nan"))):
        mine = learner()
        before = weights(mine)
        with pytest.raises(NotANumberError):
            mine.step(wrong, 0.0)
        assert all((weights(mine)[name] == one).all() for name, one in before.items())
        assert mine.steps == 0
    mine = learner()
    with torch.no_grad():
        next(mine.net.parameters())[0] = float("inf")
    with pytest.raises(NotANumberError):
        mine.step(given, 0.0)


def test_a_gradient_that_is_no_number_is_not_taken() -> None:
    """The loss may be a number where its slope is none; the weights would not be any more."""
    for clip in (0.0, 1.0):
        mine, given = learner(clip=clip), samples()
        hook = next(mine.net.parameters()).register_hook(lambda slope: slope * float("inf"))
        before = weights(mine)
        with pytest.raises(NotANumberError):
            mine.step(given, 0.0)
        assert all((weights(mine)[name] == one).all() for name, one in before.items())
        hook.remove()


def test_a_run_stops_with_the_batch_saved(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    kept = Replay([TIC], Replaying(symmetries=False))
    kept.add(played(TIC, 6, simulations=4))
    given = kept.draw(16, np.random.default_rng(1))
    bad = changed(given, values=given.values * np.float32("nan"))
    mine = learner()
    mine.steps = 41
    with refused(r"no number any more, at step 42; the batch and its positions are in .*nan-42\.npz"):
        saving.step(mine, bad, 0.0, run, kept)
    with np.load(run.folder / "nan-42.npz") as file:
        assert (file["planes"] == given.planes).all()
        assert np.isnan(file["values"]).all()
    lines = [json.loads(line) for line in (run.folder / "nan-42.jsonl").read_text().splitlines()]
    assert len(lines) == 16
    for i, line in enumerate(lines):
        state = sf.game(line["game"]).replay(line["actions"])
        assert (state.observe().planes == given.planes[i]).all()
    assert sorted(path.name for path in run.folder.iterdir()) == ["config.json", "nan-42.jsonl", "nan-42.npz"]


# Where it was


@pytest.mark.parametrize("optimiser", ["sgd", "adamw"])
def test_the_optimiser_goes_on_where_it_was(optimiser: str) -> None:
    first, second = learner(optimiser=optimiser, l2=1e-3), learner(optimiser=optimiser, l2=1e-3)
    second.load_optimiser(first.optimiser_tensors())  # nothing before the first step
    second.load_optimiser({"none": torch.zeros(1)})
    for step in range(3):
        first.step(samples(seed=step), 0.1)
    second.net.load_state_dict(first.net.state_dict())
    second.mean.load_state_dict(first.mean.state_dict())
    second.load_optimiser({name: one.clone() for name, one in first.optimiser_tensors().items()})
    second.steps = first.steps
    for step in range(3):
        first.step(samples(seed=step), 0.2)
        second.step(samples(seed=step), 0.2)
    for name, one in first.net.state_dict().items():
        assert torch.equal(one, second.net.state_dict()[name])
    other = learner(net=Architecture(blocks=1, channels=4, value_hidden=8), optimiser=optimiser)
    with refused("not of this net"):
        other.load_optimiser(first.optimiser_tensors())
    with refused("not of this net"):
        first.load_optimiser({"strange": torch.zeros(1)})
    with refused("not of this net"):
        first.load_optimiser({"999.momentum_buffer": torch.zeros(1)})


class Stop(Exception):  # noqa: N818
    pass


def test_an_interrupted_run_comes_to_the_same_weights(tmp_path: Path) -> None:
    """Two iterations, a break, two more; or four at once."""
    settings = {"actors": 1, "overlap": False, "games": 8, "learning.passes": 3, "learning.l2": 1e-3}

    def stop(progress: Any) -> None:
        if progress.phase == "iteration" and progress.iteration == 2:
            raise Stop

    whole, parts = begin(tmp_path / "whole", **settings), begin(tmp_path / "parts", **settings)
    watched(whole).go()
    with pytest.raises(Stop):
        watched(parts, stop).go()
    assert parts.iterations()[-1] == 2
    watched(parts).go()
    for name in ("net.safetensors", "mean.safetensors", "optimiser.safetensors"):
        mine, its = (safetensors.torch.load_file(run.checkpoint(4) / name) for run in (whole, parts))
        assert mine.keys() == its.keys()
        assert all(torch.equal(mine[key], its[key]) for key in mine)  # the order of the files' headers is random
    for line, other in zip(whole.lines("metrics"), parts.lines("metrics"), strict=True):
        clocks = {key for key in line if key.endswith("seconds")}
        assert {key: line[key] for key in line.keys() - clocks} == {key: other[key] for key in other.keys() - clocks}
    assert whole.config == config(**settings)
