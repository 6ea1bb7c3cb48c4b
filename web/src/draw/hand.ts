// A hand of cards in a row: side by side while there is room, overlapping when there are many, fanned on request; or in
// several rows of equal length.
import "./cards.css";
import { html } from "./element";

export interface HandLook {
  label: string;
  fan?: boolean;
  most?: number; // cards in a row; else all
  className?: string;
}

export function hand(cards: HTMLElement[], { label, fan = false, most = Infinity, className = "" }: HandLook): HTMLElement {
  const middle = (cards.length - 1) / 2;
  cards.forEach((card, i) => {
    // How far from the middle, -1 … 1, so that many cards fan no wider than few.
    card.style.setProperty("--from-middle", String(middle > 0 ? (i - middle) / middle : 0));
  });
  const count = Math.max(1, Math.ceil(cards.length / most));
  const long = Math.ceil(cards.length / count);
  const rows = Array.from({ length: count }, (_, row) => {
    const look = { class: `d-row${fan ? " d-fan" : ""}`, style: { "--cards": long } };
    return html("div", look, ...cards.slice(row * long, (row + 1) * long));
  });
  return html("div", { class: `d-hand ${className}`, role: "group", "aria-label": label, "data-rows": count }, ...rows);
}
