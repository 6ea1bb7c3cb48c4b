"""A start from game records, as AlphaGo's from those of strong players: policy = the move played, value = the result.

Where a move's data says `policy`, a share of each action, that is learnt instead of the move. Where returns grow on the
way (`Game.gain`), the value is what was still to come. Where a move's data says `worth`, a return for each player, it
is learnt instead of the result: of long games, what came of a position soon says more than how they ended.

Records become a chunk like one of self-play (chunks.py), RUN/games/000000/records.npz, with records.json beside it: the
games it is of, and what was left out. Every move is checked against the rules. What is learnt from a position:

  full     the move that was played, and how the game ended
  fast     how the game ended: the move was not a player's, but of a match's random opening
  forced   the same: there was one legal action

Unfinished games whose moves do not all say `worth`, and those that begin from a position of their own, are left out and
counted.

D. Silver et al., Mastering the game of Go with deep neural networks and tree search (2016).
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold._core import CHANCE, TERMINAL
from sevenfold.files import FilePath, whole_file
from sevenfold.game import Game, game_by_name
from sevenfold.nets import Description
from sevenfold.options import shown
from sevenfold.records import Record, numbered_records
from sevenfold.seeds import seed_of
from sevenfold.train import chunks
from sevenfold.train.chunks import Chunk

NAME = "records"
Whole = NDArray[np.int64]


@dataclass
class Games:
    """The games of a file of records."""

    chunk: Chunk
    setups: list[Game]
    """The games that `chunk["game"]` counts: one, or the boards of a net that knows several."""
    unfinished: int = 0
    elsewhere: int = 0
    """Games that begin from a position of their own, which a chunk cannot say."""

    def split(self, share: float, seed: int) -> tuple[Whole, Whole]:
        """The numbers of the positions to learn from, and of those held out: whole games, and where two are the same
        move by move, both on one side."""
        starts, actions = self.chunk["action_start"], self.chunk["actions"]
        keys = [
            (int(setup), actions[begin:end].tobytes())
            for setup, begin, end in zip(self.chunk["game"], starts[:-1], starts[1:], strict=True)
        ]
        different = list(dict.fromkeys(keys))
        order = np.random.default_rng(seed_of(seed, 0, "held out")).permutation(len(different))
        count = min(len(different) - 1, max(1, round(share * len(different)))) if share > 0 else 0
        away = {different[one] for one in order[:count]}
        held = np.array([key in away for key in keys])
        by_position = np.repeat(held, np.diff(self.chunk["position_start"]))
        return np.flatnonzero(~by_position), np.flatnonzero(by_position)


@dataclass
class _Columns:
    """A chunk that grows."""

    game: list[int] = field(default_factory=list)
    returns: list[list[float]] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    """Of each game: actions."""
    counts: list[int] = field(default_factory=list)
    """Of each game: positions."""
    actions: list[int] = field(default_factory=list)
    ply: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    got: list[list[float]] = field(default_factory=list)
    """Of each position: what the players had got before, where returns grow on the way."""
    policy: list[dict[int, float]] = field(default_factory=list)
    said: dict[int, list[float]] = field(default_factory=dict)
    """Of the positions whose moves say so: the values to learn."""

    def chunk(self, players: int) -> Chunk:
        games, positions = len(self.game), len(self.ply)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.lengths, dtype=np.int64)])
        returns = np.array(self.returns, np.float32).reshape(games, players)
        actions, ply = np.array(self.actions, np.int32), np.array(self.ply, np.int32)
        value = np.repeat(returns, self.counts, axis=0)
        target = value - np.array(self.got, np.float32).reshape(positions, players)
        if self.said:
            target[list(self.said)] = np.array(list(self.said.values()), np.float32)
        sizes = np.array([len(one) for one in self.policy], np.int64)
        return {
            "id": np.arange(games, dtype=np.int64),
            "game": np.array(self.game, np.uint16),
            "ended": np.zeros(games, np.uint8),
            "resign_ply": np.full(games, -1, np.int32),
            "returns": returns,
            "action_start": starts,
            "actions": actions,
            "position_start": np.concatenate([np.zeros(1, np.int64), np.cumsum(self.counts, dtype=np.int64)]),
            "ply": ply,
            "kind": np.array(self.kind, np.uint8),
            "exact": np.zeros(positions, np.uint8),
            "surprise": np.zeros(positions, np.float32),
            "value": value,
            "target": target,
            "policy_start": np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)]),
            "policy_action": np.array([action for one in self.policy for action in one], np.uint16),
            "policy_share": np.array([share for one in self.policy for share in one.values()], np.float32),
        }


def read(path: FilePath, about: Description, rules: Game) -> Games:
    """The games of a file of records, for a net; ValueError with the line of one that is of other rules or against
    them."""
    columns, setups = _Columns(), {json.dumps(rules.options): 0}
    games, unfinished, elsewhere = [rules], 0, 0
    try:
        for line, record in numbered_records(path):
            try:
                _check_rules(record, rules)
                options = json.dumps(record.options)
                if options not in setups:
                    games.append(_other_board(record, about, rules))
                    setups[options] = len(games) - 1
                number = setups[options]
                here = record.start is None
                if not here or (record.result is None and not _is_valued(record, games[number])):
                    unfinished += record.result is None
                    elsewhere += record.result is not None
                    continue
                _add(columns, record, games[number], number)
            except ValueError as error:
                raise ValueError(f"{path}, line {line}: {error}") from None
    except OSError as error:
        raise ValueError(f"the game records {path} cannot be read: {error.strerror}.") from None
    if not columns.ply:
        raise ValueError(f"{path} has no finished game of {rules.name} to learn from.")
    return Games(columns.chunk(rules.players), games, unfinished, elsewhere)


def _check_rules(record: Record, rules: Game) -> None:
    if (record.game, record.version) != (rules.name, rules.version):
        raise ValueError(
            f"this is a record of {shown(record.game)} v{shown(record.version)}, "
            f"and the run is of {rules.name} v{rules.version}."
        )


def _other_board(record: Record, about: Description, rules: Game) -> Game:
    """The game of a record that is not the run's own; ValueError where the net does not know it."""
    other = game_by_name(rules.name, record.options)
    if other.options != record.options:
        raise ValueError(f"this record of {rules.name} was played with other options: {shown(record.options)}.")
    try:
        about.check(other)
    except ValueError as error:
        raise ValueError(str(error).replace("this net", "this run", 1)) from None
    return other


def _add(columns: _Columns, record: Record, rules: Game, number: int) -> None:
    state = rules.new()
    opening = _opening(record)
    positions = 0
    for ply, action in enumerate(record.actions):
        mover = state.to_move
        if mover not in (CHANCE, TERMINAL):
            legal = state.legal_actions()
            alone = len(legal) == 1
            columns.ply.append(ply)
            columns.got.append(state.returns() if rules.gain else [0.0] * rules.players)
            columns.policy.append(_policy(record, ply, legal) or {action: 1.0})
            if (said := _worth(record, ply, rules)) is not None:
                columns.said[len(columns.ply) - 1] = said
            columns.kind.append(chunks.FORCED if alone else chunks.FAST if ply < opening else chunks.FULL)
            positions += 1
        try:
            state.play(action)
        except ValueError as error:
            raise ValueError(f"at ply {ply}, {error}") from None
    result = record.result
    if result is not None:
        over = state.to_move == TERMINAL and len(result) == rules.players
        if not over or not np.allclose(state.returns(), result, rtol=0, atol=1e-9):
            raise ValueError(f"it says the result is {shown(result)}, but its moves do not.")
    columns.game.append(number)
    columns.returns.append(state.returns())
    columns.lengths.append(len(record.actions))
    columns.counts.append(positions)
    columns.actions += record.actions


def _policy(record: Record, ply: int, legal: list[int]) -> dict[int, float]:
    """What the data of a move says of all actions: a share of each, 1 together; empty where it says nothing."""
    said = (record.moves[ply] or {}).get("policy") if ply < len(record.moves) else None
    if said is None:
        return {}
    wrong = ValueError(f"at ply {ply}, its policy is not a share of each action, but {shown(said)}.")
    if not isinstance(said, dict) or not all(str(action).isdecimal() for action in said):
        raise wrong
    shares = {int(action): share for action, share in said.items()}
    if not all(type(share) in (int, float) and 0 <= share <= 1 for share in shares.values()):
        raise wrong
    if not shares.keys() <= set(legal) or abs(sum(shares.values()) - 1) > 1e-2:
        raise wrong
    total = sum(shares.values())
    return {action: share / total for action, share in shares.items()}


def _worth(record: Record, ply: int, rules: Game) -> list[float] | None:
    """What the data of a move says its position was worth to each player; None where it says nothing."""
    said = (record.moves[ply] or {}).get("worth") if ply < len(record.moves) else None
    if said is None:
        return None
    fine = isinstance(said, list) and len(said) == rules.players
    if not fine or not all(type(one) in (int, float) and rules.min_return <= one <= rules.max_return for one in said):
        raise ValueError(f"at ply {ply}, its worth is not a return for each player, but {shown(said)}.")
    return [float(one) for one in said]


def _is_valued(record: Record, rules: Game) -> bool:
    """Whether a game that was not played to its end says what all its players' moves are worth."""
    state = rules.new()
    for ply, action in enumerate(record.actions):
        if state.to_move not in (CHANCE, TERMINAL) and _worth(record, ply, rules) is None:
            return False
        try:
            state.play(action)
        except ValueError as error:
            raise ValueError(f"at ply {ply}, {error}") from None
    return bool(record.actions)


def _opening(record: Record) -> int:
    """How many plies of a match's record were drawn, not played: those before the first of which something is said."""
    return next((ply for ply, said in enumerate(record.moves) if said is not None), 0)


def save(folder: Path, games: Games) -> None:
    """Writes them into a run; records.json comes last, and says that all is there."""
    folder.mkdir(parents=True, exist_ok=True)
    chunks.save(folder / f"{NAME}.npz", games.chunk)
    about: dict[str, Any] = {"setups": [one.options for one in games.setups]}
    about |= {"unfinished": games.unfinished, "elsewhere": games.elsewhere}
    with whole_file(folder / f"{NAME}.json") as temporary:
        temporary.write_text(json.dumps(about) + "\n", encoding="utf-8")


def load(folder: Path, rules: Game) -> Games | None:
    """What `save` has written; None where it has not, or not all of it."""
    try:
        about = json.loads((folder / f"{NAME}.json").read_text(encoding="utf-8"))
        setups = [rules, *(game_by_name(rules.name, options) for options in about["setups"][1:])]
        return Games(chunks.load(folder / f"{NAME}.npz"), setups, int(about["unfinished"]), int(about["elsewhere"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
