// Numbers and times as people read them, in their language.
import { settings, t } from "@/settings.svelte";

/** Three significant digits, and no more than the number has. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  const digits = Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return value.toLocaleString(settings.language, digits).replace("-", "−");
}

/** Two digits after the point, as in the formulas of a lesson. */
export function hundredths(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(2).replace(/^-0\.00$/, "0.00").replace("-", "−");
}

export function whole(value: number): string {
  return value.toLocaleString(settings.language, { maximumFractionDigits: 0 });
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** Points per game, with their sign. */
export function points(value: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" } as const;
  return value.toLocaleString(settings.language, digits).replace("-", "−");
}

export function signed(value: number): string {
  return value > 0 && Number.isFinite(value) ? `+${figure(value)}` : figure(value);
}

export function duration(seconds: number): string {
  const all = Math.max(0, Math.round(seconds));
  if (all < 60) return t("{seconds} s", { seconds: all });
  if (all < 3600) return t("{minutes} min {seconds} s", { minutes: Math.floor(all / 60), seconds: all % 60 });
  return t("{hours} h {minutes} min", { hours: Math.floor(all / 3600), minutes: Math.floor((all % 3600) / 60) });
}

/** A date of the server, short. */
export function date(iso: string): string {
  const when = new Date(iso);
  if (Number.isNaN(when.getTime())) return iso;
  return when.toLocaleString(settings.language, { dateStyle: "medium", timeStyle: "short" });
}
