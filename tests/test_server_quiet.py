"""A deal is told at one go and gives nothing away (`QUIET_CHANCE` of a room)."""

import random

import sevenfold as sf
from sevenfold._core import CHANCE
from sevenfold.seen import is_seen
from sevenfold.server import wire
from sevenfold.server.session import Session
from sevenfold.server.variations import Variations


def session(seed: int) -> Session:
    game = sf.game("sevens")
    person = wire.Seat(kind="human", player=None, level=None, name="You")
    others = [wire.Seat(kind="player", player="greedy", level=None, name="greedy") for _ in range(3)]
    out = Session(Variations(game, seed, None), [person, *others])
    while out.state.to_move == CHANCE:
        out.play(None)
    return out


def test_fifty_two_steps_are_one_line() -> None:
    made = session(1)
    for _ in range(3):
        made.play(made.state.legal_actions()[0])
    told = made.to_wire(None)
    assert [node.text for node in told.nodes[:2]] == ["", "dealt"]
    assert [node.ply for node in told.nodes] == [0, 0, 1, 2, 3]
    assert told.line == [node.id for node in told.nodes]
    assert [node.parent for node in told.nodes] == [None, *told.line[:-1]]
    assert made.row()["plies"] == 3


def test_no_step_of_the_deal_is_seen_by_anybody() -> None:
    """Not even the last ones, which follow from the rest for those who know how full each hand is."""
    for seed in range(5):
        state = sf.game("sevens").new(seed)
        while state.to_move == CHANCE:
            action = random.Random(seed).choice(state.legal_actions())
            assert not any(is_seen(state, action, viewer) for viewer in range(4))
            state.play(action)
        assert all(node.action is None for node in session(seed).to_wire(None).nodes)
