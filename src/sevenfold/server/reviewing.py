"""The review of a session's line, move by move in a worker, told as it grows."""

import json
from typing import TYPE_CHECKING, Any

from sevenfold.advisers import adviser, with_seconds
from sevenfold.review import Review
from sevenfold.server import wire
from sevenfold.server.pool import REVIEW, Job

if TYPE_CHECKING:
    from sevenfold.server.table import Table

SECONDS = 0.3
"""For each move."""
SPARE = 10.0


class Reviewing:
    """The review of one session; stopped and begun again it goes on where it was."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self._job: Job | None = None
        self.thinking: wire.Thinking | None = None

    def begin(self, player: str | None, seconds: float | None) -> None:
        """Starts the review of the line shown."""
        session, table = self._table.session, self._table
        self.stop()
        record = session.record()
        if not record.actions:
            raise ValueError("there is no move to review yet.")
        text = with_seconds(player or adviser(session.game), seconds or SECONDS)
        spec, line = table.checked(text), session.line
        kept = session.review
        if not kept or (kept["line"], kept["spec"]) != (line, spec):
            session.review = kept = {"line": line, "spec": spec, "raw": None, "state": None}
        self.thinking = wire.Thinking(kind="review", seat=None, player=text, seconds=seconds or SECONDS, waiting=False)
        self._line, self._text, self._spec, self._record = line, text, spec, record.to_line()
        self._go_on(kept["raw"])

    def stop(self) -> None:
        """Ends it; what it has found is kept."""
        job, self._job, self.thinking = self._job, None, None
        if job is not None:
            self._table.host.pool.stop(job)

    def _go_on(self, earlier: dict[str, Any] | None) -> None:
        work = self._table.work(
            "review", self._spec, "review", (self.thinking.seconds or 0) * 2 + SPARE if self.thinking else SPARE
        )
        work |= {"record": self._record, "earlier": earlier}
        self._job = Job(self._table.session.id, REVIEW, work, self._reviewed)
        self._table.host.pool.submit(self._job)

    def _reviewed(self, result: dict[str, Any] | None, failed: str | None) -> None:
        """One more move is judged; those before it may be judged anew by it."""
        self._job = None
        if result is None:
            self.thinking = None
            self._table.tell_error(failed or "the review ended without an answer.")
            self._table.tell_session()
            return
        session, found = self._table.session, Review.from_json(result)
        session.review = {
            "line": self._line, "spec": self._spec, "raw": result,
            "state": json.loads(review_state(found, self._line, self._text).model_dump_json()),
        }  # fmt: skip
        for move in found.moves:
            node = session.tree.moves[self._line[move.ply + 1]]
            if node.mark != move.mark:
                node.mark = move.mark
                session.changed.append(node)
            session.think_of(self._line[move.ply], list(move.values), reviewed=True)
        session.touch()
        self._table.save()
        if found.complete:
            self.thinking = None
        else:
            self._go_on(result)
        self._table.tell_session()


def review_state(found: Review, line: list[int], player: str) -> wire.ReviewState:
    """A review as it is told."""
    moves = []
    for move in found.moves:
        better = [] if move.best else zip(move.line, move.line_texts, strict=False)
        moves.append(
            wire.ReviewMove(
                node=line[move.ply + 1],
                ply=move.ply,
                seat=move.player,
                mark=move.mark,
                score=move.score,
                value=move.value,
                best=move.best_value,
                better=[wire.ActionInfo(action=action, text=text) for action, text in better],
            )
        )
    everyone = [found.of_player(seat) for seat in range(found.players)]
    return wire.ReviewState(
        done=len(found.moves),
        moves_in_all=found.decisions,
        complete=found.complete,
        player=player,
        excitement=found.excitement,
        seats=[
            wire.ReviewSeat(
                good=one.good, slack=one.slack, blunder=one.blunder, best_share=one.best_share, score=one.score
            )
            for one in everyone
        ],
        moves=moves,
    )
