"""Proves players by name: options as keywords or text, refusals by one sentence, sound results, fair random play."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import refused

import sevenfold as sf
from sevenfold.players import PLAYERS

TIC = sf.game("tic_tac_toe")
FOUR = sf.game("connect_four")
KUHN = sf.game(str(Path(__file__).parent.parent / "examples" / "kuhn_poker.py"))


def test_options_are_given_as_keywords_or_in_the_text() -> None:
    assert sf.player("montecarlo", FOUR).simulations == 1000
    assert sf.player("montecarlo:simulations=20,seed=3", FOUR) == sf.player("montecarlo", FOUR, simulations=20, seed=3)
    assert sf.player("montecarlo: simulations = 20 ", FOUR).simulations == 20
    assert sf.player("montecarlo:simulations=20", FOUR, simulations=30).simulations == 30
    assert sf.player("random:", FOUR).name == "random"


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "nobody",
        "Random",
        " random",
        "random:depth=3",
        "random:seed",
        "random:seed=",
        "random:=3",
        "random:seed=x",
        "random:seed=1.5",
        "random:seed=true",
        "random:seed=None",
        "montecarlo:simulations=0",
        "montecarlo:simulations=-5",
        "montecarlo:simulations=1e3",
        "montecarlo:simulations=" + "9" * 5000,
        "montecarlo:game=3",
        "montecarlo:name=x",
        "montecarlo:_random=3",
        "montecarlo:simulations=1\n2",
        "random\n",
        "line\nbreak",
        "x" * 10_000,
        "random:" + "x" * 10_000,
        "random:" + "x" * 10_000 + "=3",
        "\ud800",
    ],
    ids=lambda spec: repr(spec[:40]),
)
def test_a_text_that_is_no_player_is_refused_by_a_sentence(spec: str) -> None:
    with refused():
        sf.player(spec, FOUR)


@pytest.mark.parametrize("value", [None, "many", 1.5, True, [], {}, object(), float("nan")])
def test_an_option_of_the_wrong_kind_is_refused_by_a_sentence(value: object) -> None:
    with refused(match="montecarlo: option simulations must be a whole number"):
        sf.player("montecarlo", FOUR, simulations=value)


@pytest.mark.parametrize("spec", [None, 3, b"random", ["random"]])
def test_a_thing_that_is_no_text_is_refused_by_a_sentence(spec: Any) -> None:
    with refused(match="player"):
        sf.player(spec, FOUR)


@pytest.mark.parametrize("game", [None, 3, "connect_four", FOUR.new()])
def test_a_thing_that_is_no_game_is_refused_by_a_sentence(game: Any) -> None:
    with refused(match="game"):
        sf.player("random", game)


def test_a_module_that_happens_to_have_a_name_PLAYERS_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: N802
    """A user's file may well say PLAYERS = 2."""
    for value in (2, None, ["random"], {"mine": 3}):
        monkeypatch.setattr(KUHN.room, "PLAYERS", value, raising=False)
        assert sf.player("random", KUHN).name == "random"
        with refused(match="there is no player 'nobody'"):
            sf.player("nobody", KUHN)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", [TIC, FOUR, KUHN], ids=lambda game: game.name)
def test_every_player_gives_a_sound_result_wherever_it_is_asked(name: str, game: sf.Game) -> None:
    rng = random.Random(1)
    player = sf.player(name, game, seed=3, **({"simulations": 30} if name == "montecarlo" else {}))
    for seed in range(4):
        state = game.new(seed)
        player.reset()
        while not state.is_over:
            if state.to_move == sf.CHANCE:
                state.play_chance()
                continue
            before = state.hash(), state.history
            result = player.think(state)
            assert (state.hash(), state.history) == before
            assert result.action in state.legal_actions()
            assert len(result.policy) == game.actions
            assert sum(result.policy) == pytest.approx(1)
            assert {action for action, p in enumerate(result.policy) if p} <= set(state.legal_actions())
            assert len(result.values) == game.players
            assert all(game.min_return <= value <= game.max_return for value in result.values)
            assert result.to_json()["action"] == result.action
            state.play(result.action if rng.random() < 0.5 else rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_thinks_the_same_and_another_seed_differently(name: str) -> None:
    def thoughts(seed: int) -> list[Any]:
        player = sf.player(name, FOUR, seed=seed)
        return [(result.action, result.values) for result in (player.think(FOUR.new()) for _ in range(20))]

    assert thoughts(1) == thoughts(1)
    assert thoughts(1) != thoughts(2)


def test_a_random_player_plays_every_legal_action_equally_often() -> None:
    player, state = sf.player("random", FOUR, seed=1), FOUR.replay([0] * 6)
    counts = Counter(player.think(state).action for _ in range(12_000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert sum((n - 2000) ** 2 / 2000 for n in counts.values()) < 29.9  # 5 degrees of freedom: once in 66 000


def test_montecarlo_takes_a_win_and_prevents_a_loss() -> None:
    player = sf.player("montecarlo", FOUR, seed=1)
    assert player.think(FOUR.parse("7/7/7/7/ooo4/xxx4 x")).action == 3
    assert player.think(FOUR.parse("7/7/7/7/oo5/xxx4 o")).action == 3


def test_montecarlo_shares_its_simulations_evenly() -> None:
    result = sf.player("montecarlo", FOUR, simulations=70).think(FOUR.replay([0] * 6))
    assert result.visits == [0] + [11] * 6
    assert result.nodes == 66
    assert result.seconds > 0


def test_montecarlo_does_not_look_into_hidden_hands() -> None:
    """Two worlds that the mover cannot tell apart get the same thoughts."""
    for mine in range(3):
        worlds = [KUHN.replay([mine, other]) for other in range(3) if other != mine]
        thoughts = [sf.player("montecarlo", KUHN, simulations=200, seed=5).think(world) for world in worlds]
        assert thoughts[0].values == thoughts[1].values
        assert thoughts[0].action == thoughts[1].action


def test_montecarlo_refuses_a_game_whose_secrets_it_cannot_deal_anew() -> None:
    cls = type(KUHN.new().rules)
    hidden = sf.game(type("Hidden", (cls,), {"redeal": None}))
    with refused(match="montecarlo needs the ability 'redeal'"):
        sf.player("montecarlo", hidden)


def test_a_player_refuses_a_state_of_another_game_and_one_where_nobody_moves() -> None:
    player = sf.player("random", FOUR)
    with refused(match="this player plays connect_four, not tic_tac_toe"):
        player.think(TIC.new())
    with refused(match="no player is to move"):
        player.think(FOUR.replay([0, 1, 0, 1, 0, 1, 0]))
    with refused(match="no player is to move"):
        sf.player("random", KUHN).think(KUHN.new())


@pytest.mark.parametrize("simulations", [2**31 * 7, 10**30, pytest.param(10**5000, id="huge")])
def test_more_simulations_than_can_ever_be_played_are_refused_by_a_sentence(simulations: int) -> None:
    with refused(match="simulations|games"):
        sf.player("montecarlo", FOUR, simulations=simulations).think(FOUR.new())


RULES = ("greedy", "keeper", "blocker")


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_based_players_of_sevens_take_every_seed_and_expect_nothing(rule: str) -> None:
    """An expectation of nothing is not one of 0: the page draws the one and leaves the other out."""
    game = sf.game("sevens")
    state = game.new(1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    for seed in (-1, 10**23, 2**64, 2**64 - 1):
        result = sf.player(f"{rule}:seed={seed}", game).think(state)
        assert result.action in state.legal_actions()
        assert result.values == []
        same = sf.player(f"{rule}:seed={seed % 2**64}", game).think(state)
        assert (result.action, result.policy) == (same.action, same.policy)
    match = sf.match(game, [f"{rule}:seed=-1", "random"], games=2, processes=0)
    assert match.games == 2
    assert not match.faults


def test_a_player_that_expects_nothing_prints_no_expectation(run: Any) -> None:
    asked = ("think", "sevens", "--player", "blocker:seed=-1")
    said = run(*asked).out
    assert "It chooses" in said
    assert "expect" not in said
    assert run(*asked, "--json").json["values"] == []
