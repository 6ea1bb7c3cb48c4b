"""Eight training samples from one: every symmetry of a tic-tac-toe position, with its policy moved along."""

import numpy as np

import sevenfold as sf

game = sf.game("tic_tac_toe")
state = game.new()
for move in ("a3", "b2"):
    state.play(state.parse_action(move))
policy = state.legal_mask() / state.legal_mask().sum()

samples = []
for s in range(state.symmetries):
    moved = np.zeros_like(policy)
    for action in range(game.actions):
        moved[state.symmetric_action(s, action)] = policy[action]
    image = state.symmetric(s)
    samples.append((image.observe().planes, moved))
    print(image, "\n")
print(len(samples), "samples of shape", samples[0][0].shape)
