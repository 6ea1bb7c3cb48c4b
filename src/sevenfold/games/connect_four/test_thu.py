"""Proves the player `thu` with libraries compiled here: what they are told, and that they break only their game."""

import gc
import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold.games.connect_four import harness
from sevenfold.process import EngineError

FOUR = sf.game("connect_four")
SAMPLE = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
struct Point { int x; int y; };
static int calls = 0;
extern "C" Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                           const int lastY, const int noX, const int noY) {
  const char* mood = getenv("MOOD") ? getenv("MOOD") : "";
  printf("2 2\n");  // a library that prints its thoughts
  fflush(stdout);
  ++calls;
  if (FILE* log = getenv("LOG") ? fopen(getenv("LOG"), "a") : nullptr) {
    fprintf(log, "%d %d %d", calls, M, N);
    for (int i = 0; i < N; ++i) fprintf(log, " %d", top[i]);
    for (int i = 0; i < M * N; ++i) fprintf(log, " %d", board[i]);
    fprintf(log, " %d %d %d %d\n", lastX, lastY, noX, noY);
    fclose(log);
  }
  if (!strcmp(mood, "crash")) *(volatile int*)nullptr = 1;
  if (!strcmp(mood, "hang")) for (;;) sleep(1);
  if (!strcmp(mood, "spin")) for (volatile int i = 0;; ++i);
  if (!strcmp(mood, "exit")) exit(0);
  if (!strcmp(mood, "abort")) abort();
  if (!strcmp(mood, "fork")) { fork(); for (;;) sleep(1); }
  if (!strcmp(mood, "null")) return nullptr;
  if (!strcmp(mood, "nonsense")) return new Point{-7, 2000000000};
  if (!strcmp(mood, "floating")) return new Point{0, 3};
  for (int y = 0; y < N; ++y)
    if (top[y] > 0) return new Point{top[y] - 1, y};
  return nullptr;
}
extern "C" void clearPoint(Point* p) { delete p; }
"""
MOODS = {
    "crash": "was ended by SIGSEGV",
    "hang": "took longer than 0.4 s",
    "spin": "took longer than 0.4 s",
    "exit": "ended with exit code 0",
    "abort": "was ended by SIGABRT",
    "fork": "took longer than 0.4 s",
    "null": "gave no point: 'a null pointer'",
    "nonsense": "answered row -7, column 2000000000, where no stone can land",
    "floating": "answered row 0, column 3, where no stone can land",
}

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ to make a library with")


def compiled(folder: Path, name: str, source: str) -> Path:
    (folder / f"{name}.cpp").write_text(source)
    library = folder / f"{name}.so"
    subprocess.run(["g++", "-shared", "-fPIC", "-o", library, folder / f"{name}.cpp"], check=True)
    return library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plays the first column that is free, or as its MOOD is."""
    return compiled(tmp_path_factory.mktemp("library"), "sam,p=le:1", SAMPLE)


@pytest.fixture
def leaks_nothing() -> Iterator[None]:
    def children() -> list[str]:
        return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()

    gc.collect()
    before, own = sorted(os.listdir("/proc/self/fd")), children()
    yield
    gc.collect()
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert set(children()) <= set(own)  # other tests may have left theirs


def expected(rows: int, cols: int, blocked: tuple[int, int], moves: list[int]) -> tuple[list[int], ...]:
    """What a library must be told after these moves, found by letting stones fall one by one."""
    board = [[0] * cols for _ in range(rows)]
    last = [-1, -1]
    me = len(moves) % 2
    for ply, col in enumerate(moves):
        row = rows - 1
        while board[row][col] or (row, col) == blocked:
            row -= 1
        board[row][col] = 2 if ply % 2 == me else 1
        last = [row, col]
    tops = []
    for col in range(cols):
        top = rows
        while top > 0 and board[top - 1][col]:
            top -= 1
        if (top - 1, col) == blocked:  # the next cell is jumped, and stones may lie above it already
            top -= 1
            while top > 0 and board[top - 1][col]:
                top -= 1
        tops.append(top)
    return [rows, cols], tops, [cell for row in board for cell in row], last, list(blocked)


BOARDS = [
    (rows, cols, blocked)
    for rows, cols in ((4, 4), (6, 7), (9, 12), (12, 12))
    for blocked in ((0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols // 2), (1, 1), (rows - 2, 2), (rows // 2, 3))
] + [(6, 7, (-1, -1))]


@pytest.mark.parametrize(("rows", "cols", "blocked"), BOARDS, ids=str)
def test_the_board_is_told_as_the_harness_does(rows: int, cols: int, blocked: tuple[int, int]) -> None:
    from sevenfold.games.connect_four.thu import request

    game = sf.game("connect_four", rows=rows, cols=cols, blocked=None if blocked == (-1, -1) else blocked)
    rng = random.Random(rows * cols)
    for _ in range(20):
        state = game.new()
        while not state.is_over:
            told = [int(word) for word in request(state, harness.grid_of(state)).split()]
            assert told == [n for part in expected(rows, cols, blocked, state.history) for n in part]
            for col in range(cols):
                assert (told[2 + col] > 0) == (col in state.legal_actions())
            state.play(rng.choice(state.legal_actions()))


@pytest.mark.usefixtures("leaks_nothing")
def test_a_library_plays_matches_on_all_boards(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    for rows, cols, blocked in BOARDS[::3]:
        game = sf.game("connect_four", rows=rows, cols=cols, blocked=None if blocked == (-1, -1) else blocked)
        result = sf.match(game, [f"thu:{library}", "random"], games=2, processes=1)
        assert not result.faults
        calls = [line.split() for line in (tmp_path / "log").read_text().splitlines()]
        (tmp_path / "log").unlink()
        for one in result.played:
            mine = one.seats.index(0)
            for number, ply in enumerate(range(mine, len(one.record.actions), 2), start=1):
                told = expected(rows, cols, blocked, one.record.actions[:ply])
                assert calls.pop(0) == [str(n) for n in [number, *(n for part in told for n in part)]]
        assert not calls


def test_each_game_has_a_process_of_its_own(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    player = sf.player(f"thu:{library}", FOUR)
    for _ in range(2):
        player.reset()
        player.think(FOUR.new())
        player.think(FOUR.replay([3, 3]))
    assert [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()] == ["1", "2", "1", "2"]


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.usefixtures("leaks_nothing")
def test_a_broken_library_loses_its_games_and_nothing_else(
    library: Path, monkeypatch: pytest.MonkeyPatch, mood: str
) -> None:
    monkeypatch.setenv("MOOD", mood)
    start = time.monotonic()
    result = sf.match("connect_four", ["random", f"thu[seconds=0.4]:{library}"], games=2, processes=1)
    assert time.monotonic() - start < 4
    assert result.wins == 2
    assert all("lost game" in fault for fault in result.faults)


@pytest.mark.parametrize("mood", MOODS)
def test_a_failure_is_one_sentence_and_the_next_game_is_a_new_one(
    library: Path, monkeypatch: pytest.MonkeyPatch, mood: str
) -> None:
    monkeypatch.setenv("MOOD", mood)
    player: Any = sf.player(f"thu:{library}", FOUR, seconds=0.4)
    with pytest.raises(EngineError) as caught:
        player.think(FOUR.new())
    text = str(caught.value)
    assert MOODS[mood] in text
    assert text.endswith(".")
    assert "\n" not in text
    monkeypatch.delenv("MOOD")
    player.seconds = 20.0
    player.reset()
    assert player.think(FOUR.new()).action == 0


def test_a_file_that_is_no_such_library_is_refused_by_a_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no library\n")
    empty = compiled(tmp_path, "empty", "int nothing;")
    half = compiled(tmp_path, "half", 'extern "C" int* getPoint() { return nullptr; }')
    stuck = compiled(tmp_path, "stuck", "#include <unistd.h>\nstatic int x = (sleep(60), 1);")
    for path, words in (
        (text, "cannot be used: "),
        (empty, "cannot be used: it has no function getPoint."),
        (half, "cannot be used: it has no function clearPoint."),
        (stuck, "took longer than 0.5 s"),
    ):
        with pytest.raises(EngineError) as caught:
            sf.player("thu", FOUR, library=str(path), startup=0.5 if path == stuck else 10.0).think(FOUR.new())
        assert "the library" in str(caught.value)
        assert str(caught.value).endswith(".")
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "game", "words"),
    [
        ("thu", FOUR, "thu needs a library"),
        ("thu:", FOUR, "thu needs a library"),
        ("thu:/nowhere/x.so", FOUR, "there is no file '/nowhere/x.so'"),
        ("thu:/", FOUR, "there is no file '/'"),
        ("thu:a\0b", FOUR, "there is no file"),
        ("thu[seconds=0]:/bin/sh", FOUR, "seconds must be a number above 0"),
        ("thu:/bin/sh", sf.game("connect_four", connect=5), "four in a row, not 5"),
        ("thu:/bin/sh", sf.game("tic_tac_toe"), "there is no player 'thu'"),
    ],
)
def test_what_cannot_be_played_is_refused_by_a_sentence(spec: str, game: sf.Game, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sf.player(spec, game)
