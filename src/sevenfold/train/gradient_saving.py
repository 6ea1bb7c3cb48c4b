"""What of the gradient's loop needs torch: fresh and restored learners, their critic, and nets that sit at tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from sevenfold import nets
from sevenfold.files import whole_file
from sevenfold.game import Game
from sevenfold.nets import Description, Net
from sevenfold.seeds import seed_of
from sevenfold.train.config import Config
from sevenfold.train.gradient import GradientLearner, critic_description, fresh_critic, logits_of
from sevenfold.train.tables import Everything, Floats, Network

CRITIC, MEMORY = "critic.safetensors", "critic_optimiser.safetensors"


def fresh(
    rules: Game, about: Description, config: Config, seen: Everything, prepare: Callable[[Net], None] | None
) -> GradientLearner:
    """A learner whose net knows nothing, or what `prepare` gives it; its critic knows nothing."""
    torch.manual_seed(seed_of(config.seed, 0, "weights"))
    net = nets.build(config.net, about.shape)
    if prepare is not None:
        prepare(net)
    critic = fresh_critic(critic_description(rules, about, seen), config) if config.gradient.has_critic else None
    return GradientLearner(net, about, config, critic)


def restored(
    folder: Path, rules: Game, about: Description, config: Config, seen: Everything, steps: int
) -> GradientLearner:
    """The learner of a checkpoint; ValueError where it is another's."""
    net, found = nets.load(folder / "net.safetensors", rules)
    if found != about:
        raise ValueError(f"the net of {folder} is not the one of the run's config.")
    learner = fresh(rules, about, config, seen, None)
    learner.net.load_state_dict(net.state_dict())
    mean, _ = nets.load(folder / "mean.safetensors")
    learner.mean.load_state_dict(mean.state_dict())
    learner.load_optimiser(safetensors.torch.load_file(folder / "optimiser.safetensors"))
    learner.steps = steps
    if learner.critic is not None:
        judge, said = nets.load(folder / CRITIC)
        if said != learner.critic.description:
            raise ValueError(f"the critic of {folder} is not the one of the run's config.")
        learner.critic.net.load_state_dict(judge.state_dict())
        learner.critic.load_optimiser(safetensors.torch.load_file(folder / MEMORY))
        learner.critic.steps = steps
    return learner


def write(folder: Path, learner: GradientLearner) -> None:
    """The critic's files of a checkpoint."""
    if learner.critic is None:
        return
    nets.save(folder / CRITIC, learner.critic.net, learner.critic.description)
    with whole_file(folder / MEMORY) as temporary:
        temporary.write_bytes(safetensors.torch.save(learner.critic.optimiser_tensors()))


def network(path: Path, rules: Game) -> Network:
    """A net of a file, to sit at a table."""
    net: Any = nets.load(path, rules)[0].eval()

    def logits(planes: Floats, features: Floats) -> Floats:
        return logits_of(net, planes, features)

    return logits
