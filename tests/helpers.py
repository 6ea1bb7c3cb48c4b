"""What the tests of the house and of the rooms share; pytest finds it by `pythonpath` in pyproject.toml."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

import pytest


@contextmanager
def refused(match: str = ".") -> Iterator[None]:
    """Expects a ValueError of one short sentence."""
    with pytest.raises(ValueError, match=match) as caught:
        yield
    text = str(caught.value)
    assert not isinstance(caught.value, UnicodeError)
    assert "\n" not in text, text
    assert text.endswith("."), text
    assert len(text) < 400, text


def soonest(seconds: Callable[[], float], most: float, tries: int = 5) -> float:
    """The shortest of a few measurements: a busy machine may wake one of them late, a fault makes all of them late."""
    best = seconds()
    while best >= most and tries > 1:
        best, tries = min(best, seconds()), tries - 1
    return best


def wait_until(true: Callable[[], object], seconds: float = 30) -> None:
    """Waits for what another process is about to do."""
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end, "it did not happen"
        sleep(0.02)
