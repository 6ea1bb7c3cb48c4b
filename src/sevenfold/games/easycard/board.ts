// Easycard as a small duel: two players across a table, with dice, cards and hit points. Its picture is described in
// picture.py; what may be done is in the view, everything else only dims and lifts.
import "./board.css";
import { card } from "@/draw/card";
import { die } from "@/draw/dice";
import { html } from "@/draw/element";
import { floating } from "@/draw/floating";
import { percentBadge } from "@/draw/percent";
import { speaker } from "@/draw/speak";
import { CardTable } from "@/draw/table";
import type { Drawing } from "@/drawing";
import { inLanguage } from "@/words";
import { CARDS, CHINESE, DIE_SIGN, KINDS, PLAYED_AS, sayAction, sign, type Act, type CardName, type Picture } from "./kinds";
import { happening } from "./news";
import { cardTitle, farHand, panel, type SideLook } from "./side";

class Table extends CardTable<Picture> {
  protected draw(before: Picture | null): void {
    const { view } = this;
    const focused = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const kind = focused?.dataset.kind;
    const [far, near] = [this.side(1 - this.near), this.side(this.near)];
    const news = happening(view, before, this.say, this.motion);
    this.root.replaceChildren(
      html("section", { class: "ec-side ec-far", "aria-label": far.name }, panel(far), farHand(far)),
      html("div", { class: "ec-middle" }, ...news),
      html("section", { class: "ec-side ec-near", "aria-label": near.name }, panel(near), this.ownHand(near), this.moves()),
    );
    this.root.setAttribute("aria-label", this.say("easycard table"));
    this.look(null); // the button under the mouse is gone without a word
    if (focused) this.focus(kind);
    this.showChanges(before);
  }

  protected drawHeat(): void {
    for (const one of this.root.querySelectorAll<HTMLElement>("[data-kind]")) {
      const kind = one.dataset.kind!;
      const act = this.act(kind);
      one.querySelector(".d-percent")?.remove();
      one.setAttribute("aria-label", this.label(kind, act));
      const badge = percentBadge(act && this.heat.get(act.action));
      if (badge) one.append(badge);
    }
  }

  private side(seat: number): SideLook {
    const { picture, seats } = this.view;
    const turn = picture.mover === seat && picture.phase === "play";
    return { seat, name: seats[seat] ?? String(seat + 1), player: picture.players[seat]!, turn, say: this.say };
  }

  /** The keys stay where they were: on the same action, or on the first that can be played. */
  private focus(kind: string | undefined): void {
    const same = this.root.querySelector<HTMLElement>(`[data-kind="${kind}"]:not(:disabled)`);
    (same ?? this.root.querySelector<HTMLElement>("button:not(:disabled)"))?.focus();
  }

  private act(kind: string): Act | undefined {
    const { picture, legal, to_move } = this.view;
    if (to_move !== this.near) return undefined;
    const found = picture.actions.find((one) => one.kind === kind);
    return found && legal.some(({ action }) => action === found.action) ? found : undefined;
  }

  /** What an action needs and does, in words, and how the search likes it. */
  private label(kind: string, act: Act | undefined): string {
    const { say } = this;
    const [dice, energy] = [act?.dice ?? KINDS[kind]!.dice, act?.energy ?? KINDS[kind]!.energy];
    const priced = energy > 0 ? "costs {dice} dice and {energy} energy" : dice > 0 ? "costs {dice} dice" : "free";
    const heat = act && this.heat.get(act.action);
    const words = [say(KINDS[kind]!.title), this.effect(kind, act), say(priced, { dice, energy })];
    if (!act) words.push(say("not now"));
    if (heat) words.push(say("{share} of the search", { share: heat.percent }));
    return words.join(say(", "));
  }

  private effect(kind: string, act: Act | undefined): string {
    return act ? inLanguage(this.view.language, act.text) : this.say(KINDS[kind]!.effect);
  }

  private price(kind: string, act: Act | undefined): HTMLElement {
    const [dice, energy] = [act?.dice ?? KINDS[kind]!.dice, act?.energy ?? KINDS[kind]!.energy];
    const parts = [...Array.from({ length: dice }, () => die(DIE_SIGN)), ...Array.from({ length: energy }, () => html("i"))];
    return html("span", { class: "ec-price", "aria-hidden": "true" }, ...parts);
  }

  private button(kind: string, className: string, ...face: (Node | string | null)[]): HTMLButtonElement {
    const act = this.act(kind);
    const look = {
      type: "button",
      class: className,
      "aria-label": this.label(kind, act),
      "data-kind": kind,
      "data-action": act?.action,
      disabled: !act,
      onclick: () => act && this.told.play(act.action),
      onpointerenter: () => this.look(act?.action ?? null),
      onpointerleave: () => this.look(null),
      onfocus: () => this.look(act?.action ?? null),
      onblur: () => this.look(null),
    };
    return html("button", look, ...face, percentBadge(act && this.heat.get(act.action)));
  }

  private moves(): HTMLElement {
    const moves = ["strike", "burst", "pass"].map((kind) => {
      const act = this.act(kind);
      const words = html("span", { class: "ec-words" }, html("b", {}, this.say(KINDS[kind]!.title)), " ", this.effect(kind, act));
      return this.button(kind, `ec-move ec-${kind}`, sign(kind), words, this.price(kind, act));
    });
    return html("div", { class: "ec-moves" }, ...moves);
  }

  private ownHand(side: SideLook): HTMLElement {
    const { player, name, say } = side;
    const label = say("hand of {name}: {count} cards", { name, count: player.cards });
    const counts = player.hand;
    if (!counts) return farHand(side);
    const cards = CARDS.filter((one) => counts[one] > 0).map((one) => this.card(one, counts[one]));
    return html("div", { class: "ec-hand", role: "group", "aria-label": label }, ...cards);
  }

  /** A card with its copies under it; a snack is a card with two buttons. */
  private card(name: CardName, count: number): HTMLElement {
    const kinds = PLAYED_AS[name];
    const copies = count > 1 ? html("span", { class: "ec-copies", "aria-label": `×${count}` }, `×${count}`) : "";
    const top = [html("span", { class: "ec-art" }, sign(name)), html("b", {}, this.say(cardTitle(name)))];
    const attributes = { "data-copies": Math.min(3, count), "data-dim": !kinds.some((kind) => this.act(kind)) };
    if (kinds.length > 1) {
      const ways = kinds.map((kind) => {
        const words = html("span", { class: "ec-way-words" }, this.say(KINDS[kind]!.title));
        return this.button(kind, `ec-way ec-${kind}`, sign(kind), words, this.price(kind, this.act(kind)));
      });
      const playable = !attributes["data-dim"];
      const label = this.say(cardTitle(name));
      const out = card({ label, face: [...top, ...ways, copies], className: `ec-card ec-${name}`, playable, attributes });
      out.setAttribute("role", "group");
      return out;
    }
    const kind = kinds[0]!;
    const act = this.act(kind);
    const effect = html("span", { class: "ec-effect" }, this.effect(kind, act));
    const out = this.button(kind, `d-card ec-card ec-${name}`, this.price(kind, act), ...top, effect, copies);
    if (act) out.dataset.playable = "";
    out.dataset.copies = String(attributes["data-copies"]);
    if (!act) out.dataset.dim = "";
    return out;
  }

  /** Damage and healing rise from the bars. */
  private showChanges(before: Picture | null): void {
    const { picture, animate } = this.view;
    for (const [i, bars] of [...this.root.querySelectorAll<HTMLElement>(".ec-hp")].entries()) {
      const seat = i === 0 ? 1 - this.near : this.near;
      const old = before?.players[seat]?.hp;
      const hp = picture.players[seat]!.hp;
      if (old !== undefined) floating(bars, hp - old, this.motion, animate);
    }
  }
}

function miniature(host: HTMLElement, picture: Picture): void {
  const say = speaker("en", CHINESE);
  const side = (seat: number): HTMLElement =>
    html(
      "div",
      { class: "ec-side" },
      panel({ seat, name: "", player: picture.players[seat]!, turn: false, say }),
    );
  const cards = CARDS.filter((one) => (picture.players[0]?.hand?.[one] ?? 0) > 0);
  const faces = cards.map((one) => card({ label: "", face: [sign(one)], className: `ec-small ec-${one}` }));
  const table = html("div", { class: "ec ec-miniature" }, side(1), html("div", { class: "ec-row" }, ...faces), side(0));
  host.append(html("div", { class: "ec-box ec-small-box", "aria-hidden": "true" }, table));
}

export default {
  mount(host, view, told) {
    const table = new Table(host, view, told, "ec", CHINESE);
    table.update(view);
    return table;
  },
  miniature,
  say: sayAction,
} satisfies Drawing<Picture>;
