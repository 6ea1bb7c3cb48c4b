import { expect, test, vi } from "vitest";

test("an address that was cut short does not take the page away", async () => {
  location.hash = "#/play/%E5%9";
  vi.resetModules();
  const { route } = await import("./route.svelte");
  expect(route.words).toEqual(["play", "%E5%9"]);
});
