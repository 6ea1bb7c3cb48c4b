"""The verb `yardstick`: how often a player's moves give something away, on solved positions."""

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from sevenfold.cli.base import GameText, Json, Language, Preset, Settings, app, game_options, printed_json
from sevenfold.game import Game, game
from sevenfold.help_screen import Verb
from sevenfold.lang import t

INTERRUPTED = 130
LIMITS = ("simulations", "seconds", "nodes")
OF_THE_NET = ("net", "evaluator", "precision")


@app.command(
    "yardstick",
    cls=Verb,
    help="Measures how often a player's move gives away a win or a draw, on solved positions of growing difficulty.",
    epilog="Example: sevenfold yardstick connect_four --player uct --simulations 1000 --limit 100",
)
def measure(
    name: GameText,
    who: Annotated[
        str,
        typer.Option("--player", metavar="PLAYER", help="Who is measured; alphazero also by its net alone."),
    ] = "alphazero",
    net: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="The net: a file, or the folder of a training run.", show_default=False),
    ] = None,
    simulations: Annotated[
        int, typer.Option(metavar="K", min=1, help="Simulations per move, where the player takes them.")
    ] = 600,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The first N positions of each set; by default all.", show_default=False),
    ] = None,
    sets: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Sets from files in this folder instead of the game's own.", show_default=False
        ),
    ] = None,
    settings: Settings = None,
    preset: Preset = None,
    processes: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Positions at once; by default one per core.", show_default=False),
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import yardstick_screen
    from sevenfold.yardstick import standard_of, yardstick

    rules = game(name, preset=preset, seed=0, **game_options(settings))
    standard_of(rules)
    players = _players(rules, who, net, simulations)
    stopped = True
    with yardstick_screen.Running() as running:
        try:
            yardstick(
                rules, players, limit=limit, folder=sets, processes=processes, progress=running, judging=running.judging
            )
            stopped = False
        except KeyboardInterrupt:
            pass
    if running.result is not None and not printed_json(running.result.to_json()):
        yardstick_screen.show(rules, running.result)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _players(rules: Game, text: str, net: str | None, simulations: int) -> dict[str, Callable[[], Any]]:
    """Who is measured, by name; of a search with a net, the net alone first."""
    from sevenfold.players import player, players

    kind, _, given = text.partition(":")
    words = [part for part in given.split(",") if part]
    names = {word.partition("=")[0].strip() for word in words}
    found = players(rules)
    fields = {field.name for field in dataclasses.fields(found[kind])} if kind in found else set()
    options: dict[str, Any] = {}
    if net is not None:
        if "net" not in fields:
            raise ValueError(t("{player} takes no net; leave out --net.", player=kind))
        options["net"] = net
    counted = "simulations" in fields and not names & set(LIMITS)
    label = text
    if counted:
        label += f"{',' if words else ':'}simulations={simulations}"
    out: dict[str, Callable[[], Any]] = {}
    if kind == "alphazero":
        alone = ",".join(word for word in words if word.partition("=")[0].strip() in OF_THE_NET)
        out["policy"] = partial(player, f"policy:{alone}", rules, **options)
    out[label] = partial(player, text, rules, **options, **({"simulations": simulations} if counted else {}))
    return out
