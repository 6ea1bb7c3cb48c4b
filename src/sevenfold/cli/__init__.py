"""The command line: one verb per job. `sevenfold --help`.

The verbs are declared in English; `lang.py` has the same texts in Chinese, put in before the command line is read.
Nothing here imports numpy, torch or onnxruntime, and rich only where something is printed.
"""

import os
import signal
import sys
import traceback
import warnings
from pathlib import Path
from typing import Annotated

import typer

from sevenfold import __version__, lang

# The verbs enter the application in this order.
from sevenfold.cli import games, play, think, fit, train, export, review, matches, yardstick, engines, tetris, serve  # isort: skip  # noqa: F401
from sevenfold.cli.base import Json, Language, app, complain, print_for, printed_json
from sevenfold.help_screen import translate
from sevenfold.lang import t

WRONG = 2
"""The exit code for a mistake of the caller."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def _print_version(wanted: bool) -> None:
    """Eager, so that it answers before typer loads what the other options need."""
    if wanted:
        if not printed_json({"version": __version__}):
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
    if isinstance(error, MemoryError):
        return t("there is not enough memory for that.")
    if isinstance(error, ValueError | ImportError | OSError):
        return str(error)
    return None


def run(argv: list[str]) -> int:
    """One command; its exit code."""
    print_for(programs="--json" in argv)
    try:
        lang.use(lang.chosen(argv, os.environ))
        command = typer.main.get_command(app)
        translate(command)
        code = command.main(argv, prog_name="sevenfold", standalone_mode=False)
        if code == INTERRUPTED:
            complain(t("stopped."))
        return code if isinstance(code, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        complain(t("stopped."))
        return INTERRUPTED
    except SystemExit as error:
        if (sentence := _sentence(error)) is None:
            raise
        complain(sentence)  # a game that wants to end the program has failed
        return WRONG
    except BrokenPipeError:  # `sevenfold games | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if (sentence := _sentence(error)) is None:
            raise
        complain(sentence)
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
    warnings.showwarning = lambda message, *_: complain(str(message))
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
