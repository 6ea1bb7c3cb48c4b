// What a person has chosen for a room: the defaults of its settings, and over them what the browser keeps.
import type { Own, Setting } from "./drawing";

/** Everything kept for a room, and the default of each setting that is missing or no longer fits. */
export function ownOf(settings: Setting[], kept: Own): Own {
  const chosen = settings.map((one) => [one.name, fits(one, kept[one.name]) ? kept[one.name] : one.default]);
  return { ...kept, ...Object.fromEntries(chosen) };
}

/** Whether a value is one that a setting can have: what is kept may be of another version, or edited by hand. */
export function fits(setting: Setting, value: unknown): boolean {
  if (setting.kind === "number") {
    const [low, high] = [setting.low ?? -Infinity, setting.high ?? Infinity];
    return typeof value === "number" && Number.isFinite(value) && value >= low && value <= high;
  }
  if (setting.kind === "choice") return (setting.choices ?? []).some((one) => one.value === value);
  return typeof value === (setting.kind === "flag" ? "boolean" : "string") && value !== "";
}

/** A key as people read it: "KeyZ" is Z, "ArrowLeft" is ←. */
export function keyName(code: string): string {
  return NAMES[code] ?? code.replace(/^(Key|Digit|Numpad(?=\d))/, "").replace(/(Left|Right)$/, " $1").trim();
}

const NAMES: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };
