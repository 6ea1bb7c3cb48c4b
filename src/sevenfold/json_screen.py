"""A game at the terminal for programs.

Every line of the output is an object with an "event", and moves are read line by line from the input;
docs/reference/command-line.md lists the events.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.text import Text

from sevenfold._core import State
from sevenfold.players import SearchResult
from sevenfold.screen import Screen


class JsonScreen(Screen):
    """A game for programs."""

    def write(self, event: str, **data: Any) -> None:
        """One object."""
        print(json.dumps({"event": event, **data}, ensure_ascii=False), flush=True)

    def opening(self, seed: int) -> None:
        self.write("start", game=self.game.spec, options=self.game.options, seats=self.seats, seed=seed)

    def position(self, state: State, viewer: int | None, last: int | None, pause: bool = False) -> None:
        text = str(state) if viewer is None or state.is_over else state.view(viewer)
        self.write("position", text=text, to_move=state.to_move, ply=len(state.history))

    def move(self, mover: int, action: int, text: str | None, own: bool) -> None:
        known = {"action": action, "text": text} if text is not None else {"hidden": True}
        self.write("move", player=mover, **known)

    def ask(self, state: State, mover: int) -> str:
        legal = {state.action_text(action): action for action in state.legal_actions()}
        self.write("turn", player=mover, legal=legal)
        return self.read("")

    def read(self, prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def say(self, sentence: str) -> None:
        self.write("message", text=Text.from_markup(sentence).plain)

    @contextmanager
    def thinking(self, name: str) -> Iterator[None]:
        yield

    def hint(self, state: State, player: str, result: SearchResult) -> None:
        self.write("hint", player=player, text=state.action_text(result.action), **result.to_json())

    def moves(self, state: State) -> None:
        self.write("moves", legal={state.action_text(action): action for action in state.legal_actions()})

    def help(self) -> None:
        self.write("help", commands=["moves", "undo", "hint", "resign", "quit"])

    def hand_over(self, mover: int) -> None:
        """A program keeps its players apart itself."""

    def ending(self, state: State) -> None:
        self.write("end", returns=state.returns(), actions=state.history)

    def recorded(self, path: Path) -> None:
        """A program knows what it asked for."""

    def again(self) -> str:
        return "leave"

    def goodbye(self, sentence: str) -> None:
        self.write("goodbye", text=Text.from_markup(sentence).plain)
