// The texts of a drawing in the person's language. A room keeps its own dictionary in its board.ts, so that a game
// touches no file outside its room; words that all share are in words/draw.ts.
import { translated, type Language } from "../words";

export type Say = (text: string, values?: Record<string, string | number>) => string;

/** `say("{n} cards", {n: 3})` in the language, from the room's dictionary (English to Chinese) or the shared one. */
export function speaker(language: Language, chinese: Record<string, string> = {}): Say {
  return (text, values = {}) => {
    const template = language === "zh-TW" ? chinese[text] : undefined;
    if (template === undefined) return translated(language, text, values);
    return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
