// Names and texts of characters, cards and things, from catalogue.json, in the person's language.
import type { Words } from "@/wire";
import { inLanguage, type Language } from "@/words";
import catalogue from "./catalogue.json";

export interface Skill {
  name: string;
  zh: string;
  kind: string;
  cost: string;
  text: string;
  text_zh: string;
}
export interface Item {
  name: string;
  zh: string;
  kind?: string;
  cost?: string;
  text?: string;
  text_zh?: string;
  element?: string;
  weapon?: string;
  character?: string;
}
export interface Person extends Item {
  element: string;
  weapon: string;
  energy: number;
  skills: Skill[];
}

export const PEOPLE = catalogue.characters as Person[];
export const CARDS = catalogue.cards as Item[];
const things = catalogue.things as Item[];
const byName = new Map<string, Item>([...CARDS, ...things].map((one) => [one.name, one]));
const people = new Map(PEOPLE.map((one) => [one.name, one]));

export const ELEMENTS = ["Cryo", "Hydro", "Pyro", "Electro", "Anemo", "Geo", "Dendro", "Omni"] as const;
export const ELEMENTS_ZH: Record<string, string> = {
  Cryo: "冰", Hydro: "水", Pyro: "火", Electro: "雷", Anemo: "風", Geo: "岩", Dendro: "草", Omni: "萬能",
};
const KINDS_ZH: Record<string, string> = {
  event: "事件", resonance: "元素共鳴", food: "料理", location: "場地", companion: "夥伴", weapon: "武器",
  artifact: "聖遺物", talent: "天賦", generated: "衍生牌", "combat status": "出戰狀態", status: "角色狀態", summon: "召喚物",
};

export function item(name: string): Item {
  return byName.get(name) ?? { name, zh: name };
}

/** A status may have the name of a skill or card (Jade Screen): things on the table come first. */
export function thing(name: string): Item {
  return things.find((one) => one.name === name) ?? item(name);
}

export function person(name: string): Person {
  return people.get(name) ?? { name, zh: name, element: "Omni", weapon: "", energy: 0, skills: [] };
}

const both = (en: string, zh: string): Words => ({ en, "zh-TW": zh });

export function called(language: Language, of: { name: string; zh: string }): string {
  return inLanguage(language, both(of.name.replace("Elemental Resonance: ", ""), of.zh.replace("元素共鳴：", "")));
}

export function meaning(language: Language, of: { text?: string; text_zh?: string }): string {
  return inLanguage(language, both(of.text ?? "", of.text_zh ?? ""));
}

export function kindName(language: Language, kind: string): string {
  return language === "zh-TW" ? (KINDS_ZH[kind] ?? kind) : kind;
}

export function elementName(language: Language, element: string): string {
  return language === "zh-TW" ? (ELEMENTS_ZH[element] ?? element) : element;
}

/** "3Pyro+2En" as parts: [3, "Pyro"], [2, "En"]. */
export function costParts(cost: string): [number, string][] {
  return cost === "0" ? [] : cost.split("+").map((part) => [Number(part[0]), part.slice(1)]);
}
