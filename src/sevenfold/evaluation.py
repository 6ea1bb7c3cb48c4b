"""Evaluations: what a search takes a position for where it goes no deeper, and where fitted weights are stored.

    sf.evaluation(game)          linear if the game's room has weights for it, else the game's own heuristic

The contract and the formulas are in cpp/search/evaluation.h and docs/methods/evaluation.md. Weights are data: a file
`evaluation.json` in the game's room, or `NAME.evaluation.json` beside the file of a game written in Python. It holds an
entry for each set of options that weights were fitted for; one whose options are null serves all others.
"""

import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from sevenfold import _core
from sevenfold import games as rooms
from sevenfold.files import whole_file
from sevenfold.game import Game
from sevenfold.options import shown

FORMAT = 1
Kind = Literal["auto", "heuristic", "linear", "zero"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True)
class Weights:
    """The weights of a linear evaluation, and how they came about."""

    game: str
    terms: dict[str, float]
    """The weight of each term of the game."""
    options: dict[str, Any] | None = None
    """The game options that they were fitted for, those left out that have their default; None: any."""
    about: dict[str, Any] = field(default_factory=dict)
    """How they were fitted: loss, games, positions, player, seed, and how well they do on games held out."""

    @property
    def spec(self) -> str:
        """The game with the options that they were fitted for, as `sf.game` reads it."""
        options = ", ".join(f"{name}={value!r}" for name, value in (self.options or {}).items())
        return f"{self.game}({options})" if options else self.game

    def vector(self, game: Game) -> list[float]:
        """The weights in the order of the game's terms; ValueError where they are not this game's."""
        if self.game != game.name:
            raise ValueError(f"these are weights of {shown(self.game)}, not of {game.name}.")
        names = term_names(game)
        if strange := [name for name in self.terms if name not in names]:
            raise ValueError(
                f"{game.name} has no term {shown(strange[0])} to be weighed; its terms are: {', '.join(names)}."
            )
        if missing := [name for name in names if name not in self.terms]:
            raise ValueError(f"the weights of {game.name} lack its term {shown(missing[0])}.")
        return [self.terms[name] for name in names]


def term_names(game: Game) -> list[str]:
    """The names of the terms that a game offers to a linear evaluation."""
    if "terms" not in game.abilities:
        raise ValueError(f"the linear evaluation needs the ability 'terms', which {game.name} does not offer.")
    return list(game.new().terms(0))


def changed_options(game: Game, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """The options of a game that do not have their default."""
    usual = {option.name: option.initial for option in game.declared_options}
    values = game.options if options is None else options
    return {name: value for name, value in values.items() if usual.get(name) != value}


def weights_path(game: Game) -> Path | None:
    """Where a game's weights are stored: in its room, or beside its file; None for a game that has neither."""
    file = getattr(game.room, "__file__", None)
    if not isinstance(file, str) or game.room is None:
        return None
    if game.room.__name__.startswith(f"{rooms.__name__}."):
        return Path(file).parent / "evaluation.json"
    return Path(file).parent / f"{game.name}.evaluation.json"


def weights_for(game: Game, path: str | os.PathLike[str] | None = None) -> Weights | None:
    """The weights that are stored for a game and its options, in its room or in another file; None if there are none.

    Those fitted for exactly these options go before those for any.
    """
    stored = weights_path(game) if path is None else Path(path)
    if stored is None or (path is None and not stored.exists()):
        return None
    entries = [entry for entry in read_weights(stored) if entry.game == game.name]
    options = changed_options(game)
    fitting = [entry for entry in entries if entry.options == options]
    return next(iter(fitting + [entry for entry in entries if entry.options is None]), None)


def read_weights(path: str | os.PathLike[str]) -> list[Weights]:
    """All weights of a file; ValueError where it is none."""

    def wrong(why: str) -> ValueError:
        return ValueError(f"{path} is not a file of weights: {why}.")

    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ValueError(f"there is no file {shown(str(path))} to read weights from.") from None
    except UnicodeError:
        raise wrong("it is not UTF-8") from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise wrong("it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise wrong(f"it is not of format {FORMAT}")
    game, entries = data.get("game"), data.get("entries")
    if not isinstance(game, str) or not isinstance(entries, list):
        raise wrong("game must be a text and entries a list")
    out = []
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise wrong(f"entry {number} is not an object")
        terms, options, about = (entry.get(key) for key in ("terms", "options", "about"))
        if not isinstance(terms, dict) or not isinstance(options, dict | None) or not isinstance(about, dict | None):
            raise wrong(f"entry {number} needs terms by name, and options and about as objects or null")
        for name, weight in terms.items():
            if type(weight) not in (int, float) or not math.isfinite(weight):
                raise wrong(f"the weight of {shown(name)} in entry {number} is no finite number")
        out.append(Weights(game, {name: float(weight) for name, weight in terms.items()}, options, about or {}))
    return out


def save_weights(path: str | os.PathLike[str], weights: Weights) -> None:
    """Stores weights in a file, in place of those for the same options and beside those for others; all or nothing."""
    path = Path(path)
    kept = read_weights(path) if path.exists() else []
    if strangers := [entry.game for entry in kept if entry.game != weights.game]:
        raise ValueError(f"{path} holds weights of {shown(strangers[0])}, not of {weights.game}; nothing was written.")
    entries = [entry for entry in kept if entry.options != weights.options] + [weights]
    entries.sort(key=lambda entry: (entry.options is not None, sorted(map(str, (entry.options or {}).items()))))
    data = {
        "format": FORMAT,
        "game": weights.game,
        "entries": [{"options": one.options, "terms": one.terms, "about": one.about} for one in entries],
    }
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def evaluation(
    game: Game, kind: Kind = "auto", weights: "Weights | dict[str, float] | str | os.PathLike[str] | None" = None
) -> _core.Evaluation:
    """The evaluation of a game: call it on a state for a value per player, or give it to a search.

    kind: "heuristic" is the game's own, "linear" weighs its terms, "zero" calls everything even; "auto" is linear where
        weights are stored for the game, else heuristic.
    weights: for "linear" other weights than those of the room: `Weights`, a dictionary by term, or a file.
    """
    if not isinstance(game, Game):
        raise ValueError(f"an evaluation needs its game, from sf.game, not {shown(game)}.")
    if kind not in KINDS:
        raise ValueError(f"an evaluation is {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {shown(kind)}.")
    if kind in ("heuristic", "zero"):
        if weights is not None:
            raise ValueError(f"the evaluation {kind} takes no weights.")
        return _core.Evaluation(game._core, kind, [])
    if weights is not None:
        return _core.Evaluation(game._core, "linear", _given(game, weights).vector(game))
    stored = weights_for(game) if "terms" in game.abilities else None
    if stored is not None:
        return _core.Evaluation(game._core, "linear", stored.vector(game))
    if kind == "linear":
        term_names(game)  # the ability, before the weights
        raise ValueError(
            f"no weights are stored for {game.spec}; fit some: sevenfold fit {shown(game.spec)} --games 200 --room."
        )
    if "heuristic" not in game.abilities:
        raise ValueError(
            f"{game.name} does not offer the ability 'heuristic', and no weights are stored for its terms; "
            "the evaluation 'zero' does without."
        )
    return _core.Evaluation(game._core, "heuristic", [])


def _given(game: Game, weights: object) -> Weights:
    if isinstance(weights, Weights):
        return weights
    if isinstance(weights, dict):
        if not all(type(one) in (int, float) and math.isfinite(one) for one in weights.values()):
            raise ValueError(f"weights are finite numbers by term, not {shown(weights)}.")
        return Weights(game.name, {str(name): float(weight) for name, weight in weights.items()})
    if not isinstance(weights, str | os.PathLike):
        raise ValueError(f"weights are a dictionary by term or the name of a file, not {shown(weights)}.")
    found = weights_for(game, weights)
    if found is None:
        raise ValueError(f"{os.fspath(weights)} holds no weights for {game.spec}.")
    return found
