"""Keeps OpenSpiel's accidents away from this process: its crashes, and what its C++ writes to stderr."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator

from sevenfold.adapters.openspiel_names import Parameters, RefusedError, openspiel, typed, value_text

TRIAL_SECONDS = 30.0
TRIAL_MEMORY = 4 << 30
VERDICT = "verdict:"

_proved: set[str] = set()
_quiet_lock = threading.Lock()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Takes OpenSpiel's own account of each error off stderr: it reaches the user as an exception anyway.

    It is written by C++, so the file descriptor is turned away for the moment; all other lines are passed on after it.
    """
    with _quiet_lock, contextlib.ExitStack() as stack:
        try:
            kept = os.dup(2)
        except OSError:  # no stderr at all
            yield
            return
        stack.callback(os.close, kept)
        heard = stack.enter_context(tempfile.TemporaryFile())
        os.dup2(heard.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            heard.seek(0)
            text = heard.read().decode(errors="replace")
            text = re.sub(r"OpenSpiel exception: .*?(\n\n|\Z)", "", text, flags=re.DOTALL)
            if text.strip():
                os.write(2, text.encode())


def prove(written: str, name: str, parameters: Parameters) -> None:
    """RefusedError where these parameters kill the process, hang or eat the memory.

    Many games do not check their parameters: connect_four(rows=0) and universal_poker(numPlayers=3) end in a
    segmentation fault. Nothing in this process can catch that, so another one goes first.
    """
    if written in _proved:
        return
    try:
        trial = subprocess.run(
            [sys.executable, "-m", "sevenfold.adapters.openspiel_trial"],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            input=json.dumps([written, name, parameters]).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TRIAL_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise RefusedError(f"{written} does not get through its first moves in {TRIAL_SECONDS:.0f} seconds.") from None
    except OSError:  # no interpreter to be found, as in a frozen program
        return
    if trial.returncode < 0:
        raise RefusedError(f"{written} crashes OpenSpiel (signal {-trial.returncode}); try other parameters.")
    if VERDICT.encode() not in trial.stdout:
        raise RefusedError(f"{written} could not be tried out in a process of its own.")
    if sentence := trial.stdout.decode(errors="replace").rpartition(VERDICT)[2].strip():
        raise RefusedError(sentence)
    _proved.add(written)


def _trial(written: str, name: str, parameters: Parameters) -> str:
    """What the other process does; returns what is wrong."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (TRIAL_MEMORY, TRIAL_MEMORY))
    from sevenfold.adapters.openspiel import initial_position

    spiel = openspiel()
    try:
        typed(spiel, name, {key: value_text(value) for key, value in parameters.items()})  # enters the Python games
    except RefusedError:
        return ""  # a game that only the asking process has registered
    try:
        initial_position(spiel, written, name, parameters)
    except MemoryError:
        return f"{written} needs more than {TRIAL_MEMORY >> 30} GB of memory."
    except RefusedError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    print(VERDICT, _trial(*json.load(sys.stdin)))
