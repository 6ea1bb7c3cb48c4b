"""Learning on the page: a run of tic-tac-toe from its start to a game against what it has learnt, and the lessons."""

import re

import pytest
from browser import PATIENCE, Person
from looks import look_at

NUMBERS = "document.querySelector('.steps [role=status]').innerText.match(/\\d+/g)"
"""Of the simulation, of the step, and of the last step."""


def test_a_run_is_started_watched_and_played_against(person: Person) -> None:
    pytest.importorskip("torch")
    person.open("#/training")
    person.choose("Game", value="tic_tac_toe")
    person.page.get_by_label("Minutes, at most").fill("0.15")
    person.press("Start learning")
    person.see("running")
    person.see(re.compile("ended|failed"), patience=5 * PATIENCE)
    assert person.page.get_by_text("This run has failed").count() == 0
    for curve in person.page.locator(".uplot").all():
        assert curve.locator("canvas").count() == 1
    assert person.page.locator(".uplot").count() >= 3
    run = person.page.request.get(f"{person.server.address}api/runs/{person.id}").json()
    assert len(run["metrics"]) >= 1
    assert run["checkpoints"]
    wrong = look_at(person, "run")
    assert not wrong, "\n".join(wrong)
    person.press("Start the match")  # the newest checkpoint against random moves
    person.see("20 of 20 games")
    person.page.get_by_role("button", name=f"Play against it: checkpoint {max(run['checkpoints'])}").click()
    person.see("Your turn")
    person.play_to_the_end()
    assert person.session["position"]["to_move"] == "over"
    person.open("#/training")
    person.page.get_by_role("row", name=re.compile("Tic-tac-toe")).first.wait_for()


@pytest.mark.parametrize("method", ["uct", "alphazero"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four"])
def test_every_step_of_a_simulation(person: Person, game: str, method: str) -> None:
    if method == "alphazero":
        pytest.importorskip("onnxruntime")
    person.open(f"#/learn/{game}")
    status = person.page.get_by_role("status")
    status.wait_for()
    person.choose("Method", value=method)
    person.press("Next simulation")
    person.until(f"() => {NUMBERS}[0] == 22 && {NUMBERS}[1] == 1")  # after 20, and the one that was shown first
    simulation, step, steps = numbers(status.inner_text())
    kinds = set()
    while True:
        kinds.add(person.page.locator("[aria-current=step]").inner_text()[:1])
        assert person.page.locator("pre").last.inner_text().strip()  # the lines of code
        if step == steps:
            break
        person.page.get_by_label("Next step").click()
        person.until(f"() => {NUMBERS}[1] == {step + 1}")
        step += 1
    assert kinds >= {"1", "3", "4"}
    person.page.keyboard.press("n")
    person.until(f"() => {NUMBERS}[0] == {simulation + 1}")
    person.page.keyboard.press("ArrowRight")
    assert numbers(status.inner_text())[1] == 2


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]
