"""Proves games written in Python: any way to write the class works, nonsense is a sentence, and nothing crashes."""

import array
import collections
import copy
import gc
import itertools
import os
import random
import re
import threading
import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from helpers import refused

import sevenfold as sf


def label(value: object) -> str:
    """The same for every process: without addresses."""
    return re.sub(r" at 0x\w+|\s+", " ", repr(value))[:30]


class Sticks(sf.Rules):
    """Take one to three of ten; whoever takes the last wins. The games below are this one with a change."""

    actions = 3

    def __init__(self) -> None:
        self.count, self.turn = 10, 0

    def to_move(self) -> int:
        return self.turn if self.count else sf.TERMINAL

    def legal_actions(self) -> Any:
        return [n - 1 for n in (1, 2, 3) if n <= self.count]

    def play(self, action: int) -> None:
        self.count -= action + 1
        self.turn = 1 - self.turn

    def returns(self) -> Any:
        return [0, 0] if self.count else ([-1, 1] if self.turn == 0 else [1, -1])


class Plain:
    """The same game, derived from nothing."""

    actions = 3
    __init__ = Sticks.__init__
    to_move, legal_actions, play, returns = Sticks.to_move, Sticks.legal_actions, Sticks.play, Sticks.returns


class Rolls(Sticks):
    """The same game, with a die rolled before each move that may take a stick away."""

    outcomes = 2

    def __init__(self) -> None:
        super().__init__()
        self.rolled = False

    def to_move(self) -> int:
        return sf.CHANCE if self.count and not self.rolled else super().to_move()

    def chance(self) -> Any:
        return [(0, 0.5), (1, 0.5)]

    def play(self, action: int) -> None:
        if self.rolled:
            super().play(action)
        else:
            self.count = max(0, self.count - action)
        self.rolled = not self.rolled


def with_method(name: str, answer: Any, base: type = Sticks, **attributes: Any) -> type:
    """A game one of whose methods gives a fixed answer."""
    return type("Odd", (base,), {name: lambda self, *arguments: answer, **attributes})


def everything(state: sf.State) -> list[Any]:
    """Calls every method that a program would call."""
    return [
        state.to_move,
        state.is_over,
        state.legal_actions(),
        state.legal_mask().tolist(),
        state.returns(),
        state.hash(),
        str(state),
        state.view(0),
        [state.action_text(action) for action in state.legal_actions()],
        state.chance(),
        state.to_text(),
        state.to_json(),
        state.playouts(2, 1),
        sf.perft(state, 2),
        state.copy().to_move,
    ]


def play_through(game: sf.Game) -> None:
    rng = random.Random(1)
    for seed in range(5):
        state = game.new(seed)
        while not state.is_over:
            everything(state)
            state.play(rng.choice(state.legal_actions()))
        everything(state)


# --- Ways to write a game -------------------------------------------------------------------------------------------


class Slotted(sf.Rules):
    __slots__ = ("count", "turn")
    actions = 3
    __init__ = Sticks.__init__
    to_move, legal_actions, play, returns = Sticks.to_move, Sticks.legal_actions, Sticks.play, Sticks.returns

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def __str__(self) -> str:
        return f"{self.count} {self.turn}"


class SlottedPlain:
    __slots__ = ("count", "turn")
    actions = 3
    __init__ = Sticks.__init__
    to_move, legal_actions, play, returns = Sticks.to_move, Sticks.legal_actions, Sticks.play, Sticks.returns


class SlottedWhole(SlottedPlain):
    __slots__ = ()

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def action_text(self, action: int) -> str:
        return str(action + 1)

    def __str__(self) -> str:
        return f"{self.count} {self.turn}"


@dataclass(slots=True)
class SlottedDataclass:
    count: int = 10
    turn: int = 0
    actions: ClassVar[int] = 3

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def action_text(self, action: int) -> str:
        return str(action + 1)

    to_move, legal_actions, play, returns = Sticks.to_move, Sticks.legal_actions, Sticks.play, Sticks.returns


@dataclass
class Dataclass(sf.Rules):
    count: int = 10
    turn: int = 0
    actions: ClassVar[int] = 3
    to_move, legal_actions, play, returns = Sticks.to_move, Sticks.legal_actions, Sticks.play, Sticks.returns


class WithoutStr:
    """Has its own hash and texts, but no `__str__`: Python's default would name the object's address."""

    actions = 3
    __init__ = Sticks.__init__
    to_move, legal_actions, play, returns = Sticks.to_move, Sticks.legal_actions, Sticks.play, Sticks.returns

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def action_text(self, action: int) -> str:
        return str(action + 1)


class WithCopy(Sticks):
    def copy(self) -> "WithCopy":
        twin = WithCopy()
        twin.count, twin.turn = self.count, self.turn
        return twin


class Nested(Sticks):
    """Keeps its position in every container there is."""

    def __init__(self) -> None:
        super().__init__()
        self.deep = {"list": [[10], (0, [1])], "set": {1, 2}, "frozen": frozenset({1}), "bytes": bytearray(b"x")}
        self.array = np.zeros((2, 2), dtype=np.int8)
        self.queue = collections.deque([1, 2], maxlen=3)
        self.counter = collections.Counter("aab")
        self.default = collections.defaultdict(list)
        self.rng = random.Random(3)

    def play(self, action: int) -> None:
        super().play(action)
        self.deep["list"][0][0] -= 1
        self.deep["list"][1][1].append(action)
        self.deep["set"].add(action)
        self.deep["bytes"][0] += 1
        self.array[0, 0] += 1
        self.queue.append(action)
        self.counter["a"] += 1
        self.default[action].append(1)
        self.rng.random()

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def __str__(self) -> str:
        return f"{self.count} {self.deep} {self.array} {self.queue} {self.counter} {dict(self.default)} " + str(
            self.rng.getstate()[1][-1]
        )


class Aliased(Sticks):
    """Two names for one list, as in `self.hand = self.hands[0]`: after a copy they must still be one list."""

    def __init__(self) -> None:
        super().__init__()
        self.heaps = [[10]]
        self.first = self.heaps[0]

    def play(self, action: int) -> None:
        super().play(action)
        self.first[0] -= action + 1

    def legal_actions(self) -> Any:
        assert self.heaps[0][0] == self.count
        return super().legal_actions()


class Hand:
    def __init__(self, cards: list[int]) -> None:
        self.cards = cards


class AliasedThroughAnObject(Aliased):
    """The second name is inside an object of the game's own."""

    def __init__(self) -> None:
        super().__init__()
        self.hand = Hand(self.heaps[0])

    def play(self, action: int) -> None:
        Sticks.play(self, action)
        self.hand.cards[0] -= action + 1

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def __str__(self) -> str:
        return f"{self.heaps} {self.hand.cards} {self.turn}"


class Generators(Sticks):
    def legal_actions(self) -> Any:
        yield from super().legal_actions()

    def returns(self) -> Any:
        return (value for value in super().returns())


class NumpyInts(Sticks):
    actions = np.int64(3)

    def to_move(self) -> Any:
        return np.int64(super().to_move())

    def legal_actions(self) -> Any:
        return np.array(super().legal_actions(), dtype=np.uint8)

    def returns(self) -> Any:
        return np.array(super().returns(), dtype=np.float32)

    def hash(self) -> Any:
        return np.int64(2 * self.count + self.turn)


class NumpyChance(Rolls):
    def chance(self) -> Any:
        return np.array([[0, 0.5], [1, 0.5]]).tolist() and [
            (np.int64(0), np.float32(0.5)),
            [np.uint8(1), np.float64(0.5)],
        ]


class NeedsArguments(Sticks):
    """`__new__` insists on an argument, as some libraries' classes do."""

    def __new__(cls, sticks: int) -> "NeedsArguments":
        return super().__new__(cls)

    def __init__(self, sticks: int = 10) -> None:
        super().__init__()
        self.count = sticks


class GuardsItsAttributes(Sticks):
    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("count", "turn"):
            raise AttributeError(name)
        super().__setattr__(name, value)


WAYS = [
    Sticks,
    Plain,
    Rolls,
    Slotted,
    SlottedPlain,
    SlottedWhole,
    SlottedDataclass,
    Dataclass,
    WithoutStr,
    WithCopy,
    Nested,
    Aliased,
    AliasedThroughAnObject,
    Generators,
    NumpyInts,
    NumpyChance,
    GuardsItsAttributes,
]


@pytest.mark.parametrize("cls", WAYS)
def test_every_way_to_write_a_class_plays_and_passes_the_check(cls: type) -> None:
    game = sf.game(cls)
    play_through(game)
    sf.check(game, games=4)


@pytest.mark.parametrize("cls", WAYS)
def test_every_way_to_write_a_class_copies_all_the_way_down(cls: type) -> None:
    game = sf.game(cls)
    state = game.new()
    while not state.is_over:
        before, twin = str(state), state.copy()
        while not twin.is_over:
            twin.play(twin.legal_actions()[0])
        assert str(state) == before
        state.play(state.legal_actions()[-1])
    assert state.rules is not game.new().rules


def test_a_class_that_cannot_be_made_without_arguments_plays_or_is_refused_by_name() -> None:
    said = "needs_arguments"
    try:
        play_through(sf.game(NeedsArguments))
    except (TypeError, ValueError) as error:
        said = f"{error} {getattr(error, '__notes__', '')}"
    assert "needs_arguments" in said


def test_two_classes_give_the_same_game() -> None:
    states = [sf.game(cls).new() for cls in (Sticks, Plain, WithCopy, SlottedDataclass, Generators)]
    for action in (2, 0, 1, 2):
        assert len({(tuple(state.legal_actions()), state.to_move, tuple(state.returns())) for state in states}) == 1
        for state in states:
            state.play(action)


def test_the_default_hash_knows_equal_positions_and_tells_others_apart() -> None:
    class Bag(sf.Rules):
        actions = 3

        def __init__(self) -> None:
            self.taken: Any = set()

    a, b = Bag(), Bag()
    for item in (0, 8, 16):
        a.taken.add(item)
    for item in (16, 8, 0):
        b.taken.add(item)
    assert a.taken == b.taken
    assert a.hash() == b.hash(), "equal sets"
    a.taken, b.taken = {1: "x", 2: "o"}, {2: "o", 1: "x"}
    assert a.hash() == b.hash(), "equal dicts"
    a.taken, b.taken = np.zeros((40, 40)), np.zeros((40, 40))
    assert a.hash() == b.hash(), "equal arrays"
    b.taken[20, 20] = 1
    assert a.hash() != b.hash(), "different arrays too large for numpy to print whole"
    a.taken, b.taken = array.array("b", [1, 2]), array.array("b", [1, 3])
    assert a.hash() != b.hash(), "different arrays of the standard library"
    assert a.hash() == copy.deepcopy(a).hash(), "equal arrays of the standard library"
    a.taken, b.taken = [1, 2], [2, 1]
    assert a.hash() != b.hash(), "different lists"


# --- Methods that raise ---------------------------------------------------------------------------------------------


class Boom(Exception):  # noqa: N818
    """A game's own exception."""


RAISING = {
    "to_move": lambda s: s.to_move,
    "legal_actions": lambda s: s.legal_actions(),
    "play": lambda s: s.play(0),
    "returns": lambda s: s.returns(),
    "hash": lambda s: s.hash(),
    "__str__": str,
    "action_text": lambda s: s.action_text(0),
    "observe": lambda s: s.observe(0),
    "redeal": lambda s: s.redeal(0, 1),
    "view": lambda s: s.view(0),
    "heuristic": lambda s: s.heuristic(),
    "terms": lambda s: s.terms(0),
    "handicap": lambda s: s.handicap(),
    "order": lambda s: s.order(),
    "independent": lambda s: s.independent(0),
    "commutes": lambda s: s.commutes(0, 1),
    "quiet": lambda s: s.quiet(),
    "canonical": lambda s: s.canonical(),
    "symmetries": lambda s: s.symmetries,
    "symmetric": lambda s: s.symmetric(1),
    "symmetric_action": lambda s: s.symmetric_action(1, 0),
    "to_text": lambda s: s.to_text(),
    "parse": lambda s: s.game.parse("x"),
    "parse_action": lambda s: s.parse_action("1"),
    "copy": lambda s: s.copy(),
}


class Able(Sticks):
    """Sticks with every ability, each of them harmless."""

    features = 1

    def observe(self, viewer: int) -> Any:
        return [self.count]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        pass

    def view(self, viewer: int) -> str:
        return str(self)

    def heuristic(self) -> Any:
        return [0, 0]

    def terms(self, player: int) -> Any:
        return {"sticks": self.count}

    def handicap(self) -> None:
        pass

    def order(self, previous: int | None, actions: list[int]) -> Any:
        return actions[::-1]

    def commutes(self, action: int, other: int) -> bool:
        return False

    def quiet(self) -> bool:
        return True

    def canonical(self) -> int:
        return self.hash()

    def independent(self, action: int) -> bool:
        return False

    def symmetries(self) -> Any:
        return 2

    def symmetric(self, symmetry: int) -> Any:
        return copy.copy(self)

    def symmetric_action(self, symmetry: int, action: int) -> Any:
        return action

    def to_text(self) -> str:
        return f"{self.count} {self.turn}"

    def parse(self, text: str) -> None:
        self.count, self.turn = map(int, text.split())

    def parse_action(self, text: str) -> Any:
        return int(text) - 1 if text.isdigit() else None

    def copy(self) -> "Able":
        return copy.copy(self)


@pytest.mark.parametrize("method", RAISING)
@pytest.mark.parametrize("error", [Boom("no"), KeyError("no"), ZeroDivisionError("no"), MemoryError("no")], ids=repr)
def test_an_exception_of_a_method_keeps_its_type_and_carries_a_note(method: str, error: Exception) -> None:
    armed = False

    def raises(self: Any, *arguments: Any) -> Any:
        if armed:
            raise error
        return getattr(Able, method)(self, *arguments)

    game = sf.game(type("Raising", (Able,), {method: raises}))
    state = game.new()
    armed = True
    with pytest.raises(type(error)) as caught:
        RAISING[method](state)
    assert caught.value is error
    assert any(f"raising.{method}()" in note for note in caught.value.__notes__)
    armed = False
    assert (state.history, state.to_move, state.legal_actions()) == ([], 0, [0, 1, 2])
    state.play(1)
    assert state.rules.count == 8


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration])
def test_even_an_exception_that_is_no_error_travels_through(error: type[BaseException]) -> None:
    class Stops(Sticks):
        def legal_actions(self) -> Any:
            raise error("now")

    class StopsInside(Sticks):
        def legal_actions(self) -> Any:
            class Item:
                def __index__(self) -> int:
                    raise error("now")

            return [Item()]

    state = sf.game(Stops).new()
    for work in (state.legal_actions, lambda: state.play(0), lambda: state.playouts(1), lambda: sf.perft(state, 2)):
        with pytest.raises(error):
            work()
    if error is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            sf.game(StopsInside).new().legal_actions()


def test_an_exception_of_init_says_which_game_it_was() -> None:
    class Unmade(Sticks):
        def __init__(self) -> None:
            raise KeyError("boo")

    with pytest.raises(KeyError) as caught:
        sf.game(Unmade)
    assert any("unmade" in note for note in getattr(caught.value, "__notes__", []))


def test_a_play_that_raises_half_way_leaves_the_state_as_it_was() -> None:
    class HalfWay(Nested):
        def play(self, action: int) -> None:
            super().play(action)
            if self.count < 8:
                raise Boom

    state = sf.game(HalfWay).new()
    state.play(0)
    before, history = str(state), state.history
    for _ in range(3):
        with pytest.raises(Boom):
            state.play(2)
        assert (str(state), state.history, state.rules.count) == (before, history, 9)
    state.play(0)


def test_a_play_that_leads_nowhere_leaves_the_state_as_it_was() -> None:
    class Lost(Sticks):
        def to_move(self) -> int:
            return super().to_move() if self.count > 8 else 17

    state = sf.game(Lost).new()
    state.play(0)
    with refused(match=r"lost: to_move\(\) returned 17; it must return a player from 0 to 1 or"):
        state.play(0)
    assert (state.rules.count, state.history) == (9, [0])


# --- Methods that return nonsense -----------------------------------------------------------------------------------

ODD = [None, "text", 3.5, float("nan"), object(), 10**30, -(10**30), -7, [], {}, b"x", [None], [[]], ["x"], [1.5]]
LONG_LISTS = [[10**30], [-1], [3], range(5000), itertools.count(), itertools.repeat(0)]


@pytest.mark.parametrize("answer", [*ODD, 2, -3, True + 1], ids=label)
def test_nonsense_from_to_move_is_a_sentence(answer: Any) -> None:
    state = sf.game(with_method("to_move", answer)).new()
    for work in (lambda: state.to_move, state.legal_actions, lambda: state.play(0), state.playouts):
        with refused(match=r"odd: to_move\(\) returned"):
            work()


def test_chance_s_turn_needs_the_method_chance() -> None:
    with refused(match=r"sf.CHANCE needs a method chance"):
        sf.game(with_method("to_move", sf.CHANCE)).new().legal_actions()


@pytest.mark.parametrize("answer", [*ODD, *LONG_LISTS], ids=label)
def test_nonsense_from_legal_actions_is_a_sentence(answer: Any) -> None:
    state = sf.game(with_method("legal_actions", answer)).new()
    for work in (
        state.legal_actions,
        state.legal_mask,
        lambda: state.play(0),
        lambda: state.action_text(0),
        lambda: state.parse_action("0"),
        state.playouts,
        lambda: sf.perft(state, 2),
    ):
        with refused(match=r"odd: legal_actions\(\) returned"):
            work()
    assert state.history == []


def test_repeated_actions_are_refused_where_they_are_listed() -> None:
    with refused(match="different actions"):
        sf.game(with_method("legal_actions", [0, 1, 0])).new().legal_actions()


@pytest.mark.parametrize(
    "answer", [*ODD, [1], [1, -1, 0], [1, float("inf")], [1, None], ["1", "2"], itertools.repeat(0)], ids=label
)
def test_nonsense_from_returns_and_heuristic_is_a_sentence(answer: Any) -> None:
    for method in ("returns", "heuristic"):
        state = sf.game(with_method(method, answer)).new()
        with refused(match=rf"odd: {method}\(\) returned"):
            getattr(state, method)()


def test_returns_by_player_in_a_dictionary_are_not_taken_for_their_keys() -> None:
    with refused(match="a list of 2"):
        sf.game(with_method("returns", {0: 1, 1: -1})).new().returns()


@pytest.mark.parametrize(
    "answer",
    [
        *ODD,
        [(0, 0.5)],
        [(0, 0.5), (1, 0.4)],
        [(0, 0.6), (1, 0.6)],
        [(0, 1.5), (1, -0.5)],
        [(0, 1.0), (1, 0.0)],
        [(0, float("nan")), (1, 0.5)],
        [(0, 0.5), (2, 0.5)],
        [(0, 0.5), (-1, 0.5)],
        [(0, 0.5), (0, 0.5)],
        [(0.0, 1.0)],
        [("0", 1.0)],
        [(0, "1")],
        [(0, 1.0, 2)],
        [0, 1],
        itertools.repeat((0, 0.5)),
        {0: 0.5, 1: 0.5},
    ],
    ids=label,
)
def test_nonsense_from_chance_is_a_sentence(answer: Any) -> None:
    state = sf.game(with_method("chance", answer, Rolls)).new()
    for work in (state.chance, state.legal_actions, state.play_chance, state.playouts, lambda: sf.perft(state, 2)):
        with refused(match=r"odd: chance\(\) returned"):
            work()
    assert state.history == []


class Cornered:
    """An object every question about which is an error."""

    def __repr__(self) -> str:
        raise Boom

    def __len__(self) -> int:
        raise Boom

    def __iter__(self) -> Any:
        raise Boom

    def __getitem__(self, index: int) -> Any:
        raise Boom

    def __index__(self) -> int:
        raise Boom

    def __float__(self) -> float:
        raise Boom


@pytest.mark.parametrize(
    "method",
    ["to_move", "legal_actions", "returns", "hash", "__str__", "action_text", "chance", "order", "symmetries", "view"],
)
@pytest.mark.parametrize("wrapped", [lambda x: x, lambda x: [x], lambda x: [(x, x)], lambda x: [(0, x)]])
def test_an_answer_that_raises_when_it_is_looked_at_does_not_crash(method: str, wrapped: Any) -> None:
    answer = wrapped(Cornered())
    base = Rolls if method == "chance" else Able
    state = sf.game(with_method(method, answer, base)).new()
    work = {"chance": lambda: state.chance(), **RAISING}[method]
    with pytest.raises((Boom, ValueError)):
        work(state) if method != "chance" else work()
    assert state.history == []


@pytest.mark.parametrize("answer", [None, 3.5, "x", [], object(), float("nan")])
def test_nonsense_from_hash_is_a_sentence(answer: Any) -> None:
    with refused(match=r"odd: hash\(\) returned"):
        sf.game(with_method("hash", answer)).new().hash()


@pytest.mark.parametrize("answer", [-1, 2**64, -(2**63), 10**100, True])
def test_any_whole_number_is_a_hash(answer: int) -> None:
    assert sf.game(with_method("hash", answer)).new().hash() == answer % 2**64


@pytest.mark.parametrize("answer", [None, 3, b"x", [], "\ud800", object()])
@pytest.mark.parametrize("method", ["__str__", "action_text", "view", "to_text"])
def test_nonsense_instead_of_a_text_is_a_sentence(method: str, answer: Any) -> None:
    state = sf.game(with_method(method, answer, Able)).new()
    with refused(match="odd"):
        RAISING[method](state)


@pytest.mark.parametrize("answer", [None, 0, -1, 1 << 40, "2", 2.0, []])
def test_nonsense_from_symmetries_is_a_sentence(answer: Any) -> None:
    with refused(match=r"odd: symmetries\(\) returned"):
        _ = sf.game(with_method("symmetries", answer, Able)).new().symmetries


@pytest.mark.parametrize("answer", [None, 3, Sticks(), [], Able])
def test_nonsense_from_symmetric_is_a_sentence(answer: Any) -> None:
    state = sf.game(with_method("symmetric", answer, Able)).new()
    with refused(match=r"odd: symmetric\(\) returned"):
        state.symmetric(1)
    assert state.legal_actions() == [0, 1, 2]


@pytest.mark.parametrize("answer", [None, -1, 3, 10**30, "0", 0.0])
def test_nonsense_from_symmetric_action_is_a_sentence(answer: Any) -> None:
    with refused(match=r"odd: symmetric_action\(\) returned"):
        sf.game(with_method("symmetric_action", answer, Able)).new().symmetric_action(1, 0)


@pytest.mark.parametrize(
    "answer", [None, 3, [0, 1], [0, 1, 1], [0, 1, 2, 2], [0, 1, 3], [2**32, 2**32 + 1, 2**32 + 2], ["0", "1", "2"]]
)
def test_nonsense_from_order_is_a_sentence(answer: Any) -> None:
    with refused(match=r"odd: order\(\) returned"):
        sf.game(with_method("order", answer, Able)).new().order()


@pytest.mark.parametrize("answer", ["x", 1.5, [], object()])
def test_nonsense_from_parse_action_is_a_sentence(answer: Any) -> None:
    with refused(match=r"odd: parse_action\(\) returned"):
        sf.game(with_method("parse_action", answer, Able)).new().parse_action("x")


@pytest.mark.parametrize("answer", [-1, 3, None])
def test_an_action_that_is_not_legal_from_parse_action_is_no_action(answer: Any) -> None:
    state = sf.game(with_method("parse_action", answer, Able)).new()
    with refused(match="not a legal action"):
        state.parse_action("x")
    assert state.parse_action("2") == 2  # its text still works


@pytest.mark.parametrize("answer", [None, 3, object(), Sticks(), []])
def test_nonsense_from_copy_is_a_sentence(answer: Any) -> None:
    armed = False

    class Copies(Sticks):
        def copy(self) -> Any:
            return answer if armed else copy.copy(self)

    state = sf.game(Copies).new()
    armed = True
    for work in (state.copy, lambda: state.play(0), state.playouts):
        with refused(match=r"copies: copy\(\) must return another"):
            work()
    armed = False
    assert state.rules.count == 10


@pytest.mark.parametrize(
    "answer",
    [
        None,
        3,
        "text",
        [1, 2],
        [[1], [2, 3]],
        np.zeros((3, 2, 1)),
        np.zeros((2, 3)),
        np.zeros(7),
        (np.zeros((1, 2, 3)), np.zeros(3)),
        (np.zeros((1, 2, 3)),),
        (np.zeros((1, 2, 3)), "x"),
        (1, 2),
        np.zeros((1, 2, 3), dtype=complex) + 1j,
        {"planes": 3},
    ],
    ids=label,
)
def test_nonsense_from_observe_is_refused(answer: Any) -> None:
    cls = with_method("observe", answer, planes=(1, 2, 3), features=2)
    with pytest.raises((ValueError, TypeError)):
        sf.game(cls).new().observe(0)


@pytest.mark.parametrize("shape", [(3, 2, 1), (2, 3, 1), (1, 3, 2), (2, 3), (6,)])
def test_planes_of_another_shape_are_refused_even_where_the_size_is_right(shape: tuple[int, ...]) -> None:
    """Height, width, channels instead of channels, height, width is the usual mistake."""
    with refused(match=r"planes of shape \(1, 2, 3\)"):
        sf.game(with_method("observe", np.zeros(shape), planes=(1, 2, 3))).new().observe(0)


def test_an_observation_may_be_planes_features_or_both() -> None:
    planes, features = [[[1, 2, 3], [4, 5, 6]]], [7, 8]
    both = sf.game(with_method("observe", (planes, features), planes=(1, 2, 3), features=2)).new().observe(1)
    assert (both.planes.tolist(), both.features.tolist()) == (planes, features)
    only = sf.game(with_method("observe", planes, planes=(1, 2, 3))).new().observe(0)
    assert (only.planes.tolist(), only.features.tolist()) == (planes, [])
    only = sf.game(with_method("observe", np.array(features, dtype=np.int8), features=2)).new().observe(0)
    assert (only.planes.shape, only.features.tolist()) == ((0, 0, 0), features)
    assert only.features.dtype == np.float32


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("players", 0),
        ("players", 9),
        ("players", -1),
        ("players", 2.0),
        ("players", None),
        ("players", "2"),
        ("players", 10**30),
        pytest.param("players", 10**5000, id="players-huge"),
        ("actions", 0),
        ("actions", 65537),
        ("actions", 10**30),
        ("actions", None),
        ("actions", 3.0),
        ("outcomes", -1),
        ("outcomes", 65537),
        ("version", 0),
        ("version", "1"),
        ("features", -1),
        ("features", 2.5),
        ("max_plies", -1),
        ("max_plies", 10**6),
        ("planes", (1, 2)),
        ("planes", (1, 2, -3)),
        ("planes", (1.0, 2, 3)),
        ("planes", None),
        ("planes", 3),
        ("planes", "xyz"),
        ("planes", (50_000, 50_000, 2)),
        ("planes", (2**40, 1, 1)),
        ("min_return", 2),
        ("min_return", float("nan")),
        ("max_return", float("inf")),
        ("min_return", "x"),
        ("max_return", None),
        ("sum", "constant"),
        ("sum", None),
        ("sum", 0),
    ],
)
def test_facts_that_make_no_sense_are_refused_by_a_sentence(fact: str, value: object) -> None:
    with refused(match=fact):
        sf.game(type("Odd", (Sticks,), {fact: value}))


@pytest.mark.parametrize("missing", ["to_move", "legal_actions", "play", "returns", "actions"])
def test_a_class_that_lacks_something_is_told_what(missing: str) -> None:
    cls = type("Lacking", (), {name: value for name, value in vars(Plain).items() if name != missing})
    with refused(match=f"lacking: a game needs .*{missing}"):
        sf.game(cls)
    cls = type("Lacking", (), {**vars(Plain), missing: None})
    with refused(match=missing):
        sf.game(cls)


@pytest.mark.parametrize("players", range(1, 9))
def test_one_to_eight_players_take_part(players: int) -> None:
    class Round(sf.Rules):
        """Everyone says 0 or 1 once; player p gets p + what it said."""

        actions, sum, min_return, max_return = 2, "any", 0, 8

        def __init__(self) -> None:
            self.players = players
            self.said: list[int] = []

        def to_move(self) -> int:
            return len(self.said) if len(self.said) < players else sf.TERMINAL

        def legal_actions(self) -> list[int]:
            return [0, 1]

        def play(self, action: int) -> None:
            self.said.append(action)

        def returns(self) -> list[float]:
            return [player + said for player, said in enumerate(self.said + [0] * (players - len(self.said)))]

    game = sf.game(Round)
    sf.check(game, games=5)
    assert game.replay([1] * players).returns() == [player + 1 for player in range(players)]


def test_a_game_may_have_4096_legal_actions_but_not_more() -> None:
    for count, fine in ((4096, True), (4097, False)):
        state = sf.game(with_method("legal_actions", range(count), actions=65536)).new()
        if fine:
            assert len(state.legal_actions()) == count
            assert state.legal_mask().shape == (65536,)
        else:
            with refused(match="legal_actions"):
                state.legal_actions()


# --- Structures that would overflow or undermine a naive copy -------------------------------------------------------


class OddContents(Sticks):
    contents: ClassVar[Any] = None

    def __init__(self) -> None:
        super().__init__()
        self.held = type(self).contents() if type(self).contents else None

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def __str__(self) -> str:
        return str(self.count)


def cyclic_list() -> Any:
    out: list[Any] = [1]
    out.append(out)
    return out


def cyclic_dict() -> Any:
    out: dict[str, Any] = {}
    out["self"] = ([out],)
    return out


def deep_tuple() -> Any:
    out: Any = ()
    for _ in range(300_000):
        out = (out,)
    return out


class Shrinks:
    """Empties the list it stands in while it is copied."""

    def __init__(self, home: Any) -> None:
        self.home = home

    def __deepcopy__(self, memo: Any) -> int:
        self.home.clear()
        gc.collect()
        return 3


def shrinking_list() -> Any:
    out: list[Any] = []
    out += [Shrinks(out), *(object() for _ in range(1000))]
    return out


def shrinking_dict() -> Any:
    out: dict[Any, Any] = {}
    out |= {0: Shrinks(out)} | {n: [object()] for n in range(1, 1000)}
    return out


@pytest.mark.parametrize("contents", [cyclic_list, cyclic_dict, deep_tuple, shrinking_list, shrinking_dict])
def test_a_position_that_is_hard_to_copy_is_copied_or_refused_without_a_crash(contents: Any) -> None:
    cls = type("Hard", (OddContents,), {"contents": staticmethod(contents)})
    with suppress(RecursionError, ValueError, RuntimeError):
        state = sf.game(cls).new()
        state.play(0)
        state.copy().play(1)
    assert sf.game(Sticks).new().copy().legal_actions() == [0, 1, 2]  # and nothing is left in disorder


@pytest.mark.parametrize("value", [lambda: (n for n in ()), threading.Lock, lambda: open(__file__)])  # noqa: SIM115
def test_a_position_that_cannot_be_copied_says_so(value: Any) -> None:
    cls = type("Uncopied", (OddContents,), {"contents": staticmethod(value)})
    with pytest.raises(TypeError) as caught:
        sf.game(cls).new()
    assert "copy" in str(caught.value) or "pickle" in str(caught.value)
    assert any("uncopied" in note for note in getattr(caught.value, "__notes__", []))


# --- Threads and memory ---------------------------------------------------------------------------------------------


def test_one_game_is_played_in_several_threads_at_once() -> None:
    game, failures, done = sf.game(Nested), [], []

    def work(seed: int) -> None:
        try:
            rng = random.Random(seed)
            for _ in range(15):
                state = game.new(seed)
                while not state.is_over:
                    state.playouts(2, seed)
                    state.play(rng.choice(state.legal_actions()))
                done.append(len(state.history))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(done) == 90


def test_one_state_is_searched_in_threads_while_another_plays_on_it() -> None:
    """A caller's mistake, but one that must not crash: each playout starts from some position of the game."""
    for game in (sf.game("connect_four"), sf.game(WithCopy)):
        stop = threading.Event()
        for _ in range(20):
            state = game.new()
            stop.clear()
            threads = [threading.Thread(target=_search, args=(state, stop)) for _ in range(2)]
            for thread in threads:
                thread.start()
            while not state.is_over:
                state.play(state.legal_actions()[0])
            stop.set()
            for thread in threads:
                thread.join(20)
                assert not thread.is_alive(), "a playout from a half-written position never ends"


def _search(state: sf.State, stop: threading.Event) -> None:
    while not stop.is_set():
        state.playouts(200)


def rss() -> int:
    """Bytes of memory this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("game", [sf.game(Nested), sf.game(WithCopy), sf.game("connect_four")], ids=lambda g: g.name)
def test_memory_does_not_grow_over_a_hundred_thousand_states(game: sf.Game) -> None:
    states = 100_000 if game.name == "connect_four" else 2_000 if game.name == "nested" else 100_000

    def work(count: int) -> None:
        for seed in range(count // 10):
            state = game.new(seed)
            for _ in range(3):
                state.copy().play(state.legal_actions()[0])
                state.play(state.legal_actions()[0])
                for bad in (99, "x"):
                    with pytest.raises(ValueError):  # noqa: PT011
                        state.play(bad)
            state.to_json()
            state.symmetric(0)

    work(states // 5)
    gc.collect()
    before = rss()
    work(states)
    gc.collect()
    assert rss() - before < 4 << 20


def test_games_and_states_are_freed_with_the_objects_they_hold() -> None:
    alive = 0

    class Counted(Sticks):
        def __init__(self) -> None:
            super().__init__()
            self.token = Token()

    class Token:
        def __init__(self) -> None:
            nonlocal alive
            alive += 1

        def __deepcopy__(self, memo: Any) -> "Token":
            return Token()

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    game = sf.game(Counted)
    states = [game.new() for _ in range(20)]
    for state in states:
        state.play(0)
        state.playouts(3)
        sf.perft(state, 3)
        sf.perft(state, 3, distinct=True)
        with pytest.raises(ValueError, match="not legal"):
            state.play(99)
    assert alive >= 21
    del game, states, state
    gc.collect()
    assert alive == 0


class Counter:
    def __init__(self, game: "PointsBack") -> None:
        self.game = game

    def add(self, n: int) -> None:
        self.game.count -= n


class PointsBack(Sticks):
    """A part of the position knows the whole."""

    def __init__(self) -> None:
        super().__init__()
        self.counter, self.me = Counter(self), self

    def play(self, action: int) -> None:
        self.counter.add(action + 1)
        self.me.turn = 1 - self.turn

    def hash(self) -> int:
        return 2 * self.count + self.turn

    def __str__(self) -> str:
        return f"{self.count} {self.turn}"


def test_a_part_that_points_back_to_the_position_points_to_the_copy() -> None:
    state = sf.game(PointsBack).new()
    before = str(state)
    copied = state.copy()
    copied.play(1)
    assert (str(state), str(copied)) == (before, f"{state.rules.count - 2} 1")
    sf.check(PointsBack, games=5)


def test_a_play_that_plays_on_its_own_state_is_refused() -> None:
    class Again(Sticks):
        def play(self, action: int) -> None:
            if action == 0:
                state.play(1)
            super().play(action)

    state = sf.game(Again).new()
    with refused(match="just being played on"):
        state.play(0)
    assert state.history == []
    state.play(1)
    assert state.history == [1]


def test_a_claim_of_independence_that_is_neither_true_nor_false_is_a_sentence() -> None:
    with refused(match="independent"):
        sf.game(with_method("independent", np.array([1, 0]))).new().independent(0)


def test_a_ring_of_game_and_states_is_collected() -> None:
    class Remembered(Sticks):
        pass

    game = sf.game(Remembered)
    gone = weakref.ref(game)
    game.cache = [game.new() for _ in range(3)]  # type: ignore[attr-defined]
    del game
    gc.collect()
    assert gone() is None
