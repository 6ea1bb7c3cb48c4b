"""A session that somebody looks at: it hears what is asked, lets players think, and tells everyone what has changed."""

import contextlib
import logging
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pydantic import BaseModel

from sevenfold._core import CHANCE
from sevenfold.advisers import adviser, with_seconds
from sevenfold.seeds import seed_of
from sevenfold.seen import is_quiet
from sevenfold.server import specs, wire
from sevenfold.server.analysis import Analysing
from sevenfold.server.pool import HINT, MOVE, Done, Job
from sevenfold.server.reviewing import Reviewing
from sevenfold.server.session import Session

if TYPE_CHECKING:
    from sevenfold.server.host import Host

log = logging.getLogger("uvicorn.error")
HINT_SECONDS = 1.0
BUDGET = 60.0
"""Seconds for a player that goes by simulations."""
SPARE = 3.0
"""Seconds beyond its own that a player may take: to load a net, to wait for a core."""

Kind = Literal["move", "hint", "analysis", "review"]


def failure(error: Exception) -> str:
    """What nobody has foreseen, such as rules that fail in the middle of a game: told, and the server goes on."""
    return f"something failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}."


class Listener(Protocol):
    """A person's browser."""

    def tell(self, message: str) -> None: ...

    def close(self, sentence: str) -> None: ...


class Table:
    """A session in use."""

    def __init__(self, host: "Host", session: Session) -> None:
        self.host, self.session = host, session
        self.listeners: set[Listener] = set()
        self._job: Job | None = None
        self._thinking: wire.Thinking | None = None
        self._analysing = Analysing(self)
        self._ready = False
        """Whether the players were told to get ready."""
        self._reviewing = Reviewing(self)

    # Who looks

    @property
    def idle(self) -> bool:
        """Whether nobody looks and nobody thinks."""
        return not self.listeners and self._job is None

    def enter(self, listener: Listener) -> None:
        """Somebody looks: a player whose turn it is goes on thinking."""
        self.listeners.add(listener)
        self._get_ready()
        before = self.session.version
        self.drive()
        if self.session.version != before:
            self.tell_session()
        else:
            listener.tell(self._session())

    def _get_ready(self) -> None:
        """Lets players load their nets before their first move."""
        if self._ready or self.session.state.is_over:
            return
        self._ready = True
        for number, seat in enumerate(self.session.seats):
            if seat.player is not None:
                with contextlib.suppress(ValueError, ImportError):  # told when it is to move
                    work = self.work("prepare", self.checked(seat.player), f"seat {number}", SPARE)
                    self.host.pool.submit(Job(self.session.id, HINT, work, lambda _result, _failed: None))

    def leave(self, listener: Listener) -> None:
        """Somebody has left; with the last one analyses, hints and reviews stop, a player's move may end."""
        self.listeners.discard(listener)
        if not self.listeners:
            self._analysing.switch(False)
            self._reviewing.stop()
            if self._thinking and self._thinking.kind != "move":
                self.stop_thinking()

    def close(self, sentence: str) -> None:
        """The session is gone."""
        self.stop_thinking()
        self._reviewing.stop()
        for listener in list(self.listeners):
            listener.close(sentence)

    def save(self) -> None:
        """To disk."""
        moves, self.session.changed = self.session.changed, []
        self.host.store.save(self.session.row(), moves)

    # What is told

    def state(self) -> wire.Session:
        """All of it."""
        thinking = self._thinking or self._reviewing.thinking
        if thinking is not None and self._job is not None:
            thinking.waiting = self._job.waiting
        return self.session.to_wire(thinking)

    def _session(self) -> str:
        return f'{{"type":"session","session":{self.state().model_dump_json()}}}'

    def tell_session(self) -> None:
        """The whole state to everyone."""
        if self.listeners:
            self.tell(self._session())

    def tell_error(self, sentence: str) -> None:
        """What went wrong, to everyone."""
        self.tell(f'{{"type":"error","sentence":{wire.Problem(sentence=sentence).model_dump_json()[12:-1]}}}')

    def tell(self, message: str) -> None:
        """A message to everyone."""
        for listener in list(self.listeners):
            listener.tell(message)

    # What is asked

    def ask(self, ask: BaseModel) -> None:
        """Does what a person asks for; ValueError says why not."""
        match ask:
            case wire.AskPlay():
                self.session.person_plays(ask.action, ask.at)
            case wire.AskGo():
                self.session.go(ask.node)
            case wire.AskLine():
                self.session.show_line(ask.at, ask.actions)
            case wire.AskSeat():
                self._hand_over(ask)
            case wire.AskPlain(type="undo"):
                self.session.undo()
            case wire.AskPlain(type="redo"):
                self.session.redo()
            case wire.AskPlain(type="go_on"):
                self.session.going = True
                self.session.touch()
            case _:
                self._ask_for_thought(ask)
                return
        self.changed()

    def _ask_for_thought(self, ask: BaseModel) -> None:
        match ask:
            case wire.AskHint():
                self._hint(ask.seconds or HINT_SECONDS)
            case wire.AskAnalyse():
                self._analysing.switch(ask.on, ask.player)
                self.drive()
            case wire.AskTree():
                self._analysing.open_tree(ask.path)
                return
            case wire.AskReview():
                self._reviewing.begin(ask.player, ask.seconds)
            case wire.AskPlain(type="stop"):
                self._stop()
        self.tell_session()

    def changed(self) -> None:
        """The game has changed: what was thought of is over, it is stored, others move, everyone is told."""
        self.stop_thinking()
        self.save()
        self.drive()
        self.tell_session()

    def _hand_over(self, ask: wire.AskSeat) -> None:
        session = self.session
        if ask.seat >= session.game.players:
            raise ValueError(f"{session.game.name} has {session.game.players} seats.")
        to = self.host.seat(session.game, ask.seat, ask.level, ask.player)
        if to.kind != session.seats[ask.seat].kind and not session.revealed and session.leaf:
            raise ValueError("where hands are hidden, people and players change seats before the game or after it.")
        session.hand_over(ask.seat, to)

    def _stop(self) -> None:
        self._analysing.switch(False)
        self._reviewing.stop()
        if self._thinking and self._thinking.kind == "move":
            self.session.going = False
            self.session.touch()
            self.save()
        self.stop_thinking()

    # Thinking

    def work(self, kind: str, spec: str, key: str, budget: float, **more: Any) -> dict[str, Any]:
        """What a worker needs to think about the position shown."""
        tree, node = self.session.tree, self.session.at
        seed = seed_of(int(self.session.id, 16), 0, key)
        where = {"seed": tree.seed, "start": tree.start, "actions": tree.actions(node)}
        who = {"player": spec, "key": f"{self.session.id} {key}", "player_seed": seed}
        return {"kind": kind, "game": tree.game.spec, "budget": budget, **where, **who, **more}

    def checked(self, text: str) -> str:
        """A player's text as workers get it."""
        return specs.checked(text, self.session.game, self.host.checkpoint)

    def start(self, kind: Kind, urgency: int, text: str, seat: int | None, work: dict[str, Any], done: Done) -> None:
        """Lets a worker think; `done` hears what it has found."""
        seconds = specs.seconds(work["player"], self.session.game) if kind == "move" else work["budget"] - SPARE
        told = None if kind == "analysis" else seconds
        self._thinking = wire.Thinking(kind=kind, seat=seat, player=text, seconds=told, waiting=False)
        self._job = Job(self.session.id, urgency, work, self._guarded(done))
        self.host.pool.submit(self._job)

    def _guarded(self, done: Done) -> Done:
        """Rules that fail when an answer is played, as somebody's own may, end the thinking and no more."""

        def heard(result: Any, failed: str | None) -> None:
            try:
                done(result, failed)
            except Exception as error:
                log.exception("an answer could not be played")
                self._job = self._thinking = None
                self._analysing.switch(False)
                self._give_up(failure(error))

        return heard

    @property
    def thinking_of(self) -> Kind | None:
        """What is being thought."""
        return self._thinking.kind if self._thinking else None

    def has_thought(self) -> wire.Thinking | None:
        """What was being thought, which is now over."""
        thinking, self._job, self._thinking = self._thinking, None, None
        return thinking

    def stop_thinking(self) -> None:
        """Whatever is being thought is no longer wanted."""
        job, self._job, self._thinking = self._job, None, None
        if job is not None:
            self.host.pool.stop(job)

    def drive(self) -> None:
        """Lets chance and players move whose turn it is, or the analysis go on."""
        session = self.session
        quiet = is_quiet(session.game)
        while session.going and session.state.to_move == CHANCE:
            if not quiet:
                self.tell_session()  # one by one: people see what happens
            session.play(None)
            if not quiet or session.state.to_move != CHANCE:
                self.save()
        mover = session.state.to_move
        if self._job is not None or not self.listeners:
            return
        if session.going and mover >= 0 and not session.is_human(mover):
            self._let_player_move(mover)
        elif mover >= 0 and session.viewer in (None, mover):
            self._analysing.go_on()

    def _let_player_move(self, mover: int) -> None:
        text = self.session.seats[mover].player or ""
        try:
            spec = self.checked(text)
        except (ValueError, ImportError) as error:  # a run that is no longer there
            self._give_up(str(error))
            return
        seconds = specs.seconds(spec, self.session.game)
        budget = seconds + SPARE if seconds is not None else BUDGET
        self.start("move", MOVE, text, mover, self.work("think", spec, f"seat {mover}", budget), self._moved)

    def _give_up(self, sentence: str) -> None:
        self.session.going = False
        self.session.touch()
        self.save()
        self.tell_error(sentence)

    def _moved(self, result: dict[str, Any] | None, failed: str | None) -> None:
        """A player has chosen."""
        thinking = self.has_thought()
        if result is None or thinking is None:
            self._give_up(failed or "the player gave no answer.")
            self.tell_session()
            return
        session = self.session
        node, seen = session.at, session.viewer in (None, result["mover"])
        move = session.play(result["action"])
        if seen:
            session.think_of(node, result["values"])
            if move.values is None:
                session.think_of(move.id, result["values"])
        self.save()
        if seen:
            self.tell_thought(node, thinking, result, True)
        self.drive()
        self.tell_session()

    def tell_thought(self, node: int, thinking: wire.Thinking, result: dict[str, Any], final: bool) -> None:
        """A thought, to everyone."""
        thought = wire.Thought(node=node, player=thinking.player, final=final, **result)
        self.tell(f'{{"type":"thought","of":"{thinking.kind}","thought":{thought.model_dump_json()}}}')

    def _hint(self, seconds: float) -> None:
        self.session.may_think()
        if self._thinking and self._thinking.kind == "move":
            raise ValueError("a player is thinking; a hint is for your own turn.")
        self.stop_thinking()
        text = with_seconds(adviser(self.session.game), seconds)
        work = self.work("think", self.checked(text), "hint", seconds + SPARE)
        self.start("hint", HINT, text, self.session.state.to_move, work, self._hinted)

    def _hinted(self, result: dict[str, Any] | None, failed: str | None) -> None:
        thinking = self.has_thought()
        if result is None or thinking is None:
            self.tell_error(failed or "no hint was found.")
        else:
            self.session.think_of(self.session.at, result["values"])
            self.save()
            self.tell_thought(self.session.at, thinking, result, True)
        self.drive()
        self.tell_session()
