"""What the command line prints about games, counts and checks: tables for people, dictionaries for programs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from sevenfold._core import Option
from sevenfold.check import CheckReport
from sevenfold.game import Game
from sevenfold.lang import t, title
from sevenfold.perft import Perft
from sevenfold.screen import console


def facts(game: Game) -> dict[str, Any]:
    """A game for programs."""
    return {
        "name": game.name,
        "spec": game.spec,
        "title": game.title,
        "version": game.version,
        "players": game.players,
        "chance": game.has_chance,
        "hidden": game.has_hidden_information,
        "actions": game.actions,
        "outcomes": game.outcomes,
        "planes": list(game.planes),
        "features": game.features,
        "returns": [game.min_return, game.max_return],
        "sum": game.sum,
        "max_plies": game.max_plies,
        "abilities": list(game.abilities),
        "options": [_option(option) for option in game.declared_options],
        "presets": presets(game),
    }


def presets(game: Game) -> list[str]:
    """The names of a game's presets."""
    return list(getattr(game.room, "PRESETS", {}))


def _option(option: Option) -> dict[str, Any]:
    out: dict[str, Any] = {"name": option.name, "kind": option.kind, "default": option.initial, "help": option.help}
    if option.kind in ("integer", "real"):
        out |= {"low": option.low, "high": option.high}
    if option.kind == "choice":
        out["choices"] = option.choices
    return out


def table_of(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column)
    return table


def _yes(fact: bool) -> str:
    return t("yes") if fact else "-"


def show_games(games: list[Game]) -> None:
    """The table of all games."""
    table = table_of(t("name"), t("players"), t("chance"), t("hidden"), t("actions"), t("abilities"), t("options"))
    for column in table.columns[:5]:
        column.no_wrap = True
    table.columns[5].min_width = len("random_action,")
    for game in games:
        table.add_row(
            Text.assemble((game.name, "bold"), "\n", (title(game), "dim")),
            str(game.players),
            _yes(game.has_chance),
            _yes(game.has_hidden_information),
            str(game.actions),
            Text(", ".join(game.abilities)),
            Text(", ".join(option.name for option in game.declared_options) or "-"),
        )
    out = console()
    out.print(table)
    out.print(t("Show one: sevenfold games GAME. Play one: sevenfold play GAME."), style="dim")


def show_game(game: Game) -> None:
    """One game with its options and presets."""
    out = console()
    out.print(Text.assemble((title(game), "bold"), f"  {game.spec} v{game.version}"))
    rows = {
        t("players"): str(game.players),
        t("chance"): _yes(game.has_chance),
        t("hidden"): _yes(game.has_hidden_information),
        t("actions"): str(game.actions),
        t("returns"): f"{game.min_return:g} … {game.max_return:g}",
        t("abilities"): ", ".join(game.abilities) or "-",
        t("presets"): ", ".join(presets(game)) or "-",
    }
    grid = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        grid.add_row(Text(f"  {name}", style="dim"), Text(value))
    out.print(grid)
    if not game.declared_options:
        out.print(t("It has no options."))
        return
    table = table_of(t("option"), t("default"), t("allowed"), t("meaning"))
    for option in game.declared_options:
        table.add_row(
            Text(option.name, style="bold"), Text(str(option.initial)), Text(allowed(option)), Text(option.help)
        )
    out.print(table)


def allowed(option: Option) -> str:
    """The values an option takes."""
    if option.kind in ("integer", "real"):
        unlimited = abs(option.low) >= 2**53 and abs(option.high) >= 2**53
        return t("a number") if unlimited else t("{low:g} to {high:g}", low=option.low, high=option.high)
    if option.kind == "choice":
        return ", ".join(option.choices)
    return {"flag": "true, false", "cell": t("a cell or none")}.get(option.kind, t("text"))


@contextmanager
def counting() -> Iterator[Callable[[int], None] | None]:
    """A running count on stderr while the block works; nothing where stderr is no terminal."""
    err = console(stderr=True)
    if not err.is_terminal or err.is_dumb_terminal:
        yield None
        return
    with err.status(t("counting …")) as status:
        yield lambda done: status.update(t("counting … {done} actions played", done=f"{done:,}"))


def show_perft(game: Game, counts: Perft, seconds: float) -> None:
    """The counts, ply by ply."""
    out = console()
    what = t("distinct positions") if counts.distinct else t("action sequences")
    table = table_of(t("ply"), what, t("of them ended"))
    for column in table.columns:
        column.justify = "right"
    for ply, (count, ended) in enumerate(zip(counts.per_ply, counts.ended_per_ply, strict=True)):
        table.add_row(str(ply), f"{count:,}", f"{ended:,}")
    out.print(Text(game.spec, style="bold"))
    out.print(table)
    out.print(
        t("{count} at ply {depth}; {complete} complete; {total} in all, in {seconds:.2f} s ({speed} per second).",
          count=f"{counts.count:,}", depth=counts.depth, complete=f"{counts.complete:,}", total=f"{counts.total:,}",
          seconds=seconds, speed=f"{counts.total / max(seconds, 1e-9):,.0f}")
    )  # fmt: skip


def show_count(game: Game, count: int, seconds: float) -> None:
    """One count, and how fast it was."""
    out = console()
    speed = f"{count / max(seconds, 1e-9):,.0f}"
    out.print(Text(game.name, style="bold"))
    out.print(t("{count} in {seconds:.2f} s ({speed} per second).", count=f"{count:,}", seconds=seconds, speed=speed))


def show_check(report: CheckReport) -> None:
    """What was checked."""
    out = console()
    for line in str(report).splitlines():
        style = {"ok": "green", "-": "dim", "!": "yellow"}.get(line.split()[0], "bold")
        out.print(Text(line, style=style), soft_wrap=True)
    out.print(t("Every property held."))
