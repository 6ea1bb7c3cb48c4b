"""What `sevenfold fit` prints: the weights, how sure they are, and how well they foretell results."""

import math
import shlex
from pathlib import Path

from rich.text import Text

from sevenfold.evaluation import weights_path
from sevenfold.fit import Fit, Quality
from sevenfold.game import Game
from sevenfold.lang import t
from sevenfold.listing import table_of
from sevenfold.screen import console


def games_in(path: Path) -> None:
    """Where the games of self-play are kept."""
    console().print(t("The games are in {path}.", path=path), style="dim", markup=False, soft_wrap=True)


def show(game: Game, result: Fit, stored: str | None, room: bool, asked: str) -> None:
    """All of it for people. stored: the file that the weights were written to; asked: the game as it was typed."""
    out = console()
    spec = result.weights.spec
    words = t("{loss}, {games} games, {positions} positions",
              loss=result.loss, games=f"{result.train.games:,}", positions=f"{result.train.positions:,}")  # fmt: skip
    out.print(Text.assemble((spec, "bold"), "  ", words))
    table = table_of(t("term"), t("weight"), "±", t("spread"), t("weight × spread"))
    for name, weight in sorted(result.weights.terms.items(), key=lambda item: -abs(item[1] * result.spreads[item[0]])):
        error, spread = result.errors[name], result.spreads[name]
        table.add_row(Text(name), *(f"{x:{sign}.4g}" for x, sign in
                      ((weight, "+"), (1.96 * error, ""), (spread, ""), (weight * spread, "+"))))  # fmt: skip
    for column in table.columns[1:]:
        column.justify = "right"
    out.print(table)
    figures = table_of("", t("games"), t("positions"), t("log-loss"), t("right"), t("off by"))
    rows: list[tuple[str, Quality | None]] = [
        (t("linear, fitted to"), result.train),
        (t("linear, held out"), result.test),
        (t("heuristic, held out") if result.test else t("heuristic"), result.heuristic),
    ]
    for name, quality in rows:
        if quality is not None:
            right = "?" if math.isnan(quality.accuracy) else f"{100 * quality.accuracy:.1f} %"
            figures.add_row(
                name, f"{quality.games:,}", f"{quality.positions:,}", f"{quality.log_loss:.4f}", right,
                f"{100 * quality.calibration_error:.1f} %",
            )  # fmt: skip
    for column in figures.columns[1:]:
        column.justify = "right"
    out.print(figures)
    out.print(
        t("±: the 95 % interval of a weight. Log-loss: a coin has 0.6931. Right: about the winner. Off by: the mean "
          "distance between expected and real points."),
        style="dim",
    )  # fmt: skip
    if result.skipped:
        out.print(t("Games left out because they are not finished: {count}.", count=result.skipped), style="yellow")
    judged = result.test or result.train
    if result.heuristic and result.heuristic.accuracy > judged.accuracy:
        out.print(
            t("The game's own heuristic names the winner more often than these weights; evaluation=heuristic uses it."),
            style="yellow",
        )
    if stored is None:
        where = "--room" if weights_path(game) else "--out FILE"
        out.print(t("The weights were not stored; {option} stores them.", option=where), markup=False)
        return
    out.print(t("Stored in {path}.", path=stored), markup=False, soft_wrap=True)
    use = "alphabeta:evaluation=linear" if room else f"alphabeta:evaluation=linear,weights={stored}"
    command = f"sevenfold think {asked} --player {shlex.quote(use)}"
    out.print(t("Use: {command}", command=command), markup=False, soft_wrap=True)
