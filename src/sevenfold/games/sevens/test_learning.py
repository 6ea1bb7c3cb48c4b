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
    """Over 400 duplicate deals, surely more than nothing."""
    from bench.sevens import duplicate

    found = duplicate(SEVENS, "policy", "blocker", 400)
    assert found.mean - found.half > 0


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
    with pytest.raises(ValueError, match="obs24"):
        behaviours.behaviours(sf.game("sevens", observation="obs11"), deals=12)


def test_the_verb_finds_the_rooms_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviours.behaviours, "__defaults__", (None, "", 12, 1))
    report = own_report("sevens-behaviours")
    assert report is behaviours.report
    told, written, _ = behaviours.report(tmp_path / "out")
    assert json.loads(json.dumps(told)) == told
    assert len(told["found"]) == 3
    assert (
        written[0].read_text(encoding="utf-8").count("| no |") + written[0].read_text(encoding="utf-8").count("| yes |")
        == 3
    )
    assert own_report("sevens-nonsense") is None
