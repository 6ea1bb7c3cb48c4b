"""Proves the room's net and what is said about it: it is for the usual game, gains among blockers, is reported on."""

import json
from pathlib import Path

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import models
from sevenfold.cli.train import own_report
from sevenfold.games.sevens import behaviours, interventions
from sevenfold.train.config import preset, preset_names

pytest.importorskip("onnxruntime")

SEVENS = sf.game("sevens")


def test_the_net_is_for_the_usual_table_however_it_is_scored() -> None:
    assert models.shipped(SEVENS) is not None
    assert models.shipped(sf.game("sevens", mult_dealer_loses=1.0)) == models.shipped(SEVENS)
    for other in ({"preset": "fan_tan"}, {"num_players": 3}, {"observation": "obs11"}):
        assert models.shipped(sf.game("sevens", **other)) is None


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
    names = ["sniper", "withhold", "panic", "cliff", "dealer_rule", "threshold_rule"]
    assert [one.name for one in found.found] == names
    assert all(0 <= one.measured.get("changed", 0) <= 1 for one in found.found)
    assert all(one.decisions > 0 for one in found.found[:5])  # few deals, and perhaps nobody near the threshold
    assert found.curves["value"][0] > found.curves["value"][-1]  # more sunk points are worse
    with pytest.raises(ValueError, match="10 deals"):
        behaviours.behaviours(deals=1)
    with pytest.raises(ValueError, match="obs24 or timed"):
        behaviours.behaviours(sf.game("sevens", observation="obs11"), deals=12)


def test_cards_held_back_are_compared_with_others_that_are_alike() -> None:
    """Where somebody waits 0.9 is held back, else 0.5 of low cards and 0.7 of high ones; most who wait see high
    ones."""
    rng = np.random.default_rng(1)
    high, deals = rng.random(4000) < 0.5, rng.integers(0, 50, 4000)
    hungry = rng.random(4000) < np.where(high, 0.8, 0.1)
    held = np.where(hungry, 0.9, np.where(high, 0.7, 0.5))
    alike = high.astype(np.int64)[:, None]
    mean, error = behaviours.matched(held, hungry, alike, deals, rng)
    share = high[hungry].mean()
    assert mean == pytest.approx(0.2 * share + 0.4 * (1 - share))
    assert 0 < error < 0.01
    nobody = behaviours.matched(held, np.zeros(4000, bool), alike, deals, rng)
    assert nobody == (0.0, 0.0)


@pytest.mark.parametrize("option", ["mult_dealer_loses", "mult_threshold"])
def test_the_same_rules_change_no_decision_and_others_do(option: str) -> None:
    same = interventions.intervene(SEVENS, option, 12, 1, value=2.0)
    assert len(same.changed) > 0
    assert not same.changed.any()
    assert interventions.intervene(SEVENS, option, 12, 1, value=0.0).changed.any()


def test_the_verb_finds_the_rooms_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviours.behaviours, "__defaults__", (None, "", 12, 1))
    report = own_report("sevens-behaviours")
    assert report is behaviours.report
    told, written, _ = behaviours.report(tmp_path / "out")
    assert json.loads(json.dumps(told)) == told
    assert len(told["found"]) == 6
    assert {path.stem for path in written} == {"behaviours"} | {one["name"] for one in told["found"]}
    assert (
        written[0].read_text(encoding="utf-8").count("| no |") + written[0].read_text(encoding="utf-8").count("| yes |")
        == 6
    )
    assert own_report("sevens-nonsense") is None


def test_finished_deals_of_a_match_are_kept_whatever_was_cut_short_before(tmp_path: Path) -> None:
    from bench.sevens import keep_line, kept_scores

    path, about = tmp_path / "kept.jsonl", {"candidate": "alphazero", "net": "a"}
    path.write_text('[1]\nnull\n{"candidate": "alphazero", "net": "a", "deal": 7, "score": NaN}\n{"candi', "utf-8")
    for deal in (1, 2):
        keep_line(str(path), about | {"deal": deal, "score": deal / 2})
    keep_line(str(path), about | {"net": "b", "deal": 3, "score": 1.0})
    assert kept_scores(str(path), about) == {1: 0.5, 2: 1.0}


@pytest.mark.parametrize("preset", ["cn_pairwise", "tw_table"])
def test_the_net_plays_where_only_the_scoring_differs(preset: str) -> None:
    game = sf.game("sevens", preset=preset)
    state = game.new(1)
    while not state.is_over:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(sf.player("policy", game).think(state).action)
