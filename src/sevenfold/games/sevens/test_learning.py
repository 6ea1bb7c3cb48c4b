"""Proves the room's net and what is said about it: it is for the usual game, gains among blockers, is reported on."""

import json
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold import models
from sevenfold.cli.train import own_report
from sevenfold.games.sevens import behaviours
from sevenfold.train.config import preset, preset_names

pytest.importorskip("onnxruntime")

SEVENS = sf.game("sevens")


def test_the_net_is_for_the_usual_game_alone() -> None:
    assert models.shipped(SEVENS) is not None
    assert models.shipped(sf.game("sevens", preset="fan_tan")) is None
    assert models.shipped(sf.game("sevens", mult_dealer_loses=1.0)) is None


def test_the_policy_gains_among_blockers() -> None:
    """Over 250 duplicate deals, surely more than nothing."""
    from bench.sevens import duplicate

    found = duplicate(SEVENS, "policy", "blocker", 250)
    assert found.mean - found.half > 0


def test_three_against_one_is_the_other_side_of_one_against_three() -> None:
    """In a zero-sum game three get together what the fourth loses; a net and a rule-based player alike."""
    from bench.sevens import by_tables

    three = by_tables(SEVENS, "policy", "blocker", 20, 3, True)
    one = by_tables(SEVENS, "blocker", "policy", 20, 3, False)
    assert three.mean == pytest.approx(-one.mean / 3, abs=1e-4)
    assert str(three).startswith("three policy with one blocker")


def test_the_net_says_how_it_is_searched_with(tmp_path: Path) -> None:
    usual = {"weigh": "off", "weighed": 256, "follow": False, "trust": 0.0}
    (tmp_path / "net.json").write_text(
        json.dumps({"belief": {"weigh": "net", "weighed": "many", "follow": 1, "trust": 50, "other": 3}})
    )
    assert models.default_belief(tmp_path / "net.onnx", usual) == {"weigh": "net", "trust": 50.0}
    assert models.default_belief(tmp_path / "none.onnx", usual) == {}
    (tmp_path / "net.json").write_text('{"belief": 7}')
    assert models.default_belief(tmp_path / "net.onnx", usual) == {}


@pytest.mark.parametrize("name", ["quick", "laptop", "response", "sevens", "sevens_deep"])
def test_presets_can_be_read(name: str) -> None:
    assert name in preset_names(SEVENS)
    assert preset(name, SEVENS).game == SEVENS.spec


def test_behaviours_are_told(tmp_path: Path) -> None:
    found = behaviours.behaviours(deals=12)
    assert [one.name for one in found.found] == ["sniper", "panic", "cliff"]
    assert all(0 <= one.measured.get("changed", 0) <= 1 and one.decisions > 0 for one in found.found)
    assert found.curves["value"][0] > found.curves["value"][-1]  # more sunk points are worse
    with pytest.raises(ValueError, match="10 deals"):
        behaviours.behaviours(deals=1)
    with pytest.raises(ValueError, match="obs24 or timed"):
        behaviours.behaviours(sf.game("sevens", observation="obs11"), deals=12)


def test_the_verb_finds_the_rooms_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviours.behaviours, "__defaults__", (None, "", 12, 1))
    report = own_report("sevens-behaviours")
    assert report is behaviours.report
    told, written, _ = behaviours.report(tmp_path / "out")
    assert json.loads(json.dumps(told)) == told
    assert len(told["found"]) == 3
    assert {path.stem for path in written} == {"behaviours", "sniper", "panic", "cliff"}
    assert (
        written[0].read_text(encoding="utf-8").count("| no |") + written[0].read_text(encoding="utf-8").count("| yes |")
        == 3
    )
    assert own_report("sevens-nonsense") is None
