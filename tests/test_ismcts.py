"""Proves the searches for hidden information: they come near an equilibrium, look at no hidden card, repeat themselves,
keep their memory, and survive the exceptions of a game."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import uct

KUHN = str(Path(__file__).parent.parent / "examples" / "kuhn_poker.py")
PASS, BET = 0, 1
JACK, QUEEN, KING = 0, 1, 2
REGRET = "uct:selection=regret"
SMOOTH = "uct:selection=ucb1,worlds=start"
REDEAL = "uct:selection=ucb1,worlds=redeal"
WAYS = (REGRET, SMOOTH, REDEAL)


@cache
def game(name: str) -> sf.Game:
    if name.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    return sf.game(name)


def position(of: sf.Game, *actions: int) -> sf.State:
    state = of.new()
    for action in actions:
        state.play(action)
    return state


def after(state: sf.State, action: int) -> sf.State:
    child = state.copy()
    child.play(action)
    return child


def decisions(state: sf.State) -> list[sf.State]:
    """One state of each information set below a state."""
    found: dict[tuple[int, str], sf.State] = {}

    def walk(state: sf.State) -> None:
        if state.is_over:
            return
        if state.to_move >= 0:
            found.setdefault((state.to_move, state.view(state.to_move)), state)
        for action in choices(state):
            walk(after(state, action))

    walk(state)
    return list(found.values())


def choices(state: sf.State) -> list[int]:
    return [outcome for outcome, _ in state.chance()] if state.to_move == sf.CHANCE else state.legal_actions()


def table_of(player: Any) -> dict[tuple[int, str], list[float]]:
    """The policy at every information set; a player that learns from the first deal on learns once, for all of them."""
    states = decisions(player.game.new())
    if player.selection == "regret" or player.worlds == "start":
        player.think(states[0])
        player.simulations = 1
    return {(state.to_move, state.view(state.to_move)): player.think(state).policy for state in states}


def best_response(of: sf.Game, table: dict[tuple[int, str], list[float]], seat: int) -> float:
    """What a player who knows the others' policies gets: the best of its plans, by trying every one of them."""
    own = [state for state in decisions(of.new()) if state.to_move == seat]
    keys = [state.view(seat) for state in own]
    best = float("-inf")
    for number in range(2 ** len(own)):
        plan = {key: number >> i & 1 for i, key in enumerate(keys)}
        best = max(best, value(of.new(), table, seat, plan))
    return best


def value(state: sf.State, table: dict[tuple[int, str], list[float]], seat: int, plan: dict[str, int]) -> float:
    if state.is_over:
        return state.returns()[seat]
    if state.to_move == sf.CHANCE:
        weighted = list(state.chance())
    elif state.to_move == seat:
        weighted = [(plan[state.view(seat)], 1.0)]
    else:
        weighted = list(enumerate(table[state.to_move, state.view(state.to_move)]))
    return sum(weight * value(after(state, action), table, seat, plan) for action, weight in weighted if weight)


@pytest.mark.parametrize(
    ("name", "player", "simulations", "bound"),
    [
        (KUHN, REGRET, 20_000, 0.03),
        ("openspiel:kuhn_poker", REGRET, 20_000, 0.03),
        (KUHN, SMOOTH, 20_000, 0.06),
        (KUHN, REDEAL, 2_000, 0.3),
    ],
    ids=["regret", "regret through the adapter", "smooth", "redeal"],
)
def test_a_best_responder_gains_little_in_kuhn_poker(name: str, player: str, simulations: int, bound: float) -> None:
    of = game(name)
    table = table_of(sf.player(player, of, simulations=simulations, memory=1))
    random_play = {key: [0.5, 0.5] for key in table}
    for seat, equilibrium in ((0, -1 / 18), (1, 1 / 18)):
        assert -1e-6 < best_response(of, table, seat) - equilibrium < bound
        assert best_response(of, random_play, seat) - equilibrium > 0.35  # the yardstick measures


def test_the_equilibrium_of_kuhn_poker_is_learnt() -> None:
    """Kuhn 1950: the second player's policy is unique, the first bets a King three times as often as a Jack."""
    of = game(KUHN)
    player = sf.player(REGRET, of, simulations=60_000, memory=1)
    player.think(position(of, JACK, QUEEN))
    player.simulations = 1

    def bets(*actions: int) -> float:
        return player.think(position(of, *actions)).policy[BET]

    assert bets(QUEEN, JACK, PASS) == pytest.approx(1 / 3, abs=0.05)
    assert bets(KING, QUEEN, BET) == pytest.approx(1 / 3, abs=0.05)
    assert bets(JACK, QUEEN, PASS) < 0.05
    assert bets(QUEEN, JACK) < 0.05
    assert bets(KING, QUEEN) == pytest.approx(3 * bets(JACK, QUEEN), abs=0.15)
    assert bets(QUEEN, KING, PASS, BET) == pytest.approx(bets(JACK, QUEEN) + 1 / 3, abs=0.08)
    assert player.think(position(of, KING, JACK)).values == pytest.approx([7 / 6, -7 / 6], abs=0.05)


@pytest.mark.parametrize("player", WAYS)
def test_dominated_actions_are_avoided(player: str) -> None:
    of = game(KUHN)
    for facing, wrong in (
        ((JACK, KING, BET), PASS),
        ((KING, JACK, PASS, BET), PASS),
        ((KING, JACK, BET), BET),
        ((JACK, QUEEN, PASS, BET), BET),
    ):
        thought = sf.player(player, of, simulations=20_000, memory=1).think(position(of, *facing))
        assert thought.policy[wrong] < 0.05
        assert sum(thought.policy) == pytest.approx(1)


@pytest.mark.parametrize("player", WAYS)
@pytest.mark.parametrize("name", [KUHN, "openspiel:kuhn_poker", "openspiel:leduc_poker"], ids=["ours", "kuhn", "leduc"])
def test_worlds_that_look_alike_are_thought_about_alike(name: str, player: str) -> None:
    of, seen = game(name), {}
    rng = random.Random(1)
    for _ in range(40):
        state = of.new()
        for _ in range(rng.randrange(2, 6)):
            if not state.is_over:
                state.play(rng.choice(choices(state)))
        if state.to_move < 0:
            continue
        key = (state.to_move, state.view(state.to_move))
        thought = sf.player(player, of, simulations=60, memory=1, seed=7).think(state)
        told = (thought.action, thought.policy, thought.values, thought.visits)
        world, first = seen.setdefault(key, (str(state), told))
        assert told == first
        seen["another"] = seen.get("another", 0) + (world != str(state))
    assert seen["another"] > 3


@pytest.mark.parametrize("player", WAYS)
def test_the_same_seed_thinks_the_same(player: str) -> None:
    of = game(KUHN)

    def thoughts(seed: int) -> list[Any]:
        thinker = sf.player(player, of, simulations=300, memory=1, seed=seed)
        results = [thinker.think(position(of, QUEEN, KING)) for _ in range(12)]
        return [(one.action, one.policy, one.values, one.visits) for one in results]

    assert thoughts(1) == thoughts(1)
    assert thoughts(1) != thoughts(2)
    assert {one[0] for one in thoughts(1)} <= {PASS, BET}


def test_an_action_is_drawn_from_the_mixture() -> None:
    of = game(KUHN)
    player = sf.player(REGRET, of, simulations=20_000, memory=1)
    state = position(of, QUEEN, JACK, PASS)
    player.think(state)
    player.simulations = 1
    bets = sum(player.think(state).action == BET for _ in range(600))
    assert 130 < bets < 270  # a third
    firm = sf.player(REGRET, of, simulations=20_000, memory=1, choice="visits")
    assert {firm.think(state).action for _ in range(3)} == {PASS}


class Deep(sf.Rules):
    """Two players with a secret coin each say one of four words in turn, and see all that has been said."""

    players, actions, outcomes, turns = 2, 4, 2, 24
    max_plies = turns + 2

    def __init__(self) -> None:
        self.coins: list[int] = []
        self.said: list[int] = []

    def to_move(self) -> int:
        if len(self.coins) < 2:
            return sf.CHANCE
        return sf.TERMINAL if len(self.said) == self.turns else len(self.said) % 2

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self) -> list[int]:
        return [0, 1, 2, 3]

    def play(self, action: int) -> None:
        (self.coins if len(self.coins) < 2 else self.said).append(action)

    def returns(self) -> list[float]:
        if self.to_move() != sf.TERMINAL:
            return [0, 0]
        right = [sum(word == self.coins[i] for word in self.said[i::2]) for i in range(2)]
        lead = (right[0] - right[1]) / self.turns * 2
        return [lead, -lead]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if len(self.coins) == 2:
            self.coins[1 - viewer] = rng.randrange(2)

    def view(self, viewer: int) -> str:
        return f"{self.coins[viewer : viewer + 1]} {self.said}"


@pytest.mark.parametrize("player", WAYS)
def test_the_memory_is_kept_and_a_full_tree_goes_on(player: str) -> None:
    of = game_of(Deep)
    simulations = 100 if player == REGRET else 3000
    thinker = sf.player(player, of, simulations=simulations, memory=1)
    state = position(of, 1, 0)
    memory = 0
    for _ in range(20):
        last, memory = memory, thinker.think(state).memory
        assert memory <= 1 << 20
        if memory < 1.1 * last:  # no more nodes; actions of old ones are still tried for the first time
            break
    else:
        pytest.fail("the tree has not been filled")
    thought = thinker.think(state)
    assert thought.nodes == simulations
    assert thought.memory <= 1 << 20
    assert thought.policy[1] > 0.3  # what its coin says, of four words


class Forgetful(Deep):
    """The same with a view of the last turn's number only: few nodes, so that the last turns are learnt too."""

    def view(self, viewer: int) -> str:
        return f"{self.coins[viewer : viewer + 1]} {len(self.said)}"


def test_deep_games_are_sampled_where_they_cannot_be_tried_in_full() -> None:
    of = game_of(Forgetful)
    player = sf.player(REGRET, of, simulations=150, memory=1)
    player.think(position(of, 1, 0))
    player.simulations = 1
    for said in (0, 1, 10, 23):
        state = position(of, 1, 0, *[2] * said)
        coin = (1, 0)[said % 2]
        assert player.think(state).policy[coin] > 0.6


class Guess(sf.Rules):
    """One player guesses a hidden coin that falls on 0 seven times of ten."""

    players, actions, outcomes, sum, max_plies = 1, 2, 2, "any", 2

    def __init__(self) -> None:
        self.plies: list[int] = []

    def to_move(self) -> int:
        return (sf.CHANCE, 0, sf.TERMINAL)[len(self.plies)]

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.7), (1, 0.3)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        self.plies.append(action)

    def returns(self) -> list[float]:
        return [0.0] if len(self.plies) < 2 else [1.0 if self.plies[0] == self.plies[1] else -1.0]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if self.plies:
            self.plies[0] = int(rng.random() < 0.3)

    def view(self, viewer: int) -> str:
        return f"guessed {self.plies[1:]}"


@cache
def game_of(rules: type[sf.Rules]) -> sf.Game:
    return sf.game(rules)


@pytest.mark.parametrize("player", WAYS)
def test_one_player_guesses_what_is_likely(player: str) -> None:
    thought = sf.player(player, game_of(Guess), simulations=2000, memory=1).think(position(game_of(Guess), 1))
    assert thought.policy[0] > 0.9
    assert thought.actions[0].value == pytest.approx(0.4, abs=0.1)
    assert -1 <= (thought.actions[1].value or 0) < 0


@pytest.mark.parametrize("player", WAYS)
def test_three_players_avoid_dominated_actions(player: str) -> None:
    """OpenSpiel deals the cards 0 to 3 to three players; the third faces a bet after a pass and a bet."""
    of = game("openspiel:kuhn_poker(players=3)")
    for cards, wrong in (((1, 2, 3), PASS), ((1, 2, 0), BET)):
        thought = sf.player(player, of, simulations=10_000, memory=1).think(position(of, *cards, PASS, BET))
        assert thought.policy[wrong] < 0.06
        assert len(thought.values) == 3


@pytest.mark.parametrize("player", WAYS)
def test_an_exception_of_the_game_leaves_the_player_usable(player: str) -> None:
    class Moody(Guess):
        calls = 0

        def returns(self) -> list[float]:
            Moody.calls += 1
            if Moody.calls == 500:
                raise RuntimeError("not today")
            return super().returns()

    of = sf.game(Moody)
    thinker = sf.player(player, of, simulations=1000, memory=1)
    state = position(of, 1)
    Moody.calls = 0
    with pytest.raises(RuntimeError, match="not today"):
        thinker.think(state)
    assert thinker.think(state).policy == sf.player(player, of, simulations=1000, memory=1).think(state).policy


def test_the_tree_is_kept_unless_told_otherwise() -> None:
    of = game(KUHN)
    for reuse in (True, False):
        player = sf.player(REGRET, of, simulations=1000, memory=1, reuse=reuse)
        first, second = (player.think(position(of, JACK, KING)).visits[BET] for _ in range(2))
        assert (second > 1.5 * first) == reuse


def test_small_games_are_learnt_from_the_first_deal_on() -> None:
    assert uct.positions(game(KUHN)) == pytest.approx(58, rel=0.1)
    assert uct.positions(game("openspiel:leduc_poker")) == pytest.approx(9457, rel=0.5)
    assert uct.positions(game_of(Deep)) > uct.SMALL
    state = position(game(KUHN), QUEEN, JACK, PASS)
    for options, same in (("uct", REGRET), ("uct:selection=ucb1", REDEAL), ("uct:worlds=start", SMOOTH)):
        a, b = (sf.player(text, game(KUHN), simulations=500, memory=1).think(state) for text in (options, same))
        assert (a.policy, a.values) == (b.policy, b.values)
    state = position(game_of(Deep), 1, 0)
    a, b = (sf.player(text, game_of(Deep), simulations=100, memory=1).think(state) for text in ("uct", REDEAL))
    assert a.policy == b.policy


@pytest.mark.parametrize(
    ("rules", "player", "match"),
    [
        (Deep, "uct:selection=puct", "selection must be ucb1 or regret"),
        (Deep, "uct:selection=regret,worlds=redeal", "cannot go with worlds=redeal"),
        (type("Fixed", (Deep,), {"redeal": None}), "uct", "needs the ability 'redeal'"),
        (type("Fixed", (Guess,), {"redeal": None}), "uct:worlds=redeal", "needs the ability 'redeal'"),
        (type("Blind", (Guess,), {"view": None}), "uct", "needs the ability 'view' or 'observe'"),
    ],
)
def test_what_makes_no_sense_is_refused_by_a_sentence(rules: type[sf.Rules], player: str, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        sf.player(player, sf.game(rules))
    assert str(caught.value).endswith(".")


def test_regret_needs_hidden_information() -> None:
    with pytest.raises(ValueError, match="selection=regret is for hidden information"):
        sf.player(REGRET, sf.game("tic_tac_toe"))


def test_a_game_without_redeal_is_learnt_from_the_first_deal_on() -> None:
    of = sf.game(type("Fixed", (Guess,), {"redeal": None}))
    assert sf.player("uct", of, simulations=500, memory=1).think(position(of, 0)).policy[0] > 0.9
