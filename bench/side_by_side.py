"""Times two things in turn, so that a noisy machine slows both alike."""

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass


@dataclass
class Row:
    """One comparison."""

    what: str
    unit: str
    ours: float
    theirs: float | None = None
    ratio: float | None = None
    wanted: str = ""
    """The figure we set ourselves."""
    reached: bool = True

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def rate(work: Callable[[], int]) -> float:
    """Units per second of processor time of one call, which returns how many units it did: what else runs on the
    machine matters less then."""
    start = time.process_time()
    units = work()
    return units / (time.process_time() - start)


def compare(
    what: str, unit: str, ours: Callable[[], int], theirs: Callable[[], int], at_least: float, rounds: int = 7
) -> Row:
    """The median ratio of our rate to theirs over several rounds."""
    ours(), theirs()  # warm caches and branch predictors
    pairs = [(rate(ours), rate(theirs)) for _ in range(rounds)]
    ratio = statistics.median(mine / other for mine, other in pairs)
    return Row(
        what,
        unit,
        statistics.median(mine for mine, _ in pairs),
        statistics.median(other for _, other in pairs),
        ratio,
        f">= {at_least:g}x",
        ratio >= at_least,
    )
