"""What a run on the server tells of itself beside its curves: its config, and its newest net's view of the start."""

import json
import shutil
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold.models import shipped

pytest.importorskip("fastapi")
from server_client import serving

ITERATION = 7


def run_folder(data: Path, id: str = "ttt", game: str = "tic_tac_toe", checkpoint: bool = True) -> None:
    """A run with one checkpoint, the net that the room ships."""
    folder = data / "runs" / id
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"game": game, "preset": "quick", "iterations": 25}))
    if checkpoint:
        net = shipped(sf.game("tic_tac_toe"))
        assert net is not None
        target = folder / "checkpoints" / f"{ITERATION:06d}"
        target.mkdir(parents=True)
        for suffix in (".onnx", ".json"):
            shutil.copy(Path(net).with_suffix(suffix), target / f"net{suffix}")


def test_the_newest_net_says_what_it_thinks_of_the_start(tmp_path: Path) -> None:
    run_folder(tmp_path)
    with serving(tmp_path) as client:
        said = client.get("/api/runs/ttt/thought").json()
    assert said["iteration"] == ITERATION
    assert said["thought"]["player"] == f"run:ttt@{ITERATION}"  # and no path of this machine
    assert sum(one["share"] for one in said["thought"]["actions"]) == pytest.approx(1, abs=1e-4)
    assert len(said["thought"]["actions"]) == 9
    assert abs(said["thought"]["values"][0]) < 0.5  # a good net knows that it is a draw
    assert said["position"]["to_move"] == 0
    assert "ttt" not in json.dumps(said["position"])


def test_a_run_without_a_net_says_so_in_a_sentence(tmp_path: Path) -> None:
    run_folder(tmp_path, checkpoint=False)
    with serving(tmp_path) as client:
        answer = client.get("/api/runs/ttt/thought")
        assert answer.status_code == 400
        assert "wait for its first iteration" in answer.json()["sentence"]
        assert client.get("/api/runs/nobody/thought").status_code == 404


def test_a_run_tells_its_config(tmp_path: Path) -> None:
    run_folder(tmp_path)
    with serving(tmp_path) as client:
        assert client.get("/api/runs/ttt").json()["config"]["iterations"] == 25
