"""Simulations per second of the tree search with uniform random rollouts and no solver, against OpenSpiel's C++
MCTSBot: same formula, same constant, one core."""

import math

import sevenfold as sf
from bench.playouts import openspiel_simulations
from bench.side_by_side import Row, compare
from sevenfold import _core


def simulate(game: sf.Game, simulations: int) -> int:
    options = _core.MctsOptions()
    options.exploration = 1.4
    options.solver = options.decisive = options.forced = options.policy = False
    state = game.new()
    search = _core.Mcts(state, options)
    search.reset(state)
    search.run(math.inf, simulations, 2**63, _core.Watch())
    return simulations


def run() -> list[Row]:
    rows = []
    for name, options, theirs, simulations, at_least in (
        ("connect_four", {}, "connect_four", 30_000, 20),
        ("connect_four", {"rows": 9, "cols": 9}, "connect_four(rows=9,columns=9)", 20_000, 20),
        ("tic_tac_toe", {}, "tic_tac_toe", 100_000, 5),
    ):
        game = sf.game(name, **options)
        rows.append(
            compare(
                f"{game.spec}, {simulations} simulations",
                "simulations/s",
                lambda game=game, n=simulations: simulate(game, n),
                lambda theirs=theirs, n=simulations: openspiel_simulations(theirs, n),
                at_least=at_least,
            )
        )
    return rows
