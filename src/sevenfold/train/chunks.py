"""Files of self-play games: numpy arrays (.npz, without pickle), whole or not at all.

A chunk is what `_core.Pool.take_finished` gives. For n games and m positions:
  id, game, ended, resign_ply [n], returns [n, players]    which game, how it ended
  action_start [n+1], actions                              the moves and chance outcomes of each game
  position_start [n+1]                                     the positions of each game, which have:
  ply, kind, exact, surprise [m], value, target [m, players]
  policy_start [m+1], policy_action, policy_share          the policy to learn, where it is not 0
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenfold.files import whole_file

Chunk = dict[str, NDArray[Any]]
STARTS = {"action_start": "actions", "position_start": "ply", "policy_start": "policy_action"}
KINDS = {
    "id": "i8", "game": "u2", "ended": "u1", "resign_ply": "i4", "returns": "f4", "action_start": "i8", "actions": "i4",
    "position_start": "i8", "ply": "i4", "kind": "u1", "exact": "u1", "surprise": "f4", "value": "f4", "target": "f4",
    "policy_start": "i8", "policy_action": "u2", "policy_share": "f4",
}  # fmt: skip
NAMES = tuple(KINDS)
WIDE = ("returns", "value", "target")
"""Those with a column per player."""
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
    except Exception:  # numpy, zipfile and zlib have their own kinds of error for every way in which a file can be none
        raise ValueError(f"the games in {path} are damaged, cut short, or none.") from None
    _check(path, chunk)
    return chunk


def _check(path: Path, chunk: Chunk) -> None:
    for name, kind in KINDS.items():
        if chunk[name].dtype != np.dtype(kind) or chunk[name].ndim != (2 if name in WIDE else 1):
            raise ValueError(f"the games in {path} have a {name} of another kind.")
    n, m, players = len(chunk["id"]), len(chunk["ply"]), chunk["returns"].shape[1]
    sizes = dict.fromkeys(("game", "ended", "resign_ply"), (n,)) | {"returns": (n, players)}
    sizes |= dict.fromkeys(("kind", "exact", "surprise"), (m,)) | dict.fromkeys(("value", "target"), (m, players))
    for name, size in (sizes | {"policy_share": chunk["policy_action"].shape}).items():
        if chunk[name].shape != size:
            raise ValueError(f"the games in {path} do not fit together: {name}.")
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
    if (chunk["id"] < 0).any() or len(np.unique(chunk["id"])) != n:
        raise ValueError(f"the games in {path} do not fit together: id.")
    # A position lies within its game, or right behind its last action where a player resigned.
    longest = np.repeat(np.diff(chunk["action_start"]), np.diff(chunk["position_start"]))
    if ((chunk["ply"] < 0) | (chunk["ply"] > longest)).any():
        raise ValueError(f"the games in {path} do not fit together: ply.")
    totals = np.add.reduceat(np.append(chunk["policy_share"], 0), chunk["policy_start"][:-1]) if m else np.ones(0)
    if (
        (chunk["policy_share"] < 0).any()
        or (np.diff(chunk["policy_start"]) == 0).any()
        or (abs(totals - 1) > 1e-2).any()
    ):
        raise ValueError(f"the games in {path} have a policy that does not add up to 1.")


def tail(chunk: Chunk, games: int) -> Chunk:
    """A chunk without its first games."""
    position = int(chunk["position_start"][games])
    firsts = dict.fromkeys(("id", "game", "ended", "resign_ply", "returns", "action_start", "position_start"), games)
    firsts |= dict.fromkeys(("ply", "kind", "exact", "surprise", "value", "target", "policy_start"), position)
    firsts |= {"actions": int(chunk["action_start"][games])}
    firsts |= dict.fromkeys(("policy_action", "policy_share"), int(chunk["policy_start"][position]))
    out = {name: chunk[name][first:] for name, first in firsts.items()}
    return out | {name: out[name] - out[name][0] for name in STARTS}


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
    actions = ranges(chunk["action_start"], order)
    positions_ = ranges(chunk["position_start"], order)
    policies = ranges(chunk["policy_start"], positions_)
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


def ranges(starts: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers starts[i] .. starts[i + 1] - 1 for each i of an order, one after another."""
    lengths = np.diff(starts)[order]
    ends = np.cumsum(lengths)
    out: NDArray[np.int64] = np.repeat(starts[:-1][order] - (ends - lengths), lengths)
    return out + np.arange(len(out))
