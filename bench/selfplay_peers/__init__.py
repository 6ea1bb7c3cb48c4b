"""Self-play by others, with the same net (64×5, connect_four) and as many simulations: what ours is compared with.

    make bench-peers            both, as lines of JSON

Each peer is a script that prints one line of JSON. Seconds are of the processor, after warming up and compiling.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ENVIRONMENT = ROOT / ".venv-peers"
REQUIREMENTS = HERE / "requirements.txt"
PEERS = {"mctx_pgx": True, "openspiel_torch": False}
"""The scripts, and whether they need an environment of their own, so that JAX stays out of .venv."""
MINUTES = 10


def measure(name: str) -> dict[str, Any]:
    """Runs a peer on one core and returns what it measured.

    `evaluations_per_second`, `moves_per_second`, `evaluations`, `cpu_seconds`, `batch`, `simulations`, `versions`, and
    `games_per_second` where whole games are played.
    """
    if name not in PEERS:
        raise ValueError(f"there is no peer {name!r}; there are: {', '.join(PEERS)}.")
    python = peers_python() if PEERS[name] else Path(sys.executable)
    command = [str(python), str(HERE / f"{name}.py")]
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=60 * MINUTES,
        env=environment,
        preexec_fn=_pin,
    )
    if done.returncode:
        raise RuntimeError(f"the peer {name} failed: {done.stderr.strip().splitlines()[-1:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def peers_python() -> Path:
    """The interpreter of the peers' environment, which is made when it is missing or its requirements have changed."""
    python, installed = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if not installed.exists() or installed.read_text() != wanted:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q", "-r", str(REQUIREMENTS)]
        subprocess.run(install, check=True)
        installed.write_text(wanted)
    return python


def _pin() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
