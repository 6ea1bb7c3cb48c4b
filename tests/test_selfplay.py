"""Proves self-play (cpp/selfplay): games are legal and whole, targets are true, options do what they say, the same
seed gives the same games, nothing hidden is looked at, and nonsense is refused."""

from typing import Any

import numpy as np
import pytest
from helpers import refused
from selfplay_games import Secret, Sticks, Three, answer, by_id, finish, game_at, played, policy_at, pool_options

import sevenfold as sf
from sevenfold import _core

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
RULES, PROVEN, RESIGNED, CAPPED = range(4)
FULL, FAST, FORCED = range(3)
GAMES = {
    "tic_tac_toe": TIC,
    "connect_four": FOUR,
    "easycard": sf.game("easycard"),
    "arena": sf.game("easycard", preset="arena"),
    "chance": sf.game("easycard", preset="chance"),
    "hidden": sf.game("easycard", preset="chance", hidden=True),
    "sticks": sf.game(Sticks),
    "three": sf.game(Three),
    "secret": sf.game(Secret),
}


def check_games(game: sf.Game, chunk: dict[str, np.ndarray], everything: bool = True) -> None:
    """Every game of a chunk is a game by the rules, and says of itself what is true."""
    for row in range(len(chunk["id"])):
        actions, positions = game_at(chunk, row)
        state, by_ply, decisions = game.new(), {int(chunk["ply"][p]): p for p in positions}, []
        assert len(by_ply) == len(positions)
        for ply, action in enumerate(actions):
            if state.to_move == sf.CHANCE:
                assert action in {outcome for outcome, _ in state.chance()}
                assert ply not in by_ply
            else:
                decisions.append(ply)
                check_position(state, chunk, by_ply.get(ply))
                assert action in state.legal_actions()
            state.play(action)
        left = [ply for ply in by_ply if ply >= len(actions)]  # a game that ended in the middle: where it stopped
        assert len(left) == (chunk["ended"][row] in (PROVEN, RESIGNED))
        for ply in left:
            check_position(state, chunk, by_ply[ply])
        if everything:
            assert sorted(by_ply) == decisions + left
        if chunk["ended"][row] in (RULES, CAPPED):
            assert chunk["returns"][row].tolist() == pytest.approx(state.returns())
        assert state.is_over == (chunk["ended"][row] == RULES)


def check_position(state: sf.State, chunk: dict[str, np.ndarray], position: int | None) -> None:
    if position is None:
        return
    policy, legal = policy_at(chunk, position), state.legal_actions()
    assert sum(policy.values()) == pytest.approx(1, abs=1e-4)
    assert set(policy) <= set(legal)
    assert min(policy.values()) > 0
    assert (chunk["kind"][position] == FORCED) == (len(legal) == 1)
    assert chunk["surprise"][position] >= -1e-4
    game = state.game
    for name in ("value", "target"):
        assert (chunk[name][position] >= game.min_return - 1e-5).all()
        assert (chunk[name][position] <= game.max_return + 1e-5).all()


@pytest.mark.parametrize("root", ["gumbel", "formula"])
@pytest.mark.parametrize("name", GAMES)
def test_games_are_games(name: str, root: str) -> None:
    game = GAMES[name]
    for more in ({}, {"leaves": 3, "reuse": True, "cache": 500}):
        chunk = played(game, 5, root=root, simulations=8, seed=1, **more)
        assert sorted(chunk["id"].tolist()) == list(range(5))
        assert (chunk["ended"] == RULES).all()
        check_games(game, chunk)
    assert len({tuple(game_at(chunk, row)[0]) for row in range(5)}) > 1


GUIDED: dict[str, Any] = {"root": "formula", "search_expand_at": 6, "search_mix": 0.8, "simulations": 60, "seed": 1}


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "chance", "sticks", "three"])
def test_guided_searches_play_games_and_ask_less(name: str) -> None:
    game = GAMES[name]
    for more in ({}, {"leaves": 3, "reuse": True, "cache": 500, "noise_share": 0.0}):
        pool = _core.Pool([game.new()], pool_options(**GUIDED, **more))
        for number in range(5):
            pool.add(number, 0)
        check_games(game, finish(pool, game))
        assert 0 < pool.counts["evaluations"] < pool.counts["simulations"] / 2


def test_a_guided_search_plays_the_same_game_beside_others() -> None:
    alone, beside = (by_id(played(FOUR, 6, slots=slots, **GUIDED)) for slots in (1, 5))
    assert alone == beside


def test_noise_reaches_the_root_of_a_guided_search() -> None:
    quiet, loud = (by_id(played(FOUR, 1, noise_share=share, **GUIDED))[0] for share in (0.0, 1.0))
    assert quiet[3][0] != loud[3][0]


@pytest.mark.parametrize("name", ["tic_tac_toe", "chance", "hidden", "sticks", "three"])
def test_the_same_number_gives_the_same_game(name: str) -> None:
    """Whatever plays beside it, whoever remembers evaluations, and in whatever order games are asked for."""
    game = GAMES[name]
    first = by_id(played(game, 9, seed=3, slots=1))
    assert by_id(played(game, 9, seed=3, slots=5)) == first
    assert by_id(played(game, 9, seed=3, slots=16, cache=1000)) == first
    assert by_id(played(game, 9, seed=3, slots=2, cache=7)) == first
    pool = _core.Pool([game.new()], pool_options(seed=3))
    for number in (7, 2):
        pool.add(number)
    assert by_id(finish(pool, game)) == {number: first[number] for number in (7, 2)}
    assert by_id(played(game, 9, seed=4)) != first


def test_the_endgame_prover_is_the_exception_that_the_header_names() -> None:
    """One game after another it is the same every time; side by side the games share what it has learnt."""
    given = {"seed": 3, "slots": 1, "endgame": 300}
    assert by_id(played(FOUR, 2, **given)) == by_id(played(FOUR, 2, **given))


def test_evaluations_are_remembered_per_variant() -> None:
    """Two boards whose stones stand alike are not the same position where another cell is blocked."""
    games = [sf.game("connect_four", blocked=(5, 0)), sf.game("connect_four", blocked=(5, 6))]
    with_cache = played(games, 8, seed=1, slots=1, cache=1 << 16, simulations=6)
    without = played(games, 8, seed=1, slots=1, simulations=6)
    assert by_id(with_cache) == by_id(without)


def minimax(text: str, memory: dict[str, float]) -> float:
    """The value of a position of tic-tac-toe for player 0, by looking at everything."""
    if text not in memory:
        state = TIC.parse(text)
        if state.is_over:
            memory[text] = state.returns()[0]
        else:
            after = []
            for action in state.legal_actions():
                child = state.copy()
                child.play(action)
                after.append(minimax(child.to_text(), memory))
            memory[text] = max(after) if state.to_move == 0 else min(after)
    return memory[text]


@pytest.mark.parametrize("endgame", [0, 5000])
def test_exact_positions_are_true_and_reach_back(endgame: int) -> None:
    memory: dict[str, float] = {}
    chunk = played(TIC, 40, root="formula", simulations=60, temperature_moves=9, temperature=5.0, endgame=endgame)
    exact, differs = 0, 0
    for row in range(40):
        actions, positions = game_at(chunk, row)
        known = chunk["returns"][row].tolist()
        for p in reversed(positions):
            ply = int(chunk["ply"][p])
            state = TIC.replay(actions[:ply])
            if chunk["exact"][p]:
                exact += 1
                truth = minimax(state.to_text(), memory)
                assert chunk["value"][p].tolist() == [truth, -truth]
                for action, _ in policy_at(chunk, p).items():
                    child = state.copy()
                    child.play(action)
                    assert minimax(child.to_text(), memory) == truth  # only best actions are taught
                known = chunk["value"][p].tolist()
            assert chunk["target"][p].tolist() == known
            differs += known != chunk["returns"][row].tolist()
    assert exact > 80
    assert differs >= (endgame == 0)  # some were spoilt afterwards, by searches that proved nothing


def test_value_targets_are_mixed_with_the_search() -> None:
    chunk = played(TIC, 10, solver=False, value_mix=0.25, simulations=6)
    assert not chunk["exact"].any()
    for row in range(10):
        for p in game_at(chunk, row)[1]:
            own = 0 if chunk["kind"][p] == FORCED else 0.25
            wanted = (1 - own) * chunk["returns"][row] + own * chunk["value"][p]
            assert chunk["target"][p] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("settles", [False, True])
def test_endgame_proofs_agree_with_the_perfect_player(settles: bool) -> None:
    given: dict[str, Any] = {"random_plies": 34, "random_share": 1.0, "seed": 2, "slots": 4}
    given |= {"search_settle": 3000} if settles else {"endgame": 3000, "solver": False}
    pool = _core.Pool([FOUR.new()], pool_options("formula", simulations=4, **given))
    for number in range(40):
        pool.add(number)
    chunk = finish(pool, FOUR)
    check_games(FOUR, chunk, everything=False)
    perfect = sf.player("perfect:cache=false", FOUR)
    checked = 0
    for row in range(40):
        actions, positions = game_at(chunk, row)
        for p in positions:
            ply = int(chunk["ply"][p])
            if not chunk["exact"][p] or ply < 16 or checked >= 60:
                continue
            state = FOUR.replay(actions[:ply])
            result = perfect.think(state)
            sign = (result.score > 0) - (result.score < 0)
            assert chunk["value"][p][state.to_move] == sign
            best = {
                action for action, one in enumerate(result.scores) if one is not None and (one > 0) - (one < 0) == sign
            }
            assert set(policy_at(chunk, p)) <= best
            checked += 1
    counts = pool.counts
    assert checked > 30
    if settles:
        assert counts["endgames"] == 0
        return
    assert 0 < counts["endgames_proven"] <= counts["endgames"]
    assert counts["endgame_nodes"] > 0


def test_games_stop_at_the_cap() -> None:
    chunk = played(FOUR, 6, move_cap=5, simulations=4)
    assert (chunk["ended"] == CAPPED).all()
    assert (np.diff(chunk["action_start"]) == 5).all()
    assert (chunk["returns"] == 0).all()
    check_games(FOUR, chunk)


def test_a_share_of_the_games_begins_at_random() -> None:
    chunk = played(TIC, 400, random_plies=3, random_share=0.5, simulations=1, slots=16, solver=False)
    first = chunk["ply"][chunk["position_start"][:-1]]
    share = np.bincount(first, minlength=4) / 400
    assert share[0] == pytest.approx(0.5, abs=0.1)
    assert share[1:4] == pytest.approx(1 / 6, abs=0.07)
    check_games(TIC, chunk, everything=False)
    assert (played(TIC, 20, random_plies=3, random_share=0.0)["ply"] == 0).sum() == 20


def test_quiet_openings_lead_to_positions_that_are_still_open() -> None:
    """As the network sees it: its value after the opening is near 0; games without an opening are as they were."""
    given: dict[str, Any] = {"random_plies": 8, "simulations": 2, "slots": 8, "solver": False, "seed": 3}

    def first_values(chunk: dict[str, np.ndarray]) -> list[float]:
        out = []
        for row in range(len(chunk["id"])):
            actions, positions = game_at(chunk, row)
            state = FOUR.replay([int(one) for one in actions[: chunk["ply"][positions[0]]]])
            seen = state.observe(state.to_move)
            out.append(abs(float(answer(seen.planes[None], seen.features[None], 2, 7)[0][0, 0])))
        return out

    wild = played(FOUR, 60, random_share=1.0, **given)
    calm = played(FOUR, 60, random_share=1.0, quiet=0.5, **given)
    assert sum(value > 0.5 for value in first_values(wild)) > 10
    assert sum(value > 0.5 for value in first_values(calm)) <= 2  # sixteen tries may fail
    check_games(FOUR, calm, everything=False)
    assert sorted(calm["id"]) == list(range(60))
    assert (calm["ply"][calm["position_start"][:-1]] > 0).all()
    one, other = (played(FOUR, 10, random_share=0.0, quiet=quiet, **given) for quiet in (0.1, 1.0))
    assert by_id(one) == by_id(other)


def test_quiet_openings_are_not_proven_won_and_not_over() -> None:
    chunk = played(TIC, 80, random_plies=8, random_share=1.0, quiet=0.9, simulations=4, slots=8, endgame=10_000,
                   evaluate=lambda planes, *_: (np.zeros((len(planes), 2), np.float32),
                                              np.zeros((len(planes), 9), np.float32)))  # fmt: skip
    assert (np.diff(chunk["position_start"]) > 0).all()  # none is over before it begins
    first = chunk["position_start"][:-1]
    assert (chunk["target"][first[chunk["exact"][first] == 1]] == 0).all()
    again = played(TIC, 80, random_plies=8, random_share=1.0, simulations=4, slots=8)
    assert (np.diff(again["position_start"]) == 0).any()


def test_where_the_waiting_positions_are() -> None:
    pool = _core.Pool([FOUR.new()], pool_options(simulations=20, random_plies=3, random_share=1.0))
    for number in range(4):
        pool.add(number, 0)
    longest = 0
    for _ in range(40):
        pool.collect()
        planes, features, viewers, _ = pool.batch()
        places = pool.places()
        assert len(places) == len(planes)
        for row, (game, actions) in enumerate(places):
            state = FOUR.replay(actions)
            assert (game, state.to_move) == (0, viewers[row])
            assert (state.observe(state.to_move).planes == planes[row]).all()
            longest = max(longest, len(actions))
        pool.resume(*answer(planes, features, 2, 7))
    assert longest > 5
    assert _core.Pool([TIC.new()], pool_options()).places() == []


def losing(planes: np.ndarray, features: np.ndarray, players: int, actions: int) -> Any:
    """Player 1 always seems lost, and it is the second plane's owner that moves when both have as many stones."""
    return np.tile(np.float32([0.95, -0.95]), (len(planes), 1)), np.zeros((len(planes), actions), np.float32)


def test_lost_games_are_resigned_but_for_a_share() -> None:
    given: dict[str, Any] = {"solver": False, "simulations": 3, "resign": -0.8, "slots": 16}
    chunk = played(FOUR, 300, losing, play_on_share=0.2, **given)
    resigned = chunk["ended"] == RESIGNED
    assert resigned.mean() == pytest.approx(0.8, abs=0.08)
    assert (chunk["returns"][resigned] == [1, -1]).all()
    assert (np.diff(chunk["action_start"])[resigned] == 3).all()  # the second decision of player 1
    assert (chunk["resign_ply"][resigned] == -1).all()
    assert (chunk["resign_ply"][~resigned] == 3).all()
    check_games(FOUR, chunk)
    assert (played(FOUR, 5, losing, play_on_share=0.0, resign_moves=1, **given)["ended"] == RESIGNED).all()
    assert (played(FOUR, 5, losing, **given | {"resign": -1.0})["ended"] == RULES).all()


def test_proven_games_stop_where_asked() -> None:
    chunk = played(TIC, 200, root="formula", simulations=40, stop_proven=0.5, temperature=3.0, slots=16)
    stopped = chunk["ended"] == PROVEN
    assert stopped.mean() == pytest.approx(0.5, abs=0.12)
    last = chunk["position_start"][1:] - 1
    assert chunk["exact"][last[stopped]].all()
    assert (chunk["returns"][stopped] == chunk["value"][last[stopped]]).all()
    check_games(TIC, chunk)
    assert (played(TIC, 20, root="formula", simulations=40)["ended"] == RULES).all()


def test_the_playout_cap_makes_short_searches() -> None:
    chunk = played(
        FOUR, 60, full_share=0.25, simulations=30, fast_simulations=2, solver=False, root="formula", slots=16
    )
    searched = chunk["kind"] != FORCED
    assert (chunk["kind"][searched] == FULL).mean() == pytest.approx(0.25, abs=0.05)
    sizes = np.diff(chunk["policy_start"])
    assert (sizes[chunk["kind"] == FAST] <= 2).all()
    assert sizes[chunk["kind"] == FULL].mean() > 3


def test_counts_add_up() -> None:
    pool = _core.Pool([TIC.new()], pool_options("formula", cache=200, simulations=10, leaves=2))
    for number in range(20):
        pool.add(number)
    assert pool.unfinished == 20
    asked = 0
    while rows := pool.collect():
        assert pool.collect() == rows  # asking again changes nothing
        planes, features, viewers, keys = pool.batch()
        assert len(planes) == len(features) == len(viewers) == len(keys) == rows
        asked += rows
        pool.resume(*answer(planes, features, 2, 9))
    counts, chunk = pool.counts, pool.take_finished()
    assert counts["evaluations"] == asked
    assert counts["cached"] > 0
    assert counts["simulations"] == counts["evaluations"] + counts["cached"]
    assert counts["searches"] == (chunk["kind"] != FORCED).sum()
    assert counts["proven"] == chunk["exact"].sum()
    assert len(pool.take_finished()["id"]) == 0


def test_batches_are_what_the_net_would_see() -> None:
    pool = _core.Pool([FOUR.new()], pool_options(slots=1, simulations=4))
    pool.add(0)
    assert pool.collect() == 1
    planes, features, viewers, _ = pool.batch()
    seen = FOUR.new().observe(0)
    assert (planes[0] == seen.planes).all()
    assert features.shape == (1, FOUR.features)
    assert viewers.tolist() == [0]
    with pytest.raises(ValueError, match="read-only"):
        planes[0] = 1


# Hidden information


@pytest.mark.parametrize("root", ["gumbel", "formula"])
@pytest.mark.parametrize("worlds", [1, 3])
def test_the_true_world_is_not_looked_at(root: str, worlds: int) -> None:
    """The same dice in different worlds that player 0 cannot tell apart: the same search, the same action."""
    found = []
    for card in range(4):
        given: dict[str, Any] = {"seed": 5, "slots": 3, "search_visit_offset": 0.0, "search_value_scale": 0.1}
        chunk = played(sf.game(Secret, card=card), 12, root=root, worlds=worlds, **given)
        games = by_id(chunk)
        found.append({n: (one[0][0], one[3][0], one[4][0][0]) for n, one in games.items()})
        assert not chunk["exact"].any()  # what is proven in a world that was drawn is not proven in the true one
    assert found[0] == found[1] == found[2] == found[3]
    assert len({one[0] for one in found[0].values()}) > 1  # and it explores


def test_hidden_information_needs_redeal() -> None:
    open_ = type("Open", (Sticks,), {"view": lambda self, viewer: "?"})
    with refused("needs the ability 'redeal', which open does not offer"):
        _core.Pool([sf.game(open_).new()], pool_options())


# What goes wrong


def test_an_error_in_a_python_game_ends_the_pool_and_nothing_else() -> None:
    class Stumbling(Sticks):
        def play(self, action: int) -> None:
            super().play(action)
            if self.count == 3:
                raise RuntimeError("stumbled")

    class Blind(Sticks):
        def observe(self, viewer: int) -> Any:
            if self.count < 6:
                raise RuntimeError("stumbled")
            return super().observe(viewer)

    class Odd(Sticks):
        def returns(self) -> list[float]:
            return [0.0] if self.count == 0 else [0.0, 0.0]

    for broken in (Stumbling, Blind, Odd):
        game = sf.game(broken)
        for leaves in (1, 4):
            pool = _core.Pool([game.new()], pool_options(leaves=leaves, simulations=30))
            for number in range(6):
                pool.add(number)
            with pytest.raises((RuntimeError, ValueError), match=r"stumbled|returns"):
                finish(pool, game)
            for _ in range(3):
                with refused("make a new pool"):
                    pool.collect()
                with refused("make a new pool"):
                    pool.resume(np.zeros((0, 2), np.float32), np.zeros((0, 3), np.float32))
            pool.take_finished()
            del pool
    assert len(played(sf.game(Sticks), 2)["id"]) == 2


def test_nonsense_is_refused() -> None:
    pool = _core.Pool([TIC.new()], pool_options(slots=2))
    pool.resume(np.zeros((0, 2), np.float32), np.zeros((0, 9), np.float32))  # nobody waits, nothing happens
    with refused("for each position that waits"):
        pool.resume(np.zeros((1, 2), np.float32), np.zeros((1, 9), np.float32))
    pool.add(0)
    pool.add(1)
    assert pool.collect() == 2
    good = np.zeros((2, 2), np.float32), np.zeros((2, 9), np.float32)
    for shape in ((1, 2), (3, 2), (2, 1), (2, 3)):
        with refused("for each position that waits"):
            pool.resume(np.zeros(shape, np.float32), good[1])
    with refused("for each position that waits"):
        pool.resume(good[0], np.zeros((2, 8), np.float32))
    for bad in (np.nan, np.inf, -np.inf):
        with refused("value that is no number"):
            pool.resume(np.full((2, 2), bad, np.float32), good[1])
        with refused("logit that is no number"):
            pool.resume(good[0], np.full((2, 9), bad, np.float32))
    pool.resume(*good)
    pool.resume(np.zeros((0, 2), np.float32), np.zeros((0, 9), np.float32))  # once more: nothing is answered twice
    assert len(finish(pool, TIC)["id"]) == 2
    with refused("no such game"):
        pool.add(5, 1)
    with refused("below 2\\*\\*63"):
        pool.add(2**63)
    with refused("at least one game"):
        _core.Pool([], pool_options())
    with refused("same planes, features, actions and players"):
        _core.Pool([TIC.new(), FOUR.new()], pool_options())
    with refused("alike in chance, hidden information"):
        _core.Pool([GAMES["chance"].new(), GAMES["hidden"].new()], pool_options())
    blind = type("Blind", (Sticks,), {"observe": None})
    with pytest.raises(ValueError, match="observe"):
        _core.Pool([sf.game(blind).new()], pool_options())


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, 0) for name in ("slots", "leaves", "worlds", "simulations", "fast_simulations", "resign_moves")]
    + [(name, -1) for name in ("simulations", "temperature_moves", "random_plies", "move_cap")]
    + [(name, bad)
       for name in ("full_share", "noise_share", "random_share", "quiet", "play_on_share", "stop_proven", "value_mix")
       for bad in (-0.1, 1.1, float("nan"))]
    + [(name, float("nan")) for name in ("temperature", "final_temperature", "noise_alpha", "resign")]
    + [("noise_alpha", 0.0), ("temperature", float("inf")), ("resign", -1.5), ("slots", 2**30)],
)  # fmt: skip
def test_options_are_checked_by_name(name: str, value: Any) -> None:
    with refused(name):
        _core.Pool([TIC.new()], pool_options(**{name: value}))
