"""The command line: what each verb prints for people and for programs, in two languages, and how it fails."""

import ast
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import sevenfold as sf
from sevenfold import cli, lang

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "sevenfold"
SOURCES = sorted(path for folder in ("", "cli", "protocols") for path in (PACKAGE / folder).glob("*.py"))
VERBS = ("games", "play", "think", "fit", "review", "match", "tournament", "ratings", "perft", "check", "new-game")
VERBS += ("train", "report", "export", "yardstick", "engine", "saiblo", "botzone", "serve", "tbp", "tbp-check", "fumen")


def command(*argv: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    """The installed command, in a process of its own."""
    program = "from sevenfold.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *argv], capture_output=True, text=True, timeout=60, encoding="utf-8", **more
    )


def test_version(run: Any) -> None:
    assert run("--version").out == f"sevenfold {sf.__version__}\n"
    assert run("--version", "--json").json == {"version": sf.__version__}
    assert run("--json", "--version").json == {"version": sf.__version__}


def test_nothing_heavy_is_imported_for_help_and_version() -> None:
    heavy = "{'numpy', 'torch', 'onnxruntime'} & {*sys.modules}"
    for argv in (["--help"], ["--version"], ["play", "--help"]):
        program = f"import sys; from sevenfold import cli; code = cli.run({argv!r}); assert not {heavy}, {heavy}"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr


def test_without_a_verb_the_help_is_shown(run: Any) -> None:
    answer = run()
    assert answer.code == 0
    assert all(verb in answer.out for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(run: Any, verb: str) -> None:
    english = run(verb, "--help")
    assert english.code == 0
    assert f"Example: sevenfold {verb}" in english.out
    assert "Shows this page." in english.out
    chinese = run(verb, "--help", "--lang", "zh-TW")
    assert f"範例： sevenfold {verb}" in chinese.out
    assert "用法：" in chinese.out
    assert "選項" in chinese.out
    for words in ("Usage", "Options", "Prints", "Shows"):
        assert words not in chinese.out


def test_games_lists_every_game(run: Any) -> None:
    answer = run("games")
    for name in sf.game_names():
        assert name in answer.out
    assert "random_action" in answer.out  # abilities are not cut off in 80 columns
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    data = {each["name"]: each for each in run("games", "--json").json}
    assert set(data) == set(sf.game_names())
    four = data["connect_four"]
    assert (four["players"], four["actions"], four["chance"], four["hidden"]) == (2, 7, False, False)
    assert "symmetries" in four["abilities"]
    assert four["presets"] == ["saiblo"]
    rows = next(option for option in four["options"] if option["name"] == "rows")
    assert rows == {
        "name": "rows", "kind": "integer", "default": 6, "help": "rows of the board", "low": 4.0, "high": 12.0,
    }  # fmt: skip


def test_games_shows_one_game(run: Any) -> None:
    answer = run("games", "connect_four")
    for text in ("rows", "4 to 12", "rows of the board", "saiblo", "Connect-four"):
        assert text in answer.out
    assert run("games", "connect_four(rows=9)", "--json").json["spec"] == "connect_four(rows=9)"
    hidden = run("games", str(ROOT / "examples" / "kuhn_poker.py"), "--json").json
    assert (hidden["chance"], hidden["hidden"]) == (True, True)


def test_perft_counts(run: Any) -> None:
    data = run("perft", "tic_tac_toe", "--depth", "9", "--json").json
    assert data["complete"] == 255_168
    assert data["count"] == 127_872
    assert data["game"] == "tic_tac_toe"
    assert data["options"] == {}
    assert data["seconds"] > 0
    assert data["nodes_per_second"] > 0
    assert run("perft", "tic_tac_toe", "--depth", "9", "--distinct", "--json").json["total"] == 5_478
    assert run("--json", "perft", "connect_four", "-o", "rows=9", "--depth", "2").json["options"]["rows"] == 9
    people = run("perft", "connect_four", "--depth", "4")
    assert "2,401" in people.out
    assert people.err == ""  # the running count is for terminals


def test_perft_starts_where_it_is_told(run: Any) -> None:
    after = run("perft", "tic_tac_toe", "--depth", "8", "--moves", "b2", "--json").json
    assert after["complete"] == 255_168 - sum(
        run("perft", "tic_tac_toe", "--depth", "8", "--moves", cell, "--json").json["complete"]
        for cell in ("a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3")
    )
    position = run("perft", "tic_tac_toe", "--depth", "8", "--position", ".../.x./... o", "--json").json
    assert position["complete"] == after["complete"]
    assert run("perft", "tic_tac_toe", "--depth", "1", "--moves", "b2", "--position", "x").code == 2


def test_check_passes_and_says_what_was_checked(run: Any) -> None:
    answer = run("check", "tic_tac_toe", "--games", "3")
    assert answer.code == 0
    assert "symmetries commute with play" in answer.out
    data = run("check", "tic_tac_toe", "--games", "3", "--json").json
    assert data["ok"] is True
    assert data["games"] == 3
    assert data["passed"]["copies are independent"] == data["positions"]


BROKEN = """
import sevenfold as sf

class Broken(sf.Rules):
    players, actions = 2, 2
    def __init__(self): self.plies = 0
    def to_move(self): return sf.TERMINAL if self.plies == 3 else self.plies % 2
    def legal_actions(self): return [0, 1]
    def play(self, action): self.plies += 1
    def returns(self): {returns}
"""


def test_check_names_the_broken_property_and_the_position(run: Any, tmp_path: Path) -> None:
    game = tmp_path / "broken.py"
    game.write_text(BROKEN.format(returns="return [2, -2] if self.plies == 3 else [0, 0]"))
    answer = run("check", str(game))
    assert answer.code == 1
    assert len(answer.err.splitlines()) == 1
    assert "returned [2.0, -2.0]" in answer.err
    assert "history [" in answer.err
    data = run("check", str(game), "--json")
    assert data.code == 1
    assert data.json["ok"] is False
    assert "returned [2.0, -2.0]" in data.json["failure"]


def test_an_exception_of_a_python_game_is_one_sentence_that_says_where(run: Any, tmp_path: Path) -> None:
    game = tmp_path / "broken.py"
    game.write_text(BROKEN.format(returns="return [1 / 0, 0]"))
    answer = run("play", str(game), "--watch")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert "ZeroDivisionError" in answer.err
    assert "broken.returns()" in answer.err
    assert "broken.py line 10" in answer.err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["play", "nope"], "there is no game 'nope'"),
        (["play", "nope.py"], "no file 'nope.py'"),
        (["play", "connect_four", "-o", "rows=99"], "from 4 to 12"),
        (["play", "connect_four", "-o", "rows"], "NAME=VALUE"),
        (["play", "connect_four", "-o", "hight=9"], "no option 'hight'"),
        (["play", "connect_four", "-o", "seed=3"], "'seed' is no option of a game"),
        (["play", "connect_four", "--preset", "x"], "no preset 'x'"),
        (["play", "connect_four", "--against", "x"], "no player 'x'"),
        (["play", "connect_four", "--against", "random:x=1"], "no option 'x'"),
        (["play", "connect_four", "--against", "random", "--against", "random"], "1 seats for --against, not 2"),
        (["play", "connect_four", "--watch", "--against", "human"], "--watch"),
        (["play", "connect_four", "--seat", "3"], "from 1 to 2"),
        (["play", "connect_four", "--seat", "²"], "from 1 to 2"),
        (["play", "connect_four", "--seed", "-1"], "seed must be from 0"),
        (["play", "connect_four", "--hint", "x"], "no player 'x'"),
        (["play", "connect_four", "--record", "/"], "directory"),
        (["play"], "name a game to play: connect_four"),
        (["perft", "connect_four"], "--depth"),
        (["perft", "connect_four", "--depth", "x"], "--depth"),
        (["perft", "connect_four", "--depth", "-1"], "depth must be from 0"),
        (["perft", "connect_four", "--depth", "1", "--moves", "z"], "'z' is not a legal action"),
        (["perft"], "GAME"),
        (["check", "connect_four", "--games", "0"], "games must be 1 or more"),
        (["games", "x"], "there is no game 'x'"),
        (["games", "--lang", "fr"], "--lang is en or zh-TW, not 'fr'"),
        (["games", "--lang"], "--lang is en or zh-TW"),
        (["fly"], "fly"),
        (["--fly"], "--fly"),
        (["new-game"], "NAME"),
        (["engine"], "GAME"),
        (
            ["report", "sevens-nope"],
            "sevens-nope is no training run, and no report of a game; those are: sevens-behaviours",
        ),
        (["engine", str(ROOT / "examples" / "kuhn_poker.py")], "has hidden information"),
        (["engine", "connect_four", "--player", "x"], "no player 'x'"),
        (["saiblo", "--seconds", "0"], "--seconds"),
        (["botzone", "connect_four", "--as", "x"], "--as"),
        (["botzone", "tic_tac_toe", "--as", "point"], "tic_tac_toe has no points"),
        (["botzone", "connect_four", "--seconds", "nan"], "--seconds"),
    ],
)
def test_a_mistake_is_one_sentence_on_stderr_and_exit_code_2(run: Any, argv: list[str], words: str) -> None:
    answer = run(*argv)
    assert answer.code == 2
    assert answer.out == ""
    assert words in answer.err
    assert answer.err.startswith("sevenfold: ")
    assert answer.err.endswith(".\n")
    assert answer.err.count("\n") == 1


def test_the_entry_point_returns_the_exit_code_and_survives_a_closed_pipe() -> None:
    assert command("games", "nope").returncode == 2
    assert "Traceback" not in command("games", "nope").stderr
    shell = f"{sys.executable} -c 'from sevenfold.cli import main; main()' games --json | head -c 1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.stdout == "["
    assert done.stderr == ""


def test_a_terminal_that_cannot_show_discs_gets_letters() -> None:
    env = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin"}
    done = command("play", "connect_four", "--seed", "3", input="d\n", env=env)
    assert done.returncode == 0
    assert ". o . x . . ." in done.stdout
    assert "?" not in done.stdout.replace("or ? for help", "")


# Languages.


@pytest.mark.parametrize(
    ("argv", "environ", "language"),
    [
        ([], {}, "en"),
        ([], {"LANG": "zh_TW.UTF-8"}, "zh-TW"),
        ([], {"LANG": "zh_HK"}, "zh-TW"),
        ([], {"LANG": "zh-Hant"}, "zh-TW"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh-TW"),
        ([], {"LANG": "de_DE.UTF-8"}, "en"),
        ([], {"LANG": "zh_TW", "LC_ALL": "C"}, "en"),
        ([], {"LANG": "en_US", "LC_MESSAGES": "zh_TW.UTF-8"}, "zh-TW"),
        ([], {"LANG": "C.UTF-8", "LANGUAGE": "fr:zh_TW:en"}, "zh-TW"),
        ([], {"LANG": "zh_TW.UTF-8", "LANGUAGE": "en"}, "en"),
        (["games", "--lang", "en"], {"LANG": "zh_TW"}, "en"),
        (["--lang=zh_TW", "games"], {"LANG": "en_US"}, "zh-TW"),
    ],
)
def test_the_language_is_chosen(argv: list[str], environ: dict[str, str], language: str) -> None:
    assert lang.chosen(argv, environ) == language


def test_the_language_may_stand_before_or_after_the_verb(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "四子棋" in run("games", "--lang", "zh-TW").out
    assert "四子棋" in run("--lang", "zh-TW", "games").out
    assert "四子棋" not in run("games").out
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8")
    assert "人數" in run("games").out
    assert "著法序列" in run("perft", "tic_tac_toe", "--depth", "2").out
    assert "全部通過" in run("check", "tic_tac_toe", "--games", "1").out
    assert "請指定要玩的遊戲" in run("play").err


def texts_in_use() -> set[str]:
    """Every text the code passes to t(), and every help text of the command line."""
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "t":
                if isinstance(node.args[0], ast.Constant):
                    found.add(node.args[0].value)
                else:
                    assert path.name == "help_screen.py", f"{path.name}: t() needs a text, not {ast.unparse(node)}"

    def helps(tree: Any) -> Iterator[str]:
        yield tree.help
        yield from (parameter.help for parameter in tree.params)
        for verb in getattr(tree, "commands", {}).values():
            yield from helps(verb)

    return found | set(helps(typer.main.get_command(cli.app)))


def test_every_text_has_its_chinese_form_and_none_is_left_over() -> None:
    assert texts_in_use() == set(lang.ZH_TW)


def placeholders(text: str) -> list[tuple[str | None, str | None, str | None]]:
    return sorted((name, spec, conversion) for _, name, spec, conversion in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("english", lang.ZH_TW)
def test_both_languages_have_the_same_placeholders_and_marks(english: str) -> None:
    chinese = lang.ZH_TW[english]
    assert placeholders(english) == placeholders(chinese)
    assert english.count("[/]") == chinese.count("[/]")
    assert chinese.strip()


def test_a_game_that_ends_the_program_has_failed_and_not_passed(run: Any, tmp_path: Path) -> None:
    game = tmp_path / "quits.py"
    game.write_text(BROKEN.format(returns="raise SystemExit(0)"))
    answer = run("check", str(game))
    assert answer.code == 1
    assert "SystemExit" in answer.err


def test_a_game_of_openspiel_is_checked(run: Any) -> None:
    answer = run("check", "openspiel:kuhn_poker", "--games", "3", "--json")
    assert answer.code == 0
    assert answer.json["ok"]
