"""Proves the start from a net: layers that fit are taken over, the others are fresh, and the run says which; what
cannot be started from is refused and leaves nothing behind; a start that was killed is done again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import sevenfold as sf
from sevenfold import nets
from sevenfold.cli import run as command
from sevenfold.nets import Architecture, Description, Shape
from sevenfold.nets.transfer import take_over
from sevenfold.train import Config, Run, train
from sevenfold.train.begin import resume
from sevenfold.train.progress import Progress
from sevenfold.train.report import Report, text_of
from sevenfold.train.trial import Trial

TIC = sf.game("tic_tac_toe")
TINY = Architecture(blocks=2, channels=8, value_hidden=8)
SETTINGS: dict[str, Any] = {"games": 4, "actors": 1, "selfplay.simulations": 4, "learning.batch": 32, "iterations": 1}
SETTINGS |= {"learning.warmup": 0, "learning.bfloat16": False, "overlap": False}


def config(**more: Any) -> Config:
    return Config("tic_tac_toe", net=TINY, seed=1).changed(SETTINGS | more)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(5)
    path = tmp_path_factory.mktemp("net") / "mine.safetensors"
    net = nets.build(TINY, Shape.of(TIC)).train()
    net(torch.randn(32, *TIC.planes))  # its normalisations have seen something
    nets.save(path, net, Description.of(TIC, TINY))
    return path


def first_net(run: Run) -> dict[str, torch.Tensor]:
    weights: dict[str, torch.Tensor] = nets.load(run.checkpoint(0) / "net.safetensors")[0].state_dict()
    return weights


# Layers


def test_layers_of_the_same_name_and_shape_are_taken_over_with_their_normalisations(source: Path) -> None:
    old, _ = nets.load(source)
    wider = Architecture(blocks=3, channels=8, value_hidden=8, value="wdl", policy_channels=3)
    new = nets.build(wider, Shape.of(TIC))
    random = {name: one.clone() for name, one in new.state_dict().items()}
    found = take_over(new, old)
    assert found.fresh == (
        "tower.2.first.0",
        "tower.2.first.1",
        "tower.2.second.0",
        "tower.2.second.1",
        "policy.conv.0.0",
        "policy.conv.0.1",
        "policy.dense.0",
        "value.dense.2",
    )
    assert {"stem.0", "stem.1", "tower.1.second.1", "value.conv.0.0", "value.dense.0"} <= set(found.taken)
    mine, theirs = new.state_dict(), old.state_dict()
    for name, one in mine.items():
        layer = name.rpartition(".")[0]
        assert torch.equal(one, theirs[name] if layer in found.taken else random[name]), name
        assert (layer in found.taken) != (layer in found.fresh)


def test_a_normalisation_is_not_taken_over_without_the_layer_before_it(source: Path) -> None:
    old, _ = nets.load(source)
    more_planes = Shape((5, 3, 3), 0, 9, 2)
    new = nets.build(TINY, more_planes)
    found = take_over(new, old)
    assert found.fresh == ("stem.0", "stem.1")
    assert torch.equal(new.state_dict()["stem.1.running_mean"], torch.zeros(8))


def test_rows_begin_where_the_other_net_stood_with_more_planes_and_blocks() -> None:
    """Planes after the others and new blocks change nothing at first."""
    torch.manual_seed(6)
    few = Architecture(family="rows", blocks=1, channels=8, value_hidden=8, value="players")
    old = nets.build(few, Shape((3, 4, 5), 2, 20, 2)).eval()
    new = nets.build(replace(few, blocks=2), Shape((5, 4, 5), 2, 20, 2)).eval()
    found = take_over(new, old)
    assert "stem" in found.taken
    assert set(found.fresh) == {"tower.1.first", "tower.1.around", "tower.1.second"}
    planes, features = torch.rand(6, 5, 4, 5), torch.rand(6, 2)
    mine, theirs = new(planes, features), old(planes[:, :3], features)
    assert all(torch.allclose(mine[name], theirs[name], atol=1e-6) for name in ("policy", "value"))
    fewer = nets.build(few, Shape((2, 4, 5), 2, 20, 2))
    assert "stem" in take_over(fewer, old).fresh


# Runs


def test_a_run_starts_from_a_net_and_says_so(source: Path, tmp_path: Path) -> None:
    said: list[str] = []
    run = train(
        TIC,
        out=tmp_path / "run",
        config=config(**{"net.value": "wdl"}),
        from_net=source,
        watch=lambda progress: said.extend(set(progress.said) - set(said)),
    )
    theirs = nets.load(source)[0].state_dict()
    mine = first_net(run)
    assert torch.equal(mine["tower.0.first.0.weight"], theirs["tower.0.first.0.weight"])
    assert mine["value.dense.2.weight"].shape != theirs["value.dense.2.weight"].shape
    (line,) = run.lines("start")
    assert line["fresh"] == ["value.dense.2"]
    assert (line["net"], line["game"]) == (str(source), "tic_tac_toe")
    assert said == [f"started from {source} (tic_tac_toe): 16 of 17 layers taken over; fresh are value.dense.2."]
    assert "16 of 17 layers were taken over, and fresh were `value.dense.2`." in text_of(Report.of(run), [])
    assert run.iterations() == [0, 1]
    again = resume(run.folder)
    assert again.lines("start") == [line]


def test_without_one_weights_are_random_and_nothing_is_said(tmp_path: Path) -> None:
    run = train(TIC, out=tmp_path / "run", config=config(iterations=1))
    assert run.lines("start") == []
    assert not run.start.exists()


def test_a_run_a_model_and_the_shipped_net_can_be_started_from(source: Path, tmp_path: Path) -> None:
    run = train(TIC, out=tmp_path / "first", config=config(), from_net=source)
    second = train(TIC, out=tmp_path / "second", config=config(), from_net=run.folder)
    plays = nets.load(run.checkpoint(1) / "mean.safetensors")[0].state_dict()
    assert all(torch.equal(one, plays[name]) for name, one in first_net(second).items())
    shipped = nets.load(Path(TIC.room.__file__ or "").parent / "model" / "net.safetensors")[1]
    third = train(TIC, out=tmp_path / "third", config=config(net=shipped.architecture.to_json()), from_net="shipped")
    assert third.lines("start")[0]["fresh"] == []
    assert third.config.from_net == "shipped"


class _KilledError(Exception):
    pass


def test_a_killed_start_is_done_again_without_the_file(source: Path, tmp_path: Path) -> None:
    def kill(progress: Progress) -> None:
        if progress.phase == "checkpoint":
            raise _KilledError

    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(source.read_bytes())
    with pytest.raises(_KilledError):
        train(TIC, out=tmp_path / "run", config=config(), from_net=copy, watch=kill)
    copy.unlink()
    run = resume(tmp_path / "run")
    theirs = nets.load(source)[0].state_dict()
    assert all(torch.equal(one, theirs[name]) for name, one in first_net(run).items())
    assert run.lines("start")[0]["fresh"] == []


# What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"net.channels": 16},
            r"nothing of the tower of the net .*mine\.safetensors fits .* it has net\.channels=8\.$",
        ),
        ({"from_net": "nowhere.onnx"}, r"there is no net 'nowhere\.onnx'"),
        ({"learning.device": "cuda:7"}, r"there is no CUDA device here"),
        ({"net.auxiliary": {"nobody": 3}}, r"nothing teaches the auxiliary head"),
    ],
)
def test_a_run_that_cannot_begin_leaves_no_folder(
    change: dict[str, Any], message: str, source: Path, tmp_path: Path
) -> None:
    if change.get("learning.device") and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    out = tmp_path / "deep" / "run"
    with pytest.raises(ValueError, match=message) as error:
        train(TIC, out=out, config=config(**{"from_net": str(source)} | change))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "deep").exists()


def test_a_damaged_net_is_refused_by_its_name(source: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(source.read_bytes()[:-40])
    with pytest.raises(ValueError, match=r"the net .*broken\.safetensors cannot be loaded: it is damaged"):
        train(TIC, out=tmp_path / "run", config=config(), from_net=broken)
    assert not (tmp_path / "run").exists()


def test_the_command_line_takes_it(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = [f"--set={name}={json.dumps(value)}" for name, value in SETTINGS.items() if name != "iterations"]
    small += [f"--set=net={json.dumps(TINY.to_json())}"]
    out = tmp_path / "run"
    asked = ["train", "tic_tac_toe", f"--out={out}", "--iterations=1", f"--from-net={source}", *small]
    assert command([*asked, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["event"] for one in events] == ["start", "iteration", "done"]
    assert events[0]["fresh"] == []
    assert command(["train", f"--resume={out}", f"--from-net={source}"]) == 2
    assert "--from-net" in capsys.readouterr().err


def test_the_dry_run_tries_it(source: Path) -> None:
    trial = Trial(TIC, config(from_net=str(source), **{"net.blocks": 1, "net.value": "wdl"}))
    trial._net_fits()
    trial._train()
    said = next(one.text for one in trial.findings if one.text.startswith("Started from"))
    assert said.endswith("12 of 13 layers taken over; fresh are value.dense.2.")
    assert trial.ok
