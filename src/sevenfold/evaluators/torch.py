"""Evaluation by torch: on a GPU, or for a net that is just being trained."""

import torch

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluation, check_batch, finished
from sevenfold.files import FilePath
from sevenfold.game import Game
from sevenfold.nets.checkpoint import load
from sevenfold.nets.description import Description
from sevenfold.nets.resnet import Net


class TorchEvaluator:
    """A net on a device; the net stays the caller's, and is evaluated with the weights it has at that moment."""

    def __init__(self, net: Net, description: Description, device: str = "cpu", name: str = "in memory") -> None:
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise ValueError("there is no CUDA device here; use device=cpu.")
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
