// Tetris with a falling piece and keys, in real time; alone, against another side, or only watched. Its picture is
// described in picture.py. Which pose a key leads to, and which action locking is, come with the picture: this file
// moves a piece through those tables (fall.ts) and draws it (side.ts).
import "./board.css";
import { positionKey } from "@/draw/change";
import { html } from "@/draw/element";
import { Motion } from "@/draw/motion";
import { speaker, type Say } from "@/draw/speak";
import type { Drawing, Drawn, Own, Told, View } from "@/drawing";
import { Fall, Held, type Key } from "./fall";
import { deedOf, handsOf, keys, settings, type Deed } from "./hands";
import { callOf } from "./news";
import { SideDrawing } from "./side";
import { CHINESE, type PieceName, type Picture } from "./words";

const CALL = 1400; // milliseconds that a clear is called out
const FLASH = 260;
const LONG = 100; // a frame that took longer (another window in front) does not count as time
const TOUCH: { deed: Deed; sign: string; name: string }[] = [
  { deed: "hold", sign: "⇄", name: "hold" },
  { deed: "counter", sign: "↺", name: "turn left" },
  { deed: "clockwise", sign: "↻", name: "turn right" },
  { deed: "left", sign: "←", name: "move left" },
  { deed: "down", sign: "↓", name: "soft drop" },
  { deed: "right", sign: "→", name: "move right" },
  { deed: "hard", sign: "⤓", name: "hard drop" },
];

let watched = true; // nobody plays by hand: moves stay as long as the person wants to look at them

class Board implements Drawn<Picture> {
  private readonly root = html("div", { class: "tt", role: "group" });
  private readonly motion = new Motion();
  private readonly held = new Held();
  private sides: SideDrawing[] = [];
  private names: HTMLElement[] = [];
  private view!: View<Picture>;
  private say: Say = speaker("en", CHINESE);
  private fall: Fall | null = null;
  private shown = "";
  private lit: number | null = null;
  private playing = false; // a person plays here: its keys are the board's, also while the other side moves
  private started = false; // clocks run from the first key on
  private frame = 0;
  private before = 0;

  constructor(
    host: HTMLElement,
    view: View<Picture>,
    private readonly told: Told,
  ) {
    watched = true;
    host.append(this.root);
    this.update(view);
  }

  update(view: View<Picture>): void {
    const key = positionKey(view);
    const fresh = key !== this.shown;
    const before = this.shown ? this.view : null;
    this.view = view;
    if (view.live) this.playing = true;
    else if (view.over || view.legal.length > 0) this.playing = this.started = false; // another position is looked at
    if (view.legal.length > 0) watched = false;
    if (fresh) {
      this.shown = key;
      this.say = speaker(view.language, CHINESE);
      if (!before || before.picture !== view.picture || before.legal.length === 0 !== (view.legal.length === 0)) this.spawn();
      this.draw();
      if (view.animate) this.call();
    }
    this.advise();
    this.run();
  }

  /** The piece that comes with the position; none where nobody is to move here. */
  private spawn(): void {
    const { picture } = this.view;
    this.fall = picture.mover !== null && picture.falls.length > 0 ? new Fall(picture.falls) : null;
  }

  private get mover(): number {
    return this.view.picture.mover ?? 0;
  }

  // ---- drawing

  private draw(): void {
    const { picture, seats, near } = this.view;
    if (this.sides.length !== picture.sides.length) this.build();
    this.root.setAttribute("aria-label", this.say("game of tetris"));
    this.root.dataset.near = String(near ?? 0);
    picture.sides.forEach((side, seat) => {
      const drawing = this.sides[seat]!;
      const { attack, lines, pieces } = side;
      const name = seats[seat] ?? String(seat + 1);
      const label = this.say("{name}: {pieces} pieces, {lines} lines, attack {attack}", { name, pieces, lines, attack });
      drawing.root.setAttribute("aria-label", label);
      this.names[seat]!.textContent = picture.sides.length > 1 ? name : "";
      drawing.cover(side.end === null ? null : this.say(side.end === "done" ? "Done" : "Topped out"));
    });
    this.drawAside();
    this.drawFall();
  }

  private build(): void {
    const { picture } = this.view;
    this.sides = picture.sides.map(() => new SideDrawing(picture.height));
    this.names = picture.sides.map(() => html("div", { class: "tt-name" }));
    const boxes = this.sides.map((side, seat) => html("div", { class: "tt-seat", "data-seat": seat }, this.names[seat]!, side.root));
    this.root.replaceChildren(html("div", { class: "tt-sides", "data-sides": this.sides.length }, ...boxes), this.pad());
  }

  /** Field, hold, queue and figures: as the server told them, or as hold has left them. */
  private drawAside(): void {
    const { picture } = this.view;
    picture.sides.forEach((side, seat) => {
      const own = seat === picture.mover && this.fall !== null;
      const swapped = own && this.fall!.holding;
      const current = side.queue.slice(0, 1) as PieceName;
      const hold = swapped ? current : side.hold;
      const gone = own ? (swapped && side.hold === null ? 2 : 1) : 0;
      this.sides[seat]!.draw(side, hold, side.queue.slice(gone), own && this.fall!.held, this.say, this.figures(seat));
    });
  }

  private figures(seat: number): [string, string][] {
    const { picture } = this.view;
    const side = picture.sides[seat]!;
    const rate = side.pieces > 0 ? (side.attack / side.pieces).toFixed(2) : "–";
    const out: [string, string][] = [
      [this.say("pieces"), picture.sides.length > 1 ? String(side.pieces) : `${side.pieces}/${picture.pieces}`],
      [this.say("lines"), String(side.lines)],
      [this.say("attack"), String(side.attack)],
      [this.say("APP"), rate],
    ];
    if (picture.objective === "score") out.push([this.say("score"), String(side.score)]);
    if (picture.garbage) out.push([this.say("incoming"), String(side.incoming)]);
    return out;
  }

  private drawFall(): void {
    this.sides.forEach((drawing, seat) => {
      const fall = seat === this.view.picture.mover ? this.fall : null;
      const piece = fall?.table?.piece;
      const mine = this.view.legal.length > 0;
      const ghost = fall && mine && this.view.own.ghost !== false ? fall.ghost() : null;
      drawing.fall(fall && piece && fall.table!.poses.length > 0 ? { piece, pose: fall.pose, ghost } : null);
      const { limit } = handsOf(this.view.own);
      drawing.time(fall && this.view.live && limit > 0 ? 1 - fall.time / limit : null);
    });
  }

  /** The placement that the lists point at, or that a search likes best. */
  private advise(): void {
    const { picture, thought } = this.view;
    const action = this.lit ?? thought?.action ?? null;
    const place = action === null ? undefined : picture.places[action];
    this.sides.forEach((drawing, seat) => {
      if (!place || seat !== this.mover) return drawing.advise(null, null);
      const text = this.say("suggested: {text}", { text: place.piece }) + (place.hold ? ` (${this.say("with hold")})` : "");
      drawing.advise(place.piece, place, text);
    });
  }

  /** What the last placement has cleared, over the side that it was. */
  private call(): void {
    const { picture, last } = this.view;
    const seat = typeof last?.mover === "number" ? last.mover : picture.sides.length > 1 ? 1 - this.mover : 0;
    const side = picture.sides[seat];
    const drawing = this.sides[seat];
    if (!side?.last || !drawing) return;
    const lines = callOf(side.last, side, this.say);
    const rows = side.last.cleared;
    if (rows.length > 0) this.motion.run(FLASH, (part) => drawing.flash(rows, part));
    if (lines.length > 0) this.motion.run(CALL, (part) => drawing.tell(lines, part));
  }

  highlight(action: number | null): void {
    this.lit = action;
    this.advise();
  }

  // ---- hands

  press(event: KeyboardEvent): boolean {
    if (!this.playing || event.ctrlKey && event.code !== "ControlLeft" || event.metaKey || event.altKey) return false;
    if (event.code === "Escape" && event.type === "keydown" && this.started) {
      this.pause();
      return true;
    }
    const deed = deedOf(this.view.own, event.code);
    if (!deed) return false;
    if (event.type === "keyup") this.lift(deed);
    else if (!event.repeat) this.does(deed);
    return true;
  }

  release(): void {
    if (!document.hasFocus() || document.querySelector("dialog[open]")) this.held.clear(); // else only the other side moves
  }

  private pause(): void {
    this.started = this.playing = false;
    this.held.clear();
    for (const [seat, drawing] of this.sides.entries()) if (seat === this.mover) drawing.cover(this.say("Paused"));
  }

  private lift(deed: Deed): void {
    if (deed !== "hard" && deed !== "hold") this.held.lift(deed);
  }

  private does(deed: Deed): void {
    const { live } = this.view;
    if (!this.playing && live) this.draw(); // no longer paused
    if (live) this.playing = this.started = true;
    if (deed !== "hard" && deed !== "hold") this.held.press(deed);
    if (!live || !this.fall) return;
    if (deed === "hard") return this.lock(this.fall.drop());
    if (deed === "hold") {
      this.fall.swap();
      this.drawAside();
    } else this.fall.move(deed as Key);
    this.drawFall();
    this.run();
  }

  private lock(action: number): void {
    if (action < 0 || !this.view.legal.some((one) => one.action === action)) return;
    this.drawFall();
    this.fall = null; // until the server has placed it
    this.told.play(action);
  }

  // ---- time

  private run(): void {
    if (this.frame === 0 && this.view.live && this.started) {
      this.before = 0;
      this.frame = requestAnimationFrame(this.tick);
    }
  }

  private readonly tick = (now: number): void => {
    this.frame = 0;
    const { live, own } = this.view;
    if (!live || !this.started) return;
    const passed = this.before === 0 ? 0 : Math.min(LONG, now - this.before);
    this.before = now;
    const hands = handsOf(own);
    const fall = this.fall;
    if (fall) {
      this.held.tick(passed, hands, fall);
      const action = fall.tick(passed, hands);
      if (action !== null && action >= 0) this.lock(action);
      if (this.fall) this.drawFall();
    }
    this.frame = requestAnimationFrame(this.tick);
  };

  // ---- a phone

  private pad(): HTMLElement {
    const buttons = TOUCH.map(({ deed, sign, name }) => {
      const press = (event: Event) => {
        event.preventDefault();
        this.does(deed);
      };
      const lift = () => this.lift(deed);
      const look = { type: "button", class: `button tt-key tt-${deed}`, "aria-label": this.say(name), "data-deed": deed };
      return html("button", { ...look, onpointerdown: press, onpointerup: lift, onpointerleave: lift, onpointercancel: lift }, sign);
    });
    return html("div", { class: "tt-pad" }, ...buttons);
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.motion.finish();
    this.root.remove();
  }
}

function miniature(host: HTMLElement, picture: Picture): void {
  const say = speaker("en", CHINESE);
  const sides = picture.sides.map((side) => {
    const drawing = new SideDrawing(picture.height);
    drawing.draw(side, side.hold, side.queue.slice(1), false, say, []);
    return html("div", { class: "tt-seat" }, drawing.root);
  });
  host.append(html("div", { class: "tt tt-miniature", "aria-hidden": "true" }, html("div", { class: "tt-sides" }, ...sides)));
}

export default {
  mount: (host, view, told) => new Board(host, view, told),
  miniature,
  settings,
  keys,
  hold: (own: Own) => (watched ? 1000 / (typeof own.watch === "number" && own.watch > 0 ? own.watch : 2) : 0),
} satisfies Drawing<Picture>;
