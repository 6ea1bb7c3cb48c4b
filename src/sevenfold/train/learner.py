"""The learner: gradient descent on what self-play found. Needs torch."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from sevenfold.evaluators.torch import check_device
from sevenfold.nets import Description, Net, build
from sevenfold.nets.values import targets
from sevenfold.train.config import Learning
from sevenfold.train.replay import Samples


def multiplies_16_bits(device: str) -> bool:
    """Whether layers are quicker in 16 bits there: a processor without products of them takes twice as long instead."""
    if device.partition(":")[0] != "cpu":
        return True
    has = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(has.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16"))


def aligned(array: Any) -> Tensor:
    """A copy in torch's own memory, which is aligned: over numpy's, sums may be in another order from time to time, and
    the same run comes to other weights."""
    return torch.from_numpy(np.ascontiguousarray(array)).clone()


class NotANumberError(ValueError):
    """A loss that is none."""


@dataclass
class Losses:
    """The terms of the loss, each already weighed."""

    value: float
    policy: float
    l2: float
    entropy: float
    """Of the policies to learn: what the policy's loss cannot go below."""
    correct: float
    """How often the likeliest action is the search's."""
    auxiliary: float = 0.0
    """Of all auxiliary heads together."""
    clipped: float | None = None
    """The share of values beyond the unit of a head that ends in a tanh."""

    @property
    def total(self) -> float:
        return self.value + self.policy + self.l2 + self.auxiliary


class Learner:
    """A net that learns, the mean of its weights that plays, and an optimiser."""

    def __init__(self, net: Net, description: Description, config: Learning) -> None:
        check_device(config.device, "learning.device")
        torch.set_num_threads(config.threads)
        self.config, self.description = config, description
        self.sixteen_bits = config.bfloat16 and multiplies_16_bits(config.device)
        self.net = net.to(config.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.mean = build(description.architecture, description.shape).to(config.device).requires_grad_(False)
        self.mean.load_state_dict(net.state_dict())
        self.steps = 0
        decay = [p for p in net.parameters() if p.ndim > 1]
        plain = [p for p in net.parameters() if p.ndim <= 1]
        # The gradient of c |theta|^2 is 2 c theta; biases and normalisations are left alone.
        groups = [{"params": decay, "weight_decay": 2 * config.l2}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser: torch.optim.Optimizer
        if config.optimiser == "sgd":
            self.optimiser = torch.optim.SGD(groups, config.rate, config.momentum, nesterov=config.momentum > 0)
        else:
            # AdamW takes rate * weight_decay off each step: 0.05 at l2 = 1e-4 is what its authors use.
            for group in groups:
                group["weight_decay"] = group["weight_decay"] * 250  # type: ignore[operator]
            self.optimiser = torch.optim.AdamW(groups, config.rate)

    def rate(self, progress: float) -> float:
        """The learning rate at a share of the run: a cosine, after a short rise."""
        config = self.config
        cosine = (1 + math.cos(math.pi * min(1.0, max(0.0, progress)))) / 2
        rise = min(1.0, (self.steps + 1) / config.warmup) if config.warmup else 1.0
        return rise * (config.final_rate + (config.rate - config.final_rate) * cosine)

    def step(self, samples: Samples, progress: float) -> Losses:
        """One step of gradient descent."""
        config = self.config
        self.net.train()
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate(progress)
        loss, terms = self.loss(samples)
        if not math.isfinite(float(loss.detach())):
            raise NotANumberError("the loss is no number any more.")
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        length = torch.nn.utils.clip_grad_norm_(self.net.parameters(), config.clip or math.inf)
        if not math.isfinite(float(length)):  # the loss was a number, and the weights are still
            raise NotANumberError("the gradient is no number any more.")
        self.optimiser.step()
        self.steps += 1
        self._average()
        return terms

    def loss(self, samples: Samples) -> tuple[Tensor, Losses]:
        """(z - v)^2 - pi log p + c |theta|^2, each term by its weight; the last is the optimiser's."""
        config, about = self.config, self.description
        planes, features = self._tensor(samples.planes), self._tensor(samples.features)
        with torch.autocast(self.config.device.split(":")[0], torch.bfloat16, enabled=self.sixteen_bits):
            out = self.net(
                planes.to(memory_format=torch.channels_last) if all(planes.shape[1:]) else None,
                features if features.shape[1] else None,
            )
        value, logits = out["value"].float(), out["policy"].float()
        head = about.architecture.value
        z, clipped = self._goals(samples)
        value_loss = (-z * log_softmax(value, 1) if head == "wdl" else (z - value).square()).sum(1).mean()
        pi, legal = self._tensor(samples.policy), self._tensor(samples.legal)
        log_p = log_softmax(logits.masked_fill(legal == 0, -1e9), 1)
        weight = self._tensor(samples.policy_weight)
        policy_loss = (-(pi * log_p).sum(1) * weight).mean()
        side_loss = config.auxiliary_weight * self._auxiliary_loss(samples, out)
        loss = config.value_weight * value_loss + config.policy_weight * policy_loss + side_loss
        with torch.no_grad():
            entropy = -(torch.special.xlogy(pi, pi).sum(1) * weight).mean()
            hit = ((log_p.argmax(1) == pi.argmax(1)) * weight).sum() / weight.sum().clamp(min=1)
            norm = sum(float(p.square().sum()) for p in self.net.parameters() if p.ndim > 1)
        return loss, Losses(
            config.value_weight * value_loss.item(),
            config.policy_weight * policy_loss.item(),
            config.l2 * norm,
            config.policy_weight * entropy.item(),
            hit.item(),
            side_loss.detach().item(),
            clipped,
        )

    def _goals(self, samples: Samples) -> tuple[Tensor, float | None]:
        """What the value head should say; and the share beyond its unit, which a tanh cannot say."""
        about, clipped = self.description, None
        z = self._tensor(targets(about.architecture.value, samples.values, samples.viewers, about.scale))
        if about.architecture.value_unit and not about.architecture.value_linear:
            clipped, z = float((z.abs() > 1).float().mean()), z.clamp(-1, 1)
        return z, clipped

    def _auxiliary_loss(self, samples: Samples, out: dict[str, Tensor]) -> Tensor:
        """A policy by cross-entropy, numbers by their squared error (lessons.py)."""
        total = torch.zeros((), device=self.config.device)
        for name, (numbers, known) in samples.lessons.items():
            said, wanted = out[name].float(), self._tensor(numbers)
            error = -(wanted * log_softmax(said, 1)).sum(1) if name == "reply" else (said - wanted).square().mean(1)
            total = total + (error * self._tensor(known)).mean()
        return total

    def _tensor(self, array: Any) -> Tensor:
        return aligned(array).to(self.config.device)

    def _average(self) -> None:
        # Early on, the mean is over fewer steps than the decay says.
        keep = min(self.config.ema, (1 + self.steps) / (10 + self.steps)) if self.config.ema > 0 else 0.0
        with torch.no_grad():
            new = self.net.state_dict()
            for name, old in self.mean.state_dict().items():
                if old.is_floating_point():
                    old.lerp_(new[name], 1 - keep)
                else:
                    old.copy_(new[name])

    def optimiser_tensors(self) -> dict[str, Tensor]:
        """The optimiser's memory, by name."""
        out = {}
        for number, state in self.optimiser.state_dict()["state"].items():
            for name, value in state.items():
                if value is not None:
                    out[f"{number}.{name}"] = torch.as_tensor(value).detach().cpu().contiguous()
        return out

    def load_optimiser(self, tensors: dict[str, Tensor]) -> None:
        """Takes up where `optimiser_tensors` was written; ValueError where they are of another net."""
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            place, _, field = name.partition(".")
            if name == "none":  # checkpoints before the first step had this
                continue
            if not place.isdigit():
                raise ValueError("the optimiser's memory is not of this net.")
            # As the weights lie in memory, so that a step does the same arithmetic in the same order.
            laid_out = torch.channels_last if value.ndim == 4 else torch.contiguous_format
            state.setdefault(int(place), {})[field] = value.to(memory_format=laid_out)
        parameters = [p for group in self.optimiser.param_groups for p in group["params"]]
        for number, fields in state.items():
            wrong = number >= len(parameters) or any(
                v.ndim and v.shape != parameters[number].shape for v in fields.values()
            )
            if wrong:
                raise ValueError("the optimiser's memory is not of this net.")
        whole = self.optimiser.state_dict()
        whole["state"] = state
        self.optimiser.load_state_dict(whole)
