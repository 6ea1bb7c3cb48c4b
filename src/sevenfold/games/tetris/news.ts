// What a clear is called, as players shout it.
import type { Say } from "@/draw/speak";
import type { LastPlace, SidePicture } from "./words";

const LINES = ["", "Single", "Double", "Triple", "Tetris"];

/** The lines to be shown over the field, the loudest first; none where nothing was cleared and nothing spun. */
export function callOf(last: LastPlace, side: SidePicture, say: Say): string[] {
  const lines = last.cleared.length;
  if (lines === 0 && last.spin === 0) return [];
  const spin = last.spin > 0 ? say(last.spin === 1 ? "mini {piece}-spin" : "{piece}-spin", { piece: last.piece }) : "";
  const name = lines > 0 ? say(LINES[lines] ?? "Tetris") : "";
  const out = [spin && name ? say("{spin} {lines}", { spin, lines: name }) : spin || name];
  if (last.perfect) out.unshift(say("Perfect clear"));
  if (last.b2b) out.push(say("back to back"));
  if (side.combo > 1) out.push(say("{count} combo", { count: side.combo - 1 }));
  if (last.attack > 0) out.push(say("+{count}", { count: last.attack }));
  return out;
}
