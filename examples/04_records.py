"""Write games to a file, read them back, replay them."""

import tempfile
from pathlib import Path

import sevenfold as sf

game = sf.game("connect_four", preset="saiblo", seed=7)
print(game)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "games.jsonl"
    with sf.RecordWriter(path) as writer:
        for seed in range(5):
            player, state = sf.player("random", game, seed=seed), game.new()
            while state.to_move != sf.TERMINAL:
                state.play(player.think(state).action)
            writer.write(sf.Record.of(state, seats=["random", "random"]))
    for record in sf.read_records(path):
        print(len(record.actions), "plies, result", record.result, "replays to", record.replay().to_text())
