"""Elo: what a score says about strength, and when a match has said enough.

A draw counts as half a win for each side (Bradley-Terry with draws as half points). Intervals are 95 %: for two
players from the spread of the scores of paired games, for rating lists from the curvature of the likelihood.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964
SCALE = 400 / math.log(10)
"""Elo points per unit of the logistic curve."""


def elo_of(score: float) -> float:
    """The Elo difference at which a share `score` of the points is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return SCALE * math.log(score / (1 - score))


def score_of(elo: float) -> float:
    """The share of the points expected at an Elo difference."""
    return 1 / (1 + math.exp(-elo / SCALE))


def score_interval(scores: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of independent scores in [0, 1] (of pairs of games, where games are paired).

    Half a win and half a loss are added, so that a match without a lost game still has an interval.
    """
    padded = [*scores, 0.0, 1.0]
    n = len(padded)
    mean = sum(padded) / n
    variance = sum((score - mean) ** 2 for score in padded) / (n - 1)
    margin = Z95 * math.sqrt(variance / n)
    return max(0.0, mean - margin), min(1.0, mean + margin)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of "the difference is at most elo0" against "it is at least elo1" (Wald 1945).

    The log-likelihood ratio of the mean score, with the variance seen so far (as chess engine testing does it):
    n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance). It stops at log(beta / (1 - alpha)) and
    log((1 - beta) / alpha).
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def ratio(self, scores: Sequence[float]) -> float:
        """The log-likelihood ratio of the scores so far."""
        n = len(scores)
        if n < 2:
            return 0.0
        mean = sum(scores) / n
        # A win and a loss are added to the spread: the first few equal scores must not look like certainty.
        variance = (sum((score - mean) ** 2 for score in scores) + mean**2 + (1 - mean) ** 2) / (n + 1)
        low, high = score_of(self.elo0), score_of(self.elo1)
        return n * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, scores: Sequence[float]) -> str | None:
        """ "stronger" or "not stronger" when the test is over, else None."""
        ratio = self.ratio(scores)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return "stronger"
        if ratio <= math.log(self.beta / (1 - self.alpha)):
            return "not stronger"
        return None


def bradley_terry(
    points: dict[tuple[str, str], float], games: dict[tuple[str, str], int]
) -> dict[str, tuple[float, float]]:
    """Ratings of everyone from pairwise results: name to (elo, half-width of the 95 % interval), with mean 0.

    points[a, b]: points of a against b; games[a, b]: games between them (both orders are counted as given).
    Minorisation-maximisation (Hunter 2004), with one drawn game against an average player as a prior, so that nobody
    is infinitely strong.
    """
    names = sorted({name for pair in games for name in pair})
    won = dict.fromkeys(names, 0.5)
    played: dict[tuple[str, str], float] = {}
    for (a, b), count in games.items():
        won[a] += points.get((a, b), 0.0)
        played[a, b] = played.get((a, b), 0.0) + count
    strength = dict.fromkeys(names, 1.0)
    meetings = {a: [(b, played.get((a, b), 0.0)) for b in names if played.get((a, b))] for a in names}
    for _ in range(2000):
        fresh = {
            a: won[a] / (1 / (strength[a] + 1) + sum(n / (strength[a] + strength[b]) for b, n in meetings[a]))
            for a in names
        }
        moved = max((abs(math.log(fresh[a] / strength[a])) for a in names), default=0.0)
        strength = fresh
        if moved < 1e-10:
            break
    elos = {a: SCALE * math.log(strength[a]) for a in names}
    mean = sum(elos.values()) / max(len(elos), 1)
    out = {}
    for a in names:
        information = 0.25
        for b, n in meetings[a]:
            p = strength[a] / (strength[a] + strength[b])
            information += n * p * (1 - p)
        out[a] = (elos[a] - mean, Z95 * SCALE / math.sqrt(information))
    return out
