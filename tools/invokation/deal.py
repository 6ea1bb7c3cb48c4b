"""Random games to compare: teams, piles, dice and who begins, so that every character and card gets its turn."""

import random
from dataclasses import dataclass

from sevenfold.games.invokation.catalogue import catalogue
from sevenfold.games.invokation.decks import CARDS, COPIES, Deck, legal_cards

FACES = ("CRYO", "HYDRO", "PYRO", "ELECTRO", "ANEMO", "GEO", "DENDRO", "OMNI")
SCRIPT = 1200
"""Dice in the script: more than fifteen rounds with every reroll need."""


@dataclass(frozen=True)
class Deal:
    """Everything that chance decides in one game."""

    decks: tuple[Deck, Deck]
    """The cards of a deck are its pile, top first."""
    dice: list[str]
    first: int


def deal(rng: random.Random, wild: bool = False) -> Deal:
    """A random deal; wild: any card in any deck, as the card of an element that has too few characters for its pair."""
    omni = rng.choice((0.05, 0.125, 0.5))  # dice that pay for everything show more of the cards
    dice = ["OMNI" if rng.random() < omni else rng.choice(FACES) for _ in range(SCRIPT)]
    return Deal((_deck(rng, wild), _deck(rng, wild)), dice, rng.randrange(2))


def _deck(rng: random.Random, wild: bool) -> Deck:
    people = catalogue()["characters"]
    team = rng.sample([one["name"] for one in people], 3)
    if rng.random() < 0.5:  # a pair of one element, for its resonance
        element = rng.choice([one["element"] for one in people])
        pair = [one["name"] for one in people if one["element"] == element]
        pair = rng.sample(pair, min(2, len(pair)))
        team = pair + [name for name in team if name not in pair][: 3 - len(pair)]
        rng.shuffle(team)
    allowed = legal_cards(tuple(team))
    if wild:
        allowed = [one["name"] for one in catalogue()["cards"] if one["kind"] != "generated"]
    own = [one["name"] for one in catalogue()["cards"] if one["kind"] == "talent" and one["character"] in team]
    rest = [name for name in allowed for _ in range(COPIES)]
    rng.shuffle(rest)
    cards = own + [name for name in rest if name not in own]
    cards = cards[:CARDS]
    rng.shuffle(cards)
    return Deck(tuple(team), tuple(cards))
