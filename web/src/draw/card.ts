// Cards as HTML: faces, backs, and the usual playing cards. A card that can be played is a button.
import "./cards.css";
import { html, svg, type Attributes } from "./element";
import type { Say } from "./speak";

export interface CardLook {
  label: string; // for screen readers
  face: (Node | string)[];
  className?: string;
  play?: () => void; // makes it a button
  playable?: boolean; // lifted; others are dimmed when they are buttons
  attributes?: Attributes;
}

export function card({ label, face, className = "", play, playable = false, attributes = {} }: CardLook): HTMLElement {
  const look = { class: `d-card ${className}`, "data-playable": playable, ...attributes };
  if (!play) return html("div", { ...look, role: "img", "aria-label": label }, ...face);
  const use = { type: "button", "aria-label": label, disabled: !playable, onclick: play };
  return html("button", { ...look, ...use }, ...face);
}

/** A closed card: nothing of its face is in the document. */
export function cardBack(say: Say): HTMLElement {
  return card({ label: say("a closed card"), face: [], className: "d-back" });
}

export type Suit = "spades" | "hearts" | "diamonds" | "clubs";

const SUITS: Record<Suit, string> = {
  spades: "M12 2C9 7 3 9 3 14a4.5 4.5 0 0 0 7.6 3.2L9 22h6l-1.6-4.8A4.5 4.5 0 0 0 21 14c0-5-6-7-9-12z",
  hearts: "M12 21C6 16 2 12.5 2 8a5 5 0 0 1 10-1.5A5 5 0 0 1 22 8c0 4.5-4 8-10 13z",
  diamonds: "M12 2l8 10-8 10L4 12z",
  clubs: "M12 2a4.5 4.5 0 0 1 3.6 7.2A4.5 4.5 0 1 1 13.5 16L15 22H9l1.5-6a4.5 4.5 0 1 1-2.1-6.8A4.5 4.5 0 0 1 12 2z",
};

export function suit(name: Suit): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "d-suit", "aria-hidden": "true" }, svg("path", { d: SUITS[name] }));
}

/** A playing card; `rank` is what is printed on it: A, 2 … 10, J, Q, K. Hearts and diamonds are red and hollow. */
export function playingCard(say: Say, rank: string, of: Suit, more: Partial<CardLook> = {}): HTMLElement {
  const label = say("{rank} of {suit}", { rank, suit: say(of) });
  const red = of === "hearts" || of === "diamonds" ? " d-red" : "";
  const corner = html("span", { class: "d-corner" }, html("b", {}, rank), suit(of));
  return card({ label, face: [corner, suit(of)], ...more, className: `d-playing${red} ${more.className ?? ""}` });
}
