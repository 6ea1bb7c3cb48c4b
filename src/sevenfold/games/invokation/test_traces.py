"""Games that LPSim has played with us, position by position: replayed without it, every position must be what it was.

traces.json has for each game the piles (top first), the dice, who began, and the actions as texts with a sum of the
position after each. `tools/invokation/lockstep.py --golden` plays such games, `tools/invokation/traces.py` writes them.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from sevenfold._core import _invokation as core  # type: ignore[attr-defined]
from sevenfold.games.invokation.trace import begun, summed

TRACES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("traces.json").read_text("utf-8"))


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: "+".join(trace["teams"][0]))
def test_games_that_another_simulator_has_confirmed(trace: dict[str, Any]) -> None:
    state = begun(trace)
    for number, (text, sum_) in enumerate(trace["steps"]):
        state.play(state.parse_action(text))
        assert summed(state) == sum_, f"after action {number}, {text}:\n{state}"
    assert len(trace["steps"]) > 30


def test_the_traces_have_every_kind_of_action() -> None:
    texts = [text for trace in TRACES for text, _ in trace["steps"]]
    for word in ("switch to", "play", "tune", "redraw", "reroll", "choose", "end"):
        assert any(text.startswith(word) for text in texts), word


def test_the_traces_have_every_card_and_every_skill() -> None:
    texts = [text for trace in TRACES for text, _ in trace["steps"]]
    played = [text.removeprefix("play ") for text in texts if text.startswith("play ")]
    missing = [one["name"] for one in core.cards() if not any(text.startswith(one["name"]) for text in played)]
    missing += [skill["name"] for one in core.characters() for skill in one["skills"] if skill["name"] not in texts]
    assert missing == []
