"""The verbs about games themselves: `games`, `perft`, `check`, `new-game`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from sevenfold.check import CheckFailed, check
from sevenfold.cli.base import (
    GameText,
    Json,
    Language,
    Preset,
    Seed,
    Settings,
    app,
    complain,
    game_options,
    printed_json,
)
from sevenfold.game import Game, game, game_names
from sevenfold.help_screen import Verb
from sevenfold.lang import t
from sevenfold.perft import perft


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
        if not printed_json(listing.facts(found)):
            listing.show_game(found)
        return
    house = [game(each) for each in game_names()]
    if not printed_json([listing.facts(each) for each in house]):
        listing.show_games(house)


@app.command(
    "perft",
    cls=Verb,
    help="Counts the action sequences of a length, or the distinct positions they lead to.",
    epilog="Example: sevenfold perft connect_four --depth 8 --distinct",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},  # what a room counts in its own way
)
def count(
    context: typer.Context,
    name: GameText,
    depth: Annotated[int | None, typer.Option(metavar="N", help="How many plies.")] = None,
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
    rules = game(name, preset=preset, seed=seed or 0, **game_options(settings))
    if context.args:
        return count_as_the_room(rules, context.args)
    if depth is None:
        raise ValueError(t("give --depth, the number of plies to count."))
    text = f"moves: {moves}" if moves is not None else position
    state = rules.new(seed or 0) if text is None else rules.parse(text)
    start = time.perf_counter()
    with listing.counting() as progress:
        counts = perft(state, depth, distinct, detail=True, progress=progress)
    seconds = time.perf_counter() - start
    speed = {"seconds": round(seconds, 6), "nodes_per_second": round(counts.total / max(seconds, 1e-9))}
    if not printed_json({"game": rules.name, "options": rules.options, **counts.to_json(), **speed}):
        listing.show_perft(rules, counts, seconds)


def count_as_the_room(rules: Game, words: list[str]) -> None:
    """A perft of the room's own: its function `perft(given, progress)` takes the options that the verb does not know
    (a flag is True) and returns what is printed, with a `count`."""
    from sevenfold import listing

    own = getattr(rules.room, "perft", None)
    given: dict[str, str | bool] = {}
    words = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    while words:
        word = words.pop(0)
        if own is None or not word.startswith("--"):
            raise ValueError(t("perft has no option {word} for {game}.", word=word, game=rules.name))
        given[word[2:]] = words.pop(0) if words and not words[0].startswith("--") else True
    assert own is not None
    start = time.process_time()
    with listing.counting() as progress:
        counted = own(given, progress)
    seconds = time.process_time() - start
    speed = {"seconds": round(seconds, 6), "nodes_per_second": round(counted["count"] / max(seconds, 1e-9))}
    if not printed_json({"game": rules.name, **counted, **speed}):
        listing.show_count(rules, counted["count"], seconds)


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
    rules = game(name, preset=preset, seed=seed, **game_options(settings))
    try:
        report = check(rules, number, seed)
    except CheckFailed as failure:
        printed_json({"game": rules.spec, "ok": False, "failure": str(failure)})
        complain(str(failure))
        raise typer.Exit(1) from None
    if not printed_json({"ok": True, **report.to_json()}):
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
    if not printed_json(made.to_json()):
        print(made)
