import { afterEach, expect, test } from "vitest";
import { thoughtOf, viewOf, type Cases } from "@/draw/case";
import { percent } from "@/draw/heat";
import { all, mounting, press } from "@/test/board";
import board from "./board";
import fixture from "./board.test.json";
import type { Picture } from "./words";

const { cases } = fixture as unknown as Cases<Picture>;
const seats = ["You", "Anna", "Bert", "Cleo", "Dora", "Emil"];
const mounted = mounting(board, cases, { seats, near: 0 });
afterEach(() => document.body.replaceChildren());

function cardOf(card: number): HTMLButtonElement {
  return document.querySelector<HTMLButtonElement>(`[data-card="${card}"]`)!;
}

test("only cards that fit can be played, and they are lifted", () => {
  const { told } = mounted("middle");
  const { legal, picture } = cases.middle!;
  const hand = picture.seats[0]!.hand!;
  expect(all(".sv-hand .d-card")).toHaveLength(hand.length);
  for (const card of hand) cardOf(card).click();
  expect(told.play.mock.calls.map(([action]) => action)).toEqual(legal.map(({ action }) => action));
  expect(all(".sv-hand [data-playable]")).toHaveLength(legal.length);
});

test("where nothing fits every card can be laid face down, and says so", () => {
  const { told } = mounted("cover");
  const hand = cases.cover!.picture.seats[0]!.hand!;
  expect(all(".sv-hand [data-playable] .sv-down")).toHaveLength(hand.length);
  expect(cardOf(hand[0]!).getAttribute("aria-label")).toMatch(/^lay .* face down$/);
  expect(document.querySelector(".sv-status")!.textContent).toContain("Nothing fits");
  cardOf(hand[0]!).click();
  expect(told.play).toHaveBeenCalledWith(hand[0]);
});

test("nothing can be played while others move, and a cover of theirs shows no card", () => {
  mounted("other");
  expect(all("[data-card]:enabled")).toHaveLength(0);
  expect(document.querySelector(".sv-status")!.textContent).toMatch(/covered a card$/);
});

test("no face of a hidden card is in the document", () => {
  mounted("middle");
  const { picture } = cases.middle!;
  const { hand, covers } = picture.seats[0]!;
  expect(all(".d-playing")).toHaveLength(picture.table.length + hand!.length + covers!.length);
});

test("the sevens are in the middle of their rows", () => {
  mounted("middle");
  const rows = all(".sv-row");
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row.children).toHaveLength(13);
  expect(rows[0]!.children[6]!.getAttribute("aria-label")).toBe("7 of spades");
  expect(all("[data-laid]").map((one) => Number(one.dataset.laid))).toEqual(cases.middle!.picture.table);
});

test("arrows go over the playable cards, around the end", () => {
  mounted("middle");
  const playable = all(".sv-hand [data-playable]");
  expect(playable.filter((one) => one.tabIndex === 0)).toHaveLength(1);
  playable[0]!.focus();
  press("ArrowRight");
  expect(document.activeElement).toBe(playable[1]);
  press("ArrowLeft");
  press("ArrowLeft");
  expect(document.activeElement).toBe(playable.at(-1));
});

test("the frontier and the belief are shown on request only", () => {
  const { drawn } = mounted("middle");
  expect(all("[data-fits], .sv-belief")).toHaveLength(0);
  drawn.update(viewOf(cases.middle!, { seats, near: 0, threats: true }));
  expect(all("[data-fits]").map((one) => Number(one.dataset.slot))).toEqual(cases.middle!.picture.frontier);
  const unseen = Object.keys(cases.middle!.picture.belief!.cards);
  expect(all(".sv-share").filter((one) => one.textContent)).toHaveLength(unseen.length);
});

test("looking at a place shows who may hold its card, with numbers that add up", () => {
  mounted("middle", { threats: true });
  const [card, counts] = Object.entries(cases.middle!.picture.belief!.cards)[0]!;
  document.querySelector(`[data-slot="${card}"]`)!.dispatchEvent(new Event("pointerenter"));
  const numbers = all(".sv-bars-row .sv-bar-number").map((one) => parseInt(one.textContent!.replace("<", "")));
  expect(numbers).toHaveLength(3);
  expect(Math.abs(numbers.reduce((sum, one) => sum + one, 0) - 100)).toBeLessThanOrEqual(2);
  expect(all(".sv-bars-row")[0]!.getAttribute("aria-label")).toContain(`Anna ${percent((counts[1]! + counts[5]!) / 200)}`);
});

test("looking at a player shows that player's shares in the empty places", () => {
  mounted("middle", { threats: true });
  const panel = document.querySelector<HTMLElement>('[data-seat="2"]')!;
  panel.dispatchEvent(new Event("pointerenter"));
  const [card, counts] = Object.entries(cases.middle!.picture.belief!.cards)[0]!;
  const share = percent((counts[2]! + counts[6]!) / 200);
  expect(document.querySelector(`[data-slot="${card}"] .sv-share`)!.textContent).toBe(share);
  expect(document.querySelector(`[data-slot="${card}"] .sv-share`)!.children).toHaveLength(1); // with its sign on one line
  expect(document.querySelector(".sv-belief b")!.textContent).toBe("what Bert may hold");
  expect(all("[data-slot] .sv-token")).toHaveLength(0);
  panel.dispatchEvent(new Event("pointerleave"));
  expect(all("[data-slot] .sv-token").length).toBeGreaterThan(0);
});

test("passes left, and a button to pass", () => {
  const { told } = mounted("narabe");
  document.querySelector<HTMLButtonElement>(".sv-pass")!.click();
  expect(told.play).toHaveBeenCalledWith(52);
  expect(document.querySelector(".sv-own-head")!.textContent).toMatch(/passes left/);
});

test("every number of seats finds its place", () => {
  for (const [name, count] of [["two", 1], ["middle", 3], ["six", 5]] as const) {
    mounted(name);
    expect(all(".sv-seat")).toHaveLength(count);
    document.body.replaceChildren();
  }
});

test("the end shows everybody's points and covered cards, the best first", () => {
  mounted("over");
  const { picture } = cases.over!;
  const scores = all("td.sv-score").map((one) => Number(one.textContent!.replace("−", "-")));
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(scores.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 0);
  const left = picture.seats.reduce((sum, one) => sum + one.covers!.length, 0);
  expect(all(".sv-left-cards .d-card")).toHaveLength(left);
});

test("what is sunk is covered or dead, and dead cards say so", () => {
  const case_ = cases.cover!;
  const picture = structuredClone(case_.picture);
  picture.seats[0]!.hand = [2, 27, 29, 38, 41, 51];
  picture.seats[0]!.dead = [27, 38, 41, 51];
  picture.seats[0]!.sunk = 45;
  const legal = picture.seats[0]!.hand.map((action) => ({ action, text: "" }));
  mounted("cover", { picture, legal });
  const dead = all("[data-dead]").map((one) => Number(one.dataset.card));
  expect(dead).toEqual([27, 38, 41, 51]);
  expect(cardOf(27).getAttribute("aria-label")).toBe("lay 2 of diamonds face down, dead: can never be played");
  expect(cardOf(27).title).toBe("dead: can never be played");
  expect(cardOf(2).title).toBe("");
  expect(document.querySelector(".sv-sunk .d-bar")!.getAttribute("aria-valuenow")).toBe("45");
  expect(document.querySelector(".sv-sunk")!.getAttribute("title")).toBe("45 of 50 points sunk: covered and dead cards");
});

test("a hand of more than thirteen cards lies in rows of equal length", () => {
  mounted("two");
  const rows = all(".sv-hand .d-row").map((row) => row.children.length);
  expect(rows).toEqual([9, 8]);
  document.body.replaceChildren();
  mounted("dealt");
  expect(all(".sv-hand .d-row").map((row) => row.children.length)).toEqual([13]);
});

test("who has won is what the rules say; several may share the deal, and nobody may have it", () => {
  const end = (won: boolean[]): [string, number] => {
    document.body.replaceChildren();
    const picture = structuredClone(cases.over!.picture);
    won.forEach((one, seat) => (picture.seats[seat]!.won = one));
    mounted("over", { picture });
    expect(board.won(picture)).toEqual(won.flatMap((one, seat) => (one ? [seat] : [])));
    return [document.querySelector(".sv-status")!.textContent!, all("tr[data-won]").length];
  };
  expect(end([false, false, true, false])).toEqual(["Bert won the deal", 1]);
  expect(end([true, false, true, false])).toEqual(["You and Bert share the deal", 2]);
  expect(end([false, false, false, false])).toEqual(["The deal is over", 0]);
  expect(board.won(cases.middle!.picture)).toBeNull();
});

test("where all pay nobody has won, though somebody has paid least", () => {
  mounted("nobody");
  expect(document.querySelector(".sv-status")!.textContent).toBe("The deal is over");
  expect(all("tr[data-won]")).toHaveLength(0);
});

test("of a player who has shown nothing yet it is said so", () => {
  mounted("middle", { threats: true });
  const asked = (seat: number): string => {
    document.querySelector(`[data-seat="${seat}"]`)!.dispatchEvent(new Event("pointerenter"));
    return document.querySelector(".sv-belief")!.textContent!;
  };
  expect(cases.middle!.picture.seats.map(({ lacks }) => lacks.length > 0)).toEqual([false, false, true, false]);
  expect(asked(1)).toBe("what Anna may holdAnna has not shown yet what it lacks");
  expect(asked(2)).not.toContain("has not shown");
});

test("a deal moves, and is in its place at once with the next position", () => {
  const { drawn } = mounted("dealt", { animate: true });
  const moving = (): HTMLElement[] => all(".d-card").filter((one) => one.style.getPropertyValue("z-index") !== "");
  expect(moving()).toHaveLength(52);
  drawn.update(viewOf(cases.dealt!, { seats, near: 0, language: "zh-TW" }));
  expect(moving()).toHaveLength(0);
});

test("a new thought replaces no card: a click that has begun is not lost", () => {
  const { legal } = cases.middle!;
  const { drawn } = mounted("middle");
  const first = cardOf(legal[0]!.action);
  drawn.update(viewOf(cases.middle!, { seats, near: 0, heat: true, thought: thoughtOf(legal) }));
  expect(cardOf(legal[0]!.action)).toBe(first);
  expect(all(".d-percent")).toHaveLength(legal.length);
  expect(first.getAttribute("aria-label")).toContain("of the search");
});

test("looking at a card tells it and shows its place in the rows", () => {
  const { told, drawn } = mounted("middle");
  const { action } = cases.middle!.legal[0]!;
  cardOf(action).dispatchEvent(new Event("pointerenter"));
  expect(told.hover).toHaveBeenLastCalledWith(action);
  expect(all(".sv-goal").map((one) => Number(one.dataset.slot))).toEqual([action]);
  drawn.highlight(action);
  expect(cardOf(action).classList).toContain("sv-pointed");
});

test("everything is said in Chinese too", () => {
  for (const name of ["middle", "cover", "over", "other"]) {
    mounted(name, { language: "zh-TW", threats: true, seats: ["你", "小明", "小華", "小美"] });
    const labels = all("[aria-label]").map((one) => one.getAttribute("aria-label"));
    expect(labels.join(" ")).not.toMatch(/[A-Za-z]{2}/);
    document.querySelector('[data-seat="1"]')!.dispatchEvent(new Event("pointerenter"));
    expect(all("b:not(.d-corner b), .sv-note, .sv-stake, th").map((one) => one.textContent).join(" ")).not.toMatch(/[A-Za-z]{2}/);
    document.body.replaceChildren();
  }
});

test("the miniature is still and has nothing to click; after destroy() nothing happens", () => {
  board.miniature(document.body, cases.middle!.picture);
  expect(all("button, [tabindex]")).toHaveLength(0);
  document.body.replaceChildren();
  const { drawn } = mounted("middle");
  drawn.destroy();
  drawn.update(viewOf(cases.other!, { animate: true }));
  expect(document.body.children).toHaveLength(0);
});
