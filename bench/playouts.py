"""Random playouts per second from the initial position, through the erased State, against OpenSpiel's C++ engine.

OpenSpiel has no call for a random playout without Python in the loop; its MCTSBot with one rollout per simulation is
the stand-in. Its rate includes a small tree, which costs little next to the rollout."""

import pyspiel

import sevenfold as sf
from bench.side_by_side import Row, compare


def openspiel_simulations(name: str, simulations: int) -> int:
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
    bot.step(game.new_initial_state())
    return simulations


def playouts(state: sf.State, games: int) -> int:
    state.playouts(games, seed=1)
    return games


def run() -> list[Row]:
    four, three = sf.game("connect_four").new(), sf.game("tic_tac_toe").new()
    large = sf.game("connect_four", rows=9, cols=9).new()
    return [
        compare(
            "connect_four 7x6, random playouts",
            "games/s",
            lambda: playouts(four, 1_000_000),
            lambda: openspiel_simulations("connect_four", 30_000),
            at_least=20,
        ),
        compare(
            "connect_four 9x9, random playouts",
            "games/s",
            lambda: playouts(large, 500_000),
            lambda: openspiel_simulations("connect_four(rows=9,columns=9)", 10_000),
            at_least=20,
        ),
        compare(
            "tic_tac_toe, random playouts",
            "games/s",
            lambda: playouts(three, 2_000_000),
            lambda: openspiel_simulations("tic_tac_toe", 200_000),
            at_least=3,
        ),
    ]
