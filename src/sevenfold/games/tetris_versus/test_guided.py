"""Proves the player `guided`: lines are played by the rules, the net sees both sides and is fair to them, and without
trust in it the beam decides."""

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import _core
from sevenfold.games.tetris.players import weights
from sevenfold.games.tetris.position import set_up_versus, side
from sevenfold.games.tetris_versus.players import core, judge

GAME = sf.game("tetris_versus")
SEES = core.judged()
QUIET = {"queue": "OIOTSZ", "bag": "JL"}
SLOT = {"rows": [0x3EF, 0x3C7, 0x3E0], "queue": "TIOSZL", "bag": "J", "b2b": 0}
"""A T spins in for two lines."""


def foreseen(state: sf.State, lines: int = 10, draws: int = 2, width: int = 30) -> tuple[list[int], np.ndarray, list]:
    """The actions whose lines are judged, what is seen of both sides there [lines, draws, 2, features], who lives."""
    found = core.foresee(state, weights(), width, 0, 0, 0.0, 1, False, lines, draws, _core.Watch())
    actions, which, lives, sides = found[0], found[5], found[6], found[7]
    return [actions[i] for i in which], sides.reshape(len(which), draws, 2, len(SEES)), lives


def played(plies: int, seed: int = 1) -> sf.State:
    state, player = GAME.new(seed), sf.player("beam:width=6,samples=0,seconds=5", GAME)
    while len(state.history) < plies or state.to_move == sf.CHANCE:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)
    return state


def test_what_a_line_sends_waits_on_the_other_side() -> None:
    state = set_up_versus(GAME, [SLOT, QUIET])
    actions, seen, lives = foreseen(state, width=4000)
    assert actions
    assert all(lives)
    waiting = seen[:, :, 1, SEES.index("waiting")]
    assert waiting[0].min() >= 5  # the best line begins or goes on with a T-spin double of a running chain
    assert (waiting[:, 0] == waiting[:, 1]).all()  # chance has no part in it
    assert (seen[:, :, 0, SEES.index("dug")] == 0).all()


def test_garbage_that_is_due_rises_on_the_way_and_lifts_what_is_placed() -> None:
    dull = {"queue": "SZSZSZ", "rows": [0x3FE] * 2, "garbage": [3]}
    state = set_up_versus(GAME, [dull, QUIET])
    _, seen, _ = foreseen(state)
    own = seen[:, :, 0]
    assert (own[:, :, SEES.index("dug")] > 0).any()
    assert (own[:, :, SEES.index("waiting")] + own[:, :, SEES.index("dug")] <= 3).all()
    cells = own[:, :, SEES.index("cells")]
    assert (cells > 18).all()


def test_the_judge_sees_both_sides_and_is_fair() -> None:
    state = played(120)
    both = core.judge(state, weights())
    assert both.shape == (2, len(SEES))
    rows = side(state, 0)["rows"]
    assert both[0, SEES.index("cells")] == sum(bin(row).count("1") for row in rows)
    assert both[0, SEES.index("height")] == len(rows)
    pair = np.stack([both, both[::-1]])
    first, second = judge().values(pair)
    assert first == pytest.approx(-second, abs=1e-6)
    assert judge().values(np.stack([[both[0], both[0]]]))[0] == pytest.approx(0, abs=1e-6)


def test_the_judge_knows_who_stands_better() -> None:
    """Rows of garbage and a lot of it waiting, against a clean stack with a T-slot."""
    buried = {"rows": [0x3DF, 0x3F7] * 6, "queue": "SZOSZO", "garbage": [8]}
    for turn in (0, 1):
        state = set_up_versus(GAME, [SLOT, buried], turn=turn)
        sides = core.judge(state, weights())
        assert judge().values(np.stack([sides]))[0] > 0.2


def test_without_trust_the_beam_decides() -> None:
    beam = sf.player("beam", GAME, seconds=None, width=40, samples=0)
    for seed in range(3):
        state = played(80, seed)
        for option in ("trust=0", "lines=0"):
            alone = sf.player(f"guided:seconds=30,width=40,samples=0,{option}", GAME)
            assert alone.think(state).action == beam.think(state).action


def test_it_plays_by_the_rules_and_says_what_it_thinks() -> None:
    player = sf.player("guided:seconds=30,width=20,samples=0", GAME)
    state = played(100, 2)
    found = player.think(state)
    assert found.action in state.legal_actions()
    assert sum(found.policy) == pytest.approx(1)
    assert found.actions[0].action == found.action
    assert found.values[0] == -found.values[1]
    assert -1 <= found.values[0] <= 1
    assert player.think(state).action == found.action  # the same position, the same seed


@pytest.mark.parametrize(
    "options", [{"previews": 0}, {"hold": False}, {"encoding": "document"}, {"pieces": 2}, {"attack": "tetrio"}]
)
def test_it_plays_under_all_rules(options: dict[str, object]) -> None:
    game = sf.game("tetris_versus", **options)
    state, player = game.new(3), sf.player("guided:seconds=30,width=8,samples=1", game)
    for _ in range(40):
        if state.is_over:
            break
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)


def test_a_lost_position_has_a_move_too() -> None:
    high = {"rows": [0x3EF, 0x3DF] * 9 + [0x1], "queue": "OSZOSZ", "garbage": [20]}
    state = set_up_versus(GAME, [high, QUIET])
    player = sf.player("guided:seconds=30,width=20,samples=0", GAME)
    assert player.think(state).action in state.legal_actions()


@pytest.mark.parametrize("wrong", ["lines=-1", "draws=0", "trust=-1", "seconds=0", "lines=5000"])
def test_wrong_options_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="guided: "):
        sf.player(f"guided:{wrong}", GAME)


def test_the_shipped_net_plays() -> None:
    """`alphazero` has a net here, and moves within the rules; its card says how well."""
    state = played(60, 5)
    found = sf.player("alphazero:simulations=24,cache=0", GAME).think(state)
    assert found.action in state.legal_actions()


def test_a_look_hides_pieces_of_either_queue() -> None:
    state = played(60, 4)
    own, other = (side(state, seat) for seat in (state.to_move, 1 - state.to_move))
    one, features = np.zeros(1, np.int64), 75

    def seen(look: int) -> tuple[np.ndarray, np.ndarray, int]:
        planes, numbers, _, legal, _ = _core.encode(
            GAME.new(),
            np.array(state.history, np.int32),
            one,
            np.array([len(state.history)], np.int32),
            np.array([look], np.uint32),
            np.array([state.legal_actions()[0]], np.uint16),
            np.ones(1, np.float32),
            one,
            np.ones(1, np.int32),
        )
        return planes[0], numbers[0], int(legal.sum())

    def known(numbers: np.ndarray, begin: int) -> int:
        return int(sum(numbers[begin + 15 + 7 * i : begin + 22 + 7 * i].sum() for i in range(5)))

    plain = seen(0)
    for mine in range(5):
        for its in range(5):
            planes, numbers, legal = seen(2 * (mine + 5 * its))
            assert (known(numbers, 0), known(numbers, features)) == (5 - mine, 5 - its)
            assert (planes == plain[0]).all()
            assert legal == plain[2] == len(state.legal_actions())
    mirrored = seen(1)
    assert (mirrored[0] == plain[0][:, :, ::-1]).all()
    assert mirrored[2] == plain[2]
    assert len(own["queue"]) == len(other["queue"]) == 6
