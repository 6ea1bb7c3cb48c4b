import { afterEach, expect, test } from "vitest";
import type { Cases } from "@/draw/case";
import { all, mounting } from "@/test/board";
import type { Picture } from "../tetris/words";
import board from "./board";
import fixture from "./board.test.json";

const { cases } = fixture as unknown as Cases<Picture>;
const mounted = mounting(board, cases, { live: true, near: 0, own: {} });
afterEach(() => document.body.replaceChildren());

test("two sides have their names and figures", () => {
  mounted("middle", { language: "zh-TW" });
  expect(all(".tt-name").map((one) => one.textContent)).toEqual(["You", "Sevenfold"]);
  expect(all(".tt-side")).toHaveLength(2);
  expect(document.querySelector(".tt-side")!.getAttribute("aria-label")).toMatch(/^You：\d+ 塊/);
});
