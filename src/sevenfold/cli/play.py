"""The verb `play`."""

import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from sevenfold.cli.base import Json, Language, Preset, Seed, Settings, app, for_programs, game_options
from sevenfold.game import game, game_names
from sevenfold.help_screen import Verb
from sevenfold.lang import t, title


@app.command(
    cls=Verb,
    help="Plays a game in the terminal, against any player or another person.",
    epilog="Example: sevenfold play connect_four --option rows=9 --against montecarlo:simulations=5000 --seat 2",
)
def play(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The game, as for the other verbs; without it, a menu."),
    ] = None,
    settings: Settings = None,
    preset: Preset = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="Who takes the other seats, in order: random, montecarlo:simulations=5000, human …",
        ),
    ] = None,
    seat: Annotated[
        str, typer.Option(metavar="N|random", help="Where you sit, from 1; the first seat usually moves first.")
    ] = "1",
    seed: Seed = None,
    hint: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Who gives the hints; by default the game's strongest adviser.")
    ] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Appends every game to this file.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Nobody plays: all seats are taken by --against.")] = False,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from contextlib import ExitStack

    from sevenfold import terminal
    from sevenfold.json_screen import JsonScreen
    from sevenfold.records import RecordWriter
    from sevenfold.screen import Screen

    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    if name is None:
        name = _menu()
    rules = game(name, preset=preset, seed=seed, **game_options(settings))
    names = terminal.seat_names(rules, against or [], seat, watch, seed)
    screen = (JsonScreen if for_programs() else Screen)(rules, names)
    with ExitStack() as stack:
        writer = stack.enter_context(RecordWriter(record)) if record else None
        sitting = terminal.Sitting(rules, names, screen, seed, hint, writer)
        if hint:
            terminal.seated(hint, rules, seed)  # a wrong name is told now, not at the first hint
        sitting.run()


def _menu() -> str:
    """Asks which game to play."""
    names = game_names()
    if not sys.stdin.isatty():
        raise ValueError(t("name a game to play: {games}.", games=", ".join(names)))
    for number, name in enumerate(names, start=1):
        print(f"  {number}  {title(game(name))} ({name})")
    while True:
        try:
            typed = input(t("Which game? (number or name): ")).strip()
        except EOFError:
            print()
            raise ValueError(t("name a game to play: {games}.", games=", ".join(names))) from None
        if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(names):
            return names[int(typed) - 1]
        if typed in names:
            return typed
