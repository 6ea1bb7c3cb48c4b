"""What a file says about the net in it: the game it is for, and its architecture. Plain JSON, read without torch."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sevenfold.game import Game
from sevenfold.nets.architecture import Architecture, Shape
from sevenfold.options import shown

FORMAT = 1
KEY = "sevenfold"
"""The name of the description in the metadata of a .safetensors or .onnx file."""


@dataclass(frozen=True)
class Description:
    """A net's game and architecture."""

    game: str
    version: int
    """Of the rules."""
    options: dict[str, Any]
    shape: Shape
    architecture: Architecture
    scale: float = 1.0
    """The largest return, or the architecture's unit: values are multiplied by it."""
    varied: tuple[str, ...] = ()
    """Options of which the net knows many values (rows, cols); those that change the board need pooling."""
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The least and the most of those that are numbers; any value, where they are not here."""

    @classmethod
    def of(
        cls, game: Game, architecture: Architecture, varied: tuple[str, ...] = (), setups: Sequence[Game] = ()
    ) -> "Description":
        """The description of a net for a game; `setups` are the variants it learns from, where there are several."""
        if strangers := [name for name in varied if name not in game.options]:
            raise ValueError(f"{game.name} has no option {shown(strangers[0])} that could vary.")
        if architecture.value != "players" and game.players > 1 and game.sum != "zero":
            raise ValueError(f"{game.name} is not zero-sum, so its net needs value=players, not {architecture.value}.")
        scale = architecture.value_unit or max(abs(game.min_return), abs(game.max_return)) or 1.0
        if architecture.balanced and game.sum != "zero":
            raise ValueError(f"{game.name} is not zero-sum, so the values of its net cannot be balanced.")
        ranges = {}
        for name in varied:
            seen = [one.options[name] for one in setups]
            if len(seen) > 1 and all(isinstance(value, int | float) and not isinstance(value, bool) for value in seen):
                ranges[name] = (float(min(seen)), float(max(seen)))
        return cls(game.name, game.version, game.options, Shape.of(game), architecture, scale, tuple(varied), ranges)

    def check(self, game: Game) -> "Description":
        """This description for a game; ValueError with what differs where the net is for another."""
        if self.game != game.name:
            raise ValueError(f"this net is for {self.game}, not for {game.name}.")
        if self.version != game.version:
            raise ValueError(f"this net is for {self.game} v{self.version}, not for v{game.version} of its rules.")
        for name in sorted({*self.options, *game.options} - set(self.varied)):
            mine, its = self.options.get(name, "nothing"), game.options.get(name, "nothing")
            if mine != its:
                raise ValueError(
                    f"this net is for {self.game} with {name}={shown(mine)}, not with {name}={shown(its)}."
                )
        for name, (low, high) in self.ranges.items():
            its = game.options.get(name, low)
            if not isinstance(its, int | float) or not low <= its <= high:
                raise ValueError(
                    f"this net is for {self.game} with {name} from {low:g} to {high:g}, not with {name}={shown(its)}."
                )
        return self._reshaped(Shape.of(game))

    def _reshaped(self, shape: Shape) -> "Description":
        mine, pooling = self.shape, self.architecture.pooling
        fixed = (mine.planes[0], mine.features, mine.players) == (shape.planes[0], shape.features, shape.players)
        if shape != mine and not (pooling and fixed and self._same_layers(shape)):
            raise ValueError(
                f"this net is for planes {mine.planes}, {mine.features} features, {mine.actions} actions, "
                f"{mine.players} players, not for {shape.planes}, {shape.features}, {shape.actions}, {shape.players}."
            )
        a = self.architecture
        return Description(self.game, self.version, self.options, shape, a, self.scale, self.varied, self.ranges)

    def _same_layers(self, shape: Shape) -> bool:
        """Whether the policy head, which is convolutional or of a fixed size, fits another board too."""
        policy = self.architecture.policy
        if policy == "dense":
            return self.shape.actions == shape.actions
        places = (self.shape.planes[2], shape.planes[2]) if policy == "columns" else (self.shape.cells, shape.cells)
        return divmod(self.shape.actions, places[0]) == divmod(shape.actions, places[1])

    def to_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "options": self.options,
            "varied": list(self.varied),
            "ranges": {name: list(ends) for name, ends in self.ranges.items()},
            "scale": self.scale,
            "shape": self.shape.to_json(),
            "architecture": self.architecture.to_json(),
        }

    def to_text(self) -> str:
        """The JSON as text."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=2, allow_nan=False)

    @classmethod
    def from_json(cls, data: object) -> "Description":
        """From a file; ValueError where it is something else."""
        if not isinstance(data, dict):
            raise ValueError("this is not the description of a net.")
        if data.get("format") != FORMAT:
            raise ValueError(f"this net is of format {shown(data.get('format'))}, and only {FORMAT} is known.")
        game, version, options = data.get("game"), data.get("version"), data.get("options")
        varied, scale = data.get("varied", []), data.get("scale")
        if not isinstance(game, str) or not isinstance(version, int) or not isinstance(options, dict):
            raise ValueError("the description of a net needs game, version and options.")
        if not isinstance(varied, list) or not all(isinstance(name, str) for name in varied):
            raise ValueError(f"the varied options of a net are a list of names, not {shown(varied)}.")
        if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0 < scale < math.inf:
            raise ValueError(f"the scale of a net must be a number above 0, not {shown(scale)}.")
        shape, architecture = Shape.from_json(data.get("shape")), Architecture.from_json(data.get("architecture"))
        return cls(game, version, options, shape, architecture, scale, tuple(varied), _ranges(data.get("ranges", {})))

    @classmethod
    def from_text(cls, text: str) -> "Description":
        """From the JSON as text."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("the description of this net is not JSON.") from None
        return cls.from_json(data)


def _ranges(data: Any) -> dict[str, tuple[float, float]]:
    """The ranges of a file; ValueError where they are something else."""
    out = {}
    for name, ends in data.items() if isinstance(data, dict) else [("", data)]:
        fine = isinstance(ends, list) and len(ends) == 2 and all(type(one) in (int, float) for one in ends)
        if not fine or not ends[0] <= ends[1]:
            raise ValueError(f"the ranges of a net are the least and the most of an option, not {shown(ends)}.")
        out[str(name)] = (float(ends[0]), float(ends[1]))
    return out
