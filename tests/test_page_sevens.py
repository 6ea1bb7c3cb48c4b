"""Sevens on the page: a whole deal against three AIs, with hidden hands until its end, and a review."""

from collections.abc import Callable

import pytest
from browser import PHONE, Person

AIS = ("greedy", "keeper", "blocker")


BROKEN = """() => [...document.querySelectorAll('.sv-share-number')]
    .filter((one) => one.offsetHeight > 1.7 * parseFloat(getComputedStyle(one).fontSize)).length"""
"""Shares whose per cent sign is on a line of its own."""
CUT = """() => [...document.querySelectorAll('.sv-seat .d-row:not(.d-fan) > *:not(:last-child)')]
    .filter((one) => {
      const [own, next] = [one, one.nextElementSibling].map((card) => card.getBoundingClientRect());
      return next.top < own.bottom - 1 && next.left < own.right - 1;
    }).length"""
"""Open cards of the other seats that the next one covers in part."""


def hidden_faces(person: Person) -> int:
    """Faces in the document beyond the rows, the own hand and the own covered cards."""
    own = ".sv-rows .d-playing, .sv-near .d-playing, .sv-belief .d-playing"
    return int(person.page.locator(".sv .d-playing").count()) - int(person.page.locator(own).count())


def test_a_whole_deal_against_three_players(person: Person) -> None:
    person.open(person.server.begin("sevens", None, *AIS, seed=11))
    while person.my_turn():
        assert hidden_faces(person) == 0
        session = person.session
        assert session["viewer"] == 0
        assert [node["text"] for node in session["nodes"] if node["mover"] == "chance"] == ["", "dealt"]
        for seat, one in enumerate(session["position"]["picture"]["seats"]):
            assert (one["hand"] is None) == (seat != 0)
        person.move()
    session = person.session
    assert session["position"]["to_move"] == "over"
    assert len(session["line"]) == 1 + 1 + 52
    scores = person.page.locator("td.sv-score").all_inner_texts()
    assert len(scores) == 4
    assert abs(sum(float(score.replace("−", "-")) for score in scores)) < 0.5
    left = sum(len(one["covers"]) for one in session["position"]["picture"]["seats"])
    assert person.page.locator(".sv-left-cards .d-card").count() == left
    person.shot("sevens-over")
    person.page.keyboard.press("ArrowLeft")  # back: now all hands are open
    person.wait_for_ply(51)
    assert person.session["position"]["picture"]["seats"][1]["hand"] is not None
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight"):
        person.page.keyboard.press(key)
    person.page.locator(".sv-seat .sv-held .d-playing").first.wait_for()
    assert person.page.evaluate(CUT) == 0
    person.page.keyboard.press("r")
    person.page.get_by_label("Reviewing").wait_for()
    person.until("() => document.querySelector('progress')?.value > 0")
    person.shot("sevens-review")


def test_the_deal_is_shown_once_and_as_a_whole(visit: Callable[..., Person]) -> None:
    person = visit(reduced_motion="no-preference")
    person.open(person.server.begin("sevens", None, *AIS, seed=12))
    person.page.locator(".sv-hand .d-card").first.wait_for()
    assert person.page.locator("[role=treeitem]").first.inner_text() == "dealt"
    assert person.my_turn()
    assert person.page.locator(".sv-hand .d-card").count() <= 13


def test_the_keys_play_a_card(person: Person) -> None:
    person.open(person.server.begin("sevens", None, *AIS, seed=13))
    assert person.my_turn()
    before = person.ply
    first = person.open_choices().first
    first.focus()
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("Enter")
    person.until("() => document.querySelectorAll('[data-laid]').length > 1")
    assert person.session["position"]["picture"]["ply"] > before


@pytest.mark.parametrize("look", [{}, {"viewport": PHONE, "language": "zh-TW"}])
def test_who_may_hold_what_is_shown_on_request(visit: Callable[..., Person], look: dict[str, str]) -> None:
    person = visit(**look)
    person.open(person.server.begin("sevens", None, *AIS, seed=14))
    for _ in range(4):
        assert person.my_turn()
        person.move()
    assert person.my_turn()
    assert person.page.locator(".sv-belief").count() == 0
    person.page.keyboard.press("t")
    person.page.locator(".sv-belief").wait_for()
    assert person.page.locator(".sv-share-number").count() > 0
    assert person.page.evaluate(BROKEN) == 0
    title = {"en": "Who may hold what", "zh-TW": "誰可能有什麼牌"}[look.get("language", "en")]
    assert person.page.locator("details label").filter(has_text=title).count() == 1
    slot = person.page.locator("button.sv-slot:has(.sv-share:not(:empty))").first
    slot.hover()
    bars = person.page.locator(".sv-bars-row .sv-bar-number").all_inner_texts()
    assert len(bars) == 3
    assert abs(sum(int(text.strip("<%")) for text in bars) - 100) <= 2
    person.shot(f"sevens-belief-{look.get('language', 'en')}")
    assert person.until("() => document.documentElement.scrollWidth <= innerWidth + 1")
