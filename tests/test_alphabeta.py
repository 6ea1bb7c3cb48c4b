"""Alpha-beta against brute force: whatever is switched on without loss, the value is that of a full minimax."""

import importlib
import itertools
import math
import random
import re
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold.alphabeta import LOSSLESS, PRESETS, STEPS
from sevenfold.players import SearchResult

EXACT = ",".join(f"{step}=false" for step in ("sampling",))
"""Every forward pruning off; razor and self_loss are off by themselves."""


def drawn(*numbers: int) -> random.Random:
    return random.Random(repr(numbers))


class Tree(sf.Rules):
    """A game that is a random tree: who moves, how many actions there are, and every value come from the path."""

    sum = "zero"
    outcomes = 3
    actions = 4

    def __init__(self, number: int = 0, players: int = 2, length: int = 6, luck: float = 0.0) -> None:
        self.players = players
        self.setup = (number, length, luck)
        self.path: tuple[int, ...] = ()

    def _draw(self, salt: int) -> random.Random:
        return drawn(self.setup[0], salt, *self.path)

    def to_move(self) -> int:
        _, length, luck = self.setup
        rng = self._draw(0)
        if self.path and (len(self.path) >= length or rng.random() < 0.1):
            return sf.TERMINAL
        if self.path and rng.random() < luck:
            return sf.CHANCE
        return rng.randrange(self.players)  # often the same player again

    def legal_actions(self) -> list[int]:
        return sorted(self._draw(1).sample(range(4), self._draw(2).randint(1, 4)))

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.25), (2, 0.25)]

    def play(self, action: int) -> None:
        self.path += (action,)

    def _values(self, salt: int, reach: int) -> list[float]:
        rng = self._draw(salt)
        if self.players <= 2:  # ties are many
            value = rng.randint(-reach, reach) / 4
            return [value, -value][: self.players]
        values = [rng.uniform(-reach, reach) / 4 for _ in range(self.players)]  # none: max^n would have many answers
        mean = sum(values) / self.players
        return [(value - mean) / 2 for value in values]

    def returns(self) -> list[float]:
        return self._values(3, 4) if self.to_move() == sf.TERMINAL else [0.0] * self.players

    def heuristic(self) -> list[float]:
        return self._values(4, 3)

    def order(self, previous: int | None, actions: list[int]) -> list[int]:
        return sorted(actions, key=lambda action: (action * 7 + (previous or 0)) % 5)

    def hash(self) -> int:
        return hash((*self.path, 99))


def minimax(state: sf.State, depth: int) -> float:
    """The value for player 0 of two, by looking at everything."""
    if state.is_over:
        return state.returns()[0]
    if depth <= 0:
        return state.heuristic()[0]
    if state.to_move == sf.CHANCE:
        return sum(p * minimax(after(state, a), depth) for a, p in state.chance())
    values = [minimax(after(state, action), depth - 1) for action in state.legal_actions()]
    return max(values) if state.to_move == 0 else min(values)


def after(state: sf.State, action: int) -> sf.State:
    child = state.copy()
    child.play(action)
    return child


def paranoid(state: sf.State, depth: int, me: int) -> float:
    if state.is_over:
        return state.returns()[me]
    if depth <= 0:
        return state.heuristic()[me]
    if state.to_move == sf.CHANCE:
        return sum(p * paranoid(after(state, a), depth, me) for a, p in state.chance())
    values = [paranoid(after(state, action), depth - 1, me) for action in state.legal_actions()]
    return max(values) if state.to_move == me else min(values)


def max_n(state: sf.State, depth: int) -> list[float]:
    if state.is_over:
        return state.returns()
    if depth <= 0:
        return state.heuristic()
    if state.to_move == sf.CHANCE:
        parts = [(p, max_n(after(state, a), depth)) for a, p in state.chance()]
        return [sum(p * values[player] for p, values in parts) for player in range(state.game.players)]
    mover = state.to_move
    return max((max_n(after(state, action), depth - 1) for action in state.legal_actions()), key=lambda v: v[mover])


def think(spec: str, state: sf.State) -> SearchResult:
    return sf.player(spec, state.game).think(state)


def spec_of(depth: int, off: tuple[str, ...] = ()) -> str:
    steps = ",".join(f"{step}=false" for step in off if step != "deepening" or depth)
    return f"alphabeta:depth={depth},{EXACT}" + (f",{steps}" if steps else "")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_a_search_to_a_depth_is_minimax_to_that_depth(seed: int, luck: float) -> None:
    state = sf.game(Tree, number=seed, luck=luck, length=7).new()
    for depth in (1, 2, 3, 5, 7):
        want = minimax(state, depth)
        result = think(spec_of(depth), state)
        assert result.values == pytest.approx([want, -want], abs=1e-12)
        assert result.method == "negamax"


@pytest.mark.parametrize("off", [*itertools.combinations(LOSSLESS, 1), tuple(LOSSLESS), LOSSLESS[1:]])
def test_no_lossless_step_changes_a_value(off: tuple[str, ...]) -> None:
    for seed in range(12):
        state = sf.game(Tree, number=seed, luck=0.25 * (seed % 2), length=7).new()
        want = minimax(state, 5)
        assert think(spec_of(5, off), state).values[0] == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_every_action_is_valued_when_ranked(seed: int) -> None:
    state = sf.game(Tree, number=seed, luck=0.1, length=7).new()
    ranked = sf.player(spec_of(4), state.game).rank(state)
    sign = 1 if state.to_move == 0 else -1
    assert sorted(view.action for view in ranked) == state.legal_actions()
    for view in ranked:
        assert view.bound == "exact"
        assert view.value == pytest.approx(sign * minimax(after(state, view.action), 3), abs=1e-12)
    assert [view.value for view in ranked] == sorted((view.value for view in ranked), reverse=True)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_three_players_are_paranoid_or_each_for_itself(seed: int, luck: float) -> None:
    state = sf.game(Tree, number=seed, players=3, luck=luck, length=6).new()
    for depth in (1, 3, 5):
        one = think(spec_of(depth), state)
        assert one.method == "paranoid"
        assert one.values[state.to_move] == pytest.approx(paranoid(state, depth, state.to_move), abs=1e-12)
        other = think(spec_of(depth) + ",several=maxn", state)
        assert other.method == "max^n"
        assert other.values[state.to_move] == pytest.approx(max_n(state, depth)[state.to_move], abs=1e-12)


def test_one_player_maximises() -> None:
    state = sf.game(Tree, number=3, players=1, length=6).new()

    def best(at: sf.State, depth: int) -> float:
        if at.is_over:
            return at.returns()[0]
        return max(best(after(at, a), depth - 1) for a in at.legal_actions()) if depth else at.heuristic()[0]

    assert think(spec_of(4), state).values == pytest.approx([best(state, 4)])


# Whole games


@cache
def tic_tac_toe_value(text: str) -> int:
    state = sf.game("tic_tac_toe").parse(text)
    if state.is_over:
        return int(state.returns()[0])
    values = [tic_tac_toe_value(after(state, action).to_text()) for action in state.legal_actions()]
    return max(values) if state.to_move == 0 else min(values)


def reachable(name: str) -> Iterator[sf.State]:
    waiting, seen = [sf.game(name).new()], set()
    while waiting:
        state = waiting.pop()
        if state.hash() in seen or state.is_over:
            continue
        seen.add(state.hash())
        yield state
        waiting += [after(state, action) for action in state.legal_actions()]


@pytest.mark.parametrize("options", ["", ",table=false,pvs=false,reuse=false"])
def test_every_tic_tac_toe_position(options: str) -> None:
    player = sf.player("alphabeta:evaluation=zero,depth=9" + options, sf.game("tic_tac_toe"))
    count = 0
    for state in reachable("tic_tac_toe"):
        result = player.think(state)
        assert result.proven
        assert result.values[0] == tic_tac_toe_value(state.to_text())
        best = after(state, result.action).to_text()
        assert tic_tac_toe_value(best) == result.values[0]
        count += 1
    assert count == 5478 - 958  # all reachable positions but those in which the game is over


def test_connect_four_positions_against_the_solver() -> None:
    game = sf.game("connect_four", rows=5, cols=4)
    searches = [sf.player(f"alphabeta:evaluation=zero,depth=20{more}", game) for more in ("", ",table=false,memory=1")]
    solver = sf.player("perfect", game)
    rng = random.Random(4)
    seen: set[int] = set()
    while len(seen) < 2000:
        state = game.new()
        for _ in range(rng.randint(4, 19)):
            if not state.is_over:
                state.play(rng.choice(state.legal_actions()))
        if state.is_over or state.hash() in seen:
            continue
        seen.add(state.hash())
        result = searches[len(state.history) > 10].think(state)
        assert result.proven
        assert result.values == solver.think(state).values, state.to_text()


def easycard_positions(preset: str, count: int, plies: range, seed: int) -> Iterator[sf.State]:
    """Different positions in which a player moves, after random games."""
    game = sf.game("easycard", preset=preset)
    rng = random.Random(seed)
    seen: set[int] = set()
    while len(seen) < count:
        state = game.new(seed=rng.randrange(10**9))
        for _ in range(rng.choice(plies)):
            if not state.is_over:
                state.play_chance() if state.to_move == sf.CHANCE else state.play(rng.choice(state.legal_actions()))
        if state.to_move >= 0 and state.hash() not in seen:
            seen.add(state.hash())
            yield state


def test_easycard_positions_against_the_solver() -> None:
    solved = importlib.import_module("sevenfold.games.easycard.perfect").solve
    player = sf.player("alphabeta:depth=100", sf.game("easycard"))
    for state in easycard_positions("small", 500, range(18, 50), seed=3):
        result = player.think(state)
        assert result.proven
        assert result.values[0] == solved(state, every=False).value, state.to_text()


def test_chance_easycard_positions_against_expectimax() -> None:
    solved = importlib.import_module("sevenfold.games.easycard.perfect").solve
    player = sf.player("alphabeta:depth=100,sampling=false", sf.game("easycard", preset="chance"))
    count = 0
    for state in easycard_positions("chance", 2000, range(40, 80), seed=5):
        try:
            want = solved(state, every=True, nodes=200_000)
        except ValueError:  # too far from the end for the oracle
            continue
        result = player.think(state)
        assert result.proven
        assert result.values[0] == pytest.approx(want.value, abs=1e-9), state.to_text()
        assert want.actions[result.action] == pytest.approx(want.value, abs=1e-9)
        count += 1
        if count == 200:
            break
    assert count == 200


@pytest.mark.parametrize("preset", ["small", "arena"])
def test_easycard_to_a_depth_with_every_lossless_step(preset: str) -> None:
    """The step `independent` as well: easycard says with what its free actions may be exchanged."""
    minimax_of = importlib.import_module("sevenfold.games.easycard.perfect").minimax
    for state in easycard_positions(preset, 40, range(12, 40), seed=9):
        player = sf.player("alphabeta:depth=6,evaluation=heuristic", state.game)
        result = player.think(state)
        if result.depth == 6:
            assert result.values[0] == pytest.approx(minimax_of(state, 6).value, abs=1e-9), state.to_text()
        else:
            assert result.proven


def test_every_action_of_easycard_is_ranked_as_the_solver_does() -> None:
    """What is left out below one root action as looked at below another must not change the first one's value."""
    solved = importlib.import_module("sevenfold.games.easycard.perfect").solve
    player = sf.player("alphabeta:depth=100", sf.game("easycard"))
    for state in easycard_positions("small", 80, range(20, 50), seed=11):
        sign = 1 if state.to_move == 0 else -1
        want = {action: sign * value for action, value in solved(state, every=True).actions.items()}
        for views in (player.rank(state), player.think(state).actions):
            for view in views:
                if view.proven:
                    assert view.value == want[view.action], state.to_text()
        assert {view.action: view.value for view in player.rank(state)} == want


@pytest.mark.parametrize("luck", [0.0, 0.3])
def test_proven_never_lies_however_early_the_search_is_stopped(luck: float) -> None:
    for seed in range(12):
        state = sf.game(Tree, number=100 + seed, luck=luck, length=6).new()
        want = minimax(state, 6)
        for nodes in (1, 2, 3, 5, 8, 12, 16, 17, 18, 19, 20, 21, 25, 30, 40, 60, 90, 150):
            result = think(f"alphabeta:nodes={nodes},{EXACT}", state)
            if result.proven:
                assert result.values[0] == pytest.approx(want, abs=1e-12)


# Steps


def arena(seed: int = 1, plies: int = 6) -> sf.State:
    return next(easycard_positions("arena", 1, range(12 + plies, 13 + plies), seed))


STEP_CASES = {
    "order": "order",
    "table": "table",
    "killers": "killers",
    "history": "history",
    "pvs": "pvs",
    "aspiration": "aspiration",
    "independent": "independent",
    "razor": "razor",
    "self_loss": "self_loss",
    "probability": "probability",
}


@pytest.mark.parametrize("step", STEP_CASES)
def test_each_step_counts_what_it_does_and_nothing_when_off(step: str) -> None:
    also = {"probability": "razor=true,self_loss=true,", "killers": "order=false,", "history": "order=false,"}
    on, off = (
        sum(
            think(f"alphabeta:depth=9,{also.get(step, '')}{step}={word}", arena(seed)).steps.get(STEP_CASES[step], 0)
            for seed in range(6)
        )
        for word in ("true", "false")
    )
    assert on > 0
    assert off == 0


@pytest.mark.parametrize(
    ("step", "counted"), [("sampling", "sampling"), ("expectation", "expectation"), ("star", "star")]
)
def test_each_step_of_chance_counts(step: str, counted: str) -> None:
    steps = {"sampling": "sampling=true", "expectation": "expectation=true,sampling=false", "star": "sampling=false"}
    counts = {"on": 0, "off": 0}
    for state in easycard_positions("chance", 8, range(30, 60), seed=2):
        counts["on"] += think(f"alphabeta:depth=7,{steps[step]}", state).steps.get(counted, 0)
        counts["off"] += think(f"alphabeta:depth=7,sampling=false,{step}=false", state).steps.get(counted, 0)
    assert counts["on"] > 0
    assert counts["off"] == 0


class Dice(sf.Rules):
    """One roll each, then the game is over: what the chance steps see can be reckoned by hand."""

    actions = 2
    outcomes = 6
    min_return, max_return = -1, 1

    def __init__(self) -> None:
        self.rolls: list[int] = []
        self.chosen = False

    def to_move(self) -> int:
        if not self.chosen:
            return 0
        return sf.CHANCE if len(self.rolls) < 2 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def chance(self) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(6)]

    def chance_for(self) -> int:
        return len(self.rolls)

    def typical(self) -> int:
        return 3

    def play(self, action: int) -> None:
        if self.chosen:
            self.rolls.append(action)
        self.chosen = True

    def returns(self) -> list[float]:
        if len(self.rolls) < 2:
            return [0.0, 0.0]
        value = (self.rolls[0] ** 2 - self.rolls[1]) / 25
        return [value, -value]

    def heuristic(self) -> list[float]:
        return [0.0, 0.0]


def test_dice_by_expectation_guess_and_samples() -> None:
    state = sf.game(Dice).new()
    squares, faces = sum(f * f for f in range(6)) / 6, sum(range(6)) / 6
    want = {
        "sampling=false": (squares - faces) / 25,
        "sampling=false,expectation=true": (9 - 3) / 25,
        "sampling=false,guess=true": (squares - 3) / 25,
        "samples=6,sampling_depth=0": (squares - faces) / 25,
    }
    for options, value in want.items():
        assert think(f"alphabeta:depth=8,{options}", state).values[0] == pytest.approx(value), options
    sampled = {
        think(f"alphabeta:depth=8,samples=3,sampling_depth=0,seed={seed}", state).values[0] for seed in range(20)
    }
    assert len(sampled) > 5  # other seeds, other samples
    assert abs(sum(sampled) / len(sampled) - want["sampling=false"]) < 0.15
    again = [think("alphabeta:depth=8,samples=3,seed=4", state).values for _ in range(2)]
    assert again[0] == again[1]


def test_a_sampled_chance_node_takes_plies_off() -> None:
    state = next(easycard_positions("chance", 1, range(20, 21), seed=4))
    nodes = [think(f"alphabeta:depth=8,sampling_depth={less},samples=3", state).nodes for less in (0, 1, 2)]
    assert nodes[0] > nodes[1] > nodes[2]


def test_razor_prunes_less_with_a_larger_margin_and_not_in_the_first_plies() -> None:
    states = [arena(seed) for seed in range(8)]

    def razored(options: str) -> int:
        return sum(think(f"alphabeta:depth=8,razor=true,{options}", state).steps.get("razor", 0) for state in states)

    wide, narrow = razored("margin=0.4,growth=0"), razored("margin=0.05,growth=0")
    assert 0 < wide < narrow
    assert razored("margin=0.05,growth=0.2") < narrow  # R grows with the depth that is left
    assert razored("margin=0.05,growth=0,first_plies=8") == 0
    assert razored("margin=0.05,growth=0,ending=0,ending_factor=3") < narrow  # everything counts as an ending


def test_self_loss_gives_way_only_while_there_is_something_to_give() -> None:
    states = [arena(seed) for seed in range(8)]

    def cuts(options: str) -> tuple[int, int]:
        steps = [think(f"alphabeta:depth=9,self_loss=true,{options}", state).steps for state in states]
        return tuple(sum(one.get(key, 0) for one in steps) for key in ("self_loss_tried", "self_loss"))  # type: ignore

    tried, cut = cuts("self_loss_repeats=1")
    assert tried >= cut > 0
    assert cuts("self_loss_repeats=0") == (0, 0)
    assert cuts("self_loss_repeats=3")[0] > tried
    assert cuts("self_loss_share=1,self_loss_repeats=1")[0] > tried  # the whole R lets it try more often


def test_pruning_with_probability_depends_on_the_seed_and_on_nothing_else() -> None:
    state = arena(3)
    spec = "alphabeta:depth=9,razor=true,self_loss=true,probability=true"
    nodes = {seed: think(f"{spec},seed={seed}", state).nodes for seed in range(8)}
    assert nodes == {seed: think(f"{spec},seed={seed}", state).nodes for seed in range(8)}
    assert len(set(nodes.values())) > 3
    always = think(f"{spec},least_probability=1", state)
    assert "probability" not in always.steps
    assert always.nodes == think(spec.replace("probability=true", "probability=false"), state).nodes
    spared = think(spec, state).steps
    pruned = spared["razor"] + spared["self_loss_tried"]
    assert 0 < spared["probability"] <= 0.1 * 1.5 * (pruned + spared["probability"])


class Status(sf.Rules):
    """Player 0 sets marks in any order and then ends the game; the order is kept in the state but does not matter."""

    players = 1
    actions = 5
    min_return, max_return = 0, 10
    sum = "any"

    def __init__(self) -> None:
        self.marks: list[int] = []
        self.done = False

    def to_move(self) -> int:
        return sf.TERMINAL if self.done else 0

    def legal_actions(self) -> list[int]:
        return [mark for mark in range(4) if mark not in self.marks] + [4]

    def play(self, action: int) -> None:
        if action == 4:
            self.done = True
        else:
            self.marks.append(action)

    def returns(self) -> list[float]:
        return [float(sum(self.marks)) if self.done else 0.0]

    def heuristic(self) -> list[float]:
        return [5.0]

    def independent(self, action: int) -> bool:
        return action < 4


class Canonical(Status):
    def canonical(self) -> int:
        return hash((tuple(sorted(self.marks)), self.done))


def test_a_canonical_hash_lets_the_table_see_through_an_order() -> None:
    def searched(rules: type, options: str = "") -> SearchResult:
        return think(f"alphabeta:depth=6,independent=false{options}", sf.game(rules).new())

    plain, canonical = searched(Status), searched(Canonical)
    assert plain.values == canonical.values == [6.0]
    assert canonical.nodes < plain.nodes
    assert searched(Canonical, ",table=false").nodes == searched(Status, ",table=false").nodes


def test_independent_actions_are_looked_at_in_one_order_only() -> None:
    off, on = (
        think(f"alphabeta:depth=6,table=false,independent={word}", sf.game(Status).new()) for word in ("false", "true")
    )
    assert on.values == off.values == [6.0]
    assert on.nodes < off.nodes
    assert on.steps["independent"] > 0
    assert not on.proven  # the game does not say with what its actions commute
    assert off.proven


class Doors(Status):
    """Two marks are called independent, but the game says that they do not commute: the last one set counts."""

    def returns(self) -> list[float]:
        return [10.0 if self.done and self.marks[-2:] == [1, 0] else 0.0]

    def commutes(self, action: int, other: int) -> bool:
        return False


def test_what_does_not_commute_is_looked_at_in_both_orders() -> None:
    result = think("alphabeta:depth=8", sf.game(Doors).new())
    assert result.values == [10.0]
    assert result.proven


def test_both_prunings_are_cut_back_in_endings() -> None:
    states = [arena(seed) for seed in range(8)]

    def fired(step: str, counted: str, factor: float) -> int:
        spec = f"alphabeta:depth=9,{step}=true,margin=0.2,ending=0,ending_factor={factor}"
        return sum(think(spec, state).steps.get(counted, 0) for state in states)

    for step, counted in (("razor", "razor"), ("self_loss", "self_loss_tried")):
        assert fired(step, counted, 4) < fired(step, counted, 1)


# Behaviour


def test_signature() -> None:
    """Changes only with the behaviour of the search; when that is meant, put the new numbers here."""
    found = {}
    for name, spec in SIGNATURE_SPECS.items():
        game = sf.game(name.split()[0], **({"preset": name.split()[1]} if " " in name else {}))
        state = game.new(seed=1)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        found[name] = think(f"alphabeta:{spec}", state).nodes
    assert found == SIGNATURE


SIGNATURE_SPECS = {
    "tic_tac_toe": "depth=9,evaluation=zero",
    "connect_four": "depth=9,evaluation=zero",
    "easycard small": "depth=10,evaluation=zero",
    "easycard arena": "depth=10,evaluation=heuristic,preset=full",
    "easycard chance": "depth=7,evaluation=heuristic,preset=document",
}
SIGNATURE = {
    "tic_tac_toe": 6230,
    "connect_four": 14283,
    "easycard small": 9445,
    "easycard arena": 22594,
    "easycard chance": 618,
}


def test_the_value_of_a_won_position_is_the_end_of_the_range_for_both() -> None:
    """+inf and -inf of the founding document: whatever their number, they are symmetric, and no guess reaches them."""
    game = sf.game("easycard", preset="arena")
    for state in easycard_positions("arena", 30, range(60, 140), seed=8):
        result = think("alphabeta:depth=40,nodes=200000", state)
        assert result.values[0] == -result.values[1]
        assert (abs(result.values[0]) == 1) <= result.proven
    assert game.max_return == -game.min_return == 1


def test_a_lost_position_is_defended_as_long_as_possible() -> None:
    game = sf.game("connect_four", rows=5, cols=4)
    solver, rng, lost = sf.player("perfect", game), random.Random(2), 0
    while lost < 25:
        state = game.new()
        for _ in range(rng.randint(6, 14)):
            if not state.is_over:
                state.play(rng.choice(state.legal_actions()))
        if state.is_over or solver.think(state).values[state.to_move] != -1:
            continue
        scores = {view.action: view.score for view in solver.think(state).actions}
        if len(set(scores.values())) == 1:
            continue
        lost += 1
        result = think("alphabeta:depth=20,evaluation=zero,table=false", state)
        assert result.values[state.to_move] == -1
        assert scores[result.action] == max(scores.values()), state.to_text()  # type: ignore[type-var]


def test_same_seed_same_nodes() -> None:
    game = sf.game("connect_four")
    runs = [sf.player("alphabeta:evaluation=zero,nodes=50000,seed=7", game).think(game.new()) for _ in range(2)]
    assert runs[0].nodes == runs[1].nodes
    assert runs[0].steps == runs[1].steps
    assert 50000 <= runs[0].nodes < 50100


def test_limits_are_kept() -> None:
    state = sf.game("connect_four").new()
    result = think("alphabeta:seconds=0.2", state)
    assert 0.1 < result.seconds < 0.3
    five = think("alphabeta:depth=5", state)
    assert five.depth == five.steps["deepening"] == 5
    assert "deepening" not in think("alphabeta:depth=5,deepening=false", state).steps
    for options in ("seconds=0", "nodes=1"):
        assert think(f"alphabeta:{options}", state).action in state.legal_actions()
    assert think("alphabeta", state).seconds < 1.1
    small = think("alphabeta:nodes=300000,memory=1", state)
    assert small.memory <= 2**20


def test_limits_are_kept_by_every_method() -> None:
    state = sf.game(Tree, number=2, players=3, length=12).new()
    for several in ("paranoid", "maxn"):
        assert think(f"alphabeta:several={several},nodes=30", state).nodes < 60
        assert think(f"alphabeta:several={several},seconds=0.1", state).seconds < 1
    ranked = sf.player("alphabeta:nodes=1", sf.game("connect_four")).rank(sf.game("connect_four").new())
    assert len({view.value for view in ranked}) > 1  # a ranking looks at every action, whatever the limit
    hasty = think("alphabeta:nodes=1", sf.game("connect_four").new())
    assert hasty.actions[0].value is not None
    assert hasty.actions[-1].value is None  # it was not looked at
    assert think("alphabeta:depth=5,window=0", sf.game("connect_four").new()).depth == 5


class Rain(sf.Rules):
    """Chance goes on for a very long time."""

    actions = outcomes = 1

    def __init__(self) -> None:
        self.drops = 0

    def to_move(self) -> int:
        return 0 if self.drops == 0 else sf.CHANCE if self.drops < 50_000 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0]

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def play(self, action: int) -> None:
        self.drops += 1

    def returns(self) -> list[float]:
        return [0.0, 0.0]

    def heuristic(self) -> list[float]:
        return [0.25, -0.25]


def test_a_long_chain_of_chance_is_cut_and_valued() -> None:
    result = think("alphabeta:depth=3", sf.game(Rain).new())
    assert result.values == [0.25, -0.25]
    assert not result.proven


def test_a_search_is_not_run_twice_at_once() -> None:
    player = sf.player("alphabeta:seconds=0.5", sf.game("connect_four"))
    state = player.game.new()
    player.think(state)
    failures: list[str] = []

    def think_too() -> None:
        try:
            player.think(state)
        except ValueError as error:
            failures.append(str(error))

    threads = [threading.Thread(target=think_too) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == ["this search is running already."] * 2


def test_an_only_action_is_played_at_once() -> None:
    state = sf.game("connect_four", rows=4, cols=4, connect=4).new()
    rng = random.Random(1)
    while len(state.legal_actions()) > 1:
        state = sf.game("connect_four", rows=4, cols=4, connect=4).new()
        while not state.is_over and len(state.legal_actions()) > 1:
            state.play(rng.choice(state.legal_actions()))
    result = think("alphabeta:seconds=5", state)
    assert result.seconds < 0.5
    assert result.action == state.legal_actions()[0]


def test_progress_can_end_a_search_with_what_was_found() -> None:
    from sevenfold.perft import Enough

    calls: list[int] = []

    def enough(done: int) -> None:
        calls.append(done)
        if len(calls) > 2:
            raise Enough

    player = sf.player("alphabeta:seconds=60", sf.game("connect_four"))
    player.progress = enough
    result = player.think(player.game.new())
    assert result.depth > 3
    assert calls[-1] > calls[0]


# Hidden information


class Envelope(sf.Rules):
    """A card, 0 or 1 with equal chance, is hidden from player 0, who takes 0.2 for sure, or bets on the card."""

    actions = 3
    outcomes = 2

    def __init__(self) -> None:
        self.card: int | None = None
        self.bet: int | None = None

    def to_move(self) -> int:
        if self.card is None:
            return sf.CHANCE
        return 0 if self.bet is None else sf.TERMINAL

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def play(self, action: int) -> None:
        if self.card is None:
            self.card = action
        else:
            self.bet = action

    def returns(self) -> list[float]:
        if self.bet is None:
            return [0.0, 0.0]
        value = 0.2 if self.bet == 2 else 1.0 if self.bet == self.card else -1.0
        return [value, -value]

    def heuristic(self) -> list[float]:
        return [0.0, 0.0]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if viewer == 0 and self.card is not None:
            self.card = rng.randrange(2)

    def view(self, viewer: int) -> str:
        return f"{self.card if viewer or self.bet is not None else '?'} {self.bet}"


@pytest.mark.parametrize("card", [0, 1])
def test_hidden_cards_are_not_seen(card: int) -> None:
    state = sf.game(Envelope).new()
    state.play(card)
    many = think("alphabeta:depth=3,worlds=64", state)
    assert many.steps["worlds"] == 64
    assert many.action == 2  # no bet is worth it without knowing
    assert not many.proven
    values = {view.action: view.value for view in many.actions}
    assert abs(values[0] + values[1]) < 1e-9  # type: ignore[operator]
    guess = think("alphabeta:depth=3,hidden=guess", state)
    other = sf.game(Envelope).new()
    other.play(1 - card)
    assert guess.action == think("alphabeta:depth=3,hidden=guess", other).action  # it does not depend on the card
    assert guess.action in (0, 1)  # it believes its guess


# Bad input

REFUSED = {
    "alphabeta:self_loss=true": "self_loss needs the ability 'handicap', which tic_tac_toe does not offer",
    "alphabeta:preset=hybrid": "self_loss needs the ability 'handicap', which tic_tac_toe does not offer",
    "alphabeta:order=true": "order needs the ability 'order', which tic_tac_toe does not offer",
    "alphabeta:independent=true": "independent needs the ability 'independent'",
    "alphabeta:sampling=true": "sampling needs the ability 'chance'",
    "alphabeta:expectation=true": "expectation needs the ability 'typical'",
    "alphabeta:guess=true": "guess needs the ability 'chance_for'",
    "alphabeta:star=true": "star needs the ability 'chance'",
    "alphabeta:razor=true,evaluation=zero": "razor needs an evaluation",
    "alphabeta:depth=0": "depth must be 1 or more",
    "alphabeta:depth=1000": "depth must be at most",
    "alphabeta:seconds=nan": "seconds must be 0 or more",
    "alphabeta:margin=-1": "margin must be 0 or more",
    "alphabeta:least_probability=2": "least_probability must be at most 1",
    "alphabeta:samples=0": "samples must be 1 or more",
    "alphabeta:worlds=0": "worlds must be 1 or more",
    "alphabeta:memory=0": "memory must be 1 or more",
    "alphabeta:memory=99999999": "memory must be from 1 to",
    "alphabeta:deepening=false": "deepening=false needs a depth",
    "alphabeta:several=both": "must be one of paranoid, maxn",
    "alphabeta:preset=best": "must be one of default, plain",
    "alphabeta:evaluation=linear": "terms",
    "alphabeta:weights=nowhere.json": "weights",
    "alphabeta:razr=true": "has no option 'razr'",
    "alphabeta:razor=no": "option razor must be true or false, not 'no'",
    "alphabeta:table=1": "option table must be true or false, not '1'",
    "alphabeta:least_probability=0.5": "least_probability must be 0.9 or more",
    "alphabeta:deepening=false,depth=4,seconds=1": "cannot keep seconds or nodes",
    "alphabeta:probability=true": "probability is about razor and self_loss",
    "alphabeta:deepening=false,depth=3,aspiration=true": "aspiration needs deepening",
}


@pytest.mark.parametrize("spec", REFUSED)
def test_what_cannot_be_is_refused_by_name(spec: str) -> None:
    with pytest.raises(ValueError, match=re.escape(REFUSED[spec])) as caught:
        sf.player(spec, sf.game("tic_tac_toe"))
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_game_without_a_heuristic_is_refused_unless_none_is_wanted() -> None:
    class Bare(Status):
        heuristic = None  # type: ignore[assignment]

    game = sf.game(Bare)
    for spec in ("alphabeta", "greedy", "alphabeta:razor=true"):
        with pytest.raises(ValueError, match="bare does not offer the ability 'heuristic'"):
            sf.player(spec, game)
    assert think("alphabeta:evaluation=zero", game.new()).values == [6.0]


@pytest.mark.parametrize("answer", [[math.nan], [math.inf], ["x"], [1, 2], None])
def test_nonsense_from_a_heuristic_names_the_position(answer: Any) -> None:
    class Broken(Status):
        def heuristic(self) -> Any:
            return answer if self.marks == [2, 0] else [5.0]

    with pytest.raises(ValueError, match=r"broken: heuristic\(\) returned .*in the position .*\[2, 0\]"):
        think("alphabeta:depth=4,table=false,independent=false", sf.game(Broken).new())


def test_an_exception_in_a_python_game_leaves_the_player_usable() -> None:
    class Fails(Status):
        fail = False

        def play(self, action: int) -> None:
            if Fails.fail and len(self.marks) == 2:
                raise RuntimeError("no")
            super().play(action)

    player = sf.player("alphabeta:depth=6", sf.game(Fails))
    Fails.fail = True
    with pytest.raises(RuntimeError, match="no"):
        player.think(player.game.new())
    Fails.fail = False
    assert player.think(player.game.new()).values == [6.0]


def test_greedy_takes_the_best_evaluation_after_one_action() -> None:
    for state in easycard_positions("arena", 10, range(14, 40), seed=6):
        mover = state.to_move
        result = sf.player("greedy:evaluation=heuristic", state.game).think(state)
        values = {}
        for action in state.legal_actions():
            child = after(state, action)
            values[action] = child.returns()[mover] if child.is_over else child.heuristic()[mover]
        assert values[result.action] == pytest.approx(max(values.values()), abs=1e-3)  # guesses end at 0.999


def test_every_preset_plays_every_variant() -> None:
    for preset, options in itertools.product(PRESETS, ({"preset": "small"}, {"preset": "arena"}, {"preset": "chance"})):
        game = sf.game("easycard", **options)
        match = sf.match(game, [f"alphabeta:preset={preset},nodes=300", "random"], games=2, processes=1)
        assert match.games == 2
        assert not match.faults
    closed = sf.game("easycard", preset="chance", hidden=True)
    assert not sf.match(closed, ["alphabeta:nodes=500,worlds=3", "greedy"], games=2, processes=1).faults


def test_the_steps_of_the_player_are_those_of_the_documentation() -> None:
    text = (Path(__file__).parent.parent / "docs" / "methods" / "alphabeta.md").read_text(encoding="utf-8")
    for step in STEPS:
        assert f"`{step}`" in text, step
