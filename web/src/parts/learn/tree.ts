// What of the search tree is drawn at a step of a lesson: the path of this simulation, and at every node of it the moves
// among which it chose.
import type { Lesson, LessonStep } from "@/wire";

export interface Dot {
  action: number;
  text: string;
  visits: number;
  q: number | null;
  chosen: boolean; // the simulation goes on here
  fresh: boolean; // and this is the position that it adds
}

export interface Level {
  path: number[]; // of the node that these moves belong to
  dots: Dot[];
}

/** The levels that have been seen when the lesson is at step number `at`. */
export function levels(lesson: Lesson, at: number): Level[] {
  const backed = lesson.steps[at]?.kind === "back_up";
  const expanded = lesson.steps.findIndex((step) => step.kind === "expand");
  const fresh = expanded >= 0 && at >= expanded ? key(lesson.steps[expanded]!.path) : null;
  return lesson.steps
    .slice(0, at + 1)
    .filter((step) => step.kind === "select" && step.edges)
    .map((step) => ({ path: step.path, dots: dots(lesson, step, fresh, backed) }));
}

function dots(lesson: Lesson, step: LessonStep, fresh: string | null, backed: boolean): Dot[] {
  return (step.edges ?? []).map((edge) => {
    const path = key([...step.path, edge.action]);
    const change = backed ? changeOf(lesson, path) : undefined;
    return {
      action: edge.action,
      text: edge.text,
      visits: change?.visits[1] ?? edge.visits,
      q: change ? change.q[1] : edge.q,
      chosen: edge.chosen,
      fresh: edge.chosen && path === fresh,
    };
  });
}

function changeOf(lesson: Lesson, path: string) {
  const step = lesson.steps.find((one) => one.kind === "back_up");
  return step?.changes?.find((change) => key(change.path) === path);
}

const key = (path: number[]) => path.join(" ");

/** What people read for the moves of a path. */
export function textsOf(lesson: Lesson, path: number[]): string[] {
  return path.map((action, depth) => {
    const above = key(path.slice(0, depth));
    const step = lesson.steps.find((one) => one.kind === "select" && key(one.path) === above);
    return step?.edges?.find((edge) => edge.action === action)?.text ?? String(action);
  });
}

/** Who moves at the node of a path, as the steps tell. */
export function moverAt(lesson: Lesson, path: number[]): number | null {
  const step = lesson.steps.find((one) => key(one.path) === key(path));
  const mover = step ? step.position.to_move : path.length === 0 ? lesson.root.to_move : null;
  return typeof mover === "number" ? mover : null;
}

export interface Placed extends Dot {
  x: number;
  y: number;
  from: { x: number; y: number };
}

const ROW = 86;
const TOP = 24;

/** Dots side by side under each other, in a drawing of this width; a branch begins at the chosen dot above it. */
export function placed(found: Level[], width: number): { dots: Placed[]; height: number } {
  const out: Placed[] = [];
  let from = { x: width / 2, y: TOP };
  found.forEach((level, depth) => {
    const y = TOP + ROW * (depth + 1);
    const row = level.dots.map((dot, i) => ({ ...dot, x: ((i + 0.5) * width) / level.dots.length, y, from }));
    out.push(...row);
    const next = row.find((dot) => dot.chosen);
    if (next) from = { x: next.x, y: next.y };
  });
  return { dots: out, height: TOP + ROW * found.length + 46 };
}
