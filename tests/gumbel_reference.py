"""Gumbel search as its paper has it (Danihelka et al. 2022), slowly and in Python: what cpp/search/mcts_gumbel.cpp is
measured by. Any number of players, no chance, no proofs, a tree and not a graph."""

import hashlib
import math
from dataclasses import dataclass, field

import numpy as np

import sevenfold as sf
from sevenfold import _core

MASK = 2**64 - 1


def mixed(x: int) -> int:
    """cpp/core/hash.h."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Rng:
    """cpp/core/rng.h."""

    def __init__(self, seed: int) -> None:
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            self.state.append(mixed(seed))

    def uniform(self) -> float:
        a, b, c, d = self.state
        low = (a + d) & MASK
        result = (((low << 23) | (low >> 41)) + a) & MASK
        t = (b << 17) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = ((d << 45) | (d >> 19)) & MASK
        self.state = [a, b, c, d]
        return (result >> 11) * 2.0**-53


def guess(state: sf.State) -> tuple[list[float], np.ndarray]:
    """An evaluator that always says the same of a position: values per player, and weights of its legal actions."""
    game = state.game
    digest = hashlib.blake2b(f"{state.to_move} {state}".encode(), digest_size=8).digest()
    rng = np.random.default_rng(int.from_bytes(digest, "little"))
    values = rng.uniform(-1, 1, game.players)
    if game.sum == "zero":
        values -= values.mean()
        values /= max(1.0, float(np.abs(values).max()))
    weights = np.exp(rng.normal(0, 1, game.actions)).astype(np.float32)
    return values.tolist(), weights


def schedule(simulations: int, considered: int) -> list[int]:
    """Sequential halving (Karnin et al. 2013): how many visits the actions get, most first."""
    visits = [0] * considered
    phases = max(1, math.ceil(math.log2(considered)))
    left, done = considered, 0
    while done < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            for i in range(left):
                if done < simulations:
                    visits[i] += 1
                    done += 1
        left = max(2, (left + 1) // 2) if left > 2 else left
    return sorted(visits, reverse=True)


@dataclass
class Node:
    state: sf.State
    actions: list[int] = field(default_factory=list)
    prior: dict[int, float] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)
    total: dict[int, float] = field(default_factory=dict)
    child: dict[int, "Node"] = field(default_factory=dict)
    value: float = 0.0

    def expand(self) -> list[float]:
        """What the evaluator says."""
        values, weights = guess(self.state)
        self.actions = self.state.legal_actions()
        total = float(sum(weights[a] for a in self.actions))
        self.prior = {a: float(weights[a]) / total for a in self.actions}
        self.visits, self.total = dict.fromkeys(self.actions, 0), dict.fromkeys(self.actions, 0.0)
        self.value = values[self.state.to_move]
        return values

    def q(self, action: int) -> float:
        """For the mover, in [-1, 1]."""
        return self.total[action] / self.visits[action]


class Reference:
    """One search."""

    def __init__(self, state: sf.State, options: _core.MctsOptions, order: list[int]) -> None:
        """order: the root's actions as the core lists them, which is how it draws its random numbers."""
        self.options = options
        self.root = Node(state)
        self.root.expand()
        rng = Rng(options.seed)
        self.rank = {
            a: -math.log(-math.log(rng.uniform())) * options.gumbel_scale + math.log(self.root.prior[a]) for a in order
        }

    def sigma(self, q: float) -> float:
        """sigma(q), q in [-1, 1] brought to [0, 1]."""
        o = self.options
        return o.value_scale * (o.visit_offset + max(self.root.visits.values())) * (q + 1) / 2

    def score(self, action: int) -> float:
        """g + log P + sigma(q)."""
        return self.rank[action] + (self.sigma(self.root.q(action)) if self.root.visits[action] else 0.0)

    def run(self, simulations: int) -> int:
        """Sequential halving; the action chosen."""
        left = sorted(self.rank, key=self.rank.__getitem__, reverse=True)[: self.options.considered]
        phases, done = max(1, math.ceil(math.log2(len(left)))), 0
        while True:
            for _ in range(max(1, simulations // (phases * len(left)))):
                open_ = list(left)
                while open_:
                    if done == simulations:
                        seen = [a for a in left if self.root.visits[a]]
                        return max(seen, key=self.score)
                    best = max(open_, key=self.score)
                    open_.remove(best)
                    self.simulate(best)
                    done += 1
            if len(left) > 2:
                left = sorted(left, key=self.score, reverse=True)[: (len(left) + 1) // 2]

    def simulate(self, action: int) -> None:
        """One walk that begins with an action of the root."""
        node, path = self.root, []
        while True:
            path.append((node, action))
            if action in node.child:
                node = node.child[action]
            else:
                state = node.state.copy()
                state.play(action)
                node.child[action] = node = Node(state)
                if not state.is_over:
                    values = node.expand()
                    break
            if node.state.is_over:
                values = node.state.returns()
                break
            action = self.puct(node)
        for at, taken in path:
            at.visits[taken] += 1
            at.total[taken] += values[at.state.to_move]

    def puct(self, node: Node) -> int:
        """The formula below the root."""
        o, n = self.options, sum(node.visits.values())
        untried = sum(node.total.values()) / n - o.fpu if n else 0.0
        return max(
            node.actions,
            key=lambda a: (
                (node.q(a) if node.visits[a] else untried)
                + o.exploration * node.prior[a] * math.sqrt(n + 1) / (1 + node.visits[a])
            ),
        )

    def policy(self) -> dict[int, float]:
        """softmax(log P + sigma(completed q))."""
        root = self.root
        seen = [a for a in root.actions if root.visits[a]]
        n = sum(root.visits.values())
        weighted = sum(root.prior[a] * root.q(a) for a in seen) / sum(root.prior[a] for a in seen)
        mixture = (root.value + n * weighted) / (1 + n)
        logits = {
            a: math.log(root.prior[a]) + self.sigma(root.q(a) if root.visits[a] else mixture) for a in root.actions
        }
        most = max(logits.values())
        total = sum(math.exp(one - most) for one in logits.values())
        return {a: math.exp(one - most) / total for a, one in logits.items()}
