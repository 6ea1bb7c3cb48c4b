"""Proves what is learnt from: positions encoded as the rules see them through every symmetry, files of games that are
whole or refused, a window that moves as the config says, and two ways to keep positions that give the same samples."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import refused
from selfplay_games import Chunk, Sticks, Three, game_at, played, policy_at

import sevenfold as sf
from sevenfold import _core
from sevenfold.train import chunks
from sevenfold.train.config import Replaying
from sevenfold.train.encoded import Packed
from sevenfold.train.replay import Replay

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
CARDS = sf.game("easycard", preset="chance")


@pytest.fixture(scope="module")
def tic() -> Chunk:
    return played(TIC, 12, simulations=8, full_share=0.5, fast_simulations=4, seed=2)


def encoded(game: sf.Game, chunk: Chunk, positions: list[int], symmetries: list[int]) -> Any:
    game_of = np.repeat(np.arange(len(chunk["id"])), np.diff(chunk["position_start"]))
    rows = np.array(positions)
    starts = chunk["policy_start"][rows]
    return _core.encode(
        game.new(),
        chunk["actions"],
        chunk["action_start"][game_of[rows]],
        chunk["ply"][rows],
        np.array(symmetries, np.uint32),
        chunk["policy_action"],
        chunk["policy_share"],
        starts,
        (chunk["policy_start"][rows + 1] - starts).astype(np.int32),
    )


@pytest.mark.parametrize(("game", "symmetries"), [(TIC, 8), (FOUR, 2), (CARDS, 1), (sf.game(Three), 1)])
def test_positions_are_encoded_as_the_rules_observe_them(game: sf.Game, symmetries: int) -> None:
    chunk = played(game, 3, simulations=4, seed=1)
    for row in range(3):
        actions, positions = game_at(chunk, row)
        for position in positions:
            state = game.replay(actions[: int(chunk["ply"][position])])
            for symmetry in range(symmetries):
                planes, features, viewers, legal, policy = encoded(game, chunk, [position], [symmetry])
                turned = state.symmetric(symmetry) if symmetry else state
                seen = turned.observe(state.to_move)
                assert (planes[0] == seen.planes).all()
                assert (features[0] == seen.features).all()
                assert viewers.tolist() == [state.to_move]
                assert (legal[0] == turned.legal_mask()).all()
                wanted = np.zeros(game.actions, np.float32)
                for action, share in policy_at(chunk, position).items():
                    wanted[state.symmetric_action(symmetry, action) if symmetry else action] = share
                assert (policy[0] == wanted).all()
    some = [0, 1, 2]
    for plain, more in zip(
        encoded(game, chunk, some, [symmetries - 1] * 3),
        encoded(game, chunk, some, [3 * symmetries - 1] * 3),
        strict=True,
    ):
        assert (plain == more).all()  # any number, modulo how many there are


def test_what_is_not_in_the_record_is_refused(tic: Chunk) -> None:
    count = np.ones(1, np.int64)
    good: dict[str, Any] = {
        "actions": tic["actions"],
        "starts": count * 0,
        "plies": np.array([3], np.int32),
        "symmetries": np.zeros(1, np.uint32),
        "policy_actions": tic["policy_action"],
        "policy_shares": tic["policy_share"],
        "policy_starts": count * int(tic["policy_start"][3]),
        "policy_sizes": np.array([1], np.int32),
    }
    _core.encode(TIC.new(), **good)
    for name, value in [
        ("plies", -1), ("plies", 2**31 - 1), ("starts", -1), ("starts", 10**9), ("starts", 2**63 - 1),
        ("starts", -(2**63)), ("policy_starts", -1), ("policy_starts", 2**63 - 1), ("policy_sizes", -1),
        ("policy_sizes", 2**31 - 1),
    ]:  # fmt: skip
        with refused("outside the recorded games"):
            _core.encode(TIC.new(), **good | {name: np.array([value], good[name].dtype)})
    for name in ("starts", "plies", "symmetries", "policy_starts", "policy_sizes"):
        with refused("as many starts"):
            _core.encode(TIC.new(), **good | {name: np.zeros(2, good[name].dtype)})
    for action in (-1, 9, 2**31 - 1, int(tic["actions"][1])):
        with refused("illegal action"):
            _core.encode(TIC.new(), **good | {"actions": np.array([action, action, action], np.int32)})
    with refused("action that the game does not"):
        _core.encode(TIC.new(), **good | {"policy_actions": np.full_like(tic["policy_action"], 9)})
    with refused("policy has an illegal action"):
        _core.encode(TIC.new(), **good | {"policy_actions": np.full_like(tic["policy_action"], tic["actions"][0])})
    long = game_at(tic, 0)[0]
    with refused("no player to move"):
        _core.encode(TIC.new(), **good | {"plies": np.array([len(long)], np.int32)})


# Files


def same(first: Chunk, second: Chunk) -> bool:
    return all(first[name].dtype == second[name].dtype and (first[name] == second[name]).all() for name in chunks.NAMES)


def part(chunk: Chunk, first: int, last: int) -> Chunk:
    """Some games of a chunk, through its other end."""
    backwards = chunks.sorted_by_id(chunks.tail(chunk, first) | {})
    keep = last - first
    cut = {"id": keep, "game": keep, "ended": keep, "resign_ply": keep, "returns": keep}
    position, action = int(backwards["position_start"][keep]), int(backwards["action_start"][keep])
    policy = int(backwards["policy_start"][position])
    cut |= {"action_start": keep + 1, "position_start": keep + 1, "actions": action, "policy_start": position + 1}
    cut |= dict.fromkeys(("ply", "kind", "exact", "surprise", "value", "target"), position)
    cut |= dict.fromkeys(("policy_action", "policy_share"), policy)
    return {name: backwards[name][:size] for name, size in cut.items()}


def test_chunks_come_apart_and_together(tic: Chunk, tmp_path: Path) -> None:
    whole = chunks.sorted_by_id(tic)
    assert whole["id"].tolist() == list(range(12))
    assert not same(whole, tic)  # they were finished in another order
    pieces = [part(whole, 0, 5), part(whole, 5, 6), part(whole, 6, 12)]
    assert same(chunks.joined(pieces), whole)
    assert same(chunks.sorted_by_id(chunks.joined([pieces[2], pieces[0], pieces[1]])), whole)
    assert same(chunks.tail(whole, 5), chunks.joined(pieces[1:]))
    chunks.save(tmp_path / "a.npz", tic)
    assert same(chunks.load(tmp_path / "a.npz"), tic)
    for row, number in enumerate(tic["id"].tolist()):
        assert game_at(tic, row)[0] == game_at(whole, number)[0]
        for mine, its in zip(game_at(tic, row)[1], game_at(whole, number)[1], strict=True):
            assert policy_at(tic, mine) == policy_at(whole, its)
            assert (tic["target"][mine] == whole["target"][its]).all()


def test_files_that_are_cut_short_are_refused(tic: Chunk, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    chunks.save(path, part(chunks.sorted_by_id(tic), 0, 3))
    data = path.read_bytes()
    for size in [*range(0, len(data), max(1, len(data) // 150)), len(data) - 1]:
        path.write_bytes(data[:size])
        with refused("damaged, cut short, or none"):
            chunks.load(path)


def test_files_with_wrong_bytes_are_refused_or_the_same(tic: Chunk, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    whole = part(chunks.sorted_by_id(tic), 0, 3)
    chunks.save(path, whole)
    data, rng, refusals = path.read_bytes(), np.random.default_rng(1), 0
    for _ in range(200):
        wrong = bytearray(data)
        for at in rng.integers(0, len(data), 1 + int(rng.integers(3))):
            wrong[at] ^= int(rng.integers(1, 256))
        path.write_bytes(wrong)
        try:
            found = chunks.load(path)
        except ValueError:
            with refused("the games in "):
                chunks.load(path)
            refusals += 1
        else:
            assert same(found, whole)  # a byte that nobody reads
    assert refusals > 100
    for other in (b"", b"PK\x03\x04", b"\x93NUMPY", b"text"):
        path.write_bytes(other)
        with refused("damaged, cut short, or none"):
            chunks.load(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("id.npy", "no array")
    with refused("damaged, cut short, or none"):
        chunks.load(path)
    with refused("damaged, cut short, or none"):
        chunks.load(tmp_path / "nothing.npz")


@pytest.mark.parametrize(
    ("name", "change"),
    [(name, lambda a: a.astype(np.float64)) for name in chunks.NAMES]
    + [(name, lambda a: a[:-1]) for name in chunks.NAMES]
    + [(name, lambda a: a[None]) for name in chunks.NAMES]
    + [(name, lambda a: a * np.float32("nan")) for name in ("returns", "surprise", "value", "target", "policy_share")]
    + [(name, lambda a: a[::-1].copy()) for name in ("action_start", "position_start", "policy_start")]
    + [(name, lambda a: a - 1) for name in ("action_start", "position_start", "policy_start", "id", "ply")]
    + [("ply", lambda a: a + 100), ("id", lambda a: a * 0), ("policy_share", lambda a: a * 2)]
    + [("policy_share", lambda a: -a), ("policy_start", lambda a: np.concatenate([a[:1] * 0, a[1:] * 0 + a[-1]]))],
)
def test_games_that_do_not_fit_together_are_refused(tic: Chunk, tmp_path: Path, name: str, change: Any) -> None:
    chunks.save(tmp_path / "a.npz", tic | {name: change(tic[name])})
    with refused("the games in"):
        chunks.load(tmp_path / "a.npz")


def test_a_file_without_one_of_its_parts_is_refused(tic: Chunk, tmp_path: Path) -> None:
    for name in chunks.NAMES:
        chunks.save(tmp_path / "a.npz", {key: value for key, value in tic.items() if key != name})
        with refused("damaged, cut short, or none"):
            chunks.load(tmp_path / "a.npz")


# The window


def replay(**given: Any) -> Replay:
    return Replay([TIC], Replaying(**{"window": 10_000, "window_start": 1, "symmetries": False} | given))


def test_the_window_grows_and_moves(tic: Chunk) -> None:
    one, size = chunks.sorted_by_id(tic), chunks.positions(tic)
    every = replay(window_share=1.0)
    half = replay(window_share=0.5)
    small = replay(window=2 * size, window_share=1.0)
    start = replay(window_start=3 * size, window_share=0.0)
    for number in range(1, 9):
        for kept in (every, half, small, start):
            kept.add(one | {"id": one["id"] + 12 * number})
            assert kept.seen == number * size
        assert len(every) == number * size
        assert len(half) == -(-number // 2) * size  # whole chunks, at least the share
        assert len(small) == min(number, 2) * size
        assert len(start) == min(number, 3) * size
        drawn = half.draw(64, np.random.default_rng(number))
        assert drawn.rows.max() < len(half)
        setups, actions = half.position(int(drawn.rows[0]))
        seen = setups.replay(actions).observe()
        assert (drawn.planes[0] == seen.planes).all()
    assert half.bytes < every.bytes
    oldest = half.draw(1000, np.random.default_rng(0))
    assert len(np.unique(oldest.rows)) > 0.8 * len(half)


def test_what_surprised_is_drawn_more_often(tic: Chunk) -> None:
    kept = replay(surprise=0.5)
    kept.add(tic)
    found = np.bincount(kept.draw(40_000, np.random.default_rng(1)).rows, minlength=len(kept)) / 40_000
    surprise = np.maximum(tic["surprise"], 0) * (tic["kind"] == chunks.FULL)
    wanted = 0.5 / len(kept) + 0.5 * surprise / surprise.sum()
    assert found == pytest.approx(wanted, abs=0.006)
    assert (found[surprise == 0] > 0).all()
    plain = replay()
    plain.add(tic)
    found = np.bincount(plain.draw(40_000, np.random.default_rng(1)).rows, minlength=len(plain)) / 40_000
    assert found == pytest.approx(1 / len(plain), abs=0.006)


def test_only_full_searches_teach_a_policy(tic: Chunk) -> None:
    kept = replay()
    kept.add(tic)
    drawn = kept.draw(300, np.random.default_rng(1))
    assert (drawn.policy_weight == (tic["kind"][drawn.rows] == chunks.FULL)).all()
    assert 0 < drawn.policy_weight.mean() < 1
    assert (drawn.values == tic["target"][drawn.rows]).all()


def test_games_of_another_run_are_refused(tic: Chunk) -> None:
    with refused("a variant that this run does not have"):
        replay().add(tic | {"game": tic["game"] + 1})
    with refused("another number of players"):
        Replay([sf.game(Three)], Replaying()).add(tic)
    with refused("no positions to learn from"):
        replay().draw(4, np.random.default_rng(1))
    kept = replay()
    kept.add(tic | {"actions": np.zeros_like(tic["actions"])})
    with refused("illegal action"):
        kept.draw(64, np.random.default_rng(1))


# Two ways to keep positions


@pytest.mark.parametrize("game", [TIC, FOUR, CARDS, sf.game(Sticks), sf.game(Three)])
def test_both_stores_give_the_same_samples(game: sf.Game) -> None:
    games = [played(game, 6, simulations=4, seed=seed) for seed in range(4)]
    size = chunks.positions(games[0])
    kept = {}
    for store in ("actions", "planes"):
        config = {"window": 2 * size, "window_start": 2 * size, "window_share": 0.0}
        kept[store] = Replay([game], Replaying(symmetries=False, surprise=0.3, store=store, **config))
        for number, one in enumerate(games):
            kept[store].add(one | {"id": one["id"] + 6 * number})
            kept[store].draw(50, np.random.default_rng(number))
        assert len(kept[store]) < sum(chunks.positions(one) for one in games)
    for seed in range(5):
        by_actions, by_planes = (one.draw(128, np.random.default_rng(seed)) for one in kept.values())
        for name in ("rows", "planes", "features", "viewers", "legal", "policy", "policy_weight", "values"):
            mine, its = getattr(by_actions, name), getattr(by_planes, name)
            assert mine.dtype == its.dtype
            assert mine.shape == its.shape
            exact = game is not CARDS or name != "features"  # those are fractions, kept in two bytes
            assert (mine == its).all() if exact else np.allclose(mine, its, rtol=1e-3, atol=1e-4)
    assert kept["planes"].bytes_per_sample == pytest.approx(kept["planes"].bytes / len(kept["planes"]))
    assert kept["actions"].bytes < kept["planes"].bytes  # records only; the other has its planes too
    planes, features = int(np.prod(game.planes)), game.features
    room = {TIC: planes / 8, FOUR: planes / 8, CARDS: 2 * features}.get(game, features)
    more = (kept["planes"].bytes - kept["actions"].bytes) / len(kept["planes"])
    assert more < room + game.actions / 8 + 13  # a row's number, its viewer, and bits that are not full


def test_planes_are_kept_through_one_symmetry_each(tic: Chunk) -> None:
    kept = Replay([TIC], Replaying(store="planes"))
    kept.add(tic)
    rows = np.arange(len(kept))
    found, again = (kept.encoded(rows, np.full(len(rows), symmetry, np.uint32)) for symmetry in (0, 5))
    assert (found.planes == again.planes).all()  # it is chosen once …
    refilled = Replay([TIC], Replaying(store="planes"))
    refilled.add(tic)
    assert (refilled.encoded(rows, np.zeros(len(rows), np.uint32)).planes == found.planes).all()  # … and for ever
    used = set()
    for row in rows.tolist():
        views = [encoded(TIC, tic, [row], [symmetry]) for symmetry in range(8)]
        match = [
            symmetry
            for symmetry, one in enumerate(views)
            if (one[0][0] == found.planes[row]).all()
            and (one[3][0] == found.legal[row]).all()
            and (one[4][0] == found.policy[row]).all()
        ]
        assert match
        if len(match) == 1:
            used.add(match[0])
    assert len(used) > 4


def test_numbers_take_as_few_bits_as_hold_them() -> None:
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2, (50, 3, 7)).astype(np.float32)
    small = rng.integers(-128, 128, (50, 21)).astype(np.float32)
    odd = rng.normal(0, 1, (50, 21)).astype(np.float32)
    rows = np.array([3, 1, 1, 49])
    for given, each in ((bits, 3), (small, 21), (odd, 42), (odd * 1e6, 84), (np.zeros((50, 0), np.float32), 0)):
        packed = Packed(given)
        assert packed.nbytes == 50 * each
        assert packed[rows].dtype == np.float32
        assert packed[rows].shape == given[rows].shape
        assert packed[rows] == pytest.approx(given[rows], rel=0 if each != 42 else 1e-3, abs=0 if each != 42 else 1e-4)
