"""Proves the yardstick: its sets are what they say, mistakes are counted right, verdicts are kept as they are found."""

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from helpers import refused

import sevenfold as sf
from sevenfold import cli, yardstick
from sevenfold.games.connect_four import yardstick as room
from sevenfold.players import Player, SearchResult

FOUR = sf.game("connect_four")
CHEAP = ("L3_R1", "L2_R1", "L2_R2")
PONS = ["2252576253462244111563365343671351441 -1", "5554224333234511764415115 4", "274552224131661 0"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with the first positions of three of our sets."""
    folder = tmp_path / "few"
    folder.mkdir()
    for name in CHEAP:
        lines = (room.FOLDER / f"{name}.txt").read_text().splitlines()[:12]
        (folder / f"ours_{name}.txt").write_text("\n".join(lines))
    return folder


@dataclass
class Stubborn(Player):
    """Plays the leftmost column."""

    name: ClassVar[str] = "stubborn"

    def think(self, state: sf.State) -> SearchResult:
        if self.seed == 13:
            raise ValueError("unlucky.")
        column = state.legal_actions()[0]
        return SearchResult(column, [0.0] * 7, [0.0, 0.0])


def test_the_sets_hold_different_positions_that_go_on() -> None:
    seen: set[str] = set()
    for name, positions in room.YARDSTICK.sets(None).items():
        assert len(positions) >= 200
        assert (room.FOLDER / f"{name}.txt").stat().st_size < 40_000
        for one in positions:
            state = FOUR.replay(list(one.actions))
            assert not state.is_over
            assert one.keeps
            assert one.keeps <= set(state.legal_actions())
            assert room.stage(len(one.actions)) == name[:2]
            image = min(state.symmetric(s).to_text() for s in range(state.symmetries))
            assert image not in seen
            seen.add(image)


@pytest.mark.parametrize("name", CHEAP)
def test_classes_and_outcomes_are_those_of_the_exact_scores(name: str) -> None:
    perfect: Any = sf.player("perfect:cache=false", FOUR)
    lines = list(room.read(room.FOLDER / f"{name}.txt").items())
    for moves, outcomes in random.Random(1).sample(lines, 15):
        result = perfect.think(FOUR.replay(list(room.actions_of(moves))))
        assert room.class_of(len(moves), result.score) == name
        best = (result.score > 0) - (result.score < 0)
        for score, sign in zip(result.scores, outcomes, strict=True):
            if score is None:
                assert sign == "."
            elif best == 1:
                assert sign == ("+" if score > 0 else "x")
            else:
                assert sign == ("0" if score == 0 else "-")


@pytest.mark.parametrize(
    ("stones", "score", "left"),
    [(0, 1, 41), (0, 0, 42), (41, 0, 1), (7, 18, 1), (8, 17, 1), (8, -17, 2), (1, -1, 40), (1, 1, 41), (40, 1, 1)],
)
def test_when_a_game_ends_follows_from_its_score(stones: int, score: int, left: int) -> None:
    assert room.left_until_end(stones, score) == left


def test_mistakes_are_counted_as_they_are(few: Path) -> None:
    wanted = {}
    for name, positions in room.YARDSTICK.sets(few).items():
        states = [(FOUR.replay(list(one.actions)), one.keeps) for one in positions]
        wanted[name] = sum(state.legal_actions()[0] not in (keeps or ()) for state, keeps in states)
    for processes in (1, 3):
        found = yardstick.yardstick(FOUR, {"stubborn": lambda: Stubborn(FOUR)}, folder=few, processes=processes)
        assert {name: tally.mistakes["stubborn"] for name, tally in found.sets.items()} == wanted
        assert all(tally.positions["stubborn"] == 12 for tally in found.sets.values())
        assert found.done == found.planned == 36
    assert sum(wanted.values()) > 0
    found = yardstick.yardstick(FOUR, ["perfect:cache=false", "random"], folder=few, limit=6, processes=2)
    assert [tally.mistakes["perfect:cache=false"] for tally in found.sets.values()] == [0, 0, 0]
    assert found.done == 36


def test_a_player_that_fails_is_heard_of(few: Path) -> None:
    for processes in (1, 2):
        with refused("unlucky"):
            yardstick.yardstick(FOUR, {"s": lambda: Stubborn(FOUR, seed=13)}, folder=few, processes=processes)


def foreign(tmp_path: Path) -> Path:
    folder = tmp_path / "pons"
    folder.mkdir()
    for name, line in zip(("L3_R1", "L2_R1", "L2_R2"), PONS, strict=True):
        (folder / f"Test_{name}").write_text(line + "\n")
    return folder


def test_verdicts_of_other_files_are_found_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, told = foreign(tmp_path), list[tuple[int, int]]()
    assert [one.keeps for some in room.YARDSTICK.sets(folder).values() for one in some] == [
        frozenset(range(7)),  # lost by the file's own score: nothing can be given away
        None,
        None,
    ]
    yardstick.yardstick(FOUR, ["random"], folder=folder, processes=1, judging=lambda *now: told.append(now))
    assert told[-1] == (2, 2)
    kept = room.read(room.cache_file())
    assert set(kept) == {line.split()[0] for line in PONS[1:]}
    signs = [max(outcomes.replace(".", ""), key=room.BEST.index) for outcomes in kept.values()]
    assert signs == ["+", "0"]  # as the scores in the files say
    known = room.YARDSTICK.sets(folder)
    monkeypatch.setattr(room, "outcomes", None)
    yardstick.yardstick(FOUR, ["random"], folder=folder, processes=1)
    # A process that was killed while it wrote has left half a line: the others are there, and the next one is whole.
    text = room.cache_file().read_text()
    room.cache_file().write_text(text[:-4])
    assert len(room.read(room.cache_file())) == 1
    room.keep(room.cache_file(), "44", "xxx+xxx")
    assert room.read(room.cache_file())["44"] == "xxx+xxx"
    assert len(known) == 3


@pytest.mark.parametrize(
    ("outcomes", "keeps"), [("+0x..+x", {0, 5}), ("-0-0---", {1, 3}), ("-------", set(range(7))), ("..-....", {2})]
)
def test_the_columns_that_keep_the_value(outcomes: str, keeps: set[int]) -> None:
    if "0" in outcomes and "+" in outcomes:
        outcomes = outcomes.replace("0", "x")
    assert room.kept_by(outcomes) == keeps


def test_the_verb_prints_for_programs_and_for_people(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "yardstick",
        "connect_four",
        "--player",
        "uct",
        "--simulations",
        "50",
        "--sets",
        str(few),
        "--limit",
        "4",
    ]
    assert cli.run([*command, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data["sets"]) == set(CHEAP)
    for one in data["sets"].values():
        assert one["positions"] == 4
        assert 0 <= one["mistakes"] <= 4
    assert data["players"] == ["uct:simulations=50"]
    assert cli.run(command) == 0
    shown = capsys.readouterr().out
    assert "AlphaZero.jl" in shown
    assert "L2_R2" in shown
    assert cli.run([*command, "--lang", "zh-TW"]) == 0
    chinese = capsys.readouterr().out
    assert "組別" in chinese
    assert "600 次模擬" in chinese
    spec = "alphazero:evaluator=uniform"
    assert cli.run(["yardstick", "connect_four", "--player", spec, "--sets", str(few), "--limit", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"] == ["policy", f"{spec},simulations=600"]


def test_an_interrupted_measurement_prints_what_it_has(
    few: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = yardstick.answers

    def broken(*given: Any) -> Any:
        for number, answer in enumerate(whole(*given)):
            if number == 5:
                raise KeyboardInterrupt
            yield answer

    monkeypatch.setattr(yardstick, "answers", broken)
    assert cli.run(["yardstick", "connect_four", "--player", "random", "--sets", str(few), "--json"]) == 130
    data = json.loads(capsys.readouterr().out)
    assert sum(one["positions"] for one in data["sets"].values()) == 5


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["easycard"], "the room of easycard offers no YARDSTICK to measure players by."),
        (
            ["connect_four", "-o", "rows=7"],
            "the yardstick of connect_four is for connect_four, not for connect_four(rows=7).",
        ),
        (["connect_four", "--player", "uct", "--net", "x"], "uct takes no net; leave out --net."),
        (["connect_four", "--player", "nobody"], "there is no player 'nobody'"),
        (["connect_four", "--net", "nowhere"], "there is no net 'nowhere'"),
        (["connect_four", "--player", "random", "--sets", "nowhere"], "there is no folder nowhere with sets."),
        (["connect_four", "--player", "random", "--sets", "."], "holds no file whose name contains one of L3_R1"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["yardstick", *argv]) == 2
    assert sentence in capsys.readouterr().err


def test_a_line_that_is_no_position_is_named(tmp_path: Path) -> None:
    (tmp_path / "L3_R1").write_text("123 4\nnonsense\n")
    with refused("line 2 of .* is not moves and a score"):
        room.YARDSTICK.sets(tmp_path)
    for options, sentence in (({"limit": 0}, "limit must be"), ({"processes": 0}, "processes must be")):
        with refused(sentence):
            yardstick.yardstick(FOUR, ["random"], **options)
    with refused("name at least one player"):
        yardstick.yardstick(FOUR, ["random", "random"])
