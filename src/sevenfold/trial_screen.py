"""What `sevenfold train --dry-run` prints: the findings as they come, and whether the run can begin.

The findings are English, like the sentences of errors: they are the Python package's as well.
"""

from contextlib import AbstractContextManager
from shlex import quote
from typing import Any

from rich.text import Text

from sevenfold.cli.base import for_programs
from sevenfold.lang import t
from sevenfold.screen import console
from sevenfold.train.trial import Trial

STYLE = {"ok": "green", "note": "yellow", "problem": "bold red"}
SIGN = {"ok": "ok", "note": " !", "problem": "XX"}


class Running:
    """Prints findings when there are new ones; the step that is being tried on stderr, where that is a terminal."""

    def __init__(self) -> None:
        self._shown = 0
        self._err = console(stderr=True)
        self._status: AbstractContextManager[Any] | None = None

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._status:
            self._status.__exit__(None, None, None)
            self._status = None

    def __call__(self, trial: Trial, step: str) -> None:
        """Something was found, or a step begins."""
        new, self._shown = trial.findings[self._shown :], len(trial.findings)
        if new:
            self._stop()
        for finding in new if not for_programs() else []:
            out = console()
            sign = (SIGN[finding.mark], STYLE[finding.mark])
            out.print(Text.assemble(sign, f"  {finding.about:<11}", finding.text), soft_wrap=True)
        if self._err.is_terminal and not self._err.is_dumb_terminal and not self._status:
            self._status = self._err.status(t("trying: {step} …", step=step))
            self._status.__enter__()


def show_end(trial: Trial) -> None:
    """The verdict."""
    out = console()
    out.print()
    if trial.ok:
        words = t("Everything works, after {seconds:.0f} seconds. Begin: {command}", seconds=trial.seconds,
                  command=f"sevenfold train {quote(trial.rules.spec)} …")  # fmt: skip
        out.print(Text(words), soft_wrap=True)
    else:
        out.print(
            Text(t("It cannot be trained like this; what has an XX above says why."), style="bold"), soft_wrap=True
        )
