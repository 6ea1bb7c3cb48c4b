"""What the newest net of a run says of the initial position, without any search: one sees it learn."""

from sevenfold.server import wire
from sevenfold.server.host import Host
from sevenfold.server.pool import HINT
from sevenfold.server.runs import Runs
from sevenfold.server.session import position

SECONDS = 10.0


async def first_thought(host: Host, runs: Runs, id: str) -> wire.FirstThought:
    """ValueError where there is no net yet, or nobody to move at the start."""
    line = runs.line(id)
    if not line.checkpoints:
        raise ValueError(f"the run {id} has no checkpoint yet; wait for its first iteration.")
    iteration = line.checkpoints[-1]
    game = host.catalogue.game(line.game)
    start = game.new()
    if game.has_hidden_information or start.to_move < 0:
        raise ValueError(f"the start of {game.name} is not the same for everybody; look at a game instead.")
    player = f"policy:net={runs.checkpoint(id, iteration)}"
    work = {"kind": "think", "game": game.spec, "key": f"run {id}", "player": player, "player_seed": 0}
    work |= {"start": None, "seed": 0, "actions": [], "budget": SECONDS}
    found = await host.pool.answer(f"run {id}", HINT, work)
    thought = wire.Thought(node=0, player=f"run:{id}@{iteration}", final=True, **found)
    return wire.FirstThought(iteration=iteration, position=position(start, 0, None, False), thought=thought)
