"""Proves what learning needs of Tetris: searches that draw pieces when they need them and see no future, and the looks
of a position: in a mirror, and with less of the queue drawn."""

import random
from typing import Any

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import _core
from sevenfold.games.tetris.position import placements, side
from sevenfold.train.config import preset

GAME = sf.game("tetris", preset="jstris50")
DOCUMENT = sf.game("tetris", preset="document")
MIRRORED = str.maketrans("JLSZ", "LJZS")


def played(game: sf.Game, seed: int, plies: int = 60) -> sf.State:
    """A position with a decision, after moves at random that stay low."""
    state, rng = game.new(seed), random.Random(seed)
    while len(state.history) < plies or state.to_move == sf.CHANCE:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            low = sorted(placements(state), key=lambda one: one.y)[:8]
            state.play(rng.choice(low).action)
        if state.is_over:
            return played(game, seed + 1000, plies)
    return state


def encoded(state: sf.State, action: int, look: int) -> Any:
    """What a net sees of a position through a look: planes, features, viewers, legal, policy, all on one action."""
    one = np.zeros(1, np.int64)
    return _core.encode(
        state.game.new(),
        np.array(state.history, np.int32),
        one,
        np.array([len(state.history)], np.int32),
        np.array([look], np.uint32),
        np.array([action], np.uint16),
        np.ones(1, np.float32),
        one,
        np.ones(1, np.int32),
    )


@pytest.mark.parametrize("game", [GAME, DOCUMENT])
def test_a_mirror_shows_the_same_position_and_its_actions(game: sf.Game) -> None:
    rows, cols = game.planes[1:]
    for seed in range(4):
        state = played(game, seed)
        plain, turned = (encoded(state, state.legal_actions()[3], look) for look in (0, 1))
        assert (plain[0][0, :, :, ::-1] == turned[0][0]).all()
        assert plain[3].sum() == turned[3].sum()  # as many legal actions, all different
        if game is DOCUMENT:
            continue
        # The turned action fills the mirrored cells, and the features name the mirrored pieces.
        order = "IOTLJSZ"
        hot = turned[1][0][: 7 + 8 + 35].tolist()
        queue = side(state)["queue"].translate(MIRRORED)
        assert order[hot[:7].index(1)] == queue[0]
        assert [order[hot[15 + 7 * i : 22 + 7 * i].index(1)] for i in range(5)] == list(queue[1:])
        assert (turned[4][0].argmax() // (rows * cols)) // 12 == (plain[4][0].argmax() // (rows * cols)) // 12


def test_a_mirror_of_a_mirror_is_the_position_itself() -> None:
    """Of every action of some positions: id to id and back, by the mirrored pieces."""
    for seed in range(3):
        state = played(GAME, seed)
        there = [int(encoded(state, action, 1)[4][0].argmax()) for action in state.legal_actions()]
        assert len(set(there)) == len(there)
        for one, image in zip(placements(state), there, strict=True):
            y = image // 10 % 24
            assert y == one.y  # nothing moves up or down


def test_a_look_with_less_of_the_queue_is_what_was_known_before() -> None:
    state = played(GAME, 5)
    for fewer in range(5):
        planes, features = encoded(state, state.legal_actions()[0], 2 * fewer)[:2]
        assert (planes == encoded(state, state.legal_actions()[0], 0)[0]).all()
        known = [features[0][15 + 7 * i : 22 + 7 * i].sum() for i in range(5)]
        assert known == [1.0] * (5 - fewer) + [0.0] * fewer
        bag = {"IOTLJSZ"[i] for i in range(7) if features[0][50 + i]}
        forgotten = side(state)["queue"][6 - fewer :]
        back = set(side(state)["bag"])
        for piece in reversed(forgotten):
            back = {piece} if len(back) == 7 else back | {piece}
        assert bag == back


def dealt(state: sf.State) -> int:
    """How many pieces have been drawn so far."""
    seen = side(state)
    return int(seen["pieces"] + len(seen["queue"]) + len(seen["hold"]))


def searched(put_off: bool) -> tuple[sf.State, list[sf.State]]:
    """A position, and those that a search of it wants to know about, which follows one line as deep as it goes."""
    options = _core.MctsOptions()
    options.leaf, options.selection, options.put_off, options.exploration = "evaluator", "puct", put_off, 0.01
    state = played(GAME, 9)
    search = _core.Mcts(state, options)
    search.reset(state)
    found = []
    for _ in range(60):
        waiting = search.collect(1)
        found += waiting
        weights = np.zeros((len(waiting), GAME.actions), np.float32)
        for row, one in enumerate(waiting):
            weights[row, min(placements(one), key=lambda p: (p.y, p.x)).action] = 1
        search.resume(np.zeros((len(waiting), 1)), weights)
    return state, found


def test_a_search_draws_a_piece_when_it_is_needed_not_when_it_would_be_seen() -> None:
    state, found = searched(put_off=True)
    known = [one for one in found if dealt(one) == dealt(state)]
    assert len({side(one)["pieces"] for one in known}) >= 5
    assert all(side(state)["queue"].endswith(side(one)["queue"]) for one in known)
    assert all(len(side(one)["queue"]) == 2 for one in found if dealt(one) > dealt(state))
    assert {len(side(one)["queue"]) for one in searched(put_off=False)[1]} == {6}


def test_chance_that_was_put_off_is_as_likely_as_before() -> None:
    state, found = searched(put_off=True)
    drawn = {side(one)["queue"][-1] for one in found if dealt(one) == dealt(state) + 1}
    assert drawn
    assert drawn <= set(side(state)["bag"])


def test_returns_grow_on_the_way_and_the_game_says_so() -> None:
    assert GAME.gain == 4
    assert sf.game("tetris", preset="classic").gain > 0
    assert sf.game("tetris_versus").gain == 0


@pytest.mark.parametrize("name", ["quick", "laptop", "document"])
def test_the_presets_are_there(name: str) -> None:
    config = preset(name, DOCUMENT if name == "document" else GAME)
    if name == "document":
        net = config.net
        assert (net.blocks, net.channels, net.policy_hidden, net.value_hidden, net.dropout) == (10, 128, 1024, 256, 0.3)
        assert (DOCUMENT.actions, DOCUMENT.features, DOCUMENT.planes) == (2304, 11, (1, 20, 10))
    else:
        assert config.net.value_linear


@pytest.mark.parametrize(("player", "least"), [("policy", 1), ("alphazero:simulations=64,cache=0", 12)])
def test_the_shipped_net_plays(player: str, least: int) -> None:
    """Fifty placements of one game; `python -m bench.tetris_learning attack` has the figure."""
    state, mind = GAME.new(seed=3), sf.player(player, GAME)
    while not state.is_over:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(mind.think(state).action)
    assert side(state)["end"] == "done"
    assert state.returns()[0] >= least


def test_what_the_net_says_of_a_game_is_what_was_sent_and_what_is_to_come() -> None:
    """A guess of the whole game in a sensible range, and less to come after pieces put anywhere."""
    fresh = played(GAME, 3, 6)
    first = sf.player("policy", GAME).think(fresh).values[0]
    assert 15 < first < 60
    later = played(GAME, 2, 60)
    last = sf.player("policy", GAME).think(later).values[0]
    assert last - later.returns()[0] < first
