// How a room draws its game: `src/sevenfold/games/<name>/board.ts` exports a `Drawing` by default, and Vite finds it.
// A drawing is plain TypeScript over SVG, canvas or HTML, without a framework: it is given pictures and tells clicks. It
// knows no rules; what may be played is in `legal`.
// docs/how-to/draw-a-game.md is the guide.
import type { ActionInfo, Mover, Thought, Words } from "./wire";

/** What a person has chosen for one room, kept in the browser: its settings, and whatever else it keeps (decks). */
export type Own = Readonly<Record<string, unknown>>;

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
  threats: boolean; // show the overlay (`Drawing.overlay`): what the picture says about threats, or about hidden cards
  animate: boolean; // a new move, not another node; false where people want reduced motion
  language: "en" | "zh-TW";
  // The person may move where the game goes on, and nothing lies in front of the board: clocks of its own may run.
  live: boolean;
  own: Own;
}

export interface Told {
  play(action: number): void;
  keep(own: Own): void; // adds to what is kept for the room; comes back as `view.own`
  hover(action: number | null): void; // the lists beside the board show it
  cell?(cell: string): void; // given while a position is set up: any cell that is chosen, and nothing is played
}

export interface Drawn<Picture> {
  update(view: View<Picture>): void; // returns at once; animations go on by themselves
  highlight(action: number | null): void; // from the lists beside the board
  // Every key that goes down or up while nobody types, wherever the focus is; true takes it from the page. For games
  // that are played by keys: others give their cells the focus (`draw/grid.ts`), and need nothing here.
  press?(event: KeyboardEvent): boolean;
  release?(): void; // no key is down any more: the window has lost the focus, or something lies in front of the board
  destroy(): void; // ends its clocks too
}

/** A choice of the person about how the board behaves: the page asks for it in a form, and keeps it per room. */
export interface Setting {
  name: string; // in `own`
  title: Words;
  about?: Words;
  kind: "number" | "choice" | "flag" | "key";
  default: number | string | boolean; // of a key: as KeyboardEvent.code has it
  low?: number;
  high?: number;
  step?: number;
  choices?: { value: string; title: Words }[];
}

/** What the room's panel in the lobby is given. */
export interface Form {
  options: Readonly<Record<string, unknown>>; // all of the game, as chosen so far or by default
  own: Own;
  language: "en" | "zh-TW";
}

/** A part of the room's own in the form for a new game: it makes options that are more than a field, such as decks. */
export interface Panel {
  title: Words;
  options: string[]; // that it makes: the form has no fields for them
  wide?: boolean; // the form is as wide as the window
  mount(
    host: HTMLElement,
    form: Form,
    told: { choose(option: string, value: unknown): void; keep(own: Own): void }, // undefined: the default again
  ): { update(form: Form): void; destroy(): void };
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
  // What the seats are called, where options bring more of them than the usual game has.
  seats?: Words[];
  // The seats' colours where players know them by colour: the page sets --seat-0 … to them around the game.
  colours?: string[];
  // What the overlay is called that people switch on (`View.threats`); "Threats" where a room says nothing.
  overlay?: Words;
  // Who has won, where the returns do not tell: the best of them may be a loss too. Nobody: []; null: the returns tell.
  won?(picture: Picture): number[] | null;
  settings?: Setting[];
  keys?(own: Own): { shown: string[]; does: Words }[]; // what `press` takes, for the page's list of keys
  panel?: Panel;
  // Milliseconds that a move stays before the next one, when several come at once; 500 where a room says nothing.
  hold?(own: Own): number;
}
