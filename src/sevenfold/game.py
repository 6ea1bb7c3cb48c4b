"""Games by name: `sf.game("connect_four", rows=9)`, and the Game they give."""

import ast
import importlib
import importlib.util
import inspect
import json
import pkgutil
import random
import re
import sys
import warnings
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sevenfold import _core, rules
from sevenfold import games as rooms
from sevenfold._core import State
from sevenfold.options import declared as options_of
from sevenfold.options import option_values, shown, whole

_registered: dict[str, type] = {}


class Game:
    """The rules of one game with its options fixed; makes the states it is played on."""

    def __init__(
        self,
        core: _core.Game,
        spec: str,
        room: ModuleType | None = None,
        declared: list[_core.Option] | None = None,
    ) -> None:
        self._core = core
        self.spec = spec
        """The text that `sf.game` turns into this game again."""
        self.room = room
        """The Python module of the game's room, where it has one."""
        self.declared_options: list[_core.Option] = declared or []
        """The options this game takes: name, kind, default, range, help."""
        self.name: str = core.name
        self.version: int = core.version
        self.players: int = core.players
        self.actions: int = core.actions
        self.outcomes: int = core.outcomes
        self.planes: tuple[int, int, int] = core.planes
        self.features: int = core.features
        self.min_return: float = core.min_return
        self.max_return: float = core.max_return
        self.sum: str = core.sum
        self.gain: float = core.gain
        """Above 0: returns grow on the way, a good decision is worth about so much, and nets say what is to come."""
        self.max_plies: int = core.max_plies
        self.options: dict[str, bool | int | float | str] = core.options
        self.abilities: tuple[str, ...] = tuple(core.abilities)

    def __repr__(self) -> str:
        return f"sf.game({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.spec, self.version) == (other.spec, other.version)

    def __hash__(self) -> int:
        return hash((self.spec, self.version))

    @property
    def title(self) -> str:
        """The game's name for people."""
        return str(getattr(self.room, "TITLE", self.name))

    @property
    def adviser(self) -> str | None:
        """Who hints and reviews best, where the game's room says so by `ADVISER`: a text, or a function of the game."""
        found = getattr(self.room, "ADVISER", None)
        found = found(self) if callable(found) else found
        return None if found is None else str(found)

    @property
    def usual_returns(self) -> tuple[float, float]:
        """What reviews measure by: the range of returns, or where that is rare what the room's `usual_returns` says."""
        give = getattr(self.room, "usual_returns", None)
        found = give(self) if give else None
        return (self.min_return, self.max_return) if found is None else (float(found[0]), float(found[1]))

    @property
    def has_chance(self) -> bool:
        """Whether chance takes part: dice, deals, draws."""
        return "chance" in self.abilities

    @property
    def has_hidden_information(self) -> bool:
        """Whether some player cannot see everything."""
        return "redeal" in self.abilities or "view" in self.abilities

    def new(self, seed: int = 0, **given: Any) -> State:
        """The initial position. The seed matters only where there is chance (`state.play_chance()`).

        given: another start, where the game's room offers one by a function `start_text(game, …)` that makes a
            position's text of it: `sf.game("sevens").new(deal=[["S7", "HA", …], …])`.
        """
        number = whole(seed)
        if number is None or not 0 <= number < 2**64:
            raise ValueError(f"seed must be from 0 to 2**64 - 1, not {shown(seed)}.")
        if given:
            return self._position(self._start_text(given), number)
        return self._core.new(self, number)

    def _start_text(self, given: dict[str, Any]) -> str:
        write = getattr(self.room, "start_text", None)
        known = list(inspect.signature(write).parameters)[1:] if callable(write) else []
        for name in given:
            if name not in known:
                offered = f"takes a seed, {', '.join(known)}" if known else "takes a seed"
                raise ValueError(f"a new game of {self.name} {offered}, and no {shown(name)}.")
        return str(write(self, **given)) if callable(write) else ""

    def replay(self, actions: list[int], seed: int = 0, start: str | None = None) -> State:
        """The position after these actions, from the initial position or from the text of another."""
        if not isinstance(start, str | None):
            raise ValueError(f"a start is the text of a position, not {shown(start)}.")
        state = self.new(seed) if start is None else self._position(start, seed)
        for action in actions:
            state.play(action)
        return state

    def parse(self, text: str) -> State:
        """The position of a text: `state.to_text()`, `state.to_json()` as text, or "moves: d d e".

        A move is written as a person types it, or as # and the action's number. Outcomes of chance are moves like any:
        a text tells the whole game. `after` lets chance play by itself.
        """
        if not isinstance(text, str):
            raise ValueError(f"a position is read from a text, not from {shown(text)}.")
        text = text.strip()
        if text.startswith("{"):
            return self._parse_json(text)
        if text.startswith("moves:"):
            return self._typed(self.new(), text.removeprefix("moves:"), False)
        if "to_text" not in self.abilities:
            raise ValueError(f"a position of {self.name} is written as its moves: 'moves: a b c', or as JSON.")
        return self._position(text, 0)

    def _position(self, text: str, seed: int) -> State:
        self.new(seed)  # checks the seed
        return self._core.parse(self, text.encode("utf-8", "backslashreplace").decode(), seed)

    def after(self, moves: str, seed: int = 0) -> State:
        """The position after moves as a person types them: "S7 H7".

        Where chance is to move, a word that is one of its outcomes is that outcome; before any other word chance plays
        from the seed, as in a game that is played with it.
        """
        if not isinstance(moves, str):
            raise ValueError(f"moves are typed as a text, not given as {shown(moves)}.")
        return self._typed(self.new(seed), moves, True)

    def _typed(self, state: State, moves: str, chance_plays: bool) -> State:
        for word in filter(None, re.split("[ \t\r\n,;]+", moves)):
            while chance_plays and state.to_move == _core.CHANCE and not _is_outcome(state, word):
                state.play_chance()
            state.play(_action_of(state, word))
        return state

    def _parse_json(self, text: str) -> State:
        try:
            data = json.loads(text)
        except ValueError as error:
            raise ValueError(f"this is not the JSON of a position: {error}.") from None
        except RecursionError:
            raise ValueError("this is not the JSON of a position: it is nested too deep.") from None
        if not isinstance(data, dict):
            raise ValueError("this is not the JSON of a position: it is not an object.")
        if data.get("game") != self.name or data.get("version") != self.version:
            raise ValueError(
                f"this is a position of {shown(data.get('game'))} v{shown(data.get('version'))}, "
                f"not of {self.name} v{self.version}."
            )
        if "options" in data and data["options"] != self.options:
            raise ValueError(f"this position was made with other options of {self.name}: {shown(data['options'])}.")
        actions, seed, start = data.get("history"), data.get("seed", 0), data.get("start")
        if not isinstance(actions, list) or not isinstance(seed, int) or not isinstance(start, str | None):
            raise ValueError("this is not the JSON of a position: history must be a list, seed a number, start a text.")
        return self.replay(actions, seed, start)


def _action_of(state: State, word: str) -> int:
    return int(word[1:]) if re.fullmatch(r"#[0-9]{1,9}", word) else state.parse_action(word)


def _is_outcome(state: State, word: str) -> bool:
    try:
        return _action_of(state, word) in state.legal_actions()
    except ValueError:
        return False


def register(cls: type) -> type:
    """Makes a Python class known by its name, so that `sf.game(name)` and the command line find it."""
    name = rules.name_of(cls)
    if name in _core.house_games() or name in _rooms():
        raise ValueError(f"there already is a game '{name}' in the house; give yours another name.")
    _registered[name] = cls
    return cls


@cache
def _rooms() -> frozenset[str]:
    return frozenset(m.name for m in pkgutil.iter_modules(rooms.__path__) if m.ispkg)


def game_names() -> list[str]:
    """The names of all games of the house, and of those registered since."""
    return sorted({*_core.house_games(), *(name for name in _rooms() if _room_class(name)), *_registered})


def _room(name: str) -> ModuleType | None:
    return importlib.import_module(f"sevenfold.games.{name}") if name in _rooms() else None


def _room_class(name: str) -> type | None:
    """The Python class of a room whose rules are written in Python."""
    try:
        found = getattr(_room(name), "RULES", None)
    except Exception as error:  # one broken room must not close the house
        warnings.warn(f"the room {name} cannot be imported: {type(error).__name__}: {error}", stacklevel=2)
        return None
    return found if isinstance(found, type) else None


def game(name: "str | type | Any", *, preset: str | None = None, seed: int = 0, **options: Any) -> Game:
    """A game by name, with its options: `sf.game("connect_four", rows=9, cols=9)`.

    name: a game of the house (`sf.game_names()`), "openspiel:…", a Python class with the rules' methods, the path of a
        Python file that holds one ("nim.py" or "nim.py:Nim"), or any of the texts with the options in
        parentheses: "connect_four(rows=9, cols=9)".
    preset: the name of a set of options from the game's room; `seed` decides where it draws some at random.
    """
    if isinstance(name, type):
        return _python_game(name, _with_preset(name.__name__, sys.modules.get(name.__module__), preset, seed, options))
    if not isinstance(name, str):
        raise ValueError(f"a game is named by a text or given as a class, not {shown(name)}.")
    if name.startswith("openspiel:"):
        if preset is not None:
            raise ValueError(f"OpenSpiel's games have no presets, so there is no {shown(preset)}.")
        from sevenfold.adapters import openspiel

        return openspiel.load(name.removeprefix("openspiel:"), options)
    base, written = (name, {}) if _is_file(name) else split_spec(name)
    cls = _class_of(base)
    room = sys.modules.get(cls.__module__) if cls else _room(base)
    return _game_of(base, _with_preset(base, room, preset, seed, written | options))


def game_by_name(name: str, options: dict[str, Any]) -> Game:
    """A game that a record names: of the house, registered, or OpenSpiel's. Never a file: a record is data."""
    if name.startswith("openspiel:"):
        return game(name)
    if name in _registered or name in _rooms() or name in _core.house_games():
        return _game_of(name, options)
    raise ValueError(f"there is no game {shown(name)}; the games are: {', '.join(game_names())}.")


def _game_of(base: str, options: dict[str, Any]) -> Game:
    if cls := _class_of(base):
        return _python_game(cls, options, base)
    if base not in _core.house_games():
        raise ValueError(f"there is no game {shown(base)}; the games are: {', '.join(game_names())}.")
    core = _core.house_game(base, option_values(options))
    declared = _core.house_options(base)
    return Game(core, spec_of(base, core, declared), _room(base), declared)


def _class_of(base: str) -> type | None:
    if base in _registered:
        return _registered[base]
    if base.endswith(".py") or ".py:" in base:
        return _class_in_file(base)
    return _room_class(base)


def _python_game(cls: type, options: dict[str, Any], base: str | None = None) -> Game:
    core = rules.wrap(cls, options)
    declared = [one.option for one in options_of(core.name, cls)]
    return Game(core, spec_of(base or core.name, core, declared), sys.modules.get(cls.__module__), declared)


def _with_preset(
    base: str, room: ModuleType | None, preset: str | None, seed: int, options: dict[str, Any]
) -> dict[str, Any]:
    """The options of a preset, where one is wanted, with those given by hand on top."""
    if preset is None:
        return options
    presets = getattr(room, "PRESETS", {})
    if preset not in presets:
        raise ValueError(f"{base} has no preset {shown(preset)}; its presets are: {', '.join(presets) or 'none'}.")
    chosen = presets[preset]
    if (number := whole(seed)) is None:
        raise ValueError(f"seed must be a whole number, not {shown(seed)}.")
    return dict(chosen(random.Random(number)) if callable(chosen) else chosen) | options


def spec_of(base: str, core: _core.Game, declared: list[_core.Option]) -> str:
    """The text of a game and those of its options that are not the default."""
    usual = {option.name: option.initial for option in declared}
    changed = ", ".join(f"{key}={value!r}" for key, value in core.options.items() if usual[key] != value)
    return f"{base}({changed})" if changed else base


def heading_of(spec: str) -> tuple[str, str]:
    """A game's text as a heading: its plain name, with the preset's where the options are exactly those of one, and the
    options apart. Nothing is imported for it but a room of the house: the text may be that of a file."""
    base, bracket, rest = spec.partition("(") if ".py" not in spec else (Path(spec.partition(".py")[0]).name, "", "")
    options = rest.removesuffix(")")
    if not bracket or base not in game_names():
        return base, options
    for preset, chosen in getattr(_room(base), "PRESETS", {}).items():
        if not callable(chosen) and game(base, preset=preset).spec == spec:
            return f"{base} ({preset})", options
    return base, options


def split_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """ "connect_four(rows=9, blocked=(2, 3))" as name and options."""
    match = re.fullmatch(r"([^()]+?)\s*(\(.*\))?", spec.strip(), re.DOTALL)
    if not match:
        raise ValueError(f"a game is written as a name or as name(option=value, …), not {shown(spec)}.")
    name, arguments = match.groups()
    if not arguments:
        return name, {}
    try:
        call = ast.parse(f"f{arguments}", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        options = {keyword.arg: _literal(keyword.value) for keyword in call.keywords if keyword.arg is not None}
        if len(options) < len(call.keywords):  # "**more", or an option twice
            raise ValueError
        return name, options
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise ValueError(f"the options of {shown(spec)} cannot be read; write name(option=value, …).") from None


def _literal(node: ast.expr) -> Any:
    """A literal, or a bare word for the options that are one (variant=cover, flag=true)."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def _is_file(name: str) -> bool:
    """Whether a Python file has this name; it may hold parentheses, which otherwise begin the options."""
    try:
        return name.endswith(".py") and Path(name).is_file()
    except (ValueError, OSError):  # no file can have this name
        return False


def _class_in_file(text: str) -> type:
    """The game class in a Python file: "nim.py", or "games.py:Nim" where there are several."""
    path_text, _, wanted = text.partition(".py:")
    path = Path(path_text if not wanted else path_text + ".py")
    if not _is_file(str(path)):
        raise ValueError(f"there is no file {shown(str(path))} to read a game from.")
    name = f"sevenfold_file_{path.stem}"
    module_spec = importlib.util.spec_from_file_location(name, path)
    if module_spec is None or module_spec.loader is None:
        raise ValueError(f"{shown(str(path))} is not a Python file.")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)  # as for a script: a game may import what lies beside it
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ValueError(
            f"{shown(str(path))} cannot be imported: {type(error).__name__}: {shown(str(error))}."
        ) from error
    finally:
        sys.path.remove(folder)
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == name
        and value.__name__ == key  # not another name for it
        and all(callable(getattr(value, method, None)) for method in rules.REQUIRED)
    }
    if wanted:
        if wanted not in found:
            raise ValueError(f"{shown(str(path))} has no game class '{wanted}'; it has: {', '.join(found) or 'none'}.")
        return found[wanted]
    if not found:
        raise ValueError(f"{shown(str(path))} holds 0 game classes; see docs/how-to/write-a-game.md.")
    if len(found) != 1:
        raise ValueError(
            f"{shown(str(path))} holds {len(found)} game classes ({', '.join(found)}); write {path}:ClassName."
        )
    return next(iter(found.values()))
