"""The verb `review`: which moves of a game were good, and how exciting it was."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from sevenfold.cli.base import Json, Language, app, printed_json
from sevenfold.game import Game, game
from sevenfold.help_screen import Verb
from sevenfold.lang import t
from sevenfold.records import Record, read_records
from sevenfold.review import Review
from sevenfold.review import review as review_game

INTERRUPTED = 130
PICTURES = (".svg", ".png")


@app.command(
    "review",
    cls=Verb,
    help="Reviews a recorded game: marks and scores every move, shows better ones, and says how exciting it was.",
    epilog="Example: sevenfold review games.jsonl --player uct --seconds 2 --plot game.svg",
)
def review(
    path: Annotated[Path, typer.Argument(metavar="RECORD", help="A file of game records, such as --record writes.")],
    number: Annotated[
        int | None,
        typer.Option("--game", metavar="N", help="Which game of the file, from 1; by default the last."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Reviews every game of the file.")] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who judges: uct, montecarlo:simulations=5000, perfect …; by default the game's strongest adviser.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Time per move, all its alternatives together.", show_default=False),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(metavar="T", help="How much worse than the best a good move may be; half the range is 1."),
    ] = 0.1,
    skip_forced: Annotated[
        bool, typer.Option("--skip-forced", help="Moves without an alternative do not count for the means.")
    ] = False,
    no_hindsight: Annotated[
        bool,
        typer.Option("--no-hindsight", help="Judges each position by its own search alone, not by the one after it."),
    ] = False,
    rules: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The rules, for a game that is not found by name: a .py file."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keeps the review in this file, move by move, and goes on from there."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draws the evaluation over the game: a .svg or .png file.")
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import review_screen

    chosen = _chosen(path, number, every)
    _check_files(out, plot)
    options: dict[str, Any] = {} if seconds is None else {"seconds": seconds}
    done: list[tuple[int, Review]] = []
    stopped = True
    with review_screen.Running(len(chosen)) as running, suppress(KeyboardInterrupt):
        for place, record in chosen:
            file = _numbered(out, place, every)

            def progress(so_far: Review, place: int = place, file: Path | None = file) -> None:
                if not done or done[-1][1] is not so_far:
                    done.append((place, so_far))
                if file and so_far.moves:
                    so_far.save(file)
                running(so_far)

            review_game(
                record, player, tolerance, _rules(rules, record), progress, skip_forced, _earlier(file),
                hindsight=not no_hindsight, **options,
            )  # fmt: skip
        stopped = False
    reviewed = [(place, one) for place, one in done if one.moves]
    if plot:
        for place, one in reviewed:
            one.plot(_numbered(plot, place, every) or plot)
    _print(reviewed, every)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _print(reviewed: list[tuple[int, Review]], every: bool) -> None:
    from sevenfold import review_screen

    if every:
        values = [one.excitement for _, one in reviewed if one.excitement is not None]
        mean = sum(values) / len(values) if values else None
        games = [{"number": place, **one.to_json()} for place, one in reviewed]
        if not printed_json({"games": games, "excitement": mean}):
            review_screen.show_all(reviewed, mean)
        return
    for place, one in reviewed:
        if not printed_json({"number": place, **one.to_json()}):
            review_screen.show(one, place)


def _chosen(path: Path, number: int | None, every: bool) -> list[tuple[int, Record]]:
    """The games to review, with their places in the file."""
    if every and number is not None:
        raise ValueError(t("give either --game or --all, not both."))
    records = list(enumerate(read_records(path), start=1))
    if not records:
        raise ValueError(t("{path} holds no game.", path=str(path)))
    if every:
        return records
    if number is not None and not 1 <= number <= len(records):
        raise ValueError(
            t("{path} has the games 1 to {count}, and no game {number}.",
              path=str(path), count=len(records), number=number)
        )  # fmt: skip
    return [records[(number or len(records)) - 1]]


def _check_files(out: Path | None, plot: Path | None) -> None:
    """Refuses what could not be written, before hours of work instead of after them."""
    for file in filter(None, (out, plot)):
        if not file.absolute().parent.is_dir():
            raise ValueError(t("there is no folder {folder!r}.", folder=str(file.parent)))
    if plot:
        if plot.suffix.lower() not in PICTURES:
            raise ValueError(t("a plot is a .svg or .png file, not {path!r}.", path=str(plot)))
        from sevenfold.plot import require_matplotlib

        require_matplotlib()


def _numbered(file: Path | None, place: int, every: bool) -> Path | None:
    """With --all the files of the games are told apart by their numbers: game-3.svg."""
    return file.with_name(f"{file.stem}-{place}{file.suffix}") if file and every else file


def _rules(text: str | None, record: Record) -> Game | None:
    return None if text is None else game(text, preset=None, seed=0, **record.options)


def _earlier(file: Path | None) -> Review | None:
    """What an earlier run has left."""
    if file is None or not file.exists():
        return None
    return Review.load(file)
