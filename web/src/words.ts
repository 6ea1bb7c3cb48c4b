// The page in two languages: t("…") finds the Traditional Chinese for an English text, or shows the English. Each screen
// keeps its texts beside itself: `words/<screen>.ts` exports a dictionary from English to Chinese.
import type { Words } from "./wire";

export type Language = "en" | "zh-TW";

const found = import.meta.glob<{ default: Record<string, string> }>("./words/*.ts", { eager: true });
export const chinese: Record<string, string> = Object.assign({}, ...Object.values(found).map((one) => one.default));

/** `values` fill {names} in the text. */
export function translated(language: Language, text: string, values: Record<string, string | number> = {}): string {
  const template = language === "zh-TW" ? (chinese[text] ?? text) : text;
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** "A, B, and C". */
export function listed(language: Language, names: string[]): string {
  return new Intl.ListFormat(language).format(names);
}

export function inLanguage(language: Language, words: Words): string {
  return words[language] || words.en;
}
