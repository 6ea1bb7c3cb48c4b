"""The steps of alpha-beta: each does what its section of docs/methods/alphabeta.md says, and nothing when off."""

import pytest
from alphabeta_games import Status, arena, easycard_positions, think

import sevenfold as sf
from sevenfold.players import SearchResult

COUNTED = (
    "order",
    "table",
    "killers",
    "history",
    "pvs",
    "aspiration",
    "independent",
    "razor",
    "self_loss",
    "probability",
)


@pytest.mark.parametrize("step", COUNTED)
def test_each_step_counts_what_it_does_and_nothing_when_off(step: str) -> None:
    also = {"probability": "razor=true,self_loss=true,", "killers": "order=false,", "history": "order=false,"}
    on, off = (
        sum(
            think(f"alphabeta:depth=9,{also.get(step, '')}{step}={word}", arena(seed)).steps.get(step, 0)
            for seed in range(6)
        )
        for word in ("true", "false")
    )
    assert on > 0
    assert off == 0


@pytest.mark.parametrize(
    ("step", "counted"), [("sampling", "sampling"), ("expectation", "expectation"), ("star", "star")]
)
def test_each_step_of_chance_counts(step: str, counted: str) -> None:
    steps = {"sampling": "sampling=true", "expectation": "expectation=true,sampling=false", "star": "sampling=false"}
    counts = {"on": 0, "off": 0}
    for state in easycard_positions("chance", 8, range(30, 60), seed=2):
        counts["on"] += think(f"alphabeta:depth=7,{steps[step]}", state).steps.get(counted, 0)
        counts["off"] += think(f"alphabeta:depth=7,sampling=false,{step}=false", state).steps.get(counted, 0)
    assert counts["on"] > 0
    assert counts["off"] == 0


class Dice(sf.Rules):
    """One roll each, then the game is over: what the chance steps see can be reckoned by hand."""

    actions = 2
    outcomes = 6
    min_return, max_return = -1, 1

    def __init__(self) -> None:
        self.rolls: list[int] = []
        self.chosen = False

    def to_move(self) -> int:
        if not self.chosen:
            return 0
        return sf.CHANCE if len(self.rolls) < 2 else sf.TERMINAL

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def chance(self) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(6)]

    def chance_for(self) -> int:
        return len(self.rolls)

    def typical(self) -> int:
        return 3

    def play(self, action: int) -> None:
        if self.chosen:
            self.rolls.append(action)
        self.chosen = True

    def returns(self) -> list[float]:
        if len(self.rolls) < 2:
            return [0.0, 0.0]
        value = (self.rolls[0] ** 2 - self.rolls[1]) / 25
        return [value, -value]

    def heuristic(self) -> list[float]:
        return [0.0, 0.0]


def test_dice_by_expectation_guess_and_samples() -> None:
    state = sf.game(Dice).new()
    squares, faces = sum(f * f for f in range(6)) / 6, sum(range(6)) / 6
    want = {
        "sampling=false": (squares - faces) / 25,
        "sampling=false,expectation=true": (9 - 3) / 25,
        "sampling=false,guess=true": (squares - 3) / 25,
        "samples=6,sampling_depth=0": (squares - faces) / 25,
    }
    for options, value in want.items():
        assert think(f"alphabeta:depth=8,{options}", state).values[0] == pytest.approx(value), options
    sampled = {
        think(f"alphabeta:depth=8,samples=3,sampling_depth=0,seed={seed}", state).values[0] for seed in range(20)
    }
    assert len(sampled) > 5  # other seeds, other samples
    assert abs(sum(sampled) / len(sampled) - want["sampling=false"]) < 0.15
    again = [think("alphabeta:depth=8,samples=3,seed=4", state).values for _ in range(2)]
    assert again[0] == again[1]


def test_a_sampled_chance_node_takes_plies_off() -> None:
    state = next(easycard_positions("chance", 1, range(20, 21), seed=4))
    nodes = [think(f"alphabeta:depth=8,sampling_depth={less},samples=3", state).nodes for less in (0, 1, 2)]
    assert nodes[0] > nodes[1] > nodes[2]


def test_razor_prunes_less_with_a_larger_margin_and_not_in_the_first_plies() -> None:
    states = [arena(seed) for seed in range(8)]

    def razored(options: str) -> int:
        return sum(think(f"alphabeta:depth=8,razor=true,{options}", state).steps.get("razor", 0) for state in states)

    wide, narrow = razored("margin=0.4,growth=0"), razored("margin=0.05,growth=0")
    assert 0 < wide < narrow
    assert razored("margin=0.05,growth=0.2") < narrow  # R grows with the depth that is left
    assert razored("margin=0.05,growth=0,first_plies=8") == 0
    assert razored("margin=0.05,growth=0,ending=0,ending_factor=3") < narrow  # everything counts as an ending


def test_self_loss_gives_way_only_while_there_is_something_to_give() -> None:
    states = [arena(seed) for seed in range(8)]

    def cuts(options: str) -> tuple[int, int]:
        steps = [think(f"alphabeta:depth=9,self_loss=true,{options}", state).steps for state in states]
        return tuple(sum(one.get(key, 0) for one in steps) for key in ("self_loss_tried", "self_loss"))  # type: ignore

    tried, cut = cuts("self_loss_repeats=1")
    assert tried >= cut > 0
    assert cuts("self_loss_repeats=0") == (0, 0)
    assert cuts("self_loss_repeats=3")[0] > tried
    assert cuts("self_loss_share=1,self_loss_repeats=1")[0] > tried  # the whole R lets it try more often


def test_pruning_with_probability_depends_on_the_seed_and_on_nothing_else() -> None:
    state = arena(3)
    spec = "alphabeta:depth=9,razor=true,self_loss=true,probability=true"
    nodes = {seed: think(f"{spec},seed={seed}", state).nodes for seed in range(8)}
    assert nodes == {seed: think(f"{spec},seed={seed}", state).nodes for seed in range(8)}
    assert len(set(nodes.values())) > 3
    always = think(f"{spec},least_probability=1", state)
    assert "probability" not in always.steps
    assert always.nodes == think(spec.replace("probability=true", "probability=false"), state).nodes
    spared = think(spec, state).steps
    pruned = spared["razor"] + spared["self_loss_tried"]
    assert 0 < spared["probability"] <= 0.1 * 1.5 * (pruned + spared["probability"])


class Canonical(Status):
    def canonical(self) -> int:
        return hash((tuple(sorted(self.marks)), self.done))


def test_a_canonical_hash_lets_the_table_see_through_an_order() -> None:
    def searched(rules: type, options: str = "") -> SearchResult:
        return think(f"alphabeta:depth=6,independent=false{options}", sf.game(rules).new())

    plain, canonical = searched(Status), searched(Canonical)
    assert plain.values == canonical.values == [6.0]
    assert canonical.nodes < plain.nodes
    assert searched(Canonical, ",table=false").nodes == searched(Status, ",table=false").nodes


def test_independent_actions_are_looked_at_in_one_order_only() -> None:
    off, on = (
        think(f"alphabeta:depth=6,table=false,independent={word}", sf.game(Status).new()) for word in ("false", "true")
    )
    assert on.values == off.values == [6.0]
    assert on.nodes < off.nodes
    assert on.steps["independent"] > 0
    assert not on.proven  # the game does not say with what its actions commute
    assert off.proven


class Doors(Status):
    """Two marks are called independent, but the game says that they do not commute: the last one set counts."""

    def returns(self) -> list[float]:
        return [10.0 if self.done and self.marks[-2:] == [1, 0] else 0.0]

    def commutes(self, action: int, other: int) -> bool:
        return False


def test_what_does_not_commute_is_looked_at_in_both_orders() -> None:
    result = think("alphabeta:depth=8", sf.game(Doors).new())
    assert result.values == [10.0]
    assert result.proven


def test_both_prunings_are_cut_back_in_endings() -> None:
    states = [arena(seed) for seed in range(8)]

    def fired(step: str, counted: str, factor: float) -> int:
        spec = f"alphabeta:depth=9,{step}=true,margin=0.2,ending=0,ending_factor={factor}"
        return sum(think(spec, state).steps.get(counted, 0) for state in states)

    for step, counted in (("razor", "razor"), ("self_loss", "self_loss_tried")):
        assert fired(step, counted, 4) < fired(step, counted, 1)
