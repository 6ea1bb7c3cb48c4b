"""The conformance test: what every game must satisfy, whatever its rules are.

`sf.check(game)` plays random games and checks each property at each position. Run it on your own game before a
search or a training run stands on it; it runs on all games of the house.
"""

import json
import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sevenfold._core import CHANCE, TERMINAL, State
from sevenfold.game import Game
from sevenfold.game import game as game_named

MANY_ACTIONS = 64
"""Where more actions than this are legal, a sample of this many is checked."""


class CheckFailed(ValueError):  # noqa: N818  (reads as a sentence: `except sf.CheckFailed`)
    """A game broke a property; the message says which, and how to get to the position."""


@dataclass
class CheckReport:
    """What was checked."""

    game: str
    games: int = 0
    positions: int = 0
    longest: int = 0
    """Plies of the longest game played."""
    passed: Counter[str] = field(default_factory=Counter)
    """How often each property was checked and held."""
    not_offered: list[str] = field(default_factory=list)
    """Properties of abilities that the game does not offer."""
    warnings: list[str] = field(default_factory=list)
    """Oddities that may be right."""

    def __str__(self) -> str:
        lines = [
            f"{self.game}: {self.games} games, {self.positions} positions, longest {self.longest} plies",
            *(f"  ok  {name} ({count} checks)" for name, count in self.passed.items()),
            *(f"   -  {name}: not offered" for name in self.not_offered),
            *(f"   !  {text}" for text in self.warnings),
        ]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {**vars(self), "passed": dict(self.passed)}


class _Check:
    """One run over one game; each method `check_…` is one property of one position."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.report = CheckReport(game.spec)
        self.redealt_differently = False
        self.choices_matter = False
        self.term_names: list[str] = []
        self.hashed: dict[int, tuple[Any, list[int]]] = {}
        self.property = "random play ends"
        abilities = set(game.abilities)
        self.properties: list[tuple[str, Callable[[State], None]]] = [
            ("the mover is a player, chance or nobody", self.check_mover),
            ("legal actions are different and in range", self.check_list),
            ("copies are independent", self.check_copy),
            ("different positions have different hashes", self.check_hash),
            ("legal actions are playable and the others are refused", self.check_actions),
            ("a history replays to the same position", self.check_replay),
            ("the position's text and JSON read back", self.check_text),
            ("each action has a text of its own that reads back", self.check_action_text),
            ("returns are in range and add up as declared", self.check_returns),
            ("random games from here end", self.check_playouts),
        ]
        for ability, name, method in (
            ("chance", "chance has probabilities that add up to 1", self.check_chance),
            ("chance_for", "chance belongs to a player or to nobody", self.check_chance_for),
            ("typical", "the typical outcome is possible", self.check_typical),
            ("observe", "observations have the declared shape and are finite", self.check_observe),
            ("redeal", "a redeal keeps what the viewer knows", self.check_redeal),
            ("rewind", "a world's past leads to it again", self.check_rewind),
            ("stir", "a stirred world keeps what the viewer knows", self.check_stir),
            ("odds", "the odds are a share for each legal action", self.check_odds),
            ("symmetries", "symmetries commute with play", self.check_symmetries),
            ("heuristic", "the heuristic is one finite value per player", self.check_heuristic),
            ("terms", "the terms are always the same, and finite", self.check_terms),
            ("order", "the ordering keeps the actions", self.check_order),
            ("independent", "independent actions may be played in any order", self.check_independent),
            ("commutes", "independent actions may follow those they commute with", self.check_commutes),
            ("handicap", "a handicapped position is a position", self.check_handicap),
        ):
            if ability in abilities:
                self.properties.append((name, method))
            else:
                self.report.not_offered.append(name)

    def play_one(self, seed: int) -> None:
        """One random game, checked at every position."""
        state = self.game.new(seed)
        limit = self.game.max_plies or 10_000
        while True:
            self.check_position(state)
            if state.to_move == TERMINAL:
                break
            if len(state.history) >= limit:
                self.property = "random play ends"
                self.fail(state, f"a game is longer than {limit} plies")
            if state.to_move == CHANCE and self.random.random() < 0.5:
                state.play_chance()
            else:
                state.play(self.random.choice(state.legal_actions()))
        self.report.games += 1
        self.report.longest = max(self.report.longest, len(state.history))

    def check_position(self, state: State) -> None:
        self.report.positions += 1
        for name, method in self.properties:
            self.property = name
            try:
                method(state)
            except CheckFailed:
                raise
            except (Exception, SystemExit) as error:
                notes = [note for note in getattr(error, "__notes__", []) if note.startswith("raised by")][:1]
                text = " ".join(" ".join([f"{type(error).__name__}:", str(error), *notes]).split()).rstrip(".")
                raise CheckFailed(f"{self._where(state)}: {name}: {text}.") from error
            self.report.passed[name] += 1

    def fail(self, state: State, what: str) -> None:
        raise CheckFailed(f"{self._where(state)}: {self.property}: {what}.")

    def require(self, fine: bool, state: State, what: str) -> None:
        if not fine:
            self.fail(state, what)

    def _where(self, state: State) -> str:
        return f"{self.game.spec}, seed {state.seed}, history {state.history}"

    def sample(self, actions: list[int]) -> list[int]:
        return actions if len(actions) <= MANY_ACTIONS else self.random.sample(actions, MANY_ACTIONS)

    def print_of(self, state: State) -> tuple[Any, ...]:
        """Everything the methods of a state say about it. Taken before and after, it shows a change that a comparison
        of two states would miss because both changed."""
        return (
            state.to_move,
            state.hash(),
            state.legal_actions(),
            state.returns(),
            str(state),
            *(self.seen(state, viewer) for viewer in range(self.game.players)),
        )

    def same(self, a: State, b: State) -> bool:
        """Whether two states cannot be told apart by any method."""
        return self.print_of(a) == self.print_of(b)

    def seen(self, state: State, viewer: int) -> tuple[Any, ...]:
        """Everything a viewer is shown."""
        shown: tuple[Any, ...] = (state.view(viewer), state.to_move)
        if "observe" in self.game.abilities:
            observation = state.observe(viewer)
            shown += (observation.planes.tobytes(), observation.features.tobytes())
        return shown

    def check_mover(self, state: State) -> None:
        allowed = {*range(self.game.players), TERMINAL, *([CHANCE] if self.game.has_chance else [])}
        self.require(state.to_move in allowed, state, f"to_move is {state.to_move}")

    def check_list(self, state: State) -> None:
        legal = state.legal_actions()
        size = self.game.outcomes if state.to_move == CHANCE else self.game.actions
        self.require(bool(legal) == (state.to_move != TERMINAL), state, f"legal_actions is {legal}")
        self.require(len(set(legal)) == len(legal), state, f"legal_actions repeats itself: {legal}")
        self.require(all(0 <= a < size for a in legal), state, f"legal_actions {legal} leave 0 .. {size - 1}")
        self.require(
            [a for a, bit in enumerate(state.legal_mask()) if bit] == sorted(legal),
            state,
            "legal_mask differs",
        )

    def check_actions(self, state: State) -> None:
        legal = state.legal_actions()
        size = self.game.outcomes if state.to_move == CHANCE else self.game.actions
        before = self.print_of(state)
        hashes = set()
        for action in self.sample(legal):
            after = state.copy()
            after.play(action)
            self.require(after.history == [*state.history, action], state, f"history does not grow by {action}")
            still = (after.to_move, str(after)) == (before[0], before[4])
            what = "position unchanged" if still else "hash as it was"
            self.require(after.hash() != before[1], state, f"playing {action} leaves the {what}")
            hashes.add(after.hash())
        self.choices_matter |= len(hashes) > 1
        for action in [*self.sample(sorted({*range(size)} - {*legal})), size, 10**12]:
            try:
                state.play(action)
            except ValueError:
                continue
            self.fail(state, f"the illegal action {action} was accepted")
        self.require(self.print_of(state) == before, state, "a refused action changed the state")

    def check_copy(self, state: State) -> None:
        before = self.print_of(state)
        copied = state.copy()
        self.require(self.print_of(copied) == before, state, "a copy differs from its original")
        if state.to_move == TERMINAL:
            return
        copied.play(self.random.choice(state.legal_actions()))
        self.require(self.print_of(state) == before, state, "playing on a copy changed the original")

    def check_hash(self, state: State) -> None:
        facts = (state.to_move, state.legal_actions(), state.returns())
        other, history = self.hashed.setdefault(state.hash(), (facts, state.history))
        self.require(other == facts, state, f"it has the same hash as the other position after {history}")

    def check_replay(self, state: State) -> None:
        self.require(
            self.same(self.game.replay(state.history, state.seed), state),
            state,
            "replaying the history differs",
        )

    def check_text(self, state: State) -> None:
        text = state.to_text()
        again = self.game.parse(text)
        self.require(again.to_text() == text, state, f"the text {text!r} reads back as {again.to_text()!r}")
        self.require(self.same(again, state), state, f"parsing the text {text!r} gives another position")
        as_json = json.dumps(state.to_json())
        self.require(self.same(self.game.parse(as_json), state), state, "parsing the JSON gives another position")

    def check_action_text(self, state: State) -> None:
        legal = state.legal_actions()
        texts = {action: state.action_text(action) for action in legal}
        self.require(len(set(texts.values())) == len(texts), state, f"two actions share a text: {texts}")
        for action in self.sample(legal):
            read = state.parse_action(texts[action])
            self.require(read == action, state, f"{texts[action]!r} is action {action} but reads as {read}")

    def check_returns(self, state: State) -> None:
        returns = state.returns()
        low, high = self.game.min_return, self.game.max_return
        self.require(len(returns) == self.game.players, state, f"returns {returns} are not one per player")
        self.require(all(low <= r <= high for r in returns), state, f"returns {returns} leave [{low}, {high}]")
        if self.game.sum == "zero":
            self.require(math.isclose(sum(returns), 0, abs_tol=1e-6), state, f"returns {returns} do not add up to 0")

    def check_playouts(self, state: State) -> None:
        seed = self.random.getrandbits(60)
        mean = state.playouts(1, seed)
        low, high = self.game.min_return, self.game.max_return
        self.require(all(low <= r <= high for r in mean), state, f"a random game returned {mean}")
        self.require(mean == state.playouts(1, seed), state, "the same seed gave another random game")

    def check_chance(self, state: State) -> None:
        outcomes = state.chance()
        if state.to_move != CHANCE:
            self.require(outcomes == [], state, "chance has outcomes though it is not its turn")
            return
        self.require(
            [a for a, _ in outcomes] == state.legal_actions(),
            state,
            "legal_actions are not chance's outcomes",
        )
        self.require(all(p > 0 for _, p in outcomes), state, f"a probability is not positive: {outcomes}")
        self.require(math.isclose(sum(p for _, p in outcomes), 1, abs_tol=1e-6), state, f"not 1 in all: {outcomes}")

    def check_observe(self, state: State) -> None:
        import numpy as np

        for viewer in range(self.game.players):
            observation = state.observe(viewer)
            self.require(observation.planes.shape == self.game.planes, state, f"planes {observation.planes.shape}")
            self.require(observation.features.shape == (self.game.features,), state, f"{observation.features.shape}")
            finite = np.isfinite(observation.planes).all() and np.isfinite(observation.features).all()
            self.require(bool(finite), state, f"viewer {viewer} observes something that is not a number")

    def check_redeal(self, state: State) -> None:
        if state.to_move == CHANCE:
            return  # a search redeals at a player's decision
        before = self.print_of(state)
        for viewer in range(self.game.players):
            world = state.redeal(viewer, self.random.getrandbits(60))
            self.require(self.seen(world, viewer) == self.seen(state, viewer), state, f"{viewer} sees another world")
            if state.to_move in (viewer, TERMINAL):
                self.require(world.legal_actions() == state.legal_actions(), state, f"{viewer} has other actions")
            self.redealt_differently |= world.hash() != state.hash()
            world.playouts(1, 1)
        self.require(self.print_of(state) == before, state, "redeal changed the state itself")

    def check_stir(self, state: State) -> None:
        if state.to_move < 0:
            return  # worlds are looked for at a player's decision
        before = self.print_of(state)
        for viewer in range(self.game.players):
            world, whose = state.stir(viewer, self.random.getrandbits(60))
            self.require(self.seen(world, viewer) == self.seen(state, viewer), state, f"{viewer} sees another world")
            changed = world.hash() != state.hash()
            self.require(whose > 0 or not changed, state, "stir changed a world and says that it did not")
            self.require(whose >> viewer & 1 == 0, state, f"stir gave {viewer} itself another hand")
        self.require(self.print_of(state) == before, state, "stir changed the state itself")

    def check_rewind(self, state: State) -> None:
        if state.to_move == CHANCE:
            return  # worlds are weighed at a player's decision
        world = state
        if "redeal" in self.game.abilities and state.to_move >= 0:
            world = state.redeal(state.to_move, self.random.getrandbits(60))
        again, past = world.rewind()
        for action in past:
            self.require(action in again.legal_actions(), state, f"the past has the illegal action {action}")
            again.play(action)
        self.require(again.hash() == world.hash(), state, "the past of a world leads elsewhere")

    def check_odds(self, state: State) -> None:
        if state.to_move < 0:
            return
        odds = state.odds()
        self.require(len(odds) == len(state.legal_actions()), state, f"{len(odds)} odds")
        self.require(min(odds) >= 0 and abs(sum(odds) - 1) < 1e-9, state, f"odds {odds}")
        if "redeal" in self.game.abilities:
            world = state.redeal(state.to_move, self.random.getrandbits(60))
            self.require(world.odds() == odds, state, "the odds go by what the mover cannot see")

    def check_symmetries(self, state: State) -> None:
        legal = state.legal_actions() if state.to_move >= 0 else []
        for symmetry in range(state.symmetries):
            image = state.symmetric(symmetry)
            self.require(image.to_move == state.to_move, state, f"symmetry {symmetry} changes the mover")
            self.require(image.returns() == state.returns(), state, f"symmetry {symmetry} changes the returns")
            if symmetry == 0:
                self.require(self.same(image, state), state, "symmetry 0 is not the identity")
            mapped = {action: state.symmetric_action(symmetry, action) for action in legal}
            if state.to_move >= 0:
                self.require(
                    sorted(mapped.values()) == sorted(image.legal_actions()),
                    state,
                    f"symmetry {symmetry} does not map the legal actions onto those of the image",
                )
            for action in self.sample(legal):
                after, after_image = state.copy(), image.copy()
                after.play(action)
                after_image.play(mapped[action])
                self.require(
                    self.same(after.symmetric(symmetry), after_image),
                    state,
                    f"symmetry {symmetry} does not commute with action {action}",
                )

    def check_heuristic(self, state: State) -> None:
        values = state.heuristic()
        self.require(len(values) == self.game.players, state, f"heuristic {values}")
        self.require(all(math.isfinite(v) for v in values), state, f"heuristic {values}")

    def check_order(self, state: State) -> None:
        previous = state.history[-1] if state.history else None
        self.require(sorted(state.order(previous)) == sorted(state.legal_actions()), state, "order loses actions")

    def check_independent(self, state: State) -> None:
        if state.to_move < 0:
            return
        chosen = [action for action in self.sample(state.legal_actions()) if state.independent(action)][:8]
        for first in chosen:
            for second in chosen:
                if first != second:
                    self.require_any_order(state, first, second, "independent")

    def check_commutes(self, state: State) -> None:
        if state.to_move < 0 or "independent" not in self.game.abilities:
            return
        chosen = self.sample(state.legal_actions())[:8]
        for action in chosen:
            for other in chosen:
                if action != other and state.independent(action) and state.commutes(action, other):
                    self.require_any_order(state, other, action, "commuting")

    def require_any_order(self, state: State, first: int, second: int, word: str) -> None:
        """Two actions lead to the same in either order, where the first leaves the second possible."""
        one = state.copy()
        one.play(first)
        if one.to_move != state.to_move or second not in one.legal_actions():
            return
        one.play(second)
        other = state.copy()
        other.play(second)
        fine = other.to_move == state.to_move and first in other.legal_actions()
        if fine:
            other.play(first)
            ordered = "canonical" not in self.game.abilities
            fine = self.same(one, other) if ordered else one.canonical() == other.canonical()
        self.require(fine, state, f"{first} and {second} are called {word}, but their order matters")

    def check_chance_for(self, state: State) -> None:
        owner = state.chance_for
        self.require(owner is None or 0 <= owner < self.game.players, state, f"chance_for {owner}")

    def check_typical(self, state: State) -> None:
        outcome = state.typical
        self.require(outcome is None or outcome in dict(state.chance()), state, f"typical {outcome} is not possible")

    def check_terms(self, state: State) -> None:
        for player in range(self.game.players):
            terms = state.terms(player)
            self.require(all(map(math.isfinite, terms.values())), state, f"terms {terms}")
            self.term_names = self.term_names or list(terms)
            self.require(list(terms) == self.term_names, state, f"terms {list(terms)}, but {self.term_names} before")

    def check_handicap(self, state: State) -> None:
        if state.to_move < 0:
            return
        weaker = state.handicap()
        self.require(weaker.to_move == state.to_move, state, "a handicap changes the mover")
        weaker.playouts(1, 1)


def check(game: "Game | str | type", games: int = 20, seed: int = 1) -> CheckReport:
    """Checks that a game keeps the rules of the house; CheckFailed (a ValueError) names the first breach.

    games: how many random games to play. seed: same seed, same games.
    """
    if not isinstance(game, Game):
        game = game_named(game)
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games}.")
    run = _Check(game, seed)
    for number in range(games):
        run.play_one(seed + number)
    if "redeal" in game.abilities and not run.redealt_differently:
        run.report.warnings.append("no redeal ever gave another world: is anything hidden?")
    if not run.choices_matter:
        run.report.warnings.append("all actions always led to the same position: does play() use its action?")
    return run.report
