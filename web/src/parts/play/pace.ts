// Moves that come in a burst are shown one after another, so that a person sees what happened: what chance drew, what
// each of three opponents did.

export class Pace<Item> {
  private readonly waiting: { item: Item; step: boolean }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastStep = -Infinity;
  private shown: Item | undefined;

  /** `hold`: milliseconds that a step stays before the next of so many is shown; 0 where people want reduced motion.
   * `shown` is the step that stays. */
  constructor(
    private readonly show: (item: Item, step: boolean) => void,
    private readonly hold: (waiting: number, shown: Item | undefined) => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `step`: one move further; anything else replaces what waits. */
  push(item: Item, step: boolean): void {
    if (!step && this.waiting.length === 0) return this.show(item, false);
    this.waiting.push({ item, step });
    if (this.timer === undefined) this.next();
  }

  get busy(): boolean {
    return this.waiting.length > 0;
  }

  /** Straight to the newest. */
  skip(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const last = this.waiting.pop();
    this.waiting.length = 0;
    if (last) this.reveal(last);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.waiting.length = 0;
  }

  private next(): void {
    const first = this.waiting[0];
    if (!first) return;
    const left = first.step ? this.lastStep + this.hold(this.waiting.length, this.shown) - this.now() : 0;
    if (left <= 0) {
      this.waiting.shift();
      this.reveal(first);
      return this.next();
    }
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.next();
    }, left);
  }

  private reveal({ item, step }: { item: Item; step: boolean }): void {
    if (step) this.lastStep = this.now();
    this.shown = item;
    this.show(item, step);
  }
}
