"""What the page, the terminal and a review are told: nothing hidden, every action described, both languages."""

import random
import re

import pytest

import sevenfold as sf
from sevenfold.games.invokation import people, review_bonus
from sevenfold.games.invokation.catalogue import catalogue
from sevenfold.games.invokation.describe import describe
from sevenfold.lang import drawn, use
from sevenfold.picture import picture
from sevenfold.seen import is_seen

GAME = sf.game("invokation")
CARDS = ["Paimon", "Strategize", "Vanarana", "Liben", "Sweet Madame"] + ["Toss-Up"] * 10
DECK = {"characters": ["Diluc", "Kaeya", "Sucrose"], "cards": CARDS}


def scripted(dice: str = "OMNI") -> sf.State:
    """The action phase of round 1, with dice of one kind."""
    state = GAME.new(decks=[DECK, DECK], piles=[CARDS, CARDS], dice=[dice] * 200, first=0)
    for text in ["keep", "keep", "choose Diluc", "choose Diluc", "keep", "keep"]:
        state.play(state.parse_action(text))
    return state


def positions(seed: int, plies: int) -> list[sf.State]:
    rng = random.Random(seed)
    state = GAME.new(seed=seed)
    out = []
    while not state.is_over and len(out) < plies:
        state.play(rng.choice(state.legal_actions()))
        if state.to_move >= 0:
            out.append(state.copy())
    return out


@pytest.mark.parametrize("seed", range(4))
def test_pictures_hide_the_others_hand_and_dice(seed: int) -> None:
    for state in positions(seed, 120):
        for viewer in (0, 1):
            seen = picture(state, viewer)
            assert seen is not None
            other = seen["players"][1 - viewer]
            assert (other["hand"], other["dice"]) == (None, None)
            assert seen["players"][viewer]["hand"] == state.to_json()["players"][viewer]["hand"]
            assert (seen["actions"] == []) == (state.to_move != viewer)


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_is_described_as_another(seed: int) -> None:
    for state in positions(seed, 150):
        told = [str(describe(state, action)) for action in state.legal_actions()]
        assert len(set(told)) == len(told)


def test_what_actions_pay_is_what_they_take() -> None:
    state = scripted()
    skill = next(a for a in state.legal_actions() if state.action_text(a) == "Searing Onslaught")
    told = describe(state, skill)
    assert told == {"kind": "skill", "index": 1, "name": "Searing Onslaught", "dice": ["OMNI"] * 3, "fast": False}
    state.play(skill)
    assert len(state.to_json()["players"][0]["dice"]) == 5


def test_the_active_character_is_not_told_before_all_have_chosen() -> None:
    state = GAME.new(decks=[DECK, DECK], piles=[CARDS, CARDS], dice=["OMNI"] * 50, first=0)
    for text in ["keep", "keep", "choose Sucrose"]:
        state.play(state.parse_action(text))
    seen = picture(state, 1)
    assert seen is not None
    assert [side["active"] for side in seen["players"]] == [None, None]


def test_cards_that_are_put_back_are_not_told() -> None:
    state = GAME.new(seed=1)
    while state.to_move < 0:
        state.play_chance()
    for action in state.legal_actions():
        assert not is_seen(state, action, 1 - state.to_move) or "redraw" not in state.action_text(action)


def test_a_review_rewards_dice_that_are_kept() -> None:
    state = scripted()
    assert review_bonus(state, state.parse_action("end")) == 10
    assert review_bonus(state, state.parse_action("Searing Onslaught")) == 0
    for text in ["Searing Onslaught", "end", "Tempered Sword"]:
        state.play(state.parse_action(text))
    assert review_bonus(state, state.parse_action("end")) == 0  # two dice are left


def test_vanarana_wants_two_dice_more_and_liben_none() -> None:
    state = scripted()
    for text in ["play Vanarana", "Searing Onslaught", "end"]:
        state.play(state.parse_action(text))
    assert review_bonus(state, state.parse_action("end")) == 0  # five are left
    state = scripted()
    state.play(state.parse_action("play Vanarana"))
    assert review_bonus(state, state.parse_action("end")) == 10
    state.play(state.parse_action("play Liben"))
    assert review_bonus(state, state.parse_action("end")) == 0


def test_the_table_in_chinese() -> None:
    state = scripted()
    use("zh-TW")
    try:
        text = drawn(GAME, state.view(0))
    finally:
        use("en")
    assert "輪到玩家 1" in text  # people count from 1
    assert "Diluc 迪盧克" in text
    assert "Sweet Madame 甜甜花釀雞" in text
    assert people.MARK not in text
    assert not re.search(r"\b(dice|hand|pile|player|energy)\b", text)


def test_every_card_is_listed_in_both_languages() -> None:
    assert "Paimon 派蒙 (3 same): Twice, when the action phase begins: 2 Omni dice." in people.listing(chinese=False)
    assert "Paimon 派蒙 (3 相同): 行動階段開始時獲得 2 個萬能骰，可用 2 次。" in people.listing(chinese=True)


def test_things_are_explained_by_their_names() -> None:
    for item in [*catalogue()["cards"], *catalogue()["things"], *catalogue()["characters"]]:
        for name in (item["name"], item["zh"]):
            for chinese in (False, True):
                assert (people.explain(name, chinese) or "").startswith(f"{item['name']} {item['zh']}")
    assert people.explain("searing onslaught", False) == (
        "Searing Onslaught 逆焰之刃 (3 Pyro): 3 Pyro damage; 5 on the third use in one round."
    )
    assert people.explain("Zhongli", False) is None
