"""Proves Tetris: attack tables and chains against the rules page, garbage, ends of a game, chance, texts, refusals.
test_moves.py proves where pieces come to rest."""

import random
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import _core
from sevenfold.games import tetris as room
from sevenfold.games import tetris_versus
from sevenfold.games.tetris.position import find, placements, set_up, set_up_versus, side
from sevenfold.playthrough import playthrough

core: Any = _core._tetris  # type: ignore[attr-defined]
ALONE = {"previews": 0, "hold": False}
FOUR = [0x3FE] * 4
"""Four rows that an I in the left column clears."""


@pytest.mark.parametrize("preset", room.PRESETS)
def test_every_preset_passes_the_check(preset: str) -> None:
    assert not sf.check(sf.game("tetris", preset=preset), games=1).warnings


@pytest.mark.parametrize("preset", tetris_versus.PRESETS)
def test_every_preset_of_versus_passes_the_check(preset: str) -> None:
    assert not sf.check(sf.game("tetris_versus", preset=preset), games=1).warnings


@pytest.mark.parametrize("name", ["tetris", "tetris_versus"])
def test_the_golden_playthrough_is_as_it_was(name: str) -> None:
    golden = Path(__file__).parent.with_name(name) / "golden.txt"
    assert playthrough(name) == golden.read_text(encoding="utf-8")


# --- What a clear sends -----------------------------------------------------------------------------------------------

TETRIO = {  # b2b counter before the clear, combo 0 .. 12: the table of the rules page
    ("single", -1): "0 0 1 1 1 1 2 2 2 2 2 2 2",
    ("double", -1): "1 1 1 1 2 2 2 2 3 3 3 3 4",
    ("triple", -1): "2 2 3 3 4 4 5 5 6 6 7 7 8",
    ("quad", -1): "4 5 6 7 8 9 10 11 12 13 14 15 16",
    ("quad", 0): "5 6 7 8 10 11 12 13 15 16 17 18 20",
}
LINES = {"single": 1, "double": 2, "triple": 3, "quad": 4}


def sends(lines: int, table: str, b2b: int = -1, combo: int = 0, perfect: bool = False) -> int:
    """What an upright I in the left column sends for so many lines."""
    rows = [0x3FE] * lines + ([] if perfect else [0x2] * (5 - lines))
    game = sf.game("tetris", attack=table, **ALONE)
    state = set_up(game, rows=rows, queue="I", combo=combo, b2b=b2b)
    action = find(state, "I", "east", 0, 2)
    assert action is not None
    state.play(action)
    assert side(state)["b2b"] == (b2b + 1 if lines == 4 else -1) + (perfect and table == "tetrio")
    assert side(state)["combo"] == combo + 1
    return int(state.returns()[0])


def test_ppt_and_jstris() -> None:
    assert [sends(n, "ppt") for n in (1, 2, 3, 4)] == [0, 1, 2, 4]
    assert sends(4, "ppt", b2b=0) == sends(4, "ppt", b2b=7) == 5
    assert [sends(1, "ppt", combo=c) for c in range(14)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5]
    assert [sends(1, "jstris", combo=c) for c in range(14)] == [0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5]
    assert sends(4, "ppt", b2b=3, combo=5, perfect=True) == sends(4, "jstris", b2b=3, combo=5, perfect=True) == 10


@pytest.mark.parametrize(("kind", "b2b"), TETRIO)
def test_tetrio(kind: str, b2b: int) -> None:
    wanted = [int(n) for n in TETRIO[kind, b2b].split()]
    assert [sends(LINES[kind], "tetrio", b2b, combo) for combo in range(13)] == wanted


def test_tetrio_chains_surge_and_all_clears() -> None:
    bonus = [1.000, 1.652, 2.408, 2.478, 2.536, 2.586, 2.629, 3.334, 3.368, 3.399, 3.427, 3.454]
    for b, more in enumerate(bonus, 1):
        assert [sends(4, "tetrio_chaining", b - 1, combo) for combo in (0, 1, 4)] == [
            int((4 + more) * (1 + 0.25 * combo)) for combo in (0, 1, 4)
        ]
    assert sends(1, "tetrio", b2b=3) == 0
    assert [sends(1, "tetrio", b2b=b) for b in (4, 5, 9)] == [4, 5, 9]
    assert sends(4, "tetrio", perfect=True) == 9
    assert sends(4, "tetrio_chaining", perfect=True) == 14


def test_a_surge_comes_in_three_packets_and_an_all_clear_in_one_of_its_own() -> None:
    """What one's own garbage takes is of the first of them."""
    game = sf.game("tetris_versus", preset="tetrio", opener=0)
    wait: dict[str, object] = {"queue": "OTLJSZ"}
    for rows, own, wanted in (
        ([0x3F0], {"b2b": 8}, [3, 3, 2, 5]),  # a line that empties the board ends a chain of eight
        ([0x3F0, 0x200], {"b2b": 8}, [3, 3, 2]),
        ([0x3F0, 0x200], {"b2b": 4}, [1, 1, 2]),
        ([0x3F0, 0x200], {"b2b": 8, "garbage": [4]}, [2, 2]),
        ([0x3F0, 0x200], {"b2b": 3}, []),
    ):
        state = set_up_versus(game, [{"rows": rows, "queue": "IOTLJS", **own}, wait])
        place(state, "I", "north", 1, 0)
        assert side(state, 1)["garbage"] == wanted


def test_t_spins() -> None:
    game = sf.game("tetris", **ALONE)
    slot = set_up(game, rows=[0x3EF, 0x3C7, 0x20], queue="T", b2b=0)
    action = find(slot, "T", "south", 4, 1, "full")
    assert action is not None
    assert core.outcome(slot, action) == (2, 2, 5, 5, 1, 1, False)
    for combo, sent in ((0, 1), (3, 2)):  # a mini for one line: nothing but the chain's bonus, and the combo's
        mini = set_up(game, rows=[0x3FC, 0x3FE, 0x200], queue="T", b2b=0, combo=combo)
        action = find(mini, "T", "east", 0, 2, "mini")
        assert action is not None
        assert core.outcome(mini, action) == (1, 1, sent, sent, 1, combo + 1, False)


def test_a_spin_without_lines_keeps_the_chain_and_ends_the_combo() -> None:
    state = set_up(sf.game("tetris", **ALONE), rows=[0xEF, 0xC7, 0x20], queue="T", b2b=2, combo=4)
    action = find(state, "T", "south", 4, 1, "full")
    assert action is not None
    assert core.outcome(state, action) == (0, 2, 0, 0, 2, 0, False)


# --- Garbage ----------------------------------------------------------------------------------------------------------


def place(state: sf.State, piece: str, orientation: str, x: int, y: int) -> None:
    action = find(state, piece, orientation, x, y)
    assert action is not None, str(state)
    state.play(action)


def test_attacks_cancel_the_oldest_garbage_and_the_rest_is_sent() -> None:
    game = sf.game("tetris_versus", previews=0, hold=False, garbage_delay=5)
    own = {"rows": [*FOUR, 0x2], "queue": "I", "garbage": [1, 2]}
    state = set_up_versus(game, [own, {"queue": "O"}])
    place(state, "I", "east", 0, 2)
    assert (side(state, 0)["garbage"], side(state, 1)["garbage"]) == ([], [1])
    state = set_up_versus(game, [own | {"garbage": [1, 5]}, {"queue": "O"}])
    place(state, "I", "east", 0, 2)
    assert (side(state, 0)["garbage"], side(state, 1)["garbage"]) == ([2], [])


def test_the_first_pieces_may_cancel_twice() -> None:
    game = sf.game("tetris_versus", previews=0, hold=False, garbage_delay=5, opener=14)
    state = set_up_versus(game, [{"rows": [*FOUR, 0x2], "queue": "I", "garbage": [9]}, {"queue": "O"}])
    place(state, "I", "east", 0, 2)
    assert side(state, 0)["garbage"] == [1]


def rise(state: sf.State, *holes: int) -> None:
    for hole in holes:
        assert state.to_move == sf.CHANCE
        state.play(7 + hole)


def test_garbage_waits_rises_up_to_the_cap_and_is_held_off_by_clears() -> None:
    options: dict[str, Any] = {"previews": 0, "hold": False, "garbage_cap": 3}
    state = set_up_versus(sf.game("tetris_versus", **options), [{"queue": "O", "garbage": [4]}, {"queue": "O"}])
    place(state, "O", "north", 0, 0)
    assert side(state, 0)["garbage"] == [4]
    state.play(1)
    place(state, "O", "north", 0, 0)
    state.play(1)
    place(state, "O", "north", 2, 0)
    rise(state, 9, 9, 9)
    assert side(state, 0)["rows"] == [0x1FF, 0x1FF, 0x1FF, 0xF, 0xF]
    assert side(state, 0)["garbage"] == [1]
    for blocking in (False, True):
        game = sf.game("tetris_versus", garbage_blocking=blocking, garbage_delay=0, **options)
        own = {"rows": [0x3FE, 0x2], "queue": "I", "garbage": [2]}
        state = set_up_versus(game, [own, {"queue": "O"}])
        place(state, "I", "east", 0, 2)
        assert len(state.legal_actions()) == (7 if blocking else 10)


def test_holes_move_as_often_as_the_options_say() -> None:
    def chances(hole: int, **options: Any) -> dict[int, float]:
        game = sf.game("tetris_versus", previews=0, hold=False, garbage_delay=0, **options)
        state = set_up_versus(game, [{"queue": "O", "garbage": [4], "hole": hole}, {"queue": "O"}])
        place(state, "O", "north", 0, 0)
        return {outcome - 7: round(p, 6) for outcome, p in state.chance() if outcome >= 7}

    assert chances(-1) == dict.fromkeys(range(10), 0.1)
    assert chances(3, hole_change=0.9) == dict.fromkeys(range(10), 0.1)
    assert chances(3) == {x: round(1 / 9, 6) for x in range(10) if x != 3}
    assert chances(3, hole_repeats=True) == dict.fromkeys(range(10), 0.1)
    assert chances(3, hole_change=0.5, hole_repeats=True) == {x: 0.55 if x == 3 else 0.05 for x in range(10)}
    assert chances(3, hole_change=0.0, hole_mess=0.0) == {}


def test_a_schedule_sends_garbage_to_a_lone_player() -> None:
    game = sf.game("tetris", garbage_every=2, garbage_rows=3, garbage_delay=0, randomizer="uniform", **ALONE)
    state = set_up(game, queue="O")
    place(state, "O", "north", 0, 0)
    state.play(1)
    place(state, "O", "north", 2, 0)
    assert side(state)["garbage"] == [3]
    state.play(1)
    place(state, "O", "north", 4, 0)
    rise(state, 0, 1, 2)
    assert side(state)["rows"][:4] == [0x3FB, 0x3FD, 0x3FE, 0x3F]


# --- The ends of a game -----------------------------------------------------------------------------------------------


def tower(height: int, cells: int) -> list[int]:
    return [cells] * height


def test_block_out_and_where_pieces_appear() -> None:
    def spawn(rows: list[int], **more: Any) -> tuple[int, str]:
        options = {"lock_out": "none", **ALONE, **{k: v for k, v in more.items() if k == "spawn"}}
        state = set_up(sf.game("tetris", **options), rows=rows, queue="T", combo=more.get("combo", 0))
        return side(state)["spawn"], side(state)["end"]

    assert spawn([]) == (19, "")
    assert spawn(tower(20, 0x10)) == (20, "")
    assert spawn(tower(21, 0x10)) == (-1, "block_out")
    assert spawn([], spawn="guideline") == (20, "")
    assert spawn(tower(21, 0x10), spawn="guideline") == (-1, "block_out")
    assert spawn(tower(21, 0x10), spawn="tetrio") == (21, "")
    assert spawn(tower(22, 0x10), spawn="tetrio") == (-1, "block_out")
    assert spawn(tower(25, 0x10), spawn="tetrio", combo=1) == (25, "")


def test_lock_out() -> None:
    def end(lock_out: str, height: int) -> str:
        game = sf.game("tetris", lock_out=lock_out, spawn="guideline", **ALONE)
        state = set_up(game, rows=tower(height, 0x30), queue="O")
        place(state, "O", "north", 4, height)
        return str(side(state)["end"])

    assert [end("all", h) for h in (18, 19, 20)] == ["", "", "lock_out"]
    assert [end("any", h) for h in (18, 19, 20)] == ["", "lock_out", "lock_out"]
    assert [end("none", h) for h in (18, 19, 20)] == ["", "", ""]


def test_garbage_that_pushes_the_stack_out_ends_the_game() -> None:
    game = sf.game("tetris_versus", previews=0, hold=False, garbage_delay=0, lock_out="none", spawn="tetrio")
    state = set_up_versus(game, [{"rows": tower(39, 0x1), "queue": "O", "garbage": [5]}, {"queue": "O"}])
    place(state, "O", "north", 4, 0)
    rise(state, 9, 9)
    assert state.to_move == sf.TERMINAL
    assert (side(state, 0)["end"], state.returns()) == ("top_out", [-1.0, 1.0])


def test_the_game_ends_after_its_pieces() -> None:
    state = set_up(sf.game("tetris", pieces=2, objective="pieces", **ALONE), queue="O")
    place(state, "O", "north", 0, 0)
    state.play(1)
    place(state, "O", "north", 0, 2)
    assert (state.to_move, side(state)["end"], state.returns()) == (sf.TERMINAL, "done", [2.0])


# --- Chance and hold --------------------------------------------------------------------------------------------------


def test_bags_hold_one_of_each_and_no_state_knows_what_comes() -> None:
    game = sf.game("tetris", previews=6)
    state = game.new(3)
    drawn = []
    while state.to_move == sf.CHANCE:
        left = set(range(7)) - set(drawn)
        assert dict(state.chance()) == pytest.approx(dict.fromkeys(left, 1 / len(left)))
        state.play_chance()
        drawn.append(state.history[-1])
    assert sorted(drawn) == list(range(7))
    assert side(state)["bag"] == "IOTLJSZ"
    uniform = sf.game("tetris", randomizer="uniform").new()
    assert dict(uniform.chance()) == pytest.approx(dict.fromkeys(range(7), 1 / 7))


def test_the_hold() -> None:
    game = sf.game("tetris", previews=2)
    state = set_up(game, queue="TIO")
    assert {(p.hold, p.piece) for p in placements(state)} == {(False, "T"), (True, "I")}
    state.play(next(p.action for p in placements(state) if p.hold))
    assert (side(state)["queue"], side(state)["hold"], state.to_move) == ("O", "T", sf.CHANCE)
    state.play(3)
    state.play(4)
    assert {(p.hold, p.piece) for p in placements(state)} == {(False, "O"), (True, "T")}
    state.play(next(p.action for p in placements(state) if p.hold))
    assert (side(state)["queue"], side(state)["hold"]) == ("LJ", "O")
    same = set_up(game, queue="TIO", hold="T")
    assert {p.hold for p in placements(same)} == {False}


# --- Texts and refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("queue=TIX", "no piece X"),
        ("board=3ff queue=T", "full"),
        ("board=400 queue=T", "hexadecimal"),
        ("board=-1 queue=T", "hexadecimal"),
        ("board=" + ",".join(["1"] * 25), "24 rows"),
        ("queue=" + "T" * 29, "at most 28"),
        ("queue=TIO bag=", "written full"),
        ("queue=TIO bag=TT", "twice"),
        ("queue=TIO bag=OLJSZ", "contradict"),
        ("queue=TT bag=IOLJS", "contradict"),
        ("queue=T queue=T", "given twice"),
        ("T", "key=value"),
        ("queue=T colour=red", "no word colour"),
        ("queue=T combo=x", "number from 0"),
        ("queue=T garbage=3", "no garbage"),
        ("queue=T hold=TI", "one piece"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        sf.game("tetris").parse(text)


def test_random_texts_never_do_worse_than_a_sentence() -> None:
    rng = random.Random(5)
    game = sf.game("tetris_versus")
    text = game.new(1).to_text()
    for _ in range(300):
        broken = list(text + " garbage=3:1 board=1,2")
        for _ in range(rng.randrange(1, 6)):
            broken[rng.randrange(len(broken))] = rng.choice("=|,:0123456789abcTIO* -")
        try:
            state = game.parse("".join(broken))
        except ValueError:
            continue
        state.playouts(1, 1)


def test_actions_are_typed_with_or_without_the_hold_and_the_spin() -> None:
    state = set_up(sf.game("tetris", **ALONE), rows=[0x3EF, 0x3C7, 0x20], queue="T")
    assert state.parse_action("TSe2f") == find(state, "T", "south", 4, 1, "full")
    assert state.action_text(state.parse_action("TNb3")) == "TNb3"
    with pytest.raises(ValueError, match="TSe2x"):
        state.parse_action("TSe2x")


# --- Nets -------------------------------------------------------------------------------------------------------------


def test_what_nets_see() -> None:
    game = sf.game("tetris")
    state = set_up(game, rows=[0x3FE, 0x1], queue="TIOLJS", hold="Z", bag="Z", combo=4, b2b=2)
    seen = state.observe(0)
    assert seen.planes.shape == (2, 24, 10)
    assert seen.planes[0, 0].tolist() == [0] + [1] * 9
    assert seen.planes[0, 1].tolist() == [1] + [0] * 9
    features = seen.features.tolist()
    assert features[:7] == [0, 0, 1, 0, 0, 0, 0]
    assert features[7:15] == [0, 0, 0, 0, 0, 0, 1, 0]
    assert [features[15 + 7 * i : 22 + 7 * i].index(1) for i in range(5)] == [0, 1, 3, 4, 5]
    assert features[50:57] == [0, 0, 0, 0, 0, 0, 1]
    assert features[57:61] == [0.5, 1, 1, 0.25]


def test_ids_of_the_default_encoding_tell_spins_apart() -> None:
    state = set_up(sf.game("tetris", **ALONE), rows=[0x3EF, 0x3C7, 0x20], queue="T")
    spins = [p for p in placements(state) if (p.orientation, p.x, p.y) == ("south", 4, 1)]
    for p in placements(state):
        layer = p.hold * 12 + ("north", "east", "south", "west").index(p.orientation) * 3
        layer += ("none", "mini", "full").index(p.spin)
        assert p.action == (layer * 24 + p.y) * 10 + p.x
    assert len({p.action for p in spins}) == len(spins) >= 1
