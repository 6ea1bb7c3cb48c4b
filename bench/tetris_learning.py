"""Tetris, learning: games of the beam to begin with, and attack in fifty placements.

    python -m bench.tetris_learning games GAMES.jsonl --games 2000       what the supervised start learns from
    python -m bench.tetris_learning attack alphazero:simulations=1000,cache=0 --games 50 [--json]

`attack` counts what is sent in the first 50 placements from the empty board by the Jstris table. Games go on where they
were stopped: with --out FILE every finished game is a line there, and is not played again.
"""

import argparse
import json
import math
import random
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sevenfold as sf
from bench.side_by_side import Row
from sevenfold.records import Record
from sevenfold.screen import console as console_of

console = console_of(stderr=True)
PRESET, WANTED, TEMPERATURE, LOOSE = "jstris50", 36.0, 0.5, 3.0
SLIPS = (0.0, 0.03, 0.1)
"""In a third of the games each: how often a placement is drawn loosely, so that the net sees what comes of mistakes."""


@dataclass
class Attack:
    """What a player sends in fifty placements."""

    player: str
    games: int
    mean: float
    half: float
    """Half of the 95 % interval."""
    seconds: float
    """Processor time per placement."""

    def __str__(self) -> str:
        return (
            f"{self.player}: {self.mean:.2f} ± {self.half:.2f} attack in 50 placements "
            f"({self.games} games, {self.seconds:.3f} s of processor time each)"
        )


def one_game(player: sf.Player, seed: int) -> float:
    state = player.game.new(seed)
    player.reset()
    while not state.is_over:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)
    return state.returns()[0]


def attack(name: str, games: int, seed: int, out: Path | None) -> Attack:
    """Games of one player, each from its own seed; every player gets the same bags."""
    game = sf.game("tetris", preset=PRESET)
    player = sf.player(name, game)
    player.prepare()
    done = {}
    for line in out.read_text(encoding="utf-8").splitlines() if out and out.is_file() else []:
        one = json.loads(line)
        if one["player"] == name:
            done[one["seed"]] = (one["attack"], one["seconds"])
    for number in range(seed, seed + games):
        if number in done:
            continue
        start = time.process_time()
        sent = one_game(player, number)
        done[number] = (sent, (time.process_time() - start) / int(game.options["pieces"]))
        if out:
            with out.open("a", encoding="utf-8") as file:
                found = {"player": name, "seed": number, "attack": sent, "seconds": done[number][1]}
                file.write(json.dumps(found) + "\n")
        console.print(f"{name}: game {len(done)} of {games}, {sent:g}", style="dim")
    mine = [done[number] for number in range(seed, seed + games)]
    sent_in_all = [one for one, _ in mine]
    half = 1.96 * statistics.stdev(sent_in_all) / math.sqrt(games) if games > 1 else math.inf
    return Attack(name, games, statistics.fmean(sent_in_all), half, statistics.fmean(each for _, each in mine))


def teach(path: Path, games: int, width: int, seed: int) -> None:
    """Games of the beam with what it thinks of every placement, as records; those that are there are kept."""
    game = sf.game("tetris", preset=PRESET)
    beam = sf.player("beam", game, seconds=None, width=width, samples=0)
    there = sum(1 for _ in path.open(encoding="utf-8")) if path.is_file() else 0
    for number in range(there, games):
        rng, state = random.Random(f"{seed}-{number}"), game.new(seed * 1_000_003 + number)
        moves: list[dict[str, Any] | None] = []
        slips = rng.choice(SLIPS)
        while not state.is_over:
            if state.to_move == sf.CHANCE:
                state.play_chance()
                moves.append(None)
                continue
            result = beam.think(state)
            worth = {view.action: view.value or 0.0 for view in result.actions}
            moves.append({"policy": likely(worth)})
            loose = softmax(worth, LOOSE)
            slip = rng.random() < slips
            state.play(rng.choices(list(loose), list(loose.values()))[0] if slip else result.action)
        with path.open("a", encoding="utf-8") as file:
            file.write(Record.of(state, ["beam"], moves).to_line() + "\n")
        if number % 20 == 19:
            console.print(f"{number + 1} of {games} games", style="dim")


def likely(worth: dict[int, float]) -> dict[str, float]:
    """What the beam thinks of every placement, as shares; those of the worst are left out."""
    found = {action: share for action, share in softmax(worth, TEMPERATURE).items() if share > 0.003}
    total = sum(found.values())
    return {str(action): round(share / total, 4) for action, share in found.items()}


def softmax(worth: dict[int, float], temperature: float) -> dict[int, float]:
    top = max(worth.values())
    odds = {action: math.exp(max(-50.0, (value - top) / temperature)) for action, value in worth.items()}
    total = sum(odds.values())
    return {action: one / total for action, one in odds.items()}


def run() -> list[Row]:
    """A few games for `python -m bench`; the figure itself takes minutes: the subcommand `attack`."""
    found = attack("alphazero:simulations=1000,cache=0", 4, 1, None)
    return [Row(f"tetris, {found}", "attack", found.mean, None, None, f">= {WANTED:g}", found.mean >= WANTED)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.tetris_learning", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("games", help="games of the beam, as records")
    one.add_argument("path", type=Path)
    one.add_argument("--games", type=int, default=2000)
    one.add_argument("--width", type=int, default=250)
    one.add_argument("--seed", type=int, default=1)
    two = verbs.add_parser("attack", help="attack in fifty placements")
    two.add_argument("players", nargs="+")
    two.add_argument("--games", type=int, default=50)
    two.add_argument("--seed", type=int, default=1)
    two.add_argument("--out", type=Path, default=None, help="finished games, which are not played again")
    two.add_argument("--json", action="store_true", help="print for programs")
    given = parser.parse_args()
    try:
        if given.verb == "games":
            teach(given.path, given.games, given.width, given.seed)
        else:
            found = [attack(name, given.games, given.seed, given.out) for name in given.players]
            print(json.dumps([asdict(one) for one in found]) if given.json else "\n".join(map(str, found)))
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
