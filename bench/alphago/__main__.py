"""python -m bench.alphago [--minutes 10] [--out FOLDER] [--json]"""

import argparse
import json
import multiprocessing
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import bench.alphago
from bench.alphago import runs
from sevenfold import game, tournament
from sevenfold.files import whole_file
from sevenfold.game import Game
from sevenfold.selfplay import self_play
from sevenfold.train.run import Run

UCT = "uct:simulations=1000"


def record(out: Path, rules: Game, console: Console) -> Path:
    """The games that alphago starts from; what they cost is kept beside them."""
    file, cost = out / "records.jsonl", out / "records.json"
    if not cost.exists():
        with console.status(f"{runs.RECORDED} games of {runs.RECORDER} …"):
            before = time.process_time() + runs.ended_children()
            self_play(rules, runs.RECORDED, runs.RECORDER, record=file)
            used = time.process_time() + runs.ended_children() - before
        with whole_file(cost) as temporary:
            temporary.write_text(json.dumps({"games": runs.RECORDED, "player": runs.RECORDER, "seconds": used}))
    return file


def about(name: str, run: Run) -> dict[str, Any]:
    """What a run has done."""
    spent = json.loads((run.folder / "spent.json").read_text(encoding="utf-8"))
    metrics, gate, taught = run.lines("metrics"), run.lines("gate"), run.lines("supervised")
    out: dict[str, Any] = {"name": name, "iterations": len(metrics), "spent": spent}
    out |= {"games": metrics[-1]["games"] if metrics else 0, "net": run.net().parent.name}
    out |= {"gates": len(gate), "passed": sum(line["passed"] for line in gate)} if run.config.gate.games else {}
    keys = ("correct_before", "correct_after", "value_error_before", "value_error_after")
    return out | ({"supervised": {key: taught[0][key] for key in keys}} if taught else {})


def compared(out: Path, simulations: int, rounds: int, rules: Game, console: Console) -> dict[str, Any]:
    """Everybody against everybody; scores and Elo by name."""
    players = {UCT: "uct"}
    for name, options in runs.RUNS.items():
        mixed = f",rollouts={options['selfplay.rollouts']}" if "selfplay.rollouts" in options else ""
        players[f"alphazero:net={out / name},simulations={simulations},settle=0{mixed}"] = name
    with console.status("everybody plays everybody …") as status:
        played = tournament(
            rules,
            list(players),
            rounds,
            opening_plies=4,
            anchor=UCT,
            record=out / f"games-{simulations}.jsonl",
            resume=True,
            progress=lambda so_far: status.update(f"game {so_far.games} of {so_far.planned}"),
        )
    if played.faults:
        raise SystemExit(f"a game was lost by a fault: {played.faults[0]}")
    return {players[one["player"]]: one for one in played.standings()} | {"cross": _cross(played, players)}


def _cross(played: Any, names: dict[str, str]) -> dict[str, float]:
    order = [names[player] for player in played.players]
    return {f"{order[a]} – {order[b]}": pair.score for (a, b), pair in sorted(played.pairs().items()) if a < b}


def table(result: dict[str, Any]) -> Table:
    """The result for people."""
    out = Table("", "score", "Elo (95 %)", "iterations", "games", "gate passed", *(f"{one}, s" for one in runs.SPENT))
    by_name = {one["name"]: one for one in result["runs"]}
    rows = sorted((key for key in result["standings"]), key=lambda key: -result["standings"][key]["score"])
    for name in rows:
        one, run = result["standings"][name], by_name.get(name)
        cells = [name, f"{100 * one['score']:.1f} %", f"{one['elo']:+.0f} ± {one['elo_margin']:.0f}"]
        if run:
            gate = f"{run['passed']} of {run['gates']}" if "gates" in run else "no gate"
            cells += [str(run["iterations"]), str(run["games"]), gate]
            cells += [f"{run['spent'][part]:.0f}" for part in runs.SPENT]
        out.add_row(*cells)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.alphago",
        description=bench.alphago.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10, help="of processor time for each run (default: 10)")
    parser.add_argument("--simulations", type=int, default=100, help="of each net's search (default: 100)")
    parser.add_argument("--rounds", type=int, default=100, help="of two games for each pair (default: 100)")
    parser.add_argument("--out", type=Path, default=Path("runs/alphago"), help="the folder to keep everything in")
    parser.add_argument("--json", action="store_true", help="print for programs")
    arguments = parser.parse_args()
    console, rules, out = Console(stderr=True), game("connect_four"), arguments.out
    out.mkdir(parents=True, exist_ok=True)
    record(out, rules, console)
    for name in runs.RUNS:
        process = multiprocessing.get_context("spawn").Process(
            target=runs.train_one, args=(name, str(out), 60 * arguments.minutes)
        )
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(f"{name} has ended with exit code {process.exitcode}; call again to go on with it.")
    found = compared(out, arguments.simulations, arguments.rounds, rules, console)
    result = {
        "minutes": arguments.minutes,
        "simulations": arguments.simulations,
        "records": json.loads((out / "records.json").read_text(encoding="utf-8")),
        "runs": [about(name, Run(out / name)) for name in runs.RUNS],
        "cross": found.pop("cross"),
        "standings": found,
    }
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    Console(width=max(130, Console().width)).print(table(result))
    for pair, score in result["cross"].items():
        print(f"{pair}: {100 * score:.1f} %")


if __name__ == "__main__":
    main()
