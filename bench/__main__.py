"""Runs the measurements named on the command line (all by default) on one core and prints a table or JSON."""

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys

from rich.console import Console
from rich.table import Table

import bench
from bench.side_by_side import Row

NAMES = [
    m.name for m in pkgutil.iter_modules(bench.__path__) if m.name not in ("__main__", "side_by_side") and not m.ispkg
]
"""A package takes hours, and is a program of its own: python -m bench.strength."""


def shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(rows: list[Row]) -> Table:
    out = Table("measurement", "unit")
    for heading in ("sevenfold", "peer", "ratio"):
        out.add_column(heading, justify="right")
    out.add_column("wanted")
    out.add_column("")
    for row in rows:
        out.add_row(
            row.what,
            row.unit,
            shown(row.ours),
            shown(row.theirs),
            shown(row.ratio),
            row.wanted,
            "ok" if row.reached else "MISSED",
        )
    return out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=bench.__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], help="which measurements (default: all)")
    parser.add_argument("--json", action="store_true", help="print for programs")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    console = Console(stderr=True)
    rows: list[Row] = []
    for name in arguments.names or NAMES:
        with console.status(f"measuring {name} …"):
            rows += importlib.import_module(f"bench.{name}").run()
    if arguments.json:
        print(json.dumps({"machine": platform.machine(), "rows": [row.to_json() for row in rows]}, indent=2))
    else:
        Console().print(table(rows))
    return 0 if all(row.reached for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
