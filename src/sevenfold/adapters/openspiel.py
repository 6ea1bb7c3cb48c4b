"""OpenSpiel's games as games of ours: `sf.game("openspiel:hex(board_size=5)")`.

Every game of OpenSpiel in which players (and chance) move one after the other becomes a game written in Python (see
rules.py): a class that holds a `pyspiel.State` and answers with our method names, so that every search, match, record
and protocol takes it. Each call goes through Python, so a game of the house is much faster than its OpenSpiel twin.

The name of such a game holds its parameters and is written as OpenSpiel writes it. A value that contains a bracket, a
comma or a line break stands in quotes; a game inside another one does not: "misere(game=kuhn_poker())".

What it does not handle, and refuses with one sentence: simultaneous moves (OpenSpiel turns them into turns by
`turn_based_simultaneous_game`), mean-field games, chance that is drawn inside OpenSpiel (such games cannot be
replayed), moves that are not numbers, and games over the core's limits.

Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019, arXiv:1908.09453.
"""

import hashlib
import math
import random
import re
from collections import Counter
from typing import Any, ClassVar

from sevenfold import rules
from sevenfold._core import CHANCE, MAX_LEGAL, MAX_PLAYERS, MAX_PLIES, TERMINAL
from sevenfold._core import MAX_ACTIONS as MAX_IDS
from sevenfold.adapters.openspiel_names import (
    MAX_TEXT,
    PREFIX,
    Parameters,
    RefusedError,
    kinds_of,
    openspiel,
    refuse_kind,
    split,
    typed,
    written_as,
)
from sevenfold.adapters.openspiel_trial import prove, quiet
from sevenfold.game import Game
from sevenfold.options import shown

BOARD_IS_ALL = {"breakthrough", "clobber", "connect_four", "havannah", "hex", "mnk", "nim", "othello", "pentago"}
BOARD_IS_ALL |= {"tic_tac_toe", "y"}
"""Games in which mover and text are the whole position, found by reading their sources (OpenSpiel 2.0.2).

No counter, repetition rule or earlier move that their text does not show decides anything in them.
"""


class Position:
    """A position of OpenSpiel behind our method names; each game gets a class of its own with its facts."""

    __slots__ = ("_texts", "state")

    game_text: ClassVar[str]
    players: ClassVar[int]
    pays_on_the_way: ClassVar[bool]
    """Whether the returns mean something before the end (OpenSpiel's reward model REWARDS)."""
    equal_by: ClassVar[str]
    """What makes two positions equal: "board", "history" or "history and board"; see `hash`."""
    root: ClassVar[Any]
    """The state that all others are cloned from, kept alive: clones of morpion_solitaire point into it."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self._texts: dict[int, str] | None = None

    def copy(self) -> "Position":
        """A clone that shares nothing that can change."""
        out = type(self)(self.state.clone())
        out._texts = self._texts
        return out

    def to_move(self) -> int:
        """OpenSpiel's ids below 0 are others than ours."""
        mover = int(self.state.current_player())
        return mover if mover >= 0 else TERMINAL if self.state.is_terminal() else CHANCE

    def legal_actions(self) -> list[int]:
        """The mover's actions."""
        legal: list[int] = self.state.legal_actions()
        if len(legal) > MAX_LEGAL:
            raise RefusedError(_too_many(self.game_text, "actions", len(legal)))
        return legal

    def play(self, action: int) -> None:
        """Plays an action or a chance outcome."""
        try:
            self.state.apply_action(action)
        except RuntimeError as error:  # oware(num_seeds_per_house=100) is longer than OpenSpiel allows
            raise RefusedError(f"OpenSpiel cannot play {self.game_text} on: {_reason(error)}.") from error
        self._texts = None

    def returns(self) -> list[float]:
        """Zeros before the end where the game pays only there: what OpenSpiel answers then is not defined."""
        if self.pays_on_the_way or self.state.is_terminal():
            return list(self.state.returns())
        return [0.0] * self.players

    def hash(self) -> int:
        """Different positions never hash equal (but for 64 bits); equal ones do where that is certain.

        A text may leave out what decides the future (castling, repetitions, a ply limit), so two positions count as
        equal only if the same moves led to them, save in the games of BOARD_IS_ALL (there the last action of a
        finished game counts too: hex shows it in the observation). Under hidden information the text is hashed with
        the moves: a redealt world may keep the history of the world it was dealt from (gin_rummy).
        """
        if self.equal_by == "board":
            last = self.state.history()[-1] if self.state.is_terminal() else None
            key = f"{self.state.current_player()} {last}\n{self.state}"
        elif self.equal_by == "history":
            key = self.state.history_str()
        else:
            key = f"{self.state.history_str()}\n{self.state}"
        return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")

    def __str__(self) -> str:
        return str(self.state)

    def action_text(self, action: int) -> str:
        """OpenSpiel's word for an action, with the action's number where it has the same word for another one."""
        if self._texts is None:
            self._texts = _texts(self.state)
        return self._texts.get(action, str(action))


class WithChance(Position):
    """The ability `chance`."""

    __slots__ = ()

    def chance(self) -> list[tuple[int, float]]:
        """The outcomes that can happen."""
        outcomes = [(outcome, chance) for outcome, chance in self.state.chance_outcomes() if chance > 0]
        if len(outcomes) > MAX_LEGAL:
            raise RefusedError(_too_many(self.game_text, "chance outcomes", len(outcomes)))
        total = math.fsum(chance for _, chance in outcomes)
        if abs(total - 1) > 1e-9:  # rounding of OpenSpiel's own
            return [(outcome, chance / total) for outcome, chance in outcomes]
        return outcomes


class WithObservation(Position):
    """The ability `observe`."""

    __slots__ = ()

    planes: ClassVar[tuple[int, int, int]]
    tensor: ClassVar[str]
    """The method of OpenSpiel's state that gives the numbers."""

    def observe(self, viewer: int) -> Any:
        """The information state, or else the observation; planes and features have the same order there and here."""
        import numpy as np

        numbers = np.asarray(getattr(self.state, self.tensor)(viewer), dtype=np.float32)
        return numbers if self.planes == (0, 0, 0) else numbers.reshape(self.planes)


class WithView(Position):
    """The ability `view`, in games of hidden information."""

    __slots__ = ()

    text: ClassVar[str | None]
    """The method of OpenSpiel's state that gives the text, where there is one."""

    def view(self, viewer: int) -> str:
        """What OpenSpiel tells a player; one's own actions where it has no text for that."""
        if self.text is not None:
            return str(getattr(self.state, self.text)(viewer))
        own = [str(step.action) for step in self.state.full_history() if step.player == viewer]
        return f"player {viewer} has played {', '.join(own) or 'nothing'}"


class WithRedeal(WithView):
    """The ability `redeal`, in games of hidden information that OpenSpiel can resample."""

    __slots__ = ()

    def redeal(self, viewer: int, rng: random.Random) -> None:
        """Another world that the viewer cannot tell from this one; after the end nothing is dealt any more."""
        if self.state.is_terminal():
            return
        try:
            self.state = _resampled(self.state, viewer, rng)
        except RuntimeError as error:
            raise RefusedError(f"{self.game_text} cannot be redealt in this position: {_reason(error)}.") from error
        self._texts = None


def load(text: str, options: dict[str, Any]) -> Game:
    """The game of a text such as "hex(board_size=5)"; `options` are more parameters of OpenSpiel."""
    spiel = openspiel()
    name, given = split(text)
    parameters = typed(spiel, name, given | options)
    written = PREFIX + written_as(name, parameters)
    if len(written) > MAX_TEXT:
        raise RefusedError(f"the name of a game has at most {MAX_TEXT} characters, {shown(written)} has more.")
    refuse_kind(spiel, written, kinds_of(spiel)[name])
    if parameters:
        prove(written, name, parameters)
    with quiet():
        initial = initial_position(spiel, written, name, parameters)
    return Game(rules.wrap_object(written, initial, [], {}), written)


def initial_position(spiel: Any, written: str, name: str, parameters: Parameters) -> Position:
    """The initial position of a game, in a class made for it."""
    try:
        game = spiel.load_game(name, parameters)
        refuse_kind(spiel, written, game.get_type())
        state = game.new_initial_state()
        return _position_class(spiel, written, game, state)(state)
    except (RefusedError, MemoryError):
        raise
    except Exception as error:  # of any class: pybind11 turns errors of the C++ library into ValueError, too
        raise RefusedError(f"OpenSpiel refuses {written}: {_reason(error)}.") from error


def _position_class(spiel: Any, written: str, game: Any, initial: Any) -> type[Position]:
    """The class of a game's positions: its facts as attributes, its abilities as methods."""
    kind = game.get_type()
    hidden = kind.information != spiel.GameType.Information.PERFECT_INFORMATION
    low, high = game.min_utility(), game.max_utility()
    facts: dict[str, Any] = {
        "__slots__": (),
        "game_text": written,
        "root": initial,
        "pays_on_the_way": kind.reward_model == spiel.GameType.RewardModel.REWARDS,
        "equal_by": "history and board" if hidden else "history",
        "players": game.num_players(),
        "actions": game.num_distinct_actions(),
        "outcomes": 0,
        "min_return": min(low, 0.0),  # the returns begin at 0
        "max_return": max(high, 0.0),
        "sum": "zero" if game.utility_sum() == 0 else "any",
        "max_plies": 0,
    }
    if kind.short_name in BOARD_IS_ALL:
        facts["equal_by"] = "board"
    if not 1 <= facts["players"] <= MAX_PLAYERS:
        raise RefusedError(f"{written} has {facts['players']} players; 1 to {MAX_PLAYERS} can play here.")
    if not 1 <= facts["actions"] <= MAX_IDS:
        raise RefusedError(f"{written} has {facts['actions']} actions; a game here has from 1 to {MAX_IDS}.")
    if not math.isfinite(low) or not math.isfinite(high):
        raise RefusedError(f"{written} does not say what one can win or lose at most, which a game here must.")

    bases: list[type[Position]] = []
    highest_outcome, redeals = _sounding(written, game, hidden)
    # Seen counts more than declared: chess(chess960=True) draws a position though its type says "deterministic".
    if kind.chance_mode != spiel.GameType.ChanceMode.DETERMINISTIC or highest_outcome >= 0:
        bases.append(WithChance)
        facts["outcomes"] = max(game.max_chance_outcomes(), highest_outcome + 1)
        if facts["outcomes"] > MAX_IDS:
            raise RefusedError(f"{written} has {facts['outcomes']} chance outcomes; a game here has at most {MAX_IDS}.")
    elif game.max_game_length() <= MAX_PLIES:  # with chance, some declare too little: turn-based laser_tag is longer
        facts["max_plies"] = game.max_game_length()
    if method := _tensor_method(kind):
        bases.append(WithObservation)
        facts |= _tensor_facts(game, initial, method)
    if hidden:
        facts["text"] = _text_method(kind)
        bases.append(WithRedeal if redeals else WithView)
    return type("OpenSpielPosition", (*bases, Position), facts)


def _tensor_method(kind: Any) -> str | None:
    if kind.provides_information_state_tensor:
        return "information_state_tensor"
    return "observation_tensor" if kind.provides_observation_tensor else None


def _text_method(kind: Any) -> str | None:
    if kind.provides_information_state_string:
        return "information_state_string"
    return "observation_string" if kind.provides_observation_string else None


def _tensor_facts(game: Any, initial: Any, method: str) -> dict[str, Any]:
    """Three dimensions are planes; all else is a list of features."""
    shape = tuple(getattr(game, f"{method}_shape")())
    if len(shape) == 3 and getattr(game, f"{method}_layout")().name == "CHW":
        return {"tensor": method, "planes": shape, "features": 0}
    return {"tensor": method, "planes": (0, 0, 0), "features": len(getattr(initial, method)(0))}


SOUNDED_PLIES = 200
"""Enough to get past the deal of a full deck."""


def _sounding(written: str, game: Any, hidden: bool) -> tuple[int, bool]:
    """Two random games: the highest chance outcome seen, and whether hidden hands can be redealt.

    A few games of OpenSpiel break their own declarations or raise where they should answer, so everything is asked
    once before a search stands on it: at the plies 1, 2, 4, 8 and so on. Resampling is implemented by some games and
    listed nowhere, so it is tried, at three decisions of one game only: it can be slow.
    """
    rng = random.Random(0)
    highest, redeals = -1, hidden
    for number in range(2):
        state, decisions = game.new_initial_state(), 0
        for ply in range(1, SOUNDED_PLIES):
            if ply.bit_count() == 1 or state.is_terminal():
                _look(game, state)
            if state.is_terminal():
                break
            if state.is_chance_node():
                what, ids = "chance outcomes", [outcome for outcome, chance in state.chance_outcomes() if chance > 0]
                highest = max(highest, *ids)
            else:
                what, ids = "actions", state.legal_actions()
                if not ids or not 0 <= min(ids) <= max(ids) < game.num_distinct_actions():
                    declared = game.num_distinct_actions()
                    raise RefusedError(f"{written} declares {declared} actions but offers the actions {ids[:12]}.")
                decisions += 1
                if redeals and number == 0 and decisions in (1, 4, 16):
                    redeals = all(_redeals(state, viewer, rng) for viewer in range(game.num_players()))
            if len(ids) > MAX_LEGAL:
                raise RefusedError(_too_many(written, what, len(ids)))
            state.apply_action(rng.choice(ids))
    return highest, redeals


def _look(game: Any, state: Any) -> None:
    """Asks a clone, as every position of ours is one, for everything that a position may be asked for."""
    kind, state = game.get_type(), state.clone()
    for viewer in range(game.num_players()):
        for method in filter(None, (_tensor_method(kind), _text_method(kind))):
            getattr(state, method)(viewer)
    str(state), state.returns(), state.history_str(), _texts(state)
    if state.is_chance_node():
        state.chance_outcomes()


def _redeals(state: Any, viewer: int, rng: random.Random) -> bool:
    """Whether OpenSpiel can resample a position so that the viewer sees no difference."""
    kind = state.get_game().get_type()
    try:
        world = _resampled(state, viewer, rng)
    except RuntimeError:
        return False
    if world.current_player() != state.current_player():
        return False
    if state.current_player() == viewer and world.legal_actions() != state.legal_actions():
        return False
    methods = filter(None, (_tensor_method(kind), _text_method(kind)))
    return all(getattr(world, method)(viewer) == getattr(state, method)(viewer) for method in methods)


REDEAL_TRIES = 200


def _resampled(state: Any, viewer: int, rng: random.Random) -> Any:
    """A world that OpenSpiel resamples from what the viewer knows.

    Some of the hands that hearts, euchre and bridge deal could not have played what the viewer has seen (a suit that
    was not followed), and with some a game cannot even be finished. The former are taken only if nothing better comes
    up in a few tries, the latter never.
    """
    makeshift = None
    for _ in range(REDEAL_TRIES):
        world = state.resample_from_infostate(viewer, rng.random)
        if _was_possible(world):
            return world
        if makeshift is None and _can_be_finished(world, rng):
            makeshift = world
    if makeshift is None:
        raise RuntimeError(f"none of {REDEAL_TRIES} worlds could be played to the end")
    return makeshift


def _was_possible(world: Any) -> bool:
    walk = world.get_game().new_initial_state()
    for action in world.history():
        if action not in walk.legal_actions():
            return False
        walk.apply_action(action)
    return True


def _can_be_finished(world: Any, rng: random.Random) -> bool:
    walk = world.clone()
    while not walk.is_terminal():
        legal = walk.legal_actions()
        if not legal:
            return False
        walk.apply_action(rng.choice(legal))
    return True


def _texts(state: Any) -> dict[int, str]:
    """A text of its own for each legal action."""
    mover = state.current_player()
    words = {action: str(state.action_to_string(mover, action)).strip() for action in state.legal_actions()}
    times = Counter(words.values())
    texts = {a: word if word and times[word] == 1 else f"{word}#{a}" for a, word in words.items()}
    return texts if len(set(texts.values())) == len(texts) else {a: f"#{a}" for a in words}


def _too_many(written: str, what: str, count: int) -> str:
    return f"{written} has a position with {count} {what}; a game here has at most {MAX_LEGAL} at once."


def _reason(error: BaseException) -> str:
    """OpenSpiel's error on one line, without the place in its sources."""
    text = " ".join(re.sub(r"^\S+\.(cc|h):\d+ ", "", str(error)).split()).rstrip(".")
    return text[:200] or type(error).__name__
