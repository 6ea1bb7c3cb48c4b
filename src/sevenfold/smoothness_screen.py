"""What `sevenfold think --smoothness` prints, and draws with --plot."""

from pathlib import Path

from rich.text import Text

from sevenfold.lang import t
from sevenfold.listing import table_of
from sevenfold.screen import console
from sevenfold.smoothness import Smoothness, Step, Steps

BAR = 24
"""Columns of the longest bar."""


def show(result: Smoothness) -> None:
    """All of it for people."""
    out = console()
    head = t("evaluation {kind}, {games} games of {player} against itself",
             kind=result.evaluation, games=result.games, player=result.player)  # fmt: skip
    out.print(Text.assemble((result.game, "bold"), "  ", head))
    table = table_of("|V(s′) − V(s)|", t("steps"), t("mean"), t("median"), "90 %", "95 %", "99 %", t("largest"))
    for name, steps in ((t("within the game"), result.inside), (t("into its end"), result.ends)):
        sizes = [steps.mean, *(steps.quantile(share) for share in (0.5, 0.9, 0.95, 0.99, 1))]
        table.add_row(name, f"{steps.count:,}", *(f"{size:.3f}" for size in sizes))
    for column in table.columns[1:]:
        column.justify = "right"
    out.print(table)
    out.print(_histogram(result))
    out.print(t("95 % of the steps within the game are at most ε = {epsilon:.3f}.", epsilon=result.epsilon))
    out.print(t("95 % of the moves gain the mover at most R = {razor:.3f}: a margin for razoring.",
                razor=result.razor))  # fmt: skip
    for name, steps in ((t("Largest steps within the game:"), result.inside), (t("Into its end:"), result.ends)):
        if steps.worst:
            out.print(name)
            for step in steps.worst[:3]:
                out.print(Text(f"  {_values(step)}  {step.move}   {step.position}"), soft_wrap=True)
    _contract(result)


def _values(step: Step) -> str:
    return f"{step.before[0]:+.3f} → {step.after[0]:+.3f}"


def _histogram(result: Smoothness) -> Text:
    """Two bars per interval: steps within games, and into their ends, each as a share of its kind."""
    edges = result.edges()
    kinds = [(result.inside, "cyan", "█"), (result.ends, "magenta", "▒")]
    shares = [_shares(steps, edges) for steps, _, _ in kinds]
    most = max((share for row in shares for share in row), default=0) or 1
    lines = []
    for i, low in enumerate(edges[:-1]):
        line = Text(f"  {low:6.3f}  ")
        for (_, style, sign), row in zip(kinds, shares, strict=True):
            length = round(BAR * row[i] / most) or (1 if row[i] else 0)
            line.append((sign * length).ljust(BAR), style=style)
            line.append(f" {100 * row[i]:5.1f} %  " if row[i] else " " * 10)
        line.rstrip()
        lines.append(line)
    captions = [t("within the game"), t("into its end")]
    legend = Text("          ").append(f"█ {captions[0]}".ljust(BAR + 10), "cyan").append(f"▒ {captions[1]}", "magenta")
    return Text("\n").join([legend, *lines, Text("")])


def _shares(steps: Steps, edges: list[float]) -> list[float]:
    return [count / max(steps.count, 1) for count in steps.histogram(edges)]


def _contract(result: Smoothness) -> None:
    out, contract = console(), result.contract
    if contract.antisymmetry is not None:
        sums = t("V of the two players adds up to 0 within {inside:.2g} in the game and {ends:.2g} at its end",
                 inside=contract.antisymmetry, ends=contract.antisymmetry_at_ends)  # fmt: skip
    else:
        sums = t("antisymmetry is asked only of two players with a sum of zero")
    inside = t("no guess is as good as a win: at most {most:.4f} of one", most=contract.inside)
    verdict = t("The contract is kept:") if contract.kept else t("The contract is broken:")
    out.print(f"{verdict} {sums}; {inside}.", style="green" if contract.kept else "red", markup=False)
    if contract.cut_off:
        out.print(t("Positions at the very limit of the range, where the evaluation is flat: {count}.",
                    count=contract.cut_off), style="yellow")  # fmt: skip


def plot(result: Smoothness, path: Path) -> None:
    """The distribution as a picture."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError("--plot needs matplotlib: pip install 'sevenfold[plot]'.") from None
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    edges = result.edges(40)
    for steps, label in ((result.inside, "within the game"), (result.ends, "into its end")):
        if steps.count:
            axes.hist(steps.sizes, edges, weights=[1 / steps.count] * steps.count, alpha=0.6, label=label)
    axes.axvline(result.epsilon, color="black", linestyle=":", label=f"95 % within the game: {result.epsilon:.3f}")
    axes.set_xlabel("|V(s') - V(s)|")
    axes.set_ylabel("share of the steps")
    axes.set_title(f"{result.game}: {result.evaluation}")
    axes.legend()
    figure.savefig(path, dpi=150)
