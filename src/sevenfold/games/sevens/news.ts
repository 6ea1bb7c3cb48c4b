// What is said at the table of Sevens: whose turn it is, what is at stake, and how the deal ended.
import { html } from "@/draw/element";
import type { Say } from "@/draw/speak";
import type { View } from "@/drawing";
import { listed } from "@/words";
import { cardName, signed, smallCard, token } from "./seat";
import type { Picture } from "./words";

function happened({ picture, seats }: View<Picture>, say: Say): string {
  const event = picture.last.at(-1);
  if (!event) return "";
  const values = { name: seats[event.seat] ?? "", card: event.card === null ? "" : cardName(say, event.card) };
  if (event.kind === "pass") return say("{name} passed", values);
  if (event.kind === "play") return say("{name} played {card}", values);
  return say(event.card === null ? "{name} covered a card" : "{name} covered {card}", values);
}

function turn({ picture, seats, legal }: View<Picture>, near: number, say: Say): string {
  if (picture.phase === "deal") return say("the cards are dealt");
  if (legal.length === 0 || picture.mover !== near) return say("{name} to play", { name: seats[picture.mover ?? 0] ?? "" });
  if (!picture.stuck) return say("Your turn: play a card that fits");
  return say(picture.variant === "cover" ? "Nothing fits: choose a card to lay face down" : "Nothing fits: you must pass");
}

/** What to do now, and what has just happened. */
export function statusOf(view: View<Picture>, near: number, say: Say): HTMLElement {
  const { picture, seats } = view;
  const before = html("span", { class: "sv-note" }, happened(view, say));
  if (picture.phase !== "over") return html("div", {}, html("b", {}, turn(view, near, say)), before);
  const names = winners(picture).map((seat) => seats[seat] ?? "");
  const shared = names.length > 1 && say("{names} share the deal", { names: listed(view.language, names) });
  const words = shared || (names.length > 0 ? say("{name} won the deal", { name: names[0]! }) : say("The deal is over"));
  return html("div", {}, html("b", {}, words));
}

/** Who has won, as the rules say; by some options nobody. */
export function winners(picture: Picture): number[] {
  return picture.seats.flatMap(({ won }, seat) => (won ? [seat] : []));
}

/** The multipliers that may still come to bear, each on its plate. */
export function stakes({ picture }: View<Picture>, say: Say): HTMLElement | null {
  const { stakes: at } = picture;
  if (!at || picture.phase !== "play") return null;
  const plates: HTMLElement[] = [];
  const plate = (text: string, ...more: Node[]): number => plates.push(html("span", { class: "sv-stake" }, text, ...more));
  if (at.dealer !== 1) plate(say("dealer pays ×{times}", { times: at.dealer }));
  if (at.above !== 1) plate(say("above {points} points ×{times}", { points: at.threshold, times: at.above }));
  if (at.shutout !== 1 && at.clean.length > 0)
    plate(say("all pay ×{times} if one covers nothing", { times: at.shutout }), ...at.clean.map((seat) => token(seat, say)));
  return html("div", { class: "sv-stakes", role: "group", "aria-label": say("at stake") }, ...plates);
}

/** The deal at its end: what each has not played, what it costs, and the score; the best first. */
export function result({ picture, seats }: View<Picture>, say: Say): HTMLElement {
  const order = picture.seats.map((_, seat) => seat).sort((a, b) => (picture.seats[b]!.score ?? 0) - (picture.seats[a]!.score ?? 0));
  const won = winners(picture);
  const head = ["Player", "Not played", "Points", "Score"].map((word) => html("th", { scope: "col" }, say(word)));
  const lines = order.map((seat) => {
    const { hand, covers, left, score } = picture.seats[seat]!;
    const cards = [...(covers ?? []), ...(hand ?? [])].sort((a, b) => a - b).map((card) => smallCard(card, say));
    const name = html("th", { scope: "row" }, html("span", {}, token(seat, say), seats[seat] ?? ""));
    const faces = html("div", { class: "sv-left-cards" }, ...(cards.length > 0 ? cards : [say("none")]));
    return html("tr", { "data-won": won.includes(seat) }, name, html("td", {}, faces), html("td", {}, String(left ?? "")), html("td", { class: "sv-score" }, signed(score ?? 0)));
  });
  return html("table", { class: "sv-result" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...lines));
}
