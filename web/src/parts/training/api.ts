// Runs and matches of the server, over the page's one client.
import { api, call, connect } from "@/client";
import { PLAYERS } from "@/parts/lobby/form";
import type { FirstThought, GameInfo, MatchState, NewMatch, NewRun, RunLine, RunState, RunTell } from "@/wire";

const run = (id: string) => `/api/runs/${encodeURIComponent(id)}`;

export const runs = () => call<RunLine[]>("GET", "/api/runs");
export const runState = (id: string) => call<RunState>("GET", run(id));
export const startRun = (wanted: NewRun) => call<RunLine>("POST", "/api/runs", wanted);
export const stopRun = (id: string) => call<null>("DELETE", run(id));
export const firstThought = (id: string) => call<FirstThought>("GET", `${run(id)}/thought`);
export const startMatch = (wanted: NewMatch) => call<MatchState>("POST", "/api/matches", wanted);
export const matchState = (id: string) => call<MatchState>("GET", `/api/matches/${encodeURIComponent(id)}`);

/** A checkpoint as a player. */
export const checkpoint = (id: string, iteration: number) => `run:${id}@${iteration}`;

/** A new game in which a person has the first of so many seats and a checkpoint all others; the session's id. */
export async function playAgainst(game: string, player: string, seats: number): Promise<string> {
  const others = Array.from({ length: seats - 1 }, () => ({ player }));
  return (await api.begin({ game, seats: [{}, ...others] })).id;
}

/** How many seats a run's game has: its spec says so where it is not the usual number. */
export function seatsOf(spec: string, game: GameInfo | undefined): number {
  const said = new RegExp(`\\b${PLAYERS}=(\\d+)`).exec(spec)?.[1];
  return said ? Number(said) : (game?.players ?? 2);
}

/** Hears of a run until it is closed. */
export function watchRun(id: string, heard: (tell: RunTell) => void): () => void {
  const line = connect<never, RunTell>(`${run(id)}/ws`, { heard, changed: () => undefined });
  return () => line.close();
}
