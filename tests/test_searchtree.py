"""A look into search trees: the numbers of the search itself, with the texts of the actions."""

import json
import math
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold.searchtree import tree

EXAMPLES = Path(__file__).parent.parent / "examples"


def thought(spec, game, moves=()):
    game = sf.game(game) if isinstance(game, str) else game
    state, player = game.replay(list(moves)), sf.player(spec, game)
    return player, state, player.think(state)


def test_the_root_says_what_the_result_says():
    player, state, result = thought("uct:simulations=300", "connect_four", [3, 3])
    node = tree(player, state, [])
    assert node == json.loads(json.dumps(node, allow_nan=False))
    assert (node["path"], node["mover"], node["visits"]) == ([], 0, 300)
    found = {one["action"]: (one["visits"], one["q"]) for one in node["children"]}
    assert found == {one.action: (one.visits, pytest.approx(one.value)) for one in result.actions}
    assert [one["text"] for one in node["children"]] == ["abcdefg"[one["action"]] for one in node["children"]]
    assert [one["visits"] for one in node["children"]] == sorted((v for v, _ in found.values()), reverse=True)
    assert all(one["prior"] is None for one in node["children"])  # uct knows none
    mean = sum(one["visits"] * one["q"] for one in node["children"]) / 300
    assert node["value"] == pytest.approx(mean)


def test_u_is_the_formula():
    player, state, _ = thought("uct:simulations=200,transpositions=false", "connect_four")
    node = tree(player, state, [])
    for one in node["children"]:
        assert one["u"] == pytest.approx(math.sqrt(math.log(node["visits"]) / one["visits"]))
    player, state, _ = thought("alphazero:simulations=64,c_puct=2,transpositions=false", "connect_four")
    node = tree(player, state, [])
    assert sum(one["prior"] for one in node["children"]) == pytest.approx(1)
    for one in node["children"]:
        expected = 2 * one["prior"] * math.sqrt(node["visits"] + 1) / (1 + one["visits"])
        assert one["u"] == pytest.approx(expected)
        assert (one["q"] is None) == (one["visits"] == 0)


@pytest.mark.parametrize("spec", ["uct:simulations=400,transpositions=false", "alphazero:simulations=80"])
def test_nodes_open_along_the_tree(spec):
    player, state, _ = thought(spec, "connect_four", [3])
    path, node = [], tree(player, state, [])
    for _ in range(3):
        busiest = node["children"][0]
        assert busiest["expandable"]
        path = [*path, busiest["action"]]
        below = tree(player, state, path)
        assert below["path"] == path
        assert below["mover"] == 1 - node["mover"]
        assert 0 <= busiest["visits"] - below["visits"] <= 1  # the first visit only valued it
        node = below


def test_a_path_that_the_search_did_not_follow_ends_without_children():
    player, state, _ = thought("uct:simulations=5", "connect_four")
    node = tree(player, state, [0, 0, 0])
    assert (node["children"], node["visits"], node["value"], node["mover"]) == ([], 0, None, 1)


def test_an_illegal_action_is_refused():
    player, state, _ = thought("uct:simulations=50", "tic_tac_toe", [4])
    for path in ([4], [0, 0], [99], [-1]):
        with pytest.raises(ValueError, match=r"\.$"):
            tree(player, state, path)


def test_the_end_of_the_game_is_named():
    player, state, _ = thought(
        "uct:simulations=200,solver=false,decisive=false,forced=false", "tic_tac_toe", [0, 3, 1, 4]
    )
    node = tree(player, state, [2])
    assert (node["mover"], node["proven"], node["children"]) == ("over", True, [])


def test_a_proven_root_is_worth_its_best_action():
    player, state, result = thought("uct:simulations=5000", "tic_tac_toe", [0, 3, 1])
    node = tree(player, state, [])
    assert result.proven
    assert node["proven"]
    assert node["value"] == pytest.approx(result.values[1])


def test_chance_nodes_show_probabilities():
    game = sf.game("easycard", dice=0, coins=2, swift=0, cheap=0, snack=0, field=0, pet=0)
    state = game.new(1)
    while state.to_move < 0:
        state.play_chance()
    player = sf.player("uct:simulations=3000", game)
    player.think(state)
    chance = tree(player, state, [8, 8])  # both pass: coins are thrown
    assert chance["mover"] == "chance"
    assert chance["children"]
    for one in chance["children"]:
        assert one["text"].startswith("heads")
        assert one["prior"] == pytest.approx([0.25, 0.5, 0.25][int(one["text"][5:])])
        assert one["q"] is None
        assert one["u"] is None


def test_numbers_are_in_the_units_of_the_game():
    class Pay:  # one player takes 0 or 10 coins, once
        players, actions, max_plies, min_return, max_return = 1, 2, 1, 0.0, 10.0

        def __init__(self):
            self.taken = None

        def to_move(self):
            return 0 if self.taken is None else sf.TERMINAL

        def legal_actions(self):
            return [0, 1]

        def play(self, action):
            self.taken = 10 * action

        def returns(self):
            return [self.taken or 0]

    player, state, _ = thought("uct:simulations=20,solver=false,decisive=false,forced=false", sf.game(Pay))
    found = {one["action"]: one["q"] for one in tree(player, state, [])["children"]}
    assert found == {0: 0, 1: 10}


@pytest.mark.parametrize("spec", ["random", "montecarlo:simulations=10", "alphabeta:depth=2"])
def test_players_without_a_tree_say_so(spec):
    player, state, _ = thought(spec, "tic_tac_toe")
    with pytest.raises(ValueError, match=r"^\w+ keeps no search tree; .*\.$"):
        tree(player, state, [])


def test_there_is_no_single_tree_where_information_is_hidden():
    for game in (sf.game("easycard", preset="chance", hidden=True), sf.game(str(EXAMPLES / "kuhn_poker.py"))):
        state = game.new()
        while state.to_move < 0:
            state.play_chance()
        player = sf.player("uct:simulations=20", game)
        player.think(state)
        with pytest.raises(ValueError, match=r"^uct keeps no single search tree for .* many worlds\.$"):
            tree(player, state, [])


def test_only_the_position_thought_about_can_be_looked_into():
    player, state, _ = thought("uct:simulations=20", "tic_tac_toe")
    state.play(4)
    with pytest.raises(ValueError, match=r"^uct has not thought about this position; .*\.$"):
        tree(player, state, [])
    fresh = sf.player("alphazero:simulations=2", sf.game("tic_tac_toe"))
    with pytest.raises(ValueError, match=r"^alphazero has not thought about this position; .*\.$"):
        tree(fresh, state, [])


def test_a_python_game_has_a_tree():
    player, state, _ = thought("uct:simulations=100", sf.game(str(EXAMPLES / "nim.py")))
    node = tree(player, state, [])
    assert node["children"]
    below = tree(player, state, [node["children"][0]["action"]])
    assert below["mover"] == 1
