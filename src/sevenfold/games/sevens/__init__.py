"""Sevens (排七): four rows growing from the sevens, hidden hands, covered cards. Many tables' rules as presets."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sevenfold._core import TERMINAL, State
from sevenfold.game import Game
from sevenfold.options import shown

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
    (r"^player (\d)", r"玩家 \1"),
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
    (r"(×\S+) for all losers if one of ([\d ]+) covers nothing", r"玩家 \2 有人全部打完，輸家 \1"),
    (r"\b(\d) covers", r"\1 蓋牌"),
    (r"\b(\d) passes", r"\1 pass"),
    (r"^at stake: ", "倍數："),
    (r"(×\S+) for player (\d) as the dealer", r"莊家（玩家 \2）輸 \1"),
    (r"(×\S+) above (\S+) points", r"超過 \2 分 \1"),
)
"""The table in Chinese, from its English words."""

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
    if isinstance(card, int) and not isinstance(card, bool) and 0 <= card < 52:
        return card
    if isinstance(card, str) and len(text := card.strip()) > 1:
        suit, rank = SIGNS.get(text[0], text[0].upper()), text[1:].upper().replace("10", "T")
        if suit in SUITS and rank in tuple(RANKS):
            return 13 * SUITS.index(suit) + RANKS.index(rank)
    raise ValueError(f"{shown(card)} is no card: write a number from 0 to 51, or S7, ♥10, DA, CK.")


def start_text(game: Game, deal: Sequence[Sequence[int | str]]) -> str:
    """The text of the position after a deal, for `game.new(deal=[[cards of seat 0], …])`."""
    if isinstance(deal, str) or not isinstance(deal, Sequence):
        raise ValueError(f"a deal is a list of hands, each a list of cards, not {shown(deal)}.")
    if len(deal) != game.players:
        raise ValueError(f"a deal has a hand for each of the {game.players} players, not {len(deal)}.")
    hands = []
    for seat, hand in enumerate(deal):
        if isinstance(hand, str) or not isinstance(hand, Sequence):
            raise ValueError(f"a hand is a list of cards such as ['S7', 'HA'], not {shown(hand)}.")
        ids = sorted(card_id(card) for card in hand)
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
