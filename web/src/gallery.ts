// All drawings in several positions and sizes, for development: `npx vite`, then /gallery.html. No part of the build.
// ?game=, ?case=, ?width=, ?language=, ?theme=, ?heat, ?threats narrow it down.
import "./theme.css";
import { html } from "./draw/element";
import { thoughtOf, viewOf, type Cases } from "./draw/case";
import { cardBack, playingCard, type Suit } from "./draw/card";
import { coin, dice, die } from "./draw/dice";
import { hand } from "./draw/hand";
import { pile } from "./draw/pile";
import { speaker } from "./draw/speak";
import type { Drawing } from "./drawing";

const drawings = import.meta.glob<{ default: Drawing }>("@games/*/board.ts", { eager: true });
const fixtures = import.meta.glob<{ default: Cases<unknown> }>("@games/*/board.test.json", {
  eager: true,
});
const asked = new URLSearchParams(location.search);
const told = { play: (action: number) => console.log("play", action), hover: () => undefined, keep: () => undefined };

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

/** What later games will need: thirteen playing cards, open and closed, piles and dice. */
function pieces(): HTMLElement {
  const say = speaker(language);
  const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const suits: Suit[] = ["spades", "hearts", "diamonds", "clubs"];
  const open = ranks.map((rank, i) =>
    playingCard(say, rank, suits[i % 4]!, { play: () => console.log(rank), playable: i % 5 === 0 }),
  );
  const box = html("div", { style: { width: `${asked.get("width") ?? "420"}px`, "--card-width": "72px" } });
  box.append(hand(open, { label: "open" }), hand(ranks.map(() => cardBack(say)), { label: "closed", fan: true }));
  const faces = [1, 2, 3, 4, 5, 6].map((face) => die(face));
  box.append(pile(17, "pile"), html("div", { class: "d-dice", style: { "--die": "36px" } }, ...faces, coin(true), coin(false)));
  box.append(dice(20, 6, "many"));
  return box;
}
if (wanted("game", "pieces")) document.body.append(pieces());
