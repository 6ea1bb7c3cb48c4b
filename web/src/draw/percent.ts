// The share of an action's policy as HTML, for buttons and cards.
import "./cards.css";
import { html } from "./element";
import { shade, type Heat } from "./heat";

export function percentBadge(heat: Heat | undefined): HTMLElement | null {
  if (!heat) return null;
  const look = { class: "d-percent", "data-best": heat.best, style: { "--heat": shade(heat.share) } };
  return html("span", look, heat.best ? `★ ${heat.percent}` : heat.percent);
}
