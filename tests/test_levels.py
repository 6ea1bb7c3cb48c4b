"""The opponents in plain words: every game has five that play, and each is stronger than the one before."""

import itertools
import random
import time
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold import models
from sevenfold._core import CHANCE
from sevenfold.levels import LEVEL_IDS, levels

EXAMPLES = Path(__file__).parent.parent / "examples"


class Solo:
    """One player, ten steps left or right."""

    players, actions, max_plies, min_return, max_return = 1, 2, 10, 0.0, 10.0

    def __init__(self):
        self.rights = self.steps = 0

    def to_move(self):
        return sf.TERMINAL if self.steps == 10 else 0

    def legal_actions(self):
        return [0, 1]

    def play(self, action):
        self.rights, self.steps = self.rights + action, self.steps + 1

    def returns(self):
        return [self.rights]


GAMES = {
    "tic_tac_toe": lambda: sf.game("tic_tac_toe"),
    "connect_four": lambda: sf.game("connect_four"),
    "connect_four 4x5": lambda: sf.game("connect_four", rows=4, cols=5),
    "connect_four saiblo": lambda: sf.game("connect_four", preset="saiblo", seed=3),
    "easycard": lambda: sf.game("easycard"),
    "easycard chance": lambda: sf.game("easycard", preset="chance"),
    "easycard closed": lambda: sf.game("easycard", preset="chance", hidden=True),
    "one player": lambda: sf.game(Solo),
    "nim": lambda: sf.game(str(EXAMPLES / "nim.py")),
    "kuhn poker": lambda: sf.game(str(EXAMPLES / "kuhn_poker.py")),
    "kalah": lambda: sf.game(str(EXAMPLES / "kalah.py")),
}


def first_decision(game):
    state = game.new(1)
    while state.to_move == CHANCE:
        state.play_chance()
    return state


@pytest.mark.parametrize("name", GAMES)
def test_all_levels_play(name):
    game = GAMES[name]()
    found = levels(game)
    assert [one.id for one in found] == list(LEVEL_IDS)
    state = first_decision(game)
    for level in found:
        assert set(level.title) == set(level.about) == {"en", "zh-TW"}
        player = sf.player(level.player, game, seed=1)
        player.prepare()
        start = time.perf_counter()
        assert player.think(state).action in state.legal_actions()
        # in use of a busy machine; the players' own limits are 0.3 and 2 seconds
        assert time.perf_counter() - start < (5 if level.id == "strongest" else 2)


@pytest.mark.parametrize("name", ["openspiel:hex(board_size=4)", "openspiel:leduc_poker", "openspiel:2048"])
def test_openspiel_games_have_levels(name):
    pytest.importorskip("pyspiel")
    game = sf.game(name)
    state = first_decision(game)
    for level in levels(game)[:4]:
        assert sf.player(level.player, game, seed=1).think(state).action in state.legal_actions()


def test_alphazero_only_where_a_net_ships():
    for make in GAMES.values():
        game = make()
        if any(one.player.startswith("alphazero") for one in levels(game)):
            assert models.shipped(game) is not None


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe"])
def test_without_onnx_runtime_nobody_needs_a_net(name, monkeypatch):
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda name: None)
    assert not any(one.player.startswith("alphazero") for one in levels(sf.game(name)))


def test_strongest_of_connect_four_is_perfect_on_small_boards():
    game = sf.game("connect_four", rows=5, cols=5)
    player = sf.player(levels(game)[-1].player, game)
    assert player.think(game.new()).proven


def test_strongest_never_loses_tic_tac_toe():
    game = sf.game("tic_tac_toe")
    player = sf.player(levels(game)[-1].player, game)
    answers: dict[int, int] = {}

    def best(state):
        if state.hash() not in answers:
            answers[state.hash()] = player.think(state).action
        return answers[state.hash()]

    def worst(state, me):
        """What the level gets at least, whatever the other plays."""
        if state.is_over:
            return state.returns()[me]
        values = []
        for action in [best(state)] if state.to_move == me else state.legal_actions():
            after = state.copy()
            after.play(action)
            values.append(worst(after, me))
        return min(values)

    assert worst(game.new(), 0) >= 0
    assert worst(game.new(), 1) >= 0


def test_rooms_may_bring_their_own(monkeypatch):
    game = sf.game("easycard")
    monkeypatch.setattr(game.room, "LEVELS", {"easy": "random", "hard": lambda game: f"uct:nodes={game.actions}"})
    found = {one.id: one.player for one in levels(game)}
    assert found["easy"] == "random"
    assert found["hard"] == "uct:nodes=9"
    assert found["beginner"].startswith("uct:")
    for wrong in ({"godlike": "uct"}, ["uct"], {"easy": 3}, {"easy": lambda game: None}):
        monkeypatch.setattr(game.room, "LEVELS", wrong)
        with pytest.raises(ValueError, match=r"^LEVELS of easycard must .*\.$"):
            levels(game)


def careful(state, rng):
    """A child that takes a win and does not give one away, and else plays anywhere."""
    me, safe = state.to_move, []
    for action in state.legal_actions():
        after = state.copy()
        after.play(action)
        if after.is_over and after.returns()[me] > 0:
            return action
        replies = [after.copy() for _ in after.legal_actions()]
        for reply, answer in zip(replies, after.legal_actions(), strict=True):
            reply.play(answer)
        if not any(reply.is_over and reply.returns()[me] < 0 for reply in replies):
            safe.append(action)
    return rng.choice(safe or state.legal_actions())


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_a_child_beats_the_beginner_which_beats_chance(name):
    game = sf.game(name)
    spec = levels(game)[0].player
    rng, score = random.Random(5), 0.0
    for number in range(40):
        state, player, child = game.new(), sf.player(spec, game, seed=number), number % 2
        while not state.is_over:
            state.play(careful(state, rng) if state.to_move == child else player.think(state).action)
        score += state.returns()[child]
    assert score > 0
    assert sf.match(game, [spec, "random"], games=40, seed=1).score > 0.6


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), [("tic_tac_toe", 60), ("connect_four", 16)])
def test_each_level_beats_the_one_before(name, games):
    game = sf.game(name)
    for weak, strong in itertools.pairwise(levels(game)):
        result = sf.match(game, [strong.player, weak.player], games=games, seed=1)
        assert result.score > 0.5, f"{strong.id} against {weak.id}: {result.score}"
