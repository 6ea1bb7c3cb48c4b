"""Proves who hints, thinks and reviews where nobody is named: whom the room names for these options, a net, or uct."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import advisers, models
from sevenfold.advisers import adviser, with_seconds

NET = importlib.util.find_spec("onnxruntime") is not None
PLAIN = """
class Plain:
    players, actions = 2, 2
    def __init__(self): self.left = 3
    def to_move(self): return -2 if self.left == 0 else self.left % 2
    def legal_actions(self): return [0, 1]
    def play(self, action): self.left -= 1
    def returns(self): return [0.0, 0.0]
"""


def command(*words: str) -> str:
    run = subprocess.run([sys.executable, "-m", "sevenfold", *words], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.skipif(not NET, reason="needs onnxruntime")
@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        (sf.game("sevens"), "alphazero"),
        (sf.game("sevens", preset="cn_pairwise"), "alphazero"),
        (sf.game("sevens", preset="fan_tan"), "belief"),
        (sf.game("sevens", num_players=2), "belief"),
        (sf.game("connect_four"), "alphazero"),
        (sf.game("connect_four", rows=9, cols=9), "uct"),
        (sf.game("tic_tac_toe"), "alphazero"),
        (sf.game("tetris"), "beam"),
        (sf.game("invokation"), "uct"),
    ],
    ids=lambda one: one.spec if isinstance(one, sf.Game) else one,
)
def test_the_adviser_is_the_strongest_for_the_options_in_use(game: sf.Game, wanted: str) -> None:
    assert adviser(game) == wanted
    sf.player(wanted, game)


def test_without_a_net_the_adviser_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "playable", lambda game: False)
    found = {name: adviser(sf.game(name)) for name in ("sevens", "connect_four", "tic_tac_toe", "tetris")}
    assert found == {"sevens": "belief", "connect_four": "uct", "tic_tac_toe": "uct", "tetris": "beam"}


def test_a_game_without_a_room_is_advised_by_uct(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    assert adviser(sf.game(str(tmp_path / "plain.py"))) == "uct"


def test_a_time_is_given_to_who_takes_one_and_has_none() -> None:
    assert with_seconds("belief", 1) == "belief:seconds=1"
    assert with_seconds("alphazero:c_puct=4", 0.5) == "alphazero:c_puct=4,seconds=0.5"
    assert with_seconds("uct:simulations=9", 1) == "uct:simulations=9"
    assert with_seconds("beam", 1) == "beam"


def test_reviews_hints_and_thoughts_ask_the_adviser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from sevenfold.screen import Screen
    from sevenfold.terminal import Sitting

    tic = sf.game("tic_tac_toe")
    monkeypatch.setattr(tic.room, "ADVISER", lambda game: f"uct:simulations={game.actions},seed=1", raising=False)
    assert sf.review(tic.replay([4, 0])).player == "uct:simulations=9,seed=1"

    heard: list[Any] = []
    screen = Screen(tic, ["human", "random"])
    monkeypatch.setattr(screen, "hint", lambda state, player, result: heard.append((player, result.nodes)))
    Sitting(tic, ["human", "random"], screen)._hint()
    assert heard == [("uct", 9)]


def test_the_command_line_asks_the_adviser_and_says_so() -> None:
    told = json.loads(command("think", "sevens", "--preset", "fan_tan", "--seed", "3", "--seconds", "0.1", "--json"))
    assert told["player"].startswith("belief")
    for verb in ("play", "think", "review"):
        assert "by default the game's strongest adviser." in " ".join(command(verb, "--help").replace("│", " ").split())


def test_a_room_may_name_no_adviser_for_some_options(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sf.game("tic_tac_toe")
    monkeypatch.setattr(game, "room", SimpleNamespace(ADVISER=lambda game: None))
    monkeypatch.setattr(models, "playable", lambda game: False)
    assert game.adviser is None
    assert advisers.adviser(game) == "uct"
