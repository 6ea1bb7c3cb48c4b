// One side: the field in the middle, garbage beside it, hold to the left, the queue to the right, figures below.
import { set, svg } from "@/draw/element";
import type { Say } from "@/draw/speak";
import { cellsOf, type PieceName, type SidePicture } from "./words";

export const CELL = 10;
const ABOVE = 3; // rows over the top in which pieces appear
const LEFT = 50; // where the field begins
const WIDE = 10 * CELL;
export const SIZE = { width: LEFT + WIDE + 48, field: LEFT };

const COLOURS: Record<string, string> = {
  I: "#2fc4ee",
  O: "#f5cf1f",
  T: "#b04fc4",
  L: "#f08a24",
  J: "#4a68d8",
  S: "#52c041",
  Z: "#e8353f",
  G: "#7d838f",
};
export const colourOf = (kind: string): string => COLOURS[kind] ?? "#7d838f";

/** A cell with an edge of light above and of shadow below. */
function block(x: number, y: number, kind: string, size = CELL, look = ""): SVGGElement {
  const edge = size * 0.14;
  return svg(
    "g",
    { class: `tt-cell ${look}`, transform: `translate(${x} ${y})` },
    svg("rect", { width: size, height: size, fill: colourOf(kind) }),
    svg("rect", { class: "tt-light", width: size, height: edge }),
    svg("rect", { class: "tt-dark", y: size - edge, width: size, height: edge }),
  );
}

/** A piece in a box, in the middle of it. */
function boxed(piece: PieceName, x: number, y: number, size: number, look = ""): SVGGElement {
  const cells = cellsOf(piece, 0, 0, 0);
  const [low, high] = [Math.min(...cells.map(([at]) => at)), Math.max(...cells.map(([at]) => at))];
  const tall = Math.max(...cells.map(([, at]) => at)) + 1;
  const [left, top] = [x - ((low + high + 1) * size) / 2, y + (tall * size) / 2];
  return svg("g", {}, ...cells.map(([right, up]) => block(left + right * size, top - (up + 1) * size, piece, size, look)));
}

export interface Falling {
  piece: PieceName;
  pose: { r: number; x: number; y: number };
  ghost: { r: number; x: number; y: number } | null;
}

export class SideDrawing {
  readonly root: SVGSVGElement;
  private readonly stack = svg("g", { class: "tt-stack" });
  private readonly shadow = svg("g", { class: "tt-ghost" });
  private readonly advice = svg("g", { class: "tt-advice" });
  private readonly falling = svg("g", { class: "tt-falling" });
  private readonly flashes = svg("g", { class: "tt-flashes" });
  private readonly aside = svg("g", {});
  private readonly news = svg("g", { class: "tt-news", "aria-hidden": "true" });
  private readonly over = svg("g", { class: "tt-over" });
  private readonly clock = svg("rect", { class: "tt-clock", height: 1.6, width: 0 });
  private readonly rows: number;

  constructor(height: number) {
    this.rows = height + ABOVE;
    const bottom = this.rows * CELL;
    const top = ABOVE * CELL;
    const lines = [];
    for (let x = 1; x < 10; x++) lines.push(`M${LEFT + x * CELL} ${top}V${bottom}`);
    for (let y = ABOVE + 1; y < this.rows; y++) lines.push(`M${LEFT} ${y * CELL}H${LEFT + WIDE}`);
    this.root = svg(
      "svg",
      { viewBox: `0 0 ${SIZE.width} ${bottom + 4}`, class: "tt-side", role: "img" },
      svg("rect", { class: "tt-field", x: LEFT, y: top, width: WIDE, height: height * CELL }),
      svg("path", { class: "tt-grid", d: lines.join("") }),
      this.stack,
      this.shadow,
      this.advice,
      this.falling,
      this.flashes,
      svg("path", { class: "tt-wall", d: `M${LEFT} ${top}V${bottom}H${LEFT + WIDE}V${top}` }),
      this.aside,
      set(this.clock, { x: LEFT, y: bottom + 1.6 }),
      this.news,
      this.over,
    );
  }

  private at(x: number, y: number): [number, number] {
    return [LEFT + x * CELL, (this.rows - 1 - y) * CELL];
  }

  private blocks(piece: PieceName, pose: { r: number; x: number; y: number }, look = ""): SVGGElement[] {
    return cellsOf(piece, pose.r, pose.x, pose.y).map(([x, y]) => block(...this.at(x, y), piece, CELL, look));
  }

  /** The field, the queue and the figures. `hold` and `queue` may be those after hold was pressed. */
  draw(side: SidePicture, hold: PieceName | null, queue: string, used: boolean, say: Say, figures: [string, string][]): void {
    const cells: SVGGElement[] = [];
    side.rows.slice(0, this.rows).forEach((row, y) => [...row].forEach((kind, x) => kind !== "." && cells.push(block(...this.at(x, y), kind))));
    this.stack.replaceChildren(...cells);
    const top = ABOVE * CELL;
    const label = (x: number, text: string) => svg("text", { class: "tt-label", x, y: top + 7 }, text);
    const parts: SVGElement[] = [
      svg("rect", { class: "tt-box", x: 2, y: top, width: 38, height: 34 }),
      label(6, say("hold")),
      svg("rect", { class: "tt-box", x: LEFT + WIDE + 8, y: top, width: 38, height: 12 + Math.min(6, queue.length) * 21 }),
      label(LEFT + WIDE + 12, say("next")),
    ];
    if (hold) parts.push(boxed(hold, 21, top + 21, 7.5, used ? "tt-used" : ""));
    [...queue.slice(0, 6)].forEach((piece, i) => parts.push(boxed(piece as PieceName, LEFT + WIDE + 27, top + 19 + i * 21, 7.5)));
    figures.forEach(([name, value], i) =>
      parts.push(
        svg("text", { class: "tt-label", x: 4, y: top + 60 + i * 24 }, name),
        svg("text", { class: "tt-figure", x: 4, y: top + 71 + i * 24 }, value),
      ),
    );
    if (side.incoming > 0) {
      const bar = (rows: number, from: number, look: string) =>
        svg("rect", { class: look, x: LEFT - 6, width: 4, y: (this.rows - Math.min(20, from + rows)) * CELL, height: Math.max(0, Math.min(20, from + rows) - from) * CELL });
      parts.push(bar(side.due, 0, "tt-due"), bar(side.incoming - side.due, side.due, "tt-waiting"));
    }
    this.aside.replaceChildren(...parts);
  }

  fall(falling: Falling | null): void {
    this.falling.replaceChildren(...(falling ? this.blocks(falling.piece, falling.pose) : []));
    const ghost = falling?.ghost;
    this.shadow.replaceChildren(...(falling && ghost ? this.blocks(falling.piece, ghost) : []));
  }

  /** A placement that is suggested, or looked at in a list. */
  advise(piece: PieceName | null, pose: { r: number; x: number; y: number } | null, text = ""): void {
    if (!piece || !pose) return this.advice.replaceChildren();
    const cells = cellsOf(piece, pose.r, pose.x, pose.y);
    const inside = new Set(cells.map(([x, y]) => `${x} ${y}`));
    // Only the outline: edges that no other cell of the piece shares.
    const edges = cells.map(([x, y]) => {
      const [left, top] = this.at(x, y);
      const free = (dx: number, dy: number) => !inside.has(`${x + dx} ${y + dy}`);
      return [
        free(0, 1) && `M${left} ${top}h${CELL}`,
        free(0, -1) && `M${left} ${top + CELL}h${CELL}`,
        free(-1, 0) && `M${left} ${top}v${CELL}`,
        free(1, 0) && `M${left + CELL} ${top}v${CELL}`,
      ].filter(Boolean).join("");
    });
    const fill = cells.map(([x, y]) => {
      const [left, top] = this.at(x, y);
      return svg("rect", { x: left, y: top, width: CELL, height: CELL, fill: colourOf(piece), opacity: 0.25 });
    });
    this.advice.replaceChildren(...fill, svg("path", { d: edges.join(""), stroke: colourOf(piece) }, svg("title", {}, text)));
  }

  /** Rows that have just gone, as they stood. */
  flash(rows: number[], part: number): void {
    const look = { class: "tt-flash", x: LEFT, width: WIDE, height: CELL, opacity: 1 - part };
    this.flashes.replaceChildren(...(part >= 1 ? [] : rows.map((y) => svg("rect", { ...look, y: this.at(0, y)[1] }))));
  }

  tell(lines: string[], part: number): void {
    if (part >= 1) return this.news.replaceChildren();
    const middle = LEFT + WIDE / 2;
    const texts = lines.map((line, i) => svg("text", { class: i === 0 ? "tt-call" : "tt-more", x: middle, y: (ABOVE + 5) * CELL + i * 12 - 6 * part }, line));
    this.news.replaceChildren(...texts);
    this.news.setAttribute("opacity", String(part < 0.6 ? 1 : (1 - part) / 0.4));
  }

  cover(text: string | null): void {
    if (text === null) return this.over.replaceChildren();
    this.over.replaceChildren(
      svg("rect", { class: "tt-veil", x: LEFT, y: ABOVE * CELL, width: WIDE, height: (this.rows - ABOVE) * CELL }),
      svg("text", { class: "tt-covertext", x: LEFT + WIDE / 2, y: ((this.rows + ABOVE) * CELL) / 2 }, text),
    );
  }

  /** How much of the time for this piece is left; null: there is no clock. */
  time(left: number | null): void {
    set(this.clock, { width: left === null ? 0 : Math.max(0, left) * WIDE });
  }
}
