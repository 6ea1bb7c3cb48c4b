"""What a training run does, as data: every number has a name, a default and a range.

Presets are TOML: general ones here in presets.toml, a game's own in its room's presets.toml, which come first.
"""

import dataclasses
import random
import tomllib
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sevenfold.game import Game, game
from sevenfold.nets import Architecture
from sevenfold.nets import preset as architecture
from sevenfold.options import shown

FORMAT = 1


def ranged(default: Any, low: float, high: float, **more: Any) -> Any:
    """A field with its range."""
    return field(default=default, metadata={"range": (low, high)} | more)


@dataclass(frozen=True)
class SelfPlay:
    """How games are played (cpp/selfplay/pool.h numbers the steps)."""

    threads: int = ranged(1, 1, 64)
    """Of each actor: while one waits for its network, the others walk their trees."""
    slots: int = ranged(64, 1, 4096)
    """Games side by side in each thread; one batch for the network comes out of all of them."""
    leaves: int = ranged(1, 1, 256)
    """Positions per game and batch; more than one takes virtual loss."""
    root: Literal["gumbel", "puct"] = "gumbel"
    """How the root's action is found: Gumbel with sequential halving, or PUCT with noise and temperature."""
    simulations: int = ranged(32, 1, 100_000)
    full_share: float = ranged(1.0, 0, 1)
    """Playout cap: the share of searches that are full, and taught."""
    fast_simulations: int = ranged(8, 1, 100_000)
    considered: int = ranged(16, 1, 4096)
    """Gumbel: actions of the root that are looked at."""
    visit_offset: float = ranged(50.0, 0, 1e6)
    value_scale: float = ranged(1.0, 0, 1e3)
    c_puct: float = ranged(1.5, 0, 100)
    growth: float = ranged(0.0, 0, 1e9)
    """The base of c_puct's logarithmic growth (AlphaZero: 19652); 0: none."""
    fpu: float = ranged(0.2, 0, 2)
    noise_alpha: float = ranged(0.3, 1e-3, 1e3)
    noise_share: float = ranged(0.25, 0, 1)
    temperature: float = ranged(1.0, 0, 100)
    temperature_moves: int = ranged(10, 0, 100_000)
    """Steps of the game in which the temperature applies, those of chance among them; after them final_temperature."""
    final_temperature: float = ranged(0.0, 0, 100)
    rollouts: float = ranged(0.0, 0, 1)
    """AlphaGo's lambda: the share of rollouts in the value of a leaf."""
    rollout_count: int = ranged(1, 1, 10_000)
    """As many of them per leaf."""
    expand_at: int = ranged(0, 0, 1_000_000)
    """AlphaGo's way, with rollouts above 0 and root=puct: new positions are valued by rollouts alone, and the net is
    asked about those visited so often; c_puct is then the constant of UCB1. 0: about every new position."""
    solver: bool = True
    reuse: bool = False
    random_plies: int = ranged(0, 0, 10_000)
    random_share: float = ranged(0.0, 0, 1)
    """Openings: the share of games that begin with 1 .. random_plies random moves."""
    quiet: float = ranged(1.0, 0, 1)
    """Openings: how far from 0 the value after one may be, as proven or as the net sees it, in [-1, 1]; those that lead
    further are drawn again, so that games are still open when they begin. 1: any will do."""
    resign: float = ranged(-1.0, -1, 1)
    """Players whose value is below this resign; -1: nobody does."""
    play_on_share: float = ranged(0.1, 0, 1)
    stop_proven: float = ranged(0.0, 0, 1)
    """The share of games that end where they are proven."""
    move_cap: int = ranged(0, 0, 100_000)
    endgame: int = ranged(0, 0, 100_000_000)
    """Nodes that the game's own solver, or alpha-beta, may spend on proving a position's actions; 0: none."""
    settle: int = ranged(0, 0, 100_000_000)
    """Nodes that it may spend on every new position of a tree, which then needs no evaluation; 0: none."""
    belief: bool = True
    """Under hidden information: a tree of the mover's own decisions, by PUCT (docs/methods/belief.md); else sampled
    worlds are searched as if everybody saw them."""
    opponents: Literal["net", "policy", "uniform", "puct"] = "net"
    """With belief: how the others act in a search."""
    weigh: Literal["off", "policy", "net"] = "off"
    """With belief: whether worlds count by how likely the others' actions so far are in them, and by what policy."""
    weighed: int = ranged(64, 1, 65536)
    """With weigh: as many worlds are weighed."""
    worlds: int = ranged(4, 1, 1000)
    """Without belief: sampled worlds per search."""
    value_mix: float = ranged(0.0, 0, 1)
    """The share of the search's own value in value targets that are not exact."""
    cache: int = ranged(50_000, 0, 100_000_000)
    """Evaluations kept per actor, for positions that come again; 0: none."""
    memory: int = ranged(16, 1, 4096)
    """Megabytes for each tree, at most."""
    precision: Literal["fp32", "int8"] = "fp32"
    """Of the network that actors play with."""


@dataclass(frozen=True)
class Replaying:
    """Which positions are learnt from."""

    window: int = ranged(500_000, 1, 1_000_000_000)
    """The most positions that are kept, the newest."""
    window_start: int = ranged(50_000, 1, 1_000_000_000)
    """The least, as long as there are that many …"""
    window_share: float = ranged(0.6, 0, 1)
    """… and in between this share of all that have been played."""
    symmetries: bool = True
    """Whether positions are shown through a random symmetry of the game, or one of its looks (cpp/game/rules.h)."""
    surprise: float = ranged(0.0, 0, 1)
    """The share of samples drawn by how much the search surprised the network."""
    store: Literal["actions", "planes"] = "actions"
    """Encode positions when they are drawn, or once, when they come in; the first is smaller, the second faster for
    long games."""


@dataclass(frozen=True)
class Learning:
    """How the network learns: loss = value_weight (z - v)^2 - policy_weight pi log p + l2 |theta|^2."""

    batch: int = ranged(512, 1, 1_000_000)
    passes: float = ranged(4.0, 0.01, 1000)
    """How often a position is learnt from, on average."""
    optimiser: Literal["adamw", "sgd"] = "adamw"
    rate: float = ranged(2e-3, 1e-9, 10)
    final_rate: float = ranged(1e-4, 0, 10)
    """The learning rate falls from rate to this along a cosine over the whole run."""
    warmup: int = ranged(100, 0, 1_000_000)
    """Steps in which it first rises from 0."""
    momentum: float = ranged(0.9, 0, 1)
    """Of SGD."""
    l2: float = ranged(1e-4, 0, 1)
    value_weight: float = ranged(1.0, 0, 1000)
    policy_weight: float = ranged(1.0, 0, 1000)
    auxiliary_weight: float = ranged(0.15, 0, 1000)
    """Of the net's auxiliary heads, which learn further lessons (lessons.py)."""
    clip: float = ranged(1.0, 0, 1e6)
    """The longest gradient; 0: any."""
    ema: float = ranged(0.99, 0, 0.999999)
    """Actors play with the mean of the weights, to which each step adds 1 - ema of itself; 0: with the weights."""
    bfloat16: bool = True
    """Layers in 16 bits, where the processor multiplies them (others would be slower); by a critic (gradient.estimate)
    never."""
    threads: int = ranged(1, 1, 256)
    """More than one pays only where nothing else runs: two on a busy machine are slower than one."""
    device: str = "cpu"
    warm_games: int = ranged(0, 0, 10_000_000)
    """Games that are played before the first step."""


@dataclass(frozen=True)
class Gradient:
    """method=policy_gradient: the net learns from what its own choices led to, without a search (gradient.py)."""

    estimate: Literal["critic", "trials"] = "critic"
    """What an action is worth: what the game brought more than a critic foresaw; or, where every legal action of a
    decision is tried to the end with the same dice, what each of them brought."""
    unit: float = ranged(10.0, 1e-6, 1e9)
    """trials: the returns that are 1 in the net's logits, so that it doubts between actions that differ by less; and"""
    most: float = ranged(20.0, 1e-3, 1e9)
    """the most units that an action counts above or below the mean of its decision."""
    direct: float = ranged(0.0, 0, 1000)
    """trials: beside the least squares, the weight of what the policy itself brought, p over its actions: it cares for
    the difference between good actions, and not for how bad the bad ones are;"""
    keen: float = ranged(3.0, 0.1, 100)
    """direct: … where p is the net's policy to this power, so that its logits may still be returns."""
    share: float = ranged(1.0, 0, 1)
    """trials: of the decisions."""
    goes_on: str = ""
    """trials: a habit that plays on for the net after a tried action; empty: the net itself."""
    worlds: int = ranged(0, 0, 65536)
    """trials: actions are tried in so many worlds that the mover believes in, and what they bring on average counts, so
    that less is luck (needs the abilities stir, odds and rewind); 0: in the true world;"""
    stir: int = ranged(16, 1, 65536)
    """worlds: … found by so many small changes for each;"""
    kinds: float = ranged(0.2, 0, 0.99)
    """worlds: … where so likely at first another player is one of the game's simple players, or random."""
    tables: int = ranged(1024, 1, 1_000_000)
    """Games side by side, between two updates of the net."""
    epochs: int = ranged(2, 1, 100)
    """How often each decision is learnt from; minibatches are of learning.batch."""
    clip: float = ranged(0.2, 0.01, 10)
    """How far an update may move the probability of an action."""
    trace: float = ranged(0.9, 0, 1)
    """Lambda: 1 trusts results alone, 0 the critic's next value alone."""
    entropy: float = ranged(0.01, 0, 10)
    final_entropy: float = ranged(0.002, 0, 10)
    """The weight of the policy's entropy, at the beginning and at the end of the run."""
    oracle: bool = True
    """Whether the critic sees what all seats together see; it never plays."""
    imitate: str = ""
    """A habit whose choices the net learns first, before the first checkpoint; empty: it starts from nothing."""
    imitate_games: int = ranged(20_000, 1, 100_000_000)
    league: tuple[str, ...] = ()
    """Simple players of the game (ability habit, or random) that sit in some seats …"""
    league_share: float = ranged(0.0, 0, 1)
    """… of this share of the tables;"""
    alone: float = ranged(0.5, 0, 1)
    """At this share of them the net has one seat, as it is measured; at the others any number of seats."""
    past_share: float = ranged(0.0, 0, 1)
    """at this share of the tables some seats have an older self, another one in each iteration;"""
    against: str = ""
    """a net (a file, a run's folder, or `shipped`) that has all seats but one at all other tables: the run then finds a
    best response to it. Empty: the net itself has them."""

    @property
    def has_critic(self) -> bool:
        """Whether a critic learns beside the net."""
        return self.oracle and self.estimate == "critic"


@dataclass(frozen=True)
class Supervised:
    """A start from game records, before the first self-play (records.py): the policy learns the moves that were played,
    the value how the games ended."""

    records: str = ""
    """A file of game records, as `sevenfold match --record` writes it; empty: a start from nothing."""
    required: bool = False
    """Whether a run without records is refused."""
    passes: float = ranged(4.0, 0.01, 1000)
    """How often a position is learnt from, on average; the learning rate falls from rate to final_rate meanwhile."""
    held_out: float = ranged(0.1, 0, 0.9)
    """The share of games that are not learnt from, but say how well the net foresees them."""


@dataclass(frozen=True)
class Gate:
    """Whether a network must beat the best one so far before actors use it."""

    games: int = ranged(0, 0, 1_000_000)
    """At most; 0: no gate."""
    threshold: float = ranged(0.55, 0, 1)
    """The score from which on it takes over; a draw counts half."""
    simulations: int = ranged(32, 1, 100_000)
    opening_plies: int = ranged(4, 0, 1000)
    """Random plies that begin each pair of games: without them, two nets play the same game again and again."""
    sprt: bool = True
    """Stop when a sequential test is sure."""


@dataclass(frozen=True)
class Rating:
    """Matches against fixed opponents, that make the curve of strength."""

    every: int = ranged(0, 0, 1_000_000)
    """Iterations between them; 0: none."""
    games: int = ranged(20, 2, 100_000)
    simulations: int = ranged(64, 1, 100_000)
    opening_plies: int = ranged(4, 0, 1000)
    anchors: tuple[str, ...] = ("random", "uct:simulations=1000")
    selves: int = ranged(1, 0, 100)
    """Older selves to play against: so many, spread over the run."""


@dataclass(frozen=True)
class Config:
    """A training run."""

    game: str
    """The game's spec, as `sf.game` reads it."""
    method: Literal["alphazero", "policy_gradient"] = "alphazero"
    """alphazero: self-play by search, and learning what it found; policy_gradient: see gradient."""
    net: Architecture = field(default_factory=lambda: architecture("laptop"))
    from_net: str = ""
    """A net to start from: a file, a run's folder, a model of the room, or `shipped`; layers of the same name and shape
    are taken over, the others start afresh. Empty: all do."""
    variants: str = ""
    """A preset of the game's room that draws options (connect_four: saiblo); every game is played on one of them."""
    variant_count: int = ranged(128, 1, 10_000)
    variant_sizes: int = ranged(4, 1, 1000)
    """Board sizes per iteration."""
    varied: tuple[str, ...] = ()
    """The options that variants change; the net then knows all their values."""
    iterations: int = ranged(20, 0, 1_000_000)
    """0: no self-play; the net learns from game records alone."""
    minutes: float = ranged(0.0, 0, 1e6)
    """A run ends after this time too; 0: by iterations alone."""
    games: int = ranged(256, 1, 10_000_000)
    """Per iteration."""
    actors: int = ranged(2, 1, 1024)
    overlap: bool = True
    """Whether the next games are played while the net learns from the last: all cores are busy, and actors are one net
    behind."""
    seed: int = ranged(0, 0, 2**62)
    keep: int = ranged(3, 1, 1000)
    """Checkpoints that are kept, the newest; and every 10th."""
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    replay: Replaying = field(default_factory=Replaying)
    learning: Learning = field(default_factory=Learning)
    gradient: Gradient = field(default_factory=Gradient)
    supervised: Supervised = field(default_factory=Supervised)
    gate: Gate = field(default_factory=Gate)
    rating: Rating = field(default_factory=Rating)
    preset: str = ""
    """What it was made from, before settings were changed."""

    def __post_init__(self) -> None:
        _check(self, "config")
        play = self.selfplay
        if play.expand_at and (play.root != "puct" or not play.rollouts):
            raise ValueError("config: selfplay.expand_at needs selfplay.root=puct and selfplay.rollouts above 0.")
        if "others" in self.net.auxiliary and self.method != "policy_gradient":
            raise ValueError("config: the auxiliary head others goes with method=policy_gradient.")

    def setups(self, rules: Game | None = None) -> list[Game]:
        """The games that are played: the one, or its variants."""
        rules = rules or game(self.game)
        if not self.variants:
            return [rules]
        drawn = getattr(rules.room, "PRESETS", {}).get(self.variants)
        if not callable(drawn):
            raise ValueError(f"{rules.name} has no variants {shown(self.variants)}.")
        rng = random.Random(f"variants-{self.seed}")
        base = {key: value for key, value in rules.options.items() if key not in self.varied}
        return [game(rules.name, **(base | drawn(rng))) for _ in range(self.variant_count)]

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {"format": FORMAT} | dataclasses.asdict(self) | {"net": self.net.to_json()}

    @classmethod
    def from_json(cls, data: object) -> "Config":
        """From a file; ValueError where it is something else."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError("this is no training config, or one of another version of sevenfold.")
        given = {key: value for key, value in data.items() if key != "format"}
        return typing.cast(Config, _made(cls, given, "config"))

    def changed(self, settings: dict[str, Any]) -> "Config":
        """The same with some settings changed, by dotted names (`learning.batch`)."""
        data = self.to_json()
        for name, value in settings.items():
            place, *rest = name.split(".")
            inside = data
            while rest and isinstance(inside.get(place), dict):
                inside, (place, *rest) = inside[place], rest
            if rest or place not in inside or place == "format":
                raise ValueError(f"there is no setting {shown(name)}; see `sevenfold train GAME --list`.")
            named = name == "net" and isinstance(value, str)  # its own settings may follow
            inside[place] = architecture(value).to_json() if named else value
        return Config.from_json(data)


def _made(cls: type, given: dict[str, Any], what: str) -> Any:
    if strangers := set(given) - {one.name for one in dataclasses.fields(cls)}:
        raise ValueError(f"{what} has no setting {shown(min(strangers))}.")
    hints = typing.get_type_hints(cls)
    values: dict[str, Any] = {}
    for name, value in given.items():
        kind = hints[name]
        if kind is Architecture:
            values[name] = architecture(value) if isinstance(value, str) else Architecture.from_json(value)
        elif dataclasses.is_dataclass(kind):
            if not isinstance(value, dict):
                raise ValueError(f"{what}: {name} is a section of settings, not {shown(value)}.")
            values[name] = _made(typing.cast(type, kind), value, name)
        elif typing.get_origin(kind) is tuple and isinstance(value, list | tuple):
            values[name] = tuple(value)
        elif kind is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**62:
            values[name] = float(value)
        else:
            values[name] = value
    try:
        return cls(**values)
    except TypeError:
        raise ValueError(f"{what} lacks a setting that has no default.") from None


def _check(owner: Any, what: str) -> None:
    hints = typing.get_type_hints(type(owner))
    for one in dataclasses.fields(owner):
        value, kind = getattr(owner, one.name), hints[one.name]
        if dataclasses.is_dataclass(value) and not isinstance(value, Architecture):
            _check(value, one.name)
            continue
        wanted = _wanted(kind, value, one.metadata.get("range"))
        if wanted:
            raise ValueError(f"{what}: {one.name} must be {wanted}, not {shown(value)}.")


def _wanted(kind: Any, value: Any, limits: tuple[float, float] | None) -> str:
    """What a setting must be, where it is not that."""
    if typing.get_origin(kind) is Literal:
        choices = typing.get_args(kind)
        return "" if value in choices else " or ".join(choices)
    if typing.get_origin(kind) is tuple:
        return "" if isinstance(value, tuple) and all(isinstance(v, str) for v in value) else "a list of names"
    plain = kind if isinstance(kind, type) and not isinstance(kind, types.GenericAlias) else object
    right = isinstance(value, int | float if plain is float else plain) and (
        kind is bool or not isinstance(value, bool)
    )
    if right and limits:
        low, high = limits
        if low <= value <= high:  # NaN is not
            return ""
        return f"from {low:g} to {high:g}"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    return "" if right else names.get(plain, "something else")


def _toml(folder: Path) -> dict[str, Any]:
    file = folder / "presets.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def presets(rules: Game) -> dict[str, dict[str, Any]]:
    """The presets for a game: its room's own, then the general ones."""
    file = getattr(rules.room, "__file__", None)
    own = _toml(Path(file).parent) if file else {}
    return own | {name: value for name, value in _toml(Path(__file__).parent).items() if name not in own}


def preset_names(rules: Game) -> list[str]:
    """The presets that a game can be trained with."""
    return list(presets(rules))


def preset(name: str, rules: Game) -> Config:
    """The config of a preset for a game."""
    found = presets(rules)
    if name not in found:
        raise ValueError(f"there is no preset {shown(name)} for {rules.name}; there are: {', '.join(found)}.")
    given = {key: value for key, value in found[name].items() if key != "about"}
    return typing.cast(Config, _made(Config, {"game": rules.spec, "preset": name} | given, f"preset {name}"))
