"""Writes traces.json of the room from games that lockstep.py --golden has kept.

python tools/invokation/traces.py GAMES.jsonl --most 14 > src/sevenfold/games/invokation/traces.json
"""

import argparse
import json
from typing import Any

from sevenfold.games.invokation.describe import describe
from sevenfold.games.invokation.trace import FACES, begun, summed

LETTERS = {face: letter for letter, face in FACES.items()}


def trace_of(kept: dict[str, Any]) -> dict[str, Any]:
    """A kept game as a trace: our engine replays it and says texts and sums."""
    dealt = kept["deal"]
    trace: dict[str, Any] = {
        "teams": [deck["characters"] for deck in dealt["decks"]],
        "piles": [deck["cards"] for deck in dealt["decks"]],
        "first": dealt["first"],
        "dice": "".join(LETTERS[face] for face in dealt["dice"]),
        "steps": [],
    }
    state = begun(trace)
    for step in kept["steps"]:
        wanted = {key: value for key, value in step.items() if key != "player"}
        action = next(one for one in state.legal_actions() if describe(state, one) == wanted)
        text = state.action_text(action)
        state.play(action)
        trace["steps"].append([text, summed(state)])
    return trace


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--most", type=int, default=14)
    given = parser.parse_args()
    with open(given.games, encoding="utf-8") as file:
        kept = [json.loads(line) for line in file][: given.most]
    print("[\n" + ",\n".join(json.dumps(trace_of(one), ensure_ascii=False) for one in kept) + "\n]")


if __name__ == "__main__":
    main()
