"""Tetris for two, in turn: what a clear is worth becomes garbage for the other, and who tops out loses."""

from typing import Any

from sevenfold.games import tetris

TITLE = "Tetris versus"
TITLE_ZH = "俄羅斯方塊對戰"
HOW = tetris.HOW + " What your clears send rises on the other side; who has no room left loses."
HOW_ZH = tetris.HOW_ZH + "消行送出的垃圾會從對方底下升起；沒有空間的人輸。"
HOW_PAGE = tetris.HOW_PAGE + " What your clears send rises on the other side; who has no room left loses."
HOW_PAGE_ZH = tetris.HOW_PAGE_ZH + "消行送出的垃圾會從對方底下升起；沒有空間的人輸。"
OPTIONS_ZH = {
    **{
        key: words
        for key, words in tetris.OPTIONS_ZH.items()
        if key not in ("objective", "garbage_every", "garbage_rows")
    },
    "pieces": ("方塊數", "每人放完這麼多方塊就和局"),
}
SEAT_NAMES = (("Left", "左方"), ("Right", "右方"))
QUIET_CHANCE = "merged"

PRESETS: dict[str, dict[str, object]] = {
    "ppt": {},
    "jstris": {"attack": "jstris"},
    "tetrio": tetris.PRESETS["tetrio"],
    "document": {"encoding": "document"},
}

ADVISER = tetris.ADVISER
LEVELS = {**tetris.LEVELS, "strongest": "guided:seconds=0.3"}
LEVELS_ABOUT = {
    **tetris.LEVELS_ABOUT,
    "strongest": (
        "Searches widely, and a net that sees both sides judges where it leads.",
        "搜尋得很廣，由看得到雙方的神經網路判斷結果。",
    ),
}


def __getattr__(name: str) -> Any:
    """PLAYERS and FORMATS, loaded when somebody asks for them."""
    if name == "PLAYERS":
        from sevenfold.games.tetris_versus.players import GuidedPlayer

        return {**tetris.PLAYERS, GuidedPlayer.name: GuidedPlayer}
    if name == "FORMATS":
        return tetris.FORMATS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
