"""What the page shows beside a game: better lines, another game like this one, chance as it happens, a tree in use."""

from collections.abc import Iterator

import pytest
from server_client import begin, looking, serving
from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), workers=2) as client:
        yield client


def test_a_line_is_shown_as_a_variation_and_nobody_answers_it(client: TestClient) -> None:
    session = begin(client, "connect_four", [{}, {"player": "random"}])
    with looking(client, session["id"]) as browser:
        browser.play("d")
        browser.my_turn()
        first = browser.session["line"]
        told = browser.ask(type="line", at=0, actions=[2, 2, 3])["session"]
        assert browser.moves == ["c", "c", "d"]
        assert told["at"] == told["line"][1]  # people step on from there
        assert told["thinking"] is None
        assert told["position"]["to_move"] == 1
        assert {node["id"] for node in told["nodes"]} >= set(first)
        assert browser.refused(type="line", at=0, actions=[99])


def test_a_line_is_not_shown_while_hands_are_hidden(client: TestClient) -> None:
    options = {"hidden": True}
    session = begin(client, "easycard", [{}, {"player": "random"}], preset="chance", options=options)
    with looking(client, session["id"]) as browser:
        assert "hidden" in browser.refused(type="line", at=0, actions=[0])


def test_another_game_has_the_same_options(client: TestClient) -> None:
    first = begin(client, "connect_four", options={"rows": 5, "cols": 8})
    second = begin(client, "connect_four", like=first["id"])
    assert second["game"] == first["game"]
    assert second["id"] != first["id"]
    started = begin(client, "connect_four", like=first["id"], start="8/8/8/8/3x4 o")
    assert started["position"]["to_move"] == 1
    refused = client.post("/api/sessions", json={"game": "connect_four", "like": "0" * 16, "seats": []})
    assert refused.status_code == 400
    assert "no game" in refused.json()["sentence"]


def test_what_chance_decides_is_told_one_by_one(client: TestClient) -> None:
    session = begin(client, "easycard", preset="chance")
    with looking(client, session["id"]) as browser:
        browser.wait(lambda session: session["position"]["to_move"] == 0)
        shown = [message["session"]["at"] for message in browser.heard if message["type"] == "session"]
        assert shown[-1] > 5
        assert set(shown) >= set(range(shown[-1] + 1))


def test_a_game_is_described_by_its_name(client: TestClient) -> None:
    assert client.get("/api/games/connect_four").json()["name"] == "connect_four"
    refused = client.get("/api/games/nothing")
    assert refused.status_code == 400
    assert "connect_four" in refused.json()["sentence"]


def test_a_tree_is_opened_while_the_analysis_goes_on(client: TestClient) -> None:
    session = begin(client, "connect_four")
    with looking(client, session["id"]) as browser:
        browser.say(type="analyse", on=True, player="uct")
        browser.until(lambda message: message["type"] == "thought")
        for path in ([], [3], [3, 3], [2]):
            browser.say(type="tree", path=path)
            message = browser.until(lambda message: message["type"] in ("tree", "error"))
            assert message["type"] == "tree", message
            assert message["tree"]["path"] == path
        browser.say(type="analyse", on=False)


def test_a_line_is_added_as_a_whole_or_not_at_all(client: TestClient) -> None:
    session = begin(client, "connect_four")
    with looking(client, session["id"]) as browser:
        browser.play("d")
        before = browser.session
        for at, actions in ((0, [2, 2, 99]), (77, [2])):
            browser.refused(type="line", at=at, actions=actions)
            now = client.get(f"/api/sessions/{session['id']}").json()
            assert (now["nodes"], now["at"], now["line"]) == (before["nodes"], before["at"], before["line"])
        browser.play("e")  # the person still looks at what the server shows
        assert browser.moves == ["d", "e"]


def test_the_graph_of_a_review_agrees_with_its_marks(client: TestClient) -> None:
    """What a player expected while it played, or an analysis says later, is not what the review has found."""
    session = begin(client, "tic_tac_toe", [{"player": "uct:simulations=1"}, {}])
    with looking(client, session["id"]) as browser:
        while browser.my_turn(1)["position"]["to_move"] != "over":
            browser.ask(type="play", action=browser.session["position"]["legal"][0]["action"], at=browser.session["at"])
        browser.say(type="review", player="uct:simulations=2000")
        browser.wait(lambda session: session["review"] is not None and session["review"]["complete"])
        nodes = {node["id"]: node for node in browser.session["nodes"]}
        for move in browser.session["review"]["moves"]:
            before = nodes[move["node"]]["parent"]
            assert nodes[before]["values"][move["seat"]] == pytest.approx(move["best"], abs=1e-6)
        reviewed = [node["values"] for node in browser.session["nodes"]]
        browser.ask(type="go", node=0)
        browser.say(type="hint", seconds=0.1)
        browser.until(lambda message: message["type"] == "thought")
        browser.wait(lambda session: session["thinking"] is None)
        assert [node["values"] for node in browser.session["nodes"]] == reviewed
