import { afterEach, expect, test } from "vitest";
import { thoughtOf, viewOf, type Cases } from "@/draw/case";
import { all, mounting } from "@/test/board";
import board from "./board";
import fixture from "./board.test.json";
import { CHINESE, KINDS, PLAYED_AS, type Picture } from "./kinds";

const { cases } = fixture as unknown as Cases<Picture>;
const mounted = mounting(board, cases);
afterEach(() => document.body.replaceChildren());

function button(kind: string): HTMLButtonElement {
  return document.querySelector<HTMLButtonElement>(`[data-kind=${kind}]`)!;
}

test("buttons and cards play their actions", () => {
  const { told } = mounted("start");
  for (const kind of ["strike", "swift", "attack", "field", "pet", "pass"]) button(kind).click();
  expect(told.play.mock.calls.map(([action]) => action)).toEqual([0, 2, 5, 6, 7, 8]);
});

test("what cannot be played is dimmed and does nothing", () => {
  const { told } = mounted("start");
  for (const kind of ["burst", "heal"]) {
    expect(button(kind).disabled).toBe(true);
    button(kind).click();
  }
  expect(told.play).not.toHaveBeenCalled();
  expect(button("burst").getAttribute("aria-label")).toBe("Burst, 5 damage, costs 3 dice and 2 energy, not now");
});

test("nothing can be played while others move", () => {
  mounted("closed_other");
  expect(all("button:enabled")).toHaveLength(0);
  expect(all(".ec-near .ec-card[data-dim]")).toHaveLength(3);
});

test("playable cards are lifted, the others are not", () => {
  mounted("middle"); // one die left
  expect(button("swift").dataset.playable).toBe("");
  expect(button("pet").dataset.playable).toBeUndefined();
  expect(button("pet").dataset.dim).toBe("");
});

test("whoever may act sits near; else the person's own seat", () => {
  const near = (): string | null => document.querySelector(".ec-near")!.getAttribute("aria-label");
  const { drawn } = mounted("middle", { near: 0 }); // two people share the page
  expect(near()).toBe("Sevenfold");
  expect(button("swift").disabled).toBe(false);
  drawn.update(viewOf(cases.middle!, { near: 0, legal: [] }));
  expect(near()).toBe("You");
  expect(all("button:enabled")).toHaveLength(0);
  drawn.update(viewOf(cases.middle!, { near: 1, legal: [] }));
  expect(near()).toBe("Sevenfold");
});

test("a closed hand shows backs and their number, and no face", () => {
  mounted("closed");
  expect(all(".ec-far .d-back")).toHaveLength(3);
  expect(all(".ec-far .ec-small")).toHaveLength(0);
  expect(all(".ec-far .ec-far-hand .ec-sign")).toHaveLength(0);
  expect(document.querySelector(".ec-far [role=group]")!.getAttribute("aria-label")).toBe("hand of Sevenfold: 3 cards");
  expect(document.querySelector(".ec-far")!.textContent).toContain("may hold: Swift ×2");
});

test("an open hand across the table shows small faces", () => {
  mounted("arena");
  expect(all(".ec-far .ec-small")).toHaveLength(8);
  expect(all(".ec-far .d-back")).toHaveLength(0);
});

test("a card drawn under closed hands is never named", () => {
  const { drawn } = mounted("dealing");
  const last = { action: 4, text: "pet", mover: "chance" } as const;
  drawn.update(viewOf(cases.dealing!, { last }));
  expect(document.querySelector(".ec-middle")!.textContent).toBe("round 1 of 6a card is drawn for YouYou draws a card");
});

test("coins show how many heads there were", () => {
  mounted("coins");
  expect(all(".d-coin")).toHaveLength(6);
  expect(all(".d-coin.d-heads")).toHaveLength(4);
  expect(all(".d-coins")[0]!.getAttribute("aria-label")).toBe("4 of 6 coins show heads");
  expect(document.querySelector(".ec-phase")!.textContent).toBe("coins are flipped for Sevenfold");
});

test("the table says what chance decides, also for both at once", () => {
  const { drawn } = mounted("hit_points");
  expect(document.querySelector(".ec-phase")!.textContent).toBe("hit points are drawn");
  drawn.update(viewOf(cases.dealing!, { language: "zh-TW" }));
  expect(document.querySelector(".ec-phase")!.textContent).toBe("為You抽一張牌");
});

test("hit points, energy, dice and piles are counted for screen readers", () => {
  mounted("closed");
  const meters = all("[role=meter]").map((one) => `${one.getAttribute("aria-label")} ${one.getAttribute("aria-valuenow")}`);
  expect(meters).toContain("hit points of You 12");
  expect(meters).toContain("energy of Sevenfold 0");
  expect(all(".ec-near .d-dice .d-die")).toHaveLength(7);
  expect(all(".ec-near .d-pile")[0]!.getAttribute("aria-label")).toBe("pile: 7 cards");
});

test("damage rises from the bar when there is motion, and is gone with the next position", () => {
  const { drawn } = mounted("start");
  drawn.update(viewOf(cases.middle!, { animate: true }));
  expect(all(".d-loss").map((one) => one.textContent)).toEqual(["−4", "−4"]);
  drawn.update(viewOf(cases.middle!, { heat: true })); // the same position: they go on rising
  expect(all(".d-loss")).toHaveLength(2);
  drawn.update(viewOf(cases.arena!));
  expect(all(".d-floating")).toHaveLength(0);
});

test("without motion no number rises", () => {
  const { drawn } = mounted("start");
  drawn.update(viewOf(cases.middle!));
  expect(all(".d-floating")).toHaveLength(0);
});

test("heat shows a percentage at every action, the best one marked", () => {
  const { legal } = cases.start!;
  mounted("start", { heat: true, thought: thoughtOf(legal) });
  expect(all(".d-percent")).toHaveLength(legal.length);
  expect(all(".d-percent[data-best]").map((one) => one.textContent)).toEqual(["★ 50%"]);
  expect(button("strike").getAttribute("aria-label")).toContain("50% of the search");
});

test("a new thought replaces no button: a click that has begun is not lost", () => {
  const { legal } = cases.start!;
  const { told, drawn } = mounted("start", { heat: true, thought: thoughtOf(legal) });
  const strike = button("strike");
  drawn.update(viewOf(cases.start!, { heat: true, thought: thoughtOf([...legal].reverse()) }));
  expect(button("strike")).toBe(strike);
  expect(strike.querySelectorAll(".d-percent")).toHaveLength(1);
  expect(all(".d-percent[data-best]")[0]!.parentElement).toBe(button("pass"));
  expect(strike.getAttribute("aria-label")).toContain("1% of the search");
  strike.click();
  expect(told.play.mock.calls).toEqual([[0]]);
  drawn.update(viewOf(cases.start!));
  expect(all(".d-percent")).toHaveLength(0);
});

test("the focus stays on the same action after an update, or goes to one that can be played", () => {
  const { drawn } = mounted("start");
  button("strike").focus();
  drawn.update(viewOf(cases.arena!));
  expect(document.activeElement).toBe(button("strike"));
  drawn.update(viewOf(cases.middle!));
  expect((document.activeElement as HTMLButtonElement).disabled).toBe(false);
});

test("looking at an action tells it; a list beside the board can point at one", () => {
  const { told, drawn } = mounted("start");
  button("swift").dispatchEvent(new Event("pointerenter"));
  expect(told.hover).toHaveBeenLastCalledWith(2);
  drawn.highlight(2);
  expect(all(".ec-pointed").map((one) => one.dataset.kind)).toEqual(["swift"]);
  drawn.update(viewOf(cases.closed!));
  expect(told.hover).toHaveBeenLastCalledWith(null); // no button under the mouse says that it has gone
});

test("after destroy() nothing happens", () => {
  const { drawn } = mounted("start");
  drawn.destroy();
  drawn.update(viewOf(cases.middle!, { animate: true }));
  drawn.highlight(0);
  expect(document.body.children).toHaveLength(0);
});

test("the end names the winner", () => {
  mounted("won");
  expect(document.querySelector(".ec-phase")!.textContent).toBe("winner: You");
});

test("everything is said in Chinese too", () => {
  mounted("closed", { language: "zh-TW", seats: ["小明", "小華"] });
  expect(button("swift").getAttribute("aria-label")).toBe("快攻，下次打擊後仍輪到你，免費");
  expect(document.body.textContent).not.toMatch(/[A-Za-z]{2}/);
});

test("what unplayable cards say agrees with the pictures", () => {
  const usual = (kind: string): boolean => kind !== "strike"; // whose price and damage change
  const acts = Object.values(cases).flatMap(({ picture }) => picture.actions).filter(({ kind }) => usual(kind));
  expect(new Set(acts.map(({ kind }) => kind)).size).toBeGreaterThan(6);
  for (const { kind, dice, energy, text, card } of acts) {
    expect({ dice, energy, effect: text.en }).toEqual({ dice: KINDS[kind]!.dice, energy: KINDS[kind]!.energy, effect: KINDS[kind]!.effect });
    expect(text["zh-TW"]).toBe(CHINESE[text.en]);
    if (card) expect(PLAYED_AS[card]).toContain(kind);
  }
});

test("the miniature is still and has nothing to click", () => {
  board.miniature(document.body, cases.middle!.picture);
  expect(all("button, [tabindex]")).toHaveLength(0);
  expect(all(".ec-small").length).toBeGreaterThan(2);
});

test("actions and what chance draws have Chinese names beside the board", () => {
  expect(board.say("strike", "zh-TW")).toBe("打擊");
  expect(board.say("heads4", "zh-TW")).toBe("4 枚正面");
  expect(board.say("strike", "en")).toBe("strike");
});
