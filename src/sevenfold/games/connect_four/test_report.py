"""Proves `uct:preset=report`: every number is that of a slow literal version, its two tests see wins and losses, its
DELTA fades as described, limits and memory hold, and what is wrong is refused by a sentence."""

import math
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass, field

import pytest
from helpers import soonest

import sevenfold as sf
from sevenfold import _core
from sevenfold.games.connect_four.report import ReportPlayer

FOUR = sf.game("connect_four")
WORD = 2**64 - 1


def report(game: sf.Game, **options: object) -> ReportPlayer:
    player = sf.player("uct:preset=report", game, **{"simulations": 500, "memory": 16} | options)
    assert isinstance(player, ReportPlayer)
    return player


class Xoshiro:
    """The core's random numbers (cpp/core/rng.h)."""

    def __init__(self, seed: int) -> None:
        self.s = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & WORD
            self.s.append(mixed(seed))

    def below(self, n: int) -> int:
        s = self.s
        result = (rotated((s[0] + s[3]) & WORD, 23) + s[0]) & WORD
        t = (s[1] << 17) & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
        return ((result >> 32) * n) >> 32


def rotated(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & WORD


def mixed(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


@dataclass
class TreeNode:
    """The report's class of the same name, over a state and a grid of letters."""

    state: sf.State
    cell: tuple[int, int] | None = None
    parent: "TreeNode | None" = None
    children: list["TreeNode"] = field(default_factory=list)
    q: float = 0.0
    n: int = 0

    def grid(self) -> list[list[str]]:
        return [line.split() for line in str(self.state).splitlines()[:-1]]

    def expand(self) -> "TreeNode":
        column = self.state.legal_actions()[len(self.children)]
        child = self.state.copy()
        child.play(column)
        before, after = self.grid(), TreeNode(child).grid()
        (cell,) = [(r, c) for r in range(len(after)) for c in range(len(after[0])) if before[r][c] != after[r][c]]
        self.children.append(TreeNode(child, cell, self))
        return self.children[-1]

    def wins(self, stone: str) -> bool:
        """Whether this stone on the node's cell would be in a line."""
        assert self.cell
        grid, connect = self.grid(), int(self.state.game.options["connect"])
        row, col = self.cell
        grid[row][col] = stone
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                r, c = row + sign * down, col + sign * right
                while 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] == stone:
                    length, r, c = length + 1, r + sign * down, c + sign * right
            if length >= connect:
                return True
        return False

    def best_child(self, c1: float, c2: float) -> "TreeNode":
        mine, enemy = ("x", "o") if self.state.to_move == 0 else ("o", "x")
        for child in self.children:
            if child.wins(mine):
                return child
        for child in self.children:
            if child.wins(enemy):
                return child
        return max(self.children, key=lambda child: child.score(self.n, enemy, c1, c2))

    def score(self, parent_n: int, enemy: str, c1: float, c2: float) -> float:
        assert self.cell
        grid, (row, col) = self.grid(), self.cell
        around = sum(
            grid[r][c] == enemy
            for r in range(max(row - 1, 0), min(row + 2, len(grid)))
            for c in range(max(col - 1, 0), min(col + 2, len(grid[0])))
        )
        explore = c1 * math.sqrt(2 * math.log(parent_n + 1.001) / self.n)
        return self.q / self.n + explore + c2 * around / math.log(self.n + 1.001)

    def random_expand(self, rng: Xoshiro) -> float:
        state = self.state.copy()
        if state.is_over:
            return 10000.0 if any(state.returns()) else 0.0
        moved_here = 1 - state.to_move
        while not state.is_over:
            column = rng.below(state.game.actions)
            if column in state.legal_actions():
                state.play(column)
        return state.returns()[moved_here]

    def backup(self, delta: float) -> None:
        node: TreeNode | None = self
        while node:
            node.q += delta
            node.n += 1
            delta = -delta
            if abs(delta) > 1:
                delta /= 10
            node = node.parent


def literal(state: sf.State, simulations: int, c1: float, c2: float, seed: int) -> TreeNode:
    """The report's uctSearch, word by word."""
    root, rng = TreeNode(state), Xoshiro(seed)
    for _ in range(simulations):
        node = root
        while not node.state.is_over:
            if len(node.children) < len(node.state.legal_actions()):
                node = node.expand()
                break
            node = node.best_child(c1, c2)
        node.backup(node.random_expand(rng))
    return root


BOARDS = [
    {},
    {"rows": 4, "cols": 4, "connect": 3},
    {"rows": 5, "cols": 4, "blocked": (2, 1)},
    {"rows": 6, "cols": 9, "connect": 5, "blocked": (5, 4)},
    {"rows": 9, "cols": 12, "blocked": (0, 3)},
    {"rows": 12, "cols": 12, "blocked": (7, 11)},
    {"rows": 12, "cols": 4, "connect": 6},
]


@pytest.mark.parametrize("options", BOARDS, ids=str)
@pytest.mark.parametrize(("c1", "c2"), [(1.0, 0.0), (0.3, 0.2), (2.0, 1.0)])
def test_every_number_is_that_of_a_literal_version(options: dict[str, object], c1: float, c2: float) -> None:
    game, rng = sf.game("connect_four", **options), random.Random(str(options))
    for plies in (0, 5, 9, game.max_plies - 4):
        state = game.new()
        while len(state.history) < plies:
            state.play(rng.choice(state.legal_actions()))
            if state.is_over:
                state = game.new()
                plies -= 1  # a full board without a line may not be found by chance
        seed, simulations = rng.getrandbits(62), 150
        root = literal(state, simulations, c1, c2, seed)
        core = _core._connect_four.Report(c1, c2, 1 << 20, seed)
        found = core.run(state, None, simulations, _core.Watch())
        visits, totals = [0] * game.actions, [0.0] * game.actions
        for child in root.children:
            visits[child.state.history[-1]], totals[child.state.history[-1]] = child.n, child.q
        assert found.visits == visits
        assert found.totals == totals
        assert found.action == root.best_child(c1, c2).state.history[-1]


def test_the_golden_chance_is_taken_before_the_trap_is_closed() -> None:
    both = FOUR.parse("7/7/7/7/ooo4/xxx4 x")
    assert report(FOUR, simulations=7).think(both).action == 3  # wins and blocks
    apart = FOUR.parse("7/7/7/o5x/o5x/o5x x")
    result = report(FOUR, simulations=100).think(apart)
    assert result.action == 6
    assert result.visits == [1, 1, 1, 1, 1, 1, 94]  # each column once, then only the one that wins
    assert result.values == [1.0, -1.0]


def test_the_death_trap_is_closed_by_taking_its_cell() -> None:
    state = FOUR.parse("7/7/7/7/x6/xxooo2 x")
    result = report(FOUR, simulations=100).think(state)
    assert result.action == 5
    assert result.visits == [1, 1, 1, 1, 1, 94, 1]
    two = FOUR.parse("7/7/7/x6/x6/x1ooo2 x")
    assert report(FOUR).think(two).action == 0  # its own win comes first
    assert report(FOUR).think(FOUR.parse("7/7/7/7/x6/x1ooo1x x")).action == 1  # the first of two


def one_way(plies: int) -> sf.State:
    """A position with one free column, in which somebody wins after so many plies."""
    game, rng = sf.game("connect_four", rows=12, cols=4), random.Random(plies)
    while True:
        stones = ["x"] * 18 + ["o"] * 18
        rng.shuffle(stones)
        rows = ["".join(stones[3 * i : 3 * i + 3]) for i in range(12)]
        try:
            state = game.parse("/".join(f"{row}1" for row in rows) + " x")
        except ValueError:  # there is a line already
            continue
        end = state.copy()
        while not end.is_over:
            end.play(3)
        if len(end.history) == plies and any(end.returns()):
            return state


@pytest.mark.parametrize("plies", range(1, 9))
def test_delta_loses_a_digit_and_its_sign_with_every_step_up(plies: int) -> None:
    delta = [10000, -1000, 100, -10, 1, -1, 1, -1][plies - 1]
    found = _core._connect_four.Report(1.0, 0.0, 1 << 20, 1).run(one_way(plies), None, 100, _core.Watch())
    playouts = plies - 1  # until the tree has reached the end; who wins them is settled
    assert found.visits == [0, 0, 0, 100]
    assert found.totals[3] == playouts * math.copysign(1, delta) + (100 - playouts) * delta
    assert found.line == [3] * plies


def test_delta_reaches_the_roots_children_from_their_own_children() -> None:
    # o threatens to win above c; x to move: playing c lets o win there at once, so c's child is worth 10000 to o.
    state = FOUR.parse("7/7/7/ox5/oo1ox2/xo1xx2 x")
    core = _core._connect_four.Report(1.0, 0.0, 1 << 20, 1)
    found = core.run(state, None, 20_000, _core.Watch())
    assert found.totals[2] / found.visits[2] < -100
    assert found.action != 2


def test_limits_hold() -> None:
    assert report(FOUR, simulations=1).think(FOUR.new()).nodes == 1
    assert sum(report(FOUR, simulations=777).think(FOUR.new()).visits) == 777
    game = sf.game("connect_four", rows=12, cols=12)
    timed = sf.player("uct", game, preset="report", seconds=0.2)
    assert 0.19 < soonest(lambda: timed.think(game.new()).seconds, 0.25) < 0.25
    assert sf.player("uct", game, preset="report").seconds == 3
    assert sf.player("uct", game, preset="report", simulations=10).seconds is None
    first = sf.player("uct:preset=report,seconds=60,simulations=10", game).think(game.new())
    assert first.nodes == 10
    assert sf.player("uct:preset=report,seconds=0", game).think(game.new()).nodes >= 1


def test_a_full_tree_goes_on_searching() -> None:
    core = _core._connect_four.Report(1.0, 0.0, 1 << 20, 1)
    found = core.run(FOUR.new(), None, 100_000, _core.Watch())
    assert sum(found.visits) == found.simulations == 100_000
    assert 0.9 * 2**20 < found.bytes <= 2**20
    smallest = _core._connect_four.Report(1.0, 0.0, 0, 1).run(FOUR.new(), None, 1000, _core.Watch())
    assert sum(smallest.visits) == 1000


def test_the_same_seed_thinks_the_same() -> None:
    def thoughts(seed: int) -> list[object]:
        player, state, out = report(FOUR, seed=seed), FOUR.new(), []
        for _ in range(4):
            result = player.think(state)
            out += [result.visits, result.values, result.pv]
            state.play(result.action)
        return out

    assert thoughts(1) == thoughts(1)
    assert thoughts(1) != thoughts(2)
    player = report(FOUR, seed=-1)
    again = player.think(FOUR.new()).visits
    player.reset()
    assert player.think(FOUR.new()).visits == again


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_results_are_sound_from_the_first_move_to_the_last(options: dict[str, object]) -> None:
    game = sf.game("connect_four", **options)
    player, state = report(game, simulations=300), game.new()
    while not state.is_over:
        before = state.to_text()
        result = player.think(state)
        assert state.to_text() == before
        assert sum(result.visits) == result.nodes == 300
        assert result.policy == pytest.approx([n / 300 for n in result.visits])
        assert {a for a, n in enumerate(result.visits) if n} <= set(state.legal_actions())
        assert result.values[0] == -result.values[1]
        assert -1 <= result.values[0] <= 1
        assert result.proven is False
        line = state.copy()
        for action in result.pv:
            line.play(action)
        assert result.pv[0] == result.action
        state.play(result.action)


@pytest.mark.parametrize(
    ("spec", "match"),
    [
        ("uct:preset=nothing", r"uct has no preset 'nothing' for connect_four; its presets are: report\."),
        ("random:preset=report", r"random has no preset 'report' for connect_four; it has none\."),
        ("uct:preset=report,solver=false", r"uct:preset=report has no option 'solver'; its options are: seed, .*c1"),
        ("uct:preset=report,c1=-1", "c1 must be 0 or more"),
        ("uct:preset=report,c2=nan", "c2 must be 0 or more"),
        ("uct:preset=report,seconds=-1", "seconds must be 0 or more"),
        ("uct:preset=report,simulations=0", "simulations must be from 1 to"),
        ("uct:preset=report,memory=0", "memory must be from 1 to 65536"),
        ("uct:preset=report,memory=99999999", "memory must be from 1 to 65536"),
        ("uct:preset=report,c1=much", "option c1 must be a number"),
    ],
)
def test_what_is_wrong_is_refused_by_a_sentence(spec: str, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        sf.player(spec, FOUR)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("preset", [None, 3, ["report"], ""])
def test_a_preset_that_is_no_name_is_refused_by_a_sentence(preset: object) -> None:
    with pytest.raises(ValueError, match="uct has no preset"):
        sf.player("uct", FOUR, preset=preset)


def test_a_game_without_presets_says_so() -> None:
    with pytest.raises(ValueError, match=r"^uct has no preset 'report' for tic_tac_toe; it has none\.$"):
        sf.player("uct:preset=report", sf.game("tic_tac_toe"))
    core = _core._connect_four.Report(1.0, 0.0, 1 << 20, 1)
    with pytest.raises(ValueError, match=r"for connect_four\.$"):
        core.run(sf.game("tic_tac_toe").new(), None, 10, _core.Watch())
    with pytest.raises(ValueError, match=r"over\.$"):
        core.run(FOUR.replay([0, 1, 0, 1, 0, 1, 0]), None, 10, _core.Watch())


def test_control_c_stops_it() -> None:
    script = """
        import signal, sys, sevenfold as sf
        signal.signal(signal.SIGINT, signal.default_int_handler)
        game = sf.game("connect_four")
        print("ready", flush=True)
        try:
            sf.player("uct:preset=report,seconds=100", game).think(game.new())
        except KeyboardInterrupt:
            print("stopped")
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == "stopped\n"
