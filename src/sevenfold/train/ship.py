"""A run's net for others: NAME.onnx, NAME.int8.onnx, NAME.safetensors, NAME.json and a model card.

A folder `model/` in a game's room is where `alphazero` finds them by default (models.py).
"""

import json
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from sevenfold.files import FilePath, whole_file
from sevenfold.game import game
from sevenfold.models import INT8
from sevenfold.nets import Description
from sevenfold.nets.description import KEY
from sevenfold.options import shown
from sevenfold.train.begin import FOREVER
from sevenfold.train.config import Config, preset
from sevenfold.train.report import tables_of, without_search
from sevenfold.train.run import Run


def export(
    run: Run,
    folder: FilePath,
    name: str,
    command: str = "",
    figures: dict[str, Any] | None = None,
    varied: Sequence[str] = (),
) -> Path:
    """Writes the net that plays best in a run; returns its .onnx. `figures` is what `yardstick --json` printed.

    varied: more options of the game that do not matter to the net, so that it plays with any value of them. What the
    description of a net of that name says of how to search with it stays.
    """
    source, target, play = run.net(), Path(folder), run.config.selfplay
    about = json.loads(source.with_name("mean.json").read_text(encoding="utf-8"))
    if strangers := [one for one in varied if one not in about["options"]]:
        raise ValueError(
            f"{about['game']} has no option {shown(strangers[0])}; there are: {', '.join(about['options'])}."
        )
    about["varied"] = list(dict.fromkeys([*about["varied"], *varied]))
    target.mkdir(parents=True, exist_ok=True)
    small = source.with_name(source.stem + INT8)
    wanted = {source: ".onnx", source.with_name("mean.safetensors"): ".safetensors"}
    if small.is_file():
        wanted[small] = INT8
    for path, suffix in wanted.items():
        with whole_file(target / f"{name}{suffix}") as temporary:
            if varied:
                _described_anew(path, temporary, Description.from_json(about))
            else:
                shutil.copyfile(path, temporary)
    about["default_precision"] = "int8" if small.is_file() else "fp32"
    if play.rollouts:
        about |= {"rollouts": play.rollouts, "rollout_count": play.rollout_count}
    if play.expand_at:
        about["expand_at"] = play.expand_at
    about |= _searched(target / f"{name}.json")
    with whole_file(target / f"{name}.json") as temporary:
        temporary.write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    with whole_file(target / f"{name}.card.md") as temporary:
        temporary.write_text(card(run, name, about, command, figures), encoding="utf-8")
    return target / f"{name}.onnx"


def _described_anew(source: Path, target: Path, about: Description) -> None:
    """A copy of a net's file with another description in it."""
    if source.suffix == ".safetensors":
        import safetensors
        import safetensors.torch

        with safetensors.safe_open(source, framework="pt") as file:
            said = file.metadata() | {KEY: about.to_text()}
        target.write_bytes(safetensors.torch.save(safetensors.torch.load_file(source), said))
        return
    import onnx

    model = onnx.load(source)
    for line in model.metadata_props:
        if line.key == KEY:
            line.value = about.to_text()
    onnx.save(model, target)


def _searched(path: Path) -> dict[str, Any]:
    """How to search with a net under hidden information, as the description there says, if there is one."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {"belief": said["belief"]} if isinstance(said, dict) and "belief" in said else {}


def card(run: Run, name: str, about: dict[str, Any], command: str, figures: dict[str, Any] | None) -> str:
    """The model card."""
    config, iteration = run.config, int(run.net().parent.name)
    state = run.state(iteration)
    net, without_search = config.net, config.method == "policy_gradient"
    lines = [
        f"# {name}: a net for {config.game}",
        "",
        f"- **Made by** `{command or command_of(config)}`.",
        f"- **Learnt from** {_sources(run)}.",
        f"- **Took** {state['seconds'] / 60:.0f} minutes: {iteration} iterations, {state['games']:,} games, "
        f"{state['positions']:,} positions, {state['steps']:,} steps of learning.",
        f"- **On** {_device(config)}: "
        + ("one process." if without_search else f"{config.actors} actors and a learner."),
        f"- **Net** {net.blocks} blocks of {net.channels} channels"
        + (", rows alike" if net.family == "rows" else f", policy {net.policy}")
        + f", value {net.value}"
        f"{', global pooling' if net.pooling else ''}; {about['parameters']:,} parameters.",
        f"- **Rules** version {about['version']}, options {json.dumps(about['options'])}"
        + (f", {_varied(about)}." if about["varied"] else "."),
        "- **Played with** "
        + ("int8; with fp32 by `precision=fp32`" if about["default_precision"] == "int8" else "fp32")
        + (f"; {about['rollout_count']} rollouts are {about['rollouts']:g} of a value" if "rollouts" in about else "")
        + (f"; asked about positions visited {about['expand_at']} times" if "expand_at" in about else "")
        + ".",
        "",
    ]
    if figures:
        lines += _figures(figures)
    ratings = [line for line in run.lines("ratings") if line["iteration"] == iteration]
    if ratings:
        if without_search:
            lines += ["Points per game of the net without a search, among copies of another over duplicate deals:", ""]
        else:
            lines += [f"Matches of the last iteration, {config.rating.simulations} simulations per move:", ""]
        lines += ["| against | games | score |", "|---|---:|---:|"]
        lines += [f"| `{line['opponent']}` | {line['games']} | {_score(line)} |" for line in ratings]
        lines += [""]
    return "\n".join(lines)


def _score(line: dict[str, Any]) -> str:
    if line.get("rated") != "points":
        return f"{line['score']:.1%}"
    return f"{line['score']:+.1f} ± {(line['interval'][1] - line['interval'][0]) / 2:.1f}"


def _varied(about: dict[str, Any]) -> str:
    """The options of which the net knows many values."""
    ranges = about.get("ranges", {})
    return ", ".join(
        f"{name} from {ranges[name][0]:g} to {ranges[name][1]:g}" if name in ranges else f"any {name}"
        for name in about["varied"]
    )


def _sources(run: Run) -> str:
    """What taught the net: what it began with, and whose games came then."""
    parts = [f"the weights of `{Path(line['net']).name}`, a net for {line['game']}" for line in run.lines("start")[-1:]]
    for line in run.lines("supervised")[-1:]:
        file = Path(run.config.supervised.records).name
        parts.append(f"{line['games']:,} recorded games of others (`{file}`)")
    if without_search(run.config):
        return _sources_without_search(run.config, parts)
    if not parts:
        return "self-play alone, from random weights: no games of others"
    return ", then ".join([*parts, "self-play"] if run.config.iterations else parts)


def _sources_without_search(config: Config, parts: list[str]) -> str:
    wanted = config.gradient
    if wanted.imitate:
        parts = [*parts, f"the choices of `{wanted.imitate}` in {wanted.imitate_games:,} games"]
    if not config.iterations:
        return ", then ".join(parts or ["nothing: its weights are random"])
    league = bool(wanted.league) and wanted.league_share > 0
    own = f"`{wanted.goes_on}`" if wanted.goes_on else "the net itself"
    met = "; ".join(tables_of(config))
    games = f"games without a search, {met}" if league or wanted.against else f"self-play without a search, {met}"
    if wanted.estimate == "trials":
        games += f"; every action was tried to the end of the game, with {own} playing on"
    return ", then ".join([*(parts or ["random weights"]), games])


def _device(config: Config) -> str:
    cpu, device = f"a CPU ({platform.machine()})", config.learning.device
    return f"{cpu} without a GPU" if device == "cpu" else f"{cpu}, and `{device}` for learning"


def command_of(config: Config) -> str:
    """The whole command that makes such a run: the preset, and all in which the run differs from it."""
    words = ["sevenfold", "train", config.game]
    try:
        base = preset(config.preset, game(config.game))
        words += ["--preset", config.preset]
    except ValueError:  # made from no preset, or the game has moved
        base = Config(config.game)
    ours, its = _settings(config), _settings(base)
    changed = {name: value for name, value in ours.items() if value != its[name] and name not in ("game", "preset")}
    if "minutes" in changed or "iterations" in changed:
        changed |= {name: ours[name] for name in ("minutes", "iterations")}
        drop = "minutes" if not config.minutes else "iterations" if config.iterations >= FOREVER else ""
        changed.pop(drop, None)
    for name, value in changed.items():
        text = value if isinstance(value, str) else json.dumps(value)
        own = {"supervised.records": "--from-records", "from_net": "--from-net"}
        own |= {one: f"--{one}" for one in ("minutes", "iterations", "seed")}
        if name in ("supervised.records", "from_net"):  # where they lay on this machine is nobody's business
            text = Path(text).name
        words += [own[name], text] if name in own else ["--set", f"{name}={text}"]
    return " ".join(quote(word) for word in words)


def _settings(config: Config) -> dict[str, Any]:
    """By the names that --set has."""
    out: dict[str, Any] = {}
    for name, value in config.to_json().items():
        inside = {f"{name}.{one}": its for one, its in value.items()} if isinstance(value, dict) else {name: value}
        out |= inside
    return out


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
