"""Proves that the browser tests' needs are installed only where that is permitted, and never stop `make test`."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "browser_setup.sh"
PROGRAMS = ("sh", "env", "grep")


def run(folder: Path, **stubs: str) -> subprocess.CompletedProcess[str]:
    """The script where only these programs exist: the stubs are lines of shell."""
    for program in PROGRAMS:
        (folder / program).symlink_to(f"/usr/bin/{program}")
    for name, line in stubs.items():
        stub = folder / name.replace("_", "-")
        stub.write_text(f"#!/bin/sh\n{line}\n")
        stub.chmod(0o755)
    return subprocess.run(["/bin/sh", SCRIPT], env={"PATH": str(folder)}, capture_output=True, text=True)


def test_nothing_is_done_where_everything_is_there(tmp_path: Path) -> None:
    done = run(tmp_path, chromium="", fc_list="echo a font", apt_get="exit 1", id="echo 0")
    assert (done.returncode, done.stdout) == (0, "")


def test_root_installs_what_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, fc_list="echo a font", apt_get=f'echo "$@" >> {tmp_path}/log', id="echo 0")
    assert (done.returncode, done.stdout) == (0, "installing for the browser tests: chromium\n")
    assert (tmp_path / "log").read_text().endswith("--no-install-recommends chromium\n")


@pytest.mark.parametrize("stubs", [{"sudo": "exit 1"}, {}], ids=["with a password", "without sudo"])
def test_others_are_told_in_one_line(tmp_path: Path, stubs: dict[str, str]) -> None:
    done = run(tmp_path, fc_list="", apt_get="echo never", id="echo 1000", **stubs)
    assert done.returncode == 0
    assert done.stdout == "missing for the browser tests, and not ours to install: chromium fonts-noto-cjk\n"


def test_an_installation_that_fails_stops_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, chromium="", fc_list="", apt_get="exit 100", id="echo 0")
    assert done.returncode == 0
    assert done.stdout.endswith("they could not be installed: fonts-noto-cjk\n")
