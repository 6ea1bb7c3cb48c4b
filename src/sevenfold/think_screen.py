"""What `sevenfold think` prints: the position, the player's view of every move, and what it all means."""

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sevenfold._core import State
from sevenfold.lang import t, title
from sevenfold.listing import table_of
from sevenfold.players import ActionView, SearchResult
from sevenfold.screen import Screen

LINE = 12
"""As many plies of a line as are shown."""


def ordered(result: SearchResult) -> list[ActionView]:
    """The moves, the chosen one first, then by how much the player thinks of them."""

    def worth(view: ActionView) -> tuple[bool, int, float, int]:
        value = view.score if view.score is not None else view.value
        return view.action == result.action, view.visits, -9e99 if value is None else value, -view.action

    liked = [ActionView(action, prior=share) for action, share in enumerate(result.policy) if share]
    return sorted(result.actions or liked or [ActionView(result.action)], key=worth, reverse=True)


def line_of(result: SearchResult, view: ActionView) -> list[int]:
    """The actions expected after a move, itself first."""
    if result.pv[:1] == [view.action] and len(result.pv) > len(view.pv):
        return result.pv
    return view.pv or [view.action]


def texts(state: State, actions: Sequence[int]) -> list[str]:
    """Actions as people write them, one after another from a position."""
    state, out = state.copy(), []
    for action in actions:
        if action not in state.legal_actions():  # a line may leave out what chance does
            break
        out.append(state.action_text(action))
        state.play(action)
    return out


def to_json(state: State, player: str, result: SearchResult) -> dict[str, Any]:
    """All of it for programs."""
    data = result.to_json()
    data["actions"] = [
        {**one, "text": state.action_text(one["action"])} for view in ordered(result) for one in [vars(view)]
    ]
    return {
        "game": state.game.spec,
        "position": state.to_json(),
        "to_move": state.to_move,
        "player": player,
        "text": state.action_text(result.action),
        "line": texts(state, result.pv),
        **data,
    }


def show(state: State, player: str, result: SearchResult, lines: int) -> None:
    """All of it for people."""
    screen = Screen(state.game, [t("Player {number}", number=seat + 1) for seat in range(state.game.players)])
    spec = f"  [dim]{escape(state.game.spec)}[/]" if title(state.game) != state.game.spec else ""
    screen.line(f"[bold]{escape(title(state.game))}[/]{spec}")
    screen.position(state, state.to_move, state.history[-1] if state.history else None)
    screen.line(t("{name} is to move.", name=screen.name(state.to_move)))
    views = ordered(result)
    screen.out.print(_moves(state, result, views[:lines]))
    if len(views) > lines:
        screen.line(t("… and {count} more.", count=len(views) - lines))
    screen.line(_verdict(screen, state, result))
    screen.line(escape(_effort(player, result)), style="dim")


def _moves(state: State, result: SearchResult, views: list[ActionView]) -> Table:
    """The moves with what the player knows of them; a column of which it knows nothing is left out."""
    searched = any(view.visits for view in views)
    total = sum(result.visits) or sum(view.visits for view in views) or 1
    mixes = state.game.has_hidden_information and sum(result.policy) > 0  # there the answer is a mixture
    columns = {
        t("move"): [state.action_text(view.action) for view in views],
        t("visits"): [f"{view.visits:,}" if searched else "" for view in views],
        t("share"): [
            f"{100 * (result.policy[view.action] if mixes else view.visits / total):.1f} %" if searched else ""
            for view in views
        ],
        t("value"): [_value(view) for view in views],
        t("proven"): [_proven(state, view) for view in views],
        t("exact score"): ["" if view.score is None else f"{view.score:+d}" for view in views],
        t("prior"): [f"{100 * view.prior:.1f} %" if view.prior else "" for view in views],
        t("expected line"): [_line(state, line_of(result, view)) for view in views],
    }
    if all(view.visits == views[0].visits for view in views) and len(views) > 1 and not mixes:
        del columns[t("share")]  # everyone's is the same
    if all(len(line_of(result, view)) < 2 for view in views):
        del columns[t("expected line")]
    columns = {name: cells for name, cells in columns.items() if any(cells)}
    table = table_of(*columns)
    for column, name in zip(table.columns, columns, strict=True):
        words = name in (t("move"), t("proven"), t("expected line"))
        column.justify, column.no_wrap = "left" if words else "right", name != t("expected line")
    for view, row in zip(views, zip(*columns.values(), strict=True), strict=True):
        table.add_row(*map(Text, row), style="bold" if view.action == result.action else "")
    return table


def _value(view: ActionView) -> str:
    """A value, with a sign where the true one is only known to be at most or at least that."""
    sign = {"upper": "≤ ", "lower": "≥ "}.get(view.bound, "")
    return "" if view.value is None else f"{sign}{view.value:+.3f}"


def _line(state: State, actions: list[int]) -> str:
    words = texts(state, actions)
    return " ".join(words[:LINE]) + (" …" if len(words) > LINE else "")


def _proven(state: State, view: ActionView) -> str:
    if not view.proven or view.value is None:
        return ""
    game = state.game
    if game.sum != "zero" or game.players != 2:
        return t("yes, exactly")
    return {game.max_return: t("won"), 0: t("drawn"), game.min_return: t("lost")}.get(view.value, t("yes, exactly"))


def _verdict(screen: Screen, state: State, result: SearchResult) -> str:
    """What it all means, in a sentence."""
    move, name = escape(state.action_text(result.action)), screen.name(state.to_move)
    value = result.values[state.to_move] if len(result.values) > state.to_move else 0.0
    game = state.game
    if result.proven and game.players == 2 and game.sum == "zero":
        if value == game.max_return:
            return t("Best move: [b]{move}[/]. It is proven that {name} wins.", move=move, name=name)
        if value == game.min_return:
            return t("Best move: [b]{move}[/]. It is proven that {name} loses against good play.", move=move, name=name)
        if value == 0:
            return t("Best move: [b]{move}[/]. It is proven to be a draw.", move=move)
    if not result.actions and not result.proven and result.nodes <= 1:  # it has not looked at anything
        return t("It chooses [b]{move}[/].", move=move)
    known = {"move": move, "name": name, "value": round(value, 4) + 0.0}
    if result.proven:
        return t("Best move: [b]{move}[/]. It is proven that {name} gets {value:+g}.", **known)
    return t("Best move: [b]{move}[/]. {name} can expect {value:+.2f}.", **known)


def _effort(player: str, result: SearchResult) -> str:
    """How much work it was."""
    if result.nodes <= 1:
        return player
    speed = f"{result.nodes / max(result.seconds, 1e-9):,.0f}" if result.seconds else "?"
    words = t("{player}: {nodes} tries in {seconds:.2f} s, {speed} per second",
              player=player, nodes=f"{result.nodes:,}", seconds=result.seconds, speed=speed)  # fmt: skip
    words += t(", {memory:.1f} MB", memory=result.memory / 2**20) if result.memory else ""
    words += t(", depth {depth}", depth=result.depth) if result.depth else ""
    words += f", {result.method}" if result.method not in ("", "negamax") else ""
    if result.steps:
        words += "\n" + t(
            "steps: {steps}", steps=", ".join(f"{name} {count:,}" for name, count in result.steps.items())
        )
    return words
