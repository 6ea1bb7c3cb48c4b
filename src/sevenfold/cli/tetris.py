"""The verbs of Tetris: `tbp` (a bot), `tbp-check` (whether another one is a good one), `fumen`."""

import shlex
import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

from sevenfold.cli.base import Json, Language, Settings, app, for_programs, game_options, printed_json
from sevenfold.cli.engines import PlayerText, pipes
from sevenfold.help_screen import Verb
from sevenfold.lang import t

FAILED = 1
"""The exit code where a bot does not pass."""


@app.command(
    cls=Verb,
    help="Is a bot of the Tetris Bot Protocol, for any frontend that speaks it.",
    epilog="Example: sevenfold tbp --player beam --seconds 0.2",
)
def tbp(
    player: PlayerText = "beam",
    seconds: Annotated[
        float,
        typer.Option(metavar="S", min=0.01, max=1000, help="A suggestion comes at most so long after it is asked."),
    ] = 0.1,
    ponder: Annotated[
        bool, typer.Option("--ponder/--no-ponder", help="Thinks in the background while nobody asks.")
    ] = True,
    settings: Settings = None,
    language: Language = None,
) -> None:
    from sevenfold.protocols.tbp_bot import run
    from sevenfold.protocols.tbp_table import Table

    table = Table(game_options(settings))
    with pipes() as (source, out):
        run(source, out, table, player, seconds, ponder)


@app.command(
    "tbp-check",
    cls=Verb,
    help="Checks whether a program is a good bot of the Tetris Bot Protocol: legal moves, right spins, in time.",
    epilog='Example: sevenfold tbp-check "sevenfold tbp --player random"',
)
def tbp_check(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="The bot's program and its arguments, in quotes.")],
    pieces: Annotated[int, typer.Option(metavar="N", min=1, max=100000, help="Pieces of the game it plays.")] = 100,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.01, max=60, help="The longest it may take.")] = 1.0,
    startup: Annotated[
        float, typer.Option(metavar="S", min=0.1, max=600, help="The longest it may take to start.")
    ] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same game.")] = 1,
    settings: Settings = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import tbp_screen
    from sevenfold.protocols.tbp_check import Checker
    from sevenfold.protocols.tbp_table import Table

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command {command!r} cannot be read: {error}.") from None
    if not words or "\0" in command or shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0] if words else command!r} to check.")
    told = None if for_programs() else tbp_screen.show_check
    report = Checker(words, Table(game_options(settings)), pieces, seconds, startup, seed, told).run()
    if not printed_json(report.to_json()):
        tbp_screen.show_summary(report)
    if not report.passed:
        raise typer.Exit(FAILED)


@app.command(
    cls=Verb,
    help="Reads a fumen, or writes recorded games of Tetris as fumens.",
    epilog='Example: sevenfold fumen "v115@9gF8DeF8DeF8DeF8NeAgH"',
)
def fumen(
    source: Annotated[str, typer.Argument(metavar="FUMEN|RECORD", help="A fumen, its address, or a file of records.")],
    number: Annotated[
        int | None, typer.Option("--game", metavar="N", help="Which game of the file, from 1; by default the last.")
    ] = None,
    seat: Annotated[int, typer.Option(metavar="N", min=0, max=1, help="Whose side of a game for two.")] = 0,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Appends the game of a fumen to this file of records.")
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold.games.tetris import fumen_game

    if "115@" not in source and "110@" not in source:
        text = fumen_game.write(_chosen(Path(source), number), seat).strip()
        if not printed_json({"fumen": text}):
            print(text)
        return
    from sevenfold import tbp_screen
    from sevenfold.games.tetris.fumen import decode
    from sevenfold.records import write_records

    pages = decode(source)
    if record is not None:
        write_records(record, [fumen_game.read(source)])
    if not printed_json({"pages": [_page(page) for page in pages], "position": fumen_game.position_of(source)}):
        tbp_screen.show_pages(pages)


def _page(page: Any) -> dict[str, Any]:
    piece = page.piece and {key: getattr(page.piece, key) for key in ("kind", "orientation", "x", "y")}
    flags = {key: getattr(page, key) for key in ("lock", "rise", "mirror")}
    return {"rows": list(page.rows), "piece": piece, "comment": page.comment, "garbage": page.garbage, **flags}


def _chosen(path: Path, number: int | None) -> Any:
    from sevenfold.records import read_records

    records = [*read_records(path)]
    if not records:
        raise ValueError(t("{path} holds no game.", path=path))
    if number is not None and not 1 <= number <= len(records):
        raise ValueError(f"{path} holds {len(records)} games; there is no game {number}.")
    record = records[-1 if number is None else number - 1]
    if record.game not in ("tetris", "tetris_versus"):
        raise ValueError(f"a fumen is made of a game of tetris, not of {record.game}.")
    return record
