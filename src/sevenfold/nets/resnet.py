"""The net: a first layer, a tower of residual blocks, and heads (He et al. 2016; Silver et al. 2017).

Each block is conv 3×3, normalise, ReLU, conv 3×3, normalise, add the input, ReLU. Games without planes get the same
tower of dense layers; `separate` gives policy and value a tower each (Silver et al. 2016). The net gives logits: the
softmax over the legal actions is the caller's.
"""

import torch
from torch import Tensor, nn

from sevenfold.nets.architecture import Architecture, Shape
from sevenfold.nets.heads import BoardHead, DenseHead, Pool
from sevenfold.nets.net import Net


def layer(inputs: int, outputs: int, flat: bool, bias: bool) -> nn.Sequential:
    """A convolution 3×3, or a dense layer, and its normalisation."""
    if flat:
        return nn.Sequential(nn.Linear(inputs, outputs, bias=bias), nn.BatchNorm1d(outputs))
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=bias), nn.BatchNorm2d(outputs))


class Block(nn.Module):
    """A residual block; with pooling, the whole board's means and maxima are added in its middle."""

    def __init__(self, channels: int, flat: bool, bias: bool, pooling: bool) -> None:
        super().__init__()
        self.first = layer(channels, channels, flat, bias)
        self.second = layer(channels, channels, flat, bias)
        self.pool = Pool() if pooling else None
        self.around = nn.Linear(Pool.TIMES * channels, channels, bias=False) if pooling else None

    def forward(self, x: Tensor) -> Tensor:
        """The same shape out as in."""
        inside = torch.relu(self.first(x))
        if self.pool is not None and self.around is not None:
            inside = inside + self.around(self.pool(inside))[:, :, None, None]
        return torch.relu(x + self.second(inside))


class Trunk(nn.Module):
    """What is below the heads: the first layer, the tower, and what the heads hear of the features."""

    def __init__(self, architecture: Architecture, shape: Shape) -> None:
        super().__init__()
        self.architecture, self.shape = a, s = architecture, shape
        flat = not any(s.planes)
        at_heads = bool(s.features) and not flat and a.fusion == "heads"
        at_stem = bool(s.features) and not flat and a.fusion == "stem"
        self.context_size = (a.fusion_hidden or s.features) if at_heads else 0
        self.stem = layer(s.features if flat else s.planes[0], a.channels, flat, a.conv_bias)
        self.join = nn.Linear(s.features, a.channels, bias=False) if at_stem else None
        self.context: nn.Module | None = nn.Identity() if at_heads else None
        if at_heads and a.fusion_hidden:
            self.context = nn.Sequential(nn.Linear(s.features, a.fusion_hidden), nn.ReLU())
        pooled = a.pooling and not flat
        self.tower = nn.Sequential(
            *(Block(a.channels, flat, a.conv_bias, pooled and i % 2 == 1) for i in range(a.blocks))
        )

    def seen(self, planes: Tensor | None, features: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """What the heads get: the tower's output and the context."""
        x: Tensor = self.stem(planes if any(self.shape.planes) else features)
        if self.join is not None:
            x = x + self.join(features)[:, :, None, None]
        return self.tower(torch.relu(x)), None if self.context is None else self.context(features)


class ResidualNet(Trunk, Net):
    """A net for one shape of game; with pooling, for every size of its board."""

    def __init__(self, architecture: Architecture, shape: Shape) -> None:
        super().__init__(architecture, shape)
        a, s, context = self.architecture, self.shape, self.context_size
        self.policy: nn.Module = (
            DenseHead(a, s, context, a.policy_channels, a.policy_hidden, s.actions)
            if a.policy == "dense"
            else BoardHead(a, s, context)
        )
        self.value = DenseHead(a, s, context, a.value_channels, a.value_hidden, a.value_size(s))
        self.auxiliary = nn.ModuleDict(
            {name: DenseHead(a, s, context, a.value_channels, a.value_hidden, n) for name, n in a.auxiliary.items()}
        )
        self.judge = Trunk(a, s) if a.separate else None
        """The value's own, where policy and value are separate."""

    def forward(self, planes: Tensor | None, features: Tensor | None = None) -> dict[str, Tensor]:
        """See Net."""
        x, context = self.seen(planes, features)
        policy = self.policy(x, context)
        if self.judge is not None:
            x, context = self.judge.seen(planes, features)
        out = {"value": self.valued(self.value(x, context)), "policy": policy}
        return out | {name: head(x, context) for name, head in self.auxiliary.items()}
