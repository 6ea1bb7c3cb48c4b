import { describe, expect, it } from "vitest";
import type { RunState } from "@/wire";
import { eloOf, eloPoint, inPoints, losses, newest, scoreOf, speed, strength, withLine } from "./figures";
import fixture from "./run.test.json";

const run = fixture as unknown as RunState;

describe("curves of a real run", () => {
  it("has a point per iteration, and losses that fall", () => {
    const chart = losses(run.metrics);
    expect(chart.x).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    for (const curve of chart.curves) expect(curve.values.at(-1)!).toBeLessThan(curve.values[0]!);
  });

  it("counts games by the clock between two lines, and evaluations by all actors' time", () => {
    const metrics = [
      { iteration: 1, games: 300, seconds: 2, selfplay_evaluations: 5000, selfplay_seconds: 1 },
      { iteration: 2, games: 600, seconds: 5, selfplay_evaluations: 3000, selfplay_seconds: 0 },
    ];
    expect(speed(metrics, "games", 2).curves[0]!.values).toEqual([150, 100]);
    expect(speed(metrics, "evaluations", 2).curves[0]!.values).toEqual([10000, null]);
    expect(newest(speed(metrics, "evaluations", 2))).toBe(10000);
  });

  it("keeps a gap where an opponent was not met", () => {
    const chart = strength(run.ratings, "score");
    expect(chart.curves.map((curve) => curve.title)).toEqual(["random", "uct:simulations=1000", "An older self"]);
    expect(chart.curves[2]!.values[0]).toBeNull();
    expect(chart.curves[2]!.values.filter((value) => value !== null).length).toBe(2); // of two different ones
    expect(chart.curves[0]!.values[0]).toBe(100);
  });

  it("draws points per game as they are, below 0 too", () => {
    const ratings = [66.29, -2.975].map((score, i) => ({ iteration: i, opponent: "blocker", score, elo: null, games: 16 }));
    expect(strength(ratings, "points").curves[0]!.values).toEqual([66.29, -2.975]);
    expect(inPoints(run)).toBe(false);
    expect(inPoints({ ...run, config: { method: "policy_gradient" } })).toBe(true);
  });

  it("draws a won match half a game below certainty", () => {
    const won = { iteration: 1, opponent: "random", score: 1, elo: null, games: 20 };
    expect(eloOf(1)).toBe(Infinity);
    expect(eloPoint(won)).toBeCloseTo(eloOf(20.5 / 21));
    expect(scoreOf(eloOf(0.76))).toBeCloseTo(0.76);
    expect(scoreOf(-Infinity)).toBe(0);
  });

  it("replaces iterations that a resumed run repeats", () => {
    const lines = withLine([{ iteration: 1 }, { iteration: 2 }, { iteration: 3 }], { iteration: 2, loss: 1 });
    expect(lines).toEqual([{ iteration: 1 }, { iteration: 2, loss: 1 }]);
  });
});
