"""Proves that everything which reads text refuses nonsense by one sentence, and that what it reads is sound."""

import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sevenfold as sf

EXAMPLES = Path(__file__).parent.parent / "examples"
FOUR = sf.game("connect_four")
BLOCKED = sf.game("connect_four", rows=9, cols=12, connect=5, blocked=(8, 3))
TIC = sf.game("tic_tac_toe")
KUHN = sf.game(str(EXAMPLES / "kuhn_poker.py"))
NIM = sf.game(str(EXAMPLES / "nim.py"))
GAMES = [FOUR, BLOCKED, TIC, KUHN, NIM]

examples = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def check_sentence(error: ValueError) -> None:
    text = str(error)
    assert not isinstance(error, UnicodeError), text
    assert "\n" not in text, text
    assert text.endswith("."), text
    assert 10 < len(text) < 400, text


def late_positions(game: sf.Game, count: int) -> list[sf.State]:
    rng, out = random.Random(game.spec), []
    for seed in range(count):
        state = game.new(seed)
        for _ in range(rng.randrange(0, 30)):
            if state.is_over:
                break
            state.play(rng.choice(state.legal_actions()))
        out.append(state)
    return out


POSITIONS = {game: late_positions(game, 40) for game in GAMES}
SIGNS = "xo#./ 0123456789abgl,;:{}[]\"'()=-+_e\n\t　é\x00moves"

anything = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=SIGNS, max_size=60),
    st.text(alphabet=st.characters(), max_size=20),  # halves of surrogate pairs too
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -1, 2**63, 2**64])
    | st.floats()
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def mutated(draw: st.DrawFn, valid: list[str]) -> str:
    """A valid text with a few signs changed, dropped, doubled or moved."""
    text = draw(st.sampled_from(valid))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        to = draw(st.integers(at, min(len(text), at + 6)))
        change = draw(st.integers(0, 3))
        if change == 0:
            text = text[:at] + text[to:]
        elif change == 1:
            text = text[:at] + draw(st.text(alphabet=SIGNS, min_size=1, max_size=3)) + text[to:]
        elif change == 2:
            text = text[:at] + text[at:to] * 2 + text[to:]
        else:
            text = text[:at]
    return text


@st.composite
def changed_json(draw: st.DrawFn, valid: list[dict[str, Any]]) -> str:
    """A valid object with some fields dropped or replaced by anything."""
    data = dict(draw(st.sampled_from(valid)))
    for key in draw(st.lists(st.sampled_from([*data, "extra"]), min_size=1, max_size=3)):
        if draw(st.booleans()):
            data[key] = draw(json_values)
        else:
            data.pop(key, None)
    return json.dumps(data)


def check_position(state: sf.State) -> None:
    """A position that was read is one that can be written, read again and played to its end."""
    game, text = state.game, state.to_text()
    again = game.parse(text)
    assert (again.to_text(), again.hash(), again.to_move) == (text, state.hash(), state.to_move)
    assert again.legal_actions() == state.legal_actions()
    assert game.parse(json.dumps(state.to_json())).hash() == state.hash()
    rng, before = random.Random(text), (state.hash(), state.history)
    walk = state.copy()
    while not walk.is_over:
        assert walk.legal_actions()
        walk.play(rng.choice(walk.legal_actions()))
    assert sum(walk.returns()) == 0
    assert (state.hash(), state.history) == before


def check_parse(game: sf.Game, text: str) -> None:
    try:
        state = game.parse(text)
    except ValueError as error:
        check_sentence(error)
    else:
        check_position(state)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_any_text_is_a_position_or_refused_by_a_sentence(game: sf.Game) -> None:
    valid = [state.to_text() for state in POSITIONS[game]]
    moves = ["moves: " + " ".join(f"#{action}" for action in state.history) for state in POSITIONS[game]]

    @examples
    @given(st.one_of(anything, mutated(valid), mutated(moves)))
    def check(text: str) -> None:
        check_parse(game, text)

    check()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_any_json_is_a_position_or_refused_by_a_sentence(game: sf.Game) -> None:
    valid = [state.to_json() for state in POSITIONS[game]]

    @examples
    @given(st.one_of(changed_json(valid), mutated([json.dumps(data) for data in valid]), json_values.map(json.dumps)))
    def check(text: str) -> None:
        check_parse(game, text)

    check()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_any_text_is_a_legal_action_or_refused_by_a_sentence(game: sf.Game) -> None:
    going_on = [state for state in POSITIONS[game] if not state.is_over]
    words = [state.action_text(action) for state in going_on for action in state.legal_actions()]

    @examples
    @given(st.sampled_from(going_on), st.one_of(anything, st.sampled_from(words), mutated(words)))
    def check(state: sf.State, text: str) -> None:
        try:
            action = state.parse_action(text)
        except ValueError as error:
            check_sentence(error)
        else:
            assert action in state.legal_actions()
            assert state.parse_action(state.action_text(action)) == action

    check()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_anything_is_a_legal_action_or_refused_by_a_sentence(game: sf.Game) -> None:
    @examples
    @given(st.sampled_from(POSITIONS[game]), st.one_of(st.integers(), json_values, st.binary(max_size=3), anything))
    def check(position: sf.State, action: Any) -> None:
        state = position.copy()
        before = state.hash(), state.history, str(state), state.to_move
        try:
            state.play(action)
        except ValueError as error:
            check_sentence(error)
            assert (state.hash(), state.history, str(state), state.to_move) == before
        else:
            assert state.history == [*position.history, action]
            assert action in position.legal_actions()

    check()


RECORDS = [
    sf.Record.of(state, ["a", "電腦"], [{"value": 0.5}] * bool(state.history))
    for game in (FOUR, BLOCKED, TIC)
    for state in POSITIONS[game]
]
LINES = [record.to_line() for record in RECORDS]


@examples
@given(st.one_of(anything, mutated(LINES), changed_json([json.loads(line) for line in LINES])))
def test_any_line_is_a_record_or_refused_by_a_sentence(line: str) -> None:
    try:
        record = sf.Record.from_line(line)
        assert sf.Record.from_line(record.to_line()) == record
        last = record.replay()
    except ValueError as error:
        check_sentence(error)
    else:
        assert last.history == record.actions
        assert last.game.name == record.game


@examples
@given(st.lists(st.one_of(st.sampled_from(LINES), mutated(LINES), anything), max_size=4), st.integers(0, 40), st.data())
def test_any_file_is_read_up_to_its_first_broken_line(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], cut: int, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.jsonl"
    whole = "\n".join(lines).encode("utf-8", "surrogatepass")
    path.write_bytes(whole[: len(whole) - cut] if data.draw(st.booleans()) else whole + b"\n")
    whole_lines = [line for line in lines if line in LINES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = 0
        try:
            for record in sf.read_records(path):
                assert isinstance(record, sf.Record)
                read += 1
        except ValueError as error:
            check_sentence(error)
    assert read <= len(lines) + 1
    if lines and lines == whole_lines:
        assert read >= len(lines) - 1


SPECS = [
    "connect_four",
    "connect_four(rows=9, cols=12, connect=5, blocked=(8, 3))",
    "connect_four(blocked='2,3')",
    "connect_four(blocked=none)",
    "tic_tac_toe",
    "tic_tac_toe()",
    "nim.py",
    "nim.py:Nim(heaps=(1, 2))",
]


@examples
@given(st.one_of(anything, mutated(SPECS), st.builds("connect_four({})".format, anything)))
def test_any_text_is_a_game_or_refused_by_a_sentence(spec: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own remarks on odd literals
        try:
            game = sf.game(spec)
        except ValueError as error:
            check_sentence(error)
        else:
            assert sf.game(game.spec) == game
            game.new().play(0)


@examples
@given(
    st.one_of(anything, mutated(["random", "random:seed=3", "montecarlo:simulations=20,seed=1", "montecarlo:seed=0"]))
)
def test_any_text_is_a_player_or_refused_by_a_sentence(spec: str) -> None:
    try:
        player = sf.player(spec, TIC)
    except ValueError as error:
        check_sentence(error)
    else:
        if getattr(player, "simulations", 0) < 100_000:
            assert player.think(TIC.new()).action in range(9)


@examples
@given(
    st.dictionaries(
        st.sampled_from(["rows", "cols", "connect", "blocked"])
        | anything.filter(lambda s: s not in ("name", "preset", "seed")),
        st.one_of(st.integers(0, 15), json_values, st.tuples(st.integers(0, 12), st.integers(0, 12)), anything),
        max_size=3,
    )
)
def test_any_options_make_a_game_or_are_refused_by_a_sentence(options: dict[str, Any]) -> None:
    try:
        game = sf.game("connect_four", **options)
    except ValueError as error:
        check_sentence(error)
    else:
        assert sf.game(game.spec) == game
        assert sf.game("connect_four", **game.options) == game
        assert 4 <= game.options["rows"] <= 12
        assert game.new().playouts(1) in ([1.0, -1.0], [-1.0, 1.0], [0.0, 0.0])


class Everything(sf.Rules):
    """A game with an option of every kind."""

    actions = 1

    def __init__(
        self,
        size: int = 3,
        share: float = 0.5,
        open: bool = False,
        title: str = "x",
        heaps: tuple[int, ...] = (1, 2),
        names: tuple[str, ...] = ("a", "b"),
    ) -> None:
        self.given, self.over = (size, share, open, title, heaps, names), False

    def to_move(self) -> int:
        return sf.TERMINAL if self.over else 0

    def legal_actions(self) -> list[int]:
        return [0]

    def play(self, action: int) -> None:
        self.over = True

    def returns(self) -> list[float]:
        return [0, 0]


@examples
@given(
    st.dictionaries(
        st.sampled_from(["size", "share", "open", "title", "heaps", "names"]),
        st.one_of(json_values, anything, st.lists(st.integers(-9, 9)), st.lists(st.text(max_size=3)).map(tuple)),
        max_size=3,
    )
)
def test_any_options_reach_a_python_game_in_their_types_or_are_refused(options: dict[str, Any]) -> None:
    try:
        game = sf.game(Everything, **options)
    except ValueError as error:
        check_sentence(error)
    else:
        size, share, open_, title, heaps, names = game.new().rules.given
        assert [type(size), type(share), type(open_), type(title)] == [int, float, bool, str]
        assert all(type(heap) is int for heap in heaps)
        assert all(type(name) is str for name in names)
        if isinstance(options.get("names"), tuple):
            assert names == options["names"]
        if isinstance(options.get("title"), str):
            assert title == options["title"]
