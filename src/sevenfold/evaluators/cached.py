"""A cache around an evaluator: a position that comes again, in this batch or a later one, is evaluated once.

Positions are known by their hash. A game whose observation shows more than its hash knows (such as the moves before)
must not be cached.
"""

from collections import OrderedDict

import numpy as np

from sevenfold.evaluators.batch import Batch, Floats
from sevenfold.evaluators.evaluator import Evaluation, Evaluator


class CachedEvaluator:
    """The least recently used positions make room for new ones."""

    def __init__(self, evaluator: Evaluator, size: int = 100_000) -> None:
        if size < 1:
            raise ValueError(f"a cache holds at least 1 position, not {size}.")
        self.evaluator, self.size = evaluator, size
        self.hits = self.misses = 0
        self._kept: OrderedDict[int, tuple[Floats, Floats]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forgets everything: the net has changed."""
        self._kept.clear()

    def evaluate(self, batch: Batch) -> Evaluation:
        """What is known, and the rest by the evaluator, in one smaller batch."""
        keys: list[int] = batch.keys.tolist()
        found = {key: self._kept[key] for key in set(keys) if key in self._kept}
        rows = list({key: row for row, key in enumerate(keys) if key not in found}.values())
        self.misses += len(rows)
        self.hits += len(keys) - len(rows)
        if rows:
            values, logits = self.evaluator.evaluate(batch.take(rows))
            for place, row in enumerate(rows):  # copies, so that a kept row does not keep its whole batch alive
                found[keys[row]] = values[place].copy(), logits[place].copy()
        self._keep(keys, found)
        return np.stack([found[key][0] for key in keys]), np.stack([found[key][1] for key in keys])

    def _keep(self, keys: list[int], found: dict[int, tuple[Floats, Floats]]) -> None:
        for key in keys:
            self._kept[key] = found[key]
            self._kept.move_to_end(key)
        while len(self._kept) > self.size:
            self._kept.popitem(last=False)
