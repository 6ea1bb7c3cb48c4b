"""The names of OpenSpiel's games, with their parameters, as text.

OpenSpiel's own reader makes something of "hex(rows)x", and a value of another type is a fatal error to it; this one
reads the same texts, checks each value against the declaration and says what is wrong.
"""

import ast
import difflib
import math
import re
from typing import Any

from sevenfold.options import shown

PREFIX = "openspiel:"

# No sensible game is longer or deeper.
MAX_TEXT = 2000
MAX_NESTING = 20

DRAWS_INSIDE = {"add_noise"}
"""Games whose type does not admit that the order of calls decides what they answer."""

Parameters = dict[str, Any]
"""Values by name: bool, int, float, text, or, for a game inside a game, its Parameters with its "name"."""


class RefusedError(ValueError):
    """A sentence of ours about a game that cannot be played; every other error comes from OpenSpiel."""


def openspiel() -> Any:
    try:
        import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise RefusedError("games of OpenSpiel need its package: pip install open_spiel.") from error
    return pyspiel


def kinds_of(spiel: Any) -> dict[str, Any]:
    return {kind.short_name: kind for kind in spiel.registered_games()}


def split(text: str) -> tuple[str, Parameters]:
    """ "hex(board_size=5)" as name and parameters, the values still texts."""
    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if text.count("(") > MAX_NESTING:
        raise RefusedError(f"{shown(text)} has more games inside each other than the {MAX_NESTING} that are allowed.")
    if not match:
        raise RefusedError(f"a game of OpenSpiel is written as name or name(parameter=value,…), not {shown(text)}.")
    name, inner = match[1], match[2] or ""
    parts, depth, start = [], 0, 0
    for token in re.finditer(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[(),]""", inner, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(token.group(), 0)
        if depth < 0:
            break
        if token.group() == "," and depth == 0:
            parts.append(inner[start : token.start()])
            start = token.end()
    if inner.strip():
        parts.append(inner[start:])
    parameters: Parameters = {}
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if depth or not equals or not re.fullmatch(r"\w+", key) or key in parameters:
            raise RefusedError(f"the parameters of {shown(text)} cannot be read; write name(parameter=value,…).")
        parameters[key] = _unquoted(value)
    return name, parameters


def _unquoted(value: str) -> str:
    if len(value) < 2 or value[0] not in "'\"" or value[-1] != value[0]:
        return value
    try:
        return str(ast.literal_eval(value))
    except (SyntaxError, ValueError):
        return value


def typed(spiel: Any, name: str, given: Parameters) -> Parameters:
    """The parameters in the types that the game declares; RefusedError for an unknown game or parameter."""
    kinds = kinds_of(spiel)
    if name not in kinds:
        # Importing it enters the games that OpenSpiel has in Python.
        import open_spiel.python.games  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: F401

        kinds = kinds_of(spiel)
    if name not in kinds:
        near = difflib.get_close_matches(name, kinds, 3)
        hint = f"near it are {', '.join(near)}" if near else "pyspiel.registered_names() lists its games"
        raise RefusedError(f"OpenSpiel has no game {shown(name)}; {hint}.")
    declared = kinds[name].parameter_specification
    if not given and not kinds[name].default_loadable:
        raise RefusedError(f"{PREFIX}{name} needs parameters; it has: {', '.join(sorted(declared))}.")
    for key in given:
        if key not in declared:
            known = ", ".join(sorted(declared)) or "none"
            raise RefusedError(f"{PREFIX}{name} has no parameter {shown(key)}; its parameters are: {known}.")
    return {
        key: _converted(spiel, f"{PREFIX}{name}: parameter {key}", value, declared[key])
        for key, value in sorted(given.items())
    }


def _converted(spiel: Any, where: str, value: Any, default: Any) -> Any:
    """A value in the type of its default."""
    if isinstance(default, dict):
        inner, parameters = split(str(value))
        return {"name": inner} | typed(spiel, inner, parameters)
    if isinstance(default, bool):
        if str(value).lower() in ("true", "false"):
            return str(value).lower() == "true"
        raise RefusedError(f"{where} must be true or false, not {shown(value)}.")
    if isinstance(default, str):
        return str(value)
    whole = isinstance(default, int)
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or (whole and not (number.is_integer() and -(2**31) <= number < 2**31)):
        raise RefusedError(
            f"{where} must be {'a whole number of 32 bits' if whole else 'a number'}, not {shown(value)}."
        )
    return int(number) if whole else number


def written_as(name: str, parameters: Parameters) -> str:
    """The opposite of split and typed."""
    if not parameters:
        return name
    return f"{name}({','.join(f'{key}={value_text(value)}' for key, value in parameters.items())})"


def value_text(value: Any) -> str:
    if isinstance(value, dict):
        inner = written_as(value["name"], {key: item for key, item in value.items() if key != "name"})
        return inner if inner.endswith(")") else f"{inner}()"
    if isinstance(value, str) and (value != value.strip() or re.search(r"""[(),'"\\\x00-\x1f]""", value)):
        return repr(value)
    return str(value)


def refuse_kind(spiel: Any, written: str, kind: Any) -> None:
    """RefusedError for the kinds of games that cannot be played one move after the other, or not be replayed."""
    if kind.dynamics == spiel.GameType.Dynamics.MEAN_FIELD:
        raise RefusedError(f"{written} is a mean-field game, which has no single players who move.")
    if kind.dynamics == spiel.GameType.Dynamics.SIMULTANEOUS:
        inner = written.removeprefix(PREFIX)
        in_turns = f"{PREFIX}turn_based_simultaneous_game(game={inner if inner.endswith(')') else f'{inner}()'})"
        raise RefusedError(f"{written} has simultaneous moves; '{in_turns}' plays it in turns.")
    if getattr(kind, "action_structs_only", False):
        raise RefusedError(f"{written} has actions that are not numbers, which a game needs here.")
    sampled = kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    # A game made of another one says "sampled" before it knows that one; it is asked again once it is loaded.
    if (sampled and kind.default_loadable) or kind.short_name in DRAWS_INSIDE:
        raise RefusedError(f"{written} draws its chance inside OpenSpiel, so that its games could not be replayed.")
