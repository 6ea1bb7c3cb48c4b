// The tree of variations as rows of a list. All rows are equally high, so that a list of thousands shows only a few.
import type { Node } from "../../wire";

export interface Row {
  depth: number; // 0: the trunk; 1: a variation of it; 2: a variation of that …
  nodes: Node[];
}

export class Tree {
  readonly byId = new Map<number, Node>();
  private readonly children = new Map<number, Node[]>();

  constructor(readonly nodes: Node[]) {
    for (const node of nodes) {
      this.byId.set(node.id, node);
      if (node.parent === null) continue;
      const brothers = this.children.get(node.parent);
      if (brothers) brothers.push(node);
      else this.children.set(node.parent, [node]);
    }
  }

  after(id: number): Node[] {
    return this.children.get(id) ?? [];
  }

  /** From the start to this node. */
  path(id: number): Node[] {
    const path: Node[] = [];
    for (let node = this.byId.get(id); node; node = node.parent === null ? undefined : this.byId.get(node.parent)) {
      path.push(node);
    }
    return path.reverse();
  }

  /** The path to a node and on, by the first move that was tried at each fork. */
  through(id: number): number[] {
    const ids = this.path(id).map((node) => node.id);
    for (let next = this.after(id)[0]; next; next = this.after(next.id)[0]) ids.push(next.id);
    return ids;
  }

  /** The other moves that were tried instead of this one, and itself, in the order in which they were made. */
  brothers(id: number): Node[] {
    const parent = this.byId.get(id)?.parent;
    return parent === null || parent === undefined ? [] : this.after(parent);
  }
}

/** Whether two players move in turn, as in most board games: then a row holds a move of each. */
export function alternating(trunk: Node[]): boolean {
  return trunk.every((node, index) => node.mover === index % 2);
}

const IN_A_ROW = 3; // moves of one turn, or of a variation

/** `trunk`: ids from the start. Rows of the trunk, each followed by the variations that leave it there. */
export function rowsOf(tree: Tree, trunk: number[]): Row[] {
  const rows: Row[] = [];
  const main = trunk.map((id) => tree.byId.get(id)).filter((node) => node !== undefined);
  const moves = main.slice(1);
  const pairs = alternating(moves);
  const onTrunk = new Set(trunk);
  if (main[0]) addVariations(tree, main[0], onTrunk, 1, rows);
  let row: Node[] = [];
  for (const node of moves) {
    if (row.length > 0 && !goesOn(row, node, pairs)) row = [];
    if (row.length === 0) rows.push({ depth: 0, nodes: row });
    row.push(node);
    if (addVariations(tree, node, onTrunk, 1, rows)) row = [];
  }
  return rows;
}

function goesOn(row: Node[], node: Node, pairs: boolean): boolean {
  const last = row[row.length - 1];
  if (pairs) return row.length < 2 && last?.mover === 0;
  return row.length < IN_A_ROW && last?.mover === node.mover;
}

/** The variations that leave the trunk after `node`; true when there were some. */
function addVariations(tree: Tree, node: Node, onTrunk: Set<number>, depth: number, rows: Row[]): boolean {
  const others = tree.after(node.id).filter((child) => !onTrunk.has(child.id));
  const stack = others.map((child) => ({ child, depth })).reverse();
  // Without recursion: a variation may be as long as a game.
  while (stack.length > 0) {
    const top = stack.pop();
    if (!top) break;
    let row: Node[] = [];
    for (let at: Node | undefined = top.child; at; at = tree.after(at.id)[0]) {
      if (row.length === 0 || row.length === IN_A_ROW) rows.push({ depth: top.depth, nodes: (row = []) });
      row.push(at);
      const aside = tree.after(at.id).slice(1);
      for (const child of aside.reverse()) stack.push({ child, depth: top.depth + 1 });
    }
  }
  return others.length > 0;
}

/** The row of a node, to scroll there. */
export function rowOf(rows: Row[], id: number): number {
  return rows.findIndex((row) => row.nodes.some((node) => node.id === id));
}
