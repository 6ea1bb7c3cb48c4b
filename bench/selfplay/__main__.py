"""python -m bench.selfplay [--json]"""

import argparse
import json
import os

from rich.console import Console

import bench.selfplay
from bench.__main__ import table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.selfplay", description=bench.selfplay.__doc__)
    parser.add_argument("--json", action="store_true", help="print for programs")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with Console(stderr=True).status("measuring self-play …"):
        rows = bench.selfplay.run()
    if arguments.json:
        print(json.dumps([row.to_json() for row in rows], indent=2))
    else:
        Console().print(table(rows))


if __name__ == "__main__":
    main()
