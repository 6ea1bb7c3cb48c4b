"""What people read in the terminal and on the page: how it is played, the options in Chinese, the table in Chinese."""

import re

from sevenfold.games.invokation.catalogue import (
    ELEMENTS,
    KINDS,
    Item,
    catalogue,
    character,
    cost_text,
    folded,
    thing,
)

HOW = (
    "Three characters a side, {rounds} rounds at most; who has lost all three has lost. Each round you roll eight dice "
    "and may reroll some once. A skill of the active character, a switch (1 die), a talent card and the end of your "
    "round are combat actions: the other is next; other cards and tuning (a card makes a die your active character's "
    "element) are fast. Type an action as `moves` shows it: a skill's name, switch to Kaeya, "
    "play Sweet Madame on Diluc, tune Geo with Paimon, end. "
    "A card's, a character's or a status's name behind a question mark says what it does: ? Sweet Madame."
)
HOW_ZH = (
    "雙方各三個角色，至多 {rounds} 回合；三個角色都倒下的人輸。每回合擲八個骰子，可重擲一次。"
    "出戰角色的技能、切換角色（1 骰）、天賦牌與結束回合是戰鬥行動，之後輪到對方；其他手牌與元素調和"
    "（捨棄一張牌，把一個骰子變成出戰角色的元素）是快速行動。輸入 moves 列出的英文即可：技能名、switch to Kaeya、"
    "play Sweet Madame on Diluc、tune Geo with Paimon、end。"
    "問號後面寫牌、角色或狀態的名稱，就能看到它的效果：? 甜甜花釀雞。"
)
HOW_PAGE = (
    "Bring down all three characters of the other side. Each round you roll eight dice and pay skills, switches and "
    "cards with them. A skill, a switch, a talent card and the end of your round are combat actions: the other is "
    "next. Other cards and tuning are fast: you go on. Elements that meet react: they do more, freeze, or hit those "
    "behind. Choose a card to see what can be done with it; point at anything to read what it does. "
    "After {rounds} rounds nobody wins."
)
HOW_PAGE_ZH = (
    "打倒對方三個角色的人獲勝。每回合擲八個骰子，用來支付技能、切換與手牌。技能、切換、天賦牌與結束回合是戰鬥行動，"
    "之後輪到對方；其他手牌與調和是快速行動，可以繼續。元素相遇會發生反應：傷害更高、凍結，或波及後台。"
    "先選一張手牌，再選要怎麼用；指著任何東西就能看到說明。{rounds} 回合後無人獲勝。"
)
OPTIONS_ZH = {
    "deck0": ("座位一的牌組", "範例牌組的字母（A 到 D），或以分號隔開的三個角色與 30 張牌"),
    "deck1": ("座位二的牌組", "範例牌組的字母（A 到 D），或以分號隔開的三個角色與 30 張牌"),
    "rounds": ("回合", "回合數，之後無人獲勝"),
    "version": ("版本", "採用哪個官方版本的數值與花費"),
    "dice": ("骰子", "roll：擲骰；omni：所有骰子都是萬能"),
    "pay": ("支付", "auto：用最不需要的骰子支付；choose：自己選每個骰子"),
    "lists": ("牌組資訊", "known：知道對方牌組的所有牌；archetype：只知道這種隊伍常用的牌"),
    "disputed": ("爭議規則", "模擬器之間不同的地方：official 依官方文字；lpsim 依 LPSim"),
}
"""Names and meanings of the options, for the page."""
SEAT_NAMES = (("First", "先座"), ("Second", "後座"))
SEATS = ("[bold red]◆[/]", "[bold cyan]◇[/]")

_PHRASES = (
    (r"^round (\d+), ", r"第 \1 回合，"),
    (r"who begins is drawn$", "抽籤決定先手"),
    (r"player (\d) draws a card$", r"玩家 \1 抽牌"),
    (r"player (\d) rolls dice$", r"玩家 \1 擲骰"),
    (r"player (\d) may redraw$", r"玩家 \1 可以換牌"),
    (r"player (\d) chooses an active character$", r"玩家 \1 選擇出戰角色"),
    (r"player (\d) may reroll$", r"玩家 \1 可以重擲"),
    (r"player (\d) chooses the next active character$", r"玩家 \1 選擇下一個出戰角色"),
    (r"player (\d) to move$", r"輪到玩家 \1"),
    (r"player (\d) pays$", r"玩家 \1 支付骰子"),
    (r"over: nobody has won$", "結束：無人獲勝"),
    (r"over: player (\d) has won$", r"結束：玩家 \1 獲勝"),
    (r"^player (\d)", r"玩家 \1"),
    (r" \(ended the round\)", "（已結束回合）"),
    (r" defeated$", " 倒下"),
    (r" hp, energy ", " 生命，充能 "),
    (r"^   statuses: ", "   出戰狀態："),
    (r"^   summons: ", "   召喚物："),
    (r"^   supports: ", "   支援："),
    (r"^   dice: ", "   骰子："),
    (r", put aside (\d+)", r"，重擲 \1 個"),
    (r"^   hand: ", "   手牌："),
    (r"; pile: (\d+)$", r"；牌庫 \1"),
    (r"\bempty\b", "無"),
    (r"\bnone\b", "無"),
)


def _names() -> dict[str, str]:
    out = {one["name"]: one["zh"] for part in ("characters", "cards", "things") for one in catalogue()[part]}
    return out | {name: zh for name, zh in ELEMENTS.items() if name not in ("Physical", "Piercing")}


MARK = "\u2060"
"""An invisible sign before each letter of a name that was found, so that a shorter name in it is not found again."""


def _patterns() -> tuple[tuple[str, str], ...]:
    """The table's phrases in Chinese, and every name with its Chinese one behind it: the English one is typed."""
    named = sorted(_names().items(), key=lambda pair: -len(pair[0]))
    found = [(rf"(?<![\w{MARK}]){re.escape(name)}(?![\w'])", _marked(f"{name} {zh}")) for name, zh in named]
    return (*_PHRASES, *found, (MARK, ""))


def _marked(text: str) -> str:
    return "".join(MARK + sign if sign.isalnum() else sign for sign in text)


VIEW_ZH = _patterns()


def listing(chinese: bool) -> str:
    """Every character with its skills, every card and every thing on the table, one line each."""
    lines = [_character_said(one, chinese) for one in catalogue()["characters"]]
    lines += [_card_said(one, chinese) for part in ("cards", "things") for one in catalogue()[part]]
    return "\n".join(lines)


def explain(name: str, chinese: bool) -> str | None:
    """The lines about a character, a skill, a card or a thing on the table; None where nothing has that name."""
    if one := character(name):
        return _character_said(one, chinese)
    if found := thing(name):
        return _card_said(found, chinese)
    skills = [skill for one in catalogue()["characters"] for skill in one["skills"]]
    same = [skill for skill in skills if folded(name) in (folded(skill["name"]), folded(skill["zh"]))]
    return _skill_said(same[0], chinese) if same else None


def _character_said(one: Item, chinese: bool) -> str:
    return "\n".join([f"{one['name']} {one['zh']}", *(f"  {_skill_said(skill, chinese)}" for skill in one["skills"])])


def _skill_said(one: Item, chinese: bool) -> str:
    return f"{one['name']} {one['zh']} ({cost_text(one['cost'], chinese)}): {_said(one, chinese)}"


def _card_said(one: Item, chinese: bool) -> str:
    kind = KINDS.get(one["kind"], one["kind"]) if chinese else one["kind"]
    price = cost_text(one["cost"], chinese) if "cost" in one else kind
    return f"{one['name']} {one['zh']} ({price}): {_said(one, chinese)}"


def _said(one: Item, chinese: bool) -> str:
    return str(one["text_zh"] if chinese else one["text"])
