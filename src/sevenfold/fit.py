"""Fits the linear evaluation of a game to the results of recorded games.

A row is a decision position seen by one player: x_k = t_k - mean over the others of t_k, for each term k, and
y in [-1, 1], how the game ended for that player (0: in the middle). With two players the other's row is the same with
both signs turned, and is left out.

    logistic   P = 1 / (1 + exp(-2 z)), z = w x: the likelihood of the results, by Newton's method. 2 P - 1 = tanh z, so
               that the evaluation tanh z is the expected result
    squares    (z - y)^2: the classical fit of a linear function. Closed form; tanh then draws its values towards 0

Every game weighs the same, however long it was. Ridge: l2 / 2 * sum (w_k * spread of x_k)^2, against one unit of loss
per game. Positions of one game resemble each other, so that whole games are held out, and the standard errors are those
of games as clusters (the sandwich estimate; Liang and Zeger 1986).

It does not choose terms, and it does not see that a term means different things early and late: offer two terms then.
"""

import math
import os
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from sevenfold.evaluation import Weights, changed_options, evaluation, term_names
from sevenfold.game import Game, game_by_name, split_spec
from sevenfold.game import game as game_named
from sevenfold.options import shown
from sevenfold.records import Record, read_records

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Loss = Literal["logistic", "squares"]
BINS = 10
"""Of the calibration."""
STEPS = 100
"""Of Newton's method, at most; it needs about six."""


@dataclass(frozen=True)
class Quality:
    """How well an evaluation foretells results."""

    games: int
    positions: int
    log_loss: float
    """The mean of -ln of the probability that was given to what happened; a coin has 0.693."""
    accuracy: float
    """The share of positions of decided games in which the better side won."""
    calibration: list[tuple[float, float, float]]
    """What was expected, what came of it (both in points, 0 to 1), and the share of the positions, by tenths."""

    @property
    def calibration_error(self) -> float:
        """The mean distance between expected and real points."""
        return sum(share * abs(expected - came) for expected, came, share in self.calibration)

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return vars(self) | {"calibration_error": self.calibration_error}


@dataclass(frozen=True)
class Fit:
    """The fitted weights, and what is to be thought of them."""

    weights: Weights
    errors: dict[str, float]
    """The standard error of each weight."""
    spreads: dict[str, float]
    """The standard deviation of each term's difference: weight times spread is what a term decides."""
    loss: Loss
    train: Quality
    test: Quality | None
    """On games held out; None where there were too few."""
    heuristic: Quality | None
    """The game's own heuristic on the same games, where it has one."""
    skipped: int
    """Records of games that were not finished."""

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        weights = self.weights
        return {
            "game": weights.game,
            "options": weights.options,
            "loss": self.loss,
            "terms": [
                {"term": name, "weight": weight, "error": self.errors[name], "spread": self.spreads[name]}
                for name, weight in weights.terms.items()
            ],
            "train": self.train.to_json(),
            "test": self.test.to_json() if self.test else None,
            "heuristic": self.heuristic.to_json() if self.heuristic else None,
            "skipped": self.skipped,
            "about": weights.about,
        }


@dataclass
class _Rows:
    """Positions of many games, a row per position and player."""

    x: "Array"
    y: "Array"
    weight: "Array"
    """Adds up to 1 for each game."""
    game: "NDArray[np.intp]"
    guess: "Array"
    """What the game's own heuristic says, in [-1, 1]; not a number where it has none."""

    def of(self, chosen: "NDArray[np.bool_]") -> "_Rows":
        return _Rows(self.x[chosen], self.y[chosen], self.weight[chosen], self.game[chosen], self.guess[chosen])


def fit(
    records: "str | os.PathLike[str] | Iterable[Record]",
    game: Game | None = None,
    *,
    loss: Loss = "logistic",
    l2: float = 1.0,
    test_share: float = 0.2,
    seed: int = 1,
    any_options: bool = False,
    about: dict[str, Any] | None = None,
) -> Fit:
    """Fits the weights of a linear evaluation to recorded games.

    records: a file of records, or records.
    game: whose records they must be; without it, the game that the records name, whatever its options.
    any_options: takes records with other options of the game as well; weights from several boards then serve all.
    l2: how strongly the weights are held near 0, in games' worth of evidence.
    test_share: the share of the games that is held out to measure the result; the weights come from the others.
    about: more facts to store with the weights.
    """
    if loss not in get_args(Loss):
        raise ValueError(f"the loss is {' or '.join(get_args(Loss))}, not {shown(loss)}.")
    if not (isinstance(l2, int | float) and math.isfinite(l2) and l2 > 0):
        raise ValueError(f"l2 must be a number above 0, not {shown(l2)}.")
    if not (isinstance(test_share, int | float) and 0 <= test_share < 1):
        raise ValueError(f"test_share must be from 0 to below 1, not {shown(test_share)}.")
    found = read_records(records) if isinstance(records, str | os.PathLike) else iter(records)
    rules, games, skipped = _games(found, game, any_options)
    names = term_names(rules)
    rows = _rows(games)
    order = list(range(len(games)))
    random.Random(seed).shuffle(order)
    import numpy as np

    held_out = np.isin(rows.game, order[: int(len(order) * test_share)])
    train, test = rows.of(~held_out), rows.of(held_out)
    if not len(train.y):
        raise ValueError(f"the records of {rules.name} hold no position in which a player was to move.")
    w, errors, spreads = _solved(train, loss, l2)
    alike = all(each.options == rules.options for each, _ in games)
    measured = _quality(np.tanh(test.x @ w), test) if len(test.y) else None
    shown_on = test if len(test.y) else train
    facts: dict[str, Any] = {
        "loss": loss,
        "l2": l2,
        "seed": seed,
        "games": len(set(train.game.tolist())),
        "positions": len(train.y),
    }
    if measured:
        facts |= {
            "held_out": {
                "games": measured.games,
                "positions": measured.positions,
                "log_loss": round(measured.log_loss, 4),
                "accuracy": round(measured.accuracy, 4),
            }
        }
    weights = Weights(
        rules.name,
        {name: float(f"{value:.6g}") for name, value in zip(names, w, strict=True)},
        changed_options(rules) if alike else None,
        (about or {}) | facts,
    )
    return Fit(
        weights,
        dict(zip(names, errors.tolist(), strict=True)),
        dict(zip(names, spreads.tolist(), strict=True)),
        loss,
        _quality(np.tanh(train.x @ w), train),
        measured,
        _quality(shown_on.guess, shown_on) if "heuristic" in rules.abilities else None,
        skipped,
    )


def _games(
    records: Iterator[Record], game: Game | None, any_options: bool
) -> tuple[Game, list[tuple[Game, Record]], int]:
    """The finished games with their rules, and how many are not finished."""
    known = {str(game.options): game} if game else {}
    out: list[tuple[Game, Record]] = []
    skipped = 0
    for record in records:
        first = game or (out[0][0] if out else None)
        if first and record.game != first.name:
            raise ValueError(f"this is a record of {shown(record.game)}, not of {first.name}.")
        key = str(record.options)
        if key not in known and game and not any_options:
            raise ValueError(f"this record of {record.game} was played with other options: {shown(record.options)}.")
        if key not in known:
            known[key] = _with_options(game, record.options) if game else game_by_name(record.game, record.options)
        if record.result is None:
            skipped += 1
        else:
            out.append((known[key], record))
    if not out:
        raise ValueError(f"there is no finished game to fit to{f'; {skipped} are unfinished' if skipped else ''}.")
    return out[0][0], out, skipped


def _with_options(game: Game, options: dict[str, Any]) -> Game:
    """The same game with other options; it may be in a file of the caller's own."""
    return game_named(split_spec(game.spec)[0], **options)


def _rows(games: list[tuple[Game, Record]]) -> _Rows:
    import numpy as np

    x: list[list[list[float]]] = []  # position, player, term
    y: list[list[float]] = []
    guess: list[list[float]] = []
    numbers: list[int] = []
    evaluations = {id(rules): evaluation(rules, "heuristic") for rules, _ in games if "heuristic" in rules.abilities}
    for number, (rules, record) in enumerate(games):
        heuristic = evaluations.get(id(rules))
        assert record.result is not None
        result = _scaled(rules, record.result)
        for state in record.states(rules):
            if state.to_move < 0:
                continue
            x.append([list(state.terms(player).values()) for player in range(rules.players)])
            y.append(result)
            guess.append(_scaled(rules, heuristic(state)) if heuristic else [math.nan] * rules.players)
            numbers.append(number)
    players = games[0][0].players
    seen = 1 if players <= 2 else players
    terms = np.asarray(x, dtype=np.float64).reshape(len(x), players, -1)
    if players > 1:
        terms = terms - (terms.sum(axis=1, keepdims=True) - terms) / (players - 1)
    game = np.repeat(np.asarray(numbers, dtype=np.intp), seen)
    weight = 1 / np.bincount(game)[game]
    flat = [np.asarray(part, dtype=np.float64).reshape(len(x), players)[:, :seen].ravel() for part in (y, guess)]
    return _Rows(terms[:, :seen].reshape(len(game), -1), flat[0], weight, game, flat[1])


def _scaled(game: Game, values: list[float]) -> list[float]:
    """Returns or guesses at them, in [-1, 1]."""
    middle, half = (game.max_return + game.min_return) / 2, (game.max_return - game.min_return) / 2
    return [min(1.0, max(-1.0, (value - middle) / half)) for value in values]


def _solved(rows: _Rows, loss: Loss, l2: float) -> "tuple[Array, Array, Array]":
    """Weights, standard errors, and the spread of each column."""
    import numpy as np

    share = rows.weight / rows.weight.sum()
    spread = np.sqrt(share @ rows.x**2)  # around 0: who is player 0 does not matter
    scale = np.where(spread > 0, spread, 1.0)
    x = rows.x / scale
    w = np.zeros(x.shape[1])
    ridge = l2 * np.eye(len(w))

    def at(w: "Array") -> "tuple[float, Array, Array]":
        """The loss, its slope by z, and its curvature by z, row by row."""
        z = x @ w
        if loss == "squares":
            return float(rows.weight @ (z - rows.y) ** 2) / 2, z - rows.y, np.ones_like(z)
        v = np.tanh(z)
        # -ln P for a result y is ln(2 cosh z) - y z; logaddexp does not overflow
        return float(rows.weight @ (np.logaddexp(z, -z) - rows.y * z)), v - rows.y, 1 - v**2

    value, slope, curvature = at(w)
    for _ in range(STEPS):
        gradient = x.T @ (rows.weight * slope) + l2 * w
        hessian = (x * (rows.weight * curvature)[:, None]).T @ x + ridge
        step = np.linalg.solve(hessian, gradient)
        before = value + l2 / 2 * float(w @ w)
        for _ in range(30):  # half as far while that makes it worse
            value, slope, curvature = at(w - step)
            if value + l2 / 2 * float((w - step) @ (w - step)) <= before + 1e-12:
                break
            step = step / 2
        w = w - step
        if float(np.abs(step).max(initial=0)) < 1e-10:
            break
    _, slope, curvature = at(w)
    hessian = (x * (rows.weight * curvature)[:, None]).T @ x + ridge
    scores = np.zeros((int(rows.game.max()) + 1, len(w)))
    np.add.at(scores, rows.game, x * (rows.weight * slope)[:, None])
    inverse = np.linalg.inv(hessian)
    errors = np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))
    return w / scale, errors / scale, spread


def _quality(values: "Array", rows: _Rows) -> Quality:
    """How well values in [-1, 1] foretell results."""
    import numpy as np

    share = rows.weight / rows.weight.sum()
    inside = np.clip(values, -1 + 1e-12, 1 - 1e-12)
    p, points = (1 + inside) / 2, (1 + rows.y) / 2
    log_loss = -float(share @ (points * np.log(p) + (1 - points) * np.log1p(-p)))
    decided = rows.y != 0
    right = np.where(values == 0, 0.5, np.sign(values) == np.sign(rows.y))
    accuracy = float(share[decided] @ right[decided] / share[decided].sum()) if decided.any() else math.nan
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    total = np.bincount(bins, share, BINS)
    expected, came = np.bincount(bins, share * p, BINS), np.bincount(bins, share * points, BINS)
    calibration = [
        (float(expected[b] / total[b]), float(came[b] / total[b]), float(total[b])) for b in range(BINS) if total[b] > 0
    ]
    return Quality(len(set(rows.game.tolist())), len(values), log_loss, accuracy, calibration)
