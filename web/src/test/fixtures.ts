// Games and sessions for the component tests; never shipped.
import type { GameInfo, Node, Session, Thought } from "../wire";

const both = (en: string, chinese = en) => ({ en, "zh-TW": chinese });
const named = (name: string, help: string) => ({ name, help, title: both(name), about: both(help) });

export const connectFour: GameInfo = {
  name: "connect_four",
  spec: "connect_four",
  title: both("Connect-four", "四子棋"),
  how: both("Four in a row win. Discs fall.", "先連成四子的人獲勝。棋子會落下。"),
  players: 2,
  chance: false,
  hidden: false,
  actions: 7,
  returns: [-1, 1],
  sum: "zero",
  options: [
    { ...named("rows", "rows of the board"), kind: "integer", default: 6, low: 4, high: 12 },
    { ...named("deal", "how"), kind: "choice", default: "fixed", choices: ["fixed", "same"] },
    { ...named("hidden", "closed hands"), kind: "flag", default: false },
    { ...named("blocked", "a cell that stays empty"), kind: "text", default: null },
  ],
  presets: ["saiblo"],
  seats: [both("red", "紅"), both("yellow", "黃")],
  levels: [
    { id: "beginner", player: "random", title: both("Beginner", "入門"), about: both("Plays anything.", "隨便下。") },
    { id: "easy", player: "uct:simulations=50", title: both("Easy", "簡單"), about: both("Sees a little.", "看得不遠。") },
    { id: "hard", player: "uct:seconds=1", title: both("Hard", "困難"), about: both("Sees a lot.", "看得很遠。") },
  ],
  players_known: ["random", "uct"],
  drawing: false,
  formats: ["jsonl", "sgf"],
  set_up: true,
  miniature: null,
  training: true,
  learn: true,
};

/** A chain of moves in turn after `parent`; ids go on from `id`. */
export function chain(texts: string, parent: number | null = null, id = 0, players = 2): Node[] {
  const nodes: Node[] = [];
  const ply = parent === null ? 0 : parent;
  for (const text of texts.split(" ").filter(Boolean)) {
    const before: number | null = nodes.length === 0 ? parent : id + nodes.length - 1;
    const own = ply + nodes.length + 1;
    const mover = (own - 1) % players;
    nodes.push({ id: id + nodes.length, parent: before, action: own, text, mover, ply: own, values: null, mark: null });
  }
  return nodes;
}

export const root: Node = {
  id: 0, parent: null, action: null, text: "", mover: "chance", ply: 0, values: null, mark: null,
};

export function session(nodes: Node[], more: Partial<Session> = {}): Session {
  const line = nodes.map((node) => node.id);
  const at = line.at(-1) ?? 0;
  return {
    id: "abc",
    version: nodes.length,
    game: "connect_four",
    name: "connect_four",
    players: 2,
    returns: [-1, 1],
    seats: [
      { kind: "human", player: null, level: null, name: "human" },
      { kind: "player", player: "uct:simulations=50", level: "easy", name: "uct" },
    ],
    viewer: null,
    nodes,
    line,
    at,
    position: {
      node: at, to_move: 0, legal: [{ action: 3, text: "d" }], returns: null, text: "x", drawn: ". . .", picture: null,
    },
    thinking: null,
    review: null,
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    ...more,
  };
}

export function thought(node: number, texts: string[]): Thought {
  return {
    node, player: "uct", mover: 0, action: 0, values: [0.5, -0.5], proven: false, nodes: 1000, seconds: 0.5, depth: 4,
    pv: [],
    actions: texts.map((text, action) => ({
      action, text, visits: 100 - action, value: 0.5 - action / 10, prior: 0.1, share: 0.5 / (action + 1), proven: false,
      pv: [{ action, text }, { action: 9, text: "reply" }], score: null,
    })),
    final: true,
  };
}
