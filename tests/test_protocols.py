"""Proves our players at other tables: whole games against referees written here, byte by byte, and malformed input."""

import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import sevenfold as sf
from sevenfold.protocols import botzone, engine, saiblo
from sevenfold.protocols.reading import Input, process_start
from sevenfold.protocols.seat import Seat

ROOT = Path(__file__).parent.parent
FOUR = sf.game("connect_four")
TIC = sf.game("tic_tac_toe")
QUICK = "uct:simulations=30"
VERB = [sys.executable, "-c", "from sevenfold.cli import main; main()"]


def check_sentence(text: str) -> None:
    assert "\n" not in text, text
    assert text.endswith("."), text
    assert 10 < len(text) < 400, text


def patiently(test: Callable[[], None]) -> None:
    """A test of times gets three chances: a busy machine may wake us late."""
    for _ in range(2):
        try:
            return test()
        except AssertionError:
            time.sleep(0.5)
    return test()


class Served:
    """A protocol that runs in a thread, spoken to through pipes."""

    def __init__(self, run: Callable[[BinaryIO, BinaryIO], None]) -> None:
        theirs_in, mine_out = os.pipe()
        mine_in, theirs_out = os.pipe()
        self.to, self.back = os.fdopen(mine_out, "wb"), os.fdopen(mine_in, "rb")
        self.error: Exception | None = None

        def serve() -> None:
            with os.fdopen(theirs_in, "rb") as source, os.fdopen(theirs_out, "wb") as out:
                try:
                    run(source, out)
                except Exception as error:
                    self.error = error

        self.thread = threading.Thread(target=serve)
        self.thread.start()

    def send(self, text: str) -> None:
        self.to.write(text.encode())
        self.to.flush()

    def end(self) -> bytes:
        """Ends the input; what was still written."""
        self.to.close()
        self.thread.join(30)
        assert not self.thread.is_alive()
        with self.back:
            return self.back.read()


# Saiblo.


class Referee:
    """A board on which stones fall, and who has won."""

    def __init__(self, rows: int, cols: int, blocked: tuple[int, int]) -> None:
        self.rows, self.cols, self.blocked = rows, cols, blocked
        self.board = [[0] * cols for _ in range(rows)]
        self.last = (-1, -1)

    def lands(self, col: int) -> int:
        row = self.rows - 1
        while row >= 0 and (self.board[row][col] or (row, col) == self.blocked):
            row -= 1
        return row

    def free(self) -> list[int]:
        return [col for col in range(self.cols) if self.lands(col) >= 0]

    def drop(self, col: int, who: int) -> None:
        row = self.lands(col)
        assert row >= 0
        self.board[row][col] = who
        self.last = (row, col)

    def won(self) -> bool:
        row, col = self.last
        if row < 0:
            return False
        who = self.board[row][col]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for way in (1, -1):
                r, c = row + way * down, col + way * right
                while 0 <= r < self.rows and 0 <= c < self.cols and self.board[r][c] == who:
                    run, r, c = run + 1, r + way * down, c + way * right
            if run >= 4:
                return True
        return False

    def head(self) -> str:
        return f"{self.rows} {self.cols} {self.blocked[0]} {self.blocked[1]}\n"

    def turn(self) -> str:
        tops = " ".join(str(self.lands(col) + 1) for col in range(self.cols))
        lines = "\n".join(" ".join(map(str, row)) for row in self.board)
        return f"{self.last[0]} {self.last[1]}\n{tops}\n{lines}\n"


def boards() -> list[tuple[int, int, tuple[int, int]]]:
    out = []
    for rows, cols in ((4, 4), (6, 7), (9, 9), (9, 12), (12, 9), (11, 10), (12, 12)):
        corners = [(r, c) for r in (0, rows - 1) for c in (0, cols - 1)]
        others = [(0, cols // 2), (rows - 1, cols // 2), (1, 1), (rows - 2, cols - 2), (rows // 2, cols // 2)]
        out += [(rows, cols, cell) for cell in (*corners, *others)]
    return out


def frame(back: BinaryIO) -> tuple[int, int]:
    """One answer, byte by byte."""
    head = back.read(4)
    assert len(head) == 4
    (length,) = struct.unpack(">I", head)
    assert 3 <= length <= 5
    text = back.read(length).decode("ascii")
    assert re.fullmatch(r"(0|[1-9][0-9]?) (0|[1-9][0-9]?)", text)
    row, col = map(int, text.split())
    return row, col


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(("rows", "cols", "blocked"), boards(), ids=str)
def test_saiblo_whole_games(
    rows: int, cols: int, blocked: tuple[int, int], first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughts: list[sf.State] = []
    think = Seat.think

    def noted(self: Seat, state: sf.State, deadline: float) -> Any:
        thoughts.append(state.copy())
        return think(self, state, deadline)

    monkeypatch.setattr(Seat, "think", noted)
    rng = random.Random(rows * 100 + cols + sum(blocked) + first)
    referee = Referee(rows, cols, blocked)
    served = Served(lambda source, out: saiblo.run(source, out, QUICK, 5.0))
    served.send(referee.head())
    ours = first
    while referee.free():
        if ours:
            served.send(referee.turn())
            row, col = frame(served.back)
            assert col in referee.free()
            assert row == referee.lands(col)
            referee.drop(col, 2)
        else:
            referee.drop(rng.choice(referee.free()), 1)
        if referee.won():
            break
        ours = not ours
    assert served.end() == b""
    assert served.error is None
    # The tree is kept: every position was reached from the one before it by two moves.
    assert all(state.start is None for state in thoughts)
    for one, two in pairwise(thoughts):
        assert two.history[: len(one.history)] == one.history
        assert len(two.history) == len(one.history) + 2


def answers(text: str | bytes, spec: str = "random") -> tuple[bytes, str | None]:
    """What Saiblo's referee gets for an input: the bytes, and the sentence on stderr."""
    out = io.BytesIO()
    try:
        saiblo.run(io.BytesIO(text if isinstance(text, bytes) else text.encode()), out, spec, 0.5)
    except ValueError as error:
        check_sentence(str(error))
        return out.getvalue(), str(error)
    return out.getvalue(), None


def test_saiblo_takes_the_board_where_the_moves_do_not_fit() -> None:
    referee = Referee(6, 7, (5, 3))
    for who, col in ((2, 0), (1, 3), (2, 0), (1, 3), (2, 0), (1, 2)):
        referee.drop(col, who)
    said, error = answers(referee.head() + referee.turn(), QUICK)
    assert (said, error) == (b"\0\0\0\x032 0", None)  # the win on the left, from a board in the middle of the game
    other = Referee(6, 7, (5, 3))
    for who, col in ((2, 6), (1, 3), (2, 6), (1, 3), (2, 6), (1, 2)):
        other.drop(col, who)
    said, error = answers(referee.head() + referee.turn() + other.turn(), QUICK)
    assert (said, error) == (b"\0\0\0\x032 0\0\0\0\x032 6", None)


def test_saiblo_reads_tops_that_do_not_jump_the_blocked_cell_and_boards_without_one() -> None:
    referee = Referee(4, 4, (3, 0))
    text = referee.head() + referee.turn().replace("3 4 4 4", "4 4 4 4")
    assert answers(text)[1] is None
    assert answers(Referee(4, 4, (-1, -1)).head() + Referee(4, 4, (-1, -1)).turn())[1] is None


START = Referee(4, 5, (1, 1))
START.drop(2, 1)
GOOD = START.head() + START.turn()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x", "whole numbers, not 'x'"),
        ("4 5", "ends in the middle of the size"),
        ("4 5 1", "ends in the middle of the size"),
        ("4 5 1 1.5\n", "whole numbers, not '1.5'"),
        ("3 5 1 1\n", "rows"),
        ("13 5 1 1\n", "rows"),
        ("4 99999 1 1\n", "cols"),
        ("4 5 4 1\n", "blocked"),
        ("4 5 1 -1\n", "blocked"),
        ("9" * 100_000, "not made of numbers"),
        ("4 5 1 1" * 10_000, "option blocked must be"),
        (GOOD[:-5], "ends in the middle of the board"),
        (GOOD.replace("3 2", "3 3", 1), "last point 3 3 is not a stone of theirs"),
        (GOOD.replace("3 2", "-1 2", 1), "last point -1 2 is not a stone of theirs"),
        (GOOD.replace("4 4 3 4 4", "4 4 4 4 4"), "the top of column 2 is 4, but on the board it is 3"),
        (GOOD.replace("4 4 3 4 4", "4 4 3 4 99"), "the top of column 4 is 99"),
        (GOOD.replace("0 0 1 0 0", "0 0 1 0 3"), "made of 0, 1 and 2"),
        (GOOD.replace("0 0 1 0 0", "0 0 1 0 1"), "it cannot be our turn with 0 stones of ours and 2"),
        (GOOD.replace("0 0 1 0 0", "2 0 1 0 2"), "it cannot be our turn with 2 stones of ours and 1"),
        ("4 5 1 1 -1 -1 4 4 4 4 4 " + "0 " * 6 + "1 " + "0 " * 13, "blocked cell"),
        ("4 5 1 1 -1 -1 4 4 4 4 4 " + "1 " + "0 " * 19, "hangs in the air"),
        ("4 5 3 4 2 3 4 4 4 2 3 " + "0 " * 10 + "0 0 0 1 0 " + "0 0 0 1 0 ", "it cannot be our turn"),
        ("4 5 0 0 3 3 2 2 2 3 4 " + "0 " * 10 + "2 2 2 0 0 " + "1 1 1 1 0 ", "over"),
    ],
    ids=lambda text: repr(text[:40]),
)
def test_saiblo_refuses_what_is_malformed_by_a_sentence(text: str, words: str) -> None:
    said, error = answers(text)
    assert said == b""
    assert error is not None
    assert words in error


def test_saiblo_ends_with_its_input() -> None:
    assert answers("") == (b"", None)
    assert answers(" \n ") == (b"", None)
    assert answers(GOOD[:8]) == (b"", None)
    said, error = answers(GOOD)
    assert (len(said), error) == (7, None)
    said, error = answers(GOOD + "1")
    assert len(said) == 7
    assert error is not None


def test_saiblo_survives_anything() -> None:
    rng = random.Random(1)
    signs = "0123456789 -\n\tx."
    for _ in range(1500):
        text = list(GOOD)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            change = rng.randrange(3)
            text[at : at + rng.randrange(3)] = rng.choices(signs, k=rng.randrange(4)) if change else []
        said, error = answers("".join(text))
        stream = io.BytesIO(said)
        while stream.tell() < len(said):
            frame(stream)
        assert error is not None or len(said) in (0, 7, 14)


def test_saiblo_as_a_program_is_never_late_and_counts_its_start() -> None:
    patiently(play_saiblo_by_the_clock)


def play_saiblo_by_the_clock() -> None:
    referee = Referee(12, 12, (5, 5))
    start = time.monotonic()
    subprocess.run([*VERB, "--version"], check=True, capture_output=True)
    seconds = max(1.2, 3 * (time.monotonic() - start))  # a machine that starts Python slowly is given more
    start = time.monotonic()
    with subprocess.Popen(
        [*VERB, "saiblo", "--seconds", str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        for turn in range(3):
            program.stdin.write(((referee.head() if turn == 0 else "") + referee.turn()).encode())
            program.stdin.flush()
            _, col = frame(program.stdout)
            took = time.monotonic() - start
            assert took < 1.05 * seconds
            assert took > 0.6 * seconds or turn > 0  # later on it may see that it wins, and need no time
            referee.drop(col, 2)
            referee.drop(11 if turn % 2 else 0, 1)
            time.sleep(0.1)
            start = time.monotonic()
        program.stdin.close()
        assert program.wait(20) == 0
        assert program.stdout.read() == b""
        assert program.stderr.read() == b""


@pytest.mark.parametrize(
    ("argv", "text", "words"),
    [
        (["saiblo"], "4 5 x", "whole numbers, not 'x'"),
        (["botzone", "connect_four"], "{", "not JSON"),
        (["engine", "connect_four"], "hello\n", "the first line must be"),
    ],
)
def test_malformed_input_is_a_sentence_on_stderr_and_exit_code_2(argv: list[str], text: str, words: str) -> None:
    done = subprocess.run([*VERB, *argv], input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_process_start_is_known() -> None:
    age = time.monotonic() - process_start()
    assert age >= 0
    script = (
        "import time; time.sleep(0.3)\n"
        "from sevenfold.protocols.reading import process_start\n"
        "print(time.monotonic() - process_start())"
    )
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert 0.3 <= float(done.stdout) <= time.monotonic() - start + 0.02


def test_the_clock_runs_since_a_request_came() -> None:
    reads, writes = os.pipe()
    with os.fdopen(reads, "rb") as source, os.fdopen(writes, "wb", 0) as out:
        began = time.monotonic() - 5
        incoming = Input(source, began)
        out.write(b"here already\n")
        assert incoming.line() == "here already"
        assert incoming.clock == began
        incoming.answered()
        threading.Timer(0.1, out.write, [b"later\n"]).start()
        asked = time.monotonic()
        assert incoming.line() == "later"
        assert 0.09 < incoming.clock - asked < 1


def test_a_seat_is_done_by_its_deadline_and_keeps_its_own_limits() -> None:
    patiently(think_by_the_clock)


def think_by_the_clock() -> None:
    game = sf.game("connect_four", rows=12, cols=12)
    for spec, least, most in (
        ("uct", 0.25, 0.35),
        ("uct:seconds=0.1", 0.05, 0.2),
        ("uct:simulations=100", 0.0, 0.1),
        ("random", 0.0, 0.1),
    ):
        seat, start = Seat(spec, game), time.monotonic()
        seat.think(game.new(), start + 0.3)
        assert least <= time.monotonic() - start <= most
    start = time.monotonic()
    Seat("uct", game).think(game.new(), start - 100)  # late already: any move at once
    assert time.monotonic() - start < 0.1


# Botzone.


def botzone_answer(data: Any, game: sf.Game = FOUR, **options: Any) -> tuple[list[Any], str | None]:
    """The lines written for an input, and the sentence on stderr."""
    text = data if isinstance(data, str) else json.dumps(data) + "\n"
    out = io.BytesIO()
    options = {"spec": QUICK, "seconds": 5.0} | options
    try:
        botzone.run(io.BytesIO(text.encode(errors="surrogatepass")), out, game, **options)
    except ValueError as error:
        check_sentence(str(error))
        return out.getvalue().decode().splitlines(), str(error)
    return out.getvalue().decode().splitlines(), None


def said(action: int, state: sf.State, form: str) -> Any:
    """An action as a referee writes it."""
    if form == "number":
        return action
    if form == "text":
        return state.action_text(action)
    if form == "point":
        grid = [line.split() for line in str(state).splitlines()]
        row = max(row for row in range(int(state.game.options["rows"])) if grid[row][action] == ".")
        return {"x": row, "y": action}
    return {"action": action}


@pytest.mark.parametrize("kept", [True, False], ids=["kept running", "started anew"])
@pytest.mark.parametrize("form", ["number", "text", "point", "object"])
@pytest.mark.parametrize("first", [True, False])
def test_botzone_whole_games(kept: bool, form: str, first: bool) -> None:
    rules = sf.game("connect_four", rows=7, cols=8, blocked=(6, 2))
    state, rng = rules.new(), random.Random(3)
    written: Any = form if form != "object" else "number"
    nothing = {"number": -1, "text": "", "point": {"x": -1, "y": -1}, "object": {"action": -1}}[form]
    requests: list[Any] = []
    responses: list[Any] = []
    served = Served(lambda source, out: botzone.run(source, out, rules, QUICK, 5.0, keep_running=True, form=written))
    if first:
        requests.append(nothing)
    while not state.is_over:
        if (state.to_move == 0) == first:
            whole = {"requests": requests, "responses": responses, "data": "", "time_limit": 1}
            if kept:
                served.send(json.dumps(whole if not responses else requests[-1]) + "\n")
                answer = json.loads(served.back.readline())
                assert served.back.readline() == botzone.KEEP_RUNNING.encode() + b"\n"
            else:
                (line,), error = botzone_answer(whole, rules, form=written)
                answer = json.loads(line)
                assert error is None
            assert set(answer) == {"response", "debug"}
            responses.append(answer["response"])
            action = next(a for a in state.legal_actions() if said(a, state, written) == answer["response"])
        else:
            action = rng.choice(state.legal_actions())
            requests.append(said(action, state, form))
        state.play(action)
    assert served.end() == b""
    assert served.error is None


def test_botzone_takes_the_options_of_the_first_request() -> None:
    options = {"rows": 4, "cols": 5, "connect": 4, "blocked": "3,4"}
    (line,), error = botzone_answer({"requests": [{"options": options, "action": "e"}], "responses": []}, form="point")
    assert error is None
    assert json.loads(line)["response"]["x"] <= 3
    (line,), error = botzone_answer({"requests": [{"options": {"rows": 4, "cols": 4}}], "responses": []})
    assert error is None


def test_botzone_plays_games_with_chance_and_several_moves_in_a_row() -> None:
    nim = sf.game(str(ROOT / "examples" / "nim.py"))
    (line,), error = botzone_answer({"requests": [None], "responses": []}, nim)
    assert error is None
    move = json.loads(line)["response"]
    state = nim.new()
    state.play(move)
    (line,), error = botzone_answer(
        {"requests": [[], [state.legal_actions()[0]]], "responses": [move]}, nim, form="text"
    )
    assert error is None
    assert isinstance(json.loads(line)["response"], str)


def test_botzone_keeps_its_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts: list[sf.State] = []
    think = Seat.think
    monkeypatch.setattr(Seat, "think", lambda self, s, d: (thoughts.append(s.copy()), think(self, s, d))[1])
    lines = ['{"requests":[3],"responses":[]}', "3", '{"action":"d"}', "[2]"]
    out, error = botzone_answer("\n".join(lines), keep_running=True)
    assert (len(out), error) == (8, None)
    for one, two in pairwise(thoughts):
        assert two.history[: len(one.history)] == one.history


WHOLE = {"requests": [3], "responses": []}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("nonsense\n", "the input is not JSON"),
        ('{"requests": [3], "respon', "the input is not JSON"),
        ("[" * 100_000, "the input is not JSON"),
        ("\ud800\n", "not UTF-8"),
        ("x" * (1 << 21), "more than 1048576 bytes"),
        (3, "must be an object"),
        ([], "must be an object"),
        ({"requests": [3]}, "must be an object"),
        ({"requests": [], "responses": []}, "the first one longer by one"),
        ({"requests": [3], "responses": [3]}, "the first one longer by one"),
        ({"requests": 3, "responses": []}, "the first one longer by one"),
        ({"requests": [7], "responses": []}, "7"),
        ({"requests": [-2], "responses": []}, "-2"),
        ({"requests": [10**40], "responses": []}, "."),
        ({"requests": [1.5], "responses": []}, "an action cannot be written as 1.5"),
        ({"requests": [True], "responses": []}, "an action cannot be written as True"),
        ({"requests": ["z"], "responses": []}, "'z' is not a legal action"),
        ({"requests": [[[3]]], "responses": []}, "an action cannot be written as"),
        ({"requests": [{"x": 0, "y": 3}], "responses": []}, "no stone lands on row 0 of column 3"),
        ({"requests": [{"x": 5, "y": 99}], "responses": []}, "no stone lands on row 5 of column 99"),
        ({"requests": [{"x": "5", "y": 3}], "responses": []}, "an action cannot be written as"),
        ({"requests": [{"move": 3}], "responses": []}, "an action cannot be written as"),
        ({"requests": [3, -1], "responses": [3]}, "it is not our turn"),
        ({"requests": [3, [3, 3]], "responses": [3]}, "it is not our turn"),
        ({"requests": [[0, 1, 0, 1, 0, 1, 0]], "responses": []}, "it is not our turn"),
        ({"requests": [{"options": 3}], "responses": []}, "options of the first request must be an object"),
        ({"requests": [{"options": {"rows": 99}}], "responses": []}, "rows"),
        ({"requests": [{"options": {"name": "x"}}], "responses": []}, "'name' is no option of a game"),
        ({"requests": [{"options": {"preset": "saiblo"}}], "responses": []}, "'preset' is no option of a game"),
    ],
    ids=lambda data: str(data)[:50],
)
def test_botzone_refuses_what_is_malformed_by_a_sentence(data: Any, words: str) -> None:
    lines, error = botzone_answer(data)
    assert lines == []
    assert error is not None
    assert words in error


def test_botzone_answers_before_a_mistake_stay() -> None:
    lines, error = botzone_answer(json.dumps(WHOLE) + "\n99\n", keep_running=True)
    assert len(lines) == 2
    assert error is not None
    assert botzone_answer("") == ([], None)
    assert botzone_answer("\n \n") == ([], None)


def test_botzone_survives_anything() -> None:
    rng = random.Random(2)
    good = json.dumps({"requests": [{"action": 3, "options": {"rows": 6}}, "d", {"x": 3, "y": 3}], "responses": [0, 1]})
    for _ in range(1500):
        text = list(good)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            text[at : at + rng.randrange(3)] = rng.choices('0123456789{}[]",:-.e xd', k=rng.randrange(3))
        lines, error = botzone_answer("".join(text), spec="random")
        assert len(lines) == (error is None)


# Our own protocol, from the engine's side.


def engine_answer(text: str, game: sf.Game = FOUR, spec: str = QUICK) -> tuple[list[str], str | None]:
    out = io.BytesIO()
    try:
        engine.run(io.BytesIO(text.encode(errors="surrogatepass")), out, game, spec)
    except ValueError as error:
        check_sentence(str(error))
        return out.getvalue().decode().splitlines(), str(error)
    return out.getvalue().decode().splitlines(), None


def test_the_engine_answers_what_the_page_shows() -> None:
    page = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
    requests = re.findall(r"^> (.*)$", page, re.MULTILINE)
    lines, error = engine_answer("\n".join(requests))
    assert error is None
    assert lines[0] == "ready sevenfold uct"
    assert re.fullmatch(r"move [0-6] values=-?[0-9.e-]+,-?[0-9.e-]+ pv=[0-6,]+ nodes=[0-9]+", lines[1])


@pytest.mark.parametrize("spec", ["uct:simulations=20", "random", "montecarlo:simulations=20"])
def test_two_sevenfolds_play_each_other(spec: str) -> None:
    """Through the protocol the same player plays the same game as without it."""
    import shlex

    command = shlex.join([*VERB, "engine", "connect_four", "--player", spec])
    through = sf.match("connect_four", [f"exec[seconds=20]:{command}", "random"], games=2, preset="saiblo", processes=2)
    direct = sf.match("connect_four", [spec, "random"], games=2, preset="saiblo", processes=1)
    assert not through.faults
    assert [one.record.actions for one in through.played] == [one.record.actions for one in direct.played]


def test_the_engine_plays_from_a_start_and_with_other_options() -> None:
    head = 'sevenfold 1\ngame connect_four {"rows":6,"cols":8,"connect":4,"blocked":"none"}\nnew seed=1\n'
    lines, error = engine_answer(head + 'start "8/8/8/8/ooo5/xxx5 x"\nmoves\ngo seat=0 seconds=1\nnonsense\nquit\nx')
    assert error is None
    assert lines[1].startswith("move 3 values=1,-1")


GREETED = "sevenfold 1\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\x00\n", "the first line must be 'sevenfold 1'"),
        ("go\n", "the first line must be 'sevenfold 1'"),
        ("sevenfold 2\n", "speaks version 1"),
        ("sevenfold\n", "speaks version 1"),
        (GREETED + "go seat=0 seconds=1\n", "go must come after moves"),
        (GREETED + "moves d\n", "told by their numbers, not as 'd'"),
        (GREETED + "moves -1\n", "told by their numbers, not as '-1'"),
        (GREETED + "moves 9\ngo seat=0 seconds=1\n", "9"),
        (GREETED + "moves 3\ngo seat=0 seconds=1\n", "it is not the turn of seat '0'"),
        (GREETED + "moves 0 1 0 1 0 1 0\ngo seconds=1\n", "it is not the turn"),
        (GREETED + "moves\ngo seat=0 seconds=nan\n", "go takes seconds=S"),
        (GREETED + "moves\ngo seat=0 seconds=-1\n", "go takes seconds=S"),
        (GREETED + "moves\ngo seat=0 seconds=x\n", "go takes seconds=S"),
        (GREETED + "moves\nlegal 1 2\ngo seat=0 seconds=1\n", "the rules differ"),
        (GREETED + "new seed=x\n", "new takes seed=N"),
        (GREETED + "new seed=" + "9" * 30 + "\n", "new takes seed=N"),
        (GREETED + "game tic_tac_toe {}\n", "this engine plays connect_four, not 'tic_tac_toe'"),
        (GREETED + "game connect_four\n", "must be written as JSON"),
        (GREETED + "game connect_four []\n", "must be written as JSON"),
        (GREETED + 'game connect_four {"rows":99}\n', "rows"),
        (GREETED + 'game connect_four {"seed":3}\n', "'seed' is no option of a game"),
        (GREETED + "start 7/7\n", "must be written as JSON"),
        (GREETED + 'start "x"\nmoves\ngo\n', "."),
        (GREETED + "\ud800\n", "not UTF-8"),
        (GREETED + "x" * (1 << 21), "more than 1048576 bytes"),
    ],
    ids=lambda text: repr(text[:60]),
)
def test_the_engine_refuses_what_is_malformed_by_a_sentence(text: str, words: str) -> None:
    lines, error = engine_answer(text)
    assert lines == ["ready sevenfold uct"] * text.startswith(GREETED)
    assert error is not None
    assert words in error


def test_games_with_hidden_information_are_refused() -> None:
    kuhn = sf.game(str(ROOT / "examples" / "kuhn_poker.py"))
    for answer in (engine_answer("", kuhn, "random"), botzone_answer("", kuhn, spec="random")):
        assert answer[1] is not None
        assert "has hidden information" in answer[1]
