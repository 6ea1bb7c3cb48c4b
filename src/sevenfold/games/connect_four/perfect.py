"""The player `perfect`: exact scores by the solver in solver.h (docs: methods/perfect)."""

import math
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sevenfold._core import State
from sevenfold._core import _connect_four as core  # type: ignore[attr-defined]
from sevenfold.games.connect_four import solved
from sevenfold.options import shown
from sevenfold.perft import run_watched
from sevenfold.players import ActionView, Player, SearchResult

Bounds = tuple[int, int]


@dataclass
class PerfectResult(SearchResult):
    """A search result with scores on Pons' scale, for the side to move: +k wins with k - 1 own stones to spare, 0 is a
    draw, and negative scores lose likewise."""

    score: int | None = None
    """The position's score; none if it could not be proven within the limits."""
    scores: list[int | None] = field(default_factory=list)
    """The score of each column; none where the column is full or its score was not proven."""
    bounds: Bounds = (0, 0)
    """The position's score is between these; equal where it is proven."""


@dataclass
class PerfectPlayer(Player):
    """Plays perfectly: alpha-beta to the end of the game. Where a limit comes first, the result is not `proven`, and
    the action is the best by the bounds found so far."""

    name: ClassVar[str] = "perfect"
    seconds: float | None = None
    """Time per decision; none: as long as it takes."""
    nodes: int | None = None
    """Nodes per decision; none: as many as it takes."""
    memory: int = 256
    """Megabytes for the table, 1 to 65536; taken only as it fills."""
    cache: bool = True
    """Keep what took long on disk, and look there first."""
    safe: bool = True
    """Only moves that do not lose at once."""
    forced: bool = True
    """A single reply is followed without a node."""
    table: bool = True
    """What is known of a position is kept."""
    mirror: bool = True
    """A position and its mirror image share an entry."""
    claims: bool = True
    """Bounds by pairing strategies."""
    threats: bool = True
    """Moves that make threats are tried first."""
    children: bool = True
    """The table is asked about all children before one is searched."""
    windows: bool = True
    """Yes-or-no questions that close in on the score."""

    WORTH_KEEPING: ClassVar[int] = 5_000_000
    """Nodes from which on a result goes into the cache on disk: about a second."""
    STEPS: ClassVar[tuple[str, ...]] = (
        "safe",
        "forced",
        "table",
        "mirror",
        "claims",
        "threats",
        "children",
        "windows",
    )

    def __post_init__(self) -> None:
        if self.seconds is not None and not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise ValueError(f"perfect: seconds must be a number above 0, not {shown(self.seconds)}.")
        if self.nodes is not None and not 1 <= self.nodes < 2**63:
            raise ValueError(f"perfect: nodes must be a whole number from 1, not {shown(self.nodes)}.")
        if not 1 <= self.memory <= 65536:
            raise ValueError(f"perfect: memory must be from 1 to 65536 megabytes, not {shown(self.memory)}.")
        steps = core.Steps()
        for step in self.STEPS:
            setattr(steps, step, getattr(self, step))
        self._solver = core.Solver(self.game.new(), self.memory << 20, steps)

    def reset(self) -> None:
        """Empties the table. Its entries stay true in the next game; only the node counts depend on them."""
        self._solver.forget()

    def think(self, state: State) -> PerfectResult:
        """The scores of the position and of every column."""
        start = time.perf_counter()
        self._legal(state)
        kept = self._kept(state)
        if kept is not None:
            known = [None if score is None else (score, score) for score in kept]
            best = max(score for score in kept if score is not None)
            return self._result(state, (best, best), known, [], 0, time.perf_counter() - start)
        found = self._analyse(state, every_column=True)
        result = self._result(state, found.score, found.columns, found.line, found.nodes, 0.0)
        exact = all(result.scores[column] is not None for column in state.legal_actions())
        if self.cache and exact and found.nodes >= self.WORTH_KEEPING:
            key, mirrored = self._key(state)
            scores = result.scores[::-1] if mirrored else result.scores
            solved.keep(solved.cache_file(), key, scores)
        result.seconds = time.perf_counter() - start
        return result

    def score(self, state: State) -> int | None:
        """The position's score alone, which takes less than those of all its columns; none where a limit came first."""
        self._legal(state)
        kept = self._kept(state)
        if kept is not None:
            return max(score for score in kept if score is not None)
        lower, upper = self._analyse(state, every_column=False).score
        return int(lower) if lower == upper else None

    def score_all_moves(self, state: State) -> list[int | None]:
        """The score of each column; none where it is full, or where a limit came first."""
        return self.think(state).scores

    def _analyse(self, state: State, every_column: bool) -> Any:
        return run_watched(
            lambda watch: self._solver.analyse(state, every_column, self.seconds, self.nodes, watch), self.progress
        )

    def _result(
        self,
        state: State,
        bounds: Bounds,
        columns: list[Bounds | None],
        line: list[int],
        nodes: int,
        seconds: float,
    ) -> PerfectResult:
        legal = state.legal_actions()
        centre = (self.game.actions - 1) / 2
        known = {column: columns[column] or bounds for column in legal}
        # A column proven as good as the position is best; otherwise the better bounds, then the nearer to the centre.
        best = max(legal, key=lambda column: (*known[column], -abs(column - centre), -column))
        if line:
            best = line[0]
        policy = [0.0] * self.game.actions
        equals = (
            [column for column in legal if known[column] == known[best]] if known[best][0] == known[best][1] else []
        )
        for column in equals or [best]:
            policy[column] = 1 / len(equals or [best])
        lower, upper = bounds
        outcome = (lower > 0) - (upper < 0)  # 0 also where it is open
        values = [float(outcome if player == state.to_move else -outcome) for player in range(2)]
        return PerfectResult(
            best,
            policy,
            values,
            pv=line or [best],
            proven=lower == upper,
            nodes=nodes,
            seconds=seconds,
            score=lower if lower == upper else None,
            scores=[b[0] if b and b[0] == b[1] else None for b in columns],
            bounds=bounds,
            actions=[_view(column, columns[column]) for column in legal],
        )

    def _key(self, state: State) -> tuple[str, bool]:
        """The position's name in the cache on disk, and whether it is that of its mirror image."""
        texts = [f"{self.game.spec} {state.symmetric(s).to_text()}" for s in range(state.symmetries)]
        return min(texts), texts[-1] < texts[0]

    def _kept(self, state: State) -> list[int | None] | None:
        if not self.cache:
            return None
        key, mirrored = self._key(state)
        scores = solved.load(solved.cache_file()).get(key)
        if scores is None or not self._plausible(scores, state, mirrored):
            return None
        return scores[::-1] if mirrored else scores

    def _plausible(self, scores: object, state: State, mirrored: bool) -> bool:
        """Whether this could be the scores of the position's columns: a sound file may still hold nonsense."""
        if not isinstance(scores, list) or len(scores) != self.game.actions:
            return False
        legal = set(state.legal_actions())
        most = (self.game.max_plies + 1) // 2
        for column, score in enumerate(scores[::-1] if mirrored else scores):
            if column not in legal and score is not None:
                return False
            if column in legal and not (type(score) is int and -most <= score <= most):
                return False
        return True


def _view(column: int, bounds: Bounds | None) -> ActionView:
    """What is known of a column: who wins, where the bounds leave no doubt, and the score where they are equal."""
    if bounds is None:
        return ActionView(column)
    low, high = bounds
    certain = low > 0 or high < 0 or low == high
    value = float((low > 0) - (high < 0)) if certain else None
    return ActionView(column, value=value, proven=certain, pv=[column], score=low if low == high else None)


PLAYERS: dict[str, type[Player]] = {"perfect": PerfectPlayer}
