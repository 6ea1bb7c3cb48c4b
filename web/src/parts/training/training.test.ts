import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Training from "@/screens/Training.svelte";
import { settings } from "@/settings.svelte";
import type { RunState, RunTell } from "@/wire";
import { inWords } from "./config_words";
import MatchResult from "./MatchResult.svelte";
import fixture from "./run.test.json";

type Range = (plot: null, low: number | null, top: number | null) => [number, number];
const plots = vi.hoisted(() => ({
  made: [] as { data: unknown[][]; options: { series: { dash?: number[] }[]; scales: { y: { range: Range } } } }[],
}));
vi.mock("./canvas", () => ({
  UPlot: class {
    constructor(options: never, data: never) {
      plots.made.push({ options, data });
    }
    setData(data: never) {
      plots.made.at(-1)!.data = data;
    }
    setSize() {}
    destroy() {}
  },
}));

const run = fixture as unknown as RunState;
const title = { en: "Tic-tac-toe", "zh-TW": "井字棋" };
const level = { id: "easy", player: "uct:simulations=50", title: { en: "easy", "zh-TW": "簡單" }, about: title };
const games = [{ name: "tic_tac_toe", title, training: true, levels: [level], seats: [] }];
const match = {
  id: "m1", game: "tic_tac_toe", players: ["run:20261117-tic_tac_toe@12", "random"], games: 20, planned: 20, wins: 18,
  draws: 1, losses: 1, score: 0.925, elo: 436, elo_interval: [230, null] as [number, null], running: false, sentence: null,
}; // prettier-ignore

// A run without a search: its ratings are points per game.
const sevens = { ...games[0]!, name: "sevens", title: { en: "Sevens", "zh-TW": "排七" }, players: 4 };
const gradient = { estimate: "trials", goes_on: "blocker", league: ["blocker"], league_share: 0.75, past_share: 0, epochs: 1, against: "" };
const pointed = {
  ...run,
  game: "sevens",
  running: false,
  config: { ...run.config, game: "sevens", method: "policy_gradient", gradient },
  ratings: [
    { iteration: 10, opponent: "random", score: 66.29, elo: null, games: 16 },
    { iteration: 10, opponent: "blocker", score: -2.975, elo: null, games: 16 },
  ],
} as RunState;

let shown = run;
let asked: { method: string; path: string; body: unknown }[] = [];
let sockets: { url: string; onmessage?: (event: { data: string }) => void; close(): void }[] = [];

function answers(path: string, method: string): unknown {
  if (path === "/api/games") return [...games, sevens];
  if (path === "/api/runs" && method === "GET") return [{ ...run, id: "old", games: 9, updated: "2026-01-01T00:00:00Z", running: false }, run];
  if (path === "/api/runs") return { ...run, id: "fresh" };
  if (path === "/api/matches") return { ...match, running: true, games: 0 };
  if (path === "/api/matches/m1") return match;
  if (path === "/api/sessions") return { id: "s1" };
  return shown;
}

beforeEach(() => {
  shown = run;
  asked = [];
  sockets = [];
  plots.made = [];
  settings.language = "en";
  location.hash = "#/training";
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    asked.push({ method: init.method!, path, body: init.body ? JSON.parse(String(init.body)) : undefined });
    return new Response(JSON.stringify(answers(path, init.method!)));
  });
  vi.stubGlobal(
    "WebSocket",
    class {
      onmessage?: (event: { data: string }) => void;
      constructor(readonly url: string) {
        sockets.push(this);
      }
      close() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const tell = (what: RunTell) => sockets[0]!.onmessage!({ data: JSON.stringify(what) });

describe("the list of runs", () => {
  it("shows the newest first, and sorts by a column", async () => {
    render(Training, { words: [] });
    await screen.findAllByRole("link");
    const first = () => within(screen.getByRole("table")).getAllByRole("row")[1]!.textContent;
    expect(first()).toContain("3,600");
    await fireEvent.click(screen.getByRole("button", { name: /Last change/ }));
    expect(first()).not.toContain("3,600");
  });

  it("starts tic-tac-toe, quick, by default, and goes there", async () => {
    render(Training, { words: [] });
    await fireEvent.click(await screen.findByRole("button", { name: "Start learning" }));
    await waitFor(() => expect(location.hash).toBe("#/training/fresh"));
    expect(asked.find((one) => one.method === "POST")?.body).toEqual({ game: "tic_tac_toe", preset: "quick", minutes: 2 });
  });

  it("says in a sentence why a run was refused", async () => {
    render(Training, { words: [] });
    const button = await screen.findByRole("button", { name: "Start learning" });
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ sentence: "Two runs are on; stop one first." }), { status: 409 }));
    await fireEvent.click(button);
    expect((await screen.findAllByRole("alert"))[0]!.textContent).toBe("Two runs are on; stop one first.");
  });
});

describe("a run", () => {
  it("draws its curves, with dashes of their own, and adds what is told", async () => {
    render(Training, { words: [run.id] });
    await waitFor(() => expect(plots.made.length).toBe(5), { timeout: 4000 });
    const dashes = plots.made[0]!.options.series.slice(1).map((series) => JSON.stringify(series.dash));
    expect(new Set(dashes).size).toBe(3);
    expect(screen.getByText("about 1 min 5 s left")).toBeTruthy();
    tell({ type: "metrics", line: { ...run.metrics[0]!, iteration: 13, loss: 0.123 } });
    expect(await screen.findByText("0.123")).toBeTruthy();
  });

  it("gives the numbers as a table too", async () => {
    render(Training, { words: [run.id] });
    const losses = await screen.findByRole("region", { name: "Losses" });
    const details = within(losses).getByText("The numbers as a table").closest("details")!;
    details.open = true;
    await fireEvent(details, new Event("toggle"));
    await waitFor(() => expect(within(losses).getAllByRole("row").length).toBe(13));
  });

  it("lets people play against a checkpoint", async () => {
    render(Training, { words: [run.id] });
    await fireEvent.click(await screen.findByRole("button", { name: "Play against it: checkpoint 10" }));
    await waitFor(() => expect(location.hash).toBe("#/play/s1"));
    const body = asked.find((one) => one.path === "/api/sessions")?.body as { seats: unknown[] };
    expect(body.seats).toEqual([{}, { player: "run:20261117-tic_tac_toe@10" }]);
  });

  it("says points per game where there is no search, on an axis that goes below 0, and offers no Elo", async () => {
    shown = pointed;
    render(Training, { words: [run.id] });
    const strength = await screen.findByRole("region", { name: "Strength" });
    expect(strength.textContent).toContain("Points per game");
    expect(strength.textContent).not.toContain("%");
    expect(screen.queryByRole("radio", { name: "Elo" })).toBeNull();
    expect(screen.queryByText("Elo")).toBeNull();
    const checkpoints = screen.getByRole("region", { name: "Checkpoints" });
    expect(checkpoints.textContent).toContain("+66.3 random");
    expect(checkpoints.textContent).toContain("−3.0 blocker");
    expect(checkpoints.textContent).not.toContain("%");
    await waitFor(() => expect(plots.made.length).toBe(5), { timeout: 4000 });
    const plot = plots.made.find((one) => JSON.stringify(one.data) === "[[10],[66.29],[-2.975]]")!;
    const [low, high] = plot.options.scales.y.range(null, -2.975, 66.29);
    expect(low).toBeLessThan(-2.975);
    expect(high).toBeGreaterThan(66.29);
    expect(plot.options.scales.y.range(null, 1, 2)[0]).toBe(0);
  });

  it("seats a checkpoint everywhere but in the person's seat", async () => {
    for (const [game, others] of [["sevens", 3], ["sevens(num_players=6)", 5]] as const) {
      shown = { ...pointed, game };
      asked = [];
      render(Training, { words: [run.id] });
      await fireEvent.click(await screen.findByRole("button", { name: "Play against it: checkpoint 10" }));
      await waitFor(() => expect(asked.some((one) => one.path === "/api/sessions")).toBe(true));
      const body = asked.find((one) => one.path === "/api/sessions")?.body as { seats: unknown[] };
      expect(body.seats).toEqual([{}, ...Array<unknown>(others).fill({ player: `run:${run.id}@10` })]);
      cleanup();
    }
  });

  it("compares a checkpoint with somebody, and says who is stronger", async () => {
    render(Training, { words: [run.id] });
    await fireEvent.click(await screen.findByRole("button", { name: "Start the match" }));
    expect(await screen.findByText(/checkpoint 12 is the stronger one/, {}, { timeout: 2000 })).toBeTruthy();
    expect(asked.find((one) => one.path === "/api/matches")?.body).toEqual({
      game: "tic_tac_toe",
      players: ["run:20261117-tic_tac_toe@12", "random"],
      games: 20,
    });
  });

  it("shows the last words of a run that failed", async () => {
    render(Training, { words: [run.id] });
    await screen.findByRole("heading", { level: 1 });
    tell({ type: "run", run: { ...run, running: false, log: "MemoryError: no room left." } });
    expect(await screen.findByText("MemoryError: no room left.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
  });

  it("stops when it is told to", async () => {
    render(Training, { words: [run.id] });
    await fireEvent.click(await screen.findByRole("button", { name: "Stop" }));
    await waitFor(() => expect(asked.some((one) => one.method === "DELETE" && one.path === `/api/runs/${run.id}`)).toBe(true));
  });
});

describe("words", () => {
  it("tells what a run does, in both languages", () => {
    expect(inWords(run.config!).flat()).toContain("After 25 iterations or 2 minutes.");
    settings.language = "zh-TW";
    expect(inWords(run.config!).flat().join("")).not.toMatch(/[a-z]{3,} [a-z]{3,} [a-z]{3,}/);
  });

  it("tells who is at the tables of a run without a search", () => {
    const words = inWords(pointed.config!).flat().join(" ");
    expect(words).toContain("blocker (75 % of the tables), the net itself (25 % of the tables)");
    expect(words).toContain("Every move is tried to the end of the game; blocker plays on.");
    expect(words).not.toMatch(/simulations for|Gumbel/);
  });

  it.each([run, pointed])("has Chinese for everything on the screen", async (one) => {
    shown = one;
    settings.language = "zh-TW";
    render(Training, { words: [run.id] });
    await screen.findByText("這些數字是什麼意思");
    expect(document.body.textContent).not.toMatch(/[A-Za-z]+ [a-z]+ [a-z]+/);
  });

  it("does not claim a winner where the interval holds 0", () => {
    render(MatchResult, { match: { ...match, elo_interval: [-20, 300] }, names: ["a", "b"] });
    expect(screen.getByText(/So few games/)).toBeTruthy();
  });
});
