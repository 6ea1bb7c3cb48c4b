"""Proves easycard right against a slow, plain reading of its rules page, in every variant."""

import copy
import math
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import sevenfold as sf

CARDS = ["swift", "cheap", "snack", "field", "pet"]
ACTIONS = ["strike", "burst", "swift", "cheap", "heal", "attack", "field", "pet", "pass"]


class Player:
    def __init__(self, hp: int) -> None:
        self.hp, self.dice, self.energy, self.pet = hp, 0, 0, 0
        self.hand: list[str] = []
        self.pile: list[str] = []
        self.swift = self.cheap = self.food = self.ate = self.field = self.ended = False


class Reference:
    """The rules page as code: lists of names and yes-or-no marks. Nothing here is clever or shared with C++."""

    def __init__(self, **options: Any) -> None:
        self.options = dict(sf.game("easycard", **options).options)
        cards = [card for card in CARDS for _ in range(self.options[card])]
        self.players = [Player(self.options["hp"]), Player(self.options["hp"])]
        self.deal = self.options["deal"]
        for player in self.players:
            if self.deal == "fixed":
                player.hand = list(cards)
            else:
                player.pile = list(cards)
        self.round, self.mover, self.winner, self.over = 1, 0, None, False
        self.passed: list[int] = []
        self.waiting: list[tuple[str, int]] = []
        self.start_round()

    # --- Chance ---

    def start_round(self) -> None:
        hand = self.options["hand"]
        if self.deal == "same" and self.round == 1:
            self.waiting += [("deal", 0)] * hand
        if self.deal == "piles":
            for player in (0, 1):
                wanted = hand if self.round == 1 else 1
                self.waiting += [("card", player)] * min(wanted, len(self.players[player].pile))
        if self.round == 1 and 0 < self.options["start_hp"] < self.options["hp"]:
            self.waiting += [("hp", 0), ("hp", 1)]
        self.passed = []
        for number, player in enumerate(self.players):
            player.food = player.ate = player.ended = False
            player.dice = self.options["dice"] + (1 if player.field else 0)
            if self.options["coins"]:
                player.dice = 0
                self.waiting.append(("dice", number))

    def chance(self) -> dict[str, Fraction]:
        what, who = self.waiting[0]
        if what in ("deal", "card"):
            pile = self.players[who].pile
            return {card: Fraction(count, len(pile)) for card, count in Counter(pile).items()}
        if what == "hp":
            values = range(self.options["start_hp"], self.options["hp"] + 1)
            return {f"hp{value}": Fraction(1, len(values)) for value in values}
        coins = self.options["coins"]
        return {f"heads{n}": Fraction(math.comb(coins, n), 2**coins) for n in range(coins + 1)}

    def decide(self, outcome: str) -> None:
        what, who = self.waiting.pop(0)
        if what in ("deal", "card"):
            for player in self.players if what == "deal" else [self.players[who]]:
                player.pile.remove(outcome)
                player.hand.append(outcome)
            if what == "deal" and ("deal", 0) not in self.waiting:
                self.players[0].pile, self.players[1].pile = [], []
        elif what == "hp":
            self.players[who].hp = int(outcome.removeprefix("hp"))
        else:
            bonus = 1 if self.players[who].field else 0
            self.players[who].dice = self.options["dice"] + int(outcome.removeprefix("heads")) + bonus

    # --- Actions ---

    def legal(self) -> list[str]:
        me = self.players[self.mover]
        allowed = {
            "strike": me.dice >= (1 if me.cheap else 2),
            "burst": me.dice >= 3 and me.energy == 2,
            "swift": "swift" in me.hand and not me.swift,
            "cheap": "cheap" in me.hand and not me.cheap,
            "heal": "snack" in me.hand and me.dice >= 1 and me.hp < self.options["hp"] and not me.ate,
            "attack": "snack" in me.hand and me.dice >= 1 and not me.ate,
            "field": "field" in me.hand and me.dice >= 2,
            "pet": "pet" in me.hand and me.dice >= 2,
            "pass": True,
        }
        return [action for action in ACTIONS if allowed[action]]

    def hurt(self, victim: int, damage: int) -> None:
        self.players[victim].hp -= damage
        if self.players[victim].hp <= 0:
            self.over, self.winner = True, 1 - victim

    def act(self, action: str) -> None:
        me, combat = self.players[self.mover], action in ("strike", "burst", "pet", "pass")
        if action == "strike":
            if me.swift:
                combat = False
            me.dice -= 1 if me.cheap else 2
            damage = 3 if me.food else 2
            me.swift = me.cheap = me.food = False
            me.energy = min(2, me.energy + 1)
            self.hurt(1 - self.mover, damage)
        elif action == "burst":
            me.dice -= 3
            me.energy = 0
            self.hurt(1 - self.mover, 5)
        elif action == "pass":
            me.ended = True
            self.passed.append(self.mover)
        elif action in ("heal", "attack"):
            me.hand.remove("snack")
            me.dice -= 1
            me.ate = True
            if action == "heal":
                me.hp += 1
            else:
                me.food = True
        else:
            me.hand.remove(action)
            if action in ("field", "pet"):
                me.dice -= 2
            if action == "pet":
                me.pet = 2
            else:
                setattr(me, action, True)
        if self.over:
            return
        if len(self.passed) == 2:
            self.end_round()
        elif combat and not self.players[1 - self.mover].ended:
            self.mover = 1 - self.mover

    def end_round(self) -> None:
        for player in self.passed:
            if self.players[player].pet > 0:
                self.players[player].pet -= 1
                self.hurt(1 - player, 1)
                if self.over:
                    return
        self.mover = self.passed[0]
        if self.round == self.options["rounds"]:
            self.over = True
            first, second = (player.hp for player in self.players)
            self.winner = None if first == second else int(second > first)
            return
        self.round += 1
        self.start_round()

    def to_text(self) -> str:
        def side(player: Player) -> str:
            marks = zip(("swift", "cheap", "food", "ate", "field", "ended"), "scfaFe", strict=True)
            flags = "".join(letter for name, letter in marks if getattr(player, name)) or "-"
            hand, pile = ("".join(str(cards.count(card)) for card in CARDS) for cards in (player.hand, player.pile))
            return f"{max(0, player.hp)} {player.dice} {player.energy} {player.pet} {flags} {hand} {pile}"

        phase = "over" if self.over else f"chance{len(self.waiting)}" if self.waiting else "play"
        return "/".join([f"{self.round} {self.mover} {phase}", *map(side, self.players)])


def compare(state: sf.State, reference: Reference) -> None:
    """Everything that can be asked about a position has the reference's answer."""
    assert state.to_text() == reference.to_text()
    if reference.over:
        assert state.to_move == sf.TERMINAL
        assert state.returns() == {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[reference.winner]
    elif reference.waiting:
        assert state.to_move == sf.CHANCE
        expected = reference.chance()
        assert {state.action_text(a): p for a, p in state.chance()} == {
            a: pytest.approx(float(p)) for a, p in expected.items()
        }
    else:
        assert state.to_move == reference.mover
        assert [state.action_text(action) for action in state.legal_actions()] == reference.legal()
        assert state.returns() == [0, 0]


def walk(game: sf.Game, reference: Reference, rng: random.Random) -> int:
    """A random game on both, comparing every position and every action's result; how many were compared."""
    state, positions = game.new(), 1
    compare(state, reference)
    while not reference.over:
        for action in state.legal_actions():
            after, reference_after = state.copy(), copy.deepcopy(reference)
            after.play(action)
            (reference_after.decide if reference.waiting else reference_after.act)(state.action_text(action))
            compare(after, reference_after)
            positions += 1
        choices = state.legal_actions()
        if len(choices) > 1 and state.to_move >= 0 and rng.random() < 0.5:
            choices = choices[:-1]  # fewer passes, or most of the rules are never seen
        action = rng.choice(choices)
        (reference.decide if reference.waiting else reference.act)(state.action_text(action))
        state.play(action)
    return positions


VARIANTS: dict[str, dict[str, Any]] = {
    "small": {},
    "long": {"hp": 40, "rounds": 20, "dice": 7, "pet": 4, "swift": 3, "cheap": 3, "field": 2},
    "poor": {"hp": 1, "dice": 2, "rounds": 3},
    "no dice": {"dice": 0, "rounds": 2},
    "no cards": dict.fromkeys(CARDS, 0),
    "only coins": {"coins": 4, "dice": 1},
    "only hp": {"start_hp": 5},
    "short pile": {"deal": "piles", "hand": 2, "rounds": 8, "coins": 2},
    "whole hand": {"deal": "same", "hand": 6},
    "arena": {"preset": "arena"},
    "chance": {"preset": "chance"},
    "hidden": {"preset": "chance", "hidden": True},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_agrees_with_the_reference(variant: str) -> None:
    rng = random.Random(variant)
    game = sf.game("easycard", **VARIANTS[variant])
    options = dict(game.options)
    compared, endings = 0, set()
    for _ in range(12):
        reference = Reference(**options)
        compared += walk(game, reference, rng)
        endings.add((reference.winner, min(player.hp for player in reference.players) <= 0))
    assert compared > (100 if variant == "no dice" else 300)
    if variant not in ("no dice", "poor", "long"):
        assert len({winner for winner, _ in endings}) > 1, "only one kind of ending was seen"


def test_sequences_agree_with_the_reference_to_depth_five() -> None:
    def count(reference: Reference, depth: int) -> int:
        if depth == 0 or reference.over:
            return int(depth == 0)
        total = 0
        for action in reference.legal():
            after = copy.deepcopy(reference)
            after.act(action)
            total += count(after, depth - 1)
        return total

    options = {"hp": 4, "dice": 4, "rounds": 2}
    expected = [count(Reference(**options), depth) for depth in range(6)]
    assert sf.perft(sf.game("easycard", **options).new(), 5, detail=True).per_ply == expected
