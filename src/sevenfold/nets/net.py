"""A net of any family, and how one is built. Needs torch."""

import torch
from torch import Tensor, nn

from sevenfold.nets.architecture import Architecture, Shape


class Net(nn.Module):
    """A net for one shape of game.

    Called with planes [N, C, H, W] and features [N, F], those that the game has, it gives "value" [N, 1], [N, players]
    or [N, 3], "policy" [N, actions], and the auxiliary heads' by their names.
    """

    architecture: Architecture
    shape: Shape

    def forward(self, planes: Tensor | None, features: Tensor | None = None) -> dict[str, Tensor]:
        """The family's own."""
        raise NotImplementedError

    def valued(self, raw: Tensor) -> Tensor:
        """What the last layer of the value head gives, as a value: between -1 and 1, or any number where it is linear;
        without its mean where the game's returns are known to add up to nothing."""
        a = self.architecture
        if a.value == "wdl":
            return raw
        out = raw if a.value_linear else torch.tanh(raw)
        return out - out.mean(1, keepdim=True) if a.balanced else out

    @property
    def parameter_count(self) -> int:
        """How many numbers are learned."""
        return sum(parameter.numel() for parameter in self.parameters())


def build(architecture: Architecture, shape: Shape) -> Net:
    """A new net with random weights (torch's generator decides them)."""
    if architecture.family == "rows":
        from sevenfold.nets.rows import RowNet

        return RowNet(architecture, shape)
    from sevenfold.nets.resnet import ResidualNet

    return ResidualNet(architecture, shape)
