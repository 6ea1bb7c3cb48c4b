"""Proves what the players of Sevens may know: the sampler of consistent worlds is sound, exact and uniform, and nothing
hidden reaches an observation, a view or the legal actions."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import _core
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]
from sevenfold.games import sevens as room
from sevenfold.games.sevens.test_reference import GAMES, hands_of

SEED = sf.game("sevens")


def positions(game: sf.Game, deals: int, seed: int, rule: str = "random") -> Iterator[sf.State]:
    """All positions of random deals in which a player moves."""
    rng = random.Random(seed)
    for _ in range(deals):
        state = game.new(deal=hands_of(game, rng))
        while not state.is_over:
            yield state
            state = state.copy()
            state.play(rng.choice(state.legal_actions()) if rule == "random" else core.choose(state, rule, 0))


def known_to(state: sf.State, viewer: int) -> tuple[object, ...]:
    seen = state.observe(viewer)
    return (
        state.to_move,
        state.view(viewer),
        seen.planes.tobytes(),
        seen.features.tobytes(),
        state.legal_actions() if state.to_move == viewer else None,
        public(state, viewer),
    )


def public(state: sf.State, viewer: int) -> list[str]:
    """The actions so far as a viewer saw them: covers of others without the card."""
    replay = state.game.parse(state.to_text().split(" ")[0])
    out = []
    for word in state.to_text().split(" ")[1:]:
        while word != "pass" and replay.legal_actions() == [52]:
            replay.play(52)
        mover, action = replay.to_move, replay.parse_action(word)
        before = str(replay).splitlines()[1:5]
        replay.play(action)
        covered = word != "pass" and str(replay).splitlines()[1:5] == before
        out.append(f"{mover} {'covers' if covered and mover != viewer else word}")
    return out


@pytest.mark.parametrize("name", GAMES)
def test_no_consistent_world_looks_different_to_the_viewer(name: str) -> None:
    """And each world is sound: its deal and its actions replay by the rules, covers and passes included."""
    game, rng = GAMES[name], random.Random(5)
    changed = 0
    for state in positions(game, 6, seed=2):
        if rng.random() < 0.8:
            continue
        viewer = rng.randrange(game.players)
        world = state.redeal(viewer, rng.getrandbits(60))
        assert known_to(world, viewer) == known_to(state, viewer)
        again = game.parse(world.to_text())  # refuses an action that the rules forbid
        assert again.hash() == world.hash()
        changed += world.hash() != state.hash()
    assert changed > (3 if game.players == 2 else 10)  # of two players each knows the other's cards, covers aside


@pytest.mark.parametrize("observation", ["obs24", "obs11", "timed"])
@pytest.mark.parametrize("void_mode", ["card", "suit"])
@pytest.mark.parametrize("preset", room.PRESETS)
def test_no_observation_leaks(preset: str, observation: str, void_mode: str) -> None:
    game = sf.game("sevens", preset=preset, observation=observation, void_mode=void_mode)
    rng = random.Random(7)
    for state in positions(game, 2, seed=3):
        for viewer in range(game.players):
            world = state.redeal(viewer, rng.getrandbits(60))
            ours, theirs = state.observe(viewer), world.observe(viewer)
            assert (ours.planes == theirs.planes).all()
            assert (ours.features == theirs.features).all()


def test_the_first_card_s_holder_is_known_to_all() -> None:
    state = SEED.new(deal=hands_of(SEED, random.Random(1)))
    for viewer in range(4):
        for seed in range(50):
            assert state.redeal(viewer, seed).to_move == state.to_move


def test_many_worlds_of_many_deals_all_replay() -> None:
    """Against blockers, who cover more than random players do."""
    worlds = 0
    for state in positions(SEED, 12, seed=11, rule="blocker"):
        for viewer in range(4):
            SEED.parse(state.redeal(viewer, worlds).to_text())
            worlds += 1
    assert worlds > 2000


# --- Counting ---------------------------------------------------------------------------------------------------------


def permanent(matrix: list[list[bool]]) -> int:
    """The number of perfect matchings, by the subsets of columns."""
    ways = {0: 1}
    for row in matrix:
        following: Counter[int] = Counter()
        for used, count in ways.items():
            for column, fits in enumerate(row):
                if fits and not used >> column & 1:
                    following[used | 1 << column] += count
        ways = following
    return sum(ways.values())


def hidden(state: sf.State, viewer: int) -> list[int]:
    """The cards whose place a viewer does not see; the hand of a seat that is out by passing lies open."""
    seats = {seat for seat in range(state.game.players) if seat != viewer}
    if state.game.options["variant"] == "cover":
        seats |= {seat + 8 for seat in seats}
    return [card for card, holder in enumerate(core.holders(state)) if holder in seats]


def count_by_brute_force(state: sf.State, viewer: int) -> int:
    """Over the slots and the entry plies as the rules page defines them."""
    slots, entries = core.slots(state, viewer), core.entries(state)
    cards = hidden(state, viewer)
    assert len(cards) == len(slots)
    return permanent([[time < entries[card] for _, time in slots] for card in cards])


@pytest.mark.parametrize("preset", ["tw_seed", "west_sevens", "fan_tan", "jp_7narabe"])
def test_the_product_is_the_number_of_assignments(preset: str) -> None:
    game, checked = sf.game("sevens", preset=preset), 0
    for state in positions(game, 40, seed=4):
        for viewer in range(4):
            if 2 <= len(hidden(state, viewer)) <= 11:
                assert math.isclose(core.log_count(state, viewer), math.log(count_by_brute_force(state, viewer)))
                checked += 1
    assert checked > 20


def has_odd_cards(state: sf.State, viewer: int) -> bool:
    """Whether a hidden card was on the frontier of a suit that is closed now: the case that is not nested."""
    try:
        core.log_count(state, viewer)
    except ValueError:
        return True
    return False


def small_position(most: int, least: int = 12, name: str = "tw_seed") -> tuple[sf.State, int]:
    """A late position with few hidden cards, not all of them anywhere."""
    game = GAMES[name]
    for state in positions(game, 400, seed=9, rule="blocker" if game.options["variant"] == "cover" else "random"):
        for viewer in range(game.players):
            if 4 <= len(hidden(state, viewer)) <= 5 and (name != "closed" or has_odd_cards(state, viewer)):
                worlds = len(consistent_worlds(state, viewer))
                free = math.factorial(len(hidden(state, viewer)))
                if least <= worlds <= most and worlds < free / 2:
                    return state, viewer
    raise AssertionError("no such position")


def consistent_worlds(state: sf.State, viewer: int) -> set[str]:
    """Every world by trying all permutations of the hidden cards over the places where they may be: the hands, and the
    covers of the text. What the rules refuse, or what looks different, is none."""
    game, cards = state.game, hidden(state, viewer)
    names = [f"{room.SUITS[c // 13]}{room.RANKS[c % 13]}" for c in cards]
    found = set()
    for order in itertools.permutations(range(len(cards))):
        swap = {names[i]: names[j] for i, j in enumerate(order)}
        if text := swapped(state, viewer, swap):
            try:
                world = game.parse(text)
            except ValueError:
                continue
            if world.view(viewer) == state.view(viewer) and public(world, viewer) == public(state, viewer):
                found.add(world.to_text())
    return found


def swapped(state: sf.State, viewer: int, swap: dict[str, str]) -> str:
    deal, *words = state.to_text().split(" ")
    hands = [
        [f"{room.SUITS[suit]}{rank}" for suit, row in enumerate(hand.split(".")) for rank in row]
        for hand in deal.split("/")
    ]
    moved = [[swap.get(card, card) for card in hand] for hand in hands]
    text = room.start_text(state.game, moved)
    return " ".join([text, *(swap.get(word, word) for word in words)])


@pytest.mark.parametrize("name", ["tw_seed", "closed", "west_sevens", "fan tan for six"])
def test_worlds_are_drawn_uniformly(name: str) -> None:
    state, viewer = small_position(60, name=name)
    worlds = consistent_worlds(state, viewer)
    if name == "tw_seed":  # an assignment to slots orders the hands too
        orders = math.prod(math.factorial(core.holders(state).count(seat)) for seat in range(4) if seat != viewer)
        assert math.isclose(core.log_count(state, viewer), math.log(len(worlds) * orders))
    draws = 200 * len(worlds)
    drawn = Counter(state.redeal(viewer, seed).to_text() for seed in range(draws))
    assert set(drawn) == worlds
    expected = draws / len(worlds)
    chi = sum((drawn[world] - expected) ** 2 / expected for world in worlds)
    df = len(worlds) - 1
    assert chi < df + 4 * math.sqrt(2 * df)


# --- Preferences ------------------------------------------------------------------------------------------------------


def test_a_weighted_draw_keeps_the_constraints_and_its_weights_restore_the_uniform_mean() -> None:
    state, viewer = small_position(60)
    worlds = consistent_worlds(state, viewer)
    rng = random.Random(1)
    prefer = [[rng.uniform(0.2, 3) for _ in range(4)] for _ in range(52)]
    drawn = core.weighted(state, viewer, prefer, 20_000, 1)
    holders = {tuple(core.holders(state.game.parse(text))) for text in worlds}
    assert {tuple(where) for where, _ in drawn} == holders
    weights = np.exp([weight for _, weight in drawn])
    assert abs(weights.mean() - 1) < 0.05
    uniform = Counter(tuple(core.holders(state.redeal(viewer, seed))) for seed in range(20_000))
    for where in holders:
        share = weights[[tuple(w) == where for w, _ in drawn]].sum() / len(drawn)
        assert abs(share - uniform[where] / 20_000) < 0.03


def test_a_card_goes_where_it_is_preferred() -> None:
    state = SEED.new(deal=hands_of(SEED, random.Random(3)))
    state.play(6)
    viewer = state.to_move
    card, other = hidden(state, viewer)[0], (viewer + 1) % 4
    prefer = [[1.0] * 4 for _ in range(52)]
    prefer[card] = [1e-6 if seat != other else 1.0 for seat in range(4)]
    drawn = core.weighted(state, viewer, prefer, 300, 1)
    assert sum(where[card] == other for where, _ in drawn) > 290


# --- Stirring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_stirred_world_is_sound_and_says_whose_cards_changed(name: str) -> None:
    game, rng = GAMES[name], random.Random(6)
    changed = 0
    for state in positions(game, 6, seed=4):
        if rng.random() < 0.8:
            continue
        viewer = rng.randrange(game.players)
        world = state
        for _ in range(20):
            before = world
            world, whose = world.stir(viewer, rng.getrandbits(60))
            others = [seat for seat in range(game.players) if world.known(seat) != before.known(seat)]
            assert whose == sum(1 << seat for seat in others)
            changed += whose > 0
        assert known_to(world, viewer) == known_to(state, viewer)
        assert game.parse(world.to_text()).hash() == world.hash()
    assert changed > (0 if game.players == 2 else 10)


PAIR = sf.game("sevens", num_players=2)
"""Two players: what is hidden is which cards the other one has covered, and when."""


def late(deal: int, plies: int) -> sf.State:
    """A decision near the end of random play."""
    rng = random.Random(deal)
    state = PAIR.new(deal=hands_of(PAIR, rng))
    while len(state.history) < plies or len(state.legal_actions()) < 2:
        state.play(rng.choice(state.legal_actions()))
    return state


def worlds_of(state: sf.State) -> dict[str, sf.State]:
    """All worlds that fit, by their text: so many are drawn that none is missing."""
    return {world.to_text(): world for world in (state.redeal(state.to_move, seed) for seed in range(4000))}


LATE = [(32, 30), (56, 36), (2, 36), (99, 36), (194, 30)]
"""Decisions with 12, 8, 180, 90 and 132 worlds."""


@pytest.mark.parametrize(("deal", "plies"), LATE)
def test_stirring_meets_every_world_equally_often(deal: int, plies: int) -> None:
    state = late(deal, plies)
    all_worlds = worlds_of(state)
    met: Counter[str] = Counter()
    world, steps = state, 12_000
    for seed in range(steps):
        world, _ = world.stir(state.to_move, seed)
        met[world.to_text()] += 1
    assert set(met) == set(all_worlds)
    even = steps / len(all_worlds)
    # One step after the other is not independent: a world is met in rows.
    assert sum(abs(count - even) for count in met.values()) / 2 / steps < 0.15


HABITS, SLIPS = ("greedy", "keeper", "blocker"), 0.02


def posterior(state: sf.State, doubt: float, kinds: float = 0.0) -> dict[str, float]:
    """The weight of every world by Bayes' rule, from the rules' own past of each; with kinds, over all that each of the
    others may be."""
    weights = {}
    for text, world in worlds_of(state).items():
        then, past = world.rewind()
        each = {seat: [1 - kinds] + [kinds / 4] * 4 for seat in range(4) if seat != state.to_move}
        for action in past:
            legal = then.legal_actions()
            if then.to_move != state.to_move and len(legal) > 1:
                shares = each[then.to_move]
                shares[0] *= (1 - doubt) * then.odds()[legal.index(action)] + doubt / len(legal)
                for number, habit in enumerate(HABITS, 1):
                    taken = core.choose(then, habit, 0) == action
                    shares[number] *= (1 - SLIPS) * taken + SLIPS / len(legal)
                shares[4] /= len(legal)
            then.play(action)
        weights[text] = math.prod(sum(shares) for shares in each.values())
    total = sum(weights.values())
    return {text: weight / total for text, weight in weights.items()}


@pytest.mark.parametrize("kinds", [0.0, 0.3])
@pytest.mark.parametrize(("deal", "plies"), LATE)
def test_stirred_worlds_are_as_likely_as_bayes_says(deal: int, plies: int, kinds: float) -> None:
    state, doubt = late(deal, plies), 0.1
    wanted = posterior(state, doubt, kinds)
    options = _core.BeliefOptions()
    options.weigh, options.worlds, options.stir, options.doubt = "policy", 8000, 20, doubt
    if kinds:  # there is more to find out, and it takes more changes
        options.kinds, options.worlds, options.stir = kinds, 16000, 40
    search = _core.BeliefSearch(state, options)
    search.reset(state)
    found: Counter[str] = Counter()
    for world, weight in search.worlds():
        found[world.to_text()] += weight
    assert sum(found.values()) == pytest.approx(1)
    apart = sum(abs(found[text] - share) for text, share in wanted.items()) / 2
    uniform = sum(abs(1 / len(wanted) - share) for share in wanted.values()) / 2
    assert apart < 0.06
    assert kinds or uniform > 0.06  # where anybody may be anything, a past may say nothing


@pytest.mark.parametrize("who", HABITS)
def test_what_players_do_says_of_which_kind_they_are(who: str) -> None:
    """After 40 turns among three of one kind, that kind is the likeliest of the habits, and likelier than before."""
    options = _core.BeliefOptions()
    options.weigh, options.worlds, options.stir, options.kinds = "policy", 200, 40, 0.5
    mean = [0.0] * 5
    for deal in range(6):
        state = sf.game("sevens").new(deal)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        for _ in range(40):
            state.play(core.choose(state, who if state.to_move else "blocker", 0))
        while state.to_move:
            state.play(core.choose(state, who, 0))
        search = _core.BeliefSearch(state, options)
        search.reset(state)
        search.worlds()
        for seat in (1, 2, 3):
            shares = search.kind_shares(seat)
            assert sum(shares) == pytest.approx(1)
            mean = [one + share / 18 for one, share in zip(mean, shares, strict=True)]
    habits = mean[1:4]
    assert habits[HABITS.index(who)] == max(habits) > 2 * options.kinds / 4


def test_takers_are_the_habits_that_would_take_it() -> None:
    game = sf.game("sevens")
    for seed in range(30):
        state = game.new(seed)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        dice = random.Random(seed)
        while not state.is_over:
            for action in state.legal_actions():
                wanted = [core.choose(state, habit, 0) == action for habit in HABITS]
                assert [bool(core.takers(state, action) >> i & 1) for i in range(3)] == wanted
            state.play(dice.choice(state.legal_actions()))


def test_priors_count_for_less_where_it_is_known_who_the_others_are() -> None:
    """The shares of a search with trust come from priors and results; with `known` more of them from the results."""
    shares = {}
    for known in (1.0, 0.0):
        total = 0.0
        for deal in range(8):
            state = sf.game("sevens").new(deal)
            while state.to_move == sf.CHANCE:
                state.play_chance()
            while len(state.history) < 92 or state.to_move or len(state.legal_actions()) < 2:
                if state.is_over:
                    break
                state.play(core.choose(state, "greedy" if state.to_move else "blocker", 0))
            if state.is_over:
                continue
            options = _core.BeliefOptions()
            options.weigh, options.worlds, options.stir, options.kinds, options.known = "policy", 64, 40, 0.5, known
            options.trust, options.unit, options.even = 1e6, 10.0, 1e-9
            search = _core.BeliefSearch(state, options)
            search.reset(state)
            search.seed(1)
            report = search.run(60.0, 64 * len(state.legal_actions()), 10**9, _core.Watch())
            total += sum(abs(one.share - one.prior) for one in report.actions)
        shares[known] = total
    assert shares[1.0] < 0.05  # by the priors alone
    assert shares[0.0] > 0.5
