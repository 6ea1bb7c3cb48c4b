"""Sevens (排七): four rows growing from the sevens, hidden hands, covered cards. Many tables' rules as presets."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sevenfold._core import TERMINAL, State
from sevenfold.game import Game
from sevenfold.options import plain, shown, whole

TITLE = "Sevens"
TITLE_ZH = "排七"
HOW = (
    "Type a card: S7 or ♠7, H10 or HT, DA, CK. A seven begins its suit; then the row grows from it, down to the ace "
    "and up to the king. If a card of yours fits you must play one; if none fits you cover one face down (or type "
    "pass, in the variants that have it). Cards that you do not play count against you: A=1 … K=13."
)
HOW_ZH = (
    "輸入一張牌：S7 或 ♠7、H10 或 HT、DA、CK（S 黑桃、H 紅心、D 方塊、C 梅花）。"
    "七開門，之後從七往下接到 A、往上接到 K。"
    "有牌必出；沒有牌可出時蓋一張牌，牌面朝下（有 pass 的玩法則輸入 pass）。"
    "沒有打出去的牌要扣分：A 是 1 分，K 是 13 分。"
)
HOW_PAGE = (
    "Play a card that fits: a seven begins its suit, then the row grows from it, down to the ace and up to the king. "
    "If a card of yours fits you must play one; if none fits you lay one face down (or pass, in the variants that have "
    "it). Cards that you do not play count against you, A=1 … K=13: hold back what others wait for, but not too long."
)
HOW_PAGE_ZH = (
    "出一張接得上的牌：七開門，之後從七往下接到 A、往上接到 K。有牌必出；沒有牌可出時蓋一張牌，牌面朝下"
    "（有 pass 的玩法則 pass）。沒有打出去的牌要扣分，A 是 1 分，K 是 13 分：扣住別人等的牌，但別扣太久。"
)
OPTIONS_ZH = {
    "num_players": ("人數", "玩家人數；發 52 張牌，前面的座位多拿一張"),
    "variant": (
        "玩法",
        "cover：沒有牌可出就蓋一張；pass：沒有牌可出就 pass；limited_pass：任何人都可以 pass，用完次數還要 pass 就出局",
    ),
    "start": ("開局", "第一張牌是哪一張七；或四張七先放上桌；或由莊家的下一家用任何一張七開始"),
    "first_seat": ("先手座位", "四張七先放上桌時誰先出；-1：拿到方塊七的人"),
    "end": (
        "結束",
        "all_cards：牌全部出完或蓋完；first_out：有人手牌出完（蓋牌玩法不適用）；first_shutout：有人全部打完",
    ),
    "winner": ("贏家", "誰贏走底池：罰分最低的人；只有零罰分的人；最先出完的人（蓋牌玩法不適用）；沒有人"),
    "ties": ("平手", "幾個人同時贏：平分；比張數再比先後；座位在前的人；大家都不付"),
    "scoring": (
        "計分",
        "seed_pot：輸家付到底池，有倍數；pairwise：兩兩結算；tw_table：50 減罰分再加獎勵；penalty_only：只算罰分；"
        "rank_points：只看名次；cards_left：每張剩牌和每次 pass 付籌碼",
    ),
    "penalty_unit": ("罰分單位", "沒打出的牌按點數或按張數計"),
    "mult_shutout": ("全部打完的倍數", "seed_pot：有人零罰分時；pairwise：恰好一人零罰分時"),
    "mult_dealer_loses": ("莊家輸的倍數", "seed_pot：莊家付幾倍"),
    "mult_dealer_wins": ("莊家贏的倍數", "seed_pot：莊家贏時大家付幾倍"),
    "mult_threshold": ("超過門檻的倍數", "seed_pot：罰分超過門檻的人付幾倍"),
    "threshold": ("門檻", "seed_pot：罰分超過這個數要加倍"),
    "dealer": (
        "莊家",
        "starter：先出的人；rotate、previous_loser、fixed：由莊家座位決定，下一局的換法不同；none：沒有莊家",
    ),
    "dealer_seat": ("莊家座位", "這一局的莊家，除非莊家是先出的人"),
    "no_winner": ("沒有贏家時", "只有零罰分能贏而沒有人零罰分：最低的人贏；大家付而沒有人拿；大家都不付"),
    "all_covered": ("全部蓋光", "全部的牌都蓋掉的人：照付；或反而贏"),
    "last_seven_bonus": ("最後一張七", "seed_pot：贏家全部打完，最後一張是七：大家多付幾倍，或多付固定的分數"),
    "last_seven_value": ("最後一張七的值", "見「最後一張七」"),
    "close_on_end": ("封門", "蓋牌玩法：A 或 K 上桌就封住那一門"),
    "ak_tunnel": ("A 接 K", "A 和 K 也相連"),
    "jokers": ("鬼牌", "鬼牌張數；目前只能是 0"),
    "max_passes": ("pass 次數", "limited_pass：每人可以 pass 幾次"),
    "pass_chip": ("pass 籌碼", "cards_left：每次 pass 付多少籌碼"),
    "observation": ("觀察", "神經網路看到什麼"),
    "void_mode": ("缺牌紀錄", "觀察：某人確定沒有的牌；或整門都算"),
}
"""Names and meanings of the options, for the page."""
SEAT_NAMES = (
    ("East", "東家"),
    ("South", "南家"),
    ("West", "西家"),
    ("North", "北家"),
    ("Fifth", "第五家"),
    ("Sixth", "第六家"),
)
SEATS = (
    "[bold cyan]◆[/]",
    "[bold red]●[/]",
    "[bold yellow]■[/]",
    "[bold green]▲[/]",
    "[bold magenta]★[/]",
    "[bold blue]○[/]",
)

VIEW_ZH = (
    (r"^card (\d+) of 52 is dealt$", r"發第 \1 張牌，共 52 張"),
    (r"^the deal is over after (\d+) plies$", r"這一局結束，共 \1 手"),
    (r"^ply (\d+) of 52, player (\d) to move", r"第 \1 手，共 52 手，輪到玩家 \2"),
    (r"^ply (\d+), player (\d) to move", r"第 \1 手，輪到玩家 \2"),
    (r", nothing fits: cover a card$", "，沒有牌可出：請蓋一張牌"),
    (r", nothing fits: pass$", "，沒有牌可出：請輸入 pass"),
    (r"\bplayer (\d)", r"玩家 \1"),
    (r" \(dealer\)", "（莊家）"),
    (r": is dealt in$", "：發牌中"),
    (r": out, (.*) laid open$", r"：出局，攤開 \1"),
    (r": no cards", "：沒有手牌"),
    (r": (\d+) cards?", r"：\1 張"),
    (r"; covered (\d+):", r"；蓋 \1 張："),
    (r"; covered (\d+)", r"；蓋 \1 張"),
    (r"; passed (\d+)", r"；pass \1 次"),
    (r"; left (\d+) points", r"；手上剩 \1 分"),
    (r", (\d+) points", r"，\1 分"),
    (r"; has no ", "；沒有 "),
    (r"; dead ", "；死牌 "),
    (r"  closed$", "  已封"),
    (r"^last: ", "剛才："),
    (r" or ", "或"),
    (r"(×\S+) for all losers if (.*?) covers nothing", r"\2全部打完，輸家 \1"),
    (r"\b(\d) covers", r"\1 蓋牌"),
    (r"\b(\d) passes", r"\1 pass"),
    (r"^at stake: ", "倍數："),
    (r"(×\S+) for 玩家 (\d) as the dealer", r"莊家（玩家 \2）輸 \1"),
    (r"(×\S+) above (\S+) points", r"超過 \2 分 \1"),
)
"""The table in Chinese, from its English words."""


def usual_returns(game: Game) -> tuple[float, float] | None:
    """A deal may cost 1232 points and mostly costs some tens: a card that costs ten is no good one (review.py)."""
    return (-100.0, 100.0) if game.options["scoring"] in ("seed_pot", "pairwise") else None


def strongest(game: Game) -> str:
    """The net where there is one: +13 points per deal among three of `blocker`. Without, the best rules: `uct` with
    random games loses to them."""
    from sevenfold import models  # nets are no part of drawing a table

    return "policy" if models.playable(game) else "blocker"


def adviser(game: Game) -> str:
    """A search, since the net alone values no card: with the net where there is one, else by the rules of `blocker`, at
    least as good as these."""
    from sevenfold import models

    return "alphazero" if models.playable(game) else "belief"


ADVISER = adviser
LEVELS = {"beginner": "random", "easy": "greedy", "medium": "keeper", "hard": "blocker", "strongest": strongest}
"""In points per deal among three of `blocker` (1000 duplicate deals each, ± 3): random -60, greedy -51, keeper -30."""
LEVELS_ABOUT = {
    "beginner": ("Plays any card that fits.", "隨便出一張接得上的牌。"),
    "easy": ("Gets rid of high cards first and holds nothing back.", "先出大牌，什麼都不扣。"),
    "medium": ("Keeps gates shut: plays first what opens nothing to others.", "會守門：先出不替別人開路的牌。"),
    "hard": (
        "Weighs every card by what it opens to itself and to the others, and remembers who covered when.",
        "衡量每張牌替自己和別人開了什麼路，也記得誰在什麼時候蓋過牌。",
    ),
}

REPORTS = {"behaviours": "sevenfold.games.sevens.behaviours:report"}
"""`sevenfold report sevens-behaviours`."""

QUIET_CHANCE = True
"""The deal is 52 steps of chance: the table shows it, and nobody wants to read them."""

PRESETS: dict[str, dict[str, object]] = {
    "tw_seed": {},
    "seed_literal": {
        "winner": "shutout_only",
        "no_winner": "negative_sum",
        "ties": "first_index",
        "observation": "obs11",
        "void_mode": "suit",
    },
    "cn_pairwise": {"scoring": "pairwise", "dealer": "none"},
    "tw_table": {"scoring": "tw_table", "dealer": "none"},
    "west_sevens": {
        "variant": "pass",
        "start": "diamond7_first",
        "end": "first_out",
        "winner": "first_out",
        "scoring": "cards_left",
        "dealer": "none",
    },
    "fan_tan": {
        "variant": "pass",
        "start": "left_of_dealer_any7",
        "end": "first_out",
        "winner": "first_out",
        "scoring": "cards_left",
        "pass_chip": 1,
        "dealer": "rotate",
    },
    "jp_7narabe": {
        "variant": "limited_pass",
        "start": "sevens_laid_first",
        "winner": "first_out",
        "scoring": "rank_points",
        "dealer": "none",
    },
}


def __getattr__(name: str) -> Any:
    """PLAYERS, loaded when somebody asks for them."""
    if name == "PLAYERS":
        from sevenfold.games.sevens.players import PLAYERS

        return PLAYERS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


SUITS, RANKS = "SHDC", "A23456789TJQK"
SIGNS = dict(zip("♠♥♦♣", SUITS, strict=True))


def card_id(card: object) -> int:
    """A card's number from 0 to 51, from that number or from a text such as S7, ♠7, H10 or HT."""
    if (number := whole(card)) is not None and 0 <= number < 52:
        return number
    if isinstance(card, str) and len(text := card.strip()) > 1:
        suit, rank = SIGNS.get(text[0], text[0].upper()), text[1:].upper().replace("10", "T")
        if suit in SUITS and rank in tuple(RANKS):
            return 13 * SUITS.index(suit) + RANKS.index(rank)
    raise ValueError(f"{shown(card)} is no card: write a number from 0 to 51, or S7, ♥10, DA, CK.")


def _listed(cards: object) -> Sequence[Any] | None:
    """A list of any kind, numpy's arrays too; None for all else, and for texts."""
    cards = plain(cards)
    return cards if isinstance(cards, Sequence) and not isinstance(cards, str) else None


def start_text(game: Game, deal: Sequence[Sequence[int | str]]) -> str:
    """The text of the position after a deal, for `game.new(deal=[[cards of seat 0], …])`."""
    given = _listed(deal)
    if given is None:
        raise ValueError(f"a deal is a list of hands, each a list of cards, not {shown(deal)}.")
    if len(given) != game.players:
        raise ValueError(f"a deal has a hand for each of the {game.players} players, not {len(given)}.")
    hands = []
    for seat, hand in enumerate(given):
        cards = _listed(hand)
        if cards is None:
            raise ValueError(f"a hand is a list of cards such as ['S7', 'HA'], not {shown(hand)}.")
        ids = sorted(card_id(card) for card in cards)
        for card, following in pairwise(ids):
            if card == following:
                raise ValueError(f"seat {seat} is dealt {SUITS[card // 13]}{RANKS[card % 13]} twice.")
        hands.append(".".join("".join(RANKS[c % 13] for c in ids if c // 13 == suit) for suit in range(4)))
    return "/".join(hands)


def next_deal(state: State) -> Game:
    """The game for the next deal of a match, after a deal that is over: the same with the dealer moved as its option
    `dealer` says. rotate: to the next seat; previous_loser: to the lowest score, the first such seat after the dealer;
    otherwise it stays."""
    from sevenfold.game import game as game_named

    if state.to_move != TERMINAL:
        raise ValueError("the next deal comes when this one is over.")
    options: dict[str, Any] = dict(state.game.options)
    seat, players = int(options["dealer_seat"]), state.game.players
    if options["dealer"] == "rotate":
        options["dealer_seat"] = (seat + 1) % players
    elif options["dealer"] == "previous_loser":
        returns = state.returns()
        options["dealer_seat"] = min(range(players), key=lambda other: (returns[other], (other - seat - 1) % players))
    return game_named(state.game.name, **options)
