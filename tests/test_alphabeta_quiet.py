"""Alpha-beta at the horizon and at the root under hidden information: the steps `quiet` and `plans`."""

import random

import pytest
from alphabeta_games import think

import sevenfold as sf


class Loan(sf.Rules):
    """Player 0 may take half a point, of which player 1 takes back more; only then has anything been settled."""

    players, actions = 2, 2

    def __init__(self) -> None:
        self.path: list[int] = []

    def to_move(self) -> int:
        return (0, 1, 0, sf.TERMINAL)[len(self.path)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        self.path.append(action)

    def returns(self) -> list[float]:
        taken = 0.5 if self.path[:1] == [1] else 0.0
        back = 0.9 if self.path[:2] == [1, 1] else 0.0
        return [taken - back, back - taken]

    def heuristic(self) -> list[float]:
        return self.returns()

    def quiet(self) -> bool:
        return len(self.path) != 1


def test_what_is_half_done_is_played_on_before_it_is_valued() -> None:
    state = sf.game(Loan).new()
    hasty = think("alphabeta:depth=1,quiet=false", state)
    assert (hasty.action, hasty.values[0]) == (1, 0.5)
    assert "quiet" not in hasty.steps
    careful = think("alphabeta:depth=1", state)
    assert (careful.action, careful.values[0]) == (0, 0.0)
    assert careful.steps["quiet"] == 2
    assert {view.action: view.value for view in sf.player("alphabeta:depth=1", state.game).rank(state)} == {
        0: 0.0,
        1: pytest.approx(-0.4),
    }
    assert think("greedy", state).action == 1  # the evaluation alone
    assert think("alphabeta:depth=1,quiet_plies=1", state).action == 0


class Safe(sf.Rules):
    """A safe with one of two numbers: leave it for 0.2, or open it, and then name the number for 1 or -1."""

    players, actions, outcomes = 2, 2, 2

    def __init__(self) -> None:
        self.number: int | None = None
        self.path: list[int] = []

    def to_move(self) -> int:
        if self.number is None:
            return sf.CHANCE
        return sf.TERMINAL if self.path[:1] == [0] or len(self.path) == 2 else 0

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        if self.number is None:
            self.number = action
        else:
            self.path.append(action)

    def returns(self) -> list[float]:
        value = 0.0
        if self.path[:1] == [0]:
            value = 0.2
        elif len(self.path) == 2:
            value = 1.0 if self.path[1] == self.number else -1.0
        return [value, -value]

    def heuristic(self) -> list[float]:
        return [0.0, 0.0]

    def quiet(self) -> bool:
        return False

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if viewer == 0 and self.number is not None:
            self.number = rng.randrange(2)

    def view(self, viewer: int) -> str:
        return f"{self.number if viewer == 1 else '?'} {self.path}"


@pytest.mark.parametrize("number", [0, 1])
def test_a_plan_does_not_know_the_world(number: int) -> None:
    state = sf.game(Safe).new()
    state.play(number)
    fused = think("alphabeta:depth=2,worlds=32,plans=false", state)
    assert (fused.action, fused.values[0]) == (1, 1.0)  # in every world it would name the right number
    planned = think("alphabeta:depth=2,worlds=16", state)
    assert planned.action == 0
    assert planned.values[0] == pytest.approx(0.2)
    opened = {view.action: view.value for view in planned.actions}[1]
    assert opened is not None
    assert 0 <= opened < 0.5  # the number that comes up more often among the worlds
    assert planned.steps["plans"] == 1
    assert planned.steps["worlds"] == 32
    assert not planned.proven


def test_plans_deepen_by_worlds_and_keep_the_limits() -> None:
    state = sf.game(Safe).new()
    state.play(0)
    hasty = think("alphabeta:nodes=1", state)
    assert (hasty.steps["worlds"], hasty.depth) == (8, 1)
    many = think("alphabeta:nodes=100000,most_worlds=100", state)
    assert many.steps["worlds"] == 64  # 8, 16, 32, 64
    assert many.depth == 4
    assert [len(view.pv) for view in sorted(many.actions, key=lambda view: view.action)] == [1, 2]
    assert think("alphabeta:depth=3", state).steps["worlds"] == 32
    assert many.action == 0
    assert think("alphabeta:nodes=100000,seed=3", state).nodes == think("alphabeta:nodes=100000,seed=3", state).nodes
    assert think("alphabeta:seconds=0.05,most_worlds=1000", state).action == 0


def test_plans_need_hidden_information_and_quiet() -> None:
    for spec, game in (
        ("alphabeta:plans=true", sf.game(Loan)),
        ("alphabeta:plans=true,quiet=false", sf.game(Safe)),
        ("alphabeta:plans=true,hidden=guess", sf.game(Safe)),
    ):
        with pytest.raises(ValueError, match="plans needs the step quiet, hidden information, and hidden=redeal"):
            sf.player(spec, game)
    assert not sf.player("alphabeta", sf.game(Loan)).steps["plans"]  # type: ignore[attr-defined]


def test_seconds_of_the_processor() -> None:
    state = sf.game("connect_four").new()
    assert 0.05 < think("alphabeta:seconds=0.1,processor=true", state).seconds < 0.2
