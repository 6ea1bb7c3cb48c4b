// A pile of closed cards with the number of them.
import "./cards.css";
import { html } from "./element";

const SHOWN = 4; // edges of cards under the top one

export function pile(count: number, label: string): HTMLElement {
  const edges = Array.from({ length: Math.min(SHOWN, count) }, (_, i) =>
    html("div", { class: "d-card d-back", style: { "--level": i } }),
  );
  const number = html("span", { class: "d-count" }, String(count));
  return html("div", { class: "d-pile", role: "img", "aria-label": label, "data-empty": count === 0 }, ...edges, number);
}
