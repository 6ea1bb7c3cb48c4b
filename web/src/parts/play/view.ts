// What a room's drawing is given of a session.
import type { Own, View } from "../../drawing";
import type { GameInfo, Session } from "../../wire";
import type { Language } from "../../words";
import type { Table } from "./table.svelte";
import { people } from "./values";
import { namesOf } from "./words";

/** The seat nearest to the person. */
export function nearSeat(session: Session): number {
  return people(session)[0] ?? session.viewer ?? 0;
}

export function viewOf(
  session: Session,
  table: Pick<Table, "tree" | "here" | "animate" | "skippable">,
  game: GameInfo | null,
  wants: { heat: boolean; threats: boolean; language: Language },
  own: Own,
  clear: boolean, // nothing lies in front of the board
): View<unknown> {
  const { position } = session;
  const legal = table.skippable ? NOTHING : position.legal; // nobody plays on a position that is already past
  const node = table.tree.byId.get(session.at);
  return {
    picture: position.picture,
    legal,
    to_move: position.to_move,
    viewer: session.viewer,
    near: nearSeat(session),
    seats: namesOf(session.seats, game),
    last: node && node.action !== null ? { action: node.action, text: node.text, mover: node.mover } : null,
    over: position.returns !== null,
    returns: position.returns,
    thought: wants.heat ? (table.here?.thought ?? null) : null,
    heat: wants.heat,
    threats: wants.threats,
    animate: table.animate,
    language: wants.language,
    live: clear && legal.length > 0 && session.at === session.line.at(-1),
    own,
  };
}

const NOTHING: never[] = [];
