// Small signs on SVG boards.
import { svg } from "./element";

/** A text on a little plate, centred at x, y: a percentage, a count. The best one is filled and has a point below it. */
export function badge(x: number, y: number, text: string, size: number, best = false): SVGGElement {
  const width = Math.max(1.7, 0.66 * text.length + 0.7) * size;
  const height = 1.5 * size;
  const point = `${x - size / 2} ${y + height / 2 - 0.5} h ${size} l ${-size / 2} ${size * 0.55} z`;
  return svg(
    "g",
    { class: best ? "d-badge d-best" : "d-badge" },
    svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }),
    best && svg("path", { d: `M ${point}` }),
    svg("text", { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, text),
  );
}

/** An arrow between two points, for moves that go from somewhere to somewhere. */
export function arrow(x: number, y: number, to_x: number, to_y: number, width: number): SVGGElement {
  const length = Math.hypot(to_x - x, to_y - y) || 1;
  const [dx, dy] = [((to_x - x) / length) * width, ((to_y - y) / length) * width];
  const [neck_x, neck_y] = [to_x - 3 * dx, to_y - 3 * dy];
  const head = `${to_x} ${to_y} L ${neck_x - 1.6 * dy} ${neck_y + 1.6 * dx} L ${neck_x + 1.6 * dy} ${neck_y - 1.6 * dx}`;
  return svg(
    "g",
    { class: "d-arrow" },
    svg("line", { x1: x, y1: y, x2: neck_x, y2: neck_y, "stroke-width": width, "stroke-linecap": "round" }),
    svg("path", { d: `M ${head} z` }),
  );
}
