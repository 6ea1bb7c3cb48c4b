"""Proves that a run that is refused is left as it was: by the command line, with an end that it was to get."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from training_runs import TINY

from sevenfold.cli import run as command
from sevenfold.train import Config, Run, train
from sevenfold.train import run as run_module

SETTINGS: dict[str, Any] = {"games": 4, "actors": 1, "selfplay.simulations": 4, "learning.batch": 32}
SETTINGS |= {"learning.warmup": 0, "learning.bfloat16": False, "overlap": False, "iterations": 1}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("done") / "run"
    train("tic_tac_toe", out=folder, config=Config("tic_tac_toe", net=TINY).changed(SETTINGS))
    return folder


@pytest.fixture
def run(done: Path, tmp_path: Path) -> Run:
    shutil.copytree(done, tmp_path / "run")
    (tmp_path / "run" / "checkpoints" / ".000002").mkdir()  # what a killed process left
    return Run(tmp_path / "run")


def everything(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in folder.rglob("*")
    }


def refused(run: Run, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    before = everything(run.folder)
    assert command(["train", "--resume", str(run.folder), "--iterations", "9", "--quiet", *more]) == 2
    assert everything(run.folder) == before
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_whose_checkpoints_are_all_damaged(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for number in run.iterations():
        (run.checkpoint(number) / "net.safetensors").write_bytes(b"nothing")
    assert "all of its checkpoints are damaged" in refused(run, capsys)
    assert len(run.lines("metrics")) == 1


def test_at_once_and_ends(run: Run) -> None:
    """As a process of its own, which has handlers of signals that its actors inherit."""
    for number in run.iterations():
        (run.checkpoint(number) / "net.safetensors").write_bytes(b"nothing")
    call = [sys.executable, "-m", "sevenfold", "train", "--resume", str(run.folder), "--iterations", "9", "--quiet"]
    for _ in range(3):
        done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert done.stderr == f"sevenfold: {run.folder} cannot go on: all of its checkpoints are damaged.\n"


def test_whose_net_is_for_other_rules(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    config = json.loads((run.folder / "config.json").read_text())
    config["net"]["blocks"] = 2
    (run.folder / "config.json").write_text(json.dumps(config))
    assert "is not the one of the run's config" in refused(run, capsys)


def test_that_another_process_trains(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "PATIENCE", 0.1)
    with run.held():
        assert "is being trained by another process" in refused(run, capsys)


def test_of_another_game_or_with_a_strange_end(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert "the run is of tic_tac_toe" in refused(run, capsys, "connect_four")
    assert "minutes must be from 0" in refused(run, capsys, "--minutes=-1")


def test_one_that_goes_on_gets_its_new_end(run: Run) -> None:
    assert command(["train", "--resume", str(run.folder), "--iterations", "2", "--quiet"]) == 0
    assert (run.config.iterations, run.iterations()[-1], len(run.lines("metrics"))) == (2, 2, 2)
    assert not (run.folder / "checkpoints" / ".000002").exists()
