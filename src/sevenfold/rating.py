"""Elo: what a score says about strength, and when a match has said enough.

A draw counts as half a win for each side (Bradley-Terry with draws as half points). Intervals are 95 %: for two
players from the spread of the scores of paired games, for rating lists from the curvature of the likelihood.
"""

import math
from collections.abc import Iterable, Sequence
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
    mean, error = mean_and_error([*scores, 0.0, 1.0])
    return max(0.0, mean - Z95 * error), min(1.0, mean + Z95 * error)


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

    def __post_init__(self) -> None:
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta must be between 0 and 0.5, not {self.alpha} and {self.beta}.")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0} and {self.elo1}.")

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


def superiority(scores: Sequence[float]) -> float:
    """The likelihood of superiority: how probable it is that the true mean of the scores is above one half.

    Phi((mean - 1/2) / standard error), with a win and a loss added as for the interval.
    """
    padded = [*scores, 0.0, 1.0]
    mean, error = mean_and_error(padded)
    return (1 + math.erf((mean - 0.5) / error / math.sqrt(2))) / 2


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of independent values and its standard error; infinite where there are fewer than two."""
    n = len(values)
    mean = sum(values) / max(n, 1)
    if n < 2:
        return mean, math.inf
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)


def bradley_terry(
    points: dict[tuple[str, str], float], games: dict[tuple[str, str], int], anchor: str | None = None
) -> dict[str, tuple[float, float]]:
    """Ratings of everyone from pairwise results: name to (elo, half-width of the 95 % interval).

    points[a, b]: points of a against b; games[a, b]: games between them (both orders are counted as given).
    anchor: who has the rating 0; without one, the mean is 0.
    Minorisation-maximisation (Hunter 2004), with one drawn game against an average player as a prior, so that nobody
    is infinitely strong. The intervals are those of the difference from the anchor or the mean, by the inverse of the
    Fisher information of all ratings together.
    """
    names = sorted({name for pair in games for name in pair})
    if anchor is not None and anchor not in names:
        raise ValueError(f"there is no {anchor!r} to take as 0; there are: {', '.join(names)}.")
    won = dict.fromkeys(names, 0.5)
    for (a, _), gained in points.items():
        won[a] += gained
    meetings = {a: [(b, games[a, b]) for b in names if games.get((a, b))] for a in names}
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        fresh = {
            a: won[a] / (1 / (strength[a] + 1) + sum(n / (strength[a] + strength[b]) for b, n in meetings[a]))
            for a in names
        }
        moved = max((abs(math.log(fresh[a] / strength[a])) for a in names), default=0.0)
        strength = fresh
        if moved < 1e-10:
            break
    elos = [SCALE * math.log(strength[a]) for a in names]
    covariance = _inverse(_information(names, strength, meetings))
    size = len(names)
    origin = [float(name == anchor) if anchor else 1 / size for name in names]  # what is taken as 0
    zero = sum(weight * elo for weight, elo in zip(origin, elos, strict=True))
    out = {}
    for i, name in enumerate(names):
        contrast = [(i == j) - origin[j] for j in range(size)]
        variance = sum(contrast[j] * contrast[k] * covariance[j][k] for j in range(size) for k in range(size))
        out[name] = (elos[i] - zero, Z95 * SCALE * math.sqrt(max(variance, 0.0)))
    return out


def _information(
    names: list[str], strength: dict[str, float], meetings: dict[str, list[tuple[str, int]]]
) -> list[list[float]]:
    """The Fisher information of the logarithms of the strengths, with the prior's game."""
    place = {name: i for i, name in enumerate(names)}
    matrix = [[0.0] * len(names) for _ in names]
    for a, met in meetings.items():
        i = place[a]
        matrix[i][i] += strength[a] / (strength[a] + 1) ** 2
        for b, n in met:
            p = strength[a] / (strength[a] + strength[b])
            matrix[i][i] += n * p * (1 - p)
            matrix[i][place[b]] -= n * p * (1 - p)
    return matrix


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a symmetric positive matrix (Gauss-Jordan; a rating list is small)."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [x - factor * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


def openskill(names: Sequence[str], games: Iterable[Sequence[Sequence[str]]]) -> dict[str, tuple[float, float]]:
    """Ratings for games of more than two: name to (mu, sigma), by OpenSkill's Plackett-Luce model (Weng and Lin 2011).

    games: each as groups of equals, the best first: [["ann"], ["bob", "cid"]] is a win of ann over two that tied.
    Everyone starts at 25 +- 25/3. Players do not change, so sigma is not kept up between games (tau = 0). The order of
    the games matters a little.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    ratings = {name: model.rating(name=name) for name in names}
    for game in games:
        order = [(name, rank) for rank, group in enumerate(game) for name in group]
        rated = model.rate([[ratings[name]] for name, _ in order], ranks=[float(rank) for _, rank in order])
        for (name, _), [rating] in zip(order, rated, strict=True):
            ratings[name] = rating
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}
