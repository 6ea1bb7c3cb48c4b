// Connect-four as it stands on the table: discs fall behind a plate with holes. Its picture is described in picture.py.
import "./board.css";
import { positionKey } from "@/draw/change";
import { disc } from "@/draw/disc";
import { decoration, svg } from "@/draw/element";
import { Grid } from "@/draw/grid";
import { heatOf, shade } from "@/draw/heat";
import { cellLabel, columnLetter } from "@/draw/label";
import { badge } from "@/draw/marks";
import { falling, Motion } from "@/draw/motion";
import { speaker } from "@/draw/speak";
import type { Drawing, Drawn, Told, View } from "@/drawing";
import { ABOVE, back, CELL, centre, DISC, discAt, discs, front, HOLE, ring, threat, viewBox } from "./plate";
import type { Cell, Picture } from "./plate";
import { pictureOf, setUp } from "./setup";

const CHINESE = {
  "connect-four board": "四子棋棋盤",
  "red disc with a ring": "紅棋（環）",
  "yellow disc with a dot": "黃棋（點）",
};
const HOLDS: Record<string, string> = { x: "red disc with a ring", o: "yellow disc with a dot", "#": "blocked" };
const FALL = 230; // milliseconds for the first cell; the time grows with the root of the height

class Board implements Drawn<Picture> {
  private readonly motion = new Motion();
  private readonly behind = decoration(); // heat, threats
  private readonly discs = decoration();
  private readonly ghosts = decoration();
  private readonly plate = decoration();
  private readonly signs = decoration();
  private readonly root: SVGSVGElement;
  private grid: Grid | null = null;
  private view: View<Picture>;
  private looked: number | null = null; // a column
  private highlighted: number | null = null; // an action
  private shown = "";
  private gone = false;

  constructor(host: HTMLElement, view: View<Picture>, private readonly told: Told) {
    this.view = view;
    this.root = svg("svg", { class: "d-board cf", role: "grid" });
    host.append(this.root);
    this.build();
    this.update(view);
  }

  /** What depends on the size of the board alone. */
  private build(): void {
    const { picture } = this.view;
    this.grid = new Grid({
      rows: picture.rows,
      columns: picture.cols,
      size: CELL,
      choose: (row, column) => this.choose(row, column),
      look: (cell) => this.look(cell && cell.column),
      key: (letter) => this.key(letter),
    });
    this.root.setAttribute("viewBox", viewBox(picture));
    this.plate.replaceChildren(front(picture), ...letters(picture));
    const behind = decoration(back(picture));
    this.root.replaceChildren(behind, this.behind, this.ghosts, this.discs, this.plate, this.signs, ...this.grid.rows);
  }

  private action(column: number): number | null {
    const found = this.view.picture.actions.find(({ cell }) => cell[1] === column)?.action;
    return found !== undefined && this.view.legal.some(({ action }) => action === found) ? found : null;
  }

  private choose(row: number, column: number): void {
    const action = this.action(column);
    if (this.told.cell) this.told.cell(`${row},${column}`);
    else if (action !== null) this.told.play(action);
  }

  /** A letter or a number from 1 plays its column; 0 is the tenth. */
  private key(letter: string): boolean {
    const column = /^[0-9]$/.test(letter) ? (Number(letter) + 9) % 10 : letter.length === 1 ? letter.charCodeAt(0) - 97 : -1;
    if (column < 0 || column >= this.view.picture.cols) return false;
    this.choose(0, column);
    return true;
  }

  private look(column: number | null): void {
    this.looked = column;
    this.told.hover(column === null ? null : this.action(column));
    this.drawGhosts();
  }

  update(view: View<Picture>): void {
    if (this.gone) return;
    const old = this.view.picture;
    const { rows, cols, blocked } = view.picture;
    const key = positionKey(view);
    if (key !== this.shown) this.motion.finish();
    this.view = view;
    if (key !== this.shown) {
      if (rows !== old.rows || cols !== old.cols || String(blocked) !== String(old.blocked)) this.build();
      this.drawDiscs();
      if (this.looked !== null) this.told.hover(this.action(this.looked));
    }
    this.shown = key;
    this.drawBehind();
    this.drawGhosts();
    this.drawLabels();
  }

  private drawDiscs(): void {
    const { picture, animate } = this.view;
    this.discs.replaceChildren();
    this.signs.replaceChildren();
    discs(picture, (cell, one) => {
      this.discs.append(one);
      if (String(cell) === String(picture.last)) this.drop(cell, one, animate);
    });
    if (!picture.last) this.mark();
  }

  /** Lets a disc fall into its place; then it is marked, and the line it may have completed. */
  private drop(cell: Cell, one: SVGGElement, animate: boolean): void {
    const { x, y } = centre(cell);
    const top = -ABOVE / 2;
    const step = (part: number): void => {
      one.setAttribute("transform", `translate(${x} ${top + (y - top) * falling(part)})`);
      if (part === 1) this.mark();
    };
    this.motion.run(FALL * Math.sqrt((y - top) / CELL), step, animate);
  }

  private mark(): void {
    const { last, line } = this.view.picture;
    const won = line.flatMap((cell) => [
      ring(cell, HOLE - 1, { class: "cf-won-under" }),
      ring(cell, HOLE - 1, { class: "cf-won" }),
    ]);
    this.signs.replaceChildren(...won);
    if (last && line.length === 0) this.signs.append(ring(last, HOLE, { class: "cf-last" }));
  }

  private drawBehind(): void {
    const { picture, threats } = this.view;
    this.behind.replaceChildren();
    const heat = heatOf(this.view);
    for (const { action, cell } of picture.actions) {
      const one = heat.get(action);
      if (!one) continue;
      const column = { x: cell[1] * CELL, width: CELL, y: 0, height: (cell[0] + 1) * CELL };
      this.behind.append(
        svg("rect", { ...column, class: "cf-heat", opacity: 0.35 * shade(one.share) }),
        ring(cell, HOLE, { class: "cf-heat", opacity: shade(one.share) }),
      );
    }
    if (!threats) return;
    const both = new Set(picture.threats.x.map(({ cell }) => String(cell)));
    const shared = new Set(picture.threats.o.map(({ cell }) => String(cell)).filter((cell) => both.has(cell)));
    for (const [seat, list] of [picture.threats.x, picture.threats.o].entries())
      for (const one of list) this.behind.append(threat(seat, one, shared.has(String(one.cell))));
  }

  /** The disc that would fall: of the column under the mouse, or of the action that a list beside the board shows. */
  private drawGhosts(): void {
    const { picture, to_move } = this.view;
    const heat = heatOf(this.view);
    const size = picture.cols > 9 ? 27 : 30;
    this.ghosts.replaceChildren();
    for (const { action, cell } of picture.actions) {
      const x = centre(cell).x;
      const one = heat.get(action);
      const shown = action === this.highlighted || (cell[1] === this.looked && this.action(cell[1]) !== null);
      if (one) this.ghosts.append(badge(x, -ABOVE / 2 - 8, one.percent, size, one.best));
      if (!shown || typeof to_move !== "number") continue;
      const ghost = discAt(to_move, cell);
      ghost.classList.add("cf-ghost");
      this.ghosts.append(ghost);
      if (action === this.highlighted && cell[1] !== this.looked) this.ghosts.append(ring(cell, HOLE - 5, { class: "cf-pointed" }));
      if (one) continue;
      const waiting = disc(to_move, DISC * 0.86);
      waiting.setAttribute("transform", `translate(${x} ${-ABOVE / 2 - 10})`);
      this.ghosts.append(waiting);
    }
  }

  private drawLabels(): void {
    const { picture, language } = this.view;
    const say = speaker(language, CHINESE);
    const heat = heatOf(this.view);
    const line = new Set(picture.line.map(String));
    this.root.setAttribute("aria-label", say("connect-four board"));
    picture.cells.forEach((text, row) =>
      [...text].forEach((sign, column) => {
        const action = this.action(column);
        const lands = picture.actions.some((one) => one.action === action && one.cell[0] === row);
        const words = cellLabel(say, {
          column: columnLetter(column),
          row: picture.rows - row,
          holds: sign in HOLDS ? say(HOLDS[sign]!) : "",
          legal: lands,
          last: String(picture.last) === `${row},${column}`,
          line: line.has(`${row},${column}`),
          heat: action === null ? undefined : heat.get(action),
        });
        this.grid?.label(row, column, words, action !== null || this.told.cell !== undefined);
      }),
    );
  }

  highlight(action: number | null): void {
    this.highlighted = action;
    this.drawGhosts();
  }

  destroy(): void {
    this.gone = true;
    this.motion.finish();
    this.root.remove();
  }
}

function letters(picture: Picture): SVGElement[] {
  return Array.from({ length: picture.cols }, (_, column) =>
    svg(
      "text",
      { x: (column + 0.5) * CELL, y: picture.rows * CELL + 64, "font-size": 34, "text-anchor": "middle" },
      columnLetter(column),
    ),
  );
}

function miniature(host: HTMLElement, picture: Picture): void {
  const board = svg("svg", { class: "d-board cf", viewBox: viewBox(picture, 0, 0), "aria-hidden": "true" });
  board.append(back(picture));
  discs(picture, (_, one) => board.append(one));
  board.append(front(picture));
  host.append(board);
}

export default {
  mount: (host, view, told) => new Board(host, view, told),
  miniature,
  pieces: [
    { id: "x", title: "first player's piece" },
    { id: "o", title: "second player's piece" },
    { id: "empty", title: "no piece" },
  ],
  set_up: setUp,
  picture_of: pictureOf,
  colours: ["light-dark(#b3320a, #ff7a55)", "light-dark(#7d6200, #ffd23f)"],
} satisfies Drawing<Picture>;
