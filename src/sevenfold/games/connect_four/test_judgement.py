"""Proves what connect_four tells alpha-beta: the evaluation against a slow one in plain Python, and the order."""

import random

import pytest

import sevenfold as sf

BOARDS: list[dict[str, object]] = [
    {},
    {"rows": 4, "cols": 4, "connect": 3},
    {"rows": 6, "cols": 7, "blocked": (3, 3)},
    {"rows": 6, "cols": 8, "connect": 5},
    {"rows": 9, "cols": 11, "blocked": (8, 5)},
    {"rows": 12, "cols": 12, "blocked": (4, 7)},
    {"rows": 12, "cols": 12, "connect": 6},
]


def positions(game: sf.Game, rng: random.Random, count: int) -> list[sf.State]:
    out: list[sf.State] = []
    while len(out) < count:
        state = game.new()
        for _ in range(rng.randrange(game.max_plies)):
            state.play(rng.choice(state.legal_actions()))
            if state.is_over:
                break
        if not state.is_over:
            out.append(state)
    return out


class Slow:
    """What the terms count, cell by cell; row 0 is the lowest."""

    def __init__(self, state: sf.State) -> None:
        self.grid = [line.split() for line in reversed(str(state).splitlines()[:-1])]
        self.rows, self.cols = len(self.grid), len(self.grid[0])
        self.connect = int(state.game.options["connect"])
        self.mover = "xo"[state.to_move]
        self.cells = state.game.max_plies
        self.landing = {
            (row, col)
            for col in range(self.cols)
            for row in range(self.rows)
            if self.grid[row][col] == "." and all(self.grid[below][col] != "." for below in range(row))
        }

    def lines(self, *directions: tuple[int, int]) -> list[list[tuple[int, int]]]:
        runs = [
            [(row + i * up, col + i * right) for i in range(self.connect)]
            for row in range(self.rows)
            for col in range(self.cols)
            for up, right in directions
        ]
        return [run for run in runs if all(0 <= row < self.rows and 0 <= col < self.cols for row, col in run)]

    def threats(self, stone: str) -> set[tuple[int, int]]:
        out = set()
        for run in self.lines((1, 0), (0, 1), (1, 1), (1, -1)):
            cells = [self.grid[row][col] for row, col in run]
            if cells.count(stone) == self.connect - 1 and cells.count(".") == 1:
                out.add(run[cells.index(".")])
        return out

    def open_lines(self, stone: str, missing: int) -> int:
        count = 0
        for run in self.lines((0, 1), (1, 1), (1, -1)):
            cells = [self.grid[row][col] for row, col in run]
            count += cells.count(stone) == self.connect - missing and cells.count(".") == missing
        return count

    def fills_last(self, row: int, col: int) -> str:
        """Who fills a cell if the rest of the board is full: cells left above it decide."""
        left = sum(self.grid[above][col] == "." for above in range(row, self.rows))
        return "xo"[(self.cells - left) % 2]

    def safe(self, stone: str) -> int:
        danger = self.threats("ox"["xo".index(stone)])
        now = danger & self.landing
        count = 0
        for row, col in self.landing:
            above = next((r for r in range(row + 1, self.rows) if self.grid[r][col] == "."), None)
            count += not (now - {(row, col)}) and (above, col) not in danger
        return count

    def terms(self, stone: str) -> dict[str, float]:
        other = "ox"["xo".index(stone)]
        mine, theirs = self.threats(stone), self.threats(other)
        waiting = mine - self.landing
        over = {(row, col) for row, col in waiting if any((below, col) in theirs for below in range(row))}
        late = {cell for cell in waiting - over if self.fills_last(*cell) == stone}
        moves = stone == self.mover
        wins = bool((mine if moves else theirs) & self.landing)
        return {
            "far": self.open_lines(stone, 3) / 10,
            "near": self.open_lines(stone, 2) / 5,
            "late": len(late),
            "early": len(waiting - over - late),
            "over": len(over),
            "stacked": sum((row + 1, col) in waiting for row, col in waiting),
            "late_end": bool(late) * sum(cell in "xo" for line in self.grid for cell in line) / self.cells,
            "safe": self.safe(stone) / 7,
            "pace": float(moves),
            "answer": float(not moves and bool(mine & self.landing)),
            "wins": float(moves and wins),
            "traps": float(not moves and not wins and self.safe(other) == 0),
        }


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_terms_are_what_their_names_say(options: dict[str, object]) -> None:
    game = sf.game("connect_four", **options)
    seen: set[str] = set()
    for state in positions(game, random.Random(1), 60):
        slow = Slow(state)
        for player, stone in enumerate("xo"):
            terms = state.terms(player)
            expected = slow.terms(stone)
            assert {name: terms[name] for name in expected} == pytest.approx(expected), state.to_text()
            seen |= {name for name, term in expected.items() if term}
    assert len(seen) >= (10 if game.max_plies > 16 else 8), seen


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_values_are_antisymmetric_inside_the_range_and_the_same_in_a_mirror(options: dict[str, object]) -> None:
    game = sf.game("connect_four", **options)
    values = set()
    for state in positions(game, random.Random(2), 200):
        first, second = state.heuristic()
        assert first == -second
        assert -1 < first < 1
        values.add(first)
        for s in range(state.symmetries):
            mirrored = state.symmetric(s)
            assert mirrored.heuristic() == [first, second]
            assert [mirrored.terms(player) for player in (0, 1)] == [state.terms(player) for player in (0, 1)]
    assert len(values) > 30
    assert {value > 0 for value in values} == {True, False}


def exchanged(state: sf.State) -> sf.State | None:
    """The same stones in the other colours; None where that is no position."""
    text, mover = state.to_text().split()
    try:
        return state.game.parse(f"{text.translate(str.maketrans('xo', 'ox'))} {mover}")
    except ValueError:
        return None


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_exchanged_colours_have_exchanged_terms(options: dict[str, object]) -> None:
    """All but whose turn it is, and that a threat which is late for one side is early for the other."""
    game = sf.game("connect_four", **options)
    compared = 0
    for state in positions(game, random.Random(3), 200):
        other = exchanged(state)
        if other is None or other.is_over:
            continue
        compared += 1
        for player in (0, 1):
            here, there = state.terms(player), other.terms(1 - player)
            for name in ("far", "near", "over", "stacked", "safe"):
                assert here[name] == there[name]
            assert (here["late"], here["early"]) == (there["early"], there["late"])
    assert compared > 50


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7/7/7/7/7/7 x", "nearly even"),
        ("7/7/7/7/1oo4/1xxx3 o", "x"),  # two cells complete the line, and only one can be answered
        ("7/7/7/o6/o6/oxx1x2 x", "x"),  # x completes before o does
        ("7/7/7/7/1xx4/1ooo2x x", "o"),
    ],
)
def test_plain_positions(text: str, value: str) -> None:
    state = sf.game("connect_four").parse(text)
    first = state.heuristic()[0]
    assert {"x": first > 0.1, "o": first < -0.1, "nearly even": abs(first) < 0.4}[value], first


def test_what_the_next_plies_decide_is_decided_and_nothing_else() -> None:
    """Beyond 0.96 the value is a claim: the solver agrees, always."""
    rng = random.Random(4)
    claims = 0
    for options in (
        {"rows": 4, "cols": 5},
        {"rows": 5, "cols": 5, "blocked": (3, 2)},
        {"rows": 4, "cols": 4, "connect": 3},
    ):
        game = sf.game("connect_four", **options)
        perfect = sf.player("perfect", game)
        for state in positions(game, rng, 250):
            value = state.heuristic()[state.to_move]
            if abs(value) > 0.96:
                claims += 1
                assert perfect.think(state).score * value > 0, state.to_text()
    assert claims > 100


def test_late_threats_are_judged_as_the_solver_does() -> None:
    """On 7×6, quiet positions from ply 18 on: where the value is far from even it is right about the winner."""
    game = sf.game("connect_four")
    perfect = sf.player("perfect", game)
    right = wrong = 0
    for state in positions(game, random.Random(5), 5000):
        value = state.heuristic()[state.to_move]
        if len(state.history) < 18 or not 0.4 < abs(value) < 0.96:
            continue
        score = perfect.think(state).score
        right += score * value > 0
        wrong += score * value < 0
    assert right + wrong > 50
    assert right > 3 * wrong, (right, wrong)


@pytest.mark.parametrize(
    ("blocked", "name", "text"),
    [
        (None, "late", "7/7/7/1xxxo2/1oxoox1/1xooox1 x"),
        ((5, 6), "early", "7/7/7/1xxxo2/1oxoox1/1xooox# x"),
        ((0, 0), "late", "#6/7/7/1xxxo2/1oxoox1/1xooox1 x"),
    ],
)
def test_parity_decides_who_is_glad_of_a_threat(blocked: tuple[int, int] | None, name: str, text: str) -> None:
    """x would complete a line in the third row of column a, which by zugzwang is the first player's. A blocked cell
    makes the board one stone smaller, and the row the other side's; above the threat it makes up for that."""
    game = sf.game("connect_four", blocked=blocked)
    terms = game.parse(text).terms(0)
    assert (terms[name], terms["late"] + terms["early"]) == (1, 1), terms


def test_the_order_is_a_win_an_answer_what_is_safe_from_the_centre_then_what_loses() -> None:
    game = sf.game("connect_four")

    def ordered(text: str) -> str:
        state = game.parse(text)
        return "".join(state.action_text(action) for action in state.order())

    assert ordered("7/7/7/7/7/7 x") == "dcebfag"
    assert ordered("7/7/7/o6/o6/oxx1x2 x")[:2] == "da"  # completes, answers


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_order_keeps_all_columns(options: dict[str, object]) -> None:
    game = sf.game("connect_four", **options)
    for state in positions(game, random.Random(6), 100):
        legal = state.legal_actions()
        ordered = state.order()
        assert sorted(ordered) == legal
        best = sf.player("alphabeta:depth=1,evaluation=zero,order=false", game).think(state)
        if best.values[state.to_move] == 1:  # there is a line to complete
            after = state.copy()
            after.play(ordered[0])
            assert after.is_over
