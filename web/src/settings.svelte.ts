// What a person has chosen, kept in the browser.
import type { Level } from "./wire";
import { translated, type Language } from "./words";

export type Theme = "system" | "light" | "dark";

const KEY = "sevenfold";

interface Kept {
  language: Language;
  theme: Theme;
  heat: boolean;
  threats: boolean;
  plain: boolean; // text and a list of actions, even where there is a picture
  level: Level["id"] | null; // of the last opponent
}

function first(): Kept {
  const language: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh-TW" : "en";
  const fallback: Kept = { language, theme: "system", heat: false, threats: false, plain: false, level: null };
  try {
    return { ...fallback, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
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

/** A text in the person's language. */
export function t(text: string, values: Record<string, string | number> = {}): string {
  return translated(settings.language, text, values);
}
