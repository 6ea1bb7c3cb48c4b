// The four rows of Sevens: the seven in the middle, down to the ace on one side and up to the king on the other; and,
// on request, what fits now and who may hold what is not there yet.
import { suit } from "@/draw/card";
import { html } from "@/draw/element";
import { percent, shade } from "@/draw/heat";
import type { Say } from "@/draw/speak";
import { cardName, smallCard, token } from "./seat";
import { RANKS, SUITS, type Picture } from "./words";

export interface RowsLook {
  picture: Picture;
  say: Say;
  marked: boolean; // the frontier and the belief
  last: number | null; // the card laid last
  look: (card: number | null) => void;
}

export function rows({ picture, say, marked, last, look }: RowsLook): HTMLElement {
  const lying = new Set(picture.table);
  const fits = new Set(picture.frontier);
  const lines = SUITS.map((name, row) => {
    const closed = picture.closed.includes(row);
    const cells = RANKS.map((rank, place) => {
      const card = 13 * row + place;
      if (lying.has(card)) {
        const laid = smallCard(card, say, card === last ? "sv-last" : "");
        laid.dataset.laid = String(card);
        return laid;
      }
      const seven = place === 6 ? suit(name) : null;
      return slot(card, rank, seven, marked && fits.has(card), marked && picture.belief !== null, say, look);
    });
    const label = say("row of {suit}", { suit: say(name) }) + (closed ? say(", ") + say("closed") : "");
    return html("div", { class: "sv-row", role: "group", "aria-label": label, "data-closed": closed }, ...cells);
  });
  return html("div", { class: "sv-rows", role: "group", "aria-label": say("the four rows") }, ...lines);
}

function slot(
  card: number, rank: string, seven: Node | null, fits: boolean, asks: boolean, say: Say, look: (card: number | null) => void,
): HTMLElement {
  const state = fits ? say("{rank} fits now", { rank: cardName(say, card) }) : `${cardName(say, card)}${say(", ")}${say("not on the table")}`;
  const face = html("span", { class: "sv-slot-rank" }, seven ?? rank);
  const share = html("span", { class: "sv-share" });
  const common = { class: "sv-slot", "data-slot": card, "data-fits": fits, "aria-label": state };
  if (!asks) return html("div", { ...common, role: "img" }, face, share);
  const use = {
    type: "button",
    tabindex: -1,
    onpointerenter: () => look(card),
    onpointerleave: () => look(null),
    onfocus: () => look(card),
    onblur: () => look(null),
  };
  return html("button", { ...common, ...use }, face, share);
}

/** The share of a card at a seat: in its hand, and covered there. */
export function shareOf(picture: Picture, card: number, seat: number): { whole: number; covered: number } {
  const counts = picture.belief?.cards[card];
  if (!counts || !picture.belief) return { whole: 0, covered: 0 };
  const { worlds } = picture.belief;
  const covered = counts[picture.seats.length + seat] ?? 0;
  return { whole: ((counts[seat] ?? 0) + covered) / worlds, covered: covered / worlds };
}

/** Fills the slots: with the share of one seat, or with the likeliest seat of each card. */
export function fillShares(root: HTMLElement, picture: Picture, seat: number | null, say: Say): void {
  for (const one of root.querySelectorAll<HTMLElement>("[data-slot]")) {
    const card = Number(one.dataset.slot);
    const place = one.querySelector<HTMLElement>(".sv-share")!;
    place.replaceChildren();
    one.style.removeProperty("--share");
    if (!picture.belief?.cards[card]) continue;
    const seats = picture.seats.map((_, other) => other);
    const shown = seat ?? seats.reduce((best, other) => (whole(picture, card, other) > whole(picture, card, best) ? other : best));
    const part = whole(picture, card, shown);
    one.style.setProperty("--share", String(shade(part)));
    one.dataset.owner = String(shown);
    const number = html("span", { class: "sv-share-number" }, percent(part).replace("%", ""), html("span", { class: "sv-unit" }, "%"));
    place.append(...(seat === null ? [token(shown, say)] : []), number);
  }
}

function whole(picture: Picture, card: number, seat: number): number {
  return shareOf(picture, card, seat).whole;
}

/** Bars with numbers: who may hold a card. */
export function shareBars(picture: Picture, card: number, names: string[], viewer: number | null, say: Say): HTMLElement[] {
  return picture.seats.flatMap((_, seat) => {
    if (seat === viewer) return [];
    const name = names[seat] ?? "";
    const { whole: part, covered } = shareOf(picture, card, seat);
    const values = { name, share: percent(part), covered: percent(covered) };
    const label = covered > 0 ? say("{name} {share}, of it {covered} covered", values) : say("{name} {share}", values);
    const fill = html("span", { class: "sv-bar-hand", style: { width: `${(part - covered) * 100}%` } });
    const under = html("span", { class: "sv-bar-covered", style: { width: `${covered * 100}%` } });
    const bar = html("span", { class: "sv-bar" }, fill, under);
    const number = html("span", { class: "sv-bar-number" }, percent(part));
    return [html("div", { class: `sv-bars-row d-seat-${seat}`, role: "img", "aria-label": label }, token(seat, say), bar, number)];
  });
}
