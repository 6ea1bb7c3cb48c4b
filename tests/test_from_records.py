"""Proves the start from game records: what they become, what is refused, that it teaches, and that a killed one is done
again; and that the gate lets in whom it should."""

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

import sevenfold as sf
from sevenfold.match import Match
from sevenfold.nets import Architecture, Description
from sevenfold.records import Record, write_records
from sevenfold.train import Config, Run, chunks, matches, preset, preset_names, records, train
from sevenfold.train.begin import resume
from sevenfold.train.loop import Loop
from sevenfold.train.progress import Progress
from sevenfold.train.replay import Replay
from sevenfold.train.report import Report, text_of

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
TINY = Architecture(blocks=1, channels=8, value_hidden=8)
WON = [0, 3, 1, 4, 2]
DRAWN = [0, 1, 2, 4, 3, 5, 7, 6, 8]
SETTINGS: dict[str, Any] = {"games": 4, "actors": 1, "selfplay.simulations": 4, "learning.batch": 32}
SETTINGS |= {"learning.warmup": 0, "learning.bfloat16": False}


def record_of(played: list[int], opening: int = 0, **more: Any) -> Record:
    said: list[dict[str, Any] | None] = [None] * opening + [{"nodes": 1}] * (len(played) - opening)
    record = Record.of(TIC.replay(played), moves=said)
    for name, value in more.items():
        setattr(record, name, value)
    return record


def file_of(folder: Path, *some: Record) -> Path:
    path = folder / "games.jsonl"
    write_records(path, some)
    return path


def read(path: Path, rules: sf.Game = TIC, **about: Any) -> records.Games:
    return records.read(path, Description.of(rules, TINY, **about), rules)


def config(**more: Any) -> Config:
    return Config("tic_tac_toe", net=TINY).changed(SETTINGS | more)


# What records become


def test_the_policy_is_the_move_played_and_the_value_the_result(tmp_path: Path) -> None:
    games = read(file_of(tmp_path, record_of(WON), record_of(DRAWN)))
    chunk = games.chunk
    assert set(chunk) == set(chunks.NAMES)
    assert chunk["action_start"].tolist() == [0, 5, 14]
    assert chunk["policy_action"].tolist() == WON + DRAWN
    assert chunk["policy_share"].tolist() == [1.0] * 14
    assert chunk["target"].tolist() == [[1, -1]] * 5 + [[0, 0]] * 9
    assert chunk["kind"].tolist() == [chunks.FULL] * 13 + [chunks.FORCED]  # the last cell is the only one
    assert not chunk["exact"].any()
    chunks.save(tmp_path / "chunk.npz", chunk)
    again = chunks.load(tmp_path / "chunk.npz")  # fits together
    assert all((again[name] == chunk[name]).all() and again[name].dtype == chunk[name].dtype for name in chunks.NAMES)


def test_a_chunk_of_records_has_the_types_of_one_of_self_play(tmp_path: Path) -> None:
    from sevenfold import _core
    from sevenfold.evaluators.batch import Batch
    from sevenfold.evaluators.uniform import UniformEvaluator
    from sevenfold.train.actor import pool_options

    pool = _core.Pool([TIC.new()], pool_options(config().selfplay, 1))
    pool.add(0, 0)
    while pool.unfinished:
        if pool.collect():
            pool.resume(*UniformEvaluator(TIC).evaluate(Batch(*pool.batch())))
    played, ours = pool.take_finished(), read(file_of(tmp_path, record_of(WON))).chunk
    assert {name: (one.dtype, one.ndim) for name, one in ours.items()} == {
        name: (one.dtype, one.ndim) for name, one in played.items()
    }


def test_positions_are_encoded_as_they_were(tmp_path: Path) -> None:
    replay = Replay([TIC], config().replay)
    replay.add(read(file_of(tmp_path, record_of(WON))).chunk)
    seen = replay.encoded(np.arange(5), np.zeros(5, np.uint32))
    assert seen.viewers.tolist() == [0, 1, 0, 1, 0]
    assert seen.policy.argmax(1).tolist() == WON
    assert seen.legal.sum(1).tolist() == [9, 8, 7, 6, 5]


def test_moves_of_a_random_opening_are_not_learnt(tmp_path: Path) -> None:
    games = read(file_of(tmp_path, record_of(WON, opening=2), record_of(WON, moves=[])))
    assert games.chunk["kind"].tolist() == [chunks.FAST] * 2 + [chunks.FULL] * 3 + [chunks.FULL] * 5


def test_what_a_match_records_can_be_learnt_from(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    played = sf.match(FOUR, ["random", "uct:simulations=5"], 4, opening_plies=3, record=path, processes=0)
    games = read(path, FOUR)
    assert games.chunk["returns"].tolist() == [one.record.result for one in played.played]
    kinds = games.chunk["kind"][games.chunk["position_start"][:-1][:, None] + np.arange(4)]
    assert kinds.tolist() == [[chunks.FAST] * 3 + [chunks.FULL]] * 4


def test_games_with_chance_keep_its_outcomes(tmp_path: Path) -> None:
    cards = sf.game("easycard")
    path = tmp_path / "cards.jsonl"
    sf.match(cards, ["random"] * 2, 2, record=path, processes=0)
    wanted = Architecture(blocks=0, channels=8, value="players")
    games = records.read(path, Description.of(cards, wanted), cards)
    replay = Replay([cards], config().replay)
    replay.add(games.chunk)
    rows = np.arange(chunks.positions(games.chunk))
    seen = replay.encoded(rows, np.zeros(len(rows), np.uint32))
    assert (np.take_along_axis(seen.legal, seen.policy.argmax(1)[:, None], 1) == 1).all()


def test_unfinished_games_are_left_out_and_counted(tmp_path: Path) -> None:
    corner = record_of(WON[:3])
    elsewhere = record_of(WON, start="x........")
    games = read(file_of(tmp_path, corner, record_of(WON), corner, elsewhere))
    assert (games.unfinished, games.elsewhere, len(games.chunk["id"])) == (2, 1, 1)
    (tmp_path / "games.jsonl").unlink()
    with pytest.raises(ValueError, match=r"has no finished game of tic_tac_toe to learn from\.$"):
        read(file_of(tmp_path, corner))


# What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "connect_four"}, "line 2: this is a record of 'connect_four' v1, and the run is of tic_tac_toe v1."),
        ({"version": 7}, "line 2: this is a record of 'tic_tac_toe' v7, and the run is of tic_tac_toe v1."),
        ({"actions": [0, 3, 0, 4, 2]}, "line 2: at ply 2, "),
        ({"actions": [0, 3, 1, 4, 99]}, "line 2: at ply 4, "),
        ({"actions": [*WON, 8]}, "line 2: at ply 5, "),
        ({"actions": WON[:4]}, "line 2: it says the result is [1.0, -1.0], but its moves do not."),
        ({"result": [-1.0, 1.0]}, "line 2: it says the result is [-1.0, 1.0], but its moves do not."),
        ({"actions": DRAWN, "result": [0.0]}, "line 2: it says the result is [0.0], but its moves do not."),
    ],
)
def test_other_games_and_illegal_moves_are_refused_with_their_line(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = file_of(tmp_path, record_of(WON), record_of(WON, **change))
    with pytest.raises(ValueError) as error:  # noqa: PT011
        read(path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    out = tmp_path / "run"
    with pytest.raises(ValueError, match="line 2"):
        train(TIC, out=out, config=config(), from_records=path)
    assert not out.exists()


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read: No such file or directory"):
        read(tmp_path / "nowhere.jsonl")
    (tmp_path / "text.jsonl").write_text("hello\n")
    with pytest.raises(ValueError, match="line 1 is not a record"):
        read(tmp_path / "text.jsonl")


def test_other_boards_are_refused_unless_the_net_knows_them(tmp_path: Path) -> None:
    small, odd = sf.game("connect_four", rows=4, cols=5), sf.game("connect_four", connect=3)
    path = tmp_path / "games.jsonl"
    for rules in (FOUR, small):
        sf.match(rules, ["random"] * 2, 2, record=path, processes=0)
    with pytest.raises(ValueError, match="line 3: this run is for connect_four with cols=7, not with cols=5"):
        read(path, FOUR)
    every = Architecture(blocks=1, channels=8, policy="columns", pooling=True, value_hidden=8)
    about = Description.of(FOUR, every, ("rows", "cols"))
    games = records.read(path, about, FOUR)
    assert [one.spec for one in games.setups] == [FOUR.spec, small.spec]
    assert games.chunk["game"].tolist() == [0, 0, 1, 1]
    run = train(
        FOUR,
        out=tmp_path / "run",
        config=Config("connect_four", net=every, varied=("rows", "cols")).changed(SETTINGS | {"iterations": 0}),
        from_records=path,
        **{"supervised.held_out": 0.5},
    )
    assert run.lines("supervised")[0]["held_out"] > 0  # both sizes are learnt from and judged
    sf.match(odd, ["random"] * 2, 2, record=path, processes=0)
    with pytest.raises(ValueError, match="line 5: this run is for connect_four with connect=4, not with connect=3"):
        records.read(path, about, FOUR)


# Held out


def test_whole_games_are_held_out_and_equal_ones_together(tmp_path: Path) -> None:
    some = [record_of(WON)] * 3 + [record_of(DRAWN), record_of([4, 0, 5, 1, 3]), record_of([8, 0, 7, 1, 6])]
    games = read(file_of(tmp_path, *some))
    starts = games.chunk["position_start"]
    for seed in range(8):
        learnt, held = games.split(0.25, seed)
        assert sorted([*learnt, *held]) == list(range(int(starts[-1])))
        parts = [np.isin(np.arange(a, b), held) for a, b in pairwise(starts)]
        assert all(one.all() or not one.any() for one in parts)
        away = [bool(one.all()) for one in parts]
        assert away[0] == away[1] == away[2]
        assert len(held)
        assert len(learnt)
    assert len(games.split(0.0, 1)[1]) == 0


def test_a_single_game_is_learnt_from(tmp_path: Path) -> None:
    learnt, held = read(file_of(tmp_path, record_of(WON))).split(0.1, 1)
    assert (len(learnt), len(held)) == (5, 0)


# Learning


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games in which everybody takes the first free cell, but for the opening: easily foreseen."""
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    sf.match(TIC, [_First, _First], 120, opening_plies=3, record=path, processes=0)
    return path


class _First(sf.Player):
    name = "first"

    def think(self, state: sf.State) -> sf.SearchResult:
        return sf.SearchResult(state.legal_actions()[0], [], [])


def test_records_alone_teach(tmp_path: Path, played: Path) -> None:
    settings = {"supervised.passes": 12.0, "iterations": 0, "replay.symmetries": False, "learning.rate": 0.01}
    phases: list[str] = []
    run = train(
        TIC,
        out=tmp_path / "run",
        config=config(**settings),
        from_records=played,
        watch=lambda progress: phases.append(progress.phase),
    )
    (said,) = run.lines("supervised")
    assert said["games"] == 120
    assert 0 < said["held_out"] < said["positions"]
    assert said["correct_after"] > max(0.8, said["correct_before"] + 0.2)
    assert said["value_error_after"] < said["value_error_before"]
    assert run.iterations() == [0]
    assert run.net() == run.checkpoint(0) / "net.onnx"
    assert sf.player(f"policy:net={run.net()}", TIC).think(TIC.replay([8, 4, 2])).action == 0
    assert phases[0] == "supervised"
    assert "self-play" not in phases
    before = run.net().read_bytes()
    resume(run.folder)  # there is nothing left to do
    assert run.net().read_bytes() == before
    assert len(run.lines("supervised")) == 1
    told = text_of(Report.of(run), [])
    assert "## Start" in told
    assert "positions of 120 recorded games" in told


def test_self_play_goes_on_from_what_records_taught(tmp_path: Path, played: Path) -> None:
    run = train(TIC, out=tmp_path / "run", config=config(iterations=1), from_records=played)
    assert run.iterations() == [0, 1]
    (metrics,) = run.lines("metrics")
    assert metrics["games"] == 4  # the records are no games of self-play
    assert metrics["window"] == metrics["positions"]
    assert metrics["steps"] > run.lines("supervised")[0]["steps"]
    assert run.config.supervised.records == str(played.resolve())


class _KilledError(Exception):
    pass


def test_a_killed_start_is_done_again_and_comes_to_the_same_net(tmp_path: Path, played: Path) -> None:
    def kill(progress: Progress) -> None:
        if progress.phase == "supervised" and progress.phase_done == 5:
            raise _KilledError

    wanted = train(TIC, out=tmp_path / "whole", config=config(iterations=0), from_records=played)
    copy = tmp_path / "gone.jsonl"
    copy.write_bytes(played.read_bytes())
    with pytest.raises(_KilledError):
        train(TIC, out=tmp_path / "killed", config=config(iterations=0), from_records=copy, watch=kill)
    assert Run(tmp_path / "killed").iterations() == []
    copy.unlink()  # the run holds them
    run = resume(tmp_path / "killed")
    for name in ("net.safetensors", "mean.safetensors", "optimiser.safetensors"):
        ours, theirs = (safetensors.numpy.load_file(one.checkpoint(0) / name) for one in (run, wanted))
        assert ours.keys() == theirs.keys()
        assert all(np.array_equal(ours[key], theirs[key]) for key in ours), name
    said, say = run.lines("supervised")[0], wanted.lines("supervised")[0]
    assert said | {"seconds": 0} == say | {"seconds": 0}


def test_records_that_were_not_written_whole_are_read_again(tmp_path: Path, played: Path) -> None:
    folder = tmp_path / "games"
    games = read(played)
    records.save(folder, games)
    again = records.load(folder, TIC)
    assert again is not None
    assert (again.unfinished, [one.spec for one in again.setups]) == (0, ["tic_tac_toe"])
    (folder / "records.json").unlink()
    assert records.load(folder, TIC) is None
    records.save(folder, games)
    (folder / "records.npz").write_bytes((folder / "records.npz").read_bytes()[:100])
    assert records.load(folder, TIC) is None
    run = Run.begin(tmp_path / "run", config(iterations=0, **{"supervised.records": str(played)}))
    resume(run.folder)  # killed before the records were taken in
    assert run.lines("supervised")[0]["games"] == 120


KILLED = """
import os, signal, sys
from sevenfold.train.begin import resume
def watch(progress):
    if progress.phase == "supervised" and progress.phase_done == 3:
        os.kill(os.getpid(), signal.SIGKILL)
resume(sys.argv[1], watch=watch)
"""


def test_kill_9_in_the_middle_loses_nothing(tmp_path: Path, played: Path) -> None:
    run = Run.begin(tmp_path / "run", config(iterations=0, **{"supervised.records": str(played)}))
    ended = subprocess.run([sys.executable, "-c", KILLED, str(run.folder)], env=os.environ, timeout=120)
    assert ended.returncode == -signal.SIGKILL
    assert run.iterations() == []
    resume(run.folder)
    assert run.iterations() == [0]


def test_runs_that_need_records_say_so(tmp_path: Path) -> None:
    for settings in ({"iterations": 0}, {"supervised.required": True}):
        with pytest.raises(ValueError, match="--from-records FILE") as error:
            train(TIC, out=tmp_path / "run", config=config(**settings))
        assert str(error.value).endswith(".")
    assert not (tmp_path / "run").exists()


def test_the_three_are_presets() -> None:
    assert {"alphago", "alphagozero"} <= set(preset_names(FOUR))
    first, second = preset("alphago", FOUR), preset("alphagozero", FOUR)
    assert (first.net.separate, first.selfplay.rollouts, first.supervised.required) == (True, 0.5, True)
    assert (second.net.separate, second.selfplay.rollouts, second.supervised.required) == (False, 0.0, False)
    assert first.gate.games == second.gate.games == 400


# The gate


class _Played:
    def __init__(self, score: float) -> None:
        self.score, self.wins, self.draws, self.losses = score, round(10 * score), 0, 10 - round(10 * score)


def test_the_gate_lets_the_better_in_and_keeps_the_worse_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three nets that score 30, 70 and 55 %: the games after each are played by 0, 2 and 3."""
    scores = iter([0.3, 0.7, 0.55])
    asked: list[tuple[list[str], dict[str, Any]]] = []

    def fake(board: sf.Game, players: list[str], games: int, seed: int, **options: Any) -> _Played:
        asked.append((players, options))
        return _Played(next(scores))

    monkeypatch.setattr(matches, "match", fake)
    settings = {"iterations": 3, "overlap": False, "gate.games": 10, "selfplay.rollouts": 0.25}
    run = train(TIC, out=tmp_path / "run", config=config(**settings))
    lines = run.lines("gate")
    assert [(line["iteration"], line["best"], line["passed"]) for line in lines] == [
        (1, 0, False),
        (2, 0, True),
        (3, 2, True),
    ]
    assert run.net() == run.checkpoint(3) / "net.onnx"
    for (players, options), line in zip(asked, lines, strict=True):
        for player, number in zip(players, (line["iteration"], line["best"]), strict=True):
            assert f"{number:06d}" in player
            assert player.endswith("rollouts=0.25")
        assert options["opening_plies"] == 4
    loop = Loop(run, TIC)
    assert [loop._player_of(iteration) for iteration in (1, 2, 3, 4)] == [0, 0, 2, 3]


def test_the_gates_judgements_survive_a_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = iter([0.7, 0.3, 0.2])
    asked: list[list[str]] = []

    def fake(board: sf.Game, players: list[str], *rest: Any, **options: Any) -> _Played:
        asked.append(players)
        return _Played(next(scores))

    def kill(progress: Progress) -> None:
        if progress.phase == "gate" and progress.iteration == 2:
            raise _KilledError

    monkeypatch.setattr(matches, "match", fake)
    with pytest.raises(_KilledError):
        train(TIC, out=tmp_path / "run", config=config(iterations=3, **{"gate.games": 10}), watch=kill)
    run = Run(tmp_path / "run")
    assert [line["iteration"] for line in run.lines("gate")] == [1]
    with open(run.folder / "gate.jsonl", "a") as file:
        file.write('{"iteration": 2, "pas')  # cut short
    resume(run.folder)
    assert [(line["iteration"], line["best"], line["passed"]) for line in run.lines("gate")] == [
        (1, 0, True),
        (2, 1, False),
        (3, 1, False),
    ]
    assert len(asked) == 3  # nothing was judged twice, and the fresh net not against itself
    assert run.net() == run.checkpoint(1) / "net.onnx"


def test_nets_play_different_games_at_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without random openings two nets that always play their best would play two games, one on each seat."""
    found: list[Match] = []

    def kept(*given: Any, **options: Any) -> Match:
        found.append(sf.match(*given, **options | {"processes": 0}))
        return found[-1]

    monkeypatch.setattr(matches, "match", kept)
    settings = {"iterations": 1, "gate.games": 8, "gate.simulations": 2, "gate.sprt": False}
    run = train(TIC, out=tmp_path / "run", config=config(**settings))
    assert len({json.dumps(one.record.actions) for one in found[0].played}) >= 6
    assert run.lines("gate")[0]["games"] == 8


def worth_record(worth: object, moves: int = 3, cut: bool = True) -> sf.Record:
    """A game of tic-tac-toe that was left, or played to its end, whose moves say what they were worth."""
    state = sf.game("tic_tac_toe").new()
    for action in [0, 3, 1, 4, 2][: moves if cut else 5]:
        state.play(action)
    return sf.Record.of(state, moves=[{"worth": worth} for _ in state.history])


def test_what_a_move_says_it_was_worth_is_learnt_instead_of_the_result(tmp_path: Path) -> None:
    """Also of a game that was not played to its end."""
    path = tmp_path / "games.jsonl"
    path.write_text("".join(worth_record([0.25, -0.25], cut=cut).to_line() + "\n" for cut in (True, False)))
    rules = sf.game("tic_tac_toe")
    games = records.read(path, Description.of(rules, Architecture()), rules)
    assert (games.unfinished, len(games.chunk["id"])) == (0, 2)
    assert games.chunk["target"].tolist() == [[0.25, -0.25]] * 8
    assert games.chunk["returns"].tolist() == [[0, 0], [1, -1]]


@pytest.mark.parametrize("worth", [[0.25], [2, -2], "much", [None, 0.0], [True, False]])
def test_a_wrong_worth_is_refused(tmp_path: Path, worth: object) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(worth_record(worth, cut=False).to_line() + "\n")
    rules = sf.game("tic_tac_toe")
    with pytest.raises(ValueError, match="line 1: at ply 0, its worth is not a return for each player"):
        records.read(path, Description.of(rules, Architecture()), rules)


def test_an_unfinished_game_that_does_not_say_all_is_left_out(tmp_path: Path) -> None:
    record = worth_record([0.0, 0.0])
    record.moves[1] = None
    finished = worth_record([0.0, 0.0], cut=False)
    path = tmp_path / "games.jsonl"
    path.write_text(record.to_line() + "\n" + finished.to_line() + "\n")
    rules = sf.game("tic_tac_toe")
    games = records.read(path, Description.of(rules, Architecture()), rules)
    assert (games.unfinished, len(games.chunk["id"])) == (1, 1)
