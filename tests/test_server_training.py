"""Training and matches from the page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server_client import HOST, begin, looking, serving, soon
from starlette.testclient import TestClient

from sevenfold.server import catalogue


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data")) as client:
        yield client


def start(client: TestClient, **more: Any) -> Any:
    return client.post("/api/runs", json={"game": "tic_tac_toe", "preset": "quick", **more})


@pytest.mark.slow
def test_a_run_of_tic_tac_toe_is_started_watched_stopped_and_played_against(client: TestClient) -> None:
    answer = start(client, minutes=10)
    assert answer.status_code == 201, answer.text
    id = answer.json()["id"]
    assert answer.json()["running"]
    assert start(client).status_code == 400  # one at a time
    with client.websocket_connect(f"/api/runs/{id}/ws", headers={"host": HOST}) as socket:
        assert socket.receive_json()["run"]["id"] == id
        while (told := socket.receive_json())["type"] != "metrics":
            pass
        assert told["line"]["iteration"] == 1
        assert told["line"]["games"] > 0
    state = client.get(f"/api/runs/{id}").json()
    assert state["progress"]["seconds_left"] < 600
    assert client.delete(f"/api/runs/{id}").status_code == 204
    soon(lambda: not client.get(f"/api/runs/{id}").json()["running"])
    assert client.delete(f"/api/runs/{id}").status_code == 400
    state = client.get(f"/api/runs/{id}").json()
    assert state["metrics"]
    assert 1 in state["checkpoints"]
    assert state["log"] == ""  # it was stopped, and has not failed
    assert state["config"]["rating"]["every"] > 0  # a curve of strength, though the preset has none
    (line,) = client.get("/api/runs").json()
    assert line["from_page"]
    session = begin(client, "tic_tac_toe", [{}, {"player": f"run:{id}@1,simulations=8"}])
    assert "/" not in session["seats"][1]["player"]
    with looking(client, session["id"]) as browser:
        browser.play("b2")
        browser.my_turn()
        assert len(browser.moves) == 2
    wrong = {"game": "tic_tac_toe", "seats": [{}, {"player": f"run:{id}@999"}]}
    assert "no checkpoint 999" in client.post("/api/sessions", json=wrong).json()["sentence"]
    asked = {"game": "tic_tac_toe", "players": [f"run:{id}@0,simulations=4", "random"], "games": 4}
    match = client.post("/api/matches", json=asked).json()
    done = soon(lambda: (found := client.get(f"/api/matches/{match['id']}").json()) and not found["running"] and found)
    assert done["games"] == 4, done
    assert done["wins"] + done["draws"] + done["losses"] == 4


def test_bad_runs_are_refused_in_a_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for more, why in (
        ({"preset": "nonsense"}, "no preset"),
        ({"preset": "../../x"}, "no preset"),
        ({"game": "nonsense"}, "no game"),
    ):
        answer = start(client, **more)
        assert answer.status_code == 400
        assert why in answer.json()["sentence"]
    assert start(client, minutes=-1).status_code == 422
    assert client.get("/api/runs/nothing").status_code == 404
    monkeypatch.setattr("sevenfold.server.runs.can_train", lambda: False)
    assert "sevenfold[train]" in start(client).json()["sentence"]


def test_a_match_can_be_stopped_and_bad_ones_are_refused(client: TestClient) -> None:
    asked = {"game": "connect_four", "players": ["uct:seconds=1", "uct:seconds=1"], "games": 100}
    match = client.post("/api/matches", json=asked).json()
    assert match["running"]
    assert client.delete(f"/api/matches/{match['id']}").status_code == 204
    soon(lambda: not client.get(f"/api/matches/{match['id']}").json()["running"])
    for players in (["exec:ls", "random"], ["random", "nobody"], ["alphazero:net=/etc/passwd", "random"]):
        answer = client.post("/api/matches", json=asked | {"players": players})
        assert answer.status_code == 400
    assert client.post("/api/matches", json=asked | {"games": 10**9}).status_code == 422
    assert client.get("/api/matches/0123456789abcdef").status_code == 404


def test_runs_that_others_started_are_listed_and_not_stopped(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "config.json").write_text('{"game": "tic_tac_toe", "preset": "quick", "iterations": 25}')
    (run / "metrics.jsonl").write_text('{"iteration": 1, "games": 300, "seconds": 2.5, "loss": 1.5, "x": "y"}\n{"iter')
    (run / "ratings.jsonl").write_text('{"iteration": 1, "opponent": "random", "score": 0.9, "games": 20}\n')
    (tmp_path / "runs" / "other").mkdir()
    with serving(tmp_path) as client:
        (line,) = client.get("/api/runs").json()
        assert (line["id"], line["iteration"], line["running"], line["from_page"]) == ("mine", 1, False, False)
        state = client.get("/api/runs/mine").json()
        assert state["metrics"] == [{"iteration": 1, "games": 300, "seconds": 2.5, "loss": 1.5}]
        assert state["ratings"][0]["elo"] == pytest.approx(381.7, abs=0.1)
        assert "not started from the page" in client.delete("/api/runs/mine").json()["sentence"]
        assert client.get("/api/runs/other").status_code == 404


def test_points_per_game_have_no_elo(tmp_path: Path) -> None:
    """Nor has a score of several players; whatever has some is as before."""
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "config.json").write_text('{"game": "sevens", "method": "policy_gradient"}')
    line = '{"iteration": 1, "opponent": "blocker", "games": 16, "score": %s, "rated": "%s"}\n'
    given = [(0.5, "points"), (66.3, "points"), (-2.975, "points"), (0.5, "openskill"), (0.5, "elo")]
    (run / "ratings.jsonl").write_text("".join(line % one for one in given))
    with serving(tmp_path) as client:
        found = client.get("/api/runs/mine").json()["ratings"]
    assert [(one["score"], one["elo"]) for one in found] == [*((score, None) for score, _ in given[:4]), (0.5, 0.0)]


def test_a_lesson_is_given(client: TestClient) -> None:
    answer = client.post("/api/learn", json={"game": "tic_tac_toe", "simulations": 5, "method": "uct"})
    assert answer.status_code == 200, answer.text
    lesson = answer.json()
    assert lesson["number"] == 6
    assert lesson["steps"][0]["kind"] == "select"
    assert "edges" not in lesson["steps"][-1]
    assert client.post("/api/learn", json={"game": "tic_tac_toe", "start": "nonsense"}).status_code == 400


def test_what_can_be_trained_is_known_without_torch() -> None:
    import sys

    assert isinstance(catalogue.can_train(), bool)
    assert "sevenfold.server.runs" in sys.modules
