"""A net that begins with another's weights: layers of the same name and the same shape are taken over, the rest stays
as it is. So a trained tower serves a net with other heads, another number of blocks, another board or another game.

A normalisation goes with the layer before it: its means are of what that layer gives.
"""

from dataclasses import dataclass

from torch import nn

from sevenfold.nets.net import Net

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
        (taken if fits else fresh).append(name)
        before = fits
    return Taken(tuple(taken), tuple(fresh))


def _weights(layer: nn.Module) -> bool:
    return next(layer.children(), None) is None and bool(layer.state_dict())


def _shapes(layer: nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(one.shape) for name, one in layer.state_dict().items()}
