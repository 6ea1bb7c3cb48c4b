"""What is not told: the steps of a deal, which give nothing away (`QUIET_CHANCE` of a room), and thoughts that say
nothing new."""

import random
import time
from pathlib import Path

import pytest
from server_client import begin, looking, serving

import sevenfold as sf
from sevenfold._core import CHANCE
from sevenfold.seen import is_seen
from sevenfold.server import analysis, wire
from sevenfold.server.analysis import Analysis
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


def forced() -> str:
    """A deal of Sevens as its record up to where a single card is legal: the first one, the seven of spades."""
    state = sf.game("sevens").new(1)
    while state.to_move == CHANCE:
        state.play_chance()
    assert len(state.legal_actions()) == 1
    return state.to_text()


@pytest.mark.parametrize("player", ["alphazero", "belief", "pimc"])
def test_the_analysis_of_a_forced_move_ends_after_a_word(tmp_path: Path, player: str) -> None:
    with serving(tmp_path) as client:
        session_id = begin(client, "sevens", [{}] * 4, start=forced())["id"]
        with looking(client, session_id) as browser:
            browser.say(type="analyse", on=True, player=player)
            browser.until(lambda message: message["type"] == "thought" and message["thought"]["final"])
            browser.wait(lambda session: session["thinking"] is None)
            thoughts = [one for one in browser.heard if one["type"] == "thought"]
            assert len(thoughts) < 10  # not the first alone: it may load a net, and a busy machine makes others wait
            assert all(len(one["thought"]["values"]) == 4 for one in thoughts)


def slices(found: list[tuple[int, bool]], monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, bool]]:
    """Whether it is over and whether people are told, for slices that counted so many nodes, early or at their end."""
    now, seconds, out, one = 0.0, 0.0, [], Analysis()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    one.switch_on("uct")
    for nodes, early in found:
        length = one.slice(0)
        assert length is not None
        now += 0.01 if early else length
        seconds += 0.01 if early else length
        result = {"nodes": nodes, "proven": False, "seconds": seconds}
        out.append((one.ends_with("uct", result), one.is_worth_telling(result)))
    assert (one.slice(0) is None) == out[-1][0]
    return out


def test_a_player_that_comes_back_early_has_no_more_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    assert slices([(0, True)], monkeypatch) == [(True, True)]
    assert slices([(500, False), (564, True)], monkeypatch) == [(False, True), (True, True)]


def test_slices_that_find_nothing_are_not_told_and_do_not_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may leave one without a try; many of them in a row are the end."""
    waits = [(0, False)] * 3
    assert slices([*waits, (70, False)], monkeypatch) == [(False, False)] * 3 + [(False, True)]
    idle = [(70, False)] * analysis.IDLE
    told = slices([(70, False), *idle], monkeypatch)
    assert told == [(False, True)] + [(False, False)] * (analysis.IDLE - 1) + [(True, True)]
    anew = slices([(900, False), *[(400, False)] * 20, (1000, False)], monkeypatch)  # in another process
    assert anew == [(False, True)] + [(False, False)] * 20 + [(False, True)]
