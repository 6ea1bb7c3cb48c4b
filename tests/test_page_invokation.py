"""Genius Invokation on the page: the prompts of a start, cards and their targets, a round against an AI, decks."""

from collections.abc import Callable

import pytest
from browser import PHONE, Person

HAND = ".gi-hand .gi-card"


def phase(person: Person) -> str:
    return str(person.session["position"]["picture"]["phase"])


def confirm(person: Person) -> None:
    """The button of a redraw or a reroll."""
    before = person.ply
    person.page.locator(".gi-confirm").click()
    person.until(
        "() => Number((document.querySelector('[role=treeitem][aria-selected=true]')?.ariaLabel ?? '0.')"
        f".split('.')[0]) > {before}"
    )


def to_the_action(person: Person) -> None:
    """Through the set-up to the person's first action."""
    while person.my_turn() and (now := phase(person)) != "action":
        if now in ("redraw", "reroll"):
            confirm(person)
        else:
            person.move()


@pytest.mark.parametrize("look", [{}, {"viewport": PHONE, "language": "zh-TW"}])
def test_a_round_of_a_duel(visit: Callable[..., Person], look: dict[str, str]) -> None:
    person = visit(**look)
    person.open(person.server.begin("invokation", None, "random", seed=3))
    assert person.my_turn()
    assert phase(person) == "redraw"
    assert person.page.locator(HAND).count() == 5
    person.page.locator(HAND).first.click()
    confirm(person)
    to_the_action(person)
    seen = person.session["position"]["picture"]
    assert seen["players"][1]["hand"] is None
    assert person.page.locator(".gi-far-hand .gi-back").count() == seen["players"][1]["cards"]
    person.shot(f"invokation-{look.get('language', 'en')}")
    card = person.page.locator(f"{HAND}:not(:disabled)").first
    card.click()
    assert person.page.locator(".gi-orders [data-action]").count() > 0
    person.shot(f"invokation-card-{look.get('language', 'en')}")
    person.page.keyboard.press("Escape")
    assert person.page.locator(".gi-orders").count() == 0
    assert person.until("() => document.documentElement.scrollWidth <= innerWidth + 1")
    rounds = person.session["position"]["picture"]["round"]
    for _ in range(40):
        if not person.my_turn() or person.session["position"]["picture"]["round"] > rounds:
            break
        if phase(person) in ("redraw", "reroll"):
            confirm(person)
        elif person.page.locator(".gi-skill:not(:disabled)").count():
            person.page.locator(".gi-skill:not(:disabled)").first.click()
            person.page.wait_for_timeout(300)
        else:
            person.move(10**6)  # the last button: the end of the round
    assert person.session["position"]["picture"]["round"] > rounds


def test_tooltips_say_what_things_do(person: Person) -> None:
    person.open(person.server.begin("invokation", None, "random", seed=4))
    assert person.my_turn()
    person.page.locator(HAND).first.hover()
    tip = person.page.locator(".gi-tip")
    tip.wait_for()
    assert len(tip.inner_text().splitlines()) >= 2


def test_a_deck_is_chosen_in_the_lobby(person: Person) -> None:
    person.open("#/game/invokation")
    person.page.locator(".gi-deck [data-key='sample B']").first.click()
    person.page.locator(".gi-deck [data-key='own']").last.click()
    person.page.locator("[data-key='person Mona']").click()
    person.shot("invokation-decks")
    person.press("Play")
    assert person.my_turn()
    names = [one["name"] for one in person.session["position"]["picture"]["players"][0]["chars"]]
    assert names == ["Fischl", "Collei", "Barbara"]
