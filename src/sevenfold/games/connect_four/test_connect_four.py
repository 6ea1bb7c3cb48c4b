"""Proves connect_four's room: facts, options, presets, lines at every edge, texts in both forms, mirror images."""

import random
from collections import Counter

import pytest
from helpers import refused

import sevenfold as sf


def played(columns: str, **options: object) -> sf.State:
    state = sf.game("connect_four", **options).new()
    for col in columns.split():
        state.play(state.parse_action(col))
    return state


def test_the_facts_follow_the_options() -> None:
    game = sf.game("connect_four", rows=9, cols=12, blocked=(8, 0))
    assert (game.name, game.version, game.players, game.actions) == ("connect_four", 1, 2, 12)
    assert game.planes == (3, 9, 12)
    assert game.max_plies == 9 * 12 - 1
    assert game.options == {"rows": 9, "cols": 12, "connect": 4, "blocked": "8,0"}
    assert (game.sum, game.min_return, game.max_return) == ("zero", -1, 1)
    assert not game.has_chance
    assert not game.has_hidden_information


def test_the_usual_board_is_six_by_seven() -> None:
    game = sf.game("connect_four")
    assert game.options == {"rows": 6, "cols": 7, "connect": 4, "blocked": "none"}
    assert (game.actions, game.max_plies, game.spec) == (7, 42, "connect_four")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rows", 3),
        ("rows", 13),
        ("cols", 3),
        ("cols", 13),
        ("connect", 2),
        ("connect", 7),
        ("rows", 6.5),
        ("rows", True),
        ("rows", "six"),
        ("rows", float("nan")),
        ("rows", 10**30),
        pytest.param("rows", -(10**400), id="rows-huge"),
        ("rows", None),
        ("blocked", (6, 0)),
        ("blocked", (0, 7)),
        ("blocked", (-1, 0)),
        ("blocked", (0,)),
        ("blocked", (0, 0, 0)),
        ("blocked", "middle"),
        ("blocked", ""),
        ("blocked", 3),
        ("blocked", "99999999999999999999,1"),
        ("blocked", "1 1, 0"),
        ("blocked", {}),
        ("wrap", True),
    ],
)
def test_a_bad_option_is_refused_by_a_sentence_that_names_it(option: str, value: object) -> None:
    with refused(match=option if option != "wrap" else "no option 'wrap'"):
        sf.game("connect_four", **{option: value})


def test_a_line_that_fits_nowhere_is_refused() -> None:
    with refused(match="connect=6 does not fit"):
        sf.game("connect_four", rows=5, cols=5, connect=6)
    assert sf.game("connect_four", rows=4, cols=6, connect=6).new().to_move == 0


@pytest.mark.parametrize("written", [(2, 3), [2, 3], "2,3", "2, 3", "(2, 3)", "(2,3)"])
def test_the_blocked_cell_may_be_written_in_several_ways_and_is_one_game(written: object) -> None:
    assert sf.game("connect_four", blocked=written) == sf.game("connect_four(blocked=(2, 3))")
    assert sf.game("connect_four", blocked=written).options["blocked"] == "2,3"


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (6, 7), (8, 7), (9, 9), (12, 12)])
def test_four_upright_win_in_every_column_at_every_height(rows: int, cols: int) -> None:
    for col in range(cols):
        for below in range(rows - 3):
            state, other = sf.game("connect_four", rows=rows, cols=cols).new(), (col + 1) % cols
            if below % 2:
                state.play(other)  # so that the stone below the line is o's
            for _ in range(below):
                state.play(col)
            for _ in range(3):
                state.play(col)
                state.play(other)
            assert state.to_move == 0
            state.play(col)
            assert (state.to_move, state.returns()) == (sf.TERMINAL, [1.0, -1.0])


def test_a_line_does_not_run_on_from_the_top_of_a_column_into_the_next() -> None:
    state = sf.game("connect_four", rows=4).parse("x6/x6/x6/oxoo3 o")
    assert (state.to_move, state.returns()) == (1, [0.0, 0.0])


def test_more_than_four_in_a_row_win_too() -> None:
    state = played("a a b b c c e e f f g g")
    assert not state.is_over
    state.play(3)
    assert state.returns() == [1.0, -1.0]
    assert str(state).splitlines()[5] == "x x x x x x x"


def test_a_blocked_cell_breaks_a_line() -> None:
    state = played("a a b b d d e e", blocked=(5, 2))
    assert str(state).splitlines()[5] == "x x # x x . ."
    assert state.to_move == 0
    assert state.returns() == [0.0, 0.0]


def test_a_stone_jumps_the_blocked_cell() -> None:
    state = played("d d d", blocked=(4, 3))
    assert [line[6] for line in str(state).splitlines()[:6]] == [".", ".", "x", "o", "#", "x"]


def test_a_block_in_the_bottom_row_lifts_the_column() -> None:
    state = played("d d", blocked=(5, 3))
    assert [line[6] for line in str(state).splitlines()[:6]] == [".", ".", ".", "o", "x", "#"]


def test_a_block_in_the_top_row_fills_the_column_early() -> None:
    state = played("d d d d d", blocked=(0, 3))
    assert 3 not in state.legal_actions()
    with refused(match="not legal"):
        state.play(3)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = played("a b a b b a b a c d c d d c d c", rows=4, cols=4)
    assert str(state) == "o x o x\no x o x\nx o x o\nx o x o\na b c d"
    assert (state.to_move, state.legal_actions(), state.returns()) == (sf.TERMINAL, [], [0.0, 0.0])


def test_a_win_with_the_last_stone_is_a_win_and_not_a_draw() -> None:
    rng = random.Random(1)
    game = sf.game("connect_four", rows=4, cols=4, connect=3)
    seen = set()
    for _ in range(20_000):
        state = game.new()
        while not state.is_over:
            state.play(rng.choice(state.legal_actions()))
        if len(state.history) == 16:
            seen.add(tuple(state.returns()))
        if len(seen) == 2:
            break
    assert (0.0, 0.0) in seen
    assert (-1.0, 1.0) in seen  # o has the last stone of sixteen


def test_the_saiblo_preset_draws_every_board_it_may() -> None:
    rows, cols, cells = Counter(), Counter(), Counter()
    for seed in range(2000):
        game = sf.game("connect_four", preset="saiblo", seed=seed)
        row, col = map(int, str(game.options["blocked"]).split(","))
        rows[game.options["rows"]] += 1
        cols[game.options["cols"]] += 1
        cells["first" if (row, col) == (0, 0) else "other"] += 1
        cells["last" if (row + 1, col + 1) == (game.options["rows"], game.options["cols"]) else "other"] += 1
        assert row < game.options["rows"]
        assert col < game.options["cols"]
        assert game.options["connect"] == 4
    assert sorted(rows) == sorted(cols) == [9, 10, 11, 12]
    assert all(430 <= n <= 570 for n in [*rows.values(), *cols.values()])  # 500 each, four deviations of 19
    assert 4 <= cells["first"] <= 40  # 18 expected
    assert 4 <= cells["last"] <= 40


def test_a_preset_is_the_same_for_the_same_seed_and_gives_way_to_an_option() -> None:
    boards = {sf.game("connect_four", preset="saiblo", seed=7).spec for _ in range(5)}
    assert len(boards) == 1
    game = sf.game("connect_four", preset="saiblo", seed=7, blocked="none", rows=5)
    assert (game.options["blocked"], game.options["rows"]) == ("none", 5)
    with refused(match="no preset 'botzone'; its presets are: saiblo"):
        sf.game("connect_four", preset="botzone")


def test_columns_are_read_as_letters_and_as_numbers_from_one() -> None:
    state = sf.game("connect_four", cols=12).new()
    assert [state.parse_action(text) for text in ("a", "A", " l ", "1", "12", "L")] == [0, 0, 11, 0, 11, 11]
    assert [state.action_text(action) for action in (0, 11)] == ["a", "l"]
    for nonsense in ("m", "0", "13", "", "aa", "-1", "1.0", "é", "a b", "99999999999999999999"):
        with refused(match="not a legal action"):
            state.parse_action(nonsense)


def test_a_full_column_is_no_answer() -> None:
    state = played("a a a a a a")
    with refused(match="'a' is not a legal action"):
        state.parse_action("a")


def test_the_columns_of_a_game_are_a_text_of_it() -> None:
    game = sf.game("connect_four")
    assert game.parse("4453").to_text() == "7/7/7/7/3o3/2oxx2 x"
    assert game.parse("4453").hash() == game.replay([3, 3, 4, 2]).hash()
    assert game.parse("ddec").hash() == game.replay([3, 3, 4, 2]).hash()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("8", "columns such as"),
        ("0", "columns such as"),
        ("44 5", "columns such as"),
        ("1111111", "full column"),
        ("12121212", "ends before"),
        ("7/7/7/7/7/7", "rows of"),
        ("7/7/7/7/7/7 z", "rows of"),
        ("7/7/7/7/7/7  x", "rows of"),
        ("7/7/7/7/7/7 x ", None),
        ("7/7/7/7/7/7/7 x", "rows of"),
        ("7/7/7/7/7 x", "rows of"),
        ("7/7/7/7/7/8 x", "rows of"),
        ("7/7/7/7/7/6 x", "rows of"),
        ("7/7/7/7/7/0 x", "rows of"),
        ("7/7/7/7/7/77 x", "rows of"),
        ("7/7/7/7/7/99999999999999999999 x", "rows of"),
        ("7/7/7/7/7/-7 x", "rows of"),
        ("7/7/7/7/7/x5y o", "rows of"),
        ("/////x o", "rows of"),
        ("/", "rows of"),
        (" /", "rows of"),
        ("7/7/7/7/7/x6 x", "wrong side"),
        ("7/7/7/7/7/7 o", "wrong side"),
        ("7/7/7/7/7/xx5 x", "as many stones"),
        ("7/7/7/7/7/o6 o", "as many stones"),
        ("7/7/7/7/x6/7 o", "in the air"),
        ("7/7/7/7/7/3#3 x", "blocked cell"),
        ("7/7/7/7/oooo3/xxxx3 x", "had ended"),
        ("7/7/7/7/ooo4/xxxx3 o", None),
        ("7/7/7/oooo3/xxxxooo/xxxxooo x", "as many stones"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_its_fault(text: str, fault: str | None) -> None:
    game = sf.game("connect_four")
    if fault is None:
        assert game.parse(text).to_text() == text.strip()
    else:
        with refused(match=fault):
            game.parse(text)


def test_two_lines_that_no_single_stone_completes_are_refused() -> None:
    game = sf.game("connect_four", cols=8)
    with refused(match="no single last stone"):
        game.parse("8/8/x6x/x1o1o2x/x1o1o2x/x1o1oo1x o")


def test_the_blocked_cell_must_stand_in_the_text() -> None:
    game = sf.game("connect_four", blocked=(5, 3))
    assert game.parse("7/7/7/7/7/3#3 x").to_text() == "7/7/7/7/7/3#3 x"
    for text in ("7/7/7/7/7/7 x", "7/7/7/7/7/2#4 x", "7/7/7/7/3#3/3#3 x", "7/7/7/7/7/3x3 o"):
        with refused(match="blocked cell"):
            game.parse(text)


@pytest.mark.parametrize(("blocked", "count"), [("none", 2), ((2, 3), 2), ((2, 2), 1), ((0, 0), 1)])
def test_the_mirror_image_is_a_symmetry_where_the_block_allows_it(blocked: object, count: int) -> None:
    state = sf.game("connect_four", blocked=blocked).new()
    state.play(0)
    state.play(2)
    assert state.symmetries == count
    with refused(match="symmetry must be from 0 to"):
        state.symmetric(count)
    if count == 2:
        image = state.symmetric(1)
        assert [state.symmetric_action(1, action) for action in range(7)] == [6, 5, 4, 3, 2, 1, 0]
        assert str(image).splitlines()[5] == str(state).splitlines()[5][::-1]
        assert image.symmetric(1).hash() == state.hash()
        assert image.hash() != state.hash()


def test_transpositions_hash_equal_and_other_positions_do_not() -> None:
    a, b, c = played("a b c d"), played("c d a b"), played("b a c d")
    assert a.hash() == b.hash()
    assert a.hash() != c.hash()
