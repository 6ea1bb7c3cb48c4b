"""The judgement of one move: by what a search found in the position before it, and by hindsight.

A search judges a position by itself alone, so the refutation of a move may lie just beyond its horizon. The position
after the move was searched too, one ply further on, along the line that was played. With hindsight (`judged` given an
`After`) the value of the played action is taken from there, from the end of the game backwards:

    1. After the move the game is over: the value is what it returned.
    2. The position after it has a proven value for the mover: that is the value.
    3. The value found before the move is proven, and the one after it is not: nothing changes.
    4. Neither is proven. The later search looked further, so its value is taken where it differs by more than the
       tolerance; what differs by less may be noise, and noise must not mark a move. A forced move, which has no mark
       to lose, takes it always.

The value of a position is then V = the maximum over all its actions, with the played one's value replaced. Where the
played action was the best found and sinks, the next best stands: a value that may be just as blind. It does not handle
chance between two moves (luck is not skill) nor hidden information; there the caller gives no `After`.
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

EPSILON = 1e-9
"""What rounding may do to equal values."""

Mark = Literal["good", "slack", "blunder"]
MARKS: tuple[Mark, ...] = ("good", "slack", "blunder")


@dataclass(frozen=True)
class Judgement:
    """What an action is worth among all that were legal."""

    mark: Mark
    rank: float
    """1 is the best; equal actions share the mean of their places."""
    score: float
    only_good: bool
    only_blunder: bool


def judge(values: Sequence[float], played: int, tolerance: float) -> Judgement:
    """Judges one of several actions, given all their values for the mover: 0 the middle, 1 half the range."""
    marks = [_mark(value, max(values), tolerance) for value in values]
    mark, count = marks[played], len(values)
    better = sum(value > values[played] + EPSILON for value in values)
    equal = sum(abs(value - values[played]) <= EPSILON for value in values)
    rank = better + (equal + 1) / 2
    score = 10 * (count - rank) / (count - 1) if count > 1 else 10.0
    only = count > 1 and marks.count(mark) == 1
    only_good, only_blunder = only and mark == "good", only and mark == "blunder"
    return Judgement(mark, rank, score + 10 * only_good - 10 * only_blunder, only_good, only_blunder)


def _mark(value: float, best: float, tolerance: float) -> Mark:
    if value >= best - tolerance - EPSILON:
        return "good"
    return "slack" if value >= -EPSILON else "blunder"


@dataclass(frozen=True)
class Measure:
    """What values are measured by."""

    low: float
    high: float
    """The least and the most that a player can get."""
    tolerance: float
    opposed: bool
    """Whether the mover's value tells everyone's: one player, or two of whom one loses what the other gets."""
    alone: bool = False
    """A game for one has no side that is ahead, and its range of returns is no scale (in Tetris it is a thousand times
    what a move is worth): a position's values are measured by their own range, from its worst action to its best."""

    @property
    def half(self) -> float:
        """Half the range of returns."""
        return (self.high - self.low) / 2 or 1.0

    def judge(self, values: Sequence[float], played: int) -> Judgement:
        """Judges one of several actions by their values in the game's returns."""
        low, high = (min(values), max(values)) if self.alone else (self.low, self.high)
        middle, half = (low + high) / 2, (high - low) / 2 or 1.0
        return judge([(value - middle) / half for value in values], played, self.tolerance)


@dataclass
class Found:
    """What the search alone found in the position before a move. A review keeps it, with hindsight or without."""

    actions: list[int]
    """All that were legal, the best first."""
    values: list[float]
    """What the mover could expect after each of them."""
    proven: list[bool]
    everyone: list[float]
    """What each player could expect, the best action being played."""
    line: list[int]
    line_texts: list[str]
    other_everyone: list[float]
    """The same three for the best action other than the played one; empty where hindsight has no use for them."""
    other_line: list[int]
    other_texts: list[str]
    ended: list[float] | None
    """The returns, where the game was over after the move."""


@dataclass(frozen=True)
class After:
    """What the position after a move was worth."""

    values: list[float]
    exact: list[bool]
    line: list[int] = dataclasses.field(default_factory=list)
    line_texts: list[str] = dataclasses.field(default_factory=list)


@dataclass
class MoveReview:
    """One move of a player."""

    ply: int
    """Its place in the record's actions, from 0; chance outcomes count."""
    player: int
    action: int
    text: str
    mark: Mark
    score: float
    value: float
    """What the mover could expect after this move, in the game's returns."""
    best_value: float
    """What the mover could expect after the best move."""
    best_action: int
    best_text: str
    line: list[int]
    """The best move and what was expected to follow it."""
    line_texts: list[str]
    values: list[float]
    """What each player could expect before the move."""
    exact: list[bool]
    """For which players `values` is proven."""
    proven: bool
    """Whether all the values it was judged by are exact."""
    only_good: bool
    only_blunder: bool
    rank: float
    legal: int
    """How many actions were legal."""
    bonus: float
    """What the game's room added to the score."""
    searched: float
    """The value of this move by the search of its own position, without hindsight."""
    searched_mark: Mark
    """Its mark without hindsight."""
    found: Found

    @property
    def forced(self) -> bool:
        """Whether there was no other action."""
        return self.legal == 1

    @property
    def best(self) -> bool:
        """Whether no other move was better."""
        return self.value >= self.best_value - EPSILON * max(1.0, abs(self.best_value))

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {**dataclasses.asdict(self), "forced": self.forced, "best": self.best}

    @classmethod
    def from_json(cls, data: Any) -> "MoveReview":
        """The move of its JSON; KeyError or TypeError where it is something else."""
        names = [f.name for f in dataclasses.fields(cls) if f.name != "found"]
        found = Found(**{f.name: data["found"][f.name] for f in dataclasses.fields(Found)})
        move = cls(**{name: data[name] for name in names}, found=found)
        numbers = [move.score, move.value, move.best_value, move.searched, *move.values, *found.values]
        numbers += [*found.everyone, *found.other_everyone, *(found.ended or [])]
        if not all(map(math.isfinite, numbers)) or not {move.mark, move.searched_mark} <= {*MARKS}:
            raise TypeError
        if move.action not in found.actions or not len(found.actions) == len(found.values) == len(found.proven):
            raise TypeError
        return move


def judged(
    ply: int, player: int, action: int, text: str, bonus: float, found: Found, measure: Measure, after: After | None
) -> MoveReview:
    """The review of a move; `after` is what the position after it was worth, where hindsight knows that."""
    at = found.actions.index(action)
    values, proven = list(found.values), list(found.proven)
    if after and _trusted(after, found, at, player, measure):
        values[at], proven[at] = after.values[player], after.exact[player]
    else:
        after = None
    best = max(values)
    top = next(i for i, value in enumerate(values) if value >= best - EPSILON * max(1.0, abs(best)))
    everyone, line, texts = found.everyone, found.line, found.line_texts
    if after and top == at:
        everyone = after.values
        if abs(values[at] - found.values[at]) > EPSILON:
            line, texts = [action, *after.line], [text, *after.line_texts]
    elif top != 0:
        everyone, line, texts = found.other_everyone, found.other_line, found.other_texts
    with_hindsight, without = measure.judge(values, at), measure.judge(found.values, at)
    return MoveReview(
        ply=ply,
        player=player,
        action=action,
        text=text,
        mark=with_hindsight.mark,
        score=with_hindsight.score + bonus,
        value=values[at],
        best_value=values[top],
        best_action=found.actions[top],
        best_text=texts[0],
        line=list(line),
        line_texts=list(texts),
        values=list(everyone),
        exact=_exact(values, proven, top, player, len(everyone), measure, after),
        proven=all(proven),
        only_good=with_hindsight.only_good,
        only_blunder=with_hindsight.only_blunder,
        rank=with_hindsight.rank,
        legal=len(values),
        bonus=bonus,
        searched=found.values[at],
        searched_mark=without.mark,
        found=found,
    )


def _trusted(after: After, found: Found, at: int, player: int, measure: Measure) -> bool:
    """Whether the later value of the played action is taken: steps 1 to 4."""
    if after.exact[player] or found.proven[at]:
        return after.exact[player]
    half = (max(found.values) - min(found.values)) / 2 if measure.alone else measure.half
    far = abs(after.values[player] - found.values[at]) > measure.tolerance * half + EPSILON
    return far or len(found.actions) == 1


def _exact(
    values: list[float], proven: list[bool], top: int, player: int, count: int, measure: Measure, after: After | None
) -> list[bool]:
    """For which players the value of a position is proven. The others' depends on which of its best actions the mover
    chooses, so that it is certain only where there is no choice, or where the mover's tells it."""
    most = proven[top] and values[top] >= measure.high - EPSILON  # nothing can be better
    sure = most or all(proven)
    if measure.opposed:
        return [sure] * count
    if after and len(values) == 1:
        return list(after.exact)
    return [sure and seat == player for seat in range(count)]
