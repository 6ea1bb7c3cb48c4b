import { expect, test } from "vitest";
import { seatColour, seatShape } from "./seats";

test("six seats differ in colour and in shape", () => {
  const six = [0, 1, 2, 3, 4, 5];
  expect(new Set(six.map(seatColour)).size).toBe(6);
  expect(new Set(six.map(seatShape)).size).toBe(6);
});
