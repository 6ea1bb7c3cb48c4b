"""Our games as PettingZoo environments, in which agents move one after the other (AEC).

    from sevenfold.adapters import pettingzoo

    env = pettingzoo.env("connect_four", seed=1)
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated else env.action_space(agent).sample(observation["action_mask"]))

- agents are "player_0", "player_1" and so on; whoever is to move is selected, whatever the order.
- an observation is a Dict, as in PettingZoo's classic games: `observation` (the planes as float32[C,H,W], or the
  features of a game without planes), `features` where a game has both, and `action_mask`, which is all 0 for an agent
  that is not to move.
- chance moves by itself, out of the seed.
- rewards are what the returns change by, so that an agent's rewards add up to its returns.
- an illegal action is a ValueError and changes nothing.

Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning", 2021, arXiv:2009.14471.
"""

import random
from typing import Any

from sevenfold._core import CHANCE, State
from sevenfold.adapters.gymnasium import RENDER_MODES, observation_parts, observed_parts
from sevenfold.game import Game
from sevenfold.game import game as game_named

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo.utils.env import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("this needs PettingZoo: pip install pettingzoo gymnasium.") from error


def env(game: Game | str, seed: int | None = None, render_mode: str | None = None, **options: Any) -> AECEnv:
    """A game as an environment that complains where its methods are called in a wrong order.

    game: a game or its name; `options` are the game's, where it is given by name.
    seed: decides every `reset` that is called without one; None is another seed each time.
    """
    return OrderEnforcingWrapper(RawEnv(game, seed, render_mode, **options))


class RawEnv(AECEnv):  # type: ignore[misc]
    """The environment itself; `env` is the way to make one."""

    def __init__(
        self, game: Game | str, seed: int | None = None, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        self.game = game_named(game, **options) if isinstance(game, str) else game
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}.")
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{number}" for number in range(self.game.players)]
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        mask = spaces.Box(0, 1, (self.game.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({**observation_parts(self.game), "action_mask": mask}) for agent in self.possible_agents
        }
        self._random = random.Random(seed)
        self.position: State
        """The state of the game; change it by `step` only."""

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game, up to the first decision."""
        if seed is not None:
            self._random = random.Random(seed)
        self.position = self.game.new(self._random.getrandbits(63))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._got = [0.0] * self.game.players
        self._skip_agent_selection = None
        self._settle(self.possible_agents[0])
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Plays the selected agent's action. An illegal one is a ValueError and changes nothing."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} needs an action: None is for agents whose game is over.")
        mover = self.position.to_move
        self.position.play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._settle(self.possible_agents[(mover + 1) % self.game.players])
        returns = self.position.returns()
        self.rewards = {
            agent: now - before for agent, now, before in zip(self.possible_agents, returns, self._got, strict=True)
        }
        self._got = returns
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _settle(self, otherwise: str) -> None:
        """Plays chance, then selects the agent to move, or `otherwise` after the end."""
        while self.position.to_move == CHANCE:
            self.position.play_chance()
        over = self.position.is_over
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = otherwise if over else self.possible_agents[self.position.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        viewer = self.possible_agents.index(agent)
        mask = np.zeros(self.game.actions, np.int8)
        if self.position.to_move == viewer:
            mask[self.position.legal_actions()] = 1
        return {**observed_parts(self.game, self.position.observe(viewer)), "action_mask": mask}

    def render(self) -> str | None:
        """The whole position as text: returned in mode "ansi", printed in mode "human"."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
