"""The terminal game, played as a person would: in a pseudo-terminal, through a pipe, and with wrong input."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.console import Console

import sevenfold as sf
from sevenfold import lang, terminal
from sevenfold.screen import Screen

ROOT = Path(__file__).parent.parent
KUHN = str(ROOT / "examples" / "kuhn_poker.py")
MAIN = ["-c", "from sevenfold.cli import main; main()"]
ENV = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "80"}
PROMPT = r"Your move \([^)]*\): "


def listen_to_ctrl_c() -> None:
    """A background job ignores Ctrl-C, and so would the game it starts; these tests may well be one."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def piped(typed: str, *argv: str) -> str:
    """What a game prints when its moves come from a pipe."""
    done = subprocess.run(
        [sys.executable, *MAIN, "play", *argv], input=typed, capture_output=True, text=True, timeout=60,
        encoding="utf-8", env=ENV,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def events(typed: str, *argv: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in piped(typed, *argv, "--json").splitlines()]


class Terminal:
    """A person at a terminal."""

    def __init__(self, *argv: str, **env: str) -> None:
        self.child = pexpect.spawn(
            sys.executable,
            [*MAIN, "play", *argv],
            env={**ENV, **env},
            encoding="utf-8",
            timeout=20,
            dimensions=(40, 80),
            preexec_fn=listen_to_ctrl_c,
        )

    def sees(self, pattern: str) -> str:
        """Waits for a text, and gives what came before it and itself."""
        self.child.expect(pattern)
        return str(self.child.before) + str(self.child.after)

    def types(self, text: str) -> None:
        self.child.sendline(text)

    def leaves(self) -> int:
        """Waits for the end, and gives the exit code."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus is not None, f"killed by signal {self.child.signalstatus}"
        return int(self.child.exitstatus)


@pytest.fixture
def sit() -> Iterator[Any]:
    seated: list[Terminal] = []

    def sit(*argv: str, **env: str) -> Terminal:
        seated.append(Terminal(*argv, **env))
        return seated[-1]

    yield sit
    for terminal_ in seated:
        terminal_.child.close(force=True)


def test_a_newcomer_plays_a_game(sit: Any) -> None:
    person = sit("connect_four", "--seed", "3")
    opening = person.sees(PROMPT)
    for word in ("Connect-four", "column's letter", "undo", "hint", "moves", "quit", "?", "You"):
        assert word in opening
    assert "\x1b[" in opening  # colours
    person.types("d")
    shown = person.sees(PROMPT)
    assert re.search(r"random .*plays", shown)
    assert "●" in shown
    assert "(○)" in re.sub(r"\x1b\[[0-9;]*m", "", shown)  # the last stone is marked
    person.types("z")
    assert "is not a move here" in person.sees(PROMPT)
    person.types("")
    person.sees(PROMPT)
    person.types("undo")
    assert "●" not in person.sees(PROMPT)
    person.types("undo")
    assert "nothing to take back" in person.sees(PROMPT)
    person.types("moves")
    assert "7 moves:" in person.sees(PROMPT)
    person.types("?")
    assert "takes back everything" in person.sees(PROMPT)
    person.types("hint")
    hint = person.sees(PROMPT)
    assert "Hint:" in hint
    assert "points out of 100" in hint
    person.types("quit")
    person.sees("Goodbye")
    assert person.leaves() == 0


def test_one_legal_move_is_not_told_as_several() -> None:
    state = sf.game("tic_tac_toe").parse("moves: a1 a2 a3 b1 b2 c1 b3 c3")
    assert len(state.legal_actions()) == 1
    for language, words in (("en", "1 move:\n"), ("zh-TW", "1 種著法：\n")):
        lang.use(language)
        text = io.StringIO()
        Screen(state.game, ["human", "random"], Console(file=text)).moves(state)
        assert words in text.getvalue()


def test_after_the_end_undo_another_game_or_leave(sit: Any) -> None:
    person = sit("tic_tac_toe", "--against", "human", "--seed", "7")
    turn = r"Player \d . \([^)]*\): "
    for move in ("a3", "a1", "c3", "c1"):
        person.sees(turn)
        person.types(move)
    person.sees(turn)
    person.types("b3")
    assert "The winner is" in person.sees("Another game")
    person.types("what")
    person.sees("Another game")
    person.types("undo")
    assert "b3" in person.sees(turn)
    person.types("resign")
    person.sees("give this game up.*Another game")
    person.types("undo")  # not given up after all
    assert "b3" in person.sees(turn)
    person.types("b3")
    person.sees("Another game")
    person.types("yes")
    assert "seed 8" in person.sees(turn)
    person.child.sendeof()
    person.sees("The input has ended")
    assert person.leaves() == 0


def test_ctrl_c_leaves_cleanly_and_keeps_the_game(sit: Any, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    person = sit("connect_four", "--seed", "3", "--record", str(record))
    person.sees(PROMPT)
    person.types("d")
    person.sees(PROMPT)
    person.child.sendintr()
    assert "Traceback" not in person.sees("stopped.")
    assert person.leaves() == 130
    (kept,) = sf.read_records(record)
    assert kept.result is None
    assert kept.seats == ["human", "random"]
    assert kept.actions[0] == 3
    assert len(kept.actions) == 2


def test_a_menu_of_games(sit: Any) -> None:
    person = sit()
    assert "Tic-tac-toe" in person.sees("Which game")
    person.types("99")
    person.sees("Which game")
    person.types("tic_tac_toe")
    person.sees(PROMPT)
    person.types("q")
    assert person.leaves() == 0


def test_in_chinese(sit: Any) -> None:
    person = sit("connect_four", LC_ALL="zh_TW.UTF-8", PYTHONUTF8="1")
    assert "四子棋" in person.sees(r"輪到你 \([^)]*\): ")
    person.types("提示")
    person.sees("提示：")
    person.types("d")
    person.sees("走.*輪到你")
    person.types("悔棋")
    person.types("悔棋")
    person.sees("還沒有可以悔的棋")
    person.types("離開")
    person.sees("再見")
    assert person.leaves() == 0


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours(sit: Any, env: dict[str, str]) -> None:
    person = sit("tic_tac_toe", **env)
    person.sees(PROMPT)
    person.types("b2")
    person.types("quit")
    shown = person.sees("Goodbye")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown)
    assert "✕" in shown


def test_a_pipe_plays_a_whole_game_and_the_end_of_input_is_no_error() -> None:
    text = piped("d\nzz\nd\nd\nd\n", "connect_four", "--seed", "3")
    assert "'zz' is not a move here" in text
    assert "You win!" in text
    assert "(◉)" in text  # the line is marked, also without colours
    assert text.endswith("Goodbye.\n")
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= 80
    assert piped("d\n", "connect_four").endswith("The input has ended, and the game stops here.\n")


def test_the_same_seed_is_the_same_game() -> None:
    first, second, other = (piped("d\nd\nc\n", "connect_four", "--seed", seed) for seed in ("5", "5", "6"))
    assert first == second
    assert first.split("\n", 2)[2] != other.split("\n", 2)[2]


def test_seats() -> None:
    game = sf.game("connect_four")
    assert terminal.seat_names(game, [], "1", False, 0) == ["human", "random"]
    assert terminal.seat_names(game, ["montecarlo"], "2", False, 0) == ["montecarlo", "human"]
    assert terminal.seat_names(game, ["montecarlo"], "1", True, 0) == ["montecarlo", "montecarlo"]
    seats = {terminal.seat_names(game, [], "random", False, seed).index("human") for seed in range(20)}
    assert seats == {0, 1}


class Race(sf.Rules):
    """Three players say a number in turn; the largest wins. Player 1 moves twice in a row."""

    players, actions, max_plies = 3, 3, 4
    sum = "any"

    def __init__(self) -> None:
        self.said: list[int] = []

    def to_move(self) -> int:
        return (0, 1, 1, 2, sf.TERMINAL)[len(self.said)]

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def play(self, action: int) -> None:
        self.said.append(action)

    def returns(self) -> list[float]:
        if len(self.said) < 4:
            return [0, 0, 0]
        return [self.said[0] / 2, self.said[2] / 2, self.said[3] / 2]

    def __str__(self) -> str:
        return f"[bold]{self.said}[/bold]"


def sitting(game: sf.Game, names: list[str], typed: list[str]) -> tuple[terminal.Sitting, list[str]]:
    """A game in this process, on a screen that only remembers."""
    from rich.console import Console

    from sevenfold.screen import Screen

    lines: list[str] = []

    class Memory(Screen):
        def read(self, prompt: str) -> str:
            if not typed:
                raise EOFError
            return typed.pop(0)

        def line(self, markup: str = "", style: str = "") -> None:
            lines.append(markup)

    lang.use("en")
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        table = terminal.Sitting(game, names, Memory(game, names, Console(file=nowhere, width=80)), seed=1)
        table.run()
    return table, lines


def test_more_than_two_seats_and_repeated_turns() -> None:
    table, lines = sitting(sf.game(Race), ["human", "random", "human"], ["2", "undo", "1", "0", "no"])
    assert table.state.history[0] == 1
    assert len(table.state.history) == 4
    assert sum("random plays" in line for line in lines) == 4  # twice, taken back, and twice again
    assert any("The winner is" in line or "draw" in line for line in lines)


def test_brackets_in_a_games_text_are_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    from sevenfold.screen import Screen

    game = sf.game(Race)
    Screen(game, ["human", "random", "random"]).position(game.new(), 0, None)
    assert "[bold][][/bold]" in capsys.readouterr().out


def test_nobody_has_won_where_the_room_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Sevens word for word: without a seat that has played everything all pay. And a hint of who expects nothing."""
    from sevenfold.screen import Screen

    game = sf.game("sevens", preset="seed_literal")
    for seed in range(40):
        state = game.new(seed=seed)
        while not state.is_over:
            state.play(state.legal_actions()[-1]) if state.to_move >= 0 else state.play_chance()
        if max(state.returns()) < 0:
            break
    screen = Screen(game, ["human", *["greedy"] * 3])
    screen.ending(state)
    assert "The game is over." in capsys.readouterr().out
    state = game.new(seed=1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    screen.hint(state, "blocker", sf.player("blocker", game).think(state))
    assert "Hint:" in capsys.readouterr().out


def test_the_table_says_which_seat_has_which_sign(capsys: pytest.CaptureFixture[str]) -> None:
    from sevenfold.screen import Screen

    game = sf.game("sevens", num_players=6)
    state = game.new(seed=1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    Screen(game, ["human", *["greedy"] * 5]).position(state, 0, None)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2].rstrip(":") for line in lines if line.startswith("  player")] == [
        "◆",
        "●",
        "■",
        "▲",
        "★",
        "○",
    ]


def test_a_move_with_a_commands_name_is_a_move_and_a_slash_makes_it_a_command() -> None:
    class Words(Race):
        def action_text(self, action: int) -> str:
            return ("undo", "quit", "hint")[action]

    table, lines = sitting(sf.game(Words), ["human"] * 3, ["undo", "quit", "hint", "/undo", "undo", "/quit"])
    assert table.state.history == [0, 1, 0]
    assert lines[-1] == "Goodbye."


# Hidden information.


@pytest.mark.parametrize("seed", range(6))
def test_a_person_sees_only_their_own_cards_until_the_end(seed: int) -> None:
    told = events("pass\n", KUHN, "--seed", str(seed))
    actions = sf.game(KUHN).new(seed)
    mine, other = "JQK"[actions.play_chance()], "JQK"[actions.play_chance()]
    before_the_end = [event for event in told if event["event"] in ("move", "position") and event.get("to_move") != -2]
    deals = [event for event in before_the_end if event.get("player") == -1]
    assert deals == [
        {"event": "move", "player": -1, "action": "JQK".index(mine), "text": mine},
        {"event": "move", "player": -1, "hidden": True},
    ]
    views = [event["text"] for event in before_the_end if event["event"] == "position"]
    assert views
    assert all(f"your card: {mine}" in view and f"card: {other}" not in view for view in views)
    said = [event for event in before_the_end if event.get("player") == 1]
    assert [event["text"] in ("pass", "bet") for event in said] == [True]  # what is public is told


def test_two_people_hand_over_the_keyboard(sit: Any) -> None:
    person = sit(KUHN, "--against", "human", "--seed", "4")  # Q for the first, K for the second
    assert "your card: Q" in person.sees(r"Player 1 \([^)]*\): ")
    person.types("bet")
    between = person.sees("nobody else is looking: ")
    assert "\x1b[2J" in between  # the screen is cleared
    assert "your card: K" not in between
    person.types("")
    turn = person.sees(r"Player 2 \([^)]*\): ")
    assert "your card: K" in turn
    assert "Player 1 plays" in turn
    assert "Q" not in turn


def test_chance_is_played_from_the_seed() -> None:
    told = [events("", KUHN, "--watch", "--seed", seed) for seed in "1231"]
    deals = {tuple(event["action"] for event in one if event.get("player") == -1) for one in told}
    assert len(deals) > 1
    assert told[0] == told[-1]


def test_json_and_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    told = events("d\nfoo\nhint\nd\nd\nd\n", "connect_four", "--seed", "3", "--record", str(path))
    assert told[0]["event"] == "start"
    assert told[0]["seats"] == ["human", "random"]
    turn = next(event for event in told if event["event"] == "turn")
    assert turn["legal"]["d"] == 3
    assert any(event["event"] == "message" and "foo" in event["text"] for event in told)
    assert sum(event["event"] == "hint" for event in told) == 1
    end = next(event for event in told if event["event"] == "end")
    assert end["returns"] == [1.0, -1.0]
    (record,) = sf.read_records(path)
    assert record.actions == end["actions"]
    assert record.result == [1.0, -1.0]
    assert record.replay().is_over
    events("", "connect_four", "--record", str(path))
    assert len(list(sf.read_records(path))) == 1  # a game without a move is no record


def test_a_question_mark_before_a_name_asks_what_it_does() -> None:
    told = piped("? Paimon\n？立本\nfrostgnaw\n? Zhongli\nquit\n", "invokation", "--against", "random", "--seed", "3")
    assert "Paimon 派蒙 (3 same): Twice, when the action phase begins: 2 Omni dice." in told
    assert "Liben 立本 (0): Collects" in told
    assert "Frostgnaw 霜襲 (3 Cryo): 3 Cryo damage." in told
    assert "'? Zhongli' is not a move here" in told


def test_watching_a_game() -> None:
    text = piped("", "tic_tac_toe", "--watch", "--seed", "1", "--against", "montecarlo:simulations=200")
    assert "montecarlo:simulations=200 ✕ plays" in text
    assert "undo" not in text
    assert re.search("The winner is|draw", text)


def test_a_game_of_openspiel_is_played_and_checked_like_one_of_the_house() -> None:
    assert "Your move" in piped("quit\n", "openspiel:tic_tac_toe")
    assert "Your move" in piped("quit\n", "openspiel:kuhn_poker", "--seed", "4")


def test_a_closed_window_keeps_the_game_like_ctrl_c(sit: Any, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    person = sit("connect_four", "--seed", "3", "--record", str(record))
    person.sees(PROMPT)
    person.types("d")
    person.sees(PROMPT)
    person.child.kill(signal.SIGTERM)
    assert person.leaves() == 130
    (kept,) = sf.read_records(record)
    assert kept.actions[0] == 3
    assert kept.result is None


def test_a_closed_standard_input_is_the_end_of_the_input() -> None:
    done = subprocess.run(
        f"{sys.executable} -m sevenfold play connect_four <&-", shell=True, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "The input has ended" in done.stdout


class Deck(sf.Rules):
    """One hidden card of 80 is dealt; the player sees its half only."""

    players, actions, outcomes = 1, 1, 80

    def __init__(self) -> None:
        self.card = -1
        self.over = False

    def to_move(self) -> int:
        return sf.TERMINAL if self.over else sf.CHANCE if self.card < 0 else 0

    def chance(self) -> list[tuple[int, float]]:
        return [(card, 1 / 80) for card in range(80)]

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        if self.card < 0:
            self.card = action
        else:
            self.over = True

    def returns(self) -> list[float]:
        return [0]

    def view(self, viewer: int) -> str:
        return f"half {self.card // 2}"


def test_a_chance_event_is_named_only_to_who_can_tell_it_from_every_other() -> None:
    state = sf.game(Deck).new()
    assert not any(terminal.is_seen(state, card, 0) for card in range(80))
    assert terminal.is_seen(state, 7, None)
