"""Evaluators: what a position is worth, and which actions look good, for a whole batch of positions at once.

Each lives in its module, so that none is loaded that is not used: `onnx.OnnxEvaluator` (the default),
`openvino.OpenVinoEvaluator`, `torch.TorchEvaluator`, `uniform.UniformEvaluator`, and `cached.CachedEvaluator` around
any of them.
"""

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluator, evaluate_states, priors

__all__ = ["Batch", "Evaluator", "evaluate_states", "priors"]
