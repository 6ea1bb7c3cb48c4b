"""Information-set regret of Sevens: how much a decision loses against the best one, as far as the mover can know.

Worlds that fit what the mover has seen are drawn, each is solved with all cards open (solver.h), and the value of an
action is its mean over the worlds. The regret of an action is the best mean less its own. The other seats see the cards
in these worlds, so that this is a measuring stick and no player's eyes; even a perfect player has some regret.
"""

from dataclasses import dataclass
from typing import Literal

from sevenfold._core import CHANCE, State
from sevenfold._core import _sevens as core  # type: ignore[attr-defined]

Mode = Literal["maxn", "paranoid"]
Equal = Literal["average", "kind", "hostile"]
MOST = 2_000_000
"""Positions that a solution may take; 24 plies before the end most take less than a tenth."""


@dataclass
class Regret:
    """What the actions of a decision are worth over worlds."""

    means: dict[int, float]
    """The mean value for the mover of each legal action."""
    worlds: int

    @property
    def best(self) -> int:
        """The action with the best mean."""
        return max(self.means, key=lambda action: (self.means[action], -action))

    def of(self, action: int) -> float:
        """What an action loses against the best one."""
        return max(self.means.values()) - self.means[action]


def solve(state: State, mode: Mode = "maxn", equal: Equal = "average", most: int = MOST) -> dict[int, list[float]]:
    """What each seat gets after each legal action if all cards are open and everybody plays perfectly.

    mode: everybody for itself, or all against the mover. equal: among equally good actions of a seat, the mean, the one
    that is kind to the mover of the state, or the hostile one. ValueError where it takes more than `most` positions.
    """
    _check_game(state)
    if state.game.options["scoring"] == "tw_table":
        raise ValueError("the solver does not know scoring=tw_table, where the last card played counts.")
    return dict(core.solve(state, mode, equal, most))


def information_set_regret(
    state: State, worlds: int = 50, seed: int = 0, mode: Mode = "maxn", equal: Equal = "average", most: int = MOST
) -> Regret:
    """The values of the mover's actions over so many worlds that fit what it has seen."""
    if worlds < 1:
        raise ValueError(f"regret needs at least one world, not {worlds}.")
    _check_game(state)
    if state.to_move == CHANCE:
        raise ValueError("regret is of a player's decision, and the cards are not dealt yet: play chance first.")
    if state.is_over:
        raise ValueError("regret is of a player's decision, and this game is over.")
    mover, legal = state.to_move, state.legal_actions()
    means = dict.fromkeys(legal, 0.0)
    for number in range(worlds):
        solved = solve(state.redeal(mover, seed * 1_000_003 + number), mode, equal, most)
        for action in legal:
            means[action] += solved[action][mover] / worlds
    return Regret(means, worlds)


def _check_game(state: State) -> None:
    if state.game.name != "sevens":
        raise ValueError(f"this solver is for sevens, not for {state.game.name}.")
