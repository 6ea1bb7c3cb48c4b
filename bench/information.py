"""Hidden information: what a best responder gets against our policy over the value of the game, per seat, in
OpenSpiel's kuhn_poker and leduc_poker through the adapter. Against an equilibrium it gets nothing more.

The policy is read at every information set: from one player that has learnt from the first deal on and keeps its tree,
or, where each decision is searched by itself (worlds=redeal), from a player that thinks anew at each.
"""

from collections.abc import Callable, Iterator

import sevenfold as sf
from bench.side_by_side import Row

WANTED = 0.1
VALUES = {"kuhn_poker": -1 / 18, "leduc_poker": -0.0856}
"""What the first seat gets at an equilibrium (leduc_poker: by OpenSpiel's CFR+ solver)."""
MEMORY = 16
"""Megabytes; leduc_poker needs 0.1."""


def information_sets(state: sf.State) -> Iterator[tuple[str, sf.State]]:
    """Every information set below a state by OpenSpiel's name, with a state of it, several times over."""
    if state.is_over:
        return
    if state.to_move >= 0:
        yield state.view(state.to_move), state
        actions = state.legal_actions()
    else:
        actions = [outcome for outcome, _ in state.chance()]
    for action in actions:
        child = state.copy()
        child.play(action)
        yield from information_sets(child)


def gains(game: sf.Game, policy_at: Callable[[sf.State], list[float]]) -> list[float]:
    """What the best response in the first and in the second seat gets more than an equilibrium would."""
    import pyspiel
    from open_spiel.python.algorithms.expected_game_score import policy_value
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import TabularPolicy

    name = game.spec.removeprefix("openspiel:")
    theirs = pyspiel.load_game(name)
    table = TabularPolicy(theirs)
    for key, state in dict(information_sets(game.new())).items():
        row, policy = table.policy_for_key(key), policy_at(state)
        for action in state.legal_actions():
            row[action] = policy[action]
    own = policy_value(theirs.new_initial_state(), [table, table])
    better = nash_conv(theirs, table, return_only_nash_conv=False).player_improvements
    return [float(own[seat] + better[seat] - sign * VALUES[name]) for seat, sign in ((0, 1), (1, -1))]


def learnt(game: sf.Game, player: str, simulations: int, seed: int = 0) -> list[float]:
    """The gains against a player that learns from the first deal on."""
    learner = sf.player(player, game, simulations=simulations, memory=MEMORY, seed=seed)
    learner.think(next(information_sets(game.new()))[1])
    learner.simulations = 1
    return gains(game, lambda state: learner.think(state).policy)


def searched(game: sf.Game, player: str, simulations: int, seed: int = 0) -> list[float]:
    """The gains against a player that searches each decision by itself."""
    return gains(
        game,
        lambda state: sf.player(player, game, simulations=simulations, memory=MEMORY, seed=seed).think(state).policy,
    )


def run() -> list[Row]:
    rows = []
    regret, smooth, redeal = (
        "uct:selection=regret",
        "uct:selection=ucb1,worlds=start",
        "uct:selection=ucb1,worlds=redeal",
    )
    for name, player, way, simulations, wanted in (
        ("kuhn_poker", regret, learnt, 100_000, True),
        ("kuhn_poker", smooth, learnt, 100_000, False),
        ("kuhn_poker", redeal, searched, 10_000, False),
        ("leduc_poker", regret, learnt, 400_000, True),
        ("leduc_poker", smooth, learnt, 400_000, False),
        ("leduc_poker", redeal, searched, 1_000, False),
    ):
        per = "" if way is learnt else " per decision"
        for seat, gain in enumerate(way(sf.game(f"openspiel:{name}"), player, simulations)):
            rows.append(
                Row(
                    f"{name}, {player}, {simulations} simulations{per}: best response in seat {seat}",
                    "gain",
                    gain,
                    wanted=f"<= {WANTED}" if wanted else "",
                    reached=not wanted or gain <= WANTED,
                )
            )
    return rows
