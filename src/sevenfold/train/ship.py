"""A run's net for others: NAME.onnx, NAME.int8.onnx, NAME.safetensors, NAME.json and a model card.

A folder `model/` in a game's room is where `alphazero` finds them by default (models.py).
"""

import json
import platform
import shutil
from pathlib import Path
from shlex import quote
from typing import Any

from sevenfold.files import FilePath, whole_file
from sevenfold.models import INT8
from sevenfold.train.config import Config
from sevenfold.train.run import Run


def export(run: Run, folder: FilePath, name: str, command: str = "", figures: dict[str, Any] | None = None) -> Path:
    """Writes the net that plays best in a run; returns its .onnx. `figures` is what `yardstick --json` printed."""
    source, target, play = run.net(), Path(folder), run.config.selfplay
    target.mkdir(parents=True, exist_ok=True)
    small = source.with_name(source.stem + INT8)
    wanted = {source: ".onnx", source.with_name("mean.safetensors"): ".safetensors"}
    if small.is_file():
        wanted[small] = INT8
    for path, suffix in wanted.items():
        with whole_file(target / f"{name}{suffix}") as temporary:
            shutil.copyfile(path, temporary)
    about = json.loads(source.with_name("mean.json").read_text(encoding="utf-8"))
    about["default_precision"] = "int8" if small.is_file() else "fp32"
    if play.rollouts:
        about |= {"rollouts": play.rollouts, "rollout_count": play.rollout_count}
    with whole_file(target / f"{name}.json") as temporary:
        temporary.write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    with whole_file(target / f"{name}.card.md") as temporary:
        temporary.write_text(card(run, name, about, command, figures), encoding="utf-8")
    return target / f"{name}.onnx"


def card(run: Run, name: str, about: dict[str, Any], command: str, figures: dict[str, Any] | None) -> str:
    """The model card."""
    config, iteration = run.config, int(run.net().parent.name)
    state = run.state(iteration)
    net = config.net
    lines = [
        f"# {name}: a net for {config.game}",
        "",
        f"- **Made by** `{command or _command(config)}`, with sevenfold's self-play alone: no games of others.",
        f"- **Took** {state['seconds'] / 60:.0f} minutes: {iteration} iterations, {state['games']:,} games, "
        f"{state['positions']:,} positions, {state['steps']:,} steps of learning.",
        f"- **On** a CPU ({platform.machine()}) without a GPU: {config.actors} actors and a learner.",
        f"- **Net** {net.blocks} blocks of {net.channels} channels, policy {net.policy}, value {net.value}"
        f"{', global pooling' if net.pooling else ''}; {about['parameters']:,} parameters.",
        f"- **Rules** version {about['version']}, options {json.dumps(about['options'])}"
        + (f", {_varied(about)}." if about["varied"] else "."),
        "- **Played with** "
        + ("int8; with fp32 by `precision=fp32`" if about["default_precision"] == "int8" else "fp32")
        + (f"; {about['rollout_count']} rollouts are {about['rollouts']:g} of a value" if "rollouts" in about else "")
        + ".",
        "",
    ]
    if figures:
        lines += _figures(figures)
    ratings = [line for line in run.lines("ratings") if line["iteration"] == iteration]
    if ratings:
        lines += [f"Matches of the last iteration, {config.rating.simulations} simulations per move:", ""]
        lines += ["| against | games | score |", "|---|---:|---:|"]
        lines += [f"| `{line['opponent']}` | {line['games']} | {line['score']:.1%} |" for line in ratings]
        lines += [""]
    return "\n".join(lines)


def _varied(about: dict[str, Any]) -> str:
    """The options of which the net knows many values."""
    ranges = about.get("ranges", {})
    return ", ".join(
        f"{name} from {ranges[name][0]:g} to {ranges[name][1]:g}" if name in ranges else f"any {name}"
        for name in about["varied"]
    )


def _command(config: Config) -> str:
    return f"sevenfold train {quote(config.game)}" + (f" --preset {config.preset}" if config.preset else "")


def _figures(figures: dict[str, Any]) -> list[str]:
    """The table of a yardstick's JSON."""
    players = figures["players"]
    lines = ["Mistakes (a win or a draw given away), by `sevenfold yardstick`:", ""]
    lines += [f"| set | positions | {' | '.join(f'`{one}`' for one in players)} |"]
    lines += ["|---|---:|" + "---:|" * len(players)]
    for name, one in figures["sets"].items():
        shares = [one["players"][who]["mistakes"] / max(1, one["players"][who]["positions"]) for who in players]
        lines += [f"| {name} | {one['positions']:,} | {' | '.join(f'{share:.2%}' for share in shares)} |"]
    return [*lines, ""]
