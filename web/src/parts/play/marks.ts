import type { Mark } from "../../wire";

/** As players write them; the colour says the same. */
export const signs: Record<Mark, string> = { good: "✓", slack: "?!", blunder: "??" };
