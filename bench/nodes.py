"""Positions per second of alpha-beta on connect_four through the erased State: plain, with leaves that cost nothing, as
a perft has them; and with everything on and the game's own evaluation."""

import statistics

import sevenfold as sf
from bench.side_by_side import Row, rate

WANTED = 40e6
ROUNDS = 5


def run() -> list[Row]:
    game = sf.game("connect_four")

    def nodes_of(spec: str) -> int:
        return sf.player(spec, game).think(game.new()).nodes

    def speed(spec: str) -> float:
        return statistics.median(rate(lambda: nodes_of(spec)) for _ in range(ROUNDS))

    plain = "alphabeta:preset=plain,evaluation=zero,depth="
    odd, even = speed(f"{plain}13"), speed(f"{plain}12")  # an odd depth has more leaves to each inner node
    return [
        Row(
            "connect_four 7x6 alpha-beta, plain, depth 13",
            "nodes/s",
            odd,
            wanted=f">= {WANTED:,.0f}",
            reached=odd >= WANTED,
        ),
        Row("connect_four 7x6 alpha-beta, plain, depth 12", "nodes/s", even),
        Row("connect_four 7x6 alpha-beta, default steps and evaluation", "nodes/s", speed("alphabeta:depth=12")),
    ]
