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


def tetris(moves: int) -> Session:
    game = sf.game("tetris_versus")
    people = [wire.Seat(kind="human", player=None, level=None, name=name) for name in ("Left", "Right")]
    out = Session(Variations(game, 1, None), people)
    for _ in range(moves + 1):
        while out.state.to_move == CHANCE:
            out.play(None)
        if len([one for one in out.tree.moves if one.mover >= 0 and one.id]) < moves:
            out.play(out.state.legal_actions()[0])
    return out


def test_what_chance_does_after_a_move_is_told_with_the_move() -> None:
    """Placements alone, each node being the position of the next decision; the start is what was dealt first."""
    made = tetris(4)
    told = made.to_wire(None)
    assert [node.mover for node in told.nodes] == ["chance", "chance", 0, 1, 0, 1]
    assert [node.text for node in told.nodes[:2]] == ["", "dealt"]
    assert [node.ply for node in told.nodes] == [0, 0, 1, 2, 3, 4]
    assert told.line == [node.id for node in told.nodes]
    assert [node.parent for node in told.nodes] == [None, *told.line[:-1]]
    assert told.at == told.line[-1]
    texts = [one.text for one in made.tree.moves if one.mover >= 0 and one.id]
    assert [node.text for node in told.nodes[2:]] == texts
    for node in told.line[1:]:
        assert made.tree.state(node).to_move >= 0
    made.go(told.line[3])  # and another move from there: a variation, whose parent is told too
    made.play(made.state.legal_actions()[5])
    while made.state.to_move == CHANCE:
        made.play(None)
    again = made.to_wire(None)
    known = {node.id for node in again.nodes}
    assert all(node.parent in known for node in again.nodes[1:])
    assert {node.parent for node in again.nodes if node.ply == 3} == {told.line[3]}


def test_a_move_after_which_chance_has_not_decided_yet_is_told_itself() -> None:
    made = tetris(2)
    made.play(made.state.legal_actions()[0])
    assert made.state.to_move == CHANCE
    told = made.to_wire(None)
    assert told.at == told.line[-1] == told.nodes[-1].id
    assert told.nodes[-1].text == made.tree.moves[made.at].text
