"""The protocol of evaluators, and what is the same for all of them."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sevenfold._core import State
from sevenfold.evaluators.batch import Batch, Floats
from sevenfold.nets.description import Description
from sevenfold.nets.values import absolute

Evaluation = tuple[Floats, Floats]
"""Values [N, players], in returns of the game, seat 0 first; logits [N, actions], of illegal actions too."""


class Evaluator(Protocol):
    """Anything that evaluates a batch of positions."""

    def evaluate(self, batch: Batch) -> Evaluation:
        """Values per player, and logits of the actions."""


def evaluate_states(evaluator: Evaluator, states: Sequence[State]) -> tuple[NDArray[np.float64], Floats]:
    """Values [N, players] and weights [N, actions] of states, as `Mcts.resume` takes them after `collect`."""
    values, logits = evaluator.evaluate(Batch.of(states))
    legal = np.stack([state.legal_mask() for state in states])
    return values.astype(np.float64), priors(logits, legal)


def evaluated(evaluator: Evaluator, state: State) -> tuple[NDArray[np.float64], Floats]:
    """What a net says of one position. Of returns that grow on the way a net says what is still to come, to which what
    there has been is added; a search does that itself."""
    values, weights = evaluate_states(evaluator, [state])
    return values + np.array(state.returns()) * bool(state.game.gain), weights


def evaluate_symmetric(evaluator: Evaluator, states: Sequence[State]) -> tuple[NDArray[np.float64], Floats]:
    """The mean of what it says of states seen through all symmetries of their game; they are of one game."""
    count = states[0].symmetries
    seen = [state.symmetric(symmetry) for symmetry in range(count) for state in states]
    values, weights = evaluate_states(evaluator, seen)
    mean = np.zeros((len(states), weights.shape[1]), np.float32)
    for row, state in enumerate(states):
        for action in state.legal_actions():
            for symmetry in range(count):
                seen_as = state.symmetric_action(symmetry, action)
                mean[row, action] += weights[symmetry * len(states) + row, seen_as] / count
    return values.reshape(count, len(states), -1).mean(0), mean


def priors(logits: Floats, legal: NDArray[np.uint8]) -> Floats:
    """The softmax over the legal actions [N, actions]; the others get 0."""
    masked = np.where(legal != 0, logits, -np.inf)
    odds = np.exp(masked - masked.max(1, keepdims=True))
    out: Floats = (odds / odds.sum(1, keepdims=True)).astype(np.float32)
    return out


def finished(name: str, description: Description, batch: Batch, raw: Floats, logits: Floats) -> Evaluation:
    """A net's outputs as an evaluation; wrong sizes, and numbers that are none, are refused with the net's name."""
    sizes = description.architecture.value_size(description.shape), description.shape.actions
    if (raw.shape, logits.shape) != ((len(batch), sizes[0]), (len(batch), sizes[1])):
        raise ValueError(f"the net {name} gives {raw.shape} and {logits.shape}, which is not what it describes.")
    for kind, array in (("value", raw), ("policy", logits)):
        if (
            not math.isfinite(array.sum()) and not np.isfinite(array).all()
        ):  # a sum is quick, and no number if one is none
            row = int(np.argwhere(~np.isfinite(array))[0, 0])
            raise ValueError(f"the net {name} gave a {kind} that is no number, for position {row} of {len(batch)}.")
    head, players = description.architecture.value, description.shape.players
    return absolute(head, raw, batch.viewers, players, description.scale), logits


def check_batch(description: Description, batch: Batch) -> None:
    """Refuses positions of another shape than the net's."""
    shape = description.shape
    found, wanted = (batch.planes.shape[1:], batch.features.shape[1:]), (shape.planes, (shape.features,))
    if found != wanted:
        raise ValueError(f"this net is for planes and features {wanted}, not for {found}.")
