"""What several test files use: the command line in this process, in English whatever the machine speaks."""

import json
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from sevenfold import cli, lang

pytest_plugins = ["browser"]

# Shells have their background jobs ignore Ctrl-C, and whatever a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    yield
    lang.use("en")


class Answer:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*argv: str) -> Answer:
        capsys.readouterr()
        code = cli.run(list(argv))
        return Answer(code, *capsys.readouterr())

    return run
