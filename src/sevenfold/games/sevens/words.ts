// What the table of Sevens is made of, as picture.py describes it, and its words in Chinese.
import type { Suit } from "@/draw/card";

export interface SeatPicture {
  cards: number | null;
  hand: number[] | null;
  covered: number;
  covers: number[] | null;
  dead: number[] | null;
  sunk: number | null;
  passes: number;
  out: boolean;
  dealer: boolean;
  lacks: number[];
  left: number | null;
  score: number | null;
  won: boolean | null;
}

export interface Picture {
  phase: "deal" | "play" | "over";
  ply: number;
  mover: number | null;
  variant: "cover" | "pass" | "limited_pass";
  max_passes: number | null;
  stuck: boolean | null;
  table: number[];
  closed: number[];
  frontier: number[];
  seats: SeatPicture[];
  last: { seat: number; kind: "play" | "cover" | "pass"; card: number | null }[];
  stakes: { shutout: number; clean: number[]; dealer: number; threshold: number; above: number } | null;
  belief: { worlds: number; cards: Record<string, number[]> } | null;
}

export const PASS = 52;
export const SUITS: Suit[] = ["spades", "hearts", "diamonds", "clubs"];
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SEAT_NAMES = [
  { en: "East", "zh-TW": "東家" },
  { en: "South", "zh-TW": "南家" },
  { en: "West", "zh-TW": "西家" },
  { en: "North", "zh-TW": "北家" },
  { en: "Fifth", "zh-TW": "第五家" },
  { en: "Sixth", "zh-TW": "第六家" },
]; // as __init__.py has them; the server tells those of the usual four
export const WINDS = ["E", "S", "W", "N", "5", "6"]; // the seats' tokens

export function rankOf(card: number): string {
  return RANKS[card % 13]!;
}
export function suitOf(card: number): Suit {
  return SUITS[Math.floor(card / 13)]!;
}

export const CHINESE: Record<string, string> = {
  E: "東",
  S: "南",
  W: "西",
  N: "北",
  D: "莊", // the dealer's button
  "table of sevens": "排七牌桌",
  "the four rows": "四排牌",
  "row of {suit}": "{suit}那一排",
  "your hand: {count} cards": "你的手牌：{count} 張",
  "hand of {name}: {count} cards": "{name}的手牌：{count} 張",
  "{name}: {count} cards covered": "{name}：蓋了 {count} 張",
  "{name}: covered {cards}": "{name}：蓋了 {cards}",
  "{count} in hand": "手牌 {count} 張",
  "{count} passes left": "還能 pass {count} 次",
  "passed {count}": "pass {count} 次",
  out: "出局",
  dealer: "莊家",
  "the cards are dealt": "發牌中",
  "Your turn: play a card that fits": "輪到你：出一張接得上的牌",
  "Nothing fits: choose a card to lay face down": "沒有牌可出：選一張牌蓋下去",
  "Nothing fits: you must pass": "沒有牌可出：只能 pass",
  "{name} to play": "輪到{name}",
  "{name} played {card}": "{name}出{card}",
  "{name} covered a card": "{name}蓋了一張牌",
  "{name} covered {card}": "{name}蓋了{card}",
  "{name} passed": "{name} pass",
  Pass: "Pass",
  "pass, {count} left": "pass，還剩 {count} 次",
  "play {card}": "出{card}",
  "lay {card} face down": "蓋{card}",
  "{card}, not now": "{card}，現在不能出",
  "dead: can never be played": "死牌：再也出不了",
  "{rank} fits now": "{rank}，現在接得上",
  "not on the table": "還沒出",
  closed: "已封",
  sunk: "已失",
  "{count} points sunk: covered and dead cards": "已失 {count} 分：蓋掉的牌和死牌",
  "{count} of {most} points sunk: covered and dead cards": "已失 {count} 分：蓋掉的牌和死牌；超過 {most} 分加倍",
  "dealer pays ×{times}": "莊家輸 ×{times}",
  "above {points} points ×{times}": "超過 {points} 分 ×{times}",
  "all pay ×{times} if one covers nothing": "有人一張都沒蓋，輸家 ×{times}",
  "at stake": "倍數",
  "{name} won the deal": "{name}贏了這一局",
  "{names} share the deal": "{names}共同贏了這一局",
  "The deal is over": "這一局結束",
  Player: "玩家",
  "Not played": "沒打出的牌",
  Points: "罰分",
  Score: "得分",
  none: "沒有",
  "Who may hold what": "誰可能有什麼牌",
  "from what you know, in per cent: look at a card or at a player": "依你所知推算的百分比：看一張牌或一位玩家",
  "who may hold {card}": "誰可能有{card}",
  "what {name} may hold": "{name}可能有什麼牌",
  "{name} {share}": "{name} {share}",
  "{name} {share}, of it {covered} covered": "{name} {share}，其中 {covered} 已蓋下",
  covered: "已蓋下",
  "shown not to hold {cards}": "確定沒有 {cards}",
  "{name} has not shown yet what it lacks": "{name}還沒有透露缺哪些牌",
};
