"""One room per game. A room's `__init__.py` says how the game is called and drawn in a terminal; `rules.h` is the game
(or the class `RULES` in `__init__.py`, for a game written in Python)."""
