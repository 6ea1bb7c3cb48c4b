"""The review of a game: every move is good, slack or a blunder, has a score, and the scores tell how exciting it was.

    import sevenfold as sf
    review = sf.review(record, "uct:seconds=2")

Values are the player's, for the mover, in the game's unit: 0 is the middle of its range of returns, or of what the
room's `usual_returns` says, and 1 half of that range. In a game from -1 to 1 these are the returns themselves. In a
game for one, where nobody is ahead, the range is that of the position's own actions, from the worst to the best. With
V = the value of the best action found:

    good      value >= V - tolerance        keeps or improves the evaluation
    slack     not good, but value >= 0
    blunder   not good, and value < 0

The n legal actions are ranked by value, 1 the best; equal ones share the mean of their places, so that equal moves get
equal scores:

    score     10 (n - rank) / (n - 1)       evenly from 10 for the best to 0 for the worst; 10 where n = 1 (forced)
              +10 for the only good move, -10 for the only blunder, both where n > 1
              + the room's `review_bonus(state, action)`, where it has one

The mean score of the game is its excitement. With hindsight the played action's value is that of the position after it,
which was searched too: judgement.py tells when. Chance is not reviewed. Under hidden information the values are those
of the mover's own information, not of the deal that the record tells.
"""

import dataclasses
import json
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sevenfold import players, ranking
from sevenfold._core import CHANCE, State
from sevenfold.advisers import adviser
from sevenfold.files import whole_file
from sevenfold.game import Game, game_by_name
from sevenfold.game import game as find_game
from sevenfold.judgement import MARKS, After, Found, Measure, MoveReview, judged
from sevenfold.options import shown
from sevenfold.players import ActionView, Player
from sevenfold.records import Record

FORMAT = 1
"""Of the JSON."""


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
    hindsight: bool = True
    """Whether moves are judged by the search of the position after them too; never under hidden information."""
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

    def seat(self, player: int) -> str:
        """Who played, as a screen may show it: a record may hold anything, signs that steer a terminal too."""
        name = str(self.seats[player]) if player < len(self.seats) else ""
        return "".join(sign if sign.isprintable() else "?" for sign in name)

    def of_player(self, player: int) -> PlayerReview:
        """All moves of one player together."""
        moves = [move for move in self.counted if move.player == player]
        counts = {mark: sum(move.mark == mark for move in moves) for mark in MARKS}
        best, score = _mean([float(move.best) for move in moves]), _mean([move.score for move in moves])
        name = self.seats[player] if player < len(self.seats) else ""
        return PlayerReview(player, name, len(moves), **counts, best_share=best, score=score)

    @property
    def opposed(self) -> bool:
        """Whether one player's value tells everyone's: one player, or two of whom one loses what the other gets."""
        return self.players == 1 or (self.players == 2 and self.sum == "zero")

    def look_back(self, whole: bool = True) -> None:
        """Judges the moves again from what the search found, the last first, each by the one after it: all of them, or
        only as far back as the last one, which is new, changes anything."""
        measure = Measure(*self.returns, self.tolerance, self.opposed, self.players == 1)
        for at in reversed(range(len(self.moves))):
            one = self.moves[at]
            self.moves[at] = judged(
                one.ply, one.player, one.action, one.text, one.bonus, one.found, measure, self._after(at)
            )
            if not whole and self.moves[at] == one and at < len(self.moves) - 1:
                return

    def _after(self, at: int) -> After | None:
        """What the position after a move was worth; None where hindsight is silent."""
        if not self.hindsight:
            return None
        one, later = self.moves[at], self.moves[at + 1 : at + 2]
        if one.found.ended is not None:
            return After(one.found.ended, [True] * self.players)
        if later and later[0].ply == one.ply + 1:  # no chance in between
            return After(later[0].values, later[0].exact, later[0].line, later[0].line_texts)
        return None

    def settings(self) -> dict[str, Any]:
        """What the judgement of a move depends on: two reviews that agree in it can be joined."""
        left_out = ("moves", "skip_forced", "hindsight", "seats", "result")
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
            moves = [MoveReview.from_json(move) for move in data["moves"]]
            return cls(**{**fields, "returns": tuple(data["returns"]), "moves": moves})
        except (KeyError, TypeError, IndexError):
            raise ValueError(f"this is not a review of format {FORMAT}.") from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON to a file, all or nothing: a killed process leaves the file of before."""
        text = json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False, indent=1)
        with whole_file(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")

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
    player: str | Player | None = None,
    tolerance: float = 0.1,
    game: Game | str | None = None,
    progress: Callable[[Review], None] | None = None,
    skip_forced: bool = False,
    earlier: Review | None = None,
    hindsight: bool = True,
    **options: Any,
) -> Review:
    """Reviews every move of a game, finished or not.

    record: or a state, whose history is reviewed.
    player: who judges, a text such as "uct:simulations=5000" (with `options` as for `sf.player`), or a player. Its
        limits are for one move, all its alternatives together. By default the game's adviser (advisers.py).
    tolerance: how much worse than the best a good move may be, as a share of half the game's range of returns.
    game: needed only for a game that `sf.game` cannot find by name.
    progress: called with the review so far, before the first move and after each.
    skip_forced: moves without an alternative do not count for the means.
    earlier: a review of the same game that was stopped; its moves are not searched again.
    hindsight: whether a move is judged by the search of the position after it too.
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
    player = player or adviser(rules)
    seated = player if isinstance(player, Player) else players.player(player, rules, **options)
    name = seated.name if isinstance(player, Player) else _written(player, type(seated).takes, options)
    result = Review(
        rules.spec,
        rules.version,
        rules.players,
        rules.usual_returns,
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
        hindsight and not rules.has_hidden_information,
    )
    if earlier:
        result.moves = _moves_of(earlier, result, plies)
        result.look_back()
    seated.prepare()
    while True:
        if progress:
            progress(result)
        if result.complete:
            return result
        ply = plies[len(result.moves)]
        result.moves.append(_reviewed(result, seated, states[ply], ply, record.actions[ply]))
        result.look_back(whole=False)


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
    """A move by the search of its own position alone."""
    found = _found(player, state, action, review.opposed)
    measure = Measure(*review.returns, review.tolerance, review.opposed, review.players == 1)
    text, bonus = state.action_text(action), _bonus(state, action)
    return judged(ply, state.to_move, action, text, bonus, found, measure, None)


def _found(player: Player, state: State, action: int, opposed: bool) -> Found:
    player.reset()  # a resumed review has seen nothing of the moves before
    views = player.rank(state)
    values = [_finite(player, view) for view in views]
    line = views[0].pv or [views[0].action]
    after = state.copy()
    after.play(action)
    found = Found(
        actions=[view.action for view in views],
        values=values,
        proven=[view.proven for view in views],
        everyone=_for_everyone(player, state, values[0], opposed),
        line=line,
        line_texts=_texts(state, line),
        other_everyone=[],
        other_line=[],
        other_texts=[],
        ended=after.returns() if after.is_over else None,
    )
    sinks = views[0].action == action and len(views) > 1 and after.to_move != CHANCE
    if sinks and not state.game.has_hidden_information:  # what would stand instead, should hindsight let it sink
        other = views[1]
        found.other_line = other.pv or [other.action]
        found.other_texts = _texts(state, found.other_line)
        found.other_everyone = _for_everyone(player, state, values[1], opposed, other.action)
    return found


def _finite(player: Player, view: ActionView) -> float:
    if view.value is None or not math.isfinite(view.value):
        raise ValueError(f"{player.name} gave no value for an action: {ranking.instead(player)}.")
    return view.value


def _texts(state: State, line: list[int]) -> list[str]:
    from sevenfold.think_screen import texts  # here, because it brings rich

    return texts(state, line)


def _for_everyone(player: Player, state: State, value: float, opposed: bool, action: int | None = None) -> list[float]:
    """What each player can expect (after an action), given what the mover can; where that does not tell, the player is
    asked."""
    count, mover = state.game.players, state.to_move
    if opposed:
        return [value if seat == mover else -value for seat in range(count)]
    everyone = list(player.think(state).values) if action is None else ranking.expected(player, state, action)
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
