"""Sevenfold plays, analyses and learns games.

    import sevenfold as sf

    game = sf.game("connect_four", rows=6, cols=7)
    state = game.new()
    state.play(state.parse_action("d"))
    print(state)

The names below are the public ones; docs/reference/python.md tells each in a sentence.
"""

from typing import TYPE_CHECKING

from sevenfold._core import CHANCE, TERMINAL, Observation, Option, State
from sevenfold.check import CheckFailed, CheckReport, check
from sevenfold.evaluation import Weights, evaluation
from sevenfold.fit import Fit, fit
from sevenfold.game import Game, game, game_names, register
from sevenfold.match import Match, match
from sevenfold.perft import Perft, perft
from sevenfold.players import Player, SearchResult, player
from sevenfold.rating import Sprt
from sevenfold.records import Record, RecordWriter, read_records, write_records
from sevenfold.review import Review, review
from sevenfold.rules import Rules
from sevenfold.smoothness import Smoothness, smoothness
from sevenfold.tournament import Tournament, tournament

if TYPE_CHECKING:
    from sevenfold.train import train
else:
    from sevenfold import train  # a package that can be called

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "CheckFailed",
    "CheckReport",
    "Fit",
    "Game",
    "Match",
    "Observation",
    "Option",
    "Perft",
    "Player",
    "Record",
    "RecordWriter",
    "Review",
    "Rules",
    "SearchResult",
    "Smoothness",
    "Sprt",
    "State",
    "Tournament",
    "Weights",
    "check",
    "evaluation",
    "fit",
    "game",
    "game_names",
    "match",
    "perft",
    "player",
    "read_records",
    "register",
    "review",
    "smoothness",
    "tournament",
    "train",
    "write_records",
]
