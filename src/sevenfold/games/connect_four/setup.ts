// Positions set up by hand, as the text of the rules: rows from the top, numbers for empty cells, who moves.
import type { Cell, Picture } from "./plate";

function count(cells: string[], sign: string): number {
  return cells.join("").split(sign).length - 1;
}

function written(cells: string[]): string {
  const rows = cells.map((row) => row.replace(/\.+/g, (empty) => String(empty.length)));
  return `${rows.join("/")} ${count(cells, "x") > count(cells, "o") ? "o" : "x"}`;
}

function put(cells: string[], [row, column]: Cell, sign: string): string[] {
  return cells.map((text, i) => (i === row ? text.slice(0, column) + sign + text.slice(column + 1) : text));
}

/** The lowest empty cell of a column, and the highest disc. */
function ends(cells: string[], column: number): { landing: number; top: number } {
  const signs = cells.map((row) => row[column] ?? "");
  return { landing: signs.lastIndexOf("."), top: signs.findIndex((sign) => sign === "x" || sign === "o") };
}

/** A disc falls down the column that was clicked; a disc that is clicked changes its colour; "empty" lifts the top. */
export function setUp(picture: Picture, cell: string, piece: string): string {
  const [row = 0, column = 0] = cell.split(",").map(Number);
  const { cells } = picture;
  const { landing, top } = ends(cells, column);
  if (piece === "empty") return written(top < 0 ? cells : put(cells, [top, column], "."));
  const taken = cells[row]?.[column];
  if (taken === "x" || taken === "o") return written(put(cells, [row, column], piece));
  return written(landing < 0 ? cells : put(cells, [landing, column], piece));
}

/** A row of the text as cells; numbers stand for that many empty ones. */
function cellsOf(row: string, cols: number): string {
  const signs = (row.match(/\d+|[xo#]/g) ?? []).map((sign) => (/\d/.test(sign) ? ".".repeat(Math.min(cols + 1, Number(sign))) : sign));
  return signs.join("");
}

/** Throws where the text is none of this board: half of a text that is being typed, or another board's. */
export function pictureOf(text: string, picture: Picture): Picture {
  const [board = ""] = text.split(" ");
  const cells = /^[xo#\d/]+$/.test(board) ? board.split("/").map((row) => cellsOf(row, picture.cols)) : [];
  const plugs = (rows: string[]): string => rows.join("").replace(/[xo]/g, ".");
  if (cells.length !== picture.rows || cells.some((row) => row.length !== picture.cols) || plugs(cells) !== plugs(picture.cells))
    throw new Error(`not a position of this board: it has ${picture.rows} rows of ${picture.cols} cells.`);
  const actions = [...cells[0]!].flatMap((_, column) => {
    const { landing } = ends(cells, column);
    return landing < 0 ? [] : [{ action: column, cell: [landing, column] as Cell }];
  });
  return { ...picture, cells, actions, last: null, line: [], threats: { x: [], o: [] } };
}
