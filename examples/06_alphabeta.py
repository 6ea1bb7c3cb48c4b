"""Alpha-beta for a game of your own: search with its heuristic, let games fit its weights, review a game."""

import tempfile
from pathlib import Path

import sevenfold as sf

game = sf.game(str(Path(__file__).parent / "kalah.py"))
state = game.new()
result = sf.player("alphabeta:depth=8", game).think(state)
print(f"best pit {result.action}, expected {result.values[0]:+.2f}, line {result.pv}, {result.nodes} positions")
print("what the steps did:", result.steps)
plain = sf.player("alphabeta:depth=8,preset=plain", game).think(state)
print(f"plain alpha-beta needs {plain.nodes} positions for the same value: {plain.values[0]:+.2f}")

with tempfile.TemporaryDirectory() as folder:
    games = Path(folder) / "games.jsonl"
    opponents = ["alphabeta:depth=3", "alphabeta:depth=1"]
    sf.match(game, opponents, games=40, opening_plies=3, record=games, processes=1)
    fitted = sf.fit(games, game)
    print("weights:", {name: round(weight, 2) for name, weight in fitted.weights.terms.items()})
    better = sf.evaluation(game, "linear", fitted.weights)
    print("the first position is worth", [round(value, 2) for value in better(state)])
    review = sf.review(next(iter(sf.read_records(games))), "alphabeta:depth=5", game=game)
    print("marks:", [move.mark for move in review.moves], f"excitement {review.excitement:.1f}")
