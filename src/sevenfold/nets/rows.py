"""The family of nets for rows that are alike: the suits of a deck, lanes, piles. Needs torch.

The rows are those of the planes. Each goes through the same layers together with what all rows have in common:

    x_r = relu(A plane_r + B features)                         the first layer, of one row
    x_r = relu(x_r + D relu(C x_r + P [mean x, max x]))        a block: a row, and the mean and maximum over the rows
    policy_r = E x_r                                           as many logits as the row has cells
    value = V relu(H [mean x, max x])

No layer knows which row is which, so that exchanging rows exchanges the policy's rows and leaves the value alone,
exactly (Zaheer et al., Deep Sets, 2017). Actions are cells, row by row, maybe several layers of them, maybe a pass
after them. Auxiliary heads whose size is a multiple of the cells are made row by row too. There is no normalisation:
with one, a net that plays and one that learns are two nets.
"""

import math

import torch
from torch import Tensor, nn

from sevenfold.nets.architecture import Architecture, Shape
from sevenfold.nets.heads import layers_of
from sevenfold.nets.net import Net


class Around(nn.Module):
    """The mean and the maximum over the rows, side by side."""

    TIMES = 2

    def forward(self, x: Tensor) -> Tensor:
        """[N, H, C] to [N, 2C]."""
        return torch.cat([x.mean(1), x.amax(1)], 1)


class RowBlock(nn.Module):
    """A residual block; its last layer begins small, so that a deep net begins as a shallow one."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Linear(channels, channels)
        self.around = nn.Linear(Around.TIMES * channels, channels, bias=False)
        self.second = nn.Linear(channels, channels)
        self.pool = Around()
        with torch.no_grad():
            self.second.weight.mul_(0.3)

    def forward(self, x: Tensor) -> Tensor:
        """[N, H, C], the same shape out as in."""
        inside = torch.relu(self.first(x) + self.around(self.pool(x))[:, None])
        return torch.relu(x + self.second(inside))


class CellHead(nn.Module):
    """Numbers for the cells, row by row: [N, layers × H × W], and after them, from all rows together, `more`."""

    def __init__(self, channels: int, width: int, layers: int, more: int = 0, start: float = 1.0) -> None:
        super().__init__()
        self.layers = layers
        self.out = nn.Linear(channels, layers * width)
        self.more = nn.Linear(Around.TIMES * channels, more) if more else None
        self.pool = Around()
        with torch.no_grad():
            self.out.weight.mul_(start)

    def forward(self, x: Tensor) -> Tensor:
        """[N, H, C] to [N, layers × H × W + more]."""
        cells: Tensor = self.out(x).unflatten(2, (self.layers, -1)).transpose(1, 2).flatten(1)
        return cells if self.more is None else torch.cat([cells, self.more(self.pool(x))], 1)


class WholeHead(nn.Module):
    """Numbers for all rows together."""

    def __init__(self, channels: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        if hidden:
            layers += [nn.Linear(Around.TIMES * channels, hidden), nn.ReLU()]
            layers += [nn.Dropout(dropout)] if dropout else []
        self.dense = nn.Sequential(*layers, nn.Linear(hidden or Around.TIMES * channels, outputs))
        self.pool = Around()

    def forward(self, x: Tensor) -> Tensor:
        """[N, H, C] to [N, outputs]."""
        out: Tensor = self.dense(self.pool(x))
        return out


class RowNet(Net):
    """A net for games whose planes have rows that are alike."""

    def __init__(self, architecture: Architecture, shape: Shape) -> None:
        super().__init__()
        self.architecture, self.shape = a, s = architecture, shape
        if not any(s.planes):
            raise ValueError("a net of the family rows needs planes, and this game has none.")
        depth, _, width = s.planes
        layers, passes = layers_of("cells", s)
        self.stem = nn.Linear(depth * width, a.channels)
        self.join = nn.Linear(s.features, a.channels, bias=False) if s.features else None
        self.tower = nn.Sequential(*(RowBlock(a.channels) for _ in range(a.blocks)))
        # Nearly the same for all actions at first: who has learnt nothing should try everything.
        self.policy = CellHead(a.channels, width, layers, passes, start=0.1)
        self.value = WholeHead(a.channels, a.value_hidden, a.value_size(s), a.dropout)
        self.auxiliary = nn.ModuleDict({name: self._side(size) for name, size in a.auxiliary.items()})
        with torch.no_grad():  # planes are mostly zeros: without this a first layer of many inputs hardly says anything
            self.stem.weight.mul_(math.sqrt(3.0))

    def _side(self, size: int) -> nn.Module:
        a, s = self.architecture, self.shape
        if size % s.cells == 0:
            return CellHead(a.channels, s.planes[2], size // s.cells)
        return WholeHead(a.channels, a.value_hidden, size, a.dropout)

    def forward(self, planes: Tensor | None, features: Tensor | None = None) -> dict[str, Tensor]:
        """See Net."""
        assert planes is not None
        x = self.stem(planes.transpose(1, 2).flatten(2))
        if self.join is not None:
            x = x + self.join(features)[:, None]
        x = self.tower(torch.relu(x))
        out = {"value": self.valued(self.value(x)), "policy": self.policy(x)}
        return out | {name: head(x) for name, head in self.auxiliary.items()}
