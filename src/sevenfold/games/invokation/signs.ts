// Own drawings of the duel: elements as simple signs, dice, weapons and kinds of cards. Nothing is taken from the game.
import { html, svg } from "@/draw/element";

/** Paths in a square of 24, each element by its shape as well as its colour. */
const ELEMENT: Record<string, string> = {
  Cryo: "M12 2v20M3.5 7l17 10M20.5 7l-17 10M12 5l-2-2M12 5l2-2M12 19l-2 2M12 19l2 2",
  Hydro: "M12 2.5c4 5 6.5 8 6.5 11.5a6.5 6.5 0 0 1-13 0C5.5 10.500 8 7.500 12 2.500z",
  Pyro: "M12 2c1 4 5.500 6 5.500 11.500A5.500 6 0 0 1 12 21a5.500 6 0 0 1-5.500-6.500C6.500 12 8 11 8.500 8.500 10 9.500 11 7 12 2z",
  Electro: "M14 2L5 13.500h5.500L9 22l10-12.500h-6z",
  Anemo: "M3 9h11a3 3 0 1 0-3-3M3 13h15a3.500 3.500 0 1 1-3.500 3.500M3 17h7a2.500 2.500 0 1 1-2.500 2.500",
  Geo: "M12 2l8.500 5v10L12 22l-8.500-5V7zM12 7l4.500 2.600v4.800L12 17l-4.500-2.600V9.600z",
  Dendro: "M5 20C4 10 9 4 20 3c0 11-5 16-13 15M6 20c2-6 5-9 9-11",
  Omni: "M12 2l2.600 7.400L22 12l-7.400 2.600L12 22l-2.600-7.400L2 12l7.400-2.600z",
};
const LINES = new Set(["Cryo", "Anemo", "Geo", "Dendro"]);

const KIND: Record<string, string> = {
  event: "M5 4h14v16H5zM8 8h8M8 12h8M8 16h5",
  resonance: "M12 3l8 14H4zM12 21l-4-3h8z",
  food: "M4 11h16a8 8 0 0 1-16 0zM8 7c0-2 2-2 2-4M13 7c0-2 2-2 2-4",
  location: "M4 21V10l8-6 8 6v11zM10 21v-6h4v6",
  companion: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 4-7 8-7s8 2 8 7z",
  weapon: "M4 20l3-3m-2-2l4 4M8 16L19 5l1-2-2 1L7 15",
  artifact: "M12 3l3 5 6 1-4.500 4.500 1 6.500-5.500-3-5.500 3 1-6.500L3 9l6-1z",
  talent: "M12 2a7 7 0 0 1 4 12.700V18H8v-3.300A7 7 0 0 1 12 2zM9 21h6",
  generated: "M12 3v18M3 12h18",
  "combat status": "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  status: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  summon: "M12 3c5 3 5 6 3 9 3 2 3 6-3 9-6-3-6-7-3-9-2-3-2-6 3-9z",
};

export function elementSign(element: string): SVGSVGElement {
  const lines = LINES.has(element);
  const look = { viewBox: "0 0 24 24", class: `gi-sign gi-el-${element.toLowerCase()}${lines ? " gi-lines" : ""}`, "aria-hidden": "true" };
  return svg("svg", look, svg("path", { d: ELEMENT[element] ?? ELEMENT.Omni! }));
}

export function kindSign(kind: string): SVGSVGElement {
  const look = { viewBox: "0 0 24 24", class: "gi-sign gi-kind gi-lines", "aria-hidden": "true" };
  return svg("svg", look, svg("path", { d: KIND[kind] ?? KIND.event! }));
}

/** A die: an octagon in its element's colour with its sign. */
export function die(face: string): HTMLElement {
  return html("span", { class: `gi-die gi-el-${face.toLowerCase()}`, "data-face": face }, elementSign(face));
}

/** A character as a medal: its first letter or character on its element's colour, and its weapon's place in the ring. */
export function portrait(name: string, element: string): SVGSVGElement {
  const letter = [...name][0] ?? "?";
  const turn = [...name].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360, 7);
  const text = svg("text", { x: 24, y: 33, "text-anchor": "middle", class: "gi-letter" });
  text.textContent = letter;
  return svg(
    "svg",
    { viewBox: "0 0 48 48", class: `gi-portrait gi-el-${element.toLowerCase()}`, "aria-hidden": "true" },
    svg("circle", { cx: 24, cy: 24, r: 21, class: "gi-medal" }),
    svg("path", { d: "M24 5a19 19 0 0 1 16.500 9.500L34 18a11.500 11.500 0 0 0-10-5.500z", class: "gi-ray", transform: `rotate(${turn} 24 24)` }),
    svg("path", { d: "M24 43a19 19 0 0 1-16.500-9.500L14 30a11.500 11.500 0 0 0 10 5.500z", class: "gi-ray", transform: `rotate(${turn} 24 24)` }),
    text,
  );
}
