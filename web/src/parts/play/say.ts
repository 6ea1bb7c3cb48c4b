// What people read for an action: its text, or what the drawing of its game calls it in their language.
import { getContext, setContext } from "svelte";

export type SayAction = (text: string) => string;
const KEY = "say action";

export function tellHowToSay(say: SayAction): void {
  setContext(KEY, say);
}

export function sayAction(): SayAction {
  return getContext<SayAction | undefined>(KEY) ?? ((text) => text);
}
