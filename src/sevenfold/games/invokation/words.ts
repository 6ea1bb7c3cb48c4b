// What the page says at a duel, and the picture it draws (described in picture.py).
import type { Language } from "@/words";
import { CARDS, PEOPLE } from "./names";

export interface Thing {
  name: string;
  usage: number | null;
  element?: string;
  dice?: string[];
}
export interface Fighter {
  name: string;
  hp: number;
  max_hp: number;
  energy: number;
  max_energy: number;
  alive: boolean;
  aura: string[];
  attached: Thing[];
}
export interface Player {
  active: number | null;
  ended: boolean;
  dice: string[] | null; // null: not for these eyes
  dice_count: number;
  hand: string[] | null;
  cards: number;
  pile: number;
  chars: Fighter[];
  combat_status: Thing[];
  summons: Thing[];
  supports: Thing[];
}
export interface Target {
  seat?: number;
  summon?: number;
  support?: number;
  side?: "mine" | "theirs";
}
export interface Act {
  action: number;
  kind: "skill" | "card" | "switch" | "tune" | "end" | "choose" | "redraw" | "reroll_one" | "reroll_done" | "pay";
  index?: number;
  card?: string;
  target?: Target | null;
  to?: number;
  die?: string;
  dice?: string[];
  cards?: string[];
  fast?: boolean;
}
export interface Picture {
  round: number;
  rounds: number;
  phase: string;
  turn: number;
  mover: number | null;
  rerolls: number;
  winner: number | null;
  players: Player[];
  actions: Act[];
}

export const CHINESE: Record<string, string> = {
  "table of the duel": "對戰桌",
  "round {round}": "第 {round} 回合",
  "round {round} of {rounds}": "第 {round} 回合，共 {rounds} 回合",
  "Choose cards to exchange, then confirm.": "選擇要更換的手牌，然後確認。",
  "Choose your active character.": "選擇出戰角色。",
  "Choose dice to roll again, then confirm.": "選擇要重擲的骰子，然後確認。",
  "Choose the next active character.": "選擇下一個出戰角色。",
  "Your turn: a skill, a card, a switch, or the end of your round.": "輪到你：使用技能、打出手牌、切換角色，或結束回合。",
  "Choose the dice that pay.": "選擇要支付的骰子。",
  "{name} is at turn": "輪到{name}",
  "chance decides": "由機運決定",
  "{name} wins": "{name}獲勝",
  "nobody wins": "無人獲勝",
  "keep all": "全部保留",
  "exchange {count} cards": "更換 {count} 張牌",
  "keep all dice": "保留所有骰子",
  "roll {count} dice again": "重擲 {count} 個骰子",
  "End round": "結束回合",
  "out of the round": "已結束回合",
  "active": "出戰",
  "defeated": "倒下",
  "hit points of {name}": "{name}的生命",
  "energy of {name}": "{name}的充能",
  "aura: {elements}": "附著：{elements}",
  "switch to {name}": "切換到{name}",
  "choose {name}": "選擇{name}",
  "on {name}": "用於{name}",
  "in place of {name}": "換下{name}",
  "Play it": "打出",
  "tune {die} to {element}": "調和：{die}變為{element}",
  "fast": "快速行動",
  "combat action": "戰鬥行動",
  "pays {dice}": "支付 {dice}",
  "free": "免費",
  "{count} dice": "{count} 個骰子",
  "{count} cards": "{count} 張牌",
  "hand of {name}": "{name}的手牌",
  "your hand": "你的手牌",
  "pile: {count}": "牌庫：{count}",
  "dice of {name}": "{name}的骰子",
  "supports of {name}": "{name}的支援區",
  "summons of {name}": "{name}的召喚物",
  "statuses of {name}": "{name}的出戰狀態",
  "no supports": "支援區",
  "no summons": "召喚區",
  "usage {count}": "可用次數 {count}",
  "{name}: what to do with it": "{name}：要怎麼用",
  "close": "關閉",
  "not now": "現在不能用",
  "Skills": "技能",
  "costs {cost}": "花費 {cost}",
  "same": "相同",
  "any": "任意",
  "energy": "充能",
  "{share} of the search": "搜尋的 {share}",
  ", ": "，",
  "redraw": "換牌",
  "chosen": "已選",
  // the deck editor
  "Deck of the first seat": "第一個座位的牌組",
  "Deck of the second seat": "第二個座位的牌組",
  "own deck": "自訂牌組",
  "Characters": "角色",
  "Cards": "手牌",
  "{count} of {most}": "{count}／{most}",
  "one more {name}": "多一張{name}",
  "one {name} less": "少一張{name}",
  "take {name} into the team": "讓{name}加入隊伍",
  "take {name} out of the team": "讓{name}離開隊伍",
  "a deck has {most} characters": "牌組要有 {most} 個角色",
  "a deck has {most} cards": "牌組要有 {most} 張牌",
  "The deck is complete.": "牌組完成。",
  "find a card": "搜尋卡牌",
  "Clear": "清空",
};

const found = new Map<string, string>();
for (const one of [...PEOPLE, ...PEOPLE.flatMap(({ skills }) => skills), ...CARDS]) found.set(one.name, one.zh);
const PHRASES: [RegExp, string][] = [
  [/^end( round)?$/i, "結束回合"],
  [/^done$/i, "確認"],
];
const long = [...found.keys()].sort((a, b) => b.length - a.length);
const SMALL: Record<string, string> = {
  switch: "切換", to: "到", tune: "調和", choose: "選擇", end: "結束", round: "回合", redraw: "換牌", reroll: "重擲", roll: "擲骰",
  keep: "保留", on: "用於", play: "打出", skill: "技能", pay: "支付", Cryo: "冰", Hydro: "水", Pyro: "火", Electro: "雷", Anemo: "風",
  Geo: "岩", Dendro: "草", Omni: "萬能", nothing: "無", all: "全部",
};

/** The text of an action in Chinese: names by the catalogue, the few words between them one by one. */
export function sayAction(text: string, language: Language): string {
  if (language !== "zh-TW") return text;
  for (const [pattern, words] of PHRASES) if (pattern.test(text)) return words;
  let out = text;
  for (const name of long) if (out.includes(name)) out = out.replaceAll(name, found.get(name)!);
  return out.replace(/[A-Za-z]+/g, (word) => SMALL[word] ?? word);
}
