"""The positions that the drawings' own tests (`board.test.ts`) and the gallery draw: `board.test.json` in each room.

Such a file names positions by `game`, `actions` and `viewer`; the rest of each is what the room says of it.
`python tests/board_pictures.py` writes that anew; test_boards.py sees to it that it is what the rooms say today.
"""

import json
from pathlib import Path
from typing import Any

import sevenfold as sf
from sevenfold.picture import picture

FILES = sorted((Path(sf.__file__).parent / "games").glob("*/board.test.json"))


def written(file: Path) -> str:
    """What the file should say: one line for each position, so that a change shows which."""
    found = json.loads(file.read_text(encoding="utf-8"))
    made = {name: _case(one["game"], one["actions"], one["viewer"]) for name, one in found["cases"].items()}
    cases = ",\n".join(f'    "{name}": {json.dumps(case)}' for name, case in made.items())
    clicks = ",\n".join(f"    {json.dumps(one)}" for one in found["set_up"])
    return f'{{\n  "cases": {{\n{cases}\n  }},\n  "set_up": [\n{clicks}\n  ]\n}}\n'


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
        "actions": actions,
        "viewer": viewer,
        "to_move": mover,
        "legal": legal,
        "last": last,
        "returns": state.returns() if state.is_over else None,
        "text": None if viewer is not None else state.to_text(),
        "picture": picture(state, viewer),
    }


if __name__ == "__main__":
    for file in FILES:
        file.write_text(written(file), encoding="utf-8")
