// Counters: a bar for many points, pips for few.
import "./cards.css";
import { html } from "./element";

export function bar(value: number, most: number, label: string): HTMLElement {
  const part = most > 0 ? Math.max(0, Math.min(1, value / most)) : 0;
  return html(
    "div",
    {
      class: "d-bar",
      role: "meter",
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": most,
      "aria-valuenow": value,
      "data-low": part <= 0.34,
    },
    html("div", { class: "d-fill", style: { width: `${part * 100}%` } }),
    html("span", {}, `${value} / ${most}`),
  );
}

export function pips(value: number, most: number, label: string): HTMLElement {
  const dots = Array.from({ length: most }, (_, i) => html("i", { "data-full": i < value }));
  const range = { "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": value };
  return html("div", { class: "d-pips", role: "meter", "aria-label": label, ...range }, ...dots);
}
