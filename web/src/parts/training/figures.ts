// What is drawn of a run: numbers of metrics.jsonl and ratings.jsonl as curves over iterations. How they are computed is
// as in src/sevenfold/train/report.py and plots.py, so that the page and `sevenfold report` say the same.
import type { RunState } from "@/wire";

export interface Curve {
  title: string; // English, for t()
  values: (number | null)[]; // one per x
}

export interface Chart {
  x: number[]; // iterations
  curves: Curve[];
}

type Line = RunState["metrics"][number];
export type Rating = RunState["ratings"][number];

const ELO_SCALE = 400 / Math.LN10;

/** Whether a run learns and is measured without a search: its ratings are points per game, of which there is no Elo. */
export function inPoints(run: RunState): boolean {
  return run.config?.["method"] === "policy_gradient";
}

/** The Elo difference at which a share of the points is expected; infinite at 0 and 1. */
export function eloOf(score: number): number {
  if (score <= 0) return -Infinity;
  if (score >= 1) return Infinity;
  return ELO_SCALE * Math.log(score / (1 - score));
}

/** The share of the points expected at an Elo difference. */
export function scoreOf(elo: number): number {
  return 1 / (1 + Math.exp(-elo / ELO_SCALE));
}

/** Elo of a match as a point of a curve: where every game was won it is infinite, so half a game is taken off. */
export function eloPoint(rating: Rating): number {
  const games = Math.max(1, rating.games);
  const least = 0.5 / (games + 1);
  return eloOf(Math.min(Math.max(rating.score, least), 1 - least));
}

export function losses(metrics: Line[]): Chart {
  const curve = (title: string, key: string): Curve => ({ title, values: metrics.map((line) => line[key] ?? null) });
  return {
    x: metrics.map((line) => line.iteration ?? 0),
    curves: [curve("Total loss", "loss"), curve("Policy loss", "policy_loss"), curve("Value loss", "value_loss")],
  };
}

const OLDER = "An older self";

/** Older selves are others in every match: together they are one curve. */
function opponentOf(rating: Rating): string {
  return rating.opponent.startsWith("checkpoint ") ? OLDER : rating.opponent;
}

export type Measure = "score" | "elo" | "points";

/** Strength against every opponent that was met: the share of the points in percent, Elo, or points per game. */
export function strength(ratings: Rating[], as: Measure): Chart {
  const x = [...new Set(ratings.map((one) => one.iteration))].sort((a, b) => a - b);
  const opponents = [...new Set(ratings.map(opponentOf))].sort((a, b) => Number(a === OLDER) - Number(b === OLDER));
  const found = new Map(ratings.map((one) => [`${one.iteration} ${opponentOf(one)}`, one]));
  const heights = { score: (one: Rating) => 100 * one.score, elo: eloPoint, points: (one: Rating) => one.score };
  const height = (one: Rating | undefined) => (one ? heights[as](one) : null);
  return {
    x,
    curves: opponents.map((title) => ({ title, values: x.map((at) => height(found.get(`${at} ${title}`))) })),
  };
}

export type Speed = "games" | "positions" | "evaluations";

/** Per second: games and positions by the clock between two lines, evaluations while the actors played. */
export function speed(metrics: Line[], of: Speed, actors: number): Chart {
  const titles = { games: "Games per second", positions: "Positions per second", evaluations: "Evaluations per second" };
  const values = metrics.map((line, i) =>
    of === "evaluations" ? evaluationsPerSecond(line, actors) : byTheClock(metrics[i - 1], line, of),
  );
  return { x: metrics.map((line) => line.iteration ?? 0), curves: [{ title: titles[of], values }] };
}

function evaluationsPerSecond(line: Line, actors: number): number | null {
  const seconds = line.selfplay_seconds ?? 0;
  return seconds > 0 ? ((line.selfplay_evaluations ?? 0) * actors) / seconds : null;
}

function byTheClock(before: Line | undefined, line: Line, of: "games" | "positions"): number | null {
  const seconds = (line.seconds ?? 0) - (before?.seconds ?? 0);
  return seconds > 0 ? ((line[of] ?? 0) - (before?.[of] ?? 0)) / seconds : null;
}

/** The last value of a chart's first curve. */
export function newest(chart: Chart): number | null {
  return chart.curves[0]?.values.filter((value) => value !== null).at(-1) ?? null;
}

/** Where a new line belongs: a run that is resumed repeats iterations. */
export function withLine(metrics: Line[], line: Line): Line[] {
  return [...metrics.filter((one) => (one.iteration ?? 0) < (line.iteration ?? 0)), line];
}
