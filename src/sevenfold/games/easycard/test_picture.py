"""What the page draws of easycard: the numbers of the position's own text, and nothing of a closed hand."""

import json
import random
import re

import pytest

import sevenfold as sf
from sevenfold._core import CHANCE
from sevenfold.games.easycard.picture import ACTIONS
from sevenfold.picture import miniature, picture

CLOSED = sf.game("easycard", preset="chance", hidden=True)
GAMES = [
    sf.game("easycard"),
    sf.game("easycard", preset="arena"),
    sf.game("easycard", preset="chance"),
    CLOSED,
    sf.game("easycard", coins=3),
    sf.game("easycard", deal="piles", hand=2, hidden=True),
]


def positions(game, seed):
    rng, state = random.Random(seed), game.new(seed)
    yield state
    while not state.is_over:
        if state.to_move == CHANCE:
            state.play_chance()
        else:
            state.play(rng.choice(state.legal_actions()))
        yield state


def cards(counts):
    parts = [name if count == 1 else f"{count} {name}" for name, count in counts.items() if count]
    return ", ".join(parts) or "none"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_picture_says_what_the_text_says(game):
    kinds = set()
    for seed in range(8):
        for state in positions(game, seed):
            drawn = picture(state, None)
            assert drawn == json.loads(json.dumps(drawn))
            text = str(state)
            assert f"round {drawn['round']} of {drawn['rounds']}, " in text
            for seat, one in enumerate(drawn["players"]):
                numbers = "player {}: hp {hp}/{max_hp}  dice {dice}  energy {energy}/{max_energy}  pet {pet}"
                assert numbers.format(seat, **one) in text
                line = next(line for line in text.splitlines() if line.startswith(f"player {seat}:"))
                flags = [name for name in ("swift", "cheap", "food", "ate", "field", "ended") if one[name]]
                assert line.split("pet ")[1].split()[1:] == flags
                assert f"hand: {cards(one['hand'])}" in text
                if one["pile"] and sum(one["pile"].values()):
                    assert f"pile: {cards(one['pile'])}" in text
                assert one["cards"] == sum(one["hand"].values())
            phase = "over" if state.is_over else "chance" if state.to_move == CHANCE else "play"
            assert drawn["phase"] == phase
            kinds.add(phase)
            assert (drawn["chance"] is not None) == (phase == "chance")
            if phase == "play":
                assert drawn["mover"] == state.to_move
                assert [one["action"] for one in drawn["actions"]] == state.legal_actions()
            else:
                assert drawn["actions"] == []
            if phase == "over":
                expected = state.returns()
                assert drawn["winner"] == (expected.index(1) if 1 in expected else None)
    assert kinds == {"play", "over"} | ({"chance"} if game.has_chance else set())


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_actions_cost_and_do_what_the_picture_says(game):
    seen = set()
    for seed in range(8):
        for state in positions(game, seed):
            if state.to_move < 0:
                continue
            me, before = state.to_move, picture(state, None)
            for one in before["actions"]:
                if one["kind"] == "pass":
                    continue
                seen.add(one["kind"])
                after = state.copy()
                after.play(one["action"])
                now = picture(after, None)
                mine, other = before["players"][me], before["players"][1 - me]
                assert mine["dice"] - now["players"][me]["dice"] == one["dice"]
                assert max(0, other["hp"] - one["damage"]) == now["players"][1 - me]["hp"]
                gained = 1 if one["kind"] == "strike" and mine["energy"] < mine["max_energy"] else 0
                assert mine["energy"] - one["energy"] + gained == now["players"][me]["energy"]
                used = {name for name, count in mine["hand"].items() if now["players"][me]["hand"][name] < count}
                assert used == ({one["card"]} if one["card"] else set())
                if not after.is_over and not other["ended"]:
                    assert (after.to_move == me) == one["fast"]
    assert seen == set(ACTIONS) - {"pass"}


@pytest.mark.parametrize("game", [one for one in GAMES if one.has_hidden_information], ids=str)
@pytest.mark.parametrize("viewer", [0, 1])
def test_a_world_that_the_viewer_cannot_tell_apart_looks_the_same(game, viewer):
    differ = 0
    for seed in range(12):
        for state in positions(game, seed):
            drawn = picture(state, viewer)
            for world in range(6):
                other = state.redeal(viewer, world)
                assert picture(other, viewer) == drawn
                differ += picture(other, None) != picture(state, None)
            own, closed = drawn["players"][viewer], drawn["players"][1 - viewer]
            assert own["hand"] is not None
            assert closed["hand"] is None
            assert closed["pile"] is None
            seen = re.search(r"hand: (\d+) closed; not seen yet: (.*)", state.view(viewer))
            assert (str(closed["cards"]), cards(closed["unseen"])) == seen.groups()
            if state.to_move != viewer:
                assert drawn["actions"] == []
    assert differ > 100  # the worlds do differ in what is hidden


def test_chance_is_named():
    state = CLOSED.new(1)
    assert picture(state, 1)["chance"] == {"kind": "card", "player": 0, "left": 8}
    for _ in range(6):
        state.play_chance()
    assert picture(state, 1)["chance"] == {"kind": "dice", "player": 0, "left": 2}
    start_hp = sf.game("easycard", start_hp=4).new()
    assert picture(start_hp, 0)["chance"] == {"kind": "hp", "player": None, "left": 2}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_miniatures_are_in_the_middle_of_a_game(game):
    drawn = miniature(game)
    assert drawn["phase"] == "play"
    assert min(one["hp"] for one in drawn["players"]) < drawn["players"][0]["max_hp"]
    if game.has_hidden_information:
        assert drawn["players"][1]["hand"] is None
