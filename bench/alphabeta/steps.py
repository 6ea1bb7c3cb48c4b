"""Nodes and processor time to the same depth, with one step more than plain alpha-beta, and with one step less than
all of them."""

import random
import time
from dataclasses import asdict, dataclass
from typing import Any

import sevenfold as sf
from sevenfold.alphabeta import PRESETS, AlphaBetaPlayer

LOSSLESS = ("table", "order", "killers", "history", "pvs", "aspiration", "independent")
FORWARD = ("razor", "self_loss")
POSITIONS = 30
GAMES: dict[str, tuple[dict[str, Any], int, int]] = {
    "easycard arena": ({"preset": "arena"}, 10, 30),
    "connect_four": ({}, 9, 20),
}
"""Options, depth, and the most random plies before a position."""


@dataclass
class Cost:
    """What a search costs compared with another, over all positions of a game."""

    game: str
    what: str
    nodes: float
    """As a share of plain alpha-beta's."""
    time: float
    changed: int
    """Positions whose value is another."""
    count: str = ""
    """What the step itself has counted."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def positions(game: sf.Game, most: int, count: int = POSITIONS, seed: int = 1) -> list[sf.State]:
    """Positions after a few random plies, in which there is a choice."""
    rng, out = random.Random(seed), []
    while len(out) < count:
        state = game.new(seed=rng.randrange(10**6))
        for _ in range(rng.randint(0, most)):
            while state.to_move == sf.CHANCE:
                state.play_chance()
            if not state.is_over:
                state.play(rng.choice(state.legal_actions()))
        while state.to_move == sf.CHANCE:
            state.play_chance()
        if not state.is_over and len(state.legal_actions()) > 1:
            out.append(state)
    return out


def searched(game: sf.Game, states: list[sf.State], depth: int, steps: set[str]) -> tuple[int, float, list[float], Any]:
    """Nodes, processor time, values, and counters of a search with these steps."""
    options = {step: step in steps for step in PRESETS["plain"] if step != "deepening"}
    nodes, seconds, values = 0, 0.0, []
    counts: dict[str, int] = {}
    for state in states:
        player = AlphaBetaPlayer(game, depth=depth, **options)
        start = time.process_time()
        result = player.think(state)
        seconds += time.process_time() - start
        nodes += result.nodes
        values.append(result.values[0])
        for name, count in result.steps.items():
            counts[name] = counts.get(name, 0) + count
    return nodes, seconds, values, counts


def measure(count: int = POSITIONS) -> list[Cost]:
    out = []
    for name, (options, depth, most) in GAMES.items():
        game = sf.game(name.split()[0], **options)
        needs = {"order": "order", "independent": "independent", "self_loss": "handicap"}
        lossless = {step for step in LOSSLESS if needs.get(step) in (None, *game.abilities)}
        forward = {step for step in FORWARD if needs.get(step) in (None, *game.abilities)}
        states = positions(game, most, count)
        searched(game, states, depth, set())  # warms caches and branch predictors
        plain = searched(game, states, depth, set())
        cases: list[tuple[str, set[str]]] = [("plain", set())]
        cases += [(f"+ {step}", {step}) for step in LOSSLESS + FORWARD if step in lossless | forward]
        cases += [(f"all lossless - {step}", lossless - {step}) for step in LOSSLESS if step in lossless]
        cases += [("all lossless", lossless), ("all forward", forward), ("all", lossless | forward)]
        for what, steps in cases:
            nodes, seconds, values, counts = searched(game, states, depth, steps)
            changed = sum(abs(a - b) > 1e-9 for a, b in zip(values, plain[2], strict=True))
            counted = "".join(f"{counts.get(step, 0):,}" for step in steps) if len(steps) == 1 else ""
            out.append(Cost(f"{name}, depth {depth}", what, nodes / plain[0], seconds / plain[1], changed, counted))
    return out
