"""Draws the documents' picture of a terminal: a real game, played by a script, as rich exports it.

python docs/images/make_images.py
"""

import io
from pathlib import Path

from rich.console import Console
from rich.text import Text

import sevenfold as sf
from sevenfold.screen import Screen
from sevenfold.terminal import Sitting

TYPED = ["d", "d", "f", "f", "d", "b", "g", "g", "hint"]
SHOWN = 2
"""How many of the last answers are in the picture; the game before them is played in silence."""


class ScriptedScreen(Screen):
    """A screen whose person types what the script says."""

    def __init__(self, game: sf.Game, seats: list[str], script: list[str]) -> None:
        super().__init__(game, seats, Console(record=True, width=76, file=io.StringIO(), emoji=False, highlight=False))
        self.script = list(script)

    def position(self, state: sf.State, viewer: int | None, last: int | None, pause: bool = False) -> None:
        if len(self.script) <= SHOWN:
            super().position(state, viewer, last)

    def move(self, mover: int, action: int, text: str | None, own: bool) -> None:
        if len(self.script) <= SHOWN:
            super().move(mover, action, text, own)

    def read(self, prompt: str) -> str:
        typed = self.script.pop(0) if self.script else None
        if len(self.script) < SHOWN:
            self.out.print(Text(prompt) + Text(typed or "▁", style="bold green"))
        if typed is None:
            raise EOFError
        return typed

    def goodbye(self, sentence: str) -> None:
        """The picture ends at the last question."""


def main() -> None:
    """Writes connect_four.svg next to this file."""
    game = sf.game("connect_four")
    screen = ScriptedScreen(game, ["human", "montecarlo"], TYPED)
    Sitting(game, ["human", "montecarlo:simulations=200"], screen, seed=3).run()
    svg = screen.out.export_svg(title="sevenfold play connect_four --against montecarlo", unique_id="connect-four")
    Path(__file__).with_name("connect_four.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
