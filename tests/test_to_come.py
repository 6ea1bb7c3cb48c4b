"""Proves games whose returns grow on the way (`gain`): rewards on the path count in a search, values are judged by how
far they differ, walks that wait leave nothing behind, and the value to learn is exactly what was still to come."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selfplay_games import played

import sevenfold as sf
from sevenfold import _core
from sevenfold.nets import Architecture, Description
from sevenfold.records import Record, write_records
from sevenfold.train import records

STEPS, WAYS = 7, 3


@cache
def reward(before: tuple[int, ...], action: int) -> float:
    """What an action brings, from 0 to 30, whatever comes later."""
    return float(random.Random(f"{before}{action}").choice([0, 0, 2, 5, 9, 30]))


class Berries(sf.Rules):
    """Alone: seven times one of three bushes, and what hangs there depends on those before."""

    players, actions, features, max_plies = 1, WAYS, STEPS, STEPS
    min_return, max_return, sum, gain = 0.0, 100_000.0, "any", 5.0

    def __init__(self) -> None:
        self.path: list[int] = []

    def to_move(self) -> int:
        return 0 if len(self.path) < STEPS else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return list(range(WAYS))

    def play(self, action: int) -> None:
        self.path.append(action)

    def returns(self) -> list[float]:
        return [sum(reward(tuple(self.path[:i][-2:]), one) for i, one in enumerate(self.path))]

    def observe(self, viewer: int) -> Any:
        return [float(one + 1) for one in self.path] + [0.0] * (STEPS - len(self.path))


GAME = sf.game(Berries)


@cache
def best(last: tuple[int, ...], left: int) -> float:
    """What the best way brings from here, by brute force."""
    if not left:
        return 0.0
    return max(reward(last, one) + best((*last, one)[-2:], left - 1) for one in range(WAYS))


def to_come_of(state: sf.State) -> float:
    return best(tuple(state.history[-2:]), STEPS - len(state.history))


def searched(state: sf.State, positions: int, batch: int, known: bool, **given: Any) -> _core.SearchReport:
    """The report of a search whose evaluator says exactly what is to come, or always 0."""
    options = _core.MctsOptions()
    options.leaf, options.selection, options.exploration, options.solver = "evaluator", "puct", 1.5, False
    for key, value in given.items():
        setattr(options, key, value)
    search = _core.Mcts(state, options)
    search.reset(state)
    asked = 0
    while asked < positions and (waiting := search.collect(batch)):
        asked += len(waiting)
        paths = [[int(one) - 1 for one in each.observe(0).features if one] for each in waiting]
        values = [[best(tuple(path[-2:]), STEPS - len(path)) if known else 0.0] for path in paths]
        search.resume(np.array(values), np.ones((len(waiting), WAYS), np.float32))
    return search.report()


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("root", ["formula", "gumbel"])
def test_what_was_got_on_the_way_is_added_to_what_is_to_come(root: str, batch: int) -> None:
    state = GAME.replay([1, 2])
    before, left = state.returns()[0], STEPS - 3
    wanted = [before + reward((1, 2), one) + best((2, one), left) for one in range(WAYS)]
    once = searched(state, 1 + WAYS, batch, True, root=root, gumbel_scale=0.0, fpu=-1000.0)
    assert before > 0
    assert [one.value for one in sorted(once.actions, key=lambda one: one.action)] == pytest.approx(wanted)
    report = searched(state, 60, batch, True, root=root, gumbel_scale=0.0)
    assert report.action == wanted.index(max(wanted))
    assert all(one.value <= wanted[one.action] + 1e-6 for one in report.actions)  # no way brings more


def test_without_the_step_rewards_on_the_path_are_not_seen() -> None:
    """An evaluator that says 0 everywhere, and fewer simulations than it takes to reach an end."""
    state = GAME.new()
    seen, unseen = (searched(state, 13, 1, False, to_come=step) for step in (True, False))
    assert {one.value for one in unseen.actions} == {0.0}
    for one in seen.actions:
        assert one.value > reward((), one.action) - 1e-6


def test_values_are_judged_by_how_far_they_differ() -> None:
    """Against a largest return of 100 000 all values look alike; by the spread in the tree they do not."""
    state = GAME.new()
    wide, flat = (searched(state, 120, 1, True, spread=step) for step in (True, False))
    share = [max(one.visits for one in report.actions) / report.simulations for report in (wide, flat)]
    assert share[1] < 0.4 < 0.45 < share[0]
    top = max(range(WAYS), key=lambda a: reward((), a) + best((a,), STEPS - 1))
    assert max(wide.actions, key=lambda one: one.visits).action == top


def test_walks_that_wait_leave_nothing_behind() -> None:
    """With the best in every leaf, each value is a mean of numbers that the evaluator said."""
    report = searched(GAME.new(), 400, 32, True)
    low, high = 0.0, best((), STEPS)
    assert all(low <= one.value <= high + 1e-6 for one in report.actions)
    assert sum(one.visits for one in report.actions) == report.simulations - 1


@pytest.mark.parametrize("mix", [0.0, 0.5])
def test_self_play_teaches_exactly_what_was_to_come(mix: float) -> None:
    chunk = played(GAME, 6, simulations=8, seed=3, value_mix=mix)
    games = np.repeat(np.arange(6), np.diff(chunk["position_start"]))
    for row, game in enumerate(games):
        start = chunk["action_start"][game]
        got = GAME.replay(chunk["actions"][start : start + chunk["ply"][row]].tolist()).returns()[0]
        end = float(chunk["returns"][game, 0])
        share = 0.0 if chunk["exact"][row] else mix
        wanted = end + share * (chunk["value"][row, 0] - end) - got
        if not chunk["exact"][row:].any():  # what is proven takes the place of how the game ended
            assert chunk["target"][row, 0] == pytest.approx(wanted, abs=1e-4)
    last = [np.flatnonzero(games == game)[-1] for game in range(6)]
    assert (chunk["target"][last, 0] <= 30).all()


def test_records_teach_exactly_what_was_to_come_and_the_policy_they_say(tmp_path: Path) -> None:
    state = GAME.replay([0, 2, 1, 1, 0, 2, 0])
    said: list[dict[str, Any] | None] = [{"policy": {"0": 0.75, "2": 0.25}}, *({"nodes": 1} for _ in range(6))]
    write_records(tmp_path / "games.jsonl", [Record.of(state, moves=said)])
    about = Description.of(GAME, Architecture(value_linear=True, value_unit=10.0))
    chunk = records.read(tmp_path / "games.jsonl", about, GAME).chunk
    for ply in range(STEPS):
        got = GAME.replay(state.history[:ply]).returns()[0]
        assert chunk["target"][ply, 0] == state.returns()[0] - got
    assert chunk["policy_action"].tolist() == [0, 2, 2, 1, 1, 0, 2, 0]
    assert chunk["policy_share"].tolist() == [0.75, 0.25, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("said", [[0.5, 0.5], {"0": 0.5}, {"7": 1.0}, {"0": "much"}, {"first": 1.0}, {"0": -1, "1": 2}])
def test_a_policy_that_is_none_is_refused_with_its_line(said: Any, tmp_path: Path) -> None:
    state = GAME.replay([0] * STEPS)
    write_records(tmp_path / "games.jsonl", [Record.of(state, moves=[{"policy": said}])])
    about = Description.of(GAME, Architecture(value_linear=True))
    with pytest.raises(ValueError, match="line 1: at ply 0, its policy is not a share of each action"):
        records.read(tmp_path / "games.jsonl", about, GAME)


def test_players_say_what_the_whole_game_is_worth() -> None:
    """`alphazero` with a net that knows nothing finds the best way, and adds what it has already."""
    state = GAME.replay([0, 1, 2, 0])
    player = sf.player("alphazero", GAME, evaluator="uniform", simulations=400)
    result = player.think(state)
    assert result.values[0] == pytest.approx(state.returns()[0] + to_come_of(state))
    assert result.proven


def test_a_gain_below_0_is_refused() -> None:
    class Wrong(Berries):
        gain = -1.0

    with pytest.raises(ValueError, match="gain must be 0"):
        sf.game(Wrong)
