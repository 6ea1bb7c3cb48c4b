"""Self-play of connect_four as OpenSpiel's Python AlphaZero does it: one game, one leaf at a time, no batches.

Its own MCTSBot, its rules, and an evaluator like its own (a cache of positions in front of the net), with torch where
OpenSpiel's has JAX. Runs where sevenfold's development dependencies are and prints one line of JSON. Counted are
evaluations of the net; what the cache answers is not.
"""

import json
import time
from importlib.metadata import version
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python.algorithms import mcts

from sevenfold import nets

SIMULATIONS, GAMES, WARM_UP = 32, 10, 1
EXPLORATION, NOISE, TEMPERATURE_DROP = 2, (0.25, 1.0), 10  # OpenSpiel's defaults


class Evaluator(mcts.Evaluator):  # type: ignore[misc]
    """One state at a time, as MCTSBot asks: `prior` when it expands a node, `evaluate` when it needs its value."""

    def __init__(self, game: Any) -> None:
        self.shape = tuple(game.observation_tensor_shape())
        shape = nets.Shape(self.shape, 0, game.num_distinct_actions(), game.num_players())
        self.net = nets.build(nets.preset("laptop_large"), shape).eval()
        self.calls = 0
        self.cache: dict[str, tuple[float, np.ndarray]] = {}

    def ask(self, state: Any) -> tuple[float, np.ndarray]:
        key = state.to_string()
        if key not in self.cache:
            self.calls += 1
            planes = torch.tensor(state.observation_tensor(), dtype=torch.float32).reshape(1, *self.shape)
            mask = torch.tensor(state.legal_actions_mask(), dtype=torch.bool)
            with torch.inference_mode():
                out = self.net(planes)
                policy = torch.where(mask, out["policy"][0], -torch.inf).softmax(0)
            self.cache[key] = float(out["value"]), policy.numpy()
        return self.cache[key]

    def evaluate(self, state: Any) -> np.ndarray:
        value, _ = self.ask(state)
        return np.array([value, -value] if state.current_player() == 0 else [-value, value])

    def prior(self, state: Any) -> list[tuple[int, float]]:
        _, policy = self.ask(state)
        return [(action, policy[action]) for action in state.legal_actions()]


def play(game: Any, bot: Any, random: np.random.RandomState) -> int:
    """One game; its number of moves."""
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        root = bot.mcts_search(state)
        visits = np.zeros(game.num_distinct_actions())
        for child in root.children:
            visits[child.action] = child.explore_count
        sampled = moves < TEMPERATURE_DROP
        state.apply_action(
            int(random.choice(len(visits), p=visits / visits.sum()) if sampled else root.best_child().action)
        )
        moves += 1
    return moves


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random = np.random.RandomState(1)
    game = pyspiel.load_game("connect_four")
    evaluator = Evaluator(game)
    bot = mcts.MCTSBot(
        game,
        EXPLORATION,
        SIMULATIONS,
        evaluator,
        solve=False,
        dirichlet_noise=NOISE,
        child_selection_fn=mcts.SearchNode.puct_value,
        random_state=random,
    )
    for _ in range(WARM_UP):
        play(game, bot, random)
    evaluator.calls = 0
    evaluator.cache.clear()
    start = time.process_time()
    moves = sum(play(game, bot, random) for _ in range(GAMES))
    seconds = time.process_time() - start
    print(
        json.dumps(
            {
                "name": "openspiel_torch",
                "versions": {name: version(name) for name in ("open_spiel", "torch")},
                "evaluations_per_second": evaluator.calls / seconds,
                "moves_per_second": moves / seconds,
                "games_per_second": GAMES / seconds,
                "evaluations": evaluator.calls,
                "cpu_seconds": seconds,
                "batch": 1,
                "simulations": SIMULATIONS,
            }
        )
    )


if __name__ == "__main__":
    main()
