"""Files of self-play games: numpy arrays (.npz, without pickle), whole or not at all.

A chunk is what `_core.Pool.take_finished` gives. For n games and m positions:
  id, game, ended, resign_ply [n], returns [n, players]    which game, how it ended
  action_start [n+1], actions                              the moves and chance outcomes of each game
  position_start [n+1]                                     the positions of each game, which have:
  ply, kind, exact, surprise [m], value, target [m, players]
  policy_start [m+1], policy_action, policy_share          the policy to learn, where it is not 0
"""

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold.files import whole_file

Chunk = dict[str, NDArray[Any]]
STARTS = {"action_start": "actions", "position_start": "ply", "policy_start": "policy_action"}
NAMES = [
    "id",
    "game",
    "ended",
    "resign_ply",
    "returns",
    "action_start",
    "actions",
    "position_start",
    "ply",
    "kind",
    "exact",
    "surprise",
    "value",
    "target",
    "policy_start",
    "policy_action",
    "policy_share",
]
FULL, FAST, FORCED = 0, 1, 2
"""Kinds of positions."""


def save(path: Path, chunk: Chunk) -> None:
    """Writes a chunk."""
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **chunk)


def load(path: Path) -> Chunk:
    """Reads a chunk; ValueError where it is none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            chunk = {name: file[name] for name in NAMES}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zipfile.LargeZipFile):
        raise ValueError(f"the games in {path} are damaged, cut short, or none.") from None
    _check(path, chunk)
    return chunk


def _check(path: Path, chunk: Chunk) -> None:
    counts = {"action_start": len(chunk["id"]), "position_start": len(chunk["id"]), "policy_start": len(chunk["ply"])}
    for start, inside in STARTS.items():
        starts = chunk[start]
        if len(starts) != counts[start] + 1 or starts[0] != 0 or starts[-1] != len(chunk[inside]):
            raise ValueError(f"the games in {path} do not fit together: {start}.")
        if (np.diff(starts) < 0).any():
            raise ValueError(f"the games in {path} do not fit together: {start}.")
    for name in ("value", "target", "returns", "policy_share", "surprise"):
        if not np.isfinite(chunk[name]).all():
            raise ValueError(f"the games in {path} have a {name} that is no number.")


def joined(chunks: Iterable[Chunk]) -> Chunk:
    """Several chunks as one; at least one."""
    given = list(chunks)
    out: Chunk = {}
    for name in NAMES:
        parts = [chunk[name] for chunk in given]
        if name not in STARTS:
            out[name] = np.concatenate(parts)
            continue
        ends = np.cumsum([0] + [int(part[-1]) for part in parts])
        moved = [part[1:] + end for part, end in zip(parts, ends[:-1], strict=True)]
        out[name] = np.concatenate([np.zeros(1, np.int64), *moved])
    return out


def positions(chunk: Chunk) -> int:
    """How many there are."""
    return len(chunk["ply"])


def sorted_by_id(chunk: Chunk) -> Chunk:
    """The same games, by their numbers."""
    order = np.argsort(chunk["id"], kind="stable")
    out: Chunk = {name: chunk[name][order] for name in ("id", "game", "ended", "resign_ply", "returns")}
    actions = _ranges(chunk["action_start"], order)
    positions_ = _ranges(chunk["position_start"], order)
    policies = _ranges(chunk["policy_start"], positions_)
    out["actions"] = chunk["actions"][actions]
    out["action_start"] = _starts(np.diff(chunk["action_start"])[order])
    out["position_start"] = _starts(np.diff(chunk["position_start"])[order])
    for name in ("ply", "kind", "exact", "surprise", "value", "target"):
        out[name] = chunk[name][positions_]
    out["policy_start"] = _starts(np.diff(chunk["policy_start"])[positions_])
    for name in ("policy_action", "policy_share"):
        out[name] = chunk[name][policies]
    return out


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _ranges(starts: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers starts[i] .. starts[i + 1] - 1 for each i of an order, one after another."""
    lengths = np.diff(starts)[order]
    ends = np.cumsum(lengths)
    out: NDArray[np.int64] = np.repeat(starts[:-1][order] - (ends - lengths), lengths)
    return out + np.arange(len(out))
