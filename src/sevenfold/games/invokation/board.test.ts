import { afterEach, expect, test, vi } from "vitest";
import { thoughtOf, viewOf, type Cases } from "@/draw/case";
import { all, mounting } from "@/test/board";
import { speaker } from "@/draw/speak";
import board from "./board";
import fixture from "./board.test.json";
import { decks, fits, missing, parse, written } from "./deck";
import { CARDS } from "./names";
import { dicePlan } from "./orders";
import { CHINESE, sayAction, type Act, type Picture } from "./words";

const { cases } = fixture as unknown as Cases<Picture>;
const mounted = mounting(board, cases);
afterEach(() => document.body.replaceChildren());

const near = (selector: string): HTMLElement[] => all(`.gi-near ${selector}`);

function byKind(name: string, kind: Act["kind"]): Act[] {
  return cases[name]!.picture.actions.filter((one) => one.kind === kind);
}

test("cards to exchange are marked, and one button confirms", () => {
  const { told } = mounted("redraw");
  const cards = all(".gi-hand .gi-card");
  expect(cards).toHaveLength(5);
  expect(all(".gi-confirm")[0]!.textContent).toBe("keep all");
  cards[0]!.click();
  expect(all(".gi-confirm")[0]!.textContent).toBe("exchange 1 cards");
  all(".gi-confirm")[0]!.click();
  const wanted = cases.redraw!.picture.players[0]!.hand![0]!;
  const act = byKind("redraw", "redraw").find(({ cards: names }) => String(names) === wanted)!;
  expect(told.play).toHaveBeenCalledWith(act.action);
});

test("the first active character is chosen on the table", () => {
  const { told } = mounted("opening");
  expect(near("button.gi-person")).toHaveLength(3);
  near("button.gi-person")[2]!.click();
  expect(told.play).toHaveBeenCalledWith(byKind("opening", "choose").find(({ to }) => to === 2)!.action);
});

test("dice are marked and rolled again step by step", () => {
  const { told, drawn } = mounted("reroll");
  const die = all(".gi-tray .gi-die-button")[0]!;
  const face = die.querySelector<HTMLElement>(".gi-die")!.dataset.face!;
  die.click();
  all(".gi-confirm")[0]!.click();
  const put = byKind("reroll", "reroll_one").find(({ dice }) => String(dice) === face)!;
  expect(told.play).toHaveBeenLastCalledWith(put.action);
  drawn.update(viewOf(cases.aside!)); // the page is back: what was put aside is rolled
  expect(told.play).toHaveBeenLastCalledWith(byKind("aside", "reroll_done")[0]!.action);
});

test("nothing marked keeps all dice", () => {
  const { told } = mounted("reroll");
  expect(all(".gi-confirm")[0]!.textContent).toBe("keep all dice");
  all(".gi-confirm")[0]!.click();
  expect(told.play).toHaveBeenCalledWith(byKind("reroll", "reroll_done")[0]!.action);
});

test("skills and the end of the round are buttons", () => {
  const { told } = mounted("action");
  const skills = all(".gi-skill") as HTMLButtonElement[];
  expect(skills).toHaveLength(3);
  const legal = byKind("action", "skill").map(({ index }) => index);
  skills.forEach((one, index) => expect(one.disabled).toBe(!legal.includes(index)));
  all(".gi-end")[0]!.click();
  expect(told.play).toHaveBeenCalledWith(byKind("action", "end")[0]!.action);
});

test("a standby character is switched to by a click", () => {
  const { told } = mounted("action");
  const act = byKind("action", "switch")[0]!;
  near(`[data-seat="${act.to}"] button.gi-person`)[0]!.click();
  expect(told.play).toHaveBeenCalledWith(act.action);
});

test("a card is chosen first, then what to do with it", () => {
  const { told } = mounted("action");
  const { hand } = cases.action!.picture.players[0]!;
  const tuned = byKind("action", "tune")[0]!;
  const place = hand!.indexOf(tuned.card!);
  all(".gi-hand .gi-card")[place]!.click();
  expect(told.play).not.toHaveBeenCalled();
  const offered = all(".gi-orders [data-action]").map((one) => Number(one.dataset.action));
  const wanted = cases.action!.picture.actions.filter((one) => one.card === tuned.card).map(({ action }) => action);
  expect(offered.sort()).toEqual(wanted.sort());
  all(`.gi-orders [data-action="${tuned.action}"]`)[0]!.click();
  expect(told.play).toHaveBeenCalledWith(tuned.action);
});

test("the chosen card is let go with Escape", () => {
  mounted("action");
  all(".gi-hand .gi-card:not(:disabled)")[0]!.click();
  expect(all(".gi-orders")).toHaveLength(1);
  document.querySelector(".gi")!.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(all(".gi-orders")).toHaveLength(0);
});

test("the other side's hand and dice are closed", () => {
  mounted("action");
  const far = cases.action!.picture.players[1]!;
  expect([far.hand, far.dice]).toEqual([null, null]);
  expect(all(".gi-far-hand .gi-back")).toHaveLength(far.cards);
  expect(all(".gi-far-hand .gi-small-card")).toHaveLength(0);
});

test("what lies on the table is explained in both languages", () => {
  mounted("middle", { language: "zh-TW" });
  for (const one of all("[data-tip]")) expect(one.dataset.tip).toMatch(/[\u4e00-\u9fff]/);
  expect(all(".gi-fighter")).toHaveLength(6);
});

test("nothing can be done while others move", () => {
  mounted("action", { legal: [], to_move: 1 });
  expect(all("button[data-action]:enabled")).toHaveLength(0);
});

test("a thought shows on skills and cards, and replaces no button", () => {
  const { drawn } = mounted("action");
  const before = all(".gi-skill")[0];
  drawn.update(viewOf(cases.action!, { heat: true, thought: thoughtOf(cases.action!.legal) }));
  expect(all(".gi-skill")[0]).toBe(before);
  expect(all(".d-percent").length).toBeGreaterThan(0);
});

test("every text that is said has a Chinese one", () => {
  for (const words of Object.values(CHINESE)) expect(words).not.toBe("");
  expect(sayAction("switch to Kaeya", "zh-TW")).toContain("凱亞");
  expect(sayAction("play Sweet Madame on Diluc", "zh-TW")).toContain("甜甜花釀雞");
  expect(sayAction("end", "zh-TW")).toBe("結束回合");
});

test("a plan of dice takes one face at a time", () => {
  const acts = byKind("reroll", "reroll_one").concat(byKind("reroll", "reroll_done"));
  const faces = cases.reroll!.picture.players[0]!.dice!;
  const next = dicePlan(acts, faces)!;
  expect(next.act.dice).toEqual(faces.filter((one) => one === faces[0]));
  expect(dicePlan(acts, [])!.act.kind).toBe("reroll_done");
  expect(dicePlan([], faces)).toBeNull();
});

const LINE = "Diluc; Kaeya; Sucrose; 2 Strategize; Paimon";

test("decks are lines of names", () => {
  const deck = parse(LINE);
  expect(deck.team).toEqual(["Diluc", "Kaeya", "Sucrose"]);
  expect(written(deck)).toBe(LINE);
  expect(missing(deck, speaker("en"))).toBe("a deck has 30 cards");
  const crossfire = CARDS.find(({ name }) => name === "Crossfire")!;
  expect([fits(crossfire, deck.team), fits(crossfire, ["Xiangling"])]).toEqual([false, true]);
});

test("a deck is put together in the lobby and told when it is legal", () => {
  const choose = vi.fn();
  const keep = vi.fn();
  const basic = CARDS.filter((card) => fits(card, ["Diluc", "Kaeya"])).map(({ name }) => name);
  const deck0 = ["Diluc", "Kaeya", ...basic.slice(0, 14).map((name) => `2 ${name}`), basic[14]].join("; "); // 29 cards
  const panel = decks.mount(document.body, { options: { deck0, deck1: "A" }, own: {}, language: "en" }, { choose, keep });
  all('[data-key="person Sucrose"]')[0]!.click();
  expect(choose).not.toHaveBeenCalled();
  expect(all(".gi-deck-status")[0]!.textContent).toBe("a deck has 30 cards");
  all(`[data-key="more ${basic[15]}"]`)[0]!.click();
  expect(all(".gi-deck-status")[0]!.textContent).toBe("The deck is complete.");
  const [option, line] = choose.mock.lastCall as [string, string];
  expect(option).toBe("deck0");
  expect([...parse(line).cards.values()].reduce((sum, count) => sum + count, 0)).toBe(30);
  expect(keep).toHaveBeenCalledWith({ deck0: line });
  expect(all('[data-key^="more "]:not(:disabled)')).toHaveLength(0);
  all('[data-key="sample C"]')[1]!.click();
  expect(choose).toHaveBeenLastCalledWith("deck1", "C");
  panel.destroy();
  expect(all(".gi-deck")).toHaveLength(0);
});
