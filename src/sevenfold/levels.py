"""Opponents in plain words, for people who know no player by name: beginner, easy, medium, hard, strongest.

Every game has all five, by its abilities. The weak ones look at few random games and see no tactics; the strong ones
search as long as people like to wait. A room may say better by `LEVELS` in its `__init__.py`: from a level's id to the
text of a player, or to a function that gives one for the game with its options; and what they are like by
`LEVELS_ABOUT`, from a level's id to a sentence in English and one in Chinese.

Players are named without a seed: whoever seats one gives it, else every game is the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from sevenfold import models
from sevenfold._core import CHANCE
from sevenfold.game import Game
from sevenfold.options import shown

LevelId = Literal["beginner", "easy", "medium", "hard", "strongest"]
LEVEL_IDS: tuple[LevelId, ...] = get_args(LevelId)
Words = dict[str, str]


@dataclass(frozen=True)
class Level:
    """An opponent in plain words."""

    id: LevelId
    player: str
    """The text of the player behind it, such as "uct:seconds=2"."""
    title: Words
    """Its name, by language."""
    about: Words
    """A sentence on how it plays, by language."""


TITLES: dict[LevelId, Words] = {
    "beginner": {"en": "Beginner", "zh-TW": "新手"},
    "easy": {"en": "Easy", "zh-TW": "簡單"},
    "medium": {"en": "Medium", "zh-TW": "中等"},
    "hard": {"en": "Hard", "zh-TW": "困難"},
    "strongest": {"en": "Strongest", "zh-TW": "最強"},
}
ABOUT: dict[LevelId, Words] = {
    "beginner": {
        "en": "Has a vague idea of the game and overlooks a lot. Good for a first game.",
        "zh-TW": "只有模糊的概念，常常看漏。適合第一次玩的人。",
    },
    "easy": {
        "en": "Means well, but does not look far ahead.",
        "zh-TW": "下得認真，但看得不遠。",
    },
    "medium": {
        "en": "Sees what threatens next and punishes careless moves.",
        "zh-TW": "看得到眼前的威脅，會懲罰大意的一步。",
    },
    "hard": {
        "en": "Looks at thousands of continuations before every move.",
        "zh-TW": "每一步之前都會看過數千種後續變化。",
    },
    "strongest": {
        "en": "The best we have for this game; thinks for up to two seconds.",
        "zh-TW": "這個遊戲目前最強的對手，每一步最多思考兩秒。",
    },
}

PLAIN = "policy=false,solver=false,decisive=false,forced=false,forced_win=false"
"""For `uct`: without any step that sees tactics, so that what a few random games do not show is overlooked."""
GAMES_PER_ACTION: dict[LevelId, int] = {"beginner": 2, "easy": 8, "medium": 100}
"""Simulations for each action that there is to choose from, so that many actions do not make nonsense of a level."""


def levels(game: Game) -> list[Level]:
    """The five opponents of a game, weak to strong."""
    own = getattr(game.room, "LEVELS", {})
    if not isinstance(own, dict) or not own.keys() <= set(LEVEL_IDS):
        raise ValueError(f"LEVELS of {game.name} must give players for some of: {', '.join(LEVEL_IDS)}.")
    usual = _usual(game)
    about = ABOUT | {one: {"en": en, "zh-TW": zh} for one, (en, zh) in getattr(game.room, "LEVELS_ABOUT", {}).items()}
    return [Level(one, _text(game, own.get(one, usual[one])), TITLES[one], about[one]) for one in LEVEL_IDS]


def _text(game: Game, chosen: str | Callable[[Game], str]) -> str:
    text = chosen(game) if callable(chosen) else chosen
    if not isinstance(text, str):
        raise ValueError(f"LEVELS of {game.name} must name players by texts, not {shown(text)}.")
    return text


def _usual(game: Game) -> dict[LevelId, str]:
    """The players for a game of which only the abilities are known."""
    games = {one: count * _width(game) for one, count in GAMES_PER_ACTION.items()}
    if game.has_hidden_information and not {"view", "observe"} & set(game.abilities):  # what uct needs
        return {one: f"montecarlo:simulations={games[one]}" for one in GAMES_PER_ACTION} | {
            "hard": f"montecarlo:simulations={3 * games['medium']}",
            "strongest": f"montecarlo:simulations={10 * games['medium']}",
        }
    worlds = ",worlds=start" if game.has_hidden_information and "redeal" not in game.abilities else ""
    strongest = "alphazero:seconds=2" if _has_net(game) else f"uct:seconds=2{worlds}"
    return {
        "beginner": f"uct:simulations={games['beginner']},seconds=0.2,{PLAIN}{worlds}",
        "easy": f"uct:simulations={games['easy']},seconds=0.2,{PLAIN}{worlds}",
        "medium": f"uct:simulations={games['medium']},seconds=0.2{worlds}",
        "hard": f"uct:seconds=0.3{worlds}",
        "strongest": strongest,
    }


def _has_net(game: Game) -> bool:
    """Whether `alphazero` can play this game with a net of the room's."""
    worlds = not game.has_hidden_information or "redeal" in game.abilities
    return worlds and "observe" in game.abilities and models.playable(game)


def _width(game: Game) -> int:
    """How many actions there are to choose from at the first decision."""
    state = game.new()
    while state.to_move == CHANCE:
        state.play_chance()
    return max(2, len(state.legal_actions()))
