"""Who hints, thinks and reviews where nobody is named: `adviser(game)`, the same on the command line and on the page.

1. Whom the game's room names by `ADVISER`: the text of a player, or a function that gives one for the game with its
   options.
2. `alphazero`, where a net ships for these options and can be evaluated.
3. `uct`.

An adviser says what positions are worth; the strongest player of a game need not (see levels.py).
"""

from sevenfold.game import Game

LIMITS = ("seconds", "simulations", "nodes", "depth")
PATIENT = ("uct", "alphabeta", "alphazero", "belief", "pimc", "perfect", "run")
"""Players that find more the longer they think."""


def adviser(game: Game) -> str:
    """The text of the player who hints, thinks and reviews."""
    from sevenfold import models  # nets are no part of playing by hand

    if game.adviser:
        return game.adviser
    return "alphazero" if "observe" in game.abilities and models.playable(game) else "uct"


def with_seconds(text: str, limit: float) -> str:
    """A player's text with a time to think, unless it names a limit of its own."""
    if any(f"{key}=" in text for key in LIMITS) or not takes_time(text):
        return text
    return f"{text}{',' if ':' in text else ':'}seconds={limit:g}"


def takes_time(text: str) -> bool:
    """Whether a player finds more the longer it thinks."""
    return text.partition(":")[0] in PATIENT
