"""Perft: how many action sequences, or distinct positions, a game has to a given depth."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar, overload

from sevenfold import _core
from sevenfold._core import State
from sevenfold.options import shown

T = TypeVar("T")

LOOK = 0.02
"""Seconds between two looks at a long computation, to tell how far it is and whether it is to end."""

MAX_DEPTH = _core.MAX_PERFT_DEPTH
"""The core counts by recursion, one level per ply."""


class Enough(Exception):  # noqa: N818  # not an error
    """Raised by a progress callback: the work is to end with what it has."""


@dataclass(frozen=True)
class Perft:
    """The counts of one perft."""

    depth: int
    distinct: bool
    per_ply: list[int]
    """Sequences of each length 0 .. depth, or distinct positions after that many plies."""
    ended_per_ply: list[int]
    """Those of them in which the game is over."""

    @property
    def count(self) -> int:
        """Sequences of exactly `depth` actions, or distinct positions after `depth` plies."""
        return self.per_ply[self.depth]

    @property
    def complete(self) -> int:
        """Complete games of at most `depth` plies (distinct: positions where the game is over)."""
        return sum(self.ended_per_ply)

    @property
    def total(self) -> int:
        """All plies together."""
        return sum(self.per_ply)

    def to_json(self) -> dict[str, object]:
        """The same numbers for programs."""
        return {
            "depth": self.depth,
            "distinct": self.distinct,
            "count": self.count,
            "complete": self.complete,
            "total": self.total,
            "per_ply": self.per_ply,
            "ended_per_ply": self.ended_per_ply,
        }


@overload
def perft(state: State, depth: int, distinct: bool = False, *, detail: Literal[False] = False) -> int: ...
@overload
def perft(
    state: State,
    depth: int,
    distinct: bool = False,
    *,
    detail: Literal[True],
    progress: Callable[[int], None] | None = None,
) -> Perft: ...
def perft(
    state: State,
    depth: int,
    distinct: bool = False,
    *,
    detail: bool = False,
    progress: Callable[[int], None] | None = None,
) -> int | Perft:
    """Counts action sequences of exactly `depth` actions from a state, or the distinct positions they lead to.

    A game that ends earlier counts at the ply where it ended: `detail=True` gives the counts of every ply, and the
    number of complete games. `progress` is called now and then with the number of actions played so far.
    """
    if not isinstance(depth, int) or not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"depth must be from 0 to {MAX_DEPTH}, not {shown(depth)}.")
    counts = run_watched(lambda watch: _core.perft(state, depth, distinct, watch), progress)
    result = Perft(depth, distinct, [count for count, _ in counts], [ended for _, ended in counts])
    return result if detail else result.count


def run_watched(work: Callable[[_core.Watch], T], progress: Callable[[int], None] | None = None) -> T:
    """Runs long core work so that Ctrl-C stops it: in a thread of its own, with a watch to stop it by.

    `Enough`, raised by `progress`, stops it as well, and what it has found so far is returned.
    """
    watch = _core.Watch()
    if threading.current_thread() is not threading.main_thread() and progress is None:
        return work(watch)  # no Ctrl-C comes here, and nobody looks
    outcome: list[T] = []
    failure: list[BaseException] = []
    done = threading.Event()  # Thread.join cannot be trusted after Ctrl-C interrupted it once

    def run() -> None:
        try:
            outcome.append(work(watch))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        while not done.wait(LOOK):
            if progress:
                progress(watch.done)
    except Enough:
        watch.stop()
        done.wait()
    except BaseException:
        watch.stop()
        done.wait(None if thread.ident else 1)  # Ctrl-C may have come before the thread had begun
        raise
    if failure:
        raise failure[0]
    return outcome[0]
