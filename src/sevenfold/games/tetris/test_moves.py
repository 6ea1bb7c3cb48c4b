"""Proves where pieces come to rest: against known counts, an independent list, and a slow reading of the rules."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import _core
from sevenfold.games.tetris import reference
from sevenfold.games.tetris.position import ORIENTATIONS, find, placements, set_up

core: Any = _core._tetris  # type: ignore[attr-defined]
BOARDS = {
    "tst_left": [0x3FD, 0x3F9, 0x3FD, 0x1, 0x3],
    "tsd_mid": [0x3EF, 0x3C7, 0x3E7],
    "pc_box": [0x3F] * 4,
    "tall18": [0x3EF] * 18,
}
KNOWN = json.loads(Path(__file__).with_name("srs_moves.json").read_text(encoding="utf-8"))["positions"]
OPEN = {"previews": 0, "hold": False, "lock_out": "none"}


def count(queue: str, rows: list[int] | None = None, spins: bool = False, kicks: str = "srs") -> int:
    found: int = core.count(rows or [], queue, kicks, spins, 4, 19, _core.Watch())
    return found


@pytest.mark.parametrize(
    ("queue", "wanted"),
    [
        *(("I" * n, k) for n, k in enumerate((1, 17, 289, 5069, 92025, 1725571)) if n),
        *zip(("IO", "IOL", "IOLJ", "IOLJS"), (153, 5266, 188374, 3497187), strict=True),
        *zip(("TI", "TIO", "TIOL", "TT", "SZ"), (600, 5578, 201082, 1182, 296), strict=True),
    ],
)
def test_known_counts(queue: str, wanted: int) -> None:
    assert count(queue) == wanted


@pytest.mark.parametrize(
    ("board", "wanted"),
    [
        ("tst_left", (19, 9, 36, 35, 35, 18, 17, 676, 317, 47195, 228637, 448462)),
        ("tsd_mid", (17, 9, 38, 35, 35, 17, 18, 662, 311, 46900, 191412, 452409)),
        ("pc_box", (17, 9, 34, 34, 34, 17, 17, 603, 302, 44945, 204605, 424076)),
        ("tall18", (17, 9, 34, 34, 34, 17, 17, 273, 189, 10279, 42260, 58548)),
    ],
)
def test_known_counts_of_boards_with_spins(board: str, wanted: tuple[int, ...]) -> None:
    queues = (*"IOTLJSZ", "TI", "SZ", "LJT", "IOLJ", "TSZL")
    assert tuple(count(queue, BOARDS[board], True) for queue in queues) == wanted


@pytest.mark.parametrize(
    ("x", "wanted"), [(0, (0, 9, 0, 0)), (1, (17, 9, 34, 17)), (8, (0, 9, 34, 17)), (9, (0, 0, 0, 0))]
)
def test_a_spawn_in_the_wall_has_no_room(x: int, wanted: tuple[int, ...]) -> None:
    assert tuple(core.count([], piece, "srs", True, x, 19, _core.Watch()) for piece in "IOTS") == wanted


def test_known_counts_with_spins_and_half_turns() -> None:
    assert (count("TT", spins=True), count("TTT", spins=True)) == (1190, 43166)
    assert count("IOLJ", kicks="srs+", spins=True) == 188561


def test_every_placement_of_the_independent_list() -> None:
    game = sf.game("tetris", **OPEN)
    for known in KNOWN:
        for piece, number in known["counts"].items():
            assert count(piece, known["rows"], True) == number, (known["name"], piece)
            if piece in known.get("moves", {}):
                state = set_up(game, rows=known["rows"], queue=piece)
                if state.to_move != 0:
                    continue
                ours = {(ORIENTATIONS.index(p.orientation), p.x, p.y, p.spin) for p in placements(state)}
                names = ("none", "mini", "full")
                assert ours == {(r, x, y, names[s]) for r, x, y, s in known["moves"][piece]}, (known["name"], piece)


def messy(rng: random.Random) -> list[int]:
    """Rows with overhangs and holes, nearly up to the spawn now and then."""
    height = rng.choice((2, 4, 6, 9, 16, 19))
    fill = rng.choice((0.35, 0.55, 0.8))
    rows = [sum((rng.random() < fill) << x for x in range(10)) for _ in range(height)]
    return [row if row != 0x3FF else 0x3FE for row in rows]


@pytest.mark.parametrize(
    ("kicks", "spins", "fifth"),
    [
        ("srs", "t", "full"),
        ("srs+", "t", "from_flat"),
        ("srs", "all_mini+", "mini"),
        ("srs+", "all", "full"),
        ("srs+", "t+", "from_flat"),
        ("srs+", "all_mini", "full"),
        ("srs", "all+", "from_flat"),
    ],
)
@pytest.mark.parametrize("boards", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_placements_are_those_of_the_slow_reference(kicks: str, spins: str, fifth: str, boards: int) -> None:
    rng = random.Random(f"{kicks}{spins}{fifth}")
    game = sf.game("tetris", kicks=kicks, spins=spins, fifth_kick=fifth, spawn="guideline", **OPEN)
    seen = set()
    for _ in range(boards):
        rows = messy(rng)
        for piece in "IOTLJSZ":
            state = set_up(game, rows=rows, queue=piece)
            wanted = reference.placements(rows, piece, kicks, (4, 20), fifth, spins)
            ours = {
                (reference.cells_of(piece, ORIENTATIONS.index(p.orientation), p.x, p.y), p.spin)
                for p in placements(state)
            }
            assert ours == wanted, (rows, piece)
            assert len(ours) == len(placements(state))
            seen |= {spin for _, spin in ours}
    assert {"none", "full" if spins == "all" else "mini"} <= seen


def test_a_triple_by_the_fifth_kick_is_full() -> None:
    state = set_up(sf.game("tetris", **OPEN), rows=BOARDS["tst_left"], queue="T")
    action = find(state, "T", "east", 1, 1, "full")
    assert action is not None
    assert find(state, "T", "east", 1, 1, "none") is None
    state.play(action)
    assert state.returns() == [6.0]


def test_any_pose_that_fills_the_cells_names_the_placement() -> None:
    state = set_up(sf.game("tetris", **OPEN), queue="S")
    assert find(state, "S", "north", 4, 0) == find(state, "S", "south", 4, 1) is not None
    assert find(state, "S", "east", 4, 1) == find(state, "S", "west", 5, 1) is not None
    assert find(state, "Z", "north", 4, 0) is None
    assert find(state, "S", "north", 4, 1) is None
    assert find(state, "S", "up", 4, 0) is None
