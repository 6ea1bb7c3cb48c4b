"""Genius Invokation (七圣召唤): three characters a side, elemental dice, cards, summons and reactions."""

from collections.abc import Sequence
from typing import Any

from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.games.invokation.people import (
    HOW,
    HOW_PAGE,
    HOW_PAGE_ZH,
    HOW_ZH,
    OPTIONS_ZH,
    SEAT_NAMES,
    SEATS,
    VIEW_ZH,
    explain,
)
from sevenfold.options import shown

__all__ = ["HOW", "HOW_PAGE", "HOW_PAGE_ZH", "HOW_ZH", "OPTIONS_ZH", "SEATS", "SEAT_NAMES", "VIEW_ZH", "explain"]

TITLE = "Genius Invokation"
TITLE_ZH = "七聖召喚"

LETTERS = {
    "CRYO": "C",
    "HYDRO": "H",
    "PYRO": "P",
    "ELECTRO": "E",
    "ANEMO": "A",
    "GEO": "G",
    "DENDRO": "D",
    "OMNI": "O",
}
"""The faces of a die, and the letter of each in a position's text."""


QUIET_CHANCE = True
"""Draws and rolls are seen on the table, not in the list of moves."""

KEPT = 3
"""Unspent dice beyond which an end of the round is rewarded by a review; with Vanarana, which keeps two, KEPT + 2."""


def review_bonus(state: State, action: int) -> float:
    """The founding document's reward for an end of the round that keeps much back: 10 points with more than 3 dice
    left, or more than 5 with Vanarana, which keeps two of them; none with Liben, for which dice are left on purpose."""
    if state.action_text(action) != "end":
        return 0.0
    side = state.to_json()["players"][state.to_move]
    supports = {one["name"] for one in side["supports"]}
    if "Liben" in supports:
        return 0.0
    return 10.0 if len(side["dice"]) > (KEPT + 2 if "Vanarana" in supports else KEPT) else 0.0


def start_text(
    game: Game,
    decks: Sequence[Any] | None = None,
    piles: Sequence[Sequence[str]] | str | None = None,
    dice: Sequence[Any] | None = None,
    first: int | None = None,
) -> str:
    """The text of a start, for `game.new(decks=…, piles=…, dice=…, first=…)`.

    decks: for each player a deck as text ("Diluc; Kaeya; Sucrose; 2 Strategize; …" or the letter of a sample deck), or
        (characters, cards) as two lists of names, or {"characters": …, "cards": …}. Without: the game's own decks.
    piles: for each player the cards in the order in which they are drawn, or "listed" to draw the decks' cards in
        their order. A scripted pile need not be a legal deck, only at most 30 cards. Without: by chance.
    dice: the faces that come, in the order of the rolls (seat 0 before seat 1), as names; lists in the list are
        taken one after the other. When they are used up, dice are chance again. Without: all by chance.
    first: who begins; without: by chance.
    """
    if decks is not None and not _two(decks):
        raise ValueError(f"decks are two, one for each player, not {shown(decks)}.")
    if piles is not None and piles != "listed" and not _two(piles):
        raise ValueError(f"piles are two lists of cards, one for each player, or 'listed', not {shown(piles)}.")
    if first not in (None, 0, 1) or isinstance(first, bool):
        raise ValueError(f"first is 0 or 1, not {shown(first)}.")
    parts = ["new"]
    for seat in range(2):
        deck = decks[seat] if decks is not None else str(game.options[f"deck{seat}"])
        pile = piles[seat] if piles is not None and piles != "listed" else None
        parts.append(f"deck{seat}={_deck_text(deck, pile)}")
    if piles is not None:
        parts.append("listed=1")
    if dice is not None:
        parts.append("dice=" + "".join(_faces(dice)))
    if first is not None:
        parts.append(f"first={first}")
    return "|".join(parts)


def _two(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2


def _deck_text(deck: Any, pile: Sequence[str] | None) -> str:
    if isinstance(deck, str):
        from sevenfold._core import _invokation  # type: ignore[attr-defined]

        text = (_invokation.sample_deck(deck.strip().upper()) or deck).replace("\n", ";")
        if pile is None:
            return _plain(text)
        characters = [word.strip() for word in text.split(";") if word.strip()][:3]
    elif isinstance(deck, dict) and set(deck) == {"characters", "cards"}:
        return _deck_text((deck["characters"], deck["cards"]), pile)
    elif isinstance(deck, Sequence) and len(deck) == 2 and not isinstance(deck[0], str):
        characters = list(deck[0])
        pile = deck[1] if pile is None else pile
    else:
        raise ValueError(f"a deck is a text, or (characters, cards), not {shown(deck)}.")
    words = [*characters, *pile]
    if not all(isinstance(word, str) for word in words):
        raise ValueError(f"characters and cards are named by texts, not {shown(words)}.")
    return _plain("; ".join(words))


def _plain(text: str) -> str:
    if "|" in text:
        raise ValueError(f"no card has the sign | in its name, as in {shown(text)}.")
    return text


def _faces(dice: Any) -> list[str]:
    if isinstance(dice, str):
        if dice.upper() not in LETTERS:
            raise ValueError(f"a die shows {', '.join(LETTERS)}, not {shown(dice)}.")
        return [LETTERS[dice.upper()]]
    if not isinstance(dice, Sequence):
        raise ValueError(f"dice are a list of faces, not {shown(dice)}.")
    return [face for one in dice for face in _faces(one)]
