"""What the page is told: the tables that move a piece are the engine's moves, and colours follow the game."""

import random
from typing import Any

import pytest

import sevenfold as sf
from sevenfold.games.tetris.fumen import Page, Piece, encode
from sevenfold.games.tetris.fumen_game import read, write
from sevenfold.games.tetris.position import side
from sevenfold.picture import miniature, picture
from sevenfold.records import Record

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tetris", {}),
    (
        "tetris",
        {"kicks": "srs+", "spins": "all_mini+", "spawn": "tetrio", "fifth_kick": "from_flat", "lock_out": "none"},
    ),
    ("tetris", {"spins": "all+", "garbage_every": 3}),
    ("tetris", {"spins": "none", "hold": False, "previews": 0}),
    ("tetris_versus", {}),
]


def mask(row: str) -> int:
    return sum(1 << x for x, cell in enumerate(row) if cell != ".")


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_poses_that_lock_are_the_legal_actions(name: str, options: dict[str, Any]) -> None:
    game = sf.game(name, **options)
    rng = random.Random(1)
    for seed in range(3):
        state = game.new(seed)
        while not state.is_over:
            if state.to_move < 0:
                state.play_chance()
                continue
            told = picture(state, None)
            assert told is not None
            legal = set(state.legal_actions())
            assert {action for fall in told["falls"] for action in fall["locks"] if action >= 0} == legal
            assert {int(action) for action in told["places"]} == legal
            for seat, one in enumerate(told["sides"]):
                rows = [mask(row) for row in one["rows"]]
                assert [row for row in rows if row] == side(state, seat)["rows"]
            state.play(rng.choice(sorted(legal)[:40]))


def test_colours_and_clears_follow_the_game() -> None:
    game = sf.game("tetris")
    state = game.parse("board=3ef,3c7,3e7 queue=TIOLJS bag=Z")
    before = picture(state, None)
    assert before is not None
    assert before["sides"][0]["rows"] == ["GGGG.GGGGG", "GGG...GGGG", "GGG..GGGGG"]
    state.play(state.parse_action("TSe2f"))
    after = picture(state, None)
    assert after is not None
    last = after["sides"][0]["last"]
    assert (last["piece"], last["spin"], last["cleared"], last["attack"]) == ("T", 2, [0, 1], 4)
    assert after["sides"][0]["rows"] == ["GGG..GGGGG"]
    while state.to_move < 0:
        state.play_chance()
    flat = next(action for action in state.legal_actions() if state.action_text(action).startswith("IN"))
    state.play(flat)
    told = picture(state, None)
    assert told is not None
    assert any("IIII" in row for row in told["sides"][0]["rows"])


@pytest.mark.parametrize("name", ["tetris", "tetris_versus"])
def test_miniatures_are_positions_of_their_games(name: str) -> None:
    told = miniature(sf.game(name))
    assert told is not None
    assert all(one["pieces"] >= 20 for one in told["sides"])


def test_games_become_fumens_and_games_again() -> None:
    rng = random.Random(2)
    state = sf.game("tetris", pieces=20).new(3)
    while not state.is_over:
        if state.to_move < 0:
            state.play_chance()
        else:
            low = sorted(
                state.legal_actions(), key=lambda action: int("".join(filter(str.isdigit, state.action_text(action))))
            )
            state.play(rng.choice(low[:6]))
    again = read(write(Record.of(state))).replay()
    assert side(again)["rows"] == side(state)["rows"]
    assert side(again)["pieces"] == 20
    for text, why in (
        ("v115@vhAAgH", "places no piece"),
        (encode([Page(piece=Piece("T", "north", 4, 5))]), "page 1 no keys"),
    ):
        with pytest.raises(ValueError, match=why):
            read(text)
