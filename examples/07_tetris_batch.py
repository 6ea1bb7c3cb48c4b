"""Many games of Tetris at once: a policy of four weights, found by the cross-entropy method in a few seconds.

The policy sees only what an action id says (how low the piece lies, how far from the middle, upright or flat, from the
hold), so it cannot play well; but it learns to live longer than chance does.
"""

import gymnasium
import numpy as np

import sevenfold.adapters.gymnasium  # noqa: F401  # registers the games

CANDIDATES, GAMES, STEPS, GENERATIONS, BEST = 16, 8, 60, 4, 4

options = {"objective": "pieces", "height": 12, "lock_out": "any"}
envs = gymnasium.make_vec("sevenfold/tetris-v1", num_envs=CANDIDATES * GAMES, copy=False, **options)

# What an action id says: (layer * rows + y) * 10 + x, layer = hold * 12 + orientation * 3 + spin.
ids, rows = np.arange(envs.single_action_space.n), envs.single_observation_space["observation"].shape[1]
x, y, layer = ids % 10, ids // 10 % rows, ids // (10 * rows)
said = np.stack([y / 5, abs(x - 4.5) / 4.5, layer // 3 % 2, layer // 12]).astype(np.float32)


def placed(weights: np.ndarray, seed: int) -> np.ndarray:
    """Pieces that each row of weights has placed when its games end, or after so many steps: the mean of its games."""
    scores = np.repeat(weights.astype(np.float32) @ said, GAMES, axis=0)
    _, infos = envs.reset(seed=seed)
    alive, pieces = np.ones(envs.num_envs, bool), np.zeros(envs.num_envs)
    for _ in range(STEPS):
        chosen = np.where(infos["action_mask"], scores, -np.inf).argmax(axis=1)
        _, rewards, ended, _, infos = envs.step(chosen)
        pieces += alive * rewards
        alive &= ~ended
    return pieces.reshape(CANDIDATES, GAMES).mean(axis=1)


rng = np.random.default_rng(1)
mean, spread = np.zeros(4), np.ones(4)
for generation in range(GENERATIONS):
    candidates = mean + spread * rng.standard_normal((CANDIDATES, 4))
    results = placed(candidates, seed=generation)
    best = candidates[results.argsort()[-BEST:]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + 0.2 / (generation + 1)
    print(f"generation {generation + 1}: {results.mean():.1f} pieces on average, {results.max():.1f} the best")
print("weights (height, off the middle, upright, hold):", mean.round(2))
