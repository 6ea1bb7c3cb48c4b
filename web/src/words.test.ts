// Every text that the page's sources hand to t("…") has its Chinese, whoever wrote the screen.
import { describe, expect, test } from "vitest";
import { keys } from "./parts/play/keys";
import { chinese, translated } from "./words";

const sources = import.meta.glob<string>(["./**/*.svelte", "./**/*.ts", "!./**/*.test.ts", "!./test/**", "!./words/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;

/** The first argument of every call of t, up to its comma or bracket at the same depth. */
function firstArguments(source: string): string[] {
  const found: string[] = [];
  source = source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  for (const match of source.matchAll(/(?<![\w.])t\(/g)) {
    let depth = 0;
    let quote = "";
    let end = match.index + 2;
    for (; end < source.length; end += 1) {
      const sign = source[end] ?? "";
      if (quote) {
        if (sign === "\\") end += 1;
        else if (sign === quote) quote = "";
      } else if (sign === '"' || sign === "'" || sign === "`") quote = sign;
      else if ("([{".includes(sign)) depth += 1;
      else if (")]}".includes(sign) && depth > 0) depth -= 1;
      else if ((sign === "," || sign === ")") && depth === 0) break;
    }
    found.push(source.slice(match.index + 2, end));
  }
  return found;
}

/** The texts among which such an argument chooses; what it compares with is no text. */
function texts(argument: string): string[] {
  const spoken = argument.replace(/[!=]==?\s*(?:"[^"]*"|'[^']*')/g, "").replace(/\[[^\]]*\]/g, "");
  const quoted = [...spoken.matchAll(QUOTED)].map((match) => JSON.parse(`"${match[1] ?? match[2] ?? ""}"`) as string);
  return quoted.filter((text) => text !== "");
}

describe("the page in Chinese", () => {
  const used = Object.entries(sources).flatMap(([file, source]) =>
    firstArguments(source).flatMap((argument) => texts(argument).map((text) => ({ file, text }))),
  );

  test("the search for texts finds them", () => {
    expect(used.length).toBeGreaterThan(100);
    expect(texts('one === "x" ? "A" : "B"')).toEqual(["A", "B"]);
  });

  test.each([...new Set(used.map(({ text }) => text))])("%s", (text) => {
    expect(chinese[text], used.find((one) => one.text === text)?.file).toBeTruthy();
  });

  test.each(keys.map((key) => key.does))("key: %s", (does) => expect(chinese[does]).toBeTruthy());

  test("every {name} of a text is in its Chinese, and the other way round", () => {
    const names = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    for (const [english, translation] of Object.entries(chinese)) expect(names(translation), english).toEqual(names(english));
  });

  test("values are filled in", () => {
    expect(translated("zh-TW", "{n} players", { n: 4 })).toBe("4 人");
    expect(translated("en", "{n} players", { n: 4 })).toBe("4 players");
    expect(translated("zh-TW", "a text that nobody has translated")).toBe("a text that nobody has translated");
  });
});
