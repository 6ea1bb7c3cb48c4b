"""Positions to check or calibrate a net with, where nobody has any of its own."""

import random
from typing import Any

from sevenfold.evaluators.batch import Batch
from sevenfold.game import Game


def random_positions(game: Game, rows: int, seed: int = 0) -> Batch:
    """Positions of random games."""
    choose = random.Random(seed)
    states: list[Any] = []
    while len(states) < rows:
        state = game.new(choose.getrandbits(32))
        while not state.is_over and len(states) < rows:
            if state.to_move < 0:
                state.play_chance()
                continue
            states.append(state.copy())
            state.play(choose.choice(state.legal_actions()))
    return Batch.of(states)
