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

    plain = statistics.median(
        rate(lambda: nodes_of("alphabeta:preset=plain,evaluation=zero,depth=12")) for _ in range(ROUNDS)
    )
    full = statistics.median(rate(lambda: nodes_of("alphabeta:depth=12")) for _ in range(ROUNDS))
    return [
        Row(
            "connect_four 7x6 alpha-beta, plain", "nodes/s", plain, wanted=f">= {WANTED:,.0f}", reached=plain >= WANTED
        ),
        Row("connect_four 7x6 alpha-beta, default steps and evaluation", "nodes/s", full),
    ]
