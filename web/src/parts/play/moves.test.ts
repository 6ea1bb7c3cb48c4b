import { fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";
import { chain, root } from "../../test/fixtures";
import MoveList from "./MoveList.svelte";
import { rowOf, rowsOf, Tree } from "./moves";

const shown = (tree: Tree, trunk: number[]) =>
  rowsOf(tree, trunk).map((row) => "  ".repeat(row.depth) + row.nodes.map((node) => node.text).join(" "));

describe("rows", () => {
  test("two players who move in turn share a row", () => {
    const tree = new Tree([root, ...chain("d e f", 0, 1)]);
    expect(shown(tree, [0, 1, 2, 3])).toEqual(["d e", "f"]);
  });

  test("otherwise a row is a turn", () => {
    const nodes = chain("heads strike pass pass", 0, 1);
    nodes[0]!.mover = "chance";
    nodes[1]!.mover = 0;
    nodes[2]!.mover = 0;
    nodes[3]!.mover = 1;
    expect(shown(new Tree([root, ...nodes]), [0, 1, 2, 3, 4])).toEqual(["heads", "strike pass", "pass"]);
  });

  test("variations follow the move that they leave, and theirs follow them", () => {
    const nodes = [root, ...chain("d e f g", 0, 1), ...chain("a b", 1, 5), ...chain("c", 5, 7)];
    expect(shown(new Tree(nodes), [0, 1, 2, 3, 4])).toEqual(["d", "  a b", "    c", "e", "f g"]);
  });

  test("a variation of the first move comes first", () => {
    const nodes = [root, ...chain("d e", 0, 1), ...chain("a", 0, 3)];
    expect(shown(new Tree(nodes), [0, 1, 2])).toEqual(["  a", "d e"]);
  });

  test("a long variation is broken into rows, without running out of stack", () => {
    const long = Array.from({ length: 9000 }, (_, index) => `m${index}`).join(" ");
    const nodes = [root, ...chain("d e", 0, 1), ...chain(long, 1, 3)];
    const rows = rowsOf(new Tree(nodes), [0, 1, 2]);
    expect(rows.length).toBe(2 + 9000 / 3);
    expect(rowOf(rows, 3 + 8999)).toBe(1 + 9000 / 3 - 1);
  });
});

test("path and brothers", () => {
  const tree = new Tree([root, ...chain("d e", 0, 1), ...chain("a", 1, 3)]);
  expect(tree.path(3).map((node) => node.id)).toEqual([0, 1, 3]);
  expect(tree.brothers(3).map((node) => node.id)).toEqual([2, 3]);
  expect(tree.brothers(0)).toEqual([]);
  expect(tree.through(1)).toEqual([0, 1, 2]);
});

describe("the list", () => {
  const list = (nodes = [root, ...chain("d e", 0, 1), ...chain("a", 1, 3)], go = vi.fn()) => {
    const trunk = [0, ...nodes.slice(1).flatMap((node, index) => (node.parent === index ? [node.id] : []))];
    render(MoveList, { tree: new Tree(nodes), trunk, line: trunk, at: 2, names: ["You", "Easy"], go });
    return go;
  };

  test("a click on a move of a variation goes there", async () => {
    const go = list();
    await fireEvent.click(screen.getByRole("treeitem", { name: "2. Easy: a" }));
    expect(go).toHaveBeenCalledWith(3);
  });

  test("the node shown is selected, and marks have signs and words", () => {
    const nodes = [root, ...chain("d e", 0, 1)];
    nodes[2]!.mark = "blunder";
    list(nodes);
    const item = screen.getByRole("treeitem", { selected: true });
    expect(item.textContent).toContain("??");
    expect(item.getAttribute("aria-label")).toContain("blunder");
  });

  test("of thousands of moves only a few are in the page", () => {
    list([root, ...chain(Array.from({ length: 4000 }, (_, index) => `m${index}`).join(" "), 0, 1)]);
    expect(screen.getAllByRole("treeitem").length).toBeLessThan(120);
  });
});
