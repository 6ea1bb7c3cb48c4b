"""Checkpoints: the weights as .safetensors, with the description and a checksum in its header, and as JSON beside it.

Loading takes the description from the header, so that weights and description cannot be of different moments; the JSON
beside it is for people and other programs. Nothing in a checkpoint is code.
"""

import hashlib
import json
from pathlib import Path

import safetensors
import safetensors.torch
import torch

from sevenfold.files import FilePath, whole_file
from sevenfold.game import Game
from sevenfold.nets.description import KEY, Description
from sevenfold.nets.net import Net, build

SUFFIX = ".safetensors"
Weights = dict[str, torch.Tensor]


def save(path: FilePath, net: Net, description: Description) -> None:
    """Writes a net and its description, in place of what was there; a reader sees the old or the new one, whole."""
    path = _named(path)
    if net.architecture != description.architecture:
        raise ValueError(f"{path.name} was not written: the net's architecture is not that of its description.")
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in net.state_dict().items()}
    metadata = {KEY: description.to_text(), "sha256": _checksum(weights)}
    with whole_file(path) as temporary:
        temporary.write_bytes(safetensors.torch.save(weights, metadata))
    with whole_file(path.with_suffix(".json")) as temporary:
        data = description.to_json() | {"sha256": metadata["sha256"], "parameters": net.parameter_count}
        temporary.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def load(path: FilePath, game: Game | None = None) -> tuple[Net, Description]:
    """The net of a file, ready to evaluate, and its description.

    With a game, that of another is refused; a net with pooling takes the shape of the game's board.
    """
    path = _named(path)
    try:
        weights, metadata = _read(path)
        description = Description.from_text(metadata.get(KEY, ""))
        if game is not None:
            description = description.check(game)
        net = _filled(weights, description)
        if _checksum(weights) != metadata.get("sha256"):
            raise ValueError("its weights are damaged.")
        return net, description
    except FileNotFoundError:
        raise ValueError(f"there is no net {path}.") from None
    except ValueError as error:
        raise ValueError(f"the net {path} cannot be loaded: {error}") from None


def _named(path: FilePath) -> Path:
    path = Path(path)
    if path.suffix != SUFFIX:
        raise ValueError(f"a checkpoint is a file *{SUFFIX}, not {path.name}.")
    return path


def _read(path: Path) -> tuple[Weights, dict[str, str]]:
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except FileNotFoundError:
        raise
    except Exception:  # safetensors' own error for what is cut short or another kind of file, the system's for the rest
        raise ValueError("it is damaged, cut short, or no checkpoint.") from None


def _filled(weights: Weights, description: Description) -> Net:
    with torch.device("meta"):  # no memory is taken for what a file only claims to hold
        net = build(description.architecture, description.shape)
    wanted = net.state_dict()
    if strangers := sorted(wanted.keys() ^ weights.keys()):
        raise ValueError(f"its weights are not those of its architecture: {strangers[0]} is in one of them only.")
    for name, tensor in weights.items():
        if (tensor.shape, tensor.dtype) != (wanted[name].shape, wanted[name].dtype):
            raise ValueError(f"its weights are not those of its architecture: {name} has another size or kind.")
    net.load_state_dict(weights, assign=True)
    return net.requires_grad_().eval()


def _checksum(weights: Weights) -> str:
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].numpy().tobytes())
    return digest.hexdigest()
