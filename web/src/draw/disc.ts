// A disc of a seat. Seats differ by colour and by their mark: a ring, a dot, a cross, a bar.
import { svg } from "./element";

export function disc(seat: number, radius: number): SVGGElement {
  return svg(
    "g",
    { class: `d-disc d-seat-${seat}` },
    svg("circle", { r: radius }),
    svg("circle", { r: radius * 0.88, class: "d-rim", "stroke-width": radius * 0.07 }),
    mark(seat, radius),
  );
}

function mark(seat: number, radius: number): SVGElement {
  const line = { class: "d-line", "stroke-width": radius * 0.16, "stroke-linecap": "round" };
  const r = radius * 0.38;
  if (seat === 0) return svg("circle", { ...line, r: radius * 0.46 });
  if (seat === 1) return svg("circle", { class: "d-dot", r: radius * 0.26 });
  if (seat === 2) return svg("path", { ...line, d: `M ${-r} ${-r} L ${r} ${r} M ${-r} ${r} L ${r} ${-r}` });
  return svg("path", { ...line, d: `M ${-r} 0 H ${r}` });
}
