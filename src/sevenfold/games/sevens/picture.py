"""What the page draws of Sevens. A card is its number: 13 × suit (spades, hearts, diamonds, clubs) + rank from 0 (ace).

{
  "phase": "play",                          "deal", "play" or "over"
  "ply": 30,                                actions of players so far
  "mover": 0,                               whose turn it is; null during the deal and at the end
  "variant": "cover",                       "cover", "pass" or "limited_pass"
  "max_passes": null,                       of each seat, in limited_pass
  "stuck": false,                           nothing of the mover's fits: it covers or passes; null where that is not for
                                            the viewer's eyes
  "table": [6, 7, …],                       the cards in the four rows
  "closed": [],                             suits that an ace or a king has closed
  "frontier": [5, 8, …],                    the cards that would fit now
  "seats": [{
    "cards": 6,                             in hand; null during the deal, of others
    "hand": [12, 23, …],                    null where the viewer may not see it
    "covered": 1,                           cards that it has laid face down
    "covers": null,                         which ones; null where the viewer may not see them. Of a seat that is out
                                            by passing: its cards, which lie open in the rows
    "dead": null,                           cards of the hand that it can never play, as far as it can tell
    "sunk": null,                           what its covered and dead cards cost
    "passes": 0, "out": false,
    "dealer": false,
    "lacks": [11, …],                       cards that it has shown not to hold, as all know
    "left": null,                           the points of all its unplayed cards; null where the viewer does not know
    "score": null,                          at the end: what the deal is worth to it
    "won": null                             at the end: whether it is a winner; by some options there may be none
  }, …],
  "last": [{"seat": 0, "kind": "play", "card": 44}, …],
                                            the last round, oldest first: "play", "cover" (the card only for those who
                                            know it) or "pass"
  "stakes": {"shutout": 2, "clean": [0, 3], "dealer": 2, "threshold": 50, "above": 2},
                                            of seed_pot: all losers pay `shutout` times as much when one of `clean` has
                                            covered nothing, the dealer `dealer` times, and who has more points than the
                                            threshold `above` times; null otherwise
  "belief": {"worlds": 200, "cards": {"0": [0, 70, 61, 69, 0, 0, 0, 0], …}}
                                            for every card that the viewer does not see: in how many of the worlds that
                                            look like this one each seat holds it, then in how many it lies covered
                                            there; null where everything is seen
}
"""

import re
from collections.abc import Mapping
from typing import Any

from sevenfold._core import CHANCE, State
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]

MINIATURE = sorted(range(52), key=lambda card: abs(card % 13 - 6)) * 8
"""From the sevens outwards, as far as the rules allow: what is not legal is left out."""
WORLDS = 200
"""Worlds of which the belief is made: a share is right within some 7 hundredths."""
PASS = 52
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SIGNS = "♠♥♦♣"
COVERED = 8
"""What `core.holders` adds to the seat of a covered card."""
NEVER = 255
CARDS = re.compile(rf"([{SIGNS}])((?: ?(?:10|[A2-9JQK])(?![\w]))+)")
EVENT = re.compile(r"player (\d) (covers|passes)? ?(\S*)")


def picture(state: State, viewer: int | None) -> dict[str, Any]:
    """The table for one pair of eyes. Everything but the open hands is read from the view of those eyes."""
    eyes = None if state.is_over else viewer
    lines = (str(state) if eyes is None else state.view(eyes)).splitlines()
    players, dealing = state.game.players, state.to_move == CHANCE
    rows, seats = lines[1:5], lines[5 : 5 + players]
    table = [card for suit, row in enumerate(rows) for card in _row(suit, row)]
    closed = [suit for suit, row in enumerate(rows) if row.endswith("closed")]
    options = state.game.options
    mine = state.to_move >= 0 and eyes in (None, state.to_move)
    holders = core.holders(state)
    told = [_seat(line, seat, eyes, holders, core.dead(state, seat)) for seat, line in enumerate(seats)]
    if state.is_over:
        returns = state.returns()
        won = winners(options, [one["left"] for one in told], returns)
        for seat, one in enumerate(told):
            one["score"], one["won"] = returns[seat], seat in won
    frontier = _frontier(state, table, closed)
    return {
        "phase": "deal" if dealing else "over" if state.is_over else "play",
        "ply": 0 if dealing else int(re.findall(r"\d+", lines[0])[0]) - (not state.is_over),
        "mover": state.to_move if state.to_move >= 0 else None,
        "variant": options["variant"],
        "max_passes": options["max_passes"] if options["variant"] == "limited_pass" else None,
        "stuck": not set(told[state.to_move]["hand"]) & set(frontier) if mine else None,
        "table": table,
        "closed": closed,
        "frontier": frontier,
        "seats": told,
        "last": _last(lines),
        "stakes": _stakes(options, told) if options["scoring"] == "seed_pot" and not dealing else None,
        "belief": None if eyes is None or dealing else belief(state, eyes, table),
    }


def points(cards: list[int]) -> int:
    """What cards cost that were not played, ace 1 to king 13."""
    return sum(card % 13 + 1 for card in cards)


def winners(options: Mapping[str, Any], left: list[int], returns: list[float]) -> list[int]:
    """The seats with the best score; nobody where all have the same, or where the options leave the deal without a
    winner. A score above zero is no win: of ranks, half of them are."""
    best = max(returns)
    found = [seat for seat, score in enumerate(returns) if score == best]
    unwon = options["winner"] == "none" or (
        options["winner"] == "shutout_only" and options["no_winner"] != "min_penalty_takes_pot" and 0 not in left
    )
    reversed_ = options["all_covered"] == "reversal_wins" and best > 0  # it goes before all that: its seat has the pot
    return [] if len(found) == len(returns) or (unwon and not reversed_) else found


def belief(state: State, viewer: int, table: list[int]) -> dict[str, Any]:
    """Who may hold what, counted over worlds that the viewer cannot tell apart. The worlds are drawn from what the
    viewer knows, by seeds that are always the same: the true one has no part in them."""
    seats = range(state.game.players)
    places = [*seats, *(seat + COVERED for seat in seats)]
    seen = {-1, viewer, viewer + COVERED}
    lying = set(table)
    worlds = zip(*(core.holders(state.redeal(viewer, seed)) for seed in range(WORLDS)), strict=True)
    cards = {
        str(card): [held.count(place) for place in places]
        for card, held in enumerate(worlds)
        if held[0] not in seen and card not in lying
    }
    return {"worlds": WORLDS, "cards": cards}


def _row(suit: int, line: str) -> list[int]:
    return [13 * suit + place for place, cell in enumerate(line.split()[1:14]) if cell != "·"]


def _cards(text: str) -> list[int]:
    """The cards of a text such as "♠K  ♦9 10 K"."""
    return [13 * SIGNS.index(sign) + RANKS.index(rank) for sign, ranks in CARDS.findall(text) for rank in ranks.split()]


def _frontier(state: State, table: list[int], closed: list[int]) -> list[int]:
    if state.to_move == CHANCE:
        return []
    entries, lying = core.entries(state), set(table)
    return [c for c in range(52) if entries[c] != NEVER and c not in lying and c // 13 not in closed]


def _seat(line: str, seat: int, eyes: int | None, holders: list[int], dead: list[int]) -> dict[str, Any]:
    def number(word: str) -> int:
        found = re.search(rf"; {word} (\d+)", line)
        return int(found[1]) if found else 0

    out = ": out, " in line
    seen = eyes in (None, seat) or out
    counted = re.search(r": (\d+) cards?", line)
    hand = [card for card, holder in enumerate(holders) if holder == seat]
    covers = [card for card, holder in enumerate(holders) if holder == seat + COVERED]
    lacks = re.search(r"; has no (.*)", line)
    return {
        "cards": None if line.endswith("is dealt in") else int(counted[1]) if counted else 0,
        "hand": hand if seen else None,
        "covered": number("covered"),
        "covers": covers if seen else None,
        "dead": dead if seen else None,
        "sunk": points(covers + dead) if seen else None,
        "passes": number("passed"),
        "out": out,
        "dealer": "(dealer)" in line,
        "lacks": _cards(lacks[1]) if lacks else [],
        "left": points(hand + covers) if eyes is None else None,
        "score": None,
        "won": None,
    }


def _last(lines: list[str]) -> list[dict[str, Any]]:
    said = next((line.removeprefix("last: ") for line in lines if line.startswith("last: ")), "")
    out = []
    for seat, word, card in EVENT.findall(said.replace(",", " ,")):
        kind = {"covers": "cover", "passes": "pass"}.get(word, "play")
        cards = _cards(card)
        out.append({"seat": int(seat), "kind": kind, "card": cards[0] if cards else None})
    return out


def _stakes(options: Any, seats: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "shutout": options["mult_shutout"],
        "clean": [seat for seat, one in enumerate(seats) if one["covered"] == 0 and not one["out"]],
        "dealer": options["mult_dealer_loses"] if any(one["dealer"] for one in seats) else 1,
        "threshold": options["threshold"],
        "above": options["mult_threshold"],
    }
