"""Every screen in both languages, light and dark, wide and on a phone: see looks.py."""

import re
from collections.abc import Callable

import pytest
from browser import PHONE, Person
from looks import look_at, too_wide

QUICK = "uct:simulations=100"


def lobby(person: Person) -> None:
    person.server.begin("easycard", None, QUICK)
    person.open(person.server.begin("tic_tac_toe", None, "random:seed=1"))
    person.play_to_the_end()
    person.open("#/")
    person.page.locator("a.game").first.wait_for()


def new_game(person: Person) -> None:
    person.open("#/game/connect_four")
    for summary in person.page.get_by_role("dialog").locator("summary").all():
        summary.click()


def connect_four(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, None, start="moves: d d e c c e b"))
    person.my_turn()
    person.press("Analyse")
    person.page.get_by_label("show on the board").check()
    person.page.get_by_role("gridcell", name=re.compile("of the search")).first.wait_for()
    person.page.get_by_text("Search tree").click()
    person.page.locator(".explorer button[aria-expanded=false]").first.click()
    person.page.keyboard.press("t")
    person.press("Analyse")
    person.until("() => !document.querySelector('.doing')")


def easycard(person: Person) -> None:
    person.open(person.server.begin("easycard", None, QUICK, preset="chance", seed=5))
    for _ in range(3):
        person.my_turn()
        person.move()
    person.my_turn()
    person.press("Hint")
    person.see("What it thinks")
    person.until("() => !document.querySelector('.doing')")


def tic_tac_toe(person: Person) -> None:
    person.open(person.server.begin("tic_tac_toe", None, "random:seed=1"))
    person.play_to_the_end()


def generic(person: Person) -> None:
    person.open(person.server.begin("kuhn_poker", None, QUICK, seed=1))
    person.my_turn()


def review(person: Person) -> None:
    id = person.server.begin("connect_four", None, None, start=None).rpartition("/")[2]
    person.open(f"#/play/{id}")
    person.my_turn()
    for number, column in enumerate("dagafad"):
        person.page.get_by_role("gridcell", name=re.compile(f"^column {column}, row 6")).click()
        person.wait_for_ply(number + 1)
    person.open(f"#/review/{id}")
    person.page.reload()
    person.until("() => document.querySelector('.excitement') && !document.querySelector('progress')")
    person.page.keyboard.press("n")
    person.see("better")


def keys(person: Person) -> None:
    tic_tac_toe(person)
    person.page.keyboard.press("?")
    person.page.get_by_role("dialog").wait_for()


def set_up(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    person.my_turn()
    person.page.get_by_label("More").click()
    person.press("Set up a position …")
    person.page.get_by_role("dialog").wait_for()


def menu(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    person.my_turn()
    person.page.get_by_label("More").click()
    person.page.get_by_label(re.compile("^Change who plays")).first.click()
    person.page.get_by_label("More").click()


def training(person: Person) -> None:
    person.open("#/training")
    person.see("There are no runs yet")


def learn(person: Person) -> None:
    person.open("#/learn")
    person.page.get_by_role("status").wait_for()


def gone(person: Person) -> None:
    person.open("#/play/0000000000000000")
    person.see("This game is not here")


SCREENS = [
    lobby, new_game, connect_four, easycard, tic_tac_toe, generic, review, keys, set_up, menu, training, learn, gone,
]  # fmt: skip


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_a_screen(person: Person, screen: Callable[[Person], None]) -> None:
    screen(person)
    wrong = look_at(person, screen.__name__)
    assert not wrong, "\n".join(wrong)


def test_the_language_is_chosen_kept_and_told_to_the_browser(visit: Callable[..., Person]) -> None:
    person = visit().open()
    person.see("What would you like to play?")
    assert person.page.locator("html").get_attribute("lang") == "en"
    person.choose("Language", value="zh-TW")
    person.see("想玩什麼？")
    assert person.page.locator("html").get_attribute("lang") == "zh-Hant-TW"
    person.page.reload()
    person.see("想玩什麼？")
    visit(language="zh-TW").open().see("想玩什麼？")  # a Chinese browser is spoken to in Chinese


def test_light_and_dark_follow_the_system_until_somebody_chooses(person: Person) -> None:
    def paper() -> str:
        return str(person.page.evaluate("() => getComputedStyle(document.body).backgroundColor"))

    person.open()
    light = paper()
    person.page.emulate_media(color_scheme="dark")
    dark = paper()
    assert light != dark
    person.choose("Theme", value="light")
    assert paper() == light
    person.page.emulate_media(color_scheme="light")
    person.choose("Theme", value="dark")
    assert paper() == dark
    person.page.reload()
    person.see("What would you like to play?")
    assert paper() == dark


@pytest.mark.parametrize("language", ["en-US", "zh-TW"])
def test_a_whole_game_on_a_phone(visit: Callable[..., Person], language: str) -> None:
    person = visit(language=language, viewport=PHONE, has_touch=True, is_mobile=True)
    person.open(person.server.begin("connect_four", None, QUICK))
    while person.my_turn():
        choices = person.open_choices()
        before = person.ply
        choices.nth(choices.count() - 1).tap()
        person.until(f"() => document.querySelectorAll('[role=treeitem]').length > {before}")
    assert too_wide(person) == []
    assert person.session["position"]["to_move"] == "over"
