"""The player alphabeta: limits, seeds, hidden information, what it refuses; and greedy."""

import itertools
import math
import random
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from alphabeta_games import Status, Tree, after, easycard_positions, think
from helpers import soonest

import sevenfold as sf
from sevenfold.alphabeta import PRESETS, STEPS


def test_signature() -> None:
    """Changes only with the behaviour of the search; when that is meant, put the new numbers here."""
    found = {}
    for name, spec in SIGNATURE_SPECS.items():
        game = sf.game(name.split()[0], **({"preset": name.split()[1]} if " " in name else {}))
        state = game.new(seed=1)
        while state.to_move == sf.CHANCE:
            state.play_chance()
        found[name] = think(f"alphabeta:{spec}", state).nodes
    assert found == SIGNATURE


SIGNATURE_SPECS = {
    "tic_tac_toe": "depth=9,evaluation=zero",
    "connect_four": "depth=9,evaluation=zero",
    "easycard small": "depth=10,evaluation=zero",
    "easycard arena": "depth=10,evaluation=heuristic,preset=full",
    "easycard chance": "depth=7,evaluation=heuristic,preset=document",
}
SIGNATURE = {
    "tic_tac_toe": 6230,
    "connect_four": 14283,
    "easycard small": 9445,
    "easycard arena": 22594,
    "easycard chance": 618,
}


def test_the_value_of_a_won_position_is_the_end_of_the_range_for_both() -> None:
    """+inf and -inf of the founding document: whatever their number, they are symmetric, and no guess reaches them."""
    game = sf.game("easycard", preset="arena")
    for state in easycard_positions("arena", 30, range(60, 140), seed=8):
        result = think("alphabeta:depth=40,nodes=200000", state)
        assert result.values[0] == -result.values[1]
        assert (abs(result.values[0]) == 1) <= result.proven
    assert game.max_return == -game.min_return == 1


def test_a_lost_position_is_defended_as_long_as_possible() -> None:
    game = sf.game("connect_four", rows=5, cols=4)
    solver, rng, lost = sf.player("perfect", game), random.Random(2), 0
    while lost < 25:
        state = game.new()
        for _ in range(rng.randint(6, 14)):
            if not state.is_over:
                state.play(rng.choice(state.legal_actions()))
        if state.is_over or solver.think(state).values[state.to_move] != -1:
            continue
        scores = {view.action: view.score for view in solver.think(state).actions}
        if len(set(scores.values())) == 1:
            continue
        lost += 1
        result = think("alphabeta:depth=20,evaluation=zero,table=false", state)
        assert result.values[state.to_move] == -1
        assert scores[result.action] == max(scores.values()), state.to_text()  # type: ignore[type-var]


def test_same_seed_same_nodes() -> None:
    game = sf.game("connect_four")
    runs = [sf.player("alphabeta:evaluation=zero,nodes=50000,seed=7", game).think(game.new()) for _ in range(2)]
    assert runs[0].nodes == runs[1].nodes
    assert runs[0].steps == runs[1].steps
    assert 50000 <= runs[0].nodes < 50100


def test_limits_are_kept() -> None:
    state = sf.game("connect_four").new()
    assert 0.1 < soonest(lambda: think("alphabeta:seconds=0.2", state).seconds, 0.3) < 0.3
    five = think("alphabeta:depth=5", state)
    assert five.depth == five.steps["deepening"] == 5
    assert "deepening" not in think("alphabeta:depth=5,deepening=false", state).steps
    for options in ("seconds=0", "nodes=1"):
        assert think(f"alphabeta:{options}", state).action in state.legal_actions()
    assert soonest(lambda: think("alphabeta", state).seconds, 1.1) < 1.1
    small = think("alphabeta:nodes=300000,memory=1", state)
    assert small.memory <= 2**20


def test_limits_are_kept_by_every_method() -> None:
    state = sf.game(Tree, number=2, players=3, length=12).new()
    for several in ("paranoid", "maxn"):
        assert think(f"alphabeta:several={several},nodes=30", state).nodes < 60
        assert think(f"alphabeta:several={several},seconds=0.1", state).seconds < 1
    ranked = sf.player("alphabeta:nodes=1", sf.game("connect_four")).rank(sf.game("connect_four").new())
    assert len({view.value for view in ranked}) > 1  # a ranking looks at every action, whatever the limit
    hasty = think("alphabeta:nodes=1", sf.game("connect_four").new())
    assert hasty.actions[0].value is not None
    assert hasty.actions[-1].value is None  # it was not looked at
    assert think("alphabeta:depth=5,window=0", sf.game("connect_four").new()).depth == 5


class Rain(sf.Rules):
    """Chance goes on for a very long time."""

    actions = outcomes = 1

    def __init__(self) -> None:
        self.drops = 0

    def to_move(self) -> int:
        return 0 if self.drops == 0 else sf.CHANCE if self.drops < 50_000 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0]

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def play(self, action: int) -> None:
        self.drops += 1

    def returns(self) -> list[float]:
        return [0.0, 0.0]

    def heuristic(self) -> list[float]:
        return [0.25, -0.25]


def test_a_long_chain_of_chance_is_cut_and_valued() -> None:
    result = think("alphabeta:depth=3", sf.game(Rain).new())
    assert result.values == [0.25, -0.25]
    assert not result.proven


def test_a_search_is_not_run_twice_at_once() -> None:
    player = sf.player("alphabeta:seconds=0.5", sf.game("connect_four"))
    state = player.game.new()
    player.think(state)
    failures: list[str] = []

    def think_too() -> None:
        try:
            player.think(state)
        except ValueError as error:
            failures.append(str(error))

    threads = [threading.Thread(target=think_too) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == ["this search is running already."] * 2


def test_an_only_action_is_played_at_once() -> None:
    state = sf.game("connect_four", rows=4, cols=4, connect=4).new()
    rng = random.Random(1)
    while len(state.legal_actions()) > 1:
        state = sf.game("connect_four", rows=4, cols=4, connect=4).new()
        while not state.is_over and len(state.legal_actions()) > 1:
            state.play(rng.choice(state.legal_actions()))
    result = think("alphabeta:seconds=5", state)
    assert result.seconds < 0.5
    assert result.action == state.legal_actions()[0]


def test_progress_can_end_a_search_with_what_was_found() -> None:
    from sevenfold.perft import Enough

    calls: list[int] = []

    def enough(done: int) -> None:
        calls.append(done)
        if len(calls) > 2:
            raise Enough

    player = sf.player("alphabeta:seconds=60", sf.game("connect_four"))
    player.progress = enough
    result = player.think(player.game.new())
    assert result.depth > 3
    assert calls[-1] > calls[0]


# Hidden information


class Envelope(sf.Rules):
    """A card, 0 or 1 with equal chance, is hidden from player 0, who takes 0.2 for sure, or bets on the card."""

    actions = 3
    outcomes = 2

    def __init__(self) -> None:
        self.card: int | None = None
        self.bet: int | None = None

    def to_move(self) -> int:
        if self.card is None:
            return sf.CHANCE
        return 0 if self.bet is None else sf.TERMINAL

    def chance(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def play(self, action: int) -> None:
        if self.card is None:
            self.card = action
        else:
            self.bet = action

    def returns(self) -> list[float]:
        if self.bet is None:
            return [0.0, 0.0]
        value = 0.2 if self.bet == 2 else 1.0 if self.bet == self.card else -1.0
        return [value, -value]

    def heuristic(self) -> list[float]:
        return [0.0, 0.0]

    def redeal(self, viewer: int, rng: random.Random) -> None:
        if viewer == 0 and self.card is not None:
            self.card = rng.randrange(2)

    def view(self, viewer: int) -> str:
        return f"{self.card if viewer or self.bet is not None else '?'} {self.bet}"


@pytest.mark.parametrize("card", [0, 1])
def test_hidden_cards_are_not_seen(card: int) -> None:
    state = sf.game(Envelope).new()
    state.play(card)
    many = think("alphabeta:depth=3,worlds=64", state)
    assert many.steps["worlds"] == 64
    assert many.action == 2  # no bet is worth it without knowing
    assert not many.proven
    values = {view.action: view.value for view in many.actions}
    assert abs(values[0] + values[1]) < 1e-9  # type: ignore[operator]
    guess = think("alphabeta:depth=3,hidden=guess", state)
    other = sf.game(Envelope).new()
    other.play(1 - card)
    assert guess.action == think("alphabeta:depth=3,hidden=guess", other).action  # it does not depend on the card
    assert guess.action in (0, 1)  # it believes its guess


# Bad input

REFUSED = {
    "alphabeta:self_loss=true": "self_loss needs the ability 'handicap', which tic_tac_toe does not offer",
    "alphabeta:preset=hybrid": "self_loss needs the ability 'handicap', which tic_tac_toe does not offer",
    "alphabeta:order=true": "order needs the ability 'order', which tic_tac_toe does not offer",
    "alphabeta:independent=true": "independent needs the ability 'independent'",
    "alphabeta:sampling=true": "sampling needs the ability 'chance'",
    "alphabeta:expectation=true": "expectation needs the ability 'typical'",
    "alphabeta:guess=true": "guess needs the ability 'chance_for'",
    "alphabeta:quiet=true": "quiet needs the ability 'quiet', which tic_tac_toe does not offer",
    "alphabeta:plans=true": "plans needs the ability 'quiet'",
    "alphabeta:most_worlds=0": "most_worlds must be 1 or more",
    "alphabeta:quiet_plies=0": "quiet_plies must be 1 or more",
    "alphabeta:star=true": "star needs the ability 'chance'",
    "alphabeta:razor=true,evaluation=zero": "razor needs an evaluation",
    "alphabeta:depth=0": "depth must be 1 or more",
    "alphabeta:depth=1000": "depth must be at most",
    "alphabeta:seconds=nan": "seconds must be 0 or more",
    "alphabeta:margin=-1": "margin must be 0 or more",
    "alphabeta:least_probability=2": "least_probability must be at most 1",
    "alphabeta:samples=0": "samples must be 1 or more",
    "alphabeta:worlds=0": "worlds must be 1 or more",
    "alphabeta:memory=0": "memory must be 1 or more",
    "alphabeta:memory=99999999": "memory must be from 1 to",
    "alphabeta:deepening=false": "deepening=false needs a depth",
    "alphabeta:several=both": "must be one of paranoid, maxn",
    "alphabeta:preset=best": "must be one of default, plain",
    "alphabeta:evaluation=linear": "terms",
    "alphabeta:weights=nowhere.json": "weights",
    "alphabeta:razr=true": "has no option 'razr'",
    "alphabeta:razor=no": "option razor must be true or false, not 'no'",
    "alphabeta:table=1": "option table must be true or false, not '1'",
    "alphabeta:least_probability=0.5": "least_probability must be 0.9 or more",
    "alphabeta:deepening=false,depth=4,seconds=1": "cannot keep seconds or nodes",
    "alphabeta:probability=true": "probability is about razor and self_loss",
    "alphabeta:deepening=false,depth=3,aspiration=true": "aspiration needs deepening",
}


@pytest.mark.parametrize("spec", REFUSED)
def test_what_cannot_be_is_refused_by_name(spec: str) -> None:
    with pytest.raises(ValueError, match=re.escape(REFUSED[spec])) as caught:
        sf.player(spec, sf.game("tic_tac_toe"))
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_game_without_a_heuristic_is_refused_unless_none_is_wanted() -> None:
    class Bare(Status):
        heuristic = None  # type: ignore[assignment]

    game = sf.game(Bare)
    for spec in ("alphabeta", "greedy", "alphabeta:razor=true"):
        with pytest.raises(ValueError, match="bare does not offer the ability 'heuristic'"):
            sf.player(spec, game)
    assert think("alphabeta:evaluation=zero", game.new()).values == [6.0]


@pytest.mark.parametrize("answer", [[math.nan], [math.inf], ["x"], [1, 2], None])
def test_nonsense_from_a_heuristic_names_the_position(answer: Any) -> None:
    class Broken(Status):
        def heuristic(self) -> Any:
            return answer if self.marks == [2, 0] else [5.0]

    with pytest.raises(ValueError, match=r"broken: heuristic\(\) returned .*in the position .*\[2, 0\]"):
        think("alphabeta:depth=4,table=false,independent=false", sf.game(Broken).new())


def test_an_exception_in_a_python_game_leaves_the_player_usable() -> None:
    class Fails(Status):
        fail = False

        def play(self, action: int) -> None:
            if Fails.fail and len(self.marks) == 2:
                raise RuntimeError("no")
            super().play(action)

    player = sf.player("alphabeta:depth=6", sf.game(Fails))
    Fails.fail = True
    with pytest.raises(RuntimeError, match="no"):
        player.think(player.game.new())
    Fails.fail = False
    assert player.think(player.game.new()).values == [6.0]


def test_greedy_takes_the_best_evaluation_after_one_action() -> None:
    for state in easycard_positions("arena", 10, range(14, 40), seed=6):
        mover = state.to_move
        result = sf.player("greedy:evaluation=heuristic", state.game).think(state)
        values = {}
        for action in state.legal_actions():
            child = after(state, action)
            values[action] = child.returns()[mover] if child.is_over else child.heuristic()[mover]
        assert values[result.action] == pytest.approx(max(values.values()), abs=1e-3)  # guesses end at 0.999


def test_every_preset_plays_every_variant() -> None:
    for preset, options in itertools.product(PRESETS, ({"preset": "small"}, {"preset": "arena"}, {"preset": "chance"})):
        game = sf.game("easycard", **options)
        match = sf.match(game, [f"alphabeta:preset={preset},nodes=300", "random"], games=2, processes=1)
        assert match.games == 2
        assert not match.faults
    closed = sf.game("easycard", preset="chance", hidden=True)
    assert not sf.match(closed, ["alphabeta:nodes=500,worlds=3", "greedy"], games=2, processes=1).faults


def test_the_steps_of_the_player_are_those_of_the_documentation() -> None:
    text = (Path(__file__).parent.parent / "docs" / "methods" / "alphabeta.md").read_text(encoding="utf-8")
    for step in STEPS:
        assert f"`{step}`" in text, step
