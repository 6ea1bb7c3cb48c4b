"""The command; what it does is in __init__.py."""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import bench.tetris_tune
import sevenfold as sf
from sevenfold.files import whole_file
from sevenfold.games.tetris import players
from sevenfold.perft import run_watched

FIXED = "attack"
FRESH = 1_000_000
"""Seeds from here on are for --test."""


def attack_of(weights: Sequence[float], seed: int, pieces: int, width: int, samples: int) -> float:
    """Attack per piece of one game; pieces that a lost game did not place count too."""
    start = sf.game("tetris", pieces=20000).new()
    _, attack, _ = run_watched(
        lambda watch: players.core.beam_game(start, list(weights), width, samples, 2, pieces, seed, watch)
    )
    return float(attack) / pieces


class Tuning:
    """A search, its folder, and how candidates become weights."""

    def __init__(self, out: Path, settings: dict[str, Any]) -> None:
        self.out, self.settings = out, settings | {"start": [*players.weights()]}
        self.names = [*players.core.beam_terms()]
        self.start = np.array(players.weights())
        self.free = [i for i, name in enumerate(self.names) if name != FIXED]
        self.log = out / "generations.jsonl"

    def weights(self, factors: Sequence[float]) -> list[float]:
        """exp of a candidate's numbers are factors of the first weights: signs stay as they are."""
        out = self.start.copy()
        out[self.free] *= np.exp(np.clip(factors, -3, 3))
        return [float(one) for one in out]

    def done(self) -> list[dict[str, Any]]:
        """The generations on disk, as far as they are whole; those of other settings are refused."""
        if not self.log.exists():
            return []
        lines = []
        for line in self.log.read_text(encoding="utf-8").splitlines():
            try:
                lines.append(json.loads(line))
            except ValueError:
                break  # cut off while it was written
        if lines and lines[0] != self.settings:
            raise ValueError(f"{self.log} was made with other settings: {lines[0]}.")
        return lines[1:]

    def run(self, minutes: float) -> None:
        import cma

        options = {"seed": self.settings["seed"] + 1, "popsize": self.settings["population"], "verbose": -9}
        search = cma.CMAEvolutionStrategy([0.0] * len(self.free), self.settings["sigma"], options)
        earlier = self.done()
        for one in earlier:  # the same numbers in the same order give the same search
            search.ask()
            search.tell([np.array(c) for c in one["candidates"]], [-worth for worth in one["worth"]])
        self.out.mkdir(parents=True, exist_ok=True)
        lines = [self.settings, *earlier]
        with whole_file(self.log) as path:
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        end = time.monotonic() + 60 * minutes
        generation = len(earlier)
        with Progress(console=Console(stderr=True)) as progress:
            task = progress.add_task("", total=60 * minutes)
            while time.monotonic() < end:
                candidates = [np.array(one) for one in search.ask()]
                seeds = [generation * self.settings["games"] + i + 1 for i in range(self.settings["games"])]
                worth = []
                for candidate in candidates:
                    weights = self.weights(candidate)
                    worth.append(statistics.fmean(self._played(weights, seed) for seed in seeds))
                    progress.update(task, completed=60 * minutes - max(0, end - time.monotonic()))
                search.tell(candidates, [-one for one in worth])
                line = {"candidates": [one.tolist() for one in candidates], "worth": worth}
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                named = dict(zip(self.names, self.weights(search.mean), strict=True))
                with whole_file(self.out / "weights.json") as path:
                    path.write_text(json.dumps(named, indent=2) + "\n", encoding="utf-8")
                generation += 1
                progress.update(
                    task, description=f"generation {generation}: {statistics.fmean(worth):.3f}, best {max(worth):.3f}"
                )

    def _played(self, weights: Sequence[float], seed: int) -> float:
        chosen = self.settings
        return attack_of(weights, seed, chosen["pieces"], chosen["width"], chosen["samples"])

    def test(self, games: int, pieces: int, width: int) -> dict[str, Any]:
        """The tuned weights and those of the room on the same fresh games."""
        named = json.loads((self.out / "weights.json").read_text(encoding="utf-8"))
        tuned = [float(named[name]) for name in self.names]
        pairs = []
        for seed in range(FRESH, FRESH + games):
            mine = attack_of(tuned, seed, pieces, width, self.settings["samples"])
            pairs.append((mine, attack_of(self.start.tolist(), seed, pieces, width, self.settings["samples"])))
            print(f"{len(pairs)}: {pairs[-1][0]:.3f} against {pairs[-1][1]:.3f}", file=sys.stderr)
        gains = [mine - other for mine, other in pairs]
        return {
            "games": games,
            "pieces": pieces,
            "width": width,
            "tuned": round(statistics.fmean(mine for mine, _ in pairs), 4),
            "before": round(statistics.fmean(other for _, other in pairs), 4),
            "gain": round(statistics.fmean(gains), 4),
            "error": round(statistics.stdev(gains) / math.sqrt(games), 4) if games > 1 else None,
        }


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.tetris_tune",
        description=bench.tetris_tune.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run; goes on with what is there")
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--games", type=int, default=2, help="of each candidate")
    parser.add_argument("--pieces", type=int, default=150, help="of a game")
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--samples", type=int, default=0, help="futures beyond the queue")
    parser.add_argument("--population", type=int, default=12)
    parser.add_argument("--sigma", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--test", action="store_true", help="compare instead of tune")
    given = parser.parse_args()
    names = ("games", "pieces", "width", "samples", "population", "sigma", "seed")
    try:
        if given.test:
            tuning = Tuning(given.out, {"samples": given.samples})
            print(json.dumps(tuning.test(given.games, given.pieces, given.width)))
        else:
            Tuning(given.out, {name: getattr(given, name) for name in names}).run(given.minutes)
    except (ValueError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
