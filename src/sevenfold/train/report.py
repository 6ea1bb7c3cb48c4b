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

    def knows(self, *keys: str) -> bool:
        """Whether a line of metrics has one of these: runs of different methods write different things."""
        return any(isinstance(line.get(key), int | float) for line in self.metrics for key in keys)

    @property
    def in_points(self) -> bool:
        """Whether its strength is measured in points per game."""
        return bool(self.ratings) and all(is_points(line) for line in self.ratings)

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
            found["rated"] = line.get("rated", "elo")
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


def is_points(line: Line) -> bool:
    """Whether a score is what a player gets per game, and no share of anything."""
    return line.get("rated") == "points"


def without_search(config: Config) -> bool:
    """Whether the net plays and is measured by its policy alone."""
    return config.method == "policy_gradient"


def tables_of(config: Config) -> list[str]:
    """Who sat at the tables of a run of method=policy_gradient, and at which share of them."""
    wanted, out = config.gradient, []
    seats = "all seats but one" if wanted.alone >= 1 else "some seats"
    league = wanted.league_share if wanted.league else 0.0
    if league:
        names = ", ".join(f"`{name}`" for name in wanted.league)
        out.append(f"{_at(league)} {'one of ' if len(wanted.league) > 1 else ''}{names} in {seats}")
    rest = 1 - league
    if wanted.against:
        if rest > 0:
            out.append(f"{_at(rest)} `{Path(wanted.against).name}` in all seats but one")
        return out
    if past := min(rest, wanted.past_share):
        out.append(f"{_at(past)} an older self in {seats}")
    if (rest := rest - past) > 1e-9:
        out.append(f"{_at(rest)} the net itself in all seats")
    return out


def _at(share: float) -> str:
    return "at every table" if share >= 1 else f"at {100 * share:.3g} % of the tables"


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
    if report.knows("plies"):
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
    if without_search(config):
        return _how_without_search(config)
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
        "End": _end(config),
    }
    return [_listed(lines)]


def _how_without_search(config: Config) -> list[str]:
    net, wanted, learning = config.net, config.gradient, config.learning
    blocks = f"{net.blocks} blocks of {net.channels} channels"
    policy = "rows alike" if net.family == "rows" else f"policy head {net.policy}"
    if wanted.estimate == "trials":
        share = f"at {100 * wanted.share:.3g} % of the decisions " if wanted.share < 1 else ""
        own = f"`{wanted.goes_on}`" if wanted.goes_on else "the net itself"
        where = f"in {wanted.worlds:,} worlds that the mover believes in" if wanted.worlds else "with the same dice"
        estimate = f"{share}every legal action is tried to the end of the game {where}, {own} playing on for the net; "
        estimate += f"the logits learn the returns by least squares, in units of {_points(wanted.unit)}"
        if wanted.direct:
            estimate += f"; what the policy itself brings counts {wanted.direct:g}"
    else:
        judge = "a critic that sees what all seats see" if wanted.has_critic else "the net's own value"
        estimate = f"{judge} says what an action brought more than was foreseen (lambda {wanted.trace:g}); "
        estimate += f"an update moves probabilities by at most {100 * wanted.clip:.3g} %"
        if wanted.entropy or wanted.final_entropy:
            estimate += f", entropy counts {wanted.entropy:g} to {wanted.final_entropy:g}"
    times = "once" if wanted.epochs == 1 else f"{wanted.epochs} times"
    return [
        _listed(
            {
                "Net": f"{blocks}, {policy}, value head {net.value}",
                "Games": f"{config.games:,} games per iteration, {wanted.tables:,} side by side, without a search",
                "At the tables": "; ".join(tables_of(config)),
                "Estimate": estimate,
                "Learning": f"{learning.optimiser}, batches of {learning.batch}, each decision {times}, "
                f"learning rate {learning.rate:g} to {learning.final_rate:g}",
                "End": _end(config),
            }
        )
    ]


def _end(config: Config) -> str:
    ends = [f"{config.iterations:,} iterations"] + ([f"{config.minutes:g} minutes"] if config.minutes else [])
    return " or ".join(ends) + f"; seed {config.seed}"


def _listed(lines: dict[str, str]) -> str:
    return "\n".join(f"- **{name}**: {words}" for name, words in lines.items() if words)


def _points(count: float) -> str:
    return "1 point" if count == 1 else f"{count:g} points"


def _start(report: Report) -> list[str]:
    """What the net knew before the first game: from another net, from game records."""
    parts = []
    for line in report.start[-1:]:
        taken, fresh = line["taken"], line["fresh"]
        words = f"The net started from `{line['net']}`, a net for {line['game']} v{line['version']}: "
        words += f"{len(taken)} of {len(taken) + len(fresh)} layers were taken over"
        parts.append(words + (f", and fresh were {', '.join(f'`{name}`' for name in fresh)}." if fresh else "."))
    parts += _records(report)
    wanted = report.config.gradient
    if without_search(report.config) and wanted.imitate:
        games = f"{wanted.imitate_games:,} games"
        parts.append(f"Before its first own game the net learnt what `{wanted.imitate}` does, in {games}.")
    return ["## Start", *parts] if parts else []


def _records(report: Report) -> list[str]:
    if not report.supervised:
        return []
    line = report.supervised[-1]
    words = f"The net first learnt from {line['positions']:,} positions of {line['games']:,} recorded games."
    if "correct_after" in line:
        before, after = (100 * line[f"correct_{when}"] for when in ("before", "after"))
        errors = [line[f"value_error_{when}"] for when in ("before", "after")]
        words += (
            f" Of {line['held_out']:,} positions that it did not learn from, it foresees the move in {after:.1f} % "
            f"({before:.1f} % before), and the result with a mean squared error of {errors[1]:.3f} ({errors[0]:.3f})."
        )
    return [words]


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
    rows.append(["evaluations", f"{asked:,.0f}", "" if rate is None else f"{figure(rate)} per second of play"])
    cached = sum(line.get("selfplay_cached", 0) for line in report.metrics)
    if report.knows("selfplay_cached") and asked + cached:
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
    names = loss_names(report.config)
    if without_search(report.config):  # what is always 0 is a term that this run does not have
        names = {key: text for key, text in names.items() if any(line.get(key) for line in lines)}
    names = {key: text for key, text in names.items() if key in lines[-1]}
    rows = [[text, *(_number(line.get(key)) for line in (lines[0], lines[-1]))] for key, text in names.items()]
    if "policy_correct" in lines[-1]:
        shares = [f"{100 * line['policy_correct']:.1f} %" for line in (lines[0], lines[-1])]
        rows.append(["likeliest move is the search's", *shares])
    if report.config.gradient.estimate == "critic":
        for key, text in {"explained": EXPLAINED, "clipped": CLIPPED}.items():
            if key in lines[-1]:
                rows.append([text, *(f"{100 * line.get(key, math.nan):.1f} %" for line in (lines[0], lines[-1]))])
    heads = ["", f"iteration {lines[0]['iteration']}", f"iteration {lines[-1]['iteration']}"]
    return _table(heads, rows)


EXPLAINED = "variance of the results that is foreseen"
CLIPPED = "decisions that moved as far as they may"
GAIN = "what the best tried action brought more"
LUCK = "what an action brought beside what was foreseen, standard deviation"


def loss_names(config: Config) -> dict[str, str]:
    """The terms of a line of metrics that are plain numbers, as people call them, in their units."""
    if not without_search(config):
        return {
            "loss": "loss",
            "value_loss": "of it value",
            "policy_loss": "of it policy",
            "policy_entropy": "the policy's least possible",
            "l2_loss": "of it weights",
        }
    if config.gradient.estimate == "trials":
        return {
            "loss": "loss",
            "value_loss": "value",
            "policy_loss": f"policy, least squares, in squares of {_points(config.gradient.unit)}",
            "belief_loss": "what the others hold, nats",
            "gain": f"{GAIN}, points",
        }
    return {
        "loss": "loss",
        "value_loss": "value",
        "policy_loss": "policy",
        "critic_loss": "critic",
        "policy_entropy": "entropy of the policy, nats",
        "luck": f"{LUCK}, points",
    }


def _number(value: float | None) -> str:
    return "" if value is None else f"{round(value, 4) + 0.0:.4f}"  # no -0.0000


def _strength(report: Report) -> str:
    if not report.ratings:
        how = "set rating.every to play matches during a run, or measure the net with `sevenfold match`."
        return f"No matches were played; {how}"
    points, lines = report.in_points, report.strength()
    with_elo = any("elo" in line for line in lines)
    rows = []
    for line in lines:
        row = [f"`{line['opponent']}`", str(line["iteration"]), str(line["games"]), *_score_words(line)]
        if with_elo:
            low, high = line.get("elo_interval", (None, None))
            row.append(f"{_elo(line['elo'], line['score'])} [{_elo(low, 0)}, {_elo(high, 1)}]" if "elo" in line else "")
        rows.append(row)
    heads = ["against", "iteration", "games", "points per game" if points else "score", "95 %"]
    table = _table(heads + ["Elo"] * with_elo, rows)
    if without_search(report.config):
        how = "Without a search, among copies of the opponent, over duplicate deals: every deal from every seat."
        return f"{table}\n\n{how}"
    return f"{table}\n\nWith {report.config.rating.simulations} simulations per move."


def _score_words(line: Line) -> tuple[str, str]:
    """A score of strength() and its interval, in its unit."""
    score, (low, high) = line["score"], line["score_interval"]
    known = low is not None and high is not None
    if is_points(line):
        return f"{score:+.1f}", f"{low:+.1f} to {high:+.1f}" if known else ""
    if 0 <= score <= 1:
        return f"{100 * score:.1f} %", f"{100 * low:.0f} – {100 * high:.0f} %" if known else ""
    return f"{score:.3g}", f"{low:.3g} to {high:.3g}" if known else ""


def _elo(value: float | None, side: float) -> str:
    return ("+∞" if side > 0.5 else "-∞") if value is None else f"{value:+.0f}"


def _games(report: Report) -> str:
    first, last = report.metrics[0], report.last
    rows = [["plies", f"{first['plies']:.1f}", f"{last['plies']:.1f}"]]
    names = {"first_wins": "won by the first player", "draws": "drawn", "exact": "positions with exact values"}
    rows += [[text, *(f"{100 * line[key]:.1f} %" for line in (first, last))] for key, text in names.items()]
    return _table(["", f"iteration {first['iteration']}", f"iteration {last['iteration']}"], rows)
