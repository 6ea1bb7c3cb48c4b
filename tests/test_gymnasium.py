"""A seat at our games as a Gymnasium environment."""

import random
import warnings
from typing import Any

import numpy as np
import pytest

import sevenfold as sf

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from sevenfold.adapters.gymnasium import Env, register  # noqa: E402

IDS = register()


class Coins(sf.Rules):
    """Each turn a coin is tossed and one may take it; it may end before player 1 moves. Planes and features."""

    players, actions, outcomes, sum = 2, 2, 2, "any"
    planes, features = (1, 1, 2), 1
    min_return, max_return = -5, 20

    def __init__(self) -> None:
        self.tossing, self.ply, self.over, self.got = True, 0, False, [1, 1]

    def to_move(self) -> int:
        return sf.TERMINAL if self.over else sf.CHANCE if self.tossing else self.ply % 2

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.25), (1, 0.75)]

    def play(self, action: int) -> None:
        if self.tossing:
            self.over, self.tossing = action == 0 or self.ply > 8, False
        else:
            self.got[self.ply % 2] += action
            self.ply, self.tossing = self.ply + 1, True

    def returns(self) -> list[float]:
        return list(self.got)

    def observe(self, viewer: int) -> tuple[list[list[list[float]]], list[float]]:
        return [[self.got]], [viewer]


class Never(Coins):
    """Ends before anyone moves."""

    def __init__(self) -> None:
        super().__init__()
        self.over = True


def quietly_checked(env: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*A Box observation space (min|max)imum value is -?infinity")
        warnings.filterwarnings("ignore", message=".*Not able to test alternative render modes")
        check_env(env)


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_accepts_every_registered_game(name: str) -> None:
    quietly_checked(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("seat", [0, 1])
def test_gymnasium_accepts_a_game_with_chance_and_two_kinds_of_observation(seat: int) -> None:
    quietly_checked(Env(sf.game(Coins), seat=seat))


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", "backgammon", "2048"])
def test_gymnasium_accepts_games_of_openspiel(name: str) -> None:
    pytest.importorskip("pyspiel")
    game = sf.game(f"openspiel:{name}")
    for seat in range(game.players):
        quietly_checked(Env(game, seat=seat))


def test_ids_name_the_version_and_take_options() -> None:
    assert f"sevenfold/tic_tac_toe-v{sf.game('tic_tac_toe').version}" in IDS
    env = gymnasium.make("sevenfold/connect_four-v1", rows=4, cols=5, opponent="montecarlo:simulations=20", seat=1)
    assert env.action_space.n == 5
    observation, info = env.reset(seed=1)
    assert observation.shape == env.unwrapped.game.planes
    assert env.unwrapped.state.to_move == 1
    assert info["action_mask"].tolist() == [1] * 5


def episode(env: Env, rng: random.Random) -> float:
    """A random game of legal actions: what the seat was paid."""
    _, info = env.reset()
    total, over = 0.0, False
    while not over:
        assert env.state.to_move == env.seat
        legal = np.flatnonzero(info["action_mask"])
        assert sorted(legal) == sorted(env.state.legal_actions())
        observation, reward, over, truncated, info = env.step(rng.choice(list(legal)))
        assert env.observation_space.contains(observation)
        assert not truncated
        assert "illegal" not in info
        total += reward
    assert not info["action_mask"].any()
    return total


@pytest.mark.parametrize("which", ["tic_tac_toe", sf.game(Coins)], ids=str)
@pytest.mark.parametrize("seat", [0, 1])
def test_rewards_add_up_to_the_returns(which: Any, seat: int) -> None:
    env, rng, totals = Env(which, seat=seat), random.Random(1), set()
    env.reset(seed=1)
    for _ in range(20):
        total = episode(env, rng)
        assert env.state.is_over
        assert total == pytest.approx(env.state.returns()[seat])
        totals.add(total)
    assert len(totals) > 1


def test_an_illegal_action_ends_the_episode_with_the_worst_return() -> None:
    env = Env(sf.game(Coins))
    over = True
    for seed in range(20):
        env.reset(seed=seed)
        _, first, over, *_ = env.step(1)
        if not over:
            break
    assert not over
    assert first == 2  # the coin it began with, and the one it took
    before = str(env.state)
    observation, reward, terminated, truncated, info = env.step(7)
    assert first + reward == env.game.min_return == -5
    assert (terminated, truncated, info["illegal"]) == (True, False, True)
    assert not info["action_mask"].any()
    assert env.observation_space.contains(observation)
    assert str(env.state) == before
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    assert not env.step(0)[2] or env.state.is_over


def test_what_is_not_an_action_is_an_error() -> None:
    env = Env("tic_tac_toe")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    with pytest.raises(TypeError):
        env.step(2.5)


def test_the_seed_decides_chance_and_opponents() -> None:
    def histories(seed: int) -> list[list[int]]:
        env, out = Env("connect_four", opponent="random", seat=1), []
        for reset in (seed, None, None):
            _, info = env.reset(seed=reset)
            over = False
            while not over:
                _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            out.append(env.state.history)
        return out

    assert histories(1) == histories(1)
    assert histories(1) != histories(2)
    assert histories(1)[0] != histories(1)[1]


def test_a_game_that_ends_before_the_seat_moves_is_dealt_again() -> None:
    env = Env(sf.game(Coins), seat=1)
    for seed in range(50):
        env.reset(seed=seed)
        assert env.state.to_move == 1
    with pytest.raises(ValueError, match="games of never ended before seat 0 could move"):
        Env(sf.game(Never)).reset()


def test_the_opponents_play_their_best() -> None:
    """A seat that plays at random loses to flat Monte-Carlo, and beats nobody at random that often."""

    def mean(opponent: str) -> float:
        env, rng = Env("tic_tac_toe", opponent=opponent, seat=1), random.Random(1)
        env.reset(seed=1)
        return sum(episode(env, rng) for _ in range(30)) / 30

    assert mean("montecarlo:simulations=100") < -0.7
    assert mean("random") > -0.7


def test_both_kinds_of_observation() -> None:
    env = Env(sf.game(Coins), seat=1)
    observation, _ = env.reset(seed=1)
    assert set(observation) == {"observation", "features"}
    assert observation["observation"].shape == (1, 1, 2)
    assert observation["features"].tolist() == [1]


def test_rendering_shows_what_the_seat_sees(capsys: pytest.CaptureFixture[str]) -> None:
    env = Env("tic_tac_toe", render_mode="ansi")
    env.reset()
    assert env.render() == env.state.view(0)
    assert capsys.readouterr().out == ""
    shown = Env("tic_tac_toe", render_mode="human")
    shown.reset()
    shown.step(0)
    assert shown.render() is None
    assert capsys.readouterr().out.count("a b c") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seat": 2}, "seat must be from 0 to 1, not 2"),
        ({"seat": -1}, "seat must be from 0 to 1, not -1"),
        ({"render_mode": "rgb_array"}, "render_mode must be one of ansi, human"),
        ({"opponent": ["random", "random"]}, "has 1 other seats, but 2 opponents were given"),
        ({"opponent": "nobody"}, "there is no player 'nobody'"),
        ({"size": 3}, "has no option 'size'"),
    ],
)
def test_mistakes_are_told_in_a_sentence(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Env("tic_tac_toe", **options)
