// Whether a position has changed, or only what is laid over it: thoughts come several times a second, and while they do,
// animations go on and nothing under the mouse is replaced (a click on a replaced button is lost).
import type { View } from "../drawing";

export function positionKey(view: View<unknown>): string {
  const { picture, legal, to_move, viewer, near, seats, last, over, language } = view;
  return JSON.stringify([picture, legal, to_move, viewer, near, seats, last, over, language]);
}
