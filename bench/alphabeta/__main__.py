"""Runs one of the measurements and prints a table or JSON."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

import bench.alphabeta
from bench.alphabeta import experiment, steps


def percent(score: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * score:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def show_steps(costs: list[steps.Cost], positions: int, console: Console) -> None:
    for game in dict.fromkeys(cost.game for cost in costs):
        table = Table("steps", title=game)
        for heading in ("nodes", "time", "values changed", "counted"):
            table.add_column(heading, justify="right")
        for cost in costs:
            if cost.game == game:
                table.add_row(cost.what, f"{cost.nodes:.3f}", f"{cost.time:.2f}", str(cost.changed), cost.count)
        console.print(table)
    print(f"Shares of plain alpha-beta's, summed over {positions} positions each; time is processor time.")


def show_duels(duels: list[experiment.Duel], console: Console) -> None:
    table = Table("per move", "first", "second", title="easycard arena, both colours on the same deals")
    for heading in ("games", "won-drawn-lost", "score (95 %)", "Elo (95 %)", "verdict"):
        table.add_column(heading, justify="left" if heading == "verdict" else "right")
    for one in duels:
        elo = f"{one.elo:+.0f} ({one.elo_interval[0]:+.0f} to {one.elo_interval[1]:+.0f})"
        record = f"{one.wins}-{one.draws}-{one.losses}"
        score = percent(one.score, one.interval)
        table.add_row(one.budget, one.first, one.second, str(one.games), record, score, elo, one.verdict)
    console.print(table)
    table = Table("per move", "the document says", "here it", "score (95 %)")
    for claim in experiment.claims(duels):
        table.add_row(claim.budget, claim.claim, claim.found, percent(claim.score, claim.interval))
    console.print(table)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.alphabeta",
        description=bench.alphabeta.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    sub = commands.add_parser("steps", help="nodes and time to the same depth")
    sub.add_argument("--json", action="store_true", help="print for programs")
    sub.add_argument("--positions", type=int, default=steps.POSITIONS, help="of each game")
    sub = commands.add_parser("easycard", help="the founding document's experiment")
    sub.add_argument("--json", action="store_true", help="print for programs")
    sub.add_argument("--games", type=int, default=400, help="per pair")
    sub.add_argument("--budgets", nargs="+", choices=list(experiment.BUDGETS), default=list(experiment.BUDGETS))
    sub.add_argument("--processes", type=int, default=None, help="games at once (default: cores)")
    sub.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "results", help="folder of results")
    arguments = parser.parse_args(given)
    console, err = Console(), Console(stderr=True)
    wide = Console(width=console.width if console.is_terminal else 130)
    try:
        if arguments.command == "steps":
            with err.status("searching …"):
                costs = steps.measure(arguments.positions)
            if arguments.json:
                print(json.dumps([cost.to_json() for cost in costs], indent=2))
            else:
                show_steps(costs, arguments.positions, wide)
            return 0
        with err.status("playing …") as status:
            duels = experiment.measure(
                arguments.games, arguments.budgets, arguments.out, arguments.processes, status.update
            )
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here.", file=sys.stderr)
        return 130
    if arguments.json:
        found = [claim.to_json() for claim in experiment.claims(duels)]
        print(json.dumps({"duels": [duel.to_json() for duel in duels], "claims": found}, indent=2))
    else:
        show_duels(duels, wide)
    return 0


if __name__ == "__main__":
    sys.exit(main())
