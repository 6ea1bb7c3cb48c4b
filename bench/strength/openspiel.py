"""OpenSpiel's C++ MCTSBot as an opponent: random rollouts, proven results, stopped by its own clock."""

from typing import Any

import pyspiel

import sevenfold as sf
from sevenfold.players import SearchResult

UCT_C = 1.4
"""The bot's exploration constant. With 20000 simulations a move it scored 55 % in 60 games against the 2 of OpenSpiel's
examples, and 1 scored 52 % against that (± 12 %): python -m bench.strength match openspiel:uct_c=1.4,simulations=20000
openspiel:uct_c=2,simulations=20000 --preset none --opening-plies 2 --games 60."""


class OpenSpielPlayer:
    """Plays connect_four on the usual board; columns are numbered alike on both sides."""

    def __init__(
        self,
        rules: sf.Game,
        seconds: float | None,
        seed: int,
        uct_c: float = UCT_C,
        simulations: int | None = None,
        memory: int = 2000,
    ) -> None:
        if rules.spec != sf.game("connect_four").spec:
            raise ValueError(f"OpenSpiel's bot plays connect_four on the usual board, not {rules.spec}.")
        self._game = pyspiel.load_game("connect_four")
        self._simulations = simulations
        self._bot = pyspiel.MCTSBot(
            self._game,
            pyspiel.RandomRolloutEvaluator(1, seed % 2**31),
            uct_c,
            simulations or 10**9,
            memory,
            True,  # solve: proven results travel up the tree
            seed % 2**31,
            False,
            max_wall_clock_time=-1.0 if seconds is None or simulations else seconds,
        )

    @classmethod
    def from_spec(cls, spec: str, rules: sf.Game, seconds: float | None, seed: int) -> "OpenSpielPlayer":
        """From "openspiel:uct_c=2,simulations=1000"."""
        given: dict[str, Any] = {}
        for part in filter(None, spec.partition(":")[2].split(",")):
            key, _, value = part.partition("=")
            kinds = {"uct_c": float, "simulations": int, "memory": int}
            if key not in kinds:
                raise ValueError(f"openspiel has no option {key!r}; its options are: {', '.join(kinds)}.")
            given[key] = kinds[key](value)
        return cls(rules, seconds, seed, **given)

    def think(self, state: sf.State) -> SearchResult:
        """The bot's move; it grows a new tree for each."""
        theirs = self._game.new_initial_state()
        for action in state.history:
            theirs.apply_action(action)
        root = self._bot.mcts_search(theirs)
        action = root.best_child().action
        return SearchResult(action, [], [], nodes=root.explore_count)
