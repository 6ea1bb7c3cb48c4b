"""The review of a game: every move is good, slack or a blunder, has a score, and the scores tell how exciting it was.

    import sevenfold as sf
    review = sf.review(record, "uct:seconds=2")

Values are the player's, for the mover, in the game's unit: 0 is the middle of its range of returns and 1 half of that
range. (In a game from -1 to 1 these are the returns themselves.) With V = the value of the best action found:

    good      value >= V - tolerance        keeps or improves the evaluation
    slack     not good, but value >= 0
    blunder   not good, and value < 0

The n legal actions are ranked by value, 1 the best; equal ones share the mean of their places, so that equal moves get
equal scores:

    score     10 (n - rank) / (n - 1)       evenly from 10 for the best to 0 for the worst; 10 where n = 1 (forced)
              +10 for the only good move, -10 for the only blunder, both where n > 1
              + the room's `review_bonus(state, action)`, where it has one

The mean score of the game is its excitement. Chance is not reviewed. Under hidden information the values are those of
the mover's own information, not of the deal that the record tells.
"""

import dataclasses
import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sevenfold import players
from sevenfold._core import State
from sevenfold.game import Game, game_by_name
from sevenfold.game import game as find_game
from sevenfold.options import shown
from sevenfold.players import ActionView, Player
from sevenfold.records import Record

FORMAT = 1
"""Of the JSON."""
EPSILON = 1e-9
"""What rounding may do to equal values."""

Mark = Literal["good", "slack", "blunder"]
MARKS: tuple[Mark, ...] = ("good", "slack", "blunder")


@dataclass(frozen=True)
class Judgement:
    """What an action is worth among all that were legal."""

    mark: Mark
    rank: float
    """1 is the best; equal actions share the mean of their places."""
    score: float
    only_good: bool
    only_blunder: bool


def judge(values: Sequence[float], played: int, tolerance: float) -> Judgement:
    """Judges one of several actions, given all their values for the mover: 0 the middle, 1 half the range."""
    marks = [_mark(value, max(values), tolerance) for value in values]
    mark, count = marks[played], len(values)
    better = sum(value > values[played] + EPSILON for value in values)
    equal = sum(abs(value - values[played]) <= EPSILON for value in values)
    rank = better + (equal + 1) / 2
    score = 10 * (count - rank) / (count - 1) if count > 1 else 10.0
    only = count > 1 and marks.count(mark) == 1
    only_good, only_blunder = only and mark == "good", only and mark == "blunder"
    return Judgement(mark, rank, score + 10 * only_good - 10 * only_blunder, only_good, only_blunder)


def _mark(value: float, best: float, tolerance: float) -> Mark:
    if value >= best - tolerance - EPSILON:
        return "good"
    return "slack" if value >= -EPSILON else "blunder"


@dataclass
class MoveReview:
    """One move of a player."""

    ply: int
    """Its place in the record's actions, from 0; chance outcomes count."""
    player: int
    action: int
    text: str
    mark: Mark
    score: float
    value: float
    """What the mover could expect after this move, in the game's returns."""
    best_value: float
    """What the mover could expect after the best move."""
    best_action: int
    best_text: str
    line: list[int]
    """The best move and what was expected to follow it."""
    line_texts: list[str]
    values: list[float]
    """What each player could expect before the move."""
    proven: bool
    """Whether all the values it was judged by are exact."""
    only_good: bool
    only_blunder: bool
    rank: float
    legal: int
    """How many actions were legal."""
    bonus: float
    """What the game's room added to the score."""

    @property
    def forced(self) -> bool:
        """Whether there was no other action."""
        return self.legal == 1

    @property
    def best(self) -> bool:
        """Whether no other move was better."""
        return self.value >= self.best_value - EPSILON * max(1.0, abs(self.best_value))

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {**dataclasses.asdict(self), "forced": self.forced, "best": self.best}


@dataclass
class PlayerReview:
    """All moves of one player together."""

    player: int
    name: str
    moves: int
    good: int
    slack: int
    blunder: int
    best_share: float | None
    """The share of moves than which none was better; None without moves."""
    score: float | None
    """The mean score; None without moves."""


@dataclass
class Review:
    """The review of one game, complete or as far as it has got."""

    game: str
    """The text that `sf.game` turns into the game."""
    version: int
    players: int
    returns: tuple[float, float]
    """The least and the most that a player can get."""
    sum: str
    """Whether what one player gets another loses: "zero" or "any"."""
    seed: int
    start: str | None
    actions: list[int]
    """The record's actions, chance outcomes included."""
    seats: list[str]
    """Who played, by player number; may be empty."""
    result: list[float] | None
    """The returns at the end; None where the game was not finished."""
    player: str
    """Who reviews."""
    tolerance: float
    decisions: int
    """How many moves there are to review."""
    skip_forced: bool = False
    """Whether moves without an alternative are left out of all counts and means."""
    moves: list[MoveReview] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every move has been reviewed."""
        return len(self.moves) == self.decisions

    @property
    def counted(self) -> list[MoveReview]:
        """The moves that count for the means."""
        return [move for move in self.moves if not (self.skip_forced and move.forced)]

    @property
    def excitement(self) -> float | None:
        """The mean score of all moves; None where none counts."""
        return _mean([move.score for move in self.counted])

    def of_player(self, player: int) -> PlayerReview:
        """All moves of one player together."""
        moves = [move for move in self.counted if move.player == player]
        counts = {mark: sum(move.mark == mark for move in moves) for mark in MARKS}
        best, score = _mean([float(move.best) for move in moves]), _mean([move.score for move in moves])
        name = self.seats[player] if player < len(self.seats) else ""
        return PlayerReview(player, name, len(moves), **counts, best_share=best, score=score)

    def settings(self) -> dict[str, Any]:
        """What the judgement of a move depends on: two reviews that agree in it can be joined."""
        left_out = ("moves", "skip_forced", "seats", "result")
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in left_out}

    def to_json(self) -> dict[str, Any]:
        """All of it for programs."""
        data = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return {
            "format": FORMAT,
            **data,
            "returns": list(self.returns),
            "moves": [move.to_json() for move in self.moves],
            "complete": self.complete,
            "per_player": [dataclasses.asdict(self.of_player(player)) for player in range(self.players)],
            "excitement": self.excitement,
        }

    @classmethod
    def from_json(cls, data: Any) -> "Review":
        """The review of its JSON; ValueError where it is something else."""
        if not isinstance(data, dict) or data.get("format") != FORMAT or "moves" not in data:
            raise ValueError(f"this is not a review of format {FORMAT}.")
        try:
            fields = {f.name: data[f.name] for f in dataclasses.fields(cls)}
            names = [f.name for f in dataclasses.fields(MoveReview)]
            moves = [MoveReview(**{name: move[name] for name in names}) for move in data["moves"]]
            numbers = [x for move in moves for x in (move.score, move.value, move.best_value, *move.values)]
            if not all(map(math.isfinite, numbers)) or any(move.mark not in MARKS for move in moves):
                raise TypeError
            return cls(**{**fields, "returns": tuple(data["returns"]), "moves": moves})
        except (KeyError, TypeError):
            raise ValueError(f"this is not a review of format {FORMAT}.") from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON to a file, all or nothing: a killed process leaves the file of before."""
        path = Path(path)
        text = json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False, indent=1)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            draft.write_text(text + "\n", encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Review":
        """The review that `save` wrote."""
        try:
            return cls.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
        except (ValueError, RecursionError):
            raise ValueError(f"{path} is not a review.") from None

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draws the evaluation over the game into an SVG or PNG file; needs matplotlib."""
        from sevenfold.plot import plot_review  # here: matplotlib is optional, and slow to import

        plot_review(self, path)


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def review(
    record: Record | State,
    player: str | Player = "uct",
    tolerance: float = 0.1,
    game: Game | str | None = None,
    progress: Callable[[Review], None] | None = None,
    skip_forced: bool = False,
    earlier: Review | None = None,
    **options: Any,
) -> Review:
    """Reviews every move of a game, finished or not.

    record: or a state, whose history is reviewed.
    player: who judges, a text such as "uct:simulations=5000" (with `options` as for `sf.player`), or a player. Its
        limits are for one move, all its alternatives together.
    tolerance: how much worse than the best a good move may be, as a share of half the game's range of returns.
    game: needed only for a game that `sf.game` cannot find by name.
    progress: called with the review so far, before the first move and after each.
    skip_forced: moves without an alternative do not count for the means.
    earlier: a review of the same game that was stopped; its moves are not reviewed again.
    """
    record = Record.of(record) if isinstance(record, State) else record
    if not isinstance(record, Record):
        raise ValueError(f"a review is of a record or a state, not {shown(record)}.")
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance <= 2:
        raise ValueError(f"tolerance must be from 0 to 2 (half the range of returns is 1), not {shown(tolerance)}.")
    rules = find_game(game) if isinstance(game, str) else game or game_by_name(record.game, record.options)
    states = list(record.states(rules))
    plies = [ply for ply in range(len(record.actions)) if states[ply].to_move >= 0]
    if not plies:
        raise ValueError("this record holds no move of a player to review.")
    seated = player if isinstance(player, Player) else players.player(player, rules, **options)
    name = seated.name if isinstance(player, Player) else _written(player, type(seated).takes, options)
    result = Review(
        rules.spec,
        rules.version,
        rules.players,
        (rules.min_return, rules.max_return),
        rules.sum,
        record.seed,
        record.start,
        list(record.actions),
        list(record.seats),
        record.result,
        name,
        float(tolerance),
        len(plies),
        skip_forced,
    )
    if earlier:
        result.moves = _moves_of(earlier, result, plies)
    seated.prepare()
    while True:
        if progress:
            progress(result)
        if result.complete:
            return result
        ply = plies[len(result.moves)]
        result.moves.append(_reviewed(result, seated, states[ply], ply, record.actions[ply]))


def _written(player: str, takes: str | None, options: dict[str, Any]) -> str:
    """A player's text with the options that were given apart from it."""
    given = ",".join(f"{key}={value}" for key, value in options.items())
    if not given:
        return player
    if takes:  # exec:COMMAND has its options before the colon
        name, _, rest = player.partition(":")
        return f"{name.removesuffix(']')}{',' if '[' in name else '['}{given}]:{rest}"
    return f"{player}{',' if ':' in player else ':'}{given}"


def _moves_of(earlier: Review, review: Review, plies: list[int]) -> list[MoveReview]:
    """The moves of an earlier review, if it is the beginning of this one."""
    if earlier.settings() != review.settings():
        raise ValueError("the earlier review (`earlier`, or the file of --out) differs in game, player or tolerance.")
    done = [(move.ply, move.action) for move in earlier.moves]
    if done != [(ply, review.actions[ply]) for ply in plies[: len(done)]]:
        raise ValueError("the earlier review (`earlier`, or the file of --out) holds other moves than the game.")
    return list(earlier.moves)


def _reviewed(review: Review, player: Player, state: State, ply: int, action: int) -> MoveReview:
    views = player.rank(state)
    at = [view.action for view in views].index(action)
    values = [_finite(player, view) for view in views]
    low, high = review.returns
    half = (high - low) / 2 or 1.0
    judged = judge([(value - (low + high) / 2) / half for value in values], at, review.tolerance)
    bonus = _bonus(state, action)
    line = views[0].pv or [views[0].action]
    return MoveReview(
        ply=ply,
        player=state.to_move,
        action=action,
        text=state.action_text(action),
        mark=judged.mark,
        score=judged.score + bonus,
        value=values[at],
        best_value=values[0],
        best_action=views[0].action,
        best_text=state.action_text(views[0].action),
        line=line,
        line_texts=_texts(state, line),
        values=_for_everyone(player, state, values[0]),
        proven=all(view.proven for view in views),
        only_good=judged.only_good,
        only_blunder=judged.only_blunder,
        rank=judged.rank,
        legal=len(views),
        bonus=bonus,
    )


def _finite(player: Player, view: ActionView) -> float:
    if view.value is None or not math.isfinite(view.value):
        raise ValueError(f"{player.name} gave no value for an action: review with a search such as uct.")
    return view.value


def _texts(state: State, line: list[int]) -> list[str]:
    from sevenfold.think_screen import texts  # here, because it brings rich

    return texts(state, line)


def _for_everyone(player: Player, state: State, value: float) -> list[float]:
    """What each player can expect, given what the mover can; where that does not tell, the player is asked."""
    count, mover = state.game.players, state.to_move
    if count <= 2 and state.game.sum == "zero":
        return [value if seat == mover else -value for seat in range(count)]
    everyone = list(player.think(state).values) if count > 1 else [value]
    everyone[mover] = value
    return everyone


def _bonus(state: State, action: int) -> float:
    """What the game's room adds to a move's score."""
    give = getattr(state.game.room, "review_bonus", None)
    if not callable(give):
        return 0.0
    bonus = give(state.copy(), action)
    if isinstance(bonus, bool) or not isinstance(bonus, int | float) or not math.isfinite(bonus):
        raise ValueError(f"review_bonus of {state.game.name} must give a finite number, not {shown(bonus)}.")
    return float(bonus)
