// The rooms' drawings, each loaded when its game is first shown.
import type { Drawing } from "./drawing";

const found = import.meta.glob<{ default: Drawing }>("@games/*/board.ts");
const loaders = new Map(Object.entries(found).map(([path, load]) => [path.split("/").at(-2) ?? "", load]));

/** Null for a game without a picture: its text is shown instead. */
export async function drawingOf(name: string): Promise<Drawing | null> {
  const load = loaders.get(name);
  return load ? (await load()).default : null;
}
