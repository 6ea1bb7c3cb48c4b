// One player of easycard: the panel with hit points, energy and dice, and the hand.
import { bar, pips } from "@/draw/bar";
import { card, cardBack } from "@/draw/card";
import { dice } from "@/draw/dice";
import { html } from "@/draw/element";
import { hand } from "@/draw/hand";
import { pile } from "@/draw/pile";
import type { Say } from "@/draw/speak";
import { CARDS, DIE_SIGN, sign, type Counts, type Player } from "./kinds";

export function total(counts: Counts): number {
  return CARDS.reduce((sum, card) => sum + counts[card], 0);
}

export function cardTitle(card: string): string {
  return card.charAt(0).toUpperCase() + card.slice(1);
}

/** What lasts: short words with a sign, each on its own plate. */
function states(player: Player, say: Say): HTMLElement[] {
  const list: [string, string, string][] = [];
  if (player.swift) list.push(["swift", say("Swift"), say("next strike keeps the turn")]);
  if (player.cheap) list.push(["cheap", say("Cheap"), say("next strike costs 1 die")]);
  if (player.food) list.push(["attack", "+1", say("next strike: +1 damage")]);
  if (player.ate && !player.food) list.push(["snack", "✓", say("snack eaten")]);
  if (player.field) list.push(["field", "+1", say("+1 die each round")]);
  if (player.pet > 0) list.push(["pet", `×${player.pet}`, say("pet bites for {rounds} rounds", { rounds: player.pet })]);
  if (player.ended) list.push(["pass", say("Pass"), say("out of the round")]);
  return list.map(([kind, text, title]) =>
    html("span", { class: "ec-state", title, role: "img", "aria-label": title }, sign(kind), text),
  );
}

export interface SideLook {
  seat: number;
  name: string;
  player: Player;
  turn: boolean;
  say: Say;
}

export function panel({ seat, name, player, turn, say }: SideLook): HTMLElement {
  const title = html("div", { class: "ec-name" }, html("i", { class: "ec-emblem" }, seat === 0 ? "◆" : "◇"), name);
  title.append(...states(player, say));
  const store = player.pile ?? null;
  return html(
    "div",
    { class: `ec-panel d-seat-${seat}`, "data-turn": turn },
    title,
    html("div", { class: "ec-hp" }, bar(player.hp, player.max_hp, say("hit points of {name}", { name }))),
    html(
      "div",
      { class: "ec-means" },
      pips(player.energy, player.max_energy, say("energy of {name}", { name })),
      dice(player.dice, DIE_SIGN, say("{count} dice", { count: player.dice })),
    ),
    store && html("div", { class: "ec-pile" }, pile(total(store), say("pile: {count} cards", { count: total(store) }))),
  );
}

/** The hand across the table: small faces, or backs and how many. */
export function farHand({ name, player, say }: SideLook): HTMLElement {
  const open = player.hand;
  const names = open ? CARDS.flatMap((one) => Array.from({ length: open[one] }, () => one)) : [];
  const faces = names.map((one) => {
    const label = say(cardTitle(one));
    const attributes = { title: label };
    return card({ label, face: [sign(one)], className: `ec-small ec-${one}`, attributes });
  });
  const cards = open ? faces : Array.from({ length: player.cards }, () => cardBack(say));
  const label = say("hand of {name}: {count} cards", { name, count: player.cards });
  const row = hand(cards, { label, fan: true, className: "ec-far-hand" });
  const count = html("span", { class: "ec-count", "aria-hidden": "true" }, say("{count} in hand", { count: player.cards }));
  const may = player.unseen && player.cards > 0 ? unseen(player.unseen, say) : "";
  return html("div", { class: "ec-far-cards" }, row, html("div", { class: "ec-notes" }, count, may));
}

/** Which cards the hand and the pile hold together is known to all. */
function unseen(counts: Counts, say: Say): HTMLElement {
  const left = CARDS.filter((one) => counts[one] > 0);
  const text = left.map((one) => `${say(cardTitle(one))} ×${counts[one]}`).join(say(", "));
  return html("span", { class: "ec-unseen" }, say("may hold: {cards}", { cards: text }));
}
