"""Whole games as fumens, and fumens as games: a page for each placement.

Out: the first page's comment is a quiz with all pieces of the game in order, which follows hold from page to page. Of a
game of two, a fumen is one seat's. What lies above the 23 rows of a fumen cannot be told, and is refused.

In: the pieces of the pages are placed one after the other, without hold, from the field of the first page; so the
record is of `tetris` without hold, with any piece at any time. What no keys reach, or a field that is not what the page
before left, is refused with the number of the page: a fumen may be a puzzle, and a record is a game.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sevenfold._core import CHANCE, State
from sevenfold.game import Game
from sevenfold.game import game as game_named
from sevenfold.games.tetris.fumen import HEIGHT, Page, Piece, decode, encode
from sevenfold.games.tetris.position import PIECES, find, placements, side, side_text
from sevenfold.games.tetris.quiz import Quiz, advanced
from sevenfold.games.tetris.quiz import read as read_quiz
from sevenfold.games.tetris.shapes import EMPTY, WIDTH
from sevenfold.records import Record

PREVIEWS = 5


def write(record: Record, seat: int = 0) -> str:
    """A game, or what one seat made of it, as a fumen."""
    pages: list[Page] = []
    pieces, hold, left = "", "", 0
    for state, action in zip(record.states(), record.actions, strict=False):
        if state.to_move != seat:
            continue
        facts = side(state)
        hold = hold if pages else facts["hold"]
        pieces += facts["queue"][left:]
        placed = next(one for one in placements(state) if one.action == action)
        left = len(facts["queue"]) - (2 if placed.hold and not facts["hold"] else 1)
        rows = _coloured(facts["rows"], pages[-1].after() if pages else Page())
        piece = Piece(placed.piece, placed.orientation, placed.x, placed.y)
        if len(rows) > HEIGHT or any(y >= HEIGHT for _, y in piece.cells()):
            raise ValueError(f"piece {len(pages) + 1} lies above the {HEIGHT} rows that a fumen has.")
        pages.append(Page(rows, piece))
    if not pages:
        raise ValueError("a fumen needs a placement, and this game has none.")
    comment = str(Quiz(hold, pieces[:1], pieces[1:]))
    for number, page in enumerate(pages):
        pages[number] = replace(page, comment=comment)
        comment = advanced(comment, page.piece.kind if page.piece else None)
    return encode(pages) + "\n"


def _coloured(bits: list[int], before: Page) -> tuple[str, ...]:
    """The rows of a field in the colours of the page before, as far as they are still those; the rest is garbage."""
    known = [row for row in before.rows if row != EMPTY]
    rose = len(bits) - len(known)
    if rose < 0 or [_mask(row) for row in known] != bits[rose:]:
        known, rose = [], len(bits)
    fresh = ["".join("G" if row >> x & 1 else "." for x in range(WIDTH)) for row in bits[:rose]]
    return (*fresh, *known)


def _mask(row: str) -> int:
    return sum(1 << x for x, cell in enumerate(row) if cell != ".")


def read(text: str, game: Game | None = None) -> Record:
    """The game that a fumen shows."""
    pages = decode(text)
    told = [page for page in pages if page.piece is not None and page.lock]
    if not told:
        raise ValueError("this fumen places no piece; paste its field as a position instead.")
    pieces = "".join(page.piece.kind for page in told if page.piece)
    options: dict[str, Any] = {"hold": False, "randomizer": "uniform", "pieces": len(told), "previews": PREVIEWS}
    if game is not None and game.name == "tetris":
        kept = ("attack", "kicks", "spins", "fifth_kick", "objective")
        options |= {name: game.options[name] for name in kept}
    rules = game_named("tetris", **options)
    ahead = pieces + (PIECES * 2)[: PREVIEWS + 1]  # what follows the last page is anybody's guess
    start = side_text(rows=_bits_of(told[0]), queue=ahead[: PREVIEWS + 1])
    state = rules.replay([], 0, rules.parse(start).start)
    for number, page in enumerate(told):
        _place(state, page, pages.index(page) + 1)
        for at in _draws(state, number + PREVIEWS + 1):
            state.play(PIECES.index(ahead[at]))
    return Record.of(state, ["fumen"])


def _draws(state: State, at: int) -> Iterator[int]:
    while state.to_move == CHANCE:
        yield at
        at += 1


def _place(state: State, page: Page, number: int) -> None:
    piece = page.piece
    assert piece is not None
    if side(state)["rows"] != _bits_of(page):
        raise ValueError(f"the field of page {number} is not what the page before left, so this fumen is not one game.")
    action = find(state, piece.kind, piece.orientation, piece.x, piece.y)
    if action is None:
        raise ValueError(
            f"on page {number} no keys bring the {piece.kind} facing {piece.orientation} to column {piece.x}, "
            f"row {piece.y}."
        )
    state.play(action)


def _bits_of(page: Page) -> list[int]:
    rows = [_mask(row) for row in page.rows]
    while rows and rows[-1] == 0:
        rows.pop()
    return rows


def position_of(text: str) -> str:
    """The first page of a fumen as the text of a position: its field, and the queue that its quiz tells."""
    page = decode(text)[0]
    told = (read_quiz(page.comment) or Quiz()).filled()
    return side_text(rows=_bits_of(page), queue=told.current + told.queue, hold=told.hold or None)
