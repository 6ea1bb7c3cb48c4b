// What the tests of the rooms' boards have in common.
import { vi } from "vitest";
import { viewOf, type Cases } from "../draw/case";
import type { Drawing, View } from "../drawing";

/** Mounts a board in the document at one of its room's cases. */
export function mounting<Picture>(board: Drawing<Picture>, cases: Cases<Picture>["cases"], usual: Partial<View<Picture>> = {}) {
  return (name: string, changes: Partial<View<Picture>> = {}, cell?: (cell: string) => void) => {
    const told = { play: vi.fn(), hover: vi.fn(), keep: vi.fn(), ...(cell && { cell }) };
    const drawn = board.mount(document.body, viewOf(cases[name]!, { ...usual, ...changes }), told);
    return { told, drawn };
  };
}

export function cellAt(label: string): SVGGElement {
  return document.querySelector<SVGGElement>(`[role=gridcell][aria-label^="${label}"]`)!;
}

export function press(key: string): void {
  document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

export function all(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)];
}
