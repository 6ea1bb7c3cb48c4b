// Positions to try a drawing with, for its tests and the gallery: tests/board_pictures.py writes them.
import type { View } from "../drawing";
import type { ActionInfo, Thought } from "../wire";

export interface Case<Picture> {
  game: string;
  viewer: number | null;
  to_move: View<Picture>["to_move"];
  legal: ActionInfo[];
  last: View<Picture>["last"];
  returns: number[] | null;
  text: string | null;
  picture: Picture;
}

/** As a room's board.test.json is typed: JSON knows no tuples and no choices of words. */
export interface Cases<Picture> {
  cases: Record<string, Case<Picture>>;
  set_up: { position: string; cell: string; piece: string; text: string }[];
}

export function viewOf<Picture>(one: Case<Picture>, changes: Partial<View<Picture>> = {}): View<Picture> {
  const { picture, legal, to_move, viewer, last, returns } = one;
  const plain = { heat: false, threats: false, animate: false, language: "en", thought: null, own: {} } as const;
  const seats = ["You", "Sevenfold", "Anna", "Bert", "Cleo", "Dora"];
  const live = legal.length > 0;
  return { picture, legal, to_move, viewer, seats, last, over: to_move === "over", returns, live, ...plain, ...changes };
}

/** A thought that likes the first action best, then ever less. */
export function thoughtOf(legal: ActionInfo[]): Thought {
  const whole = 1 - 0.5 ** legal.length;
  const actions = legal.map(({ action, text }, i) => {
    const share = 0.5 ** (i + 1) / whole;
    return { action, text, visits: 100, value: 0, prior: null, share, proven: false, pv: [], score: null };
  });
  const rest = { values: [0, 0], proven: false, nodes: 100, seconds: 1, depth: 1, pv: [], final: true };
  return { node: 0, player: "uct", mover: 0, action: legal[0]?.action ?? 0, actions, ...rest };
}
