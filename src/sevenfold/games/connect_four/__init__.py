"""Connect-four on any board from 4×4 to 12×12, with the Saiblo game 重力四子棋 as a preset."""

import random

TITLE = "Connect-four"
TITLE_ZH = "四子棋"


def saiblo(rng: random.Random) -> dict[str, object]:
    """A board as Saiblo draws it: both sides from 9 to 12, and any one cell blocked."""
    rows, cols = rng.randint(9, 12), rng.randint(9, 12)
    return {"rows": rows, "cols": cols, "blocked": (rng.randrange(rows), rng.randrange(cols))}


PRESETS = {"saiblo": saiblo}
