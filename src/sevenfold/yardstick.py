"""The yardstick: how often a player's move gives away the result of a solved position, set by set.

    yardstick(game, ["policy", "alphazero:simulations=600"])

A mistake is a move after which the mover can no longer force the best result (win, draw, loss) it could have forced.
A room offers the positions and their verdicts as `YARDSTICK`, a `Standard`, and says by `YARDSTICK_NOTE` (and `_ZH`)
where the figures of others come from; nothing here knows a game.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.players import Player, player

Makers = Mapping[str, Callable[[], Player]]
"""Players by the names they are shown by; each process makes its own."""


@dataclass(frozen=True)
class Position:
    """One question of a set."""

    actions: tuple[int, ...]
    """How the position came about."""
    keeps: frozenset[int] | None
    """The actions that keep its value; None where that is not known yet."""


@runtime_checkable
class Standard(Protocol):
    """What a room offers as `YARDSTICK`."""

    spec: str
    """The game that its positions are of, as `sf.game` reads it."""
    published: dict[str, dict[str, str]]
    """What others have published, by their name and the set's: shares of mistakes in per cent, as text."""

    def sets(self, folder: Path | None) -> dict[str, list[Position]]:
        """The room's own sets by name, easy ones first; with a folder, those of files in it."""

    def judge(self, game: Game, position: Position, progress: Callable[[int], None] | None) -> Position:
        """The position with its verdict, found by the room's means and kept for the next time."""


@dataclass
class Tally:
    """What came of one set."""

    planned: int = 0
    positions: dict[str, int] = field(default_factory=dict)
    """How many positions each player has been asked about."""
    mistakes: dict[str, int] = field(default_factory=dict)

    def share(self, name: str) -> float | None:
        """The share of mistakes; None before the first answer."""
        return self.mistakes[name] / self.positions[name] if self.positions.get(name) else None


@dataclass
class Measured:
    """What has been measured so far."""

    game: str
    players: list[str]
    sets: dict[str, Tally]
    published: dict[str, dict[str, str]]
    seconds: float = 0.0

    @property
    def planned(self) -> int:
        """Answers that are wanted."""
        return sum(tally.planned for tally in self.sets.values()) * len(self.players)

    @property
    def done(self) -> int:
        """Answers there are."""
        return sum(sum(tally.positions.values()) for tally in self.sets.values())

    def to_json(self) -> dict[str, Any]:
        """The same for programs; `positions` and `mistakes` are those of the last player, the strongest one asked."""
        last = self.players[-1]
        return {
            "game": self.game,
            "players": self.players,
            "sets": {
                name: {
                    "positions": tally.positions.get(last, 0),
                    "mistakes": tally.mistakes.get(last, 0),
                    "players": {
                        who: {"positions": tally.positions.get(who, 0), "mistakes": tally.mistakes.get(who, 0)}
                        for who in self.players
                    },
                    "published": {who: figures[name] for who, figures in self.published.items() if name in figures},
                }
                for name, tally in self.sets.items()
            },
            "seconds": self.seconds,
        }


def standard_of(game: Game) -> Standard:
    """The yardstick that a game's room offers; ValueError where it offers none, or for other options."""
    found = getattr(game.room, "YARDSTICK", None)
    if not isinstance(found, Standard):
        raise ValueError(f"the room of {game.name} offers no YARDSTICK to measure players by.")
    if found.spec != game.spec:
        raise ValueError(f"the yardstick of {game.name} is for {found.spec}, not for {game.spec}.")
    return found


def yardstick(
    game: Game,
    players: Sequence[str] | Makers,
    *,
    limit: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    progress: Callable[[Measured], None] | None = None,
    judging: Callable[[int, int], None] | None = None,
) -> Measured:
    """Asks players, by their texts or as makers by name, about every position of every set.

    limit: the first so many positions of each set.
    folder: sets from files in it instead of the room's own.
    processes: positions at once; by default one per core. Each position is met with a fresh tree, so that the answers
        of players that do not draw by chance do not depend on how many.
    progress: called with the result so far; what is raised in it ends the measurement.
    judging: called with how many verdicts are there of those that had to be found first.
    """
    standard = standard_of(game)
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be 1 or more, not {shown(limit)}.")
    if processes is not None and processes < 1:
        raise ValueError(f"processes must be 1 or more, not {shown(processes)}.")
    if not players or len(set(players)) < len(players):
        raise ValueError("name at least one player, and each once.")
    makers = players if isinstance(players, Mapping) else {text: partial(player, text, game) for text in players}
    for make in makers.values():
        make()  # a wrong one is refused before the work begins
    sets = {name: some[:limit] for name, some in standard.sets(Path(folder) if folder is not None else None).items()}
    sets = judged(game, standard, sets, judging)
    tallies = {name: Tally(len(positions)) for name, positions in sets.items()}
    result = Measured(game.spec, list(players), tallies, standard.published)
    if progress:
        progress(result)
    start = time.monotonic()
    questions = [(name, who, one) for name, some in sets.items() for one in some for who in players]
    for name, who, wrong in answers(game, makers, questions, processes):
        tally = tallies[name]
        tally.positions[who] = tally.positions.get(who, 0) + 1
        tally.mistakes[who] = tally.mistakes.get(who, 0) + wrong
        result.seconds = time.monotonic() - start
        if progress:
            progress(result)
    return result


def judged(
    game: Game,
    standard: Standard,
    sets: dict[str, list[Position]],
    judging: Callable[[int, int], None] | None = None,
) -> dict[str, list[Position]]:
    """The sets with every verdict, in the order given: each is kept as it is found, so that nothing is lost."""
    total = sum(one.keeps is None for some in sets.values() for one in some)
    found = 0

    def verdict(one: Position) -> Position:
        nonlocal found
        if one.keeps is not None:
            return one
        tick = partial(judging, found, total) if judging else None
        out = standard.judge(game, one, (lambda _: tick()) if tick else None)
        found += 1
        if judging:
            judging(found, total)
        return out

    return {name: [verdict(one) for one in some] for name, some in sets.items()}


Question = tuple[str, str, Position]
Answer = tuple[str, str, bool]


def is_mistake(thinker: Player, state: State, keeps: frozenset[int]) -> bool:
    """Whether a player's move gives something away; it has forgotten earlier positions."""
    thinker.reset()
    return thinker.think(state).action not in keeps


def answers(game: Game, makers: Makers, questions: list[Question], processes: int | None) -> Iterator[Answer]:
    """Set, player and whether it was a mistake, of every question, as they come."""
    many = min(processes or os.cpu_count() or 1, max(1, len(questions)))
    if many == 1:
        yield from _asked(game, makers, questions)
        return
    context = get_context("fork")  # any game and player that this process knows
    pipes, workers = [], []
    try:
        for part in range(many):
            ours, theirs = context.Pipe(duplex=False)
            # Dealt out position by position, so that hard sets and slow players are shared.
            mine = [one for i, one in enumerate(questions) if i // len(makers) % many == part]
            worker = context.Process(target=_serve, args=(game, makers, mine, theirs), daemon=True)
            worker.start()
            theirs.close()
            pipes.append(ours)
            workers.append(worker)
        while pipes:
            for ready in connection.wait(pipes):
                assert isinstance(ready, connection.Connection)
                try:
                    sent = ready.recv()
                except EOFError:
                    pipes.remove(ready)
                    continue
                if isinstance(sent, BaseException):
                    raise sent
                yield sent
        for worker in workers:
            worker.join()
            if worker.exitcode:
                raise ValueError(f"a process of the yardstick ended with exit code {worker.exitcode}.")
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _asked(game: Game, makers: Makers, questions: list[Question]) -> Iterator[Answer]:
    made: dict[str, Player] = {}
    for name, who, one in questions:
        if who not in made:
            made[who] = makers[who]()
        assert one.keeps is not None
        yield name, who, is_mistake(made[who], game.replay(list(one.actions)), one.keeps)


def _serve(game: Game, makers: Makers, questions: list[Question], pipe: Any) -> None:
    """What a process does; Ctrl-C is the parent's to answer, which ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError):
        try:
            for answer in _asked(game, makers, questions):
                pipe.send(answer)
        except Exception as error:
            pipe.send(error)
    pipe.close()
