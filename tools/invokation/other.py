"""The other engine as a process of its own, asked in JSON lines: lpsim_driver.py in an environment that has LPSim."""

import json
import subprocess
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("lpsim_driver.py")


class RefusedError(Exception):
    """The other engine did not take what it was told."""


class Other:
    """One process, one match at a time. `state` and `legal` are its last answer."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, "-E", str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.state: dict[str, Any] = {}
        self.legal: list[dict[str, Any]] = []

    def ask(self, **order: Any) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the other engine has stopped; is LPSim installed where --python points to?")
        answer = json.loads(line)
        if "error" in answer:
            raise RefusedError(answer["error"])
        self.state, self.legal = answer["state"], answer["legal"]

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()
