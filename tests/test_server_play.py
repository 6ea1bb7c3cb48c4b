"""Games on the server: play, variations, chance, hidden hands, thoughts, reviews."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server_client import begin, looking, serving
from starlette.testclient import TestClient

import sevenfold as sf
from sevenfold.server.session import position

QUICK = "uct:simulations=50"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data")) as client:
        yield client


def test_the_games_are_on_offer_with_their_options_levels_and_words(client: TestClient) -> None:
    games = {one["name"]: one for one in client.get("/api/games").json()}
    assert set(games) == set(sf.game_names())
    four = games["connect_four"]
    assert four["options"][0] == {
        "name": "rows", "kind": "integer", "default": 6, "help": "rows of the board", "low": 4.0, "high": 12.0,
        "title": {"en": "rows", "zh-TW": "橫列"}, "about": {"en": "rows of the board", "zh-TW": "棋盤有幾個橫列"},
    }  # fmt: skip
    assert [level["id"] for level in four["levels"]] == ["beginner", "easy", "medium", "hard", "strongest"]
    assert four["seats"][0] == {"en": "Red", "zh-TW": "紅方"}
    assert "exec" not in four["players_known"]
    assert "thu" not in four["players_known"]  # loads a library
    assert "Type" not in four["how"]["en"]
    assert games["easycard"]["chance"] is False
    assert four["drawing"]
    assert four["miniature"]


def test_a_game_is_played_to_its_end_against_a_player(client: TestClient) -> None:
    session = begin(client, "connect_four", [{}, {"player": QUICK}])
    with looking(client, session["id"]) as browser:
        while browser.my_turn()["position"]["to_move"] == 0:
            legal = browser.session["position"]["legal"]
            browser.play(legal[len(legal) // 2]["text"])
        assert browser.session["position"]["returns"] is not None
        assert browser.session["position"]["legal"] == []
        thoughts = [message for message in browser.heard if message["type"] == "thought"]
        assert thoughts
        assert all(one["of"] == "move" and one["thought"]["mover"] == 1 for one in thoughts)
        text = browser.moves
    record = client.get(f"/api/sessions/{session['id']}/record")
    assert record.headers["content-disposition"].startswith("attachment")
    replayed = sf.Record.from_line(record.text).replay()
    assert replayed.is_over
    assert len(replayed.history) == len(text)
    line = next(one for one in client.get("/api/sessions").json() if one["id"] == session["id"])
    assert line["over"]
    assert line["plies"] == len(text)


def test_a_level_plays_too_and_is_called_by_its_name(client: TestClient) -> None:
    session = begin(client, "tic_tac_toe", [{"level": "easy"}, {}])
    assert session["seats"][0]["name"] == "Easy"
    with looking(client, session["id"]) as browser:
        browser.my_turn(1)
        assert len(browser.moves) == 1


def test_illegal_moves_are_refused_with_the_rules_sentence(client: TestClient) -> None:
    session = begin(client)
    with looking(client, session["id"]) as browser:
        browser.play("b2")
        at = browser.session["at"]
        assert "not legal" in browser.refused(type="play", action=4, at=at)
        assert "moved on" in browser.refused(type="play", action=0, at=0)
        assert browser.ask(type="play", action=0, at=at)["type"] == "session"
    other = begin(client, "connect_four", [{}, {"player": "uct:seconds=20"}])  # proves nothing so soon
    with looking(client, other["id"]) as browser:
        browser.play("d")
        assert "turn of uct" in browser.refused(type="play", action=0, at=browser.session["at"])


def test_undo_redo_and_variations(client: TestClient) -> None:
    session = begin(client)
    with looking(client, session["id"]) as browser:
        for text in ("a1", "b2", "c3"):
            browser.play(text)
        browser.ask(type="undo")
        browser.ask(type="undo")
        assert browser.session["at"] == 1
        assert browser.moves == ["a1", "b2", "c3"]  # the line is still there
        browser.ask(type="redo")
        assert browser.session["at"] == 2
        browser.ask(type="go", node=1)
        browser.play("b3")
        assert browser.moves == ["a1", "b3"]
        assert len(browser.session["nodes"]) == 5
        browser.ask(type="go", node=1)
        browser.play("b2")  # known already: no new node, and the line is the old one again
        assert len(browser.session["nodes"]) == 5
        assert browser.moves == ["a1", "b2", "c3"]
        assert "no node 99" in browser.refused(type="go", node=99)
        browser.ask(type="go", node=0)
        assert "nothing to take back" in browser.refused(type="undo")


def test_undo_goes_back_to_the_persons_own_decision_and_go_on_lets_the_player_move(client: TestClient) -> None:
    session = begin(client, "tic_tac_toe", [{}, {"player": "random"}])
    with looking(client, session["id"]) as browser:
        browser.play("b2")
        browser.my_turn()
        browser.ask(type="undo")
        assert browser.session["at"] == 0
        browser.ask(type="go", node=1)  # the player's turn, in the past: nobody moves
        assert browser.session["thinking"] is None
        browser.ask(type="go_on")
        browser.wait(lambda session: session["at"] not in (0, 1))


def test_a_seat_is_handed_over_in_the_middle(client: TestClient) -> None:
    session = begin(client)
    with looking(client, session["id"]) as browser:
        browser.play("b2")
        browser.ask(type="seat", seat=1, player="random")
        browser.wait(lambda session: len(session["line"]) == 3)
        browser.ask(type="seat", seat=1)
        assert browser.session["seats"][1]["kind"] == "human"
        assert "2 seats" in browser.refused(type="seat", seat=2)


def test_a_position_and_a_record_can_begin_a_game(client: TestClient) -> None:
    game = sf.game("connect_four")
    state = game.parse("moves: d d e")
    session = begin(client, "connect_four", start=state.to_text())
    assert session["position"]["text"] == state.to_text()
    session = begin(client, "connect_four", start="moves: d d e")
    assert len(session["nodes"]) == 4
    record = sf.Record.of(state, ["me", "you"]).to_line()
    session = begin(client, "anything", record=record)
    assert session["position"]["drawn"] == str(state)
    refused = client.post("/api/sessions", json={"game": "x", "seats": [], "record": record.replace('"d', "")[:-20]})
    assert refused.status_code == 400
    assert "no record" in refused.json()["sentence"]


def test_a_room_has_formats_of_its_own(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(text: str, game: sf.Game) -> sf.Record:
        if not text.startswith("moves:"):
            raise ValueError("a text of this format begins with moves.")
        return sf.Record.of(game.parse(text))

    def write(record: sf.Record) -> str:
        return "moves: " + " ".join(map(str, record.actions))

    monkeypatch.setattr(sf.game("tic_tac_toe").room, "FORMATS", {"plain": (write, read)}, raising=False)
    assert client.get("/api/games/tic_tac_toe").json()["formats"] == ["jsonl", "plain"]
    session = begin(client, record="moves: b2 a1", format="plain")
    assert len(session["nodes"]) == 3
    saved = client.get(f"/api/sessions/{session['id']}/record?format=plain")
    assert saved.text == "moves: 4 6"
    assert saved.headers["content-disposition"].endswith('.plain"')
    for asked, sentence in (
        ({"record": "x", "format": "plain"}, "begins with moves"),
        ({"record": "x", "format": "sgf"}, "written as jsonl, plain, not as 'sgf'"),
    ):
        refused = client.post("/api/sessions", json={"game": "tic_tac_toe", "seats": [], **asked})
        assert refused.status_code == 400
        assert sentence in refused.json()["sentence"]
    assert client.get(f"/api/sessions/{session['id']}/record?format=sgf").status_code == 400


def test_chance_is_drawn_by_the_server_and_becomes_nodes(client: TestClient) -> None:
    session = begin(client, "easycard", [{}, {"player": "random"}], preset="chance", seed=5)
    with looking(client, session["id"]) as browser:
        browser.my_turn()
        nodes = browser.session["nodes"]
        assert [node["mover"] for node in nodes[1:7]] == ["chance"] * 6
        state = sf.game(browser.session["game"]).new(5)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        assert [node["action"] for node in nodes[1 : len(state.history) + 1]] == state.history
        browser.play("pass")
        browser.wait(lambda session: session["position"]["to_move"] in (0, "over") and len(session["line"]) > 8)
        assert browser.refused(type="play", action=10**6, at=browser.session["at"])


def hand_of(state: sf.State, seat: int) -> str:
    return state.to_text().split("/")[1 + seat].split()[5]


def assert_a_world_with_another_hand_looks_the_same(state: sf.State) -> None:
    """What is told of a position is told of every other that seat 0 cannot tell from it."""
    worlds = (state.redeal(0, seed) for seed in range(200))
    other = next((world for world in worlds if hand_of(world, 1) != hand_of(state, 1)), None)
    if other is not None:  # the other may have played all its cards
        assert position(state, 0, 0, True) == position(other, 0, 0, True)


def test_hidden_hands_stay_hidden_in_everything_that_is_told(client: TestClient) -> None:
    """The same game with another hand behind the other's back tells exactly the same."""
    session = begin(client, "easycard", [{}, {"player": "random:seed=3"}], preset="chance", options={"hidden": True})
    with looking(client, session["id"]) as browser:
        browser.my_turn()
        host: Any = client.app.state.host  # type: ignore[attr-defined]
        table = host.find(session["id"])
        state = table.session.state
        assert browser.session["viewer"] == 0
        assert browser.session["position"]["text"] is None
        assert browser.session["position"]["drawn"] == state.view(0)
        hidden = [n for n in browser.session["nodes"][1:] if n["mover"] == "chance" and n["action"] is None]
        assert len(hidden) >= 3  # the other's three cards
        assert all(node["text"] == "" for node in hidden)
        assert all(node["text"] for node in browser.session["nodes"][1:4])  # their own
        assert_a_world_with_another_hand_looks_the_same(state)
        browser.say(type="analyse", on=True, player=QUICK)
        browser.until(lambda message: message["type"] == "thought")
        browser.say(type="analyse", on=False)
        assert client.get(f"/api/sessions/{session['id']}/record").status_code == 400
        assert "hidden" in browser.refused(type="review")
        assert "hidden" in browser.refused(type="seat", seat=1)
        for _ in range(40):
            if browser.my_turn()["position"]["to_move"] == "over":
                break
            assert_a_world_with_another_hand_looks_the_same(table.session.state)
            assert browser.session["position"]["drawn"] == table.session.state.view(0)
            browser.play("pass")
        for message in browser.heard:
            if message["type"] == "thought":
                assert message["thought"]["mover"] == 0
                assert all(len(one["pv"]) == 1 for one in message["thought"]["actions"])
            if message["type"] == "session" and message["session"]["viewer"] == 0:
                drawn = [node for node in message["session"]["nodes"] if node["mover"] == "chance" and node["text"]]
                assert all(table.session.tree.moves[node["id"]].seen & 1 for node in drawn)
        assert browser.session["position"]["to_move"] == "over"
        assert browser.session["viewer"] is None  # now everything may be seen
        assert all(node["text"] for node in browser.session["nodes"][1:])


def test_the_seed_of_a_hidden_game_is_not_told(client: TestClient) -> None:
    session = begin(client, "easycard", seed=123456789, preset="chance", options={"hidden": True})
    assert "123456789" not in client.get(f"/api/sessions/{session['id']}").text


def test_a_hint_is_a_thought_about_the_persons_turn(client: TestClient) -> None:
    session = begin(client, "connect_four", [{}, {"player": "random"}])
    with looking(client, session["id"]) as browser:
        browser.say(type="hint", seconds=0.2)
        thought = browser.until(lambda message: message["type"] == "thought")
        assert thought["of"] == "hint"
        best = thought["thought"]["actions"][0]
        assert best["action"] == thought["thought"]["action"]
        assert best["text"] == best["pv"][0]["text"]
        assert sum(one["share"] for one in thought["thought"]["actions"]) == pytest.approx(1)
        browser.until(lambda message: message["type"] == "session")
        assert browser.session["thinking"] is None
        assert browser.session["nodes"][0]["values"] == thought["thought"]["values"]


def test_an_analysis_streams_grows_and_stops_when_the_person_moves(client: TestClient) -> None:
    session = begin(client, "connect_four")
    with looking(client, session["id"]) as browser:
        browser.say(type="analyse", on=True, player="uct")
        found = [browser.until(lambda message: message["type"] == "thought")["thought"] for _ in range(3)]
        assert [one["node"] for one in found] == [0, 0, 0]
        assert found[0]["nodes"] < found[1]["nodes"] < found[2]["nodes"]
        assert sum(one["visits"] for one in found[0]["actions"]) < sum(one["visits"] for one in found[2]["actions"])
        browser.say(type="tree", path=[3])
        tree = browser.until(lambda message: message["type"] == "tree")["tree"]
        assert tree["path"] == [3]
        assert len(tree["children"]) == 7
        browser.play("d")
        later = browser.until(lambda message: message["type"] == "thought")["thought"]
        while later["node"] == 0:
            later = browser.until(lambda message: message["type"] == "thought")["thought"]
        assert later["node"] == 1
        browser.say(type="analyse", on=False)
        browser.wait(lambda session: session["thinking"] is None)
        assert browser.session["nodes"][1]["values"] is not None


def test_a_proven_position_ends_the_analysis(client: TestClient) -> None:
    session = begin(client, start="moves: a1 a3 b1 b3")
    with looking(client, session["id"]) as browser:
        browser.say(type="analyse", on=True, player="uct")
        thought = browser.until(lambda message: message["type"] == "thought" and message["thought"]["final"])
        assert thought["thought"]["proven"]
        browser.wait(lambda session: session["thinking"] is None)


def test_a_review_marks_every_move_of_the_line(client: TestClient) -> None:
    session = begin(client, "tic_tac_toe", start="moves: a1 b2 a3 c3 a2")
    with looking(client, session["id"]) as browser:
        browser.say(type="review", player="uct:simulations=2000")
        browser.wait(lambda session: session["review"] is not None and session["review"]["complete"])
        review = browser.session["review"]
        assert review["done"] == review["moves_in_all"] == 5
        marks = {move["node"]: move["mark"] for move in review["moves"]}
        assert marks[4] == "blunder"  # c3 instead of a2
        assert next(move for move in review["moves"] if move["node"] == 4)["better"][0]["text"] == "a2"
        assert {node["id"]: node["mark"] for node in browser.session["nodes"][1:]} == marks
        assert review["seats"][1]["blunder"] == 1
        assert review["excitement"] is not None
    assert client.get(f"/api/sessions/{session['id']}").json()["review"]["complete"]


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("exec:touch /tmp/x", "there is no player 'exec' here"),
        ("thu:/tmp/x.so", "there is no player 'thu' here"),
        ("alphazero:net=/etc/passwd", "option net cannot be"),
        ("alphabeta:weights=/etc/passwd", "option weights cannot be"),
        ("alphazero:evaluator=torch", "option evaluator cannot be"),
        ("uct:seconds=61", "at most 60"),
        ("uct:memory=100000", "at most 256"),
        ("uct:simulations=nan", "at most"),
        ("uct:seconds=inf", "at most 60"),
        ("uct:sevens=1", "no option 'sevens'"),
        ("run:../../etc@3", "no run"),
        ("run:x", "run:ID@ITERATION"),
        ("nobody", "no player 'nobody'"),
    ],
)
def test_players_from_outside_are_checked(client: TestClient, player: str, why: str) -> None:
    answer = client.post("/api/sessions", json={"game": "connect_four", "seats": [{}, {"player": player}]})
    assert answer.status_code == 400
    assert why in answer.json()["sentence"]


def test_games_from_outside_are_those_on_offer(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "evil.py"
    file.write_text("raise SystemExit")
    for name in (str(file), "openspiel:tic_tac_toe", "connect_four(rows=9)", ""):
        answer = client.post("/api/sessions", json={"game": name, "seats": []})
        assert answer.status_code == 400
        assert "there is no game" in answer.json()["sentence"]
    answer = client.post("/api/sessions", json={"game": "connect_four", "seats": [], "options": {"rows": 99}})
    assert "rows" in answer.json()["sentence"]
    answer = client.post("/api/sessions", json={"game": "connect_four", "seats": [], "options": {"name": "x"}})
    assert "no option 'name'" in answer.json()["sentence"]


def test_two_browsers_see_the_same_game(client: TestClient) -> None:
    session = begin(client)
    with looking(client, session["id"]) as one, looking(client, session["id"]) as two:
        one.play("b2")
        two.wait(lambda session: session["at"] == 1)
        two.play("a1")
        one.wait(lambda session: session["at"] == 2)
        assert one.session == two.session


def test_a_deleted_session_is_gone(client: TestClient) -> None:
    session = begin(client)
    with looking(client, session["id"]) as browser:
        assert client.delete(f"/api/sessions/{session['id']}").status_code == 204
        assert "deleted" in browser.until(lambda message: message["type"] == "error")["sentence"]
    assert client.get(f"/api/sessions/{session['id']}").status_code == 404
    assert client.delete(f"/api/sessions/{session['id']}").status_code == 404


def test_a_game_of_somebodys_own_is_listed_by_its_name(tmp_path: Path) -> None:
    file = Path(__file__).parent.parent / "examples" / "nim.py"
    with serving(tmp_path, games=(str(file),)) as client:
        begin(client, "nim")
        begin(client, "nim", options={"heaps": "2,2"})
        assert [line["name"] for line in client.get("/api/sessions").json()] == ["nim", "nim"]
