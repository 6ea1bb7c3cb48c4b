"""Proves that a match survives its players: crashes, dead processes, players that never return, Ctrl-C, kill -9."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import table
from sevenfold.match import match
from sevenfold.players import Player, RandomPlayer, SearchResult

FOUR = sf.game("connect_four")


def failing(how: str, after: int = 0) -> Any:
    """A class of random players that break down at some ply."""

    class Failing(RandomPlayer):
        name = how

        def think(self, state: sf.State) -> SearchResult:
            if len(state.history) >= after:
                breakdown(how)
            return super().think(state)

    return Failing


def breakdown(how: str) -> None:
    if how == "raise":
        raise RuntimeError("out of order")
    if how == "exit":
        os._exit(3)
    if how == "sys.exit":
        sys.exit(0)
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "segfault":
        import ctypes
        import faulthandler

        faulthandler.disable()  # pytest's, whose report would look like a failure
        ctypes.string_at(0)
    if how == "hang":
        time.sleep(1000)
    if how == "slow":
        time.sleep(0.4)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("raise", "RuntimeError: out of order"),
        ("exit", "its process ended with exit code 3"),
        ("sys.exit", "SystemExit"),
        ("kill", "ended by SIGKILL"),
        ("segfault", "ended by SIGSEGV"),
    ],
)
def test_a_player_that_breaks_down_loses_that_game_and_the_match_goes_on(how: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = match(FOUR, ["random", failing(how, after=4)], games=4, processes=2, record=path)
    assert (result.games, result.wins) == (4, 4)
    assert len(result.faults) == 4
    assert all(fault.startswith(f"{how} lost game") and said in fault for fault in result.faults)
    for record in sf.read_records(path):  # the moves before the fault are kept
        assert len(record.actions) in (4, 5)
        assert record.result is None
        assert record.seats[record.about["lost_by"]] == how
        record.replay()


def test_both_may_break_down_and_whoever_had_the_word_has_lost() -> None:
    result = match(FOUR, [failing("exit", after=6), failing("kill", after=3)], games=6, processes=2)
    assert result.wins == 6  # the second is always the first to fail
    assert all(fault.startswith("kill lost") for fault in result.faults)


def test_a_player_that_never_returns_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "hopeless", lambda seconds: 0.5)
    start = time.perf_counter()
    result = match(FOUR, [failing("hang", after=2), "random"], games=2, seconds=0.2, processes=2)
    assert time.perf_counter() - start < 20
    assert result.losses == 2
    assert "did not return" in result.faults[0]


def test_a_late_move_loses() -> None:
    result = match(FOUR, [failing("slow", after=2), "random"], games=2, seconds=0.2, processes=2)
    assert result.losses == 2
    assert "of 0.2 s" in result.faults[0]


def test_a_player_without_a_limit_of_its_own_gets_that_of_the_match() -> None:
    timed = table.Table(FOUR, None, (), seconds=0.25)
    for text, seconds in (
        ("uct", 0.25),
        ("uct:exploration=2", 0.25),
        ("uct:simulations=9", None),
        ("uct:seconds=3", 3.0),
    ):
        made: Any = timed._made(text, FOUR, 0)
        assert made.seconds == seconds, text
    assert timed._made("random", FOUR, 7).seed == 7  # it has no clock


@pytest.mark.parametrize("where", ["__init__", "reset"])
@pytest.mark.parametrize("how", ["raise", "exit"])
def test_a_fault_before_the_first_move_costs_the_game_too(where: str, how: str) -> None:
    class Late(RandomPlayer):
        name = "late"

        def __init__(self, game: sf.Game, seed: int = 0) -> None:
            super().__init__(game, seed)
            if where == "__init__":
                breakdown(how)

        def reset(self) -> None:
            if where == "reset":
                breakdown(how)

    result = match(FOUR, ["random", Late], games=4, processes=1)
    assert result.wins == 4
    assert all(one.record.actions == [] for one in result.played)


def test_reset_is_called_once_before_every_game(tmp_path: Path) -> None:
    log = tmp_path / "log"

    class Told(RandomPlayer):
        name = "told"

        def reset(self) -> None:
            with log.open("a") as file:
                file.write("reset\n")

    match("tic_tac_toe", ["random", Told], games=6, processes=2)
    assert log.read_text().count("reset") == 6


@pytest.mark.parametrize(
    "answer", [None, SearchResult(99, [], []), SearchResult(-1, [], []), SearchResult(2.5, [], [])]
)  # type: ignore[arg-type]
def test_nonsense_loses(answer: Any) -> None:
    class Nonsense(RandomPlayer):
        name = "nonsense"

        def think(self, state: sf.State) -> SearchResult:
            return answer  # type: ignore[no-any-return]

    assert match(FOUR, [Nonsense, "random"], games=2, processes=0).losses == 2


def test_what_json_cannot_hold_does_not_stop_the_match(tmp_path: Path) -> None:
    class Odd(RandomPlayer):
        name = "odd"

        def think(self, state: sf.State) -> SearchResult:
            result = super().think(state)
            result.values = [float("nan"), 0.0]
            return result

    result = match(FOUR, [Odd, "random"], games=2, processes=1, record=tmp_path / "games.jsonl")
    assert not result.faults
    assert len(list(sf.read_records(tmp_path / "games.jsonl"))) == 2


def test_what_a_player_prints_is_not_part_of_the_answer(capfd: pytest.CaptureFixture[str]) -> None:
    class Loud(RandomPlayer):
        name = "loud"

        def think(self, state: sf.State) -> SearchResult:
            print("hello", flush=True)
            return super().think(state)

    match("tic_tac_toe", [Loud, "random"], games=2, processes=1)
    assert capfd.readouterr().out == ""


BROKEN_RULES = """
import os
import sevenfold as sf

class Broken(sf.Rules):
    players, actions = 2, 2
    def __init__(self): self.plies = 0
    def to_move(self): return sf.TERMINAL if self.plies == 3 else self.plies % 2
    def legal_actions(self): return [0, 1]
    def play(self, action): self.plies += 1
    def returns(self): {returns}
"""


@pytest.mark.parametrize(
    ("returns", "said"), [("return [1 / 0, 0]", "ZeroDivisionError"), ("os._exit(7)", "exit code 7")]
)
def test_rules_that_break_down_end_the_match_by_a_sentence(tmp_path: Path, returns: str, said: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(BROKEN_RULES.format(returns=returns))
    with pytest.raises(ValueError, match=said) as caught:
        match(str(path), ["random", "random"], games=2, processes=1)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_function_that_makes_players_takes_part() -> None:
    def first(game: sf.Game) -> Player:
        class First(RandomPlayer):
            name = "first"

            def think(self, state: sf.State) -> SearchResult:
                return SearchResult(state.legal_actions()[0], [], [0.0, 0.0])

        return First(game)

    result = match("tic_tac_toe", [first, "random"], games=4, processes=2)
    assert result.players == ["first", "random"]
    assert not result.faults
    with pytest.raises(ValueError, match="by its text"):
        match("tic_tac_toe", [sf.player("random", sf.game("tic_tac_toe")), "random"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="makes no player"):
        match("tic_tac_toe", [lambda game: 3, "random"], games=2)  # type: ignore[list-item,return-value]


# Going on.

PLAYERS = ["uct:simulations=30", "montecarlo:simulations=20"]


def outcome(result: sf.Match) -> dict[str, Any]:
    data = result.to_json()
    del data["seconds"]
    return data


def histories(result: sf.Match) -> list[list[int]]:
    return [one.record.actions for one in result.played]


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_the_same_seed_is_the_same_match_however_many_processes(processes: int) -> None:
    usual = match(FOUR, PLAYERS, games=8, opening_plies=2, seed=5, processes=2)
    other = match(FOUR, PLAYERS, games=8, opening_plies=2, seed=5, processes=processes)
    assert histories(usual) == histories(other)
    assert outcome(usual) == outcome(other)


def test_seeds_do_not_depend_on_the_python_at_hand() -> None:
    from sevenfold.seeds import seed_of

    assert seed_of(1, 0, "board") == 4559564933628444634
    assert len({seed_of(seed, number, text) for seed in (1, 2) for number in (3, 4) for text in "ab"}) == 8


def test_a_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = match(FOUR, PLAYERS, games=8, processes=2)
    match(FOUR, PLAYERS, games=4, processes=2, record=path)
    seen: list[int] = []
    again = match(
        FOUR, PLAYERS, games=8, processes=2, record=path, resume=True, progress=lambda m: seen.append(m.games)
    )
    assert outcome(again) == outcome(whole)
    assert histories(again) == histories(whole)
    assert seen == list(range(1, 9))
    assert len(list(sf.read_records(path))) == 8  # four of them were not played again
    match(FOUR, PLAYERS, games=8, processes=2, record=path, resume=True)
    assert len(list(sf.read_records(path))) == 8


def test_only_games_of_the_same_match_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match(FOUR, PLAYERS, games=2, processes=2, record=path)
    others: list[dict[str, Any]] = [
        {"seed": 2}, {"opening_plies": 1}, {"players": PLAYERS[::-1]}, {"seconds": 10.0}, {"preset": "saiblo"},
        {"game": "tic_tac_toe"},
    ]  # fmt: skip
    for number, change in enumerate(others, start=2):
        match(**{"game": FOUR, "players": PLAYERS, "games": 2, "record": path, "resume": True, **change})
        assert len(list(sf.read_records(path))) == 2 * number, change


def test_faults_are_read_back_as_well(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    entrants = ["random", failing("raise", after=3)]
    first = match(FOUR, entrants, games=4, processes=2, record=path)
    again = match(FOUR, entrants, games=4, processes=2, record=path, resume=True)
    assert outcome(first) == outcome(again)
    assert again.wins == 4


def test_going_on_needs_a_file() -> None:
    with pytest.raises(ValueError, match="name the file"):
        match(FOUR, ["random", "random"], resume=True)


def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match("tic_tac_toe", ["random", "random"], games=2, record=path)
    lines = path.read_text().splitlines()
    damaged = "\n".join([lines[0], "nonsense", lines[1], ""])
    path.write_text(damaged)
    with pytest.raises(ValueError, match="line 2 is not a record"):
        match("tic_tac_toe", ["random", "random"], games=4, record=path, resume=True)
    assert path.read_text() == damaged


CHILD = """
import sys, sevenfold as sf
result = sf.match("connect_four", ["uct:simulations=400", "montecarlo:simulations=300"], games=60, processes=2,
                  record=sys.argv[1], resume=True)
data = result.to_json()
del data["seconds"]
import json
print(json.dumps(data))
"""


def started(path: Path, **more: Any) -> "subprocess.Popen[str]":
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True, **more)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and (not path.exists() or path.read_bytes().count(b"\n") < 5):
        time.sleep(0.01)
    return child


def children_of(pid: int) -> list[int]:
    out = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                    out.append(int(entry.name))
            except OSError:
                continue
    return out


@pytest.fixture
def whole(tmp_path: Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path / "whole.jsonl")], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_kill_minus_nine_loses_no_finished_game_and_leaves_no_worker_behind(tmp_path: Path, whole: str) -> None:
    path = tmp_path / "games.jsonl"
    child = started(path)
    workers = children_of(child.pid)
    child.kill()
    child.wait()
    assert len(workers) >= 2
    before = path.read_bytes()
    finished = before.count(b"\n")
    assert 5 <= finished < 60
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(Path(f"/proc/{pid}").exists() for pid in workers):
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    again = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, check=True)
    assert again.stdout == whole
    kept = before[: before.rfind(b"\n") + 1]
    assert path.read_bytes().startswith(kept)
    assert len({json.loads(line)["about"]["number"] for line in path.read_text().splitlines()}) == 60


def test_a_worker_that_somebody_kills_costs_at_most_a_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    child = started(path)
    for pid in children_of(child.pid):
        os.kill(pid, signal.SIGKILL)
    out, _ = child.communicate(timeout=60)
    data = json.loads(out)
    assert data["games"] == 60
    assert len(data["faults"]) <= 2


def test_ctrl_c_ends_the_match_and_its_workers(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    child = started(
        path, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    )
    workers = children_of(child.pid)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert child.returncode != 0
    assert "KeyboardInterrupt" in errors
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert len(list(sf.read_records(path))) >= 5
