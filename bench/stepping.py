"""Stepping from Python: random games through legal_actions and play in a Python loop, against pyspiel's."""

import random

import pyspiel

import sevenfold as sf
from bench.side_by_side import Row, compare

GAMES = 500


def step_ours(game: sf.Game) -> int:
    rng, plies = random.Random(1), 0
    for _ in range(GAMES):
        state = game.new()
        while state.to_move != sf.TERMINAL:
            legal = state.legal_actions()
            state.play(legal[int(rng.random() * len(legal))])
            plies += 1
    return plies


def step_theirs(game: pyspiel.Game) -> int:
    rng, plies = random.Random(1), 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            plies += 1
    return plies


def run() -> list[Row]:
    rows = []
    for name in ("connect_four", "tic_tac_toe"):
        ours, theirs = sf.game(name), pyspiel.load_game(name)
        rows.append(
            compare(
                f"{name}, stepping in Python",
                "plies/s",
                lambda ours=ours: step_ours(ours),
                lambda theirs=theirs: step_theirs(theirs),
                at_least=1.5,
            )
        )
    return rows
