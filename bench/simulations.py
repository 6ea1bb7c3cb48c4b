"""Simulations per second of the tree search with uniform random rollouts and no further steps, against OpenSpiel's C++
MCTSBot: same formula, same constant, one core. In the last row both sides search a tic-tac-toe written in Python: ours
below, theirs OpenSpiel's own `python_tic_tac_toe` (its MCTSBot.step crashes on Python games, mcts_search does not)."""

import math

import pyspiel

import sevenfold as sf
from bench.playouts import openspiel_simulations
from bench.side_by_side import Row, compare
from sevenfold import _core

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class PythonTicTacToe(sf.Rules):
    """Tic-tac-toe as a person would write it in Python."""

    players, actions, max_plies = 2, 9, 9

    def __init__(self) -> None:
        self.board = [" "] * 9
        self.ply = 0
        self.won = False

    def to_move(self) -> int:
        return sf.TERMINAL if self.won or self.ply == 9 else self.ply % 2

    def legal_actions(self) -> list[int]:
        return [cell for cell in range(9) if self.board[cell] == " "]

    def play(self, action: int) -> None:
        stone = "xo"[self.ply % 2]
        self.board[action] = stone
        self.ply += 1
        self.won = any(all(self.board[cell] == stone for cell in line) for line in LINES if action in line)

    def returns(self) -> list[float]:
        if not self.won:
            return [0, 0]
        return [-1, 1] if self.ply % 2 == 0 else [1, -1]

    def action_text(self, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        return "\n".join("".join(self.board[row : row + 3]) for row in (0, 3, 6))


def simulate(game: sf.Game, simulations: int) -> int:
    options = _core.MctsOptions()
    options.exploration = 1.4
    for step in ("policy", "solver", "decisive", "forced", "forced_win", "transpositions"):
        setattr(options, step, False)
    state = game.new()
    search = _core.Mcts(state, options)
    search.reset(state)
    search.run(math.inf, simulations, 2**63, _core.Watch())
    return simulations


def openspiel_python(simulations: int) -> int:
    import open_spiel.python.games.tic_tac_toe  # noqa: F401  (enters its game)

    game = pyspiel.load_game("python_tic_tac_toe")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)
    bot.mcts_search(game.new_initial_state())
    return simulations


def run() -> list[Row]:
    rows = []
    for name, options, theirs, simulations, at_least in (
        ("connect_four", {}, "connect_four", 30_000, 20),
        ("connect_four", {"rows": 9, "cols": 9}, "connect_four(rows=9,columns=9)", 20_000, 20),
        ("tic_tac_toe", {}, "tic_tac_toe", 1_000, 5),
        ("tic_tac_toe", {}, "tic_tac_toe", 100_000, 1),
    ):
        game = sf.game(name, **options)
        rows.append(
            compare(
                f"{game.spec}, {simulations} simulations",
                "simulations/s",
                lambda game=game, n=simulations: sum(simulate(game, n) for _ in range(max(1, 20_000 // n))),
                lambda theirs=theirs, n=simulations: sum(
                    openspiel_simulations(theirs, n) for _ in range(max(1, 20_000 // n))
                ),
                at_least=at_least,
            )
        )
    own = sf.game(PythonTicTacToe)
    what = "tic-tac-toe in Python, 2000 simulations"
    rows.append(compare(what, "simulations/s", lambda: simulate(own, 2000), lambda: openspiel_python(2000), at_least=5))
    return rows
