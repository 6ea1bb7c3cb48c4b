// Sentences about a game, in the person's language.
import { settings, t } from "../../settings.svelte";
import type { GameInfo, Seat } from "../../wire";
import { inLanguage } from "../../words";
import { outcome, people, valueText } from "./values";

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

/** "You win", "Draw" … */
export function outcomeText(seats: Seat[], returns: number[], game: GameInfo | null): string {
  const result = outcome({ seats }, returns);
  if (result.kind === "you win") return t("You win");
  if (result.kind === "draw") return t("Draw");
  if (result.kind === "score") return t("Finished with {score}", { score: valueText(result.score, [0, 0]) });
  const seat = result.kind === "you lose" ? result.to : result.seat;
  if (seats.every((one) => one.kind === "player" && one.level === seats[0]?.level && one.name === seats[0].name)) {
    return t("{name} wins", { name: seatTitle(game, seat) }); // two of a kind: only the colour tells them apart
  }
  return t("{name} wins", { name: seatName(seats, seat, game) });
}
