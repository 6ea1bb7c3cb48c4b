"""A golden playthrough: one fixed game as a text, so that a change of the rules shows up as a text diff.

    python -m sevenfold.playthrough tic_tac_toe > src/sevenfold/games/tic_tac_toe/golden.txt

Every ply shows the drawn position, the mover, the legal actions with their texts and the action played; the returns
stand at the end. The moves are drawn at random from the seed. A room's test compares the text with its golden.txt.
"""

import random
import sys
from collections.abc import Iterator

from sevenfold._core import CHANCE, TERMINAL, State
from sevenfold.game import Game
from sevenfold.game import game as game_named

SEED = 1


def playthrough(game: Game | str, seed: int = SEED) -> str:
    """The game that a seed stands for, as text."""
    rules = game if isinstance(game, Game) else game_named(game)
    return "\n".join(_lines(rules, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    yield f"game: {game.name} v{game.version}"
    yield f"players: {game.players}, actions: {game.actions}, outcomes: {game.outcomes}"
    yield f"options: {', '.join(f'{name}={value!r}' for name, value in game.options.items()) or 'none'}"
    yield f"seed: {seed}"
    state, rng = game.new(seed), random.Random(seed)
    while True:
        yield ""
        yield f"ply {len(state.history)}"
        yield from (f"  {line}".rstrip() for line in str(state).splitlines())
        if state.to_move == TERMINAL:
            break
        yield f"to move: {'chance' if state.to_move == CHANCE else state.to_move}"
        yield f"legal: {', '.join(_named(state, action) for action in state.legal_actions())}"
        before = state.copy()
        yield f"plays: {_named(before, _advance(state, rng))}"
    yield "to move: nobody"
    yield f"returns: {state.returns()}"


def _named(state: State, action: int) -> str:
    return f"{action} ({state.action_text(action)})"


def _advance(state: State, rng: random.Random) -> int:
    """Plays one action, and says which."""
    if state.to_move == CHANCE:
        return state.play_chance()
    legal = state.legal_actions()
    action = legal[int(rng.random() * len(legal))]  # random() is the one draw Python promises never to change
    state.play(action)
    return action


def main() -> None:
    """Prints the playthrough of the game named on the command line, with the seed after it if there is one."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # golden files are UTF-8 everywhere
    try:
        if len(sys.argv) not in (2, 3):
            raise ValueError("write python -m sevenfold.playthrough GAME [SEED] > golden.txt")
        text = playthrough(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else SEED)
    except ValueError as error:
        print(f"playthrough: {error}", file=sys.stderr)
        sys.exit(2)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
