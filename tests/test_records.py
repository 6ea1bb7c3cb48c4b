"""Proves game records: exact replay, files that survive a kill at any byte, and refusals of what does not fit."""

import json
import os
import random
import signal
import subprocess
import sys
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import pytest
from helpers import refused

import sevenfold as sf

FOUR = sf.game("connect_four")
EXAMPLES = Path(__file__).parent.parent / "examples"
KUHN = sf.game(str(EXAMPLES / "kuhn_poker.py"))
NIM = sf.game(str(EXAMPLES / "nim.py"), heaps=(2, 3))


def random_game(game: sf.Game, seed: int, plies: int = 10_000) -> sf.State:
    rng, state = random.Random(seed), game.new(seed)
    while not state.is_over and len(state.history) < plies:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(rng.choice(state.legal_actions()))
    return state


def some_records(count: int) -> list[sf.Record]:
    games = [FOUR, sf.game("tic_tac_toe"), sf.game("connect_four", rows=9, cols=12, blocked=(8, 3))]
    return [
        sf.Record.of(random_game(games[n % 3], n), seats=["小明 ♟", 'a "b"\\\n\u2028'], moves=[]) for n in range(count)
    ]


def fields(**changes: Any) -> dict[str, Any]:
    return {**json.loads(sf.Record.of(FOUR.replay([3, 2])).to_line()), **changes}


@pytest.mark.parametrize("game", [FOUR, KUHN, NIM, sf.game("connect_four", preset="saiblo", seed=4)], ids=str)
def test_a_record_replays_every_position_exactly(game: sf.Game) -> None:
    for seed in range(10):
        state = random_game(game, seed)
        record = sf.Record.of(state, seats=["one", "two"])
        line = record.to_line()
        assert "\n" not in line
        again = sf.Record.from_line(line)
        assert again == record
        replayed = again.replay(game)
        assert (replayed.history, replayed.hash(), replayed.seed) == (state.history, state.hash(), state.seed)
        assert str(replayed) == str(state)
        assert replayed.returns() == again.result
        walked = list(again.states(game))
        assert [len(position.history) for position in walked] == list(range(len(state.history) + 1))
        assert walked[0].hash() == game.new(seed).hash()


def test_a_game_of_the_house_is_found_by_the_record_itself() -> None:
    for record in some_records(6):
        last = record.replay()
        assert last.game.options == record.options
        assert last.history == record.actions


def test_a_record_of_a_file_s_game_needs_the_game_and_says_so() -> None:
    record = sf.Record.of(random_game(KUHN, 1))
    with refused(match="no game 'kuhn_poker'"):
        record.replay()
    assert record.replay(KUHN).is_over


def test_chance_is_replayed_as_it_fell_and_can_go_on_from_there() -> None:
    for seed in range(30):
        whole = random_game(KUHN, seed)
        part = sf.Record.of(random_game(KUHN, seed, plies=1))
        middle = part.replay(KUHN)
        assert middle.play_chance() == whole.history[1]  # the seed is in the record


def test_an_unfinished_game_has_no_result() -> None:
    record = sf.Record.of(FOUR.replay([3, 2]))
    assert record.result is None
    assert record.replay().history == [3, 2]


def test_a_game_from_a_set_up_position_is_replayed_from_there() -> None:
    state = FOUR.parse("7/7/7/7/7/3x3 o")
    state.play(3)
    record = sf.Record.from_line(sf.Record.of(state).to_line())
    assert record.start == "7/7/7/7/7/3x3 o"
    assert record.replay().hash() == state.hash()


def test_data_about_each_move_is_kept() -> None:
    state = FOUR.replay([3, 2])
    moves = [{"value": 0.5, "pv": [3, 2], "said": "井字棋"}, None]
    record = sf.Record.from_line(sf.Record.of(state, ["a", "b"], moves).to_line())
    assert record.moves == moves
    assert record.seats == ["a", "b"]


def test_the_line_is_plain_json_with_the_documented_fields() -> None:
    data = json.loads(sf.Record.of(FOUR.replay([3]), ["電腦", "you"]).to_line())
    assert data["format"] == 1
    assert set(data) == {
        "format",
        "game",
        "version",
        "options",
        "seed",
        "start",
        "seats",
        "actions",
        "result",
        "moves",
    }
    assert (data["game"], data["version"], data["actions"]) == ("connect_four", 1, [3])
    assert data["options"] == {"rows": 6, "cols": 7, "connect": 4, "blocked": "none"}
    assert "電腦" in sf.Record.of(FOUR.replay([3]), ["電腦", "you"]).to_line()


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    records, path = some_records(20), tmp_path / "new" / "folder" / "games.jsonl"
    sf.write_records(path, records[:10])
    sf.write_records(str(path), records[10:])  # appends
    assert list(sf.read_records(path)) == records
    assert list(sf.read_records(str(path))) == records
    assert path.read_bytes().count(b"\n") == 20


def test_blank_lines_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path, records = tmp_path / "games.jsonl", some_records(3)
    path.write_bytes(b"\r\n\n".join(record.to_line().encode() for record in records) + b"\r\n \n")
    assert list(sf.read_records(path)) == records


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"")
    assert list(sf.read_records(path)) == []
    with sf.RecordWriter(path):
        pass
    assert path.read_bytes() == b""


def test_a_file_cut_at_any_byte_gives_all_whole_records_and_can_be_written_on(tmp_path: Path) -> None:
    records, path = some_records(3), tmp_path / "games.jsonl"
    sf.write_records(path, records)
    whole = path.read_bytes()
    ends = [i for i, byte in enumerate(whole) if byte == 10]
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends)  # without its newline a line is whole too
        cut = size > 0 and size not in ends and size - 1 not in ends
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            assert list(sf.read_records(path)) == records[:complete], size
        assert len(heard) == cut, size
        if cut:
            assert "cut short and skipped" in str(heard[0].message)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            with sf.RecordWriter(path) as writer:
                writer.write(records[2])
        assert len(heard) == cut, size
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert list(sf.read_records(path)) == [*records[:complete], records[2]], size


def test_a_long_last_line_that_was_cut_is_found_over_several_blocks(tmp_path: Path) -> None:
    path, record = tmp_path / "games.jsonl", some_records(1)[0]
    record.moves = [{"note": "x" * 300_000}]
    whole = (record.to_line() + "\n").encode() * 2
    path.write_bytes(whole[:-5])
    with pytest.warns(UserWarning, match="cut short"), sf.RecordWriter(path) as writer:
        writer.write(record)
    assert list(sf.read_records(path)) == [record, record]


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path, record = tmp_path / "games.jsonl", some_records(1)[0].to_line()
    for broken in ("{", record[:-5], "null", "[]", "3", '{"format": 2}', '"text"', "\x00", record + record):
        path.write_text(f"{record}\n{broken}\n{record}\n")
        lines = sf.read_records(path)
        next(lines)
        with refused(match="line 2 is not a record"):
            next(lines)
    path.write_bytes(record.encode() + b"\n\xff\xfe\n" + record.encode() + b"\n")
    lines = sf.read_records(path)
    next(lines)
    with refused(match="line 2 is not a record"):
        next(lines)


@pytest.mark.parametrize("actions", [[None], [3, None], None, [3, "2"], [3, True], [[3]]])
def test_actions_that_are_no_numbers_are_named(actions: Any) -> None:
    with refused(match="^its actions cannot be read"):
        sf.Record.from_line(json.dumps(fields(actions=actions)))


def test_a_damaged_byte_inside_a_text_is_not_read_as_another_text(tmp_path: Path) -> None:
    path, record = tmp_path / "games.jsonl", some_records(1)[0]
    line = record.to_line().encode() + b"\n"
    path.write_bytes(line.replace("小".encode(), b"\xe5\xb0\xff") + line)
    with refused(match="line 1 is not a record"):
        list(sf.read_records(path))


def test_the_writer_leaves_a_file_alone_that_it_did_not_write(tmp_path: Path) -> None:
    """A last line without a newline that never was the beginning of a record must not be cut off."""
    path = tmp_path / "notes.txt"
    path.write_text("important\nlast words")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sf.write_records(path, some_records(1))
    except ValueError:
        pass
    assert path.read_text().startswith("important\nlast words")


CHILD = """
import sys
import sevenfold as sf
state = sf.game("connect_four").replay([3, 3, 2])
with sf.RecordWriter(sys.argv[1]) as writer:
    for number in range(10**9):
        writer.write(sf.Record.of(state, seats=[str(number), "other"], moves=[{"note": "x" * (number * 7919 % 400)}]))
        print(number, flush=True)
"""


@pytest.mark.parametrize("attempt", range(4))
def test_every_record_is_on_disk_when_write_returns_even_under_kill_minus_nine(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / "games.jsonl"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    for _ in range(40 + 17 * attempt):
        child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    confirmed = 40 + 17 * attempt + child.stdout.read().count("\n")
    child.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [int(record.seats[0]) for record in sf.read_records(path)]
    assert found == list(range(len(found)))
    assert len(found) >= confirmed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sf.write_records(path, some_records(1))
    assert len(list(sf.read_records(path))) == len(found) + 1


def test_a_large_file_is_read_one_record_at_a_time(tmp_path: Path) -> None:
    path, line = tmp_path / "games.jsonl", (some_records(1)[0].to_line() + "\n").encode()
    path.write_bytes(line * 4_000)
    assert path.stat().st_size > 1 << 20
    tracemalloc.start()
    assert sum(1 for _ in sf.read_records(path)) == 4_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 18
    lines = sf.read_records(path)
    assert iter(lines) is lines
    next(lines)
    lines.close()


def test_a_missing_file_is_the_usual_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(sf.read_records(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": 0},
        {"game": "tic_tac_toe"},
        {"game": "chess"},
        {"game": ""},
        {"game": "connect_four(rows=9)"},
        {"game": "\ud800"},
        {"options": {}},
        {"options": {"rows": 6, "cols": 7, "connect": 4}},
        {"options": {"rows": 99, "cols": 7, "connect": 4, "blocked": "none"}},
        {"options": {"rows": [6], "cols": 7, "connect": 4, "blocked": "none"}},
        {"options": {"rows": {}, "cols": 7, "connect": 4, "blocked": "none"}},
        {"options": {"rows": 10**400, "cols": 7, "connect": 4, "blocked": "none"}},
        {"options": {"rows": "x" * 10_000}},
        {"options": {"name": "x"}},
        {"options": {"preset": "saiblo"}},
        {"options": {"preset": []}},
        {"options": {"seed": "x"}},
        {"options": {"\ud800": 1}},
        {"options": {"wrap": True}},
        {"actions": [7]},
        {"actions": [-1]},
        {"actions": [0] * 7},
        {"actions": [2**40]},
        {"actions": [0, 1, 0, 1, 0, 1, 0, 1]},
        {"result": [1, -1]},
        {"actions": [0, 1, 0, 1, 0, 1, 0], "result": [-1, 1]},
        {"actions": [0, 1, 0, 1, 0, 1, 0], "result": [1]},
        {"actions": [0, 1, 0, 1, 0, 1, 0], "result": []},
        {"actions": [0, 1, 0, 1, 0, 1, 0], "result": [1, -1, 0]},
        {"start": "nonsense"},
        {"start": "7/7/7/7/7/7 o"},
        {"start": "\ud800"},
        {"seats": ["alone"]},
        {"seats": ["one", "two", "three"]},
        {"moves": [None, None, None]},
    ],
    ids=lambda change: str(change)[:60],
)
def test_a_record_that_does_not_fit_the_rules_is_refused_by_a_sentence(change: dict[str, Any]) -> None:
    record = sf.Record.from_line(json.dumps(fields(**change)))
    with refused():
        record.replay()


def test_a_record_with_a_start_for_a_game_without_texts_is_refused() -> None:
    record = sf.Record.of(KUHN.replay([1, 2]))
    record.start = "whatever"
    with refused():
        record.replay(KUHN)


def test_replaying_a_record_never_runs_a_file_that_it_names(tmp_path: Path) -> None:
    """A record is data from anywhere; its game is a name, not a path to code."""
    script, proof = tmp_path / "trap.py", tmp_path / "ran"
    script.write_text(f"open({str(proof)!r}, 'w').close()\n")
    record = sf.Record.from_line(json.dumps(fields(game=str(script), options={}, actions=[])))
    with refused():
        record.replay()
    assert not proof.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"format": None},
        {"format": "1"},
        {"format": True},
        {"format": 1.0},
        {"game": 3},
        {"game": None},
        {"version": "1"},
        {"version": 1.0},
        {"version": True},
        {"options": []},
        {"options": None},
        {"actions": None},
        {"actions": "33"},
        {"actions": [1.5]},
        {"actions": ["3"]},
        {"actions": [True]},
        {"actions": [None]},
        {"actions": [[3]]},
        {"actions": {"0": 3}},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": "1"},
        {"seed": 1.0},
        {"seed": True},
        {"start": 3},
        {"start": []},
        {"seats": "ab"},
        {"seats": [1]},
        {"seats": None},
        {"result": "won"},
        {"result": [None]},
        {"result": [True, False]},
        {"result": {}},
        {"moves": None},
        {"moves": [3]},
        {"moves": {}},
    ],
    ids=str,
)
def test_a_line_whose_fields_are_of_the_wrong_kind_is_refused_by_a_sentence(change: dict[str, Any]) -> None:
    with refused():
        sf.Record.from_line(json.dumps(fields(**change)))


@pytest.mark.parametrize("field", ["actions", "result"])
@pytest.mark.parametrize("value", ["1e999", "-1e999", "NaN", "Infinity", "1" + "0" * 400, "1" + "0" * 5000])
def test_numbers_beyond_all_bounds_are_refused_by_a_sentence(field: str, value: str) -> None:
    line = json.dumps(fields(**{field: ["@"]})).replace('"@"', value)
    with refused():
        sf.Record.from_line(line).replay()


@pytest.mark.parametrize("field", ["moves", "about", "options", "later"])
@pytest.mark.parametrize("value", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused_wherever_it_stands(tmp_path: Path, field: str, value: str) -> None:
    inside: Any = [{"value": ["@"]}] if field == "moves" else {"value": {"deep": "@"}}
    line = json.dumps(fields(**{field: inside})).replace('"@"', value)
    with refused(match="which is no number"):
        sf.Record.from_line(line)
    path = tmp_path / "games.jsonl"
    for end in ("\n", ""):  # a whole line is not taken for one that was cut short
        path.write_text(line + end)
        with refused(match="line 1 is not a record: it holds .* which is no number"):
            list(sf.read_records(path))


def test_a_record_names_every_seat_or_none() -> None:
    state = sf.game("sevens").new(1)
    for seats in (["alone"], ["a", "b", "c"], ["a"] * 5):
        with refused(match=f"names {len(seats)} of 4 seats"):
            sf.Record.of(state, seats)
        record = sf.Record.of(state)
        record.seats = seats
        with refused(match=f"names {len(seats)} of 4 seats"):
            sf.Record.from_line(record.to_line()).replay()
    for seats in ([], ["a", "b", "c", "d"]):
        assert sf.Record.from_line(sf.Record.of(state, seats).to_line()).replay().seed == 1


def test_data_about_more_moves_than_there_are_is_refused() -> None:
    with refused(match="data about 3 moves, but 2 actions"):
        sf.Record.of(FOUR.replay([3, 2]), moves=[None] * 3)


@pytest.mark.parametrize("field", ["format", "game", "version", "options", "actions"])
def test_a_line_that_lacks_a_field_is_refused_by_a_sentence(field: str) -> None:
    data = fields()
    del data[field]
    with refused():
        sf.Record.from_line(json.dumps(data))


def test_what_may_be_left_out_has_a_default_and_what_is_unknown_is_ignored() -> None:
    data = {key: fields()[key] for key in ("format", "game", "version", "options", "actions")}
    record = sf.Record.from_line(json.dumps({**data, "later": "field", "self": 3}))
    assert (record.seed, record.start, record.seats, record.result, record.moves) == (0, None, [], None, [])
    assert record.replay().history == [3, 2]


@pytest.mark.parametrize("line", ["", " ", "{", "nonsense", "[" * 100_000, "{" * 100_000, "\x00", "\ud800", "1" * 5000])
def test_a_line_that_is_no_json_is_refused_by_a_sentence(line: str) -> None:
    with refused():
        sf.Record.from_line(line)


def test_what_json_cannot_hold_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = some_records(1)[0]
    for moves, seats in (([{"value": float("nan")}], []), ([{"value": float("inf")}], []), ([], ["\ud800"])):
        record.moves, record.seats = moves, seats
        with sf.RecordWriter(path) as writer, pytest.raises(ValueError):  # noqa: PT011
            writer.write(record)
        assert path.read_bytes() == b""


@pytest.mark.parametrize("content", ["hello\n", "print('a program')\n", "\x00\x01\n"])
def test_the_writer_refuses_a_file_that_is_something_else(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with refused(match="not a file of game records"):
        sf.RecordWriter(path)
    assert path.read_text() == content


def test_a_whole_last_line_of_a_later_format_is_not_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    later = '{"format": 2, "game": "something new"}'
    path.write_text(later)
    sf.write_records(path, some_records(1))
    assert path.read_text().startswith(later + "\n")


def test_what_a_full_disk_cut_short_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = some_records(3)
    path = tmp_path / "games.jsonl"

    class Full:
        """A file on a disk that fills up in the middle of a line."""

        def __init__(self, file: Any) -> None:
            self.file = file

        def write(self, data: Any) -> int:
            if len(data) < 20:
                raise OSError(28, "No space left on device")
            return int(self.file.write(bytes(data[:20])))

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

    with sf.RecordWriter(path) as writer:
        writer.write(first)
        whole = writer._file
        writer._file = Full(whole)
        with pytest.raises(OSError, match="No space"):
            writer.write(second)
        writer._file = whole
        writer.write(third)
    assert list(sf.read_records(path)) == [first, third]
