"""Proves the package as people get it: a quick import without heavy libraries, and a wheel and an sdist that play."""

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import sevenfold as sf

ROOT = Path(__file__).parent.parent
HEAVY = ("torch", "onnxruntime", "pyspiel", "gymnasium", "pettingzoo", "scipy", "pandas", "matplotlib", "ray", "jax")
MODEL = sorted(str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").glob("sevenfold/games/*/model/*"))
"""The trained nets of the rooms."""
PAGE = sorted(
    str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").glob("sevenfold/server/page/**/*") if path.is_file()
)
"""The page, where it is built."""
MEASURE = """
import sys, time
before = set(sys.modules)
start = time.process_time()  # of the processor: the clock on the wall would measure the machine's other work
import sevenfold
seconds = time.process_time() - start
print(seconds, ",".join(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def run(*command: str | Path, cwd: Path | None = None, text: str = "") -> str:
    """Runs a program to its end and returns what it printed; its errors are the test's message."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, input=text, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_importing_takes_less_than_a_quarter_of_a_second_and_loads_nothing_heavy() -> None:
    runs = [run(sys.executable, "-c", MEASURE).split() for _ in range(5)]
    modules = set(runs[0][1].split(","))
    assert "sevenfold" in modules
    assert not modules & set(HEAVY)
    assert min(float(seconds) for seconds, _ in runs) < 0.25


def test_playing_loads_nothing_heavy_either() -> None:
    script = (
        "import sys, sevenfold as sf\n"
        "game = sf.game('connect_four')\n"
        "player = sf.player('montecarlo:simulations=20', game)\n"
        "state = game.new()\n"
        "while not state.is_over: state.play(player.think(state).action)\n"
        "sf.Record.of(state).replay()\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = run(sys.executable, "-c", script)
    for name in HEAVY:
        assert f"'{name}'" not in loaded


def test_the_version_is_one_and_the_same() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sf.__version__ == project["version"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources elsewhere, so that building here does not disturb the build of the editable install."""
    copy = tmp_path_factory.mktemp("source") / "sevenfold"
    junk = (
        ".git",
        ".venv",
        "build",
        "dist",
        "__pycache__",
        ".*_cache",
        "*.so",
        "*.egg-info",
        "_core.pyi",
        ".hypothesis",
        "node_modules",
    )
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*junk))
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", out, source)
    return next(out.glob("sevenfold-*.whl"))


@pytest.fixture(scope="module")
def sdist(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "-o", out, source)
    return next(out.glob("sevenfold-*.tar.gz"))


def empty_environment(folder: Path, package: Path) -> Path:
    """A new virtual environment with nothing but the package and what it depends on; its folder of programs."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    run(programs / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", package)
    return programs


def check_that_it_plays(programs: Path, folder: Path) -> None:
    """Four in the first column, through the installed command, in an empty folder: nothing of the sources is near."""
    folder.mkdir()
    moves = "".join(f"{column}\n" for column in "abababa")
    arguments = ("play", "connect_four", "--against", "human", "--lang", "en", "--record", "games.jsonl")
    said = run(programs / "sevenfold", *arguments, cwd=folder, text=moves)
    assert "winner" in said
    (record,) = sf.read_records(folder / "games.jsonl")
    assert (record.actions, record.result) == ([0, 1, 0, 1, 0, 1, 0], [1.0, -1.0])
    where = run(programs / "python", "-c", "import sevenfold; print(sevenfold.__file__)", cwd=folder)
    assert Path(where.strip()).is_relative_to(programs.parent)
    script = "import sevenfold as sf; print(sf.check('tic_tac_toe').games, sf.perft(sf.game('connect_four').new(), 4))"
    assert run(programs / "python", "-c", script, cwd=folder).split() == ["20", "2401"]
    assert "connect_four" in run(programs / "sevenfold", "games", cwd=folder)
    assert sf.__version__ in run(programs / "sevenfold", "--version", cwd=folder)


@pytest.mark.slow
def test_the_wheel_holds_the_package_with_its_types_and_no_junk(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = next(archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
        assert "License-Expression: Apache-2.0" in metadata
        scripts = next(archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
        assert "sevenfold" in scripts
    assert {"sevenfold/__init__.py", "sevenfold/_core.pyi", "sevenfold/py.typed"} <= set(names)
    assert sum(name.startswith("sevenfold/_core.") and name.endswith(".so") for name in names) == 1
    assert {"sevenfold/games/connect_four/__init__.py", "sevenfold/games/tic_tac_toe/__init__.py"} <= set(names)
    assert {Path(name).suffix for name in MODEL} == {".onnx", ".json", ".safetensors", ".md"}
    assert {*MODEL, "sevenfold/games/connect_four/positions/L1_R3.txt"} <= set(names)
    assert set(PAGE) <= set(names)
    assert any(name.endswith("LICENSE") for name in names)
    for name in names:
        path = Path(name)
        assert not path.name.startswith("test_"), name
        assert ".test." not in path.name, name
        assert path.name != "board.css", name
        assert path.parts[0] in ("sevenfold", f"sevenfold-{sf.__version__}.dist-info"), name
        assert path.suffix not in (".o", ".a", ".ninja", ".pyc", ".cmake", ".ts"), name
        assert not {"build", "CMakeFiles", "__pycache__", "lib", "nanobind"} & set(path.parts), name
    assert wheel.stat().st_size < 8 << 20  # the nets are a few megabytes


@pytest.mark.slow
def test_the_wheel_plays_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    check_that_it_plays(empty_environment(tmp_path / "venv", wheel), tmp_path / "empty")


@pytest.mark.slow
def test_the_sdist_builds_and_plays_in_an_empty_environment(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {"pyproject.toml", "CMakeLists.txt", "LICENSE", "cpp/game/rules.h", "src/sevenfold/__init__.py"} <= set(
        names
    )
    assert {f"src/{name}" for name in [*MODEL, *PAGE]} <= set(names)
    assert not any(name.startswith(("build/", ".git/", ".venv/", ".ci/")) for name in names)
    assert not any(name.endswith((".so", ".o", ".pyc")) for name in names)
    check_that_it_plays(empty_environment(tmp_path / "venv", sdist), tmp_path / "empty")
