"""A small Kalah, with a heuristic and terms for alpha-beta: sevenfold play examples/kalah.py --against alphabeta"""

import sevenfold as sf


class Kalah(sf.Rules):
    """Four pits of three seeds each and a store per player: sow one pit; the last seed in the own store moves again."""

    actions = 4

    def __init__(self) -> None:
        self.pits = [[3] * 4, [3] * 4]
        self.stores = [0, 0]
        self.turn = 0

    def to_move(self) -> int:
        return self.turn if all(map(any, self.pits)) else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [pit for pit in range(4) if self.pits[self.turn][pit]]

    def play(self, action: int) -> None:
        me, side, place = self.turn, self.turn, action
        seeds, self.pits[me][action] = self.pits[me][action], 0
        for left in range(seeds, 0, -1):
            place += 1
            if place < 4:
                self.pits[side][place] += 1
            elif side == me:
                self.stores[me] += 1
                side, place = 1 - me, -1
                if left == 1:
                    return  # the last seed fell into the own store: the same player again
            else:
                side, place = me, 0
                self.pits[me][0] += 1
        self.turn = 1 - me

    def returns(self) -> list[float]:
        if self.to_move() != sf.TERMINAL:
            return [0, 0]
        lead = self.stores[0] + sum(self.pits[0]) - self.stores[1] - sum(self.pits[1])
        value = (lead > 0) - (lead < 0)
        return [value, -value]

    def heuristic(self) -> list[float]:
        value = (self.stores[0] - self.stores[1]) / 24
        return [value, -value]

    def terms(self, player: int) -> dict[str, float]:
        return {
            "store": self.stores[player] / 10,
            "seeds": sum(self.pits[player]) / 10,
            "again": sum(seeds == 4 - pit for pit, seeds in enumerate(self.pits[player])),
            "to move": self.turn == player,
        }

    def __str__(self) -> str:
        return "\n".join(f"{self.pits[p]}  store {self.stores[p]}" for p in (1, 0))
