"""Proves `perfect`: brute force on small and odd boards, plain alpha-beta on the usual one, known outcomes, every step
switched off, limits, Ctrl-C, and the cache on disk whatever state it is in."""

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from helpers import refused

import sevenfold as sf
from sevenfold.games.connect_four import solved, yardstick
from sevenfold.games.connect_four.perfect import PerfectPlayer, PerfectResult


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own cache is neither read nor written."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return solved.cache_file()


def perfect(game: sf.Game, **options: object) -> PerfectPlayer:
    player = sf.player("perfect", game, **{"cache": False, "memory": 16} | options)
    assert isinstance(player, PerfectPlayer)
    return player


def brute_force(state: sf.State, known: dict[str, int]) -> int:
    """The score by trying everything, by the rules alone; every position on the way is added to `known`."""
    name = state.to_text()
    if name not in known:
        cells, stones, best = state.game.max_plies, state.to_text().count("x") + state.to_text().count("o") - 1, -1000
        for column in state.legal_actions():
            child = state.copy()
            child.play(column)
            if child.to_move != sf.TERMINAL:
                best = max(best, -brute_force(child, known))
            else:
                best = max(best, (cells + 1 - stones) // 2 if any(child.returns()) else 0)
        known[name] = best
    return known[name]


def random_position(game: sf.Game, stones: int, rng: random.Random) -> sf.State:
    """Some position with so many stones in which the game is not over."""
    while True:
        state = game.new()
        for _ in range(stones):
            if state.to_move == sf.TERMINAL:
                break
            state.play(rng.choice(state.legal_actions()))
        if state.to_move != sf.TERMINAL:
            return state


def nearly_full(game: sf.Game, free: int, rng: random.Random) -> sf.State:
    """A board without lines of four in which the top cells of some columns are free: random play cannot reach one."""
    rows, cols = int(game.options["rows"]), int(game.options["cols"])
    blocked = next(
        (divmod(i, cols) for i, c in enumerate(str(game.new()).replace("\n", " ").split()) if c == "#"), None
    )
    while True:
        heights = [0] * cols  # free cells per column
        for _ in range(free):
            heights[rng.randrange(cols)] += 1
        lines = []
        for row in range(rows):
            cells = ["." if row < heights[col] else "xo"[(col // 2 + row) % 2] for col in range(cols)]
            if blocked and blocked[0] == row:
                cells[blocked[1]] = "#"
            lines.append("".join(cells))
        x, o = (sum(line.count(stone) for line in lines) for stone in "xo")
        if x - o in (0, 1) and max(heights) < rows:
            text = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(lines))
            return game.parse(text + (" o" if x > o else " x"))


SMALL = [
    {"rows": 4, "cols": 4},
    {"rows": 5, "cols": 4},
    {"rows": 4, "cols": 5},
    {"rows": 4, "cols": 4, "connect": 3},
    {"rows": 5, "cols": 5, "connect": 3},
    {"rows": 5, "cols": 4, "connect": 5},
    {"rows": 4, "cols": 6, "connect": 6},
    *({"rows": 4, "cols": 4, "blocked": cell} for cell in [(0, 0), (1, 1), (2, 3), (3, 2)]),
    {"rows": 5, "cols": 5, "blocked": (2, 2)},
    {"rows": 5, "cols": 4, "blocked": (3, 1), "connect": 3},
]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_it_agrees_with_brute_force_on_small_boards(options: dict[str, object]) -> None:
    game, rng = sf.game("connect_four", **options), random.Random(1)
    known: dict[str, int] = {}
    while len(known) < 3000:
        brute_force(random_position(game, max(0, game.max_plies - 10), rng), known)
    player = perfect(game)
    for text in rng.sample(sorted(known), 600):
        state = game.parse(text)
        result = player.think(state)
        assert result.score == player.score(state) == known[text], text
        check(result, state, known)


def check(result: PerfectResult, state: sf.State, known: dict[str, int]) -> None:
    """The columns' scores, the policy, the values and the line say the same as the score."""
    assert result.proven
    assert result.score is not None
    stones = state.to_text().count("x") + state.to_text().count("o") - 1
    for column in range(state.game.actions):
        if column not in state.legal_actions():
            assert result.scores[column] is None
            continue
        child = state.copy()
        child.play(column)
        over = child.to_move == sf.TERMINAL
        win = (state.game.max_plies + 1 - stones) // 2 if any(child.returns()) else 0
        assert result.scores[column] == (win if over else -known[child.to_text()])
    best = [column for column, score in enumerate(result.scores) if score == result.score]
    assert result.action in best
    assert result.policy == [1 / len(best) if column in best else 0.0 for column in range(state.game.actions)]
    sign = float((result.score > 0) - (result.score < 0))
    assert result.values[state.to_move] == sign
    assert result.values[1 - state.to_move] == -sign
    end = state.copy()
    for column in result.pv:
        end.play(column)
    assert end.to_move == sf.TERMINAL
    assert end.returns() == result.values
    if result.score:
        winner_stones = (state.game.max_plies + 1 - stones) // 2 - result.score if result.score > 0 else None
        if winner_stones is not None:
            assert len(result.pv) == 2 * winner_stones + 1


@pytest.mark.parametrize(
    "options",
    [
        {"rows": 6, "cols": 7},
        {"rows": 7, "cols": 8},  # 64 bits: all of one word
        {"rows": 9, "cols": 10, "blocked": (2, 4)},
        {"rows": 10, "cols": 9, "blocked": (0, 0)},
        {"rows": 12, "cols": 12},
        {"rows": 12, "cols": 11, "blocked": (11, 5)},
        {"rows": 11, "cols": 12, "blocked": (1, 6), "connect": 5},
    ],
    ids=str,
)
def test_it_agrees_with_brute_force_on_nearly_full_boards_of_every_width(options: dict[str, object]) -> None:
    game, rng = sf.game("connect_four", **options), random.Random(2)
    player, scores = perfect(game), set()
    for _ in range(60):
        state = nearly_full(game, 9, rng)
        known: dict[str, int] = {}
        if state.to_move == sf.TERMINAL:
            continue
        scores.add(brute_force(state, known))
        check(player.think(state), state, known)
    assert options.get("connect") == 5 or len(scores) > 1


def test_it_agrees_with_plain_alpha_beta_on_late_positions_of_the_usual_board() -> None:
    game, rng = sf.game("connect_four"), random.Random(3)
    plain = perfect(game, **dict.fromkeys(PerfectPlayer.STEPS, False))
    player = perfect(game)
    for _ in range(200):
        state = random_position(game, rng.randint(22, 34), rng)
        assert player.score(state) == plain.score(state), state.to_text()


@pytest.mark.parametrize("step", PerfectPlayer.STEPS)
@pytest.mark.parametrize("options", [{}, {"rows": 9, "cols": 9, "blocked": (5, 4)}], ids=str)
def test_no_step_changes_a_score(step: str, options: dict[str, object]) -> None:
    game, rng = sf.game("connect_four", **options), random.Random(4)
    player, without = perfect(game), perfect(game, **{step: False})
    differs = False
    for _ in range(60):
        state = random_position(game, 20, rng) if not options else nearly_full(game, 16, rng)
        player.reset()
        without.reset()
        mine, other = player.think(state), without.think(state)
        assert mine.scores == other.scores
        differs |= mine.nodes != other.nodes
    assert differs or step == "mirror"  # the switch is connected


def test_the_mirror_halves_the_work_where_the_position_is_its_own_image() -> None:
    game = sf.game("connect_four", rows=5, cols=5)
    assert perfect(game).think(game.new()).nodes < 0.7 * perfect(game, mirror=False).think(game.new()).nodes


def test_a_mirrored_position_has_mirrored_scores() -> None:
    game, rng = sf.game("connect_four"), random.Random(5)
    player = perfect(game)
    for _ in range(30):
        state = random_position(game, 20, rng)
        assert player.think(state).scores == player.think(state.symmetric(1)).scores[::-1]


@pytest.mark.parametrize(("rows", "cols", "score"), [(4, 4, 0), (5, 4, 0), (4, 5, 0), (5, 5, 0), (4, 6, -1), (6, 4, 0)])
def test_small_empty_boards_have_their_score_with_and_without_claims(rows: int, cols: int, score: int) -> None:
    game = sf.game("connect_four", rows=rows, cols=cols)
    assert perfect(game).think(game.new()).score == perfect(game, claims=False).think(game.new()).score == score


@pytest.mark.parametrize(
    ("rows", "cols", "sign"),
    [(5, 6, 0), (6, 5, 0), (5, 7, 0), (6, 6, -1), pytest.param(5, 8, 1, marks=pytest.mark.slow)],
)
def test_larger_empty_boards_have_their_known_outcome(rows: int, cols: int, sign: int) -> None:
    game = sf.game("connect_four", rows=rows, cols=cols)
    score = perfect(game, memory=256).score(game.new())
    assert score is not None
    assert (score > 0) - (score < 0) == sign


@pytest.mark.slow
def test_the_usual_empty_board_has_its_known_scores() -> None:
    game = sf.game("connect_four")
    assert perfect(game, memory=256).think(game.new()).scores == [-2, -1, 0, 1, 0, -1, -2]


def test_the_same_position_takes_the_same_nodes() -> None:
    game = sf.game("connect_four")
    state = random_position(game, 18, random.Random(6))
    assert perfect(game).think(state).nodes == perfect(game).think(state).nodes
    player = perfect(game)
    first = player.think(state).nodes
    assert player.think(state).nodes < first  # the table remembers
    player.reset()
    assert player.think(state).nodes == first


def test_a_small_table_is_slower_but_right() -> None:
    game = sf.game("connect_four")
    state = random_position(game, 16, random.Random(7))
    small, large = perfect(game, memory=1), perfect(game, memory=64)
    assert small.think(state).scores == large.think(state).scores


def test_a_limit_in_nodes_is_kept_and_the_bounds_are_honest() -> None:
    game, rng = sf.game("connect_four"), random.Random(8)
    refusals = 0
    for nodes in (1, 10, 100, 1000, 10000):
        for _ in range(8):
            state = random_position(game, 18, rng)
            result, exact = perfect(game, nodes=nodes).think(state), perfect(game).think(state)
            assert result.nodes <= nodes
            assert exact.score is not None
            assert result.bounds[0] <= exact.score <= result.bounds[1]
            assert result.proven == (result.score is not None) == (result.bounds[0] == result.bounds[1])
            assert all(score in (None, exact.scores[column]) for column, score in enumerate(result.scores))
            assert result.action in state.legal_actions()
            assert abs(sum(result.policy) - 1) < 1e-9
            refusals += not result.proven
    assert 5 < refusals < 40


@pytest.mark.parametrize("options", [{}, {"rows": 12, "cols": 12, "blocked": (3, 3)}], ids=str)
def test_a_limit_in_seconds_is_kept_and_refused_by_proven_false(options: dict[str, object]) -> None:
    game = sf.game("connect_four", **options)
    player = perfect(game, seconds=0.8, memory=256)
    times: list[float] = []
    while len(times) < 5 and min(times, default=9) > 0.84:  # another program may take the core away
        start = time.perf_counter()
        result = player.think(game.new())
        times.append(time.perf_counter() - start)
        assert not result.proven
        assert result.score is None
        assert result.action == (game.actions - 1) // 2
        assert result.nodes > 10_000
    assert 0.8 <= min(times) < 0.84, times


def test_a_win_at_hand_is_seen_at_once() -> None:
    game = sf.game("connect_four")
    result = perfect(game, nodes=1).think(game.parse("112233"))
    assert (result.action, result.score, result.pv) == (3, 18, [3])
    assert result.scores[3] == 18


@pytest.mark.parametrize(
    "options",
    [
        {"seconds": 0.0},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"nodes": 0},
        {"nodes": 2**63},
        {"memory": 0},
        {"memory": 10**9},
        {"memory": "much"},
    ],
    ids=str,
)
def test_bad_options_are_refused_by_name(options: dict[str, object]) -> None:
    with refused(match=f"perfect: .*{next(iter(options))}"):
        sf.player("perfect", sf.game("connect_four"), **options)


def test_it_is_for_connect_four_and_for_positions_that_are_not_over() -> None:
    with refused(match="no player 'perfect'"):
        sf.player("perfect", sf.game("tic_tac_toe"))
    game = sf.game("connect_four")
    with refused(match="nothing to think about"):
        perfect(game).think(game.parse("1122334"))
    with refused(match="plays connect_four"):
        perfect(game).think(sf.game("connect_four", rows=7).new())


def test_the_room_is_imported_without_the_solver() -> None:
    code = (
        "import sys, sevenfold as sf; sf.game('connect_four').new(); print([m for m in sys.modules if 'perfect' in m])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_ctrl_c_stops_it_promptly() -> None:
    script = textwrap.dedent("""
        import signal
        import sevenfold as sf
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        game = sf.game("connect_four", rows=10, cols=10)
        player = sf.player("perfect", game)
        print("ready", flush=True)
        try:
            player.think(game.new())
        except KeyboardInterrupt:
            print("stopped", flush=True)
            raise SystemExit(7)
    """)
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


def cached(monkeypatch: pytest.MonkeyPatch) -> tuple[sf.State, PerfectPlayer]:
    """A position and a player that finds everything worth keeping."""
    monkeypatch.setattr(PerfectPlayer, "WORTH_KEEPING", 1)
    game = sf.game("connect_four")
    return random_position(game, 20, random.Random(9)), perfect(game, cache=True)


def test_what_took_long_is_found_on_disk_by_the_next_player(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> None:
    state, player = cached(monkeypatch)
    first = player.think(state)
    assert first.nodes > 0
    assert own_cache.exists()
    again = perfect(state.game, cache=True)
    second = again.think(state)
    assert second.nodes == 0
    assert (second.score, second.scores, second.policy, second.values) == (
        first.score,
        first.scores,
        first.policy,
        first.values,
    )
    image = again.think(state.symmetric(1))
    assert (image.nodes, image.scores) == (0, first.scores[::-1])
    assert again.score(state) == first.score
    assert perfect(state.game, cache=False).think(state).nodes == first.nodes


def test_what_was_quick_or_refused_is_not_kept(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = sf.game("connect_four")
    perfect(game, cache=True).think(random_position(game, 34, random.Random(10)))
    monkeypatch.setattr(PerfectPlayer, "WORTH_KEEPING", 1)
    perfect(game, cache=True, nodes=1000).think(game.new())
    perfect(game, cache=False).think(random_position(game, 34, random.Random(10)))
    assert not own_cache.exists()


def damaged(sound: bytes) -> dict[str, bytes]:
    content = json.loads(sound)
    nonsense = {position: [99] * 7 for position in content["positions"]}
    return {
        "empty": b"",
        "cut": sound[: len(sound) // 2],
        "garbage": bytes(range(256)),
        "a number": b"7",
        "a list": b"[]",
        "deep": b"[" * 100_000,
        "another version": json.dumps(content | {"version": 999}).encode(),
        "edited": sound.replace(b"positions", b"position5"),
        "changed": json.dumps(content | {"positions": nonsense}).encode(),
        "sound nonsense": json.dumps(content | {"positions": nonsense, "checksum": solved.checksum(nonsense)}).encode(),
        "no scores": json.dumps(content | {"positions": 7, "checksum": solved.checksum(7)}).encode(),
    }


def test_a_damaged_cache_counts_as_empty_and_is_replaced(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> None:
    state, player = cached(monkeypatch)
    right = player.think(state)
    sound = own_cache.read_bytes()
    for name, content in damaged(sound).items():
        own_cache.write_bytes(content)
        player.reset()
        result = player.think(state)
        assert (result.scores, result.nodes) == (right.scores, right.nodes), name
        assert own_cache.read_bytes() == sound, name


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    state, player = cached(monkeypatch)
    assert player.think(state).proven


def keep_some(path: Path, writer: int) -> None:
    for i in range(10):
        solved.keep(path, f"{writer} {i}", [writer, i])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="files are locked on POSIX only")
def test_writers_at_the_same_time_lose_nothing(own_cache: Path) -> None:
    processes = [multiprocessing.Process(target=keep_some, args=(own_cache, writer)) for writer in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert solved.load(own_cache) == {f"{w} {i}": [w, i] for w in range(4) for i in range(10)}
    assert {path.suffix for path in own_cache.parent.iterdir()} == {".json", ".lock"}


def test_the_cache_stays_small(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "MOST", 3)
    for i in range(5):
        solved.keep(own_cache, str(i), [i])
    assert list(solved.load(own_cache)) == ["2", "3", "4"]


@pytest.mark.parametrize("name", ["L3_R1", "L2_R1", "L2_R2"])
def test_a_search_proves_endgames_by_the_solver(name: str) -> None:
    """One simulation with a net that knows nothing: what is right is the prover's doing."""
    game = sf.game("connect_four")
    player = sf.player("alphazero:evaluator=uniform,simulations=1,endgame=300000,forced_win=false", game)
    for line in (yardstick.FOLDER / f"{name}.txt").read_text().splitlines()[:40]:
        moves, signs = line.split()
        state = game.replay([int(column) - 1 for column in moves])
        best = max(signs, key=lambda sign: "x-0+".find(sign))
        result = player.think(state)
        assert result.proven
        assert signs[result.action] == best
        assert result.values[state.to_move] == {"+": 1, "0": 0, "-": -1}[best]


def test_a_prover_that_finds_nothing_leaves_the_search_to_itself() -> None:
    game = sf.game("connect_four")
    given = {"evaluator": "uniform", "simulations": 40}
    plain = sf.player("alphazero", game, **given).think(game.new())
    tried = sf.player("alphazero", game, endgame=100, **given).think(game.new())
    assert not tried.proven
    assert tried.visits == plain.visits
