"""Pictures of positions for the page, whatever the game."""

import json
import random
import time
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold._core import CHANCE
from sevenfold.picture import has_picture, miniature, picture


class Count:
    """A Python game without a room: count to three."""

    players, actions, max_plies = 2, 1, 3

    def __init__(self):
        self.count = 0

    def to_move(self):
        return sf.TERMINAL if self.count == 3 else self.count % 2

    def legal_actions(self):
        return [0]

    def play(self, action):
        self.count += 1

    def returns(self):
        return [0, 0]


def test_a_game_without_a_drawing_has_no_picture():
    game = sf.game(Count)
    assert not has_picture(game)
    assert picture(game.new(), None) is None
    assert miniature(game) is None


def test_a_game_of_a_file_has_no_picture():
    assert picture(sf.game(str(Path(__file__).parent.parent / "examples" / "nim.py")).new(), 0) is None


@pytest.mark.parametrize("viewer", [-1, 2, "0"])
def test_a_viewer_is_a_seat(viewer):
    with pytest.raises(ValueError, match=r"^a viewer is a seat from 0 to 1 or none, not .*\.$"):
        picture(sf.game("tic_tac_toe").new(), viewer)


@pytest.mark.parametrize("name", sf.game_names())
def test_pictures_of_the_house_are_quick_json(name):
    game = sf.game(name)
    if not has_picture(game):
        pytest.skip(f"{name} is drawn as text.")
    rng, state, pictures, spent = random.Random(1), game.new(), 0, 0.0
    while not state.is_over and pictures < 200:
        for viewer in (None, *range(game.players)):
            start = time.process_time()
            drawn = picture(state, viewer)
            spent, pictures = spent + time.process_time() - start, pictures + 1
            assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn
        if state.to_move == CHANCE:
            state.play_chance()
        else:
            state.play(rng.choice(state.legal_actions()))
    assert spent / pictures < 0.001
    assert miniature(game) == miniature(game)
