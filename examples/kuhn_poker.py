"""Kuhn poker: chance and hidden information. `sevenfold play examples/kuhn_poker.py --against montecarlo`"""

import random

import sevenfold as sf

PASS, BET = 0, 1


class KuhnPoker(sf.Rules):
    """Both put in one chip and get a card (J, Q, K). In turn they pass or bet a chip; a pass after a bet gives up."""

    players, actions, outcomes, features, max_plies = 2, 2, 3, 12, 5
    min_return, max_return = -2, 2

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.bets = ""

    def to_move(self) -> int:
        if len(self.cards) < 2:
            return sf.CHANCE
        return sf.TERMINAL if self.bets in ("pp", "bp", "bb", "pbp", "pbb") else len(self.bets) % 2

    def chance(self) -> list[tuple[int, float]]:
        return [(card, 1 / (3 - len(self.cards))) for card in range(3) if card not in self.cards]

    def legal_actions(self) -> list[int]:
        return [PASS, BET]

    def play(self, action: int) -> None:
        if len(self.cards) < 2:
            self.cards.append(action)
        else:
            self.bets += "pb"[action]

    def returns(self) -> list[float]:
        if self.to_move() != sf.TERMINAL:
            return [0, 0]
        if self.bets in ("bp", "pbp"):  # the last to act gave up
            winner, chips = len(self.bets) % 2, 1
        else:
            winner, chips = int(self.cards[1] > self.cards[0]), 2 if "b" in self.bets else 1
        return [chips, -chips] if winner == 0 else [-chips, chips]

    def observe(self, viewer: int) -> list[float]:  # my card, and who has bet or passed when
        mine = [float(self.cards[viewer : viewer + 1] == [card]) for card in range(3)]
        return mine + [float(self.bets[i : i + 1] == what) for i in range(3) for what in ("", "p", "b")]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if len(self.cards) == 2:
            self.cards[1 - viewer] = rng.choice([card for card in range(3) if card != self.cards[viewer]])

    def action_text(self, action: int) -> str:
        return ("pass", "bet")[action] if len(self.cards) == 2 else "JQK"[action]

    def view(self, viewer: int) -> str:
        return f"your card: {'JQK'[self.cards[viewer]] if len(self.cards) > viewer else '-'}  bets: {self.bets or '-'}"
