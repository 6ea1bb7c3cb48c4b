"""Proves that the curves of a run have whole iterations on their axis, also where there is one."""

from pathlib import Path

import pytest

from sevenfold.train import Config
from sevenfold.train.report import Report


@pytest.mark.parametrize("count", [1, 2, 9])
def test_iterations_are_whole(count: int) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from sevenfold.train.plots import _axes

    lines = [{"iteration": number, "seconds": 1.0} for number in range(1, count + 1)]
    report = Report(Path("run"), Config("tic_tac_toe"), lines, [], [])
    (axes,) = _axes(Figure(), report, "title", "label")
    axes.plot(range(1, count + 1), range(count))
    assert all(float(tick).is_integer() for tick in axes.get_xticks())
