"""Quiz comments of fumen: `#Q=[hold](current)next;text` tells the queue, and follows the pieces from page to page.

After a page whose piece is locked the quiz goes on by itself: the current piece is used up, or the held one is and the
current piece is held instead, or (nothing held) the next one is. What then stands in the comment is told again only
where it is something else. A piece that the quiz does not hold leaves it as it is.
"""

import re
from dataclasses import dataclass

PIECES = "IOTLJSZ"
QUIZ = re.compile(rf"#Q=\[([{PIECES}]?)\]\(([{PIECES}]?)\)([{PIECES}]*)((?:;.*)?)", re.DOTALL)


@dataclass(frozen=True)
class Quiz:
    """A queue as a comment tells it."""

    hold: str = ""
    current: str = ""
    queue: str = ""
    rest: str = ""
    """The text after the queue, with its semicolon."""

    def __str__(self) -> str:
        return f"#Q=[{self.hold}]({self.current}){self.queue}{self.rest}"

    def filled(self) -> "Quiz":
        """With a current piece, where there is any left: the held one, or else the next."""
        if self.current:
            return self
        if self.hold:
            return Quiz("", self.hold, self.queue, self.rest)
        return Quiz("", self.queue[:1], self.queue[1:], self.rest)

    def used(self, piece: str) -> "Quiz | None":
        """After a piece; None where the quiz does not hold it."""
        now = self.filled()
        if piece == now.current:
            return Quiz(now.hold, now.queue[:1], now.queue[1:], now.rest)
        if piece == now.hold:
            return Quiz(now.current, now.queue[:1], now.queue[1:], now.rest)
        if not now.hold and now.current and piece == now.queue[:1]:
            if len(now.queue) == 1 and now.rest:  # so do the other readers: else the pages would say something else
                return None
            return Quiz(now.current, now.queue[1:2], now.queue[2:], now.rest)
        return None


def read(comment: str) -> Quiz | None:
    """The quiz of a comment; None where it is none."""
    found = QUIZ.fullmatch(re.sub(r"\s", "", comment))  # as the editors read it
    return Quiz(*found.groups()) if found else None


def advanced(comment: str, piece: str | None) -> str:
    """What the comment of a page is on the next one, after this piece was locked (None: there was none)."""
    quiz = read(comment)
    if quiz is None:
        return comment
    after = (quiz.used(piece) if piece else None) or quiz
    after = after.filled()
    if not after.current and not after.queue:  # it is over: what follows the semicolon is the comment
        return after.rest.removeprefix(";")
    return str(after)
