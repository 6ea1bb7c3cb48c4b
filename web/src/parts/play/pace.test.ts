import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "./pace";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function paced(hold = 500) {
  const shown: string[] = [];
  return { shown, pace: new Pace<string>((item) => shown.push(item), () => hold, () => Date.now()) };
}

test("steps of a burst come one after another", () => {
  const { shown, pace } = paced();
  for (const item of ["a", "b", "c"]) pace.push(item, true);
  expect(shown).toEqual(["a"]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["a", "b"]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["a", "b", "c"]);
  expect(pace.busy).toBe(false);
});

test("a step after a while is shown at once", () => {
  const { shown, pace } = paced();
  pace.push("a", true);
  vi.advanceTimersByTime(700);
  pace.push("b", true);
  expect(shown).toEqual(["a", "b"]);
});

test("what is no step keeps its place behind the steps that wait", () => {
  const { shown, pace } = paced();
  pace.push("a", true);
  pace.push("b", true);
  pace.push("b thinking", false);
  expect(shown).toEqual(["a"]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["a", "b", "b thinking"]);
});

test("skipped, the newest is shown", () => {
  const { shown, pace } = paced();
  for (const item of ["a", "b", "c", "d"]) pace.push(item, true);
  pace.skip();
  expect(shown).toEqual(["a", "d"]);
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(["a", "d"]);
});

test("with reduced motion nothing waits", () => {
  const { shown, pace } = paced(0);
  for (const item of ["a", "b", "c"]) pace.push(item, true);
  expect(shown).toEqual(["a", "b", "c"]);
});
