"""Easycard: a small card game with dice, for testing searches. Fixed, dealt and drawn hands as presets."""

from typing import Any

from sevenfold._core import TERMINAL, State
from sevenfold.game import Game

TITLE = "Easycard"
TITLE_ZH = "簡易卡牌"
HOW = (
    "Type an action's word. Strike: 2 dice, 2 damage, 1 energy. Burst: 3 dice and 2 energy, 5 damage. "
    "Cards: swift (the next strike keeps your turn), cheap (the next strike costs 1 die), "
    "a snack to heal 1 or to attack with 1 more (1 die, once a round), field (2 dice: a die more each round), "
    "pet (2 dice: 1 damage at the end of two rounds). "
    "Strike, burst, pet and pass give the turn away; who passes is out of the round. "
    "No hp left loses; after {rounds} rounds the higher hp wins."
)
HOW_ZH = (
    "輸入動作的英文字。strike 打擊：2 骰，傷害 2，能量 +1。burst 爆發：3 骰和 2 能量，傷害 5。"
    "卡牌：swift 快攻（下次打擊後仍輪到你）、cheap 省骰（下次打擊只要 1 骰）、"
    "點心可以 heal 回復 1 點或 attack 讓下次打擊多 1 傷害（1 骰，每回合一次）、"
    "field 場地（2 骰：之後每回合多 1 骰）、pet 寵物（2 骰：兩個回合結束時各造成 1 傷害）。"
    "打擊、爆發、寵物和 pass 結束會把行動權交給對方；pass 之後本回合不能再行動。"
    "生命歸零就輸；{rounds} 回合後生命較高的人獲勝。"
)
HOW_PAGE = "A duel with dice and cards: bring the other down to no hit points. " + HOW.removeprefix(
    "Type an action's word. "
)
HOW_PAGE_ZH = (
    "用骰子和卡牌對決，先讓對方生命歸零的人獲勝。打擊：2 骰，傷害 2，能量 +1。爆發：3 骰和 2 能量，傷害 5。"
    "卡牌：快攻（下次打擊後仍輪到你）、省骰（下次打擊只要 1 骰）、"
    "點心可以回復 1 點生命，或讓下次打擊多 1 傷害（1 骰，每回合一次）、"
    "場地（2 骰：之後每回合多 1 骰）、寵物（2 骰：兩個回合結束時各造成 1 傷害）。"
    "打擊、爆發、寵物和結束會把行動權交給對方；結束之後本回合不能再行動。{rounds} 回合後生命較高的人獲勝。"
)
OPTIONS_ZH = {
    "hp": ("生命", "生命點數，也是回復的上限"),
    "start_hp": ("起始生命", "雙方各從這個數到生命上限之間隨機開始；0：從上限開始"),
    "dice": ("骰子", "每回合的骰子數"),
    "coins": ("硬幣", "每回合擲的硬幣數，每個正面多一顆骰子"),
    "rounds": ("回合", "回合數，之後生命較高的人獲勝"),
    "deal": (
        "發牌",
        "fixed：所有牌都在手上；same：雙方相同的隨機手牌；piles：各從自己的牌堆隨機抽牌，之後每回合多一張",
    ),
    "hand": ("手牌", "隨機手牌的張數；固定手牌時為 0"),
    "swift": ("快攻", "這種牌在手上或牌堆裡的張數"),
    "cheap": ("省骰", "這種牌在手上或牌堆裡的張數"),
    "snack": ("點心", "這種牌在手上或牌堆裡的張數"),
    "field": ("場地", "這種牌在手上或牌堆裡的張數"),
    "pet": ("寵物", "這種牌在手上或牌堆裡的張數"),
    "hidden": ("蓋牌", "手牌不公開（使用牌堆時）：只知道對方有幾張牌"),
}
"""Names and meanings of the options, for the page."""
SEAT_NAMES = (("Red", "紅方"), ("Blue", "藍方"))
SEATS = ("[bold red]◆[/]", "[bold cyan]◇[/]")

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


def strongest(game: Game) -> str:
    """With open hands alpha-beta and the fitted evaluation: at equal time it won all of 12 games against `uct` in the
    preset arena, and is as good where there is much chance."""
    return "uct:seconds=2" if game.has_hidden_information else "alphabeta:seconds=2"


LEVELS = {"strongest": strongest}


def __getattr__(name: str) -> Any:
    """PLAYERS, loaded when somebody asks for them: a solver is no part of drawing a table."""
    if name == "PLAYERS":
        from sevenfold.games.easycard.perfect import PLAYERS

        return PLAYERS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def review_bonus(state: State, action: int) -> float:
    """The founding document's reward for a pass that keeps much back: 10 points with more than 3 dice left, or more
    than 5 with a field, which gives another die each round."""
    if state.action_text(action) != "pass":
        return 0.0
    _, dice, _, _, marks, _, _ = state.to_text().split("/")[1 + state.to_move].split()
    return 10.0 if int(dice) > (5 if "F" in marks else 3) else 0.0


# The words of the table, in the order of the position's text. In Chinese a card keeps its English word, which is typed.
WORDS = "swift,cheap,snack,field,pet,swift,cheap,food,ate,field,ended,hp,dice,energy,pet,hand,pile,round,none"
WORDS_ZH = (
    "快攻 swift,省骰 cheap,點心 snack,場地 field,寵物 pet,快攻,省骰,加料,已吃,場地,已結束,"
    "生命,骰子,能量,寵物,手牌,牌庫,回合,無"
)
COLOURS = ("red", "cyan")
BAR = 20


def draw(state: State, last: int | None) -> str:
    """The table in rich markup: a block for each player with hp as a bar, dice and energy as dots, and the cards."""
    from sevenfold.lang import of_room

    words = (of_room(state.game, "WORDS") or WORDS).split(",")
    cards, flags = words[:5], words[5:11]
    hp, dice, energy, pet, hand, pile, round_word, none = words[11:]
    head, *sides = state.to_text().split("/")
    number, mover, _ = head.split()
    most = int(state.game.options["hp"])

    def held(counts: str) -> str:
        return (
            "  ".join(
                f"[bold]{card}[/]" + (f"×{count}" if count != "1" else "")
                for card, count in zip(cards, counts, strict=True)
                if count != "0"
            )
            or f"[dim]{none}[/]"
        )

    lines = [f"[dim]{round_word} {number}/{state.game.options['rounds']}[/]"]
    for player, side in enumerate(sides):
        points, thrown, charge, timer, marks, in_hand, in_pile = side.split()
        colour = COLOURS[player]
        full = -(-BAR * int(points) // most)
        turn = "▶" if state.to_move != TERMINAL and int(mover) == player else " "
        set_flags = "  ".join(f"[reverse] {flags['scfaFe'.index(mark)]} [/]" for mark in marks if mark != "-")
        lines += [
            f"{turn}{SEATS[player]} {hp} [{colour}]{'█' * full}[/][dim]{'░' * (BAR - full)}[/] [bold]{points}[/]/{most}"
            f"   {pet} [bold]{timer}[/]  {set_flags}".rstrip(),
            f"   {dice} [bold]{'●' * int(thrown)}[/] {thrown}   {energy} {'★' * int(charge)}{'☆' * (2 - int(charge))}",
            f"   {hand}  {held(in_hand)}" + (f"   [dim]{pile}[/]  {held(in_pile)}" if in_pile != "00000" else ""),
        ]
    return "\n".join(lines)
