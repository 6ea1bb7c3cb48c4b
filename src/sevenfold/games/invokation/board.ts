// A duel of Genius Invokation as its players know it: two sides with three characters each, supports to the left, summons
// to the right, dice and hand below. A card is chosen first, then what to do with it; characters and places that can be
// reached are lit. Its picture is described in picture.py; the rules are not here.
import "./board.css";
import { html } from "@/draw/element";
import { floating } from "@/draw/floating";
import { percentBadge } from "@/draw/percent";
import { speaker } from "@/draw/speak";
import { CardTable } from "@/draw/table";
import type { Drawing, Told, View } from "@/drawing";
import { decks } from "./deck";
import { called, item, person } from "./names";
import { actionsWith, dicePlan, payWords, priced, statusWords } from "./orders";
import { board, cardTip, type SideLook } from "./side";
import { CHINESE, sayAction, type Act, type Picture, type Target } from "./words";
import { die, kindSign, portrait } from "./signs";
import { costFace, skillButtons } from "./skills";
import { tipFor } from "./tips";

class Table extends CardTable<Picture> {
  private chosen: number | null = null; // a place in the hand, or null
  private marked = new Set<number>(); // cards or dice to exchange
  private plan: string[] | null = null; // faces still to be put aside before the roll

  constructor(host: HTMLElement, view: View<Picture>, told: Told) {
    super(host, view, told, "gi", CHINESE);
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.chosen !== null) this.choose(null);
    });
    tipFor(this.root);
  }

  override update(view: View<Picture>): void {
    super.update(view);
    this.goOn();
  }

  protected draw(before: Picture | null): void {
    const { picture } = this.view;
    const asked = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.key : null;
    if (before && before !== picture) {
      this.chosen = null;
      if (before.phase !== picture.phase || before.mover !== picture.mover || !this.plan) this.marked.clear();
    }
    const far = this.look_(1 - this.near);
    const near = this.look_(this.near);
    this.root.replaceChildren(this.farHand(far), board(far), this.middle(), board(near), this.tray(), this.bar(), this.orders(), this.hand());
    this.root.setAttribute("aria-label", this.say("table of the duel"));
    this.root.dataset.phase = picture.phase;
    this.look(null);
    if (asked) this.root.querySelector<HTMLElement>(`[data-key="${asked}"]`)?.focus();
    this.drawHeat();
    this.showChanges(before);
  }

  private get mine(): boolean {
    const { to_move, legal } = this.view;
    return legal.length > 0 && to_move === this.near;
  }

  private acts(kind: Act["kind"]): Act[] {
    return this.mine ? this.view.picture.actions.filter((one) => one.kind === kind) : [];
  }

  private look_(seat: number): SideLook {
    const { picture, seats, language } = this.view;
    return {
      seat,
      name: seats[seat] ?? String(seat + 1),
      player: picture.players[seat]!,
      turn: picture.mover === seat,
      far: seat !== this.near,
      say: this.say,
      language,
      reach: (place) => this.reach(place),
    };
  }

  // ---- where a click on the table leads

  private cardAt(place: number | null): string | null {
    return place === null ? null : (this.view.picture.players[this.near]!.hand?.[place] ?? null);
  }

  /** With a card chosen, its targets; else a switch or a choice of character. */
  private reach(place: Target): ReturnType<SideLook["reach"]> {
    if (!this.mine) return null;
    const { picture } = this.view;
    const card = this.cardAt(this.chosen);
    const found = card ? actionsWith(picture.actions, card).find(({ target }) => target && same(target, place)) : this.walk(place);
    if (!found) return null;
    const name = this.placeName(place);
    const words = card ? "on {name}" : found.kind === "choose" ? "choose {name}" : "switch to {name}";
    return { label: this.priced(this.say(words, { name }), found), click: () => this.play(found), action: found.action };
  }

  private walk(place: Target): Act | undefined {
    if (place.seat === undefined || place.side === "theirs") return undefined;
    return [...this.acts("switch"), ...this.acts("choose")].find(({ to }) => to === place.seat);
  }

  private placeName(place: Target): string {
    const player = this.view.picture.players[place.side === "theirs" ? 1 - this.near : this.near]!;
    const { language } = this.view;
    if (place.seat !== undefined) return called(language, person(player.chars[place.seat]!.name));
    const zone = place.summon !== undefined ? player.summons[place.summon] : player.supports[place.support!];
    return zone ? called(language, item(zone.name)) : "";
  }

  private priced(words: string, act: Act): string {
    const price = act.dice ? payWords(act, this.say, this.view.language) : "";
    const fast = act.fast === undefined || act.kind === "tune" ? "" : this.say(act.fast ? "fast" : "combat action");
    const heat = this.heat.get(act.action);
    return [words, price, fast, heat ? this.say("{share} of the search", { share: heat.percent }) : ""].filter(Boolean).join(this.say(", "));
  }

  private play(act: Act): void {
    this.chosen = null;
    this.told.play(act.action);
  }

  private choose(place: number | null): void {
    this.chosen = place === this.chosen ? null : place;
    this.draw(null);
    this.root.querySelector<HTMLElement>(this.chosen === null ? ".gi-hand button" : ".gi-orders button")?.focus();
  }

  private mark(place: number): void {
    if (!this.marked.delete(place)) this.marked.add(place);
    this.draw(null);
  }

  /** A roll is told die by die: what comes next is played when the page is back at this seat. */
  private goOn(): void {
    if (!this.plan || !this.mine || this.view.picture.phase !== "reroll") return;
    const next = dicePlan(this.view.picture.actions, this.plan);
    if (!next) {
      this.plan = null;
      return;
    }
    this.plan = next.rest;
    this.told.play(next.act.action);
  }

  // ---- what is drawn

  private middle(): HTMLElement {
    const { picture, seats } = this.view;
    const round = picture.rounds > 0 ? this.say("round {round} of {rounds}", { round: picture.round, rounds: picture.rounds }) : this.say("round {round}", { round: picture.round });
    const { last, language } = this.view;
    const happened = last && last.text && last.mover !== "chance" ? `${seats[last.mover as number] ?? ""}: ${sayAction(last.text, language)}` : "";
    return html(
      "div",
      { class: "gi-middle" },
      html("span", { class: "gi-round" }, round),
      html("span", { class: "gi-news" }, happened),
      html("span", { class: "gi-status", role: "status" }, statusWords(picture, seats, this.mine, this.say)),
    );
  }

  private farHand({ player, name, language }: SideLook): HTMLElement {
    const label = this.say("hand of {name}", { name });
    const cards = player.hand
      ? player.hand.map((card) => html("span", { class: "gi-small-card", "data-tip": cardTip(card, { say: this.say, language }), tabindex: 0, role: "img", "aria-label": called(language, item(card)) }, kindSign(item(card).kind ?? "event"), html("span", {}, called(language, item(card)))))
      : Array.from({ length: player.cards }, () => html("span", { class: "gi-back" }));
    const dice = player.dice ? player.dice.map((face) => die(face)) : [];
    return html("div", { class: "gi-far-hand", role: "group", "aria-label": label }, ...cards, html("span", { class: "gi-far-dice" }, ...dice));
  }

  /** The dice: a tray, from which dice are chosen to be rolled again, to pay, or to be tuned with the chosen card. */
  private tray(): HTMLElement {
    const { picture, seats, language } = this.view;
    const player = picture.players[this.near]!;
    const label = this.say("dice of {name}", { name: seats[this.near] ?? "" });
    const card = this.cardAt(this.chosen);
    const rolling = this.mine && picture.phase === "reroll";
    const dice = (player.dice ?? []).map((face, i) => {
      const tuned = card ? this.acts("tune").find((one) => one.card === card && one.die === face) : undefined;
      const paid = this.acts("pay").find((one) => one.die === face);
      const words = elementWords(face, language);
      if (rolling && !this.plan) {
        const pressed = this.marked.has(i);
        const look = { type: "button", class: "gi-die-button", "aria-pressed": String(pressed), "aria-label": words, "data-key": `die ${i}` };
        return html("button", { ...look, onclick: () => this.mark(i) }, die(face));
      }
      const act = tuned ?? paid;
      if (!act) return html("span", { class: "gi-die-place", role: "img", "aria-label": words }, die(face));
      const told = tuned ? this.tuneWords(tuned) : words;
      return html("button", { type: "button", class: "gi-die-button", "data-action": act.action, "data-reach": true, "aria-label": told, "data-tip": told, onclick: () => this.play(act) }, die(face));
    });
    const hidden = player.dice ? [] : Array.from({ length: player.dice_count }, () => html("span", { class: "gi-die-place" }, die("Omni")));
    return html("div", { class: "gi-tray", role: "group", "aria-label": label }, ...dice, ...hidden);
  }

  private tuneWords(act: Act): string {
    const { picture, language } = this.view;
    const player = picture.players[this.near]!;
    const element = person(player.chars[player.active ?? 0]!.name).element;
    return this.say("tune {die} to {element}", { die: elementWords(act.die ?? "", language), element: elementWords(element, language) });
  }

  /** Skills, the end of the round, and the one button of prompts. */
  private bar(): HTMLElement {
    const { picture, language } = this.view;
    const own = picture.players[this.near]!;
    if (picture.phase === "redraw" && this.mine) return html("div", { class: "gi-bar" }, this.redrawButton());
    if (picture.phase === "reroll" && this.mine) return html("div", { class: "gi-bar" }, this.rollButton(own.dice ?? []));
    if (own.active === null || picture.phase === "over" || picture.phase === "opening") return html("div", { class: "gi-bar" });
    const skills = skillButtons({
      name: own.chars[own.active]!.name,
      acts: this.acts("skill"),
      say: this.say,
      language,
      play: (act) => this.play(act),
      hover: (action) => this.look(action),
      priced: (words, act) => this.priced(words, act),
    });
    const end = this.acts("end")[0];
    const button = html("button", { type: "button", class: "gi-end", disabled: !end, "data-action": end?.action, "data-key": "end", onclick: () => end && this.play(end) }, this.say("End round"));
    return html("div", { class: "gi-bar", role: "group", "aria-label": this.say("Skills") }, ...skills, button);
  }

  private redrawButton(): HTMLElement {
    const cards = [...this.marked].map((place) => this.cardAt(place)!).sort();
    const act = this.acts("redraw").find((one) => String([...(one.cards ?? [])].sort()) === String(cards));
    const words = cards.length > 0 ? this.say("exchange {count} cards", { count: cards.length }) : this.say("keep all");
    return html("button", { type: "button", class: "gi-confirm", "data-action": act?.action, "data-key": "confirm", disabled: !act, onclick: () => act && this.play(act) }, words);
  }

  private rollButton(dice: string[]): HTMLElement {
    const faces = [...this.marked].sort((a, b) => a - b).map((i) => dice[i]!);
    const words = faces.length > 0 ? this.say("roll {count} dice again", { count: faces.length }) : this.say("keep all dice");
    const next = dicePlan(this.view.picture.actions, faces);
    const start = (): void => {
      this.plan = faces;
      this.goOn();
    };
    return html("button", { type: "button", class: "gi-confirm", "data-action": next?.act.action, "data-key": "confirm", disabled: !next, onclick: start }, words);
  }

  /** What can be done with the chosen card, as buttons: the same as on the table, for keys and screen readers. */
  private orders(): HTMLElement | string {
    const card = this.cardAt(this.chosen);
    if (!card) return "";
    const { picture, language } = this.view;
    const name = called(language, item(card));
    const plays = actionsWith(picture.actions, card).map((act) => this.order(act, this.targetWords(act)));
    const tunes = this.acts("tune").filter((one) => one.card === card).map((act) => this.order(act, this.tuneWords(act)));
    const close = html("button", { type: "button", class: "gi-close", "aria-label": this.say("close"), onclick: () => this.choose(null) }, "✕");
    const label = this.say("{name}: what to do with it", { name });
    return html("div", { class: "gi-orders", role: "group", "aria-label": label }, html("b", {}, name), html("span", { class: "gi-orders-text" }, cardTip(card, { say: this.say, language }).split("\n")[1] ?? ""), ...plays, ...tunes, close);
  }

  private targetWords(act: Act): string {
    const { target } = act;
    if (!target) return this.say("Play it");
    const name = this.placeName(target);
    return this.say(target.support !== undefined ? "in place of {name}" : "on {name}", { name });
  }

  private order(act: Act, words: string): HTMLElement {
    const price = act.dice ? html("span", { class: "gi-price", "aria-hidden": "true" }, ...act.dice.map((face) => die(face))) : "";
    const look = { type: "button", class: `gi-order gi-order-${act.kind}`, "data-action": act.action, "aria-label": this.priced(words, act), onpointerenter: () => this.look(act.action), onpointerleave: () => this.look(null) };
    return html("button", { ...look, onclick: () => this.play(act) }, words, price, percentBadge(this.heat.get(act.action)));
  }

  private hand(): HTMLElement {
    const { picture, language } = this.view;
    const { hand, cards } = picture.players[this.near]!;
    const label = this.say("your hand");
    if (!hand) return html("div", { class: "gi-hand", role: "group", "aria-label": label }, ...Array.from({ length: cards }, () => html("span", { class: "gi-back" })));
    const exchanging = picture.phase === "redraw" && this.mine;
    const faces = hand.map((card, place) => {
      const about = item(card);
      const acts = this.mine ? [...actionsWith(picture.actions, card), ...this.acts("tune").filter((one) => one.card === card)] : [];
      const usable = exchanging || acts.length > 0;
      const pressed = exchanging ? this.marked.has(place) : this.chosen === place;
      const playable = actionsWith(acts, card).length > 0;
      const words = cardTip(card, { say: this.say, language });
      const look = {
        type: "button",
        class: `gi-card gi-card-${about.kind ?? "event"}`,
        "aria-label": words.replaceAll("\n", ". ") + (usable ? "" : `. ${this.say("not now")}`),
        "aria-pressed": String(pressed),
        "data-tip": words,
        "data-card": card,
        "data-key": `card ${place}`,
        "data-playable": playable || exchanging,
        disabled: !usable,
      };
      const made = html(
        "button",
        { ...look, onclick: () => (exchanging ? this.mark(place) : this.choose(place)) },
        costFace(about.cost ?? "0"),
        kindSign(about.kind ?? "event"),
        html("span", { class: "gi-card-name" }, called(language, about)),
      );
      return made;
    });
    return html("div", { class: "gi-hand", role: "group", "aria-label": label }, ...faces);
  }

  protected drawHeat(): void {
    for (const one of this.root.querySelectorAll<HTMLElement>("button[data-action], .gi-card")) {
      one.querySelector(":scope > .d-percent")?.remove();
      const action = one.dataset.action;
      const badge = action !== undefined ? percentBadge(this.heat.get(Number(action))) : this.cardBadge(one.dataset.card);
      if (badge) one.append(badge);
    }
  }

  /** A card shows what the search likes best of what can be done with it. */
  private cardBadge(card: string | undefined): Element | null {
    if (!card || !this.mine) return null;
    const best = actionsWith(this.view.picture.actions, card)
      .map(({ action }) => this.heat.get(action))
      .filter((one) => one !== undefined)
      .sort((a, b) => b.share - a.share)[0];
    return percentBadge(best) || null;
  }

  private showChanges(before: Picture | null): void {
    const { picture, animate } = this.view;
    if (!before || before === picture) return;
    for (const one of this.root.querySelectorAll<HTMLElement>(".gi-fighter")) {
      const side = one.closest(".gi-far") ? 1 - this.near : this.near;
      const seat = Number(one.dataset.seat);
      const change = picture.players[side]!.chars[seat]!.hp - before.players[side]!.chars[seat]!.hp;
      floating(one.querySelector<HTMLElement>(".gi-hp")!, change, this.motion, animate);
    }
  }
}

function same(target: Target, place: Target): boolean {
  return (
    target.seat === place.seat &&
    target.summon === place.summon &&
    target.support === place.support &&
    (target.side ?? "mine") === (place.side ?? "mine")
  );
}

function elementWords(face: string, language: "en" | "zh-TW"): string {
  return priced(face, language);
}

function miniature(host: HTMLElement, picture: Picture): void {
  const say = speaker("en", CHINESE);
  const side = (seat: number): HTMLElement => {
    const player = picture.players[seat]!;
    const people = player.chars.map((one, i) =>
      html("span", { class: "gi-mini", "data-active": player.active === i }, portrait(one.name, person(one.name).element), html("b", {}, String(one.hp))),
    );
    return html("div", { class: "gi-mini-row" }, ...people);
  };
  const dice = html("div", { class: "gi-mini-row gi-mini-dice" }, ...(picture.players[0]!.dice ?? []).slice(0, 8).map((face) => die(face)));
  const table = html("div", { class: "gi gi-miniature", "aria-label": say("table of the duel") }, side(1), dice, side(0));
  host.append(html("div", { class: "gi-box gi-small-box", "aria-hidden": "true" }, table));
}

export default {
  mount(host, view, told) {
    const table = new Table(host, view, told);
    table.update(view);
    return table;
  },
  miniature,
  say: sayAction,
  panel: decks,
} satisfies Drawing<Picture>;
