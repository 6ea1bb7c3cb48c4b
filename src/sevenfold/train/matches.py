"""The matches of a run: the gate, and the curve of strength against fixed opponents and older selves."""

from collections.abc import Callable
from typing import Any

from sevenfold import _core
from sevenfold.game import Game
from sevenfold.match import Match, match
from sevenfold.rating import Sprt, elo_of
from sevenfold.results import finite
from sevenfold.seeds import seed_of
from sevenfold.train import tables
from sevenfold.train.config import Config
from sevenfold.train.run import Run

Told = Callable[[int, int], None]
"""Hears how many games of a match are played, and how many there will be."""


def _player(run: Run, config: Config, iteration: int, simulations: int) -> str:
    """A checkpoint as a player, which values positions as self-play does."""
    play = config.selfplay
    mixed = f",rollouts={play.rollouts}" if play.rollouts else ""
    mixed += f",rollout_count={play.rollout_count}" if play.rollouts and play.rollout_count > 1 else ""
    mixed += f",expand_at={play.expand_at}" if play.expand_at else ""
    return f"alphazero:net={run.checkpoint(iteration) / 'net.onnx'},simulations={simulations},settle=0{mixed}"


def _match(
    rules: Game,
    config: Config,
    players: list[str],
    games: int,
    plies: int,
    seed: int,
    told: Told,
    sprt: Sprt | None = None,
) -> Match:
    """A match from random openings; where the run has variants, each round on another of them."""
    board = rules.name if config.variants else rules
    return match(
        board, players, games, seed, preset=config.variants or None, opening_plies=plies, processes=config.actors,
        sprt=sprt, progress=lambda result: told(result.games, result.planned),
    )  # fmt: skip


def gate(run: Run, rules: Game, config: Config, iteration: int, best: int, told: Told) -> dict[str, Any]:
    """Whether a checkpoint takes over from the best one: a line for gate.jsonl."""
    wanted = config.gate
    test = Sprt(0.0, elo_of(wanted.threshold)) if wanted.sprt and 0.5 < wanted.threshold < 1 else None
    players = [_player(run, config, one, wanted.simulations) for one in (iteration, best)]
    seed = seed_of(config.seed, iteration, "gate")
    played = _match(rules, config, players, wanted.games, wanted.opening_plies, seed, told, test)
    return {
        "iteration": iteration,
        "best": best,
        "score": played.score,
        "games": played.wins + played.draws + played.losses,
        "passed": played.score >= wanted.threshold,
    }


def _as_part(told: Told, number: int, count: int) -> Told:
    """For one of several matches of the same length."""
    return lambda done, planned: told(number * planned + done, count * planned)


def rate(run: Run, rules: Game, config: Config, iteration: int, told: Told) -> list[dict[str, Any]]:
    """The results of a checkpoint against everybody: lines for ratings.jsonl."""
    wanted = config.rating
    older = {
        f"checkpoint {number}": _player(run, config, number, wanted.simulations)
        for number in _selves(run, iteration, config)
    }
    out = []
    opponents = {anchor: anchor for anchor in wanted.anchors} | older
    for number, (name, opponent) in enumerate(opponents.items()):
        seed = seed_of(config.seed, iteration, f"rating {name}")
        players = [_player(run, config, iteration, wanted.simulations), opponent]
        hears = _as_part(told, number, len(opponents))
        played = _match(rules, config, players, wanted.games, wanted.opening_plies, seed, hears)
        line = {"iteration": iteration, "opponent": name, "score": played.score, "games": played.games}
        out.append(line | {"interval": [finite(x) for x in played.score_interval], "rated": played.rated_by})
    return out


def points(
    run: Run,
    rules: Game,
    config: Config,
    iteration: int,
    network: tables.Network,
    against: list[tables.Network],
    told: Told,
) -> list[dict[str, Any]]:
    """What a net without a search gets per game among copies of each anchor, over duplicate deals: lines for
    ratings.jsonl. The anchors are simple players of the game; begin.py refuses others, and where a config has been
    changed since then, the others are left out."""
    wanted = config.rating
    out: list[dict[str, Any]] = []
    habits = ["random", *_core.habits(rules.new())]
    for name in wanted.anchors:
        if name not in habits:
            continue
        deals = max(1, wanted.games // rules.players)
        told(len(out) * deals, len(wanted.anchors) * deals)
        found = tables.duplicate(
            rules, [network], tables.habit_named(rules, name), deals, seed_of(config.seed, 0, name)
        )
        out.append(_points_line(iteration, name, found, rules))
    if against:
        found = tables.duplicate(rules, [network, *against], 1, wanted.games // rules.players, seed_of(0, 0, "against"))
        out.append(_points_line(iteration, f"3 × {config.gradient.against}", found, rules))
    return out


def _points_line(iteration: int, name: str, found: tables.Points, rules: Game) -> dict[str, Any]:
    line = {"iteration": iteration, "opponent": name, "score": found.mean, "games": found.deals * rules.players}
    return line | {"interval": [found.mean - found.half, found.mean + found.half], "rated": "points"}


def _selves(run: Run, iteration: int, config: Config) -> list[int]:
    """Older checkpoints that are kept for good, spread over the run."""
    kept = [number for number in run.iterations() if number < iteration and number % 10 == 0 and number > 0]
    count = min(config.rating.selves, len(kept))
    return [kept[(2 * i + 1) * len(kept) // (2 * count)] for i in range(count)]
