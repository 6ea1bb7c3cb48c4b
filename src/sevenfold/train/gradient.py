"""Policy gradient: a net learns from what its own choices led to, without a search. Needs torch.

Proximal policy optimisation (Schulman et al. 2017), over a player's own decisions with a choice:

    A_t  = delta_t + lambda A_{t+1},  delta_t = V(s_{t+1}) - V(s_t), at a game's last decision z - V(s_t)
    loss = - min(r A, clip(r, 1 - clip, 1 + clip) A) - entropy H(p) + value_weight (V + A - v)^2,  r = p(a) / p_old(a)

V is a critic's. With `oracle` it sees what all seats together see, which takes away most of the luck of the deal from A
(it is for learning alone: nothing of it reaches the net that plays). The net's own value head learns the same targets
from what its player knows.

With `estimate=trials` there is no critic, and the estimate is exact but for what nobody at the table knows: every legal
action of a decision is tried from there to the end of the game, in the true world and with the same dice, and the
logits learn their returns R by least squares,

    loss = sum_a (l_a - mean l - (R_a - mean R) / unit)^2 / (actions - 1)

so that they become the expected returns given what the mover knows, over the very worlds and opponents it meets: a step
of policy iteration by rollouts (Tesauro and Galperin 1996) without a sampled belief. After a tried action the net goes
on itself, or a habit, which is quicker. With `direct` the policy p^keen also climbs what it would have brought itself,
sum_a p_a R_a, whose gradient needs no estimate since all R_a are known.
"""

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, log_softmax

from sevenfold.game import Game
from sevenfold.nets import Description, build
from sevenfold.nets.architecture import Shape
from sevenfold.nets.native import can_be_native, native
from sevenfold.nets.values import targets
from sevenfold.train.config import Config
from sevenfold.train.learner import Learner, NotANumberError, aligned
from sevenfold.train.tables import Everything, Experience, Floats, NativeNetwork, Network, Trials

AT_ONCE = 8192
"""Positions that the critic judges at once."""


def critic_description(game: Game, about: Description, everything: Everything) -> Description:
    """A critic is a net of the same architecture, which gives everybody's value and sees more."""
    shape = Shape(
        (len(everything.planes), *game.planes[1:]) if everything.planes else (0, 0, 0),
        len(everything.features),
        about.shape.actions,
        about.shape.players,
    )
    value: Any = {"value": "players"} if about.architecture.value != "wdl" else {}
    return replace(about, shape=shape, architecture=replace(about.architecture, auxiliary={}, **value))


def advantages(experience: Experience, values: Floats, scale: float, trace: float) -> Floats:
    """A of every decision, from the critic's values of the mover there; in units of the value."""
    count, players = len(experience), experience.returns.shape[1]
    whose = experience.games * players + experience.viewers
    order = np.argsort(whose, kind="stable")  # each player's decisions of a game one after the other, as they were made
    sorted_whose, v = whose[order], values[order]
    last = np.ones(count, bool)
    last[:-1] = sorted_whose[1:] != sorted_whose[:-1]
    ends = experience.returns[experience.games, experience.viewers][order] / np.float32(scale)
    following = np.where(last, ends, np.append(v[1:], np.float32(0)))
    delta = (following - v).astype(np.float32)
    out = np.zeros(count, np.float32)
    # Step by step from the ends of all games backwards.
    starts = np.flatnonzero(np.append(True, last[:-1]))
    sizes = np.diff(np.append(starts, count))
    for back in range(1, int(sizes.max(initial=0)) + 1):
        rows = (starts + sizes - back)[sizes >= back]
        ahead = np.where(last[rows], np.float32(0), out[np.minimum(rows + 1, count - 1)])
        out[rows] = delta[rows] + np.float32(trace) * ahead
    back_in_order = np.empty_like(out)
    back_in_order[order] = out
    return back_in_order


@dataclass
class Terms:
    """What an update found, means over its minibatches."""

    loss: float = 0.0
    policy_loss: float = 0.0
    value_loss: float = 0.0
    critic_loss: float = 0.0
    policy_entropy: float = 0.0
    clipped: float = 0.0
    """The share of decisions whose probability has moved as far as it may."""
    explained: float = 0.0
    """The share of the variance of what games brought that the critic foresaw."""
    luck: float = 0.0
    """The standard deviation of A, in returns."""
    belief_loss: float = 0.0
    """Of the lesson `others`, in nats for all cards together."""
    gain: float = 0.0
    """What the best of the tried actions brought more than the net's own choice: mostly luck."""


class GradientLearner(Learner):
    """A net that learns from its own games, and its critic."""

    def __init__(self, net: Any, description: Description, config: Config, critic: Learner | None) -> None:
        super().__init__(net, description, config.learning)
        self.gradient, self.critic = config.gradient, critic

    def logits(self, planes: Floats, features: Floats) -> Floats:
        """As a network of a table."""
        return logits_of(self.net, planes, features)

    def acting(self) -> Network:
        """The net as it is now, to play while it goes on learning; by the core where it can, which is quicker."""
        about = self.description
        if can_be_native(about.architecture, about.shape):
            weights = {name: weight.detach().numpy() for name, weight in self.net.state_dict().items()}
            return NativeNetwork(native(weights, about.architecture, about.shape))
        net = copy.deepcopy(self.net).eval()
        return lambda planes, features: logits_of(net, planes, features)

    def mean_logits(self, planes: Floats, features: Floats) -> Floats:
        """The same of the mean of the weights."""
        return logits_of(self.mean.eval(), planes, features)

    def restart(self) -> None:
        """Forgets what the optimisers remember, after learning something else than what comes."""
        self.optimiser.state.clear()
        self.steps = 0
        if self.critic is not None:
            self.critic.optimiser.state.clear()
            self.critic.steps = 0

    def update(self, experience: Experience, progress: float, rng: np.random.Generator) -> Terms:
        """Learns from games that the net has just played."""
        wanted, about = self.gradient, self.description
        judged = self._judged(experience)
        head = about.architecture.value
        a = advantages(experience, judged, about.scale, wanted.trace)
        ends = experience.returns[experience.games, experience.viewers] / about.scale
        out = Terms(luck=float(a.std() * about.scale))
        out.explained = float(1 - np.var(ends - judged) / max(1e-9, float(np.var(ends))))
        goals = targets(head, experience.returns[experience.games], experience.viewers, about.scale)
        all_goals = targets("players", experience.returns[experience.games], experience.viewers, about.scale)
        if head != "wdl":
            goals[:, 0] = judged + a
        all_goals[:, 0] = judged + a
        a = (a - a.mean()) / max(1e-6, float(a.std()))
        batches = self._minibatches(len(experience), rng)

        def judge() -> None:
            for rows in batches:
                self._critic_step(experience, rows, all_goals, progress, out)

        # The critic learns beside the net, on a core of its own where there is one: neither needs the other here.
        with ThreadPoolExecutor(1) as beside:
            waits = beside.submit(judge) if self.critic is not None else None
            for rows in batches:
                self._policy_step(experience, rows, a, goals, progress, out)
            if waits is not None:
                waits.result()
        for name in ("loss", "policy_loss", "value_loss", "critic_loss", "policy_entropy", "clipped"):
            setattr(out, name, getattr(out, name) / max(1, len(batches)))
        return out

    def study(self, trials: Trials, progress: float, rng: np.random.Generator) -> Terms:
        """Learns what every action brought: the logits become its return, in units of `unit`, but for their mean."""
        wanted, about, out = self.gradient, self.description, Terms()
        seats = np.arange(trials.returns.shape[1])
        own = trials.returns[np.arange(len(trials)), trials.viewers] / np.float32(wanted.unit)
        legal = trials.legal.astype(np.float32)
        own = (own - (own * legal).sum(1, keepdims=True) / legal.sum(1, keepdims=True)) * legal
        own = np.clip(own, -wanted.most, wanted.most)
        batches = self._minibatches(len(trials), rng)
        for rows in batches:
            self.net.train()
            with torch.autocast("cpu", torch.bfloat16, enabled=self.sixteen_bits):
                said = _run(self.net, trials.planes[rows], trials.features[rows])
            said = {name: one.float() for name, one in said.items()}
            mask, goal = torch.from_numpy(legal[rows]), torch.from_numpy(own[rows])
            # The value is that of the action which the net itself would choose now.
            best = said["policy"].detach().masked_fill(mask == 0, -torch.inf).argmax(1).numpy()
            reached = trials.returns[rows[:, None], seats[None], best[:, None]]
            goals = targets(about.architecture.value, reached, trials.viewers[rows], about.scale)
            missed = (own[rows].max(1) - own[rows, best]).mean() * wanted.unit
            out.gain += float(missed) / len(batches)
            count = mask.sum(1, keepdim=True)
            logits = said["policy"] * mask
            logits = (logits - logits.sum(1, keepdim=True) / count) * mask
            policy_loss = ((logits - goal).square().sum(1) / (count[:, 0] - 1)).mean()
            value_loss = self._value_loss(said["value"], torch.from_numpy(goals))
            loss = self.config.policy_weight * policy_loss + self.config.value_weight * value_loss
            if "others" in said:  # a lesson: what they hold, one number for each card
                held = torch.from_numpy(trials.hidden[rows]).flatten(1)
                belief = binary_cross_entropy_with_logits(said["others"], held, reduction="none").sum(1).mean()
                loss = loss + self.config.auxiliary_weight * belief
                out.belief_loss += belief.item() / len(batches)
            if wanted.direct:
                shares = torch.softmax((wanted.keen * logits).masked_fill(mask == 0, -1e9), 1)
                loss = loss - wanted.direct * (shares * goal).sum(1).mean()
            self._descend(loss, progress)
            out.loss += loss.item() / len(batches)
            out.policy_loss += policy_loss.item() / len(batches)
            out.value_loss += value_loss.item() / len(batches)
        spread = (own * legal).std()
        out.explained = 1 - out.policy_loss / max(1e-9, float((own**2).sum(1).mean() / (legal.sum(1) - 1).mean()))
        out.luck = float(spread * wanted.unit)
        return out

    def imitate(self, experience: Experience, progress: float, rng: np.random.Generator) -> Terms:
        """Learns to do what the adviser would have done, and what the games then brought."""
        assert experience.advice is not None
        about, out = self.description, Terms()
        returns, viewers = experience.returns[experience.games], experience.viewers
        goals, all_goals = (targets(h, returns, viewers, about.scale) for h in (about.architecture.value, "players"))
        batches = self._minibatches(len(experience), rng)
        for rows in batches:
            self.net.train()
            said = _run(self.net, experience.planes[rows], experience.features[rows])
            legal = torch.from_numpy(experience.legal[rows])
            log_p = log_softmax(said["policy"].masked_fill(legal == 0, -1e9), 1)
            policy_loss = -log_p.gather(1, torch.from_numpy(experience.advice[rows])[:, None]).mean()
            value_loss = self._value_loss(said["value"], torch.from_numpy(goals[rows]))
            self._descend(policy_loss + self.config.value_weight * value_loss, progress)
            out.policy_loss += policy_loss.item() / len(batches)
            out.value_loss += value_loss.item() / len(batches)
            if self.critic is not None:
                self._critic_step(experience, rows, all_goals, progress, out)
        return out

    def _minibatches(self, count: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        pieces = max(1, round(count / self.config.batch))
        return [rows for _ in range(self.gradient.epochs) for rows in np.array_split(rng.permutation(count), pieces)]

    def _value_loss(self, said: Tensor, wanted: Tensor) -> Tensor:
        if self.description.architecture.value == "wdl":
            return (-wanted * log_softmax(said, 1)).sum(1).mean()
        return (wanted - said).square().sum(1).mean()

    def _judged(self, experience: Experience) -> Floats:
        """The critic's values of the movers."""
        who, planes, features = (
            (self.net, experience.planes, experience.features)
            if self.critic is None
            else (self.critic.net, experience.all_planes, experience.all_features)
        )
        who.eval()
        out = np.empty(len(experience), np.float32)
        with torch.inference_mode():
            for first in range(0, len(out), AT_ONCE):
                rows = slice(first, first + AT_ONCE)
                value = _run(who, planes[rows], features[rows])["value"]
                if self.critic is None and self.description.architecture.value == "wdl":
                    odds = value.softmax(1)
                    value = odds[:, :1] - odds[:, 2:]
                out[rows] = value[:, 0].numpy()
        return out

    def _policy_step(self, e: Experience, rows: Any, a: Floats, goals: Floats, progress: float, out: Terms) -> None:
        wanted = self.gradient
        self.net.train()
        said = _run(self.net, e.planes[rows], e.features[rows])
        legal = torch.from_numpy(e.legal[rows])
        log_p = log_softmax(said["policy"].masked_fill(legal == 0, -1e9), 1)
        mine = log_p.gather(1, torch.from_numpy(e.actions[rows])[:, None])[:, 0]
        ratio = (mine - torch.from_numpy(e.log_p[rows])).exp()
        gain = torch.from_numpy(a[rows])
        kept = ratio.clamp(1 - wanted.clip, 1 + wanted.clip)
        policy_loss = -torch.minimum(ratio * gain, kept * gain).mean()
        entropy = -(log_p.exp() * log_p).sum(1).mean()
        value_loss = self._value_loss(said["value"], torch.from_numpy(goals[rows]))
        weight = wanted.final_entropy + (wanted.entropy - wanted.final_entropy) * (1 - progress)
        loss = self.config.policy_weight * policy_loss + self.config.value_weight * value_loss - weight * entropy
        self._descend(loss, progress)
        out.loss += loss.item()
        out.policy_loss += policy_loss.item()
        out.value_loss += value_loss.item()
        out.policy_entropy += entropy.item()
        out.clipped += float((ratio.detach() != kept.detach()).float().mean())

    def _critic_step(self, e: Experience, rows: Any, goals: Floats, progress: float, out: Terms) -> None:
        assert self.critic is not None
        self.critic.net.train()
        said = _run(self.critic.net, e.all_planes[rows], e.all_features[rows])["value"]
        loss = (torch.from_numpy(goals[rows]) - said).square().sum(1).mean()
        _descend(self.critic, loss, progress)
        out.critic_loss += loss.item()

    def _descend(self, loss: Tensor, progress: float) -> None:
        _descend(self, loss, progress)
        self._average()


def _descend(learner: Learner, loss: Tensor, progress: float) -> None:
    for group in learner.optimiser.param_groups:
        group["lr"] = learner.rate(progress)
    if not np.isfinite(loss.item()):
        raise NotANumberError("the loss is no number any more.")
    learner.optimiser.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    length = torch.nn.utils.clip_grad_norm_(learner.net.parameters(), learner.config.clip or float("inf"))
    if not np.isfinite(float(length)):
        raise NotANumberError("the gradient is no number any more.")
    learner.optimiser.step()
    learner.steps += 1


def _run(net: Any, planes: Floats, features: Floats) -> dict[str, Tensor]:
    out: dict[str, Tensor] = net(
        aligned(planes) if all(planes.shape[1:]) else None,
        aligned(features) if features.shape[1] else None,
    )
    return out


def logits_of(net: Any, planes: Floats, features: Floats) -> Floats:
    """A net's policy, as a table takes it."""
    training = net.training
    net.eval()
    with torch.inference_mode():
        out: Floats = _run(net, planes, features)["policy"].numpy()
    net.train(training)
    return out


def fresh_critic(about: Description, config: Config) -> Learner:
    """A critic that knows nothing."""
    return Learner(build(about.architecture, about.shape), about, replace(config.learning, ema=0.0))
