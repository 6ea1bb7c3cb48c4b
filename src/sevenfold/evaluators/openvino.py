"""Evaluation by OpenVINO, from the same .onnx files: as fast as ONNX Runtime at batches of 64, faster at larger ones.

One thread by default, as in `onnx`.
"""

from pathlib import Path
from typing import Any

import numpy as np

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluation, check_batch, finished
from sevenfold.evaluators.onnx import described
from sevenfold.files import FilePath
from sevenfold.game import Game
from sevenfold.nets.description import KEY


class OpenVinoEvaluator:
    """The net of an .onnx file, fp32 or int8, which names its game and refuses others.

    With bf16 the fp32 layers are computed in 16 bits, which needs a CPU with AVX-512 BF16 or AMX to be faster; nothing
    has to be calibrated for it.
    """

    def __init__(self, path: FilePath, game: Game, threads: int = 1, *, bf16: bool = False) -> None:
        self.name = Path(path).name
        self._openvino = _openvino()
        model = self._read(path)
        text = str(model.get_rt_info(["framework", KEY]).astype(str)) if _has_description(model) else None
        self.description = described(path, text, game)
        settings = {
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "bf16" if bf16 else "f32",
            "ENABLE_CPU_PINNING": False,  # searches run side by side; where they run is not this evaluator's business
        }
        self._request = self._openvino.Core().compile_model(model, "CPU", settings).create_infer_request()

    def evaluate(self, batch: Batch) -> Evaluation:
        """Values per player, and logits of the actions."""
        check_batch(self.description, batch)
        request = self._request
        try:
            for name, array in batch.inputs().items():
                request.set_tensor(name, self._openvino.Tensor(np.ascontiguousarray(array), shared_memory=True))
            request.infer()
            # Copies: the request writes its next answer to the same place.
            raw, logits = request.get_tensor("value").data.copy(), request.get_tensor("policy").data.copy()
        except RuntimeError:  # inputs or outputs of other names or sizes
            raise ValueError(f"the net {self.name} is not what it describes, and cannot be run.") from None
        return finished(self.name, self.description, batch, raw, logits)

    def _read(self, path: FilePath) -> Any:
        if not Path(path).is_file():
            raise ValueError(f"there is no net {path}.")
        # Its reader of ONNX alone: the others would be tried too, and complain on stderr about a damaged file.
        reader = self._openvino.frontend.FrontEndManager().load_by_framework("onnx")
        try:
            return reader.convert(reader.load(str(path)))
        except Exception:  # its own kinds of error for each way in which a file can be none of its own
            raise ValueError(f"{path} is damaged, cut short, or no ONNX file.") from None


def _has_description(model: Any) -> bool:
    return bool(model.has_rt_info(["framework", KEY]))


def _openvino() -> Any:
    try:
        import openvino
        import openvino.frontend
    except ImportError:
        raise ImportError("this evaluator needs OpenVINO: pip install 'sevenfold[openvino]'.") from None
    return openvino
