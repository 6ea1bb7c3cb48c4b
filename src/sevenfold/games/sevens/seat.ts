// The other players around the table of Sevens: token, name, hand, covered pile, and what is known of them.
import { cardBack, playingCard } from "@/draw/card";
import { html } from "@/draw/element";
import { hand } from "@/draw/hand";
import { pile } from "@/draw/pile";
import type { Say } from "@/draw/speak";
import { rankOf, suitOf, WINDS, type Picture } from "./words";

export interface SeatLook {
  seat: number;
  name: string;
  picture: Picture;
  say: Say;
}

export function cardName(say: Say, card: number): string {
  return say("{rank} of {suit}", { rank: rankOf(card), suit: say(suitOf(card)) });
}

export function token(seat: number, say: Say): HTMLElement {
  return html("i", { class: `sv-token d-seat-${seat}`, "aria-hidden": "true" }, say(WINDS[seat]!));
}

/** Small faces: only rank and suit, as large as they can be. */
export function smallCard(card: number, say: Say, className = ""): HTMLElement {
  return playingCard(say, rankOf(card), suitOf(card), { className: `sv-small ${className}` });
}

export function title({ seat, name, picture, say }: SeatLook): HTMLElement {
  const one = picture.seats[seat]!;
  const dealer = one.dealer && html("span", { class: "sv-dealer", role: "img", "aria-label": say("dealer"), title: say("dealer") }, say("D"));
  return html("div", { class: "sv-name" }, token(seat, say), html("b", { title: name }, name), dealer);
}

export function passes({ seat, picture, say }: SeatLook): HTMLElement | null {
  const one = picture.seats[seat]!;
  if (picture.variant === "cover") return null;
  if (one.out) return html("span", { class: "sv-note" }, say("out"));
  const left = picture.max_passes === null ? null : picture.max_passes - one.passes;
  const text = left === null ? say("passed {count}", { count: one.passes }) : say("{count} passes left", { count: left });
  return html("span", { class: "sv-note" }, text);
}

/** Face down, with their number; whoever may see them finds the faces beside. */
export function coveredPile({ seat, name, picture, say }: SeatLook, faces: boolean): HTMLElement | null {
  const one = picture.seats[seat]!;
  if (picture.variant !== "cover") return null;
  const label = say("{name}: {count} cards covered", { name, count: one.covered });
  if (!faces || !one.covers || one.covers.length === 0) return html("div", { class: "sv-pile" }, pile(one.covered, label));
  const cards = one.covers.map((card) => smallCard(card, say, "sv-covered"));
  const words = one.covers.map((card) => cardName(say, card)).join(say(", "));
  return html("div", { class: "sv-pile sv-open" }, hand(cards, { label: say("{name}: covered {cards}", { name, cards: words }) }));
}

export function panel(look: SeatLook, attributes: Record<string, string | number | boolean>): HTMLElement {
  const { seat, name, picture, say } = look;
  const one = picture.seats[seat]!;
  const count = one.cards ?? 0;
  const cards = one.hand ? one.hand.map((card) => smallCard(card, say)) : Array.from({ length: count }, () => cardBack(say));
  const label = say("hand of {name}: {count} cards", { name, count });
  const held = hand(cards, { label, fan: !one.hand, className: "sv-held" });
  const score = one.score === null ? null : html("strong", { class: "sv-score" }, signed(one.score));
  const note = html("span", { class: "sv-note" }, say("{count} in hand", { count }));
  return html(
    "section",
    { class: `sv-seat d-seat-${seat}`, "data-seat": seat, "data-turn": picture.mover === seat, "aria-label": name, ...attributes },
    title(look),
    html("div", { class: "sv-cards" }, held, coveredPile(look, one.covers !== null)),
    html("div", { class: "sv-notes" }, picture.phase === "over" ? null : note, passes(look), score),
  );
}

export function signed(value: number): string {
  const number = Math.abs(Math.round(value * 10) / 10);
  return value > 0 ? `+${number}` : value < 0 ? `−${number}` : "0";
}
