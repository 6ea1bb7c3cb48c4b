"""The Tetris Bot Protocol: messages, our bot, the checker and the bots it catches, bots as players."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import soonest, wait_until
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenfold as sf
from sevenfold.games.tetris.tbp import position_of
from sevenfold.process import EngineError
from sevenfold.protocols import tbp
from sevenfold.protocols.tbp_bot import Bot
from sevenfold.protocols.tbp_check import Checker, Report
from sevenfold.protocols.tbp_position import bag_of, guessed_bag, played, same_place, usable, with_piece
from sevenfold.protocols.tbp_positions import EMPTY, POSITIONS, board
from sevenfold.protocols.tbp_table import Table

ROW = [None] * 10
START: dict[str, Any] = {
    "type": "start",
    "hold": None,
    "queue": ["T", "I", "O", "S", "Z", "L"],
    "combo": 0,
    "back_to_back": False,
    "board": [ROW] * 40,
}
OURS = f"{sys.executable} -m sevenfold tbp --player random --seconds 0.2"


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


def bot_of(table: Table, player: str = "random", **more: Any) -> tuple[Bot, list[str]]:
    said: list[str] = []
    return Bot(table, player, 0.2, ponder=False, complain=said.append, **more), said


def ask(bot: Bot, *messages: Any) -> Any:
    """The answer to the last of some messages."""
    answer = None
    for message in messages:
        line = message if isinstance(message, str) else json.dumps(message)
        answer = bot.answer(line, time.monotonic())
    return answer


# ---- messages


def test_a_message_is_read_as_it_was_written() -> None:
    for position in POSITIONS.values():
        read = tbp.from_frontend(tbp.written(position.to_json()))
        assert isinstance(read, tbp.Start)
        assert (read.board, read.queue, read.hold, read.combo) == (
            position.board,
            position.queue,
            position.hold,
            position.combo,
        )
        assert read.bag == position.bag
    move = tbp.Move("T", "south", 4, 1, "full")
    assert tbp.from_frontend(json.dumps({"type": "play", "move": move.to_json()})) == tbp.Play(move)
    assert tbp.from_bot(tbp.written(tbp.suggestion([move], {"nodes": 3}))) == tbp.Suggestion((move,), {"nodes": 3})


def test_what_is_unknown_is_ignored() -> None:
    assert tbp.from_frontend('{"type": "garbage", "rows": 3}') is None
    assert tbp.from_frontend('{"type": "rules", "randomizer": "of the future", "x": 1}') == tbp.Rules("unknown")
    start = tbp.from_frontend(json.dumps({**START, "randomizer": {"type": "of the future"}, "x": 1}))
    assert isinstance(start, tbp.Start)
    assert start.randomizer == "unknown"


FULL = [["G"] * 10, *[ROW] * 39]
WRONG: dict[str, dict[str, Any]] = {
    "40 rows": {"board": [ROW] * 39},
    "10 cells": {"board": [[None] * 9, *[ROW] * 39]},
    "row 0 of the board is full": {"board": FULL},
    "null, pieces and 'G'": {"board": [["X"] + [None] * 9, *[ROW] * 39]},
    "queue": {"queue": ["T", "Q"]},
    "a list of at most": {"queue": "TIO"},
    "hold": {"hold": "TT"},
    "combo": {"combo": -1},
    "back_to_back": {"back_to_back": 1},
    "bag_state": {"randomizer": {"type": "seven_bag", "bag_state": []}},
    "current_bag": {"randomizer": {"type": "general_bag", "current_bag": {}, "filled_bag": {"I": 1}}},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_start_is_one_sentence_and_then_no_move(table: Table, sentence: str) -> None:
    bot, said = bot_of(table)
    assert ask(bot, START, {"type": "suggest"})["moves"]
    assert ask(bot, {**START, **WRONG[sentence]}, {"type": "suggest"}) == {"type": "suggestion", "moves": []}
    assert sentence in said[0]
    assert said[0].endswith(".")
    assert ask(bot, START, {"type": "suggest"})["moves"]


@pytest.mark.parametrize(
    "line", ["", "no JSON", "[]", "{", '{"type": 7}', "null", "[" * 50000, '{"type": "play"}', "\ud800"]
)
def test_lines_that_are_no_messages_change_nothing(table: Table, line: str) -> None:
    bot, said = bot_of(table)
    assert ask(bot, START, line, {"type": "suggest"})["moves"]
    assert len(said) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-50, 50) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda more: st.lists(more, max_size=4) | st.dictionaries(st.text(max_size=8), more, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["start", "play", "new_piece", "suggest", "stop", "rules"]), st.data())
def test_the_bot_never_dies_from_a_message(kind: str, data: st.DataObject) -> None:
    bot, _ = bot_of(SHARED)
    ask(bot, START)
    message = dict(START) if kind == "start" else {"type": kind, "piece": "T"}
    keys = [*message, "move", "randomizer"]
    for key in data.draw(st.lists(st.sampled_from(keys), max_size=3)):
        message[key] = data.draw(JSON)
    ask(bot, {**message, "type": kind})
    answer = ask(bot, {"type": "suggest"})
    assert answer["type"] == "suggestion"
    again = ask(bot, START, {"type": "suggest"})
    assert again["moves"]


SHARED = Table()


# ---- positions


def test_a_position_follows_its_moves() -> None:
    position = POSITIONS["a t-spin double"]
    after = played(position, tbp.Move("T", "south", 4, 1, "full"))
    assert after.board[0] == "GGG..GGGGG"[:3] + "..GGGGG"
    assert (after.queue, after.hold, after.combo, after.back_to_back) == ("IOLJ", None, 1, True)
    held = played(position, tbp.Move("I", "north", 1, 3, "none"))
    assert (held.queue, held.hold, held.combo) == ("OLJ", "T", 0)
    for move, why in (
        (tbp.Move("S", "north", 4, 3), "pieces at hand are T and I"),
        (tbp.Move("T", "north", 1, 0), "not free"),
        (tbp.Move("T", "north", 1, 9), "hang in the air"),
        (tbp.Move("T", "north", 0, 3), "not free"),
    ):
        with pytest.raises(ValueError, match=why):
            played(position, move)


def test_bags_that_contradict_their_queue_are_guessed_anew(table: Table) -> None:
    assert guessed_bag("TIOSZL") == "J"
    assert guessed_bag("TIOSZLJ") == tbp.PIECES
    assert guessed_bag("TT") == "IOLJSZ"
    wrong = tbp.Start(EMPTY, "TIOSZL", randomizer="seven_bag", bag="LZ")
    bag, sentence = bag_of(wrong)
    assert bag == "J"
    assert sentence is not None
    assert "contradicts" in sentence
    bot, said = bot_of(table)
    assert ask(bot, tbp.written(wrong.to_json()), {"type": "suggest"})["moves"]
    assert "contradicts" in said[0]
    right = tbp.Start(EMPTY, "TIOSZL", randomizer="seven_bag", bag="J")
    after, none = with_piece(right, "J")
    assert (after.bag, none) == (tbp.PIECES, None)
    _, told = with_piece(right, "T")
    assert told is not None
    assert "came out of a bag that holds J" in told


def test_moves_of_other_names_are_the_same_place() -> None:
    assert same_place(tbp.Move("O", "east", 4, 1), tbp.Move("O", "north", 4, 0))
    assert same_place(tbp.Move("I", "south", 5, 0), tbp.Move("I", "north", 4, 0))
    assert not same_place(tbp.Move("T", "south", 4, 1), tbp.Move("T", "north", 4, 1))


# ---- our bot


@pytest.mark.parametrize("player", ["random:seed=3", "beam:width=2,samples=0"])
def test_every_suggestion_of_a_game_is_legal_and_its_spin_right(table: Table, player: str) -> None:
    """A game by play and new_piece alone, against the engine's own list of moves."""
    rng, bag = random.Random(5), list("J")
    bot, said = bot_of(table, player)
    ask(bot, {"type": "rules", "randomizer": "seven_bag"}, START)
    position = tbp.from_frontend(json.dumps(START))
    assert isinstance(position, tbp.Start)
    spins = set()
    for _ in range(60):
        legal = table.legal(position)
        answer = tbp.from_bot(json.dumps(ask(bot, {"type": "suggest"})))
        assert isinstance(answer, tbp.Suggestion)
        if not legal:
            assert not answer.moves
            break
        assert set(answer.moves) <= set(legal)
        spins |= {move.spin for move in legal}
        move = min(legal, key=lambda one: (one.y, rng.random()))
        before = len(position.queue)
        position = played(position, move)
        ask(bot, {"type": "play", "move": move.to_json()})
        for _ in range(before - len(position.queue)):
            piece = bag.pop(rng.randrange(len(bag)))
            bag = bag or list(tbp.PIECES)
            position, _ = with_piece(position, piece)
            ask(bot, {"type": "new_piece", "piece": piece})
    assert not said
    assert bot.position is not None
    assert bot.position.board == position.board


def test_spins_are_named(table: Table) -> None:
    moves = table.legal(POSITIONS["a t-spin triple"])
    assert tbp.Move("T", "east", 1, 1, "full") in moves
    names = {
        (one.orientation, one.spin) for one in table.legal(POSITIONS["a t-spin double"]) if (one.x, one.y) == (4, 1)
    }
    assert ("south", "full") in names


def test_an_empty_queue_waits_for_a_piece(table: Table) -> None:
    bot, said = bot_of(table)
    assert ask(bot, {**START, "queue": []}, {"type": "suggest"}) == {"type": "suggestion", "moves": []}
    assert "no piece" in said[0]
    assert ask(bot, {"type": "new_piece", "piece": "T"}, {"type": "suggest"})["moves"]


def test_a_player_that_fails_still_moves(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, said = bot_of(table)
    seat = bot.seats.of(table.game)

    def fail(*_: Any) -> None:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr(seat.player, "think", fail)
    assert ask(bot, START, {"type": "suggest"})["moves"]
    assert "out of ideas" in said[0]


def test_the_background_answers_at_once(table: Table) -> None:
    bot = Bot(table, "beam", 0.3, complain=lambda _: None)
    ponderer = bot._ponderer
    assert ponderer is not None

    def took() -> float:
        ask(bot, START)
        wait_until(lambda: ponderer._found)
        start = time.monotonic()
        assert ask(bot, {"type": "suggest"})["moves"]
        return time.monotonic() - start

    try:
        assert soonest(took, 0.2) < 0.2
    finally:
        bot.close()


@pytest.mark.parametrize("player", ["beam", "uct"])
def test_a_searching_player_answers_in_time(table: Table, player: str) -> None:
    bot = Bot(table, player, 0.3, ponder=False, complain=lambda _: None)
    ask(bot, START, {"type": "suggest"})  # the first one warms up

    def took() -> float:
        start = time.monotonic()
        assert ask(bot, {"type": "suggest"})["moves"]
        return time.monotonic() - start

    assert soonest(took, 0.3) < 0.3


def test_who_cannot_stop_thinking_is_not_waited_for(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine so busy that the thinker does not get its turn: the first quick thought is the answer."""
    bot = Bot(table, "beam:width=8,samples=0", 0.4, ponder=False, complain=lambda _: None)
    ask(bot, START, {"type": "suggest"})
    player, thoughts = bot.seats.of(table.game).player, []
    think = player.think

    def stuck(state: Any) -> Any:
        thoughts.append(think(state))
        if len(thoughts) > 1:
            time.sleep(1.0)
        return thoughts[-1]

    monkeypatch.setattr(player, "think", stuck)
    start = time.monotonic()
    answer = ask(bot, {"type": "suggest"})
    assert time.monotonic() - start < 0.9
    moves = dict(table.moves(table.state(bot.position)))
    assert answer["moves"][0] == moves[thoughts[0].action].to_json()
    assert thoughts[1:] or not bot._thinker._done
    bot.close()


@pytest.mark.parametrize("player", ["beam", "uct"])
def test_the_background_stops_when_it_is_told_to(table: Table, player: str) -> None:
    """Within the time between two looks, and not at the end of a thought of many seconds."""

    def took() -> float:
        bot = Bot(table, player, 20.0, complain=lambda _: None)
        ponderer = bot._ponderer
        assert ponderer is not None
        ask(bot, START)
        wait_until(lambda: ponderer._busy_with)
        time.sleep(0.05)
        start = time.monotonic()
        ask(bot, {"type": "stop"})
        assert ponderer.close()
        return time.monotonic() - start

    assert soonest(took, 0.5) < 0.5


# ---- the checker


def checked(command: str, **more: Any) -> Report:
    return Checker(command.split(), Table(), **({"pieces": 30, "seconds": 1.0} | more)).run()


def test_our_bot_passes() -> None:
    report = checked(OURS, pieces=60, seconds=2.0)
    assert [(check.name, check.seen) for check in report.checks if not check.ok] == []
    assert report.passed
    assert report.illegal == report.wrong_spin == 0
    assert report.suggestions > 60
    assert report.to_json()["passed"] is True


BROKEN = """
import json, sys, time
from sevenfold.protocols import tbp
from sevenfold.protocols.tbp_position import played, with_piece
from sevenfold.protocols.tbp_table import Table
fault, table = sys.argv[1], Table()
say = lambda message: print(json.dumps(message), flush=True)
if fault != "no info":
    say({"type": "info", "name": "Broken", "version": "1", "author": "test", "features": []})
if fault == "talks":
    say({"type": "ready"})
for line in sys.stdin:
    try:
        message = tbp.from_frontend(line)
    except ValueError:
        if fault == "fragile":
            sys.exit(3)
        continue
    if message is None and fault == "answers":
        say({"type": "error", "reason": "unknown"})
    if isinstance(message, tbp.Rules):
        say({"type": "error", "reason": "unsupported_rules"} if fault == "refuses" else {"type": "ready"})
    if isinstance(message, tbp.Start):
        position = message
    if isinstance(message, tbp.Play) and fault != "deaf":
        position = played(position, message.move)
    if isinstance(message, tbp.NewPiece) and fault != "deaf":
        position, _ = with_piece(position, message.piece)
    if isinstance(message, tbp.Suggest):
        moves = [move.to_json() for move in table.legal(position)][:1]
        for move in moves:
            if fault == "floats":
                move["location"]["y"] += 3
            if fault == "boasts":
                move["spin"] = "full"
            if fault == "odd":
                del move["spin"]
        if fault == "slow":
            time.sleep(0.7)
            fault = "none"
        say({"type": "suggestion", "moves": [] if fault == "shy" else moves})
    if isinstance(message, tbp.Quit) and fault != "stays":
        break
"""
FAULTS = {
    "none": set(),
    "no info": {"info"},
    "talks": {"info"},
    "refuses": {"rules"},
    "answers": {"unknown"},
    "floats": {"first", "again", "attributes", "positions", "game", "legal"},
    "boasts": {"spins"},
    "odd": {"first"},
    "slow": {"time"},
    "shy": {"first", "game"},
    "deaf": {"game"},
    "fragile": {"damaged"},
    "stays": {"quit"},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_checker_names_what_is_wrong(tmp_path: Path, fault: str) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(BROKEN)
    words = [sys.executable, str(bot), fault]
    report = Checker(words, Table(), pieces=20, seconds=0.5, startup=1 if fault == "no info" else 10).run()
    failed = {check.name for check in report.checks if check.ok is False}
    assert failed >= FAULTS[fault], [(check.name, check.seen) for check in report.checks]
    assert report.passed == (fault in ("none", "fragile"))
    if fault in ("none", "answers", "fragile", "slow", "stays"):
        assert failed == FAULTS[fault]


def test_the_verb(run: Any) -> None:
    good = run("tbp-check", OURS, "--pieces", "10", "--seconds", "3", "--json")
    assert (good.code, good.json["passed"], good.json["illegal"]) == (0, True, 0)
    assert {"info", "game", "legal", "quit"} <= {check["name"] for check in good.json["checks"]}
    bad = run("tbp-check", "true", "--pieces", "10")
    assert bad.code == 1
    assert "does not keep the protocol" in bad.out
    assert run("tbp-check", "no_such_program_anywhere").code == 2


# ---- bots as players


@pytest.mark.parametrize("last", ['{"type": "quit"}', '{"type": "\\u0071uit"}', "quit\n{"])
def test_it_leaves_in_peace(last: str) -> None:
    """By `quit`, however it is written, while the frontend keeps the pipe open; else by the end of the input."""
    command = [sys.executable, "-m", "sevenfold", "tbp", "--player", "random"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as bot:
        assert bot.stdin
        for message in (json.dumps(START), '{"type": "suggest"}', '{"type": "quitting"}', last):
            bot.stdin.write(message.encode() + b"\n")
        bot.stdin.flush()
        if last.startswith("quit"):
            bot.stdin.close()
        assert bot.wait(30) == 0
        assert bot.stdout
        assert b"suggestion" in bot.stdout.read()


def test_a_bot_plays_alone_and_against_others() -> None:
    player = f"tbp[seconds=0.01,patience=5]:{OURS}"
    solo = sf.match(sf.game("tetris", pieces=8), [player], games=1, processes=0)
    assert solo.faults == []
    versus = sf.match(sf.game("tetris_versus", pieces=6), [player, "random"], games=2, processes=0)
    assert versus.faults == []
    assert versus.games == 2


def test_a_bot_is_told_moves_and_not_positions(tmp_path: Path) -> None:
    """The same bot through a pipe that keeps what it was told: one start in a game without garbage."""
    heard = tmp_path / "heard"
    script = tmp_path / "tee.sh"
    script.write_text(f'#!/bin/sh\ntee "{heard}" | {OURS}\n')
    game = sf.game("tetris", pieces=6)
    player = sf.player(f"tbp[seconds=0.01,patience=10]:sh {script}", game)
    state = game.new(1)
    while not state.is_over:
        if state.to_move < 0:
            state.play_chance()
        else:
            state.play(player.think(state).action)

    def kinds() -> list[str]:
        return [json.loads(line)["type"] for line in heard.read_text().split("\n")[:-1]]

    wait_until(lambda: kinds().count("suggest") == 6)  # tee writes its file after the pipe
    assert kinds().count("start") == 1
    assert kinds().count("play") == 5


def test_a_bot_that_suggests_nothing_legal_fails(tmp_path: Path) -> None:
    bot = tmp_path / "broken.py"
    bot.write_text(BROKEN)
    game = sf.game("tetris")
    state = game.new(1)
    while state.to_move < 0:
        state.play_chance()
    for fault, why in (("floats", "nothing legal"), ("shy", "gave up"), ("refuses", "cannot play by these rules")):
        player = sf.player(f"tbp:{sys.executable} {bot} {fault}", game)
        with pytest.raises(EngineError, match=why):
            player.think(state)
    with pytest.raises(ValueError, match="no program"):
        sf.player("tbp:no_such_program_anywhere", game)
    with pytest.raises(ValueError, match="needs a command"):
        sf.player("tbp", game)


def test_a_position_is_told_whole() -> None:
    game = sf.game("tetris")
    state = game.parse("board=3ef,3c7 queue=TIOLJS hold=Z bag=Z combo=2 b2b=0")
    told = position_of(state)
    assert told.board[:3] == ("GGGG.GGGGG", "GGG...GGGG", "." * 10)
    assert (told.queue, told.hold, told.combo, told.back_to_back, told.bag) == ("TIOLJS", "Z", 2, True, "Z")
    assert usable(told) == ("T", "Z")
    assert board("GG........")[0] == "GG........"
