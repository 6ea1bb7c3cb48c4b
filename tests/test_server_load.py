"""The measurement of the server under load, small: no errors, and every figure is there."""

from bench import serve


def test_several_games_at_once_are_played_without_an_error() -> None:
    rows = {row.what: row for row in serve.run(sessions=5, moves=2, soaked=6)}
    assert rows["serve: 5 games at once, with an error"].ours == 0
    assert rows["serve: 5 games at once, an answer"].ours > 0
    assert len(rows) == 7
