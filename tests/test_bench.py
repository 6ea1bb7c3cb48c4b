"""Proves the measurements of playing strength, at toy size: every subcommand ends with a result, goes on where it was
killed, and is no part of `python -m bench`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def strength(*arguments: str, out: Path, code: tuple[int, ...] = (0, 1), **environment: str) -> str:
    """What a run prints; 1 says that a figure was missed, as it may be at this size."""
    command = [sys.executable, "-m", "bench.strength", *arguments, "--out", str(out)]
    env = os.environ | environment
    answer = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert answer.returncode in code, answer.stderr
    return answer.stderr if code == (2,) else answer.stdout


def results(*arguments: str, out: Path, **environment: str) -> list[dict[str, Any]]:
    found = json.loads(strength(*arguments, "--json", out=out, **environment))
    assert isinstance(found, list)
    return found


def lines(folder: Path) -> list[dict[str, Any]]:
    (path,) = folder.iterdir()
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("report", "--seconds", "0.01"), 0.9),
        (("openspiel", "--seconds", "0.01"), 0.95),
        (("match", "random", "uct:simulations=20", "--preset", "none", "--opening-plies", "3"), None),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_match_is_played_in_pairs_of_one_opening(
    arguments: tuple[str, ...], wanted: float | None, tmp_path: Path
) -> None:
    (result,) = results(*arguments, "--games", "3", out=tmp_path)
    assert result["games"] == 4
    assert result["wanted"] == wanted
    low, high = result["interval"]
    assert 0 <= low <= result["score"] <= high <= 1
    settings, *games = lines(tmp_path)
    assert "settings" in settings
    points = {game["key"]: game["points"] for game in games}
    assert sorted(points) == [0, 1, 2, 3]
    assert sum(points.values()) / 4 == result["score"]
    by_key = {game["key"]: game for game in games}
    assert by_key[0]["game"] == by_key[1]["game"]
    if "random" in arguments:
        assert by_key[0]["history"][:3] == by_key[1]["history"][:3]
        assert by_key[0]["history"] != by_key[1]["history"]
    assert strength(*arguments, "--games", "4", out=tmp_path).count("MISSED") == (not result["reached"])
    assert len(lines(tmp_path)) == 5  # nothing was played again


def test_the_ablation_compares_with_each_step_off(tmp_path: Path) -> None:
    only = ("--only", "solver=false", "--only", "preset=report")
    found = results("ablation", "--seconds", "0.01", "--games", "2", *only, out=tmp_path)
    assert [one["what"] for one in found] == ["uct – solver=false", "uct – preset=report"]
    assert all((one["games"] == 2 and one["elo"] is None) or -4000 < one["elo"] < 4000 for one in found)


def test_values_kept_are_judged_by_the_solver(tmp_path: Path) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    (sets / "Test_L3_R1").write_text("112233 18\n")  # x wins at once, by the fourth in the bottom row
    given = ("pons", "--sets", "L3_R1", "--seconds", "0.05")
    (one,) = results(*given, out=tmp_path / "out", SEVENFOLD_PONS=str(sets))
    assert (one["positions"], one["kept"], one["lost"]) == (1, 1.0, [])
    leftmost = ("--player", "uct:preset=report,simulations=1")  # sees the first column only, which loses
    (one,) = results(*given, *leftmost, out=tmp_path / "out", SEVENFOLD_PONS=str(sets))
    assert (one["positions"], one["kept"], one["lost"]) == (1, 0.0, ["112233"])
    assert strength("pons", out=tmp_path, code=(2,), SEVENFOLD_PONS="").startswith("set SEVENFOLD_PONS")


def test_oversteps_are_measured_while_all_cores_are_busy(tmp_path: Path) -> None:
    (one,) = results("limits", "--seconds", "0.05", "--moves", "2", out=tmp_path)
    assert one["moves"] == 2
    assert one["worst"] >= one["median"] > -1


def test_a_killed_run_goes_on_from_what_is_there(tmp_path: Path) -> None:
    arguments = ["match", "uct:simulations=300", "random", "--processes", "1"]
    command = [sys.executable, "-m", "bench.strength", *arguments, "--games", "5000", "--out", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = list(tmp_path.iterdir())
        if found and found[0].read_bytes().count(b"\n") > 4:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (path,) = tmp_path.iterdir()
    before = path.read_bytes()
    before = before[: before.rindex(b"\n") + 1]
    path.write_bytes(before + b'{"key": 1, "poi')  # as if it had been cut off while writing
    kept = before.count(b"\n") - 1
    assert 4 <= kept < 5000
    (result,) = results(*arguments, "--games", str(kept + 2), out=tmp_path)
    assert result["games"] == kept + 2 + kept % 2
    assert path.read_bytes().startswith(before)
    assert [line["key"] for line in lines(tmp_path)[1:]] == list(range(result["games"]))


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("match", "uct", "nobody"), "there is no player 'nobody'"),
        (("match", "uct:preset=none", "uct"), "uct has no preset 'none'"),
        (("openspiel", "--player", "uct:depth=3"), "uct has no option 'depth'"),
        (("limits", "--player", "nobody"), "there is no player 'nobody'"),
    ],
)
def test_what_is_wrong_is_told_by_a_sentence_before_the_first_game(
    arguments: tuple[str, ...], match: str, tmp_path: Path
) -> None:
    said = strength(*arguments, out=tmp_path, code=(2,))
    assert match in said
    assert said.count("\n") == 1


def alphabeta(*arguments: str) -> Any:
    command = [sys.executable, "-m", "bench.alphabeta", *arguments, "--json"]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout)


def test_the_steps_of_alphabeta_are_compared_with_plain() -> None:
    found = alphabeta("steps", "--positions", "2")
    by_step = {(one["game"].split(",")[0], one["what"]): one for one in found}
    for game in ("easycard arena", "connect_four"):
        assert by_step[game, "plain"]["nodes"] == 1
        assert by_step[game, "all lossless"]["nodes"] < 1
        assert by_step[game, "all lossless"]["changed"] == 0


def test_the_experiment_on_easycard_pairs_everyone_and_goes_on(tmp_path: Path) -> None:
    arguments = ("easycard", "--budgets", "20000 nodes, hp only", "--out", str(tmp_path))
    found = alphabeta(*arguments, "--games", "2")
    assert len(found["duels"]) == 10
    assert all(duel["games"] == 2 and 0 <= duel["second_seat"] <= 1 for duel in found["duels"])
    assert [claim["claim"] for claim in found["claims"]][-1] == "the second mover is favoured"
    sizes = {path: path.stat().st_size for path in tmp_path.iterdir()}
    assert alphabeta(*arguments, "--games", "2")["duels"] == found["duels"]
    assert {path: path.stat().st_size for path in tmp_path.iterdir()} == sizes


def sevens(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "bench.sevens", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_one_deal_of_sevens_has_a_mean_and_no_interval() -> None:
    told = sevens("blocker", "greedy", "--deals", "1").stdout
    assert "(1 deal: no interval)" in told
    assert "±" not in told
    found = json.loads(sevens("blocker", "greedy", "--deals", "1", "--json").stdout)
    assert found["half"] is None
    assert f"{found['mean']:+.1f}" in told
    assert "±" in sevens("blocker", "greedy", "--deals", "2").stdout


def test_equal_players_of_sevens_get_exactly_nothing() -> None:
    found = sevens("greedy", "greedy", "--deals", "40", "--json").stdout
    assert '"mean": 0.0, "half": 0.0' in found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("blocker", "nobody"), "there is no player 'nobody'"),
        (("blocker", "greedy", "--deals", "0"), "deals and workers are at least 1"),
        (("blocker", "greedy", "--preset", "nope"), "no preset 'nope'"),
        (("blocker",), "reference"),
    ],
)
def test_a_mistake_in_measuring_sevens_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    answer = sevens(*arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert words in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert answer.stderr.endswith(".\n")


def test_it_is_no_part_of_the_daily_measurements() -> None:
    command = [sys.executable, "-m", "bench", "--help"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert "playouts" in shown
    assert "strength" not in shown.partition("\n\n")[0]
    assert "alphabeta" not in shown.partition("\n\n")[0]
