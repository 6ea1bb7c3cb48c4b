import { describe, expect, test } from "vitest";
import { chain, connectFour, root, session, thought } from "../../test/fixtures";
import { Tree } from "./moves";
import type { Mover, Seat, Session } from "../../wire";
import { nearSeat, viewOf } from "./view";
import { namesOf, outcomeText, seatName, whyNot, withSeats } from "./words";

const nodes = [root, ...chain("d e", 0, 1)];
const table = { tree: new Tree(nodes), here: { thought: thought(2, ["d"]), of: "hint" as const }, animate: true, skippable: false };
const wants = { heat: false, threats: true, language: "en" as const };

describe("what a drawing is given", () => {
  test("the last move, the names, nothing of the thoughts unless they are wanted", () => {
    const view = viewOf(session(nodes), table, connectFour, wants, {}, true);
    expect(view.last).toEqual({ action: 2, text: "e", mover: 1 });
    expect(view.seats).toEqual(["You", "Easy"]);
    expect(view.thought).toBeNull();
    expect(view.threats).toBe(true);
    expect(viewOf(session(nodes), table, connectFour, { ...wants, heat: true }, {}, true).thought?.node).toBe(2);
  });

  test("nothing to play while moves are still being shown", () => {
    expect(viewOf(session(nodes), { ...table, skippable: true }, connectFour, wants, {}, true).legal).toEqual([]);
  });

  test("the board's clocks run on the person's turn at the end of the line, while nothing is in front of it", () => {
    const live = (one = session(nodes), clear = true) => viewOf(one, table, connectFour, wants, {}, clear).live;
    expect(live()).toBe(true);
    expect(live(session(nodes), false)).toBe(false);
    expect(live(session(nodes, { at: 1 }))).toBe(false);
    expect(live(session(nodes, { position: { ...session(nodes).position, legal: [] } }))).toBe(false);
  });

  test("the person sits at the near side", () => {
    const one = session(nodes);
    expect(nearSeat(one)).toBe(0);
    expect(nearSeat({ ...one, seats: [one.seats[1]!, one.seats[0]!] })).toBe(1);
  });
});

describe("why nothing is analysed", () => {
  const one = session(nodes);
  const at = (to_move: Mover, more: Partial<Session> = {}) => whyNot({ ...one, position: { ...one.position, to_move }, ...more }, connectFour);
  const thinking = { kind: "move", seat: 1, player: "uct", seconds: 1, waiting: false } as const;

  test("is said at the end, at chance, while a player thinks, and where something is hidden", () => {
    expect(at("over")).toContain("is over");
    expect(at("chance")).toContain("chance");
    expect(at(1, { thinking })).toBe("The analysis waits for Easy’s move.");
    expect(at(1, { viewer: 0, thinking })).toContain("waits for your turn");
  });

  test("is not said where it can be", () => {
    expect(at(0, { viewer: 0 })).toBe("");
    expect(at(1)).toBe("");
  });
});

describe("names", () => {
  const [human, easy] = session(nodes).seats as [Seat, Seat];

  test("two people are called by their colours, two of a level by both", () => {
    expect(namesOf([human, human], connectFour)).toEqual(["red", "yellow"]);
    expect(namesOf([easy, easy], connectFour)).toEqual(["red (Easy)", "yellow (Easy)"]);
    expect(seatName([human, { ...easy, level: null, name: "uct:seconds=2" }], 1, connectFour)).toBe("uct:seconds=2");
    expect(namesOf([human, easy], null)).toEqual(["You", "uct"]);
  });

  test("seats that only options bring are called as the room says", () => {
    const words = (en: string) => ({ en, "zh-TW": en });
    const seats = ["a", "b", "blue"].map(words);
    const drawing = { mount: () => ({ update() {}, highlight() {}, destroy() {} }), miniature() {}, seats };
    expect(withSeats(connectFour, drawing).seats.map(({ en }) => en)).toEqual(["red", "yellow", "blue"]);
    expect(withSeats(connectFour, null).seats).toEqual(connectFour.seats);
  });

  test("the result in words", () => {
    expect(outcomeText([human, easy], [1, -1], connectFour)).toBe("You win");
    expect(outcomeText([human, easy], [-1, 1], connectFour)).toBe("Easy wins");
    expect(outcomeText([human, human], [-1, 1], connectFour)).toBe("yellow wins");
    expect(outcomeText([easy, easy], [1, -1], connectFour)).toBe("red wins");
    expect(outcomeText([human, easy], [0, 0], connectFour)).toBe("Draw");
    expect(outcomeText([human, easy, easy], [-2, 1, 1], connectFour)).toBe("yellow (Easy) and Player 3 (Easy) share the win");
    expect(outcomeText([human, easy, easy], [1, -2, 1], connectFour)).toBe("You share the win with Player 3 (Easy)");
    expect(outcomeText([human, human, easy], [1, 1, -2], connectFour)).toBe("red and yellow share the win");
    expect(outcomeText([human, easy, easy], [-1, 2, -1], connectFour)).toBe("yellow (Easy) wins");
    expect(outcomeText([human, easy, easy], [0, 0, 0], connectFour)).toBe("Draw");
    expect(outcomeText([human], [12.5], connectFour)).toBe("Finished with 12.5");
    expect(outcomeText([human, easy], [-49, -3], connectFour)).toBe("The game is over: You -49, Easy -3");
    expect(outcomeText([human, easy], [0, -3], connectFour, [])).toBe("The game is over: You 0, Easy -3");
  });
});
