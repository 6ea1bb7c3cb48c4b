// Every text that the page's sources hand to t("…") has its Chinese, whoever wrote the screen.
import { describe, expect, test } from "vitest";
import { keys } from "./parts/play/keys";
import { refusalIn, refusals } from "./refusals";
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
    for (const [english, translation] of Object.entries({ ...chinese, ...refusals })) expect(names(translation), english).toEqual(names(english));
  });

  test("words for all games: none that only board games have", () => {
    const board = Object.entries({ ...chinese, ...refusals }).filter(([, words]) => /悔棋|棋譜|棋手|著手|行棋/.test(words));
    expect(board).toEqual([]);
  });

  test("values are filled in", () => {
    expect(translated("zh-TW", "{n} players", { n: 4 })).toBe("4 人");
    expect(translated("en", "{n} players", { n: 4 })).toBe("4 players");
    expect(translated("zh-TW", "a text that nobody has translated")).toBe("a text that nobody has translated");
  });
});

describe("what the server refuses", () => {
  test("is said in Chinese with what it names, however its first letter is written", () => {
    expect(refusalIn("zh-TW", "The game is over.")).toBe("這一局已經結束。");
    expect(refusalIn("zh-TW", "Connect_four has 2 seats, not 3.")).toBe("Connect_four 有 2 個座位，不是 3 個。");
    expect(refusalIn("zh-TW", "There is no game 'x' on this server.")).toBe("這個伺服器上沒有對局 'x'。");
    expect(refusalIn("en", "The game is over.")).toBe("The game is over.");
  });

  test("a sentence of a game's rules is told as it is", () => {
    expect(refusalIn("zh-TW", "Column d is full.")).toBe("伺服器說：Column d is full.");
  });
});
