"""Proves the players of Tetris, the counting verb, batches and the founding document's interface."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import sevenfold as sf
from sevenfold import _core
from sevenfold.games.tetris.counting import count
from sevenfold.games.tetris.document import DocumentEngine
from sevenfold.games.tetris.position import set_up, side

core: Any = _core._tetris  # type: ignore[attr-defined]
SMALL = {"seconds": None, "width": 40, "samples": 2}


def play(game: sf.Game, pieces: int, seed: int, **options: Any) -> dict[str, Any]:
    player, state = sf.player("beam", game, **options), game.new(seed)
    while state.to_move != sf.TERMINAL and side(state)["pieces"] < pieces:
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)
    return side(state)


def test_the_beam_attacks_and_lives() -> None:
    """At a width of 40 it makes about 0.65 a piece; a player that only survives makes less than 0.3."""
    facts = play(sf.game("tetris"), 100, 7, **SMALL)
    assert facts["pieces"] == 100
    assert facts["attack"] >= 40


@pytest.mark.parametrize(
    ("rows", "queue", "wanted"),
    [
        ([0x3EF, 0x3C7, 0x20], "T", "TSe2f"),  # a double
        ([0x3FD, 0x3F9, 0x3FD, 0x1, 0x3], "T", "TEb2f"),  # a triple by the fifth kick
        ([0x3FE] * 4, "I", "IEa3"),  # a quad that leaves nothing
    ],
)
def test_the_beam_takes_what_lies_before_it(rows: list[int], queue: str, wanted: str) -> None:
    game = sf.game("tetris", previews=0, hold=False, pieces=1)
    state = set_up(game, rows=rows, queue=queue)
    assert state.action_text(sf.player("beam", game, **SMALL).think(state).action) == wanted


def test_the_beam_thinks_the_same_with_the_same_seed_and_says_what_it_thinks() -> None:
    game = sf.game("tetris")
    state = set_up(game, rows=[0x3FE, 0x1FE], queue="TIOLJS", hold="Z", bag="Z")
    first, second = (sf.player("beam", game, seed=3, **SMALL).think(state) for _ in range(2))
    assert (first.action, first.nodes, first.values) == (second.action, second.nodes, second.values)
    assert {view.action for view in first.actions} == set(state.legal_actions())
    assert first.actions[0].action == first.action
    assert sum(first.policy) == pytest.approx(1)


def test_the_beam_advises_and_reviews() -> None:
    """A better move is told with its attack, in lines."""
    for name in ("tetris", "tetris_versus"):
        assert sf.game(name).adviser == "beam"
    game = sf.game("tetris", pieces=1, previews=0, hold=False)
    state = set_up(game, rows=[0x3EF, 0x3C7, 0x20], queue="T")
    state.play(state.parse_action("TNb3"))
    (move,) = sf.review(state, width=40, samples=2).moves
    assert (move.mark, move.best_text) == ("blunder", "TSe2f")
    assert move.best_value - move.value > 3  # four lines


def test_the_beam_ranks_what_loses_last() -> None:
    game = sf.game("tetris")
    state = set_up(game, rows=[0x3FE] * 19, queue="IOLJST", bag="Z")
    player = sf.player("beam", game, **SMALL)
    views = player.rank(state)
    assert sorted(view.action for view in views) == sorted(state.legal_actions())
    values = [view.value or 0.0 for view in views]
    assert values == sorted(values, reverse=True)
    assert views[0].action == player.think(state).action
    lost = {action for action in state.legal_actions() if core.outcome(state, action)[0] == 0}
    assert views[0].action not in lost
    assert views[-1].action in lost
    assert -60 < values[-1] < values[0]


def test_the_beam_compares_both_sides() -> None:
    """Who is to move is not therefore ahead; a stack with holes is behind."""
    game = sf.game("tetris_versus")
    player, even = sf.player("beam", game, **SMALL), game.new(3)
    while even.to_move == sf.CHANCE:
        even.play_chance()
    assert abs(player.think(even).values[0]) < 0.3
    left, right = even.to_text().split(" | ")
    turn, _, queue = left.partition(" ")
    ruined = game.parse(f"{turn} board=155,2aa,155,2aa,155,2aa,155,2aa {queue} | {right}")
    found = player.think(ruined)
    assert found.values[0] < -0.5
    assert found.values[0] == pytest.approx(max(view.value or 0.0 for view in found.actions))


def test_the_beam_plays_every_preset_and_versus() -> None:
    for name in ("tetris", "tetris_versus"):
        for preset in ("tetrio", "document"):
            game = sf.game(name, preset=preset)
            player, state = sf.player("beam", game, seconds=None, width=4, samples=1), game.new(2)
            for _ in range(40):
                if state.to_move == sf.TERMINAL:
                    break
                if state.to_move == sf.CHANCE:
                    state.play_chance()
                else:
                    action = player.think(state).action
                    assert action in state.legal_actions()
                    state.play(action)


def test_controllers_play_the_classic_game() -> None:
    game = sf.game("tetris", preset="classic", height=20)
    for name in ("bcts", "dellacherie"):
        player, state = sf.player(name, game), game.new(1)
        for _ in range(400):
            if state.to_move == sf.CHANCE:
                state.play_chance()
            else:
                state.play(player.think(state).action)
        assert state.to_move != sf.TERMINAL
        assert state.returns()[0] > 60
    assert core.lines_of_a_game("bcts", 10, 1, 10**9) == core.lines_of_a_game("bcts", 10, 1, 10**9) > 100


@pytest.mark.slow
@pytest.mark.parametrize(("name", "known", "error"), [("bcts", 4171, 247), ("dellacherie", 2004, 109)])
def test_controllers_clear_as_many_lines_as_known(name: str, known: int, error: int) -> None:
    lines = np.array([core.lines_of_a_game(name, 10, seed, 10**9) for seed in range(300)])
    apart = lines.mean() - known
    assert abs(apart) < 2 * np.hypot(error, lines.std(ddof=1) / np.sqrt(len(lines)))


def verb(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "sevenfold", "perft", *words], capture_output=True, text=True)


def test_the_verb_counts_a_queue() -> None:
    answer = verb("tetris", "--queue", "TI", "--spins", "--board", "3fd,3f9,3fd,1,3", "--kicks=srs", "--json")
    assert json.loads(answer.stdout)["count"] == 676
    for words, sentence in (
        (("tetris", "--queue", "TX"), "no piece X"),
        (("tetris", "--queu", "T"), "no option --queu"),
        (("tic_tac_toe", "--queue", "T"), "no option --queue"),
        (("tic_tac_toe",), "--depth"),
    ):
        answer = verb(*words)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert sentence in answer.stderr


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"queue": ""},
        {"queue": True},
        {"queue": "T" * 21},
        {"queue": "T", "board": "3ff"},
        {"queue": "T", "board": "xyz"},
        {"queue": "T", "board": ",".join(["1"] * 41)},
        {"queue": "T", "spawn": "4"},
        {"queue": "T", "spawn": "4,99"},
        {"queue": "T", "kicks": "arika"},
        {"queue": "T", "spins": "yes"},
    ],
)
def test_a_count_of_nonsense_is_refused(given: dict[str, str | bool]) -> None:
    with pytest.raises(ValueError, match=r"\w.*\."):
        count(given)


def test_a_batch_plays_what_a_state_plays() -> None:
    game = sf.game("tetris", pieces=30)
    batch = core.Batch(game.new(), [*range(8)])
    planes = batch.planes
    ended, chosen = 0, np.empty(8, np.int32)
    for _ in range(60):
        batch.random(chosen)
        for i in range(8):
            assert chosen[i] in batch.actions[batch.offsets[i] : batch.offsets[i + 1]]
        batch.step(chosen)
        ended += int(batch.ended.sum())
        assert planes[:, 0].sum(axis=(1, 2)).min() >= 4 or batch.ended.any() or batch.lines.any()
    assert ended >= 8
    with pytest.raises(ValueError, match="not legal"):
        batch.step(np.full(8, 5759, dtype=np.int32))
    with pytest.raises(ValueError, match="one action for each"):
        batch.step(np.zeros(7, dtype=np.int32))


def test_the_document_s_interface() -> None:
    engine = DocumentEngine(seed=4)
    board, context = engine.get_state()
    assert (board.shape, context.shape, engine.game.actions) == ((1, 20, 10), (11,), 2304)
    moves, ids = engine.get_legal_moves_with_ids()
    assert ids.tolist() == [h * 1152 + r * 288 + (x + 1) * 24 + y for x, y, r, h in moves.tolist()]
    assert len(set(ids.tolist())) == len(ids)
    current, following = context[0], context[2]
    done = engine.step(*moves[0])
    assert done == {"lines": 0, "attack": 0.0, "done": False}
    assert board.sum() == 4  # the same array: the engine wrote into it
    assert board[0, 0].sum() > 0
    assert context[0] == following != current
    with pytest.raises(ValueError, match="not legal"):
        engine.step(0, 23, 0, 0)


def test_the_beam_has_no_clock_where_none_is_wanted() -> None:
    """One pass of the whole width, the same on every machine; on the command line too."""
    game = sf.game("tetris")
    told, given = (
        sf.player("beam:seconds=none,width=24,samples=0", game),
        sf.player("beam", game, seconds=None, width=24),
    )
    assert told.seconds is None  # type: ignore[attr-defined]
    assert given.seconds is None  # type: ignore[attr-defined]
    state = set_up(game, queue="TIOSZL", bag="J")
    assert told.think(state).nodes == told.think(state).nodes
    with pytest.raises(ValueError, match="option width must be a whole number, not 'none'"):
        sf.player("beam:width=none", game)


@pytest.mark.parametrize("wrong", [(11, 0, 0, 0), (0, 24, 0, 0), (0, 0, 4, 0), (0, 0, 0, 2), (-2, 0, 1, 0)])
def test_the_document_engine_refuses_what_is_no_placement(wrong: tuple[int, int, int, int]) -> None:
    """A number out of range must not come out as the id of another placement."""
    engine = DocumentEngine(1)
    before = engine.get_state()[0].copy()
    with pytest.raises(ValueError, match=r"^(x|y|rot|hold) is from "):
        engine.step(*wrong)
    assert (engine.get_state()[0] == before).all()
