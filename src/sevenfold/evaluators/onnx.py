"""Evaluation by ONNX Runtime: the fastest on a CPU, and all that playing with a net needs.

One thread by default: searches run side by side in processes or pools, and threads of one evaluation would fight them.
"""

from pathlib import Path
from typing import Any

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluation, check_batch, finished
from sevenfold.files import FilePath
from sevenfold.game import Game
from sevenfold.nets.description import KEY, Description


class OnnxEvaluator:
    """The net of an .onnx file, which names its game and refuses others."""

    def __init__(self, path: FilePath, game: Game, threads: int = 1) -> None:
        self.name = Path(path).name
        self._session = session(path, threads)
        text = self._session.get_modelmeta().custom_metadata_map.get(KEY)
        self.description = described(path, text, game)

    def evaluate(self, batch: Batch) -> Evaluation:
        """Values per player, and logits of the actions."""
        check_batch(self.description, batch)
        try:
            raw, logits = self._session.run(["value", "policy"], batch.inputs())
        except Exception:  # ONNX Runtime's own: inputs or outputs of other names or sizes
            raise ValueError(f"the net {self.name} is not what it describes, and cannot be run.") from None
        return finished(self.name, self.description, batch, raw, logits)


def described(path: FilePath, text: str | None, game: Game) -> Description:
    """The description in a file, for this game; ValueError where there is none, or it is for another."""
    if text is None:
        raise ValueError(f"{path} does not say which game it is for; write it with sevenfold's export.")
    try:
        return Description.from_text(text).check(game)
    except ValueError as error:
        raise ValueError(f"the net {path} cannot be used: {error}") from None


def session(path: FilePath, threads: int = 1, optimised: FilePath | None = None) -> Any:
    """ONNX Runtime's session of a file, on the CPU.

    Its own settings are the fastest (measured: every optimisation of the graph, the arena, prepacked weights). With
    `optimised`, the graph is written there, normalisations folded into layers, and nothing that only this CPU knows.
    """
    try:
        import onnxruntime
    except ImportError:
        raise ImportError("playing with a net needs ONNX Runtime: pip install 'sevenfold[nets]'.") from None
    if not Path(path).is_file():
        raise ValueError(f"there is no net {path}.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the core to others
    options.log_severity_level = 3  # errors; the rest is for the authors of exporters
    if optimised is not None:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(optimised)
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:  # its own kinds of error for each way in which a file can be none of its own
        raise ValueError(f"{path} is damaged, cut short, or no ONNX file.") from None
