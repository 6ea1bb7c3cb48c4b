"""The evaluator that knows nothing: every position is even, every action as good as another. For tests."""

import numpy as np

from sevenfold.evaluators.batch import Batch
from sevenfold.evaluators.evaluator import Evaluation
from sevenfold.game import Game


class UniformEvaluator:
    """Zeros."""

    def __init__(self, game: Game) -> None:
        self.players, self.actions = game.players, game.actions

    def evaluate(self, batch: Batch) -> Evaluation:
        """Zeros for everybody and for every action."""
        rows = len(batch)
        return np.zeros((rows, self.players), np.float32), np.zeros((rows, self.actions), np.float32)
