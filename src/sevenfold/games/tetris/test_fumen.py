"""Fumens: public ones read and written again sign for sign, pages of every kind there and back, and damaged ones."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenfold.games.tetris import quiz
from sevenfold.games.tetris.fumen import HEIGHT, TURNS, Page, Piece, decode, encode, escaped, unescaped
from sevenfold.games.tetris.shapes import CELLS, EMPTY

PUBLIC = [
    "v115@vhAAgH",
    "v115@9gF8DeF8DeF8DeF8NeAgH",
    "v115@BhB8DeC8BeH8CeH8AeE8JeFLYDAUNSBA",
    "v115@9gF8BthlG8ywH8wwglG8BtglJeAgWDA0iDCA",
    "v115@wgF8FeG8CeB8GeC8DeF8GeB8JeAgH",
    "v115@Pg1hDe1hBeB8FtCeA8FtB8AeB8EtA8BeD8CtA8CeE8?AtB8AeI8AeG8JeAgH",
    "v115@vhGRQYHAvItJEJmhCAUmBKpBvsBTtBGhBFqQPAUEzP?EJG98AQmqhECDdCA",
    "v115@vfA8HeA8HeA8JeA8HeA8JeA8HeA8JeA8HeA8JeA8He?A8JeA8ReAgH",
]
"""From the tests and manuals of other programs (solution-finder, tetris-fumen) and the rules page of this room."""


def rows_of(picture: str) -> tuple[str, ...]:
    return tuple(picture.split()[::-1])


@pytest.mark.parametrize("text", PUBLIC)
def test_public_fumens_are_written_as_they_were(text: str) -> None:
    assert encode(decode(text)) == text


def test_what_a_page_says() -> None:
    (page,) = decode("v115@BhB8DeC8BeH8CeH8AeE8JeFLYDAUNSBA")
    assert page.rows == rows_of("....GG.... GGG..GGGGG GGG...GGGG GGGG.GGGGG")
    assert (page.piece, page.comment) == (Piece("T", "south", 4, 1), "TSD")
    assert page.after().rows[:2] == rows_of("....GG.... GGG..GGGGG")
    assert page.after().rows[2:] == (EMPTY,) * 21


def test_pieces_of_an_opening() -> None:
    """An older writer set the colour flag on every page; what is read is the same."""
    pages = decode("v115@vhGRQYHAvItJEJmhCAUGJKJJvMJTNJGBJFKYPAUEzP?EJG98AQmqhECDdCA")
    assert pages == decode("v115@vhGRQYHAvItJEJmhCAUmBKpBvsBTtBGhBFqQPAUEzP?EJG98AQmqhECDdCA")
    assert [page.piece.kind for page in pages if page.piece] == [*"IZLSOJT"]
    assert [page.comment for page in pages] == ["Opening"] * 6 + ["T-Spin Double"]
    assert pages[-1].rows == rows_of("...JJJ.... L..ZZJS... L...ZZSSOO LL.IIIISOO")
    assert pages[-1].piece == Piece("T", "south", 2, 1)
    assert pages[-1].after().rows[:2] == rows_of("...JJJ.... L..ZZJS...")


def test_addresses_and_older_fumens_are_read() -> None:
    rows = ("GGGGGG....",) * 4
    for text in ("https://fumen.zui.jp/?d115@9gF8DeF8DeF8DeF8NeAgH", "  m115@9gF8DeF8De?F8DeF8NeAgH\n"):
        assert decode(text) == [Page(rows)]
    assert decode("https://knewjade.github.io/fumen-for-mobile/#?d=v115%409gF8DeF8DeF8DeF8NeAgH") == [Page(rows)]
    assert decode("v110@7eAA4G") == [Page()]


@pytest.mark.parametrize(
    "text",
    ["", "9gF8DeF8DeF8DeF8NeAgH", "v115@", "v115@9gF8", "v115@9gF8DeF8DeF8DeF8Ne", "v115@/////////", "v99@vhAAgH"],
)
def test_what_is_no_fumen_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"fumen.*\.$"):
        decode(text)


@given(st.text("ABCDEvhgHAQT/+9?", max_size=80))
def test_any_signs_are_pages_or_one_sentence(signs: str) -> None:
    try:
        pages = decode("v115@" + signs)
    except ValueError:
        with pytest.raises(ValueError, match=r"^[^\n]*\.$"):
            decode("v115@" + signs)
    else:
        assert decode(encode(pages)) == pages


def test_what_cannot_be_written_is_refused() -> None:
    for page in (
        Page((EMPTY,) * HEIGHT + ("G.........",)),
        Page(("short",)),
        Page(("..........", "....x.....")),
        Page(piece=Piece("T", "north", 0, 0)),
        Page(piece=Piece("X", "north", 4, 4)),
    ):
        with pytest.raises(ValueError, match=r"\.$"):
            encode([page])
    with pytest.raises(ValueError, match="one page or more"):
        encode([])


def pieces() -> st.SearchStrategy[Piece]:
    made = st.builds(
        Piece, st.sampled_from(sorted(CELLS)), st.sampled_from(TURNS), st.integers(0, 9), st.integers(0, 22)
    )
    return made.filter(lambda piece: all(0 <= x < 10 and 0 <= y < HEIGHT for x, y in piece.cells()))


ROWS = st.text(".ILOZTJSG", min_size=10, max_size=10)
PAGES = st.builds(
    Page,
    st.lists(ROWS, max_size=HEIGHT).map(tuple),
    st.none() | pieces(),
    st.sampled_from(["", "text", "譜 %u8B5C 😀", "#Q=[](T)IJ;then", "#Q=[S](Z)LLO", "x" * 300]),
    ROWS,
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(PAGES, min_size=1, max_size=6))
def test_pages_of_every_kind_there_and_back(pages: list[Page]) -> None:
    def plain(page: Page) -> Page:
        rows = list(page.rows)
        while rows and rows[-1] == EMPTY:
            rows.pop()
        return replace(page, rows=tuple(rows))

    assert decode(encode(pages)) == [plain(page) for page in pages]


def test_a_game_that_stands_still_is_short() -> None:
    """The field is told once for all the pages on which nothing changes, in runs of 64."""
    still = [Page(piece=Piece("T", "north", 4, 0), lock=False)] * 150
    text = encode(still)
    assert decode(text) == still
    assert len(text.replace("?", "")) == 5 + 150 * 3 + 3 * 3


def test_a_quiz_follows_the_pieces() -> None:
    comment = "#Q=[](T)IJ;then"
    for piece, expected in (("T", "#Q=[](I)J;then"), ("I", "#Q=[](J);then"), ("J", "then"), ("J", "then")):
        comment = quiz.advanced(comment, piece)
        assert comment == expected
    assert quiz.advanced("#Q=[](T)IJ", "I") == "#Q=[T](J)"
    assert quiz.advanced("#Q=[T](J)", "T") == "#Q=[](J)"
    assert quiz.advanced("#Q=[](J)", "J") == ""
    assert quiz.advanced("#Q=[S](Z)L", "O") == "#Q=[S](Z)L"
    assert quiz.advanced("#Q=[S](Z)L", None) == "#Q=[S](Z)L"
    assert quiz.advanced("no quiz", "T") == "no quiz"


def test_escapes_are_those_of_javascript() -> None:
    assert escaped("TSD @*_+-./") == "TSD%20@*_+-./"
    assert escaped("é譜😀") == "%E9%u8B5C%uD83D%uDE00"
    letters = random.Random(1).choices("aé譜😀% u1/", k=200)
    assert unescaped(escaped("".join(letters))) == "".join(letters)
    assert unescaped("%zz%u12%uD83D") == "%zz%u12\ufffd"
