"""The verb `export`: a run's net as files for others."""

import json
from pathlib import Path
from typing import Annotated

import typer

from sevenfold.cli.base import Json, Language, app, printed_json
from sevenfold.help_screen import Verb


@app.command(
    "export",
    cls=Verb,
    help="Writes a run's net as ONNX and safetensors, with a model card.",
    epilog="Example: sevenfold export runs/connect_four-laptop --out nets --name mine",
)
def export_net(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write it.")] = Path("."),
    name: Annotated[str, typer.Option(metavar="NAME", help="The files' name.")] = "net",
    command: Annotated[str, typer.Option(metavar="TEXT", help="How it was made, for the card.")] = "",
    figures: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What `yardstick --json` printed, for the card.", show_default=False),
    ] = None,
    varied: Annotated[
        list[str] | None,
        typer.Option(
            "--any",
            metavar="OPTION",
            help="An option of the game that does not matter to the net, which plays with any value; may be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold.train.run import Run
    from sevenfold.train.ship import export

    measured = None
    if figures is not None:
        try:
            measured = json.loads(figures.read_text(encoding="utf-8"))
            measured["players"], measured["sets"]
        except (OSError, ValueError, KeyError, TypeError):
            raise ValueError(f"{figures} is not what `sevenfold yardstick --json` printed.") from None
    if not name or Path(name).name != name:
        raise ValueError(f"a net's name is the name of a file, not {name!r}.")
    written = export(Run(folder), out, name, command, measured, varied or ())
    if not printed_json({"net": str(written)}):
        print(written)
