"""The verbs that put our players at other tables: `engine`, `saiblo`, `botzone`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, BinaryIO

import typer

from sevenfold.cli.base import GameText, Language, Preset, Seed, Settings, app, game_options
from sevenfold.game import game
from sevenfold.help_screen import Verb

PlayerText = Annotated[str, typer.Option("--player", metavar="PLAYER", help="Who thinks: uct, perfect, random …")]
Seconds = Annotated[
    float, typer.Option(metavar="S", min=0.01, max=100000, help="Time per move, with everything around it.")
]


class Form(StrEnum):
    """How an action is written in an answer."""

    number = "number"
    text = "text"
    point = "point"


@contextmanager
def pipes() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The input and the output as bytes. What a game or a player prints in between goes to stderr."""
    out = sys.stdout
    sys.stdout = sys.stderr
    try:
        yield sys.stdin.buffer, out.buffer
    finally:
        sys.stdout = out


@app.command(
    cls=Verb,
    help="Lets one of our players answer another program, in the protocol of docs/reference/protocol.md.",
    epilog='Example: sevenfold engine connect_four --player "uct:simulations=10000"',
)
def engine(
    name: GameText,
    player: PlayerText = "uct",
    settings: Settings = None,
    preset: Preset = None,
    seed: Seed = None,
    language: Language = None,
) -> None:
    from sevenfold.protocols.engine import run

    rules = game(name, preset=preset, seed=seed or 0, **game_options(settings))
    with pipes() as (source, out):
        run(source, out, rules, player)


@app.command(
    cls=Verb,
    help="Plays a game of connect-four on Saiblo, or on any referee that speaks like it.",
    epilog="Example: sevenfold saiblo --player uct --seconds 2.7",
)
def saiblo(player: PlayerText = "uct", seconds: Seconds = 2.7, language: Language = None) -> None:
    from sevenfold.protocols.reading import process_start
    from sevenfold.protocols.saiblo import run

    with pipes() as (source, out):
        run(source, out, player, seconds, process_start())


@app.command(
    cls=Verb,
    help="Plays any open game on Botzone, in its JSON protocol.",
    epilog="Example: sevenfold botzone tic_tac_toe --keep-running",
)
def botzone(
    name: GameText,
    player: PlayerText = "uct",
    seconds: Seconds = 0.85,
    keep_running: Annotated[
        bool, typer.Option("--keep-running", help="Asks to be kept running between turns, so that the tree is kept.")
    ] = False,
    form: Annotated[
        Form, typer.Option("--as", help="How our moves are written: number, text, or point (row and column).")
    ] = Form.number,
    settings: Settings = None,
    preset: Preset = None,
    seed: Seed = None,
    language: Language = None,
) -> None:
    from sevenfold.protocols.botzone import run
    from sevenfold.protocols.reading import process_start

    rules = game(name, preset=preset, seed=seed or 0, **game_options(settings))
    with pipes() as (source, out):
        run(source, out, rules, player, seconds, process_start(), keep_running, form.value)
