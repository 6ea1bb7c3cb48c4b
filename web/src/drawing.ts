// How a room draws its game: `src/sevenfold/games/<name>/board.ts` exports a `Drawing` by default, and Vite finds it.
// A drawing is plain TypeScript over SVG, canvas or HTML, without a framework: it is given pictures and tells clicks. It
// knows no rules; what may be played is in `legal`.
import type { ActionInfo, Mover, Thought } from "./wire";

export interface View<Picture> {
  picture: Picture;
  legal: ActionInfo[]; // empty while the person has nothing to do
  to_move: Mover;
  viewer: number | null;
  near?: number | null; // the seat that the person sits at, drawn nearest to them; else the viewer's, else seat 0
  seats: string[]; // names
  last: { action: number; text: string; mover: Mover } | null;
  over: boolean;
  returns: number[] | null;
  thought: Thought | null; // to be laid over the board, when the person wants it
  heat: boolean; // show the policy
  threats: boolean; // show what the picture says about threats
  animate: boolean; // a new move, not another node; false where people want reduced motion
  language: "en" | "zh-TW";
}

export interface Told {
  play(action: number): void;
  hover(action: number | null): void; // the lists beside the board show it
  cell?(cell: string): void; // given while a position is set up: any cell that is chosen, and nothing is played
}

export interface Drawn<Picture> {
  update(view: View<Picture>): void; // returns at once; animations go on by themselves
  highlight(action: number | null): void; // from the lists beside the board
  destroy(): void;
}

export interface Drawing<Picture = unknown> {
  mount(host: HTMLElement, view: View<Picture>, told: Told): Drawn<Picture>;
  miniature(host: HTMLElement, picture: Picture): void; // small and still, for the lobby
  // For games that are set up by hand: the position text after a click on a cell with a piece from `pieces`.
  pieces?: { id: string; title: string }[];
  set_up?(picture: Picture, cell: string, piece: string): string;
  // A picture of such a text, which no rules have judged: half of a position that is being set up is often none.
  picture_of?(text: string, picture: Picture): Picture;
  // What people read for the text of an action, where that is a word of one language.
  say?(text: string, language: "en" | "zh-TW"): string;
  // The seats' colours where players know them by colour: the page sets --seat-0 … to them around the game.
  colours?: string[];
}
