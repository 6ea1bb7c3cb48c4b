"""Proves every rule of Sevens against a slow reading of the rules page, written apart from the C++: whose turn, what is
legal, what is known, and what a deal is worth, over random deals of every preset and of odd tables."""

import math
import random
from dataclasses import dataclass, field
from typing import Any

import pytest

import sevenfold as sf
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.games import sevens as room

PASS = 52
SEVENS = (6, 19, 32, 45)
NAMED = {"spade7_first": 6, "heart7_first": 19, "diamond7_first": 32}

TABLES: dict[str, dict[str, Any]] = {
    **room.PRESETS,
    "two": {"num_players": 2},
    "three, pairs": {"num_players": 3, "scoring": "pairwise", "dealer": "fixed", "dealer_seat": 2},
    "five": {"num_players": 5, "start": "heart7_first", "ties": "count_then_order"},
    "six": {"num_players": 6, "start": "left_of_dealer_any7", "dealer": "rotate", "dealer_seat": 5, "ties": "no_pot"},
    "laid": {"start": "sevens_laid_first", "first_seat": 1, "mult_dealer_wins": 3.0, "ties": "count_then_order"},
    "shut out": {"end": "first_shutout", "winner": "shutout_only", "no_winner": "void"},
    "takes pot": {"winner": "shutout_only", "ties": "first_index", "threshold": 20.0, "penalty_unit": "cards"},
    "closed": {"close_on_end": True, "last_seven_bonus": "multiplier", "last_seven_value": 5.0},
    "reversal": {"all_covered": "reversal_wins", "close_on_end": True, "last_seven_bonus": "fixed"},
    "tunnel": {"ak_tunnel": True, "scoring": "penalty_only"},
    "nobody wins": {"winner": "none", "dealer": "previous_loser", "dealer_seat": 3},
    "ranked covers": {"scoring": "rank_points", "num_players": 5},
    "fan tan for six": {**room.PRESETS["fan_tan"], "num_players": 6, "end": "all_cards"},
    "west, points": {**room.PRESETS["west_sevens"], "scoring": "seed_pot", "num_players": 3},
    "narabe for five": {**room.PRESETS["jp_7narabe"], "num_players": 5, "max_passes": 1},
    "narabe, tunnel": {**room.PRESETS["jp_7narabe"], "ak_tunnel": True, "max_passes": 0},
    "narabe, pot": {**room.PRESETS["jp_7narabe"], "scoring": "cards_left", "pass_chip": 2.0, "start": "spade7_first"},
}
GAMES = {name: sf.game("sevens", **options) for name, options in TABLES.items()}


def rank(card: int) -> int:
    return card % 13 + 1


@dataclass
class Table:
    """The rules page, step by step, with sets."""

    options: dict[str, Any]
    hands: list[set[int]]
    table: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)
    turns: int = 0
    over: bool = False
    found: set[int] | None = None
    """The frontier, once somebody has asked for it."""

    def __post_init__(self) -> None:
        n = self.players = len(self.hands)
        self.dealt = [set(hand) for hand in self.hands]
        self.covered: list[list[int]] = [[] for _ in range(n)]
        self.played: list[list[int]] = [[] for _ in range(n)]
        self.passes = [0] * n
        self.out: list[int] = []
        self.left: list[int] = []
        self.shown: list[set[int]] = [set() for _ in range(n)]
        start = self.options["start"]
        first = NAMED.get(start, 32)
        self.leader = next(seat for seat in range(n) if first in self.hands[seat])
        if start == "left_of_dealer_any7":
            self.leader = (self.options["dealer_seat"] + 1) % n
        if start == "sevens_laid_first":
            if self.options["first_seat"] >= 0:
                self.leader = self.options["first_seat"]
            for seat in range(n):
                for card in sorted(self.hands[seat] & set(SEVENS)):
                    self.hands[seat].remove(card)
                    self.table.add(card)
                    self.played[seat].append(card)
        self.dealer = {"starter": self.leader, "none": None}.get(self.options["dealer"], self.options["dealer_seat"])
        self.mover = self.leader

    def rows(self) -> dict[int, set[int]]:
        """For each suit the cards that are joined to its seven."""
        out = {}
        for suit in range(4):
            joined = {6} if 13 * suit + 6 in self.table else set()
            for step in (1, -1):
                place = 6
                while joined and len(joined) < 13:
                    place += step
                    if self.options["ak_tunnel"]:
                        place %= 13
                    if not 0 <= place < 13 or 13 * suit + place not in self.table:
                        break
                    joined.add(place)
            out[suit] = joined
        return out

    def frontier(self) -> set[int]:
        if self.found is None:
            self.found = self.find_frontier()
        return self.found

    def find_frontier(self) -> set[int]:
        start = self.options["start"]
        if self.turns == 0 and start in NAMED:
            return {NAMED[start]}
        found = set()
        for suit, joined in self.rows().items():
            if suit in self.closed:
                continue
            if not joined:
                found.add(13 * suit + 6)
            for near in joined:
                for place in (near - 1, near + 1):
                    if self.options["ak_tunnel"]:
                        place %= 13
                    if 0 <= place < 13 and place not in joined:
                        found.add(13 * suit + place)
        return found

    def legal(self) -> list[int]:
        fits = sorted(self.hands[self.mover] & self.frontier())
        variant = self.options["variant"]
        if variant == "cover":
            return fits or sorted(self.hands[self.mover])
        if variant == "pass":
            return fits or [PASS]
        first = self.turns == 0 and self.options["start"] in NAMED
        may = not fits or (self.passes[self.mover] < self.options["max_passes"] and not first)
        return [*fits, PASS] if may else fits

    def play(self, action: int) -> None:
        seat, fits = self.mover, self.frontier()
        self.turns, self.found = self.turns + 1, None
        if action == PASS:
            self.passes[seat] += 1
            if self.options["variant"] == "pass":
                self.shown[seat] |= fits
            elif self.passes[seat] > self.options["max_passes"]:
                self.out.append(seat)
                self.table |= self.hands[seat]
                self.covered[seat] = sorted(self.hands[seat])
                self.hands[seat] = set()
        else:
            self.hands[seat].remove(action)
            if action in fits:
                self.table.add(action)
                self.played[seat].append(action)
                if self.options["close_on_end"] and rank(action) in (1, 13):
                    self.closed.add(action // 13)
            else:
                self.covered[seat].append(action)
                self.shown[seat] |= fits
            if not self.hands[seat]:
                self.left.append(seat)
                end = self.options["end"]
                self.over = end == "first_out" or (end == "first_shutout" and not self.covered[seat])
        if self.over or not any(self.hands):
            self.over = True
            return
        while True:
            self.mover = (self.mover + 1) % self.players
            if self.hands[self.mover]:
                break

    # --- Scoring ---

    def unplayed(self, seat: int) -> set[int]:
        return self.hands[seat] | set(self.covered[seat])

    def penalties(self) -> list[int]:
        cards = self.options["penalty_unit"] == "cards"
        return [sum(1 if cards else rank(c) for c in self.unplayed(seat)) for seat in range(self.players)]

    def order(self) -> list[int]:
        """Seats from the first to leave the table to the first to be out."""
        waiting = [(self.leader + i) % self.players for i in range(self.players)]
        rest = [seat for seat in waiting if seat not in self.left and seat not in self.out]
        return [*self.left, *rest, *reversed(self.out)]

    def winners(self) -> list[int] | None:
        """Who takes the pot; None: nobody pays."""
        c, seats = self.penalties(), range(self.players)
        none_played = [seat for seat in seats if not self.played[seat] and not self.hands[seat]]
        lowest = [seat for seat in seats if c[seat] == min(c)]
        rule = self.options["winner"]
        if self.options["all_covered"] == "reversal_wins" and none_played:
            found = none_played
        elif rule == "none":
            return []
        elif rule == "first_out":
            found = self.order()[:1]
        elif rule == "shutout_only" and min(c) > 0:
            if self.options["no_winner"] == "negative_sum":
                return []
            if self.options["no_winner"] == "void":
                return None
            found = lowest
        else:
            found = lowest
        ties = self.options["ties"]
        if len(found) > 1 and ties == "no_pot":
            return None
        if ties == "first_index":
            found = found[:1]
        if ties == "count_then_order":
            found = sorted(found, key=lambda seat: (len(self.unplayed(seat)), self.order().index(seat)))[:1]
        return found

    def last_is_seven(self, seat: int) -> bool:
        return not self.unplayed(seat) and self.turns_of(seat) > 0 and self.played[seat][-1] in SEVENS

    def turns_of(self, seat: int) -> int:
        laid = len(self.dealt[seat] & set(SEVENS)) if self.options["start"] == "sevens_laid_first" else 0
        return len(self.played[seat]) - laid

    def returns(self) -> list[float]:
        return {
            "seed_pot": self.seed_pot,
            "pairwise": self.pairwise,
            "tw_table": self.tw_table,
            "penalty_only": lambda: [-float(c) for c in self.penalties()],
            "rank_points": self.rank_points,
            "cards_left": self.cards_left,
        }[self.options["scoring"]]()

    def pay(self, losses: list[float], winners: list[int]) -> list[float]:
        out = [-loss for loss in losses]
        for seat in winners:
            out[seat] += sum(losses) / len(winners)
        return out

    def seed_pot(self) -> list[float]:
        c, winners, o = self.penalties(), self.winners(), self.options
        if winners is None:
            return [0.0] * self.players
        seven = any(self.last_is_seven(seat) for seat in winners)
        losses = []
        for seat in range(self.players):
            loss = 0.0
            if seat not in winners:
                loss = float(c[seat])
                loss *= o["mult_shutout"] if 0 in c else 1
                loss *= o["mult_dealer_loses"] if seat == self.dealer else 1
                loss *= o["mult_threshold"] if c[seat] > o["threshold"] else 1
                loss *= o["mult_dealer_wins"] if self.dealer in winners else 1
                if seven and o["last_seven_bonus"] == "multiplier":
                    loss *= o["last_seven_value"]
                if seven and o["last_seven_bonus"] == "fixed":
                    loss += o["last_seven_value"]
            losses.append(loss)
        return self.pay(losses, winners)

    def pairwise(self) -> list[float]:
        c = self.penalties()
        times = self.options["mult_shutout"] if c.count(0) == 1 else 1
        return [sum(times * (c[j] - c[i]) for j in range(self.players) if j != i) for i in range(self.players)]

    def tw_table(self) -> list[float]:
        c = self.penalties()
        shut = [seat for seat in range(4) if c[seat] == 0]
        out = [50.0 - each for each in c]
        gain, cost = {0: (0, 0), 1: (100, -10), 2: (70, -40), 3: (40, -70), 4: (10, 0)}[len(shut)]
        for seat in range(4):
            out[seat] += gain if seat in shut else cost
        if len(shut) == 1 and self.last_is_seven(shut[0]):
            out[shut[0]] += 200
        for all_covered in (seat for seat in range(4) if not self.played[seat] and not self.hands[seat]):
            for seat in range(4):
                out[seat] += 1000 if seat == all_covered else -300
        return out

    def rank_points(self) -> list[float]:
        c, order = self.penalties(), self.order()
        if self.options["variant"] == "cover":
            key = [(0, each) for each in c]
        else:
            key = [
                (0, order.index(s)) if s in self.left else (2, order.index(s)) if s in self.out else (1, c[s])
                for s in range(self.players)
            ]
        return [float(sum((mine < other) - (mine > other) for other in key)) for mine in key]

    def cards_left(self) -> list[float]:
        winners = self.winners()
        if winners is None:
            return [0.0] * self.players
        chip = self.options["pass_chip"]
        return self.pay([len(self.unplayed(s)) + chip * self.passes[s] for s in range(self.players)], winners)


def hands_of(game: sf.Game, rng: random.Random) -> list[list[int]]:
    deck = rng.sample(range(52), 52)
    sizes = [52 // game.players + (seat < 52 % game.players) for seat in range(game.players)]
    return [[deck.pop() for _ in range(size)] for size in sizes]


def compare(name: str, games: int, seed: int) -> None:
    game, rng = GAMES[name], random.Random(seed)
    for _ in range(games):
        hands = hands_of(game, rng)
        state, table = game.new(deal=hands), Table(dict(game.options), [set(hand) for hand in hands])
        while not table.over:
            assert state.to_move == table.mover
            legal = table.legal()
            assert state.legal_actions() == legal
            action = rng.choice(legal)
            state.play(action)
            table.play(action)
        assert state.is_over
        assert len(state.history) == table.turns
        ours, theirs = state.returns(), table.returns()
        assert all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(ours, theirs, strict=True)), (ours, theirs)
        holders = core.holders(state)
        for seat in range(game.players):
            assert {c for c in range(52) if holders[c] == seat} == table.hands[seat]
            assert {c for c in range(52) if holders[c] == seat + 8} == set(table.covered[seat])


@pytest.mark.parametrize("name", GAMES)
def test_random_deals_go_as_the_rules_page_reads(name: str) -> None:
    compare(name, 25, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_thousands_of_random_deals_go_as_the_rules_page_reads(name: str) -> None:
    compare(name, 2000 if name in room.PRESETS else 500, 2)


# --- What is known ----------------------------------------------------------------------------------------------------


def dead(table: Table, viewer: int) -> set[int]:
    """The cards in hand that no way leads to, past the cards that the viewer has covered and closed suits."""
    out = set()
    for card in table.hands[viewer]:
        base, place = card - card % 13, card % 13
        inward = range(place + 1, 6) if place < 6 else range(7, place)
        ways = [inward]
        if table.options["ak_tunnel"]:  # the other way round, over ace and king
            ways.append([p % 13 for p in (range(place - 1, -7, -1) if place < 6 else range(place + 1, 19))])
        blocked = [any(base + p in table.covered[viewer] for p in way) for way in ways]
        if place != 6 and (all(blocked) or card // 13 in table.closed):
            out.add(card)
    return out


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_what_the_rules_page_lists(name: str) -> None:
    game = sf.game("sevens", **{**GAMES[name].options, "observation": "obs24", "void_mode": "card"})
    rng, n = random.Random(3), game.players
    for _ in range(3):
        hands = hands_of(game, rng)
        state, table = game.new(deal=hands), Table(dict(game.options), [set(hand) for hand in hands])
        while not table.over:
            action = rng.choice(table.legal())
            state.play(action)
            table.play(action)
            viewer = rng.randrange(n)
            seen = state.observe(viewer)
            cards = [{c for c in range(52) if plane[c]} for plane in seen.planes.reshape(game.planes[0], 52)]
            seats = [(viewer + i) % n for i in range(n)]
            assert cards[0] == table.hands[viewer]
            assert cards[1] == table.table
            turn = not table.over and table.mover == viewer
            assert cards[2] == (set(table.legal()) - {PASS} if turn else set())
            if not table.over:
                assert cards[3] == table.frontier()
            assert cards[4] == set(table.covered[viewer])
            assert cards[5] == dead(table, viewer)
            assert cards[6 : 6 + n] == [set(table.played[seat]) for seat in seats]
            assert cards[6 + n :] == [table.shown[seat] for seat in seats[1:]]
            assert not any(table.shown[seat] & table.hands[seat] for seat in seats)
            covers = game.options["variant"] == "cover"
            silent = [len(table.covered[seat]) if covers else table.passes[seat] for seat in seats]
            wanted = [min(1, number / 13) for number in silent]
            wanted += [float(table.dealer == seat) for seat in seats]
            wanted += [min(1, table.turns / 52), float(turn and not table.hands[viewer] & table.frontier())]
            wanted += [sum(map(rank, cards[4] | cards[5])) / 50, sum(map(rank, cards[0])) / 90]
            assert all(math.isclose(a, b, abs_tol=1e-6) for a, b in zip(seen.features, wanted, strict=True))
