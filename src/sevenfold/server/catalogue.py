"""The games on offer: those of the house, and those named at the server's start; never a file named from outside."""

import importlib.util
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

from pydantic import TypeAdapter
from rich.text import Text

from sevenfold.formats import formats
from sevenfold.game import Game, game_names
from sevenfold.game import game as game_of
from sevenfold.levels import Level, levels
from sevenfold.options import shown
from sevenfold.picture import miniature
from sevenfold.server import specs, wire

OWN_WORDS = ("name", "preset", "seed")
"""Of `sf.game` itself, and no options of a game."""


class Catalogue:
    """The games that sessions can be made of."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        self._more = {game_of(spec).name: spec for spec in more}

    def names(self) -> list[str]:
        """Everything on offer."""
        return [*game_names(), *(name for name in self._more if name not in game_names())]

    def game(self, name: str, options: dict[str, Any] | None = None, preset: str | None = None, seed: int = 0) -> Game:
        """A game of the catalogue with options; ValueError for any other."""
        if name not in self.names():
            raise ValueError(f"there is no game {shown(name)}; the games are: {', '.join(self.names())}.")
        for key in options or {}:
            if key in OWN_WORDS:
                raise ValueError(f"{name} has no option {shown(key)}.")
        return game_of(self._more.get(name, name), preset=preset, seed=seed, **(options or {}))

    def name_of(self, spec: str) -> str:
        """The name of the game of such a text: a file of somebody's own goes by its rules' name, not by its path."""
        for name, more in self._more.items():
            if spec == more or spec.startswith(f"{more}("):
                return name
        return spec.partition("(")[0]

    def known(self, spec: str) -> Game:
        """The game of a text that this server has written: of a session, of a run in its folder."""
        return _known(spec)

    @cached_property
    def told(self) -> bytes:
        """All games for the lobby, as JSON: it takes a while to make, and does not change."""
        infos = [info(self.game(name)) for name in self.names()]
        return TypeAdapter(list[wire.GameInfo]).dump_json(infos, exclude_unset=True, by_alias=True)

    def info(self, name: str) -> wire.GameInfo:
        """One of them; ValueError for any other."""
        return info(self.game(name))


@lru_cache(maxsize=256)
def _known(spec: str) -> Game:
    return game_of(spec)


def words(en: str, chinese: str | None = None) -> wire.Words:
    """A text in both languages."""
    return wire.Words(en=en, zh_tw=chinese if chinese is not None else en)


def info(game: Game) -> wire.GameInfo:
    """A game for the lobby."""
    picture = miniature(game)
    open_game = not game.has_hidden_information
    return wire.GameInfo(
        name=game.name,
        spec=game.spec,
        title=words(game.title, _of_room(game, "TITLE_ZH")),
        how=words(_how(game, "") or "", _how(game, "_ZH")),
        players=game.players,
        chance=game.has_chance,
        hidden=game.has_hidden_information,
        actions=game.actions,
        returns=(game.min_return, game.max_return),
        sum="zero" if game.sum == "zero" else "any",
        options=[_option(one, game) for one in game.declared_options],
        presets=list(_presets(game)),
        seats=seats(game),
        levels=[level(one) for one in levels(game)],
        players_known=specs.names(game),
        drawing=picture is not None,
        formats=list(formats(game)),
        set_up=open_game and "to_text" in game.abilities,
        miniature=picture,
        training=trains(game),
        learn=open_game and not game.has_chance and game.players == 2 and picture is not None,
    )


def level(one: Level) -> wire.Level:
    """A level as it is told."""
    title, about = wire.Words.model_validate(one.title), wire.Words.model_validate(one.about)
    return wire.Level(id=one.id, player=one.player, title=title, about=about)


def seats(game: Game) -> list[wire.Words]:
    """What the seats are called: by the room's words, or by its sign for the terminal, or by number."""
    given = getattr(game.room, "SEAT_NAMES", None)
    if isinstance(given, list | tuple) and len(given) >= game.players:
        return [words(*(one if isinstance(one, list | tuple) else (one,))) for one in given[: game.players]]
    signs = getattr(game.room, "SEATS", ())
    out = []
    for seat in range(game.players):
        sign = f" {Text.from_markup(signs[seat]).plain}" if seat < len(signs) else ""
        out.append(words(f"Player {seat + 1}{sign}", f"玩家 {seat + 1}{sign}"))
    return out


def trains(game: Game) -> bool:
    """Whether a small run can be started: torch is there, and the room has a quick preset of its own."""
    if not can_train():
        return False
    from sevenfold.train import config

    return "quick" in config.presets(game) and "observe" in game.abilities and game.spec == game.name


def can_train() -> bool:
    """Whether the extra `train` is installed; torch itself is not imported to find out."""
    return all(importlib.util.find_spec(name) for name in ("torch", "onnx", "safetensors"))


def _presets(game: Game) -> dict[str, Any]:
    found = getattr(game.room, "PRESETS", None)
    return found if isinstance(found, dict) else {}


def _of_room(game: Game, name: str) -> str | None:
    text = getattr(game.room, name, None)
    return text if isinstance(text, str) else None


def _how(game: Game, language: str) -> str | None:
    """How it is played: with the hand, or as it is typed at the terminal where the room says nothing else."""
    text = _of_room(game, f"HOW_PAGE{language}") or _of_room(game, f"HOW{language}")
    try:
        return text.format(**game.options) if text else text
    except (LookupError, ValueError):
        return text


def _option(one: Any, game: Game) -> wire.OptionInfo:
    kinds: dict[str, Any] = {"integer": "integer", "real": "real", "choice": "choice", "flag": "flag"}
    kind = kinds.get(one.kind, "text")
    title, about = one.name.replace("_", " "), one.help
    chinese = getattr(game.room, "OPTIONS_ZH", {}).get(one.name, (title, about))
    made = wire.OptionInfo(
        name=one.name, kind=kind, default=one.initial, help=one.help,
        title=words(title, chinese[0]), about=words(about, chinese[1]),
    )  # fmt: skip
    if kind in ("integer", "real"):
        made.low, made.high = one.low, one.high
    if kind == "choice":
        made.choices = list(one.choices)
    return made
