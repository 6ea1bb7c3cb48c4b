// Positions to begin with, for people who have none of their own.
export interface Prepared {
  title: string; // English, for t()
  start: string | null; // a position text; null: the empty board
}

export const PREPARED: Record<string, Prepared[]> = {
  tic_tac_toe: [
    { title: "The empty board", start: null },
    { title: "A threat to see: only one move does not lose", start: "moves: b2 a1 a3 c1" },
    { title: "A win to find: two threats at once", start: "moves: a1 b1 a3 a2" },
    { title: "Three moves from the end", start: "moves: b2 a1 a3 c1 b1 b3" },
  ],
  connect_four: [
    { title: "The empty board", start: null },
    { title: "Two in the middle: stop them now", start: "moves: d a e" },
    { title: "A win to find: two threats at once", start: "moves: d d e e" },
    { title: "Three on top of each other", start: "moves: d c d c d" },
  ],
};
