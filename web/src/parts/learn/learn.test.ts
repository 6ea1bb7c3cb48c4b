import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Learn from "@/screens/Learn.svelte";
import { settings } from "@/settings.svelte";
import type { Lesson } from "@/wire";
import fixture from "./lesson.test.json";
import { PREPARED } from "./positions";
import { levels, moverAt, placed, textsOf } from "./tree";

const lessons = fixture as unknown as Record<"uct" | "alphazero", Lesson>;
const seats = [{ en: "cross", "zh-TW": "叉" }, { en: "circle", "zh-TW": "圈" }]; // prettier-ignore
const games = [
  { name: "tic_tac_toe", title: { en: "Tic-tac-toe", "zh-TW": "井字棋" }, learn: true, seats },
  { name: "easycard", title: { en: "Easycard", "zh-TW": "易卡" }, learn: false, seats },
];
let asked: Record<string, unknown>[] = [];

beforeEach(() => {
  asked = [];
  settings.language = "en";
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (path === "/api/games") return new Response(JSON.stringify(games));
    const body = JSON.parse(String(init.body));
    asked.push(body);
    if (body.start === "nonsense") return new Response(JSON.stringify({ sentence: "This is no position." }), { status: 400 });
    return new Response(JSON.stringify({ ...lessons[body.method as "uct"], number: body.simulations + 1 }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const heading = () => screen.getByRole("heading", { level: 2 }).textContent;
const step = () => screen.findByRole("region", { name: "This step" });

describe("the tree of a lesson", () => {
  it("grows with the steps, and marks the way", () => {
    expect(levels(lessons.uct, 0).length).toBe(1);
    const all = levels(lessons.uct, 3);
    expect(all.map((level) => level.dots.filter((dot) => dot.chosen).map((dot) => dot.action))).toEqual([[7], [1], [3]]);
    expect(all.at(-1)!.dots.filter((dot) => dot.fresh).length).toBe(1);
    expect(levels(lessons.uct, 2).at(-1)!.dots.some((dot) => dot.fresh)).toBe(false);
  });

  it("shows what the value has changed only when it was backed up", () => {
    const visits = (at: number) => levels(lessons.uct, at)[0]!.dots.find((dot) => dot.chosen)!.visits;
    expect([visits(4), visits(5)]).toEqual([6, 7]);
  });

  it("draws every branch from the chosen dot above it, inside the picture", () => {
    const { dots, height } = placed(levels(lessons.uct, 5), 300);
    const second = dots.filter((dot) => dot.y > dots[0]!.y)[0]!;
    const chosen = dots.find((dot) => dot.chosen)!;
    expect(second.from).toEqual({ x: chosen.x, y: chosen.y });
    for (const dot of dots) expect(dot.x > 0 && dot.x < 300 && dot.y < height).toBe(true);
  });

  it("knows the moves of a path, and who makes them", () => {
    expect(textsOf(lessons.uct, [7, 1, 3])).toEqual(["b1", "b3", "a2"]);
    expect([[], [7], [7, 1]].map((path) => moverAt(lessons.uct, path))).toEqual([0, 1, 0]);
  });
});

describe("the screen", () => {
  it("steps with buttons and arrow keys, from select to back up", async () => {
    render(Learn, { words: [] });
    await step();
    expect(heading()).toContain("Select");
    await fireEvent.keyDown(window, { key: "ArrowLeft" });
    expect(heading()).toContain("Select");
    await fireEvent.click(screen.getByRole("button", { name: "Next step" }));
    for (let i = 0; i < 2; i++) await fireEvent.keyDown(window, { key: "ArrowRight" });
    expect(heading()).toContain("Expand");
    for (let i = 0; i < 9; i++) await fireEvent.keyDown(window, { key: "ArrowRight" });
    expect(heading()).toContain("Back up");
    const change = within(await step()).getByRole("row", { name: /^b1 cross/ });
    expect(change.textContent).toMatch(/6 → 7.*0\.67 → 0\.57/);
  });

  it("fills in the formula for every move, and marks the chosen one", async () => {
    render(Learn, { words: [] });
    const rows = within(await step()).getAllByRole("row").slice(1);
    expect(rows.length).toBe(5);
    const chosen = rows.filter((row) => row.textContent!.includes("(chosen)"));
    expect(chosen.map((row) => row.textContent)).toEqual([expect.stringContaining("√(ln 12 / 6)")]);
    const sums = rows.map((row) => Number(within(row).getAllByRole("cell").at(-1)!.textContent!.replace("−", "-")));
    expect(Math.max(...sums)).toBe(sums[rows.indexOf(chosen[0]!)]);
  });

  it("shows the lines of our own code with their numbers", async () => {
    render(Learn, { words: [] });
    const code = lessons.uct.steps[0]!.code;
    const shown = within(await step()).getByRole("region", { name: "The lines that do it" });
    expect(shown.textContent).toContain(String(code.first));
    for (const line of code.text.trimEnd().split("\n")) expect(shown.textContent).toContain(line);
  });

  it("goes on to the next simulation, and to AlphaZero", async () => {
    render(Learn, { words: [] });
    await step();
    await fireEvent.keyDown(window, { key: "n" });
    await screen.findByText(/Simulation 22/);
    await fireEvent.change(screen.getByRole("combobox", { name: "Method" }), { target: { value: "alphazero" } });
    await waitFor(() => expect(screen.getByText(lessons.alphazero.formula)).toBeTruthy());
    expect(asked.at(-1)).toEqual({ game: "tic_tac_toe", start: null, simulations: 21, method: "alphazero" });
  });

  it("offers only games that have lessons, and says why a position is none", async () => {
    render(Learn, { words: [] });
    await step();
    await waitFor(() => expect(within(screen.getByRole("combobox", { name: "Game" })).getAllByRole("option").length).toBe(1));
    await fireEvent.change(screen.getByRole("combobox", { name: "Position" }), { target: { value: "own" } });
    await fireEvent.input(screen.getByLabelText("Text of the position"), { target: { value: "nonsense" } });
    await fireEvent.click(screen.getByRole("button", { name: "Show it" }));
    expect((await screen.findByRole("alert")).textContent).toBe("This is no position.");
  });

  it("reads in Chinese", async () => {
    settings.language = "zh-TW";
    render(Learn, { words: [] });
    expect((await screen.findByRole("region", { name: "這一步" })).textContent).toContain("輪到叉");
    for (const code of document.querySelectorAll("pre, code")) code.remove();
    expect(document.body.textContent).not.toMatch(/[A-Za-z]+ [a-z]+ [a-z]+/);
  });

  it("has positions for both games, of which one is the start", () => {
    for (const prepared of Object.values(PREPARED)) expect(prepared.filter((one) => one.start === null).length).toBe(1);
  });
});
