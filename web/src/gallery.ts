// All drawings in several positions and sizes, for development: `npx vite`, then /gallery.html. No part of the build.
// ?game=, ?case=, ?width=, ?language=, ?theme=, ?heat, ?threats narrow it down.
import "./theme.css";
import { html } from "./draw/element";
import { thoughtOf, viewOf, type Cases } from "./draw/case";
import type { Drawing } from "./drawing";

const drawings = import.meta.glob<{ default: Drawing }>("@games/*/board.ts", { eager: true });
const fixtures = import.meta.glob<{ default: Cases<unknown> }>("@games/*/board.test.json", {
  eager: true,
});
const asked = new URLSearchParams(location.search);
const told = { play: (action: number) => console.log("play", action), hover: () => undefined };

const language = asked.get("language") === "zh-TW" ? "zh-TW" : "en";
const shown = { heat: asked.has("heat"), threats: asked.has("threats"), animate: asked.has("animate"), language } as const;

function wanted(name: string, value: string): boolean {
  return !asked.has(name) || asked.get(name) === value;
}

if (asked.has("theme")) document.documentElement.dataset.theme = asked.get("theme") ?? "";
document.body.style.padding = "12px";
for (const [path, { default: drawing }] of Object.entries(drawings)) {
  const game = path.split("/").at(-2) ?? "";
  const cases = Object.entries(fixtures)
    .filter(([file]) => file.includes(`/${game}/`))
    .flatMap(([, found]) => Object.entries(found.default.cases));
  if (!wanted("game", game)) continue;
  const row = html("div", { style: { display: "flex", "flex-wrap": "wrap", gap: "16px", "align-items": "start" } });
  for (const [name, one] of cases) {
    if (!wanted("case", name)) continue;
    const width = asked.get("width") ?? "320";
    const host = html("div", { style: { width: `${width}px` } });
    row.append(html("figure", { style: { margin: "0" } }, html("figcaption", {}, `${game}: ${name}`), host));
    const drawn = drawing.mount(host, viewOf(one, { ...shown, thought: thoughtOf(one.legal) }), told);
    if (asked.has("highlight")) drawn.highlight(Number(asked.get("highlight")));
  }
  const small = html("div", { style: { width: "160px" } });
  const middle = cases.find(([name]) => name === "middle");
  if (middle && !asked.has("case")) {
    row.append(html("figure", { style: { margin: "0" } }, html("figcaption", {}, "miniature"), small));
    drawing.miniature(small, middle[1].picture);
  }
  document.body.append(row);
}
