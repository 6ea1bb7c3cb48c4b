// Sevens as a card table: the own hand large and near, the others around, the four rows in the middle. Its picture is
// described in picture.py; what may be played is in the view.
import "./board.css";
import { bar } from "@/draw/bar";
import { playingCard } from "@/draw/card";
import { html } from "@/draw/element";
import { fly } from "@/draw/flight";
import { hand } from "@/draw/hand";
import { percentBadge } from "@/draw/percent";
import { speaker } from "@/draw/speak";
import { CardTable } from "@/draw/table";
import type { Drawing, Told, View } from "@/drawing";
import { result, statusOf, stakes, winners } from "./news";
import { fillShares, rows, shareBars } from "./rows";
import { cardName, coveredPile, panel, passes, smallCard, title, type SeatLook } from "./seat";
import { CHINESE, PASS, rankOf, SEAT_NAMES, suitOf, type Picture } from "./words";

const DEAL = 42; // milliseconds from one dealt card to the next
const HINT = "from what you know, in per cent: look at a card or at a player";
const DEAD = "dead: can never be played";
const IN_A_ROW = 13; // cards of the own hand: more of them cannot be read and hit

class Table extends CardTable<Picture> {
  constructor(host: HTMLElement, view: View<Picture>, told: Told) {
    super(host, view, told, "sv", CHINESE);
    this.root.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** What is known of the cards is drawn with the position. */
  protected override key(view: View<Picture>): string {
    return super.key(view) + String(view.threats);
  }

  protected draw(before: Picture | null): void {
    const { picture } = this.view;
    const focused = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const card = focused?.dataset.card;
    const places = this.places();
    this.root.replaceChildren(this.others(), this.middle(), this.own());
    this.root.setAttribute("aria-label", this.say("table of sevens"));
    this.root.dataset.players = String(picture.seats.length);
    this.look(null);
    if (this.believes()) this.believe(null, null);
    if (focused) (this.cardButton(card) ?? this.playable()[0])?.focus();
    this.move(before, places);
  }

  private seat(seat: number): SeatLook {
    const { picture, seats } = this.view;
    return { seat, name: seats[seat] ?? String(seat + 1), picture, say: this.say };
  }

  /** In turn from the left: the first to the left, the last to the right, those between across the table. */
  private others(): HTMLElement {
    const count = this.view.picture.seats.length;
    const order = Array.from({ length: count - 1 }, (_, i) => (this.near + 1 + i) % count);
    const panels = order.map((seat) => {
      const asks = this.believes();
      const made = panel(this.seat(seat), asks ? { tabindex: 0 } : {});
      if (asks)
        for (const [name, on] of [["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]] as const)
          made.addEventListener(name, () => this.believe(null, on ? seat : null));
      return made;
    });
    const sides = count > 2 ? [panels.shift()!, panels.pop()!] : [];
    sides[0]?.classList.add("sv-left");
    sides[1]?.classList.add("sv-right");
    return html("div", { class: "sv-others" }, sides[0], html("div", { class: "sv-top" }, ...panels), sides[1]);
  }

  private believes(): boolean {
    return this.view.threats && this.view.picture.belief !== null;
  }

  private middle(): HTMLElement {
    const { picture } = this.view;
    const event = picture.last.at(-1);
    const last = event?.kind === "play" ? event.card : null;
    const marked = this.view.threats;
    const made = rows({ picture, say: this.say, marked, last, look: (card) => this.believe(card, null) });
    const slots = made.querySelectorAll<HTMLElement>("button.sv-slot");
    if (slots[0]) slots[0].tabIndex = 0;
    const bars = this.believes() ? html("div", { class: "sv-belief", role: "status" }) : null;
    return html("div", { class: "sv-middle" }, made, bars, stakes(this.view, this.say));
  }

  /** The shares of a card as bars, or of a seat in the empty places; else the likeliest seat in each. */
  private believe(card: number | null, seat: number | null): void {
    const { picture, seats, viewer } = this.view;
    const box = this.root.querySelector<HTMLElement>(".sv-belief");
    if (!box) return;
    fillShares(this.root, picture, seat, this.say);
    const known = card !== null && picture.belief?.cards[card] ? card : null;
    for (const one of this.root.querySelectorAll<HTMLElement>(".sv-seat")) one.classList.toggle("sv-asked", Number(one.dataset.seat) === seat);
    const name = seat === null ? "" : (seats[seat] ?? "");
    const words = known !== null ? this.say("who may hold {card}", { card: cardName(this.say, known) }) : seat !== null ? this.say("what {name} may hold", { name }) : this.say("Who may hold what");
    const more = known !== null ? shareBars(picture, known, seats, viewer, this.say) : seat !== null ? this.lacks(seat) : [html("span", { class: "sv-note" }, this.say(HINT))];
    box.replaceChildren(html("b", {}, words), ...more);
  }

  private lacks(seat: number): HTMLElement[] {
    const cards = this.view.picture.seats[seat]!.lacks;
    if (cards.length === 0) {
      const name = this.view.seats[seat] ?? "";
      return [html("span", { class: "sv-note" }, this.say("{name} has not shown yet what it lacks", { name }))];
    }
    const words = cards.map((card) => cardName(this.say, card)).join(this.say(", "));
    const label = this.say("shown not to hold {cards}", { cards: words });
    return [html("div", { class: "sv-lacks", role: "img", "aria-label": label }, "✕ ", ...cards.map((card) => smallCard(card, this.say)))];
  }

  private own(): HTMLElement {
    const { picture, viewer } = this.view;
    const look = this.seat(this.near);
    const one = picture.seats[this.near]!;
    const status = html("div", { class: "sv-status", role: "status" }, statusOf(this.view, this.near, this.say));
    const head = html("div", { class: "sv-own-head" }, title(look), status, passes(look), this.passButton(), this.sunk());
    const body = picture.phase === "over" ? result(this.view, this.say) : this.ownHand();
    const open = coveredPile(look, viewer === null || viewer === this.near);
    const cards = html("div", { class: "sv-own-cards" }, body, picture.phase !== "over" && one.covered > 0 ? open : null);
    const look_ = { class: `sv-near d-seat-${this.near}`, "data-turn": picture.mover === this.near, "aria-label": look.name };
    return html("section", look_, head, cards);
  }

  /** What the person has sunk so far, covered or dead, on the way to the threshold where there is one. */
  private sunk(): HTMLElement | null {
    const { picture } = this.view;
    const { sunk } = picture.seats[this.near]!;
    if (sunk === null || picture.variant !== "cover" || picture.phase !== "play") return null;
    const most = picture.stakes && picture.stakes.above !== 1 ? picture.stakes.threshold : 0;
    const label = most > 0 ? this.say("{count} of {most} points sunk: covered and dead cards", { count: sunk, most }) : this.say("{count} points sunk: covered and dead cards", { count: sunk });
    const shown = most > 0 ? bar(sunk, most, label) : html("b", {}, String(sunk));
    return html("div", { class: "sv-sunk", title: label, "data-over": most > 0 && sunk > most }, html("span", {}, this.say("sunk")), shown);
  }

  private passButton(): HTMLElement | null {
    const { legal, picture } = this.view;
    if (!legal.some(({ action }) => action === PASS)) return null;
    const left = picture.max_passes === null ? null : picture.max_passes - picture.seats[this.near]!.passes;
    const label = left === null ? this.say("Pass") : this.say("pass, {count} left", { count: Math.max(0, left) });
    const look = { type: "button", class: "button sv-pass", "data-card": PASS, "data-action": PASS, "aria-label": label };
    const badge = percentBadge(this.heat.get(PASS));
    return html("button", { ...look, onclick: () => this.told.play(PASS) }, this.say("Pass"), badge);
  }

  private ownHand(): HTMLElement {
    const one = this.view.picture.seats[this.near]!;
    const cards = one.hand?.map((card) => this.card(card)) ?? [];
    const first = cards.find((card) => card.dataset.playable !== undefined);
    if (first) first.tabIndex = 0;
    const label = this.say("your hand: {count} cards", { count: cards.length });
    const covers = this.covering() ? " sv-cover" : "";
    return hand(cards, { label, most: IN_A_ROW, className: `sv-hand${covers}` });
  }

  private isDead(card: number): boolean {
    return this.view.picture.seats[this.near]!.dead?.includes(card) ?? false;
  }

  private covering(): boolean {
    const { picture, legal } = this.view;
    return picture.stuck === true && picture.variant === "cover" && legal.length > 0;
  }

  private card(card: number): HTMLElement {
    const playable = this.view.legal.some(({ action }) => action === card);
    const dead = this.isDead(card);
    const attributes = {
      "data-card": card,
      "data-dead": dead,
      title: dead ? this.say(DEAD) : null,
      "data-action": playable ? card : null,
      tabindex: -1,
      onpointerenter: () => this.look(playable ? card : null),
      onpointerleave: () => this.look(null),
      onfocus: () => this.look(playable ? card : null),
      onblur: () => this.look(null),
    };
    const look = { label: this.label(card), play: () => this.told.play(card), playable, attributes };
    const made = playingCard(this.say, rankOf(card), suitOf(card), look);
    if (this.covering()) made.append(html("span", { class: "sv-down", "aria-hidden": "true" }, "▼"));
    const badge = percentBadge(this.heat.get(card));
    if (badge) made.append(badge);
    return made;
  }

  private label(card: number): string {
    const name = cardName(this.say, card);
    const playable = this.view.legal.some(({ action }) => action === card);
    const words = [this.say(!playable ? "{card}, not now" : this.covering() ? "lay {card} face down" : "play {card}", { card: name })];
    if (this.isDead(card)) words.push(this.say(DEAD));
    const heat = this.heat.get(card);
    if (heat && playable) words.push(this.say("{share} of the search", { share: heat.percent }));
    return words.join(this.say(", "));
  }

  protected drawHeat(): void {
    for (const one of this.root.querySelectorAll<HTMLElement>("[data-card]")) {
      const card = Number(one.dataset.card);
      one.querySelector(".d-percent")?.remove();
      if (card !== PASS) one.setAttribute("aria-label", this.label(card));
      const badge = percentBadge(this.heat.get(card));
      if (badge) one.append(badge);
    }
  }

  protected override look(card: number | null): void {
    const lands = this.covering() ? null : String(card);
    for (const one of this.root.querySelectorAll<HTMLElement>(".sv-slot"))
      one.classList.toggle("sv-goal", one.dataset.slot === lands);
    super.look(card);
  }

  // ---- keys

  private playable(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>("[data-card]:not(:disabled)")];
  }

  private cardButton(card: string | undefined): HTMLElement | null {
    return this.root.querySelector(`[data-card="${card}"]:not(:disabled)`);
  }

  private pressed(event: KeyboardEvent): void {
    const at = event.target as HTMLElement;
    const asked = at.dataset.slot !== undefined;
    const list = asked ? [...this.root.querySelectorAll<HTMLElement>("button.sv-slot")] : this.playable();
    const index = list.indexOf(at);
    const steps: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: list.length - 1 };
    let next = steps[event.key];
    if (asked && (event.key === "ArrowUp" || event.key === "ArrowDown")) next = this.beside(list, at, event.key === "ArrowUp" ? -13 : 13);
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // else the page steps through the moves
    const goal = list[(next + list.length) % list.length];
    for (const one of list) one.tabIndex = one === goal ? 0 : -1;
    goal?.focus();
  }

  /** The place above or below, or the nearest further on that is still empty. */
  private beside(list: HTMLElement[], at: HTMLElement, by: number): number {
    const slots = list.map((one) => Number(one.dataset.slot));
    for (let card = Number(at.dataset.slot) + by; card >= 0 && card < 52; card += by) if (slots.includes(card)) return slots.indexOf(card);
    return list.indexOf(at);
  }

  // ---- motion

  /** Where things are before they are drawn anew. */
  private places(): Map<string, DOMRect> {
    const out = new Map<string, DOMRect>();
    for (const one of this.root.querySelectorAll<HTMLElement>("[data-card]")) out.set(`card ${one.dataset.card}`, one.getBoundingClientRect());
    for (const one of this.root.querySelectorAll<HTMLElement>("[data-seat] .sv-held")) {
      const seat = one.closest<HTMLElement>("[data-seat]")!.dataset.seat;
      out.set(`seat ${seat}`, one.getBoundingClientRect());
    }
    const own = this.root.querySelector(".sv-hand");
    if (own) out.set(`seat ${this.near}`, own.getBoundingClientRect());
    return out;
  }

  private move(before: Picture | null, places: Map<string, DOMRect>): void {
    const { picture, animate } = this.view;
    if (!animate) return;
    if (picture.ply === 0 && picture.phase === "play") return this.deal();
    const event = picture.last.at(-1);
    if (!event || !before || picture.ply !== before.ply + 1 || event.kind === "pass") return;
    const from = places.get(`card ${event.card}`) ?? places.get(`seat ${event.seat}`);
    const goal = event.kind === "play" ? this.root.querySelector<HTMLElement>(`[data-laid="${event.card}"]`) : this.pileOf(event.seat);
    if (from && goal) fly(goal, from, this.motion, true, { turn: event.kind === "cover" });
  }

  private pileOf(seat: number): HTMLElement | null {
    const place = seat === this.near ? ".sv-near" : `[data-seat="${seat}"]`;
    return this.root.querySelector<HTMLElement>(`${place} .sv-pile .d-card:last-of-type`);
  }

  /** One card to each in turn, from the middle of the table. */
  private deal(): void {
    const from = this.root.querySelector(".sv-rows")?.getBoundingClientRect();
    if (!from) return;
    const hands = [...this.root.querySelectorAll<HTMLElement>(".sv-held .d-row, .sv-hand .d-row")];
    for (const [seat, row] of hands.entries())
      for (const [i, card] of [...row.children].entries())
        fly(card as HTMLElement, from, this.motion, true, { milliseconds: 260, delay: DEAL * (i + seat / hands.length) });
  }
}

function miniature(host: HTMLElement, picture: Picture): void {
  const say = speaker("en", CHINESE);
  const made = rows({ picture, say, marked: false, last: null, look: () => undefined });
  const cards = (picture.seats[0]?.hand ?? []).map((card) => smallCard(card, say));
  const table = html("div", { class: "sv sv-miniature" }, made, hand(cards, { label: "" }));
  host.append(html("div", { class: "sv-box sv-small-box", "aria-hidden": "true" }, table));
}

export default {
  mount(host, view, told) {
    const table = new Table(host, view, told);
    table.update(view);
    return table;
  },
  miniature,
  seats: SEAT_NAMES,
  overlay: { en: "Who may hold what", "zh-TW": "誰可能有什麼牌" },
  won: (picture) => (picture.phase === "over" ? winners(picture) : null),
} satisfies Drawing<Picture>;
