// Sentences about a game, in the person's language.
import type { Drawing } from "../../drawing";
import { settings, t } from "../../settings.svelte";
import type { GameInfo, Seat, Session } from "../../wire";
import { inLanguage, listed } from "../../words";
import { outcome, people, valueText } from "./values";

/** The game with the names of all the seats that its options may bring. */
export function withSeats(game: GameInfo, drawing: Drawing | null): GameInfo {
  return { ...game, seats: [...game.seats, ...(drawing?.seats ?? []).slice(game.seats.length)] };
}

/** What the room calls a seat: "red". */
export function seatTitle(game: GameInfo | null, index: number): string {
  const words = game?.seats[index];
  return words ? inLanguage(settings.language, words) : t("Player {n}", { n: index + 1 });
}

/** Who sits there: "You", "Hard", or the player's own name. */
export function seatName(seats: Seat[], index: number, game: GameInfo | null): string {
  const seat = seats[index];
  if (!seat) return seatTitle(game, index);
  if (seat.kind === "human") return people({ seats }).length === 1 ? t("You") : seatTitle(game, index);
  const level = game?.levels.find((one) => one.id === seat.level);
  return level ? inLanguage(settings.language, level.title) : seat.name;
}

/** Who plays; two of a kind are told apart by their seats. */
export function namesOf(seats: Seat[], game: GameInfo | null): string[] {
  const names = seats.map((_, index) => seatName(seats, index, game));
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${seatTitle(game, index)} (${name})`,
  );
}

function sharedText(seats: Seat[], winners: number[], names: string[]): string {
  const here = people({ seats });
  const you = here.length === 1 && winners.includes(here[0]!) ? here[0] : undefined;
  const others = listed(settings.language, winners.filter((seat) => seat !== you).map((seat) => names[seat] ?? ""));
  return you === undefined ? t("{names} share the win", { names: others }) : t("You share the win with {names}", { names: others });
}

/** "You win", "Draw" … */
export function outcomeText(seats: Seat[], returns: number[], game: GameInfo | null, won: number[] | null = null): string {
  const result = outcome({ seats }, returns, won);
  // All of a kind: only the seat tells them apart.
  const alike = seats.every((one) => one.kind === "player" && one.level === seats[0]?.level && one.name === seats[0].name);
  const names = alike ? seats.map((_, seat) => seatTitle(game, seat)) : namesOf(seats, game);
  if (result.kind === "you win") return t("You win");
  if (result.kind === "draw") return t("Draw");
  if (result.kind === "score") return t("Finished with {score}", { score: valueText(result.score, [0, 0]) });
  if (result.kind === "nobody") {
    const points = returns.map((value, seat) => `${names[seat] ?? ""} ${valueText(value, [0, 0])}`);
    return t("The game is over: {points}", { points: points.join(t(", ")) });
  }
  if (result.kind === "shared") return sharedText(seats, result.seats, names);
  const seat = result.kind === "you lose" ? result.to : result.seat;
  return t("{name} wins", { name: names[seat] ?? "" });
}

/** What the overlay on the board is called. */
export function overlayTitle(drawing: Drawing | null): string {
  return drawing?.overlay ? inLanguage(settings.language, drawing.overlay) : t("Threats");
}

/** Why the position shown is not analysed; "" where it can be. */
export function whyNot({ position, viewer, thinking, seats }: Session, game: GameInfo | null): string {
  const mover = position.to_move;
  if (mover === "over") return t("The game is over: go back to a move to analyse it.");
  if (mover === "chance") return t("There is nothing to analyse: chance decides.");
  if (viewer !== null && viewer !== mover) return t("The analysis waits for your turn: what the others have is hidden.");
  return thinking?.kind === "move" ? t("The analysis waits for {name}’s move.", { name: seatName(seats, mover, game) }) : "";
}
