"""Proves options and names: declared once, given as values or text, refused by one sentence, written back as a spec."""

import random
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from helpers import refused

import sevenfold as sf


class Short(sf.Rules):
    """One move and over; only its options matter."""

    actions = 1

    def to_move(self) -> int:
        return sf.TERMINAL if getattr(self, "done", False) else 0

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        self.done = True

    def returns(self) -> list[float]:
        return [0, 0]


class Everything(Short):
    """Every kind of option; keeps what it was given."""

    def __init__(
        self,
        size: Annotated[int, 3, 9] = 5,
        count: int = 7,
        share: Annotated[float, 0.0, 1.0] = 0.5,
        komi: float = 6.5,
        open: bool = False,
        variant: Literal["plain", "cover"] = "plain",
        title: str = "a game",
        heaps: tuple[int, ...] = (3, 5),
        weights: tuple[float, ...] = (0.5, 1.5),
        names: tuple[str, ...] = ("x", "o"),
        corner: tuple[int, int] | None = None,
    ) -> None:
        self.given = {key: value for key, value in locals().items() if key not in ("self", "__class__")}


def given(**options: Any) -> dict[str, Any]:
    """What `__init__` really got."""
    return sf.game(Everything, **options).new().rules.given


def test_without_options_init_gets_its_own_defaults() -> None:
    defaults = Everything().given
    assert given() == defaults
    assert [type(value) for value in given().values()] == [type(value) for value in defaults.values()]


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("size", 9, 9),
        ("size", "9", 9),
        ("size", 9.0, 9),
        ("size", np.int64(9), 9),
        ("count", -(10**15), -(10**15)),
        ("share", 1, 1.0),
        ("share", "0.25", 0.25),
        ("komi", np.float32(7.5), 7.5),
        ("open", True, True),
        ("open", "yes", True),
        ("open", "off", False),
        ("variant", "cover", "cover"),
        ("title", "", ""),
        ("title", "井字棋", "井字棋"),
        ("title", "1, 2", "1, 2"),
        ("title", "(1,2)", "(1,2)"),
        ("heaps", (1, 2, 3), (1, 2, 3)),
        ("heaps", [4], (4,)),
        ("heaps", "1,2", (1, 2)),
        ("heaps", "(1, 2)", (1, 2)),
        ("heaps", (), ()),
        ("weights", (1, 2.5), (1.0, 2.5)),
        ("names", ("you", "me"), ("you", "me")),
        ("corner", None, None),
    ],
)
def test_an_option_arrives_in_the_type_of_its_default(option: str, value: object, expected: object) -> None:
    arrived = given(**{option: value})[option]
    assert (arrived, type(arrived)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("size", 2),
        ("size", 10),
        ("size", 4.5),
        ("size", "many"),
        ("size", True),
        ("size", None),
        ("size", "1e400"),
        pytest.param("size", 10**400, id="size-huge"),
        ("count", 2**60),
        ("share", 1.01),
        ("share", float("nan")),
        ("share", float("inf")),
        ("share", "nan"),
        ("open", 1),
        ("open", "perhaps"),
        ("variant", "other"),
        ("variant", 3),
        ("title", 3),
        ("heaps", "a,b"),
        ("heaps", 3),
        ("heaps", (1, 2.5)),
        ("size", object()),
        ("size", "line\nbreak"),
        ("title", "\ud800"),
        ("size", "x" * 10_000),
        ("size", "é" * 10_000),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_a_sentence(option: str, value: object) -> None:
    with refused(match=r"everything|option"):
        sf.game(Everything, **{option: value})


def test_an_unknown_option_is_refused_with_the_names_of_those_there_are() -> None:
    with refused(match="everything has no option 'colour'; its options are: size, count, share"):
        sf.game(Everything, colour=3)
    with refused(match="no option"):
        sf.game("connect_four", **{"": 1})
    with refused(match="no option"):
        sf.game("connect_four", **{"line\nbreak": 1})
    with refused():
        sf.game("connect_four", **{"\ud800": 1})


def test_the_declaration_says_kind_default_range_and_choices() -> None:
    declared = {option.name: option for option in sf.game(Everything).declared_options}
    kinds = {name: option.kind for name, option in declared.items()}
    assert kinds == {
        "size": "integer",
        "count": "integer",
        "share": "real",
        "komi": "real",
        "open": "flag",
        "variant": "choice",
        "title": "text",
        "heaps": "text",
        "weights": "text",
        "names": "text",
        "corner": "text",
    }
    assert (declared["size"].initial, declared["size"].low, declared["size"].high) == (5, 3, 9)
    assert declared["variant"].choices == ["plain", "cover"]
    for option in sf.game("connect_four").declared_options:
        assert option.help


def test_an_annotation_that_only_a_type_checker_knows_does_no_harm() -> None:
    class Annotated_(Short):  # noqa: N801
        def __init__(self, size: "NoSuchName | int" = 3) -> None:  # type: ignore[name-defined]  # noqa: F821
            self.size = size

    assert sf.game(Annotated_, size=5).new().rules.size == 5


def test_a_choice_of_numbers_stays_a_choice_of_numbers() -> None:
    class Boards(Short):
        def __init__(self, size: Literal[3, 5] = 3) -> None:
            self.size = size

    for game in (sf.game(Boards, size=5), sf.game(Boards, size="5")):
        assert game.new().rules.size == 5
    assert sf.game(Boards).new().rules.size == 3
    with refused(match="3, 5"):
        sf.game(Boards, size=4)


def test_a_tuple_of_flags_stays_what_it_is() -> None:
    class Flags(Short):
        def __init__(self, walls: tuple[bool, ...] = (True, False)) -> None:
            self.walls = walls

    assert sf.game(Flags).new().rules.walls == (True, False)
    assert sf.game(Flags, walls=(False, False)).new().rules.walls == (False, False)


def test_a_default_that_cannot_be_kept_as_an_option_is_refused_and_not_garbled() -> None:
    class Nested(Short):
        def __init__(self, walls: tuple[tuple[int, int], ...] = ((1, 2), (3, 4))) -> None:
            self.walls = walls

    class Mixed(Short):
        def __init__(self, pair: tuple[int, str] = (1, "a")) -> None:
            self.pair = pair

    for cls, field in ((Nested, "walls"), (Mixed, "pair")):
        kept, said = None, ""
        try:
            kept = getattr(sf.game(cls).new().rules, field)
        except ValueError as error:
            said = str(error)
        assert field in said or kept == getattr(cls(), field)


def test_a_declaration_that_makes_no_sense_is_refused_by_a_sentence() -> None:
    class NoDefault(Short):
        def __init__(self, size: int) -> None:
            self.size = size

    class OutOfRange(Short):
        def __init__(self, size: Annotated[int, 3, 9] = 20) -> None:
            self.size = size

    class FloatLimits(Short):
        def __init__(self, size: Annotated[int, 3.5, 9.5] = 5) -> None:
            self.size = size

    class Huge(Short):
        def __init__(self, size: int = 2**70) -> None:
            self.size = size

    class Thing(Short):
        def __init__(self, size: object = Short) -> None:
            self.size = size

    for cls in (NoDefault, OutOfRange, FloatLimits, Huge, Thing):
        with refused(match="size"):
            sf.game(cls)


@pytest.mark.parametrize("name", ["name", "preset", "seed"])
def test_an_option_that_sf_game_could_not_be_given_is_refused_or_reaches_the_game(name: str) -> None:
    """`sf.game(cls, seed=5)` must never drop the 5 without a word."""
    scope: dict[str, Any] = {"Short": Short}
    exec(f"class Taken(Short):\n    def __init__(self, {name}: int = 3): self.value = {name}", scope)
    options, said = {}, ""
    try:
        options = sf.game(scope["Taken"], **({} if name == "name" else {name: 5})).options
    except ValueError as error:
        said = str(error)
    assert name in said or options == {name: 3 if name == "name" else 5}


@pytest.mark.parametrize(
    "game",
    [
        sf.game("tic_tac_toe"),
        sf.game("connect_four"),
        sf.game("connect_four", rows=9, connect=5, blocked=(2, 3)),
        sf.game("connect_four", preset="saiblo", seed=3),
    ],
    ids=str,
)
def test_the_spec_of_a_game_makes_the_game_again(game: sf.Game) -> None:
    again = sf.game(game.spec)
    assert again == game
    assert hash(again) == hash(game)
    assert again.options == game.options
    assert repr(game) == f"sf.game({game.spec!r})"


def test_the_spec_of_a_python_file_with_options_makes_the_game_again(tmp_path: Path) -> None:
    path = Path(__file__).parent.parent / "examples" / "nim.py"
    game = sf.game(str(path), heaps=(1, 2))
    assert sf.game(game.spec) == game
    assert sf.game(game.spec).new().legal_actions() == game.new().legal_actions() == [0, 7, 8]
    assert sf.game(f"{path}:Nim").new().legal_actions() == sf.game(str(path)).new().legal_actions()


def test_games_of_different_rules_are_different_games() -> None:
    assert sf.game("connect_four") != sf.game("connect_four", rows=7)
    assert sf.game("connect_four") != sf.game("tic_tac_toe")
    assert sf.game("connect_four") != "connect_four"
    assert sf.game("connect_four", rows=6) == sf.game("connect_four")


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("connect_four", {}),
        (" connect_four ", {}),
        ("connect_four()", {}),
        ("connect_four(rows=9)", {"rows": 9}),
        ("connect_four( rows = 9 , cols = 8 )", {"rows": 9, "cols": 8}),
        ("connect_four(blocked=(2, 3))", {"blocked": "2,3"}),
        ("connect_four(blocked=none)", {}),
        ("connect_four(rows='9')", {"rows": 9}),
    ],
)
def test_options_are_read_from_the_text_of_a_game(spec: str, options: dict[str, Any]) -> None:
    assert sf.game(spec).options == {**sf.game("connect_four").options, **options}


@pytest.mark.parametrize(
    "spec",
    [
        "",
        " ",
        "()",
        "(rows=9)",
        "connect_fuor",
        "connect_four(",
        "connect_four)",
        "connect_four(9)",
        "connect_four(rows)",
        "connect_four(rows=)",
        "connect_four(rows==9)",
        "connect_four(rows=9)(cols=9)",
        "connect_four(rows=9, rows=8)",
        "connect_four(**{'rows': 9})",
        "connect_four(*[9])",
        "connect_four(rows={[]: 1})",
        "connect_four(rows={1, 2})",
        "connect_four(rows=print(3))",
        "connect_four(rows=1j)",
        "connect_four(rows=b'9')",
        "connect_four(rows=...)",
        "connect_four(rows=9) and more",
        "connect_four(rows=[[[[9]]]])",
        "connect_four(rows=" + "(" * 300 + "9" + ")" * 300 + ")",
        "connect_four(rows=" + "9" * 5000 + ")",
        "connect_four(rows=" + "-" * 5000 + "9)",
        "connect_four(rows=1e999)",
        "connect_four\nrows=9",
        "connect\nfour",
        "connect_four(rows='line\\nbreak')",
        "x" * 10_000,
        "é" * 10_000,
        "missing.py",
        "missing.py:Nim",
        "missing.py:",
        "x" * 5000 + ".py",
        "nul\x00.py",
        "nul\x00",
        "\ud800.py",
        "\ud800",
        "/.py",
        ".py",
    ],
    ids=lambda spec: repr(spec[:40]),
)
def test_a_spec_that_is_no_game_is_refused_by_a_sentence(spec: str) -> None:
    with refused():
        sf.game(spec)


@pytest.mark.parametrize("thing", [None, 3, 3.5, b"connect_four", ["connect_four"], object(), {}])
def test_a_thing_that_is_no_name_is_refused_by_a_sentence(thing: object) -> None:
    with refused(match="a game is named by a text or given as a class"):
        sf.game(thing)


def test_an_unknown_name_is_answered_with_the_names_there_are() -> None:
    with refused(match="no game 'chess'; the games are: .*connect_four"):
        sf.game("chess")


def test_a_python_file_that_is_no_game_is_refused_by_a_sentence(tmp_path: Path) -> None:
    head = "import sevenfold as sf\n"
    body = (
        " actions = 1\n def to_move(self): return 0\n def legal_actions(self): return [0]\n"
        " def play(self, action): pass\n def returns(self): return [0, 0]\n"
    )
    sources = {
        "empty": ("", "0 game classes"),
        "two": (f"{head}class A(sf.Rules):\n{body}class B(sf.Rules):\n{body}", "2 game classes"),
        "syntax": ("class (", "cannot be imported"),
        "raises": ("raise KeyError('boo')", "cannot be imported"),
        "exits": ("raise SystemExit(3)", "cannot be imported"),
        "binary": ("\x00\x01", "cannot be imported"),
        "imports": ("import no_such_module_anywhere", "cannot be imported"),
    }
    for name, (source, fault) in sources.items():
        path = tmp_path / f"{name}.py"
        path.write_text(source)
        with refused(match=fault):
            sf.game(str(path))
    with refused(match="no game class 'C'; it has: A, B"):
        sf.game(f"{tmp_path / 'two.py'}:C")
    assert sf.game(f"{tmp_path / 'two.py'}:B").name == "b"


def test_a_registered_game_is_found_by_name_and_cannot_take_a_name_of_the_house() -> None:
    class RegisteredForTest(Short):
        pass

    assert sf.register(RegisteredForTest) is RegisteredForTest
    assert sf.game("registered_for_test").name == "registered_for_test"
    assert "registered_for_test" in sf.game_names()

    class ConnectFour(Short):
        pass

    with refused(match="already is a game 'connect_four'"):
        sf.register(ConnectFour)


@pytest.mark.parametrize("name", ["", "9lives", "a b\nc", 3, "é", "x" * 3])
def test_a_class_s_name_must_be_a_word(name: object) -> None:
    cls = type("Named", (Short,), {"name": name})
    if name == "xxx":
        assert sf.game(cls).name == "xxx"
    else:
        with refused(match="name must be a word"):
            sf.game(cls)


def test_a_preset_is_refused_where_there_is_none() -> None:
    with refused(match="tic_tac_toe has no preset 'saiblo'"):
        sf.game("tic_tac_toe", preset="saiblo")


def test_numpys_numbers_are_numbers_wherever_options_are_given() -> None:
    four = sf.game("connect_four", rows=np.int64(9), cols=np.uint8(8), blocked=np.array([2, 3]))
    assert four.options == {"rows": 9, "cols": 8, "connect": 4, "blocked": "2,3"}
    assert sf.game("connect_four", preset="saiblo", seed=np.int64(4)) == sf.game(
        "connect_four", preset="saiblo", seed=4
    )
    assert four.new(seed=np.int32(7)).seed == 7  # type: ignore[arg-type]
    player: Any = sf.player("uct", four, simulations=np.int64(30), seconds=np.float64(0.5), seed=np.int8(2))
    assert (player.simulations, player.seconds, player.seed) == (30, 0.5, 2)
    assert type(player.simulations) is int


@pytest.mark.parametrize("seed", [True, np.bool_(True), 1.0, "1", None])
def test_a_seed_that_is_no_whole_number_is_refused_by_a_sentence(seed: Any) -> None:
    with refused("seed must be"):
        sf.game("tic_tac_toe").new(seed)
    with refused("seed must be"):
        sf.game("connect_four", preset="saiblo", seed=seed)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30, pytest.param(10**5000, id="huge")])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with refused(match="seed"):
        sf.game("tic_tac_toe").new(seed)


def test_random_option_sets_round_trip_through_their_spec() -> None:
    rng = random.Random(2)
    for _ in range(200):
        rows, cols = rng.randint(4, 12), rng.randint(4, 12)
        connect = rng.randint(3, min(6, max(rows, cols)))
        blocked = rng.choice([None, (rng.randrange(rows), rng.randrange(cols))])
        game = sf.game("connect_four", rows=rows, cols=cols, connect=connect, blocked=blocked)
        assert sf.game(game.spec) == game
        assert sf.game(game.name, **game.options) == game
