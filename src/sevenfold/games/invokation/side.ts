// One player's half of the table: characters with their HP, energy, aura and equipment, the zones beside them, statuses.
// Everything that can be explained has a tooltip: `data-tip` and the same words for screen readers.
import { bar, pips } from "@/draw/bar";
import { html, type Attributes } from "@/draw/element";
import type { Say } from "@/draw/speak";
import type { Language } from "@/words";
import { called, costParts, elementName, kindName, meaning, person, thing, type Skill } from "./names";
import { elementSign, kindSign, portrait } from "./signs";
import type { Fighter, Player, Target, Thing } from "./words";

export interface SideLook {
  seat: number;
  name: string;
  player: Player;
  turn: boolean;
  far: boolean;
  say: Say;
  language: Language;
  // A place that can be clicked now: what it says, and what a click does.
  reach: (place: Target) => { label: string; click: () => void; action: number | null } | null;
}

const EMPTY = 4; // places of a zone

function tip(title: string, text: string, more = ""): string {
  return [title, text, more].filter(Boolean).join("\n");
}

export function costWords(cost: string, say: Say, language: Language): string {
  const words: Record<string, string> = { Same: say("same"), Any: say("any"), En: say("energy") };
  return costParts(cost).map(([count, of]) => `${count} ${words[of] ?? elementName(language, of)}`).join(" + ") || "0";
}

/** A chip for a status, an equipment, a support or a summon: sign, usage, tooltip. */
export function chip(one: Thing, look: SideLook, place: Target | null, className: string): HTMLElement {
  const { say, language } = look;
  const about = thing(one.name);
  const name = called(language, about);
  const count = one.usage === null || one.usage === undefined ? "" : String(one.usage);
  const kept = one.dice?.length ? one.dice.map((face) => elementName(language, face)).join(" ") : "";
  const words = tip(name, meaning(language, about), [count && say("usage {count}", { count }), kept].filter(Boolean).join(" · "));
  const reach = place && look.reach(place);
  const face = [
    one.element && one.element !== "Physical" && one.element !== "Piercing" ? elementSign(one.element) : kindSign(about.kind ?? "status"),
    html("span", { class: "gi-chip-name" }, name),
    count && html("b", { class: "gi-usage" }, count),
  ];
  return placed(reach, { class: `gi-chip ${className}`, "data-tip": words, "aria-label": words.replaceAll("\n", ". ") }, face);
}

function placed(reach: ReturnType<SideLook["reach"]>, attributes: Attributes, face: (Node | string | null | false)[]): HTMLElement {
  if (!reach) return html("span", { ...attributes, tabindex: 0, role: "img" }, ...face);
  const label = `${reach.label}. ${String(attributes["aria-label"])}`;
  const use = { type: "button", "aria-label": label, onclick: reach.click, "data-action": reach.action, "data-reach": true };
  return html("button", { ...attributes, ...use }, ...face);
}

function skillLines(skills: Skill[], look: SideLook): string {
  return skills
    .map((skill) => `${called(look.language, skill)} (${costWords(skill.cost, look.say, look.language)}): ${meaning(look.language, skill)}`)
    .join("\n");
}

/** A character: portrait, HP, energy, aura, and what it wears. */
export function fighter(one: Fighter, seat: number, look: SideLook): HTMLElement {
  const { say, language, player } = look;
  const who = person(one.name);
  const name = called(language, who);
  const active = player.active === seat;
  const reach = look.reach({ seat, side: look.far ? "theirs" : "mine" });
  const aura = one.aura.map((element) => elementName(language, element)).join(" ");
  const words = tip(name, skillLines(who.skills, look), aura && say("aura: {elements}", { elements: aura }));
  const state = !one.alive ? say("defeated") : active ? say("active") : "";
  const face = html(
    "span",
    { class: "gi-face" },
    portrait(name, who.element),
    html("span", { class: "gi-auras" }, ...one.aura.map(elementSign)),
    html("b", { class: "gi-name" }, name),
  );
  const label = [name, state, `${one.hp}/${one.max_hp}`, words.split("\n").slice(1).join(". ")].filter(Boolean).join(", ");
  const worn = html("div", { class: "gi-worn" }, ...one.attached.map((item) => chip(item, look, null, "gi-small")));
  return html(
    "div",
    { class: "gi-fighter", "data-active": active, "data-dead": !one.alive, "data-seat": seat },
    placed(reach, { class: "gi-person", "data-tip": words, "aria-label": label }, [face]),
    html("div", { class: "gi-hp" }, bar(one.hp, one.max_hp, say("hit points of {name}", { name }))),
    pips(one.energy, one.max_energy, say("energy of {name}", { name })),
    worn,
  );
}

function zone(items: Thing[], key: "support" | "summon", look: SideLook): HTMLElement {
  const { say, name } = look;
  const label = say(key === "support" ? "supports of {name}" : "summons of {name}", { name });
  const empty = items.length === 0 ? [html("span", { class: "gi-empty" }, say(key === "support" ? "no supports" : "no summons"))] : [];
  const side = look.far ? ("theirs" as const) : ("mine" as const);
  const chips = items.slice(0, EMPTY).map((one, i) => chip(one, look, { [key]: i, side }, `gi-${key}`));
  return html("div", { class: `gi-zone gi-zone-${key}`, role: "group", "aria-label": label }, ...chips, ...empty);
}

export function board(look: SideLook): HTMLElement {
  const { player, say, name } = look;
  const statuses = player.combat_status.map((one) => chip(one, look, null, "gi-small"));
  const ended = player.ended ? html("span", { class: "gi-ended" }, say("out of the round")) : null;
  const head = html(
    "div",
    { class: "gi-head" },
    html("b", { class: "gi-who" }, name),
    ended,
    html("div", { class: "gi-statuses", role: "group", "aria-label": say("statuses of {name}", { name }) }, ...statuses),
    html("span", { class: "gi-counts" }, say("{count} dice", { count: player.dice_count }), " · ", say("{count} cards", { count: player.cards }), " · ", say("pile: {count}", { count: player.pile })),
  );
  const row = html(
    "div",
    { class: "gi-row" },
    zone(player.supports, "support", look),
    html("div", { class: "gi-team" }, ...player.chars.map((one, seat) => fighter(one, seat, look))),
    zone(player.summons, "summon", look),
  );
  const look_ = { class: `gi-side d-seat-${look.seat} ${look.far ? "gi-far" : "gi-near"}`, "data-turn": look.turn, "aria-label": name };
  return html("section", look_, ...(look.far ? [head, row] : [row, head]));
}

/** What a kind of card is called, for its tooltip. */
export function cardTip(name: string, look: { say: Say; language: Language }): string {
  const about = thing(name);
  const kind = kindName(look.language, about.kind ?? "");
  const cost = look.say("costs {cost}", { cost: costWords(about.cost ?? "0", look.say, look.language) });
  return tip(called(look.language, about), meaning(look.language, about), `${kind} · ${cost}`);
}
