"""The verb `think`: a player's view of a position, and what its evaluation is worth (`--smoothness`)."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from sevenfold._core import CHANCE
from sevenfold.advisers import adviser
from sevenfold.cli.base import GameText, Json, Language, Preset, Seed, Settings, app, game_options, printed_json
from sevenfold.game import Game, game
from sevenfold.help_screen import Verb
from sevenfold.lang import t
from sevenfold.perft import Enough
from sevenfold.players import Player, player

INTERRUPTED = 130


@app.command(
    cls=Verb,
    help="Shows what a player thinks of a position: every move with its value, and the expected line.",
    epilog='Example: sevenfold think connect_four --moves "d d e" --player uct --seconds 5',
)
def think(
    name: GameText,
    moves: Annotated[str | None, typer.Option(metavar="TEXT", help='Starts after these moves: "d d e".')] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Starts from this position, in the game's own form.")
    ] = None,
    thinker: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help="Who thinks: uct, montecarlo:simulations=5000, perfect …; by default the game's strongest adviser.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="How long it may think.", show_default=False)
    ] = None,
    lines: Annotated[int, typer.Option(metavar="N", min=1, help="How many moves to show.")] = 10,
    smooth: Annotated[
        bool,
        typer.Option("--smoothness", help="Measures instead how much an evaluation changes from move to move."),
    ] = False,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="With --smoothness: games of self-play.")] = 50,
    judge: Annotated[
        str, typer.Option("--evaluation", metavar="auto|heuristic|linear", help="With --smoothness: which evaluation.")
    ] = "auto",
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --smoothness: other weights than those of the room.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="With --smoothness: draws it as a picture.")] = None,
    settings: Settings = None,
    preset: Preset = None,
    seed: Seed = None,
    as_json: Json = False,
    language: Language = None,
) -> None:
    from sevenfold import think_screen

    if moves is not None and position is not None:
        raise ValueError(t("give either --moves or --position, not both."))
    rules = game(name, preset=preset, seed=seed or 0, **game_options(settings))
    if smooth:
        if moves is not None or position is not None:
            raise ValueError(t("--smoothness plays whole games; leave out --moves and --position."))
        return _measure(rules, games, thinker, seconds, judge, weights, 1 if seed is None else seed, plot)
    thinker = thinker or adviser(rules)
    state = rules.parse(position) if position is not None else rules.after(moves or "", seed or 0)
    while state.to_move == CHANCE:
        state.play_chance()
    options: dict[str, Any] = {} if seconds is None else {"seconds": seconds}
    if seed is not None and "seed=" not in thinker:
        options["seed"] = seed
    seated = player(thinker, rules, **options)
    with _watched(seated, thinker) as watch:
        result = seated.think(state)
    if not printed_json(think_screen.to_json(state, thinker, result)):
        think_screen.show(state, thinker, result, lines)
    if watch.stopped:
        raise typer.Exit(INTERRUPTED)


def _measure(
    rules: Game,
    games: int,
    thinker: str | None,
    seconds: float | None,
    judge: Any,
    weights: Path | None,
    seed: int,
    plot: Path | None,
) -> None:
    """How smooth an evaluation is."""
    from sevenfold import scoreboard, smoothness_screen
    from sevenfold.selfplay import PLAYER
    from sevenfold.smoothness import smoothness

    thinker = thinker or (PLAYER if seconds is None else f"uct:seconds={seconds:g}")
    with scoreboard.Running() as running:
        result = smoothness(rules, games, thinker, judge, weights, seed, progress=running)
    if plot is not None:
        smoothness_screen.plot(result, plot)
    if not printed_json(result.to_json()):
        smoothness_screen.show(result)


class _Watch:
    """Shows the work done so far, and ends it on Ctrl-C with what was found."""

    def __init__(self, status: Any) -> None:
        self.stopped = False
        self._status = status
        self._seen = 0.0

    def __call__(self, done: int) -> None:
        self._seen = time.monotonic()
        if self.stopped:
            raise Enough
        if self._status:
            self._status.update(t("thinking … {done} tries", done=f"{done:,}"))

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """The first Ctrl-C asks the player for what it has, if it is one that can be asked; the second does not ask."""
        if self.stopped or time.monotonic() - self._seen > 1:
            raise KeyboardInterrupt
        self.stopped = True


@contextmanager
def _watched(seated: Player, name: str) -> Iterator[_Watch]:
    from rich.markup import escape

    from sevenfold.screen import console

    err = console(stderr=True)
    shown = err.is_terminal and not err.is_dumb_terminal
    status = err.status(t("{name} is thinking …", name=escape(name))) if shown else None
    watch = _Watch(status)
    seated.progress = watch
    main = threading.current_thread() is threading.main_thread()
    ours = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, watch.interrupt)
    if status:
        status.start()
    try:
        yield watch
    finally:
        if status:
            status.stop()
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
