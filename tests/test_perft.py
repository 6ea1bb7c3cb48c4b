"""Proves perft: published counts, games in Python and with chance, bounds, and that Ctrl-C stops it."""

import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from helpers import refused

import sevenfold as sf

EXAMPLES = Path(__file__).parent.parent / "examples"


class Sticks(sf.Rules):
    """Take one to three of `count`; whoever takes the last wins."""

    actions = 3

    def __init__(self, count: int = 10) -> None:
        self.count, self.turn = count, 0

    def to_move(self) -> int:
        return self.turn if self.count else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [n - 1 for n in (1, 2, 3) if n <= self.count]

    def play(self, action: int) -> None:
        self.count -= action + 1
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        return [0, 0] if self.count else ([-1, 1] if self.turn == 0 else [1, -1])


def test_connect_four_has_the_published_number_of_positions_after_each_ply() -> None:
    counts = sf.perft(sf.game("connect_four").new(), 9, distinct=True, detail=True)
    assert counts.per_ply == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]
    assert sf.perft(sf.game("connect_four").new(), 9, distinct=True) == 558_186


def test_connect_four_has_the_published_number_of_sequences() -> None:
    counts = sf.perft(sf.game("connect_four").new(), 8, detail=True)
    assert counts.per_ply == [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_the_boards_of_one_two_and_three_words_count_alike() -> None:
    """Five stones cannot reach the top of five rows: the same counts from the three structs behind the game."""
    counts = [
        sf.perft(sf.game("connect_four", rows=rows, cols=10).new(), 5, distinct=True, detail=True).per_ply
        for rows in (5, 11, 12)
    ]
    assert counts[0] == counts[1] == counts[2]


def test_a_python_game_is_counted_like_any_other() -> None:
    start = sf.game(Sticks).new()
    tribonacci = [1, 1, 2]
    while len(tribonacci) <= 10:
        tribonacci.append(sum(tribonacci[-3:]))
    assert sf.perft(start, 10, detail=True).complete == tribonacci[10]  # ways to write 10 as a sum of 1, 2 and 3
    positions = sf.perft(start, 10, distinct=True, detail=True)
    # After n moves between n and 3n sticks are gone, at most all ten.
    assert positions.per_ply == [len(range(n, min(3 * n, 10) + 1)) for n in range(11)]
    assert start.history == []


def test_chance_outcomes_count_as_actions() -> None:
    start = sf.game(str(EXAMPLES / "kuhn_poker.py")).new()
    counts = sf.perft(start, 5, detail=True)
    assert counts.per_ply == [1, 3, 6, 12, 24, 12]
    assert counts.complete == 30  # six deals of five betting sequences


def test_a_later_position_is_counted_from_there() -> None:
    game = sf.game("tic_tac_toe")
    children = []
    for cell in range(9):
        state = game.new()
        state.play(cell)
        children.append(sf.perft(state, 8, detail=True).complete)
    assert sum(children) == 255_168
    assert children[0] == children[2] == children[6] == children[8]
    assert children[4] != children[0]


def test_a_finished_game_counts_once_and_leads_nowhere() -> None:
    state = sf.game("tic_tac_toe").parse("xxx/oo./... o")
    for distinct in (False, True):
        counts = sf.perft(state, 3, distinct, detail=True)
        assert (counts.per_ply, counts.ended_per_ply) == ([1, 0, 0, 0], [1, 0, 0, 0])
        assert sf.perft(state, 0, distinct) == 1


def test_the_numbers_add_up_and_are_given_to_programs() -> None:
    counts = sf.perft(sf.game("tic_tac_toe").new(), 5, detail=True)
    assert counts.to_json() == {
        "depth": 5,
        "distinct": False,
        "count": 15120,
        "complete": 1440,
        "total": 1 + 9 + 72 + 504 + 3024 + 15120,
        "per_ply": [1, 9, 72, 504, 3024, 15120],
        "ended_per_ply": [0, 0, 0, 0, 0, 1440],
    }


@pytest.mark.parametrize("depth", [-1, 257, 10**6, 2**31, 10**12, -(10**12), pytest.param(10**5000, id="huge")])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    with refused(match="depth must be from 0 to 256"):
        sf.perft(sf.game("tic_tac_toe").new(), depth)


@pytest.mark.parametrize("distinct", [False, True])
def test_the_deepest_perft_fits_the_stack(distinct: bool) -> None:
    class Ladder(Sticks):
        def legal_actions(self) -> list[int]:
            return [0]

    assert sf.perft(sf.game(Ladder, count=300).new(), 256, distinct) == 1


@pytest.mark.parametrize("distinct", [False, True])
def test_an_exception_of_a_python_game_travels_through_with_its_type_and_a_note(distinct: bool) -> None:
    class Broken(Sticks):
        def play(self, action: int) -> None:
            super().play(action)
            if self.count < 5:
                raise KeyError("no such stick")

    state = sf.game(Broken).new()
    with pytest.raises(KeyError) as caught:
        sf.perft(state, 9, distinct)
    assert "broken.play()" in caught.value.__notes__[0]
    assert sf.perft(state, 1) == 3  # and nothing is left in disorder


def test_progress_is_told_while_it_runs() -> None:
    heard: list[int] = []
    sf.perft(sf.game("connect_four", rows=12, cols=12).new(), 7, detail=True, progress=heard.append)
    assert heard == sorted(heard)
    assert heard
    assert heard[-1] > 0


def test_perft_runs_outside_the_main_thread_and_in_several_at_once() -> None:
    game, answers = sf.game("tic_tac_toe"), []
    threads = [threading.Thread(target=lambda: answers.append(sf.perft(game.new(), 7))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [148176] * 4


@pytest.mark.parametrize(
    "work",
    [
        "sf.perft(sf.game('connect_four').new(), 30)",
        "sf.perft(sf.game('connect_four', rows=12, cols=12).new(), 30, distinct=True)",
        "sf.perft(sf.game(Sticks).new(), 60)",
    ],
)
def test_ctrl_c_stops_it_promptly(work: str) -> None:
    source = Path(__file__).read_text().split("class Sticks")[1].split("\n\n\n")[0]
    script = textwrap.dedent("""
        import signal
        import sevenfold as sf
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        class Sticks{source}
        print("ready", flush=True)
        try:
            {work}
        except KeyboardInterrupt:
            print("stopped", flush=True)
            raise SystemExit(7)
    """)
    script = script.replace("{source}", source.replace("= 10", "= 60")).replace("{work}", work)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.4)
            assert process.poll() is None, "it was done before it could be stopped"
            sent = time.perf_counter()
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 7
            assert time.perf_counter() - sent < 2
            assert process.stdout.read() == "stopped\n"
        finally:
            process.kill()
