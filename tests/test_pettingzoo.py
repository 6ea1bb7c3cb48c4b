"""Our games as PettingZoo environments."""

import random
import warnings
from typing import Any

import numpy as np
import pytest

import sevenfold as sf

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from sevenfold.adapters import pettingzoo


class Dice(sf.Rules):
    """Whoever is to move rolls or stops; a roll is paid at once, a 1 to the other player. Planes and features."""

    players, actions, outcomes, sum = 2, 2, 3, "any"
    planes, features = (1, 2, 2), 3
    min_return, max_return = -1, 40

    def __init__(self) -> None:
        self.turn, self.rolling, self.left, self.got = 0, True, 6, [0, 0]

    def to_move(self) -> int:
        return sf.CHANCE if self.rolling else self.turn if self.left else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1] if self.left > 1 else [1]

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.25), (1, 0.25), (2, 0.5)]

    def play(self, action: int) -> None:
        if self.rolling:
            self.got[self.turn if action else 1 - self.turn] += action + 1
            self.rolling = False
        else:
            self.left -= 1
            self.rolling = action == 0
            self.turn = self.turn if action == 0 else 1 - self.turn

    def returns(self) -> list[float]:
        return list(self.got)

    def observe(self, viewer: int) -> tuple[list[list[list[float]]], list[float]]:
        return [[[self.left, self.turn], [viewer, 1]]], [*self.got, viewer]


class Blind(sf.Rules):
    """A game that cannot be observed."""

    players, actions = 1, 1

    def to_move(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        pass

    def returns(self) -> list[float]:
        return [0]


GAMES = ["tic_tac_toe", "connect_four", sf.game(Dice)]
OPENSPIEL = ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "backgammon", "2048"]


def game_of(which: Any) -> sf.Game:
    return sf.game(which) if isinstance(which, str) else which


def all_games() -> list[Any]:
    marks = pytest.mark.skipif(not _has_openspiel(), reason="OpenSpiel is not installed")
    return GAMES + [pytest.param(f"openspiel:{name}", marks=marks) for name in OPENSPIEL]


def _has_openspiel() -> bool:
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("which", all_games(), ids=str)
def test_pettingzoo_accepts_it(which: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in (  # api_test knows the classic games, which have the same form, by name
            "Observation space for each agent probably should be",
            "Observation is not a NumPy array",
            "Observation numpy array is all zeros",  # an empty board
        ):
            warnings.filterwarnings("ignore", message=message)
        api_test(pettingzoo.env(game_of(which), seed=1), num_cycles=50)
        seed_test(lambda: pettingzoo.env(game_of(which)), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


def play(env: Any, rng: random.Random) -> tuple[dict[str, float], list[int]]:
    """A random game: what each agent was paid, by `last`, and the history."""
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        paid[agent] += reward
        if terminated:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        assert sorted(legal) == sorted(env.unwrapped.position.legal_actions())
        assert agent == f"player_{env.unwrapped.position.to_move}"
        env.step(rng.choice(list(legal)))
    return paid, env.unwrapped.position.history


@pytest.mark.parametrize("which", all_games(), ids=str)
def test_rewards_add_up_to_the_returns(which: Any) -> None:
    env, rng = pettingzoo.env(game_of(which), seed=1), random.Random(1)
    for _ in range(10):
        env.reset()
        paid, _ = play(env, rng)
        assert env.agents == []
        assert env.unwrapped.position.is_over
        assert list(paid.values()) == pytest.approx(env.unwrapped.position.returns())
        assert "openspiel:kuhn" not in str(which) or any(paid.values())


def test_the_seed_decides_chance() -> None:
    def histories(*resets: int | None, seed: int | None = None) -> list[list[int]]:
        env = pettingzoo.env(sf.game(Dice), seed=seed)
        out = []
        for reset in resets:
            env.reset(seed=reset)
            out.append(play(env, random.Random(1))[1])
        return out

    assert histories(None, None, None, seed=5) == histories(None, None, None, seed=5)
    assert histories(None, None, None, seed=5) != histories(None, None, None, seed=6)
    again = histories(7, None, 7, None)
    assert again[:2] == again[2:]
    assert len({tuple(history) for history in histories(*[None] * 20, seed=5)}) > 5


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = pettingzoo.env("tic_tac_toe")
    env.reset()
    env.step(4)
    for wrong in (4, 9, -1, "a", None, 2.5):
        before = (str(env.unwrapped.position), env.agent_selection, dict(env.rewards), list(env.agents))
        with pytest.raises(ValueError, match="action"):
            env.step(wrong)
        assert before == (str(env.unwrapped.position), env.agent_selection, dict(env.rewards), list(env.agents))
    env.step(0)
    assert env.unwrapped.position.history == [4, 0]


def test_the_loser_is_told() -> None:
    env = pettingzoo.env("tic_tac_toe")
    env.reset()
    for cell in (0, 3, 1, 4, 2):
        env.step(cell)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    seen = {}
    for agent in env.agent_iter():
        seen[agent] = env.last()[1:4]
        env.step(None)
    assert seen == {"player_0": (1.0, True, False), "player_1": (-1.0, True, False)}


def test_observations_are_planes_features_and_a_mask() -> None:
    env = pettingzoo.env("connect_four")
    env.reset()
    env.step(3)
    mover, other = env.observe("player_1"), env.observe("player_0")
    assert set(mover) == {"observation", "action_mask"}
    assert mover["observation"].shape == env.unwrapped.game.planes
    assert mover["action_mask"].tolist() == [1] * 7
    assert other["action_mask"].tolist() == [0] * 7
    np.testing.assert_array_equal(other["observation"], env.unwrapped.position.observe(0).planes)
    both = pettingzoo.env(sf.game(Dice), seed=1)
    both.reset()
    seen = both.observe("player_1")
    assert set(seen) == {"observation", "features", "action_mask"}
    assert seen["observation"].shape == (1, 2, 2)
    assert seen["features"].tolist()[2] == 1
    assert both.observation_space("player_1").contains(seen)


def test_options_render_modes_and_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.env("connect_four", rows=4, cols=5, render_mode="ansi")
    env.reset()
    assert env.action_space("player_0").n == 5
    assert env.render() == str(env.unwrapped.position)
    shown = pettingzoo.env("tic_tac_toe", render_mode="human")
    shown.reset()
    shown.step(0)
    assert shown.render() is None
    assert capsys.readouterr().out.count("a b c") == 3
    with pytest.raises(ValueError, match="render_mode must be one of ansi, human, not 'rgb_array'"):
        pettingzoo.env("tic_tac_toe", render_mode="rgb_array")
    with pytest.raises(ValueError, match="needs the ability 'observe', which blind does not offer"):
        pettingzoo.env(sf.game(Blind))
