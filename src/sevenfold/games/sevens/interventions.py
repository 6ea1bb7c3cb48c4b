"""Interventions in the rules: what a search does at the same decision when a multiplier is 1 instead of 2.

A net has learnt one set of rules, so that only a search can be asked what it would do under another. The decisions are
those of `blocker` in all seats; at each the same search, with the same worlds and dice, is asked twice.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sevenfold as sf
from sevenfold.game import Game
from sevenfold.seeds import seed_of

SEARCH = "belief:simulations=600,weigh=off"
"""Without a net, in even worlds: what is asked is what the rules change, and nothing else."""
DEALER, TURN, MUST_COVER, SUNK = 4, 8, 9, 10
"""Features of obs24."""
NEAR = (25.0, 50.0)
"""Sunk points of who has the threshold before it."""


@dataclass
class Intervention:
    """What became of decisions when the rules were changed."""

    changed: NDArray[np.bool_]
    shift: NDArray[np.float64]
    """How much higher a card was taken by the true rules."""
    turn: NDArray[np.float64]
    sunk: NDArray[np.float64]


def intervene(rules: Game, option: str, deals: int, seed: int, value: float = 1.0) -> Intervention:
    """Another value of `mult_dealer_loses` at the dealer's plays, or of `mult_threshold` at decisions near it."""
    changed: dict[str, Any] = rules.options | {option: value}
    other = sf.game("sevens", **changed)
    blocker = sf.player("blocker", rules)
    rows: list[tuple[bool, float, float, float]] = []
    for number in range(deals):
        state = rules.new(seed_of(seed, number, "interventions"))
        while state.to_move != sf.TERMINAL:
            if state.to_move == sf.CHANCE:
                state.play_chance()
                continue
            features = state.observe(state.to_move).features
            if len(state.legal_actions()) > 1 and _concerns(option, features):
                again = other.new()
                for action in state.history:
                    again.play(action)
                spec = f"{SEARCH},seed={len(rows)}"
                here = sf.player(spec, rules).think(state).action
                there = sf.player(spec, other).think(again).action
                rows.append((here != there, here % 13 - there % 13, features[TURN] * 52, features[SUNK] * 50))
            state.play(blocker.think(state).action)
    table = np.array(rows, np.float64).reshape(len(rows), 4)
    return Intervention(table[:, 0] > 0, table[:, 1], table[:, 2], table[:, 3])


def _concerns(option: str, features: NDArray[np.float32]) -> bool:
    if option == "mult_dealer_loses":
        return bool(features[DEALER] > 0 and features[MUST_COVER] == 0)
    return bool(NEAR[0] <= features[SUNK] * 50 <= NEAR[1])
