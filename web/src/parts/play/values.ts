// What a position is worth, in words and lengths. Values are per player and absolute, in the range of the returns.
import type { Session } from "../../wire";

/** 0 … 1: how far a value is from the worst to the best return. */
export function share(value: number, returns: [number, number]): number {
  const [low, high] = returns;
  if (!(high > low)) return 0.5;
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** "62 %" of a win where wins and losses are all there is; else the value itself. */
export function valueText(value: number | null, returns: [number, number]): string {
  if (value === null) return "–";
  if (returns[0] === -1 && returns[1] === 1) return `${Math.round(share(value, returns) * 100)} %`;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2).replace(/\.?0+$/, "");
}

export function countText(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)} k`;
  return `${(count / 1e6).toFixed(1)} M`;
}

/** The seats of the people. */
export function people(session: Pick<Session, "seats">): number[] {
  return session.seats.flatMap((seat, index) => (seat.kind === "human" ? [index] : []));
}

/** Who has the most: one, or several who share the win; nobody where all have the same, or where even the
 * best has lost: what was paid has gone to nobody. */
export function winners(returns: number[]): number[] {
  const best = Math.max(...returns);
  const found = returns.flatMap((value, index) => (value === best ? [index] : []));
  return found.length < returns.length && best >= 0 ? found : [];
}

export type Outcome =
  | { kind: "you win" }
  | { kind: "you lose"; to: number }
  | { kind: "wins"; seat: number }
  | { kind: "shared"; seats: number[] }
  | { kind: "draw" }
  | { kind: "nobody" }
  | { kind: "score"; score: number };

/** How it ended; `won` is what the room says, where the returns do not tell. */
export function outcome(session: Pick<Session, "seats">, returns: number[], won: number[] | null = null): Outcome {
  if (returns.length === 1) return { kind: "score", score: returns[0] ?? 0 };
  const [seat, ...others] = won ?? winners(returns);
  if (seat === undefined) return { kind: returns.every((value) => value === returns[0]) ? "draw" : "nobody" };
  if (others.length > 0) return { kind: "shared", seats: [seat, ...others] };
  const here = people(session);
  if (here.length !== 1) return { kind: "wins", seat };
  return here[0] === seat ? { kind: "you win" } : { kind: "you lose", to: seat };
}
