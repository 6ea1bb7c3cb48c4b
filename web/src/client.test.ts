import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { call, connect, Refused, sentenceOf } from "./client";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen?: () => void;
  onclose?: (event: { code: number }) => void;
  onmessage?: (event: { data: string }) => void;
  constructor(readonly address: string) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  close(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.made = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the line", () => {
  function line() {
    const heard: unknown[] = [];
    const ups: boolean[] = [];
    const made = connect<{ type: string }, unknown>("/api/x/ws", {
      heard: (tell) => heard.push(tell),
      changed: (up) => ups.push(up),
    });
    return { heard, ups, made };
  }

  test("tells and asks in JSON", () => {
    const { heard, made } = line();
    const socket = FakeSocket.made[0]!;
    expect(socket.address).toMatch(/^ws:\/\/.*\/api\/x\/ws$/);
    expect(made.send({ type: "undo" })).toBe(false);
    socket.open();
    socket.onmessage?.({ data: '{"type":"pong","id":1}' });
    expect(made.send({ type: "undo" })).toBe(true);
    expect(heard).toEqual([{ type: "pong", id: 1 }]);
    expect(socket.sent).toEqual(['{"type":"undo"}']);
  });

  test("comes back after the server was away, later and later", () => {
    const { ups, made } = line();
    FakeSocket.made[0]!.open();
    FakeSocket.made[0]!.close();
    expect(ups).toEqual([true, false]);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.made.length).toBe(2);
    FakeSocket.made[1]!.close();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.made.length).toBe(2);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.made.length).toBe(3);
    FakeSocket.made[2]!.open();
    expect(ups.at(-1)).toBe(true);
    expect(made.send({ type: "undo" })).toBe(true);
    made.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.made.length).toBe(3);
  });
});

test("what the server does not have is not asked for again", () => {
  const gone = vi.fn();
  connect("/api/x/ws", { heard: () => {}, changed: () => {}, gone });
  FakeSocket.made[0]!.open();
  FakeSocket.made[0]!.close(4404);
  vi.advanceTimersByTime(60_000);
  expect(gone).toHaveBeenCalledOnce();
  expect(FakeSocket.made.length).toBe(1);
});

describe("requests", () => {
  const answer = (status: number, text: string) =>
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(text, { status })));

  test("a refusal is the server's sentence", async () => {
    answer(400, '{"sentence":"there is no game chess."}');
    const refused = await call("GET", "/api/games").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(sentenceOf(refused)).toBe("There is no game chess.");
  });

  test("something else answers in its own words", async () => {
    answer(502, "<html>");
    expect(sentenceOf(await call("GET", "/").catch((error: unknown) => error))).toContain("502");
  });

  test("nobody answers", () => {
    expect(sentenceOf(new TypeError("failed to fetch"))).toContain("does not answer");
  });
});
