// The middle of the table: the round, whose turn it is, and what has just happened, coins included.
import { coin } from "@/draw/dice";
import { html } from "@/draw/element";
import type { Motion } from "@/draw/motion";
import type { Say } from "@/draw/speak";
import type { View } from "@/drawing";
import { CARDS, KINDS, type Picture } from "./kinds";
import { cardTitle } from "./side";

export function happening(view: View<Picture>, before: Picture | null, say: Say, motion: Motion): HTMLElement[] {
  const { round, rounds } = view.picture;
  const last = lastEvent(view, before, say, motion);
  const out = [
    html("span", { class: "ec-round" }, say("round {round} of {rounds}", { round, rounds })),
    html("strong", { class: "ec-phase" }, phase(view, say)),
  ];
  if (last) out.push(html("span", { class: "ec-last" }, ...last));
  return out;
}

function phase({ picture, seats }: View<Picture>, say: Say): string {
  const name = (seat: number): string => seats[seat] ?? String(seat + 1);
  if (picture.phase === "over") return picture.winner === null ? say("draw") : say("winner: {name}", { name: name(picture.winner) });
  if (!picture.chance) return say("{name} to move", { name: name(picture.mover ?? 0) });
  const { kind, player } = picture.chance;
  if (player === null) return say(kind === "hp" ? "hit points are drawn" : "cards are dealt to both");
  const text = {
    card: "a card is drawn for {name}",
    dice: "coins are flipped for {name}",
    hp: "hit points are drawn for {name}",
  }[kind];
  return say(text, { name: name(player) });
}

/** What was done last. With closed hands a drawn card is not named: the one it is for sees it in the hand. */
function lastEvent(view: View<Picture>, before: Picture | null, say: Say, motion: Motion): (Node | string)[] | null {
  const { last, picture, seats, animate } = view;
  if (!last) return null;
  if (last.mover === "chance") {
    const heads = /^heads(\d+)$/.exec(last.text)?.[1];
    if (heads !== undefined) return coins(Number(heads), picture.coins, say, motion, animate);
    const seat = before?.chance?.player;
    const closed = view.viewer !== null || !CARDS.some((card) => card === last.text);
    const name = seat === null || seat === undefined ? "" : (seats[seat] ?? "");
    if (closed) return name && before?.chance?.kind === "card" ? [say("{name} draws a card", { name })] : null;
    return name ? [say("{name}: {action}", { name, action: say(cardTitle(last.text)) })] : [say(cardTitle(last.text))];
  }
  const title = KINDS[last.text]?.title;
  if (typeof last.mover !== "number" || !title) return null;
  return [say("{name}: {action}", { name: seats[last.mover] ?? "", action: say(title) })];
}

function coins(heads: number, of: number, say: Say, motion: Motion, animate: boolean): HTMLElement[] {
  const row = Array.from({ length: of }, (_, i) => coin(i < heads));
  motion.run(
    700,
    (part) => {
      // Each coin turns a little later than the one before it.
      row.forEach((one, i) => (one.style.transform = part < 1 ? `scaleX(${Math.cos(part * (9 - i * 0.5))})` : ""));
    },
    animate,
  );
  const label = say("{heads} of {coins} coins show heads", { heads, coins: of });
  return [html("span", { class: "d-coins", role: "img", "aria-label": label }, ...row), html("span", {}, `+${heads}`)];
}
