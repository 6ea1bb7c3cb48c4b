import { afterEach, expect, test, vi } from "vitest";
import { thoughtOf, viewOf, type Cases } from "@/draw/case";
import { all, cellAt, mounting, press } from "@/test/board";
import board from "./board";
import type { Picture } from "./plate";
import fixture from "./board.test.json";

const { cases, set_up } = fixture as unknown as Cases<Picture>;
const mounted = mounting(board, cases);
afterEach(() => document.body.replaceChildren());

test("a click anywhere in a column plays it, but not in a full one", () => {
  const { told } = mounted("full_column");
  cellAt("column d, row 6").dispatchEvent(new MouseEvent("click"));
  cellAt("column d, row 1, red disc").dispatchEvent(new MouseEvent("click"));
  cellAt("column a, row 3").dispatchEvent(new MouseEvent("click"));
  expect(told.play.mock.calls).toEqual([[3], [3]]);
});

test("arrows and Enter, letters and digits play columns", () => {
  const { told } = mounted("middle");
  cellAt("column d, row 3").focus();
  press("ArrowRight");
  press("Enter");
  for (const key of ["a", "G", "1", "7", "8", "z", "Escape"]) press(key);
  expect(told.play.mock.calls).toEqual([[4], [0], [6], [0], [6]]);
});

test("only the cell where a disc would land is called legal", () => {
  mounted("middle");
  expect(cellAt("column c, row 4, empty, legal")).not.toBeNull();
  expect(cellAt("column c, row 5, empty").getAttribute("aria-label")).toBe("column c, row 5, empty");
  expect(cellAt("column e, row 3, yellow disc with a dot, last move")).not.toBeNull();
});

test("looking at a column shows the disc in its landing cell and tells its action", () => {
  const { told } = mounted("middle");
  cellAt("column c, row 6").dispatchEvent(new Event("pointerenter"));
  expect(told.hover).toHaveBeenLastCalledWith(2);
  expect(all(".cf-ghost").map((ghost) => ghost.getAttribute("transform"))).toEqual(["translate(250 250)"]);
  cellAt("column c, row 6").dispatchEvent(new Event("pointerleave"));
  expect(told.hover).toHaveBeenLastCalledWith(null);
  expect(all(".cf-ghost")).toHaveLength(0);
});

test("what the mouse stands on is told anew when the position changes", () => {
  const { told, drawn } = mounted("middle");
  cellAt("column c, row 6").dispatchEvent(new Event("pointerenter"));
  drawn.update(viewOf(cases.won!));
  expect(told.hover).toHaveBeenLastCalledWith(null);
});

test("discs differ by more than their colour", () => {
  mounted("middle");
  expect(all(".d-disc.d-seat-0 .d-line")).toHaveLength(6);
  expect(all(".d-disc.d-seat-1 .d-dot")).toHaveLength(6);
});

test("the last disc is marked, and the winning line instead when there is one", () => {
  const { drawn } = mounted("middle");
  expect(all(".cf-last")).toHaveLength(1);
  drawn.update(viewOf(cases.won!));
  expect(all(".cf-last")).toHaveLength(0);
  expect(all(".cf-won")).toHaveLength(4);
});

test("threats are shown on request, filled when a disc can land there at once", () => {
  const { drawn } = mounted("threats");
  expect(all(".cf-threat")).toHaveLength(0);
  drawn.update(viewOf(cases.threats!, { threats: true }));
  const { x, o } = cases.threats!.picture.threats;
  expect(all(".cf-threat.d-seat-0")).toHaveLength(x.length);
  expect(all(".cf-threat.d-seat-1")).toHaveLength(o.length);
  expect(all(".cf-threat[data-now]")).toHaveLength([...x, ...o].filter(({ now }) => now).length);
  expect(all(".cf-threat:not([data-now])").length).toBeGreaterThan(0);
});

test("heat shades columns and shows percentages, the best one marked", () => {
  mounted("middle", { heat: true, thought: thoughtOf(cases.middle!.legal) });
  expect(all("rect.cf-heat")).toHaveLength(7);
  expect(all(".d-badge")).toHaveLength(7);
  expect(all(".d-best text").map((text) => text.textContent)).toEqual(["50%"]);
});

test("a disc falls without blocking, and is in its place when the next position comes", () => {
  const { drawn } = mounted("start");
  drawn.update(viewOf(cases.won!, { animate: true }));
  const flying = all(".d-disc").filter((one) => one.getAttribute("transform")!.includes("-46"));
  expect(flying).toHaveLength(1);
  expect(all(".cf-won")).toHaveLength(0);
  drawn.update(viewOf(cases.won!, { threats: true })); // the same position: it goes on falling
  expect(all(".cf-won")).toHaveLength(0);
  drawn.update(viewOf(cases.middle!));
  expect(all(".cf-last")).toHaveLength(1);
  drawn.update(viewOf(cases.won!));
  expect(all(".d-disc").filter((one) => one.getAttribute("transform")!.includes("-46"))).toHaveLength(0);
  expect(all(".cf-won")).toHaveLength(4);
});

test("a line is shown in a position that was set up, where no disc was the last", () => {
  const picture = { ...cases.won!.picture, last: null };
  mounted("won", { picture });
  expect(all(".cf-won")).toHaveLength(4);
});

test.each(["blocked", "large", "small"])("the board %s has its own size and its plug", (name) => {
  const { drawn } = mounted("start");
  drawn.update(viewOf(cases[name]!));
  const { rows, cols, blocked } = cases[name]!.picture;
  expect(all("[role=gridcell]")).toHaveLength(rows * cols);
  expect(all(".cf-plug")).toHaveLength(blocked ? 1 : 0);
  if (blocked) expect(all('[aria-label*="blocked"]')).toHaveLength(1);
});

test("a list beside the board can point at a column; after destroy() nothing happens", () => {
  const { drawn } = mounted("middle");
  drawn.highlight(2);
  expect(all(".cf-pointed")).toHaveLength(1);
  drawn.destroy();
  drawn.update(viewOf(cases.won!, { animate: true }));
  drawn.highlight(null);
  expect(document.body.children).toHaveLength(0);
});

test.each(set_up)("set up $position: $piece at $cell is $text", ({ position, cell, piece, text }) => {
  const { picture } = cases[position]!;
  const made = board.set_up(picture, cell, piece);
  expect(made).toBe(text);
  const next = board.picture_of(made, picture);
  expect(next.cells.map((row) => row.length)).toEqual(picture.cells.map((row) => row.length));
  expect(board.set_up(next, "0,0", "empty").split("/")).toHaveLength(picture.rows);
});

test("a disc that is clicked while a position is set up changes its colour", () => {
  const { picture } = cases.won!;
  expect(board.set_up(picture, "5,3", "o")).toBe("7/7/7/7/3ooo1/3oxxx x");
});

test.each(["", "7/7", "7/7/7/7/7/8 x", "999999999999/7/7/7/7/7 x", "7/7/7/7/7/3#3 x", "4453", "7/7/7/7/7/7z x"])(
  "%j is no picture of this board",
  (text) => expect(() => board.picture_of(text, cases.start!.picture)).toThrow("6 rows of 7 cells"),
);

test("while a position is set up, every cell can be chosen and nothing is played", () => {
  const chosen = vi.fn();
  const { told } = mounted("full_column", {}, chosen);
  cellAt("column a, row 3").dispatchEvent(new MouseEvent("click"));
  expect(chosen).toHaveBeenCalledWith("3,0");
  expect(told.play).not.toHaveBeenCalled();
});

test("the miniature is still and has nothing to click", () => {
  board.miniature(document.body, cases.middle!.picture);
  expect(all(".d-disc")).toHaveLength(12);
  expect(document.querySelector("[tabindex]")).toBeNull();
});
