"""The matches of a run: the gate, and the curve of strength against fixed opponents and older selves."""

from typing import Any

from sevenfold.game import Game
from sevenfold.match import Match, match
from sevenfold.rating import Sprt, elo_of
from sevenfold.seeds import seed_of
from sevenfold.train.config import Config
from sevenfold.train.run import Run


def _player(run: Run, config: Config, iteration: int, simulations: int) -> str:
    """A checkpoint as a player, which values positions as self-play does."""
    mixed = f",rollouts={config.selfplay.rollouts}" if config.selfplay.rollouts else ""
    return f"alphazero:net={run.checkpoint(iteration) / 'net.onnx'},simulations={simulations}{mixed}"


def _match(
    rules: Game, config: Config, players: list[str], games: int, plies: int, seed: int, sprt: Sprt | None = None
) -> Match:
    """A match from random openings; where the run has variants, each round on another of them."""
    board, variants = (rules.name, config.variants) if config.variants else (rules, None)
    at_once = config.actors
    return match(board, players, games, seed, preset=variants, opening_plies=plies, processes=at_once, sprt=sprt)


def gate(run: Run, rules: Game, config: Config, iteration: int, best: int) -> dict[str, Any]:
    """Whether a checkpoint takes over from the best one: a line for gate.jsonl."""
    wanted = config.gate
    test = Sprt(0.0, elo_of(wanted.threshold)) if wanted.sprt and 0.5 < wanted.threshold < 1 else None
    players = [_player(run, config, one, wanted.simulations) for one in (iteration, best)]
    seed = seed_of(config.seed, iteration, "gate")
    played = _match(rules, config, players, wanted.games, wanted.opening_plies, seed, test)
    return {
        "iteration": iteration,
        "best": best,
        "score": played.score,
        "games": played.wins + played.draws + played.losses,
        "passed": played.score >= wanted.threshold,
    }


def rate(run: Run, rules: Game, config: Config, iteration: int) -> list[dict[str, Any]]:
    """The results of a checkpoint against everybody: lines for ratings.jsonl."""
    wanted = config.rating
    out = []
    for number, anchor in enumerate(wanted.anchors):
        players = [_player(run, config, iteration, wanted.simulations), anchor]
        seed = seed_of(config.seed, iteration, f"rating {number}")
        played = _match(rules, config, players, wanted.games, wanted.opening_plies, seed)
        out.append({"iteration": iteration, "opponent": anchor, "score": played.score, "games": wanted.games})
    return out
