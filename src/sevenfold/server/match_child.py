"""The process of one match: reads what to play from its input, and prints a line of JSON after every game."""

import json
import os
import sys
from typing import Any

from sevenfold.game import game
from sevenfold.match import Match, match
from sevenfold.results import finite

OPENING = 2
"""Random plies that start each round, where chance does not make the games differ anyway."""
NICENESS = 5


def told(result: Match) -> dict[str, Any]:
    """What the page hears of a match."""
    return {
        "games": result.games,
        "planned": result.planned,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": result.score,
        "elo": finite(result.elo),
        "elo_interval": [finite(x) for x in result.elo_interval],
    }


def main() -> None:
    """Plays."""
    os.nice(NICENESS)
    wanted = json.load(sys.stdin)
    rules = game(wanted["game"])
    plies = 0 if rules.has_chance else OPENING

    def progress(result: Match) -> None:
        print(json.dumps(told(result)), flush=True)

    try:
        match(rules, wanted["players"], wanted["games"], opening_plies=plies, processes=1, progress=progress)
    except (ValueError, ImportError) as error:
        print(json.dumps({"sentence": str(error)}), flush=True)


if __name__ == "__main__":
    main()
