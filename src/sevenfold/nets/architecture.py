"""What a net looks like, as data: `Architecture` (the net) and `Shape` (the game it is built for). No torch here."""

import typing
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from sevenfold.game import Game
from sevenfold.options import shown

MOST = 65536
"""The most units of any layer: a file cannot ask for more memory than a net needs."""


@dataclass(frozen=True)
class Shape:
    """What goes into a net and what comes out."""

    planes: tuple[int, int, int]
    """Channels, height, width; all 0 where a game has features only."""
    features: int
    actions: int
    players: int

    def __post_init__(self) -> None:
        planes = self.planes
        if not isinstance(planes, tuple) or len(planes) != 3 or not all(_whole(n, 0, MOST) for n in planes):
            raise ValueError(f"planes are (channels, height, width), not {shown(planes)}.")
        if any(planes) != all(planes):
            raise ValueError(f"planes have channels, height and width, or none of them, not {shown(planes)}.")
        _check_whole("shape", self, {"features": (0, MOST), "actions": (1, MOST), "players": (1, 8)})
        if not any(planes) and not self.features:
            raise ValueError("a net needs planes or features to look at, and this game observes neither.")

    @classmethod
    def of(cls, game: Game) -> "Shape":
        """The shape of a game's observations, actions and players."""
        if "observe" not in game.abilities:
            raise ValueError(f"a net needs the ability 'observe', which {game.name} does not offer.")
        return cls(game.planes, game.features, game.actions, game.players)

    @property
    def cells(self) -> int:
        """How many cells a plane has."""
        return self.planes[1] * self.planes[2]

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self) | {"planes": list(self.planes)}

    @classmethod
    def from_json(cls, data: object) -> "Shape":
        """From a file; ValueError where it is something else."""
        given = _known("shape", cls, data)
        if set(given) != {one.name for one in fields(cls)} or not isinstance(given["planes"], list):
            raise ValueError("a shape has planes (a list), features, actions and players.")
        return cls(**given | {"planes": tuple(given["planes"])})


@dataclass(frozen=True)
class Architecture:
    """One net. The residual family takes every game, and has dense layers instead of convolutions for those without
    planes; the family of rows is for planes whose rows are alike, such as the suits of a deck."""

    family: Literal["residual", "rows"] = "residual"
    """residual: convolutions over the board (resnet.py); rows: the same layers for every row, and what all rows have in
    common (rows.py). Of the settings below, a net of rows takes blocks, channels, value_hidden, dropout, those of the
    value, and auxiliary."""
    blocks: int = 5
    """Residual blocks, each of two layers."""
    channels: int = 64
    """The width of the tower."""
    policy: Literal["dense", "cells", "columns"] = "dense"
    """dense: 1×1 convolution and dense layers. Fully convolutional: cells (actions are cells, row by row, maybe several
    layers of them, maybe a pass after them), columns (actions are columns)."""
    policy_channels: int = 2
    """The width of the policy head's 1×1 convolution."""
    policy_hidden: int = 0
    """The hidden layer of a dense policy head; 0: none."""
    value: Literal["scalar", "players", "wdl"] = "scalar"
    """scalar: the viewer's value by tanh; players: everybody's, by tanh, in the order of seats from the viewer on;
    wdl: logits of the viewer's win, draw and loss."""
    value_linear: bool = False
    """Without tanh: values of any size, for returns of which the largest are rare."""
    value_unit: float = 0.0
    """What returns are divided by to make values; 0: the game's largest return."""
    balanced: bool = False
    """value=players: values without their mean, for games whose returns add up to 0."""
    value_channels: int = 1
    """The width of the value head's 1×1 convolution."""
    value_hidden: int = 64
    """The hidden layer of the value head; 0: none."""
    separate: bool = False
    """Policy and value with a tower each, as AlphaGo's two nets, in one file; auxiliary heads are on the value's."""
    pooling: bool = False
    """Global pooling: the heads, and every second block, see means and maxima of the whole board. No layer depends on
    the size of the board, so one net serves them all."""
    fusion: Literal["heads", "stem"] = "heads"
    """Where the features join the planes: at the heads, or added to the first layer's output."""
    fusion_hidden: int = 0
    """The dense layer that the features go through before they join at the heads; 0: none."""
    dropout: float = 0.0
    """After the hidden layers of the heads."""
    conv_bias: bool = False
    """Whether convolutions before a normalisation have a bias, which the normalisation makes superfluous."""
    head_norm: bool = True
    """Whether the 1×1 convolutions of the heads are normalised; they have a bias where not."""
    auxiliary: dict[str, int] = field(default_factory=dict)
    """Further outputs to learn from, by name and size; each is a head like that of the value, without tanh."""

    def __post_init__(self) -> None:
        for name in ("family", "policy", "value", "fusion"):
            choices = typing.get_args(typing.get_type_hints(Architecture)[name])
            if getattr(self, name) not in choices:
                raise _refused("architecture", name, " or ".join(choices), getattr(self, name))
        ranges = dict.fromkeys(("channels", "policy_channels", "value_channels"), (1, 4096))
        ranges |= dict.fromkeys(("policy_hidden", "value_hidden", "fusion_hidden"), (0, MOST))
        _check_whole("architecture", self, ranges | {"blocks": (0, 256)})
        for name in ("separate", "pooling", "conv_bias", "head_norm", "value_linear", "balanced"):
            if not isinstance(getattr(self, name), bool):
                raise _refused("architecture", name, "true or false", getattr(self, name))
        if isinstance(self.dropout, bool) or not isinstance(self.dropout, int | float) or not 0 <= self.dropout < 1:
            raise _refused("architecture", "dropout", "from 0 to below 1", self.dropout)
        if self.policy != "dense" and self.policy_hidden:
            raise ValueError(f"architecture: policy_hidden is for a dense policy head, not for {self.policy}.")
        unit = self.value_unit
        if isinstance(unit, bool) or not isinstance(unit, int | float) or not 0 <= unit <= 1e9:
            raise _refused("architecture", "value_unit", "from 0 to 1e9", unit)
        if self.value == "wdl" and (self.value_linear or unit):
            raise ValueError("architecture: value_linear and value_unit are for values, not for wdl.")
        if self.balanced and self.value != "players":
            raise ValueError(f"architecture: balanced is for value=players, not for {self.value}.")
        if self.family == "rows":
            self._check_rows()
        self._check_auxiliary()

    def _check_rows(self) -> None:
        """Refuses what a net of rows does not have, so that nobody believes it has it."""
        usual = {one.name: one.default for one in fields(self)}
        mine = ("policy", "policy_channels", "policy_hidden", "value_channels", "separate", "pooling", "fusion")
        for name in (*mine, "fusion_hidden", "conv_bias", "head_norm"):
            if getattr(self, name) != usual[name]:
                raise ValueError(f"architecture: the family rows has no {name}.")

    def _check_auxiliary(self) -> None:
        extra = self.auxiliary
        if not isinstance(extra, dict) or not all(isinstance(name, str) and name.isidentifier() for name in extra):
            raise _refused("architecture", "auxiliary", "sizes by name", extra)
        for name, size in extra.items():
            if name in ("policy", "value"):
                raise ValueError(f"architecture: an auxiliary head cannot be called {name}, as the net's own.")
            if not _whole(size, 1, MOST):
                raise _refused("architecture", f"auxiliary {name}", f"from 1 to {MOST}", size)

    def value_size(self, shape: Shape) -> int:
        """How many numbers the value head gives."""
        if self.value == "wdl" and shape.players != 2:
            raise ValueError(f"a value head of win, draw and loss is for 2 players, not for {shape.players}.")
        return {"scalar": 1, "players": shape.players, "wdl": 3}[self.value]

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> "Architecture":
        """From a file; ValueError where it is something else. What is not said is the default."""
        return cls(**_known("architecture", cls, data))


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _refused(what: str, name: str, wanted: str, value: object) -> ValueError:
    return ValueError(f"{what}: {name} must be {wanted}, not {shown(value)}.")


def _check_whole(what: str, owner: object, ranges: dict[str, tuple[int, int]]) -> None:
    for name, (low, high) in ranges.items():
        if not _whole(value := getattr(owner, name), low, high):
            raise _refused(what, name, f"a whole number from {low} to {high}", value)


def _known(what: str, cls: type, data: object) -> dict[str, Any]:
    """The fields of a class in JSON, none of them unknown."""
    if not isinstance(data, dict):
        raise ValueError(f"{what}: this is not its JSON, but {shown(data)}.")
    if strangers := set(data) - {one.name for one in fields(cls)}:
        raise ValueError(f"{what}: there is no field {shown(min(strangers, key=str))}.")
    return data
