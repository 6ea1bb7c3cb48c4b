"""Finding nets: the ones that rooms ship, a run's, a file's.

A room keeps its trained nets in `model/`: NAME.json (what `nets.save` writes, with `default_precision` where it is not
fp32), NAME.onnx, perhaps NAME.int8.onnx and NAME.safetensors, and NAME.card.md. Nothing here imports torch or ONNX
Runtime.
"""

import importlib.util
import json
from pathlib import Path
from typing import Any

from sevenfold import _core
from sevenfold.evaluators.evaluator import Evaluator
from sevenfold.game import Game
from sevenfold.nets.description import Description
from sevenfold.options import shown

INT8 = ".int8.onnx"
SHIPPED = "shipped"
"""The name of the net in the game's room that is for these options."""
CACHED_NUMBERS = 50_000_000
"""The most that a cache of evaluations holds: 200 megabytes, whatever the number of a game's actions."""


def model_folder(game: Game) -> Path | None:
    """Where a game's room keeps its nets; None where there are none."""
    file = getattr(game.room, "__file__", None)
    folder = Path(file).parent / "model" if isinstance(file, str) else None
    return folder if folder is not None and folder.is_dir() else None


def shipped(game: Game) -> Path | None:
    """The .onnx of the net in the game's room that is for the game with these options; or None.

    One that was trained for these options alone comes before one that knows many boards; then the first by name.
    """
    folder = model_folder(game)
    fitting: list[tuple[int, Path]] = []
    for path in sorted(folder.glob("*.json")) if folder else []:
        try:
            about = Description.from_json(_json(path)).check(game)
        except ValueError:
            continue
        if (net := path.with_suffix(".onnx")).is_file():
            fitting.append((len(about.varied), net))
    return min(fitting)[1] if fitting else None


def playable(game: Game) -> bool:
    """Whether a net ships for this game and what evaluates it is installed."""
    return importlib.util.find_spec("onnxruntime") is not None and shipped(game) is not None


def find(net: str, game: Game) -> Path:
    """The file of a net: the shipped one for `shipped` or nothing, a file, the net of a run's folder, or one of the
    room."""
    if net in ("", SHIPPED):
        found = shipped(game)
        if found is None:
            raise ValueError(
                f"there is no trained net for {game.spec}; train one with `sevenfold train`, or give net=PATH."
            )
        return found
    path = Path(net)
    if path.is_dir():
        return of_run(path)
    if path.is_file():
        if path.suffix not in (".onnx", ".safetensors"):
            raise ValueError(f"{path} is no net: nets are .onnx and .safetensors files.")
        return path
    folder = model_folder(game)
    if folder and path.name == net and (folder / f"{net}.onnx").is_file():
        return folder / f"{net}.onnx"
    raise ValueError(f"there is no net {shown(net)}: no file, no folder of a run, and no model of {game.name}.")


def refuse_others(path: Path, game: Game) -> None:
    """ValueError where the description beside a net says that it is for another game, or other options of it."""
    beside_it = path.with_name(path.name.removesuffix(INT8).removesuffix(path.suffix) + ".json")
    if path.name == "net.onnx" and not beside_it.is_file():
        beside_it = path.with_name("mean.json")
    try:
        about = Description.from_json(_json(beside_it))
    except ValueError:
        return  # there is none, or only hints how to play with it: its own header is looked at when it is loaded
    try:
        about.check(game)
    except ValueError as error:
        raise ValueError(f"the net {path} cannot be used: {error}") from None


def of_run(folder: Path) -> Path:
    """The net of a run's folder: what the run itself takes for its best; in any other folder the only or newest one."""
    if (folder / "config.json").is_file():
        from sevenfold.train.run import Run  # here, because training is built on players and not they on it

        return Run(folder).net()
    nets = [path for path in folder.glob("*.onnx") if not path.name.endswith(INT8)]
    if not nets:
        raise ValueError(f"the folder {folder} holds no net.")
    return max(nets, key=lambda path: (path.stat().st_mtime_ns, path.name))


def with_precision(path: Path, precision: str) -> Path:
    """The file of a net in a precision; auto: as the description beside it says."""
    if path.name.endswith(INT8):
        return path
    small = path.with_name(path.stem + INT8)
    wanted = precision == "int8" or (precision == "auto" and default_precision(path) == "int8" and small.is_file())
    if wanted and not small.is_file():
        raise ValueError(f"there is no {small.name} beside {path.name}; leave out precision=int8.")
    return small if wanted else path


def default_precision(path: Path) -> str:
    """What the JSON beside a net says it is best played with."""
    try:
        return str(_json(path.with_suffix(".json")).get("default_precision", "fp32"))
    except ValueError:
        return "fp32"


def default_rollouts(path: Path) -> tuple[float, int]:
    """The share of rollouts in a value that the JSON beside a net recommends, and how many they are."""
    try:
        about = _json(path.with_name(path.name.removesuffix(INT8).removesuffix(path.suffix) + ".json"))
        share, count = float(about.get("rollouts", 0)), int(about.get("rollout_count", 1))
    except (TypeError, ValueError):
        return 0.0, 1
    return (share, count) if 0 <= share <= 1 and 1 <= count <= 10_000 else (0.0, 1)


def default_expand_at(path: Path) -> int:
    """The visits after which the JSON beside a net recommends to ask it; 0: at the first one."""
    try:
        about = _json(path.with_name(path.name.removesuffix(INT8).removesuffix(path.suffix) + ".json"))
        visits = int(about.get("expand_at", 0))
    except (TypeError, ValueError):
        return 0
    return visits if 0 <= visits <= 1_000_000 else 0


def default_belief(path: Path, usual: dict[str, Any]) -> dict[str, Any]:
    """How the JSON beside a net recommends to search with it under hidden information: some of the `usual` settings, of
    the same types."""
    try:
        about = _json(path.with_name(path.name.removesuffix(INT8).removesuffix(path.suffix) + ".json"))
        given = dict(about.get("belief", {}))
    except (TypeError, ValueError):
        return {}
    fine = {name: value for name, value in given.items() if name in usual and _like(value, usual[name])}
    return {name: type(usual[name])(value) for name, value in fine.items()}


def _like(value: object, usual: object) -> bool:
    number = isinstance(usual, float) and isinstance(value, int | float) and not isinstance(value, bool)
    return number or type(value) is type(usual)


def evaluator(kind: str, net: str, precision: str, game: Game, cache: int = 0, device: str = "cpu") -> Evaluator:
    """What evaluates a game's positions. Each kind is imported when it is asked for: playing never loads torch."""
    made = _evaluator(kind, net, precision, game, device)
    if cache == 0:
        return made
    from sevenfold.evaluators.cached import CachedEvaluator

    return CachedEvaluator(made, max(1, min(cache, CACHED_NUMBERS // (game.actions + game.players))))


def _evaluator(kind: str, net: str, precision: str, game: Game, device: str) -> Evaluator:
    if kind == "uniform":
        from sevenfold.evaluators.uniform import UniformEvaluator

        return UniformEvaluator(game)
    path = find(net, game)
    if kind == "torch":
        from sevenfold.evaluators.torch import TorchEvaluator

        return TorchEvaluator.of(_weights_beside(path), game, device)
    path = with_precision(beside(path, ".onnx"), precision)
    if kind == "openvino":
        from sevenfold.evaluators.openvino import OpenVinoEvaluator

        openvino: Evaluator = OpenVinoEvaluator(path, game, 1)
        return openvino
    from sevenfold.evaluators.onnx import OnnxEvaluator

    return OnnxEvaluator(path, game)


def native(net: str, game: Game) -> _core.RowsNet | None:
    """A net as the core evaluates it itself (nets/native.py); None where it cannot, or its weights are not at hand."""
    from sevenfold.nets.native import can_be_native, read

    path = find(net, game)
    try:
        path = _weights_beside(path)
        about = Description.from_json(_json(path.with_suffix(".json"))).check(game)
    except ValueError:
        return None
    if not can_be_native(about.architecture, about.shape) or importlib.util.find_spec("safetensors") is None:
        return None
    return read(path, about)


def weights(net: str, game: Game) -> Path:
    """The .safetensors of a net, as `find` reads its name."""
    return _weights_beside(find(net, game))


def _weights_beside(path: Path) -> Path:
    mean = path.with_name("mean.safetensors")  # in a run's checkpoint: what net.onnx was made of
    return mean if path.suffix == ".onnx" and mean.is_file() else beside(path, ".safetensors")


def beside(path: Path, suffix: str) -> Path:
    """The same net in another form."""
    other = path.with_suffix(suffix) if not path.name.endswith(suffix) else path
    if not other.is_file():
        raise ValueError(f"there is no {other.name} beside {path.name}, and it is needed.")
    return other


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise ValueError(f"{path} is no description of a net.") from None
    if not isinstance(data, dict):
        raise ValueError(f"{path} is no description of a net.")
    return data
