"""Proves that a model card says how the net was made: the whole command, records and nets it began with, the device."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from training_runs import TINY

import sevenfold as sf
from sevenfold import nets
from sevenfold.train import Config, Run, preset
from sevenfold.train.ship import _device, _sources, command_of, export

TIC = sf.game("tic_tac_toe")


def test_the_command_makes_the_same_run() -> None:
    """What it says, read as the command line reads it, is the config."""
    from sevenfold.cli.train import _config

    changes: dict[str, Any] = {"learning.batch": 77, "net.auxiliary": {"soon": 1}, "rating.anchors": ["random", "uct"]}
    changes |= {"selfplay.root": "puct", "seed": 5, "minutes": 2.5, "iterations": 1_000_000}
    wanted = preset("quick", TIC).changed(changes)
    words = shlex.split(command_of(wanted))
    assert words[:5] == ["sevenfold", "train", "tic_tac_toe", "--preset", "quick"]
    options = [(words[i], words[i + 1]) for i in range(5, len(words), 2)]
    sets = [value for option, value in options if option == "--set"]
    given = {option: value for option, value in options if option != "--set"}
    assert given == {"--seed": "5", "--minutes": "2.5"}
    assert len(sets) == 4
    assert _config(TIC, "quick", sets, 5, 2.5, None) == wanted


def test_ends_records_and_nets_have_options_of_their_own() -> None:
    config = preset("quick", TIC).changed({"iterations": 7, "minutes": 0.0, "from_net": "shipped"})
    config = config.changed({"supervised.records": "/tmp/some games.jsonl"})
    assert command_of(config) == (
        "sevenfold train tic_tac_toe --preset quick --from-net shipped --iterations 7 --from-records 'some games.jsonl'"
    )
    assert command_of(Config("tic_tac_toe")) == "sevenfold train tic_tac_toe"


def test_what_taught_it_and_on_what(tmp_path: Path) -> None:
    config = Config("tic_tac_toe", net=TINY)
    run = Run.begin(tmp_path / "run", config.changed({"supervised.records": "/somewhere/games.jsonl"}))
    assert _sources(run) == "self-play alone, from random weights: no games of others"
    run.log("start", {"iteration": 0, "net": "/somewhere/old.onnx", "game": "tic_tac_toe"})
    run.log("supervised", {"iteration": 0, "games": 1200})
    assert _sources(run) == (
        "the weights of `old.onnx`, a net for tic_tac_toe, then 1,200 recorded games of others (`games.jsonl`), "
        "then self-play"
    )
    assert _device(config).endswith("without a GPU")
    assert _device(config.changed({"learning.device": "cuda:1"})).endswith("and `cuda:1` for learning")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {},
            "random weights, then games without a search, at every table `blocker` in all seats but one; every action "
            "was tried to the end of the game, with `blocker` playing on",
        ),
        (
            {"gradient.imitate": "greedy", "gradient.goes_on": "", "gradient.league_share": 0.5},
            "the choices of `greedy` in 20,000 games, then games without a search, at 50 % of the tables `blocker` in "
            "all seats but one; at 50 % of the tables the net itself in all seats; every action was tried to the end "
            "of the game, with the net itself playing on",
        ),
        (
            {"gradient.league": [], "gradient.against": "/somewhere/old.onnx", "gradient.estimate": "critic"},
            "random weights, then games without a search, at every table `old.onnx` in all seats but one",
        ),
        (
            {"gradient.league": [], "gradient.past_share": 0.25, "gradient.estimate": "critic", "gradient.alone": 0.5},
            "random weights, then self-play without a search, at 25 % of the tables an older self in some seats; at "
            "75 % of the tables the net itself in all seats",
        ),
    ],
)
def test_who_was_at_the_tables_of_a_net_without_a_search(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    run = Run.begin(tmp_path / "run", preset("quick", sf.game("sevens")).changed(settings))
    assert _sources(run) == said


@pytest.mark.parametrize("name", ["overnight", "tutorial"])
def test_a_preset_alone_is_the_whole_command(name: str) -> None:
    assert command_of(preset(name, TIC)) == f"sevenfold train tic_tac_toe --preset {name}"


def test_options_that_do_not_matter_and_how_to_search_are_in_the_exported_net(tmp_path: Path) -> None:
    """The options in each of its files; how to search stays as the net of that name before it had it."""
    small = {"net.channels": 16, "net.blocks": 1, "gradient.tables": 8, "games": 8, "learning.batch": 64}
    ends = {"minutes": 0.0, "iterations": 1, "rating.every": 0}
    run = sf.train("sevens", "quick", tmp_path / "run", **small, **ends)
    out, pairwise = tmp_path / "out", sf.game("sevens", scoring="pairwise")
    with pytest.raises(ValueError, match="sevens has no option 'colour'; there are: num_players, "):
        export(run, out, "mine", varied=["colour"])
    assert not out.exists()
    net = export(run, out, "mine")
    with pytest.raises(ValueError, match="cannot be used: this net is for sevens with scoring="):
        sf.player("policy", pairwise, net=str(net))
    about = json.loads((out / "mine.json").read_text())
    (out / "mine.json").write_text(json.dumps(about | {"belief": {"trust": 7.0}}))
    assert export(run, out, "mine", varied=["scoring", "mult_shutout"]) == net
    about = json.loads((out / "mine.json").read_text())
    assert about["varied"] == ["scoring", "mult_shutout"]
    assert about["belief"] == {"trust": 7.0}
    card = (out / "mine.card.md").read_text()
    assert "any scoring, any mult_shutout" in card
    assert "at every table `blocker` in all seats but one" in card
    assert "self-play alone" not in card
    state = pairwise.new(seed=1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    assert sf.player("policy", pairwise, net=str(net)).think(state).action in state.legal_actions()
    assert nets.load(out / "mine.safetensors", pairwise)[1].varied == ("scoring", "mult_shutout")
