// Cards that fly: from where something was to where an element is now. The element is in its place at once; only its
// `translate` moves, which leaves its own transform alone.
import { easeOut, type Motion } from "./motion";

export interface Flight {
  milliseconds?: number;
  delay?: number; // milliseconds; until then it waits where it came from
  turn?: boolean; // as a card that is turned over on its way
}

export function fly(element: HTMLElement, from: DOMRect, motion: Motion, moving: boolean, flight: Flight = {}): void {
  const { milliseconds = 380, delay = 0, turn = false } = flight;
  const to = element.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const { style } = element;
  motion.run(
    milliseconds + delay,
    (part) => {
      if (part === 1) {
        for (const name of ["translate", "scale", "z-index"]) style.removeProperty(name);
        return;
      }
      const left = 1 - easeOut(Math.max(0, (part * (milliseconds + delay) - delay) / milliseconds));
      style.setProperty("translate", `${x * left}px ${y * left}px`);
      style.setProperty("z-index", "5");
      if (turn) style.setProperty("scale", `${Math.max(0.06, Math.abs(1 - 2 * left))} 1`);
    },
    moving,
  );
}
