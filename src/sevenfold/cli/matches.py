"""The verbs that compare players: `match`, `tournament`, `ratings`."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from sevenfold.cli.base import GameText, Json, Language, Preset, Settings, app, game_options, printed_json
from sevenfold.game import game
from sevenfold.help_screen import Verb
from sevenfold.lang import t
from sevenfold.rating import Sprt

INTERRUPTED = 130

Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER…", help="The players: random, uct:simulations=1000, perfect …")
]
MatchSeed = Annotated[int, typer.Option(metavar="N", help="Same seed, same games.")]
OpeningPlies = Annotated[
    int, typer.Option(metavar="N", help="Every opening begins with so many random moves; the same for every seating.")
]
Seconds = Annotated[
    float | None, typer.Option(metavar="S", help="Time per move; who takes longer loses the game.", show_default=False)
]
Processes = Annotated[
    int | None, typer.Option(metavar="N", help="Games at once; by default one per core.", show_default=False)
]
RecordFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Appends every game to this file.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Goes on: games that the --record file holds already are not played again.")
]
Ratings = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Adds the result to this rating list, and shows the list.")
]
Anchor = Annotated[
    str | None, typer.Option(metavar="PLAYER", help="Whose Elo is 0; without it, the mean is.", show_default=False)
]


def _sprt(text: str | None) -> Sprt | None:
    if text is None:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = 0.0
    if not -10_000 < low < high < 10_000:
        raise ValueError(t("write the two hypotheses as --sprt ELO0,ELO1, such as 0,20, not {text!r}.", text=text))
    return Sprt(low, high)


@app.command(
    "match",
    cls=Verb,
    help="Plays many games between players, with fair seats, and says what the result means.",
    epilog="Example: sevenfold match connect_four uct:simulations=1000 montecarlo --games 200 --opening-plies 4",
)
def compare(
    name: GameText,
    players: Players,
    games: Annotated[int, typer.Option(metavar="N", help="How many games; rounded up to full rounds.")] = 100,
    seed: MatchSeed = 1,
    settings: Settings = None,
    preset: Preset = None,
    opening_plies: OpeningPlies = 0,
    seconds: Seconds = None,
    processes: Processes = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stops as soon as a sequential test tells these two differences apart."),
    ] = None,
    duplicate: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="Two players, every deal again with other seatings: one (first among copies of the second), "
            "others, both, all.",
        ),
    ] = None,
    record: RecordFile = None,
    resume: Resume = False,
    ratings: Ratings = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import scoreboard
    from sevenfold.match import match

    rules, test = game(name, preset=None, seed=0, **game_options(settings)), _sprt(sprt)
    play = partial(match, rules, players, games, seed, preset=preset, opening_plies=opening_plies, sprt=test)
    play = partial(play, duplicate=duplicate)
    play = partial(play, seconds=seconds, processes=processes, record=record, resume=resume)
    _run(play, ratings, scoreboard.show_match)


@app.command(
    "tournament",
    cls=Verb,
    help="Plays everyone against everyone, and rates them from all games together.",
    epilog="Example: sevenfold tournament tic_tac_toe random montecarlo uct:simulations=100 --rounds 20",
)
def everyone(
    name: GameText,
    players: Players,
    rounds: Annotated[
        int, typer.Option(metavar="N", help="Openings; everyone plays everyone on each, on every seat.")
    ] = 10,
    seed: MatchSeed = 1,
    settings: Settings = None,
    preset: Preset = None,
    opening_plies: OpeningPlies = 0,
    seconds: Seconds = None,
    processes: Processes = None,
    anchor: Anchor = None,
    record: RecordFile = None,
    resume: Resume = False,
    ratings: Ratings = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import scoreboard
    from sevenfold.tournament import tournament

    rules = game(name, preset=None, seed=0, **game_options(settings))
    play = partial(tournament, rules, players, rounds, seed, preset=preset, opening_plies=opening_plies, anchor=anchor)
    play = partial(play, seconds=seconds, processes=processes, record=record, resume=resume)
    _run(play, ratings, scoreboard.show_tournament)


def _run(play: Callable[..., Any], path: Path | None, show: Callable[[Any], None]) -> None:
    """Plays, and prints the result, or after Ctrl-C what there is of it."""
    from sevenfold import scoreboard

    with scoreboard.Running() as running:
        stopped = True
        with suppress(KeyboardInterrupt):
            play(ratings=path, progress=running)
            stopped = False
    result: Any = running.result
    if result is not None:
        data = result.to_json()
        if path:
            data["ratings"] = _list(path, result.game, None)
        if not printed_json(data):
            show(result)
            if path:
                _show_list(path, result.game, None)
    if stopped:
        raise typer.Exit(INTERRUPTED)


@app.command(
    "ratings",
    cls=Verb,
    help="Shows a rating list that --ratings has written.",
    epilog="Example: sevenfold ratings ratings.jsonl --anchor random",
)
def show_list(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The rating list.")],
    name: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Only this game, written as the list does.")
    ] = None,
    anchor: Anchor = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import ratings

    found = ratings.games(ratings.read(path))
    if name is None and not found:
        raise ValueError(t("{path} holds no results yet.", path=str(path)))
    games = found if name is None else [name]
    if printed_json({each: _list(path, each, anchor) for each in games}):
        return
    for each in games:
        _show_list(path, each, anchor)


def _list(path: Path, name: str, anchor: str | None) -> list[dict[str, Any]]:
    from sevenfold import ratings

    return [row.to_json() for row in ratings.rated(ratings.read(path), name, anchor)]


def _show_list(path: Path, name: str, anchor: str | None) -> None:
    from sevenfold import ratings, scoreboard

    entries = ratings.read(path)
    rows = ratings.rated(entries, name, anchor)
    scoreboard.show_ratings(name, ratings.kind([entry for entry in entries if entry.game == name]), rows)
