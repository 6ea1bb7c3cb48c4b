"""The players of Tetris: the one-piece controllers `bcts` and `dellacherie`, and `beam`, a search over the queue."""

import json
import math
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from sevenfold import _core
from sevenfold._core import State
from sevenfold._core import _tetris as core  # type: ignore[attr-defined]
from sevenfold.limits import check_least
from sevenfold.perft import run_watched
from sevenfold.players import ActionView, Player, SearchResult

NARROW = 8
"""The width of the search that compares two sides."""
LOST = -1e5
"""What the beam says of a placement that loses is below this."""


@cache
def weights() -> tuple[float, ...]:
    """The beam's weights in the order of its terms, from weights.json."""
    named = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return tuple(float(named[term]) for term in core.beam_terms())


def finite(worth: list[float]) -> list[float]:
    """A placement that loses the game is behind all others, by as much as a game is worth to a stack."""
    living = [one for one in worth if one > LOST]
    least = min(living, default=0.0) - 20
    return [one if one > LOST else least for one in worth]


def shares(worth: dict[int, float]) -> dict[int, float]:
    """How much the beam likes each placement: a line of attack is worth a factor of e."""
    top = max(worth.values())
    odds = {action: math.exp(max(-50.0, one - top)) for action, one in worth.items()}
    whole = sum(odds.values())
    return {action: one / whole for action, one in odds.items()}


@dataclass
class ControllerPlayer(Player):
    """A linear evaluation of the board after each placement of the piece in hand."""

    def think(self, state: State) -> SearchResult:
        """The best placement by the evaluation."""
        start = time.perf_counter()
        number = len(self._legal(state))
        action: int = core.control(state, self.name)
        policy = [0.0] * self.game.actions
        policy[action] = 1.0
        values = state.returns()
        return SearchResult(action, policy, values, pv=[action], nodes=number, seconds=time.perf_counter() - start)


@dataclass
class BctsPlayer(ControllerPlayer):
    """BCTS (Thiery and Scherrer 2009): eight features of the board, for clearing lines as long as possible."""

    name: ClassVar[str] = "bcts"


@dataclass
class DellacheriePlayer(ControllerPlayer):
    """Dellacherie's six features, weighed by hand."""

    name: ClassVar[str] = "dellacherie"


@dataclass
class BeamPlayer(Player):
    """Beam search over all pieces it sees and some that it does not, for attack."""

    name: ClassVar[str] = "beam"
    seconds: float | None = 0.1
    """Time for a move; none: one pass of the whole width."""
    width: int = 4000
    """Positions kept at each level, at most."""
    samples: int = 4
    """Futures beyond the queue, drawn from the bag."""
    ahead: int = 2
    """Pieces of a future."""
    processor: bool = False
    """Seconds are those of the processor instead of the clock's, for measurements on a busy machine."""

    def __post_init__(self) -> None:
        check_least(self, {"seconds": 0.001, "width": 1, "samples": 0, "ahead": 0})
        if self.seconds is None and self.width > 100_000:
            raise ValueError("beam: width must be at most 100000 without a time limit.")
        self.width = min(self.width, 100_000)

    def think(self, state: State) -> SearchResult:
        """The placement that the best lines begin with."""
        start = time.perf_counter()
        legal = self._legal(state)
        limit = 0.0 if self.seconds is None else max(0.0005, self.seconds - min(0.05 * self.seconds, 0.02))
        actions, worth, best, nodes, depth, _ = run_watched(
            lambda watch: core.beam(
                state, weights(), self.width, self.samples, self.ahead, limit, self.seed, self.processor, watch
            ),
            self.progress,
        )
        action = best if best >= 0 else legal[0]
        worth = finite(worth)
        top = max(worth, default=0.0)
        lead = self._lead(state) - top
        views = [ActionView(a, value=self._value(state, w, lead)) for a, w in zip(actions, worth, strict=True)]
        policy = [0.0] * self.game.actions
        for each, share in shares(dict(zip(actions, worth, strict=True)) or {action: 0.0}).items():
            policy[each] = share
        return SearchResult(
            action,
            policy,
            self._values(state, top, lead),
            pv=[action],
            nodes=nodes,
            seconds=time.perf_counter() - start,
            actions=sorted(views, key=lambda view: -(view.value or 0.0)),
            depth=depth,
        )

    def rank(self, state: State) -> list[ActionView]:
        """Every first placement is judged by the search itself: nothing has to be played for it."""
        found = self.think(state)
        return sorted(found.actions, key=lambda view: (view.action != found.action, -(view.value or 0.0)))

    def _value(self, state: State, worth: float, lead: float) -> float:
        """Of an action for the mover: alone, what the game has brought and what it promises; else from -1 to 1."""
        return state.returns()[0] + worth if self.game.players == 1 else math.tanh((worth + lead) / 20)

    def _values(self, state: State, top: float, lead: float) -> list[float]:
        if self.game.players == 1:
            return [min(self.game.max_return, max(self.game.min_return, state.returns()[0] + max(top, 0.0)))]
        ahead = math.tanh((top + lead) / 20)
        return [ahead, -ahead] if state.to_move == 0 else [-ahead, ahead]

    def _lead(self, state: State) -> float:
        """How much better the mover stands than the other side, both seen by the same narrow search; 0 alone."""
        if self.game.players == 1:
            return 0.0
        seen = [
            max(
                finite(core.beam(state, weights(), NARROW, 0, 0, 0.0, 0, False, _core.Watch(), seat)[1]),
                default=-20.0,
            )
            for seat in (0, 1)
        ]
        return seen[state.to_move] - seen[1 - state.to_move]


PLAYERS: dict[str, type[Player]] = {cls.name: cls for cls in (BctsPlayer, DellacheriePlayer, BeamPlayer)}
