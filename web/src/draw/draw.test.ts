import { afterEach, expect, test, vi } from "vitest";
import { cardBack, playingCard } from "./card";
import { dice, die } from "./dice";
import { hand } from "./hand";
import { heatOf, percent, shade } from "./heat";
import { arrow } from "./marks";
import { falling, Motion } from "./motion";
import { pile } from "./pile";
import { speaker } from "./speak";
import { thoughtOf } from "./case";

afterEach(() => vi.unstubAllGlobals());
const say = speaker("en");
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** Frames that come when the test says so. */
function frames(): (now: number) => void {
  let next: FrameRequestCallback | null = null;
  vi.stubGlobal("requestAnimationFrame", (call: FrameRequestCallback) => ((next = call), 1));
  vi.stubGlobal("cancelAnimationFrame", () => (next = null));
  return (now) => next?.(now);
}

test("an animation goes from 0 to exactly 1", () => {
  const tick = frames();
  const parts: number[] = [];
  new Motion().run(100, (part) => parts.push(part));
  for (const now of [1000, 1050, 1130, 1200]) tick(now);
  expect(parts).toEqual([0, 0, 0.5, 1]);
});

test("finish() brings everything to its end at once, and only once", () => {
  const tick = frames();
  const motion = new Motion();
  const step = vi.fn();
  motion.run(100, step);
  motion.finish();
  motion.finish();
  tick(9999);
  expect(step.mock.calls).toEqual([[0], [1]]);
});

test("an animation that starts another does not lose it", () => {
  const tick = frames();
  const motion = new Motion();
  const second = vi.fn();
  motion.run(10, (part) => part === 1 && motion.run(10, second));
  for (const now of [0, 10, 20, 30]) tick(now);
  expect(second).toHaveBeenLastCalledWith(1);
});

test("nothing moves where people want reduced motion", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const step = vi.fn();
  new Motion().run(100, step);
  expect(step.mock.calls).toEqual([[1]]);
});

test("what falls reaches the ground, bounces above it and stays", () => {
  const heights = Array.from({ length: 101 }, (_, i) => falling(i / 100));
  expect(heights[0]).toBe(0);
  expect(heights[100]).toBe(1);
  expect(Math.max(...heights)).toBeLessThanOrEqual(1);
  const ground = heights.findIndex((height) => height > 0.97);
  expect(Math.min(...heights.slice(ground + 5))).toBeGreaterThan(0.8);
  expect(Math.min(...heights.slice(ground + 5))).toBeLessThan(0.95);
});

test("shares are written as percentages", () => {
  expect([0, 0.001, 0.126, 1].map(percent)).toEqual(["0%", "<1%", "13%", "100%"]);
  expect(shade(0)).toBe(0);
  expect(shade(0.5)).toBeGreaterThan(shade(0.1));
  const thought = thoughtOf([{ action: 4, text: "e" }]);
  expect(heatOf({ heat: false, thought }).size).toBe(0);
  expect(heatOf({ heat: true, thought }).get(4)).toEqual({ share: 1, percent: "100%", best: true });
});

test("a hand of thirteen playing cards is labelled and can be played", () => {
  const play = vi.fn();
  const cards = RANKS.map((rank, i) => playingCard(say, rank, "hearts", { play: () => play(rank), playable: i === 6 }));
  const row = hand(cards, { label: say("{count} cards", { count: 13 }), fan: true });
  expect(row.getAttribute("aria-label")).toBe("13 cards");
  const buttons = [...row.querySelectorAll("button")];
  expect(buttons.filter((one) => !one.disabled).map((one) => one.getAttribute("aria-label"))).toEqual(["7 of hearts"]);
  buttons.forEach((one) => one.click());
  expect(play.mock.calls).toEqual([["7"]]);
  expect(cards.map((one) => one.style.getPropertyValue("--from-middle")).slice(0, 2)).toEqual(["-1", String(-5 / 6)]);
});

test("a large hand lies in rows of equal length", () => {
  const rows = [...hand(RANKS.map(() => cardBack(say)), { label: "", most: 6 }).children];
  expect(rows.map((row) => row.children.length)).toEqual([5, 5, 3]);
});

test("a single card stands straight", () => {
  const [card] = [cardBack(say)];
  hand([card!], { label: "one" });
  expect(card!.style.getPropertyValue("--from-middle")).toBe("0");
});

test("the back of a card says nothing of its face", () => {
  const back = cardBack(say);
  expect(back.textContent).toBe("");
  expect(back.getAttribute("aria-label")).toBe("a closed card");
});

test("playing cards are named in Chinese", () => {
  expect(playingCard(speaker("zh-TW"), "7", "spades").getAttribute("aria-label")).toBe("黑桃 7");
});

test("dice have as many pips as they show, and many dice become a number", () => {
  for (const face of [1, 2, 3, 4, 5, 6]) expect(die(face).querySelectorAll(".d-pip")).toHaveLength(face);
  expect(dice(3, 6, "three").querySelectorAll(".d-die")).toHaveLength(3);
  expect(dice(20, 6, "twenty").textContent).toBe("×20");
});

test("a pile shows its number, also when it is empty", () => {
  expect(pile(30, "pile").querySelectorAll(".d-card")).toHaveLength(4);
  expect(pile(0, "pile").textContent).toBe("0");
  expect(pile(0, "pile").dataset.empty).toBe("");
});

test("an arrow points where it should", () => {
  expect(arrow(0, 0, 100, 0, 4).querySelector("path")!.getAttribute("d")).toContain("M 100 0 L 88");
});
