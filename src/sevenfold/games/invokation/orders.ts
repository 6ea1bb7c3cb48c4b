// What can be done, sorted for people: by card, as words, and dice to be rolled again as a plan of single steps.
import type { Say } from "@/draw/speak";
import type { Language } from "@/words";
import { elementName } from "./names";
import type { Act, Picture } from "./words";

/** The ways to play a card. */
export function actionsWith(actions: Act[], card: string): Act[] {
  return actions.filter((one) => one.kind === "card" && one.card === card);
}

export function priced(face: string, language: Language): string {
  return elementName(language, face);
}

/** "pays Pyro Pyro Omni". */
export function payWords(act: Act, say: Say, language: Language): string {
  const dice = act.dice ?? [];
  return dice.length === 0 ? say("free") : say("pays {dice}", { dice: dice.map((face) => elementName(language, face)).join(" ") });
}

/** The next step of a roll: dice of one face are put aside at a time, then all are rolled. Null: the rules ask else. */
export function dicePlan(actions: Act[], faces: string[]): { act: Act; rest: string[] } | null {
  const puts = actions.filter((one) => one.kind === "reroll_one");
  for (const act of puts) {
    const face = act.dice?.[0];
    if (face !== undefined && faces.includes(face) && act.dice!.length === faces.filter((one) => one === face).length)
      return { act, rest: faces.filter((one) => one !== face) };
  }
  const done = actions.find((one) => one.kind === "reroll_done");
  return done ? { act: done, rest: [] } : null;
}

const ASKS: Record<string, string> = {
  redraw: "Choose cards to exchange, then confirm.",
  opening: "Choose your active character.",
  reroll: "Choose dice to roll again, then confirm.",
  choose: "Choose the next active character.",
  action: "Your turn: a skill, a card, a switch, or the end of your round.",
  pay: "Choose the dice that pay.",
};

export function statusWords(picture: Picture, seats: string[], mine: boolean, say: Say): string {
  if (picture.phase === "over") return picture.winner === null ? say("nobody wins") : say("{name} wins", { name: seats[picture.winner] ?? "" });
  if (mine) return say(ASKS[picture.phase] ?? "");
  return picture.mover === null ? say("chance decides") : say("{name} is at turn", { name: seats[picture.mover] ?? "" });
}
