"""Proves that a training run outlives everything: kill -9 at any moment, dead actors, damaged files, a full disk,
Ctrl-C. Sessions run in processes of their own (training_runs.py)."""

import dataclasses
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import refused
from training_runs import TINY, begin, config, exported, watched

import sevenfold as sf
from sevenfold import nets
from sevenfold.nets import Description
from sevenfold.train import Config, Run, chunks, preset, resume, saving

PROGRAM = Path(__file__).with_name("training_runs.py")


class Sessions:
    """Sessions of runs in processes that may be killed."""

    def __init__(self, net: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(net)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self._read() == "ready"

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def start(self, folder: Path, kill: Any = (), limit: int = 0, patience: float = 5.0) -> int:
        self.out = folder.with_suffix(".out")
        task = {"folder": str(folder), "kill": list(kill), "limit": limit, "patience": patience, "out": str(self.out)}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        return int(self._read())

    def end(self) -> tuple[int, str]:
        code = int(self._read())
        return code, self.out.read_text().strip()

    def run(self, folder: Path, **given: Any) -> tuple[int, str, int]:
        pid = self.start(folder, **given)
        return *self.end(), pid


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A net that has learnt nothing, exported in earnest."""
    path = tmp_path_factory.mktemp("net") / "net.onnx"
    game = sf.game("tic_tac_toe")
    about = Description.of(game, TINY)
    nets.export_onnx(path, nets.build(TINY, about.shape).eval(), about, game)
    return path


@pytest.fixture(scope="module")
def sessions(net: Path) -> Iterator[Sessions]:
    made = Sessions(net)
    yield made
    assert made.process.stdin is not None
    made.process.stdin.close()
    made.process.wait(30)


@pytest.fixture(scope="module")
def finished(sessions: Sessions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that came to its end without any trouble."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    begin(folder)
    code, out, _ = sessions.run(folder)
    assert (code, out) == (0, "done 4")
    check_whole(folder)
    return folder


def alive(session: int) -> list[int]:
    """The processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def nobody_left(session: int, seconds: float = 5.0) -> bool:
    """They notice within a second; a busy machine may take longer."""
    end = time.monotonic() + seconds
    while alive(session) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(session)


def leftovers(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name.startswith(".") or path.suffix in (".tmp", ".damaged")]


def check_whole(folder: Path, iterations: int = 4, games: int = 12) -> None:
    """A finished run has every game once, a line per iteration, and as many steps as its positions are worth."""
    run = Run(folder)
    steps = positions = 0
    for iteration in range(1, iterations + 1):
        found = [chunk for _, chunk in run.played(iteration)]
        ids = sorted(int(number) for chunk in found for number in chunk["id"])
        assert ids == list(range((iteration - 1) * games, iteration * games))
        new = sum(chunks.positions(chunk) for chunk in found)
        positions += new
        steps += max(1, round(new * run.config.learning.passes / run.config.learning.batch))
    assert [line["iteration"] for line in run.lines("metrics")] == list(range(1, iterations + 1))
    iteration, state, said = run.newest()
    assert (iteration, said) == (iterations, [])
    assert (state["games"], state["positions"], state["steps"]) == (iterations * games, positions, steps)
    assert leftovers(folder) == []


KILLS: list[list[Any]] = [
    ["checkpoint", 0, 3],  # before there is any
    ["chunk"],
    ["later", 0.1],
    ["checkpoint", 1, 0],
    ["log", 1, False],
    ["checkpoint", 2, 5],
    ["log", 2, True],
    ["rename", 3],
    ["later", 0.3],
    ["rename", 4],
    ["log", 4, False],
]


@pytest.mark.parametrize("overlap", [True, False])
def test_kill_9_loses_nothing(sessions: Sessions, tmp_path: Path, overlap: bool) -> None:
    folder = tmp_path / "run"
    begin(folder, overlap=overlap)
    rng = random.Random(overlap)
    kills = KILLS if overlap else [["later", rng.uniform(0.05, 0.6)] for _ in range(5)]
    for kill in kills:
        code, out, pid = sessions.run(folder, kill=kill)
        if code == 0:  # it was faster
            continue
        assert (code, out) == (-signal.SIGKILL, "")
        if rng.random() < 0.5:
            assert nobody_left(pid)  # or the next session begins while the last one's actors are still there
    code, out, _ = sessions.run(folder)
    assert (code, out) == (0, "done 4")
    check_whole(folder)
    code, out, _ = sessions.run(folder)  # once more: there is nothing left to do
    assert (code, out) == (0, "done 4")
    check_whole(folder)


def test_a_dead_actor_stops_the_run_with_a_sentence(sessions: Sessions, tmp_path: Path) -> None:
    begin(tmp_path / "run", **{"selfplay.simulations": 60})
    code, out, pid = sessions.run(tmp_path / "run", kill=["actor"])
    assert code == 2
    assert out.splitlines()[-1].endswith("has ended by itself (exit code -9).")
    assert nobody_left(pid)
    assert leftovers(tmp_path / "run") == []
    assert sessions.run(tmp_path / "run")[:2] == (0, "done 4")
    check_whole(tmp_path / "run")


def test_ctrl_c_ends_cleanly(sessions: Sessions, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin(folder, iterations=1000, games=20)
    for wait in (0, 1):  # at the very beginning, and in the middle
        pid = sessions.start(folder)
        while len(Run(folder).lines("metrics")) < wait:
            time.sleep(0.01)
        while len(alive(pid)) < 2:
            time.sleep(0.01)
        os.killpg(pid, signal.SIGINT)
        assert sessions.end() == (130, "")
        assert nobody_left(pid)
        assert leftovers(folder) == []
    assert Run(folder).newest()[0] >= 1


def test_one_process_at_a_time(sessions: Sessions, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = begin(folder)
    with run.held():
        code, out, _ = sessions.run(folder, patience=0.2)
    assert code == 2
    assert out == f"{folder} is being trained by another process."
    assert sessions.run(folder)[:2] == (0, "done 4")


# Damaged files


def test_a_damaged_checkpoint_is_named_and_the_one_before_it_used(
    sessions: Sessions, finished: Path, tmp_path: Path
) -> None:
    names = sorted(path.name for path in Run(finished).checkpoint(4).iterdir())
    assert {"state.json", "net.onnx", "net.safetensors", "mean.safetensors", "optimiser.safetensors"} <= set(names)
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    for name in names:
        path = Run(folder).checkpoint(4) / name
        data = path.read_bytes()
        flipped = bytearray(data)
        # In the middle of state.json may be the last digit of a number, which reads the same with another.
        flipped[data.index(b"games") if name == "state.json" else len(data) // 2] ^= 1
        for wrong in (data[:-2], data[: len(data) // 2], b"", bytes(flipped), None):
            if wrong is None:
                path.unlink()
            else:
                path.write_bytes(wrong)
            iteration, state, said = Run(folder).newest()
            assert iteration == 3
            assert state["games"] == 36
            assert len(said) == 1
            assert "damaged" in said[0]
            assert "000004" in said[0]
            path.write_bytes(data)
        assert Run(folder).newest()[0] == 4
    (Run(folder).checkpoint(4) / "net.safetensors").write_bytes(b"")
    assert sessions.run(folder)[:2] == (0, "done 4")
    check_whole(folder)
    for iteration in Run(folder).iterations():
        (Run(folder).checkpoint(iteration) / "optimiser.safetensors").write_bytes(b"")
    code, out, pid = sessions.run(folder)
    assert (code, out) == (2, f"{folder} cannot go on: all of its checkpoints are damaged.")
    assert nobody_left(pid)


def test_damaged_games_are_played_again(sessions: Sessions, finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    shutil.rmtree(Run(folder).checkpoint(4))
    first = sorted(Run(folder).games(4).glob("*.npz"))[0]
    first.write_bytes(first.read_bytes()[:-100])
    assert sessions.run(folder)[:2] == (0, "done 4")
    (put_aside,) = leftovers(folder)
    assert put_aside.suffix == ".damaged"
    put_aside.unlink()
    check_whole(folder)


def test_damaged_games_that_were_learnt_from_are_told(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    first = sorted(Run(folder).games(3).glob("*.npz"))[0]
    games = len(chunks.load(first)["id"])
    first.write_bytes(b"")
    said: list[str] = []
    resume(folder, watch=lambda progress: said.extend(progress.said[len(said) :]))
    assert said == [f"{games} games in {folder} are damaged or gone, and not learnt from again."]


@pytest.mark.parametrize("name", ["metrics", "ratings", "gate"])
def test_lines_that_are_none_are_left_out(sessions: Sessions, finished: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    shutil.rmtree(Run(folder).checkpoint(4))
    whole = Run(folder).lines(name)
    wrong = [b"{}", b'{"iteration": "x"}', b'{"iteration": 3}', b"[1]", b"null", b"\xff\x00", b"[" * 5000, b'{"it']
    with open(folder / f"{name}.jsonl", "ab") as file:
        file.writelines(line + b"\n" for line in wrong)
    assert Run(folder).lines(name) == whole
    assert sessions.run(folder)[:2] == (0, "done 4")
    check_whole(folder)


def test_games_of_another_iteration_are_refused(sessions: Sessions, finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    shutil.rmtree(Run(folder).checkpoint(4))
    shutil.copy(sorted(Run(folder).games(1).glob("*.npz"))[0], Run(folder).games(4) / "strange.npz")
    code, out, _ = sessions.run(folder)
    assert code == 2
    assert "games that are not of its iteration" in out


# A full disk


def test_a_full_disk_stops_the_run_and_harms_nothing(sessions: Sessions, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begin(folder, games=40)
    code, out, pid = sessions.run(folder, limit=3000)  # not even the first checkpoint
    assert code == 2
    assert out == f"the run in {folder} stopped, and what was finished is kept: File too large."
    assert leftovers(folder) == []
    assert sessions.run(folder, kill=["rename", 2])[0] == -signal.SIGKILL
    sizes = [path.stat().st_size for path in Run(folder).games(1).glob("*.npz")]
    biggest = max(path.stat().st_size for path in Run(folder).checkpoint(1).iterdir())
    assert max(sizes) + 500 < biggest
    shutil.rmtree(Run(folder).games(2), ignore_errors=True)
    shutil.rmtree(Run(folder).games(3), ignore_errors=True)
    for limit, sentence in [
        (min(sizes) // 2, "actor 0 stopped: File too large|actor 1 stopped: File too large"),  # the games
        (biggest - 100, "what was finished is kept: File too large"),  # a checkpoint
    ]:
        code, out, pid = sessions.run(folder, limit=limit)
        assert code == 2
        assert any(one in out for one in sentence.split("|")), out
        assert len(out.splitlines()) == 1
        assert out.endswith(".")
        assert nobody_left(pid)
        assert leftovers(folder) == []
        assert Run(folder).newest()[::2] == (1, [])
    assert sessions.run(folder)[:2] == (0, "done 4")
    check_whole(folder, games=40)


# What is not this run's


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, net: Path) -> None:
    monkeypatch.setattr(nets, "export_onnx", exported(net), raising=False)


def checkpointed(folder: Path, **settings: Any) -> Run:
    """A run with its first checkpoint."""
    run = begin(folder, **settings)
    made = watched(run)
    learner = saving.fresh(made.description, run.config)
    state = {"games": 0, "positions": 0, "steps": 0, "seconds": 0.0, "seen": 0, "metrics": {}}

    def fill(at: Path) -> None:
        saving.write(at, learner, made.setups, run.config, None)  # type: ignore[arg-type]

    run.write_checkpoint(0, state, fill)
    return run


@pytest.mark.usefixtures("quick")
def test_a_net_for_something_else_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = checkpointed(tmp_path / "run", game="connect_four(rows=5)")
    path = run.folder / "config.json"
    for spec, sentence in [
        ("connect_four(rows=6)", "with rows=5, not with rows=6"),
        ("tic_tac_toe", "for connect_four, not for tic_tac_toe"),
    ]:
        path.write_text(json.dumps(run.config.changed({"game": spec}).to_json()))
        with refused(sentence):
            watched(run).go()
    path.write_text(json.dumps(run.config.changed({"game": "connect_four(rows=5)", "net.blocks": 2}).to_json()))
    with refused("is not the one of the run's config"):
        watched(run).go()
    older = Description.of
    monkeypatch.setattr(Description, "of", lambda *given: dataclasses.replace(older(*given), version=99))
    old = checkpointed(tmp_path / "old")
    monkeypatch.setattr(Description, "of", older)
    with refused("this net is for tic_tac_toe v99, not for v1 of its rules"):
        watched(old).go()


# Configs


def wrong_settings() -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = [("selfplay.slots", 0), ("selfplay.root", "uct"), ("selfplay.leaves", 1.5)]
    out += [("selfplay.solver", 1), ("learning.rate", float("nan")), ("learning.rate", float("inf"))]
    out += [("learning.rate", -1), ("learning.rate", "fast"), ("learning.batch", True), ("learning.batch", 10**400)]
    out += [("learning.rate", 10**400), ("replay.window", None), ("replay.store", "disk"), ("games", 0), ("actors", [])]
    out += [("rating.anchors", [1]), ("rating.anchors", "random"), ("seed", -1), ("minutes", {}), ("game", 3)]
    return out


@pytest.mark.parametrize(("name", "value"), wrong_settings())
def test_wrong_settings_are_refused_by_name(name: str, value: Any) -> None:
    with refused(f"{name.split('.')[-1]} must be"):
        config(**{name: value})


def test_unknown_settings_are_refused_by_name(tmp_path: Path) -> None:
    for name in ("speed", "selfplay.speed", "format", "selfplay.slots.more", "learning.rate.x", ""):
        with refused("there is no setting"):
            config(**{name: 1})
    data = config().to_json()
    for place, what in ((data, "config"), (data["selfplay"], "selfplay"), (data["gate"], "gate")):
        place["speed"] = 1
        with refused(f"{what} has no setting 'speed'"):
            Config.from_json(data)
        del place["speed"]
    with refused("gate is a section of settings"):
        Config.from_json(data | {"gate": 3})
    with refused("lacks a setting"):
        Config.from_json({key: value for key, value in data.items() if key != "game"})
    with refused("architecture"):
        Config.from_json(data | {"net": {"depth": 3}})
    with refused("no architecture"):
        Config.from_json(data | {"net": "enormous"})
    for other in (None, [], {}, data | {"format": 2}):
        with refused("no training config, or one of another version"):
            Config.from_json(other)
    with refused("no preset 'slow'"):
        preset("slow", sf.game("tic_tac_toe"))
    assert Config.from_json(json.loads(json.dumps(data))) == config()


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with refused("no training run"):
        _ = Run(tmp_path).config
    for text in ("", "{", "[" * 100_000, '{"seed": ' + "9" * 5000 + "}", "\udcff"):
        (tmp_path / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
        with refused(r"cannot be read|no training config"):
            _ = Run(tmp_path).config
    with refused("is there already"):
        Run.begin(tmp_path, config())
    assert np.isfinite(config().learning.rate)
