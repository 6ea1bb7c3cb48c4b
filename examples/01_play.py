"""A game of connect-four between two players, printed as it goes."""

import sevenfold as sf

game = sf.game("connect_four")
seats = [sf.player("montecarlo:simulations=2000", game), sf.player("random", game, seed=3)]
state = game.new()
while state.to_move != sf.TERMINAL:
    result = seats[state.to_move].think(state)
    print(f"{seats[state.to_move].name} plays {state.action_text(result.action)}")
    state.play(result.action)
print(state)
print("returns:", state.returns())
