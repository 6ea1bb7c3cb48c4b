// The policy of a thought, laid over a board: how often each action was looked at.
import type { View } from "../drawing";

export interface Heat {
  share: number;
  percent: string;
  best: boolean;
}

/** By action; empty where nobody wants to see it, or nobody has thought. */
export function heatOf(view: Pick<View<unknown>, "heat" | "thought">): Map<number, Heat> {
  const out = new Map<number, Heat>();
  if (!view.heat || !view.thought) return out;
  for (const { action, share } of view.thought.actions)
    out.set(action, { share, percent: percent(share), best: action === view.thought.action });
  return out;
}

export function percent(share: number): string {
  return share > 0 && share < 0.005 ? "<1%" : `${Math.round(share * 100)}%`;
}

/** How strong the shade is: the root keeps small shares visible. */
export function shade(share: number): number {
  return share <= 0 ? 0 : 0.12 + 0.68 * Math.sqrt(share);
}
