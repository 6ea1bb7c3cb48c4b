import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";
import GenericView from "./GenericView.svelte";

const legal = Array.from({ length: 400 }, (_, action) => ({ action, text: `card ${action} of ${action % 4}` }));

function shown(play = vi.fn()) {
  render(GenericView, { drawn: "a\nb", legal, lit: null, thought: null, play, hover: vi.fn() });
  return play;
}

describe("a game without a picture", () => {
  test("shows its text, and the first of hundreds of actions", () => {
    shown();
    expect(screen.getByLabelText("Position").textContent).toBe("a\nb");
    expect(screen.getAllByRole("button").length).toBe(150);
    expect(screen.getByText(/250 more/)).toBeTruthy();
  });

  test("the filter finds the others, and Enter plays the only one", async () => {
    const play = shown();
    const field = screen.getByRole("searchbox");
    await fireEvent.input(field, { target: { value: "CARD 399" } });
    expect(screen.getAllByRole("button").map((button) => button.textContent?.trim())).toEqual(["card 399 of 3"]);
    await fireEvent.submit(field.closest("form")!);
    expect(play).toHaveBeenCalledWith(399);
  });

  test("Enter plays nothing while several are meant", async () => {
    const play = shown();
    const field = screen.getByRole("searchbox");
    await fireEvent.input(field, { target: { value: "card 39" } });
    await fireEvent.submit(field.closest("form")!);
    expect(play).not.toHaveBeenCalled();
  });

  test("nothing is found", async () => {
    shown();
    await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "zzz" } });
    expect(screen.getByText("No action is written like that.")).toBeTruthy();
  });
});
