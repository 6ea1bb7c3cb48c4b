"""Botzone's JSON protocol for any open game: one line in, one line out (docs/how-to/engines.md).

In: `{"requests": […], "responses": […]}` with everything said so far. The program is then started again for each turn;
or it asks to be kept running, and from then on gets each new request alone. A request is what the others have played
since our last turn, a response what we played.
"""

import json
from typing import Any, BinaryIO, Literal

from sevenfold.game import Game
from sevenfold.options import shown
from sevenfold.players import SearchResult
from sevenfold.protocols.reading import Input
from sevenfold.protocols.seat import Seat, check_open, with_options

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
NOTHING: tuple[Any, ...] = (None, "", {}, [])
Form = Literal["number", "text", "point"]


def run(
    source: BinaryIO,
    out: BinaryIO,
    game: Game,
    spec: str,
    seconds: float,
    began: float | None = None,
    keep_running: bool = False,
    form: Form = "number",
) -> None:
    """Answers one input, or with `keep_running` all that come, each in less than so many seconds."""
    incoming, table = Input(source, began), Table(game, spec, form)
    while (line := incoming.line()) is not None:
        table.hear(_read_json(line))
        result = table.think(incoming.clock + seconds)
        answer = {"response": table.written(result.action), "debug": table.remark(result)}
        text = json.dumps(answer, ensure_ascii=False)
        out.write(f"{text}\n{KEEP_RUNNING}\n".encode() if keep_running else f"{text}\n".encode())
        out.flush()
        if not keep_running:
            return
        incoming.answered()
        table.state.play(result.action)


class Table:
    """The game so far."""

    def __init__(self, game: Game, spec: str, form: Form) -> None:
        check_open(game)
        if form == "point" and not hasattr(game.room, "point_of"):
            raise ValueError(f"{game.name} has no points to answer with; take number or text.")
        self.game, self.spec, self.form = game, spec, form
        self.seat = Seat(spec, game)
        self.state = game.new()
        self.me: int | None = None
        """Our seat, known after the first request."""

    def hear(self, data: Any) -> None:
        """An input: the whole story, or the next request alone."""
        if isinstance(data, dict) and "requests" in data and "responses" in data:
            self.hear_all(data["requests"], data["responses"])
        elif self.me is None:
            raise ValueError('the first input must be an object with "requests" and "responses".')
        else:
            self.hear_request(data)

    def hear_all(self, requests: Any, responses: Any) -> None:
        """Everything said so far, from the beginning."""
        if not isinstance(requests, list) or not isinstance(responses, list) or len(requests) != len(responses) + 1:
            raise ValueError('"requests" and "responses" must be lists, the first one longer by one.')
        first, self.me = requests[0], None
        if isinstance(first, dict) and "options" in first:
            if not isinstance(first["options"], dict):
                raise ValueError(f"the options of the first request must be an object, not {shown(first['options'])}.")
            self.game = with_options(self.game, first["options"])
            if self.game != self.seat.game:
                self.seat = Seat(self.spec, self.game)
        self.state = self.game.new()
        for turn, request in enumerate(requests):
            self.hear_request(request)
            if turn < len(responses):
                self.state.play(self.action(responses[turn]))

    def hear_request(self, request: Any) -> None:
        """What the others have played since our last turn."""
        if isinstance(request, dict) and "options" in request:
            request = {key: value for key, value in request.items() if key != "options"}
        for one in request if isinstance(request, list) else [request]:
            if not _is_nothing(one):
                self.state.play(self.action(one))
        self.me = self.state.to_move if self.me is None else self.me
        if self.state.to_move < 0 or self.state.to_move != self.me:
            raise ValueError(f"after the request {shown(request)} it is not our turn.")

    def action(self, said: Any) -> int:
        """An action as a number, a text, {"action": either}, or {"x": row, "y": column} where the game has points."""
        if isinstance(said, dict) and "action" in said:
            said = said["action"]
        if type(said) is int:
            return said
        if isinstance(said, str):
            return self.state.parse_action(said)
        if isinstance(said, dict) and type(said.get("x")) is int and type(said.get("y")) is int:
            action_at = getattr(self.game.room, "action_at", None)
            if action_at is not None:
                return int(action_at(self.state, said["x"], said["y"]))
        raise ValueError(f"an action cannot be written as {shown(said)}.")

    def think(self, deadline: float) -> SearchResult:
        """What we play."""
        return self.seat.think(self.state, deadline)

    def written(self, action: int) -> Any:
        """An action in the form that is wanted."""
        if self.form == "text":
            return self.state.action_text(action)
        return self.game.room.point_of(self.state, action) if self.form == "point" else action  # type: ignore[union-attr]

    def remark(self, result: SearchResult) -> str:
        """For the log of the match."""
        value = f", value {result.values[self.me or 0]:+.3f}" if result.values else ""
        return f"{self.state.action_text(result.action)}{value}, {result.nodes} nodes"


def _is_nothing(said: Any) -> bool:
    """Whether nothing has been played: so the first request of the side that begins."""
    if isinstance(said, dict) and set(said) == {"action"}:
        said = said["action"]
    return said in NOTHING or said == {"x": -1, "y": -1} or (type(said) is int and said == -1)


def _read_json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"the input is not JSON: {shown(line)}.") from None
