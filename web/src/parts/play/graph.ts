// The evaluation graph as points between 0 and 1. Own SVG: two curves and some dots need no library.
import type { Mark, Node } from "../../wire";
import { share } from "./values";

export interface Curve {
  seat: number;
  path: string; // in a box of 100 by 100, from the start on the left
  area: string; // the same, closed at the bottom
}

export interface Dot {
  node: number;
  mark: Mark;
  x: number;
  y: number;
}

const MOST = 1200; // points: more than pixels are of no use

/** Where a move is on the way from the start to the end. */
export function across(index: number, length: number): number {
  return length < 2 ? 0 : index / (length - 1);
}

export function known(nodes: Node[]): number {
  return nodes.filter((node) => node.values?.length).length;
}

/** From the lowest to the highest of the graph: the returns where they are wins and losses, else what has been seen, since
 * a score may go on to millions. */
export function rangeOf(nodes: Node[], returns: [number, number]): [number, number] {
  if (returns[0] === -1 && returns[1] === 1) return returns;
  let [low, high] = [Infinity, -Infinity];
  for (const value of nodes.flatMap((node) => node.values ?? [])) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return low < high ? [low, high] : returns;
}

export function curveOf(nodes: Node[], seat: number, returns: [number, number]): Curve {
  const every = Math.max(1, Math.ceil(nodes.length / MOST));
  const points: string[] = [];
  let from = 0;
  let to = 0;
  nodes.forEach((node, index) => {
    const value = node.values?.[seat];
    if (value === undefined || (index % every !== 0 && index !== nodes.length - 1)) return;
    to = 100 * across(index, nodes.length);
    if (points.length === 0) from = to;
    points.push(`${to.toFixed(2)} ${(100 * (1 - share(value, returns))).toFixed(2)}`);
  });
  const path = points.length > 0 ? `M${points.join("L")}` : "";
  return { seat, path, area: path && `${path}L${to.toFixed(2)} 100L${from.toFixed(2)} 100Z` };
}

/** The mistakes, where the curve of `seat` is. */
export function dotsOf(nodes: Node[], seat: number, returns: [number, number]): Dot[] {
  return nodes.flatMap((node, index) => {
    if (!node.mark || node.mark === "good") return [];
    const value = node.values?.[seat] ?? (returns[0] + returns[1]) / 2;
    return [{ node: node.id, mark: node.mark, x: across(index, nodes.length), y: 1 - share(value, returns) }];
  });
}

/** The move under the mouse: `x` from 0 to 1. */
export function nearest(nodes: Node[], x: number): Node | undefined {
  return nodes[Math.round(Math.min(1, Math.max(0, x)) * (nodes.length - 1))];
}
