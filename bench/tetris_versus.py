"""Tetris for two: games of the beam to learn from, the small net of `guided`, and who wins at equal time.

    python -m bench.tetris_versus games GAMES.jsonl --games 441            what nets learn from
    python -m bench.tetris_versus judge GAMES.jsonl OUT.json               the net of `guided`
    python -m bench.tetris_versus match guided beam --games 200 --seconds 0.015 [--json]

A match is at equal processor time; seats change from game to game, and every two games have the same bags. With --out
FILE every finished game is a line there, and is not played again.
"""

import argparse
import json
import math
import random
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import sevenfold as sf
from bench.side_by_side import Row
from bench.tetris_learning import LOOSE, SLIPS, likely, softmax
from sevenfold.games.tetris.position import side
from sevenfold.records import Record, numbered_records
from sevenfold.screen import console as console_of

console = console_of(stderr=True)
WANTED = 0.55
SHOWN, SOON, SPREAD, HALF_LIFE = 60, 20, 10.0, 30.0
"""Placements of a side that are recorded; over how many attack is counted; the lead in lines that says much; placements
after which the end of a game says half as much."""


def tell_worth(moves: list[dict[str, Any] | None], sent: list[list[int]], returns: list[float]) -> None:
    """Adds to each placement of two players in turn what came of it: half is who sends more in the next SOON of them,
    half who wins, the less the later."""
    at = 0
    for move in moves:
        if move is None:
            continue
        begin, left = at // 2, (len(sent[0]) + len(sent[1]) - at) / 2
        own = [sum(one[begin + (at % 2 > seat) :][:SOON]) for seat, one in enumerate(sent)]
        ahead = math.tanh((own[0] - own[1]) / SPREAD) / 2 + returns[0] / 2 * 0.5 ** (left / HALF_LIFE)
        move["worth"] = [round(ahead, 4), round(-ahead, 4)]
        at += 1


def teach(path: Path, games: int, width: int, seed: int) -> None:
    """Games of the beam with what it thinks of every placement, as records; those that are there are kept. A whole game
    takes hundreds of placements, and how it ended says little of its beginning: the first SHOWN placements of each side
    are the record, with what came of them soon as their worth."""
    game = sf.game("tetris_versus")
    beam = sf.player("beam", game, seconds=None, width=width, samples=0)
    there = sum(1 for _ in path.open(encoding="utf-8")) if path.is_file() else 0
    for number in range(there, games):
        rng, state = random.Random(f"{seed}-{number}"), game.new(seed * 1_000_003 + number)
        moves: list[dict[str, Any] | None] = []
        sent: list[list[int]] = [[], []]
        shown, slips = None, (rng.choice(SLIPS), rng.choice(SLIPS))
        while not state.is_over and len(sent[0]) + len(sent[1]) < 2 * (SHOWN + SOON):
            if state.to_move == sf.CHANCE:
                state.play_chance()
                moves.append(None)
                continue
            if shown is None and len(sent[0]) + len(sent[1]) == 2 * SHOWN:
                shown = state.copy()
            mover, result = state.to_move, beam.think(state)
            worth = {a: math.log(share) for a, share in enumerate(result.policy) if share > 0}
            moves.append({"policy": likely(worth)})
            loose = softmax(worth, LOOSE)
            slip = rng.random() < slips[mover]
            action = rng.choices(list(loose), list(loose.values()))[0] if slip else result.action
            before = side(state, mover)["attack"]
            state.play(action)
            sent[mover].append(side(state, mover)["attack"] - before)
        tell_worth(moves, sent, state.returns())
        shown = shown or state
        with path.open("a", encoding="utf-8") as file:
            file.write(Record.of(shown, ["beam", "beam"], moves[: len(shown.history)]).to_line() + "\n")
        if number % 20 == 19:
            console.print(f"{number + 1} of {games} games", style="dim")


def teach_judge(path: Path, out: Path, hidden: int = 32, passes: int = 10, decay: float = 0.3) -> dict[str, float]:
    """The net of games/tetris_versus/players.py, taught what came of the positions of some games; an eighth of them is
    held out. Needs torch."""
    import torch

    from sevenfold.games.tetris import players
    from sevenfold.games.tetris_versus.players import core

    torch.set_num_threads(1)
    torch.manual_seed(0)
    seen, worth, number = [], [], []
    for line, record in numbered_records(path):
        state = sf.game("tetris_versus").new()
        for action, move in zip(record.actions, record.moves, strict=True):
            if move:
                sides = core.judge(state, players.weights())
                seen.append(sides if state.to_move == 0 else sides[::-1])
                worth.append(move["worth"][state.to_move])
                number.append(line)
            state.play(action)
    x, y = torch.from_numpy(np.array(seen, np.float32)), torch.tensor(worth)
    held = torch.tensor(number) % 8 == 0
    mean, spread = x.mean((0, 1)), x.std((0, 1)) + 1e-3
    x = (x - mean) / spread
    net = torch.nn.Sequential(torch.nn.Linear(2 * x.shape[2], hidden), torch.nn.Tanh(), torch.nn.Linear(hidden, 1))
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=decay)

    def value(sides: Any) -> Any:
        return (net(sides.flatten(1)) - net(sides.flip(1).flatten(1)))[:, 0] / 2

    learnt = torch.nonzero(~held)[:, 0]
    steps = passes * len(learnt) // 512
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = 3e-3 * (1 - step / steps)
        rows = learnt[torch.randint(0, len(learnt), (512,))]
        loss = (value(x[rows]) - y[rows]).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        wrong = (value(x) - y).square()
        explained = [float(1 - wrong[part].mean() / y[part].var()) for part in (~held, held)]
        first, last = net[0], net[2]
        scale, shift = torch.cat([spread, spread]), torch.cat([mean, mean])
        rows_of = (first.weight / scale).T
        data = {
            "sees": core.judged(),
            "hidden": [[round(float(one), 6) for one in row] for row in rows_of],
            "bias": [round(float(one), 5) for one in first.bias - (shift / scale) @ first.weight.T],
            "out": [round(float(one), 5) for one in last.weight[0]],
        }
    out.write_text(json.dumps(data) + "\n", encoding="utf-8")
    return {
        "games": len(set(number)),
        "positions": len(y),
        "explained": explained[0],
        "explained_held_out": explained[1],
    }


@dataclass
class Duel:
    """Two players of tetris_versus, seats changed from game to game, every two games from one seed."""

    players: tuple[str, str]
    games: int
    wins: int
    draws: int
    seconds: tuple[float, float]
    """Processor time per placement of each."""

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 %, by Wilson."""
        n, p, z = self.games, self.score, 1.96
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.players[0]} against {self.players[1]}: {self.score:.1%} of {self.games} games "
            f"({low:.0%} to {high:.0%}), {self.seconds[0]:.4f} and {self.seconds[1]:.4f} s of processor time each"
        )


def match(names: tuple[str, str], games: int, seconds: float, seed: int, out: Path | None) -> Duel:
    """Games at equal processor time; with `out`, those that are there are not played again."""
    game = sf.game("tetris_versus")
    specs = [f"{name}{',' if ':' in name else ':'}seconds={seconds},processor=true" for name in names]
    players = [sf.player(spec, game) for spec in specs]
    done: dict[int, dict[str, Any]] = {}
    for line in out.read_text(encoding="utf-8").splitlines() if out and out.is_file() else []:
        one = json.loads(line)
        if one["players"] == specs:
            done[one["number"]] = one
    for number in range(games):
        if number in done:
            continue
        state, spent, placed = game.new(seed + number // 2), [0.0, 0.0], [0, 0]
        while not state.is_over:
            if state.to_move == sf.CHANCE:
                state.play_chance()
                continue
            who = state.to_move ^ (number % 2)
            start = time.process_time()
            action = players[who].think(state).action
            spent[who] += time.process_time() - start
            placed[who] += 1
            state.play(action)
        result = state.returns()[number % 2]
        done[number] = {"players": specs, "number": number, "result": result, "spent": spent, "placed": placed}
        if out:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(done[number]) + "\n")
        won = sum(one["result"] > 0 for one in done.values())
        console.print(f"{len(done)} of {games} games: {won} won, {sum(placed)} placements", style="dim")
    mine = [done[number] for number in range(games)]
    each = [sum(one["spent"][i] for one in mine) / sum(one["placed"][i] for one in mine) for i in (0, 1)]
    won, drawn = (sum(one["result"] == what for one in mine) for what in (1, 0))
    return Duel(names, games, won, drawn, (each[0], each[1]))


def run() -> list[Row]:
    """A few games for `python -m bench`; the figure itself takes an hour: the subcommand `match`."""
    found = match(("guided", "beam"), 20, 0.015, 1, None)
    wanted = f">= {WANTED:.0%}, or not surely below"
    return [Row(f"tetris_versus, {found}", "share", found.score, None, None, wanted, found.interval[1] >= WANTED)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.tetris_versus", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("games", help="games of the beam, as records")
    one.add_argument("path", type=Path)
    one.add_argument("--games", type=int, default=441)
    one.add_argument("--width", type=int, default=120)
    one.add_argument("--seed", type=int, default=1)
    two = verbs.add_parser("judge", help="the net of `guided`, from such games")
    two.add_argument("path", type=Path)
    two.add_argument("out", type=Path)
    three = verbs.add_parser("match", help="two players at equal processor time")
    three.add_argument("players", nargs=2)
    three.add_argument("--games", type=int, default=200)
    three.add_argument("--seconds", type=float, default=0.1, help="of the processor, for a placement")
    three.add_argument("--seed", type=int, default=1)
    three.add_argument("--out", type=Path, default=None, help="finished games, which are not played again")
    three.add_argument("--json", action="store_true", help="print for programs")
    given = parser.parse_args()
    try:
        if given.verb == "games":
            teach(given.path, given.games, given.width, given.seed)
        elif given.verb == "judge":
            print(json.dumps(teach_judge(given.path, given.out)))
        else:
            found = match((given.players[0], given.players[1]), given.games, given.seconds, given.seed, given.out)
            numbers = asdict(found) | {"score": found.score, "interval": found.interval}
            print(json.dumps(numbers) if given.json else found)
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
