"""Genius Invokation: random decisions and alpha-beta nodes per second of processor time.

python -m bench invokation
"""

import statistics

import sevenfold as sf
from bench.side_by_side import Row, rate
from sevenfold._core import _invokation as core  # type: ignore[attr-defined]

GAMES, ROUNDS = 2_000, 5
WANTED_DECISIONS, WANTED_NODES = 1e6, 300e3


def decisions(letter: str) -> int:
    start = sf.game("invokation", deck0=letter, deck1=letter).new()
    return int(core.random_games(start, GAMES, 1)[0])


def middle(seed: int) -> sf.State:
    """A position of the second round, reached at random."""
    game = sf.game("invokation", deck0="B", deck1="C")
    state = game.new(seed)
    player = sf.player("random:seed=1", game)
    while state.to_move != sf.TERMINAL:
        described = state.to_json()
        if described["round"] == 2 and described["state"] == "act":
            break
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(player.think(state).action)
    return state


def run() -> list[Row]:
    rows = []
    for letter in "ABCD":
        speed = statistics.median(rate(lambda letter=letter: decisions(letter)) for _ in range(ROUNDS))
        rows.append(
            Row(
                f"invokation, random games of deck {letter}",
                "decisions/s",
                speed,
                wanted=f">= {WANTED_DECISIONS:,.0f}",
                reached=speed >= WANTED_DECISIONS,
            )
        )
    states = [middle(seed) for seed in range(ROUNDS)]
    for spec in ("alphabeta:nodes=100000", "alphabeta:preset=plain,nodes=100000"):
        speed = statistics.median(rate(lambda s=state, p=spec: sf.player(p, s.game).think(s).nodes) for state in states)
        rows.append(
            Row(
                f"invokation, {spec.partition(',nodes')[0].partition(':nodes')[0]}",
                "nodes/s",
                speed,
                wanted=f">= {WANTED_NODES:,.0f}",
                reached=speed >= WANTED_NODES,
            )
        )
    return rows
