import { afterEach, expect, test } from "vitest";
import { thoughtOf, type Cases } from "@/draw/case";
import { all, mounting } from "@/test/board";
import board from "./board";
import fixture from "./board.test.json";
import { Fall, Held, KEYS, type Hands } from "./fall";
import { callOf } from "./news";
import { cellsOf, type LastPlace, type Picture, type SidePicture } from "./words";

const { cases } = fixture as unknown as Cases<Picture>;
const mounted = mounting(board, cases, { live: true, near: 0, own: {} });
afterEach(() => document.body.replaceChildren());

const HANDS: Hands = { das: 100, arr: 10, soft: 10, gravity: 1, lock: 500, limit: 0 };
const key = (code: string, type = "keydown") => new KeyboardEvent(type, { code });
const cells = (layer: string) => all(`${layer} .tt-cell`).map((one) => one.getAttribute("transform")).sort();

test("a piece goes only where its tables lead", () => {
  const [current] = cases.start!.picture.falls;
  const fall = new Fall([current!]);
  const spawn = fall.pose;
  expect(fall.move("left")).toBe(true);
  expect(fall.pose).toEqual({ ...spawn, x: spawn.x - 1 });
  fall.slide("left");
  expect(fall.move("left")).toBe(false);
  expect(Math.min(...cellsOf(current!.piece, fall.pose.r, fall.pose.x, fall.pose.y).map(([x]) => x))).toBe(0);
  const action = fall.drop();
  expect(cases.start!.legal.map((one) => one.action)).toContain(action);
});

test("every pose that can lock is a legal action, and every legal action a pose that can lock", () => {
  for (const { picture, legal } of Object.values(cases)) {
    const locks = new Set(picture.falls.flatMap((fall) => fall.locks.filter((action) => action >= 0)));
    expect([...locks].sort()).toEqual(legal.map((one) => one.action).sort());
    for (const fall of picture.falls) expect(fall.steps).toHaveLength((fall.poses.length / 3) * KEYS.length);
  }
});

test("held keys repeat after the delay, and stop when they are let go", () => {
  const fall = new Fall(cases.start!.picture.falls);
  const held = new Held();
  held.press("right");
  expect(held.tick(90, HANDS, fall)).toBe(false);
  expect(held.tick(30, HANDS, fall)).toBe(true);
  const { x } = fall.pose;
  held.lift("right");
  expect(held.tick(500, HANDS, fall)).toBe(false);
  expect(fall.pose.x).toBe(x);
  held.press("left");
  held.tick(101, { ...HANDS, arr: 0 }, fall);
  expect(fall.move("left")).toBe(false); // at the wall
});

test("gravity pulls, and what lies locks after its delay", () => {
  const fall = new Fall(cases.start!.picture.falls);
  const { y } = fall.pose;
  expect(fall.tick(2500, HANDS)).toBe(null);
  expect(fall.pose.y).toBe(y - 2);
  fall.slide("down");
  expect(fall.tick(400, HANDS)).toBe(null);
  fall.move("left"); // on the ground: the delay begins anew
  expect(fall.tick(400, HANDS)).toBe(null);
  expect(fall.tick(200, HANDS)).toBeGreaterThanOrEqual(0);
  const late = new Fall(cases.start!.picture.falls);
  expect(late.tick(400, { ...HANDS, limit: 300 })).toBeGreaterThanOrEqual(0);
});

test("a hard drop plays what the ghost shows", () => {
  const { told, drawn } = mounted("middle");
  drawn.press!(key("ArrowLeft"));
  const ghost = cells(".tt-ghost");
  expect(ghost).toHaveLength(4);
  expect(drawn.press!(key("Space"))).toBe(true);
  expect(told.play).toHaveBeenCalledTimes(1);
  const action = told.play.mock.calls[0]![0] as number;
  expect(cells(".tt-falling")).toEqual(ghost);
  expect(cases.middle!.picture.places[action]).toBeDefined();
});

test("hold brings the other piece, once", () => {
  const { drawn } = mounted("middle");
  const before = cells(".tt-falling");
  drawn.press!(key("KeyC"));
  const after = cells(".tt-falling");
  expect(after).not.toEqual(before);
  expect(all(".tt-used")).toHaveLength(4);
  drawn.press!(key("KeyC"));
  expect(cells(".tt-falling")).toEqual(after);
});

test("keys are the page's where nobody plays", () => {
  const { told, drawn } = mounted("over", { live: false });
  expect(drawn.press!(key("Space"))).toBe(false);
  expect(told.play).not.toHaveBeenCalled();
  expect(all(".tt-covertext")[0]!.textContent).toBe("Topped out");
});

test("a chosen key is the one that counts", () => {
  const { drawn } = mounted("middle", { own: { left: "KeyJ" } });
  const before = cells(".tt-falling");
  expect(drawn.press!(key("ArrowLeft"))).toBe(false);
  expect(drawn.press!(key("KeyJ"))).toBe(true);
  expect(cells(".tt-falling")).not.toEqual(before);
});

test("what a search likes lies over the field, and what is looked at in the lists", () => {
  const { legal } = cases.middle!;
  const { drawn } = mounted("middle", { heat: true, thought: thoughtOf(legal) });
  expect(all(".tt-advice path")).toHaveLength(1);
  drawn.highlight(legal.at(-1)!.action);
  expect(all(".tt-advice path")).toHaveLength(1);
  const plain = mounted("start");
  plain.drawn.highlight(null);
});

test("clears are called by their names", () => {
  const say = (text: string, values: Record<string, string | number> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const last = { piece: "T", spin: 2, cleared: [0, 1], attack: 5, b2b: true, perfect: false } as unknown as LastPlace;
  expect(callOf(last, { combo: 3 } as SidePicture, say)).toEqual(["T-spin Double", "back to back", "2 combo", "+5"]);
  expect(callOf({ ...last, spin: 0, cleared: [], attack: 0 }, { combo: 0 } as SidePicture, say)).toEqual([]);
});

test("a miniature has no keys and no words for readers", () => {
  board.miniature(document.body, cases.middle!.picture);
  expect(all("[aria-hidden=true] .tt-side")).toHaveLength(1);
  expect(all("button")).toHaveLength(0);
});
