"""The people's view of training: `train`, its screen, `report`, `--dry-run`, TensorBoard's events. Tiny runs."""

import io
import json
import signal
import struct
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import refused
from rich.console import Console

import sevenfold as sf
from sevenfold import lang, nets, train_screen
from sevenfold.train.begin import new_folder
from sevenfold.train.config import preset, presets
from sevenfold.train.events import Events
from sevenfold.train.progress import Progress
from sevenfold.train.report import Report, text_of
from sevenfold.train.run import Run

pytest.importorskip("torch")

ROOT = Path(__file__).parent.parent
TINY = ["--set", "games=8", "--set", "actors=1", "--set", "selfplay.simulations=4", "--set", "learning.batch=32"]
RATED = ["--set", "rating.every=1", "--set", 'rating.anchors=["random"]', "--set", "rating.games=2"]
RATED += ["--set", "rating.simulations=2"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two iterations, with matches."""
    folder = tmp_path_factory.mktemp("runs") / "ttt"
    settings: dict[str, Any] = {"selfplay.simulations": 4, "learning.batch": 32, "rating.every": 1, "rating.games": 2}
    settings |= {"rating.anchors": ["random"], "rating.simulations": 2}
    run = sf.train("tic_tac_toe", preset="quick", out=folder, iterations=2, games=8, actors=1, **settings)
    assert run.folder == folder
    return folder


def test_train_says_a_line_per_iteration_and_how_to_go_on(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    answer = run("train", "tic_tac_toe", "--out", str(folder), "--iterations", "2", "--seed", "3", *TINY, *RATED)
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert [line.split("  ")[0] for line in lines if line.startswith("iteration")] == ["iteration 1", "iteration 2"]
    assert "loss" in lines[0]
    assert sum(line.startswith("  random: ") for line in lines) == 2
    assert f"--against alphazero:net={folder}" in answer.out
    assert f"sevenfold report {folder}" in answer.out
    config = Run(folder).config
    assert (config.iterations, config.minutes, config.seed, config.games) == (2, 0, 3, 8)
    assert config.rating.anchors == ("random",)
    again = run("train", "tic_tac_toe", "--out", str(folder), *TINY)
    assert again.code == 2
    assert "--resume" in again.err


def test_a_stopped_run_says_how_to_go_on_and_goes_on(run: Any, tmp_path: Path) -> None:
    program = "from sevenfold.cli import main; main()"
    argv = ["train", "tic_tac_toe", "--iterations", "50", "--out", "run", *TINY]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *argv], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    metrics = tmp_path / "run" / "metrics.jsonl"
    end = time.monotonic() + 300
    while not (metrics.exists() and metrics.read_text()) and time.monotonic() < end and process.poll() is None:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "go on with: sevenfold train --resume run" in err
    assert "Traceback" not in err
    before = Run(tmp_path / "run").newest()[0]
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    config["iterations"] = before + 1
    (tmp_path / "run" / "config.json").write_text(json.dumps(config))
    answer = run("train", "--resume", str(tmp_path / "run"), "--json")
    assert answer.code == 0, answer.err
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert [event["event"] for event in events] == ["iteration", "done"]
    assert events[0]["iteration"] == before + 1
    assert [line["iteration"] for line in Run(tmp_path / "run").lines("metrics")] == list(range(1, before + 2))


def test_a_python_game_trains_and_is_named_again_where_its_file_has_moved(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim.py").write_text((ROOT / "examples" / "nim.py").read_text())
    answer = run("train", "nim.py", "-o", "heaps=1,2", "--iterations", "1", "--quiet", *TINY)
    assert answer.code == 0, answer.err
    folder = tmp_path / "runs" / "nim-quick"
    assert Run(folder).newest()[0] == 1
    (tmp_path / "nim.py").rename(tmp_path / "moved.py")
    assert "name it" in run("train", "--resume", str(folder)).err
    again = run("train", "moved.py", "-o", "heaps=1,2", "--resume", str(folder), "--quiet")
    assert again.code == 0, again.err
    assert run("train", "tic_tac_toe", "--resume", str(folder)).code == 2


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["train"], "name a game to train"),
        (["train", "nope"], "there is no game 'nope'"),
        (["train", "tic_tac_toe", "--preset", "x"], "no preset 'x'"),
        (["train", "tic_tac_toe", "--set", "learning.batch"], "NAME=VALUE"),
        (["train", "tic_tac_toe", "--set", "learning.batch=0"], "batch must be from 1"),
        (["train", "tic_tac_toe", "--set", "learning.batch=many"], "batch must be a whole number"),
        (["train", "tic_tac_toe", "--set", "learning.butch=3"], "no setting 'learning.butch'"),
        (["train", "tic_tac_toe", "--set", "learning.batch=" + "[" * 9999], "batch must be a whole number"),
        (["train", "tic_tac_toe", "--set", "game=connect_four"], "leave out --set game"),
        (["train", "tic_tac_toe", "--set", "gate.games=4", "--out", "a,b"], "a,b has a comma"),
        (["train", "tic_tac_toe", "--minutes", "-1"], "minutes must be from 0"),
        (["train", "tic_tac_toe", "--minutes", "0"], "0 minutes would have no end"),
        (["train", str(ROOT / "examples" / "kalah.py")], "'observe'"),
        (["train", "sevens", "--set", 'rating.anchors=["nobody"]'], "rating.anchors: sevens has no habit 'nobody'"),
        (["train", "--resume", "nope"], "no training run"),
        (["train", "--resume", "nope", "--preset", "quick"], "leave out --preset"),
        (["report", "nope"], "no training run"),
        (["report"], "RUN"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_nothing_behind(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run(*argv)
    assert answer.code == 2
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_presets_are_listed_with_what_they_set(run: Any) -> None:
    answer = run("train", "tic_tac_toe", "--list")
    assert answer.code == 0
    quick = presets(sf.game("tic_tac_toe"))["quick"]
    for words in (
        quick["about"],
        f"iterations={quick['iterations']}",
        "overnight",
        "alphagozero",
        "replay.window=500000",
    ):
        assert words in answer.out
    data = run("train", "tic_tac_toe", "--list", "--json").json
    assert data["presets"]["quick"] == quick
    assert data["defaults"]["learning"]["batch"] == 512


def test_a_run_of_variants_names_a_board_that_its_net_knows(run: Any, tmp_path: Path) -> None:
    few = ["--set", "variant_count=2", "--set", "net=quick", "--set", "net.policy=columns", "--set", "net.pooling=true"]
    few += ["--set", "rating.every=0", "--set", "selfplay.precision=fp32", "--set", "selfplay.fast_simulations=4"]
    answer = run(
        "train", "connect_four", "--preset", "boards", "--iterations", "1", "--out", str(tmp_path / "run"), *TINY, *few
    )
    assert answer.code == 0, answer.err
    assert "sevenfold play 'connect_four(rows=12, cols=12)' --against" in answer.out


def test_a_net_is_named_and_then_changed() -> None:
    config = preset("quick", sf.game("tic_tac_toe")).changed({"net": "laptop", "net.separate": True})
    assert config.net == replace(nets.preset("laptop"), separate=True)


def test_a_new_run_gets_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = []
    for _ in range(3):
        names.append(new_folder(sf.game("tic_tac_toe"), "quick"))
        names[-1].mkdir(parents=True)
    assert [str(name) for name in names] == [f"runs/tic_tac_toe-quick{end}" for end in ("", "-2", "-3")]


# The screen


def drawn(progress: Progress, width: int = 80, encoding: str = "utf-8") -> str:
    raw = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    out = Console(
        file=raw, width=width, height=24, force_terminal=True, color_system=None, emoji=False, highlight=False
    )
    with train_screen.Dashboard(out) as screen:
        screen(progress)
        group = screen.drawn(progress)
    page = Console(width=width, record=True, file=io.StringIO(), color_system=None)
    page.print(group)
    return page.export_text()


def progress_of(folder: Path) -> Progress:
    run = Run(folder)
    lines = run.lines("metrics")
    last = lines[-1] if lines else {}
    facts = {name: last.get(name, 0) for name in ("iteration", "games", "positions", "steps", "seconds")}
    out = Progress(run.config, folder, "self-play", share=0.5, phase_done=3, phase_total=8, metrics=last, **facts)
    out.said = ["something odd was seen."]
    return out


@pytest.mark.parametrize("language", lang.LANGUAGES)
def test_the_dashboard_fits_a_terminal_and_says_it_all(trained: Path, language: str) -> None:
    lang.use(language)
    text = drawn(progress_of(trained))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert len(text.splitlines()) <= 22
    words = {
        "en": ("self-play", "3/8 games", "positions", "evaluations", "from the cache", "exact values", "window", "loss",
               "value", "policy right", "the least possible", "learning rate", "iteration 2/2", "random", "Elo"),
        "zh-TW": ("自我對弈", "3/8", "網路評估", "損失", "學習率", "第 2 輪", "Elo"),
    }[language]  # fmt: skip
    for word in words:
        assert word in text
    assert "! something odd was seen." in text


def test_the_dashboard_of_a_run_that_has_just_begun(tmp_path: Path) -> None:
    run = Run.begin(tmp_path / "new", preset("laptop", sf.game("connect_four")))
    text = drawn(progress_of(run.folder))
    assert "1:00:00 left" in text
    assert "·" in text


def test_the_time_left_is_by_time_or_by_iterations(tmp_path: Path) -> None:
    config = preset("quick", sf.game("tic_tac_toe")).changed({"iterations": 10, "minutes": 1})
    progress = Progress(config, tmp_path, iteration=3, seconds=25.0, metrics={"iteration": 2})
    assert train_screen.time_left(progress, 20.0) == 35  # the minute ends first
    assert train_screen.time_left(progress, 8.0) == 15
    assert train_screen.time_left(Progress(config.changed({"minutes": 0}), tmp_path), 0.0) is None


def test_sparklines() -> None:
    assert train_screen.sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert train_screen.sparkline([1, 1]) == "▁▁"
    assert train_screen.sparkline([3]) == ""
    assert len(train_screen.sparkline(range(1000), 20)) == 20
    assert train_screen.sparkline([0.5, 1, float("nan")], limits=(0, 1)) in ("▄█", "▅█")


# TensorBoard


def events_of(folder: Path) -> list[bytes]:
    (path,) = folder.glob("tensorboard/events.out.tfevents.*")
    data, out, at = path.read_bytes(), [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        out.append(data[at + 12 : at + 12 + size])
        at += 16 + size
    return out


def test_tensorboard_has_every_iteration_once_whatever_is_resumed(trained: Path) -> None:
    expected = 2 + 2 + 3  # the head, the metrics, the matches of iterations 0, 1 and 2
    assert len(events_of(trained)) == expected
    Events(Run(trained))
    found = events_of(trained)
    assert len(found) == expected
    assert b"brain.Event:2" in found[0]
    assert all(b"loss/policy_loss" in event for event in found[2:4])
    assert b"score/random" in found[-1]


def test_tensorboard_itself_reads_the_events(trained: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    found = accumulator.EventAccumulator(str(trained / "tensorboard"))
    found.Reload()
    lines = Run(trained).lines("metrics")
    assert [(one.step, one.value) for one in found.Scalars("loss/loss")] == [
        (line["iteration"], pytest.approx(line["loss"], rel=1e-6)) for line in lines
    ]
    assert [one.step for one in found.Scalars("score/random")] == [0, 1, 2]


# Reports


def test_a_report_has_a_summary_and_pictures(run: Any, trained: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    answer = run("report", str(trained), "--out", str(tmp_path / "a"))
    assert answer.code == 0, answer.err
    names = {path.name for path in (tmp_path / "a").iterdir()}
    pictures = ("losses", "policy", "strength", "speed", "games")
    assert names == {"report.md", *(f"{name}.{kind}" for name in pictures for kind in ("svg", "png"))}
    text = (tmp_path / "a" / "report.md").read_text()
    for words in ("The run is done: 2 iterations, 16 games", "| `random` | 2 | 2 |", "won by the first player",
                  f"--against alphazero:net={trained}", "2 blocks of 16 channels"):  # fmt: skip
        assert words in text
    assert not (trained / "report").exists()
    data = run("report", str(trained), "--out", str(tmp_path / "b"), "--json").json
    assert data["last"]["iteration"] == 2
    assert data["strength"][0]["opponent"] == "random"
    assert len(data["files"]) == 11
    for name in pictures:
        assert (tmp_path / "a" / f"{name}.svg").read_bytes() == (tmp_path / "b" / f"{name}.svg").read_bytes()


def test_a_report_without_matplotlib_says_what_to_install(
    run: Any, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sevenfold.train import plots

    def missing() -> None:
        raise ImportError("a plot needs matplotlib: pip install 'sevenfold[plot]'.")

    monkeypatch.setattr(plots, "require_matplotlib", missing)
    answer = run("report", str(trained), "--out", str(tmp_path))
    assert answer.code == 0
    assert "pip install 'sevenfold[plot]'" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]
    assert "pip install" in (tmp_path / "report.md").read_text()


def test_reports_of_little(tmp_path: Path, trained: Path) -> None:
    pytest.importorskip("matplotlib")
    from sevenfold.train.report import write

    run = Run.begin(tmp_path / "new", preset("quick", sf.game("tic_tac_toe")))
    empty = Report.of(run)
    assert "No iteration is done yet." in text_of(empty, [])
    assert [path.name for path in write(empty, tmp_path / "a")[0]] == ["report.md"]
    run.log("metrics", Run(trained).lines("metrics")[0])  # one iteration, no matches
    one = Report.of(run)
    assert "No matches were played" in text_of(one, [])
    assert "strength.svg" not in {path.name for path in write(one, tmp_path / "b")[0]}
    (run.folder / "metrics.jsonl").open("a").write('{"iteration": 2, "los')  # a line that is being written
    assert len(Report.of(run).metrics) == 1


def test_a_score_of_several_players_has_no_elo() -> None:
    config = preset("quick", sf.game("tic_tac_toe"))
    line = {
        "iteration": 1,
        "opponent": "random",
        "score": 0.6,
        "games": 6,
        "interval": [0.4, 0.8],
        "rated": "openskill",
    }
    (found,) = Report(Path("run"), config, [], [line], []).strength()
    assert "elo" not in found
    (found,) = Report(Path("run"), config, [], [line | {"rated": "elo"}], []).strength()
    assert found["elo"] == pytest.approx(70.4, abs=0.1)


# The dry run


def dry(run: Any, *argv: str) -> Any:
    small = ["--set", "selfplay.slots=4", "--set", "learning.batch=32", "--set", "selfplay.simulations=4"]
    return run("train", *argv, "--dry-run", *small)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sevenfold.train.trial.PLAYING", 1.5)


def test_a_dry_run_says_what_it_found_and_keeps_nothing(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = dry(run, "tic_tac_toe")
    assert answer.code == 0, answer.out
    for words in ("random games keep all", "weights from planes 2×3×3 to 9 actions", "through 8 symmetries",
                  "read back, the same", "games an hour", "bytes per position", "Everything works"):  # fmt: skip
        assert words in answer.out
    assert list(tmp_path.iterdir()) == []
    data = dry(run, "tic_tac_toe", "--json").json
    assert data["ok"] is True
    assert data["figures"]["evaluations_per_second"] > 0
    assert {finding["mark"] for finding in data["findings"]} <= {"ok", "note"}


def test_a_dry_run_of_a_game_with_hidden_cards(run: Any) -> None:
    answer = dry(run, str(ROOT / "examples" / "kuhn_poker.py"))
    assert answer.code == 0, answer.out
    assert "stays the same when the hidden part is dealt again" in answer.out


@pytest.mark.parametrize("estimate", ["trials", "critic"])
def test_a_dry_run_without_a_search_plays_at_tables(run: Any, tmp_path: Path, monkeypatch: Any, estimate: str) -> None:
    monkeypatch.chdir(tmp_path)
    small = ["--set", f"gradient.estimate={estimate}", "--set", "gradient.goes_on=", "--set", "learning.batch=64"]
    small += ["--set", "gradient.tables=16", "--set", "games=64"]
    data = run("train", "sevens", "--preset", "quick", *small, "--dry-run", "--json").json
    assert data["ok"] is True
    told = {one["about"]: one["text"] for one in data["findings"]}
    assert told["self-play"].startswith("16 games at once, ")
    assert "10 minutes are about" in told["estimate"]
    figures = data["figures"]
    assert figures["iteration_seconds"] == pytest.approx(3600 * 64 / figures["games_per_hour"])
    assert 1 < figures["positions_per_game"] < 52
    assert list(tmp_path.iterdir()) == []


THREE = """
import sevenfold as sf

class Three(sf.Rules):
    players, actions, features, max_plies = 3, 4, 4, 9
    def __init__(self): self.taken, self.plies = [0, 0, 0], 0
    def to_move(self): return sf.TERMINAL if self.plies == 9 else self.plies % 3
    def legal_actions(self): return [0, 1, 2, 3]
    def play(self, action):
        self.taken[self.plies % 3] += action * (1 + self.plies % 2)
        self.plies += 1
    def returns(self):
        if self.plies < 9: return [0, 0, 0]
        mean = sum(self.taken) / 3
        return [(one - mean) / 20 for one in self.taken]
    def observe(self, viewer): return {seen}
"""


def test_a_dry_run_of_three_players_and_of_what_observes_nonsense(run: Any, tmp_path: Path) -> None:
    game = tmp_path / "three.py"
    game.write_text(THREE.format(seen="[*(x / 20 for x in self.taken), self.plies / 9]"))
    answer = dry(run, str(game), "--set", "net.value=players")
    assert answer.code == 0, answer.out
    game.write_text(THREE.format(seen="[*self.taken, float('nan')]"))
    broken = dry(run, str(game))
    assert broken.code == 1
    assert "XX  rules" in broken.out
    assert "not a number" in broken.out


def test_a_dry_run_of_a_game_without_observe_says_so(run: Any) -> None:
    answer = dry(run, str(ROOT / "examples" / "kalah.py"))
    assert answer.code == 1
    assert "no observe(viewer)" in answer.out
    data = dry(run, str(ROOT / "examples" / "kalah.py"), "--json")
    assert data.code == 1
    assert data.json["ok"] is False


def test_sf_train_can_be_called_and_is_a_package_all_the_same() -> None:
    import sevenfold.train.begin as begin
    from sevenfold.train import Config, resume

    assert begin.resume is resume
    assert callable(sf.train)
    assert (Config.__name__, resume.__name__) == ("Config", "resume")
    with refused("no preset 'x'"):
        sf.train("tic_tac_toe", preset="x")


def test_a_wrong_anchor_or_config_is_refused_before_there_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with refused("no player 'nobody'"):
        sf.train("tic_tac_toe", out=folder, **{"rating.every": 1, "rating.anchors": ["nobody"]})
    with refused("config must be a Config"):
        sf.train("tic_tac_toe", out=folder, config=3)
    assert not folder.exists()


def test_a_guided_search_needs_rollouts_and_the_formula() -> None:
    config = preset("quick", sf.game("connect_four"))
    guided: dict[str, Any] = {"selfplay.expand_at": 9, "selfplay.rollouts": 1.0, "selfplay.root": "puct"}
    assert config.changed(guided).selfplay.expand_at == 9
    for other in ({"selfplay.rollouts": 0.0}, {"selfplay.root": "gumbel"}):
        with refused("expand_at needs"):
            config.changed(guided | other)
