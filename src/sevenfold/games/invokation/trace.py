"""Games as traces: a scripted start, actions as texts, and a short sum of what everybody can compare after each."""

import hashlib
import json
from typing import Any

import sevenfold as sf
from sevenfold._core import State

FACES = dict(zip("CHPEAGDO", ("CRYO", "HYDRO", "PYRO", "ELECTRO", "ANEMO", "GEO", "DENDRO", "OMNI"), strict=True))


def begun(trace: dict[str, Any]) -> State:
    """The start of a trace, with disputed points as LPSim has them."""
    game = sf.game("invokation", disputed="lpsim")
    decks = list(zip(trace["teams"], trace["piles"], strict=True))
    dice = [FACES[letter] for letter in trace["dice"]]
    return game.new(decks=decks, piles=trace["piles"], dice=dice, first=trace["first"])


def summed(state: State) -> str:
    """Eight digits of what lies on the table: no internal counters, no order that means nothing."""
    table = state.to_json()
    text = json.dumps([table["round"], table["turn"], [_side(side) for side in table["players"]]], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _side(side: dict[str, Any]) -> list[Any]:
    chars = [
        [
            *(one[key] for key in ("name", "hp", "energy", "alive")),
            sorted(one["aura"]),
            sorted(_things(one["attached"])),
        ]
        for one in side["chars"]
    ]
    zones = [_things(side[zone]) for zone in ("combat_status", "summons", "supports")]
    return [side["active"], side["ended"], sorted(side["dice"]), sorted(side["hand"]), side["pile"], chars, zones]


def _things(items: list[dict[str, Any]]) -> list[list[Any]]:
    return [[one["name"], one["usage"]] for one in items]
