"""The command line: one verb per job. `sevenfold --help`.

The verbs are declared in English; `lang.py` has the same texts in Chinese, put in before the command line is read.
Nothing here imports numpy, torch or onnxruntime, and rich only where something is printed.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Annotated

import typer

from sevenfold import __version__, lang
from sevenfold.check import CheckFailed, check
from sevenfold.game import game, game_names
from sevenfold.help_screen import Verb, Verbs, translate
from sevenfold.lang import t, title
from sevenfold.perft import perft

WRONG = 2
"""The exit code for a mistake of the caller."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""


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


def _print_version(wanted: bool) -> None:
    """Eager, so that it answers before typer loads what the other options need."""
    if wanted:
        if not _as_json({"version": __version__}):
            print(f"sevenfold {__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    help="Sevenfold plays, analyses and learns games.",
    epilog="Example: sevenfold play connect_four --against montecarlo",
)
def _start(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Prints the version.", is_eager=True, callback=_print_version)
    ] = False,
    as_json: Json = False,
    language: Language = None,
) -> None:
    if ctx.invoked_subcommand is None:
        print(ctx.get_help(), end="")


@app.command(
    cls=Verb,
    help="Lists the games, or shows one of them with its options and presets.",
    epilog="Example: sevenfold games connect_four",
)
def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="One game to show.")] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import listing

    if name:
        found = game(name)
        if not _as_json(listing.facts(found)):
            listing.show_game(found)
        return
    house = [game(each) for each in game_names()]
    if not _as_json([listing.facts(each) for each in house]):
        listing.show_games(house)


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
    hint: Annotated[str | None, typer.Option(metavar="PLAYER", help="Who gives the hints.")] = None,
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
    rules = game(name, preset=preset, seed=seed, **_options(settings))
    names = terminal.seat_names(rules, against or [], seat, watch, seed)
    screen = (JsonScreen if _for_programs else Screen)(rules, names)
    with ExitStack() as stack:
        writer = stack.enter_context(RecordWriter(record)) if record else None
        sitting = terminal.Sitting(rules, names, screen, seed, hint, writer)
        if hint:
            terminal.seated(hint, rules, seed)  # a wrong name is told now, not at the first hint
        sitting.run()


@app.command(
    "perft",
    cls=Verb,
    help="Counts the action sequences of a length, or the distinct positions they lead to.",
    epilog="Example: sevenfold perft connect_four --depth 8 --distinct",
)
def count(
    name: GameText,
    depth: Annotated[int, typer.Option(metavar="N", help="How many plies.")],
    distinct: Annotated[bool, typer.Option("--distinct", help="Counts each position once.")] = False,
    settings: Settings = None,
    preset: Preset = None,
    seed: Seed = None,
    moves: Annotated[str | None, typer.Option(metavar="TEXT", help='Starts after these moves: "d d e".')] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Starts from this position, in the game's own form.")
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import listing

    if moves is not None and position is not None:
        raise ValueError(t("give either --moves or --position, not both."))
    rules = game(name, preset=preset, seed=seed or 0, **_options(settings))
    text = f"moves: {moves}" if moves is not None else position
    state = rules.new(seed or 0) if text is None else rules.parse(text)
    start = time.perf_counter()
    with listing.counting() as progress:
        counts = perft(state, depth, distinct, detail=True, progress=progress)
    seconds = time.perf_counter() - start
    speed = {"seconds": round(seconds, 6), "nodes_per_second": round(counts.total / max(seconds, 1e-9))}
    if not _as_json({"game": rules.name, "options": rules.options, **counts.to_json(), **speed}):
        listing.show_perft(rules, counts, seconds)


@app.command(
    "check",
    cls=Verb,
    help="Tests that a game keeps the rules of the house: legal actions, copies, texts, hidden information …",
    epilog="Example: sevenfold check my_game.py --games 100",
)
def conformance(
    name: GameText,
    number: Annotated[int, typer.Option("--games", metavar="N", help="How many random games to play.")] = 20,
    settings: Settings = None,
    preset: Preset = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same games.")] = 1,
    as_json: Json = False,
    language: Language = None,
) -> None:
    rules = game(name, preset=preset, seed=seed, **_options(settings))
    try:
        report = check(rules, number, seed)
    except CheckFailed as failure:
        _as_json({"game": rules.spec, "ok": False, "failure": str(failure)})
        _complain(str(failure))
        raise typer.Exit(1) from None
    if not _as_json({"ok": True, **report.to_json()}):
        from sevenfold import listing

        listing.show_check(report)


@app.command(
    "new-game",
    cls=Verb,
    help="Writes a complete small game to start from: a room of the house, or one Python file.",
    epilog="Example: sevenfold new-game my_game --python",
)
def start_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game's name, in snake_case.")],
    python: Annotated[bool, typer.Option("--python", help="Rules in Python instead of C++.")] = False,
    at: Annotated[
        Path, typer.Option(metavar="DIR", help="The source checkout, or the folder to write into.", show_default=False)
    ] = Path(),
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import new_game

    made = new_game.write(name, python=python, at=at)
    if not _as_json(made.to_json()):
        print(made)


def _as_json(data: object) -> bool:
    """Prints for programs, if that is wanted."""
    if _for_programs:
        print(json.dumps(data, ensure_ascii=False))
        return True
    return False


def _options(settings: list[str] | None) -> dict[str, str]:
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


def _complain(sentence: str) -> None:
    print(f"sevenfold: {sentence}", file=sys.stderr)


def _sentence(error: BaseException) -> str | None:
    """What went wrong, for the person who typed; None for an error that is ours, whose traceback we want."""
    notes = [note for note in getattr(error, "__notes__", []) if note.startswith("raised by")]
    if notes:  # a Python game's own exception: its author wants to know where
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({notes[0]}, {Path(frame.filename).name} line {frame.lineno})"
    if hasattr(error, "format_message"):  # a wrong option or argument
        ctx = getattr(error, "ctx", None)
        message = " ".join(error.format_message().split()).rstrip(".")
        return t("{message}; see {command} --help.", message=message, command=ctx.command_path if ctx else "sevenfold")
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}."
    if isinstance(error, ValueError | ImportError | OSError):
        return str(error)
    return None


def run(argv: list[str]) -> int:
    """One command; its exit code."""
    global _for_programs
    _for_programs = "--json" in argv
    try:
        lang.use(lang.chosen(argv, os.environ))
        command = typer.main.get_command(app)
        translate(command)
        code = command.main(argv, prog_name="sevenfold", standalone_mode=False)
        if code == INTERRUPTED:
            _complain(t("stopped."))
        return code if isinstance(code, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        _complain(t("stopped."))
        return INTERRUPTED
    except SystemExit as error:
        if (sentence := _sentence(error)) is None:
            raise
        _complain(sentence)  # a game that wants to end the program has failed
        return WRONG
    except BrokenPipeError:  # `sevenfold games | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if (sentence := _sentence(error)) is None:
            raise
        _complain(sentence)
        return WRONG


def main() -> None:
    """The console entry point."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="replace")  # an odd byte or sign is no reason to stop
    for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
        if number is not None:  # a closed window ends a game like Ctrl-C: it is recorded
            signal.signal(number, signal.default_int_handler)
    warnings.showwarning = lambda message, *_: _complain(str(message))
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
