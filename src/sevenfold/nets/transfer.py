"""A net that begins with another's weights: layers of the same name and the same shape are taken over, the rest stays
as it is. So a trained tower serves a net with other heads, another number of blocks, another board or another game.

A normalisation goes with the layer before it: its means are of what that layer gives.

In the family of rows two more things begin as if they were not there, so that the net starts where the other one stood:
planes that were added after the others (their weights in the first layer are 0), and new blocks (what they add is 0).
"""

from dataclasses import dataclass

import torch
from torch import nn

from sevenfold.nets.net import Net
from sevenfold.nets.rows import RowNet

NORMS = (nn.BatchNorm1d, nn.BatchNorm2d)


@dataclass(frozen=True)
class Taken:
    """The layers of a net by name, in their order."""

    taken: tuple[str, ...]
    fresh: tuple[str, ...]


def take_over(net: Net, source: Net) -> Taken:
    """Gives a net the weights of another where they fit; says where."""
    theirs = dict(source.named_modules())
    taken: list[str] = []
    fresh: list[str] = []
    before = True
    for name, layer in net.named_modules():
        if not _weights(layer):
            continue
        fits = name in theirs and _shapes(layer) == _shapes(theirs[name]) and (before or not isinstance(layer, NORMS))
        if fits:
            layer.load_state_dict(theirs[name].state_dict())
        elif isinstance(net, RowNet) and isinstance(source, RowNet):
            fits = _quietly(net, source, name)
        (taken if fits else fresh).append(name)
        before = fits
    return Taken(tuple(taken), tuple(fresh))


def _quietly(net: RowNet, source: RowNet, name: str) -> bool:
    """The first layer with the weights of fewer planes, or the last layer of a new block; whether it was taken over."""
    layer, theirs = net.get_submodule(name), dict(source.named_modules()).get(name)
    with torch.no_grad():
        if name == "stem" and isinstance(theirs, nn.Linear) and isinstance(layer, nn.Linear):
            known = theirs.in_features
            if known >= layer.in_features or theirs.out_features != layer.out_features:
                return False
            layer.weight.zero_()
            layer.weight[:, :known] = theirs.weight
            layer.bias.copy_(theirs.bias)
            return True
        block, _, last = name.rpartition(".")
        if theirs is None and last == "second" and isinstance(layer, nn.Linear) and block.startswith("tower."):
            layer.weight.zero_()
            layer.bias.zero_()
    return False


def _weights(layer: nn.Module) -> bool:
    return next(layer.children(), None) is None and bool(layer.state_dict())


def _shapes(layer: nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(one.shape) for name, one in layer.state_dict().items()}
