"""Whole games on the page against AIs, by clicking: every game of the house, and one without a drawing."""

from collections.abc import Callable

import pytest
from browser import Person

QUICK = "uct:simulations=100"


def test_a_game_is_chosen_in_the_lobby_and_played_to_its_end(person: Person) -> None:
    person.open()
    person.page.locator("a.game", has_text="Tic-tac-toe").click()
    person.page.locator("fieldset").get_by_text("Beginner", exact=True).click()
    person.press("Play")
    person.see("Your turn")
    person.play_to_the_end()
    assert person.session["position"]["to_move"] == "over"
    assert person.moves == [node["text"] for node in person.session["nodes"][1:]]
    headline = person.page.locator(".status strong").inner_text()
    returns = person.session["position"]["returns"][0]
    assert headline == ("You win" if returns > 0 else "Draw" if returns == 0 else "Beginner wins")
    person.press("Play again")
    person.see("Your turn")
    assert person.ply == 0


def test_connect_four(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    person.play_to_the_end(lambda number: number * 9)
    assert person.session["position"]["to_move"] == "over"


def test_connect_four_of_another_size_with_a_blocked_cell_and_the_other_to_begin(person: Person) -> None:
    person.open("#/game/connect_four")
    person.page.get_by_text("Options of the game").click()
    for option, value in {"rows": "5", "cols": "6", "blocked": "4,2"}.items():
        person.page.locator(f"#option-{option}").fill(value)
    person.choose("Who begins", value="seat 1")
    person.press("Play")
    assert person.my_turn()
    assert person.ply == 1
    cells = person.page.get_by_role("gridcell")
    assert cells.count() == 30
    assert person.page.get_by_role("gridcell", name="blocked").count() == 1
    person.play_to_the_end(lambda number: number * 7)
    assert person.session["position"]["to_move"] == "over"
    assert "rows=5" in person.session["game"]


@pytest.mark.parametrize("more", [{}, {"preset": "chance"}], ids=["fixed", "chance"])
def test_easycard(person: Person, more: dict[str, object]) -> None:
    person.open(person.server.begin("easycard", None, QUICK, seed=3, **more))
    assert person.play_to_the_end(lambda number: 0) > 2
    assert person.session["position"]["to_move"] == "over"


def test_a_game_written_in_python_is_played_through_its_text_and_actions(visit: Callable[..., Person]) -> None:
    person = visit().open()
    person.page.locator("a.game", has_text="kuhn").click()
    person.press("Play")
    person.play_to_the_end()
    assert person.session["position"]["to_move"] == "over"
    hidden = person.session["nodes"][2]
    assert hidden["mover"] == "chance"


def test_text_and_a_list_of_actions_replace_a_picture_when_somebody_wants_that(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    assert person.my_turn()
    person.page.keyboard.press("g")
    person.page.get_by_role("searchbox").fill("d")
    person.page.keyboard.press("Enter")
    person.wait_for_ply(2)
    assert person.moves[0] == "d"
    person.play_to_the_end()
    assert person.session["position"]["to_move"] == "over"
