"""Who may ask the server, for what, how much, and how it says no."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server_client import HOST, begin, looking, serving
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), body=20_000) as client:
        yield client


def test_another_name_of_this_machine_is_refused(client: TestClient) -> None:
    """DNS rebinding: a site points its own name here and asks from its own page."""
    for host in ("evil.example", "evil.example:7077", "127.0.0.1.evil.example", "8.8.8.8", "[::", ""):
        answer = client.get("/api/games", headers={"host": host})
        assert answer.status_code == 421, host
        assert "address it has printed" in answer.json()["sentence"]
    for host in ("localhost", "localhost:5173", "[::1]:7077", "127.0.0.1"):
        assert client.get("/api/sessions", headers={"host": host}).status_code == 200


def test_another_sites_page_is_refused(client: TestClient) -> None:
    session = begin(client)
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9999", "http://[", "http://[::1", "//", ""):
        answer = client.post("/api/sessions", json={"game": "tic_tac_toe", "seats": []}, headers={"origin": origin})
        assert answer.status_code == 403
        with pytest.raises(WebSocketDisconnect):
            client.websocket_connect(
                f"/api/sessions/{session['id']}/ws", headers={"host": HOST, "origin": origin}
            ).__enter__()
    own = {"host": HOST, "origin": f"http://{HOST}"}
    with client.websocket_connect(f"/api/sessions/{session['id']}/ws", headers=own) as socket:
        assert socket.receive_json()["type"] == "session"


def test_no_other_site_is_let_in_by_cors(client: TestClient) -> None:
    answer = client.get("/api/games", headers={"origin": f"http://{HOST}"})
    assert not [key for key in answer.headers if key.startswith("access-control")]


def test_what_is_not_there_is_told_in_a_sentence(client: TestClient) -> None:
    for path in ("/api/nothing", "/api/sessions/0000000000000000/nothing", "/api/"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "/api/openapi.json" in answer.json()["sentence"]
    page = client.get("/gmaes")
    assert page.status_code == 404
    assert 'href="/"' in page.text
    assert "沒有這個網頁" in page.text


def test_every_answer_has_the_headers_that_keep_a_page_safe(client: TestClient) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/missing"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"


def test_a_token_is_asked_for_everywhere(tmp_path: Path) -> None:
    with serving(tmp_path, token="secret", host="0.0.0.0") as client:
        assert client.get("/api/games").status_code == 401
        assert client.get("/").status_code == 401
        assert client.get("/api/games?token=wrong").status_code == 401
        assert client.get("/api/sessions", headers={"authorization": "Bearer secret"}).status_code == 200
        assert client.get("/api/sessions", headers={"host": "192.168.1.5:7077", "cookie": "sevenfold_token=secret"})
        session = begin_with_token(client)
        with pytest.raises(WebSocketDisconnect):
            client.websocket_connect(f"/api/sessions/{session['id']}/ws", headers={"host": HOST}).__enter__()
        with client.websocket_connect(
            f"/api/sessions/{session['id']}/ws?token=secret", headers={"host": HOST}
        ) as socket:
            assert socket.receive_json()["type"] == "session"
        welcome = client.get("/?token=secret", follow_redirects=False)
        assert welcome.status_code == 303
        assert welcome.headers["location"] == "./"
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert client.get("/api/games").status_code == 200  # by the cookie


def begin_with_token(client: TestClient) -> Any:
    asked = {"game": "tic_tac_toe", "seats": []}
    return client.post("/api/sessions", json=asked, headers={"authorization": "Bearer secret"}).json()


@pytest.mark.parametrize(
    "message",
    [
        "", "{", "null", "[]", "3", '"play"', "{}", '{"type": "fly"}', '{"type": "play"}',
        '{"type": "play", "action": "3", "at": 0}', '{"type": "play", "action": 1.5, "at": 0}',
        '{"type": "play", "action": -1, "at": 0}', '{"type": "play", "action": true, "at": 0}',
        '{"type": "play", "action": 99999999999999999999, "at": 0}', '{"type": "go", "node": null}',
        '{"type": "undo", "more": 1}', '{"type": "hint", "seconds": 1e9}', '{"type": "hint", "seconds": NaN}',
        '{"type": "tree", "path": ["a"]}', '{"type": "analyse", "on": 1}',
        json.dumps({"type": "analyse", "on": True, "player": "x" * 1000}), "[" * 5000,
    ],
)  # fmt: skip
def test_messages_that_are_none_are_refused_in_a_sentence(client: TestClient, message: str) -> None:
    session = begin(client)
    with client.websocket_connect(f"/api/sessions/{session['id']}/ws", headers={"host": HOST}) as socket:
        socket.receive_json()
        socket.send_text(message)
        answer = socket.receive_json()
        assert answer["type"] == "error"
        assert answer["sentence"].endswith(".")
        socket.send_bytes(b"\xff\x00")
        assert socket.receive_json()["type"] == "error"
        socket.send_text('{"type": "ping", "id": 7}')
        assert socket.receive_json() == {"type": "pong", "id": 7}


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "{}", '{"game": 3, "seats": []}', '{"game": "tic_tac_toe"}',
     '{"game": "tic_tac_toe", "seats": [1]}', '{"game": "tic_tac_toe", "seats": [], "seed": -1}',
     '{"game": "tic_tac_toe", "seats": [], "extra": 1}', '{"game": "tic_tac_toe", "seats": [], "seed": 1.5}',
     json.dumps({"game": "tic_tac_toe", "seats": [{}] * 99}), "[" * 15000],
)  # fmt: skip
def test_requests_that_are_none_are_refused_in_a_sentence(client: TestClient, body: str) -> None:
    answer = client.post("/api/sessions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["sentence"].endswith(".")


def test_the_wrong_number_of_seats_and_bad_positions_are_refused(client: TestClient) -> None:
    for more in ({"seats": [{}]}, {"seats": [], "start": "nonsense"}, {"seats": [], "preset": "nonsense"}):
        answer = client.post("/api/sessions", json={"game": "tic_tac_toe", **more})
        assert answer.status_code == 400
        assert answer.json()["sentence"].endswith(".")


def test_a_large_request_is_refused(client: TestClient) -> None:
    asked = {"game": "tic_tac_toe", "seats": [], "start": "x" * 50_000}
    answer = client.post("/api/sessions", json=asked)
    assert answer.status_code == 413
    assert "20000 bytes" in answer.json()["sentence"]


def test_a_flood_of_messages_is_not_heard_and_then_cut_off(tmp_path: Path) -> None:
    with serving(tmp_path, messages_per_second=5.0) as client:
        session = begin(client)
        with looking(client, session["id"]) as browser:
            for number in range(300):
                browser.say(type="ping", id=number)
            with pytest.raises(WebSocketDisconnect):
                browser.until(lambda message: False)
        pongs = [message for message in browser.heard if message["type"] == "pong"]
        sentences = [message["sentence"] for message in browser.heard if message["type"] == "error"]
        assert 10 <= len(pongs) < 200
        assert any("not heard" in one for one in sentences)
        assert any("closed" in one for one in sentences)


def test_a_flood_of_sessions_is_refused_politely(tmp_path: Path) -> None:
    with serving(tmp_path / "one", sessions_per_minute=3) as client:
        answers = [client.post("/api/sessions", json={"game": "tic_tac_toe", "seats": []}) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [201] * 3 + [429] * 2
        assert "wait a little" in answers[-1].json()["sentence"]
    with serving(tmp_path / "two", sessions=3) as client:
        answers = [client.post("/api/sessions", json={"game": "tic_tac_toe", "seats": []}) for _ in range(4)]
        assert answers[3].status_code == 429
        assert "delete one" in answers[3].json()["sentence"]
        # One that nobody touched for a week makes room.
        store = client.app.state.host.store  # type: ignore[attr-defined]
        store._file.execute(
            "update sessions set updated = '2020-01-01T00:00:00+00:00' where id = ?", [answers[0].json()["id"]]
        )
        assert client.post("/api/sessions", json={"game": "tic_tac_toe", "seats": []}).status_code == 201
        assert client.get(f"/api/sessions/{answers[0].json()['id']}").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/%2e%2e/%2e%2e/pyproject.toml", "/..%2f..%2fapp.py", "/assets/../../app.py", "//etc/passwd",
     "/api/sessions/../../etc/passwd", "/api/sessions/..%2f..%2fpage.db", "/api/runs/..", "/api/runs/..%2f..",
     "/api/runs/%2e%2e", "/api/runs/.page", "/api/sessions/0000000000000000/record?format=../x", "/page.db", "/app.py"],
)  # fmt: skip
def test_no_path_leads_to_the_file_system(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (400, 404, 422), path
    assert "import" not in answer.text
    assert "SQLite" not in answer.text


def test_the_page_is_served_or_says_how_to_build_it(tmp_path: Path) -> None:
    from fastapi import FastAPI

    from sevenfold.server import page

    app = FastAPI()
    page.add(app, tmp_path / "page")
    client = TestClient(app)
    assert "make web" in client.get("/").text
    (tmp_path / "page" / "assets").mkdir(parents=True)
    (tmp_path / "page" / "index.html").write_text("<title>Sevenfold</title>")
    (tmp_path / "page" / "assets" / "index-1a2b.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    assert "<title>" in client.get("/").text
    assert client.get("/").headers["cache-control"] == "no-cache"
    script = client.get("/assets/index-1a2b.js")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"].startswith("text/javascript")
    assert client.get("/%2e%2e/secret.txt").status_code == 404
    assert client.get("/assets/..%2f..%2fsecret.txt").status_code == 404


def test_a_flood_of_websockets_is_refused_politely(tmp_path: Path) -> None:
    with serving(tmp_path, windows=2) as client:
        address = f"/api/sessions/{begin(client)['id']}/ws"
        with client.websocket_connect(address, headers={"host": HOST}):
            for _ in range(3):  # whoever leaves makes room
                with client.websocket_connect(address, headers={"host": HOST}) as second:
                    assert second.receive_json()["type"] == "session"
                    with client.websocket_connect(address, headers={"host": HOST}) as third:
                        assert "too many windows" in third.receive_json()["sentence"]
                        with pytest.raises(WebSocketDisconnect):
                            third.receive_json()
