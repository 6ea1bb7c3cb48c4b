"""Tetris read slowly from the rules page, for the tests: sets of cells, one input at a time, no bit tricks."""

from collections import deque
from collections.abc import Iterable

CELLS: dict[str, tuple[tuple[int, int], ...]] = {
    "I": ((-1, 0), (0, 0), (1, 0), (2, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((-1, 0), (0, 0), (1, 0), (0, 1)),
    "L": ((-1, 0), (0, 0), (1, 0), (1, 1)),
    "J": ((-1, 0), (0, 0), (1, 0), (-1, 1)),
    "S": ((-1, 0), (0, 0), (0, 1), (1, 1)),
    "Z": ((-1, 1), (0, 1), (0, 0), (1, 0)),
}
UPRIGHT = {"NE": "0,0 -1,0 -1,1 0,-2 -1,-2", "EN": "0,0 1,0 1,-1 0,2 1,2"}
UPRIGHT |= {"NW": "0,0 1,0 1,1 0,-2 1,-2", "WN": "0,0 -1,0 -1,-1 0,2 -1,2"}
MOST = UPRIGHT | {turn.replace("N", "S"): tests for turn, tests in UPRIGHT.items()}
SRS_I = {
    **dict.fromkeys(("NE", "WS"), "1,0 -1,0 2,0 -1,-1 2,2"),
    **dict.fromkeys(("ES", "NW"), "0,-1 -1,-1 2,-1 -1,1 2,-2"),
    **dict.fromkeys(("SW", "EN"), "-1,0 1,0 -2,0 1,1 -2,-2"),
    **dict.fromkeys(("WN", "SE"), "0,1 1,1 -2,1 1,-1 -2,2"),
}
PLUS_I = {
    "NE": "1,0 2,0 -1,0 -1,-1 2,2",
    "EN": "-1,0 -2,0 1,0 -2,-2 1,1",
    "ES": "0,-1 -1,-1 2,-1 -1,1 2,-2",
    "SE": "0,1 -2,1 1,1 -2,2 1,-1",
    "SW": "-1,0 1,0 -2,0 1,1 -2,-2",
    "WS": "1,0 2,0 -1,0 2,2 -1,-1",
    "WN": "0,1 1,1 -2,1 1,-1 -2,2",
    "NW": "0,-1 -1,-1 2,-1 2,-2 -1,1",
    "NS": "1,-1 1,0",
    "SN": "-1,1 -1,0",
    "EW": "-1,-1 0,-1",
    "WE": "1,1 0,1",
}
HALF = {
    "NS": "0,0 0,1 1,1 -1,1 1,0 -1,0",
    "SN": "0,0 0,-1 -1,-1 1,-1 -1,0 1,0",
    "EW": "0,0 1,0 1,2 1,1 0,2 0,1",
    "WE": "0,0 -1,0 -1,2 -1,1 0,2 0,1",
}
KICKS = {"srs": (MOST, SRS_I), "srs+": (MOST | HALF, PLUS_I)}
NAMES = "NESW"


def cells_of(piece: str, r: int, x: int, y: int) -> frozenset[tuple[int, int]]:
    cells = CELLS[piece]
    for _ in range(r):
        cells = tuple((b, -a) for a, b in cells)
    return frozenset((x + a, y + b) for a, b in cells)


def placements(
    rows: Iterable[int],
    piece: str,
    kicks: str = "srs",
    spawn: tuple[int, int] = (4, 19),
    fifth: str = "full",
    spins: str = "t",
) -> set[tuple[frozenset[tuple[int, int]], str]]:
    """Where a piece comes to rest: the cells it fills, and the spin. A search over poses and how each was entered."""
    filled = {(x, y) for y, row in enumerate(rows) for x in range(10) if row >> x & 1}

    def solid(x: int, y: int) -> bool:
        return not 0 <= x < 10 or y < 0 or (x, y) in filled

    def fits(r: int, x: int, y: int) -> bool:
        return not any(solid(*cell) for cell in cells_of(piece, r, x, y))

    def spin_of(r: int, x: int, y: int, entry: tuple[str, int] | None) -> str:
        if entry is None:
            return "none"
        turn, test = entry
        stuck = not (fits(r, x - 1, y) or fits(r, x + 1, y) or fits(r, x, y + 1) or fits(r, x, y - 1))
        if piece != "T":
            return ("full" if spins in ("all", "all+") else "mini") if stuck and spins.startswith("all") else "none"
        corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)]  # clockwise; the front ones of N first
        found = [solid(x + a, y + b) for a, b in corners[r:] + corners[:r]]
        if sum(found) < 3:
            return "mini" if stuck and spins.endswith("+") else "none"
        quarter = turn not in ("NS", "SN", "EW", "WE")
        upgrade = quarter and test == 4 and (fifth == "full" or (fifth == "from_flat" and turn[0] in "NS"))
        return "full" if all(found[:2]) or upgrade else "mini"

    start = (0, *spawn)
    if not fits(*start):
        return set()
    table = KICKS[kicks][piece == "I"]
    first: tuple[tuple[int, int, int], tuple[str, int] | None] = (start, None)
    todo, seen = deque([first]), {first}
    out = set()
    while todo:
        pose, entry = todo.popleft()
        r, x, y = pose
        following: list[tuple[tuple[int, int, int], tuple[str, int] | None]] = []
        for a, b in ((-1, 0), (1, 0), (0, -1)):
            if fits(r, x + a, y + b):
                following.append(((r, x + a, y + b), None))
        for to in range(4) if piece != "O" else ():
            turn = NAMES[r] + NAMES[to]
            for test, text in enumerate(table.get(turn, "").split()):
                a, b = map(int, text.split(","))
                if fits(to, x + a, y + b):
                    following.append(((to, x + a, y + b), (turn, test)))
                    break
        if not fits(r, x, y - 1):
            out.add((cells_of(piece, r, x, y), spin_of(r, x, y, entry)))
        for step in following:
            if step not in seen:
                seen.add(step)
                todo.append(step)
    return out
