"""What the page draws of connect-four, held against the rules themselves on boards of all kinds."""

import json
import random
import time

import pytest

import sevenfold as sf
from sevenfold.games.connect_four import winning_cells
from sevenfold.picture import miniature, picture

BOARDS = [
    {},
    {"rows": 4, "cols": 4},
    {"rows": 4, "cols": 12, "connect": 3},
    {"rows": 12, "cols": 12, "connect": 6, "blocked": "11,0"},
    {"rows": 9, "cols": 10, "blocked": "8,4"},
    {"rows": 5, "cols": 8, "blocked": "0,7"},
]


def positions(game, seed):
    rng, state = random.Random(seed), game.new()
    yield state
    while not state.is_over:
        state.play(rng.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_picture_says_what_the_rules_say(options):
    game = sf.game("connect_four", **options)
    for seed in range(3):
        for state in positions(game, seed):
            drawn = picture(state, None)
            assert drawn == json.loads(json.dumps(drawn))
            assert "\n".join(" ".join(row) for row in drawn["cells"]) == str(state).rpartition("\n")[0]
            grid = [list(row) for row in drawn["cells"]]
            assert {tuple(cell) for cell in drawn["line"]} == winning_cells(grid, drawn["connect"])
            assert [one["action"] for one in drawn["actions"]] == state.legal_actions()
            for one in drawn["actions"]:
                after = state.copy()
                after.play(one["action"])
                row, col = one["cell"]
                assert drawn["cells"][row][col] == "."
                assert picture(after, None)["cells"][row][col] == "xo"[state.to_move]
                assert picture(after, None)["last"] == [row, col]


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_threats_are_the_cells_that_complete_a_line(options):
    game = sf.game("connect_four", **options)
    for state in positions(game, 7):
        drawn = picture(state, None)
        if state.is_over:
            assert drawn["threats"] == {"x": [], "o": []}
            continue
        lands = [one["cell"] for one in drawn["actions"]]
        for stone in "xo":
            grid = [list(row) for row in drawn["cells"]]
            found = []
            for row, line in enumerate(grid):
                for col, cell in enumerate(line):
                    if cell != ".":
                        continue
                    line[col] = stone
                    if (row, col) in winning_cells(grid, drawn["connect"]):
                        found.append({"cell": [row, col], "now": [row, col] in lands})
                    line[col] = "."
            assert drawn["threats"][stone] == found


def test_a_threat_that_can_be_played_wins():
    state = sf.game("connect_four").parse("7/7/7/7/ooo4/xxx4 x")
    now = [one["cell"] for one in picture(state, None)["threats"]["x"] if one["now"]]
    assert now == [[5, 3]]
    state.play(3)
    assert picture(state, None)["line"] == [[5, 0], [5, 1], [5, 2], [5, 3]]


def test_blocked_cell_and_set_up_position():
    game = sf.game("connect_four", rows=9, cols=9, blocked="8,4")
    drawn = picture(game.new(), None)
    assert drawn["blocked"] == [8, 4]
    assert [7, 4] in [one["cell"] for one in drawn["actions"]]
    assert picture(sf.game("connect_four").parse("7/7/7/7/3o3/2xx3 o"), None)["last"] is None


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_miniatures_of_all_boards_are_open_games(options):
    drawn = miniature(sf.game("connect_four", **options))
    assert drawn["line"] == []
    assert drawn["actions"]
    assert sum(row.count("x") for row in drawn["cells"]) >= 3


def test_the_largest_picture_is_quick():
    state = sf.game("connect_four", rows=12, cols=12, blocked="6,6").new()
    picture(state, None)
    start = time.process_time()
    for _ in range(200):
        picture(state, None)
    assert (time.process_time() - start) / 200 < 0.001
