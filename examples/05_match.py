"""Compare players: a match, a tournament, a rating list, and a player of your own."""

import tempfile
from pathlib import Path

import sevenfold as sf


class Centre(sf.Player):
    """Plays as near to the middle column as it can."""

    name = "centre"

    def think(self, state: sf.State) -> sf.SearchResult:
        middle = (self.game.actions - 1) / 2
        action = min(state.legal_actions(), key=lambda column: abs(column - middle))
        return sf.SearchResult(action, policy=[], values=[0.0, 0.0])


m = sf.match("connect_four", ["uct:simulations=100", Centre], games=20, opening_plies=2, seed=1)
low, high = m.score_interval
print(f"{m.players[0]} against {m.players[1]}: {m.wins} won, {m.draws} drawn, {m.losses} lost")
print(f"score {m.score:.0%}, between {low:.0%} and {high:.0%}; Elo {m.elo:+.0f}")

with tempfile.TemporaryDirectory() as folder:
    games, ratings = Path(folder) / "games.jsonl", Path(folder) / "ratings.jsonl"
    players = ["random", "montecarlo:simulations=50", "uct:simulations=50"]
    sf.tournament("connect_four", players, rounds=2, record=games)  # stopped too early?
    t = sf.tournament("connect_four", players, rounds=4, record=games, resume=True, ratings=ratings)  # go on
    for name, (elo, margin) in sorted(t.elos().items(), key=lambda item: -item[1][0]):
        print(f"{name:28} {elo:+5.0f} ± {margin:.0f}")
    print(
        len(list(sf.read_records(games))), "games on disk;", len(ratings.read_text().splitlines()), "entry in the list"
    )
