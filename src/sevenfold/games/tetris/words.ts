// What the drawing of Tetris is given (picture.py), and its words.
import type { Words } from "@/wire";

export type PieceName = "I" | "O" | "T" | "L" | "J" | "S" | "Z";

export interface Place {
  piece: PieceName;
  r: number;
  x: number;
  y: number;
  spin: number; // 0 none, 1 mini, 2 full
  hold: boolean;
}

export interface LastPlace extends Place {
  cleared: number[]; // rows, as they stood
  attack: number;
  sent: number;
  perfect: boolean;
  b2b: boolean;
  rose: number;
}

export interface SidePicture {
  rows: string[]; // from the bottom
  queue: string; // the current piece first
  hold: PieceName | null;
  combo: number;
  b2b: number;
  incoming: number;
  due: number;
  attack: number;
  sent: number;
  lines: number;
  pieces: number;
  score: number;
  end: string | null;
  last: LastPlace | null;
}

/** Where each key leads from each pose, and which action it is to lock there. */
export interface FallPicture {
  piece: PieceName;
  hold: boolean;
  poses: number[]; // r, x, y of each
  steps: number[]; // left, right, down, clockwise, counter, half of each: a pose, or -1
  locks: number[]; // of each: an action, or -1 where it would fall on
}

export interface Picture {
  height: number;
  pieces: number;
  objective: string;
  garbage: boolean;
  mover: number | null;
  sides: SidePicture[];
  falls: FallPicture[];
  places: Record<string, Place>;
}

/** The cells of a piece facing north, from its centre. */
const NORTH: Record<PieceName, [number, number][]> = {
  I: [[-1, 0], [0, 0], [1, 0], [2, 0]],
  O: [[0, 0], [1, 0], [0, 1], [1, 1]],
  T: [[-1, 0], [0, 0], [1, 0], [0, 1]],
  L: [[-1, 0], [0, 0], [1, 0], [1, 1]],
  J: [[-1, 0], [0, 0], [1, 0], [-1, 1]],
  S: [[-1, 0], [0, 0], [0, 1], [1, 1]],
  Z: [[-1, 1], [0, 1], [0, 0], [1, 0]],
};

export function cellsOf(piece: PieceName, r: number, x: number, y: number): [number, number][] {
  let cells = NORTH[piece];
  for (let turn = 0; turn < r; turn++) cells = cells.map(([right, up]) => [up, -right]);
  return cells.map(([right, up]) => [x + right, y + up]);
}

export const words = (en: string, chinese: string): Words => ({ en, "zh-TW": chinese });

export const CHINESE: Record<string, string> = {
  "game of tetris": "俄羅斯方塊",
  "{name}: {pieces} pieces, {lines} lines, attack {attack}": "{name}：{pieces} 塊、消 {lines} 行、攻擊 {attack}",
  hold: "暫存",
  next: "接下來",
  attack: "攻擊",
  lines: "消行",
  pieces: "方塊",
  APP: "每塊攻擊",
  score: "得分",
  incoming: "垃圾",
  Single: "單消",
  Double: "雙消",
  Triple: "三消",
  Tetris: "四消",
  "{piece}-spin": "{piece} 旋",
  "mini {piece}-spin": "小 {piece} 旋",
  "{spin} {lines}": "{spin}{lines}",
  "Perfect clear": "全消",
  "back to back": "連續",
  "{count} combo": "{count} 連擊",
  "+{count}": "+{count}",
  "Press a key to start": "按任意鍵開始",
  Paused: "暫停",
  "Topped out": "頂到天花板",
  Done: "完成",
  "move left": "左移",
  "move right": "右移",
  "soft drop": "慢降",
  "hard drop": "直落",
  "turn right": "順時針轉",
  "turn left": "逆時針轉",
  "half turn": "轉 180 度",
  "suggested: {text}": "建議：{text}",
  "with hold": "用暫存",
};
