"""The positions that the drawings' own tests (`board.test.ts`) and the gallery draw: `board.test.json` in each room.

`python tests/board_pictures.py` writes them anew; test_boards.py sees to it that they are what the rooms say today.
"""

import json
from pathlib import Path
from typing import Any

import sevenfold as sf
from sevenfold.picture import picture

ROOMS = Path(sf.__file__).parent / "games"
CHANCE, CLOSED, ARENA = (
    sf.game("easycard", preset=preset, hidden=hidden).spec
    for preset, hidden in (("chance", False), ("chance", True), ("arena", False))
)
DEALT = [0, 2, 4, 1, 2, 3, 9, 7]  # three cards each, then four heads and two

# room: name of the position: game, actions, viewer
CASES: dict[str, dict[str, tuple[str, list[int], int | None]]] = {
    "tic_tac_toe": {
        "start": ("tic_tac_toe", [], None),
        "middle": ("tic_tac_toe", [4, 0, 8, 2], None),
        "won": ("tic_tac_toe", [4, 0, 8, 2, 5, 1], None),
        "draw": ("tic_tac_toe", [4, 0, 8, 2, 1, 7, 3, 5, 6], None),
    },
    "connect_four": {
        "start": ("connect_four", [], None),
        "middle": ("connect_four", [3, 3, 2, 4, 4, 2, 2, 5, 3, 3, 5, 4], None),
        "threats": ("connect_four", [0, 0, 2, 6, 1, 5, 6, 5, 6, 2, 2, 4, 1, 4, 0, 4], None),
        "won": ("connect_four", [3, 3, 4, 4, 5, 5, 6], None),
        "full_column": ("connect_four", [0, 0, 0, 0, 0, 0, 3], None),
        "blocked": ("connect_four(rows=9, cols=10, blocked='5,4')", [4, 4, 5, 4, 4, 4, 6, 3, 2, 7], None),
        "large": ("connect_four(rows=12, cols=12, blocked='0,11')", [5, 6, 5, 5, 6, 7, 11, 10, 4, 3, 3], None),
        "small": ("connect_four(rows=4, cols=4)", [1, 1, 2, 0], None),
    },
    "easycard": {
        "start": ("easycard", [], None),
        "middle": ("easycard", [2, 0, 0, 6, 3, 0, 8, 0], None),
        "arena": (ARENA, [0, 1, 2, 2, 3, 4, 4, 0, 9, 11, 0, 0, 0, 0], None),
        "coins": (CHANCE, DEALT[:7], None),
        "closed": (CLOSED, DEALT, 0),
        "closed_other": (CLOSED, [*DEALT, 0], 0),
        "dealing": (CLOSED, DEALT[:2], 0),
        "won": ("easycard(hp=3)", [0, 8, 0], None),
    },
}

# A click with a piece in a position, and the text that the drawing must answer.
SET_UP: dict[str, list[tuple[str, str, str, str]]] = {
    "tic_tac_toe": [
        ("middle", "1", "x", "oxo/.x./..x o"),
        ("draw", "6", "empty", "oxo/xxo/.ox x"),
        ("start", "4", "x", ".../.x./... o"),
    ],
    "connect_four": [
        ("start", "5,3", "x", "7/7/7/7/7/3x3 o"),
        ("start", "0,3", "x", "7/7/7/7/7/3x3 o"),
        ("won", "5,6", "empty", "7/7/7/7/3ooo1/3xxx1 x"),
        ("small", "0,1", "x", "4/1x2/1o2/oxx1 o"),
        ("blocked", "0,4", "x", "10/10/4x5/4o5/4x5/4#5/4o5/4o5/2xoxxxo2 o"),
    ],
}


def pictures(room: str) -> dict[str, Any]:
    """What board.test.json of this room says."""
    cases = {name: _case(*case) for name, case in CASES[room].items()}
    set_up = [dict(zip(("position", "cell", "piece", "text"), one, strict=True)) for one in SET_UP.get(room, [])]
    return {"cases": cases, "set_up": set_up}


def _case(spec: str, actions: list[int], viewer: int | None) -> dict[str, Any]:
    state = sf.game(spec).new()
    last = None
    for action in actions:
        mover = "chance" if state.to_move == sf.CHANCE else state.to_move
        hidden = viewer is not None and mover == "chance" and state.chance_for not in (viewer, None, -1)
        text = state.action_text(action)
        last = {"action": action, "text": "" if hidden else text, "mover": mover}
        state.play(action)
    own = state.to_move >= 0 and viewer in (None, state.to_move)
    legal = [{"action": action, "text": state.action_text(action)} for action in state.legal_actions()] if own else []
    mover = "over" if state.is_over else "chance" if state.to_move == sf.CHANCE else state.to_move
    return {
        "game": spec,
        "viewer": viewer,
        "to_move": mover,
        "legal": legal,
        "last": last,
        "returns": state.returns() if state.is_over else None,
        "text": None if viewer is not None else state.to_text(),
        "picture": picture(state, viewer),
    }


def written(room: str) -> str:
    """One line for each position, so that a change shows which."""
    made = pictures(room)
    cases = ",\n".join(f'    "{name}": {json.dumps(case)}' for name, case in made["cases"].items())
    clicks = ",\n".join(f"    {json.dumps(one)}" for one in made["set_up"])
    return f'{{\n  "cases": {{\n{cases}\n  }},\n  "set_up": [\n{clicks}\n  ]\n}}\n'


if __name__ == "__main__":
    for name in CASES:
        (ROOMS / name / "board.test.json").write_text(written(name), encoding="utf-8")
