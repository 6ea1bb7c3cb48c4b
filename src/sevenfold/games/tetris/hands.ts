// What a person may choose about the board of Tetris: keys, speeds, the pace.
import type { Own, Setting } from "@/drawing";
import { keyName } from "@/own";
import type { Words } from "@/wire";
import type { Hands, Key } from "./fall";
import { words } from "./words";

export type Deed = Key | "hard" | "hold";

const KEYS: { deed: Deed; code: string; also: string[]; title: Words }[] = [
  { deed: "left", code: "ArrowLeft", also: [], title: words("Move left", "左移") },
  { deed: "right", code: "ArrowRight", also: [], title: words("Move right", "右移") },
  { deed: "down", code: "ArrowDown", also: [], title: words("Soft drop", "慢降") },
  { deed: "hard", code: "Space", also: [], title: words("Hard drop", "直落") },
  { deed: "clockwise", code: "ArrowUp", also: ["KeyX"], title: words("Turn right", "順時針轉") },
  { deed: "counter", code: "KeyZ", also: ["ControlLeft"], title: words("Turn left", "逆時針轉") },
  { deed: "half", code: "KeyA", also: [], title: words("Half turn", "轉 180 度") },
  { deed: "hold", code: "KeyC", also: ["ShiftLeft"], title: words("Hold", "暫存") },
];

const number = (name: string, initial: number, low: number, high: number, title: Words, about?: Words, step = 1): Setting => ({
  name,
  kind: "number",
  default: initial,
  low,
  high,
  step,
  title,
  ...(about ? { about } : {}),
});

export const settings: Setting[] = [
  ...KEYS.map(({ deed, code, title }): Setting => ({ name: deed, kind: "key", default: code, title })),
  number("das", 133, 0, 500, words("Delayed auto-shift, DAS (ms)", "自動移動延遲 DAS（毫秒）"), words("how long a key is held before it repeats", "按住多久開始連續移動")),
  number("arr", 20, 0, 200, words("Repeat rate, ARR (ms)", "連續移動間隔 ARR（毫秒）"), words("between repeats; 0 goes to the wall at once", "0 表示直接到牆邊")),
  number("soft", 25, 0, 200, words("Soft drop (ms per row)", "慢降（毫秒／列）"), words("0 falls to the ground at once", "0 表示直接到底")),
  number("gravity", 1, 0, 60, words("Gravity (rows per second)", "重力（列／秒）"), words("0: pieces hang where they are", "0 表示不會自己落下"), 0.5),
  number("lock", 500, 0, 5000, words("Lock delay (ms)", "鎖定延遲（毫秒）"), words("0: a piece locks only by a hard drop", "0 表示只有直落才會鎖定"), 50),
  number("pace", 0, 0, 5, words("Pace (pieces per second)", "步調（塊／秒）"), words("a piece that takes longer drops by itself: how fast the other side plays; 0: as long as you like", "超過時間就自動落下，也就是對手的速度；0 表示不限時"), 0.1),
  number("watch", 2, 0.2, 20, words("When watching (pieces per second)", "觀戰速度（塊／秒）"), undefined, 0.2),
  { name: "ghost", kind: "flag", default: true, title: words("Ghost", "落點提示") },
];

export function handsOf(own: Own): Hands {
  const of = (name: string, usual: number) => (typeof own[name] === "number" ? (own[name] as number) : usual);
  const pace = of("pace", 0);
  return {
    das: of("das", 133),
    arr: of("arr", 20),
    soft: of("soft", 25),
    gravity: of("gravity", 1),
    lock: of("lock", 500),
    limit: pace > 0 ? 1000 / pace : 0,
  };
}

/** What a key does, by KeyboardEvent.code: as chosen, or by the second key that many are used to. */
export function deedOf(own: Own, code: string): Deed | null {
  const chosen = (key: (typeof KEYS)[number]) => (typeof own[key.deed] === "string" ? own[key.deed] : key.code);
  const found = KEYS.find((key) => chosen(key) === code) ?? KEYS.find((key) => key.also.includes(code));
  return found?.deed ?? null;
}

export function keys(own: Own): { shown: string[]; does: Words }[] {
  return KEYS.map(({ deed, code, title }) => ({ shown: [keyName(String(own[deed] ?? code))], does: title }));
}
