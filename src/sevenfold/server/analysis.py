"""The analysis of the position shown: slices of thinking that go on where the last one ended, until it is switched off.

A slice is short, so that many sessions share the cores, and so that the person sees the thoughts grow.
"""

import time
from typing import TYPE_CHECKING, Any

from sevenfold.advisers import takes_time
from sevenfold.server import specs, wire
from sevenfold.server.pool import ANALYSIS, HINT, Job

if TYPE_CHECKING:
    from sevenfold.server.table import Table

SLICES = (0.2, 0.3, 0.5)
"""Seconds of the first slices, and of all after them."""
MOST = 300.0
"""Seconds after which the analysis of one position ends by itself."""
EARLY = 0.5
"""A slice that took less than this share of its time was ended by the player: thinking longer changes nothing."""
IDLE = 10
"""Slices in a row that find nothing new, though they use their time: on a busy machine one may."""

BUDGET, SPARE = 60.0, 3.0
"""Seconds for a slice whatever happens, and to open a tree."""


class Analysis:
    """Who analyses, and how far the analysis of the position shown has got: one tree, which only grows."""

    def __init__(self) -> None:
        self.player: str | None = None
        """While it is switched on."""
        self.looked: tuple[int, str] | None = None
        """The node and the player of the last slice, whose tree can be opened."""
        self._slices, self._nodes, self._idle, self._over = 0, 0, 0, False
        self._began = 0.0

    def switch_on(self, player: str) -> None:
        """Begins; what was found before is shown again."""
        self.player, self._over = player, False

    def switch_off(self) -> None:
        """Ends."""
        self.player = None

    def slice(self, node: int) -> float | None:
        """Seconds of the next slice at a node; None where there is nothing to do."""
        if self.player is None:
            return None
        if self.looked != (node, self.player):
            self.looked, self._slices, self._nodes, self._idle, self._over = (node, self.player), 0, 0, 0, False
        if self._over:
            return None
        self._slices += 1
        self._began = time.monotonic()
        return self._length

    @property
    def _length(self) -> float:
        return SLICES[min(self._slices, len(SLICES)) - 1]

    def is_worth_telling(self, result: dict[str, Any]) -> bool:
        """When it has found something new, or nothing will follow. Not before it has looked at anything: on a busy
        machine a slice may end before that. Nor while it knows less than people have been told: in another process it
        begins from nothing."""
        told, self._nodes = self._nodes, max(self._nodes, result["nodes"])
        if result["proven"]:
            self._nodes = result["nodes"]
            return True
        return bool(result["nodes"] > told or (self._over and result["nodes"] == told))

    def ends_with(self, player: str, result: dict[str, Any]) -> bool:
        """Whether thinking longer would change nothing, or has gone on for long enough. A player that comes back before
        its time has no more to find, whatever it counts: it does not search where a single action is legal, or has
        reached a limit of its own."""
        early = time.monotonic() - self._began < EARLY * self._length
        self._idle = self._idle + 1 if result["nodes"] == self._nodes else 0
        enough = early or self._idle >= IDLE or result["seconds"] > MOST
        self._over = result["proven"] or enough or not takes_time(player)
        return self._over


class Analysing:
    """The analysis at a table."""

    def __init__(self, table: "Table") -> None:
        self._table, self._analysis = table, Analysis()

    def switch(self, on: bool, player: str | None = None) -> None:
        """On, by a player or by the usual one, or off."""
        if self._table.thinking_of == "analysis":
            self._table.stop_thinking()
        self._analysis.switch_off()
        if on:
            text = player or specs.analyst(self._table.session.game)
            self._table.checked(text)
            self._analysis.switch_on(text)

    def go_on(self) -> None:
        """The next slice, where it is switched on."""
        table, analysis = self._table, self._analysis
        player, seconds = analysis.player, analysis.slice(table.session.at)
        if player is not None and seconds is not None:
            work = table.work("think", table.checked(player), "analysis", BUDGET, slice=seconds)
            table.start("analysis", ANALYSIS, player, None, work, self._analysed)

    def _analysed(self, result: dict[str, Any] | None, failed: str | None) -> None:
        table, analysis = self._table, self._analysis
        thinking = table.has_thought()
        if result is None or thinking is None:
            analysis.switch_off()
            table.tell_error(failed or "the analysis ended without an answer.")
            table.tell_session()
            return
        final = analysis.ends_with(thinking.player, result)
        if analysis.is_worth_telling(result):
            table.session.think_of(table.session.at, result["values"])
            table.save()
            table.tell_thought(table.session.at, thinking, result, final)
        table.drive()
        if final:
            table.tell_session()

    # Its tree

    def open_tree(self, path: list[int]) -> None:
        """Tells a node of the tree."""
        table, looked = self._table, self._analysis.looked
        table.session.may_think()
        if looked is None or looked[0] != table.session.at:
            raise ValueError("there is no tree of this position yet; switch the analysis on.")
        work = table.work("tree", table.checked(looked[1]), "analysis", SPARE, path=path)
        table.host.pool.submit(Job(table.session.id, HINT, work, self._opened))

    def _opened(self, result: dict[str, Any] | None, failed: str | None) -> None:
        if result is None:
            self._table.tell_error(failed or "the tree cannot be opened.")
        else:
            tree = wire.TreeNode.model_validate(result).model_dump_json()
            self._table.tell(f'{{"type":"tree","tree":{tree}}}')
