"""Paired games between two players: both play each side of one opening, so that neither the board nor the first move
favours anyone."""

import random
import time
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import sevenfold as sf
from bench.strength.work import Piece, Progress, Store, run
from sevenfold import rating


class Mover(Protocol):
    """What sits at the board: a player of ours or a peer."""

    def think(self, state: sf.State) -> Any: ...


@dataclass(frozen=True)
class Pairing:
    """Who plays whom, where and how; all of it decides the games, so all of it is in the name of their file."""

    players: tuple[str, str]
    """Players of ours by name, or "openspiel:uct_c=2"."""
    seconds: float | None = 1.0
    """Per move, for both; none: as the players' own options say."""
    game: str = "connect_four"
    preset: str | None = "saiblo"
    opening_plies: int = 0
    seed: int = 1

    def opening(self, number: int) -> sf.State:
        """The start of a pair of games."""
        rng = random.Random(f"{self.seed}/{number}")
        rules = sf.game(self.game, preset=self.preset, seed=rng.getrandbits(62)) if self.preset else sf.game(self.game)
        while True:
            state = rules.new()
            for _ in range(self.opening_plies):
                if not state.is_over:
                    state.play(rng.choice(state.legal_actions()))
            if not state.is_over:
                return state

    def seat(self, who: int, rules: sf.Game, seed: int) -> Mover:
        spec = self.players[who]
        if spec.startswith("openspiel"):
            from bench.strength.openspiel import OpenSpielPlayer

            return OpenSpielPlayer.from_spec(spec, rules, self.seconds, seed)
        return sf.player(spec, rules, seed=seed, **({} if self.seconds is None else {"seconds": self.seconds}))

    def play(self, key: int) -> Piece:
        """One game; the even ones are begun by the first player."""
        state = self.opening(key // 2)
        rng = random.Random(f"{self.seed}/{key}/players")
        movers = [self.seat(who, state.game, rng.getrandbits(62)) for who in range(2)]
        took: list[list[float]] = [[], []]
        nodes = [0, 0]
        while not state.is_over:
            who = (state.to_move + key) % 2
            start = time.perf_counter()
            result = movers[who].think(state.copy())
            took[who].append(time.perf_counter() - start)
            nodes[who] += result.nodes
            state.play(result.action)
        returns = state.returns()
        mine = returns[key % 2]  # the first player's seat
        return {
            "key": key,
            "points": 1.0 if mine > 0 else 0.0 if mine < 0 else 0.5,
            "game": state.game.spec,
            "history": state.history,
            "seconds": [round(sum(one), 3) for one in took],
            "worst": [round(max(one, default=0.0), 4) for one in took],
            "nodes": nodes,
        }


@dataclass
class Outcome:
    """What a pairing came to, from the first player's side."""

    what: str
    games: int
    score: float
    interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]
    wanted: float | None = None
    """The score we set ourselves."""
    seconds: list[float] = field(default_factory=list)
    """Time each side took in all."""
    worst: list[float] = field(default_factory=list)
    """The longest move of each side."""
    builds: int = 1
    """How many different cores played these games; figures of more than one are a mixture."""

    @property
    def reached(self) -> bool:
        return self.wanted is None or self.score >= self.wanted

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"reached": self.reached}


def pair_scores(pieces: list[Piece]) -> list[float]:
    """The mean of the two games of each opening that has both."""
    points = {piece["key"]: piece["points"] for piece in pieces}
    return [(p + points[key + 1]) / 2 for key, p in sorted(points.items()) if key % 2 == 0 and key + 1 in points]


def outcome(what: str, pieces: list[Piece], wanted: float | None = None) -> Outcome:
    score = sum(piece["points"] for piece in pieces) / max(len(pieces), 1)
    low, high = rating.score_interval(pair_scores(pieces))
    return Outcome(
        what,
        len(pieces),
        score,
        (low, high),
        rating.elo_of(score),
        (rating.elo_of(low), rating.elo_of(high)),
        wanted,
        [round(sum(piece["seconds"][who] for piece in pieces), 1) for who in range(2)],
        [max((piece["worst"][who] for piece in pieces), default=0.0) for who in range(2)],
        len({piece["build"] for piece in pieces}),
    )


def measure(
    what: str,
    kind: str,
    pairing: Pairing,
    games: int,
    folder: Path,
    processes: int,
    wanted: float | None = None,
    fresh: bool = False,
) -> Outcome:
    """Plays what is left of the games and sums up all of them."""
    games += games % 2
    for who in range(2):
        pairing.seat(who, pairing.opening(0).game, 1)  # a wrong name is told before the first game
    store = Store(folder, kind, asdict(pairing), fresh)

    def note() -> str:
        pieces = [piece for key, piece in store.pieces.items() if key < games]
        if not pieces:
            return "games"
        low, high = rating.score_interval(pair_scores(pieces))
        score = sum(piece["points"] for piece in pieces) / len(pieces)
        return f"games, score {score:.1%} [{low:.1%}, {high:.1%}]"

    progress = Progress(what, games, note)
    try:
        pieces = run(store, range(games), partial(Pairing.play, pairing), processes, progress)
    finally:
        store.close()
    return outcome(what, pieces, wanted)
