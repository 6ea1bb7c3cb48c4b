"""Easycard: a small card game with dice, for testing searches. Fixed, dealt and drawn hands as presets."""

TITLE = "Easycard"
TITLE_ZH = "簡易卡牌"

PRESETS: dict[str, dict[str, object]] = {
    "small": {},
    "arena": {
        "hp": 30,
        "start_hp": 24,
        "dice": 8,
        "rounds": 10,
        "deal": "same",
        "hand": 8,
        "swift": 3,
        "cheap": 3,
        "snack": 4,
        "field": 2,
        "pet": 3,
    },
    "chance": {
        "hp": 12,
        "dice": 3,
        "coins": 6,
        "rounds": 6,
        "deal": "piles",
        "hand": 3,
        "swift": 2,
        "cheap": 2,
        "snack": 3,
        "field": 1,
        "pet": 2,
    },
}
