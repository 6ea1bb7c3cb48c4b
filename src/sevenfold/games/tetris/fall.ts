// A falling piece. Where it can go is looked up in the tables that the server gives with the position; nothing here knows
// a rule of the game. What is here is what the hands need: auto-shift, soft drop, gravity, and the delay of locking.
import type { FallPicture } from "./words";

export const KEYS = ["left", "right", "down", "clockwise", "counter", "half"] as const;
export type Key = (typeof KEYS)[number];

export interface Hands {
  das: number; // milliseconds until a held key repeats
  arr: number; // and between repeats; 0 goes to the wall at once
  soft: number; // milliseconds per row of a soft drop; 0 falls to the ground at once
  gravity: number; // rows per second; 0 hangs
  lock: number; // milliseconds on the ground until it locks; 0 waits
  limit: number; // milliseconds for the whole piece; 0 waits
}

const RESETS = 15; // moves on the ground that start the lock delay anew

export class Fall {
  at = 0;
  holding = false; // the piece that hold gives is in play
  held = false; // hold has been used
  time = 0; // since the piece came
  private which = 0;
  private fallen = 0; // part of a row
  private grounded = 0; // milliseconds
  private resets = 0;

  constructor(private readonly falls: FallPicture[]) {}

  get table(): FallPicture | undefined {
    return this.falls[this.which];
  }

  get pose(): { r: number; x: number; y: number } {
    const [r = 0, x = 0, y = 0] = this.table?.poses.slice(3 * this.at, 3 * this.at + 3) ?? [];
    return { r, x, y };
  }

  private next(from: number, key: Key): number {
    return this.table?.steps[KEYS.length * from + KEYS.indexOf(key)] ?? -1;
  }

  /** One press of a key; whether the piece has moved. */
  move(key: Key): boolean {
    const to = this.next(this.at, key);
    if (to < 0) return false;
    this.at = to;
    if (key === "down") [this.fallen, this.grounded, this.resets] = [0, 0, 0];
    else if (this.grounded > 0 && this.resets < RESETS) [this.grounded, this.resets] = [0, this.resets + 1];
    return true;
  }

  /** As far as the key goes. */
  slide(key: Key): boolean {
    let moved = false;
    while (this.move(key)) moved = true;
    return moved;
  }

  /** Where it would come to rest. */
  ghost(): { r: number; x: number; y: number } {
    let at = this.at;
    for (let to = at; to >= 0; to = this.next(at, "down")) at = to;
    const [r = 0, x = 0, y = 0] = this.table?.poses.slice(3 * at, 3 * at + 3) ?? [];
    return { r, x, y };
  }

  /** The action of dropping it now; -1 where there is none. */
  drop(): number {
    this.slide("down");
    return this.table?.locks[this.at] ?? -1;
  }

  /** Hold, once for each piece; whether it did something. */
  swap(): boolean {
    if (this.held) return false;
    this.held = true;
    if (this.falls.length > 1) {
      this.which = 1;
      this.holding = true;
    }
    [this.at, this.fallen, this.grounded, this.resets] = [0, 0, 0, 0];
    return this.falls.length > 1;
  }

  /** Time goes by; the action of locking where it is over, else null. */
  tick(milliseconds: number, hands: Hands): number | null {
    this.time += milliseconds;
    if (hands.limit > 0 && this.time >= hands.limit) return this.drop();
    if (this.next(this.at, "down") < 0) {
      if (hands.gravity <= 0 || hands.lock <= 0) return null;
      this.grounded += milliseconds;
      return this.grounded >= hands.lock ? (this.table?.locks[this.at] ?? -1) : null;
    }
    this.fallen += (milliseconds / 1000) * hands.gravity;
    while (this.fallen >= 1) {
      const left = this.fallen - 1;
      if (!this.move("down")) break;
      this.fallen = left;
    }
    return null;
  }
}

/** Which keys are down, and how often each of them repeats. */
export class Held {
  private readonly since = new Map<Key, { charged: number; owed: number }>();
  private latest: Key | null = null; // of left and right the newest counts

  press(key: Key): void {
    this.since.set(key, { charged: 0, owed: 0 });
    if (key === "left" || key === "right") this.latest = key;
  }

  lift(key: Key): void {
    this.since.delete(key);
    if (this.latest === key) this.latest = key === "left" ? (this.has("right") ? "right" : null) : this.has("left") ? "left" : null;
  }

  has(key: Key): boolean {
    return this.since.has(key);
  }

  clear(): void {
    this.since.clear();
    this.latest = null;
  }

  /** Moves the piece as the keys that are down want; whether it has moved. */
  tick(milliseconds: number, hands: Hands, fall: Fall | null): boolean {
    let moved = false;
    const side = this.latest;
    const state = side ? this.since.get(side) : undefined;
    if (side && state) {
      const before = state.charged;
      state.charged += milliseconds;
      const over = state.charged - Math.max(before, hands.das);
      if (over > 0 && fall) {
        if (hands.arr <= 0) moved = fall.slide(side) || moved;
        else for (state.owed += over; state.owed >= hands.arr; state.owed -= hands.arr) moved = fall.move(side) || moved;
      }
    }
    const down = this.since.get("down");
    if (down && fall) {
      if (hands.soft <= 0) moved = fall.slide("down") || moved;
      else for (down.owed += milliseconds; down.owed >= hands.soft; down.owed -= hands.soft) moved = fall.move("down") || moved;
    }
    return moved;
  }
}
