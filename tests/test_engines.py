"""Proves the player `exec`: it plays, tells nothing hidden, and no program costs more than its game."""

import gc
import json
import os
import random
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold.process import EngineError, Program

ROOT = Path(__file__).parent.parent
EXAMPLE = f"exec:{sys.executable} -IS {ROOT / 'examples' / 'engine.py'}"
FOUR = sf.game("connect_four")
TIC = sf.game("tic_tac_toe")
KUHN = sf.game(str(ROOT / "examples" / "kuhn_poker.py"))

POLITE = """
import os, signal, sys, time
def say(text): sys.stdout.write(text); sys.stdout.flush()
def at_go(): {at_go}
{at_start}
for line in sys.stdin:
    word, *rest = line.split()
    if word == "sevenfold": say("ready test\\n")
    if word == "legal": legal = rest
    if word == "go": at_go()
    if word == "quit": break
"""
HOSTILE = {
    "garbage": "say('\\x00\\x07 ?!\\n')",
    "no number": "say('move d\\n')",
    "half an answer": "say('move\\n')",
    "an empty line": "say('\\n')",
    "not UTF-8": "os.write(1, b'move \\xff\\xfe\\n')",
    "illegal": "say('move 99\\n')",
    "negative": "say('move -1\\n')",
    "huge": "say('move ' + '9' * 5000 + '\\n')",
    "wrong values": "say('move 0 values=nan,1\\n')",
    "too few values": "say('move 0 values=1\\n')",
    "words": "say('move 0 I am winning\\n')",
    "gives up": "say('error I cannot play this.\\n')",
    "hangs": "time.sleep(60)",
    "late": "time.sleep(0.7); say('move 0\\n')",
    "dies": "os._exit(3)",
    "crashes": "os.kill(os.getpid(), signal.SIGSEGV)",
    "raises": "raise RuntimeError('out of order')",
    "closes its output": "os.close(1); time.sleep(60)",
    "closes all": "[os.close(fd) for fd in range(3)]; time.sleep(60)",
    "floods a line": "[say('x' * 100000) for _ in iter(int, 1)]",
    "floods lines": "[say('info x\\n' * 10000) for _ in iter(int, 1)]",
    "floods stderr": "[os.write(2, b'x' * 100000) for _ in iter(int, 1)]",
    "info without end": "[(say('info x\\n'), time.sleep(0.01)) for _ in iter(int, 1)]",
    "answers twice": "say('move ' + legal[0] + '\\nmove ' + legal[0] + '\\n')",
    "ignores signals": "[signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; time.sleep(60)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "dies and leaves a child": "os.fork() and os._exit(0); time.sleep(60)",
    "leaves a child and hangs": "os.fork(); time.sleep(60)",
}
AT_START = {
    "dies at once": "sys.exit('no licence')",
    "hangs at once": "time.sleep(60)",
    "greets wrongly": "say('hello\\n')",
    "speaks first": "say('ready x\\nmove 0\\n')",
    "floods at once": "[say('x' * 100000) for _ in iter(int, 1)]",
    "reads nothing": "say('ready x\\n'); time.sleep(60)",
}


def engine(folder: Path, at_go: str = "say('move ' + legal[0] + '\\n')", at_start: str = "") -> str:
    """The command of an engine that is told what to do."""
    path = folder / "engine.py"
    path.write_text(POLITE.format(at_go=at_go, at_start=at_start))
    return f"{sys.executable} -IS {path}"


@pytest.fixture
def leaks_nothing() -> Iterator[None]:
    """No file stays open, and no process is left, living or dead."""
    gc.collect()
    before = sorted(os.listdir("/proc/self/fd"))
    yield
    gc.collect()
    assert sorted(os.listdir("/proc/self/fd")) == before
    with pytest.raises(ChildProcessError):  # there are no children
        os.waitpid(-1, os.WNOHANG)


def processes_of(group: int) -> list[int]:
    """The living processes of a group."""
    found = []
    for one in Path("/proc").iterdir():
        try:
            state, _, its_group = (one / "stat").read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if one.name.isdigit() and int(its_group) == group and state != "Z":
            found.append(int(one.name))
    return found


def is_gone(group: int) -> bool:
    """Whether a group has no living processes; one that was killed may need a moment."""
    deadline = time.monotonic() + 10
    while processes_of(group) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not processes_of(group)


def check_sentence(text: str) -> None:
    assert "\n" not in text
    assert text.endswith(".")
    assert 10 < len(text) < 400


@pytest.mark.usefixtures("leaks_nothing")
def test_the_example_plays_every_game() -> None:
    for game in (FOUR, TIC, KUHN, sf.game("connect_four", rows=9, blocked=(8, 3))):
        player = sf.player(EXAMPLE, game, seed=5)
        for seed in range(2):
            player.reset()
            state = game.new(seed)
            while not state.is_over:
                if state.to_move == sf.CHANCE:
                    state.play_chance()
                    continue
                result = player.think(state)
                assert result.action in state.legal_actions()
                assert (sum(result.policy), len(result.values)) == (1, game.players)
                state.play(result.action)
        assert player.title == "first engine"
        del player


def test_the_same_seed_plays_the_same_game() -> None:
    def game(seed: int) -> list[int]:
        result = sf.match("connect_four", [EXAMPLE, "random"], games=2, seed=seed, processes=1)
        assert not result.faults
        return [action for one in result.played for action in one.record.actions]

    assert game(1) == game(1)
    assert game(1) != game(2)


@pytest.mark.usefixtures("leaks_nothing")
def test_one_process_serves_all_games_and_goes_with_the_player(tmp_path: Path) -> None:
    log = tmp_path / "log"
    at_go = f"open({str(log)!r}, 'a').write(str(os.getpid()) + chr(10)); say('move ' + legal[0] + chr(10))"
    player = sf.player(f"exec:{engine(tmp_path, at_go)}", FOUR)
    for _ in range(3):
        player.reset()
        player.think(FOUR.new())
    (pid,) = set(map(int, log.read_text().split()))
    assert processes_of(pid) == [pid]
    del player
    gc.collect()
    assert is_gone(pid)


@pytest.mark.parametrize("what", [*HOSTILE, *AT_START])
@pytest.mark.usefixtures("leaks_nothing")
def test_a_hostile_engine_loses_its_games_and_nothing_else(tmp_path: Path, what: str) -> None:
    command = engine(tmp_path, HOSTILE.get(what, "say('move 0\\n')"), AT_START.get(what, ""))
    start = time.monotonic()
    name = f"exec[seconds=0.3,startup=0.5]:{command}"
    result = sf.match("connect_four", ["random", name], games=2, processes=1)
    assert time.monotonic() - start < 5
    assert result.wins == 2
    assert len(result.faults) == 2
    assert all(name in fault and "\n" not in fault for fault in result.faults)


def test_a_hostile_engine_costs_its_own_games_in_two_processes(tmp_path: Path) -> None:
    name = f"exec[seconds=0.3]:{engine(tmp_path, HOSTILE['leaves a child and hangs'])}"
    result = sf.match("connect_four", [name, "random"], games=4, processes=2)
    assert (result.losses, len(result.faults)) == (4, 4)


@pytest.mark.parametrize("what", [*HOSTILE, *AT_START])
def test_a_failure_is_one_sentence_and_the_next_game_gets_a_new_process(tmp_path: Path, what: str) -> None:
    broken = tmp_path / "broken"
    broken.touch()
    at_go = f"""exec({HOSTILE.get(what, "0")!r}, globals()) if os.path.exists({str(broken)!r}) else say('move 3\\n')"""
    at_start = f"if os.path.exists({str(broken)!r}): {AT_START.get(what, 'pass')}"
    player: Any = sf.player(f"exec:{engine(tmp_path, at_go, at_start)}", FOUR, seconds=0.3, startup=0.5)
    state = FOUR.new()
    if what == "answers twice":  # which is found out when it is asked again
        state.play(player.think(state).action)
    with pytest.raises(EngineError) as caught:
        player.think(state)
    check_sentence(str(caught.value))
    if what in ("hangs", "late", "an empty line", "hangs at once", "reads nothing", "stops itself"):
        assert isinstance(caught.value, TimeoutError)
    broken.unlink()
    player.reset()
    player.seconds = player.startup = 20.0
    assert player.think(FOUR.new()).action == 3


def test_the_last_words_of_a_program_are_quoted(tmp_path: Path) -> None:
    player = sf.player(f"exec:{engine(tmp_path, at_start=AT_START['dies at once'])}", FOUR)
    with pytest.raises(EngineError, match="ended with exit code 1; it said 'no licence'"):
        player.think(FOUR.new())
    player = sf.player(f"exec:{engine(tmp_path, HOSTILE['raises'])}", FOUR)
    with pytest.raises(EngineError, match="ended with exit code 1; it said 'RuntimeError: out of order'"):
        player.think(FOUR.new())
    player = sf.player(f"exec:{engine(tmp_path, HOSTILE['crashes'])}", FOUR)
    with pytest.raises(EngineError, match="was ended by SIGSEGV"):
        player.think(FOUR.new())


def test_a_hang_is_cut_in_time_and_a_death_is_noticed_at_once(tmp_path: Path) -> None:
    player: Any = sf.player(f"exec:{engine(tmp_path, HOSTILE['hangs'])}", FOUR, seconds=1.0)
    took = []
    while len(took) < 3 and min(took, default=9.0) > 1.05:  # a busy machine may wake us late
        player._started()
        start = time.monotonic()
        with pytest.raises(TimeoutError, match="took longer than 1 s"):
            player.think(FOUR.new())
        took.append(time.monotonic() - start)
    assert 1.0 <= min(took) <= 1.05
    for what in ("dies", "dies and leaves a child"):
        player = sf.player(f"exec:{engine(tmp_path, HOSTILE[what])}", FOUR, seconds=30.0)
        start = time.monotonic()
        with pytest.raises(EngineError, match="exit code"):
            player.think(FOUR.new())
        assert time.monotonic() - start < 2


@pytest.mark.parametrize("what", ["hangs", "dies and leaves a child", "leaves a child and hangs", "ignores signals"])
def test_the_children_go_with_the_program(tmp_path: Path, what: str) -> None:
    player: Any = sf.player(f"exec:{engine(tmp_path, HOSTILE[what])}", FOUR, seconds=0.3)
    group = player._started().pid
    with pytest.raises(EngineError):
        player.think(FOUR.new())
    assert is_gone(group)


def test_the_program_goes_when_the_interpreter_does(tmp_path: Path) -> None:
    command = engine(tmp_path, at_start="signal.signal(signal.SIGTERM, signal.SIG_IGN)", at_go="time.sleep(60)")
    script = (
        f"import sevenfold as sf\np = sf.player({'exec:' + command!r}, sf.game('connect_four'))\n"
        "print(p._started().pid)"
    )
    with_it = Program([sys.executable, "-c", script], "the script")
    with_it.send("", 20)
    pid = int(with_it.line())
    assert is_gone(pid)
    with_it.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_program_goes_when_the_interpreter_is_killed(tmp_path: Path, number: int) -> None:
    command = engine(tmp_path, at_go="time.sleep(60)")
    script = (
        f"import sevenfold as sf\np = sf.player({'exec:' + command!r}, sf.game('connect_four'), seconds=60)\n"
        "print(p._started().pid, flush=True)\np.think(sf.game('connect_four').new())"
    )
    with_it = Program([sys.executable, "-c", script], "the script")
    with_it.send("", 20)
    pid = int(with_it.line())
    assert processes_of(pid) == [pid]
    os.kill(with_it.pid, number)
    assert is_gone(pid)
    with_it.close()


def test_a_forked_copy_of_a_player_leaves_the_program_alone() -> None:
    player: Any = sf.player(EXAMPLE, FOUR)
    player.think(FOUR.new())
    pid = player._program.pid
    child = os.fork()
    if child == 0:
        player._program.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert processes_of(pid) == [pid]
    assert player.think(FOUR.new()).action in range(7)


def test_a_stopped_program_can_still_be_ended() -> None:
    program = Program(["sleep", "60"], "sleep")
    os.kill(program.pid, signal.SIGSTOP)
    program.close()
    assert is_gone(program.pid)


def test_a_request_larger_than_the_pipe_arrives(tmp_path: Path) -> None:
    program = Program(["cat"], "cat")
    program.send("x" * 50_000 + "\n", 5)
    assert program.line() == "x" * 50_000
    program.send("y" * 1_000_000, 0.5)
    with pytest.raises(EngineError, match="a line of more than 65536 bytes"):
        program.line()


# What is told.


def requests(folder: Path, game: sf.Game, state: sf.State, **options: Any) -> list[str]:
    """The lines that an engine gets for a decision."""
    log = folder / "log"
    log.unlink(missing_ok=True)
    at_start = (
        f"log = open({str(log)!r}, 'w')\n"
        "def lines(source):\n"
        "    for line in source: log.write(line); log.flush(); yield line\n"
        "sys.stdin = lines(sys.stdin)"
    )
    player = sf.player(f"exec:{engine(folder, at_start=at_start)}", game, **options)
    player.think(state)
    return log.read_text().splitlines()


def test_an_open_game_is_told_by_its_moves(tmp_path: Path) -> None:
    assert requests(tmp_path, FOUR, FOUR.parse("moves: d d e"), seed=7, seconds=1.5) == [
        "sevenfold 1",
        'game connect_four {"rows":6,"cols":7,"connect":4,"blocked":"none"}',
        "new seed=7",
        "moves 3 3 4",
        'texts ["d","d","e"]',
        "legal 0 1 2 3 4 5 6",
        'names ["a","b","c","d","e","f","g"]',
        "go seat=1 seconds=1.5",
    ]


def test_a_position_from_a_text_is_told_with_its_start(tmp_path: Path) -> None:
    state = FOUR.replay([0], start="7/7/7/7/3o3/2xx3 o")
    told = requests(tmp_path, FOUR, state)
    assert told[3:6] == ['start "7/7/7/7/3o3/2xx3 o"', "moves 0", 'texts ["a"]']
    mirrored = requests(tmp_path, FOUR, state.symmetric(1))
    assert mirrored[3:5] == ['start "7/7/7/7/3o3/3xx1o x"', "moves"]


def test_nothing_hidden_is_told(tmp_path: Path) -> None:
    """The same lines in all worlds that the seat cannot tell apart, whatever was dealt and from whatever seed."""
    told = []
    for other, seed in ((1, 11), (2, 12)):
        told.append(requests(tmp_path, KUHN, KUHN.replay([0, other, 0], seed=seed)))
        assert not any(line.startswith(("moves", "texts", "start")) for line in told[-1])
    mine = [requests(tmp_path, KUHN, KUHN.replay([card, 1, 1])) for card in (0, 2)]
    assert mine[0] == mine[1]  # the second player holds the queen in both
    seen = next(line for line in mine[0] if line.startswith("observation"))
    assert json.loads(seen.partition(" ")[2])["view"] == "your card: Q  bets: b"
    assert told[0] != told[1]


def test_a_drawing_for_everybody_is_not_told_where_things_are_hidden(tmp_path: Path) -> None:
    cls = type(KUHN.new().rules)
    game = sf.game(type("Blind", (cls,), {"view": None, "__str__": lambda self: f"cards {self.cards}"}))
    told = requests(tmp_path, game, game.replay([2, 1]))
    assert "cards" not in "".join(told)
    assert "observation" in "".join(told)


# What is said about the move.


def test_values_nodes_and_a_line_are_read(tmp_path: Path) -> None:
    said = "say('info depth 3\\n\\ninfo\\nmove 3 values=0.5,-0.5 nodes=1234 pv=3,3,99,4 depth=9\\r\\n')"
    result = sf.player(f"exec:{engine(tmp_path, said)}", FOUR).think(FOUR.new())
    assert (result.action, result.values, result.nodes, result.pv) == (3, [0.5, -0.5], 1234, [3, 3])
    assert result.seconds > 0


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("exec", "exec needs a command"),
        ("exec:", "exec needs a command"),
        ("exec: ", "exec needs a command"),
        ("exec:'", "cannot be read: No closing quotation"),
        ("exec:/nowhere/at all", "there is no program '/nowhere/at'"),
        ("exec:a\0b", "there is no program"),
        ("exec[seconds=1:ls", "write a player as exec"),
        ("exec[seconds=1]ls:ls", "write a player as exec"),
        ("exec[seconds=x]:ls", "option seconds must be a number"),
        ("exec[seconds=-1]:ls", "seconds must be a number above 0"),
        ("exec[seconds=nan]:ls", "seconds must be a number above 0"),
        ("exec[speed=3]:ls", "exec has no option 'speed'"),
        ("random[seed=1]", "there is no player"),
        ("[]:", "there is no player"),
    ],
)
def test_a_command_that_cannot_be_one_is_refused_by_a_sentence(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        sf.player(spec, FOUR)
    check_sentence(str(caught.value))


def test_a_command_may_hold_any_sign(tmp_path: Path) -> None:
    path = tmp_path / "a:b,c=d e.py"
    path.write_text(POLITE.format(at_go="say('move ' + sys.argv[1][-1] + '\\n')", at_start=""))
    command = shlex.join([sys.executable, "-IS", str(path), "--x=[1],y:2"])
    player = sf.player(f"exec[seconds=2,seed=4]:{command}", FOUR)
    assert (player.seconds, player.seed) == (2.0, 4)  # type: ignore[attr-defined]
    assert player.think(FOUR.new()).action == 2
    assert sf.player("exec", FOUR, command=command).think(FOUR.new()).action == 2


def test_many_players_come_and_go() -> None:
    rng, seats = random.Random(1), [sf.player(EXAMPLE, TIC, seed=seed) for seed in range(4)]
    for _ in range(20):
        rng.choice(seats).think(TIC.new())
        if rng.random() < 0.3:
            seats[rng.randrange(4)] = sf.player(EXAMPLE, TIC)


def test_the_start_of_a_program_is_not_on_its_clock(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(1)\n" + (ROOT / "examples" / "engine.py").read_text())
    match = sf.match("tic_tac_toe", [f"exec:{sys.executable} {slow}", "random"], games=2, seconds=0.5, processes=1)
    assert match.faults == []
