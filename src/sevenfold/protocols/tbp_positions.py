"""Positions that a bot is asked about by `sevenfold tbp-check`: what frontends send sooner or later."""

from sevenfold.protocols.tbp import HEIGHT, PIECES, WIDTH, Start


def board(picture: str) -> tuple[str, ...]:
    """The forty rows of a picture, the top row first."""
    rows = picture.split()[::-1]
    return (*rows, *["." * WIDTH] * (HEIGHT - len(rows)))


EMPTY = board("")
DOUBLE = "GGG..GGGGG GGG...GGGG GGGG.GGGGG"
TRIPLE = "GG........ G......... G.GGGGGGGG G..GGGGGGG G.GGGGGGGG"
TALL = " ".join(["GGGG.GGGGG"] * 18)
BOX = " ".join(["GGGGGG...."] * 4)
CAVES = "..GGG..... ....G..... GG..G.GGGG GGG...GG.G G.GG.GGGGG GG.GGGGG.G"
BITS = "Z......... ZZ.....SS. .Z.LLLSSOO ...LJJJ.OO IIII..J.TT"

POSITIONS: dict[str, Start] = {
    "all seven in hand": Start(EMPTY, "IOTLJS", "Z", randomizer="seven_bag", bag="Z"),
    "nothing told of the bag": Start(EMPTY, "SZSZSZ"),
    "any piece at any time": Start(EMPTY, "TTTTT", "T", randomizer="uniform"),
    "a full bag after the queue": Start(EMPTY, "IOTLJSZ", randomizer="seven_bag", bag=PIECES),
    "a t-spin double": Start(board(DOUBLE), "TIOLJ", randomizer="seven_bag", bag="SZ"),
    "a t-spin double with the t in hold": Start(board(DOUBLE), "ZIOLJ", "T", 1, True),
    "a t-spin triple": Start(board(TRIPLE), "TTTIO"),
    "four rows to a perfect clear": Start(board(BOX), "IIIIOO", "L", 3, True),
    "caves": Start(board(CAVES), "LJSZT", "I"),
    "pieces of all colours": Start(board(BITS), "TJLOI", "S", 0, False, "seven_bag", "SZ"),
    "a tall stack": Start(board(TALL), "IOTLJ", "I", randomizer="seven_bag", bag="SZ"),
    "a long combo": Start(board(DOUBLE), "LJSZO", None, 12, True),
    "a long queue": Start(EMPTY, "IOTLJSZ" * 6, "T", randomizer="seven_bag", bag=PIECES),
}
