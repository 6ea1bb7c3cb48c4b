"""Networks: a residual family, and one for rows that are alike. An `Architecture` declares a net, which is built for
the `Shape` of a game.

`build`, `save`, `load` and `export_onnx` need torch, `export_int8` needs onnx; each is loaded at its first use. The
rest does without, so that a net can be played with where neither is installed.
"""

import importlib
from typing import TYPE_CHECKING, Any

from sevenfold.nets.architecture import Architecture, Shape
from sevenfold.nets.description import Description
from sevenfold.nets.presets import PRESETS, preset

if TYPE_CHECKING:
    from sevenfold.nets.checkpoint import load as load
    from sevenfold.nets.checkpoint import save as save
    from sevenfold.nets.export import export_onnx as export_onnx
    from sevenfold.nets.net import Net as Net
    from sevenfold.nets.net import build as build
    from sevenfold.nets.quantise import export_int8 as export_int8

__all__ = [
    "PRESETS",
    "Architecture",
    "Description",
    "Net",
    "Shape",
    "build",
    "export_int8",
    "export_onnx",
    "load",
    "preset",
    "save",
]

_LAZY = {
    "Net": "net",
    "build": "net",
    "save": "checkpoint",
    "load": "checkpoint",
    "export_onnx": "export",
    "export_int8": "quantise",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{_LAZY[name]}")
    except ModuleNotFoundError as error:
        raise ImportError(f"networks need {error.name}: pip install 'sevenfold[train]'.") from error
    return getattr(module, name)
