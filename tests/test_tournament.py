"""Proves schedules, cross tables, games of one and of many seats, and rating lists that outlive a run."""

import itertools
import json
import math
import multiprocessing
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sevenfold as sf
from sevenfold import rating, ratings
from sevenfold.schedule import FEW_TABLES, labels, match_fixtures, seatings, tables_of, tournament_fixtures


class Auction(sf.Rules):
    """Everyone names a number once; the higher, the better."""

    actions = 3
    min_return, max_return = 0, 2
    sum = "any"

    def __init__(self, players: int = 4) -> None:
        self.players = players
        self.bids: list[int] = []

    def to_move(self) -> int:
        return sf.TERMINAL if len(self.bids) == self.players else len(self.bids)

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def play(self, action: int) -> None:
        self.bids.append(action)

    def returns(self) -> list[float]:
        return [float(bid) for bid in self.bids] if len(self.bids) == self.players else [0.0] * self.players


class Bidder(sf.Player):
    name = "bidder"
    bid = 0

    def think(self, state: sf.State) -> sf.SearchResult:
        return sf.SearchResult(self.bid, [], [0.0] * self.game.players)


class Low(Bidder):
    name, bid = "low", 0


class Middle(Bidder):
    name, bid = "middle", 1


class High(Bidder):
    name, bid = "high", 2


def auction(players: int) -> sf.Game:
    return sf.game(Auction, players=players)


# Schedules.


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (3, 3), (4, 4), (2, 4), (3, 4), (2, 3), (2, 8), (5, 8), (3, 1)])
def test_everyone_sits_everywhere_equally_often_in_every_round(players: int, seats: int) -> None:
    fixtures = list(match_fixtures(players, seats, 10 * players - 1, seed=1))
    assert [fixture.number for fixture in fixtures] == list(range(10 * players))
    for _, group in itertools.groupby(fixtures, key=lambda fixture: fixture.round):
        games = list(group)
        assert len(games) == players
        for seat in range(seats):
            assert sorted(game.seats[seat] for game in games) == list(range(players))
        for game in games:
            counts = Counter(game.seats).values()
            assert max(counts) - min(counts) <= 1 or seats == 1


@pytest.mark.parametrize(
    ("players", "seats", "count"), [(2, 2, 1), (3, 3, 2), (4, 4, 6), (2, 4, 3), (3, 4, 12), (2, 3, 3)]
)
def test_all_seatings_are_gone_through(players: int, seats: int, count: int) -> None:
    assert len(seatings(players, seats)) == count
    games = {fixture.seats for fixture in match_fixtures(players, seats, count * players, seed=1)}
    everything = {
        order
        for order in itertools.product(range(players), repeat=seats)
        if max(Counter(dict.fromkeys(range(players), 0) | Counter(order)).values())
        - min(Counter(dict.fromkeys(range(players), 0) | Counter(order)).values())
        <= 1
    }
    assert games == everything


@pytest.mark.parametrize("players", [2, 3, 6, 7])
def test_every_pair_meets_once_a_round_and_nobody_gets_far_ahead(players: int) -> None:
    pairs = tables_of(players, 2, 0, 1)
    assert sorted(pairs) == list(itertools.combinations(range(players), 2))
    for stop in range(len(pairs)):
        counts = Counter(who for pair in pairs[:stop] for who in pair)
        assert max(counts.values(), default=0) - min((counts[p] for p in range(players)), default=0) <= 2


@pytest.mark.parametrize(("players", "seats"), [(5, 3), (6, 4), (12, 4), (40, 3)])
def test_tables_of_more_than_two_are_balanced(players: int, seats: int) -> None:
    tables = tables_of(players, seats, 0, 1)
    assert all(len(set(table)) == seats for table in tables)
    assert len(set(Counter(who for table in tables for who in table).values())) == 1
    assert len(tables) <= max(FEW_TABLES, players)
    assert tables == tables_of(players, seats, 0, 1)


def test_a_longer_tournament_begins_like_a_shorter_one() -> None:
    for players, seats in ((5, 2), (5, 3), (12, 4), (3, 1)):
        short = list(tournament_fixtures(players, seats, 2, seed=3))
        assert list(tournament_fixtures(players, seats, 4, seed=3))[: len(short)] == short


def test_two_of_the_same_name_are_told_apart() -> None:
    assert labels(["random", "uct", "random", "random"]) == ["random", "uct", "random (2)", "random (3)"]


# One seat and many.


def test_four_players_around_a_table() -> None:
    result = sf.match(auction(4), [Low, High, Middle, Low], games=24, processes=1)
    assert result.players == ["low", "high", "middle", "low (2)"]
    assert result.share(1) == 1
    assert result.share(2) == pytest.approx(2 / 3)
    assert result.share(0) == result.share(3) == pytest.approx(1 / 6)  # behind two, even with one
    skills = result.skills()
    assert skills["high"][0] > skills["middle"][0] > skills["low"][0]
    assert all(sigma < 8 for _, sigma in skills.values())
    data = result.to_json()
    assert "elo" not in data
    assert [round(one["mu"], 6) for one in data["standings"]] == [round(skills[name][0], 6) for name in result.players]


def test_two_players_share_four_seats() -> None:
    result = sf.match(auction(4), [High, "random"], games=12, processes=1)
    assert {tuple(one.seats) for one in result.played} == set(itertools.permutations([0, 0, 1, 1]))
    assert result.score > 0.6
    assert result.rated_by == "elo"
    assert result.points(0) + result.points(1) == pytest.approx(12)


def test_a_solo_game_reports_the_mean_return() -> None:
    game = auction(1)
    result = sf.match(game, [High], games=4, processes=1)
    assert (result.score, result.score_interval) == (2.0, (2.0, 2.0))
    assert result.to_json()["score"] == 2.0
    assert "elo" not in result.to_json()
    both = sf.match(game, ["random", Middle], games=60, processes=1)  # each on the same deals
    assert both.games_of(0) == both.games_of(1) == 30
    assert both.share(1) == 1.0
    low, high = both.share_interval(0)
    assert low < 1 < high
    assert high - low == pytest.approx(2 * 1.96 * math.sqrt(2 / 3 / 30), rel=0.3)
    lone = sf.match(game, [High], games=1, processes=1)
    assert lone.to_json()["score_interval"] == [None, None]


def test_a_fault_around_a_larger_table_leaves_the_others_even() -> None:
    class Broken(Bidder):
        name = "broken"

        def think(self, state: sf.State) -> sf.SearchResult:
            raise RuntimeError

    result = sf.match(auction(3), [Low, Broken, High], games=3, processes=1)
    assert [result.share(player) for player in range(3)] == [0.75, 0, 0.75]


@pytest.mark.parametrize(
    ("players", "seats", "words"), [([Low], 4, "2 to 4 players, not 1"), ([Low] * 5, 4, "not 5"), ([], 1, "not 0")]
)
def test_too_few_or_too_many_players(players: list[Any], seats: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sf.match(auction(seats), players, games=2)


def test_a_sequential_test_is_for_two() -> None:
    with pytest.raises(ValueError, match="two players"):
        sf.match(auction(4), [Low, High, Middle], sprt=sf.Sprt())


# Tournaments.

THREE = ["random", "uct:simulations=40", "montecarlo:simulations=30"]


def test_a_tournament_has_a_cross_table_and_ratings() -> None:
    result = sf.tournament("tic_tac_toe", THREE, rounds=6, processes=2)
    assert result.games == result.planned == 36
    assert [result.games_of(player) for player in range(3)] == [24, 24, 24]
    assert sum(result.points(player) for player in range(3)) == 36
    for a, b in itertools.permutations(range(3), 2):
        pair, back = result.pair(a, b), result.pair(b, a)
        assert (pair.wins, pair.draws, pair.losses) == (back.losses, back.draws, back.wins)
        assert pair.games == 12
        assert pair.points == pair.wins + pair.draws / 2
    assert result.order()[-1] == 0
    elos = result.elos()
    assert sum(elo for elo, _ in elos.values()) == pytest.approx(0)
    assert elos["random"][0] < -50
    data = result.to_json()
    assert data["standings"][-1]["player"] == "random"
    assert data["cross"][0][0] is None
    assert data["cross"][1][0]["wins"] == result.pair(1, 0).wins
    json.dumps(data)
    anchored = sf.tournament("tic_tac_toe", THREE, rounds=6, processes=0, anchor="random").elos()
    assert anchored["random"] == (0, 0)
    assert anchored["uct:simulations=40"][0] == pytest.approx(elos["uct:simulations=40"][0] - elos["random"][0])


def test_the_tables_of_a_round_have_their_opening_in_common() -> None:
    result = sf.tournament("connect_four", THREE, rounds=2, opening_plies=3, processes=2)
    openings = [tuple(one.record.actions[:3]) for one in result.played]
    assert len(set(openings[:6])) == len(set(openings[6:])) == 1
    assert openings[0] != openings[6]


def test_a_tournament_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = sf.tournament("tic_tac_toe", THREE, rounds=4, processes=2)
    sf.tournament("tic_tac_toe", THREE, rounds=2, processes=2, record=path)
    again = sf.tournament("tic_tac_toe", THREE, rounds=4, processes=2, record=path, resume=True)
    assert len(list(sf.read_records(path))) == 24
    assert {**again.to_json(), "seconds": 0} == {**whole.to_json(), "seconds": 0}


def test_a_tournament_around_tables_of_three() -> None:
    result = sf.tournament(auction(3), [Low, Middle, High, "random"], rounds=2, processes=1)
    assert result.games == 4 * 3 * 2
    assert result.players[result.order()[0]] == "high"
    assert result.skills()["high"][0] == max(mu for mu, _ in result.skills().values())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": ["random"]}, "2 or more players"),
        ({"players": ["random", "random"]}, "once"),
        ({"rounds": 0}, "rounds must be 1 or more"),
        ({"anchor": "nobody"}, "there is no 'nobody'"),
        ({"processes": -1}, "processes must be 0 or more"),
        ({"seconds": 0.0}, "seconds must be a number above 0"),
        ({"seed": -1}, "seed must be from 0"),
        ({"opening_plies": -1}, "opening_plies must be 0 or more"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_refused_by_a_sentence(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        sf.tournament("tic_tac_toe", **{"players": ["random", "uct"], "rounds": 1, **arguments})
    assert str(caught.value).endswith(".")


# Rating lists.


def rows(path: Path, game: str = "tic_tac_toe", anchor: str | None = None) -> dict[str, ratings.Rated]:
    return {row.player: row for row in ratings.rated(ratings.read(path), game, anchor)}


def test_a_rating_list_grows_over_runs_and_counts_a_match_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ratings.jsonl"
    first = sf.match("tic_tac_toe", THREE[:2], games=10, ratings=path, processes=1)
    assert rows(path)["random"].games == 10
    assert rows(path)["random"].score == first.score
    sf.match("tic_tac_toe", THREE[:2], games=10, ratings=path, processes=1)  # the same again
    assert rows(path)["random"].games == 10
    sf.match("tic_tac_toe", THREE[:2], games=6, ratings=path, processes=1)  # less of the same
    assert rows(path)["random"].games == 10
    sf.match("tic_tac_toe", THREE[:2], games=14, ratings=path, processes=1)  # more of the same
    assert rows(path)["random"].games == 14
    sf.match("tic_tac_toe", THREE[1:], games=4, seed=2, ratings=path, processes=1)
    sf.tournament("tic_tac_toe", THREE, rounds=1, ratings=path, processes=1)
    sf.match("connect_four", THREE[1:], games=2, ratings=path, preset="saiblo", processes=1)
    found = rows(path)
    assert (found["random"].games, found["uct:simulations=40"].games) == (14 + 4, 14 + 4 + 4)
    assert ratings.games(ratings.read(path)) == ["tic_tac_toe", "connect_four (saiblo)"]
    assert rows(path, anchor="random")["random"].rating == 0
    assert list(tmp_path.joinpath("new").iterdir()) == [path]  # nothing is left lying about


def test_a_stopped_match_is_in_the_list_with_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "ratings.jsonl"

    def stop(result: sf.Match) -> None:
        if result.games == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sf.match("tic_tac_toe", THREE[:2], games=10, ratings=path, processes=1, progress=stop)
    assert rows(path)["random"].games == 5


@pytest.mark.parametrize(
    "content",
    ["nonsense\n", "{}", '{"format": 2}\n', "[]\n", "3\n", '{"format": 1, "game": "x"}\n', "\xff\n", "[" * 9999 + "\n"]
    + [
        json.dumps({"format": 1, "match": "m", "game": "g", "seats": 2, "players": ["a", "b"], "games": 1,
                    "date": "2026-01-01", "pairs": [[0, 1, 1, 0, 0]], **change})
        for change in ({"date": "soon"}, {"pairs": [[0, 2, 1, 0, 0]]}, {"pairs": [[0, 1, -1, 0, 0]]}, {"pairs": [[0]]},
                       {"players": "ab3"}, {"seats": "2"}, {"pairs": 3}, {"returns": [["x"]]}, {"more": 1})
    ],
)  # fmt: skip
def test_a_file_that_is_no_rating_list_is_told_before_the_match_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(content.encode("latin-1"))

    def never(result: sf.Match) -> None:
        raise AssertionError("a game was played")

    with pytest.raises(ValueError, match="line 1 is no entry of a rating list") as caught:
        sf.match("tic_tac_toe", THREE[:2], games=2, ratings=path, progress=never)
    assert str(caught.value).endswith(".")
    assert path.read_bytes() == content.encode("latin-1")


def _add(path: Path, seed: int) -> None:
    sf.match("tic_tac_toe", ["random", "uct:simulations=5"], games=2, seed=seed, ratings=path, processes=0)


def test_many_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ratings.jsonl"
    context = multiprocessing.get_context("fork")
    runs = [context.Process(target=_add, args=(path, seed)) for seed in range(12)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(ratings.read(path)) == 12
    assert rows(path)["random"].games == 24


def test_lists_of_games_of_one_and_of_many_seats(tmp_path: Path) -> None:
    path = tmp_path / "ratings.jsonl"
    sf.match(auction(3), [Low, High, "random"], games=6, ratings=path, processes=1)
    sf.match(auction(3), [Middle, High, "random"], games=6, ratings=path, processes=1)
    sf.match(auction(3), [Middle, High], games=6, seed=3, ratings=path, processes=1)
    found = rows(path, auction(3).spec)
    assert list(found) == sorted(found, key=lambda name: -found[name].rating)
    assert next(iter(found)) == "high"
    assert (found["high"].games, found["low"].games) == (18, 6)
    solo = tmp_path / "solo.jsonl"
    sf.match(auction(1), ["random", Middle], games=20, ratings=solo, processes=1)
    sf.match(auction(1), ["random", Middle], games=20, seed=2, ratings=solo, processes=1)
    found = rows(solo, auction(1).spec)
    assert (found["middle"].rating, found["middle"].margin, found["middle"].games) == (1.0, 0.0, 20)
    assert 0.2 < found["random"].margin < 0.5
    with pytest.raises(ValueError, match="only Elo"):
        rows(solo, auction(1).spec, anchor="random")


# Formulas, against figures and computations from elsewhere.


def test_elo_of_known_scores() -> None:
    """400 log10(s / (1 - s)): the table in every chess federation's handbook, before rounding."""
    for score, elo in ((0.5, 0), (0.6, 70.44), (0.64, 99.95), (0.75, 190.85), (0.9, 381.70), (0.01, -798.25)):
        assert rating.elo_of(score) == pytest.approx(elo, abs=0.01)


def test_the_interval_of_pairs_is_the_pentanomial_one() -> None:
    """Pairs scoring 0, 1/2, 1, 3/2, 2 as often as 52, 400, 800, 450, 60: mean and variance by the definition."""
    counts = {0.0: 52, 0.25: 400, 0.5: 800, 0.75: 450, 1.0: 60}
    scores = [score for score, count in counts.items() for _ in range(count)]
    n = sum(counts.values())
    mean = sum(score * count for score, count in counts.items()) / n
    error = math.sqrt(sum(count * (score - mean) ** 2 for score, count in counts.items()) / n / n)
    low, high = rating.score_interval(scores)
    assert low == pytest.approx(mean - 1.959964 * error, abs=3e-4)
    assert high == pytest.approx(mean + 1.959964 * error, abs=3e-4)
    assert rating.superiority(scores) == pytest.approx(
        0.5 * (1 + math.erf((mean - 0.5) / error / math.sqrt(2))), abs=0.01
    )


@pytest.mark.parametrize("scores", [[], [1.0], [0.0], [0.5], [1.0] * 100, [0.0] * 100, [0.5] * 100])
def test_degenerate_scores_have_sane_intervals(scores: list[float]) -> None:
    low, high = rating.score_interval(scores)
    mean = sum(scores) / len(scores) if scores else 0.5
    assert 0 <= low <= mean <= high <= 1
    assert low < high
    assert 0 <= rating.superiority(scores) <= 1
    if len(scores) == 100 and mean == 1:
        assert 0.95 < low < 0.975  # Clopper and Pearson say 0.964
        assert rating.elo_of(high) == math.inf


def test_one_game_or_a_whitewash_is_reported_without_infinite_numbers() -> None:
    result = sf.match("connect_four", ["uct:simulations=200", "random"], games=1, processes=1)
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert (data["games"], data["elo"]) == (2, None)
    assert data["elo_interval"][0] < 0 or data["elo_interval"][0] is None
    assert 0.5 < data["superiority"] < 1


def test_the_sequential_test_by_hand() -> None:
    """100 pairs, 20 + 50 + 30 of scores 0.25, 0.5, 0.75, elo0 = 0, elo1 = 20: the ratio from its definition."""
    scores = [0.25] * 20 + [0.5] * 50 + [0.75] * 30
    mean = 0.525
    variance = (sum((s - mean) ** 2 for s in scores) + mean**2 + (1 - mean) ** 2) / 101
    s1 = 1 / (1 + 10 ** (-20 / 400))
    assert s1 == pytest.approx(0.528749, abs=1e-5)
    expected = 100 * (s1 - 0.5) * (2 * mean - 0.5 - s1) / (2 * variance)
    assert rating.Sprt(0, 20).ratio(scores) == pytest.approx(expected)
    assert math.log(0.95 / 0.05) == pytest.approx(2.944, abs=0.001)
    assert rating.Sprt(0, 20).verdict(scores * 9) == "stronger"
    assert rating.Sprt(0, 20).verdict([1 - s for s in scores] * 9) == "not stronger"


def likelihood(elos: dict[str, float], won: dict[tuple[str, str], float]) -> float:
    """Of results and the prior's drawn game of everyone against 0."""
    total = sum(gained * math.log(rating.score_of(elos[a] - elos[b])) for (a, b), gained in won.items())
    return total + sum(0.5 * math.log(rating.score_of(elo) * rating.score_of(-elo)) for elo in elos.values())


def climb(names: list[str], won: dict[tuple[str, str], float]) -> dict[str, float]:
    """The greatest likelihood by brute force: one rating at a time, in ever smaller steps."""
    elos, step = dict.fromkeys(names, 0.0), 128.0
    while step > 0.01:
        better = False
        for name in names:
            for change in (step, -step):
                trial = {**elos, name: elos[name] + change}
                if likelihood(trial, won) > likelihood(elos, won):
                    elos, better = trial, True
        if not better:
            step /= 2
    return elos


def test_ratings_are_those_of_the_greatest_likelihood() -> None:
    rng = random.Random(4)
    names = ["a", "b", "c", "d"]
    won: dict[tuple[str, str], float] = {}
    games: dict[tuple[str, str], int] = {}
    for a, b in itertools.combinations(names, 2):
        if (a, b) != ("a", "d"):  # who never met are compared through others
            n = rng.randint(5, 40)
            won[a, b] = rng.randint(0, 2 * n) / 2
            won[b, a] = n - won[a, b]
            games[a, b] = games[b, a] = n
    best = climb(names, won)
    mean = sum(best.values()) / 4
    for name, (elo, _) in rating.bradley_terry(won, games).items():
        assert elo == pytest.approx(best[name] - mean, abs=0.1)


def test_the_intervals_of_ratings_hold_the_truth_about_as_often_as_they_say() -> None:
    rng, truth = random.Random(7), {"a": 120.0, "b": 0.0, "c": -60.0}
    hits = total = 0
    for _ in range(150):
        won: dict[tuple[str, str], float] = {}
        games: dict[tuple[str, str], int] = {}
        for a, b in itertools.combinations(truth, 2):
            won[a, b] = sum(rng.random() < rating.score_of(truth[a] - truth[b]) for _ in range(60))
            won[b, a] = 60 - won[a, b]
            games[a, b] = games[b, a] = 60
        for name, (elo, margin) in rating.bradley_terry(won, games, anchor="b").items():
            if name != "b":
                hits += abs(elo - truth[name]) <= margin
                total += 1
    assert 0.92 <= hits / total <= 0.985


def test_two_players_alone_are_apart_by_the_elo_of_their_score() -> None:
    n = 10**6
    found = rating.bradley_terry({("a", "b"): 0.75 * n, ("b", "a"): 0.25 * n}, {("a", "b"): n, ("b", "a"): n}, "b")
    elo, margin = found["a"]
    assert elo == pytest.approx(rating.elo_of(0.75), abs=0.01)
    assert margin == pytest.approx(1.959964 * rating.SCALE / math.sqrt(n * 0.75 * 0.25), rel=1e-3)


def test_openskill_as_its_own_readme_shows_it() -> None:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    [[a, _], [x, _]] = model.rate([[model.rating(), model.rating()], [model.rating(), model.rating()]])
    assert (a.mu, a.sigma, x.mu) == pytest.approx((26.964294621803063, 8.177962604389991, 23.035705378196937))


def test_openskill_of_one_game_by_the_paper() -> None:
    """Weng and Lin 2011, algorithm 4 for two teams of one, from its formulas: mu, sigma, beta = 25, 25/3, 25/6."""
    mu, sigma, beta = 25.0, 25 / 3, 25 / 6
    c = math.sqrt(2 * (sigma**2 + beta**2))
    omega, delta = sigma**2 / c * (1 - 0.5), sigma**2 / c**2 * 0.25 * (sigma / c)
    found = rating.openskill(["a", "b"], [[["a"], ["b"]]])
    assert found["a"][0] == pytest.approx(mu + omega)
    assert found["b"][0] == pytest.approx(mu - omega)
    assert found["a"][1] == pytest.approx(sigma * math.sqrt(1 - delta))
    even = rating.openskill(["a", "b", "c"], [[["a", "b", "c"]]])
    assert {round(mu, 9) for mu, _ in even.values()} == {25.0}
