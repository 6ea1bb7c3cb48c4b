"""Nim in Python: take any number of sticks from one heap; whoever takes the last stick wins.

sevenfold play examples/nim.py
sevenfold check examples/nim.py
sevenfold train examples/nim.py
"""

import sevenfold as sf


class Nim(sf.Rules):
    """Action 7 * heap + n - 1 takes n sticks from a heap."""

    players = 2

    def __init__(self, heaps: tuple[int, ...] = (3, 5, 7)):
        if not 1 <= len(heaps) <= 8 or not all(0 <= heap <= 7 for heap in heaps):
            raise ValueError("nim: heaps must be one to eight numbers from 0 to 7.")
        self.heaps = list(heaps)
        self.turn = 0
        self.actions = 7 * len(heaps)
        self.max_plies = sum(heaps)
        self.features = 8 * len(heaps) + 1

    def to_move(self) -> int:
        return self.turn if any(self.heaps) else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [7 * heap + n for heap, sticks in enumerate(self.heaps) for n in range(sticks)]

    def play(self, action: int) -> None:
        self.heaps[action // 7] -= action % 7 + 1
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        if any(self.heaps):
            return [0, 0]
        return [-1, 1] if self.turn == 0 else [1, -1]  # the other side took the last stick

    def observe(self, viewer: int) -> list[float]:  # what a net sees: the size of each heap, and whether it is its turn
        sizes = [float(sticks == size) for sticks in self.heaps for size in range(8)]
        return [*sizes, float(self.turn == viewer)]

    def action_text(self, action: int) -> str:
        return f"{'abcdefgh'[action // 7]}{action % 7 + 1}"

    def __str__(self) -> str:
        return "\n".join(f"{'abcdefgh'[i]}  {'| ' * sticks}" for i, sticks in enumerate(self.heaps))


if __name__ == "__main__":
    print(sf.check(Nim))
