// A board of cells that is used with the mouse or with the keys: one cell is in the tab order, arrows go to the others,
// Enter and the space bar choose. Screen readers get a grid with a label for every cell.
import { set, svg } from "./element";

export interface GridUse {
  rows: number;
  columns: number;
  size: number; // of a cell, in the units of the picture
  choose(row: number, column: number): void;
  look(at: { row: number; column: number } | null): void; // the mouse or the focus is there
  key?(letter: string): boolean; // another key; true where it meant something
}

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export class Grid {
  /** Goes on top of the picture: its cells are invisible until they are focused. */
  readonly rows: SVGGElement[];
  private readonly cells: SVGGElement[][];
  private at: [number, number];

  constructor(private readonly use: GridUse) {
    this.at = [Math.floor(use.rows / 2), Math.floor(use.columns / 2)];
    this.cells = Array.from({ length: use.rows }, (_, row) =>
      Array.from({ length: use.columns }, (_, column) => this.cell(row, column)),
    );
    this.rows = this.cells.map((row) => svg("g", { role: "row" }, ...row));
  }

  private cell(row: number, column: number): SVGGElement {
    const { size } = this.use;
    const here = row === this.at[0] && column === this.at[1];
    return svg(
      "g",
      {
        role: "gridcell",
        class: "d-cell",
        tabindex: here ? 0 : -1,
        transform: `translate(${column * size} ${row * size})`,
        onclick: () => {
          this.stand(row, column);
          this.use.choose(row, column);
        },
        onpointerenter: () => this.use.look({ row, column }),
        onpointerleave: () => this.use.look(null),
        onfocus: () => {
          this.stand(row, column);
          this.use.look({ row, column });
        },
        onblur: () => this.use.look(null),
        onkeydown: (event: KeyboardEvent) => this.key(event, row, column),
      },
      svg("rect", { x: 1, y: 1, width: size - 2, height: size - 2, rx: size / 10 }),
    );
  }

  label(row: number, column: number, text: string, open: boolean): void {
    const cell = this.cells[row]?.[column];
    if (cell) set(cell, { "aria-label": text, "aria-disabled": open ? null : "true", "data-open": open });
  }

  private stand(row: number, column: number): void {
    this.cells[this.at[0]]?.[this.at[1]]?.setAttribute("tabindex", "-1");
    this.cells[row]?.[column]?.setAttribute("tabindex", "0");
    this.at = [row, column];
  }

  focus(row: number, column: number): void {
    this.cells[row]?.[column]?.focus();
  }

  private key(event: KeyboardEvent, row: number, column: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) {
      const { rows, columns } = this.use;
      this.focus((row + step[0] + rows) % rows, (column + step[1] + columns) % columns);
    } else if (event.key === "Home") this.focus(row, 0);
    else if (event.key === "End") this.focus(row, this.use.columns - 1);
    else if (event.key === "Enter" || event.key === " ") this.use.choose(row, column);
    else if (!this.use.key?.(event.key.toLowerCase())) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
