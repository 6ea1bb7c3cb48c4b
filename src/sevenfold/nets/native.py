"""Nets that the core evaluates itself: small ones of the family rows (cpp/eval/rows_net.h). Needs no torch."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sevenfold import _core
from sevenfold.nets.architecture import Architecture, Shape
from sevenfold.nets.description import Description

LANES, MOST_CHANNELS = 16, 128


def can_be_native(architecture: Architecture, shape: Shape) -> bool:
    """Whether the core can evaluate nets of this kind."""
    return (
        architecture.family == "rows"
        and architecture.channels % LANES == 0
        and architecture.channels <= MOST_CHANNELS
        and shape.actions == shape.planes[1] * shape.planes[2]
        and not architecture.dropout
    )


def read(path: Path, about: Description) -> _core.RowsNet:
    """The net of a .safetensors file."""
    import safetensors
    import safetensors.numpy

    try:
        return native(safetensors.numpy.load_file(path), about.architecture, about.shape)
    except (OSError, KeyError, ValueError, safetensors.SafetensorError):
        raise ValueError(f"the weights of {path} are damaged, or not those of the net beside them.") from None


def native(weights: Mapping[str, NDArray[np.float32]], architecture: Architecture, shape: Shape) -> _core.RowsNet:
    """The net with these weights, by the names of nets/rows.py."""
    names = ["stem.weight", "stem.bias", "join.weight"]
    for block in range(architecture.blocks):
        names += [f"tower.{block}.{part}" for part in ("first.weight", "first.bias", "around.weight")]
        names += [f"tower.{block}.{part}" for part in ("second.weight", "second.bias")]
    names += ["policy.out.weight", "policy.out.bias", "value.dense.0.weight", "value.dense.0.bias"]
    hidden = architecture.value_hidden
    if hidden:
        names += ["value.dense.2.weight", "value.dense.2.bias"]
    if not shape.features:
        names.remove("join.weight")
    flat = np.concatenate([np.ascontiguousarray(weights[name].T, np.float32).ravel() for name in names])
    values = architecture.value_size(shape)
    return _core.RowsNet(shape.planes, shape.features, architecture.channels, architecture.blocks, hidden, values, flat)
