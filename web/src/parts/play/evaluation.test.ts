import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";
import { chain, root } from "../../test/fixtures";
import EvaluationBar from "./EvaluationBar.svelte";
import EvaluationGraph from "./EvaluationGraph.svelte";
import { curveOf, dotsOf, known, nearest, rangeOf } from "./graph";
import { countText, outcome, share, valueText } from "./values";

describe("values", () => {
  test("from the worst to the best return", () => {
    expect(share(0, [-1, 1])).toBe(0.5);
    expect(share(5, [-1, 1])).toBe(1);
    expect(share(3, [3, 3])).toBe(0.5);
  });

  test("in words", () => {
    expect(valueText(0.24, [-1, 1])).toBe("62 %");
    expect(valueText(12.5, [0, 40])).toBe("12.5");
    expect(valueText(10, [0, 40])).toBe("10");
    expect(valueText(120, [0, 400])).toBe("120");
    expect(valueText(null, [-1, 1])).toBe("–");
    expect(countText(12_345)).toBe("12.3 k");
  });

  test("outcomes", () => {
    const human = { kind: "human", player: null, level: null, name: "" } as const;
    const player = { kind: "player", player: "uct", level: null, name: "uct" } as const;
    expect(outcome({ seats: [human, player] }, [1, -1])).toEqual({ kind: "you win" });
    expect(outcome({ seats: [human, player] }, [-1, 1])).toEqual({ kind: "you lose", to: 1 });
    expect(outcome({ seats: [human, player] }, [0, 0])).toEqual({ kind: "draw" });
    expect(outcome({ seats: [player, player, human, human] }, [0, 0, 3, 1])).toEqual({ kind: "wins", seat: 2 });
    expect(outcome({ seats: [human, player, player] }, [1, 1, -2])).toEqual({ kind: "shared", seats: [0, 1] });
    expect(outcome({ seats: [human, player, player] }, [0, 0, 0])).toEqual({ kind: "draw" });
    expect(outcome({ seats: [human] }, [250])).toEqual({ kind: "score", score: 250 });
  });

  test("nobody wins where even the best has lost, unless the room says who has", () => {
    const player = { kind: "player", player: "uct", level: null, name: "uct" } as const;
    const seats = [player, player, player];
    expect(outcome({ seats }, [-49, -3, -18])).toEqual({ kind: "nobody" });
    expect(outcome({ seats }, [-5, -5, -5])).toEqual({ kind: "draw" });
    expect(outcome({ seats }, [0, -3, -18])).toEqual({ kind: "wins", seat: 0 });
    expect(outcome({ seats }, [0, -3, -18], [])).toEqual({ kind: "nobody" });
    expect(outcome({ seats }, [-49, -3, -18], [1])).toEqual({ kind: "wins", seat: 1 });
  });
});

describe("the bar", () => {
  test("for two: one bar, the near seat's share from below", () => {
    const { container } = render(EvaluationBar, { values: [0.5, -0.5], returns: [-1, 1], names: ["You", "Easy"], near: 1 });
    expect(screen.getByRole("img").getAttribute("aria-label")).toContain("You 75 %, Easy 25 %");
    expect(container.querySelector<HTMLElement>(".near")?.style.getPropertyValue("--share")).toBe("0.25");
  });

  test("for four: a value each", () => {
    render(EvaluationBar, { values: [1, 2, 3, 4], returns: [0, 4], names: ["a", "b", "c", "d"], near: 0 });
    expect(screen.getAllByRole("listitem").map((item) => item.title)).toEqual(["a: 1", "b: 2", "c: 3", "d: 4"]);
  });

  test("says so when nobody has judged", () => {
    render(EvaluationBar, { values: null, returns: [-1, 1], names: ["You", "Easy"], near: 0 });
    expect(screen.getByRole("img").getAttribute("aria-label")).toContain("Nobody has judged");
  });
});

describe("the graph", () => {
  const nodes = [root, ...chain("d e f g", 0, 1)];
  nodes[1]!.values = [0, 0];
  nodes[3]!.values = [1, -1];
  nodes[3]!.mark = "blunder";
  nodes[4]!.mark = "good";

  test("a point for every value known", () => {
    expect(curveOf(nodes, 0, [-1, 1]).path).toBe("M25.00 50.00L75.00 0.00");
    expect(curveOf(nodes, 1, [-1, 1]).path).toBe("M25.00 50.00L75.00 100.00");
    expect(dotsOf(nodes, 0, [-1, 1])).toEqual([{ node: 3, mark: "blunder", x: 0.75, y: 0 }]);
  });

  test("a player that expects nothing is no point, and is not taken for one of zero", () => {
    const some = [root, ...chain("d e f g", 0, 1)];
    some[1]!.values = [0.5, -0.5];
    some[2]!.values = [];
    expect(known(some)).toBe(1);
    expect(curveOf(some, 0, [-1, 1]).path).toBe("M25.00 25.00");
  });

  test("thousands of moves do not make thousands of points", () => {
    const many = [root, ...chain(Array.from({ length: 9000 }, () => "m").join(" "), 0, 1)];
    for (const node of many) node.values = [0, 0];
    expect(curveOf(many, 0, [-1, 1]).path.split("L").length).toBeLessThan(1300);
  });

  test("scores are shown between the lowest and the highest that was seen", () => {
    expect(rangeOf(nodes, [-1, 1])).toEqual([-1, 1]);
    expect(rangeOf([{ ...root, values: [5, 20] }, { ...root, values: [7, 9] }], [0, 1e6])).toEqual([5, 20]);
    expect(rangeOf([root], [0, 100])).toEqual([0, 100]);
  });

  test("the move under the mouse", () => {
    expect(nearest(nodes, 0.5)?.id).toBe(2);
    expect(nearest(nodes, 7)?.id).toBe(4);
  });

  test("a click goes to that move", async () => {
    const go = vi.fn();
    render(EvaluationGraph, { nodes, at: 1, returns: [-1, 1], names: ["a", "b"], near: 0, go });
    const graph = screen.getByRole("slider");
    graph.getBoundingClientRect = () => ({ left: 0, width: 100 }) as DOMRect;
    await fireEvent.click(graph, { clientX: 76 });
    expect(go).toHaveBeenCalledWith(3);
    expect(graph.getAttribute("aria-valuenow")).toBe("1");
  });
});
