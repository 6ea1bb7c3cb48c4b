"""`sevenfold new-game`: what it writes builds, passes the conformance test and plays, and touches nothing else."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold import cli, new_game
from sevenfold.playthrough import playthrough

ROOT = Path(__file__).parent.parent
MAIN = "from sevenfold.cli import main; main()"


def run(*command: str, cwd: Path, env: dict[str, str] | None = None, typed: str = "") -> str:
    done = subprocess.run(
        command, cwd=cwd, env=env, input=typed, capture_output=True, text=True, timeout=1200, encoding="utf-8"
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


LEFT_OUT = tuple(f"src/sevenfold/games/{room}/" for room in ("invokation", "sevens", "tetris", "tetris_versus"))
"""Rooms that take long to build: the house stands without them as well."""


def copy_of_the_checkout(folder: Path) -> Path:
    """What git has or would add, without some rooms: no build, no virtual environment."""
    tree = folder / "tree"
    files = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    for file in filter(None, files):
        if (ROOT / file).is_file() and not file.startswith(LEFT_OUT):  # git lists what is deleted but not committed
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, tree / file)
    return tree


def contents(tree: Path) -> dict[str, bytes]:
    return {str(path.relative_to(tree)): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def test_a_new_game_in_a_checkout_builds_passes_and_plays_and_touches_nothing_else(tmp_path: Path) -> None:
    tree, site = copy_of_the_checkout(tmp_path), tmp_path / "site"
    before = contents(tree)
    env = {**os.environ, "LC_ALL": "C.UTF-8"}

    # The two forms of a room, one from a folder inside the checkout, one by --at.
    said = run(sys.executable, "-c", MAIN, "new-game", "pick_sticks", cwd=tree / "cpp", env=env)
    assert said.splitlines()[-2:] == ["  make setup", "  sevenfold play pick_sticks"]
    made = run(
        sys.executable, "-c", MAIN, "new-game", "slow_sticks", "--python", "--at", str(tree), "--json",
        cwd=tmp_path, env=env,
    )  # fmt: skip
    assert json.loads(made)["next"] == ["make setup", "sevenfold play slow_sticks"]
    after = contents(tree)
    assert {file: text for file, text in after.items() if file in before} == before
    games = "src/sevenfold/games"
    rooms = {"pick_sticks": ["rules.h", "__init__.py"], "slow_sticks": ["__init__.py"]}
    assert set(after) - set(before) == {
        f"{games}/{name}/{file}"
        for name, own in rooms.items()
        for file in [*own, f"test_{name}.py", "golden.txt", "page.md"]
    }

    run(
        sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-build-isolation",
        "--no-deps", "--target", str(site), str(tree), cwd=tmp_path, env={**env, "SEVENFOLD_WERROR": "1"},
    )  # fmt: skip
    # -S: without the hooks of the virtual environment, which would import the checkout this test runs from.
    env["PYTHONPATH"] = os.pathsep.join([str(site), sysconfig.get_path("purelib")])

    def python(*argv: str, typed: str = "") -> str:
        return run(sys.executable, "-S", *argv, cwd=tmp_path, env=env, typed=typed)

    where = python("-c", "import sevenfold; print(sevenfold.__file__)")
    assert Path(where.strip()).is_relative_to(site)
    python("-c", MAIN, "check", "connect_four", "--games", "1")
    for name in rooms:
        report = json.loads(python("-c", MAIN, "check", name, "--json"))
        assert report["ok"]
        assert report["passed"]["observations have the declared shape and are finite"] > 0
        apart = tmp_path / name  # inside the tree, pytest would import its sevenfold, which has no compiled core
        apart.mkdir()
        for file in (f"test_{name}.py", "golden.txt"):
            shutil.copy(tree / games / name / file, apart)
        assert "4 passed" in python("-m", "pytest", "-p", "no:cacheprovider", str(apart))
        played = python("-c", MAIN, "play", name, "--seed", "1", "--option", "sticks=4", typed="1\nhint\n9\n2\n3\n1\n")
        assert "||||" in played
        assert "Hint:" in played
        assert "'9' is not a move here" in played
        assert "wins" in played or "You win" in played
    # The two are the same game: one in C++, one in Python.
    texts = [python("-m", "sevenfold.playthrough", name, "5").replace(name, "…") for name in rooms]
    assert texts[0] == texts[1]
    python("-c", MAIN, "new-game", "third", "--python", "--at", str(tmp_path))  # the templates are in the wheel
    assert json.loads(python("-c", MAIN, "check", "third.py", "--json"))["ok"]
    python(str(tree / "docs" / "options_table.py"), "--check")


@pytest.mark.parametrize("name", ["x", "a_name_of_the_full_thirty_char"])
@pytest.mark.parametrize("python", [False, True])
def test_what_is_written_passes_make_lint(tmp_path: Path, name: str, python: bool) -> None:
    for file in ("pyproject.toml", ".clang-format"):
        shutil.copy(ROOT / file, tmp_path / file)
    package = tmp_path / "src" / "sevenfold"
    package.mkdir(parents=True)
    for file in ("__init__.py", "playthrough.py"):  # so that ruff knows whose imports these are
        (package / file).touch()
    room = new_game.write(name, python, tmp_path).folder
    run(sys.executable, "-m", "ruff", "check", str(room), cwd=tmp_path)
    run(sys.executable, "-m", "ruff", "format", "--check", str(room), cwd=tmp_path)
    if not python:
        formatter = Path(sys.executable).with_name("clang-format")
        run(str(formatter), "--dry-run", "-Werror", str(room / "rules.h"), cwd=tmp_path)


def test_outside_a_checkout_a_python_file_plays_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["new-game", "sticks2", "--python", "--lang", "en"]) == 0
    assert capsys.readouterr().out == (
        "Written:\n  sticks2.py\nNext:\n  sevenfold play sticks2.py\n  sevenfold check sticks2.py\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["sticks2.py"]
    assert cli.run(["play", "sticks2.py", "--watch", "--seed", "1"]) == 0
    assert "The winner is" in capsys.readouterr().out
    game = sf.game("sticks2.py")
    assert game.name == "sticks2"
    sf.check(game, games=5)
    assert sf.perft(game.new(), 15, detail=True).complete == 5768
    for wrong in ("16 0", "-1 0", "7 2", "7", "", "7 0 "):
        with pytest.raises(ValueError, match="written as '7 1'"):
            game.new().game._core.parse(game, wrong, 0)
    assert cli.run(["new-game", "sticks2", "--python"]) == 2
    assert "already is a file" in capsys.readouterr().err


def test_a_cpp_game_needs_a_checkout(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n')
    with pytest.raises(ValueError, match="needs a source checkout"):
        new_game.write("my_game", at=tmp_path)
    (tmp_path / "pyproject.toml").write_text("this is not TOML")
    with pytest.raises(ValueError, match="needs a source checkout"):
        new_game.write("my_game", at=tmp_path)
    with pytest.raises(ValueError, match="no folder"):
        new_game.write("my_game", at=tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, "snake_case") for name in ("MyGame", "my-game", "2048", "_x", "x_", "a__b", "é", "", "x" * 31, "a b")),
        *(
            (name, "word of Python or C\\+\\+")
            for name in ("class", "lambda", "namespace", "xor", "random", "sevenfold")
        ),
        ("connect_four", "already is a game"),
    ],
)
def test_names_that_are_refused(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        new_game.write(name, python=True, at=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_cpp_game_must_not_take_a_name_of_the_core(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "sevenfold"\n')
    (tmp_path / "cpp").mkdir()
    (tmp_path / "cpp" / "core.h").write_text("// go is a game\nint mix(int);\nstruct Facts {};\n")
    for name in ("mix", "facts"):
        with pytest.raises(ValueError, match="name of the C\\+\\+ core"):
            new_game.write(name, at=tmp_path)
    assert new_game.write("go", at=tmp_path).folder.is_dir()
    with pytest.raises(ValueError, match="already is a game"):
        new_game.write("go", at=tmp_path)


def test_a_playthrough_is_fixed_by_its_seed_and_shows_the_whole_game() -> None:
    text = playthrough("tic_tac_toe", 1)
    assert text == playthrough(sf.game("tic_tac_toe"), 1)
    assert text != playthrough("tic_tac_toe", 2)
    assert text.startswith("game: tic_tac_toe v1\nplayers: 2, actions: 9, outcomes: 0\noptions: none\nseed: 1\n")
    assert "ply 0\n  3 . . .\n  2 . . .\n  1 . . .\n    a b c\nto move: 0\nlegal: 0 (a3), 1 (b3)" in text
    assert text.splitlines()[-2:] in (
        ["to move: nobody", f"returns: {returns}"] for returns in ([1.0, -1.0], [-1.0, 1.0], [0.0, 0.0])
    )
    chance = playthrough(str(ROOT / "examples" / "kuhn_poker.py"), 1)
    assert "to move: chance\nlegal: 0 (J), 1 (Q), 2 (K)\nplays: " in chance
