// What a person chooses before a game, and the request that is made of it.
import type { GameInfo, Level, NewSession, OptionInfo } from "../../wire";

export interface SeatChoice {
  kind: "person" | "level" | "typed";
  level: Level["id"];
  typed: string; // a player's spec
}

export interface Choice {
  seats: SeatChoice[];
  preset: string; // "": the usual options
  options: Record<string, unknown>; // only those that were touched
  start: string;
  record: { text: string; format: string } | null;
}

/** A seat for the person, the rest for a friendly opponent. */
export function firstChoice(game: GameInfo, level: Level["id"] | null): Choice {
  const known = game.levels.some((one) => one.id === level) ? level : null;
  const chosen = known ?? game.levels[Math.min(1, game.levels.length - 1)]?.id ?? "easy";
  const seats = Array.from({ length: game.players }, (_, index): SeatChoice => {
    const person = index === 0 || game.levels.length === 0;
    return { kind: person ? "person" : "level", level: chosen, typed: "" };
  });
  return { seats, preset: "", options: {}, start: "", record: null };
}

/** The person sits down at `seat`; the others are as they were, or players of this strength. */
export function sitAt(seats: SeatChoice[], seat: number): SeatChoice[] {
  const others = seats.find((one) => one.kind !== "person") ?? { ...seats[0]!, kind: "level" as const };
  return seats.map((one, index) => {
    if (index === seat) return { ...one, kind: "person" };
    return one.kind === "person" ? { ...others } : one;
  });
}

/** The option by which games let people choose how many play. */
export const PLAYERS = "num_players";

/** As many seats as are wanted; those that are added are for players such as the others. */
export function withPlayers(seats: SeatChoice[], count: number): SeatChoice[] {
  const other = seats.find((one) => one.kind !== "person") ?? seats[0]!;
  const kept = Array.from({ length: count }, (_, index) => seats[index] ?? { ...other });
  const isPerson = (one: SeatChoice) => one.kind === "person";
  return seats.some(isPerson) && !kept.some(isPerson) ? sitAt(kept, 0) : kept;
}

export function withLevel(seats: SeatChoice[], level: Level["id"]): SeatChoice[] {
  return seats.map((seat) => ({ ...seat, level, kind: seat.kind === "typed" ? "level" : seat.kind }));
}

/** What keeps the form from being sent, per option; the words are the page's. */
export function wrong(option: OptionInfo, value: unknown): string | null {
  if (option.kind !== "integer" && option.kind !== "real") return null;
  const number = Number(value);
  if (value === "" || !Number.isFinite(number)) return "This must be a number.";
  if (option.kind === "integer" && !Number.isInteger(number)) return "This must be a whole number.";
  const low = option.low ?? -Infinity;
  const high = option.high ?? Infinity;
  return number < low || number > high ? "This must be from {low} to {high}." : null;
}

export function request(game: GameInfo, choice: Choice): NewSession {
  const seats = choice.seats.map((seat) => {
    if (seat.kind === "person") return {};
    return seat.kind === "level" ? { level: seat.level } : { player: seat.typed.trim() };
  });
  if (choice.record) {
    return { game: game.name, seats, record: choice.record.text, format: choice.record.format };
  }
  const asked: NewSession = { game: game.name, seats };
  if (choice.preset) asked.preset = choice.preset;
  if (Object.keys(choice.options).length > 0) asked.options = choice.options;
  if (choice.start.trim()) asked.start = choice.start.trim();
  return asked;
}

/** By the end of the file's name: "game.sgf" is sgf where the game knows it. */
export function formatOf(file: string, formats: string[]): string {
  const end = file.toLowerCase().split(".").at(-1) ?? "";
  return formats.includes(end) ? end : "jsonl";
}
