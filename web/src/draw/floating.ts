// A number that rises and fades: damage, healing, points.
import "./cards.css";
import { html } from "./element";
import { easeOut, type Motion } from "./motion";

/** Shown only while it moves: without motion the new value itself says enough. */
export function floating(host: HTMLElement, change: number, motion: Motion, animate: boolean): void {
  if (!animate || change === 0) return;
  const text = change > 0 ? `+${change}` : `−${-change}`;
  const number = html("span", { class: `d-floating ${change > 0 ? "d-gain" : "d-loss"}`, "aria-hidden": "true" }, text);
  host.append(number);
  motion.run(1300, (part) => {
    number.style.transform = `translate(-50%, ${-44 * easeOut(part)}px) scale(${1 + 0.5 * Math.max(0, 1 - part * 6)})`;
    number.style.opacity = String(Math.min(1, 2.5 * (1 - part)));
    if (part === 1) number.remove();
  });
}
