"""Names and texts of every character, skill, card and object on the table, in both languages, from catalogue.json.

A name is understood in English or Chinese, whatever its case, spaces and script: `card("changing shifts")`,
`card("換班時間")`, `card("换班时间")`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

Item = dict[str, Any]

ELEMENTS = {
    "Cryo": "冰",
    "Hydro": "水",
    "Pyro": "火",
    "Electro": "雷",
    "Anemo": "風",
    "Geo": "岩",
    "Dendro": "草",
    "Omni": "萬能",
    "Physical": "物理",
    "Piercing": "穿透",
}
"""Elements of dice and damage, with their Chinese names."""
WEAPONS = {"catalyst": "法器", "bow": "弓", "claymore": "雙手劍", "polearm": "長柄武器", "sword": "單手劍"}
KINDS = {
    "event": "事件",
    "resonance": "元素共鳴",
    "food": "料理",
    "location": "場地",
    "companion": "夥伴",
    "weapon": "武器",
    "artifact": "聖遺物",
    "talent": "天賦",
    "generated": "衍生牌",
    "combat status": "出戰狀態",
    "status": "角色狀態",
    "summon": "召喚物",
}

SIMPLIFIED = str.maketrans(
    "奧盧謝爾諾萊夥擲運籌爺還沒輸給堊術縫補護織癒療熱誠強風堅牆蓮煙燻雞釀餅薩獸莊棧蘭凱圓鐵鴉劍纓槍禮殘"
    "長險頭帶兒銀遊醫賭環漬喚綠獵動寶貓搖輝節簾罰論儲飛葉預國亞換時間鶴歸絕雲鍋騎團圖書館劉蘇導緒鷹鳴迴",
    "奥卢谢尔诺莱伙掷运筹爷还没输给垩术缝补护织愈疗热诚强风坚墙莲烟熏鸡酿饼萨兽庄栈兰凯圆铁鸦剑缨枪礼残"
    "长险头带儿银游医赌环渍唤绿猎动宝猫摇辉节帘罚论储飞叶预国亚换时间鹤归绝云锅骑团图书馆刘苏导绪鹰鸣回",
)
"""The signs of the names that are written differently in simplified Chinese."""


@cache
def catalogue() -> dict[str, list[Item]]:
    """The file: "characters", "cards" and "things", each a list in the order of the rules."""
    found: dict[str, list[Item]] = json.loads(Path(__file__).with_name("catalogue.json").read_text("utf-8"))
    return found


def folded(name: str) -> str:
    """A name without what people write differently: case, spaces, marks, and the script of Chinese."""
    return "".join(letter for letter in name.casefold() if letter.isalnum()).translate(SIMPLIFIED)


@cache
def _index(part: str) -> dict[str, Item]:
    out: dict[str, Item] = {}
    for item in catalogue()[part]:
        short = item["name"].removeprefix("Elemental Resonance: ")
        for name in (
            item["name"],
            short,
            item["zh"],
            item["zh"].removeprefix("元素共鳴："),
            str(item.get("number", "")),
        ):
            if folded(name):
                out[folded(name)] = item
    return out


def character(name: str) -> Item | None:
    """A character by its English or Chinese name or its number."""
    return _index("characters").get(folded(name))


def card(name: str) -> Item | None:
    """A card by its English or Chinese name or its number."""
    return _index("cards").get(folded(name))


def thing(name: str) -> Item | None:
    """What lies on the table: an object that skills make, or a card that stays."""
    return _index("things").get(folded(name)) or card(name)


def cost_text(cost: str, chinese: bool = False) -> str:
    """ "1Cryo+2Any" for people: "1 Cryo + 2 any", "1 冰 + 2 任意"."""
    if cost == "0":
        return "0"
    words = {"Same": ("same", "相同"), "Any": ("any", "任意"), "En": ("energy", "充能")}
    parts = []
    for part in cost.split("+"):
        name = part[1:]
        en, zh = words.get(name, (name, ELEMENTS.get(name, name)))
        parts.append(f"{part[0]} {zh if chinese else en}")
    return " + ".join(parts)
