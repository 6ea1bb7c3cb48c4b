"""What the page draws of a duel. Names are the official English ones; board.ts has both languages from catalogue.json.

{
  "round": 1, "rounds": 15,
  "phase": "action",            "redraw", "opening" (the first active character), "reroll", "action", "choose" (after a
                                defeat), "pay" (the dice, one by one), "chance" or "over"
  "turn": 0,                    whose turn it is in the action phase
  "mover": 0,                   who decides now; null for chance and when it is over
  "rerolls": 1,                 in the phase reroll: how many are left, with this one; else 0
  "winner": null,               when it is over: the seat, or null where nobody has won
  "players": [{
    "active": 0,                the active character's seat; null while it is not chosen or not told
    "ended": false,             has declared the end of the round
    "dice": ["PYRO", …],        null where the viewer may not see them; "dice_count" has their number
    "hand": ["Paimon", …],      null where the viewer may not see it; "cards" has their number
    "pile": 23,                 how many cards are left to draw
    "chars": [{"name", "hp", "max_hp", "energy", "max_energy", "alive", "aura": ["Pyro"], "attached": [thing, …]}, …],
    "combat_status": [thing, …], "summons": [thing, …], "supports": [thing, …]
  }, …],                        a thing is {"name", "usage" (null where it does not count), "element"?, "dice"?}
  "actions": [{"action": 3, "kind": …, …}, …]    as describe.py has them, of the viewer's own turn; faces as "Pyro"
}
"""

from typing import Any

from sevenfold._core import CHANCE, State
from sevenfold.games.invokation.describe import describe

MINIATURE: list[int] | None = None
PHASES = {"act": "action", "coin": "chance", "draw": "chance", "roll": "chance"}
# How often a thing may be used in a round, where that is what people count on it.
A_ROUND = {"Dawn Winery": 1, "Katheryne": 1, "Tubby": 1, "Ellin": 1, "Adventurer's Bandana": 3, "Aquila Favonia": 2}


def picture(state: State, viewer: int | None) -> dict[str, Any]:
    """The table, with hands and dice only for the one who holds them."""
    table = state.to_json()
    phase = PHASES.get(table["state"], table["state"])
    mover = state.to_move if state.to_move >= 0 else None
    own = mover is not None and viewer in (None, mover)
    actions = [{"action": one, **_named(describe(state, one, table))} for one in state.legal_actions()] if own else []
    return {
        "round": table["round"],
        "rounds": state.game.options["rounds"],
        "phase": phase,
        "turn": table["turn"],
        "mover": mover,
        "rerolls": table.get("amount", 1) if phase == "reroll" else 0,
        "winner": table["winner"] if state.is_over and table["winner"] >= 0 else None,
        "players": [_side(table, seat, viewer in (None, seat)) for seat in range(2)],
        "actions": actions if state.to_move != CHANCE else [],
    }


def _named(what: dict[str, Any]) -> dict[str, Any]:
    """Faces as people write them."""
    if "dice" in what:
        what["dice"] = [face.capitalize() for face in what["dice"]]
    if "die" in what:
        what["die"] = what["die"].capitalize()
    return what


def _side(table: dict[str, Any], seat: int, seen: bool) -> dict[str, Any]:
    side = table["players"][seat]
    return {
        "active": side["active"] if table["round"] > 0 else None,
        "ended": side["ended"],
        "dice": [face.capitalize() for face in side["dice"]] if seen else None,
        "dice_count": len(side["dice"]),
        "hand": side["hand"] if seen else None,
        "cards": len(side["hand"]),
        "pile": len(side["pile"]),
        "chars": [
            {
                **{key: one[key] for key in ("name", "hp", "max_hp", "energy", "max_energy", "alive")},
                "aura": [element.capitalize() for element in one["aura"]],
                "attached": [_thing(thing) for thing in one["attached"]],
            }
            for one in side["chars"]
        ],
        **{zone: [_thing(one) for one in side[zone]] for zone in ("combat_status", "summons", "supports")},
    }


def _thing(one: dict[str, Any]) -> dict[str, Any]:
    usage = A_ROUND[one["name"]] - one["used"] if one["name"] in A_ROUND else one["usage"]
    out: dict[str, Any] = {"name": one["name"], "usage": usage or None}
    if "element" in one:
        out["element"] = one["element"].capitalize()
    if one.get("collected"):
        out["dice"] = [face.capitalize() for face in one["collected"]]
    return out
