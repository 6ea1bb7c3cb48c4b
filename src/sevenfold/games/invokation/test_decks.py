"""Decks, names and texts: the samples, the checker's sentences, and that the catalogue is about the engine's cards."""

import re
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold._core import _invokation
from sevenfold.games.invokation import decks
from sevenfold.games.invokation.catalogue import card, catalogue, character, cost_text, thing
from sevenfold.games.invokation.decks import Deck

A = decks.sample("A")


@pytest.mark.parametrize("letter", decks.SAMPLES)
def test_sample_files_are_the_engines_samples(letter: str) -> None:
    deck = decks.sample(letter)
    assert deck.faults() == []
    assert deck == decks.parse(_invokation.sample_deck(letter))
    assert decks.parse(deck.line()) == deck == decks.parse(deck.text())
    assert (
        sf.game("invokation", deck0=deck.line()).new().to_json()["players"][0]["chars"][0]["name"] == deck.characters[0]
    )


def test_names_are_understood_in_both_languages() -> None:
    text = "角色：迪盧克、凱亞、砂糖\n2 換班時間\n2x leave it to me!\nWoven Ice # a comment\n"
    deck = decks.parse(text)
    assert decks.parse("角色: 迪卢克，凯亚，砂糖\n2 换班时间\n2 交给我吧！\n元素共鸣：交织之冰") == deck
    assert deck.characters == ("Diluc", "Kaeya", "Sucrose")
    assert deck.cards == ("Changing Shifts",) * 2 + ("Leave It to Me!",) * 2 + ("Elemental Resonance: Woven Ice",)


def changed(old: str, new: str) -> Deck:
    return Deck(A.characters, tuple(new if name == old else name for name in A.cards))


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (Deck(A.characters, A.cards[1:]), "a deck has 30 cards, not 29."),
        (Deck(A.characters[1:], A.cards), "a deck has 3 characters, not 2."),
        (Deck(("Diluc", "Diluc", "Kaeya"), A.cards), "Diluc is in the team more than once."),
        (changed("Paimon", "Liben"), "Liben is in the deck 4 times; 2 are allowed."),
        (changed("Flowing Flame", "Crossfire"), "Crossfire is the talent of Xiangling, who is not in the team."),
        (
            changed("Flowing Flame", "Elemental Resonance: Woven Flames"),
            "Elemental Resonance: Woven Flames needs 2 Pyro characters in the team.",
        ),
        (changed("Paimon", "Lightning Stiletto"), "Lightning Stiletto is made by a skill and cannot be in a deck."),
    ],
)
def test_bad_decks_are_refused_in_one_sentence(deck: Deck, sentence: str) -> None:
    assert sentence in deck.faults()
    with pytest.raises(ValueError, match=re.escape(deck.faults()[0])):
        deck.checked()
    with pytest.raises(ValueError, match="invokation"):
        sf.game("invokation", deck0=deck.line())


def test_a_file_from_another_editor_is_read(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_bytes(b"\xef\xbb\xbf" + A.text().replace("\n", "\r\n").encode())
    assert decks.load(file) == A


def test_unknown_names_say_where(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("characters: Diluc, Kaeya, Sucrose\n2 Paimons\n", encoding="utf-8")
    with pytest.raises(ValueError, match="part 2: there is no card 'Paimons'"):
        decks.load(file)
    with pytest.raises(ValueError, match="cannot be read"):
        decks.load(tmp_path / "none.txt")


def test_the_catalogue_has_the_engines_numbers() -> None:
    for ours, engine in zip(catalogue()["characters"], _invokation.characters(), strict=True):
        skills = [(one["name"], one["cost"]) for one in ours["skills"] if one["kind"] != "passive"]
        assert skills == [(one["name"], one["cost"]) for one in engine["skills"]]
        for key in ("name", "number", "element", "weapon", "nation", "hp", "energy"):
            assert ours[key] == engine[key]
    cards = {one["name"]: one for one in _invokation.cards()}
    assert set(cards) == {one["name"] for one in catalogue()["cards"]}
    for one in catalogue()["cards"]:
        assert (one["number"], one["cost"]) == (cards[one["name"]]["number"], cards[one["name"]]["cost"])
    for one in _invokation.objects():
        assert thing(one["name"]) is not None, one["name"]


def test_everything_is_described_in_both_languages() -> None:
    people, cards, things = catalogue()["characters"], catalogue()["cards"], catalogue()["things"]
    for one in [*(skill for person in people for skill in person["skills"]), *cards, *things]:
        assert one["text"].endswith(".")
        assert one["text_zh"].endswith("。")
        assert any("\u4e00" <= sign <= "\u9fff" for sign in one["zh"])


def test_costs_for_people() -> None:
    assert cost_text("1Cryo+2Any") == "1 Cryo + 2 any"
    assert cost_text("4Pyro+3En", chinese=True) == "4 火 + 3 充能"
    assert (card("1") or {}).get("name") is None
    assert (character("凱亞") or {})["name"] == "Kaeya"
