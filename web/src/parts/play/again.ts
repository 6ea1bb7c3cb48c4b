// Another game like this one.
import type { NewSession, Seat } from "../../wire";

export function newSeats(seats: Seat[]): NewSession["seats"] {
  return seats.map((seat) => {
    if (seat.kind === "human") return {};
    return seat.level ? { level: seat.level } : { player: seat.player };
  });
}
