import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectFour } from "../../test/fixtures";
import type { GameInfo, NewSession } from "../../wire";
import { firstChoice, formatOf, request, sitAt, withLevel, withPlayers, wrong } from "./form";
import NewGame from "./NewGame.svelte";
import { ago, firstSentence } from "./text";

const sevens: GameInfo = { ...connectFour, name: "sevens", players: 4, seats: [], options: [], presets: [] };

describe("what is asked for", () => {
  test("two clicks: a person against an easy opponent, the usual options", () => {
    expect(request(connectFour, firstChoice(connectFour, null))).toEqual({
      game: "connect_four",
      seats: [{}, { level: "easy" }],
    });
  });

  test("the last opponent's level is remembered where the game has it", () => {
    expect(firstChoice(connectFour, "hard").seats[1]?.level).toBe("hard");
    expect(firstChoice(connectFour, "strongest").seats[1]?.level).toBe("easy");
  });

  test("sitting down elsewhere gives the seat to the opponent", () => {
    const seats = sitAt(withLevel(firstChoice(sevens, null).seats, "hard"), 2);
    expect(seats.map((seat) => (seat.kind === "person" ? "person" : seat.level))).toEqual(["hard", "hard", "person", "hard"]);
  });

  test("as many seats as play: more of the same players, or fewer", () => {
    const kinds = (count: number) => withPlayers(firstChoice(sevens, "hard").seats, count).map(({ kind, level }) => (kind === "person" ? kind : level));
    expect(kinds(6)).toEqual(["person", "hard", "hard", "hard", "hard", "hard"]);
    expect(kinds(2)).toEqual(["person", "hard"]);
    const last = sitAt(firstChoice(sevens, "hard").seats, 3);
    expect(withPlayers(last, 2).map(({ kind }) => kind)).toEqual(["person", "level"]);
  });

  test("options that were touched, a preset, a position, a typed player", () => {
    const choice = firstChoice(connectFour, null);
    choice.options = { rows: 7 };
    choice.preset = "saiblo";
    choice.start = " x ";
    choice.seats[1] = { kind: "typed", level: "easy", typed: " uct:seconds=2 " };
    expect(request(connectFour, choice)).toEqual({
      game: "connect_four", preset: "saiblo", options: { rows: 7 }, start: "x", seats: [{}, { player: "uct:seconds=2" }],
    });
  });

  test("a record brings its own game", () => {
    const choice = firstChoice(connectFour, null);
    choice.record = { text: "(;)", format: formatOf("game.SGF", ["jsonl", "sgf"]) };
    choice.options = { rows: 7 };
    expect(request(connectFour, choice)).toMatchObject({ record: "(;)", format: "sgf" });
    expect(request(connectFour, choice).options).toBeUndefined();
  });

  test("numbers have a range", () => {
    const rows = connectFour.options[0]!;
    expect([6, 3, 6.5, "", 12].map((value) => wrong(rows, value) === null)).toEqual([true, false, false, false, true]);
  });
});

describe("the form", () => {
  let asked: NewSession[] = [];
  beforeEach(() => {
    asked = [];
    vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
      asked.push(JSON.parse(String(init.body)) as NewSession);
      return Promise.resolve(new Response('{"id":"new"}', { status: 200 }));
    });
  });
  afterEach(() => vi.unstubAllGlobals());
  const begin = async () => {
    await fireEvent.submit(screen.getByText("Play").closest("form")!);
  };

  test("is made from the declared options", async () => {
    render(NewGame, { game: connectFour, close: () => {} });
    await fireEvent.input(screen.getByLabelText("rows"), { target: { value: "8" } });
    await fireEvent.change(screen.getByLabelText("deal"), { target: { value: "same" } });
    await fireEvent.click(screen.getByLabelText("hidden"));
    await fireEvent.input(screen.getByLabelText("blocked"), { target: { value: "0,3" } });
    await begin();
    await waitFor(() => expect(location.hash).toBe("#/play/new"));
    expect(asked[0]?.options).toEqual({ rows: 8, deal: "same", hidden: true, blocked: "0,3" });
  });

  test("a number out of range is told, and nothing is sent", async () => {
    render(NewGame, { game: connectFour, close: () => {} });
    await fireEvent.input(screen.getByLabelText("rows"), { target: { value: "99" } });
    expect(screen.getByText("This must be from 4 to 12.")).toBeTruthy();
    await begin();
    expect(asked).toEqual([]);
  });

  test("opponent and who begins", async () => {
    render(NewGame, { game: connectFour, close: () => {} });
    await fireEvent.click(screen.getByRole("radio", { name: "Hard", hidden: true }));
    expect(screen.getByText("Sees a lot.")).toBeTruthy();
    await fireEvent.change(screen.getByLabelText("Who begins"), { target: { value: "seat 1" } });
    await begin();
    expect(asked[0]?.seats).toEqual([{ level: "hard" }, {}]);
  });

  test("the number of players changes the seats", async () => {
    const option = { ...connectFour.options[0]!, name: "num_players", default: 4, low: 2, high: 6 };
    render(NewGame, { game: { ...sevens, options: [option] }, close: () => {} });
    await fireEvent.input(document.querySelector("#option-num_players")!, { target: { value: "6" } });
    await begin();
    expect(asked[0]?.seats).toHaveLength(6);
    expect(asked[0]?.options).toEqual({ num_players: 6 });
  });

  test("four seats: two people, two players", async () => {
    render(NewGame, { game: sevens, close: () => {} });
    await fireEvent.change(screen.getByLabelText("Player 3"), { target: { value: "person" } });
    await begin();
    expect(asked[0]?.seats.map((seat) => Object.keys(seat).length)).toEqual([0, 1, 0, 1]);
  });
});

test("one sentence of a text, in both languages", () => {
  expect(firstSentence("Four in a row win. Discs fall.")).toBe("Four in a row win.");
  expect(firstSentence("先連成四子的人獲勝。棋子會落下。")).toBe("先連成四子的人獲勝。");
  expect(firstSentence("no end")).toBe("no end");
});

test("how long ago", () => {
  const now = Date.parse("2026-01-02T00:00:00Z");
  expect(ago("2026-01-01T23:55:00Z", "en", now)).toBe("5 minutes ago");
  expect(ago("2026-01-01T00:00:00Z", "zh-TW", now)).toBe("昨天");
});
