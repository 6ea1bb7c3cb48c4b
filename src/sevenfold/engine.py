"""The player `exec`: any program that speaks the line protocol of docs/reference/protocol.md.

The program is told what its seat may see, and nothing else: in a game with hidden information neither the moves nor
the seed of the deal, but the seat's own observation.
"""

import json
import math
import shlex
import shutil
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sevenfold._core import State
from sevenfold.options import shown
from sevenfold.players import Player, SearchResult
from sevenfold.process import Program

VERSION = 1
"""Of the protocol."""


@dataclass
class ExecPlayer(Player):
    """An outside program, asked for its moves line by line."""

    name: ClassVar[str] = "exec"
    takes: ClassVar[str] = "command"
    command: str = ""
    """The program and its arguments, as typed in a shell (but no shell reads them)."""
    seconds: float = 3.0
    """Time per decision; a program that takes longer is ended."""
    startup: float = 10.0
    """Time from its start to its first answer."""

    title: str = field(default="", init=False, repr=False)
    """What it calls itself; known after its first answer."""
    _program: Program | None = field(default=None, init=False, repr=False, compare=False)
    _is_new: bool = field(default=True, init=False, repr=False, compare=False)
    _told: tuple[State, list[str]] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_seconds(self, "seconds", "startup")
        try:
            self._words = shlex.split(self.command)
        except ValueError as error:
            raise ValueError(f"exec: the command {shown(self.command)} cannot be read: {error}.") from None
        if not self._words:
            raise ValueError("exec needs a command, such as exec:python my_engine.py.")
        if "\0" in self.command or shutil.which(self._words[0]) is None:
            raise ValueError(f"exec: there is no program {shown(self._words[0])} to start.")

    def reset(self) -> None:
        """The next position is that of a new game."""
        self._is_new = True

    def prepare(self) -> None:
        """Starts the program."""
        self._started()

    def think(self, state: State) -> SearchResult:
        """Asks the program. An EngineError where it fails; it is started anew the next time."""
        legal = self._legal(state)
        request = self._request(state, legal)
        program = self._started()
        try:
            if self._is_new:
                request = f"game {self.game.name} {_json(self.game.options)}\nnew seed={self.seed}\n{request}"
            program.send(f"{request}go seat={state.to_move} seconds={self.seconds:g}\n", self.seconds)
            result = self._answer(program, state, legal)
        except BaseException:
            program.close()
            self._program = None
            raise
        self._is_new = False
        return result

    def _started(self) -> Program:
        """The program: the one at hand, or a new one after the greeting."""
        if self._program is None:
            program = Program(self._words, f"the engine {shown(self.command)}", farewell="quit\n")
            program.send(f"sevenfold {VERSION}\n", self.startup)
            word, _, self.title = _line(program).partition(" ")
            if word != "ready":
                program.fail(f"answered the greeting with {shown(f'{word} {self.title}')} instead of ready NAME")
            self._program, self._is_new = program, True
        return self._program

    def _request(self, state: State, legal: list[int]) -> str:
        """What the seat to move may know."""
        lines = []
        if self.game.has_hidden_information:
            lines.append(f"observation {_json(_observation(state))}")
        else:
            start, history = state.start, state.history
            if not state.replayable:  # a mirrored position: no moves lead there
                if "to_text" not in self.game.abilities:
                    raise ValueError("a mirrored position cannot be told to an engine: no moves lead to it.")
                start, history = state.to_text(), []
            if start is not None:
                lines.append(f"start {_json(start)}")
            lines.append(" ".join(["moves", *map(str, history)]))
            lines.append(f"texts {_json(self._texts(start, history, state.seed))}")
        lines.append(" ".join(["legal", *map(str, legal)]))
        lines.append(f"names {_json([state.action_text(action) for action in legal])}")
        return "".join(f"{line}\n" for line in lines)

    def _texts(self, start: str | None, history: list[int], seed: int) -> list[str]:
        """The moves as people write them; those of the last decision are known already."""
        state, texts = self._told or (None, [])
        if state is None or (state.start, state.seed) != (start, seed) or state.history != history[: len(texts)]:
            state, texts = self.game.replay([], seed, start), []
        for action in history[len(texts) :]:
            texts.append(state.action_text(action))
            state.play(action)
        self._told = state, texts
        return texts

    def _answer(self, program: Program, state: State, legal: list[int]) -> SearchResult:
        answer = _line(program)
        word, *rest = answer.split()
        number = rest[0] if word == "move" and rest else ""
        if not (number.isascii() and number.isdigit()):
            program.fail(f"answered {shown(answer)} instead of move ACTION")
        if len(number) > 9 or int(number) not in legal:
            program.fail(f"answered {shown(answer)}, which is not a legal action")
        try:
            said = dict(one.split("=", 1) for one in rest[1:])
            values = [float(value) for value in said.get("values", "").split(",") if value]
            pv = [int(action) for action in said.get("pv", "").split(",") if action]
            nodes = int(said.get("nodes", "0")[:18])
        except ValueError:
            program.fail(f"answered {shown(answer)}, which is not of the form move ACTION key=value …")
        if values and (len(values) != self.game.players or not all(map(math.isfinite, values))):
            program.fail(f"answered {shown(answer)}, without one value for each of {self.game.players} players")
        action = int(number)
        policy = [float(each == action) for each in range(self.game.actions)]
        values = values or [0.0] * self.game.players
        return SearchResult(action, policy, values, _playable(state, pv), nodes=nodes, seconds=program.elapsed)


def check_seconds(player: Player, *keys: str) -> None:
    """Refuses limits of time that are none."""
    for key in keys:
        value = getattr(player, key)
        if not 0 < value < 1e6:
            raise ValueError(f"{player.name}: {key} must be a number above 0, not {shown(value)}.")


def _playable(state: State, line: list[int]) -> list[int]:
    """As much of a line as can be played."""
    ahead = state.copy()
    for ply, action in enumerate(line):
        try:
            ahead.play(action)
        except (ValueError, TypeError):
            return line[:ply]
    return line


def _line(program: Program) -> str:
    """The next line that is an answer."""
    while not (line := program.line()) or line.split()[0] == "info":
        pass
    if line.split()[0] == "error":
        program.fail(f"gave up: {shown(line[5:].strip())}")
    return line


def _observation(state: State) -> dict[str, Any]:
    """What the player to move sees. A drawing without the ability `view` is everybody's, so it is left out."""
    seen: dict[str, Any] = {}
    if "view" in state.game.abilities:
        seen["view"] = state.view(state.to_move)
    if "observe" in state.game.abilities:
        numbers = state.observe(state.to_move)
        seen["planes"] = numbers.planes.tolist()
        seen["features"] = numbers.features.tolist()
    return seen


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
