"""Games written in Python: a class with the rules interface's method names, wherever a C++ game would do.

A class needs `to_move`, `legal_actions`, `play` and `returns`, and says `players` and `actions`. Each further method
of cpp/game/rules.h it defines is an ability: `chance`, `observe`, `redeal`, `view`, `heuristic`, `handicap`, `order`,
`independent`, `symmetries` + `symmetric` + `symmetric_action`, `to_text` + `parse`, `parse_action`. The keyword
parameters of `__init__` are the game's options. Deriving from `Rules` gives defaults for the rest; it is not required.

Copies: the core copies a position by copying its attributes, containers all the way down. A class that knows better
defines `copy()`.
"""

import copy
import hashlib
import inspect
import random
import re
import typing
from collections.abc import Callable
from typing import Any

from sevenfold import _core

Options = dict[str, Any]


class Rules:
    """Defaults for a game written in Python; every attribute and method here may be replaced."""

    version: int = 1
    """Raise it when a rule change makes old records replay differently."""
    players: int = 2
    actions: int
    """Action ids are 0 .. actions-1."""
    outcomes: int = 0
    """Chance outcome ids are 0 .. outcomes-1."""
    planes: tuple[int, int, int] = (0, 0, 0)
    """Shape of the observation's planes: channels, height, width."""
    features: int = 0
    """Length of the observation's feature vector."""
    min_return: float = -1
    max_return: float = 1
    sum: str = "zero"
    """What the returns add up to at the end: "zero" or "any"."""
    max_plies: int = 0
    """No game is longer, chance included; 0: not known."""

    def action_text(self, action: int) -> str:
        """What a person types and reads for an action."""
        return str(action)

    def hash(self) -> int:
        """64 bits; equal positions hash equal. This default hashes the text of all attributes."""
        text = repr(sorted(vars(self).items()))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")

    def __str__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in vars(self).items())


REQUIRED = ("to_move", "legal_actions", "play", "returns")
ABILITIES = {
    "chance": ("chance",),
    "observe": ("observe",),
    "redeal": ("redeal",),
    "view": ("view",),
    "heuristic": ("heuristic",),
    "handicap": ("handicap",),
    "order": ("order",),
    "independent": ("independent",),
    "symmetries": ("symmetries", "symmetric", "symmetric_action"),
    "to_text": ("to_text", "parse"),
    "parse_action": ("parse_action",),
}
FACTS = (
    "version",
    "players",
    "outcomes",
    "planes",
    "features",
    "min_return",
    "max_return",
    "sum",
    "max_plies",
)


def name_of(rules: type) -> str:
    """The game's name: the class attribute `name`, or the class's own name in snake_case."""
    name = getattr(rules, "name", None)
    if name is None:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", rules.__name__).lower()
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][\w.:(),= -]*", name):
        raise ValueError(f"a game's name must be a word such as 'my_game', not {name!r}.")
    return name


def declared_options(rules: type) -> list[_core.Option]:
    """The options of a game written in Python, from the keyword parameters of its `__init__`.

    The annotation may say more: `rows: Annotated[int, 3, 9, "rows of the board"] = 5` has a range and a help text,
    and `variant: Literal["cover", "pass"] = "cover"` is a choice.
    """
    hints = typing.get_type_hints(rules.__init__, include_extras=True)  # type: ignore[misc]
    options = []
    for parameter in _parameters(rules):
        if parameter.default is parameter.empty:
            raise ValueError(
                f"{name_of(rules)}: the option '{parameter.name}' of __init__ needs a default, "
                "so that the game can be made without options."
            )
        options.append(_declared(rules, parameter.name, parameter.default, hints.get(parameter.name)))
    return options


def _declared(rules: type, name: str, default: object, hint: object) -> _core.Option:
    limits: list[Any] = []
    help = ""
    if typing.get_origin(hint) is typing.Annotated:
        hint, *notes = typing.get_args(hint)
        limits = [note for note in notes if isinstance(note, int | float)]
        help = next((note for note in notes if isinstance(note, str)), "")
    low, high = limits if len(limits) == 2 else (-(2**53), 2**53)
    if typing.get_origin(hint) is typing.Literal:
        return _core.Option.choice(name, str(default), [str(x) for x in typing.get_args(hint)], help)
    if isinstance(default, bool):
        return _core.Option.flag(name, default, help)
    if isinstance(default, int):
        return _core.Option.integer(name, default, low, high, help)
    if isinstance(default, float):
        return _core.Option.real(name, default, low, high, help)
    text = option_value(default)
    if not isinstance(text, str):
        raise ValueError(
            f"{name_of(rules)}: the default of option '{name}' must be a bool, a number, a text "
            f"or a tuple of numbers, not {default!r}."
        )
    return _core.Option.text(name, text, help)


def option_value(value: object) -> object:
    """An option's value as the core keeps it: cells and other tuples become text, None becomes "none"."""
    if value is None:
        return "none"
    if isinstance(value, tuple | list):
        return ",".join(str(x) for x in value)
    if isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "item"):  # a numpy scalar
        return value.item()
    raise ValueError(f"an option must be a bool, a number, a text or a tuple, not {value!r}.")


def _python_value(text: object, default: object) -> object:
    """The opposite of option_value, guided by the default's type: text becomes a tuple again."""
    if isinstance(default, tuple | list) and isinstance(text, str):
        item = type(default[0]) if default else str
        parts = [part.strip() for part in text.strip("()[] ").split(",") if part.strip()]
        return type(default)(item(part) for part in parts)
    return None if default is None and text == "none" else text


def _parameters(rules: type) -> list[inspect.Parameter]:
    """The parameters of `__init__` that are options."""
    if rules.__init__ is object.__init__:  # type: ignore[misc]
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    listed = list(inspect.signature(rules.__init__).parameters.values())[1:]  # type: ignore[misc]
    return [parameter for parameter in listed if parameter.kind not in variadic]


def wrap(rules: type, given: Options) -> _core.Game:
    """The core's Game for a Python class and its options; ValueError where the class is not a game."""
    name = name_of(rules)
    for method in REQUIRED:
        if not callable(getattr(rules, method, None)):
            raise ValueError(f"{name}: a game needs a method {method}(); see docs/how-to/write-a-game.md.")
    declared = declared_options(rules)
    checked = _core.check_options(name, declared, {key: option_value(value) for key, value in given.items()})
    defaults = {parameter.name: parameter.default for parameter in _parameters(rules)}
    try:
        arguments = {key: _python_value(value, defaults[key]) for key, value in checked.items()}
    except ValueError as error:
        raise ValueError(f"{name}: an option could not be read: {error}.") from error
    return wrap_object(name, rules(**arguments), declared, checked)


def wrap_object(name: str, initial: Any, declared: list[_core.Option], options: Options) -> _core.Game:
    """The core's Game around an object in its initial position."""
    facts: dict[str, Any] = {"name": name}
    for fact in FACTS:
        facts[fact] = getattr(initial, fact, getattr(Rules, fact))
    try:
        facts["actions"] = initial.actions
    except AttributeError:
        raise ValueError(f"{name}: a game needs an attribute 'actions', the number of its actions.") from None
    for fact in ("version", "players", "actions", "outcomes", "features", "max_plies"):
        if not isinstance(facts[fact], int) or not -(2**31) <= facts[fact] < 2**31:
            raise ValueError(f"{name}: {fact} must be a whole number, not {facts[fact]!r}.")
    planes = tuple(facts["planes"])
    if len(planes) != 3 or not all(isinstance(n, int) for n in planes):
        raise ValueError(f"{name}: planes must be three numbers (channels, height, width), not {facts['planes']!r}.")
    if facts["sum"] not in ("zero", "any"):
        raise ValueError(f'{name}: sum must be "zero" or "any", not {facts["sum"]!r}.')
    initial = _complete(initial)
    abilities = [
        ability
        for ability, methods in ABILITIES.items()
        if all(callable(getattr(initial, method, None)) for method in methods)
    ]
    facts |= {
        "planes": planes,
        "copies": callable(getattr(initial, "copy", None)),
        "observe": _observer(name, planes, facts["features"]),
        "clone": copy.deepcopy,
        "random": random.Random,
    }
    return _core.python_game(initial, facts, abilities, declared, options)


def _complete(initial: Any) -> Any:
    """Gives a class that is not derived from Rules the methods it lacks."""
    cls = type(initial)
    if all(callable(getattr(cls, method, None)) for method in ("action_text", "hash")):
        return initial
    completed = type(cls.__name__, (cls, Rules), {"__str__": cls.__str__} if "__str__" in vars(cls) else {})
    initial = copy.copy(initial)
    initial.__class__ = completed
    return initial


def _observer(name: str, planes: tuple[int, ...], features: int) -> Callable[[Any, int], tuple[Any, Any]]:
    """Turns what a Python `observe` returns (planes, features or both) into float32 arrays of the declared shapes."""

    def observe(rules: Any, viewer: int) -> tuple[Any, Any]:
        import numpy as np

        answer = rules.observe(viewer)
        if isinstance(answer, tuple) and len(answer) == 2:
            shown, vector = answer
        else:
            shown, vector = (answer, []) if planes != (0, 0, 0) else ([], answer)
        shown = np.ascontiguousarray(shown, dtype=np.float32)
        vector = np.ascontiguousarray(vector, dtype=np.float32)
        if shown.size != planes[0] * planes[1] * planes[2] or vector.size != features:
            raise ValueError(
                f"{name}: observe() must return planes of shape {planes} and {features} features, "
                f"not {shown.shape} and {vector.shape}."
            )
        return shown, vector

    return observe
