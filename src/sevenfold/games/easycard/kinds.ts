// What can be done in easycard, for people: names, signs and, for cards that cannot be played now, what they would do.
// What an action costs and does now is in the picture; a test compares the two.
import { svg } from "@/draw/element";
import type { Words } from "@/wire";

export type CardName = "swift" | "cheap" | "snack" | "field" | "pet";
export type Counts = Record<CardName, number>;

/** As picture.py describes it. */
export interface Player {
  hp: number;
  max_hp: number;
  dice: number;
  energy: number;
  max_energy: number;
  pet: number;
  swift: boolean;
  cheap: boolean;
  food: boolean;
  ate: boolean;
  field: boolean;
  ended: boolean;
  cards: number;
  hand: Counts | null;
  pile: Counts | null;
  unseen: Counts | null;
}
export interface Act {
  action: number;
  kind: string;
  card: CardName | null;
  dice: number;
  energy: number;
  damage: number;
  fast: boolean;
  text: Words;
}
export interface Picture {
  round: number;
  rounds: number;
  dice: number;
  coins: number;
  phase: "play" | "chance" | "over";
  mover: number | null;
  chance: { kind: "card" | "dice" | "hp"; player: number | null; left: number } | null;
  winner: number | null;
  players: Player[];
  actions: Act[];
}

export interface Kind {
  title: string; // English; CHINESE has the other
  dice: number;
  energy: number;
  effect: string;
}

export const KINDS: Record<string, Kind> = {
  strike: { title: "Strike", dice: 2, energy: 0, effect: "2 damage, 1 energy" },
  burst: { title: "Burst", dice: 3, energy: 2, effect: "5 damage" },
  swift: { title: "Swift", dice: 0, energy: 0, effect: "your next strike keeps your turn" },
  cheap: { title: "Cheap", dice: 0, energy: 0, effect: "your next strike costs 1 die" },
  heal: { title: "Heal", dice: 1, energy: 0, effect: "1 hp back" },
  attack: { title: "Attack", dice: 1, energy: 0, effect: "your next strike: 1 damage more" },
  field: { title: "Field", dice: 2, energy: 0, effect: "1 die more each round" },
  pet: { title: "Pet", dice: 2, energy: 0, effect: "1 damage at the end of two rounds" },
  pass: { title: "Pass", dice: 0, energy: 0, effect: "out of this round" },
};
export const CARDS: CardName[] = ["swift", "cheap", "snack", "field", "pet"];
/** What a card is played as: a snack in two ways. */
export const PLAYED_AS: Record<CardName, string[]> = {
  swift: ["swift"],
  cheap: ["cheap"],
  snack: ["heal", "attack"],
  field: ["field"],
  pet: ["pet"],
};

export const CHINESE: Record<string, string> = {
  "easycard table": "簡易卡牌牌桌",
  Strike: "打擊",
  Burst: "爆發",
  Swift: "快攻",
  Cheap: "省骰",
  Snack: "點心",
  Heal: "回復",
  Attack: "強攻",
  Field: "場地",
  Pet: "寵物",
  Pass: "結束",
  "2 damage, 1 energy": "造成 2 點傷害，能量 +1",
  "5 damage": "造成 5 點傷害",
  "your next strike keeps your turn": "下次打擊後仍輪到你",
  "your next strike costs 1 die": "下次打擊只要 1 骰",
  "1 hp back": "回復 1 點生命",
  "your next strike: 1 damage more": "下次打擊多 1 點傷害",
  "1 die more each round": "之後每回合多 1 骰",
  "1 damage at the end of two rounds": "兩個回合結束時各造成 1 點傷害",
  "out of this round": "本回合不再行動",
  "hit points of {name}": "{name}的生命",
  "energy of {name}": "{name}的能量",
  "hand of {name}: {count} cards": "{name}的手牌：{count} 張",
  "pile: {count} cards": "牌堆：{count} 張",
  "{count} in hand": "手牌 {count} 張",
  "round {round} of {rounds}": "第 {round}／{rounds} 回合",
  "{name} to move": "輪到{name}",
  "winner: {name}": "贏家：{name}",
  draw: "平手",
  "a card is drawn for {name}": "為{name}抽一張牌",
  "cards are dealt to both": "發牌給雙方",
  "coins are flipped for {name}": "為{name}擲硬幣",
  "hit points are drawn": "抽出雙方的生命",
  "hit points are drawn for {name}": "抽出{name}的生命",
  "{name} draws a card": "{name}抽了一張牌",
  "{heads} of {coins} coins show heads": "{coins} 枚硬幣有 {heads} 枚正面",
  "{name}: {action}": "{name}：{action}",
  "costs {dice} dice": "需要 {dice} 骰",
  "costs {dice} dice and {energy} energy": "需要 {dice} 骰和 {energy} 能量",
  free: "免費",
  "not now": "現在不能用",
  "next strike keeps the turn": "下次打擊後不換人",
  "next strike costs 1 die": "下次打擊只要 1 骰",
  "next strike: +1 damage": "下次打擊 +1 傷害",
  "snack eaten": "本回合吃過點心",
  "+1 die each round": "每回合 +1 骰",
  "pet bites for {rounds} rounds": "寵物還會咬 {rounds} 回合",
  "out of the round": "本回合已結束",
  "may hold: {cards}": "可能有：{cards}",
};

/** An action's text as people read it: its title, and what chance has drawn. */
export function sayAction(text: string, language: "en" | "zh-TW"): string {
  if (language === "en") return text;
  const drawn = /^(heads|hp)(\d+)$/.exec(text);
  if (drawn) return drawn[1] === "heads" ? `${drawn[2]} 枚正面` : `生命 ${drawn[2]}`;
  return CHINESE[text.slice(0, 1).toUpperCase() + text.slice(1)] ?? text;
}

// Signs in a square of 24.
const SIGNS: Record<string, string> = {
  strike: "M20 3l-1 5-8.5 8.5-3-3L16 5zM6 14l4 4-1.5 1.5-1.5-1L4.5 21 3 19.5 5.5 17l-1-1.5z",
  burst: "M12 1l2.5 6.5L21 5l-2.5 6.5L23 14l-6.5 1L17 22l-5-4.5L7 22l.5-7L1 14l4.5-2.5L3 5l6.5 2.5z",
  swift: "M13.5 1L4 14h6.5L9 23l11-14h-7z",
  cheap: "M11 2h10v10L11 22 2 13zM17 5a2 2 0 1 0 .01 4A2 2 0 0 0 17 5z",
  snack: "M12 3c5 0 10 9.5 10 14 0 3-2 4-4 4H6c-2 0-4-1-4-4C2 12.5 7 3 12 3zM8.5 14v7h7v-7z",
  field: "M2 21l6.5-13 4 7L15.5 10 22 21zM14 3h6l-2 2 2 2h-4.5v3H14z",
  pet: "M12 11c3 0 6 4 6 7s-3 3.5-6 2.5C9 21.5 6 21 6 18s3-7 6-7zM4 8.5a2 2.6 0 1 0 .01 0zM9 3a2 2.8 0 1 0 .01 0zM15 3a2 2.8 0 1 0 .01 0zM20 8.5a2 2.6 0 1 0 .01 0z",
  heal: "M12 21C6 16 2 12.5 2 8a5 5 0 0 1 10-1.5A5 5 0 0 1 22 8c0 4.5-4 8-10 13z",
  pass: "M6 2h12v3c0 3-2.5 5-4 7 1.5 2 4 4 4 7v3H6v-3c0-3 2.5-5 4-7-1.5-2-4-4-4-7z",
};
SIGNS.attack = SIGNS.strike!;
export const DIE_SIGN = "M12 6l6 6-6 6-6-6z";

export function sign(kind: string): SVGSVGElement {
  const look = { viewBox: "0 0 24 24", class: "ec-sign", "aria-hidden": "true" };
  return svg("svg", look, svg("path", { d: SIGNS[kind] ?? SIGNS.pass!, "fill-rule": "evenodd" }));
}
