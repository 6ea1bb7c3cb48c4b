"""The verbs `train` and `report`: a net from self-play, and what a run has done."""

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sevenfold.cli.base import Json, Language, Settings, app, complain, for_programs, game_options, printed_json
from sevenfold.game import Game, game, game_names
from sevenfold.help_screen import Verb
from sevenfold.lang import t

if TYPE_CHECKING:
    from sevenfold.train.config import Config
    from sevenfold.train.progress import Progress, Watcher

INTERRUPTED = 130


@app.command(
    "train",
    cls=Verb,
    help="Trains a net by self-play, from nothing, in a folder that outlives every interruption.",
    epilog="Example: sevenfold train tic_tac_toe --preset quick",
)
def train_net(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A name from `sevenfold games`, a .py file, or openspiel:NAME."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How to train: quick (the default), laptop, overnight …; --list shows them."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The run's folder; by default runs/GAME-PRESET.", show_default=False),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="A setting, such as learning.batch=256; several times, if needed."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Same seed, same dice.", show_default=False)] = None,
    minutes: Annotated[
        float | None, typer.Option(metavar="M", help="Ends after so long, not as the preset says.", show_default=False)
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Ends after so many iterations, not as the preset says.", show_default=False),
    ] = None,
    from_records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Game records to learn from first, of any player.", show_default=False),
    ] = None,
    from_net: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A net to start from (a file, a run, or shipped): layers that fit are taken over.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Goes on with a run that was stopped.", show_default=False)
    ] = None,
    list_presets: Annotated[bool, typer.Option("--list", help="Shows the presets for the game.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tries everything once, in a minute, and says what it found.")
    ] = False,
    settings: Settings = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Shows nothing while it trains.")] = False,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold.train import begin
    from sevenfold.train.run import Run

    if resume is not None:
        given = {"--preset": preset, "--out": out, "--set": changes, "--seed": seed}
        given |= {"--list": list_presets, "--dry-run": dry_run, "--from-records": from_records}
        given |= {"--from-net": from_net}
        if unfit := [option for option, value in given.items() if value]:
            raise ValueError(t("a run goes on as it began; leave out {option}.", option=unfit[0]))
        rules = _game_of(Run(resume).config.game, name, settings)
        _go(lambda watch: begin.resume(resume, rules, watch, minutes, iterations), rules, resume, quiet)
        return
    if name is None:
        raise ValueError(t("name a game to train, or a run to go on with: --resume RUN."))
    rules = game(name, preset=None, seed=0, **game_options(settings))
    if list_presets:
        _list(rules)
        return
    chosen = preset or "quick"
    config = _config(rules, chosen, changes, seed, minutes, iterations)
    if from_records is not None:
        config = config.changed({"supervised.records": str(from_records)})
    if from_net is not None:
        config = config.changed({"from_net": from_net})
    if dry_run:
        _try(rules, config)
        return
    folder = out or begin.new_folder(rules, chosen)
    _go(lambda watch: begin.train(rules, out=folder, config=config, watch=watch), rules, folder, quiet)


def _game_of(spec: str, name: str | None, settings: list[str] | None) -> Game:
    """The game of a run, which may be named again where its file has moved."""
    if name is None and settings:
        raise ValueError(t("a run goes on as it began; leave out {option}.", option="--option"))
    try:
        rules = game(name or spec, preset=None, seed=0, **game_options(settings))
    except ValueError as error:
        if name is not None:
            raise
        raise ValueError(
            t("the game of the run, {game}, is not found ({error}); name it: sevenfold train GAME --resume RUN.",
              game=spec, error=str(error).rstrip("."))
        ) from None  # fmt: skip
    if name is not None and rules.spec != spec and rules.name != Path(spec.partition(".py")[0]).name.partition("(")[0]:
        raise ValueError(t("the run is of {game}, not of {other}.", game=spec, other=rules.spec))
    return rules


def _config(
    rules: Game,
    preset: str,
    changes: list[str] | None,
    seed: int | None,
    minutes: float | None,
    iterations: int | None,
) -> "Config":
    from sevenfold.train.begin import end_of
    from sevenfold.train.config import preset as preset_of

    chosen = end_of(minutes, iterations)
    if seed is not None:
        chosen["seed"] = seed
    for text in changes or []:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ValueError(t("write a setting as NAME=VALUE, such as learning.batch=256, not {text!r}.", text=text))
        chosen[key.strip()] = _value(value.strip())
    if "game" in chosen:
        raise ValueError(t("the game is named by GAME and its options; leave out {option}.", option="--set game"))
    return preset_of(preset, rules).changed(chosen)


def _value(text: str) -> Any:
    """A number, true, false or a list as JSON has them; anything else is a text."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return text


def _go(start: Any, rules: Game, folder: Path, quiet: bool) -> None:
    from sevenfold import train_screen

    try:
        if for_programs() or quiet:
            run = start(_json_lines() if for_programs() and not quiet else None)
        else:
            with train_screen.Dashboard() as screen:
                run = start(screen)
    except KeyboardInterrupt:
        complain(t("the run is kept in {folder}; go on with: {command}", folder=str(folder),
                   command=f"sevenfold train --resume {quote(str(folder))}"))  # fmt: skip
        raise typer.Exit(INTERRUPTED) from None
    if not printed_json({"event": "done", "run": str(run.folder), "metrics": (run.lines("metrics") or [None])[-1]}):
        # A run of variants is of the preset's game, whatever its options were on the command line.
        train_screen.show_end(run, run.config.game if run.config.variants else rules.spec)


def _json_lines() -> "Watcher":
    """An object per iteration, and one per match."""
    from sevenfold.train.run import Run

    told = {"start": -1, "metrics": -1, "ratings": -1}

    def watch(progress: "Progress") -> None:
        if progress.phase not in ("starting", "iteration"):
            return
        for name, event in (("start", "start"), ("metrics", "iteration"), ("ratings", "rating")):
            lines = Run(progress.folder).lines(name)
            start = len(lines) if told[name] < 0 else told[name]  # what an earlier session did is not told again
            for line in lines[start:]:
                print(json.dumps({"event": event, **line}, ensure_ascii=False))
            told[name] = len(lines)
        sys.stdout.flush()

    return watch


def _list(rules: Game) -> None:
    from sevenfold import train_screen
    from sevenfold.train.config import Config, presets

    found, usual = presets(rules), Config(rules.spec).to_json()
    defaults = {name: value for name, value in usual.items() if name not in ("format", "game")}
    if not printed_json({"presets": found, "defaults": defaults}):
        train_screen.show_presets(rules.spec, found, defaults)


def _try(rules: Game, config: "Config") -> None:
    from sevenfold import trial_screen
    from sevenfold.train.trial import Trial

    trial = Trial(rules, config)
    with trial_screen.Running() as running:
        trial.go(running)
    if not printed_json(trial.to_json()):
        trial_screen.show_end(trial)
    if not trial.ok:
        raise typer.Exit(1)


@app.command(
    "report",
    cls=Verb,
    help="Writes what a run has done: a summary in Markdown, and its curves as pictures.",
    epilog="Example: sevenfold report runs/tic_tac_toe-quick",
)
def report_run(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="RUN", help="The folder of a run, done or not; or a game's own report, such as sevens-behaviours."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder to write to; by default RUN/report.", show_default=False),
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold.train import report
    from sevenfold.train.run import Run

    if not folder.exists():
        if (own := own_report(str(folder))) is None:
            known = ", ".join(own_reports())
            raise ValueError(
                t("{folder} is no training run, and no report of a game; those are: {known}.",
                  folder=str(folder), known=known)
            )  # fmt: skip
        told, written, missing = own(out or Path("reports") / folder)
        if not printed_json(told | {"files": [str(path) for path in written], "missing": missing}):
            for path in written:
                print(path)
        if missing:
            complain(missing)
        return
    found = report.Report.of(Run(folder))
    written, missing = report.write(found, out or folder / "report")
    if not printed_json(found.to_json() | {"files": [str(path) for path in written], "missing": missing}):
        for path in written:
            print(path)
    if missing:
        complain(missing)


def own_reports() -> list[str]:
    """The names of all reports that games bring."""
    return [f"{title}-{name}" for title in game_names() for name in getattr(game(title).room, "REPORTS", {})]


def own_report(name: str) -> "Callable[[Path], tuple[dict[str, Any], list[Path], str]] | None":
    """The report GAME-NAME that a game's room declares in `REPORTS` as module:function; None where there is none."""
    for title in game_names():
        if name.startswith(f"{title}-"):
            place = getattr(game(title).room, "REPORTS", {}).get(name.removeprefix(f"{title}-"))
            if place is not None:
                module, _, function = place.partition(":")
                found: Callable[[Path], tuple[dict[str, Any], list[Path], str]] = getattr(
                    importlib.import_module(module), function
                )
                return found
    return None
