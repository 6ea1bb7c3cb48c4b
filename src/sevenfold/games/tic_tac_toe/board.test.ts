import { afterEach, expect, test, vi } from "vitest";
import { thoughtOf, viewOf, type Cases } from "@/draw/case";
import { cellAt, mounting, press } from "@/test/board";
import board, { type Picture } from "./board";
import fixture from "./board.test.json";

const { cases, set_up } = fixture as unknown as Cases<Picture>;
const mounted = mounting(board, cases);
afterEach(() => document.body.replaceChildren());

test("a click on an empty cell plays it, one on a stone does nothing", () => {
  const { told } = mounted("middle");
  cellAt("column b, row 3, empty, legal").dispatchEvent(new MouseEvent("click"));
  cellAt("column a, row 3, nought").dispatchEvent(new MouseEvent("click"));
  expect(told.play.mock.calls).toEqual([[1]]);
});

test("nothing is played while others move", () => {
  const { told } = mounted("middle", { legal: [] });
  cellAt("column b, row 3, empty").dispatchEvent(new MouseEvent("click"));
  expect(told.play).not.toHaveBeenCalled();
  expect(cellAt("column b, row 3").getAttribute("aria-disabled")).toBe("true");
});

test("arrows go from cell to cell, Enter plays; one cell is in the tab order", () => {
  const { told } = mounted("middle");
  cellAt("column b, row 2").focus();
  press("ArrowUp");
  expect(document.activeElement).toBe(cellAt("column b, row 3"));
  expect(document.querySelectorAll('[role=gridcell][tabindex="0"]')).toHaveLength(1);
  press("Enter");
  press("ArrowUp"); // around the edge
  press(" ");
  expect(told.play.mock.calls).toEqual([[1], [7]]);
});

test("looking at a cell tells its action and shows the stone", () => {
  const { told, drawn } = mounted("middle");
  const before = document.querySelectorAll(".ttt-stroke").length;
  cellAt("column b, row 3").dispatchEvent(new Event("pointerenter"));
  expect(told.hover).toHaveBeenLastCalledWith(1);
  expect(document.querySelectorAll(".ttt-stroke").length).toBe(before + 2);
  drawn.update(viewOf(cases.draw!));
  expect(told.hover).toHaveBeenLastCalledWith(null);
});

test("heat shows a percentage for each action, the best one marked", () => {
  const { legal } = cases.middle!;
  mounted("middle", { heat: true, thought: thoughtOf(legal) });
  const texts = [...document.querySelectorAll(".d-badge text")].map((text) => text.textContent);
  expect(texts).toHaveLength(legal.length);
  expect(document.querySelector(".d-best text")!.textContent).toBe("52%");
  expect(cellAt("column b, row 3").getAttribute("aria-label")).toContain("52% of the search");
});

test("a completed line is struck through, in Chinese too", () => {
  mounted("won", { language: "zh-TW" });
  expect(document.querySelectorAll(".ttt-line")).toHaveLength(1);
  expect(cellAt("第 a 行第 3 列，圈，在獲勝的連線中")).not.toBeNull();
});

test("an animation never leaves a stone half drawn when the next position comes", () => {
  const { drawn } = mounted("start");
  drawn.update(viewOf(cases.middle!, { animate: true }));
  expect(document.querySelectorAll("[stroke-dasharray]").length).toBeGreaterThan(0);
  drawn.update(viewOf(cases.middle!, { heat: true })); // the same position: the hand goes on
  expect(document.querySelectorAll("[stroke-dasharray]").length).toBeGreaterThan(0);
  drawn.update(viewOf(cases.draw!));
  expect(document.querySelectorAll(".ttt-stroke[stroke-dasharray]")).toHaveLength(0);
});

test("a list beside the board can point at a cell; after destroy() nothing happens", () => {
  const { drawn } = mounted("middle");
  drawn.highlight(1);
  expect(document.querySelectorAll(".ttt-pointed")).toHaveLength(1);
  drawn.destroy();
  drawn.update(viewOf(cases.won!));
  drawn.highlight(null);
  expect(document.body.children).toHaveLength(0);
});

test.each(set_up)("set up $position: $piece at $cell is $text", ({ position, cell, piece, text }) => {
  const { picture } = cases[position]!;
  expect(board.set_up(picture, cell, piece)).toBe(text);
  expect(board.picture_of(text).cells.join("")).toBe(text.slice(0, 11).replaceAll("/", ""));
});

test.each(["", "x.o/...", "x.o/.../..z x", "x.o/.../.... x"])("%j is no picture", (text) => {
  expect(() => board.picture_of(text)).toThrow("three rows");
});

test("while a position is set up, every cell can be chosen and nothing is played", () => {
  const chosen = vi.fn();
  const { told } = mounted("middle", {}, chosen);
  cellAt("column a, row 3").dispatchEvent(new MouseEvent("click"));
  expect(chosen).toHaveBeenCalledWith("0");
  expect(told.play).not.toHaveBeenCalled();
});

test("the miniature is still and has nothing to click", () => {
  board.miniature(document.body, cases.middle!.picture);
  expect(document.querySelectorAll(".ttt-stroke")).toHaveLength(6);
  expect(document.querySelector("[tabindex]")).toBeNull();
});
