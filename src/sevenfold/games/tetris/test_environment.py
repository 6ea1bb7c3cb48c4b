"""Many games of Tetris as Gymnasium's vector environment, and the batch under it."""

from typing import Any

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import _core

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from sevenfold.adapters.gymnasium import Env  # noqa: E402
from sevenfold.games.tetris.environment import VectorEnv  # noqa: E402

core = _core._tetris  # type: ignore[attr-defined]
SHORT = {"pieces": 6}


def same(one: Any, other: Any) -> bool:
    return all(np.array_equal(one[key], other[key]) for key in ("observation", "features"))


def test_gymnasium_makes_it_by_name_and_its_spaces_hold_what_it_tells() -> None:
    envs = gymnasium.make_vec("sevenfold.adapters.gymnasium:sevenfold/tetris-v1", num_envs=5, pieces=7)
    assert isinstance(envs.unwrapped, VectorEnv)
    alone = Env("tetris", pieces=7)
    assert envs.single_observation_space == alone.observation_space
    assert envs.single_action_space == alone.action_space
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, infos = envs.reset(seed=3)
    assert observations in envs.observation_space
    assert infos["action_mask"].shape == (5, 5760)
    actions = envs.unwrapped.sample_legal()
    observations, rewards, ended, cut, infos = envs.step(actions)
    assert observations in envs.observation_space
    assert (rewards.dtype, ended.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
    assert all(array.shape == (5,) for array in (rewards, ended, cut))
    assert all(f"_{key}" in infos for key in ("action_mask", "lines", "attack", "illegal"))


@pytest.mark.filterwarnings("ignore:.*alternative render modes")
def test_gymnasium_accepts_the_single_one() -> None:
    with pytest.warns(UserWarning, match="infinity"):
        check_env(Env("tetris", pieces=5))


def test_masks_are_the_legal_actions() -> None:
    envs = VectorEnv(4, **SHORT)
    _, infos = envs.reset(seed=1)
    for _ in range(10):
        for i in range(4):
            assert np.flatnonzero(infos["action_mask"][i]).tolist() == sorted(envs.legal_actions(i))
        infos = envs.step(envs.sample_legal())[4]


def test_a_game_depends_on_its_seed_and_not_on_its_neighbours() -> None:
    many, other, one = VectorEnv(3, **SHORT), VectorEnv(2, **SHORT), VectorEnv(1, **SHORT)
    seen, _ = many.reset(seed=10)
    again, _ = other.reset(seed=[50, 12])
    alone, _ = one.reset(seed=12)
    for _ in range(15):
        assert np.array_equal(seen["features"][2], alone["features"][0])
        assert np.array_equal(again["observation"][1], alone["observation"][0])
        actions = [envs.legal_actions(len(envs.sample_legal()) - 1)[-1:] or [0] for envs in (many, other, one)]
        assert actions[0] == actions[1] == actions[2]
        seen = many.step(np.array([*many.sample_legal()[:2], *actions[0]]))[0]
        again = other.step(np.array([other.sample_legal()[0], *actions[1]]))[0]
        alone = one.step(np.array(actions[2]))[0]
    first, _ = many.reset(seed=10)
    second, _ = VectorEnv(3, **SHORT).reset(seed=10)
    assert same(first, second)
    third, _ = many.reset()  # the numbers go on
    assert not same(first, third)


def test_next_step_begins_anew_one_step_later() -> None:
    envs = VectorEnv(2, **SHORT)
    envs.reset(seed=1)
    for _ in range(5):
        assert not envs.step(envs.sample_legal())[2].any()
    seen, _, ended, _, infos = envs.step(envs.sample_legal())
    assert ended.all()
    assert seen["observation"][0, 0].sum() > 0  # the last position
    assert not infos["action_mask"].any()
    seen, rewards, ended, _, infos = envs.step(np.zeros(2, np.int64))  # whatever the action
    assert not ended.any()
    assert not rewards.any()
    assert seen["observation"].sum() == 0
    assert infos["action_mask"].any(axis=1).all()


def test_same_step_keeps_the_last_position_apart() -> None:
    envs, late = VectorEnv(2, autoreset_mode="SameStep", **SHORT), VectorEnv(2, **SHORT)
    envs.reset(seed=1)
    late.reset(seed=1)
    for _ in range(5):
        actions = envs.sample_legal()
        assert "final_obs" not in envs.step(actions)[4]
        late.step(actions)
    actions = envs.sample_legal()
    seen, rewards, ended, _, infos = envs.step(actions)
    last, others, *_ = late.step(actions)
    assert ended.all()
    assert infos["_final_obs"].all()
    assert seen["observation"].sum() == 0
    assert np.array_equal(infos["final_obs"][1]["observation"], last["observation"][1])
    assert np.array_equal(infos["final_obs"][1]["features"], last["features"][1])
    assert rewards.tolist() == others.tolist()
    assert infos["final_info"]["_lines"].all()
    assert infos["action_mask"].any(axis=1).all()


def test_disabled_waits_for_a_reset() -> None:
    envs = VectorEnv(3, autoreset_mode=AutoresetMode.DISABLED, **SHORT)
    envs.reset(seed=1)
    for _ in range(6):
        seen, _, ended, _, _ = envs.step(envs.sample_legal())
    assert ended.all()
    with pytest.raises(ValueError, match="over: reset it"):
        envs.step(np.zeros(3, np.int64))
    which = np.array([False, True, False])
    fresh, infos = envs.reset(options={"reset_mask": which})
    assert fresh["observation"][1].sum() == 0
    assert np.array_equal(fresh["observation"][[0, 2]], seen["observation"][[0, 2]])
    assert infos["action_mask"].any(axis=1).tolist() == which.tolist()


def test_an_illegal_action_ends_its_game_with_the_worst_return() -> None:
    envs = VectorEnv(2, objective="pieces", **SHORT)
    envs.reset(seed=1)
    envs.step(envs.sample_legal())
    for wrong in (2**40, -1, 5759):
        _, rewards, ended, _, infos = envs.step(np.array([envs.sample_legal()[0], wrong]))
        assert ended.tolist() == [False, True]
        assert infos["illegal"].tolist() == [0, 1]
        assert rewards[0] == 1
        assert rewards[1] <= 0
        envs.reset(seed=1)


def test_rewards_add_up_to_the_returns_of_the_same_game_alone() -> None:
    game = sf.game("tetris", objective="lines", pieces=60, height=20)
    envs = VectorEnv(1, game, copy=False)
    seen, _ = envs.reset(seed=5)
    total = 0.0
    for _ in range(60):
        actions = min(envs.legal_actions(0), key=lambda action: (action // 10 % 24, action))
        _, rewards, ended, _, infos = envs.step(np.array([actions]))
        assert rewards[0] == infos["lines"][0]
        total += rewards[0]
        if ended[0]:
            break
    assert total > 0
    assert np.shares_memory(seen["observation"], envs._batch.planes)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "connect_four"}, "of tetris, not of connect_four"),
        ({"num_envs": 0}, "1 to 65536 games"),
        ({"render_mode": "human"}, "render_mode"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_what_cannot_be_made_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        VectorEnv(**({"num_envs": 2} | wrong))


def test_what_cannot_be_played_is_refused() -> None:
    envs = VectorEnv(2, render_mode="ansi", **SHORT)
    for actions in (np.zeros(3, np.int64), np.zeros(2, np.float64), np.zeros((2, 1), np.int64)):
        with pytest.raises(ValueError, match="2 whole numbers"):
            envs.step(actions)
    with pytest.raises(ValueError, match="a seed for each"):
        envs.reset(seed=[1])
    with pytest.raises(ValueError, match="a seed must be"):
        envs.reset(seed=[1, -1])
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="knows the option"):
        envs.reset(options={"level": 3})
    texts = envs.render()
    assert texts is not None
    assert len(texts) == 2
    assert "queue" in texts[0] or "hold" in texts[0].lower()


def test_a_view_of_the_batch_outlives_its_steps() -> None:
    """Memory that Python looks at is not moved: the list of actions grows and shrinks in one place."""
    batch = core.Batch(sf.game("tetris").new(), [*range(16)])
    first, out = batch.actions, np.empty(16, np.int32)
    for _ in range(40):
        batch.random(out)
        batch.step(out)
    assert np.shares_memory(first, batch.actions)
