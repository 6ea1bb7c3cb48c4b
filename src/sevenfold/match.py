"""Matches: two or more players, many games, fair seats, and what the result means.

Games come in rounds of one opening each: everyone sits everywhere once on the same board, deal and seed. So luck in
the opening and the advantage of a seat cancel, and the spread of the rounds' scores gives the interval.
"""

import contextlib
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from sevenfold import rating
from sevenfold._core import CHANCE, TERMINAL, State
from sevenfold.game import Game
from sevenfold.game import game as game_named
from sevenfold.options import shown
from sevenfold.players import player as player_named
from sevenfold.rating import Sprt
from sevenfold.records import Record, RecordWriter


@dataclass(frozen=True)
class Played:
    """One game of a match."""

    number: int
    seats: list[int]
    """Which player sat where."""
    points: list[float]
    """Points by player: 1 for a win, a half for a draw; shares of the ranks beaten where there are more than two."""
    record: Record
    fault: str | None = None
    """Who broke down, and how; that player has lost."""


@dataclass
class Match:
    """The result of a match, from the first player's side."""

    game: str
    players: list[str]
    played: list[Played] = field(default_factory=list)
    verdict: str | None = None
    """What the sequential test said, where one was asked for."""
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.played)

    def points(self, player: int = 0) -> float:
        """Points of a player."""
        return sum(one.points[player] for one in self.played)

    def share(self, player: int = 0) -> float:
        """The share of the points that a player got: 0.5 is even for two players."""
        return self.points(player) / max(self.games, 1)

    @property
    def score(self) -> float:
        """The first player's share of the points."""
        return self.share(0)

    def _count(self, points: float) -> int:
        return sum(one.points[0] == points for one in self.played)

    @property
    def wins(self) -> int:
        """Games the first player won outright."""
        return self._count(1.0)

    @property
    def losses(self) -> int:
        """Games it came last in."""
        return self._count(0.0)

    @property
    def draws(self) -> int:
        """All others."""
        return self.games - self.wins - self.losses

    def round_scores(self, player: int = 0) -> list[float]:
        """The mean score of each complete round of seats on one opening."""
        size = len(self.players)
        by_round: dict[int, list[float]] = {}
        for one in self.played:
            by_round.setdefault(one.number // size, []).append(one.points[player])
        return [sum(scores) / size for _, scores in sorted(by_round.items()) if len(scores) == size]

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return rating.score_interval(self.round_scores() or [one.points[0] for one in self.played])

    @property
    def elo(self) -> float:
        """The Elo difference that the score means (for two players)."""
        return rating.elo_of(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of the Elo difference."""
        low, high = self.score_interval
        return rating.elo_of(low), rating.elo_of(high)

    @property
    def faults(self) -> list[str]:
        """What went wrong with players."""
        return [one.fault for one in self.played if one.fault]

    def to_json(self) -> dict[str, Any]:
        """The same for programs; an infinite Elo is null."""

        def finite(x: float) -> float | None:
            return x if math.isfinite(x) else None

        return {
            "game": self.game,
            "players": self.players,
            "games": self.games,
            "points": [self.points(p) for p in range(len(self.players))],
            "score": self.score,
            "score_interval": list(self.score_interval),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "elo": finite(self.elo),
            "elo_interval": [finite(x) for x in self.elo_interval],
            "verdict": self.verdict,
            "faults": self.faults,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class _Table:
    """What a worker needs to play any game of the match."""

    game: Game | str
    preset: str | None
    players: Sequence[str]
    seed: int
    opening_plies: int
    seconds: float | None

    def rules(self, opening: int) -> Game:
        if isinstance(self.game, Game) and self.preset is None:
            return self.game
        name = self.game.name if isinstance(self.game, Game) else self.game
        return game_named(name, preset=self.preset, seed=_seed(self.seed, opening, 1))

    def play(self, number: int) -> Played:
        """One game: its opening, its seats, and what happened."""
        size = len(self.players)
        opening, turned = divmod(number, size)
        seats = [(seat + turned) % size for seat in range(size)]
        rules = self.rules(opening)
        if rules.players != size:
            raise ValueError(f"{rules.name} is for {rules.players} players, not {size}.")
        state = _opened(rules, self.opening_plies, _seed(self.seed, opening, 2))
        names = [self.players[who] for who in seats]
        fault = None
        loser = None
        moves: list[dict[str, Any] | None] = [None] * len(state.history)
        seated: list[Any] = [None] * size
        for seat, name in enumerate(names):
            seated[seat] = player_named(name, rules, **_seeded(name, _seed(self.seed, number, 3 + seat)))
        while state.to_move != TERMINAL:
            if state.to_move == CHANCE:
                state.play_chance()
                moves.append(None)
                continue
            mover = state.to_move
            start = time.perf_counter()
            try:
                result = seated[mover].think(state.copy())
                took = time.perf_counter() - start
                if self.seconds is not None and took > self.seconds * 1.05 + 0.01:
                    raise TimeoutError(f"took {took:.3f} s of {self.seconds:g} s")
                state.play(result.action)
            except Exception as error:
                loser = mover
                fault = f"{names[mover]} lost game {number}: {type(error).__name__}: {shown(str(error))}"
                break
            moves.append({"seconds": round(took, 4), "values": result.values, "nodes": result.nodes})
        record = Record.of(state, names, moves)
        by_seat = _points(state.returns(), loser)
        points = [0.0] * size
        for seat, who in enumerate(seats):
            points[who] = by_seat[seat]
        return Played(number, seats, points, record, fault)


def _seed(seed: int, number: int, purpose: int) -> int:
    """A seed of its own for every game and purpose."""
    return hash((seed, number, purpose)) & (2**62 - 1)


def _seeded(name: str, seed: int) -> dict[str, int]:
    return {} if "seed=" in name else {"seed": seed}


def _opened(rules: Game, plies: int, seed: int) -> State:
    """The start of a round: the seed's deal, and so many random moves; never a finished game."""
    import random

    for attempt in range(1000):
        rng = random.Random(seed + attempt)
        state = rules.new(seed)
        for _ in range(plies):
            while state.to_move == CHANCE:
                state.play_chance()
            if state.to_move == TERMINAL:
                break
            state.play(rng.choice(state.legal_actions()))
        if state.to_move != TERMINAL:
            return state
    raise ValueError(f"{plies} random plies end every game of {rules.name}; take fewer for the opening.")


def _points(returns: Sequence[float], loser: int | None) -> list[float]:
    """Points by seat: the share of the others one did better than, a tie counting half; a loser by fault comes last."""
    size = len(returns)
    if size == 1:
        return [returns[0]] if loser is None else [0.0]
    if loser is not None:
        returns = [-math.inf if seat == loser else 0.0 for seat in range(size)]
    return [
        sum((mine > other) + (mine == other) / 2 for j, other in enumerate(returns) if j != i) / (size - 1)
        for i, mine in enumerate(returns)
    ]


def match(
    game: Game | str,
    players: Sequence[str],
    games: int = 100,
    seed: int = 1,
    *,
    preset: str | None = None,
    opening_plies: int = 0,
    seconds: float | None = None,
    processes: int | None = None,
    sprt: Sprt | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: Callable[[Match], None] | None = None,
) -> Match:
    """Plays a match and says what the result means.

    players: one text per seat, such as "uct:simulations=1000".
    games: rounded up to full rounds, in which everyone sits everywhere once.
    preset: each round is played on a board of its own, drawn from this preset of the game.
    opening_plies: so many random plies start each round.
    seconds: a move that takes longer (by more than 5 %) loses the game.
    processes: games at once; by default one per core. Same seed, same result, however many.
    sprt: stops as soon as this test has an answer.
    record: every game is appended to this file.
    """
    table = _Table(game, preset, list(players), seed, opening_plies, seconds)
    rules = table.rules(0)
    if rules.players != len(players):
        raise ValueError(f"{rules.name} is for {rules.players} players, not {len(players)}.")
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games}.")
    for name in players:
        player_named(name, rules)  # a wrong name is told before the first game
    total = math.ceil(games / len(players)) * len(players)
    result = Match(rules.spec if preset is None else f"{rules.name} ({preset})", list(players))
    start = time.perf_counter()
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(RecordWriter(record)) if record is not None else None
        for one in _in_order(table, total, processes or os.cpu_count() or 1):
            result.played.append(one)
            result.seconds = time.perf_counter() - start
            if writer:
                writer.write(one.record)
            if progress:
                progress(result)
            if sprt and result.games % len(players) == 0:
                result.verdict = sprt.verdict(result.round_scores())
                if result.verdict:
                    break
    return result


def _in_order(table: _Table, total: int, processes: int) -> Iterator[Played]:
    """The games in the order of their numbers, so that the result does not depend on which is finished first."""
    if processes == 1:
        for number in range(total):
            yield table.play(number)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        running: dict[Future[Played], int] = {}
        done: dict[int, Played] = {}
        started = wanted = 0
        try:
            while wanted < total:
                while started < total and len(running) < 2 * processes:
                    running[pool.submit(table.play, started)] = started
                    started += 1
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    done[running.pop(future)] = future.result()
                while wanted in done:
                    yield done.pop(wanted)
                    wanted += 1
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
