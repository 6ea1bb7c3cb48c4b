"""Two engines' words for one position brought to one form, and what differs.

Names that LPSim has for the same thing, things that only one engine keeps as an object, and differences that are known
and chosen (section by section of the rules) are data: explained.json.
"""

import json
from pathlib import Path
from typing import Any

EXPLAINED: dict[str, Any] = json.loads(Path(__file__).with_name("explained.json").read_text("utf-8"))
ZONES = ("combat_status", "summons", "supports")
Flat = dict[str, Any]


def flat(state: dict[str, Any]) -> Flat:
    """A position as plain facts by name: "p0.Diluc.hp": 7."""
    out: Flat = {"round": state["round"], "turn": state["turn"]}
    for seat, side in enumerate(state["players"]):
        here = f"p{seat}"
        out[f"{here}.active"] = side["active"]
        out[f"{here}.ended"] = side["ended"]
        for heap in ("dice", "hand", "pile"):
            out[f"{here}.{heap}"] = sorted(str(one).upper() if heap == "dice" else one for one in side[heap])
        for one in side["chars"]:
            name = f"{here}.{one['name']}"
            out |= {f"{name}.{key}": one[key] for key in ("hp", "energy", "alive")}
            out[f"{name}.aura"] = sorted(element.upper() for element in one["aura"])
            # Their order matters only where two of them answer to the same event, and then it shows in the effects.
            out[f"{name}.attached"] = sorted(things(one["attached"], "attached"))
        for zone in ZONES:
            out[f"{here}.{zone}"] = things(side[zone], zone)
    return out


def things(items: list[dict[str, Any]], zone: str) -> list[tuple[str, int]]:
    """Objects as name and usage, under one name, without those that only one engine has."""
    out: list[tuple[str, int]] = []
    for item in items:
        name = EXPLAINED["names"].get(f"{zone}: {item['name']}", item["name"])
        usage = 0 if name in EXPLAINED["usage_apart"] else int(item["usage"] or 0)
        if name in EXPLAINED["uses_a_round"] and "used" in item:  # ours counts what was used, LPSim what is left
            usage = EXPLAINED["uses_a_round"][name] - item["used"]
        if item.get("collected"):
            usage = len(item["collected"])
        if name in EXPLAINED["one_engine_only"]:
            continue
        if name in EXPLAINED["joined"]:  # a shield of its own here, a number on the card there
            name = EXPLAINED["joined"][name]
            out = [(other, value + usage if other == name else value) for other, value in out]
            if not any(other == name for other, _ in out):
                out.append((name, usage))
            continue
        if name in EXPLAINED["joined"].values() and any(other == name for other, _ in out):  # card and shield
            out = [(other, value + usage if other == name else value) for other, value in out]
            continue
        out.append((name, usage))
    return out


def differences(ours: Flat, theirs: Flat) -> list[tuple[str, Any, Any]]:
    """Facts that differ, as (name, ours, theirs)."""
    names = [*ours, *(name for name in theirs if name not in ours)]
    return [(name, ours.get(name), theirs.get(name)) for name in names if ours.get(name) != theirs.get(name)]


def option(action: dict[str, Any]) -> str:
    """An action without what it costs, to compare what may be done: "card Sweet Madame seat 1"."""
    kind = action["kind"]
    words = [kind]
    if kind in ("skill", "switch", "choose", "tune"):
        words += [str(action[key]) for key in ("index", "to", "card", "die") if key in action]
    if kind == "card":
        words.append(action["card"])
        target = None if action["card"] in EXPLAINED["target_is_clear"] else action.get("target")
        words += [f"{key} {value}" for key, value in sorted((target or {}).items()) if value != "mine"]
    return " ".join(words)


def explanation(name: str, mine: Any, theirs: Any) -> str | None:
    """The known difference that this is, to the word: LPSim offers a card that ours does not."""
    known = {fact: str(one["id"]) for one in EXPLAINED["differences"] for fact in one["facts"]}
    return known.get(name) if (mine, theirs) == (False, True) else None
