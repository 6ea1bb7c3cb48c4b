"""Runs the test suite against a core built with AddressSanitizer and UndefinedBehaviorSanitizer: `make test-slow`.

The sanitised module is built into build/sanitized and put into a copy of the package there. The interpreter of the
virtual environment would import the editable install instead (its import hook is in site-packages), so the tests run
under the interpreter behind it, with the copy and then site-packages on PYTHONPATH, where no hook is read.

Leaks are not looked for: Python keeps objects until it exits, by design, and a leak of ours shows in the memory test of
test_python_games.py. Tests are left out that make no sense here: those that measure memory, that build the package or
a part of it themselves, that start Python in a bare environment, and those of OpenSpiel, which crash it on purpose in a
process with little memory; and those of outside programs, which crash on purpose or are timed.
Arguments are passed on to pytest: `tests/sanitized.py -k perft`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "sanitized"
PACKAGE = BUILD / "package"
SITE = next(path for path in map(Path, sys.path) if path.name == "site-packages")
PYTHON = Path(os.path.realpath(sys.executable))  # not the virtual environment's link to it

REPORT = BUILD / "report"  # AddressSanitizer writes to report.<process>: a test may swallow what its processes print
LEFT_OUT_FILES = [
    f"tests/test_{name}.py" for name in ("packaging", "new_game", "cpp", "docs", "openspiel", "engines", "protocols")
]
LEFT_OUT_TESTS = ["memory_does_not_grow", "one_record_at_a_time", "cannot_show_discs", "openspiel", "test_thu"]
SANITIZERS = {
    "ASAN_OPTIONS": f"detect_leaks=0:exitcode=99:detect_stack_use_after_return=1:log_path={REPORT}",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
}


def run(*command: str | Path, **environment: str) -> int:
    shown = [f"{key}={value}" for key, value in environment.items()]
    print("$", *shown, *command, flush=True)
    return subprocess.run(list(map(str, command)), cwd=ROOT, env={**os.environ, **environment}, check=False).returncode


def build() -> bool:
    """Configures and builds the module, and lays the package around it."""
    ninja = shutil.which("ninja") or str(Path(sys.executable).parent / "ninja")
    configured = run(
        shutil.which("cmake") or Path(sys.executable).parent / "cmake",
        *("-S", ROOT, "-B", BUILD, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"),
        *("-DSEVENFOLD_SANITIZE=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DPython_EXECUTABLE={sys.executable}"),
        "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS",  # bounds of std::array and std::vector, inside an object too
    )
    if configured != 0 or run(ninja, "-C", BUILD) != 0:
        return False
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(ROOT / "src", PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyi"))
    for module in BUILD.glob("_core*.so"):
        shutil.copy(module, PACKAGE / "sevenfold")
    return True


def runtime(library: str) -> str:
    """The sanitiser's own library: it must be loaded before everything else, as Python is not linked with it."""
    compiler = os.environ.get("CXX", "g++")
    found = subprocess.run([compiler, f"-print-file-name={library}"], capture_output=True, text=True, check=True)
    return os.path.realpath(found.stdout.strip())


def main() -> int:
    if not build():
        print("sanitized: the build failed.", file=sys.stderr)
        return 1
    environment = {
        **SANITIZERS,
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')}",
        "PYTHONPATH": f"{PACKAGE}{os.pathsep}{SITE}",
        "PYTHONMALLOC": "malloc",  # so that freed Python objects are seen too
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    look = "import sevenfold._core as core; print('module:', core.__file__); assert 'sanitized' in core.__file__"
    if run(PYTHON, "-c", look, **environment) != 0:
        print("sanitized: the sanitised module is not the one that Python imports.", file=sys.stderr)
        return 1
    for old in BUILD.glob("report.*"):
        old.unlink()
    ignored = [f"--ignore={path}" for path in LEFT_OUT_FILES]
    expression = " and ".join(f"not {name}" for name in LEFT_OUT_TESTS)
    code = run(
        *(PYTHON, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", "--capture=sys"),
        *("-m", "not slow", "-k", expression, *ignored),
        *("tests", PACKAGE / "sevenfold" / "games", *sys.argv[1:]),
        **environment,
    )
    # A process with little memory to use (OpenSpiel's games are tried in one) cannot start the sanitiser: no finding.
    reports = [
        path for path in sorted(BUILD.glob("report.*")) if "AddressSanitizer" in path.read_text(errors="replace")
    ]
    for report in reports:
        print(f"--- {report.relative_to(ROOT)}", report.read_text(errors="replace"), sep="\n")
    tests = "the tests passed" if code == 0 else f"the tests FAILED (exit code {code})"
    print(f"sanitized: {len(reports)} reports of AddressSanitizer; {tests}.")
    return 1 if reports else code


if __name__ == "__main__":
    sys.exit(main())
