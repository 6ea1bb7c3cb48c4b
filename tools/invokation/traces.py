"""Writes traces.json of the room from games that lockstep.py --golden has kept.

python tools/invokation/traces.py GAMES.jsonl > src/sevenfold/games/invokation/traces.json

Of all games it takes, one after the other, the one that shows most of what is missing, for its length:
cards played, skills used, objects on the table, kinds of actions.
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
        "seed": kept["seed"],
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
    again = sum(len(one["dice"]) for one in kept["steps"] if one["kind"] == "reroll_one")
    trace["dice"] = trace["dice"][: 16 * state.to_json()["round"] + again]
    return trace


def shown(trace: dict[str, Any]) -> set[str]:
    """What a trace has in it: actions by their first words, and objects."""
    state = begun(trace)
    out = set()
    for text, _ in trace["steps"]:
        described = describe(state, state.parse_action(text))
        what = described.get("name" if described["kind"] == "skill" else "card") if described["kind"] != "tune" else ""
        out.add(f"{described['kind']} {what}")
        state.play(state.parse_action(text))
        table = state.to_json()
        rows = [one["attached"] for side in table["players"] for one in side["chars"]]
        rows += [side[zone] for side in table["players"] for zone in ("combat_status", "summons", "supports")]
        out |= {f"object {thing['name']}" for row in rows for thing in row}
    return out


def chosen(traces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Few traces that show everything that all of them show."""
    shows = [shown(one) for one in traces]
    wanted, out = set().union(*shows), []
    while wanted:
        best = max(range(len(traces)), key=lambda i: len(shows[i] & wanted) / len(traces[i]["steps"]))
        out.append(traces[best])
        wanted -= shows[best]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--most", type=int, default=400, help="games looked at")
    given = parser.parse_args()
    with open(given.games, encoding="utf-8") as file:
        kept = [json.loads(line) for line in file][: given.most]
    traces = chosen([trace_of(one) for one in kept])
    print("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in traces) + "\n]")


if __name__ == "__main__":
    main()
