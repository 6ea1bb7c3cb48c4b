"""Positions and actions for programs: what an action does, as a small dict with names instead of numbers.

{"kind": "skill", "index": 1, "name": "Nightrider", "dice": ["ELECTRO", …], "fast": false}
{"kind": "card", "card": "Sweet Madame", "target": {"seat": 0}, "dice": […], "fast": true}
    target: null, {"seat": own character}, {"support": own place} or {"summon": place, "side": "mine" | "theirs"}
{"kind": "switch", "to": 2, …}    {"kind": "choose", "to": 1}    {"kind": "end"}
{"kind": "tune", "card": "Paimon", "die": "HYDRO"}    {"kind": "redraw", "cards": ["Paimon"]}
{"kind": "reroll_one", "dice": ["GEO", "GEO"]} puts dice aside, {"kind": "reroll_done"} rolls them
{"kind": "pay", "die": "OMNI"}    where the player picks the dice that pay
"""

from typing import Any

from sevenfold._core import State
from sevenfold._core import _invokation as core  # type: ignore[attr-defined]

FACES = ("CRYO", "HYDRO", "PYRO", "ELECTRO", "ANEMO", "GEO", "DENDRO", "OMNI")
FIRST: dict[str, int] = core.ACTIONS
"""Where each kind of action begins; position.h says how they go on."""
CARDS: dict[int, dict[str, Any]] = {one["id"]: one for one in core.cards()}
SUMMON_SIDE = {"Quick Knit": "mine", "Send Off": "theirs"}


def describe(state: State, action: int, table: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a legal action does. table: `state.to_json()`, where it is at hand already."""
    table = table or state.to_json()
    me = table["players"][state.to_move]
    kind = max((name for name in FIRST if FIRST[name] <= action), key=lambda name: FIRST[name])
    rest = action - FIRST[kind]
    if kind == "skill":
        name = _skill(me["chars"][me["active"]]["name"], rest)
        return {"kind": kind, "index": rest, "name": name, **_price(state, action)}
    if kind == "switch":
        return {"kind": kind, "to": rest, **_price(state, action)}
    if kind == "choose":
        return {"kind": kind, "to": rest}
    if kind == "redraw":
        return {"kind": kind, "cards": [card for place, card in enumerate(me["hand"]) if rest >> place & 1]}
    if kind == "pay":
        return {"kind": kind, "die": FACES[rest]}
    if kind == "reroll":
        return {"kind": "reroll_one", "dice": [FACES[rest // 16]] * (rest % 16 + 1)}
    if kind == "roll":
        return {"kind": "reroll_done"}
    if kind == "card":
        card = CARDS[rest // 5]
        return {"kind": kind, "card": card["name"], "target": _target(card, rest % 5 - 1), **_price(state, action)}
    if kind == "tune":
        return {"kind": kind, "card": CARDS[rest // 8]["name"], "die": FACES[rest % 8]}
    return {"kind": "end"}


def _skill(name: str, index: int) -> str:
    for one in core.characters():
        if one["name"] == name:
            return str(one["skills"][index]["name"])
    return ""


def _price(state: State, action: int) -> dict[str, Any]:
    dice = [face for face, count in zip(FACES, core.payment(state, action), strict=True) for _ in range(count)]
    return {"dice": dice, "fast": core.is_fast(state, action)}


def _target(card: dict[str, Any], place: int) -> dict[str, Any] | None:
    if place < 0:
        return None
    if card["kind"] in ("location", "companion"):
        return {"support": place}
    if card["name"] in SUMMON_SIDE:
        return {"summon": place, "side": SUMMON_SIDE[card["name"]]}
    return {"seat": place}
