"""The page outlives reloads, the server's death and company; keys alone suffice."""

import re
from collections.abc import Callable

from browser import Person

QUICK = "uct:simulations=100"


def test_a_reload_in_the_middle_changes_nothing(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    for _ in range(2):
        assert person.my_turn()
        person.move(20)
    assert person.my_turn()
    moves, cells = person.moves, labels(person)
    assert len(moves) == 4
    person.page.reload()
    assert person.my_turn()
    assert (person.moves, labels(person)) == (moves, cells)
    person.move()


def labels(person: Person) -> list[str]:
    return [str(one.get_attribute("aria-label")) for one in person.page.get_by_role("gridcell").all()]


def test_a_server_that_is_killed_comes_back_to_the_same_game(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    assert person.my_turn()
    person.move(3)
    assert person.my_turn()
    moves = person.moves
    person.server.kill()
    person.see("Connection lost, trying again …")
    person.server.start()
    person.until("() => !document.querySelector('.lost')")
    assert person.moves == moves
    person.errors.clear()  # the browser tells of every attempt to connect
    person.play_to_the_end(lambda number: number * 9)
    assert person.moves[: len(moves)] == moves
    assert person.session["position"]["to_move"] == "over"


def test_two_browsers_at_one_game_see_each_others_moves(visit: Callable[..., Person]) -> None:
    one, other = visit(), visit()
    where = one.server.begin("connect_four", None, None)
    one.open(where)
    other.open(where)
    for number, person in enumerate([one, other, other, one]):
        assert person.my_turn()
        person.move(30)
        one.wait_for_ply(number + 1)
        other.wait_for_ply(number + 1)
    assert one.moves == other.moves
    assert labels(one) == labels(other)


def test_two_games_at_once_do_not_mix(visit: Callable[..., Person]) -> None:
    one, other = visit(), visit()
    one.open(one.server.begin("connect_four", None, QUICK))
    other.open(other.server.begin("tic_tac_toe", None, QUICK))
    for _ in range(2):
        assert one.my_turn()
        assert other.my_turn()
        one.move()
        other.move()
    assert one.my_turn()
    assert other.my_turn()
    assert one.moves == [node["text"] for node in one.session["nodes"][1:]]
    assert other.moves == [node["text"] for node in other.session["nodes"][1:]]
    assert all(re.fullmatch("[a-g]", text) for text in one.moves)
    assert not any(re.fullmatch("[a-g]", text) for text in other.moves)


def test_a_whole_game_with_keys_alone(person: Person) -> None:
    person.open()
    keys = person.page.keyboard
    person.page.locator("a.game").first.wait_for()
    tab_to(person, "a.game[href$=tic_tac_toe]")
    keys.press("Enter")
    person.page.get_by_role("dialog").wait_for()
    keys.press("Enter")  # the button that begins has the focus
    assert person.my_turn()
    tab_to(person, "[role=gridcell]")
    while person.my_turn():
        before = person.ply
        for step in ["", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown"] * 2:
            if step:
                keys.press(step)
            if person.page.locator("[role=gridcell][data-open]:focus").count():
                break
        keys.press("Enter")
        person.until(f"() => document.querySelectorAll('[role=treeitem]').length > {before}")
    assert person.session["position"]["to_move"] == "over"
    keys.press("Escape")
    keys.press("?")
    person.page.get_by_role("dialog").get_by_text("this list").wait_for()
    keys.press("Escape")
    assert person.page.get_by_role("dialog").count() == 0


def tab_to(person: Person, selector: str) -> None:
    for _ in range(60):
        person.page.keyboard.press("Tab")
        if person.page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"the tab key does not reach {selector}")
