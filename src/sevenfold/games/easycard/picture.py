"""What the page draws of easycard. A text is {"en": …, "zh-TW": …}; counts are {"swift": 1, "cheap": 0, "snack": 2, …}.

{
  "round": 1, "rounds": 6,                  the round from 1, and how many there are
  "dice": 6, "coins": 0,                    dice each round, and coins thrown for more: one die for each head
  "phase": "play",                          "play", "chance" (something is drawn before the round) or "over"
  "mover": 0,                               whose turn it is, or will be after chance; null when it is over
  "chance": null,                           in the phase chance: {"kind": "card" | "dice" | "hp", "player": 0, the
                                            seat it is for or null for both, "left": 3, as many things to draw}
  "winner": null,                           when it is over: the seat, or null for a draw
  "players": [{
    "hp": 12, "max_hp": 12, "dice": 6,
    "energy": 0, "max_energy": 2,
    "pet": 0,                               rounds at whose end its pet still bites
    "swift": false,                         its next strike keeps the turn
    "cheap": false,                         its next strike costs one die
    "food": false,                          its next strike does 1 damage more (a snack eaten to attack)
    "ate": false,                           it had its snack of this round
    "field": false,                         it has a die more each round
    "ended": false,                         it has passed and is out of the round
    "cards": 6,                             cards in hand
    "hand": counts,                         null where the viewer may not see it
    "pile": counts,                         what it may still draw; null without piles, or not for the viewer's eyes
    "unseen": null                          of a closed hand: counts of hand and pile together, which is known
  }, …],
  "actions": [{                             for each legal action, of the viewer's own turn under closed hands
    "action": 0,
    "kind": "strike",                       strike, burst, swift, cheap, heal, attack, field, pet or pass
    "card": null,                           the card it uses up; null for strike, burst and pass
    "dice": 2, "energy": 0,                 what it costs
    "damage": 2,                            what it does at once
    "fast": false,                          whether the player stays at turn
    "text": text                            what it does, in a few words
  }, …]
}
"""

from typing import Any

from sevenfold._core import CHANCE, State

MINIATURE = [2, 0, 0, 6, 3, 0, 5, 0]

CARDS = ("swift", "cheap", "snack", "field", "pet")
FLAGS = {"s": "swift", "c": "cheap", "f": "food", "a": "ate", "F": "field", "e": "ended"}
MAX_ENERGY = 2
# kind: card, dice, energy, damage, whether the player stays at turn
ACTIONS: dict[str, tuple[str | None, int, int, int, bool]] = {
    "strike": (None, 2, 0, 2, False),
    "burst": (None, 3, MAX_ENERGY, 5, False),
    "swift": ("swift", 0, 0, 0, True),
    "cheap": ("cheap", 0, 0, 0, True),
    "heal": ("snack", 1, 0, 0, True),
    "attack": ("snack", 1, 0, 0, True),
    "field": ("field", 2, 0, 0, True),
    "pet": ("pet", 2, 0, 0, False),
    "pass": (None, 0, 0, 0, False),
}
TEXTS = {
    "strike": ("{damage} damage, 1 energy", "造成 {damage} 點傷害，能量 +1"),
    "burst": ("{damage} damage", "造成 {damage} 點傷害"),
    "swift": ("your next strike keeps your turn", "下次打擊後仍輪到你"),
    "cheap": ("your next strike costs 1 die", "下次打擊只要 1 骰"),
    "heal": ("1 hp back", "回復 1 點生命"),
    "attack": ("your next strike: 1 damage more", "下次打擊多 1 點傷害"),
    "field": ("1 die more each round", "之後每回合多 1 骰"),
    "pet": ("1 damage at the end of two rounds", "兩個回合結束時各造成 1 點傷害"),
    "pass": ("out of this round", "本回合不再行動"),
}


def picture(state: State, viewer: int | None) -> dict[str, Any]:
    """The table, with a closed hand only for the one who holds it."""
    head, *sides = state.to_text().split("/")
    number, mover, phase = head.split()
    options = state.game.options
    closed = bool(options["hidden"]) and viewer is not None
    players = [_side(side, state, closed and seat != viewer) for seat, side in enumerate(sides)]
    returns = state.returns()
    seen = state.to_move >= 0 and (not closed or state.to_move == viewer)
    return {
        "round": int(number),
        "rounds": options["rounds"],
        "dice": options["dice"],
        "coins": options["coins"],
        "phase": phase.rstrip("0123456789"),
        "mover": None if state.is_over else int(mover),
        "chance": _chance(state, int(phase.removeprefix("chance"))) if state.to_move == CHANCE else None,
        "winner": returns.index(1.0) if state.is_over and 1.0 in returns else None,
        "players": players,
        "actions": [_action(state, action, players[int(mover)]) for action in state.legal_actions()] if seen else [],
    }


def _side(text: str, state: State, closed: bool) -> dict[str, Any]:
    hp, dice, energy, pet, flags, hand, pile = text.split()
    piles = state.game.options["deal"] == "piles"
    return {
        "hp": int(hp),
        "max_hp": state.game.options["hp"],
        "dice": int(dice),
        "energy": int(energy),
        "max_energy": MAX_ENERGY,
        "pet": int(pet),
        **{name: letter in flags for letter, name in FLAGS.items()},
        "cards": sum(map(int, hand)),
        "hand": None if closed else _counts(hand),
        "pile": _counts(pile) if piles and not closed else None,
        "unseen": _counts(hand, pile) if closed else None,
    }


def _counts(*digits: str) -> dict[str, int]:
    return {card: sum(int(some[i]) for some in digits) for i, card in enumerate(CARDS)}


def _chance(state: State, left: int) -> dict[str, Any]:
    """What is drawn now. Its outcomes are not told: which cards are left in a closed pile is nobody's to know."""
    text = state.action_text(state.legal_actions()[0])
    kind = "dice" if text.startswith("heads") else "hp" if text.startswith("hp") else "card"
    return {"kind": kind, "player": state.chance_for, "left": left}


def _action(state: State, action: int, side: dict[str, Any]) -> dict[str, Any]:
    kind = state.action_text(action)
    card, dice, energy, damage, fast = ACTIONS[kind]
    if kind == "strike":
        dice, damage, fast = (1 if side["cheap"] else dice), damage + side["food"], side["swift"]
    en, zh = (text.format(damage=damage) for text in TEXTS[kind])
    return {
        "action": action,
        "kind": kind,
        "card": card,
        "dice": dice,
        "energy": energy,
        "damage": damage,
        "fast": fast,
        "text": {"en": en, "zh-TW": zh},
    }
