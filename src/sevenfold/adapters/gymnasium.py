"""A seat at a game as a Gymnasium environment: one agent plays, players of ours sit on the other seats.

    env = Env("connect_four", opponent="montecarlo:simulations=100", seat=0)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(3)

Importing this module registers the games of the house, so that `gymnasium.make("sevenfold/connect_four-v1")` finds
them; `gymnasium.make("sevenfold.adapters.gymnasium:sevenfold/connect_four-v1")` imports it by itself.

- observation: the planes, or the features of a game without planes; a Dict of `observation` (the planes) and
  `features` where a game has both.
- info["action_mask"]: 1 for each legal action, 0 for the others.
- reward: what the seat has won since its last decision; all rewards add up to its returns.
- an illegal action ends the episode with the game's worst return, and info["illegal"] says so. Gymnasium's tools play
  unmasked actions, so an exception would stop them, and anything milder would teach an agent to pass.
- a game that ends before the seat's first decision is not an episode: another one is started.

A room may say by `VECTOR_ENV` in its `__init__.py` where a vector environment of its own is ("module:class"), which
`gymnasium.make_vec` then takes; other games are vectorised by Gymnasium.
"""

import operator
from collections.abc import Sequence
from typing import Any

from sevenfold._core import CHANCE, Observation, State
from sevenfold.game import Game, game_names
from sevenfold.game import game as game_named
from sevenfold.players import Player, player

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    raise ImportError("this needs Gymnasium: pip install gymnasium.") from error

Seen = Any
"""An array, or arrays by name."""

RENDER_MODES = ["ansi", "human"]
DEALS = 1000
"""How many games may end before the seat's first decision until `reset` gives up."""


def observation_parts(game: Game) -> dict[str, spaces.Box]:
    """The parts of an observation by name; ValueError for a game without any."""
    if "observe" not in game.abilities:
        raise ValueError(f"an environment needs the ability 'observe', which {game.name} does not offer.")
    parts: dict[str, tuple[int, ...]] = {}
    if game.planes != (0, 0, 0):
        parts["observation"] = game.planes
    if game.features or not parts:
        parts["features" if parts else "observation"] = (game.features,)
    return {name: spaces.Box(-np.inf, np.inf, shape, np.float32) for name, shape in parts.items()}


def observed_parts(game: Game, observation: Observation) -> dict[str, Any]:
    """An observation by the same names."""
    if game.planes == (0, 0, 0):
        return {"observation": observation.features}
    parts = {"observation": observation.planes}
    return parts | {"features": observation.features} if game.features else parts


class Env(gymnasium.Env[Seen, Any]):
    """One seat at a game.

    game: a game or its name; `options` are the game's, where it is given by name.
    opponent: a player of ours for the other seats, such as "random" or "montecarlo:simulations=100", or a list of them,
        one for each other seat. `reset(seed=…)` makes them anew with seeds of their own.
    seat: the agent's player number.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012  as in the base class

    def __init__(
        self,
        game: Game | str,
        opponent: str | Sequence[str] = "random",
        seat: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = game_named(game, **options) if isinstance(game, str) else game
        if not 0 <= seat < self.game.players:
            raise ValueError(f"seat must be from 0 to {self.game.players - 1}, not {seat}.")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}.")
        others = self.game.players - 1
        self.opponents = [opponent] * others if isinstance(opponent, str) else list(opponent)
        if len(self.opponents) != others:
            raise ValueError(
                f"{self.game.name} has {others} other seats, but {len(self.opponents)} opponents were given."
            )
        self.seat = seat
        self.render_mode = render_mode
        parts = observation_parts(self.game)
        self.observation_space = spaces.Dict(dict(parts)) if len(parts) > 1 else parts["observation"]
        self.action_space = spaces.Discrete(self.game.actions)
        self._players = self._seated([0] * others)
        self._state: State | None = None
        self._got = 0.0
        self._over = False

    @property
    def state(self) -> State:
        """The position; change it by `step` only."""
        if self._state is None:
            raise gymnasium.error.ResetNeeded("call reset() before anything else.")
        return self._state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """A new game, up to the seat's first decision."""
        super().reset(seed=seed)
        if seed is not None or self._state is None:
            self._players = self._seated([int(self.np_random.integers(2**62)) for _ in self.opponents])
        for _ in range(DEALS):
            self._state = self.game.new(int(self.np_random.integers(2**62)))
            for opponent in self._players.values():
                opponent.reset()
            self._others_play()
            if not self._state.is_over:
                break
        else:
            raise ValueError(f"{DEALS} games of {self.game.name} ended before seat {self.seat} could move.")
        self._got = 0.0
        self._over = False
        if self.render_mode == "human":
            print(self._state.view(self.seat))
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Plays the agent's action, and then the others until it is the agent's turn again."""
        state = self.state
        if self._over:
            raise gymnasium.error.ResetNeeded("this episode is over: call reset().")
        illegal = operator.index(action) not in state.legal_actions()
        if not illegal:
            state.play(action)
            self._others_play()
        now = self.game.min_return if illegal else state.returns()[self.seat]
        reward, self._got = now - self._got, now
        self._over = illegal or state.is_over
        if self.render_mode == "human":
            print(state.view(self.seat))
        info = self._info() | ({"illegal": True} if illegal else {})
        return self._seen(), reward, self._over, False, info

    def render(self) -> Any:
        """The position as the seat sees it: returned in mode "ansi", printed by reset and step in mode "human"."""
        return self.state.view(self.seat) if self.render_mode == "ansi" else None

    def _seated(self, seeds: list[int]) -> dict[int, Player]:
        """The opponents by player number; a seed in a player's own text counts more than ours."""
        seats = [seat for seat in range(self.game.players) if seat != self.seat]
        return {
            seat: player(spec, self.game) if "seed=" in spec else player(spec, self.game, seed=seed)
            for seat, spec, seed in zip(seats, self.opponents, seeds, strict=True)
        }

    def _others_play(self) -> None:
        state = self.state
        while not state.is_over and state.to_move != self.seat:
            if state.to_move == CHANCE:
                state.play_chance()
            else:
                state.play(self._players[state.to_move].think(state).action)

    def _seen(self) -> Seen:
        parts = observed_parts(self.game, self.state.observe(self.seat))
        return parts if len(parts) > 1 else parts["observation"]

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.game.actions, np.int8)
        if not self._over:
            mask[self.state.legal_actions()] = 1
        return {"action_mask": mask}


def register() -> list[str]:
    """Registers every game of the house that can be observed; returns the ids. Done once by the import."""
    ids = []
    for name in game_names():
        game = game_named(name)
        if "observe" in game.abilities:
            ids.append(f"sevenfold/{name}-v{game.version}")
            if ids[-1] not in gymnasium.registry:
                many = getattr(game.room, "VECTOR_ENV", None)
                gymnasium.register(
                    ids[-1], entry_point=f"{__name__}:Env", vector_entry_point=many, kwargs={"game": name}
                )
    return ids


register()
