// What a screen reader says of a cell: "column d, row 3, empty, legal".
import type { Heat } from "./heat";
import type { Say } from "./speak";

export interface CellWords {
  column: string;
  row: number;
  holds: string; // a piece's name, already in the person's language; "" where there is none
  legal: boolean;
  last: boolean;
  line: boolean;
  heat: Heat | undefined;
}

export function cellLabel(say: Say, cell: CellWords): string {
  const { column, row, holds, legal, last, line, heat } = cell;
  const words = [say("column {column}, row {row}", { column, row }), holds || say("empty")];
  if (legal) words.push(say("legal"));
  if (last) words.push(say("last move"));
  if (line) words.push(say("in the winning line"));
  if (legal && heat) words.push(say("{share} of the search", { share: heat.percent }));
  return words.join(say(", "));
}

export function columnLetter(column: number): string {
  return String.fromCharCode(97 + column);
}
