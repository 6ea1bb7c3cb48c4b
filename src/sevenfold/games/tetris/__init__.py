"""Tetris: modern rules with reachability, spins, hold and the 7-bag; for attack, lines, survival or score."""

from collections.abc import Callable, Mapping
from typing import Any

TITLE = "Tetris"
TITLE_ZH = "俄羅斯方塊"
HOW = (
    "Type a placement: the piece, its orientation (N as it appears, E after a turn clockwise, S, W) and where its "
    "centre comes to rest, column a to j and row from 1: TNe1. h in front uses the hold; m or f behind is a mini or "
    "full spin: hTSe2f."
)
HOW_ZH = (
    "輸入落點：方塊、方向（N 出現時的方向，E 順時針轉一次，S、W）和中心的位置，欄 a 到 j、列從 1 開始：TNe1。"
    "前面加 h 表示使用暫存；後面的 m 或 f 是 mini 或完整的旋轉：hTSe2f。"
)
HOW_PAGE = (
    "Arrows move the piece, ↑ or X turns it right, Z left, ↓ lets it fall, Space drops it, C holds it for later, Esc "
    "pauses; the menu beside the board sets keys and speeds. Full rows go: the more at once, the more they are worth."
)
HOW_PAGE_ZH = (
    "方向鍵移動，↑ 或 X 順時針轉、Z 逆時針轉，↓ 慢降，空白鍵直落，C 暫存，Esc 暫停；"
    "棋盤旁的選單可以設定按鍵和速度。排滿的列會消去，一次消越多越值錢。"
)
OPTIONS_ZH = {
    "pieces": ("方塊數", "放完這麼多方塊就結束"),
    "objective": ("目標", "分數算什麼：攻擊、消行、存活的方塊數或得分"),
    "attack": ("攻擊表", "消行送出多少垃圾：PPT、Jstris、TETR.IO 聯賽或第一季"),
    "kicks": ("旋轉系統", "srs：標準；srs+：TETR.IO，可以轉 180 度；none：只能原地轉"),
    "moves": ("移動", "all：所有到得了的落點；drop：只能直接落下"),
    "spins": ("旋轉獎勵", "t：三角判定的 T 旋；all：其他動不了的方塊也算；+：動不了的 T 也算 mini"),
    "fifth_kick": ("第五次踢牆", "用第五次踢牆的 mini 算完整；從平躺方向轉出才算（TETR.IO）；仍是 mini"),
    "randomizer": ("出塊", "bag：每七塊各一；uniform：完全隨機"),
    "hold": ("暫存", "可以暫存一個方塊"),
    "previews": ("預覽", "看得到接下來幾個方塊"),
    "height": ("高度", "看得見的列數；實際有四十列"),
    "spawn": ("出現位置", "tbp：最上面一列，不行就高一列；guideline：高一列；tetrio：高兩列，消行之後可以再高"),
    "lock_out": ("鎖定出界", "整個方塊在上面就輸；消行後有任何一格在上面就輸；不會輸"),
    "garbage_every": ("垃圾間隔", "每放幾個方塊來一次垃圾；0：沒有"),
    "garbage_rows": ("垃圾列數", "每次幾列"),
    "garbage_cap": ("垃圾上限", "放一個方塊之後最多上升幾列"),
    "garbage_delay": ("垃圾延遲", "垃圾要等幾個方塊才上升"),
    "garbage_blocking": ("消行擋垃圾", "有消行就不上升"),
    "hole_change": ("換洞機率", "每次攻擊換洞的機率"),
    "hole_mess": ("亂洞機率", "同一次攻擊每列換洞的機率"),
    "hole_repeats": ("洞可重複", "換洞時可能還在同一欄"),
    "opener": ("開局", "前幾個方塊的攻擊抵銷兩倍（TETR.IO：14）"),
    "encoding": ("編碼", "神經網路看到什麼和動作編號；document：創始文件的格式"),
}
"""Names and meanings of the options, for the page."""

ADVISER = "beam"
"""Who hints and reviews: a search that plays out games to their end sees nothing here."""

VECTOR_ENV = "sevenfold.games.tetris.environment:VectorEnv"
"""Many games at once, for Gymnasium."""

QUIET_CHANCE = "merged"
"""The queue is dealt piece by piece: the table shows it, and nobody wants to read it."""

PRESETS: dict[str, dict[str, object]] = {
    "ppt": {},
    "jstris50": {"attack": "jstris", "pieces": 50},
    "tetrio": {
        "attack": "tetrio",
        "kicks": "srs+",
        "spins": "all_mini+",
        "fifth_kick": "from_flat",
        "spawn": "tetrio",
        "lock_out": "none",
        "garbage_cap": 8,
        "garbage_blocking": True,
        "hole_mess": 0.0,
        "hole_repeats": True,
        "opener": 14,
    },
    "cheese": {"garbage_every": 3, "objective": "lines"},
    "classic": {
        "objective": "lines",
        "pieces": 20000,
        "moves": "drop",
        "spins": "none",
        "randomizer": "uniform",
        "hold": False,
        "previews": 0,
        "height": 10,
        "lock_out": "any",
    },
    "document": {"encoding": "document"},
}


LEVELS = {
    "beginner": "random",
    "easy": "dellacherie",
    "medium": "beam:width=8,samples=0",
    "hard": "beam:width=60,samples=0",
    "strongest": "beam:seconds=0.3",
}
LEVELS_ABOUT = {
    "beginner": ("Puts pieces anywhere.", "隨便放。"),
    "easy": ("Keeps the stack flat, one piece at a time.", "一次只看一塊，把堆疊放平。"),
    "medium": ("Looks at all the pieces it sees, but at few ways to place them.", "看所有的預覽，但只看少數放法。"),
    "hard": ("Builds for spins and quads over all the pieces it sees.", "用所有預覽準備 T 旋和四消。"),
    "strongest": (
        "Searches widely, and over pieces that are still to come.",
        "搜尋得很廣，也考慮還沒出現的方塊。",
    ),
}


def perft(given: Mapping[str, str | bool], progress: Callable[[int], None] | None) -> dict[str, Any]:
    """`sevenfold perft tetris --queue IOLJ [--spins] [--kicks srs|srs+] [--board 3fd,3f9,…] [--spawn 4,19]`."""
    from sevenfold.games.tetris.counting import count

    return count(given, progress)


def __getattr__(name: str) -> Any:
    """PLAYERS and FORMATS, loaded when somebody asks for them."""
    if name == "PLAYERS":
        from sevenfold.games.tetris.players import PLAYERS
        from sevenfold.games.tetris.tbp import TbpPlayer

        return {**PLAYERS, "tbp": TbpPlayer}
    if name == "FORMATS":
        from sevenfold.games.tetris import fumen_game

        return {"fumen": (fumen_game.write, fumen_game.read)}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
