"""The heads of a net: policy, value and auxiliary ones, on what the tower gives and on the context (the features)."""

import torch
from torch import Tensor, nn

from sevenfold.nets.architecture import Architecture, Shape


class Pool(nn.Module):
    """The whole board in three numbers per channel: mean, mean scaled by the size of the board, maximum (KataGo).

    A mean alone cannot say how many, since boards differ in size.
    """

    TIMES = 3

    def forward(self, x: Tensor) -> Tensor:
        """[N, C, H, W] to [N, 3C]."""
        # Summed from a tensor, not taken from the shape, so that an exported net works on boards of every size.
        side = torch.ones_like(x[:, :1]).sum((2, 3)).sqrt()
        mean = x.mean((2, 3))
        return torch.cat([mean, mean * (side - 10) / 10, x.amax((2, 3))], 1)


def pointwise(inputs: int, outputs: int, architecture: Architecture) -> nn.Sequential:
    """A head's 1×1 convolution."""
    if not architecture.head_norm:
        return nn.Sequential(nn.Conv2d(inputs, outputs, 1))
    return nn.Sequential(nn.Conv2d(inputs, outputs, 1, bias=architecture.conv_bias), nn.BatchNorm2d(outputs))


class DenseHead(nn.Module):
    """1×1 convolution, flattened or pooled, beside the context; then dense layers. Without planes, dense only."""

    def __init__(
        self, architecture: Architecture, shape: Shape, context: int, channels: int, hidden: int, outputs: int
    ) -> None:
        super().__init__()
        a = architecture
        self.conv: nn.Module | None = None
        self.flat: nn.Module = nn.Flatten()
        inputs = a.channels
        if any(shape.planes):
            self.conv = nn.Sequential(pointwise(a.channels, channels, a), nn.ReLU())
            inputs = channels * (Pool.TIMES if a.pooling else shape.cells) + context
            if a.pooling:
                self.flat = Pool()
        layers: list[nn.Module] = []
        if hidden:
            layers += [nn.Linear(inputs, hidden), nn.ReLU()] + ([nn.Dropout(a.dropout)] if a.dropout else [])
        self.dense = nn.Sequential(*layers, nn.Linear(hidden or inputs, outputs))

    def forward(self, x: Tensor, context: Tensor | None) -> Tensor:
        """[N, C, H, W] (or [N, C]) and the context [N, F] to [N, outputs]."""
        if self.conv is not None:
            x = self.flat(self.conv(x))
        if context is not None:
            x = torch.cat([x, context], 1)
        out: Tensor = self.dense(x)
        return out


class BoardHead(nn.Module):
    """A policy of cells or columns: convolutions all the way, with what the whole board and the context say added."""

    def __init__(self, architecture: Architecture, shape: Shape, context: int) -> None:
        super().__init__()
        a = architecture
        if not any(shape.planes):
            raise ValueError(f"a policy head of {a.policy} needs planes, and this game has none.")
        self.columns = a.policy == "columns"
        self.layers, passes = layers_of(a.policy, shape)
        around = context + (Pool.TIMES * a.channels if a.pooling or passes else 0)
        self.conv = pointwise(a.channels, a.policy_channels, a)
        self.pool = Pool() if a.pooling or passes else None
        self.around = nn.Linear(around, a.policy_channels, bias=False) if around else None
        self.out = nn.Conv2d(a.policy_channels * (2 if self.columns else 1), self.layers, 1)
        self.passes = nn.Linear(around, 1) if passes else None

    def forward(self, x: Tensor, context: Tensor | None) -> Tensor:
        """[N, C, H, W] and the context [N, F] to [N, actions]."""
        seen = [] if self.pool is None else [self.pool(x)]
        if context is not None:
            seen.append(context)
        x = self.conv(x)
        if self.around is not None:
            x = x + self.around(torch.cat(seen, 1))[:, :, None, None]
        x = torch.relu(x)
        if self.columns:
            x = torch.cat([x.mean(2, keepdim=True), x.amax(2, keepdim=True)], 1)
        logits: Tensor = self.out(x).flatten(1)
        return logits if self.passes is None else torch.cat([logits, self.passes(torch.cat(seen, 1))], 1)


def layers_of(policy: str, shape: Shape) -> tuple[int, int]:
    """How many actions each cell or column has, and how many there are besides (0 or 1, a pass)."""
    places = shape.planes[2] if policy == "columns" else shape.cells
    layers, passes = divmod(shape.actions, places)
    if not layers or passes > 1:
        raise ValueError(
            f"a policy head of {policy} needs {places} actions, a multiple of that, or one more for a pass, "
            f"not {shape.actions}."
        )
    return layers, passes
