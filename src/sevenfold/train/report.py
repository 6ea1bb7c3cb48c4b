"""What a run has done, for people: a Markdown summary, and the curves of plots.py beside it.

It reads config.json, metrics.jsonl and ratings.jsonl, so it works while the run is going on, and writes nothing into it
unless it is told to. English, like the documents.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from sevenfold.files import FilePath, whole_file
from sevenfold.rating import Z95, elo_of
from sevenfold.results import finite
from sevenfold.train.config import Config
from sevenfold.train.run import Run

Line = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """The lines of a run, and what follows from them."""

    folder: Path
    config: Config
    metrics: list[Line]
    ratings: list[Line]
    gate: list[Line]
    supervised: list[Line] = field(default_factory=list)
    start: list[Line] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run) -> "Report":
        """Of a run, done or not; ValueError where the folder is none."""
        config = run.config
        metrics = [line for line in run.lines("metrics") if isinstance(line.get("iteration"), int)]
        ratings = [line for line in run.lines("ratings") if _whole_rating(line)]
        return cls(run.folder, config, metrics, ratings, run.lines("gate"), run.lines("supervised"), run.lines("start"))

    @property
    def last(self) -> Line:
        """The newest line of metrics."""
        return self.metrics[-1] if self.metrics else {}

    @property
    def share(self) -> float:
        """Of the run that is done."""
        if not self.config.iterations:
            return 1.0
        by_time = self.last.get("seconds", 0.0) / (60 * self.config.minutes) if self.config.minutes else 0.0
        return float(min(1.0, max(self.last.get("iteration", 0) / self.config.iterations, by_time)))

    def minutes(self, iteration: int) -> float:
        """When an iteration ended."""
        return next((line["seconds"] / 60 for line in self.metrics if line["iteration"] == iteration), 0.0)

    def opponents(self) -> list[str]:
        """Everybody that was played against."""
        return list(dict.fromkeys(line["opponent"] for line in self.ratings))

    def speeds(self) -> dict[str, float]:
        """Means over the run: by the clock, and of all actors together while they played."""
        seconds = self.last.get("seconds", 0.0)
        out = {f"{name}_per_second": self.last.get(name, 0) / seconds for name in ("games", "positions") if seconds}
        played = sum(line.get("selfplay_seconds", 0.0) for line in self.metrics) / self.config.actors
        if played > 0:
            for name in ("evaluations", "simulations"):
                out[f"{name}_per_second"] = sum(line.get(f"selfplay_{name}", 0) for line in self.metrics) / played
        return out

    def strength(self) -> list[Line]:
        """The newest match against everybody, with Elo where that has a meaning."""
        out = []
        for name in self.opponents():
            line = [one for one in self.ratings if one["opponent"] == name][-1]
            low, high = interval_of(line)
            found = {key: line[key] for key in ("opponent", "iteration", "score")} | {"games": line.get("games", 0)}
            found["score_interval"] = [finite(low), finite(high)]
            if is_elo(line):
                found["elo"], found["elo_interval"] = (
                    finite(elo_of(line["score"])),
                    [finite(elo_of(x)) for x in (low, high)],
                )
            out.append(found)
        return out

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "run": str(self.folder),
            "game": self.config.game,
            "share": self.share,
            "last": self.last,
            "speeds": self.speeds(),
            "strength": self.strength(),
            "supervised": self.supervised,
            "start": self.start,
            "config": self.config.to_json(),
        }


def _whole_rating(line: Line) -> bool:
    score = line.get("score")
    whole = isinstance(line.get("iteration"), int) and isinstance(line.get("opponent"), str)
    return whole and isinstance(score, int | float) and math.isfinite(score)


def interval_of(line: Line) -> tuple[float, float]:
    """The 95 % interval of the score in a line of ratings.jsonl."""
    low, high = line.get("interval") or (None, None)
    if low is not None and high is not None:
        return float(low), float(high)
    if not is_elo(line):
        return -math.inf, math.inf
    games = line.get("games", 0)
    middle = (line["score"] * games + 1) / (games + 2)  # a win and a loss more, as rating.score_interval has it
    error = Z95 * math.sqrt(max(0.0, middle * (1 - middle)) / (games + 2))
    return max(0.0, middle - error), min(1.0, middle + error)


def is_elo(line: Line) -> bool:
    """Whether a score is a share of the points of two players, which Elo can be said of."""
    return bool(line.get("rated", "elo") == "elo" and 0 <= line["score"] <= 1)


def write(report: Report, folder: FilePath) -> tuple[list[Path], str]:
    """Writes report.md and the pictures; the files, and a sentence about what is missing."""
    from sevenfold.train import plots

    folder, missing = Path(folder), ""
    pictures: list[Path] = []
    try:
        pictures = plots.draw(report, folder)
    except ImportError as error:
        missing = f"{error} The summary is written without pictures."
    path = folder / "report.md"
    with whole_file(path) as temporary:
        temporary.write_text(text_of(report, [one.name for one in pictures], missing), encoding="utf-8")
    return [path, *pictures], missing


def text_of(report: Report, pictures: list[str], missing: str = "") -> str:
    """The summary, in Markdown."""
    parts = [f"# {report.config.game}: {report.folder.name}", _state(report)]
    parts += ["## How", *_how(report.config), *_start(report)]
    if report.metrics:
        parts += ["## What was done", _done(report), "## Learning", _learning(report)]
    parts += ["## Strength", _strength(report)]
    if report.metrics:
        parts += ["## Games", _games(report)]
    if missing:
        parts += ["## Curves", missing]
    elif pictures:
        parts += [
            "## Curves",
            *(f"![{name.removesuffix('.svg')}]({name})" for name in pictures if name.endswith(".svg")),
        ]
    run = quote(str(report.folder))
    parts += [
        "## Use",
        f"```\nsevenfold play {quote(report.config.game)} --against alphazero:net={run}\n"
        f"sevenfold train --resume {run}\ntensorboard --logdir {run}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _state(report: Report) -> str:
    if not report.metrics:
        return "No iteration is done yet."
    state = "The run is done" if report.share >= 1 else f"{100 * report.share:.0f} % of the run are done"
    last = report.last
    return f"{state}: {last['iteration']:,} iterations, {last['games']:,} games, {clock(last['seconds'])}."


def clock(seconds: float) -> str:
    """A time in hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def _how(config: Config) -> list[str]:
    """The config in words; every number of it is in config.json."""
    net, play, learning, replay = config.net, config.selfplay, config.learning, config.replay
    root = "Gumbel at the root" if play.root == "gumbel" else f"PUCT (c = {play.c_puct:g}) with Dirichlet noise"
    sims = f"{play.simulations} simulations"
    if play.full_share < 1:
        sims += f" in {100 * play.full_share:.0f} % of the searches, {play.fast_simulations} in the others"
    games = f"{config.games:,} games per iteration, {config.actors} × {play.slots} at once, {play.precision}"
    extras = []
    if play.random_share and play.random_plies:
        quiet = f" to positions of values up to ±{play.quiet:g}" if play.quiet < 1 else ""
        begin = f"{100 * play.random_share:.0f} % of the games begin with up to {play.random_plies} random moves"
        extras.append(begin + quiet)
    if play.rollouts:
        extras.append(f"{play.rollout_count} rollouts are {play.rollouts:g} of a leaf's value")
    if play.expand_at:
        extras.append(f"the net is asked about positions visited {play.expand_at} times")
    if play.endgame:
        extras.append(f"endgames are proven, within {play.endgame:,} nodes")
    if play.settle:
        extras.append(f"so are new positions of the trees, within {play.settle:,}")
    if play.resign > -1:
        extras.append(f"who expects less than {play.resign:g} resigns")
    if config.variants:
        extras.append(f"on {config.variant_count} boards of the preset {config.variants}")
    ends = [f"{config.iterations:,} iterations"] + ([f"{config.minutes:g} minutes"] if config.minutes else [])
    gate = "no gate"
    if config.gate.games:
        gate = f"a new net must score {100 * config.gate.threshold:.0f} % in at most {config.gate.games} games"
    lines = {
        "Net": f"{net.blocks} blocks of {net.channels} channels, policy head {net.policy}, value head {net.value}",
        "Self-play": f"{root}, {sims}; {games}",
        "Besides": "; ".join([*extras, gate]),
        "Learning": f"{learning.optimiser}, batches of {learning.batch}, each position {learning.passes:g} times, "
        f"learning rate {learning.rate:g} to {learning.final_rate:g}",
        "Window": f"{replay.window_start:,} to {replay.window:,} positions"
        + (", through random symmetries" if replay.symmetries else ""),
        "End": " or ".join(ends) + f"; seed {config.seed}",
    }
    return ["\n".join(f"- **{name}**: {words}" for name, words in lines.items() if words)]


def _start(report: Report) -> list[str]:
    """What the net knew before the first game: from another net, from game records."""
    parts = []
    for line in report.start[-1:]:
        taken, fresh = line["taken"], line["fresh"]
        words = f"The net started from `{line['net']}`, a net for {line['game']} v{line['version']}: "
        words += f"{len(taken)} of {len(taken) + len(fresh)} layers were taken over"
        parts.append(words + (f", and fresh were {', '.join(f'`{name}`' for name in fresh)}." if fresh else "."))
    if not report.supervised:
        return ["## Start", *parts] if parts else []
    line = report.supervised[-1]
    words = f"The net first learnt from {line['positions']:,} positions of {line['games']:,} recorded games."
    if "correct_after" in line:
        before, after = (100 * line[f"correct_{when}"] for when in ("before", "after"))
        errors = [line[f"value_error_{when}"] for when in ("before", "after")]
        words += (
            f" Of {line['held_out']:,} positions that it did not learn from, it foresees the move in {after:.1f} % "
            f"({before:.1f} % before), and the result with a mean squared error of {errors[1]:.3f} ({errors[0]:.3f})."
        )
    return ["## Start", *parts, words]


def _table(heads: list[str], rows: list[list[str]]) -> str:
    right = ["---", *(["---:"] * (len(heads) - 1))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, right, *rows])


def _done(report: Report) -> str:
    last, speeds = report.last, report.speeds()
    rows = [["iterations", f"{last['iteration']:,}", ""]]
    for name in ("games", "positions"):
        rate = speeds.get(f"{name}_per_second")
        rows.append([name, f"{last[name]:,}", "" if rate is None else f"{figure(rate)} per second"])
    rows.append(["steps of learning", f"{last['steps']:,}", ""])
    asked = sum(line.get("selfplay_evaluations", 0) for line in report.metrics)
    rate = speeds.get("evaluations_per_second")
    rows.append(["evaluations", f"{asked:,}", "" if rate is None else f"{figure(rate)} per second of play"])
    cached = sum(line.get("selfplay_cached", 0) for line in report.metrics)
    if asked + cached:
        rows.append(["more, from the cache", f"{cached:,}", f"{100 * cached / (asked + cached):.1f} %"])
    rows.append(["time", clock(last["seconds"]), ""])
    return _table(["", "count", "speed"], rows)


def figure(value: float) -> str:
    """A number for people."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _learning(report: Report) -> str:
    lines = [line for line in report.metrics if "loss" in line]
    if not lines:
        return "Nothing was learnt yet: the first games are being gathered."
    names = {
        "loss": "loss",
        "value_loss": "of it value",
        "policy_loss": "of it policy",
        "policy_entropy": "the policy's least possible",
        "l2_loss": "of it weights",
    }
    rows = [[text, f"{lines[0][key]:.4f}", f"{lines[-1][key]:.4f}"] for key, text in names.items() if key in lines[-1]]
    if "policy_correct" in lines[-1]:
        shares = [f"{100 * line['policy_correct']:.1f} %" for line in (lines[0], lines[-1])]
        rows.append(["likeliest move is the search's", *shares])
    heads = ["", f"iteration {lines[0]['iteration']}", f"iteration {lines[-1]['iteration']}"]
    return _table(heads, rows)


def _strength(report: Report) -> str:
    if not report.ratings:
        how = "set rating.every to play matches during a run, or measure the net with `sevenfold match`."
        return f"No matches were played; {how}"
    rows = []
    for line in report.strength():
        low, high = line["score_interval"]
        interval = "" if low is None or high is None else f"{100 * low:.0f} – {100 * high:.0f} %"
        elo = ""
        if "elo" in line:
            low, high = line["elo_interval"]
            elo = f"{_elo(line['elo'], line['score'])} [{_elo(low, 0)}, {_elo(high, 1)}]"
        score = f"{100 * line['score']:.1f} %" if 0 <= line["score"] <= 1 else f"{line['score']:.3g}"
        rows.append([f"`{line['opponent']}`", str(line["iteration"]), str(line["games"]), score, interval, elo])
    table = _table(["against", "iteration", "games", "score", "95 %", "Elo"], rows)
    return f"{table}\n\nWith {report.config.rating.simulations} simulations per move."


def _elo(value: float | None, side: float) -> str:
    return ("+∞" if side > 0.5 else "-∞") if value is None else f"{value:+.0f}"


def _games(report: Report) -> str:
    first, last = report.metrics[0], report.last
    rows = [["plies", f"{first['plies']:.1f}", f"{last['plies']:.1f}"]]
    names = {"first_wins": "won by the first player", "draws": "drawn", "exact": "positions with exact values"}
    rows += [[text, *(f"{100 * line[key]:.1f} %" for line in (first, last))] for key, text in names.items()]
    return _table(["", f"iteration {first['iteration']}", f"iteration {last['iteration']}"], rows)
