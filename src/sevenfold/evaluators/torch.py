"""Evaluation by torch: on a GPU, or for a net that is just being trained."""

import torch

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluation, check_batch, finished
from sevenfold.files import FilePath
from sevenfold.game import Game
from sevenfold.nets.checkpoint import load
from sevenfold.nets.description import Description
from sevenfold.nets.net import Net
from sevenfold.options import shown


def check_device(device: str, setting: str) -> None:
    """ValueError for a device that torch does not know, or that is not here."""
    try:
        kind, number = torch.device(device).type, torch.device(device).index or 0
    except RuntimeError:
        raise ValueError(f"{setting} must be cpu, cuda or cuda:NUMBER, not {shown(device)}.") from None
    if kind == "cuda" and number >= (there := torch.cuda.device_count()):
        words = f"are only {there} CUDA devices" if there else "is no CUDA device"
        raise ValueError(f"there {words} here; use {setting}=cpu.")


class TorchEvaluator:
    """A net on a device; the net stays the caller's, and is evaluated with the weights it has at that moment."""

    def __init__(self, net: Net, description: Description, device: str = "cpu", name: str = "in memory") -> None:
        check_device(device, "device")
        self.net, self.description, self.name, self.device = net.to(device), description, name, device

    @classmethod
    def of(cls, path: FilePath, game: Game, device: str = "cpu") -> "TorchEvaluator":
        """The net of a checkpoint."""
        net, description = load(path, game)
        return cls(net, description, device, str(path))

    def evaluate(self, batch: Batch) -> Evaluation:
        """Values per player, and logits of the actions."""
        check_batch(self.description, batch)
        given = {name: torch.from_numpy(array).to(self.device) for name, array in batch.inputs().items()}
        training = self.net.training
        self.net.eval()
        with torch.inference_mode():
            out = self.net(given.get("planes"), given.get("features"))
        self.net.train(training)
        raw, logits = out["value"].cpu().numpy(), out["policy"].cpu().numpy()
        return finished(self.name, self.description, batch, raw, logits)
