"""A run that starts from a net there is, in place of random weights: the run keeps a copy, start.safetensors, so that a
start that was killed is done again. Which layers fit, nets/transfer.py says; the optimiser begins afresh. Needs torch.
"""

from pathlib import Path
from typing import Any

from sevenfold import models, nets
from sevenfold.game import Game
from sevenfold.nets import Architecture, Net
from sevenfold.nets.transfer import take_over
from sevenfold.train.config import Config
from sevenfold.train.run import Run


def of_run(net: Net, run: Run, rules: Game, config: Config) -> dict[str, Any]:
    """The start of a run, from the copy that it keeps."""
    if not run.start.is_file():
        run.keep_start(models.weights(config.from_net, rules))
    try:
        return apply(net, run.start, config)
    except ValueError as error:
        raise ValueError(str(error).replace(str(run.start), config.from_net)) from None


def apply(net: Net, path: Path, config: Config) -> dict[str, Any]:
    """Gives a fresh net the weights of a file where they fit; what there is to say about it."""
    source, about = nets.load(path)
    found = take_over(net, source)
    if not any(name.startswith(("stem", "tower")) for name in found.taken):  # heads alone know nothing
        raise ValueError(
            f"nothing of the tower of the net {config.from_net} fits the net of this run; "
            f"it has {_difference(about.architecture, config.net)}."
        )
    told = {"iteration": 0, "net": config.from_net, "game": about.game, "version": about.version}
    return told | {"options": about.options, "taken": list(found.taken), "fresh": list(found.fresh)}


def sentence(told: dict[str, Any]) -> str:
    """What a start from a net was, for people."""
    taken, fresh = told["taken"], told["fresh"]
    words = f"started from {told['net']} ({told['game']}): {len(taken)} of {len(taken) + len(fresh)} layers taken over"
    return words + (f"; fresh are {', '.join(fresh)}." if fresh else ".")


def _difference(theirs: Architecture, ours: Architecture) -> str:
    """The settings in which they differ, as --set wants them."""
    its, mine = theirs.to_json(), ours.to_json()
    return ", ".join(f"net.{name}={its[name]}" for name in its if its[name] != mine[name]) or "other planes or features"
