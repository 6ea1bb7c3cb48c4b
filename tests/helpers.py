"""What the tests of the house and of the rooms share; pytest finds it by `pythonpath` in pyproject.toml."""

from collections.abc import Iterator
from contextlib import contextmanager

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
