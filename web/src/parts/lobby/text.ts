// Small pieces of text for the lobby.
import type { SessionLine } from "../../wire";
import type { Language } from "../../words";

export function firstSentence(text: string): string {
  return /^.*?(?:[.!?](?=\s|$)|[。！？])/s.exec(text)?.[0] ?? text;
}

/** "5 minutes ago", in the person's language. */
export function ago(iso: string, language: Language, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ];
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return words.format(Math.round(seconds / length), unit);
  }
  return words.format(0, "minute");
}

export function newestFirst(sessions: SessionLine[]): SessionLine[] {
  return [...sessions].sort((one, other) => other.updated.localeCompare(one.updated));
}
