"""Fumen v115, the text in which Tetris players share boards and games: https://fumen.zui.jp.

A fumen is a list of pages, each a field, a piece on it, and a comment. `encode` writes pages as a text that any fumen
editor opens, `decode` reads one (also v110, and whole addresses). On the wire a page is the run lengths of the changes
since the page before, three signs for the piece and the flags, and the comment where it is new; all numbers in base 64,
the low digit first. Between two pages the piece is locked, full rows go, then garbage rises and the field is mirrored.

A comment may be a quiz, `#Q=[hold](current)next;text`: quiz.py. What the pages look like is not kept: colours of the
editor, guide lines.
"""

import re
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sevenfold.games.tetris.quiz import advanced
from sevenfold.games.tetris.shapes import CELLS, EMPTY, WIDTH, cells, locked
from sevenfold.options import shown

HEIGHT = 23
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
KINDS = ".ILOZTJSG"
"""What a cell holds, by its number: nothing, a piece, or garbage."""
TURNS = ("south", "east", "north", "west")
"""Orientations by their numbers."""
SHIFTS = {
    ("O", "west"): (-1, 1),
    ("O", "south"): (-1, 0),
    ("O", "north"): (0, 1),
    ("I", "south"): (-1, 0),
    ("I", "west"): (0, 1),
    ("S", "north"): (0, 1),
    ("S", "east"): (1, 0),
    ("Z", "north"): (0, 1),
    ("Z", "west"): (-1, 0),
}
"""From our centre of a piece to that of the format, where they differ."""
MIRRORED = str.maketrans("LJSZ", "JLZS")
MAX_COMMENT = 4095
MAX_TEXT = 1 << 20
FIRST_LINE, LINE = 42, 47
"""Signs before the first `?`, and between two of them."""


@dataclass(frozen=True)
class Piece:
    """A piece on the field; x from the left and y from the bottom, both from 0, are those of its centre."""

    kind: str
    orientation: str
    x: int
    y: int

    def cells(self) -> list[tuple[int, int]]:
        """The four cells."""
        return cells(self.kind, self.orientation, self.x, self.y)


@dataclass(frozen=True)
class Page:
    """One page: the field before the piece is locked."""

    rows: tuple[str, ...] = ()
    """From the bottom, ten signs each: `.` empty, a piece's letter, `G` garbage. At most 23; missing ones are empty."""
    piece: Piece | None = None
    comment: str = ""
    garbage: str = EMPTY
    """The row below the field, which rises."""
    lock: bool = True
    """Whether the piece is locked before the next page."""
    rise: bool = False
    mirror: bool = False
    colour: bool = True
    """Whether pieces have the colours of the guideline; the whole fumen's, told by the first page."""

    def after(self) -> "Page":
        """What the next page begins with: the field and nothing else."""
        rows, garbage = list(_filled(self.rows)), self.garbage
        if self.lock:
            rows, _ = locked(rows, self.piece.cells() if self.piece else (), self.piece.kind if self.piece else "")
            if self.rise:
                rows, garbage = [garbage, *rows[:-1]], EMPTY
            if self.mirror:  # the editor mirrors the field as it stands, without the row below it
                rows = [row[::-1] for row in rows]
        return Page(tuple(rows), garbage=garbage, colour=self.colour)


def encode(pages: Sequence[Page]) -> str:
    """The fumen of some pages. ValueError where a page cannot be written."""
    if not pages:
        raise ValueError("a fumen has one page or more.")
    writer, before, said, repeat = _Writer(), Page(), "", -1
    for number, page in enumerate(pages):
        _check(page, number)
        now, last = _numbers(page, HEIGHT), _numbers(before, HEIGHT)
        if now != last:
            writer.runs([new - old for new, old in zip(now, last, strict=True)])
            repeat = -1
        elif repeat >= 0 and writer.numbers[repeat] < 63:
            writer.numbers[repeat] += 1
        else:
            writer.runs([0] * len(now))
            repeat = len(writer.numbers)
            writer.put(0, 1)
        comment = page.comment != said
        writer.put(_action(page, HEIGHT, comment, number == 0), 3)
        if comment:
            writer.text(page.comment)
        said = advanced(page.comment, page.piece.kind if page.piece else None) if page.lock else page.comment
        before = page.after()
    text = "".join(SIGNS[digit] for digit in writer.numbers)
    lines = [text[:FIRST_LINE], *(text[at : at + LINE] for at in range(FIRST_LINE, len(text), LINE))]
    return "v115@" + "?".join(lines)


def decode(text: str) -> list[Page]:
    """The pages of a fumen, or of an address that holds one. ValueError with one sentence where there is none."""
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise ValueError(f"a fumen is a text of at most {MAX_TEXT} signs.")
    found = re.search(r"[vmdVMD](11[05])@([A-Za-z0-9+/?\s]*)", urllib.parse.unquote(text))
    if not found:
        raise ValueError(f"{shown(text)} holds no fumen: one begins with v115@.")
    height = HEIGHT if found[1] == "115" else 21
    reader = _Reader(re.sub(r"[?\s]", "", found[2]))
    pages: list[Page] = []
    before, said, repeat = Page(), "", 0
    while repeat > 0 or reader.left:
        numbers = _numbers(before, height)
        if repeat > 0:
            repeat -= 1
        else:
            changes = reader.runs(len(numbers))
            numbers = [old + change for old, change in zip(numbers, changes, strict=True)]
            if not any(changes) and reader.one_run:
                repeat = reader.take(1)
        if any(not 0 <= number < len(KINDS) for number in numbers):
            raise ValueError(f"the fumen is damaged: page {len(pages) + 1} has a cell that is nothing.")
        page, comment = _read_action(reader.take(3), height, len(pages) + 1)
        if comment:
            said = reader.text()
        signs = "".join(KINDS[number] for number in numbers)
        rows = [signs[at : at + WIDTH] for at in range(0, len(signs), WIDTH)]
        colour = page.colour if not pages else pages[0].colour
        page = replace(page, rows=_trimmed(rows[-2::-1]), garbage=rows[-1], comment=said, colour=colour)
        pages.append(page)
        said = advanced(said, page.piece.kind if page.piece else None) if page.lock else said
        before = page.after()
    if not pages:
        raise ValueError(f"{shown(text)} is a fumen without pages.")
    return pages


def _filled(rows: Sequence[str]) -> tuple[str, ...]:
    return (*rows, *[EMPTY] * (HEIGHT - len(rows)))


def _trimmed(rows: Sequence[str]) -> tuple[str, ...]:
    """Without the empty rows at the top."""
    count = len(rows)
    while count and rows[count - 1] == EMPTY:
        count -= 1
    return tuple(rows[:count])


def _check(page: Page, number: int) -> None:
    if len(_trimmed(page.rows)) > HEIGHT:
        raise ValueError(f"page {number + 1} has {len(page.rows)} rows; a fumen has room for {HEIGHT}.")
    for row in (*page.rows, page.garbage):
        if not isinstance(row, str) or len(row) != WIDTH or not set(row) <= set(KINDS):
            raise ValueError(f"a row of a fumen is {WIDTH} signs of {KINDS}, not {shown(row)}.")
    if page.piece is None:
        return
    if page.piece.kind not in CELLS or page.piece.orientation not in TURNS:
        raise ValueError(f"page {number + 1} has no piece that a fumen knows: {shown(page.piece)}.")
    if any(not (0 <= x < WIDTH and 0 <= y < HEIGHT) for x, y in page.piece.cells()):
        raise ValueError(f"on page {number + 1} the {page.piece.kind} is outside of the field of a fumen.")


def _numbers(page: Page, height: int) -> list[int]:
    """The field as numbers, the top row first, the garbage row last."""
    rows = (*_filled(page.rows)[:height][::-1], page.garbage)
    return [KINDS.index(sign) for sign in "".join(rows)]


def _action(page: Page, height: int, comment: bool, first: bool) -> int:
    """The piece and the flags as one number."""
    kind, turn, at = 0, 0, 0
    if page.piece is not None:
        piece = page.piece
        right, up = SHIFTS.get((piece.kind, piece.orientation), (0, 0))
        kind, turn = KINDS.index(piece.kind), TURNS.index(piece.orientation)
        at = (height - 1 - piece.y - up) * WIDTH + piece.x + right
    number = int(page.rise) + 2 * page.mirror + 4 * (first and page.colour) + 8 * comment + 16 * (not page.lock)
    return kind + 8 * (turn + 4 * (at + (height + 1) * WIDTH * number))


def _read_action(number: int, height: int, where: int) -> tuple[Page, bool]:
    """The piece and the flags of a page, and whether a comment follows."""
    number, kind = divmod(number, 8)
    number, turn = divmod(number, 4)
    number, at = divmod(number, (height + 1) * WIDTH)
    if number >= 32:
        raise ValueError(f"the fumen is damaged: page {where} has flags that there are not.")
    rise, mirror, colour, comment, loose = (bool(number >> bit & 1) for bit in range(5))
    piece = None
    if kind:
        name, orientation = KINDS[kind], TURNS[turn]
        right, up = SHIFTS.get((name, orientation), (0, 0))
        piece = Piece(name, orientation, at % WIDTH - right, height - 1 - at // WIDTH - up)
        if any(not (0 <= x < WIDTH and 0 <= y < HEIGHT) for x, y in piece.cells()):
            raise ValueError(f"the fumen is damaged: on page {where} the {name} is outside of the field.")
    return Page(piece=piece, lock=not loose, rise=rise, mirror=mirror, colour=colour), comment


class _Writer:
    """Numbers in base 64, the low digit first."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def put(self, value: int, digits: int) -> None:
        for _ in range(digits):
            value, digit = divmod(value, 64)
            self.numbers.append(digit)

    def runs(self, changes: list[int]) -> None:
        start = 0
        for at in range(1, len(changes) + 1):
            if at == len(changes) or changes[at] != changes[start]:
                self.put((changes[start] + 8) * len(changes) + at - start - 1, 2)
                start = at

    def text(self, text: str) -> None:
        written = escaped(text)[:MAX_COMMENT]
        self.put(len(written), 2)
        for at in range(0, len(written), 4):
            self.put(sum((ord(sign) - 32) * 96**place for place, sign in enumerate(written[at : at + 4])), 5)


class _Reader:
    """The same, read."""

    def __init__(self, text: str) -> None:
        self._digits = [SIGNS.index(sign) for sign in text]
        self._at = 0
        self.one_run = False
        """Whether the last changes came in one run."""

    @property
    def left(self) -> int:
        return len(self._digits) - self._at

    def take(self, digits: int) -> int:
        if self.left < digits:
            raise ValueError("the fumen is damaged: it ends in the middle of a page.")
        self._at += digits
        return sum(digit * 64**place for place, digit in enumerate(self._digits[self._at - digits : self._at]))

    def runs(self, count: int) -> list[int]:
        changes: list[int] = []
        runs = 0
        while len(changes) < count:
            change, length = divmod(self.take(2), count)
            changes += [change - 8] * (length + 1)
            runs += 1
        if len(changes) > count:
            raise ValueError("the fumen is damaged: a field has more cells than there are.")
        self.one_run = runs == 1
        return changes

    def text(self) -> str:
        length = self.take(2)
        signs = []
        for _ in range(0, length, 4):
            value = self.take(5)
            for _ in range(4):
                value, sign = divmod(value, 96)
                signs.append(chr(sign + 32))
        return unescaped("".join(signs)[:length])


def escaped(text: str) -> str:
    """A text as JavaScript's `escape` writes it: UTF-16 units as %XX or %uXXXX."""
    units = text.encode("utf-16-be", "surrogatepass")
    out = []
    for at in range(0, len(units), 2):
        unit = units[at] << 8 | units[at + 1]
        if unit < 128 and (chr(unit).isalnum() or chr(unit) in "@*_+-./"):
            out.append(chr(unit))
        else:
            out.append(f"%u{unit:04X}" if unit > 255 else f"%{unit:02X}")
    return "".join(out)


def unescaped(text: str) -> str:
    """And back; what is no escape stays as it is, and half a pair of units becomes a question mark."""
    read = re.sub("%u([0-9A-Fa-f]{4})|%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1] or found[2], 16)), text)
    return read.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "replace")
