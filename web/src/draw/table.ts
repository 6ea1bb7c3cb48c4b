// What card tables have in common: a box with a group in it that is drawn anew with every position and not with every
// thought, the seat that sits near, and which action is looked at. A room draws; its buttons carry `data-action`.
import type { Drawn, Told, View } from "../drawing";
import { positionKey } from "./change";
import { html } from "./element";
import { heatOf, type Heat } from "./heat";
import { Motion } from "./motion";
import { speaker, type Say } from "./speak";

export abstract class CardTable<Picture> implements Drawn<Picture> {
  protected readonly motion = new Motion();
  protected readonly root: HTMLElement;
  protected near = 0;
  protected heat = new Map<number, Heat>();
  protected say: Say = speaker("en");
  private shown = "";
  private highlighted: number | null = null;
  private looked: number | null = null;
  private gone = false;

  /** `name` begins the room's class names; `update` draws for the first time. */
  constructor(
    host: HTMLElement,
    protected view: View<Picture>,
    protected readonly told: Told,
    private readonly name: string,
    private readonly chinese: Record<string, string>,
  ) {
    this.root = html("div", { class: name, role: "group" });
    host.append(html("div", { class: `${name}-box` }, this.root));
  }

  /** Draws the position; `before` is the picture that was shown. */
  protected abstract draw(before: Picture | null): void;

  /** Draws what a search likes, on the buttons that are there: one that is being clicked must not be replaced. */
  protected abstract drawHeat(): void;

  /** Two views of which this is the same are drawn alike, but for the heat. */
  protected key(view: View<Picture>): string {
    return positionKey(view);
  }

  update(view: View<Picture>): void {
    if (this.gone) return;
    const key = this.key(view);
    const fresh = key !== this.shown;
    const before = this.shown ? this.view.picture : null;
    if (fresh) this.motion.finish();
    this.view = view;
    this.heat = heatOf(view);
    if (fresh) {
      this.say = speaker(view.language, this.chinese);
      this.near = this.seatNear();
      this.draw(before);
    } else this.drawHeat();
    this.shown = key;
    this.highlight(this.highlighted);
  }

  /** Whoever has something to do sits near, so that people can share the page; else the person's own seat. */
  private seatNear(): number {
    const { near, viewer, legal, to_move } = this.view;
    if (legal.length > 0 && typeof to_move === "number") return to_move;
    return near ?? viewer ?? this.near;
  }

  protected look(action: number | null): void {
    if (action === this.looked) return;
    this.looked = action;
    this.told.hover(action);
  }

  highlight(action: number | null): void {
    this.highlighted = action;
    for (const one of this.root.querySelectorAll<HTMLElement>("button"))
      one.classList.toggle(`${this.name}-pointed`, action !== null && one.dataset.action === String(action));
  }

  destroy(): void {
    this.gone = true;
    this.motion.finish();
    this.root.parentElement?.remove();
  }
}
