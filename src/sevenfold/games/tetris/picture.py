"""What the page draws of Tetris, for one side or two. Coordinates are a centre's: x from the left, y from the bottom.

{
  "height": 20, "pieces": 100,          visible rows; placements until the game is over
  "objective": "attack",                what the returns count; "versus" in the game for two
  "garbage": false,                     whether there is any
  "mover": 0,                           whose piece falls; null where nobody's does
  "sides": [{
    "rows": ["GGGG.GGGGG", …],          from the bottom: the piece that each cell is of, G garbage or unknown, . empty
    "queue": "TIOLJS", "hold": "Z",     the current piece first; null: nothing held
    "bag": "Z",                         what is left in the bag after the queue; null where there is none
    "combo": 0, "b2b": -1,
    "incoming": 4, "due": 2,            garbage that waits; of it, what rises after the next placement
    "attack": 0, "sent": 0, "lines": 0, "pieces": 0, "score": 0,
    "end": null,                        why it is over: "block_out", "lock_out", "top_out" or "done"
    "last": {"piece": "T", "r": 2, "x": 4, "y": 1, "spin": 2, "hold": false,
             "cleared": [0, 1], "attack": 4, "sent": 4, "perfect": false, "b2b": false, "rose": 0}
  }, …],                                the last placement: spin 0 none, 1 mini, 2 full; rows that went, as they stood
  "falls": [{                           the piece in play, and the one that hold gives where it is another
    "piece": "T", "hold": false,
    "poses": [0, 4, 19, …],             orientation, x, y of each pose it can take, the spawn first
    "steps": [1, 2, 3, 4, 5, -1, …],    for each where left, right, down, clockwise, counter, half lead; -1: nowhere
    "locks": [-1, …]                    for each the action of locking there; -1 where it would fall on
  }],
  "places": {"1234": {"piece": "T", "r": 0, "x": 4, "y": 0, "spin": 0, "hold": false}, …}
}                                       where each legal action puts which piece
"""

from typing import Any

from sevenfold._core import State
from sevenfold._core import _tetris as core  # type: ignore[attr-defined]

MINIATURE: list[int] = [
    7,
    2883,
    2881,
    740,
    2893,
    2896,
    2179,
    6,
    734,
    1457,
    2,
    2890,
    14,
    2179,
    750,
    2,
    2177,
    3621,
    4,
    742,
    2176,
    8,
    2885,
    2888,
    2178,
]
"""Placements that fill the lobby's picture."""


def picture(state: State, viewer: int | None) -> dict[str, Any]:
    """The game for any eyes: nothing is hidden but the future."""
    options = state.game.options
    return {
        "height": options["height"],
        "pieces": options["pieces"],
        "objective": options.get("objective", "versus"),
        "garbage": state.game.players > 1 or bool(options["garbage_every"]),
        **core.picture(state),
    }
