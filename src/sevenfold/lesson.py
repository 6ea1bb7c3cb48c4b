"""One simulation of a tree search, step by step, for people who learn how it works (wire.ts: Lesson).

A search of so many simulations is run, and the same search with one more; where the two trees differ is the way of the
last one. The search is a plain one: no proofs, no shared positions, no tactics, so that every simulation has the four
steps of the books:

    select    from the root on, the edge with the largest value of the formula, or one not tried yet
    expand    the position behind the last edge, which is new to the tree
    evaluate  what it is worth: by the rules at the end of the game, else by a random game (uct) or a net (alphazero)
    back_up   the value is added to every edge on the way

Values and Q are scaled to [-1, 1] in the formulas, as in cpp/search/mcts.h. Not for hidden information, where there is
no single tree.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from sevenfold import _core, models
from sevenfold._core import CHANCE, State
from sevenfold.evaluators.evaluator import Evaluator, evaluate_states, evaluated
from sevenfold.game import Game
from sevenfold.limits import UNLIMITED
from sevenfold.options import shown
from sevenfold.picture import picture
from sevenfold.searchtree import after, described, mover

Method = Literal["uct", "alphazero"]
FORMULAS = {"uct": "Q + c · √(ln N / n)", "alphazero": "Q + c · P · √(N + 1) / (1 + n)"}
CONSTANTS: dict[str, dict[str, float]] = {"uct": {"c": 1.0}, "alphazero": {"c": 1.5, "fpu": 0.2}}
"""fpu: an action not tried is taken for so much less than the mean of its position."""
MOST = 1000
"""Simulations before the one that is shown: more than people step through."""
STEPS_OFF = ("policy", "solver", "decisive", "forced", "forced_win", "bias", "transpositions")
MEMORY = 64 << 20


def lesson(game: Game, start: str | None, simulations: int, method: Method) -> dict[str, Any]:
    """The simulation that follows so many others, from the initial position or that of a text."""
    if method not in FORMULAS:
        raise ValueError(f"a lesson is about uct or alphazero, not {shown(method)}.")
    if type(simulations) is not int or not 0 <= simulations <= MOST:
        raise ValueError(f"simulations must be from 0 to {MOST}, not {shown(simulations)}.")
    root = _root(game, start)
    evaluator = _evaluator(game) if method == "alphazero" else None
    before, now = _search(root, simulations, evaluator), _search(root, simulations + 1, evaluator)
    way = _Way(game, root, method, before, now)
    return {
        "game": game.spec,
        "method": method,
        "number": simulations + 1,
        "root": _position(root),
        "formula": FORMULAS[method],
        "constants": CONSTANTS[method],
        "steps": [
            *(way.select(depth) for depth in range(len(way.path))),
            *([way.expand()] if way.is_new() else []),
            way.evaluate(evaluator),
            way.back_up(),
        ],
        "before": way.node(before, []),
        "after": way.node(now, []),
    }


def _root(game: Game, start: str | None) -> State:
    if game.has_hidden_information:
        raise ValueError(f"there is no lesson about {game.name}: where information is hidden there is no single tree.")
    state = game.new() if start is None else game.parse(start)
    while state.to_move == CHANCE:
        state.play_chance()
    if state.is_over:
        raise ValueError("the game is over in this position; take one in which somebody has a move.")
    return state


def _evaluator(game: Game) -> Evaluator:
    """The net that the room ships; one that knows nothing where there is none."""
    if "observe" not in game.abilities:
        raise ValueError(f"alphazero needs the ability 'observe', which {game.name} does not offer; take uct.")
    kind = "onnx" if models.playable(game) else "uniform"
    return models.evaluator(kind, "", "auto", game, MOST + 2)


def _search(root: State, simulations: int, evaluator: Evaluator | None) -> _core.Mcts:
    """The tree after so many simulations: always the same one."""
    options = _core.MctsOptions()
    for step in STEPS_OFF:
        setattr(options, step, False)
    options.memory = MEMORY
    if evaluator is None:
        options.exploration = CONSTANTS["uct"]["c"]
        search = _core.Mcts(root, options)
        search.reset(root)
        if simulations:
            search.run(math.inf, simulations, UNLIMITED, _core.Watch())
        return search
    options.leaf, options.selection = "evaluator", "puct"
    options.exploration, options.fpu = CONSTANTS["alphazero"]["c"], CONSTANTS["alphazero"]["fpu"]
    search = _core.Mcts(root, options)
    search.reset(root)
    search.resume(*evaluate_states(evaluator, search.collect(1)))  # the root's own value and priors
    search.plan(simulations)
    done = -1
    while not search.done and done < (done := search.report().simulations):
        if waiting := search.collect(1):
            search.resume(*evaluate_states(evaluator, waiting))
    return search


@dataclass
class _Way:
    """The way of the last simulation, found from the trees before and after it."""

    game: Game
    root: State
    method: Method
    before: _core.Mcts
    now: _core.Mcts

    def __post_init__(self) -> None:
        self.path: list[int] = []
        while (action := self._next(self.path)) is not None:
            self.path.append(action)

    def _next(self, path: list[int]) -> int | None:
        """The action at the end of a path that has one visit more than before."""
        known = {edge.action: edge.visits for edge in self.before.view(path).edges}
        more = [edge.action for edge in self.now.view(path).edges if edge.visits > known.get(edge.action, 0)]
        return more[0] if more else None

    def _edge(self, search: _core.Mcts, depth: int) -> _core.EdgeView | None:
        """The edge that the way takes at a depth."""
        edges = search.view(self.path[:depth]).edges
        return next((edge for edge in edges if edge.action == self.path[depth]), None)

    def is_new(self) -> bool:
        """Whether the last edge has never been taken before; the ends of games come again."""
        edge = self._edge(self.before, len(self.path) - 1)
        return edge is None or edge.visits == 0

    def node(self, search: _core.Mcts, path: list[int]) -> dict[str, Any]:
        """A node for the page, with values from -1 to 1."""
        return described(search.view(path), after(self.root, path), path, (-1, 1), self.method == "alphazero")

    def select(self, depth: int) -> dict[str, Any]:
        """Which edge is taken at a node, and why."""
        path = self.path[:depth]
        state, node = after(self.root, path), self.node(self.before, path)
        known = {edge["action"]: edge for edge in node["children"]}
        chance = dict(state.chance())
        edges = []
        for action in chance or state.legal_actions():
            edge = known.get(action) or _untried(state, action, chance.get(action))
            total, filled = (None, f"P = {chance[action]:z.2f}") if chance else self._filled(edge, node)
            edges.append({**edge, "total": total, "filled": filled, "chosen": action == self.path[depth]})
        untried = self.method == "uct" and any(edge["visits"] == 0 for edge in edges)
        code = "chance" if chance else "untried" if untried else self.method
        return {
            "kind": "select",
            "path": path,
            "position": _position(state),
            "edges": edges,
            "code": _code()[f"select {code}"],
        }

    def _filled(self, edge: dict[str, Any], node: dict[str, Any]) -> tuple[float | None, str]:
        """The formula's value, and the formula with its numbers; an edge that uct has not tried comes first."""
        c, n, visits = CONSTANTS[self.method]["c"], edge["visits"], node["visits"]
        if self.method == "uct":
            if n == 0:
                return None, "∞"
            total = edge["q"] + c * math.sqrt(math.log(max(visits, 2)) / n)
            return total, f"{edge['q']:z.2f} + {c:g} · √(ln {max(visits, 2)} / {n}) = {total:z.2f}"
        fpu = CONSTANTS["alphazero"]["fpu"]
        if n > 0:
            q, text = edge["q"], f"{edge['q']:z.2f}"
        elif visits > 0:
            q, text = node["value"] - fpu, f"({node['value']:z.2f} - {fpu:g})"
        else:
            q, text = 0.0, "0"
        total = q + c * edge["prior"] * math.sqrt(visits + 1) / (1 + n)
        return total, f"{text} + {c:g} · {edge['prior']:z.2f} · √({visits} + 1) / (1 + {n}) = {total:z.2f}"

    def expand(self) -> dict[str, Any]:
        """The position that is new to the tree; with a net it becomes a node at once, with a prior for each action."""
        return {
            "kind": "expand",
            "path": self.path,
            "position": _position(after(self.root, self.path)),
            "node": self.node(self.now, self.path),
            "code": _code()[f"expand {self.method}"],
        }

    def evaluate(self, evaluator: Evaluator | None) -> dict[str, Any]:
        """What the last position is worth for each player; none for a player of whom a random game does not tell."""
        state = after(self.root, self.path)
        value: list[float | None]
        if state.is_over:
            by, value = "rules", list(state.returns())
        elif evaluator is None:
            by, value = "rollout", self._backed_up()
        else:
            by = "net" if models.playable(self.game) else "uniform"
            value = evaluated(evaluator, state)[0][0].tolist()
        return {
            "kind": "evaluate",
            "path": self.path,
            "position": _position(state),
            "value": value,
            "by": by,
            "code": _code()["evaluate net" if by == "uniform" else f"evaluate {by}"],
        }

    def _backed_up(self) -> list[float | None]:
        """The value as it came up: edges keep what their own mover got."""
        low, high = self.game.min_return, self.game.max_return
        value: list[float | None] = [None] * self.game.players
        for depth in range(len(self.path)):
            seat = after(self.root, self.path[:depth]).to_move
            edge, old = self._edge(self.now, depth), self._edge(self.before, depth)
            if seat >= 0 and edge is not None:
                came = edge.q * edge.visits - (old.q * old.visits if old is not None else 0)
                value[seat] = round(low + (came + 1) / 2 * (high - low), 9) + 0.0  # no -0.0
        if self.game.sum == "zero" and value.count(None) == 1:
            known = sum(one for one in value if one is not None)
            value = [0.0 - known if one is None else one for one in value]
        return value

    def back_up(self) -> dict[str, Any]:
        """Visits and Q of every edge on the way, from the last one up."""
        changes = []
        for depth in reversed(range(len(self.path))):
            decides = after(self.root, self.path[:depth]).to_move >= 0
            pair = [self._edge(search, depth) for search in (self.before, self.now)]
            changes.append(
                {
                    "path": self.path[: depth + 1],
                    "visits": [edge.visits if edge else 0 for edge in pair],
                    "q": [edge.q if edge and edge.visits and decides else None for edge in pair],
                }
            )
        return {
            "kind": "back_up",
            "path": self.path,
            "position": _position(self.root),
            "changes": changes,
            "code": _code()["back_up"],
        }


def _untried(state: State, action: int, probability: float | None) -> dict[str, Any]:
    """An edge that is not in the tree yet."""
    return {
        "action": action,
        "text": state.action_text(action),
        "visits": 0,
        "q": None,
        "prior": probability,
        "u": None,
        "proven": False,
        "expandable": False,
    }


def _position(state: State) -> dict[str, Any]:
    """A position for the page, with nothing hidden."""
    decides = state.to_move >= 0
    return {
        "node": 0,
        "to_move": mover(state),
        "legal": _named(state, state.legal_actions() if decides else []),
        "returns": state.returns() if state.is_over else None,
        "text": state.to_text(),
        "drawn": str(state),
        "picture": picture(state, None),
    }


def _named(state: State, actions: Sequence[int]) -> list[dict[str, Any]]:
    return [{"action": action, "text": state.action_text(action)} for action in actions]


@cache
def _code() -> dict[str, dict[str, Any]]:
    """The lines of our own source that do each step: kept as data, since an installed package has no C++ in it.
    docs/pull_lesson_code.py writes them."""
    text = resources.files("sevenfold").joinpath("lesson_code.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found
