"""Proves the players with a net: PUCT by a slow reference, perfect play by an oracle, no look into hidden hands."""

import json
import math
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers import refused, soonest

import sevenfold as sf
from sevenfold import models, nets
from sevenfold.alphazero import AlphaZeroPlayer, plies, tempered
from sevenfold.evaluators import Batch
from sevenfold.nets import Architecture, Description
from sevenfold.perft import Enough
from sevenfold.train import preset

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
SMALL = Architecture(blocks=1, channels=8, value_hidden=8)
BARE = {"solver": False, "decisive": False, "forced": False, "forced_win": False, "transpositions": False}


def save_net(folder: Path, name: str, game: sf.Game) -> Path:
    import torch

    torch.manual_seed(7)
    about = Description.of(game, SMALL)
    net = nets.build(SMALL, about.shape)
    nets.save(folder / f"{name}.safetensors", net, about)
    nets.export_onnx(folder / f"{name}.onnx", net, about, game)
    return folder / f"{name}.onnx"


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_net(tmp_path_factory.mktemp("nets"), "net", FOUR)


class Known:
    """An evaluator that answers from a function of what is observed and who is to move."""

    def __init__(self, game: sf.Game, answer: Any) -> None:
        self.game, self.answer, self.batches = game, answer, list[int]()

    def evaluate(self, batch: Batch) -> tuple[Any, Any]:
        self.batches.append(len(batch))
        rows = zip(batch.planes, batch.features, batch.viewers.tolist(), strict=True)
        found = [self.answer(planes.tobytes() + features.tobytes(), viewer) for planes, features, viewer in rows]
        return np.array([one[0] for one in found], np.float32), np.array([one[1] for one in found], np.float32)


def made_up(game: sf.Game) -> Known:
    """Values and logits that look random and are the same for the same observation."""

    def answer(seen: bytes, viewer: int) -> tuple[list[float], list[float]]:
        rng = random.Random(seen + bytes([viewer]))
        value = rng.uniform(-0.9, 0.9)
        return [value, -value], [rng.uniform(-2, 2) for _ in range(game.actions)]

    return Known(game, answer)


def player(game: sf.Game, evaluator: Any = None, **options: Any) -> AlphaZeroPlayer:
    out = sf.player("alphazero", game, evaluator="uniform", **options)
    assert isinstance(out, AlphaZeroPlayer)
    if evaluator is not None:
        out.use(evaluator)
    return out


class Node:
    """A position in the reference's tree."""

    def __init__(self, state: sf.State, evaluator: Known) -> None:
        self.state, self.over = state, state.is_over
        self.children: dict[int, Node] = {}
        if self.over:
            self.value = state.returns()
            return
        values, logits = evaluator.evaluate(Batch.of([state]))
        self.value = values[0].astype(float).tolist()
        legal = state.legal_actions()
        odds = {action: math.exp(float(logits[0][action])) for action in legal}
        self.prior = {action: odds[action] / sum(odds.values()) for action in legal}
        self.visits = dict.fromkeys(legal, 0)
        self.total = dict.fromkeys(legal, 0.0)


def puct(root: sf.State, evaluator: Known, simulations: int, c: float, fpu: float) -> Node:
    """PUCT as its formula says, one position at a time."""
    top = Node(root.copy(), evaluator)
    for _ in range(simulations):
        node, path = top, []
        while True:
            count = sum(node.visits.values())
            guess = sum(node.total.values()) / count - fpu if count else 0.0

            def score(action: int, node: Node = node, count: int = count, guess: float = guess) -> float:
                n = node.visits[action]
                mean = node.total[action] / n if n else guess
                return mean + c * node.prior[action] * math.sqrt(count + 1) / (1 + n)

            action = max(node.visits, key=score)
            path.append((node, action))
            if action not in node.children:
                child = node.state.copy()
                child.play(action)
                node.children[action] = Node(child, evaluator)
                node = node.children[action]
                break
            node = node.children[action]
            if node.over:
                break
        for passed, action in path:
            passed.visits[action] += 1
            passed.total[action] += node.value[passed.state.to_move]
    return top


@pytest.mark.parametrize("c", [0.7, 1.5, 3.0])
@pytest.mark.parametrize("moves", ["", "b2", "a1 b2 c3"])
def test_the_visits_are_those_of_a_slow_reference(c: float, moves: str) -> None:
    state, evaluator = TIC.parse(f"moves: {moves}") if moves else TIC.new(), made_up(TIC)
    thinker = player(TIC, evaluator, simulations=300, batch=1, c_puct=c, fpu=0.3, cache=0, **BARE)
    result = thinker.think(state)
    wanted = puct(state, evaluator, 300, c, 0.3)
    assert {view.action: view.visits for view in result.actions} == wanted.visits
    assert result.nodes == 300 == sum(result.visits)
    for view in result.actions:
        assert view.prior == pytest.approx(wanted.prior[view.action], abs=1e-5)
        if view.visits:
            assert view.value == pytest.approx(wanted.total[view.action] / view.visits, abs=1e-4)
    assert result.policy == pytest.approx([count / 300 for count in result.visits])
    assert result.action == max(wanted.visits, key=wanted.visits.__getitem__)
    assert result.values[0] == -result.values[1]


@cache
def brute(text: str) -> float:
    """What the player to move gets in tic-tac-toe."""
    state = TIC.parse(text)
    best = -9.0
    for action in state.legal_actions():
        child = state.copy()
        child.play(action)
        best = max(best, child.returns()[state.to_move] if child.is_over else -brute(child.to_text()))
    return best


def positions(seed: int, count: int, least: int = 0) -> list[sf.State]:
    rng, out = random.Random(seed), list[sf.State]()
    while len(out) < count:
        state = TIC.new()
        for _ in range(rng.randint(least, 7)):
            if not state.is_over:
                state.play(rng.choice(state.legal_actions()))
        if not state.is_over:
            out.append(state)
    return out


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_the_solver_proves_small_positions_with_an_evaluator_that_knows_nothing(batch: int, root: str) -> None:
    thinker = player(TIC, simulations=20_000, batch=batch, root=root)
    for state in positions(1, 40, least=3):
        result = thinker.think(state)
        assert result.proven
        assert result.values[state.to_move] == brute(state.to_text())
        assert result.policy[result.action] == 1
        child = state.copy()
        child.play(result.action)
        got = child.returns()[state.to_move] if child.is_over else -brute(child.to_text())
        assert got == brute(state.to_text())


def test_positions_that_the_games_solver_can_prove_are_exact() -> None:
    """Step `settle`: with a net that knows nothing the search proves what it would only guess, and proves it right."""
    from sevenfold.yardstick import standard_of

    alone, settled = (player(FOUR, simulations=40, settle=nodes) for nodes in (0, 5000))
    perfect = sf.player("perfect:cache=false", FOUR)
    proven = [0, 0]
    for one in standard_of(FOUR).sets(None)["L2_R2"][:20]:
        state = FOUR.replay(list(one.actions))
        result, truth = settled.think(state), perfect.think(state)
        proven = [proven[0] + alone.think(state).proven, proven[1] + result.proven]
        if result.proven:
            assert result.action in one.keeps
            assert result.values[state.to_move] == (truth.score > 0) - (truth.score < 0)
    assert proven[1] > 15
    assert proven[0] < 5


def test_settling_by_alpha_beta_where_a_game_has_no_solver() -> None:
    for state in positions(1, 20, least=3):
        result = player(TIC, simulations=8, settle=2000).think(state)
        assert result.proven
        assert result.values[state.to_move] == brute(state.to_text())


def test_only_games_with_a_solver_of_their_own_settle_unasked() -> None:
    assert player(FOUR)._options().settle > 0
    assert player(TIC)._options().settle == 0
    assert player(FOUR, settle=0)._options().settle == 0


def oracle() -> Known:
    """True values, and no idea of which action is good."""
    seen: dict[bytes, tuple[list[float], list[float]]] = {}

    def visit(state: sf.State) -> None:
        if state.is_over:
            return
        view = state.observe()
        key = view.planes.tobytes() + view.features.tobytes() + bytes([state.to_move])
        if key in seen:
            return
        value = brute(state.to_text())
        seen[key] = ([value, -value] if state.to_move == 0 else [-value, value]), [0.0] * 9
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            visit(child)

    visit(TIC.new())
    return Known(TIC, lambda key, viewer: seen[key + bytes([viewer])])


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_with_true_values_it_plays_perfectly(root: str) -> None:
    thinker = player(TIC, oracle(), simulations=100, batch=4, root=root, value_scale=1.0, **BARE)
    for state in positions(2, 60):
        thinker.reset()
        child = state.copy()
        child.play(thinker.think(state).action)
        got = child.returns()[state.to_move] if child.is_over else -brute(child.to_text())
        assert got == brute(state.to_text()), str(state)


def test_the_batch_never_holds_more_than_the_simulations_bear() -> None:
    for simulations, most in ((8, 1), (64, 4), (1000, 8)):
        evaluator = made_up(FOUR)
        result = player(FOUR, evaluator, simulations=simulations, cache=0).think(FOUR.new())
        assert result.nodes == simulations
        assert max(evaluator.batches) == most


def test_the_temperature_is_an_exponent_of_the_visits() -> None:
    assert tempered([4, 1, 0], 0.5) == pytest.approx([16 / 17, 1 / 17, 0])
    assert tempered([4, 1, 3], 1.0) == pytest.approx([0.5, 0.125, 0.375])
    assert tempered([4, 1, 3], 2.0) == pytest.approx([x / (3 + 3**0.5) for x in (2, 1, 3**0.5)])
    assert tempered([400, 399], 1e-4) == pytest.approx([1, 0], abs=1e-9)  # no overflow
    evaluator, options = made_up(FOUR), {"simulations": 60, "batch": 1}
    plain = player(FOUR, evaluator, **options).think(FOUR.new())
    warm = player(FOUR, evaluator, temperature=0.7, **options).think(FOUR.new())
    powers = [count ** (1 / 0.7) for count in plain.visits]
    assert warm.visits == plain.visits
    assert warm.policy == pytest.approx([power / sum(powers) for power in powers])


def test_the_temperature_ends_at_its_ply_and_is_drawn_by_its_shares() -> None:
    thinker = player(FOUR, made_up(FOUR), simulations=40, batch=1, temperature=1.0, temperature_moves=1, reuse=False)
    first = thinker.think(FOUR.new())
    drawn = [thinker.think(FOUR.new()).action for _ in range(400)]
    for action, share in enumerate(first.policy):
        assert drawn.count(action) / 400 == pytest.approx(share, abs=0.1)
    later = FOUR.parse("moves: d")
    answers = [thinker.think(later) for _ in range(5)]
    assert len({one.action for one in answers}) == 1
    assert answers[0].action == max(range(7), key=answers[0].visits.__getitem__)


def test_noise_changes_the_priors_of_the_root_alone() -> None:
    evaluator, options = made_up(FOUR), {"simulations": 30, "batch": 1}
    plain = player(FOUR, evaluator, **options).think(FOUR.new())
    noisy = player(FOUR, evaluator, noise_alpha=0.5, noise_share=0.25, **options).think(FOUR.new())
    again = player(FOUR, evaluator, noise_alpha=0.5, noise_share=0.25, **options).think(FOUR.new())
    before, after = ([view.prior or 0 for view in one.actions] for one in (plain, noisy))
    assert after != pytest.approx(before, abs=1e-3)
    assert sum(after) == pytest.approx(1, abs=1e-5)
    assert all(b >= 0.75 * a - 1e-6 for a, b in zip(before, after, strict=True))
    assert noisy == again or noisy.visits == again.visits  # the same seed


def test_the_tree_is_kept_for_the_next_move_and_forgotten_by_reset() -> None:
    evaluator = made_up(FOUR)
    thinker = player(FOUR, evaluator, simulations=200, cache=0)
    state = FOUR.new()
    first = thinker.think(state)
    state.play(first.action)
    kept = thinker.think(state)
    assert sum(kept.visits) > 200 == kept.nodes
    thinker.reset()
    assert sum(thinker.think(state).visits) == 200
    fresh = player(FOUR, evaluator, simulations=200, reuse=False)
    fresh.think(FOUR.new())
    assert sum(fresh.think(state).visits) == 200


def test_the_cache_saves_evaluations(net: Path) -> None:
    asked = []
    for cache_size in (0, 1000):
        thinker = sf.player("alphazero", FOUR, net=str(net), simulations=100, cache=cache_size, reuse=False)
        results = [thinker.think(FOUR.new()) for _ in range(2)]
        assert results[0].visits == results[1].visits
        asked.append(getattr(thinker._evaluator, "hits", 0))  # type: ignore[attr-defined]
    assert asked[0] == 0
    assert asked[1] >= 100


def test_a_rollout_has_its_share_in_a_value() -> None:
    zero = player(FOUR, simulations=64, **BARE).think(FOUR.new())
    mixed = player(FOUR, simulations=64, rollouts=1.0, **BARE).think(FOUR.new())
    assert all(view.value == 0 for view in zero.actions)
    assert any(view.value for view in mixed.actions)


def test_many_rollouts_say_more_than_one() -> None:
    """The mean of sixteen scatters less: the second moves in tic-tac-toe differ by less than a single game says."""
    state = TIC.replay([4])
    given = {"simulations": 1, "rollouts": 1.0, **BARE}
    first = {"one": set(), "many": set()}
    for seed in range(30):
        for name, count in (("one", 1), ("many", 16)):
            found = player(TIC, rollout_count=count, seed=seed, **given).think(state)
            first[name] |= {round(view.value, 6) for view in found.actions if view.visits}
    assert first["one"] <= {-1, 0, 1}
    assert len(first["many"]) > 5
    assert max(map(abs, first["many"])) < 1


GUIDED: dict[str, Any] = {"expand_at": 40, "simulations": 600, "rollouts": 1.0, "settle": 0}


def test_asked_late_a_net_without_an_opinion_leaves_uct_as_it_is() -> None:
    state = FOUR.replay([3, 3, 2])
    plain = sf.player("uct", FOUR, simulations=600).think(state)
    found = sf.player("alphazero", FOUR, evaluator="uniform", **GUIDED).think(state)
    assert (found.visits, found.action, found.nodes) == (plain.visits, plain.action, plain.nodes)


def test_asked_late_a_net_steers_and_its_value_counts() -> None:
    """It likes the first column, and takes the first player for the winner."""
    plain, found = sf.player("uct", FOUR, simulations=600).think(FOUR.new()), {}
    for share in (1.0, 0.25):
        evaluator = Known(FOUR, lambda seen, viewer: ([1.0, -1.0], [8.0] + 6 * [0.0]))
        found[share] = player(FOUR, evaluator, **GUIDED | {"rollouts": share}).think(FOUR.new())
        assert 1 < sum(evaluator.batches) < 60  # and not about each of 600 positions
    assert found[1.0].visits[0] > 1.5 * plain.visits[0]
    assert sum(found[1.0].visits) == 600 < sum(found[0.25].visits)
    assert found[0.25].values[0] > found[1.0].values[0] + 0.2


def test_a_tree_that_is_asked_late_is_kept_for_the_next_decision() -> None:
    thinker, state = player(FOUR, **GUIDED), FOUR.new()
    for _ in range(4):
        result = thinker.think(state)
        assert result.nodes == 600
        state.play(result.action)
    assert sum(result.visits) > 600


class Three(sf.Rules):
    """Three players in turn take 1 or 2 of 7 stones; who takes the last gets 2, the one before loses 1, so does the
    third."""

    players, actions, features, sum, min_return, max_return = 3, 2, 1, "zero", -1, 2

    def __init__(self) -> None:
        self.left, self.turn = 7, 0

    def to_move(self) -> int:
        return self.turn if self.left else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1] if self.left > 1 else [0]

    def play(self, action: int) -> None:
        self.left -= action + 1
        self.turn = (self.turn + 1) % 3

    def returns(self) -> list[float]:
        if self.left:
            return [0.0, 0.0, 0.0]
        return [2.0 if seat == (self.turn - 1) % 3 else -1.0 for seat in range(3)]

    def observe(self, viewer: int) -> list[float]:
        return [self.left]

    def hash(self) -> int:
        return self.left * 3 + self.turn


def test_values_are_those_of_every_seat_with_three_players_in_a_game_written_in_python() -> None:
    game = sf.game(Three)
    state = game.new()
    for action in (1, 1, 0):  # two stones left, seat 0 to move: it takes both
        state.play(action)
    result = player(game, simulations=200).think(state)
    assert (result.action, result.values, result.proven) == (1, [2.0, -1.0, -1.0], True)
    # Values per seat of an evaluator: the seat that is worth most at the leaves is known whoever moves.
    known = Known(game, lambda seen, viewer: ([1.0, -0.5, -0.5], [0.0, 0.0]))
    result = player(game, known, simulations=1, batch=1, **BARE).think(game.new())
    assert result.values == pytest.approx([1.0, -0.5, -0.5])


class Guess(sf.Rules):
    """A card of four is dealt to seat 1; seat 0 names one of the cards it has not seen go, then seat 1 may raise."""

    players, actions, outcomes, features, sum, max_plies = 2, 4, 4, 1, "zero", 3

    def __init__(self) -> None:
        self.card, self.named, self.raised = -1, -1, -1

    def to_move(self) -> int:
        if self.card < 0:
            return sf.CHANCE
        return 0 if self.named < 0 else 1 if self.raised < 0 else sf.TERMINAL

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.7), (1, 0.1), (2, 0.1), (3, 0.1)]

    def legal_actions(self) -> list[int]:
        return [0, 1, 2, 3] if self.named < 0 else [0, 1]

    def play(self, action: int) -> None:
        if self.card < 0:
            self.card = action
        elif self.named < 0:
            self.named = action
        else:
            self.raised = action

    def returns(self) -> list[float]:
        if self.raised < 0:
            return [0.0, 0.0]
        value = 1.0 if self.named == self.card else -1.0
        return [value, -value]

    def observe(self, viewer: int) -> list[float]:
        return [self.card + 1 if viewer == 1 else 0]

    def view(self, viewer: int) -> str:
        return f"{self.card if viewer == 1 else '?'} {self.named} {self.raised}"

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if viewer == 0 and self.card >= 0 and self.raised < 0:
            self.card = rng.choices(range(4), [0.7, 0.1, 0.1, 0.1])[0]

    def hash(self) -> int:
        return self.card * 100 + self.named * 10 + self.raised + 50


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_it_does_not_look_into_hidden_hands(root: str) -> None:
    game = sf.game(Guess)
    answers = []
    for card in range(4):
        state = game.new()
        state.play(card)
        answer = player(game, simulations=320, worlds=32, seed=5, root=root).think(state)
        answers.append((answer.action, answer.policy, answer.visits, answer.values))
    assert all(one == answers[0] for one in answers)
    assert answers[0][0] == 0  # the likeliest card
    assert 0 < answers[0][1][0] < 1
    assert sum(answers[0][1]) == pytest.approx(1)
    seeing = sf.game(Guess).new()
    seeing.play(2)
    seeing.play(1)
    assert player(game, simulations=64).think(seeing).values == pytest.approx([-1, 1])


def test_worlds_share_the_simulations() -> None:
    game = sf.game(Guess)
    state = game.new()
    state.play(1)
    result = player(game, simulations=100, worlds=10, **BARE).think(state)
    assert sum(result.visits) == 100 == result.nodes
    assert player(game, simulations=3, worlds=10, **BARE).think(state).nodes == 3


class Deal(sf.Rules):
    """A coin is thrown after the choice: 0 is safe, 1 wins with three quarters."""

    players, actions, outcomes, features, sum = 1, 2, 2, 1, "any"

    def __init__(self) -> None:
        self.chosen = self.thrown = -1

    def to_move(self) -> int:
        return 0 if self.chosen < 0 else sf.CHANCE if self.chosen and self.thrown < 0 else sf.TERMINAL

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.25), (1, 0.75)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        if self.chosen < 0:
            self.chosen = action
        else:
            self.thrown = action

    def returns(self) -> list[float]:
        return [0.0 if self.chosen <= 0 else 1.0 if self.thrown == 1 else -1.0]

    def observe(self, viewer: int) -> list[float]:
        return [self.chosen]


def test_chance_is_averaged() -> None:
    result = player(sf.game(Deal), simulations=2000).think(sf.game(Deal).new())
    assert result.action == 1
    assert result.values[0] == pytest.approx(0.5, abs=0.1)


def test_limits_and_how_it_is_stopped() -> None:
    thinker = player(FOUR, made_up(FOUR), seconds=0.3)
    assert 0.2 < soonest(lambda: thinker.think(FOUR.new()).seconds, 0.6) < 0.6
    assert player(FOUR).seconds == 1.0
    assert player(FOUR, simulations=50, nodes=20).think(FOUR.new()).nodes == 20
    thinker = player(FOUR, made_up(FOUR), seconds=30)
    calls = []

    def enough(done: int) -> None:
        calls.append(done)
        if len(calls) == 2:
            raise Enough

    thinker.progress = enough
    result = thinker.think(FOUR.new())
    assert 0 < calls[0] < calls[1] == result.nodes
    assert result.seconds < 5

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    thinker.progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        thinker.think(FOUR.new())
    thinker.progress, thinker.seconds, thinker.simulations = None, None, 100
    assert sum(thinker.think(FOUR.new()).visits) == 100  # nothing is left of the broken search


@pytest.mark.parametrize("game", [FOUR, sf.game("easycard", preset="chance", hidden=True)])
def test_without_time_it_answers_with_what_the_net_says(game: sf.Game) -> None:
    state = game.new(seed=4)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    evaluator = made_up(game)
    result = player(game, evaluator, seconds=0).think(state)
    glance = sf.player("policy", game, evaluator="uniform")
    glance.use(evaluator)
    said = glance.think(state)
    assert (result.nodes, result.proven, result.action) == (0, False, said.action)
    assert result.values == pytest.approx(said.values)
    assert result.policy == pytest.approx(said.policy, abs=1e-6)


def test_without_time_what_is_proven_comes_before_what_the_net_says() -> None:
    state = TIC.replay([0, 4, 8])
    likes_corners = Known(TIC, lambda *_: ([-0.1, 0.1], [0, 0, 9, 0, 0, 0, 9, 0, 0]))
    thinker = player(TIC, likes_corners, seconds=0)

    def glance(**proven: float) -> int:
        views = [
            SimpleNamespace(action=one, visits=0, value=proven.get(f"a{one}", -1.0), prior=0.1,
                            proven=f"a{one}" in proven, pv=[one])
            for one in state.legal_actions()
        ]  # fmt: skip
        report: Any = SimpleNamespace(actions=views, bytes=0)
        return thinker._first_sight(state, [report], 0.0).action

    assert glance() in (2, 6)
    assert glance(a2=-1.0) == 6
    assert glance(a2=-1.0, a6=-1.0) not in (2, 6)
    assert glance(a7=1.0, a2=-1.0, a6=-1.0) == 7
    assert glance(**{f"a{one}": -1.0 for one in state.legal_actions()}) in (2, 6)  # all lost: the net's


def test_the_prover_keeps_to_the_time() -> None:
    state = FOUR.replay([3, 3, 2, 4])  # millions of nodes
    thinker = player(FOUR, seconds=0.2, endgame=10**9)
    assert soonest(lambda: thinker.think(state).seconds, 0.5) < 0.5
    late = FOUR.replay([int(c) for c in "146660203633536103063450"])
    assert player(FOUR, seconds=5.0, endgame=10**6, simulations=1).think(late).proven


def test_the_policy_player_is_the_net_alone(net: Path) -> None:
    evaluator = made_up(FOUR)
    thinker = sf.player("policy", FOUR, evaluator="uniform")
    thinker.use(evaluator)  # type: ignore[attr-defined]
    result = thinker.think(FOUR.new())
    values, logits = evaluator.evaluate(Batch.of([FOUR.new()]))
    odds = np.exp(logits[0]) / np.exp(logits[0]).sum()
    assert result.policy == pytest.approx(odds.tolist(), abs=1e-5)
    assert result.action == int(odds.argmax())
    assert result.values == pytest.approx(values[0].tolist())
    assert result.nodes == 1
    warm = sf.player("policy", FOUR, evaluator="uniform", temperature=0.5)
    warm.use(evaluator)  # type: ignore[attr-defined]
    assert warm.think(FOUR.new()).policy == pytest.approx((odds**2 / (odds**2).sum()).tolist(), abs=1e-5)
    full = FOUR.parse("moves: d d d d d d")
    assert full.legal_actions() == [0, 1, 2, 4, 5, 6]
    assert sf.player(f"policy:net={net}", FOUR).think(full).policy[3] == 0


def test_evaluators_agree_and_the_net_is_found_by_file_run_and_room(net: Path, tmp_path: Path) -> None:
    options = {"simulations": 40, "batch": 1}
    views = [
        sf.player("alphazero", FOUR, net=str(path), evaluator=kind, **options).think(FOUR.new()).visits
        for path, kind in (
            (net, "onnx"),
            (net.with_suffix(".safetensors"), "onnx"),
            (net, "torch"),
            (net.parent, "onnx"),
        )
    ]
    assert views[0] == views[1] == views[3]
    assert np.abs(np.array(views[0]) - np.array(views[2])).max() <= 2
    for name in ("a.onnx", "b.onnx", "c.int8.onnx"):
        (tmp_path / name).write_bytes(b"")
    os.utime(tmp_path / "a.onnx", (1, 1))
    assert models.find(str(tmp_path), FOUR).name == "b.onnx"


def test_a_run_says_itself_which_net_is_its_best(tmp_path: Path) -> None:
    from sevenfold.train import Run

    run = Run.begin(tmp_path / "run", preset("quick", TIC))
    with refused("has no net yet"):
        models.find(str(run.folder), TIC)

    def fill(folder: Path) -> None:
        save_net(folder, "net", TIC)
        for name in ("mean", "optimiser"):
            (folder / f"{name}.safetensors").write_bytes((folder / "net.safetensors").read_bytes())

    for iteration in (1, 2):
        run.write_checkpoint(iteration, {}, fill)
    assert models.find(str(run.folder), TIC) == run.checkpoint(2) / "net.onnx"
    for kind in ("onnx", "torch"):
        thinker = sf.player("alphazero", TIC, net=str(run.folder), evaluator=kind, simulations=10)
        assert thinker.think(TIC.new()).nodes == 10


def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: sf.Game) -> Path:
    """A room of its own for a game's nets."""
    (tmp_path / "model").mkdir()
    monkeypatch.setattr(game.room, "__file__", str(tmp_path / "__init__.py"))
    return tmp_path / "model"


def test_a_position_seen_through_all_symmetries_is_valued_like_its_mirror_image() -> None:
    state = FOUR.replay([3, 2, 2, 5, 0])
    mirror = state.symmetric(1)
    given = {"simulations": 1, "symmetries": True, "solver": False}
    one, other = (sf.player("alphazero", FOUR, **given).think(position) for position in (state, mirror))
    shares = {view.action: view.prior for view in one.actions}
    seen = {view.action: view.prior for view in other.actions}
    assert seen == pytest.approx({state.symmetric_action(1, action): prior for action, prior in shares.items()})
    plain = sf.player("alphazero", FOUR, simulations=1, solver=False).think(state)
    assert shares != pytest.approx({view.action: view.prior for view in plain.actions})


def test_a_net_may_recommend_rollouts(tmp_path: Path) -> None:
    path = tmp_path / "n.onnx"
    assert models.default_rollouts(path) == (0, 1)
    (tmp_path / "n.json").write_text('{"rollouts": 0.5, "rollout_count": 8}')
    assert models.default_rollouts(path) == models.default_rollouts(tmp_path / "n.int8.onnx") == (0.5, 8)
    for nonsense in ('{"rollouts": 2}', '{"rollouts": "x"}', '{"rollouts": 0.5, "rollout_count": 0}', "[]"):
        (tmp_path / "n.json").write_text(nonsense)
        assert models.default_rollouts(path) == (0, 1)


def test_a_net_may_recommend_to_be_asked_late(tmp_path: Path) -> None:
    path = tmp_path / "n.onnx"
    assert models.default_expand_at(path) == 0
    for text, visits in (('{"expand_at": 300}', 300), ('{"expand_at": -1}', 0), ('{"expand_at": "x"}', 0), ("[]", 0)):
        (tmp_path / "n.json").write_text(text)
        assert models.default_expand_at(path) == visits


def test_the_shipped_net_is_the_first_that_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = sf.game("connect_four", cols=8)
    folder = room(tmp_path, monkeypatch, FOUR)
    with refused(r"there is no trained net for connect_four; train one with `sevenfold train`, or give net=PATH"):
        sf.player("alphazero", FOUR)
    save_net(folder, "a_wide", wide)
    save_net(folder, "b", FOUR)
    (folder / "a_broken.json").write_text("{")
    assert models.find("", FOUR).name == "b.onnx"
    assert models.find("", wide).name == "a_wide.onnx"
    assert models.find("b", FOUR) == folder / "b.onnx"
    assert sf.player("alphazero:simulations=20", FOUR).think(FOUR.new()).nodes == 20
    with refused(r"no trained net for connect_four\(rows=5\)"):
        sf.player("policy", sf.game("connect_four", rows=5))
    with refused("this net is for connect_four with cols=8, not with cols=7"):
        sf.player("policy:net=a_wide", FOUR).think(FOUR.new())
    about = json.loads((folder / "b.json").read_text())
    (folder / "b.json").write_text(json.dumps(about | {"version": 99}))
    with refused("there is no trained net for connect_four"):
        sf.player("alphazero", FOUR)


def test_the_temperature_ends_after_plies_of_players_not_of_chance() -> None:
    game = sf.game("sevens")
    state = game.new(seed=1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    for ply in range(52):
        assert plies(state) == ply
        state.play(state.legal_actions()[0])
    drawing = sf.player("policy", game, temperature=1.0, temperature_moves=30)
    assert drawing._temperature(game.replay(state.history[: 52 + 29], state.seed)) == 1.0
    assert drawing._temperature(game.replay(state.history[: 52 + 30], state.seed)) == 0.0
    assert plies(FOUR.replay([3, 3, 2])) == 3


def test_the_precision_is_what_the_description_recommends(net: Path, tmp_path: Path) -> None:
    path = tmp_path / "n.onnx"
    path.write_bytes(net.read_bytes())
    assert models.with_precision(path, "auto") == path
    with refused(r"there is no n\.int8\.onnx beside n\.onnx"):
        models.with_precision(path, "int8")
    small = tmp_path / "n.int8.onnx"
    small.write_bytes(net.read_bytes())
    assert models.with_precision(path, "auto") == path
    assert models.with_precision(path, "int8") == small
    (tmp_path / "n.json").write_text('{"default_precision": "int8"}')
    assert models.with_precision(path, "auto") == small
    assert models.with_precision(path, "fp32") == path
    assert sf.player("alphazero", FOUR, net=str(path), simulations=8).think(FOUR.new()).nodes == 8


class Blind(sf.Rules):
    """Nobody can see it."""

    players, actions = 1, 1

    def to_move(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        pass

    def returns(self) -> list[float]:
        return [0.0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"net": "nowhere.onnx", "evaluator": "onnx"}, "there is no net 'nowhere.onnx'"),
        ({"evaluator": "magic"}, "evaluator must be one of onnx, torch, openvino, uniform"),
        ({"batch": 0}, "batch must be 1 or more"),
        ({"simulations": 0}, "simulations must be 1 or more"),
        ({"c_puct": -1}, "c_puct must be 0 or more"),
        ({"c_puct": math.nan}, "c_puct must be 0 or more"),
        ({"fpu": math.inf}, "fpu must be a number"),
        ({"noise_share": 1.5}, "noise_share must be from 0 to 1"),
        ({"rollouts": -0.1}, "rollouts must be from 0 to 1"),
        ({"rollout_count": 0}, "rollout_count must be 1 or more"),
        ({"expand_at": -1}, "expand_at must be 0 or more"),
        ({"expand_at": 9, "rollouts": 0.0}, "expand_at needs rollouts above 0"),
        ({"expand_at": 9, "root": "gumbel", "simulations": 9}, "expand_at goes with root=puct"),
        ({"endgame": -1}, "endgame must be 0 or more"),
        ({"settle": -1}, "settle must be 0 or more"),
        ({"temperature": -1}, "temperature must be 0 or more"),
        ({"worlds": 0}, "worlds must be 1 or more"),
        ({"device": "cuda"}, "device=cuda needs evaluator=torch, not uniform"),
        ({"memory": 10**6}, "memory must be from 1 to 65536"),
        ({"root": "gumbel", "seconds": 1.0}, "root=gumbel plans its simulations; give simulations=N"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], sentence: str) -> None:
    with refused(sentence):
        sf.player("alphazero", FOUR, **({"evaluator": "uniform"} | options))


def test_what_a_game_must_offer_is_named(tmp_path: Path) -> None:
    with refused("alphazero needs the ability 'observe', which blind does not offer"):
        player(sf.game(Blind))
    with refused("policy needs the ability 'observe'"):
        sf.player("policy:evaluator=uniform", sf.game(Blind))
    secret = type("Secret", (Guess,), {"redeal": None})
    with refused("alphazero needs the ability 'redeal', which secret does not offer"):
        player(sf.game(secret))
    (tmp_path / "net.txt").write_text("net")
    with refused("is no net: nets are .onnx and .safetensors files"):
        sf.player("policy", FOUR, net=str(tmp_path / "net.txt"))
    with refused("holds no net"):
        sf.player("policy", FOUR, net=str(tmp_path))


def test_playing_with_a_net_does_not_load_torch(net: Path) -> None:
    script = (
        "import sys, sevenfold as sf\n"
        "game = sf.game('connect_four')\n"
        f"sf.player('alphazero', game, net={str(net)!r}, simulations=20).think(game.new())\n"
        f"sf.player('policy', game, net={str(net)!r}).think(game.new())\n"
        "assert 'onnxruntime' in sys.modules and 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_plays_matches_and_thinks_on_the_command_line(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sevenfold import cli

    result = sf.match(TIC, ["alphazero:evaluator=uniform,simulations=200", "random"], games=6, seed=1, processes=1)
    assert result.score > 0.6
    spec = f"alphazero:net={net},simulations=100"
    assert cli.run(["think", "connect_four", "--player", spec, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["nodes"] == 100
    assert sum(data["visits"].values()) == 100
    assert len(data["actions"]) == 7
    assert all(0 < one["prior"] < 1 for one in data["actions"])
    assert cli.run(["think", "connect_four", "--player", f"policy:net={net}"]) == 0


def test_the_net_for_one_board_comes_before_the_net_for_all() -> None:
    found = {spec: models.shipped(sf.game(spec)) for spec in ("connect_four", "connect_four(rows=10, cols=9)")}
    assert [path.name if path else None for path in found.values()] == ["classic.onnx", "boards.onnx"]
    assert models.shipped(sf.game("connect_four(connect=5)")) is None
