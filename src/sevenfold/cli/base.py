"""What all verbs share: the application, common options, and how they answer people and programs."""

import json
import sys
from typing import Annotated

import typer

from sevenfold.help_screen import Verbs
from sevenfold.lang import t

app = typer.Typer(cls=Verbs, add_completion=False, rich_markup_mode="rich")

GameText = Annotated[
    str, typer.Argument(metavar="GAME", help="A name from `sevenfold games`, a .py file, or openspiel:NAME.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be given several times."),
]
Preset = Annotated[
    str | None, typer.Option(metavar="NAME", help="A set of options that the game offers (see `sevenfold games GAME`).")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Same seed, same chance.", show_default=False)]
# These two are read before typer sees the command line; they are declared to be accepted and explained.
Json = Annotated[bool, typer.Option("--json", help="Prints JSON, for programs.")]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="en|zh-TW", help="The language; by default that of the locale.")
]


_for_programs = False
"""Whether --json stands anywhere on the command line; like --lang it may come before or after the verb."""


def print_for(programs: bool) -> None:
    """Says whether the verbs print for programs or for people."""
    global _for_programs
    _for_programs = programs


def for_programs() -> bool:
    """Whether JSON is wanted."""
    return _for_programs


def printed_json(data: object) -> bool:
    """Prints for programs, if that is wanted."""
    if _for_programs:
        print(json.dumps(data, ensure_ascii=False))
        return True
    return False


def game_options(settings: list[str] | None) -> dict[str, str]:
    """The game options of a command line; the game itself reads and checks the values."""
    chosen = {}
    for text in settings or []:
        key, equals, value = text.partition("=")
        if not equals or not key.isidentifier():
            raise ValueError(t("write an option as NAME=VALUE, not {text!r}.", text=text))
        if key in ("name", "preset", "seed"):  # sf.game's own words
            raise ValueError(t("{key!r} is no option of a game; see --preset and --seed.", key=key))
        chosen[key] = value
    return chosen


def complain(sentence: str) -> None:
    print(f"sevenfold: {sentence}", file=sys.stderr)
