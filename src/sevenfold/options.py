"""The options of games written in Python: the keyword parameters of `__init__`, declared once, where they are used."""

import inspect
import operator
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sevenfold import _core

Options = dict[str, Any]

WHOLE = 2**53
"""The range of a number without a declared one: as far as every whole number is exact."""
RESERVED = ("name", "preset", "seed")
"""Parameters of `sf.game` itself."""


def shown(value: object, most: int = 60) -> str:
    """A value of any kind, short and on one line, for an error sentence."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception:  # a huge number, or an object whose repr is broken
        text = f"a {type(value).__name__}"
    text = repr(text[:most] + ("…" if len(text) > most else ""))
    return text if isinstance(value, str) else text[1:-1]


def whole(value: object) -> int | None:
    """A whole number of any kind, numpy's too, as Python's own; None for all else, and for True and False."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def plain(value: object) -> object:
    """A number or an array of numpy's as what Python has for it; all else as it is."""
    if isinstance(value, bool | int | float | str) or not hasattr(value, "tolist"):
        return value
    return value.tolist()


def option_value(value: object) -> object:
    """An option's value as the core keeps it: cells and other tuples become text, None becomes "none"."""
    if value is None:
        return "none"
    value = plain(value)
    if isinstance(value, tuple | list):
        if any(isinstance(item, tuple | list | dict | set) for item in value):
            raise ValueError(f"an option must be a bool, a number, a text or a tuple of those, not {shown(value)}.")
        words = [str(item) for item in value]
        if any("," in word or word != word.strip() or not word for word in words):
            raise ValueError(f"the items of a tuple must be plain words or numbers, not {shown(value)}.")
        return ",".join(words)
    if isinstance(value, str):
        if not _is_text(value):
            raise ValueError(f"an option cannot be {shown(value)}: that is not a text.")
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > WHOLE:
        return str(value)[:60] if abs(value) < 10**60 else "a huge number"
    if isinstance(value, bool | int | float):
        return value
    raise ValueError(f"an option must be a bool, a number, a text or a tuple of those, not {shown(value)}.")


def option_values(options: Options) -> dict[str, Any]:
    """All options as the core keeps them."""
    out = {}
    for key, value in options.items():
        try:
            out[key if _is_text(key) else "?"] = option_value(value)
        except ValueError as error:
            raise ValueError(f"option {shown(key)}: {error}") from None
    return out


def _is_text(value: str) -> bool:
    """Whether a text can be written as UTF-8: half a surrogate pair cannot."""
    return value.isascii() or not re.search("[\ud800-\udfff]", value)


@dataclass(frozen=True)
class Declared:
    """One option of a Python game."""

    option: _core.Option
    read: Callable[[Any], Any]
    """From the core's value to what `__init__` gets."""


def declared(game: str, rules: type) -> list[Declared]:
    """The options of a Python class. The annotation may say more than the default:

    `rows: Annotated[int, 3, 9, "rows of the board"] = 5` has a range and a help text,
    `variant: Literal["cover", "pass"] = "cover"` is a choice.
    """
    init = rules.__init__  # type: ignore[misc]
    if init is object.__init__:
        return []
    try:
        hints = typing.get_type_hints(init, include_extras=True)
    except Exception:  # an annotation that only a type checker understands
        hints = {}
    out = []
    for parameter in list(inspect.signature(init).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        name = parameter.name
        if name in RESERVED:
            raise ValueError(f"{game}: an option cannot be called '{name}', a parameter of sf.game; rename it.")
        if parameter.default is parameter.empty:
            raise ValueError(
                f"{game}: the option '{name}' of __init__ needs a default, "
                "so that the game can be made without options."
            )
        one = _declare(game, name, parameter.default, hints.get(name))
        _core.check_options(game, [one.option], {name: option_value(parameter.default)})
        out.append(one)
    return out


def arguments(game: str, options: list[Declared], checked: Options) -> Options:
    """What `__init__` gets for the checked values."""
    out = {}
    for one in options:
        try:
            out[one.option.name] = one.read(checked[one.option.name])
        except ValueError:
            raise ValueError(
                f"{game}: option {one.option.name} must look like {shown(str(one.option.initial))}, "
                f"not {shown(checked[one.option.name])}."
            ) from None
    return out


def _declare(game: str, name: str, default: Any, hint: object) -> Declared:
    limits: list[Any] = []
    help = ""
    if typing.get_origin(hint) is typing.Annotated:
        hint, *notes = typing.get_args(hint)
        limits = [note for note in notes if isinstance(note, int | float)]
        help = next((note for note in notes if isinstance(note, str)), "")
    low, high = limits if len(limits) == 2 else (-WHOLE, WHOLE)
    if typing.get_origin(hint) is typing.Literal:
        choices = {str(choice): choice for choice in typing.get_args(hint)}
        return Declared(_core.Option.choice(name, str(default), list(choices), help), choices.__getitem__)
    if isinstance(default, bool):
        return Declared(_core.Option.flag(name, default, help), bool)
    if isinstance(default, int):
        if not all(isinstance(limit, int) and abs(limit) <= WHOLE for limit in (default, low, high)):
            raise ValueError(f"{game}: the default and range of option '{name}' must be whole numbers below 2**53.")
        return Declared(_core.Option.integer(name, default, low, high, help), int)
    if isinstance(default, float):
        return Declared(_core.Option.real(name, default, low, high, help), float)
    if default is None:
        return Declared(_core.Option.text(name, "none", help), lambda text: None if text == "none" else text)
    if isinstance(default, str):
        return Declared(_core.Option.text(name, default, help), str)
    kinds = {type(item) for item in default} if isinstance(default, tuple | list) else {object}
    if len(kinds) > 1 or not kinds <= {bool, int, float, str}:
        raise ValueError(
            f"{game}: the default of option '{name}' must be a bool, a number, a text, None, or a tuple of one of "
            f"those kinds, not {shown(default)}."
        )
    item = _READERS[next(iter(kinds), str)]
    whole = type(default)
    return Declared(
        _core.Option.text(name, str(option_value(default)), help),
        lambda text: whole(item(part.strip()) for part in text.strip("()[] ").split(",") if part.strip()),
    )


def _read_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError
    return text.lower() == "true"


_READERS: dict[type, Callable[[str], Any]] = {bool: _read_bool, int: int, float: float, str: str}
