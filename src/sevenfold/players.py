"""Players by name: `sf.player("montecarlo:simulations=2000", game)`. A player thinks about a state and answers with a
SearchResult. A room adds its own by a dictionary `PLAYERS` of name to class in its `__init__.py`, and variants of a
player that only its game has by `UCT_PRESETS` (for `uct`, likewise for others): `sf.player("uct:preset=report", game)`.
"""

import dataclasses
import random
import time
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sevenfold import _core
from sevenfold._core import State
from sevenfold.game import Game
from sevenfold.options import plain, shown


@dataclass
class ActionView:
    """What a player thinks of one action; it leaves out what it does not know."""

    action: int
    visits: int = 0
    """How often it tried this action."""
    value: float | None = None
    """What it expects the player to move to get by it."""
    prior: float | None = None
    """How much it liked the action before it searched."""
    proven: bool = False
    """Whether the value is exact."""
    pv: list[int] = field(default_factory=list)
    """The actions it expects to follow, this one first."""
    score: int | None = None
    """On a scale of the player's own, where it has one (`perfect`: how soon the game is won)."""
    bound: str = "exact"
    """Whether the value is what it says, or the true one is at most ("upper") or at least ("lower") that."""


@dataclass
class SearchResult:
    """What a player thinks of a position."""

    action: int
    """The action it would play."""
    policy: list[float]
    """How much it likes each action of the game; adds up to 1."""
    values: list[float]
    """What it expects each player to get; empty where it expects nothing."""
    pv: list[int] = field(default_factory=list)
    """The actions it expects to follow, its own first."""
    visits: list[int] = field(default_factory=list)
    """How often it tried each action of the game."""
    proven: bool = False
    """Whether the values are exact."""
    nodes: int = 0
    seconds: float = 0.0
    actions: list[ActionView] = field(default_factory=list)
    """Its view of each legal action, where it has one."""
    memory: int = 0
    """Bytes that the search holds, where it knows."""
    depth: int = 0
    """Plies it looked ahead everywhere, where it goes by that."""
    method: str = ""
    """How it dealt with the number of players, where there is a choice."""
    steps: dict[str, int] = field(default_factory=dict)
    """How often each of its steps did something, where it counts."""

    def to_json(self) -> dict[str, Any]:
        """The same for programs; policy and visits by action, without the zeros."""
        out = dataclasses.asdict(self)
        for key in ("policy", "visits"):
            out[key] = {str(action): value for action, value in enumerate(out[key]) if value}
        return out


@dataclass
class Player:
    """What every player has: a game, options as fields, and `think`."""

    name: ClassVar[str]
    takes: ClassVar[str | None] = None
    """The option that is the whole text after the colon, for texts with signs of their own (`exec:COMMAND`); the
    others are then written before it, `exec[seconds=1]:COMMAND`."""
    game: Game = field(repr=False)
    seed: int = 0
    """Same seed, same thoughts."""
    progress: Callable[[int], None] | None = field(default=None, init=False, repr=False, compare=False)
    """Called now and then during long thoughts, with the work done so far; `perft.Enough` raised in it ends them."""

    def think(self, state: State) -> SearchResult:
        """The player's view of a position in which a player is to move."""
        raise NotImplementedError

    def rank(self, state: State) -> list[ActionView]:
        """Its view of every legal action, each with a value, the best first; for reviews (ranking.py says how)."""
        from sevenfold import ranking  # here, because it is itself made of this module's classes

        self._legal(state)
        return ranking.rank(self, state)

    def tree(self, state: State, path: Sequence[int]) -> _core.NodeView:
        """The node of its last search's tree to which these actions lead from the position thought about; not to be
        asked for while it thinks. ValueError where it keeps no tree."""
        raise ValueError(f"{self.name} keeps no search tree; look into one of uct or alphazero.")

    def reset(self) -> None:
        """Forgets the game played so far; called before a new one."""

    def prepare(self) -> None:
        """Gets ready for a game, before a clock runs: whatever takes long and happens once."""

    def _node(self, search: _core.Mcts | None, root: State | None, state: State, path: Sequence[int]) -> _core.NodeView:
        """`tree` for the players that have one: the search's root must be the position asked about."""
        if self.game.has_hidden_information:
            raise ValueError(f"{self.name} keeps no single search tree for {self.game.name}: it searches many worlds.")
        if search is None or root is None or root.hash() != state.hash():
            raise ValueError(f"{self.name} has not thought about this position; let it think, then look into its tree.")
        return search.view(path)

    def _legal(self, state: State) -> list[int]:
        if state.game != self.game:
            raise ValueError(f"this player plays {self.game.spec}, not {state.game.spec}.")
        if state.to_move < 0:
            raise ValueError("there is nothing to think about: no player is to move in this position.")
        return state.legal_actions()


@dataclass
class RandomPlayer(Player):
    """Plays any legal action, each equally likely."""

    name: ClassVar[str] = "random"

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def think(self, state: State) -> SearchResult:
        """A random action."""
        legal = self._legal(state)
        policy = [0.0] * self.game.actions
        for action in legal:
            policy[action] = 1 / len(legal)
        return SearchResult(self._random.choice(legal), policy, [0.0] * self.game.players, nodes=1)


@dataclass
class MonteCarloPlayer(Player):
    """Flat Monte-Carlo: tries every action, then plays random games to the end, and takes the best mean.

    No tree: it sees one ply ahead and judges by chance. Under hidden information every random game is played in a
    world of its own (`redeal`), so that it does not look into hidden hands.
    """

    name: ClassVar[str] = "montecarlo"
    simulations: int = 1000
    """Random games per decision, shared evenly by the actions."""

    def __post_init__(self) -> None:
        if not 1 <= self.simulations <= 10**9:
            raise ValueError(f"montecarlo: simulations must be from 1 to 1000000000, not {shown(self.simulations)}.")
        if self.game.has_hidden_information and "redeal" not in self.game.abilities:
            raise ValueError(f"montecarlo needs the ability 'redeal', which {self.game.name} does not offer.")
        self._random = random.Random(self.seed)

    def think(self, state: State) -> SearchResult:
        """The action with the best mean over random games."""
        start = time.perf_counter()
        legal = self._legal(state)
        mover = state.to_move
        games = max(1, self.simulations // len(legal))
        means = {action: self._mean(state, action, games) for action in legal}
        best = max(legal, key=lambda action: means[action][mover])
        policy, visits = [0.0] * self.game.actions, [0] * self.game.actions
        policy[best] = 1.0
        for action in legal:
            visits[action] = games
        seconds = time.perf_counter() - start
        views = [ActionView(action, games, means[action][mover], pv=[action]) for action in legal]
        nodes = games * len(legal)
        return SearchResult(
            best, policy, means[best], pv=[best], visits=visits, nodes=nodes, seconds=seconds, actions=views
        )

    def _mean(self, state: State, action: int, games: int) -> list[float]:
        if "redeal" not in self.game.abilities:
            child = state.copy()
            child.play(action)
            return child.playouts(games, self._random.getrandbits(63))
        total = [0.0] * self.game.players
        for _ in range(games):
            world = state.redeal(state.to_move, self._random.getrandbits(63))
            world.play(action)
            for player, value in enumerate(world.playouts(1, self._random.getrandbits(63))):
                total[player] += value / games
        return total


PLAYERS: dict[str, type[Player]] = {cls.name: cls for cls in (RandomPlayer, MonteCarloPlayer)}


def players(game: Game | None = None) -> dict[str, type[Player]]:
    """All players, and those that a game's room adds."""
    from sevenfold.alphabeta import (  # here, because they are made of this module's classes
        AlphaBetaPlayer,
        GreedyPlayer,
    )
    from sevenfold.alphazero import AlphaZeroPlayer, PolicyPlayer
    from sevenfold.belief import BeliefPlayer, PimcPlayer
    from sevenfold.engine import ExecPlayer
    from sevenfold.uct import UctPlayer

    house: tuple[type[Player], ...] = (
        GreedyPlayer,
        AlphaBetaPlayer,
        UctPlayer,
        AlphaZeroPlayer,
        PolicyPlayer,
        BeliefPlayer,
    )
    house += (PimcPlayer, ExecPlayer)
    found = PLAYERS | {cls.name: cls for cls in house}
    added = getattr(game.room, "PLAYERS", None) if game else None
    if not isinstance(added, dict):  # a user's file may well say PLAYERS = 2
        return found
    return found | {name: cls for name, cls in added.items() if isinstance(cls, type) and issubclass(cls, Player)}


def player(spec: str, game: Game, **options: Any) -> Player:
    """A player by name, with its options as keywords or in the text: "montecarlo:simulations=2000,seed=1"."""
    if not isinstance(spec, str):
        raise ValueError(f"a player is named by a text, not {shown(spec)}.")
    if not isinstance(game, Game):
        raise ValueError(f"a player needs the game it plays, from sf.game, not {shown(game)}.")
    name, _, text = spec.partition(":")
    found = players(game)
    whole, bracket, inside = name.partition("[")
    if whole in found and (takes := found[whole].takes):
        if bracket and not inside.endswith("]"):
            raise ValueError(f"write a player as {whole}[option=value,…]:{takes.upper()}, not {shown(spec)}.")
        options = ({takes: text} if text else {}) | options
        name, text = whole, inside[:-1]
    if name not in found:
        raise ValueError(f"there is no player {shown(name)}; the players of {game.name} are: {', '.join(found)}.")
    cls = found[name]
    fields = _options(cls)
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"write a player as name:option=value,…, not {shown(spec)}.")
        given[key.strip()] = value.strip()
    given |= options
    if "preset" in given and "preset" not in fields:
        cls = _preset(name, given.pop("preset"), game)
        name, fields = cls.name, _options(cls)
    for key, value in given.items():
        if key not in fields:
            raise ValueError(f"{name} has no option {shown(key)}; its options are: {', '.join(fields)}.")
        given[key] = _converted(name, key, value, fields[key])
    return cls(game, **given)


def _options(cls: type[Player]) -> "dict[str, dataclasses.Field[Any]]":
    return {f.name: f for f in dataclasses.fields(cls) if f.init and f.name != "game"}


def _preset(name: str, preset: object, game: Game) -> type[Player]:
    """The class behind a player's preset, which only the game's room can offer."""
    added = getattr(game.room, f"{name.upper()}_PRESETS", None)
    found = added if isinstance(added, dict) else {}
    cls = found.get(preset) if isinstance(preset, str) else None
    if isinstance(cls, type) and issubclass(cls, Player):
        return cls
    known = f"its presets are: {', '.join(map(str, found))}" if found else "it has none"
    raise ValueError(f"{name} has no preset {shown(preset)} for {game.name}; {known}.")


def _converted(name: str, key: str, value: Any, declared: "dataclasses.Field[Any]") -> Any:
    """A player's option in the type of its field; text (from a command line) is read as that type."""
    value = plain(value)
    if typing.get_origin(declared.type) is typing.Literal:
        choices = typing.get_args(declared.type)
        if value not in choices:
            raise ValueError(f"{name}: option {key} must be one of {', '.join(choices)}, not {shown(value)}.")
        return value
    wanted = str(declared.type)
    kinds: list[type] = [kind for kind in (bool, int, float, str) if kind.__name__ in wanted]
    if isinstance(declared.type, type):
        kinds = [declared.type]
    if "None" in wanted and (value is None or (value == "none" and str not in kinds)):
        return None
    for kind in kinds:
        if isinstance(value, str) and kind is bool and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if isinstance(value, bool) and kind is not bool:
            continue
        if isinstance(value, kind) or (kind is float and isinstance(value, int)):
            return kind(value)
        if isinstance(value, str) and kind is not bool:
            try:
                return kind(value)
            except ValueError:
                continue
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    raise ValueError(
        f"{name}: option {key} must be {' or '.join(names.get(k, str(k)) for k in kinds)}, not {shown(value)}."
    )
