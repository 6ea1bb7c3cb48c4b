// The keys of the Play screen: one list, for the hands and for the "?" panel.

export type Wish =
  | "back"
  | "on"
  | "first"
  | "last"
  | "before"
  | "after"
  | "undo"
  | "redo"
  | "hint"
  | "analyse"
  | "heat"
  | "threats"
  | "plain"
  | "review"
  | "mistake"
  | "keys"
  | "skip";

interface Key {
  keys: string[]; // as KeyboardEvent.key has them
  shown: string[];
  wishes: Wish[]; // for each of the keys
  does: string;
}

export const keys: Key[] = [
  { keys: ["ArrowLeft", "ArrowRight"], shown: ["←", "→"], wishes: ["back", "on"], does: "a move back, a move on" },
  { keys: ["Home", "End"], shown: ["Home", "End"], wishes: ["first", "last"], does: "to the start, to the end" },
  { keys: ["ArrowUp", "ArrowDown"], shown: ["↑", "↓"], wishes: ["before", "after"], does: "another variation" },
  { keys: ["u"], shown: ["u"], wishes: ["undo"], does: "take the move back" },
  { keys: ["y"], shown: ["y"], wishes: ["redo"], does: "play it again" },
  { keys: ["h"], shown: ["h"], wishes: ["hint"], does: "a hint" },
  { keys: ["a"], shown: ["a"], wishes: ["analyse"], does: "analyse, or stop it" },
  { keys: ["f"], shown: ["f"], wishes: ["heat"], does: "show which moves it considers (heat)" },
  { keys: ["t"], shown: ["t"], wishes: ["threats"], does: "show: {overlay}" },
  { keys: ["g"], shown: ["g"], wishes: ["plain"], does: "text instead of the picture" },
  { keys: ["r"], shown: ["r"], wishes: ["review"], does: "review the game" },
  { keys: ["n"], shown: ["n"], wishes: ["mistake"], does: "to the next mistake" },
  { keys: ["Escape"], shown: ["Esc"], wishes: ["skip"], does: "skip the animation" },
  { keys: ["?"], shown: ["?"], wishes: ["keys"], does: "this list" },
];

const byKey = new Map(keys.flatMap((one) => one.keys.map((key, index) => [key, one.wishes[index]] as const)));
const TYPES = "input:not([type=checkbox]):not([type=radio]), textarea, select, dialog, [contenteditable]";
const CONTROLS = "button, a, summary, input";

/** Whether somebody types, chooses from a list, or has a dialog before them. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.closest(TYPES) !== null;
}

/** Whether a key is the focused control's own: people who go from button to button press them by these. */
export function isForControl(event: KeyboardEvent): boolean {
  if (event.key === "Tab") return true;
  if (event.key !== "Enter" && event.key !== " ") return false;
  return event.target instanceof Element && event.target.closest(CONTROLS)?.matches(":focus-visible") === true;
}

/** What a key press wishes for; undefined while somebody types, or when the board has taken the key. */
export function wishOf(event: KeyboardEvent): Wish | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (isTyping(event)) return undefined;
  return byKey.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
}
