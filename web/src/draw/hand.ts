// A hand of cards in a row: side by side while there is room, overlapping when there are many, fanned on request.
import "./cards.css";
import { html } from "./element";

export interface HandLook {
  label: string;
  fan?: boolean;
  className?: string;
}

export function hand(cards: HTMLElement[], { label, fan = false, className = "" }: HandLook): HTMLElement {
  const middle = (cards.length - 1) / 2;
  cards.forEach((card, i) => {
    // How far from the middle, -1 … 1, so that many cards fan no wider than few.
    card.style.setProperty("--from-middle", String(middle > 0 ? (i - middle) / middle : 0));
  });
  const row = html("div", { class: `d-row${fan ? " d-fan" : ""}`, style: { "--cards": cards.length } }, ...cards);
  return html("div", { class: `d-hand ${className}`, role: "group", "aria-label": label }, row);
}
