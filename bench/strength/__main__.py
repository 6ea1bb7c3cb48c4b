"""Runs one of the measurements and prints a table or JSON; exits with 1 where a figure we set ourselves is missed."""

import argparse
import dataclasses
import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import bench.strength
from bench.strength import games, limits, pons
from sevenfold.uct import UctPlayer

STEPS = ("policy", "solver", "decisive", "forced", "forced_win", "reuse", "transpositions")
"""The steps of uct that can be switched off; those it does not have are left out."""
VARIANTS = ("choice=value", "choice=lcb", "preset=report")
"""What else the default is compared with."""

Result = games.Outcome | pons.Marks | limits.Oversteps


def variants() -> list[str]:
    fields = {field.name for field in dataclasses.fields(UctPlayer)}
    return [f"{step}=false" for step in STEPS if step in fields] + list(VARIANTS)


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else f"{value:+}".replace("inf", "∞")


def cells(one: Result) -> dict[str, str]:
    """A row of the table, by heading."""
    if isinstance(one, games.Outcome):
        low, high = one.interval
        row = {
            "first – second": one.what,
            "games": str(one.games),
            "score (95 %)": f"{percent(one.score)} ({100 * low:.1f}–{100 * high:.1f})",
            "Elo (95 %)": f"{elo(one.elo)} ({' to '.join(map(elo, one.elo_interval))})",
            "time": f"{one.seconds[0] / one.seconds[1]:.2f}x" if one.seconds[1] else "",
            "wanted": "" if one.wanted is None else f">= {percent(one.wanted)}",
        }
    elif isinstance(one, pons.Marks):
        row = {
            "set": one.what,
            "positions": str(one.positions),
            "value kept": percent(one.kept),
            "proven": percent(one.proven),
            "s/position": f"{one.seconds:.3f}",
            "wanted": f">= {percent(one.wanted)}",
        }
    else:
        row = {
            "player, limit": one.what,
            "moves": str(one.moves),
            "worst overstep": percent(one.worst),
            "median": percent(one.median),
            "wanted": f"<= {percent(one.wanted)}",
        }
    return row | {"": "ok" if one.reached else "MISSED"}


def table(results: Sequence[Result]) -> Table:
    rows = [cells(one) for one in results]
    out = Table(*rows[0])
    for row in rows:
        out.add_row(*row.values())
    return out


def finite(value: Any) -> Any:
    """JSON has no infinity: an unbounded Elo is null."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def pair_up(arguments: argparse.Namespace) -> list[games.Outcome]:
    """The subcommands that are matches."""
    a = arguments
    common = {"folder": a.out, "processes": a.processes, "fresh": a.fresh}
    if a.command == "openspiel":
        rival = "openspiel" if a.uct_c is None else f"openspiel:uct_c={a.uct_c:g}"
        pairing = games.Pairing((a.player, rival), a.seconds, preset=None, opening_plies=2, seed=a.seed)
        return [games.measure(f"{a.player} – {rival}", a.command, pairing, a.games, wanted=0.95, **common)]
    if a.command == "ablation":
        out = []
        for variant in a.only or variants():
            pairing = games.Pairing(("uct", f"uct:{variant}"), a.seconds, preset=a.preset, seed=a.seed)
            out.append(games.measure(f"uct – {variant}", a.command, pairing, a.games, **common))
        return out
    players = ("uct", "uct:preset=report") if a.command == "report" else (a.first, a.second)
    pairing = games.Pairing(players, a.seconds, preset=a.preset, opening_plies=a.opening_plies, seed=a.seed)
    wanted = 0.9 if a.command == "report" else None
    return [games.measure(" – ".join(players), a.command, pairing, a.games, wanted=wanted, **common)]


def measure(arguments: argparse.Namespace) -> Sequence[Result]:
    a = arguments
    if a.command == "pons":
        return [
            pons.measure(pons.Exam(a.player, a.seconds, name, a.seed), a.positions, a.out, a.processes, a.fresh)
            for name in a.sets
        ]
    if a.command == "limits":
        return [
            limits.measure(limits.Trial(a.player, seconds, a.seed), a.moves, a.out, a.fresh) for seconds in a.seconds
        ]
    return pair_up(a)


def preset(text: str) -> str | None:
    return None if text == "none" else text


def parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print for programs")
    common.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="games at once (default: cores)")
    common.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "results", help="folder of results")
    common.add_argument("--fresh", action="store_true", help="forget the results of earlier runs")
    common.add_argument("--seed", type=int, default=1)
    matched = argparse.ArgumentParser(add_help=False, parents=[common])
    matched.add_argument("--games", type=int, default=200)

    out = argparse.ArgumentParser(
        prog="python -m bench.strength",
        description=bench.strength.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = out.add_subparsers(dest="command", required=True)
    for name, help_text in (("report", "against the founding report's player"), ("match", "any two players")):
        sub = commands.add_parser(name, parents=[matched], help=help_text)
        if name == "match":
            sub.add_argument("first")
            sub.add_argument("second")
        sub.add_argument("--seconds", type=float, default=1.0 if name == "report" else None, help="per move")
        sub.add_argument("--preset", type=preset, default="saiblo", help="boards, or 'none' for the usual one")
        sub.add_argument("--opening-plies", type=int, default=0, help="random plies before each pair of games")
    sub = commands.add_parser("openspiel", parents=[matched], help="against OpenSpiel's C++ MCTSBot")
    sub.add_argument("--player", default="uct")
    sub.add_argument("--seconds", type=float, default=1.0)
    sub.add_argument("--uct-c", type=float, default=None, help="the bot's exploration constant")
    sub = commands.add_parser("ablation", parents=[matched], help="one step off")
    sub.add_argument("--seconds", type=float, default=0.1)
    sub.add_argument("--preset", type=preset, default="saiblo")
    sub.add_argument("--only", action="append", metavar="OPTION=VALUE", help="only this variant; may be repeated")
    sub = commands.add_parser("pons", parents=[common], help="values kept on Pons' sets")
    sub.add_argument("--player", default="uct")
    sub.add_argument("--seconds", type=float, default=1.0)
    sub.add_argument("--positions", type=int, default=200, help="of each set")
    sub.add_argument("--sets", nargs="+", default=list(pons.WANTED))
    sub = commands.add_parser("limits", parents=[common], help="time overstepped on busy cores")
    sub.add_argument("--player", default="uct")
    sub.add_argument("--seconds", type=float, nargs="+", default=list(limits.SECONDS))
    sub.add_argument("--moves", type=int, default=50, help="of each limit")
    return out


def main(given: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(given)
    try:
        results = measure(arguments)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here.", file=sys.stderr)
        return 130
    if arguments.json:
        print(json.dumps(finite([one.to_json() for one in results]), indent=2, ensure_ascii=False))
    else:
        console = Console()
        Console(width=console.width if console.is_terminal else 120).print(table(results))
        mixed = sum(one.builds > 1 for one in results if isinstance(one, games.Outcome))
        if mixed:
            print(f"{mixed} of these mix games of different builds of the core; --fresh starts anew.")
    return 0 if all(one.reached for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
