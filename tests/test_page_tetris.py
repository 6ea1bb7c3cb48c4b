"""Tetris on the page: a piece moved by keys in real time, hold, hints over the field, two sides, fumens, a phone."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import PHONE, Person

SOLO = {"gravity": 0, "lock": 0}


def calm(person: Person, **own: Any) -> None:
    """Settings of the board without gravity, so that a slow machine places what the test wants."""
    kept = json.dumps({"tetris": {**SOLO, **own}, "tetris_versus": {**SOLO, **own}})
    person.page.add_init_script(
        f"const s = JSON.parse(localStorage.getItem('sevenfold') ?? '{{}}');"
        f"localStorage.setItem('sevenfold', JSON.stringify({{...s, rooms: {kept}}}));"
    )


def pieces(person: Person, seat: int = 0) -> int:
    return int(person.session["position"]["picture"]["sides"][seat]["pieces"])


def wait_for_pieces(person: Person, count: int, seat: int = 0) -> None:
    """Until so many are placed, or more where they fall by themselves."""
    label = f"document.querySelector('[data-seat=\"{seat}\"] svg')?.ariaLabel"
    person.until(f"() => Number({label}?.match(/(\\d+) (pieces|塊)/)?.[1] ?? -1) >= {count}")


def falling(person: Person) -> list[str]:
    return [str(one.get_attribute("transform")) for one in person.page.locator(".tt-falling .tt-cell").all()]


def test_keys_move_the_piece_and_drop_it(person: Person) -> None:
    calm(person)
    person.open(person.server.begin("tetris", None, seed=3))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    keys = person.page.keyboard
    before = falling(person)
    keys.press("ArrowLeft")
    moved = falling(person)
    assert moved != before
    keys.press("ArrowRight")
    assert falling(person) == before
    keys.down("ArrowLeft")  # held: to the wall
    wall = '.tt-falling .tt-cell[transform^="translate(50 "]'
    person.page.locator(wall).first.wait_for()
    keys.up("ArrowLeft")
    ghost = [one.get_attribute("transform") for one in person.page.locator(".tt-ghost .tt-cell").all()]
    keys.press("Space")
    wait_for_pieces(person, 1)
    stack = [one.get_attribute("transform") for one in person.page.locator(".tt-stack .tt-cell").all()]
    assert sorted(stack) == sorted(ghost)
    keys.press("KeyC")  # hold, then the next piece
    assert person.page.locator(".tt-used").count() == 4
    keys.press("KeyZ")
    keys.press("Space")
    wait_for_pieces(person, 2)
    assert person.session["position"]["picture"]["sides"][0]["hold"] is not None
    for _ in range(6):
        count = pieces(person)
        keys.press("ArrowUp")
        keys.press("Space")
        wait_for_pieces(person, count + 1)
    person.shot("tetris-solo")


def test_a_piece_falls_and_locks_by_itself(person: Person) -> None:
    calm(person, gravity=60, lock=50)
    person.open(person.server.begin("tetris", None, seed=3))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    assert pieces(person) == 0  # nothing happens before the first key
    person.page.keyboard.press("ArrowLeft")
    wait_for_pieces(person, 2)


def test_a_hint_lies_over_the_field(person: Person) -> None:
    calm(person)
    person.open(person.server.begin("tetris", None, seed=4))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    assert person.page.locator(".tt-advice path").count() == 0
    person.page.keyboard.press("h")
    person.page.locator(".tt-advice path").wait_for()
    person.shot("tetris-hint")


def test_against_a_player_with_garbage_between(person: Person) -> None:
    calm(person)
    person.open(person.server.begin("tetris_versus", None, "random", seed=5))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    for count in range(1, 6):
        person.page.keyboard.press("ArrowRight")
        person.page.keyboard.press("Space")
        wait_for_pieces(person, count)
        wait_for_pieces(person, count, seat=1)
    assert person.page.locator(".tt-side").count() == 2
    person.shot("tetris-versus")


def test_the_pace_drops_who_is_too_slow(person: Person) -> None:
    calm(person, pace=5)
    person.open(person.server.begin("tetris_versus", None, "random", seed=6))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    person.page.keyboard.press("ArrowLeft")
    wait_for_pieces(person, 2)
    wait_for_pieces(person, 2, seat=1)


def test_two_players_are_watched(person: Person) -> None:
    person.open(person.server.begin("tetris_versus", "random", "random", seed=7))
    wait_for_pieces(person, 3, seat=1)


def test_a_fumen_goes_out_and_comes_in(person: Person) -> None:
    calm(person)
    person.open(person.server.begin("tetris", None, seed=8))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    for count in range(1, 4):
        person.page.keyboard.press("Space")
        wait_for_pieces(person, count)
    api = f"{person.server.address}api/sessions"
    text = person.page.request.get(f"{api}/{person.id}/record?format=fumen").text()
    assert re.fullmatch(r"v115@[A-Za-z0-9+/?]+\n", text)
    made = person.page.request.post(api, data={"game": "tetris", "record": text, "format": "fumen", "seats": [{}]})
    assert made.ok, made.text()
    told = made.json()
    assert told["position"]["picture"]["sides"][0]["pieces"] == 3
    assert told["position"]["picture"]["sides"][0]["rows"] == person.session["position"]["picture"]["sides"][0]["rows"]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_on_a_phone_there_are_buttons(visit: Callable[..., Person], language: str) -> None:
    person = visit(viewport=PHONE, language=language)
    calm(person)
    person.open(person.server.begin("tetris", None, seed=9))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    before = falling(person)
    person.page.locator("[data-deed=left]").click()
    assert falling(person) != before
    person.page.locator("[data-deed=hard]").click()
    wait_for_pieces(person, 1)
    wide = person.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    person.shot(f"tetris-phone-{language}")


def test_the_list_of_moves_is_of_placements(person: Person) -> None:
    """What chance deals after a placement is no line of its own, neither while playing nor in a review."""
    calm(person)
    person.open(person.server.begin("tetris", None, seed=4, options={"pieces": 6}))
    person.page.locator(".tt-falling .tt-cell").first.wait_for()
    for count in range(1, 7):
        person.page.keyboard.press("ArrowLeft" if count % 2 else "ArrowRight")
        person.page.keyboard.press("Space")
        wait_for_pieces(person, count)

    def told() -> list[str]:
        return [str(one.get_attribute("aria-label")) for one in person.page.get_by_role("treeitem").all()]

    def placements() -> list[str]:
        return [one for one in told() if re.match(r"[1-6]\. You: h?[IOTLJSZ][NESW][a-j]\d+", one)]

    assert len(placements()) == 6
    assert len(told()) == 7  # and the start
    person.page.get_by_label("More").click()
    person.press("Review the game")
    person.until("() => document.querySelector('.excitement') && !document.querySelector('progress')")
    assert len(placements()) == 6
    assert person.page.locator("[role=treeitem] b").count() == 6  # each with its mark
    assert person.page.get_by_role("alert").count() == 0  # and nothing has gone wrong
    for _ in range(3):
        person.page.keyboard.press("ArrowLeft")  # one placement back each time
    wait_for_pieces(person, 3)
    assert pieces(person) == 3
    person.shot("tetris-review")
