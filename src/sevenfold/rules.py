"""Games written in Python: a class with the rules interface's method names, wherever a C++ game would do.

A class needs `to_move`, `legal_actions`, `play` and `returns`, and says `players` and `actions`. Each further method
of cpp/game/rules.h it defines is an ability: `chance`, `chance_for`, `typical`, `observe`, `redeal`, `rewind`, `odds`,
`view`, `heuristic`, `terms`, `handicap`, `order`, `independent`, `commutes`, `quiet`, `canonical`, `symmetries` +
`symmetric` + `symmetric_action`, `to_text` + `parse`, `parse_action`. The keyword parameters of `__init__` are the
game's options.
Deriving from `Rules` gives defaults for the rest; it is not required.

Copies: the core copies a position by copying its attributes, containers all the way down. A class that knows better
defines `copy()`.
"""

import copy
import hashlib
import operator
import random
import re
from collections.abc import Callable
from typing import Any

from sevenfold import _core
from sevenfold.options import Options, arguments, declared, option_values, shown


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
    gain: float = 0
    """Above 0: `returns` grows on the way, and a good decision is worth about so much more than a fair one."""
    max_plies: int = 0
    """No game is longer, chance included; 0: not known."""

    def action_text(self, action: int) -> str:
        """What a person types and reads for an action."""
        return str(action)

    def hash(self) -> int:
        """64 bits; equal positions hash equal. This default hashes all attributes."""
        return hash_of(self)

    def __str__(self) -> str:
        return draw(self)


def hash_of(rules: Any) -> int:
    """64 bits of all attributes of an object, the same in every process."""
    text = repr(_ordered(_attributes(rules)))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).digest(), "little")


def draw(rules: Any) -> str:
    """All attributes of an object, as text."""
    return ", ".join(f"{name}={value!r}" for name, value in _attributes(rules).items())


def _attributes(rules: Any) -> dict[str, Any]:
    slots = [name for cls in type(rules).__mro__ for name in _slots(cls)]
    return {**getattr(rules, "__dict__", {}), **{name: getattr(rules, name) for name in slots if hasattr(rules, name)}}


def _slots(cls: type) -> list[str]:
    names = vars(cls).get("__slots__", ())
    return [name for name in ([names] if isinstance(names, str) else names) if name not in ("__dict__", "__weakref__")]


def _ordered(value: Any) -> Any:
    """The same for equal values, whatever order their sets and dictionaries were filled in."""
    if isinstance(value, dict):
        return "dict", sorted((repr(_ordered(key)), _ordered(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return "set", sorted(repr(_ordered(item)) for item in value)
    if isinstance(value, list | tuple):
        return type(value).__name__, [_ordered(item) for item in value]
    if hasattr(value, "tobytes"):  # an array: numpy's repr leaves out the middle of a large one
        return type(value).__name__, str(getattr(value, "dtype", "")), getattr(value, "shape", ()), value.tobytes()
    return value


REQUIRED = ("to_move", "legal_actions", "play", "returns")
ABILITIES = {
    "chance": ("chance",),
    "chance_for": ("chance_for",),
    "typical": ("typical",),
    "observe": ("observe",),
    "redeal": ("redeal",),
    "rewind": ("rewind",),
    "odds": ("odds",),
    "view": ("view",),
    "heuristic": ("heuristic",),
    "terms": ("terms",),
    "handicap": ("handicap",),
    "order": ("order",),
    "independent": ("independent",),
    "commutes": ("commutes",),
    "quiet": ("quiet",),
    "canonical": ("canonical",),
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
    "gain",
    "max_plies",
)


def name_of(rules: type) -> str:
    """The game's name: the class attribute `name`, or the class's own name in snake_case."""
    name = getattr(rules, "name", None)
    if name is None:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", rules.__name__).lower()
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][\w.:(),= -]*", name):
        raise ValueError(f"a game's name must be a word such as 'my_game', not {shown(name)}.")
    return name


def wrap(rules: type, given: Options) -> _core.Game:
    """The core's Game for a Python class and its options; ValueError where the class is not a game."""
    name = name_of(rules)
    for method in REQUIRED:
        if not callable(getattr(rules, method, None)):
            raise ValueError(f"{name}: a game needs a method {method}(); see docs/how-to/write-a-game.md.")
    options = declared(name, rules)
    core_options = [one.option for one in options]
    checked = _core.check_options(name, core_options, option_values(given))
    given = arguments(name, options, checked)
    try:
        initial = rules(**given)
    except Exception as error:
        error.add_note(f"raised by {name}.__init__()")
        raise
    return wrap_object(name, initial, core_options, checked)


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
        facts[fact] = _whole(name, fact, facts[fact])
    try:
        planes = tuple(_whole(name, "planes", size) for size in facts["planes"])
    except TypeError:
        planes = ()
    if len(planes) != 3:
        raise ValueError(
            f"{name}: planes must be three numbers (channels, height, width), not {shown(facts['planes'])}."
        )
    if facts["sum"] not in ("zero", "any"):
        raise ValueError(f'{name}: sum must be "zero" or "any", not {shown(facts["sum"])}.')
    for fact in ("min_return", "max_return", "gain"):
        try:
            facts[fact] = float(facts[fact])
        except (TypeError, ValueError):
            raise ValueError(f"{name}: {fact} must be a number, not {shown(facts[fact])}.") from None
    cls = type(initial)
    drawn = any(getattr(cls, method) is not getattr(object, method) for method in ("__str__", "__repr__"))
    abilities = [
        ability
        for ability, methods in ABILITIES.items()
        if all(callable(getattr(initial, method, None)) for method in methods)
    ]
    facts |= {
        "planes": planes,
        "plain": _is_plain(cls),
        "hash": None if callable(getattr(cls, "hash", None)) else hash_of,
        "draw": None if drawn else draw,
        "action_text": None if callable(getattr(cls, "action_text", None)) else str,
        "copies": callable(getattr(initial, "copy", None)),
        "observe": _observer(name, planes, facts["features"]),
        "clone": copy.deepcopy,
        "random": random.Random,
    }
    return _core.python_game(initial, facts, abilities, declared, options)


def _whole(name: str, fact: str, value: Any) -> int:
    """A fact that is a whole number of any kind, numpy's too."""
    try:
        number = operator.index(value)
    except TypeError:
        number = 2**31
    if isinstance(value, bool) or not -(2**31) <= number < 2**31:
        raise ValueError(f"{name}: {fact} must be a whole number, not {shown(value)}.")
    return number


def _is_plain(cls: type) -> bool:
    """Whether an object of the class is its __dict__ and nothing else, so that the core may copy just that."""
    ordinary = all(
        getattr(cls, method, None) is getattr(object, method, None)
        for method in ("__new__", "__setattr__", "__reduce__", "__reduce_ex__", "__getstate__")
    )
    special = any(hasattr(cls, method) for method in ("__copy__", "__deepcopy__", "__setstate__", "__getnewargs__"))
    return ordinary and not special and not any(_slots(base) for base in cls.__mro__) and cls.__dictoffset__ != 0


def _observer(name: str, planes: tuple[int, ...], features: int) -> Callable[[Any, int], tuple[Any, Any]]:
    """Turns what a Python `observe` returns (planes, features or both) into float32 arrays of the declared shapes."""

    def observe(rules: Any, viewer: int) -> tuple[Any, Any]:
        import numpy as np

        answer = rules.observe(viewer)
        if isinstance(answer, tuple) and len(answer) == 2:
            seen, vector = answer
        else:
            seen, vector = (answer, []) if planes != (0, 0, 0) else ([], answer)
        if np.iscomplexobj(seen) or np.iscomplexobj(vector):
            raise ValueError(f"{name}: observe() must return real numbers.")
        seen = np.ascontiguousarray(seen, dtype=np.float32)
        vector = np.ascontiguousarray(vector, dtype=np.float32)
        flat = planes == (0, 0, 0) and seen.size == 0
        if (seen.shape != planes and not flat) or vector.shape != (features,):
            raise ValueError(
                f"{name}: observe() must return planes of shape {planes} and {features} features, "
                f"not {seen.shape} and {vector.shape}."
            )
        return seen, vector

    return observe
