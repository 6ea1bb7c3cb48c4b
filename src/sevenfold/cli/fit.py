"""The verb `fit`: the weights of a linear evaluation, from games."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from sevenfold.cli.base import GameText, Json, Language, Preset, Settings, app, complain, game_options, printed_json
from sevenfold.game import Game, game
from sevenfold.help_screen import Verb
from sevenfold.lang import t

INTERRUPTED = 130


@app.command(
    "fit",
    cls=Verb,
    help="Fits the weights of a game's linear evaluation to games, recorded ones or new ones of self-play.",
    epilog="Example: sevenfold fit easycard --games 300 --player uct:simulations=200 --room",
)
def fit_weights(
    name: GameText,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The recorded games; with --games the file in which they are kept."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Plays so many games of self-play first.", show_default=False),
    ] = None,
    who: Annotated[
        str, typer.Option("--player", metavar="PLAYER", help="Who plays against itself.")
    ] = "uct:simulations=200",
    share: Annotated[
        float, typer.Option("--random", metavar="SHARE", min=0, max=1, help="The share of random moves in self-play.")
    ] = 0.1,
    loss: Annotated[str, typer.Option(metavar="logistic|squares", help="What the fit makes small.")] = "logistic",
    l2: Annotated[
        float, typer.Option(metavar="X", help="How strongly the weights are held near 0, in games' worth of evidence.")
    ] = 1.0,
    test_share: Annotated[
        float, typer.Option(metavar="SHARE", help="The share of the games that is held out to measure the result.")
    ] = 0.2,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Stores the weights in this file.")] = None,
    room: Annotated[
        bool, typer.Option("--room", help="Stores the weights in the game's room, where players find them.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed, same games.")] = 1,
    settings: Settings = None,
    preset: Preset = None,
    processes: Annotated[
        int | None, typer.Option(metavar="N", help="Games at once; by default one per core.", show_default=False)
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import fit_screen
    from sevenfold.evaluation import save_weights, term_names, weights_path
    from sevenfold.fit import fit

    if records is None and games is None:
        raise ValueError(t("give the games to fit to: --records FILE, or --games N to play them."))
    if room and out is not None:
        raise ValueError(t("give either --out or --room, not both."))
    drawn = preset if _is_drawn(name, preset) else None
    rules = game(name, preset=preset, seed=seed, **game_options(settings))
    term_names(rules)
    path = weights_path(rules) if room else out
    if room and path is None:
        raise ValueError(t("{game} has no room; name a file with --out.", game=rules.name))
    about: dict[str, Any] = {}
    found: Any = records
    kept = None
    if games is not None:
        kept = records or Path(f"{rules.name}-selfplay.jsonl")
        base = game(name, seed=seed, **game_options(settings)) if drawn else rules
        found = _played(base, drawn, games, who, seed, share, processes, kept)
        about = {"command": _command(name, preset, settings, games, who, share, loss, l2, test_share, seed)}
        about |= {"player": who, "random": share}
    either = bool(drawn) or (games is None and preset is None and not settings)  # as the records say
    chosen: Any = loss
    result = fit(found, rules, loss=chosen, l2=l2, test_share=test_share, seed=seed, any_options=either, about=about)
    if path is not None:
        save_weights(path, result.weights)
    stored = None if path is None else str(path)
    if not printed_json(result.to_json() | {"stored": stored, "records": str(kept or records)}):
        if kept is not None:
            fit_screen.games_in(kept)
        fit_screen.show(rules, result, stored, room, shlex.join([name, *_asked(preset, settings)]))


def _command(
    name: str,
    preset: str | None,
    settings: list[str] | None,
    games: int,
    who: str,
    share: float,
    loss: str,
    l2: float,
    test_share: float,
    seed: int,
) -> str:
    """The command that gives the same weights again, without the folders of this machine."""
    words = ["sevenfold", "fit", Path(name).name, *_asked(preset, settings)]
    words += ["--games", str(games), "--player", who, "--random", f"{share:g}"]
    words += ["--loss", loss, "--l2", f"{l2:g}", "--test-share", f"{test_share:g}", "--seed", str(seed)]
    return shlex.join(words)


def _asked(preset: str | None, settings: list[str] | None) -> list[str]:
    """The options of the game as they were typed."""
    words = [] if preset is None else ["--preset", preset]
    return words + [word for setting in settings or [] for word in ("--option", setting)]


def _is_drawn(name: str, preset: str | None) -> bool:
    """Whether a preset draws another board for every round."""
    return preset is not None and callable(getattr(game(name).room, "PRESETS", {}).get(preset))


def _played(
    rules: Game, preset: str | None, games: int, who: str, seed: int, share: float, processes: int | None, kept: Path
) -> Any:
    """The games of self-play; after Ctrl-C those played so far are in the file, and the same command goes on."""
    from sevenfold import scoreboard
    from sevenfold.selfplay import self_play

    with scoreboard.Running() as running:
        try:
            return self_play(
                rules, games, who, seed,
                preset=preset, share=share, processes=processes, record=kept, progress=running,
            )  # fmt: skip
        except KeyboardInterrupt:
            done = running.result.games if running.result else 0
    complain(t("{done} of {games} games are in {path}; the same command goes on.", done=done, games=games, path=kept))
    raise typer.Exit(INTERRUPTED)
