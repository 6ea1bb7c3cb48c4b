// A table against a server that is played by the test.
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chain, root, session, thought } from "../../test/fixtures";
import { toasts } from "../../toasts.svelte";
import type { Ask, Node, Session, Tell } from "../../wire";
import { Table } from "./table.svelte";

let socket: FakeSocket;

class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  asked: Ask[] = [];
  onopen?: () => void;
  onclose?: (event: { code: number }) => void;
  onmessage?: (event: { data: string }) => void;
  constructor() {
    socket = this;
  }
  send(text: string): void {
    this.asked.push(JSON.parse(text) as Ask);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  close(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  tell(tell: Tell): void {
    this.onmessage?.({ data: JSON.stringify(tell) });
    flushSync();
  }
}

function seated(first: Session): Table {
  const table = new Table("abc");
  socket.open();
  socket.tell({ type: "session", session: first });
  return table;
}
const tell = (nodes: Node[], more: Partial<Session> = {}) =>
  socket.tell({ type: "session", session: session(nodes, more) });
const moves = (texts: string) => [root, ...chain(texts, 0, 1)];
const over = (at: number): Session["position"] => ({ ...session(moves("d")).position, node: at, returns: [1, -1] });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  toasts.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("what is shown", () => {
  test("a room may have a pace of its own", () => {
    const table = seated(session([root]));
    table.hold = () => 100;
    tell(moves("d"));
    tell(moves("d e"));
    vi.advanceTimersByTime(90);
    expect(table.at).toBe(1);
    vi.advanceTimersByTime(20);
    expect(table.at).toBe(2);
  });

  test("moves that come at once are shown one after another, unless skipped", () => {
    const table = seated(session([root]));
    tell(moves("d"));
    tell(moves("d e"));
    tell(moves("d e f"));
    expect(table.at).toBe(1);
    expect(table.animate).toBe(true);
    vi.advanceTimersByTime(510);
    expect(table.at).toBe(2);
    table.skip();
    expect(table.at).toBe(3);
    expect(table.skippable).toBe(false);
  });

  test("with reduced motion nothing waits, nothing moves", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const table = seated(session([root]));
    tell(moves("d"));
    tell(moves("d e"));
    expect(table.at).toBe(2);
    expect(table.animate).toBe(false);
  });

  test("an older state that comes late is not shown", () => {
    const table = seated(session(moves("d e")));
    tell(moves("d"));
    expect(table.at).toBe(2);
  });

  test("values: a thought about this node, else the last known, in the end the result", () => {
    const nodes = moves("d e");
    nodes[1]!.values = [0.2, -0.2];
    const table = seated(session(nodes));
    expect(table.values).toEqual([0.2, -0.2]);
    socket.tell({ type: "thought", of: "analysis", thought: thought(2, ["d"]) });
    expect(table.values).toEqual([0.5, -0.5]);
    socket.tell({ type: "thought", of: "move", thought: { ...thought(2, ["d"]), values: [] } });
    expect(table.values).toEqual([0.2, -0.2]); // somebody who expects nothing takes nothing back
    tell(nodes, { position: over(2), version: 9 });
    expect(table.values).toEqual([1, -1]);
  });
});

describe("the trunk", () => {
  test("follows a game that is played on after an undo", () => {
    const table = seated(session(moves("d e")));
    tell([...moves("d e"), ...chain("a", 1, 3)], { line: [0, 1, 3], at: 3, version: 5 });
    expect(table.trunk).toEqual([0, 1, 3]);
  });

  test("stays where it is once the game is over: what people try are variations", () => {
    const table = seated(session(moves("d e"), { position: over(2) }));
    tell([...moves("d e"), ...chain("a", 1, 3)], { line: [0, 1, 3], at: 3, version: 5 });
    vi.advanceTimersByTime(600);
    expect(table.at).toBe(3);
    expect(table.trunk).toEqual([0, 1, 2]);
  });
});

test("a reviewed game is the trunk, though a variation of it is shown when the page is opened", () => {
  const review = {
    done: 1, moves_in_all: 3, complete: false, player: "uct", excitement: null, seats: [],
    moves: [{ node: 2, ply: 1, seat: 1, mark: "good" as const, score: 10, value: 0, best: 0, better: [] }],
  };
  const nodes = [...moves("d e f"), ...chain("a", 1, 4)];
  expect(seated(session(nodes, { line: [0, 1, 4], at: 4, review })).trunk).toEqual([0, 1, 2, 3]);
  expect(seated(session(nodes, { line: [0, 1, 2, 3], at: 3, review })).trunk).toEqual([0, 1, 2, 3]);
});

describe("what is asked", () => {
  test("arrows held down go on from the node that was asked for last", () => {
    const table = seated(session(moves("d e f")));
    table.step(-1);
    table.step(-1);
    table.step(-Infinity);
    table.step(-1);
    expect(socket.asked).toEqual([
      { type: "go", node: 2 },
      { type: "go", node: 1 },
      { type: "go", node: 0 },
    ]);
  });

  test("the next mistake, and the first again after the last", () => {
    const nodes = moves("d e f");
    nodes[1]!.mark = "slack";
    nodes[2]!.mark = "good";
    nodes[3]!.mark = "blunder";
    const table = seated(session(nodes, { at: 1 }));
    table.nextMistake();
    table.nextMistake();
    expect(socket.asked).toEqual([
      { type: "go", node: 3 },
      { type: "go", node: 1 },
    ]);
  });

  test("a refusal is a toast, and the board stays", () => {
    const table = seated(session(moves("d")));
    socket.tell({ type: "error", sentence: "it is the turn of uct." });
    expect(toasts.map((toast) => toast.text)).toEqual(["It is the turn of uct."]);
    expect(table.at).toBe(1);
    expect(table.gone).toBe(false);
  });
});

describe("the connection", () => {
  test("after a restart of the server the game goes on, and so does the analysis", () => {
    const table = seated(session(moves("d")));
    table.analyse(true);
    const before = socket;
    before.close();
    expect(table.lost).toBe(true);
    expect(table.at).toBe(1);
    vi.advanceTimersByTime(400);
    expect(socket).not.toBe(before);
    socket.open();
    expect(table.lost).toBe(false);
    expect(socket.asked).toEqual([{ type: "analyse", on: true }]);
  });

  test("a game that is not there is said to be so", () => {
    const table = new Table("abc");
    socket.open();
    socket.tell({ type: "error", sentence: "there is no game abc." });
    socket.close(4404);
    expect(table.gone).toBe(true);
    expect(toasts.length).toBe(0);
  });
});
