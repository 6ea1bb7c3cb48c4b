"""Beside the moves: undo, variations, positions and records, hints, analysis and review."""

import json
import re
from pathlib import Path

from browser import Person
from helpers import wait_until

QUICK = "uct:simulations=100"


def test_undo_redo_and_a_variation(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK))
    for _ in range(2):
        assert person.my_turn()
        person.move()
    person.wait_for_ply(4)
    before = person.moves
    person.press("Undo")
    person.wait_for_ply(2)
    assert person.my_turn()
    person.press("Redo")
    person.wait_for_ply(4)
    assert person.moves == before
    person.press("Undo")
    person.wait_for_ply(2)
    person.page.keyboard.press("a")  # the page's own keys: analysis on and off
    person.page.keyboard.press("a")
    person.page.get_by_role("gridcell", name=re.compile("^column g, row 1")).click()
    person.wait_for_ply(4)
    assert person.session["position"]["node"] == 6
    assert len(person.moves) == 6  # both variations are in the list
    assert person.session["line"] == [0, 1, 2, 5, 6]
    other = person.page.get_by_role("treeitem", name=re.compile(r"^4\."), selected=False)
    text = other.inner_text()
    other.click()
    person.page.get_by_role("treeitem", name=re.compile(rf"^4\. .*: {text.strip()}"), selected=True).wait_for()
    assert person.session["at"] == 4
    assert person.session["line"] == [0, 1, 2, 3, 4]


def test_a_position_is_set_up_by_hand(person: Person) -> None:
    person.open(person.server.begin("tic_tac_toe", None, None))
    person.page.get_by_label("More").click()
    person.press("Set up a position …")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_text("first player's piece").click()
    dialog.get_by_role("gridcell", name=re.compile("column b, row 2")).click()
    dialog.get_by_text("second player's piece").click()
    dialog.get_by_role("gridcell", name=re.compile("column a, row 3")).click()
    assert dialog.get_by_role("textbox").input_value() == "o../.x./... x"
    first = person.id
    dialog.get_by_role("button", name="Play from here").click()
    person.until(f"() => !location.hash.endsWith('{first}')")
    wait_until(lambda: person.open_choices().count() == 7)  # the old game is shown until the new one has come
    assert person.session["position"]["text"] == "o../.x./... x"


def test_a_position_is_pasted_and_a_wrong_one_refused_with_a_sentence(person: Person) -> None:
    person.open("#/game/tic_tac_toe")
    person.page.get_by_text("Start from a position or a record").click()
    text = person.page.get_by_label("Position", exact=True)
    text.fill("xxx/xxx/xxx o")
    person.press("Play")
    assert person.see(re.compile(r"position .*\."))
    person.errors.clear()  # browsers write down what a server refuses
    text.fill("xo./.../... x")
    person.press("Play")
    wait_until(lambda: person.open_choices().count() == 7)


def test_a_record_is_saved_and_loaded_again(person: Person, tmp_path: Path) -> None:
    person.open(person.server.begin("tic_tac_toe", None, "random:seed=1"))
    person.play_to_the_end()
    moves = person.moves
    person.page.get_by_label("More").click()
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name="Save").click()
    path = tmp_path / "game.jsonl"
    download.value.save_as(path)
    assert json.loads(path.read_text())["game"] == "tic_tac_toe"
    first = person.id
    with person.page.expect_file_chooser() as chooser:
        person.press("Load a record …")
    chooser.value.set_files(path)
    person.until(f"() => !location.hash.endsWith('{first}')")
    wait_until(lambda: person.moves == moves)  # the page is empty for a moment, until the new game has come
    person.page.locator(".status.over").wait_for()
    assert len(person.session["line"]) == len(moves) + 1


def test_a_position_is_copied(person: Person) -> None:
    person.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.open(person.server.begin("connect_four", None, None, start="moves: d d e"))
    person.my_turn()
    person.page.get_by_label("More").click()
    person.press("Copy the position")
    person.see("Copied.")
    assert person.page.evaluate("() => navigator.clipboard.readText()") == person.session["position"]["text"]


def test_a_hint_marks_the_winning_move(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, QUICK, start="moves: a a b b c c"))
    assert person.my_turn()
    person.press("Hint")
    best = person.page.locator("tbody tr .text").first
    best.wait_for()
    assert best.inner_text() == "d"
    person.page.get_by_role("button", name="d", exact=True).click()  # from the list, not from the board
    person.page.locator(".status.over").wait_for()
    assert person.see("You win")


def test_an_analysis_shows_heat_values_and_a_tree_that_opens(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, None, start="moves: a a b b c"))
    assert person.my_turn()
    person.press("Analyse")
    person.see("What it thinks")
    person.page.get_by_label("show on the board").check()
    person.page.get_by_role("gridcell", name=re.compile("of the search")).first.wait_for()
    person.page.get_by_text("Search tree").click()
    branch = person.page.locator(".explorer button[aria-expanded=false]").first
    branch.wait_for()
    rows = person.page.locator(".explorer tbody tr")
    before = rows.count()
    branch.click()
    person.until(f"() => document.querySelectorAll('.explorer tbody tr').length > {before}")
    person.press("Analyse")
    person.until("() => !document.querySelector('.doing')")
    bar = person.page.get_by_role("img", name=re.compile("^Evaluation: "))
    assert "Nobody" not in str(bar.get_attribute("aria-label"))


def test_a_finished_game_is_reviewed_with_marks_and_better_lines(person: Person) -> None:
    person.open(person.server.begin("connect_four", None, None))
    person.my_turn()
    for number, column in enumerate("dagafad"):  # the second player lets three in a row become four
        person.page.get_by_role("gridcell", name=re.compile(f"^column {column}, row 6")).click()
        person.wait_for_ply(number + 1)
    person.page.get_by_label("More").click()
    person.press("Review the game")
    person.until("() => document.querySelector('.excitement')")
    person.until("() => !document.querySelector('progress')")
    review = person.session["review"]
    assert review["complete"]
    assert len(review["moves"]) == review["moves_in_all"] == 7
    marks = person.page.locator("[role=treeitem] b")
    assert marks.count() == 7
    assert any(move["mark"] != "good" and move["better"] for move in review["moves"])
    person.page.keyboard.press("n")
    person.see("better")
    person.page.locator(".shown .line").click()
    person.until("() => document.querySelectorAll('[role=treeitem][aria-level=\"2\"]').length > 0")
