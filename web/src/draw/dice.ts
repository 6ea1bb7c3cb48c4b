// Dice with pips or with a sign, and coins.
import "./cards.css";
import { html, svg } from "./element";

const PIPS: Record<number, [number, number][]> = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]],
};

/** A die; a number from 1 to 6 shows pips, and a path in a square of 24 any other sign. */
export function die(face: number | string): SVGSVGElement {
  const marks =
    typeof face === "string"
      ? [svg("path", { d: face, class: "d-pip" })]
      : (PIPS[face] ?? []).map(([cx, cy]) => svg("circle", { cx, cy, r: 2.2, class: "d-pip" }));
  const body = svg("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 5, class: "d-die-body" });
  const light = svg("path", { d: "M5.5 4h13", class: "d-die-light" });
  return svg("svg", { viewBox: "0 0 24 24", class: "d-die", "aria-hidden": "true" }, body, light, ...marks);
}

/** A row of the same dice; more than `most` are written as a number. */
export function dice(count: number, face: number | string, label: string, most = 14): HTMLElement {
  const many = count > most;
  const row = Array.from({ length: many ? 1 : count }, () => die(face));
  return html("div", { class: "d-dice", role: "img", "aria-label": label }, ...row, many && `×${count}`);
}

/** Heads are filled and have a star, tails are hollow. */
export function coin(heads: boolean): SVGSVGElement {
  const star = "M12 6.5l1.7 3.6 3.9.5-2.9 2.7.8 3.9-3.5-1.9-3.5 1.9.8-3.9-2.9-2.7 3.9-.5z";
  const look = { viewBox: "0 0 24 24", class: heads ? "d-coin d-heads" : "d-coin", "aria-hidden": "true" };
  const sign = svg("path", { d: heads ? star : "M8 12h8" });
  return svg("svg", look, svg("circle", { cx: 12, cy: 12, r: 10.5 }), svg("circle", { cx: 12, cy: 12, r: 8.5 }), sign);
}
