"""Genius Invokation: scripted games, reactions, costs, prompts, hidden information, and texts."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold._core import State
from sevenfold._core import _invokation as core  # type: ignore[attr-defined]
from sevenfold.playthrough import playthrough

CASES = json.loads((Path(__file__).parent / "reactions.json").read_text())
FILLER = ["Starsigns"] * 10
AURA = {
    "CRYO": ("Kaeya", 1),
    "HYDRO": ("Barbara", 0),
    "PYRO": ("Diluc", 1),
    "ELECTRO": ("Keqing", 1),
    "DENDRO": ("Collei", 1),
}
"""Who leaves an element on the enemy, and with which skill."""


def test_the_golden_playthrough_is_as_it_was() -> None:
    golden = Path(__file__).with_name("golden.txt").read_text(encoding="utf-8")
    assert playthrough("invokation(dice=omni, rounds=3)") == golden


@pytest.mark.parametrize(
    "options",
    [
        {"pay": "choose", "deck0": "B", "deck1": "C"},
        {"disputed": "lpsim", "deck1": "D"},
        {"lists": "archetype", "deck0": "D", "deck1": "D"},
    ],
)
def test_a_table_with_other_options_keeps_the_rules_of_the_house(options: dict[str, Any]) -> None:
    assert sf.check(sf.game("invokation", **options), games=1, seed=3).positions > 50


def start(
    mine: list[str], other: list[str], cards: list[str] | None = None, dice: Any = "omni", **options: Any
) -> State:
    """Player 0 to act in round 1, the first characters active, all dice Omni unless they are given."""
    game = sf.game("invokation", **({"dice": "omni"} if dice == "omni" else {}), **options)
    decks = [(mine, (cards or []) + FILLER), (other, ["Mondstadt Hash Brown"] * 10)]
    state = game.new(decks=decks, piles="listed", first=0, **({} if dice == "omni" else {"dice": dice}))
    do(state, "keep", "keep", f"choose {mine[0]}", f"choose {other[0]}", "keep", "keep")
    return state


def do(state: State, *actions: str | int) -> None:
    for action in actions:
        state.play(state.parse_action(action) if isinstance(action, str) else action)


def side(state: State, player: int) -> dict[str, Any]:
    found: dict[str, Any] = state.to_json()["players"][player]
    return found


def texts(state: State) -> list[str]:
    return [state.action_text(action) for action in state.legal_actions()]


def things(row: list[dict[str, Any]]) -> dict[str, int]:
    return {thing["name"]: thing["usage"] for thing in row}


def next_round(state: State) -> None:
    """Both end the round, player 1 first, so that player 1 begins the next one and passes at once."""
    number = state.to_json()["round"]
    while state.to_json()["round"] == number:
        idle(state) if state.to_move == 1 else do(state, "end")
    do(state, "keep", "keep")


def idle(state: State) -> None:
    """Player 1 mends its active character where it can, and ends the round."""
    while meals := [text for text in texts(state) if text.startswith("play Mondstadt Hash Brown on Jean")]:
        do(state, meals[0])
    do(state, "end")


def strike(state: State, name: str, skill: int) -> None:
    """Player 0 uses a skill, after the switch that it needs; player 1 does nothing."""
    for _ in range(9):
        me = side(state, 0)
        if state.to_move == 1:
            idle(state)
        elif len(me["dice"]) < 4:
            next_round(state)
        elif me["chars"][me["active"]]["name"] != name:
            do(state, f"switch to {name}")
        else:
            return do(state, skill)
    raise AssertionError("no turn came")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['element']}-on-{case['target_aura']}")
def test_reactions_are_those_that_two_simulators_agree_on(case: dict[str, Any]) -> None:
    auras = [] if case["target_aura"] == "NONE" else case["target_aura"].split("+")[::-1]
    team = list(dict.fromkeys([case["attacker"], *(AURA[aura][0] for aura in auras), "Noelle", "Mona"]))[:3]
    state = start(team, ["Jean", "Bennett", "Xiangling"])
    for aura in auras:
        strike(state, *AURA[aura])
    # Into the same state of dice and turn as a fresh round.
    while state.to_move == 1 or len(side(state, 0)["dice"]) < 4 or side(state, 0)["active"] != 0:
        if state.to_move == 1:
            idle(state)
        elif len(side(state, 0)["dice"]) < 4:
            next_round(state)
        else:
            do(state, f"switch to {case['attacker']}")
    before = side(state, 1)
    assert sorted(before["chars"][0]["aura"]) == sorted(auras)
    do(state, case["skill_id"] % 10 - 1)
    after, mine = side(state, 1), side(state, 0)
    lost = [old["hp"] - new["hp"] for old, new in zip(before["chars"], after["chars"], strict=True)]
    assert lost == [10 - hp for hp in case["hp"]]
    assert [one["aura"] for one in after["chars"]] == case["aura_after"]
    assert after["active"] == case["active_after"]
    assert ("Frozen" in things(after["chars"][0]["attached"])) == case["frozen"]
    assert list(things(mine["combat_status"]).items()) == [tuple(one) for one in case["attacker_combat_status"]]
    assert list(things(mine["summons"]).items()) == [tuple(one) for one in case["attacker_summons"]]


def test_the_opening_of_the_oracle() -> None:
    dice = ["PYRO"] * 3 + ["HYDRO", "GEO"] + ["OMNI"] * 3 + ["OMNI"] * 8
    cards = ["Strategize", "Liben", "Sweet Madame", "Changing Shifts", "Leave It to Me!"]
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"], cards, dice)
    do(state, "Searing Onslaught")
    assert side(state, 1)["chars"][0]["hp"] == 7
    assert side(state, 1)["chars"][0]["aura"] == ["PYRO"]
    assert Counter(side(state, 0)["dice"]) == {"HYDRO": 1, "GEO": 1, "OMNI": 3}  # Pyro paid, not Omni
    do(state, "Nightrider")
    do(state, "play Changing Shifts", "play Leave It to Me!", "switch to Sucrose")
    assert state.to_move == 0
    assert len(side(state, 0)["dice"]) == 5
    do(state, "tune Hydro with Strategize")
    assert Counter(side(state, 0)["dice"]) == {"ANEMO": 1, "GEO": 1, "OMNI": 3}
    do(state, "Astable Anemohypostasis Creation - 6308")
    other = side(state, 1)
    assert [one["hp"] for one in other["chars"]] == [4, 9, 9]
    assert other["active"] == 2
    do(state, "end", "end")
    assert side(state, 0)["chars"][2]["hp"] == 9
    assert things(side(state, 1)["summons"]) == {"Oz": 1}


def test_a_defeat_asks_for_the_next_character_and_keeps_the_turn_order() -> None:
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"])
    do(state, "Searing Onslaught", "end", "Searing Onslaught")  # 3 and 3: Fischl has 4
    next_round(state)
    do(state, "end", "Searing Onslaught")
    assert side(state, 1)["chars"][0]["hp"] == 1
    do(state, "Tempered Sword")
    assert state.to_move == 1
    assert texts(state) == ["choose Keqing", "choose Collei"]
    do(state, "choose Collei")
    assert state.to_move == 0
    assert side(state, 1)["active"] == 2
    assert not side(state, 1)["chars"][0]["alive"]


def test_the_third_use_of_a_skill_hits_harder() -> None:
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Noelle", "Keqing", "Collei"], ["Paimon"])
    do(state, "play Paimon", "end", "end", "keep", "keep")
    for lost in (3, 6, 10):  # 3, 3, and 5 where 4 are left
        do(state, "Searing Onslaught", *(["end"] if lost == 3 else []))
        assert side(state, 1)["chars"][0]["hp"] == 10 - lost


def test_after_the_last_round_nobody_has_won() -> None:
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Noelle", "Keqing", "Collei"], rounds=2)
    next_round(state)
    assert state.to_json()["round"] == 2
    do(state, "end", "end")
    assert state.to_move == sf.TERMINAL
    assert state.returns() == [0, 0]


@pytest.mark.parametrize(
    ("dice", "skill", "left"),
    [
        (["PYRO", "CRYO", "CRYO", "GEO", "DENDRO", "DENDRO", "OMNI", "OMNI"], 0, {"CRYO": 2, "DENDRO": 1, "OMNI": 2}),
        (["PYRO", "PYRO", "CRYO", "GEO", "GEO", "GEO", "OMNI", "OMNI"], 1, {"CRYO": 1, "GEO": 3, "OMNI": 1}),
        (["ANEMO", "PYRO", "PYRO", "PYRO", "CRYO", "CRYO", "OMNI", "OMNI"], 0, {"PYRO": 2, "CRYO": 1, "OMNI": 2}),
    ],
)
def test_the_dice_of_least_use_pay(dice: list[str], skill: int, left: dict[str, int]) -> None:
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"], None, dice + ["OMNI"] * 8)
    do(state, skill)
    assert Counter(side(state, 0)["dice"]) == left


def test_dice_may_be_chosen_and_equal_payments_are_one() -> None:
    dice = ["PYRO", "CRYO", "CRYO", "GEO", "DENDRO", "DENDRO", "OMNI", "OMNI"] + ["OMNI"] * 8
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"], None, dice, pay="choose")
    do(state, "Tempered Sword")
    seen: set[tuple[str, ...]] = set()

    def walk(node: State, paid: tuple[str, ...]) -> None:
        if not all(text.startswith("pay ") for text in texts(node)):
            assert paid not in seen
            seen.add(paid)
            return
        for action in node.legal_actions():
            after = node.copy()
            after.play(action)
            walk(after, (*paid, node.action_text(action)[4:]))

    walk(state, ())
    assert all(len(paid) == 3 and ("Pyro" in paid or "Omni" in paid) for paid in seen)
    assert ("Cryo", "Cryo", "Omni") in seen
    assert ("Cryo", "Cryo", "Dendro") not in seen
    assert len(seen) == 17


def test_cards_enter_a_full_support_zone_by_replacing_one() -> None:
    cards = ["Paimon", "Liben", "Vanarana", "Katheryne", "Timmie"]
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"], cards)
    do(state, "play Paimon", "play Liben", "play Vanarana", "play Katheryne")
    assert "play Timmie for support 2 (Liben)" in texts(state)
    assert "play Timmie" not in texts(state)
    do(state, "play Timmie for support 2 (Liben)")
    assert list(things(side(state, 0)["supports"])) == ["Paimon", "Vanarana", "Katheryne", "Timmie"]


def test_redrawn_cards_are_not_drawn_again() -> None:
    game = sf.game("invokation")
    cards = ["Paimon", "Paimon", "Liben", "Toss-Up", "Strategize", "Paimon", "Liben", "Vanarana", "Katheryne"]
    state = game.new(decks=[(["Diluc", "Kaeya", "Sucrose"], cards)] * 2, piles="listed", first=0)
    do(state, "redraw Paimon + Paimon")
    assert side(state, 0)["hand"] == ["Liben", "Toss-Up", "Strategize", "Liben", "Vanarana"]
    assert side(state, 0)["pile"] == ["Katheryne", "Paimon", "Paimon", "Paimon"]


def test_chance_draws_by_the_pile_and_rolls_four_dice_at_a_time() -> None:
    state = sf.game("invokation").new()
    assert [p for _, p in state.chance()] == [0.5, 0.5]
    state.play(1)
    odds = dict(state.chance())
    assert state.chance_for == 0
    assert odds[state.parse_action("draw Paimon")] == pytest.approx(2 / 30)
    while state.to_move != sf.CHANCE or len(state.chance()) < 200:
        state.play(state.legal_actions()[0])
    assert len(state.chance()) == 330
    assert state.typical in dict(state.chance())
    assert dict(state.chance())[state.parse_action("roll 4 Omni")] == pytest.approx(8**-4)


def test_a_world_keeps_what_its_viewer_knows_and_changes_the_rest() -> None:
    state = sf.game("invokation").new(5)
    while state.to_move == sf.CHANCE or state.to_json()["state"] != "act":
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(state.legal_actions()[0])
    worlds = [state.redeal(0, seed) for seed in range(30)]
    assert all(side(world, 0)["hand"] == side(state, 0)["hand"] for world in worlds)
    assert all(side(world, 0)["dice"] == side(state, 0)["dice"] for world in worlds)
    assert len({tuple(side(world, 1)["hand"]) for world in worlds}) > 20
    assert len({tuple(side(world, 1)["dice"]) for world in worlds}) > 20
    for world in worlds:
        assert Counter(side(world, 1)["hand"] + side(world, 1)["pile"]) == Counter(
            side(state, 1)["hand"] + side(state, 1)["pile"]
        )


def test_the_secret_choice_of_the_first_character_is_kept() -> None:
    game = sf.game("invokation")
    worlds = []
    for name in ("Diluc", "Kaeya", "Sucrose"):
        state = game.new(piles="listed", first=0)
        do(state, "keep", "keep", f"choose {name}")
        worlds.append((state.view(1), state.observe(1).features.tobytes()))
        assert f"* {name}" in state.view(0)
    assert worlds[0] == worlds[1] == worlds[2]


def test_which_card_was_tuned_away_is_not_told() -> None:
    dice = [["ELECTRO"] * 3 + ["HYDRO"] * 3 + ["OMNI"] * 2] * 2
    state = start(["Keqing", "Diluc", "Sucrose"], ["Noelle", "Diona", "Ningguang"], dice=dice)
    do(state, "Stellar Restoration", "end")
    assert all("Lightning Stiletto" in side(state.redeal(1, seed), 0)["hand"] for seed in range(20))
    tuned, kept = state.copy(), state.copy()
    do(tuned, "tune Hydro with Lightning Stiletto")
    do(kept, "tune Hydro with Starsigns")
    assert tuned.observe(1).features.tobytes() == kept.observe(1).features.tobytes()
    for one in (tuned, kept):
        worlds = [side(one.redeal(1, seed), 0) for seed in range(200)]
        there = [world["hand"].count("Lightning Stiletto") for world in worlds]
        assert 0 < sum(there) < 200
        assert not any("Lightning Stiletto" in world["pile"] for world in worlds)
    do(tuned, "Stellar Restoration")  # makes another one: now all know
    do(kept, "Stellar Restoration")
    for seed in range(20):
        assert side(tuned.redeal(1, seed), 0)["hand"].count("Lightning Stiletto") == 1
        assert side(kept.redeal(1, seed), 0)["hand"].count("Lightning Stiletto") == 0


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ({"decks": 5}, "decks are two"),
        ({"decks": {"A", "B"}}, "decks are two"),
        ({"piles": 7}, "piles are two"),
        ({"first": True}, "first is 0 or 1"),
        ({"dice": 3}, "list of faces"),
    ],
)
def test_a_script_that_makes_no_sense_is_refused_in_one_sentence(script: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        sf.game("invokation").new(**script)


@pytest.mark.parametrize(
    ("deck", "fault"),
    [
        ("Diluc; Kaeya; 2 Paimon", "three characters, not 2"),
        ("Diluc; Kaeya; Diluc; 2 Paimon", "different"),
        ("Diluc; Kaeya; Sucrose; Zhongli", "'Zhongli'"),
        ("Diluc; Kaeya; Sucrose; 3 Paimon", "at most twice"),
        ("Diluc; Kaeya; Sucrose; 2 Paimon", "30 cards, and this one has 2"),
        ("Diluc; Kaeya; Sucrose; 31 Paimon", "at most 30 cards"),
        ("Diluc; Kaeya; Sucrose; Crossfire", "needs its character"),
        ("Diluc; Kaeya; Sucrose; Elemental Resonance: Woven Ice", "two characters"),
        ("Diluc; Kaeya; Sucrose; Lightning Stiletto", "a skill makes it"),
    ],
)
def test_a_deck_that_may_not_be_played_is_refused_in_one_sentence(deck: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        sf.game("invokation", deck0=deck)
    with pytest.raises(ValueError, match=fault):
        sf.game("invokation").new(decks=[deck, "A"])
    assert fault.strip("'") in core.deck_fault(deck)


@pytest.mark.parametrize("letter", "ABCD")
def test_the_sample_decks_may_be_played(letter: str) -> None:
    assert core.deck_fault(core.sample_deck(letter)) == ""
    assert sf.game("invokation", deck0=letter).new().to_move == sf.CHANCE


def test_damaged_texts_are_refused_and_nothing_is_lost() -> None:
    game = sf.game("invokation")
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"])
    text = state.to_text()
    for broken in ("", "at|", "at|00", text[:-1], text[:200] + "0" + text[201:], text + "0", "new|deck0=A|x=1"):
        if broken == text:
            continue
        with pytest.raises(ValueError, match=r"position|start is written"):
            game.parse(broken)
    with pytest.raises(ValueError, match="a die shows"):
        game.new(dice=["RED"])
    with pytest.raises(ValueError, match="0 or 1"):
        game.new(first=2)
    assert state.game.parse(text).hash() == state.hash()


def test_tables_have_every_card_once() -> None:
    cards, characters = core.cards(), core.characters()
    assert len(characters) == 15
    assert len({one["number"] for one in characters}) == 15
    assert len(cards) == 94
    assert len({one["number"] for one in cards}) == 94
    costs = {one["name"]: one["cost"] for one in cards}
    assert costs["Chaotic Entropy"] == "3Anemo+2En"
    assert costs["Liben"] == "0"
    assert costs["Starsigns"] == "2Any"
    assert {one["talent"] for one in characters} == {one["name"] for one in cards if one["kind"] == "talent"}


def test_earlier_versions_have_their_own_numbers() -> None:
    state = start(["Diluc", "Kaeya", "Jean"], ["Fischl", "Keqing", "Collei"], ["Katheryne"], version="3.3")
    assert "energy 0/3" in next(line for line in str(state).splitlines() if "Jean" in line)
    do(state, "play Katheryne")
    assert len(side(state, 0)["dice"]) == 6


def test_two_dice_fewer_are_the_ones_of_least_use() -> None:
    dice = ["PYRO", "PYRO", "CRYO", "GEO", "DENDRO", "DENDRO", "OMNI", "OMNI"] + ["OMNI"] * 8
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"], None, dice)
    weaker = state.handicap()
    assert Counter(side(weaker, 0)["dice"]) == {"PYRO": 2, "CRYO": 1, "DENDRO": 1, "OMNI": 2}


def test_the_order_knows_what_the_last_action_was_for() -> None:
    dice = ["PYRO"] * 5 + ["HYDRO"] * 3 + ["OMNI"] * 8
    cards = ["Strategize", "Leave It to Me!", "Changing Shifts"]
    state = start(["Diluc", "Kaeya", "Sucrose"], ["Fischl", "Keqing", "Collei"], cards, dice)

    def first_switch(node: State) -> int:
        ranked = [node.action_text(action) for action in node.order(node.history[-1])]
        return min(i for i, text in enumerate(ranked) if text.startswith("switch"))

    assert first_switch(state) > 3  # nobody opens with a switch
    tuned = state.copy()
    do(tuned, "tune Hydro with Strategize")
    assert first_switch(tuned) > 3
    do(state, "play Leave It to Me!")
    assert first_switch(state) == 0


def test_a_round_is_quiet_when_both_have_ended_it() -> None:
    state = sf.game("invokation").new(seed=5)
    seen = Counter()
    while not state.is_over:
        described = state.to_json()
        ended = all(side["ended"] for side in described["players"])
        assert state.quiet() == (described["round"] == 0 or ended)
        seen[state.quiet(), state.to_move == sf.CHANCE] += 1
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(sf.player("greedy", state.game).think(state).action)
    assert state.quiet()
    assert seen[True, True] > 10  # draws at the ends of rounds
    assert seen[False, False] > 20


@pytest.mark.parametrize("letter", "AD")
def test_what_is_played_on_to_the_end_of_the_round_beats_the_evaluation_alone(letter: str) -> None:
    """With 2 000 nodes a move, which is nothing: the horizon is what counts, not the depth."""
    game = sf.game("invokation", deck0=letter, deck1=letter)
    match = sf.match(game, ["alphabeta:nodes=2000", "greedy"], games=24, seed=3, processes=0)
    assert match.score >= 0.8
    assert not match.faults
