// What a person has chosen, kept in the browser.
import type { Own } from "./drawing";
import type { Level } from "./wire";
import { refusalIn } from "./refusals";
import { chinese, translated, type Language } from "./words";

export type Theme = "system" | "light" | "dark";

const KEY = "sevenfold";

interface Kept {
  language: Language;
  theme: Theme;
  heat: boolean;
  threats: boolean;
  plain: boolean; // text and a list of actions, even where there is a picture
  level: Level["id"] | null; // of the last opponent
  rooms: Record<string, Own>; // what each room keeps for the person
}

function first(): Kept {
  const language: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh-TW" : "en";
  const fallback: Kept = { language, theme: "system", heat: false, threats: false, plain: false, level: null, rooms: {} };
  try {
    const kept = { ...fallback, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") } as Kept;
    return { ...kept, rooms: kept.rooms instanceof Object ? kept.rooms : {} };
  } catch {
    return fallback; // a private window, or a file that somebody has edited
  }
}

export const settings = $state(first());

/** Called once by App: writes changes back, and tells the document. */
export function keepSettings(): void {
  $effect(() => {
    const root = document.documentElement;
    root.lang = settings.language === "zh-TW" ? "zh-Hant-TW" : "en";
    if (settings.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // nothing is kept in a private window
    }
  });
}

/** Adds to what is kept for a room; undefined forgets. */
export function keepForRoom(room: string, own: Own): void {
  settings.rooms = { ...settings.rooms, [room]: { ...settings.rooms[room], ...own } };
}

/** A text in the person's language. */
export function t(text: string, values: Record<string, string | number> = {}): string {
  return translated(settings.language, text, values);
}

/** What went wrong, in the person's language: a sentence of the page's own, or of the server's. */
export function said(sentence: string): string {
  return sentence in chinese ? t(sentence) : refusalIn(settings.language, sentence);
}
