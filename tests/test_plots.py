"""Proves that the pictures of a run have whole iterations on their axis, and draw only what it has, in its unit."""

from pathlib import Path
from typing import Any

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


TERMS = {"loss": 15.0, "policy_loss": 14.0, "value_loss": 6.0, "gain": 20.0, "critic_loss": 0.0, "policy_entropy": 0.0}
TERMS |= {"explained": -0.2, "clipped": 0.0, "selfplay_evaluations": 2047.0, "selfplay_seconds": 0.3}


def without_a_search(**settings: Any) -> Report:
    """Of a run of method=policy_gradient, which has no plies, no shares of the points and nothing of a search."""
    config = Config("sevens").changed({"method": "policy_gradient"} | settings)
    metrics = [{"iteration": number, "seconds": 1.0 * number} | TERMS for number in (1, 2)]
    line = {"iteration": 2, "opponent": "blocker", "score": -2.975, "games": 16, "rated": "points"}
    return Report(Path("run"), config, metrics, [line | {"interval": [-4.0, -1.95]}], [])


@pytest.mark.parametrize("estimate", ["trials", "critic"])
def test_a_run_without_a_search_has_pictures_of_what_it_knows(tmp_path: Path, estimate: str) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from sevenfold.train import plots

    report = without_a_search(**{"gradient.estimate": estimate, "gradient.unit": 10.0})
    names = {path.stem for path in plots.draw(report, tmp_path)}
    assert names == {"strength", "losses", "policy", "speed"}
    words = []
    for name, picture, _ in plots.PICTURES:
        if name in names:
            figure = Figure()
            picture(figure, report)
            assert all(axes.lines for axes in figure.axes), name
            words += [axes.get_ylabel() for axes in figure.axes]
            words += [label for axes in figure.axes for label in axes.get_legend_handles_labels()[1]]
    assert "points per game, without a search" in words
    squares, entropy = "least squares, squares of 10 points", "entropy of the policy, nats"
    assert {squares, entropy} & {*words} == {squares if estimate == "trials" else entropy}
    assert not {"cross-entropy: what is learnt", "entropy of the search: its floor", "waiting for games"} & {*words}


def test_an_axis_shows_what_is_below_0_and_bears_no_curve_at_all() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from sevenfold.train.plots import _from_zero

    axes = Figure().add_subplot()
    _from_zero(axes)
    assert axes.get_ylim() == (0, 1)
    axes.plot([1, 2], [-2.0, 5.0])
    _from_zero(axes)
    assert axes.get_ylim() == pytest.approx((-2.2, 5.5))
