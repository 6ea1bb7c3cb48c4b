"""Proves sf.check: it passes every game of the house and the examples, and names the breach of each broken game."""

import copy
import itertools
import random
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest

import sevenfold as sf

EXAMPLES = Path(__file__).parent.parent / "examples"


def example_games() -> list[str]:
    """The examples that are games: those sf.game can read."""
    found = []
    for path in sorted(EXAMPLES.glob("*.py")):
        if "def legal_actions" in path.read_text():
            found.append(str(path))
    return found


# --- Games that must pass -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "tic_tac_toe",
        "connect_four",
        "connect_four(rows=4, cols=4)",
        "connect_four(rows=4, cols=4, connect=3)",
        "connect_four(rows=12, cols=12)",
        "connect_four(rows=12, cols=12, connect=6)",
        "connect_four(rows=4, cols=12, connect=5)",
        "connect_four(rows=12, cols=4, connect=6, blocked=(0, 0))",
        "connect_four(rows=9, cols=9, blocked=(8, 4))",
        "connect_four(rows=9, cols=10, blocked=(0, 9))",
        "connect_four(rows=10, cols=11, blocked=(5, 5))",
        "connect_four(rows=6, cols=7, blocked=(3, 3))",
        "connect_four(rows=5, cols=5, connect=3, blocked=(4, 0))",
    ],
)
def test_the_games_of_the_house_pass(spec: str) -> None:
    report = sf.check(spec, games=6)
    assert report.games == 6
    assert report.positions > 6
    assert not report.warnings
    for name in ("copies are independent", "symmetries commute with play", "random games from here end"):
        assert report.passed[name] == report.positions
    assert spec.split("(")[0] in str(report)
    assert report.to_json()["positions"] == report.positions


@pytest.mark.parametrize("seed", range(4))
def test_the_boards_of_saiblo_pass(seed: int) -> None:
    sf.check(sf.game("connect_four", preset="saiblo", seed=seed), games=1)


@pytest.mark.parametrize("name", sf.game_names())
def test_every_game_there_is_passes_with_its_usual_options(name: str) -> None:
    sf.check(name, games=3)


@pytest.mark.parametrize("path", example_games(), ids=lambda path: Path(path).name)
def test_the_examples_pass(path: str) -> None:
    report = sf.check(path, games=20)
    assert not report.warnings
    assert Path(path).read_text().count("\n") <= 60


def test_nim_and_kuhn_poker_are_among_the_examples() -> None:
    assert {"nim.py", "kuhn_poker.py"} <= {Path(path).name for path in example_games()}


# --- Games that must fail -------------------------------------------------------------------------------------------


class Heaps(sf.Rules):
    """Two heaps: take one or two from either; the last one wins. Correct: each game below breaks one thing."""

    actions, planes, max_plies = 4, (1, 1, 2), 8

    def __init__(self) -> None:
        self.heaps, self.turn = [4, 4], 0

    def to_move(self) -> int:
        return self.turn if any(self.heaps) else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [2 * heap + n for heap in (0, 1) for n in (0, 1) if self.heaps[heap] > n]

    def play(self, action: int) -> None:
        self.heaps[action // 2] -= action % 2 + 1
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        return [0, 0] if any(self.heaps) else ([-1, 1] if self.turn == 0 else [1, -1])

    def observe(self, viewer: int) -> Any:
        return [[self.heaps]]

    def symmetries(self) -> int:
        return 2

    def symmetric(self, symmetry: int) -> Any:
        image = copy.deepcopy(self)
        if symmetry == 1:
            image.heaps.reverse()
        return image

    def symmetric_action(self, symmetry: int, action: int) -> int:
        return (action + 2) % 4 if symmetry == 1 else action

    def to_text(self) -> str:
        return f"{self.heaps[0]}-{self.heaps[1]}-{self.turn}"

    def parse(self, text: str) -> None:
        a, b, self.turn = map(int, text.split("-"))
        self.heaps = [a, b]

    def heuristic(self) -> list[float]:
        return [0, 0]

    def order(self, previous: int | None, actions: list[int]) -> list[int]:
        return actions[::-1]


class Cards(sf.Rules):
    """Two of four cards are dealt; player 0 keeps or swaps for a point; the higher card wins. Also correct."""

    actions, outcomes, features, max_plies = 2, 4, 1, 3

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.done = False

    def to_move(self) -> int:
        return sf.CHANCE if len(self.cards) < 2 else sf.TERMINAL if self.done else 0

    def chance(self) -> Any:
        left = [card for card in range(4) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def play(self, action: int) -> None:
        if len(self.cards) < 2:
            self.cards.append(action)
        else:
            self.done = True
            if action == 1:
                self.cards.reverse()

    def returns(self) -> list[float]:
        return [0, 0] if not self.done else [1, -1] if self.cards[0] > self.cards[1] else [-1, 1]

    def observe(self, viewer: int) -> list[float]:
        return [self.cards[viewer] + 1 if len(self.cards) > viewer else 0]

    def view(self, viewer: int) -> str:
        return f"you hold {self.cards[viewer : viewer + 1]}" + (f" of {self.cards}" if self.done else "")

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if len(self.cards) == 2 and not self.done:
            self.cards[1 - viewer] = rng.choice([card for card in range(4) if card != self.cards[viewer]])


def broken(base: type, **changes: Any) -> type:
    return type("Broken", (base,), changes)


class Shared(Heaps):
    """copy() makes a new object around the same list."""

    def copy(self) -> "Shared":
        return copy.copy(self)


class ClassBoard(Heaps):
    """The position is kept on the class, so every state is the same one."""

    heaps: ClassVar[list[int]] = [4, 4]

    def __init__(self) -> None:
        self.turn = 0


class SelfCopy(Heaps):
    """copy() returns the object itself."""

    def copy(self) -> "SelfCopy":
        return self


class Endless(Heaps):
    """Passing is always possible."""

    max_plies = 0

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        self.turn = 1 - self.turn

    def symmetric_action(self, symmetry: int, action: int) -> int:
        return action


class OrderedHash(Heaps):
    """Remembers how it got here: transpositions hash differently."""

    def __init__(self) -> None:
        super().__init__()
        self.path = 0

    def play(self, action: int) -> None:
        super().play(action)
        self.path = self.path * 5 + action + 1

    def hash(self) -> int:
        return self.path


class AddressHash(Heaps):
    def hash(self) -> int:
        return id(self)


class Forgetful(Heaps):
    """Leaves the mover out of the text."""

    def to_text(self) -> str:
        return f"{self.heaps[0]}-{self.heaps[1]}"

    def parse(self, text: str) -> None:
        self.heaps, self.turn = list(map(int, text.split("-"))), 0


class Fickle(Heaps):
    """Playing the same action twice leads to different positions."""

    plays: ClassVar[Any] = itertools.count()
    symmetric = None

    def play(self, action: int) -> None:
        super().play(action)
        if next(self.plays) % 3 == 0 and self.heaps[0] > 1:
            self.heaps[0] -= 1


class Peeks(Heaps):
    """Looking at the legal actions changes the position."""

    looked = 0

    def legal_actions(self) -> list[int]:
        self.looked += 1
        return super().legal_actions()

    def __str__(self) -> str:
        return f"{self.heaps} {self.turn} {self.looked}"


class Deaf(Heaps):
    """Plays the same move whatever it is told."""

    symmetric = None

    def play(self, action: int) -> None:
        super().play(self.legal_actions()[0])


class Still(Heaps):
    """Playing does nothing at all."""

    def play(self, action: int) -> None:
        pass


class Digits(sf.Rules):
    """One player writes three different digits; the number counts. Order matters, whatever `independent` says."""

    players, actions, sum, max_return = 1, 4, "any", 1000

    def __init__(self) -> None:
        self.digits: list[int] = []

    def to_move(self) -> int:
        return 0 if len(self.digits) < 3 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [digit for digit in range(4) if digit not in self.digits]

    def play(self, action: int) -> None:
        self.digits.append(action)

    def returns(self) -> list[float]:
        return [float("0" + "".join(map(str, self.digits)))]

    def independent(self, action: int) -> bool:
        return action >= 2


class EveryoneWins(Heaps):
    """Half a point for both."""

    def returns(self) -> list[float]:
        return [0.5, 0.5] if not any(self.heaps) else [0, 0]


BROKEN: dict[str, tuple[type, str]] = {
    "a copy that shares its list": (Shared, "cop(y|ies)"),
    "a board kept on the class": (ClassBoard, "cop(y|ies)"),
    "a copy that is the original": (SelfCopy, "cop(y|ies)"),
    "returns out of range": (
        broken(Heaps, returns=lambda self: [0, 0] if any(self.heaps) else [2, -2]),
        r"returns .* leave \[-1|a random game returned",
    ),
    "returns that do not add up": (EveryoneWins, "do not add up to 0"),
    "returns that are not a number": (
        broken(Heaps, returns=lambda self: [0, 0] if any(self.heaps) else [float("nan"), 0]),
        r"returns\(\) returned",
    ),
    "repeated actions": (
        broken(Heaps, legal_actions=lambda self: Heaps.legal_actions(self) * 2, order=lambda self, p, a: a),
        "repeats itself|different actions",
    ),
    "no actions before the end": (
        broken(Heaps, legal_actions=lambda self: Heaps.legal_actions(self) if sum(self.heaps) > 3 else []),
        r"legal_actions\(\) returned",
    ),
    "an action that the game does not have": (
        broken(Heaps, actions=3),
        r"legal_actions\(\) returned",
    ),
    "an action that cannot be played": (
        broken(Heaps, legal_actions=lambda self: [0, 1, 2, 3], parse=None, symmetries=lambda self: 1),
        "IndexError|longer|no end|did not end|returns|differs|unchanged|range",
    ),
    "two actions of one text": (
        broken(Heaps, action_text=lambda self, action: "ab"[action // 2]),
        "two actions share a text",
    ),
    "a text that reads as another action": (
        broken(Heaps, parse_action=lambda self, text: self.legal_actions()[-1]),
        "but reads as",
    ),
    "a hash of the address": (AddressHash, "copy differs|same position|hash|refused action"),
    "a hash of the path": (OrderedHash, "hash|parsing the text"),
    "a hash of the mover alone": (broken(Heaps, hash=lambda self: self.turn), "hash"),
    "a hash of one heap and the mover": (broken(Heaps, hash=lambda self: 2 * self.heaps[0] + self.turn), "hash"),
    "a hash of the ply alone": (broken(Heaps, hash=lambda self: sum(self.heaps) * 2 + self.turn), "hash"),
    "a hash that never changes": (broken(Heaps, hash=lambda self: 7), "hash"),
    "a text that forgets the mover": (Forgetful, "parsing the text"),
    "a text that cannot be read": (
        broken(Heaps, to_text=lambda self: "?"),
        "the position's text and JSON read back",
    ),
    "a play that draws lots": (Fickle, "replay|copy|same seed|parsing the JSON"),
    "a question that changes the answer": (Peeks, "chang|differs"),
    "a play that does nothing": (Still, "leaves the position unchanged"),
    "a game without an end": (Endless, "no end|did not end|longer than"),
    "more plies than declared": (broken(Heaps, max_plies=3), "longer than 3 plies"),
    "a symmetry that is no symmetry": (
        broken(Heaps, symmetric_action=lambda self, symmetry, action: action),
        "symmetry 1 does not (commute|map)",
    ),
    "a symmetry that changes the mover": (
        broken(Heaps, symmetric=lambda self, s: _turned(self)),
        "symmetry [01] (changes the mover|is not the identity)",
    ),
    "an observation of the wrong size": (
        broken(Heaps, observe=lambda self, viewer: [[[1, 2, 3]]]),
        r"observe\(\) must return",
    ),
    "an observation that is not a number": (
        broken(Heaps, observe=lambda self, viewer: [[[float("nan"), 0]]]),
        "not a number",
    ),
    "an ordering that loses actions": (broken(Heaps, order=lambda self, p, a: a[1:]), r"order"),
    "a heuristic that is not finite": (broken(Heaps, heuristic=lambda self: [float("inf"), 0]), "heuristic"),
    "a handicap that passes the turn": (broken(Heaps, handicap=lambda self: _turn(self)), "handicap"),
    "a wrong claim of independence": (Digits, "independent"),
    "a mover who is not there": (
        broken(Heaps, to_move=lambda self: 2 * self.turn if any(self.heaps) else sf.TERMINAL),
        r"to_move\(\) returned 2",
    ),
    "chances that add up to 0.9": (
        broken(Cards, chance=lambda self: [(a, 0.9 * p) for a, p in Cards.chance(self)]),
        r"chance\(\) returned .* add up to 1",
    ),
    "a repeated outcome": (
        broken(Cards, chance=lambda self: [(0, 0.5), (0, 0.5)]),
        "repeats itself|different outcomes",
    ),
    "an observation of the hidden card": (
        broken(Cards, observe=lambda self, viewer: [self.cards[1 - viewer] if len(self.cards) == 2 else -1]),
        "sees another world|keeps what the viewer knows",
    ),
    "a view of the hidden card": (
        broken(Cards, view=lambda self, viewer: f"cards: {self.cards}"),
        "sees another world|keeps what the viewer knows",
    ),
    "no view of its own": (broken(Cards, view=None), "sees another world|keeps what the viewer knows"),
    "a redeal of the viewer's own card": (
        broken(Cards, redeal=lambda self, viewer, rng: rng.shuffle(self.cards)),
        "sees another world|keeps what the viewer knows",
    ),
    "a redeal that ends the game": (
        broken(Cards, redeal=lambda self, viewer, rng: setattr(self, "done", True)),
        "sees another world|keeps what the viewer knows",
    ),
}


def _turn(rules: Heaps) -> None:
    rules.turn = 1 - rules.turn


def _turned(rules: Heaps) -> Heaps:
    image = copy.deepcopy(rules)
    _turn(image)
    return image


@pytest.mark.parametrize("cls", [Heaps, Cards])
def test_the_games_that_are_broken_below_are_right_before(cls: type) -> None:
    report = sf.check(cls, games=30)
    assert not report.warnings
    assert report.games == 30


@pytest.mark.parametrize("breach", BROKEN)
def test_a_broken_game_is_caught_and_its_breach_named(breach: str) -> None:
    cls, message = BROKEN[breach]
    ClassBoard.heaps[:] = [4, 4]
    start = time.perf_counter()
    with pytest.raises(ValueError, match=message) as caught:
        sf.check(sf.game(cls), games=30)
    assert isinstance(caught.value, sf.CheckFailed)
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert "history [" in text, "the message does not say how to get to the position"
    assert time.perf_counter() - start < 20


def test_an_exception_of_the_game_is_named_with_the_property_it_broke() -> None:
    class Raises(Heaps):
        def returns(self) -> list[float]:
            raise KeyError("no such heap")

    with pytest.raises(sf.CheckFailed, match="KeyError") as caught:
        sf.check(Raises)
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_redeal_that_never_changes_anything_is_warned_of() -> None:
    report = sf.check(broken(Cards, redeal=lambda self, viewer, rng: None))
    assert any("redeal" in warning for warning in report.warnings)


def test_a_play_that_does_not_listen_is_warned_of() -> None:
    """It may be right that two actions lead to one position, but not that all of them always do."""
    report = sf.check(Deaf)
    assert any("action" in warning for warning in report.warnings)


def test_the_same_seed_plays_the_same_games() -> None:
    assert sf.check("connect_four", games=3, seed=5) == sf.check("connect_four", games=3, seed=5)
    assert sf.check("connect_four", games=3, seed=5) != sf.check("connect_four", games=3, seed=6)


@pytest.mark.parametrize("games", [0, -1])
def test_at_least_one_game_must_be_played(games: int) -> None:
    with pytest.raises(ValueError, match="games must be 1 or more"):
        sf.check("tic_tac_toe", games=games)
