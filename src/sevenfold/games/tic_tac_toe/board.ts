// Tic-tac-toe as on paper: strokes drawn by hand. Its picture is described in picture.py.
import "./board.css";
import { positionKey } from "@/draw/change";
import { decoration, set, svg } from "@/draw/element";
import { Grid } from "@/draw/grid";
import { heatOf, shade } from "@/draw/heat";
import { cellLabel, columnLetter } from "@/draw/label";
import { badge } from "@/draw/marks";
import { easeOut, Motion } from "@/draw/motion";
import { speaker } from "@/draw/speak";
import type { Drawing, Drawn, Told, View } from "@/drawing";

export interface Picture {
  cells: string[]; // nine: "x", "o" or "."
  line: number[];
  actions: { action: number; cell: number }[];
  last: number | null;
}

const CHINESE = { "tic-tac-toe board": "井字棋棋盤", cross: "叉", nought: "圈" };
const CELL = 100;
const LINES = ["M 101 8 Q 97 150 102 293", "M 199 9 Q 203 160 198 292", "M 8 99 Q 150 103 292 98", "M 7 202 Q 140 197 293 201"];
const CROSS = ["M 25 24 Q 46 53 76 77", "M 77 22 Q 53 45 24 78"];
const NOUGHT = ["M 55 20 C 33 17 19 33 20 51 C 21 70 36 81 52 80 C 70 79 82 66 80 48 C 78 31 66 20 49 21"];

/** A cross or a nought whose strokes are drawn up to `part`; each cell's is turned a little, as hands do. */
function stone(sign: string, cell: number): { group: SVGGElement; draw(part: number): void } {
  const strokes = (sign === "x" ? CROSS : NOUGHT).map((d) => svg("path", { d, pathLength: 1, class: "ttt-stroke" }));
  const turn = ((cell * 47) % 17) - 8;
  const seat = sign === "x" ? 0 : 1;
  const group = svg("g", { class: `d-seat-${seat}`, transform: `${at(cell)} rotate(${turn} 50 50)` }, ...strokes);
  const draw = (part: number): void =>
    strokes.forEach((stroke, i) => {
      const own = Math.min(1, Math.max(0, part * strokes.length - i));
      set(stroke, { "stroke-dasharray": own < 1 ? `${own} 2` : null, visibility: own > 0 ? null : "hidden" });
    });
  return { group, draw };
}

function at(cell: number): string {
  return `translate(${(cell % 3) * CELL} ${Math.floor(cell / 3) * CELL})`;
}

/** A stroke through each completed line; two lines may be completed at once. */
function winningStrokes(picture: Picture): SVGPathElement[] {
  const won = new Set(picture.line);
  const sign = picture.cells[picture.line[0] ?? -1];
  const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  const done = lines.filter((line) => line.every((cell) => won.has(cell) && picture.cells[cell] === sign));
  return done.map(([first, , last]) => {
    const [x, y, to_x, to_y] = [first! % 3, Math.floor(first! / 3), last! % 3, Math.floor(last! / 3)];
    const [dx, dy] = [(to_x - x) / 2, (to_y - y) / 2];
    const point = (a: number, b: number): string => `${(a + 0.5) * CELL} ${(b + 0.5) * CELL}`;
    const bend = point((x + to_x) / 2 + 0.04 * dy, (y + to_y) / 2 - 0.04 * dx);
    const d = `M ${point(x - 0.36 * dx, y - 0.36 * dy)} Q ${bend} ${point(to_x + 0.36 * dx, to_y + 0.36 * dy)}`;
    return svg("path", { d, pathLength: 1, class: `ttt-line d-seat-${sign === "x" ? 0 : 1}` });
  });
}

class Board implements Drawn<Picture> {
  private readonly motion = new Motion();
  private readonly shades = decoration();
  private readonly stones = decoration();
  private readonly signs = decoration();
  private readonly grid: Grid;
  private readonly root: SVGSVGElement;
  private view: View<Picture>;
  private highlighted: number | null = null;
  private looked: number | null = null;
  private shown = "";
  private gone = false;

  constructor(host: HTMLElement, view: View<Picture>, private readonly told: Told) {
    this.view = view;
    this.grid = new Grid({
      rows: 3,
      columns: 3,
      size: CELL,
      choose: (row, column) => this.choose(row * 3 + column),
      look: (cell) => this.look(cell && cell.row * 3 + cell.column),
    });
    const paper = decoration(...LINES.map((d) => svg("path", { d, class: "ttt-grid" })));
    this.root = svg("svg", { class: "d-board ttt", viewBox: "-4 -4 308 308", role: "grid" });
    this.root.append(this.shades, paper, this.stones, this.signs, ...this.grid.rows);
    host.append(this.root);
    this.update(view);
  }

  private action(cell: number): number | null {
    const found = this.view.picture.actions.find((one) => one.cell === cell)?.action;
    return found !== undefined && this.view.legal.some(({ action }) => action === found) ? found : null;
  }

  private choose(cell: number): void {
    const action = this.action(cell);
    if (this.told.cell) this.told.cell(String(cell));
    else if (action !== null) this.told.play(action);
  }

  private look(cell: number | null): void {
    this.looked = cell;
    this.told.hover(cell === null ? null : this.action(cell));
    this.drawSigns();
  }

  update(view: View<Picture>): void {
    if (this.gone) return;
    const key = positionKey(view);
    if (key !== this.shown) this.motion.finish();
    this.view = view;
    if (key !== this.shown) {
      this.drawStones();
      if (this.looked !== null) this.told.hover(this.action(this.looked));
    }
    this.shown = key;
    this.drawSigns();
    this.drawLabels();
  }

  private drawLabels(): void {
    const { view } = this;
    const say = speaker(view.language, CHINESE);
    this.root.setAttribute("aria-label", say("tic-tac-toe board"));
    const heat = heatOf(view);
    view.picture.cells.forEach((sign, cell) => {
      const action = this.action(cell);
      const text = cellLabel(say, {
        column: columnLetter(cell % 3),
        row: 3 - Math.floor(cell / 3),
        holds: sign === "x" ? say("cross") : sign === "o" ? say("nought") : "",
        legal: action !== null,
        last: view.picture.last === cell,
        line: view.picture.line.includes(cell),
        heat: action === null ? undefined : heat.get(action),
      });
      this.grid.label(Math.floor(cell / 3), cell % 3, text, action !== null || this.told.cell !== undefined);
    });
  }

  private drawStones(): void {
    const { picture, animate } = this.view;
    const lines = winningStrokes(picture);
    const drawLines = (part: number): void => {
      for (const line of lines) set(line, { "stroke-dasharray": part < 1 ? `${part} 2` : null });
    };
    this.stones.replaceChildren();
    picture.cells.forEach((sign, cell) => {
      if (sign === ".") return;
      const { group, draw } = stone(sign, cell);
      this.stones.append(group);
      if (picture.last === cell) this.motion.run(380, (part) => draw(easeOut(part)), animate);
    });
    this.stones.append(...lines);
    this.motion.run(900, (part) => drawLines(easeOut(Math.max(0, part * 2 - 1))), animate && lines.length > 0);
  }

  /** What comes and goes: heat, the cell under the mouse, the cell that a list beside the board points at. */
  private drawSigns(): void {
    const { picture, to_move } = this.view;
    this.shades.replaceChildren();
    this.signs.replaceChildren();
    const heat = heatOf(this.view);
    for (const { action, cell } of picture.actions) {
      const one = heat.get(action);
      const square = { x: 5, y: 5, width: 90, height: 90, rx: 9, transform: at(cell) };
      if (one) {
        this.shades.append(svg("rect", { ...square, class: "ttt-heat", opacity: shade(one.share) }));
        this.signs.append(badge((cell % 3) * CELL + 50, Math.floor(cell / 3) * CELL + 50, one.percent, 15, one.best));
      }
      if (action === this.highlighted && cell !== this.looked) this.signs.append(svg("rect", { ...square, class: "ttt-pointed" }));
      if (cell === this.looked && this.action(cell) !== null && typeof to_move === "number" && !one) {
        const { group } = stone(to_move === 0 ? "x" : "o", cell);
        this.signs.append(set(group, { opacity: 0.28 }));
      }
    }
    const last = picture.last;
    if (last !== null && picture.line.length === 0)
      this.shades.append(svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 9, transform: at(last), class: "ttt-last" }));
  }

  highlight(action: number | null): void {
    this.highlighted = action;
    this.drawSigns();
  }

  destroy(): void {
    this.gone = true;
    this.motion.finish();
    this.root.remove();
  }
}

function miniature(host: HTMLElement, picture: Picture): void {
  const strokes = LINES.map((d) => svg("path", { d, class: "ttt-grid" }));
  const stones = picture.cells.flatMap((sign, cell) => (sign === "." ? [] : [stone(sign, cell).group]));
  const board = svg("svg", { class: "d-board ttt", viewBox: "-4 -4 308 308", "aria-hidden": "true" });
  board.append(...strokes, ...stones, ...winningStrokes(picture));
  host.append(board);
}

function written(cells: string[]): string {
  const count = (sign: string): number => cells.filter((cell) => cell === sign).length;
  const rows = [0, 3, 6].map((first) => cells.slice(first, first + 3).join(""));
  return `${rows.join("/")} ${count("x") > count("o") ? "o" : "x"}`;
}

export default {
  mount: (host, view, told) => new Board(host, view, told),
  miniature,
  pieces: [
    { id: "x", title: "first player's piece" },
    { id: "o", title: "second player's piece" },
    { id: "empty", title: "no piece" },
  ],
  set_up: (picture, cell, piece) =>
    written(picture.cells.map((sign, i) => (i === Number(cell) ? (piece === "empty" ? "." : piece) : sign))),
  picture_of: (text) => {
    if (!/^[xo.]{3}\/[xo.]{3}\/[xo.]{3}( |$)/.test(text)) throw new Error("not a position: three rows such as x.o/.x./... .");
    const cells = [...text.replaceAll("/", "").slice(0, 9)];
    const actions = cells.flatMap((sign, cell) => (sign === "." ? [{ action: cell, cell }] : []));
    return { cells, line: [], actions, last: null };
  },
} satisfies Drawing<Picture>;
