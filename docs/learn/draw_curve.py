"""The curve of a training run in docs/learn/alphazero.md: its data, its picture, and the rows of its table.

python docs/learn/draw_curve.py RUN        take the data from a run's folder, then draw
python docs/learn/draw_curve.py            draw again from alphazero-run.jsonl
python docs/learn/draw_curve.py --check    say which tables are out of date, exit code 1

Needs matplotlib to draw. The same data give the same picture, byte for byte. Its texts are English, for both languages.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA, PICTURE = HERE / "alphazero-run.jsonl", HERE / "alphazero-curve.svg"
TABLE = re.compile(r"(<!-- curve -->\n[^\n]*\n[^\n]*\n).*?(<!-- /curve -->)", re.DOTALL)
METRICS = ("iteration", "games", "seconds", "value_loss", "policy_loss", "policy_entropy", "policy_correct")
COLOURS = ("#8a949e", "#2f6db3", "#c2662d", "#3c8d5a")
MARKS = ("s", "o", "^", "D")

Line = dict[str, Any]


def lines_of(path: Path) -> list[Line]:
    """The lines of a .jsonl file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def taken(run: Path) -> list[Line]:
    """What the curve needs of a run: what it is, a line per iteration, a line per match."""
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    net = config["net"]
    about = {"game": config["game"], "net": f"{net['channels']}x{net['blocks']}", "games": config["games"]}
    about |= {name: config["selfplay"][name] for name in ("root", "simulations", "value_scale")}
    about |= {"match_simulations": config["rating"]["simulations"], "anchors": config["rating"]["anchors"]}
    metrics = [{name: line[name] for name in METRICS if name in line} for line in lines_of(run / "metrics.jsonl")]
    return [{"run": about}, *({"metrics": line} for line in metrics), *(
        {"match": line} for line in lines_of(run / "ratings.jsonl")
    )]  # fmt: skip


def kind(data: list[Line], name: str) -> list[Line]:
    """The lines of one kind."""
    return [line[name] for line in data if name in line]


def minutes(data: list[Line]) -> dict[int, float]:
    """When each iteration ended."""
    return {0: 0.0} | {line["iteration"]: line["seconds"] / 60 for line in kind(data, "metrics")}


def rows(data: list[Line]) -> str:
    """A row per iteration with matches: minutes, games, the scores, and how the net has learnt."""
    scores: dict[int, dict[str, float]] = {}
    for line in kind(data, "match"):
        scores.setdefault(line["iteration"], {})[line["opponent"]] = line["score"]
    opponents = kind(data, "run")[0]["anchors"]  # not the older selves, who differ from row to row
    metrics = {line["iteration"]: line for line in kind(data, "metrics")}
    out = []
    for iteration, found in sorted(scores.items()):
        of = metrics.get(iteration, {})
        cells = [str(iteration), f"{minutes(data).get(iteration, 0):.0f}", str(of.get("games", 0))]
        cells += [f"{100 * found[name]:.0f} %" if name in found else "" for name in opponents]
        cells += [f"{of['value_loss']:.2f}" if of else "", f"{100 * of['policy_correct']:.0f} %" if of else ""]
        out.append(f"| {' | '.join(cells)} |\n")
    return "".join(out)


def with_rows(page: str, data: list[Line]) -> str:
    """A page with the rows of its table, under the heading that it has."""
    return TABLE.sub(lambda match: match[1] + rows(data) + match[2], page)


def draw(data: list[Line], path: Path) -> None:
    """Left: the score against each opponent. Right: what the net has still to learn."""
    import matplotlib
    from matplotlib.figure import Figure

    settings: Any = {"svg.hashsalt": "sevenfold", "font.size": 9.0, "svg.fonttype": "path", "axes.spines.top": False}
    with matplotlib.rc_context(settings | {"axes.spines.right": False}):
        figure = Figure(figsize=(9.5, 3.4), layout="constrained")
        strength, learning = figure.subplots(1, 2)
        when, matches, metrics = minutes(data), kind(data, "match"), kind(data, "metrics")
        for number, opponent in enumerate(kind(data, "run")[0]["anchors"]):
            mine = [line for line in matches if line["opponent"] == opponent and line["iteration"] in when]
            style: Any = {"color": COLOURS[number % 4], "marker": MARKS[number % 4], "markersize": 5}
            times, scores = [when[one["iteration"]] for one in mine], [100 * one["score"] for one in mine]
            strength.plot(times, scores, label=f"against {opponent}", **style)
        times = [line["seconds"] / 60 for line in metrics]
        gap = [line["policy_loss"] - line["policy_entropy"] for line in metrics]
        learning.plot(times, [line["value_loss"] for line in metrics], color=COLOURS[1], label="value loss")
        learning.plot(times, gap, color=COLOURS[2], label="policy loss - entropy of the target")
        learning.plot(times, [line["policy_correct"] for line in metrics], color=COLOURS[3], linestyle="--",
                      label="share of positions where net and search agree")  # fmt: skip
        strength.set(xlabel="minutes", ylabel="score, %", ylim=(-4, 104), title="Strength")
        learning.set(xlabel="minutes", ylim=(0, None), title="Learning")
        for axes in (strength, learning):
            axes.grid(alpha=0.25)
            axes.legend(frameon=False, fontsize=8)
        figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> int:
    check_only = "--check" in sys.argv
    if runs := [argument for argument in sys.argv[1:] if not argument.startswith("-")]:
        DATA.write_text("".join(json.dumps(line) + "\n" for line in taken(Path(runs[0]))), encoding="utf-8")
    data = lines_of(DATA)
    stale = 0
    for path in sorted(HERE.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        if (fresh := with_rows(page, data)) != page:
            stale += 1
            print(f"{path.name}: the table of the run {'is old; run `make docs`' if check_only else 'was rewritten'}.")
            if not check_only:
                path.write_text(fresh, encoding="utf-8")
    if check_only:
        return 1 if stale else 0
    draw(data, PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
