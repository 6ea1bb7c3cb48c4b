"""From what a value head says to a value per player, and back to what it should have said.

A net sees a position through the eyes of the viewer, who is to move, and knows nothing of seats:
  scalar   the viewer's value. Two players of a zero-sum game: the other's is the negative. More players of one: the
           others share the negative evenly, which is all that one number can say.
  players  the values of the viewer, of the next seat, and so on round the table: number j is seat (viewer + j) mod n.
  wdl      logits of win, draw and loss of the viewer; its value is P(win) - P(loss).
Values are in -1..1; `scale`, the largest return of the game, makes returns of them.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]


def absolute(head: str, raw: Floats, viewers: Whole, players: int, scale: float = 1.0) -> Floats:
    """A value head's output [N, 1 | players | 3] as values per player [N, players], seat 0 first."""
    if head == "players":
        return np.take_along_axis(raw, (np.arange(players) - viewers[:, None]) % players, 1) * np.float32(scale)
    own = _win_minus_loss(raw)[:, None] if head == "wdl" else raw
    return own * _shares(players, scale)[viewers]


def targets(head: str, returns: Floats, viewers: Whole, scale: float = 1.0) -> Floats:
    """Values per player [N, players] as the targets of a value head [N, 1 | players | 3]; for wdl, probabilities."""
    players = returns.shape[1]
    turned = np.take_along_axis(returns, (np.arange(players) + viewers[:, None]) % players, 1) / np.float32(scale)
    if head == "players":
        return turned
    own = turned[:, :1]
    if head == "scalar":
        return own
    win, loss = np.maximum(own, 0), np.maximum(-own, 0)
    return np.concatenate([win, 1 - win - loss, loss], 1)


def _win_minus_loss(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max(1, keepdims=True))
    out: Floats = (odds[:, 0] - odds[:, 2]) / odds.sum(1)
    return out


@lru_cache
def _shares(players: int, scale: float) -> Floats:
    """What each seat gets of the viewer's value [viewer, seat]. A table, since every batch needs it: after a net has
    run, the caches are cold and each step of numpy costs ten times its usual microsecond."""
    out = np.full((players, players), -scale / max(1, players - 1), np.float32)
    np.fill_diagonal(out, scale)
    return out
