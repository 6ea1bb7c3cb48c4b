"""The same loop for any game, with chance and hidden cards: here Kuhn poker, written in Python."""

from pathlib import Path

import sevenfold as sf

game = sf.game(str(Path(__file__).with_name("kuhn_poker.py")))
player = sf.player("montecarlo:simulations=400", game)
for seed in range(3):
    state = game.new(seed)
    while state.to_move != sf.TERMINAL:
        if state.to_move == sf.CHANCE:
            state.play_chance()
            continue
        action = player.think(state).action
        print(f"player {state.to_move} sees '{state.view(state.to_move)}' and says {state.action_text(action)}")
        state.play(action)
    print("returns:", state.returns(), "\n")
