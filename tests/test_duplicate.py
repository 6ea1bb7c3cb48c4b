"""Proves duplicate matches: every deal with every seating, equal players cancel exactly, and intervals go by deal."""

import math
from pathlib import Path

import pytest

import sevenfold as sf
from sevenfold.schedule import duplicate_fixtures, duplicate_seatings

SEVENS = sf.game("sevens")


def test_the_seatings() -> None:
    assert duplicate_seatings(4, "one") == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    assert duplicate_seatings(4, "others") == [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    assert len(duplicate_seatings(4, "both")) == 8
    even = duplicate_seatings(4, "all")
    assert len(set(even)) == 6
    assert all(sum(order) == 2 for order in even)
    fixtures = list(duplicate_fixtures(4, 9, "one"))  # rounded up to whole deals
    assert [one.opening for one in fixtures] == [0] * 4 + [1] * 4 + [2] * 4


@pytest.mark.parametrize("how", ["one", "others", "both", "all"])
def test_equal_deterministic_players_cancel_exactly(how: str) -> None:
    m = sf.match(SEVENS, ["blocker", "blocker"], games=12, duplicate=how, processes=0)
    assert m.deal_returns() == [0.0] * len(m.deal_returns())
    assert m.mean_return() == (0.0, 0.0)
    deals = {one.round: one.record.actions[:52] for one in m.played}
    assert all(one.record.actions[:52] == deals[one.round] for one in m.played)  # the same cards, whoever sits where


def test_the_rest_of_a_pot_split_in_three_is_no_gain() -> None:
    """A plain mean of the same returns is about -1e-16 for some of these deals."""
    m = sf.match(SEVENS, ["greedy", "greedy"], games=84, duplicate="all", processes=0)
    given = [*m.deal_returns(0), *m.deal_returns(1), *m.to_json()["returns"], *m.mean_return()]
    assert {str(value) for value in given} == {"0.0"}


def test_a_game_lost_by_a_fault_is_still_minus_infinity() -> None:
    class Broken(sf.Player):
        name = "broken"

        def think(self, state: sf.State) -> sf.SearchResult:
            raise RuntimeError("out of order")

    m = sf.match(SEVENS, [Broken, "greedy"], games=4, duplicate="one", processes=0)
    assert m.deal_returns() == [-math.inf]
    assert m.to_json()["returns"] == [None, 0.0]


def test_a_stronger_player_gains_and_the_json_says_how_much() -> None:
    m = sf.match(SEVENS, ["blocker", "random"], games=80, duplicate="one", processes=0)
    mean, half = m.mean_return()
    assert mean - half > 20
    data = m.to_json()
    assert data["deals"] == 20
    assert data["returns"][0] == mean
    assert data["returns"][1] == pytest.approx(-mean / 3)  # zero sum
    by_hand = [sum(one.returns[one.seats.index(0)] for one in m.played[i : i + 4]) / 4 for i in range(0, 80, 4)]
    assert m.deal_returns() == pytest.approx(by_hand)


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    given = {"duplicate": "one", "processes": 0, "record": file}
    sf.match(SEVENS, ["keeper", "greedy"], games=8, **given)  # type: ignore[arg-type]
    longer = sf.match(SEVENS, ["keeper", "greedy"], games=16, resume=True, **given)  # type: ignore[arg-type]
    anew = sf.match(SEVENS, ["keeper", "greedy"], games=16, duplicate="one", processes=0)
    assert longer.deal_returns() == anew.deal_returns()
    assert len(file.read_text().splitlines()) == 16


def test_nonsense_is_refused() -> None:
    for players, how, sentence in (
        (["random", "random"], "some", "duplicate must be one of"),
        (["random", "random", "random"], "one", "compares two players"),
    ):
        with pytest.raises(ValueError, match=sentence):
            sf.match(SEVENS, players, games=4, duplicate=how, processes=0)
    with pytest.raises(ValueError, match="cannot be shared evenly"):
        sf.match(sf.game("sevens", num_players=3), ["random", "random"], games=4, duplicate="all", processes=0)
