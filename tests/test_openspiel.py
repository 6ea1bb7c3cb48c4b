"""OpenSpiel's games through the adapter: they keep the rules of the house, and what cannot be played says so."""

import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from typing import Any

import pytest

import sevenfold as sf
from sevenfold.check import _Check

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("open_spiel.python.games")

from sevenfold.adapters import openspiel  # noqa: E402

KINDS = {kind.short_name: kind for kind in pyspiel.registered_games()}


def load(text: str, **options: Any) -> sf.Game:
    return sf.game(f"openspiel:{text}", **options)


def turn_based(text: str) -> str:
    return f"turn_based_simultaneous_game(game={text})"


def assert_one_sentence(text: str) -> None:
    assert "\n" not in text
    assert text.endswith(".")
    assert len(text) < 400


CHECKED = {
    "tic_tac_toe": 10,
    "connect_four": 3,
    "hex(board_size=5)": 3,
    "breakthrough(columns=6,rows=6)": 1,
    "go(board_size=5)": 1,
    "y(board_size=5)": 2,
    "havannah(board_size=4)": 1,
    "oware": 1,
    "nim": 5,
    "antichess": 1,  # 4864 actions
    "othello": 1,
    "backgammon(hyper_backgammon=True)": 1,
    "pig(winscore=20)": 1,
    "kuhn_poker": 20,
    "kuhn_poker(players=3)": 10,
    "leduc_poker": 10,
    "liars_dice": 10,
    "universal_poker": 5,
    "blackjack": 10,
    "euchre": 1,
    "oh_hell": 1,
    "bridge(use_double_dummy_result=False)": 1,
    "catch": 5,
    "cliff_walking": 5,
    "python_tic_tac_toe": 5,
    "python_kuhn_poker": 10,
    "misere(game=tic_tac_toe())": 3,
    "start_at(game=tic_tac_toe(),history=0;4)": 3,
    "cached_tree(game=kuhn_poker())": 3,
    "repeated_leduc_poker": 2,
    turn_based("goofspiel(num_cards=5)"): 5,
    turn_based("python_iterated_prisoners_dilemma(max_game_length=5)"): 3,
}


@pytest.mark.parametrize("text", CHECKED)
def test_a_game_keeps_the_rules_of_the_house(text: str) -> None:
    report = sf.check(load(text), games=CHECKED[text])
    assert report.games == CHECKED[text]
    assert report.warnings == []


# Hundreds of plies or actions: a check of every position would take from 3 seconds to minutes, so some are checked.
LONG = """2048 amazons antichess backgammon banqi battleship breakthrough chess chinese_checkers crazy_eights crazyhouse
    cribbage dark_chess dou_dizhu gin_rummy go gomoku havannah hearts hex hive kriegspiel lines_of_action maedn mnk
    nine_mens_morris phantom_go python_ant_foraging python_liars_poker python_team_dominoes quoridor rbc shogi solitaire
    xiangqi y"""
LONG_IN_TURNS = "capture_the_flag coop_box_pushing laser_tag markov_soccer pathfinding"
SLOW = {*LONG.split(), *(turn_based(f"{name}()") for name in LONG_IN_TURNS.split())}
SKIPPED = {"bridge": "solves every deal double-dummy, a fifth of a second each; checked above without that"}


def spot_check(game: sf.Game) -> None:
    """The same properties as sf.check at a few positions of one random game: the plies 1, 2, 4, 8 … and the end."""
    check, state, rng = _Check(game, 1), game.new(1), random.Random(1)
    while not state.is_over and len(state.history) < 64:
        if (len(state.history) + 1).bit_count() == 1:
            check.check_position(state)
        if state.to_move == sf.CHANCE:
            state.play_chance()
        else:
            state.play(rng.choice(state.legal_actions()))
    check.check_position(state)


def games_in_turns() -> list[str]:
    """Every game that needs no parameters; simultaneous ones in turns."""
    dynamics = pyspiel.GameType.Dynamics
    return [
        turn_based(f"{name}()") if kind.dynamics == dynamics.SIMULTANEOUS else name
        for name, kind in KINDS.items()
        if kind.default_loadable
    ]


REFUSED = {
    "bridge_uncontested_bidding": "draws its chance inside",
    "chat_game": "declares 2 actions but offers",
    "colored_trails": "93123 actions",
    "crossword": "not numbers",
    "mfg_crowd_modelling": "mean-field",
    "mfg_crowd_modelling_2d": "mean-field",
    "mfg_dynamic_routing": "mean-field",
    "mfg_garnet": "mean-field",
    "negotiation": "draws its chance inside",
    "python_hangman": "OpenSpiel refuses",  # its clones are broken: '_word_list_len'
    "stones_and_gems": "draws its chance inside",
    "tarok": "draws its chance inside",
    "yacht": "7776 chance outcomes",
}


@pytest.mark.parametrize("text", games_in_turns())
def test_every_registered_game_is_checked_or_refused(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    if text in SKIPPED:
        pytest.skip(SKIPPED[text])
    if text in REFUSED:
        with pytest.raises(ValueError, match=REFUSED[text]) as refusal:
            load(text)
        assert_one_sentence(str(refusal.value))
        return
    game = load(text)
    assert sf.game(game.name) == game
    assert "OpenSpiel exception" not in capfd.readouterr().err
    if text in SLOW:
        spot_check(game)
    else:
        sf.check(game, games=1)


def test_a_game_that_needs_parameters_or_turns_says_so() -> None:
    for name, kind in KINDS.items():
        if kind.default_loadable and kind.dynamics != pyspiel.GameType.Dynamics.SIMULTANEOUS:
            continue
        with pytest.raises(ValueError, match=r"needs parameters|has simultaneous moves") as refusal:
            load(name)
        assert_one_sentence(str(refusal.value))
    with pytest.raises(ValueError, match="simultaneous") as refusal:
        load("goofspiel(num_cards=4)")
    way_out = str(refusal.value).split("'")[1]
    assert sf.game(way_out).players == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hexx", "OpenSpiel has no game 'hexx'; near it are hex"),
        ("nothing_like_it_at_all", "lists its games"),
        ("hex(rows=5)", "has no parameter 'rows'; its parameters are: board_size"),
        ("tic_tac_toe(x=1)", "its parameters are: none"),
        ("hex(board_size=big)", "board_size must be a whole number"),
        ("hex(board_size=5.5)", "board_size must be a whole number"),
        ("hex(board_size=99999999999)", "board_size must be a whole number"),
        ("hex(swap=perhaps)", "swap must be true or false"),
        ("hex(board_size=5", "is written as name"),
        ("hex(5)", "cannot be read"),
        ("hex(board_size=5))", "cannot be read"),
        ("hex(board_size=5)x", "is written as name"),
        ("hex(num_rows=5,num_rows=3)", "cannot be read"),
        ("", "is written as name"),
        ("misere(game=" * 999, "more games inside each other"),
        ("hex(" + "x" * 99999 + "=1)", "has no parameter"),
        ("hex(string_rep=" + "x" * 99999 + ")", "at most 2000 characters"),
        ("hex(string_rep=\udc80\x00)", "OpenSpiel refuses"),
        ("misere(game=hexx)", "has no game 'hexx'"),
        ("misere(game=tarok())", "draws its chance inside"),
        ("add_noise(game=kuhn_poker(),epsilon=1,seed=1)", "draws its chance inside"),
        ("go(board_size=100)", "OpenSpiel refuses"),
        ("kuhn_poker(players=10)", "10 players; 1 to 8"),
        ("liars_dice(numdice=1000000)", "12000001 actions"),
        # These end in a segmentation fault, an abort or without memory if they are simply loaded.
        ("connect_four(rows=0)", "crashes OpenSpiel"),
        ("universal_poker(numPlayers=3)", "crashes OpenSpiel"),
        ("hanabi(players=0)", "crashes OpenSpiel"),
        ("yacht(dice_sides=100)", "memory"),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_what_cannot_be_loaded_is_told_in_one_sentence(text: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as refusal:
        load(text)
    assert_one_sentence(str(refusal.value))
    assert capfd.readouterr() == ("", "")


def test_a_crash_is_not_remembered_as_a_success() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="crashes"):
            load("connect_four(rows=0)")


def test_a_game_that_only_this_process_knows_is_not_tried_elsewhere() -> None:
    openspiel.prove("openspiel:mine(size=3)", "mine", {"size": 3})


def test_the_package_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match="pip install open_spiel"):
        load("tic_tac_toe")


def test_the_package_itself_imports_no_adapter() -> None:
    code = (
        "import sys, sevenfold; print({'pyspiel', 'pettingzoo', 'gymnasium', 'sevenfold.adapters'} & set(sys.modules))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("text", "options", "name"),
    [
        ("hex", {}, "hex"),
        ("hex()", {}, "hex"),
        ("hex", {"board_size": 5}, "hex(board_size=5)"),
        (" hex ( num_rows = 4 , num_cols = 5 ) ", {}, "hex(num_cols=5,num_rows=4)"),
        ("hex(board_size=5)", {"board_size": 4, "swap": True}, "hex(board_size=4,swap=True)"),
        ("hex(swap=true)", {}, "hex(swap=True)"),
        ("nim(pile_sizes=3;4)", {"is_misere": False}, "nim(is_misere=False,pile_sizes=3;4)"),
        ("misere(game=misere(game=nim))", {}, "misere(game=misere(game=nim()))"),
        ("misere", {"game": "nim(pile_sizes=3;4)"}, "misere(game=nim(pile_sizes=3;4))"),
        (turn_based(r"laser_tag(grid='S..\n..S',horizon=9)"), {}, turn_based(r"laser_tag(grid='S..\n..S',horizon=9)")),
        ("universal_poker(stack=1200 1200)", {}, "universal_poker(stack=1200 1200)"),
    ],
)
def test_a_name_holds_the_parameters_and_loads_again(text: str, options: dict[str, Any], name: str) -> None:
    game = load(text, **options)
    assert game.name == game.spec == f"openspiel:{name}"
    assert sf.game(game.name) == game
    assert game.options == {}


def test_parameters_arrive() -> None:
    assert load("hex(board_size=5)").actions == 25
    assert load("hex", board_size=4).planes == (9, 4, 4)
    assert load(turn_based("goofspiel(num_cards=4)")).actions == 4


def test_facts_are_those_of_openspiel() -> None:
    leduc = load("leduc_poker")
    assert (leduc.players, leduc.actions, leduc.outcomes) == (2, 3, 6)
    assert (leduc.min_return, leduc.max_return, leduc.sum) == (-13, 13, "zero")
    assert (leduc.planes, leduc.features, leduc.max_plies) == ((0, 0, 0), 30, 0)
    assert leduc.abilities == ("chance", "observe", "redeal", "view")
    hex5 = load("hex(board_size=5)")
    assert (hex5.outcomes, hex5.planes, hex5.features, hex5.max_plies) == (0, (9, 5, 5), 0, 25)
    assert hex5.abilities == ("observe",)
    assert load("cliff_walking").max_return == 0  # OpenSpiel says -9, but a game begins at 0
    assert load("bargaining").sum == "any"
    assert "observe" not in load("coin_game").abilities
    assert load("chess(chess960=True)").has_chance  # its type says "deterministic"


def test_observations_are_the_tensors_of_openspiel() -> None:
    state, theirs = load("connect_four").new(), pyspiel.load_game("connect_four").new_initial_state()
    for action in (3, 3, 2):
        state.play(action)
        theirs.apply_action(action)
    for viewer in (0, 1):
        assert state.observe(viewer).planes.ravel().tolist() == theirs.observation_tensor(viewer)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(sf.game("tic_tac_toe"), "tic_tac_toe"), (sf.game("connect_four"), "connect_four")]
)
def test_our_game_agrees_with_theirs_in_random_games(ours: sf.Game, theirs: str) -> None:
    rng, other, results = random.Random(1), load(theirs), Counter[float]()
    for _ in range(200):
        a, b = ours.new(), other.new()
        while True:
            assert a.to_move == b.to_move
            assert sorted(a.legal_actions()) == sorted(b.legal_actions())
            assert a.returns() == b.returns()
            if a.is_over:
                break
            action = rng.choice(a.legal_actions())
            a.play(action)
            b.play(action)
        results[a.returns()[0]] += 1
    assert results[1] > 20
    assert results[-1] > 20


MERGED = {
    "breakthrough": "breakthrough(columns=3,rows=4)",
    "clobber": "clobber(columns=3,rows=3)",
    "connect_four": "connect_four(columns=4,rows=4)",
    "havannah": "havannah(board_size=2)",
    "hex": "hex(board_size=3)",
    "mnk": "mnk(k=3,m=3,n=3)",
    "nim": "nim(pile_sizes=2;3)",
    "othello": "othello",
    "pentago": "pentago",
    "tic_tac_toe": "tic_tac_toe",
    "y": "y(board_size=3)",
}


@pytest.mark.parametrize("name", sorted(openspiel.BOARD_IS_ALL))
def test_positions_with_one_hash_are_one_position(name: str) -> None:
    """Positions that hash equal have the same moves, returns and observations, and so have their children."""
    game = load(MERGED[name])
    rng, found, ways = random.Random(1), {}, defaultdict(set)

    def facts(state: sf.State) -> tuple[Any, ...]:
        seen = tuple(
            state.observe(viewer).planes.tobytes() + state.observe(viewer).features.tobytes() for viewer in (0, 1)
        )
        children = []
        for action in state.legal_actions()[:8]:
            child = state.copy()
            child.play(action)
            children.append((child.hash(), child.to_move, tuple(child.returns())))
        return state.to_move, tuple(state.legal_actions()), tuple(state.returns()), seen, tuple(children)

    for _ in range(150):
        state = game.new()
        for _ in range(10):  # early plies, where the same positions come up again and again
            key = state.hash()
            ways[key].add(tuple(state.history))
            assert found.setdefault(key, facts(state)) == facts(state)
            if state.is_over:
                break
            state.play(rng.choice(state.legal_actions()[:4]))
    assert max(map(len, ways.values())) > 1, "no position was reached in two ways: the test is empty"


@pytest.mark.parametrize("text", ["chess", "oware", "checkers", "leduc_poker", "dots_and_boxes"])
def test_elsewhere_other_moves_are_another_position(text: str) -> None:
    """A text alone does not tell such positions apart: repetitions, ply limits, owners of lines, hidden cards."""
    game, rng, histories = load(text), random.Random(1), {}
    for _ in range(20):
        state = game.new()
        while not state.is_over and len(state.history) < 20:
            assert histories.setdefault(state.hash(), state.history) == state.history
            state.play(rng.choice(state.legal_actions()))
    assert len(histories) > 80


def test_knights_that_go_out_and_back_are_not_where_they_were() -> None:
    """The board of chess repeats itself, but draws by repetition are counted: the position is another one."""
    game = load("chess")
    state = game.new()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
        state.play(state.parse_action(move))
    assert str(state).split()[0] == str(game.new()).split()[0]
    assert state.hash() != game.new().hash()


def test_a_redealt_world_hashes_by_its_cards() -> None:
    """The worlds that gin_rummy deals keep the history of the first one."""
    state = load("gin_rummy").new(1)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    worlds = [state.redeal(0, seed) for seed in range(20)]
    texts = {str(world): world.hash() for world in worlds}
    assert len(texts) > 10
    assert len(set(texts.values())) == len(texts)


def test_redeal_is_offered_only_where_openspiel_resamples() -> None:
    offered = {name for name in ("kuhn_poker", "leduc_poker", "hearts", "liars_dice", "dark_hex") if _redeals(name)}
    assert offered == {"kuhn_poker", "leduc_poker", "hearts"}


def _redeals(name: str) -> bool:
    return "redeal" in load(name).abilities


def test_a_redeal_shows_every_card_that_is_possible_and_no_other() -> None:
    state = load("kuhn_poker").new(3)
    while state.to_move == sf.CHANCE:
        state.play_chance()
    own, hidden = state.history
    dealt = {str(state.redeal(0, seed)) for seed in range(50)}
    assert dealt == {f"{own} {card}" for card in range(3) if card != own}
    assert str(state) == f"{own} {hidden}"


def test_a_view_hides_the_other_hand() -> None:
    game = load("kuhn_poker")
    assert game.replay([0, 1]).view(0) == game.replay([0, 2]).view(0)
    assert game.replay([0, 1]).view(1) != game.replay([0, 2]).view(1)
    silent = load(turn_based("python_iterated_prisoners_dilemma(max_game_length=5)"))  # OpenSpiel has no text for it
    assert silent.has_hidden_information
    assert silent.replay([0]).view(1) == silent.replay([1]).view(1)
    assert silent.replay([0]).view(0) != silent.replay([1]).view(0)


@pytest.mark.parametrize("text", ["hearts", "euchre", "bridge(use_double_dummy_result=False)", "oh_hell"])
def test_a_redealt_world_can_be_played_to_the_end(text: str) -> None:
    """OpenSpiel itself deals hands here that run out of cards or could not have played what was played."""
    game, rng, possible = load(text), random.Random(1), 0
    state = game.new(1)
    while not state.is_over:
        if state.to_move == sf.CHANCE:
            state.play_chance()
            continue
        world = state.redeal(state.to_move, rng.getrandbits(60))
        world.playouts(1, 1)
        possible += openspiel._was_possible(world.rules.state)
        state.play(rng.choice(state.legal_actions()))
    assert possible > 10


def test_a_redeal_at_a_chance_node_is_refused() -> None:
    state = load("hearts").new()
    assert state.to_move == sf.CHANCE
    with pytest.raises(ValueError, match="cannot be redealt in this position"):
        state.redeal(0, 1)


def test_returns_before_the_end() -> None:
    paid_at_the_end = load("repeated_leduc_poker")
    paid_on_the_way = load("cliff_walking")
    state = paid_on_the_way.new()
    state.play(state.parse_action("UP"))
    assert state.returns() == [-1.0]
    for seed in range(5):
        state, rng = paid_at_the_end.new(seed), random.Random(seed)
        while not state.is_over:
            assert state.returns() == [0.0, 0.0]
            state.play_chance() if state.to_move == sf.CHANCE else state.play(rng.choice(state.legal_actions()))


class Fake:
    """A state of OpenSpiel that says what a test wants."""

    def __init__(self, words: list[str], chances: list[float] | None = None) -> None:
        self.words, self.chances = words, chances or []

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return list(range(len(self.words)))

    def action_to_string(self, player: int, action: int) -> str:
        return self.words[action]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.chances))


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a"], ["a#0", "b", "a#2"]),
        (["", " a "], ["#0", "a"]),
        (["a", "a", "a#1"], ["#0", "#1", "#2"]),
    ],
)
def test_each_action_has_a_text_of_its_own(words: list[str], texts: list[str]) -> None:
    position = openspiel.Position(Fake(words))
    assert [position.action_text(action) for action in range(len(words))] == texts


def test_impossible_outcomes_are_dropped_and_the_rest_adds_up_to_1() -> None:
    assert openspiel.WithChance(Fake([], [0.5, 0.0, 0.5])).chance() == [(0, 0.5), (2, 0.5)]
    assert openspiel.WithChance(Fake([], [0.3, 0.3])).chance() == [(0, 0.5), (1, 0.5)]


def test_an_error_of_openspiel_in_the_middle_of_a_game_is_a_sentence() -> None:
    """With so many seeds oware is longer than OpenSpiel's own limit."""
    with pytest.raises(ValueError, match=r"OpenSpiel cannot play openspiel:oware.* on: ") as refusal:
        load("oware(num_seeds_per_house=100)").new().playouts(5, 1)
    assert_one_sentence(str(refusal.value))


def test_too_many_at_once_is_one_sentence() -> None:
    class Many(openspiel.WithChance):
        game_text = "openspiel:many"

    position = Many(Fake(["x"] * 4097, [1 / 4097] * 4097))
    with pytest.raises(ValueError, match="a position with 4097 actions; a game here has at most 4096 at once"):
        position.legal_actions()
    with pytest.raises(ValueError, match="a position with 4097 chance outcomes"):
        position.chance()


def test_players_and_records_take_them() -> None:
    for text in ("hex(board_size=3)", "leduc_poker"):
        game = load(text)
        thinker, state = sf.player("montecarlo:simulations=30,seed=1", game), game.new(1)
        while not state.is_over:
            state.play_chance() if state.to_move == sf.CHANCE else state.play(thinker.think(state).action)
        record = sf.Record.from_line(sf.Record.of(state).to_line())
        assert record.replay().returns() == state.returns()


def test_a_known_position_is_solved() -> None:
    """The winning move of a won tic-tac-toe, found by the search of ours on rules of theirs."""
    game = load("tic_tac_toe")
    state = game.replay([0, 3, 1, 4])
    assert sf.player("montecarlo:simulations=300,seed=1", game).think(state).action == 2
