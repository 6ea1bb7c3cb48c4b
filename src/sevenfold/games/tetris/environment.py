"""Many games of Tetris at once as one Gymnasium vector environment: an action is a placement, chosen in each game.

    envs = VectorEnv(256, attack="jstris", pieces=50)      # or gymnasium.make_vec("sevenfold/tetris-v1", num_envs=256)
    observations, infos = envs.reset(seed=1)
    actions = envs.sample_legal()
    observations, rewards, terminations, truncations, infos = envs.step(actions)

- Spaces are those of the single environment (sevenfold.adapters.gymnasium), batched: a Dict of `observation` (planes)
  and `features`; actions are the game's ids.
- infos["action_mask"][i] has a 1 for each legal action of game i, all 0 for one that is over; `lines` and `attack` are
  what the last placement cleared and sent. `_action_mask` and so on say which games they are told of: all of them.
- An action that is not legal ends its game with the worst return, and infos["illegal"] says so, as alone.
- `autoreset_mode` as Gymnasium defines it: `NEXT_STEP` (the default), `SAME_STEP` (with `final_obs` and `final_info`)
  or `DISABLED` (with `reset(options={"reset_mask": …})`).
- reset(seed=s) gives game i the seed s + i, reset(seed=[…]) each its own; a game does not depend on its neighbours.
- copy=False hands out views of the engine's memory, which the next step writes over.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sevenfold._core import _tetris as core  # type: ignore[attr-defined]
from sevenfold.adapters.gymnasium import observation_parts
from sevenfold.game import Game
from sevenfold.game import game as game_named

RESTARTS = {
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "never",
}
TOLD = ("lines", "attack", "illegal")
MAX_SEED = 2**62


class VectorEnv(GymnasiumVectorEnv[dict[str, NDArray[np.float32]], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games of Tetris; `options` are the game's, a preset included, where it is given by name."""

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "tetris",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = game_named(game, **options) if isinstance(game, str) else game
        if self.game.name != "tetris":
            raise ValueError(f"this environment is of tetris, not of {self.game.name}.")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be 'ansi' or None, not {render_mode!r}.")
        mode = AutoresetMode(autoreset_mode)
        self.num_envs, self.render_mode, self.copy = num_envs, render_mode, copy
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": mode}
        self.single_observation_space = spaces.Dict(dict(observation_parts(self.game)))
        self.single_action_space = spaces.Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = core.Batch(self.game.new(), [*range(num_envs)], masks=True, strict=False, restart=RESTARTS[mode])
        self._mode = mode
        self._all = np.ones(num_envs, np.bool_)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
        """New games: all, or those of options["reset_mask"]."""
        which = self._mask(options)
        if isinstance(seed, int):
            super().reset(seed=seed)
            seeds: Sequence[int | None] = [seed + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = [*seed]
            if len(seeds) != self.num_envs:
                raise ValueError(f"give a seed for each of the {self.num_envs} games, not {len(seeds)} of them.")
        else:
            fresh = None if self._begun else self.np_random.integers(MAX_SEED, size=self.num_envs).tolist()
            seeds = fresh or [None] * self.num_envs
        for i, one in enumerate(seeds):
            if one is not None and which[i]:
                if not 0 <= one < 2**64:
                    raise ValueError(f"a seed must be from 0 to 2^64 - 1, not {one}.")
                self._batch.seed(i, one)
        self._begun = True
        self._batch.reset(which)
        return self._seen(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[dict[str, NDArray[np.float32]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """A placement in each game. In mode NEXT_STEP, a game that was over begins anew instead."""
        if not self._begun:
            self.reset()
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.num_envs} whole numbers.")
        self._batch.step(np.clip(given, -1, self.game.actions).astype(np.int32))  # beyond them nothing is legal
        ended = self._batch.ended.astype(np.bool_)
        rewards = self._batch.rewards.astype(np.float64)
        infos = self._infos()
        if self._mode is AutoresetMode.SAME_STEP and ended.any():
            infos |= self._final(ended)
        return self._seen(), rewards, ended, np.zeros_like(ended), infos

    def sample_legal(self) -> NDArray[np.int32]:
        """A legal action of each game, drawn evenly; 0 where a game is over."""
        out = np.empty(self.num_envs, np.int32)
        self._batch.random(out)
        return out

    def legal_actions(self, game: int) -> list[int]:
        """The legal actions of one game."""
        first, last = self._batch.offsets[game : game + 2]
        return [int(action) for action in self._batch.actions[first:last]]

    def render(self) -> tuple[str, ...] | None:
        """Each game as text, in mode "ansi"."""
        return tuple(self._batch.text(i) for i in range(self.num_envs)) if self.render_mode == "ansi" else None

    def _mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        given = dict(options or {})
        which = given.pop("reset_mask", self._all)
        if given:
            raise ValueError(f"reset knows the option 'reset_mask', not {next(iter(given))!r}.")
        if not isinstance(which, np.ndarray) or which.shape != (self.num_envs,) or which.dtype != np.bool_:
            raise ValueError(f"reset_mask must be an array of {self.num_envs} truths.")
        return which

    def _seen(self) -> dict[str, NDArray[np.float32]]:
        parts = {"observation": self._batch.planes, "features": self._batch.features}
        return {name: part.copy() for name, part in parts.items()} if self.copy else parts

    def _infos(self) -> dict[str, Any]:
        mask = self._batch.masks
        infos = {"action_mask": mask.copy() if self.copy else mask}
        infos |= {name: getattr(self._batch, name).copy() for name in TOLD}
        return infos | {f"_{name}": self._all.copy() for name in infos}

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What the games that have just ended looked like at their end."""
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            last[i] = {
                "observation": self._batch.last_planes[i].copy(),
                "features": self._batch.last_features[i].copy(),
            }
        told: dict[str, Any] = {name: np.where(ended, getattr(self._batch, name), 0) for name in TOLD}
        told |= {f"_{name}": ended.copy() for name in TOLD}
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": told, "_final_info": ended.copy()}
