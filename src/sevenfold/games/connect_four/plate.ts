// The upright board: a plate with holes, behind which the discs fall, and what is drawn in single holes.
import { disc } from "@/draw/disc";
import { svg } from "@/draw/element";

/** As picture.py describes it. */
export interface Picture {
  rows: number;
  cols: number;
  connect: number;
  blocked: Cell | null;
  cells: string[]; // a text per row, top row first: "x", "o", ".", "#"
  actions: { action: number; cell: Cell }[];
  last: Cell | null;
  line: Cell[];
  threats: { x: Threat[]; o: Threat[] };
}
export type Cell = [number, number]; // row, column
export interface Threat {
  cell: Cell;
  now: boolean;
}

export const CELL = 100;
export const HOLE = 40;
export const DISC = 44; // a little more than its hole, as in the shops
export const ABOVE = 92; // room for the next disc and the percentages
const EDGE = 14;
const MARGIN = EDGE + 10; // the foot is wider than the plate
const BELOW = 62;

export const SEATS: Record<string, number> = { x: 0, o: 1 };

export function viewBox(picture: Picture, above = ABOVE, below = BELOW): string {
  const width = picture.cols * CELL + 2 * MARGIN;
  return `${-MARGIN} ${-EDGE - above} ${width} ${picture.rows * CELL + EDGE + MARGIN + above + below}`;
}

export function centre([row, column]: Cell): { x: number; y: number } {
  return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
}

export function ring(cell: Cell, radius: number, attributes: Record<string, string | number>): SVGCircleElement {
  const { x, y } = centre(cell);
  return svg("circle", { cx: x, cy: y, r: radius, ...attributes });
}

export function discAt(seat: number, cell: Cell): SVGGElement {
  const { x, y } = centre(cell);
  const out = disc(seat, DISC);
  out.setAttribute("transform", `translate(${x} ${y})`);
  return out;
}

/** All discs; `each` gets them one by one. */
export function discs(picture: Picture, each: (cell: Cell, one: SVGGElement) => void): void {
  picture.cells.forEach((text, row) =>
    [...text].forEach((sign, column) => {
      const seat = SEATS[sign];
      if (seat !== undefined) each([row, column], discAt(seat, [row, column]));
    }),
  );
}

/** What is behind the discs. */
export function back(picture: Picture): SVGRectElement {
  const size = { width: picture.cols * CELL, height: picture.rows * CELL };
  return svg("rect", { ...size, class: "cf-back" });
}

/** The plate: one path with all holes cut out, their inner edges, and the plug of the blocked cell. */
export function front(picture: Picture): SVGGElement {
  const [width, height] = [picture.cols * CELL, picture.rows * CELL];
  const [x, y, w, h, r] = [-EDGE, -EDGE, width + 2 * EDGE, height + 2 * EDGE, 26];
  let holes = "";
  picture.cells.forEach((text, row) =>
    [...text].forEach((sign, column) => {
      const at = centre([row, column]);
      if (sign !== "#") holes += `M ${at.x - HOLE} ${at.y} a ${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0 a ${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0 z`;
    }),
  );
  const outline = `M ${x + r} ${y} h ${w - 2 * r} a ${r} ${r} 0 0 1 ${r} ${r} v ${h - 2 * r} a ${r} ${r} 0 0 1 ${-r} ${r} h ${2 * r - w} a ${r} ${r} 0 0 1 ${-r} ${-r} v ${2 * r - h} a ${r} ${r} 0 0 1 ${r} ${-r} z`;
  return svg(
    "g",
    {},
    svg("rect", { x: x - 8, y: height + 2, width: w + 16, height: 24, rx: 12, class: "cf-foot" }),
    svg("path", { d: outline + holes, "fill-rule": "evenodd", class: "cf-plate" }),
    svg("path", { d: holes, class: "cf-rims cf-light", transform: "translate(0 3)" }),
    svg("path", { d: holes, class: "cf-rims" }),
    svg("path", { d: `M ${x + r} ${y + 3} h ${w - 2 * r}`, class: "cf-edge" }),
    picture.blocked && plug(picture.blocked),
  );
}

/** A screwed plug where no disc can be. */
function plug(cell: Cell): SVGGElement {
  const { x, y } = centre(cell);
  return svg(
    "g",
    { class: "cf-plug", transform: `translate(${x} ${y}) rotate(32)` },
    svg("circle", { r: HOLE + 2 }),
    svg("circle", { r: HOLE - 9 }),
    svg("path", { d: "M -20 0 H 20 M 0 -20 V 20" }),
  );
}

/** An empty cell that would complete a line: a circle for the first player, a diamond for the second; filled when a
 * disc can land there at once. */
export function threat(seat: number, { cell, now }: Threat, shared: boolean): SVGElement {
  const { x, y } = centre(cell);
  const at = x + (shared ? (seat === 0 ? -17 : 17) : 0);
  const look = { class: `cf-threat d-seat-${seat}`, "data-now": now };
  if (seat === 0) return svg("circle", { ...look, cx: at, cy: y, r: 12 });
  return svg("path", { ...look, d: `M ${at} ${y - 16} l 16 16 l -16 16 l -16 -16 z` });
}
