"""The core's own C++ tests, compiled with the sanitisers on and run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLAGS = [
    "-std=c++20",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
]


@pytest.mark.parametrize("test", sorted((ROOT / "tests" / "cpp").glob("*.cpp")), ids=lambda path: path.stem)
def test_the_core_in_cpp(test: Path, tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    assert compiler, "a C++ compiler is needed"
    program = tmp_path / test.stem
    sources = [str(path) for path in sorted((ROOT / "cpp" / "game").glob("*.cpp"))]
    build = [compiler, *FLAGS, f"-I{ROOT / 'cpp'}", str(test), *sources, "-o", str(program)]
    subprocess.run(build, check=True)
    answer = subprocess.run([program], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "0 failed" in answer.stdout
