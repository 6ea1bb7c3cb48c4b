// What a room can have beyond a picture: keys, clocks, settings of its own, a pace, a panel in the lobby.
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { viewOf } from "../../draw/case";
import type { Drawing, Drawn, Panel, Setting } from "../../drawing";
import { fits, keyName, ownOf } from "../../own";
import { keepForRoom, settings } from "../../settings.svelte";
import { connectFour, root, session } from "../../test/fixtures";
import NewGame from "../lobby/NewGame.svelte";
import Board from "./Board.svelte";
import Keys from "./Keys.svelte";
import Menu from "./Menu.svelte";
import RoomSettings from "./RoomSettings.svelte";
import { overlayTitle } from "./words";

const found = vi.hoisted(() => ({ drawing: null as Drawing | null }));
vi.mock("../../drawings", () => ({ drawingOf: () => Promise.resolve(found.drawing) }));

const words = (en: string) => ({ en, "zh-TW": en });
const das: Setting = { name: "das", title: words("Delay"), kind: "number", default: 130, low: 0, high: 500 };
const left: Setting = { name: "left", title: words("Left"), kind: "key", default: "ArrowLeft" };
const legal = [{ action: 0, text: "drop" }];
const place = { game: "tetris", viewer: null, to_move: 0, legal, last: null, returns: null, text: null, picture: {} };

beforeEach(() => {
  settings.rooms = {};
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(() => document.body.replaceChildren());

describe("keys of a board", () => {
  function board() {
    const press = vi.fn((event: KeyboardEvent) => event.code === "ArrowLeft");
    const release = vi.fn();
    const drawn: Drawn<unknown> = { update: vi.fn(), highlight: vi.fn(), press, release, destroy: vi.fn() };
    const drawing: Drawing = { mount: () => drawn, miniature: () => undefined };
    const told = { play: vi.fn(), hover: vi.fn(), keep: vi.fn() };
    const shown = render(Board, { drawing, view: viewOf(place), node: 1, lit: null, told });
    return { press, release, ...shown, props: { drawing, node: 1, lit: null, told } };
  }
  const key = (code: string, target: EventTarget = document.body, type = "keydown", key = code) => {
    const event = new KeyboardEvent(type, { code, key, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };

  test("come down and up, wherever the focus is; what it takes the page does not get", () => {
    const { press } = board();
    const page = vi.fn();
    addEventListener("keydown", page);
    expect([key("ArrowLeft"), key("KeyU"), key("ArrowLeft", document.body, "keyup")]).toEqual([true, false, true]);
    removeEventListener("keydown", page);
    expect(press.mock.calls.map(([event]) => event.type)).toEqual(["keydown", "keydown", "keyup"]);
    expect(page).toHaveBeenCalledTimes(1);
  });

  test("belong to a field while somebody types, and Tab to the browser", () => {
    const { press } = board();
    const field = document.body.appendChild(document.createElement("input"));
    key("ArrowLeft", field);
    key("Tab");
    expect(press).not.toHaveBeenCalled();
  });

  test("are up when the window loses the focus, or something lies in front of the board", async () => {
    const { release, rerender, props } = board();
    expect(release).not.toHaveBeenCalled();
    dispatchEvent(new Event("blur"));
    expect(release).toHaveBeenCalledTimes(1);
    await rerender({ ...props, view: viewOf(place, { live: false }) });
    expect(release).toHaveBeenCalledTimes(2);
  });
});

describe("settings of a room", () => {
  test("what is kept counts where it fits, and other things are kept as they are", () => {
    expect(ownOf([das, left], { das: 90, decks: ["a"] })).toEqual({ das: 90, left: "ArrowLeft", decks: ["a"] });
    expect(ownOf([das], { das: 9000 }).das).toBe(130);
    expect([fits(das, NaN), fits(das, "9"), fits(left, ""), fits(left, "KeyZ")]).toEqual([false, false, false, true]);
    expect(["KeyZ", "Digit1", "ArrowUp", "Space", "ShiftLeft"].map(keyName)).toEqual(["Z", "1", "↑", "Space", "Shift Left"]);
  });

  test("a number out of range is told and not kept; a key is pressed to be chosen", async () => {
    const keep = vi.fn();
    render(RoomSettings, { settings: [das, left], own: ownOf([das, left], {}), keep, close: () => undefined });
    await fireEvent.input(screen.getByLabelText("Delay"), { target: { value: "900" } });
    expect(screen.getByText("This must be from 0 to 500.")).toBeTruthy();
    await fireEvent.input(screen.getByLabelText("Delay"), { target: { value: "90" } });
    const button = screen.getByLabelText("Left");
    await fireEvent.keyDown(button, { key: "q", code: "KeyQ" });
    await fireEvent.click(button);
    await fireEvent.keyDown(button, { key: "z", code: "KeyZ" });
    expect(keep.mock.calls).toEqual([[{ das: 90 }], [{ left: "KeyZ" }]]);
  });

  test("are kept per room", () => {
    keepForRoom("tetris", { das: 90 });
    keepForRoom("tetris", { arr: 0 });
    keepForRoom("invokation", { decks: [] });
    expect($snapshot(settings.rooms)).toEqual({ tetris: { das: 90, arr: 0 }, invokation: { decks: [] } });
  });
});

const $snapshot = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a panel in the lobby", () => {
  const panel = (more: Partial<Panel> = {}): Drawing => ({
    mount: () => ({ update: vi.fn(), highlight: vi.fn(), destroy: vi.fn() }),
    miniature: () => undefined,
    panel: {
      title: words("Decks"),
      options: ["blocked"],
      mount(host, form, told) {
        const button = host.appendChild(document.createElement("button"));
        const show = (now: typeof form) => (button.textContent = `deck ${String(now.options.blocked)} of ${String(now.own.decks ?? 0)}`);
        button.type = "button";
        button.onclick = () => {
          told.choose("blocked", "4,2");
          told.keep({ decks: 1 });
        };
        show(form);
        return { update: show, destroy: () => button.remove() };
      },
      ...more,
    },
  });

  test("makes options that have no field, and keeps what it likes", async () => {
    const asked: unknown[] = [];
    vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
      asked.push(JSON.parse(String(init.body)));
      return Promise.resolve(new Response('{"id":"new"}', { status: 200 }));
    });
    found.drawing = panel();
    render(NewGame, { game: { ...connectFour, drawing: true }, close: () => undefined });
    const button = await screen.findByText("deck null of 0");
    expect(document.querySelector("#option-blocked")).toBeNull();
    expect(document.querySelector("#option-rows")).not.toBeNull();
    await fireEvent.click(button);
    expect(await screen.findByText("deck 4,2 of 1")).toBe(button);
    await fireEvent.submit(document.querySelector("form")!);
    await waitFor(() => expect(asked[0]).toMatchObject({ options: { blocked: "4,2" } }));
    vi.unstubAllGlobals();
  });

  test("that fails leaves the fields", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    found.drawing = panel({
      mount: () => {
        throw new Error("broken");
      },
    });
    render(NewGame, { game: { ...connectFour, drawing: true }, close: () => undefined });
    await waitFor(() => expect(console.error).toHaveBeenCalled());
    await waitFor(() => expect(document.querySelector("#option-blocked")).not.toBeNull());
  });
});

describe("the overlay", () => {
  const plain: Drawing = { mount: vi.fn(), miniature: () => undefined };
  const named: Drawing = { ...plain, overlay: { en: "Who may hold what", "zh-TW": "誰可能有什麼牌" } };
  afterEach(() => (settings.language = "en"));

  test.each([
    ["en", plain, "Threats"],
    ["en", null, "Threats"],
    ["en", named, "Who may hold what"],
    ["zh-TW", plain, "威脅"],
    ["zh-TW", named, "誰可能有什麼牌"],
  ] as const)("has the drawing's own name in the menu and among the keys: %s %#", (language, drawing, title) => {
    settings.language = language;
    const nothing = () => undefined;
    const work = { setUp: nothing, tune: nothing, keys: nothing, again: nothing, review: nothing };
    const menu = render(Menu, { session: session([root]), game: connectFour, drawing, ...work });
    expect([...menu.container.querySelectorAll("label")].map((one) => one.textContent)).toContain(`${title} t`);
    const keys = render(Keys, { board: [], overlay: overlayTitle(drawing), close: nothing });
    const does = [...keys.container.querySelectorAll("dd")].map((one) => one.textContent);
    expect(does.filter((one) => one?.includes(title))).toHaveLength(1);
  });
});
