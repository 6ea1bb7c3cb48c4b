// Decks in the lobby: for each seat one of the samples or a deck of one's own, put together here. What an option takes is
// one line, "Diluc; Kaeya; Sucrose; 2 Strategize; …", or a sample's letter; decks.py has the same rules for files.
import "./board.css";
import { html } from "@/draw/element";
import { speaker, type Say } from "@/draw/speak";
import type { Form, Panel } from "@/drawing";
import { called, CARDS, kindName, meaning, PEOPLE, type Item } from "./names";
import { costFace } from "./skills";
import { elementSign, kindSign } from "./signs";
import { CHINESE } from "./words";

const SAMPLES = ["A", "B", "C", "D"];
const TEAMS: Record<string, string> = { A: "Diluc, Kaeya, Sucrose", B: "Fischl, Collei, Barbara", C: "Xiangling, Xingqiu, Ningguang", D: "Noelle, Keqing, Diona" };
const TEAM = 3;
const MOST = 30;
const COPIES = 2;

export interface Deck {
  team: string[];
  cards: Map<string, number>;
}

export function parse(line: string): Deck {
  const deck: Deck = { team: [], cards: new Map() };
  for (const part of line.split(";").map((one) => one.trim())) {
    const [, count, name = ""] = /^(?:(\d+)\s+)?(.*)$/.exec(part) ?? [];
    if (PEOPLE.some((one) => one.name === name)) deck.team.push(name);
    else if (CARDS.some((one) => one.name === name)) deck.cards.set(name, (deck.cards.get(name) ?? 0) + Number(count ?? 1));
  }
  return deck;
}

export function written({ team, cards }: Deck): string {
  return [...team, ...[...cards].map(([name, count]) => (count > 1 ? `${count} ${name}` : name))].join("; ");
}

export function size({ cards }: Deck): number {
  return [...cards.values()].reduce((sum, count) => sum + count, 0);
}

/** Whether a team may hold a card: talents need their character, resonance two of its element. */
export function fits(card: Item, team: string[]): boolean {
  if (card.kind === "generated") return false;
  if (card.kind === "talent") return team.includes(card.character ?? "");
  if (card.kind !== "resonance") return true;
  return PEOPLE.filter(({ name, element }) => team.includes(name) && element === card.element).length >= 2;
}

/** What is missing, in the person's words; empty for a legal deck. */
export function missing(deck: Deck, say: Say): string {
  if (deck.team.length !== TEAM) return say("a deck has {most} characters", { most: TEAM });
  if (size(deck) !== MOST) return say("a deck has {most} cards", { most: MOST });
  return "";
}

type Choose = (option: string, value: unknown) => void;

/** The choice for one seat. A deck is told to the form when it is legal; until then the last legal one stands. */
class Seat {
  readonly root = html("section", { class: "gi-deck" });
  private deck: Deck;
  private open: boolean;
  private wanted = "";
  private say: Say = speaker("en");

  constructor(
    private readonly option: string,
    private form: Form,
    private readonly choose: Choose,
    private readonly keep: (line: string) => void,
  ) {
    const value = String(form.options[option] ?? "A");
    this.open = !SAMPLES.includes(value.toUpperCase());
    this.deck = parse(this.open ? value : String(form.own[option] ?? ""));
    this.draw();
  }

  update(form: Form): void {
    const again = form.language !== this.form.language || form.options[this.option] !== this.form.options[this.option];
    this.form = form;
    if (again) this.draw();
  }

  private draw(focus?: string): void {
    const { language, options } = this.form;
    this.say = speaker(language, CHINESE);
    const value = String(options[this.option] ?? "A").toUpperCase();
    const samples = SAMPLES.map((letter) =>
      this.pick(`${letter}: ${this.names(TEAMS[letter]!)}`, !this.open && value === letter, () => {
        this.open = false;
        this.form = { ...this.form, options: { ...options, [this.option]: letter } };
        this.choose(this.option, letter);
        this.draw();
      }, `sample ${letter}`),
    );
    const own = this.pick(this.say("own deck"), this.open, () => {
      this.open = true;
      this.tell();
      this.draw();
    }, "own");
    const title = this.say(this.option === "deck0" ? "Deck of the first seat" : "Deck of the second seat");
    this.root.replaceChildren(html("b", {}, title), html("div", { class: "gi-deck-row" }, ...samples, own), ...(this.open ? this.editor() : []));
    this.root.setAttribute("aria-label", title);
    if (focus) this.root.querySelector<HTMLElement>(`[data-key="${focus}"]`)?.focus();
  }

  private names(team: string): string {
    const { language } = this.form;
    return team.split(", ").map((name) => called(language, PEOPLE.find((one) => one.name === name)!)).join(language === "zh-TW" ? "、" : ", ");
  }

  private pick(words: string, pressed: boolean, click: () => void, key: string, sign: Node | null = null): HTMLElement {
    return html("button", { type: "button", class: "gi-deck-pick", "aria-pressed": String(pressed), onclick: click, "data-key": key }, sign, words);
  }

  private tell(): void {
    this.keep(written(this.deck));
    if (!missing(this.deck, this.say)) this.choose(this.option, written(this.deck));
  }

  private changed(focus: string): void {
    for (const [name] of this.deck.cards) {
      const card = CARDS.find((one) => one.name === name);
      if (!card || !fits(card, this.deck.team)) this.deck.cards.delete(name);
    }
    this.tell();
    const top = this.root.querySelector(".gi-deck-list")?.scrollTop ?? 0;
    this.draw(focus);
    const list = this.root.querySelector(".gi-deck-list");
    if (list) list.scrollTop = top;
  }

  private editor(): HTMLElement[] {
    const { language } = this.form;
    const { team } = this.deck;
    const people = PEOPLE.map((one) => {
      const held = team.includes(one.name);
      const name = called(language, one);
      const button = this.pick(name, held, () => {
        if (held) this.deck.team = team.filter((other) => other !== one.name);
        else if (team.length < TEAM) this.deck.team = [...team, one.name];
        this.changed(`person ${one.name}`);
      }, `person ${one.name}`, elementSign(one.element));
      button.setAttribute("aria-label", this.say(held ? "take {name} out of the team" : "take {name} into the team", { name }));
      return button;
    });
    const find = html("input", { type: "search", class: "field", placeholder: this.say("find a card"), "aria-label": this.say("find a card"), value: this.wanted, "data-key": "find" });
    find.addEventListener("input", () => {
      this.wanted = find.value;
      list.replaceChildren(...this.rows());
    });
    const list = html("div", { class: "gi-deck-list" }, ...this.rows());
    const clear = this.pick(this.say("Clear"), false, () => {
      this.deck = { team: [], cards: new Map() };
      this.changed("clear");
    }, "clear");
    const count = this.say("{count} of {most}", { count: size(this.deck), most: MOST });
    const status = missing(this.deck, this.say) || this.say("The deck is complete.");
    return [
      html("span", {}, `${this.say("Characters")} (${this.say("{count} of {most}", { count: team.length, most: TEAM })})`),
      html("div", { class: "gi-deck-row" }, ...people),
      html("div", { class: "gi-deck-row" }, html("span", {}, `${this.say("Cards")} (${count})`), find, clear),
      list,
      html("span", { class: "gi-deck-status", role: "status" }, status),
    ];
  }

  private rows(): HTMLElement[] {
    const { language } = this.form;
    const wanted = this.wanted.trim().toLowerCase();
    const matching = CARDS.filter((one) => fits(one, this.deck.team) && `${one.name} ${one.zh} ${one.kind} ${one.text} ${one.text_zh}`.toLowerCase().includes(wanted));
    return matching.sort((a, b) => Number(this.deck.cards.has(b.name)) - Number(this.deck.cards.has(a.name))).map((card) => {
      const count = this.deck.cards.get(card.name) ?? 0;
      const name = called(language, card);
      const step = (by: number, words: string, off: boolean): HTMLElement => {
        const key = `${by > 0 ? "more" : "less"} ${card.name}`;
        const click = (): void => {
          if (count + by <= 0) this.deck.cards.delete(card.name);
          else this.deck.cards.set(card.name, count + by);
          this.changed(key);
        };
        return html("button", { type: "button", class: "gi-deck-step", disabled: off, "aria-label": this.say(words, { name }), "data-key": key, onclick: click }, by > 0 ? "+" : "−");
      };
      return html(
        "div",
        { class: "gi-deck-card", "data-held": count > 0 },
        kindSign(card.kind ?? "event"),
        html("span", {}, html("b", {}, name), " ", html("span", { class: "gi-deck-kind" }, kindName(language, card.kind ?? "")), " ", costFace(card.cost ?? "0"), html("small", {}, meaning(language, card))),
        step(-1, "one {name} less", count === 0),
        html("b", {}, String(count)),
        step(1, "one more {name}", count >= COPIES || size(this.deck) >= MOST),
      );
    });
  }
}

export const decks: Panel = {
  title: { en: "Decks", "zh-TW": "牌組" },
  options: ["deck0", "deck1"],
  mount(host, form, told) {
    const seats = decks.options.map((option) => new Seat(option, form, told.choose, (line) => told.keep({ [option]: line })));
    host.append(...seats.map(({ root }) => root));
    return { update: (now) => seats.forEach((seat) => seat.update(now)), destroy: () => seats.forEach(({ root }) => root.remove()) };
  },
};
