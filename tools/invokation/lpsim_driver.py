"""LPSim behind JSON lines, for lockstep.py: scripted dice and piles, one request a line, one answer a line.

It runs in an environment of its own that has LPSim (`pip install lpsim==0.4.5.1 numpy`): LPSim is under the AGPL, so
nothing of ours imports or ships it; this file only calls its public interface from a process beside ours.

    {"op": "new", "decks": [{"characters": [3 names], "pile": [names, top first]}, ...], "dice": [[faces], [faces]],
     "first": 0, "version": "4.5", "rounds": 15}
    {"op": "do", "player": 0, "action": {"kind": "skill", "index": 1, "dice": ["PYRO", ...]}}
    {"op": "top", "player": 0, "cards": [names]}        these lie on top of the pile from now on
    {"op": "throw", "player": 0, "dice": [faces]}       what the player's dice show now, as many as there are
    {"op": "coming", "player": 0, "dice": [faces]}      what the player's next dice will show

Every answer is {"state": ..., "legal": [...]} or {"error": "..."}; the words are those of lockstep.py.
"""

import json
import logging
import sys
from collections import deque
from typing import Any

from lpsim import Deck, Match
from lpsim.server.consts import DieColor, ObjectPositionType
from lpsim.server.interaction import (
    ChooseCharacterResponse,
    DeclareRoundEndResponse,
    ElementalTuningResponse,
    RerollDiceResponse,
    SwitchCardResponse,
    SwitchCharacterResponse,
    UseCardResponse,
    UseSkillResponse,
)

logging.disable(logging.CRITICAL)

# The order in which LPSim maps a random number onto the faces of a die.
FACES = ["CRYO", "PYRO", "HYDRO", "ELECTRO", "GEO", "DENDRO", "ANEMO", "OMNI"]


class Scripted(Match):
    """A match without chance: piles stay in their order, and each player's dice come from a queue of his own."""

    def _random_shuffle(self, array: list[Any]) -> None:
        return None

    def _action_create_dice(self, action: Any) -> Any:
        Scripted.thrower = action.player_idx
        return super()._action_create_dice(action)

    def _random(self) -> float:
        queue = Scripted.queues[Scripted.thrower]
        face = queue.popleft() if queue else "OMNI"
        return (FACES.index(face) + 0.5) / len(FACES)


class Table:
    """One match, and the words in which it is spoken about."""

    def __init__(self, order: dict[str, Any]) -> None:
        Scripted.queues = [deque(faces) for faces in order["dice"]]
        Scripted.thrower = 0
        self.match = Scripted()
        version = order.get("version", "4.5")
        self.match.set_deck([self.deck(one, version) for one in order["decks"]])
        config = self.match.config
        config.random_first_player, config.player_go_first = False, order.get("first", 0)
        config.check_deck_restriction, config.card_number, config.max_same_card_number = False, None, None
        # LPSim ends when the last round would begin.
        config.max_round_number = order.get("rounds", 15) + 1
        started, error = self.match.start()
        if not started:
            raise ValueError(str(error))
        self.match.step()

    @staticmethod
    def deck(one: dict[str, Any], version: str) -> Any:
        lines = [f"default_version:{version}"] + [f"character:{name}" for name in one["characters"]] + one["pile"]
        return Deck.from_str("\n".join(lines) + "\n")

    # ---- what is there

    def state(self) -> dict[str, Any]:
        match = self.match
        ended = match.state.name == "ENDED"
        return {
            "round": match.round_number,
            "turn": match.current_player,
            "phase": match.state.name,
            "winner": match.winner if ended else None,
            "asked": sorted({request.player_idx for request in match.requests}),
            "players": [self.side(table) for table in match.player_tables],
        }

    def side(self, table: Any) -> dict[str, Any]:
        return {
            "active": table.active_character_idx,
            "ended": table.has_round_ended,
            "dice": [colour.value for colour in table.dice.colors],
            "hand": [card.name for card in table.hands],
            "pile": [card.name for card in table.table_deck],
            "chars": [
                {
                    "name": one.name,
                    "hp": one.hp,
                    "max_hp": one.max_hp,
                    "energy": one.charge,
                    "max_energy": one.max_charge,
                    "alive": one.is_alive,
                    "aura": [element.value for element in one.element_application],
                    "attached": [self.thing(thing) for thing in one.attaches],
                }
                for one in table.characters
            ],
            "combat_status": [self.thing(thing) for thing in table.team_status],
            "summons": [self.thing(thing) for thing in table.summons],
            "supports": [self.thing(thing) for thing in table.supports],
        }

    @staticmethod
    def thing(one: Any) -> dict[str, Any]:
        out = {"name": one.name, "usage": getattr(one, "usage", None)}
        if (colours := getattr(one, "colors", None)) is not None:
            out["dice"] = [colour.value for colour in colours]
        if (element := getattr(one, "damage_elemental_type", None)) is not None:
            out["element"] = element.value
        return out

    # ---- what may be done

    def legal(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for request in self.match.requests:
            player, name = request.player_idx, request.name
            table = self.match.player_tables[player]
            if name == "SwitchCardRequest":
                out.append({"player": player, "kind": "redraw"})
            elif name == "ChooseCharacterRequest":
                out += [{"player": player, "kind": "choose", "to": seat} for seat in request.available_character_idxs]
            elif name == "RerollDiceRequest":
                out.append({"player": player, "kind": "reroll", "times": request.reroll_times})
            elif name == "SwitchCharacterRequest":
                out.append({"player": player, "kind": "switch", "to": request.target_character_idx, **cost(request)})
            elif name == "ElementalTuningRequest":
                cards = {table.hands[index].name for index in request.card_idxs}
                faces = {request.dice_colors[index].value for index in request.dice_idxs}
                pairs = [(card, face) for card in sorted(cards) for face in sorted(faces)]
                out += [{"player": player, "kind": "tune", "card": card, "die": face} for card, face in pairs]
            elif name == "DeclareRoundEndRequest":
                out.append({"player": player, "kind": "end"})
            elif name == "UseSkillRequest":
                out.append({"player": player, "kind": "skill", "index": request.skill_idx, **cost(request)})
            elif name == "UseCardRequest":
                card = table.hands[request.card_idx].name
                targets = [self.target(player, one) for one in request.targets] or [None]
                out += [{"player": player, "kind": "card", "card": card, "target": t, **cost(request)} for t in targets]
        return out

    def target(self, player: int, position: Any) -> dict[str, Any]:
        """An object on the table: a seat, or the place in a zone."""
        side = {} if position.player_idx == player else {"side": "theirs"}
        table = self.match.player_tables[position.player_idx]
        if position.area == ObjectPositionType.CHARACTER:
            return {"seat": position.character_idx, **side}
        zones = {
            ObjectPositionType.SUMMON: ("summon", table.summons),
            ObjectPositionType.SUPPORT: ("support", table.supports),
        }
        word, zone = zones[position.area]
        return {word: [one.id for one in zone].index(position.id), **side}

    # ---- doing it

    def do(self, player: int, action: dict[str, Any]) -> None:
        mine = [request for request in self.match.requests if request.player_idx == player]
        response = getattr(self, "do_" + action["kind"])(player, action, mine)
        self.match.respond(response)
        self.match.step()

    @staticmethod
    def only(requests: list[Any], name: str, **wanted: Any) -> Any:
        for request in requests:
            if request.name == name and all(getattr(request, key) == value for key, value in wanted.items()):
                return request
        raise ValueError(f"LPSim does not ask for {name} {wanted or ''}; it asks for {[one.name for one in requests]}")

    def hand_index(self, player: int, card: str) -> int:
        return [one.name for one in self.match.player_tables[player].hands].index(card)

    def do_redraw(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        request = self.only(mine, "SwitchCardRequest")
        return SwitchCardResponse(request=request, card_idxs=indices(request.card_names, action["cards"]))

    def do_choose(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        return ChooseCharacterResponse(request=self.only(mine, "ChooseCharacterRequest"), character_idx=action["to"])

    def do_reroll(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        request = self.only(mine, "RerollDiceRequest")
        faces = [colour.value for colour in request.colors]
        return RerollDiceResponse(request=request, reroll_dice_idxs=indices(faces, action["dice"]))

    def do_switch(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        request = self.only(mine, "SwitchCharacterRequest", target_character_idx=action["to"])
        return SwitchCharacterResponse(request=request, dice_idxs=paid(request, action))

    def do_tune(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        request = self.only(mine, "ElementalTuningRequest")
        die = request.dice_colors.index(DieColor(action["die"]))
        card = self.hand_index(player, action["card"])
        return ElementalTuningResponse(request=request, dice_idx=die, card_idx=card)

    def do_end(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        return DeclareRoundEndResponse(request=self.only(mine, "DeclareRoundEndRequest"))

    def do_skill(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        request = self.only(mine, "UseSkillRequest", skill_idx=action["index"])
        return UseSkillResponse(request=request, dice_idxs=paid(request, action))

    def do_card(self, player: int, action: dict[str, Any], mine: list[Any]) -> Any:
        card = self.hand_index(player, action["card"])
        request = self.only(mine, "UseCardRequest", card_idx=card)
        target = None
        if request.targets:
            named = [self.target(player, one) for one in request.targets]
            wanted = action.get("target")
            if wanted is None and len(named) == 1:  # the active character of course
                wanted = named[0]
            wanted = {key: value for key, value in (wanted or {}).items() if value != "mine"}
            if wanted not in named:
                raise ValueError(f"LPSim has no target {wanted} for {action['card']}; it has {named}")
            target = request.targets[named.index(wanted)]
        return UseCardResponse(request=request, dice_idxs=paid(request, action), target=target)

    def top(self, player: int, names: list[str]) -> None:
        pile = self.match.player_tables[player].table_deck
        for place, name in enumerate(names):
            found = [index for index in range(place, len(pile)) if pile[index].name == name]
            if not found:
                raise ValueError(f"LPSim's pile has no {name} left.")
            pile.insert(place, pile.pop(found[0]))

    def throw(self, player: int, faces: list[str]) -> None:
        table = self.match.player_tables[player]
        if len(faces) != len(table.dice.colors):
            raise ValueError(f"LPSim's player has {len(table.dice.colors)} dice, not {len(faces)}.")
        table.dice.colors = [DieColor(face) for face in faces]
        table.sort_dice()
        for request in self.match.requests:
            if request.player_idx == player and request.name == "RerollDiceRequest":
                request.colors = table.dice.colors.copy()


def cost(request: Any) -> dict[str, Any]:
    price = request.cost
    colour = price.elemental_dice_color.value if price.elemental_dice_number else None
    return {"cost": [price.elemental_dice_number, colour, price.same_dice_number, price.any_dice_number]}


def indices(names: list[str], wanted: list[str]) -> list[int]:
    """Places of the wanted names, each taken once."""
    free: list[str | None] = list(names)
    out = []
    for name in wanted:
        if name not in free:
            raise ValueError(f"LPSim has no {name} left among {names}")
        out.append(free.index(name))
        free[out[-1]] = None
    return out


def paid(request: Any, action: dict[str, Any]) -> list[int]:
    return indices([colour.value for colour in request.dice_colors], action.get("dice", []))


def answer(table: Table | None, order: dict[str, Any]) -> tuple[Table | None, dict[str, Any]]:
    try:
        if order["op"] == "new":
            table = Table(order)
        elif table is None:
            raise ValueError("there is no match yet.")
        elif order["op"] == "top":
            table.top(order["player"], order["cards"])
        elif order["op"] == "coming":
            Scripted.queues[order["player"]] = deque(order["dice"])
        elif order["op"] == "throw":
            table.throw(order["player"], order["dice"])
        else:
            table.do(order["player"], order["action"])
        return table, {"state": table.state(), "legal": table.legal()}
    except Exception as problem:  # whatever LPSim trips over is an answer, too
        return table, {"error": f"{type(problem).__name__}: {problem}"}


def main() -> None:
    table: Table | None = None
    for line in sys.stdin:
        table, out = answer(table, json.loads(line))
        sys.stdout.write(json.dumps(out) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
