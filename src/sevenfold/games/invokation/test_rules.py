"""Genius Invokation: rules that random games rarely reach, and our choice wherever simulators differ (page.md)."""

from collections import Counter
from typing import Any

import pytest

import sevenfold as sf
from sevenfold._core import State
from sevenfold.games.invokation.test_invokation import do, side, start, texts, things

TRIO = ["Diluc", "Kaeya", "Sucrose"]
ENEMIES = ["Fischl", "Keqing", "Collei"]
OMNI = ["OMNI"] * 8


def people(state: State, player: int, key: str) -> list[Any]:
    return [one[key] for one in side(state, player)["chars"]]


def worn(state: State, player: int, seat: int) -> dict[str, int]:
    return things(side(state, player)["chars"][seat]["attached"])


def combat(state: State) -> dict[str, int]:
    return things(side(state, 0)["combat_status"])


def turn(state: State, player: int) -> State:
    """Goes on to the player's next action: the other one ends, dice are kept, the first character that can comes."""
    while (now := state.to_json()["state"]) != "act" or state.to_move != player:
        do(state, {"reroll": "keep", "choose": texts(state)[0]}.get(now, "end"))
    return state


def mine(state: State, *actions: str | int, player: int = 0) -> None:
    """Actions of one player; the other one does nothing."""
    for action in actions:
        do(turn(state, player), action)


def theirs(state: State, *actions: str | int) -> None:
    mine(state, *actions, player=1)


def hurt(state: State, player: int, skill: int, until: int) -> None:
    """The other side uses a skill until the player has so many characters left."""
    while sum(people(state, player, "alive")) > until:
        turn(state, 1 - player)
        do(state, skill if skill in state.legal_actions() else "end")
    turn(state, player)


def test_sprout_answers_one_reaction_a_round() -> None:
    state = start(["Collei", "Kaeya", "Fischl"], ["Barbara", "Xingqiu", "Keqing"], ["Floral Sidewinder", "Paimon"])
    mine(state, "play Paimon", "switch to Fischl", "Nightrider", "end")  # Electro on Barbara
    mine(state, "switch to Collei", "play Floral Sidewinder")
    assert people(state, 1, "hp")[0] == 10 - 2 - 4 - 2  # Oz once more; Quicken: 3 + 1, Sprout's 1 + 1 of the field
    assert "Sprout" not in combat(state)
    mine(state, "Floral Brush")
    assert "Sprout" not in combat(state)  # it has been there in this round
    mine(state, "end", "Floral Brush")
    assert "Sprout" in combat(state) or people(state, 1, "alive") != [True] * 3


@pytest.mark.parametrize("version", ["3.8", "4.5"])
def test_instructors_cap_wants_a_reaction_that_leaves_its_target_alive(version: str) -> None:
    state = start(["Diluc", "Barbara", "Kaeya"], ENEMIES, ["Instructor's Cap"], version=version)
    mine(state, "play Instructor's Cap on Diluc", "switch to Barbara", "Whisper of Water", "end")
    mine(state, "switch to Diluc", "Searing Onslaught")  # Vaporize: 3 + 2
    assert people(state, 1, "hp")[0] == 4
    assert Counter(side(state, 0)["dice"]) == {"OMNI": 4, "PYRO": 1}
    mine(state, "Tempered Sword")  # no reaction
    assert len(side(state, 0)["dice"]) == 2
    mine(state, "switch to Barbara", "end", "Whisper of Water", "switch to Diluc")
    assert people(state, 1, "hp")[0] == 1
    before = len(side(state, 0)["dice"])
    mine(state, "Searing Onslaught")  # a reaction that defeats
    assert not people(state, 1, "alive")[0]
    assert len(side(state, 0)["dice"]) == before - 3


def test_the_crane_is_used_up_without_a_standby() -> None:
    state = start(["Kaeya", "Diona", "Fischl"], TRIO, ["When the Crane Returned"])
    mine(state, "play When the Crane Returned")
    hurt(state, 0, 1, until=1)
    assert "When the Crane Returned" in combat(state)
    do(state, 0)
    assert "When the Crane Returned" not in combat(state)


def test_cards_that_need_energy_to_move_or_a_place_to_go() -> None:
    cards = ["Calx's Arts", "Guardian's Oath", "Elemental Resonance: Impetuous Winds", "Starsigns", "Starsigns"]
    state = start(["Kaeya", "Diona", "Fischl"], TRIO, cards)
    assert not any("Calx" in text for text in texts(state))  # no standby has energy
    assert any("Guardian" in text for text in texts(state))  # may be played for nothing
    assert [text.split()[-1] for text in texts(state) if "Impetuous" in text] == ["Diona", "Fischl"]
    mine(state, "play Starsigns", "switch to Diona")
    assert any("Calx" in text for text in texts(turn(state, 0)))
    mine(state, "switch to Kaeya", "play Starsigns")
    assert not any("Calx" in text for text in texts(turn(state, 0)))  # Kaeya is full
    hurt(state, 0, 1, until=1)
    assert not any("Impetuous" in text for text in texts(state))


def test_who_gets_energy_is_the_active_one_then_the_ring_from_it() -> None:
    cards = ["Elemental Resonance: High Voltage", "Iron Tongue Tian", "Starsigns", "Starsigns"]
    for disputed, first, second in (("official", [0, 2, 1], [0, 2, 2]), ("lpsim", [1, 2, 0], [2, 2, 0])):
        state = start(["Fischl", "Kaeya", "Keqing"], TRIO, cards, disputed=disputed)
        mine(state, "switch to Kaeya", "play Starsigns", "play Starsigns")  # Kaeya is full
        mine(state, "play Elemental Resonance: High Voltage")
        assert people(state, 0, "energy") == first
        mine(state, "end", "play Iron Tongue Tian", "end")
        turn(state, 0)
        assert people(state, 0, "energy") == second


def test_iron_tongue_tian_is_spent_also_where_all_are_full() -> None:
    for disputed, left in (("official", {}), ("lpsim", {"Iron Tongue Tian": 1})):
        state = start(["Kaeya", "Bennett", "Jean"], TRIO, ["Iron Tongue Tian"], disputed=disputed)
        mine(state, "play Iron Tongue Tian", "play Starsigns", "play Starsigns", "switch to Bennett", "end")
        mine(state, "play Starsigns", "switch to Jean", "play Starsigns", "play Starsigns", "end")
        turn(state, 0)
        assert people(state, 0, "energy") == [2, 2, 2]
        assert things(side(state, 0)["supports"]) == left


def test_wangshu_inn_heals_the_next_one_of_two_that_are_equally_hurt() -> None:
    for disputed, hp in (("official", [8, 10, 10]), ("lpsim", [10, 10, 8])):
        state = start(["Kaeya", "Fischl", "Diona"], ["Keqing", "Barbara", "Collei"], disputed=disputed)
        theirs(state, 0)
        mine(state, "switch to Diona")
        theirs(state, 0)
        assert people(state, 0, "hp") == [8, 10, 8]
        cards = start(["Kaeya", "Fischl", "Diona"], ["Keqing", "Barbara", "Collei"], ["Wangshu Inn"], disputed=disputed)
        mine(cards, "play Wangshu Inn")
        do(turn(cards, 0), "switch to Diona")
        do(cards, 0)
        do(cards, "switch to Kaeya")
        do(cards, 0)
        do(cards, "switch to Fischl", "end", "end")
        turn(cards, 0)
        assert people(cards, 0, "hp") == hp


def test_stored_dice_of_equal_number_go_by_the_elements_order() -> None:
    dice = ["GEO", "DENDRO", "ANEMO", "OMNI", "OMNI", "ELECTRO", "ELECTRO", "OMNI"]
    for disputed, kept in (("official", ["ANEMO", "GEO", "DENDRO"]), ("lpsim", ["GEO", "DENDRO", "ANEMO"])):
        cards = ["Vanarana", "Vanarana"]
        state = start(TRIO, ENEMIES, cards, dice + OMNI, disputed=disputed)
        mine(state, *["play Vanarana"] * 2, "end")
        do(state, "end")
        assert [one["collected"] for one in side(state, 0)["supports"]] == [["ELECTRO", "ELECTRO"], kept[:2]]


def test_lithic_spears_add_up_to_three() -> None:
    for disputed, second in (("official", 3), ("lpsim", 2)):
        state = start(["Xiangling", "Xingqiu", "Barbara"], TRIO, ["Lithic Spear"] * 2, disputed=disputed)
        mine(state, "play Lithic Spear on Xiangling")
        assert worn(state, 0, 0)["Lithic Guard"] == 2
        mine(state, "play Lithic Spear on Xiangling")
        assert worn(state, 0, 0)["Lithic Guard"] == second


def test_the_scent_remained_improves_the_rain_sword_that_is_there() -> None:
    for disputed, lost in (("official", 1), ("lpsim", 2)):
        state = start(["Xingqiu", "Kaeya", "Diona"], TRIO, ["The Scent Remained"], disputed=disputed)
        mine(state, "Fatal Rainscreen", "play The Scent Remained")
        theirs(state, "Tempered Sword")  # 2 Physical
        assert people(state, 0, "hp")[0] == 10 - lost


def test_send_off_leaves_reflection_without_uses() -> None:
    state = start(["Kaeya", "Diona", "Fischl"], ["Mona", "Diluc", "Keqing"], ["Send Off"])
    do(state, "switch to Diona", "Mirror Reflection of Doom")
    do(state, next(text for text in texts(state) if text.startswith("play Send Off")))
    assert things(side(state, 1)["summons"]) == {"Reflection": 0}
    hp = people(state, 0, "hp")[1]
    do(state, "end", "end")
    assert people(state, 0, "hp")[1] == hp - 1
    assert side(state, 1)["summons"] == []


def test_an_elements_hat_takes_a_die_of_its_element_only_once_a_round() -> None:
    state = start(TRIO, ENEMIES, ["Witch's Scorching Hat"])
    mine(state, "play Witch's Scorching Hat on Diluc", "Tempered Sword")
    assert len(side(state, 0)["dice"]) == 8 - 2 - 2
    mine(state, "Searing Onslaught")
    assert len(side(state, 0)["dice"]) == 1


def test_i_got_your_back_heals_once_a_round() -> None:
    for disputed, healed in (("official", 1), ("lpsim", 2)):
        state = start(["Noelle", "Keqing", "Diona"], TRIO, ["I Got Your Back"], disputed=disputed)
        do(state, "switch to Keqing")
        theirs(state, "Searing Onslaught", "Searing Onslaught")
        mine(state, "switch to Noelle", "play I Got Your Back", "end", 0, 0)
        assert people(state, 0, "hp")[1] == 4 + healed


def test_overloaded_moves_a_beaten_character_out_and_nobody_is_asked() -> None:
    state = start(["Diluc", "Fischl", "Kaeya"], ["Barbara", "Diona", "Collei"])
    mine(state, "Searing Onslaught", "Searing Onslaught", "end", "Tempered Sword")
    assert people(state, 1, "hp")[0] == 2
    mine(state, "switch to Fischl", "Nightrider")  # 1 and 2 of Overloaded: Diona comes, Barbara is out
    assert not people(state, 1, "alive")[0]
    assert state.to_json()["state"] == "act"
    assert side(state, 1)["active"] == 1


def test_a_card_above_ten_is_lost() -> None:
    state = start(TRIO, ENEMIES, ["Paimon"] * 5)
    mine(state, "end", "end", "end")
    turn(state, 0)
    assert (len(side(state, 0)["hand"]), len(side(state, 0)["pile"])) == (10, 4)


def test_both_ways_of_paying_reach_the_same_position() -> None:
    tables = []
    for pay in ("auto", "choose"):
        dice = ["PYRO", "PYRO", "PYRO", "GEO", "GEO", "GEO", "OMNI", "OMNI"]
        state = start(TRIO, ENEMIES, None, dice + OMNI, pay=pay)
        do(state, "Searing Onslaught")
        while state.to_json()["state"] == "pay":
            assert all(text in ("pay Pyro", "pay Omni") for text in texts(state))
            do(state, "pay Pyro")
        tables.append(state.to_json()["players"])
    assert tables[0] == tables[1]
    assert Counter(tables[0][0]["dice"]) == {"GEO": 3, "OMNI": 2}


def test_worlds_may_draw_the_others_deck_from_an_archetype() -> None:
    cards = {}
    for lists in ("known", "archetype"):
        state = sf.game("invokation", deck0="A", deck1="D", lists=lists).new(5)
        while state.to_move == sf.CHANCE or state.to_json()["state"] != "act":
            state.play_chance() if state.to_move == sf.CHANCE else state.play(state.legal_actions()[0])
        deck = Counter(side(state, 1)["hand"] + side(state, 1)["pile"])
        worlds = [state.redeal(0, seed) for seed in range(20)]
        cards[lists] = [Counter(side(world, 1)["hand"] + side(world, 1)["pile"]) for world in worlds]
        assert all(sum(one.values()) == sum(deck.values()) for one in cards[lists])
        assert all(count <= 2 for one in cards[lists] for count in one.values())
        assert all((one == deck) == (lists == "known") for one in cards[lists])
        assert all(side(world, 0)["hand"] == side(state, 0)["hand"] for world in worlds)
    assert len({tuple(sorted(one.items())) for one in cards["archetype"]}) == 20
    assert not any("Flowing Flame" in one for one in cards["archetype"])  # Diluc is not in that team
