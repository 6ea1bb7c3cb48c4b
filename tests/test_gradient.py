"""Proves learning without a search: games in lockstep, advantages, tried actions, and runs that outlive a kill."""

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

import sevenfold as sf
from sevenfold import _core, lang, nets, train_screen
from sevenfold.nets import Description
from sevenfold.train import gradient, tables
from sevenfold.train.begin import resume
from sevenfold.train.config import Config, preset
from sevenfold.train.progress import Progress
from sevenfold.train.report import Report, tables_of, write
from sevenfold.train.run import Run
from sevenfold.train.trial import Trial

torch.set_num_threads(1)

SEVENS = sf.game("sevens")
BLOCKER = tables.habit_named(SEVENS, "blocker")
TINY: dict[str, object] = {"gradient.tables": 16, "games": 32, "rating.games": 4, "learning.batch": 64}


def uniform(planes: tables.Floats, _: tables.Floats) -> tables.Floats:
    return np.zeros((len(planes), SEVENS.actions), np.float32)


def deals(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**63, count, np.uint64)


def seated(count: int, *row: int) -> np.ndarray:
    return np.tile(np.array(row, np.int64), (count, 1))


def test_habits_are_the_rooms_players() -> None:
    assert _core.habits(SEVENS.new()) == ["greedy", "keeper", "blocker"]
    assert _core.habits(sf.game("tic_tac_toe").new()) == []
    with pytest.raises(ValueError, match="blocker"):
        tables.habit_named(SEVENS, "bluffer")


def test_games_of_habits_alone_are_those_of_the_rules() -> None:
    """All seats blocker: the deal decides, and zero-sum returns come out; the same deal, the same result."""
    rng = np.random.default_rng(1)
    found = tables.play(SEVENS, deals(8), seated(8, *[BLOCKER] * 4), [], rng)
    again = tables.play(SEVENS, deals(8), seated(8, *[BLOCKER] * 4), [], rng)
    assert len(found) == 0
    assert found.evaluations == 0
    assert np.array_equal(found.returns, again.returns)
    assert np.abs(found.returns.sum(1)).max() < 1e-3
    assert np.abs(found.returns).max() > 0


def test_what_a_network_sees_is_the_movers_own_view() -> None:
    """Every row is a decision with a choice, its action legal, its planes what observe() shows in a replay by hand."""
    rng = np.random.default_rng(2)
    found = tables.play(SEVENS, deals(6), seated(6, 0, BLOCKER, 0, tables.RANDOM), [uniform], rng)
    assert set(found.viewers.tolist()) == {0, 2}
    assert (found.legal.sum(1) > 1).all()
    assert (found.legal[np.arange(len(found)), found.actions] == 1).all()
    assert np.allclose(found.log_p, -np.log(found.legal.sum(1)), atol=1e-5)
    assert np.array_equal(found.planes[:, 2].reshape(len(found), -1), found.legal)  # plane 2 is the legal actions


def test_a_critic_sees_what_is_new_of_all_seats() -> None:
    seen = tables.everything_of(SEVENS, 0)
    assert set(range(13)) <= set(seen.planes)  # all of the mover's own
    assert {13, 26, 39} <= set(seen.planes)  # the hands of the others
    assert not {14, 27, 40} & set(seen.planes)  # the table, which everybody sees alike
    rng = np.random.default_rng(3)
    found = tables.play(SEVENS, deals(4), seated(4, 0, 0, 0, 0), [uniform], rng, seen)
    hands = found.all_planes[:, [seen.planes.index(plane) for plane in (0, 13, 26, 39)]]
    assert hands.sum(1).max() == 1  # no card in two hands


def test_an_adviser_says_what_it_would_do() -> None:
    rng = np.random.default_rng(4)
    found = tables.play(SEVENS, deals(4), seated(4, 0, 0, 0, 0), [uniform], rng, adviser=BLOCKER, obey=1.0)
    plain = tables.play(SEVENS, deals(4), seated(4, *[BLOCKER] * 4), [], rng)
    assert found.advice is not None
    assert np.array_equal(found.advice, found.actions)
    assert np.array_equal(found.returns, plain.returns)


def test_tried_actions_bring_what_playing_them_brings() -> None:
    """With blocker everywhere after it, the tried action that blocker itself would choose brings the game's result."""
    rng = np.random.default_rng(5)
    found = tables.play(SEVENS, deals(5), seated(5, 0, BLOCKER, BLOCKER, BLOCKER), [uniform], rng, adviser=BLOCKER,
                        obey=1.0)  # fmt: skip
    advice = {(row.tobytes(), one.tobytes()): int(a) for row, one, a in zip(
        found.planes, found.features, found.advice if found.advice is not None else [], strict=True)}  # fmt: skip

    def advised(planes: tables.Floats, features: tables.Floats) -> tables.Floats:
        out = np.full((len(planes), SEVENS.actions), -50, np.float32)
        for row, (plane, feature) in enumerate(zip(planes, features, strict=True)):
            out[row, advice[plane.tobytes(), feature.tobytes()]] = 50
        return out

    tried = tables.try_all(SEVENS, deals(5), seated(5, 0, BLOCKER, BLOCKER, BLOCKER), [advised], rng, own=BLOCKER)
    assert len(tried) == len(found)
    own = found.advice if found.advice is not None else np.zeros(0)
    got = tried.returns[np.arange(len(tried)), tried.viewers, own]
    assert np.array_equal(got, found.returns[found.games, found.viewers])
    assert (tried.returns.transpose(0, 2, 1)[tried.legal == 0] == 0).all()


def test_what_believed_worlds_bring_comes_true_on_average() -> None:
    """The mean over worlds that the mover believes in is what the true one brings, with less luck in it."""
    rng, seats = np.random.default_rng(1), seated(400, 0, *[BLOCKER] * 3)
    true = tables.try_all(SEVENS, deals(400), seats, [uniform], np.random.default_rng(1), own=BLOCKER)
    kinds = 0.05
    mean = tables.try_all(SEVENS, deals(400), seats, [uniform], rng, own=BLOCKER, believed=(32, 16, kinds))
    assert np.array_equal(true.legal, mean.legal)
    rows = np.arange(len(true))

    def centred(found: tables.Trials) -> np.ndarray:
        own = found.returns[rows, found.viewers]
        return own - (own * found.legal).sum(1, keepdims=True) / found.legal.sum(1, keepdims=True)

    luck, belief, legal = centred(true), centred(mean), true.legal != 0
    assert belief[legal].std() < 0.8 * luck[legal].std()
    # Regressed on the belief, what comes true has a slope near 1: it promises neither too much nor too little.
    slope = (luck[legal] * belief[legal]).sum() / np.square(belief[legal]).sum()
    assert 0.8 < slope < 1.2
    assert np.abs(mean.returns.sum(1)).max() < 1e-2


def test_worlds_to_believe_in_need_what_finds_them() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="net"):
        tables.try_all(SEVENS, deals(2), seated(2, 0, *[BLOCKER] * 3), [uniform], rng, believed=(8, 8, 0.0))
    board = sf.game("tic_tac_toe")

    def flat(planes: tables.Floats, _: tables.Floats) -> tables.Floats:
        return np.zeros((len(planes), 9), np.float32)

    with pytest.raises(ValueError, match="stir"):
        tables.try_all(board, deals(2), seated(2, 0, 0), [flat], rng, believed=(8, 8, 0.0))


def test_what_the_others_hold_is_a_lesson() -> None:
    """Hidden planes are the other seats', of ones and zeros; a net that learns them alone foresees them better."""
    hidden = tables.hidden_of(SEVENS, 0)
    assert all(plane >= SEVENS.planes[0] for plane in hidden.planes)
    assert {SEVENS.planes[0] * seat for seat in (1, 2, 3)} <= set(hidden.planes)  # their hands
    heads = {"others": 52 * len(hidden.planes)}
    config = preset("quick", SEVENS).changed({"net.auxiliary": heads, "learning.batch": 256, "learning.rate": 0.003})
    about = Description.of(SEVENS, config.net)
    torch.manual_seed(1)
    learner = gradient.GradientLearner(nets.build(config.net, about.shape), about, config, None)
    rng = np.random.default_rng(1)
    found = tables.try_all(SEVENS, deals(300), seated(300, 0, *[BLOCKER] * 3), [uniform], rng, hidden, own=BLOCKER)
    assert set(np.unique(found.hidden)) == {0.0, 1.0}
    losses = [learner.study(found, 0.0, rng).belief_loss for _ in range(6)]
    assert losses[-1] < 0.6 * losses[0]


def test_advantages_are_those_of_the_formula() -> None:
    """Against a slow loop over each player's decisions."""
    rng = np.random.default_rng(6)
    found = tables.play(SEVENS, deals(5), seated(5, 0, 0, 0, 0), [uniform], rng)
    values = rng.normal(size=len(found)).astype(np.float32)
    fast = gradient.advantages(found, values, 100.0, 0.8)
    for game in range(5):
        for player in range(4):
            rows = np.flatnonzero((found.games == game) & (found.viewers == player))
            ahead, after = 0.0, float(found.returns[game, player]) / 100
            for row in reversed(rows):
                ahead = after - values[row] + 0.8 * ahead
                assert fast[row] == pytest.approx(ahead, abs=1e-4)
                after, ahead = float(values[row]), ahead
    assert fast.shape == (len(found),)


@pytest.mark.parametrize("bad", ["seats", "adviser", "action"])
def test_nonsense_is_refused(bad: str) -> None:
    one = np.zeros(1, np.uint64)
    if bad == "seats":
        with pytest.raises(ValueError, match="habit"):
            _core.Lockstep(SEVENS.new(), one, one, seated(1, 0, 0, 0, -9), [], [])
    elif bad == "adviser":
        with pytest.raises(ValueError, match="habit"):
            _core.Lockstep(SEVENS.new(), one, one, seated(1, 0, 0, 0, 0), [], [], 0)
    else:
        games = _core.Lockstep(SEVENS.new(), one, one, seated(1, 0, 0, 0, 0), [], [])
        legal = games.collect()[4]
        with pytest.raises(ValueError, match="illegal"):
            games.play(np.array([int(np.flatnonzero(legal[0] == 0)[0])], np.int32))


@pytest.mark.parametrize("estimate", ["critic", "trials"])
def test_a_net_learns(estimate: str) -> None:
    """From nothing, in a few updates, it wins more from greedy than chance would explain."""
    config = preset("quick", SEVENS).changed({"gradient.estimate": estimate, "gradient.epochs": 2})
    about = Description.of(SEVENS, config.net)
    torch.manual_seed(1)
    seen = tables.everything_of(SEVENS, 0) if estimate == "critic" else tables.Everything()
    critic = gradient.fresh_critic(gradient.critic_description(SEVENS, about, seen), config) if seen.planes else None
    learner = gradient.GradientLearner(nets.build(config.net, about.shape), about, config, critic)
    rng = np.random.default_rng(7)
    greedy = tables.habit_named(SEVENS, "greedy")
    before = tables.duplicate(SEVENS, [learner.logits], greedy, 60, 1)
    for number in range(10):
        seats = seated(128, 0, greedy, greedy, greedy)
        if estimate == "critic":
            learner.update(tables.play(SEVENS, deals(128, number), seats, [learner.logits], rng, seen), 0.0, rng)
        else:
            learner.study(
                tables.try_all(SEVENS, deals(128, number), seats, [learner.logits], rng, own=greedy), 0.0, rng
            )
    after = tables.duplicate(SEVENS, [learner.logits], greedy, 60, 1)
    assert after.mean > before.mean + (2 if estimate == "critic" else 15)


def test_what_the_policy_brings_rises_directly() -> None:
    """Nothing but `direct`: on the trials that it learns from, the policy chooses better than before."""
    config = preset("quick", SEVENS).changed(
        {"gradient.direct": 1.0, "learning.policy_weight": 0.0, "learning.value_weight": 0.0, "gradient.epochs": 4}
        | {"learning.warmup": 0, "learning.batch": 64}
    )
    about = Description.of(SEVENS, config.net)
    torch.manual_seed(2)
    learner = gradient.GradientLearner(nets.build(config.net, about.shape), about, config, None)
    rng = np.random.default_rng(8)
    tried = tables.try_all(SEVENS, deals(96), seated(96, 0, *[BLOCKER] * 3), [learner.logits], rng, own=BLOCKER)

    def brought() -> float:
        said = np.where(tried.legal != 0, learner.logits(tried.planes, tried.features), -np.inf).argmax(1)
        return float(tried.returns[np.arange(len(tried)), tried.viewers, said].mean())

    before = brought()
    learner.study(tried, 0.0, rng)
    assert brought() > before + 2


def test_the_same_player_in_all_seats_gains_nothing() -> None:
    """Duplicate deals of a zero-sum game with a deterministic player against itself: exactly 0."""
    found = tables.duplicate(SEVENS, [uniform, uniform], 1, 20, 3)
    assert found.mean == pytest.approx(0, abs=1e-4)
    assert found.half == pytest.approx(0, abs=1e-3)


def trained(out: Path, *settings: str, iterations: int = 2) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "sevenfold", "train", "sevens", "--preset", "quick", "--out", str(out), "--json"]
    line += ["--iterations", str(iterations)]
    for name, value in TINY.items():
        line += ["--set", f"{name}={value}"]
    for one in settings:
        line += ["--set", one]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def without_onnx(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints without a net to play with: writing that takes longer than all else in such small runs."""
    monkeypatch.setattr(nets, "export_onnx", lambda path, *_: Path(path).write_bytes(b""))


@pytest.mark.usefixtures("without_onnx")
def test_a_stopped_run_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    """Stopped in the middle of its second iteration; resumed, it has as many games and steps, and the very weights, as
    one never stopped."""

    def stop(progress: Progress) -> None:
        if progress.iteration == 2 and progress.phase_done:
            raise KeyboardInterrupt

    settings: dict[str, object] = TINY | {"iterations": 2}
    other = sf.train(SEVENS, "quick", out=tmp_path / "whole", **settings)
    with pytest.raises(KeyboardInterrupt):
        sf.train(SEVENS, "quick", out=tmp_path / "stopped", watch=stop, **settings)
    run = resume(tmp_path / "stopped")
    same_end(run, other, 2)


def same_end(run: Run, other: Run, iterations: int) -> None:
    assert [line["iteration"] for line in run.lines("metrics")] == list(range(1, iterations + 1))
    for name in ("games", "positions", "steps"):
        assert run.state(iterations)[name] == other.state(iterations)[name]
    mine, theirs = (nets.load(one.checkpoint(iterations) / "net.safetensors")[0].state_dict() for one in (run, other))
    assert all(torch.equal(mine[name], theirs[name]) for name in theirs)


@pytest.mark.slow
def test_a_killed_run_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    """kill -9 after the first checkpoint; resumed, it has as many games and steps, and the very weights, as one never
    killed."""
    whole = trained(tmp_path / "whole", iterations=3)
    killed = trained(tmp_path / "killed", iterations=3)
    run, patience = Run(tmp_path / "killed"), time.monotonic() + 240
    while not (tmp_path / "killed/checkpoints/000001/state.json").exists() and killed.poll() is None:
        assert time.monotonic() < patience
        time.sleep(0.02)
    killed.kill()
    killed.communicate()
    resumed = subprocess.run(
        [sys.executable, "-m", "sevenfold", "train", "--resume", str(run.folder), "--json"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert resumed.returncode == 0, resumed.stderr
    said, _ = whole.communicate(timeout=300)
    assert whole.returncode == 0
    assert json.loads(said.splitlines()[-1])["event"] == "done"
    other = Run(tmp_path / "whole")
    same_end(run, other, 3)


@pytest.mark.usefixtures("without_onnx")
@pytest.mark.parametrize(
    "settings",
    [
        {"gradient.past_share": 0.5, "gradient.league_share": 0.2},
        {"gradient.oracle": False, "gradient.imitate": "greedy", "gradient.imitate_games": 16},
    ],
)
def test_runs_of_other_kinds(tmp_path: Path, settings: dict[str, object]) -> None:
    chosen: dict[str, object] = TINY | {"gradient.estimate": "critic", "iterations": 2} | settings
    run = sf.train(SEVENS, "quick", out=tmp_path / "run", **chosen)
    lines = run.lines("metrics")
    assert [line["iteration"] for line in lines] == [1, 2]
    assert all(np.isfinite(line["loss"]) for line in lines)
    assert ("critic.safetensors" in run.state(2)["files"]) == settings.get("gradient.oracle", True)
    opponents = [line["opponent"] for line in run.lines("ratings")]
    assert opponents[:3] == ["random", "greedy", "blocker"]


def test_a_league_of_strangers_is_refused() -> None:
    with pytest.raises(ValueError, match="bluffer"):
        sf.train(SEVENS, "quick", out="nowhere", **{"gradient.league": ["bluffer"]})
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"gradient.against": "nobody"}, "gradient.against: there is no net 'nobody'"),
        ({"gradient.against": "suits"}, "gradient.against: the net .* is for sevens with num_players=4"),
        ({"gradient.estimate": "trials", "gradient.goes_on": "bluffer"}, "has no habit 'bluffer'"),
        ({"rating.anchors": ["random", "nobody"]}, "rating.anchors: sevens has no habit 'nobody'"),
    ],
)
def test_who_is_not_there_is_missed_before_the_run(settings: dict[str, Any], said: str) -> None:
    five = sf.game("sevens(num_players=5)")
    with pytest.raises(ValueError, match=said):
        sf.train(five, "quick", out="nowhere", **settings)
    assert not Path("nowhere").exists()
    found = Trial(five, preset("quick", five).changed(settings)).go()
    assert not found.ok
    assert re.search(said, found.findings[-1].text)


@pytest.fixture(scope="module", params=["trials", "critic"])
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of two iterations with its measurements."""
    chosen = TINY | {"gradient.estimate": request.param, "iterations": 2, "minutes": 0.0, "rating.games": 16}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nets, "export_onnx", lambda path, *_: Path(path).write_bytes(b""))
        return sf.train(SEVENS, "quick", out=tmp_path_factory.mktemp("runs") / request.param, **chosen)


def test_a_report_says_what_such_a_run_has_in_points(small: Run, tmp_path: Path) -> None:
    report = Report.of(small)
    files, _ = write(report, tmp_path)
    assert "games.svg" not in {path.name for path in files}
    text = (tmp_path / "report.md").read_text()
    newest = [line for line in small.lines("ratings") if line["iteration"] == 2]
    for line in newest:
        low, high = line["interval"]
        assert f"| `{line['opponent']}` | 2 | 16 | {line['score']:+.1f} | {low:+.1f} to {high:+.1f} |" in text
    assert [one["rated"] for one in report.strength()] == ["points"] * 3
    for words in ("points per game", "without a search", "at every table `blocker` in all seats but one"):
        assert words in text
    trials = small.config.gradient.estimate == "trials"
    assert ("`blocker` playing on for the net" in text) == trials
    assert ("policy, least squares, in squares of 10 points" in text) == trials
    assert ("entropy of the policy, nats" in text) == (not trials)
    for words in ("simulations", "Gumbel", "Window", "Elo", "cache", "least possible", "## Games", "NaN", "nan"):
        assert words not in text


def test_tables_in_words() -> None:
    config = preset("quick", SEVENS).changed({"gradient.league_share": 0.25, "gradient.alone": 0.5})
    assert tables_of(config) == [
        "at 25 % of the tables `blocker` in some seats",
        "at 75 % of the tables the net itself in all seats",
    ]
    against = config.changed({"gradient.against": "/somewhere/old.safetensors", "gradient.past_share": 0.5})
    assert tables_of(against)[1:] == ["at 75 % of the tables `old.safetensors` in all seats but one"]
    past = config.changed({"gradient.league": [], "gradient.past_share": 1.0, "gradient.alone": 1.0})
    assert tables_of(past) == ["at every table an older self in all seats but one"]


@pytest.mark.parametrize("language", lang.LANGUAGES)
def test_the_screen_shows_points_and_not_shares(small: Run, language: str) -> None:
    lang.use(language)
    last = small.lines("metrics")[-1]
    facts = {name: last[name] for name in ("iteration", "games", "positions", "steps", "seconds")}
    progress = Progress(small.config, small.folder, "iteration", share=1.0, metrics=last, **facts)
    out = Console(file=io.StringIO(), width=80, height=24, force_terminal=True, color_system=None)
    with train_screen.Dashboard(out) as screen:
        screen(progress)
        group = screen.drawn(progress)
    page = Console(file=io.StringIO(), width=80, record=True, color_system=None)
    page.print(group)
    drawn = page.export_text()
    lines = Console(file=io.StringIO(), width=200, record=True, color_system=None)
    plain = train_screen.Dashboard(lines)
    plain(Progress(small.config, small.folder))
    plain._told = 0
    plain._say(progress)
    said = lines.export_text()
    unit = {"en": "points", "zh-TW": "分"}[language]
    for line in (one for one in small.lines("ratings") if one["iteration"] == 2):
        words = f"{line['score']:+.1f} {unit}"
        assert re.search(rf"{line['opponent']} +{re.escape(words)}", drawn)
        assert f"{line['opponent']}: {words}" in said
    assert "%" not in said
    assert drawn.count("%") == 1  # of the run
    assert max(len(line.rstrip()) for line in drawn.splitlines()) <= 80


def test_settings_have_ranges() -> None:
    with pytest.raises(ValueError, match="others goes with"):
        Config(SEVENS.spec).changed({"net.auxiliary": {"others": 520}})
    with pytest.raises(ValueError, match="trace"):
        Config(SEVENS.spec).changed({"gradient.trace": 2.0})


@pytest.mark.usefixtures("without_onnx")
def test_a_run_by_believed_worlds_with_a_lesson(tmp_path: Path) -> None:
    chosen: dict[str, object] = TINY | {"iterations": 1, "gradient.worlds": 4, "net.auxiliary": {"others": 520}}
    run = sf.train(SEVENS, "quick", out=tmp_path / "run", **chosen)
    assert run.lines("metrics")[0]["belief_loss"] > 0
    with pytest.raises(ValueError, match="has the size 520"):
        sf.train(SEVENS, "quick", out=tmp_path / "wrong", **(chosen | {"net.auxiliary": {"others": 519}}))
