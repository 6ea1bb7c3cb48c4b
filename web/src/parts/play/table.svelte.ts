// A session as the Play screen sees it: the state that the server tells, what has been thought about it, and the wishes
// of the person, sent back. It knows no rules.
import { api, capital, connect, type Line } from "../../client";
import { toast } from "../../toasts.svelte";
import type { ActionInfo, Ask, Level, Session, Tell, Thinking, Thought, TreeNode } from "../../wire";
import { Tree } from "./moves";
import { Pace } from "./pace";

const HOLD = 500; // milliseconds for a move among several
const BURST = 4000; // and for all of them: a deal of fifty cards must not keep people waiting
const DEAL = 1000; // for a deal, which a drawing shows as a whole
const THOUGHTS_KEPT = 200;
const LINE = 12; // moves of a line that are worth showing

export interface Kept {
  thought: Thought;
  of: Thinking["kind"];
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A game in which nothing has happened yet but the deal: people want to see it. */
function isDealt({ nodes, at }: Session): boolean {
  return nodes.length === 2 && nodes[1]?.id === at && nodes[1].mover === "chance" && nodes[1].action === null;
}

export class Table {
  session = $state.raw<Session | null>(null); // as shown; `newest` may be some moves ahead
  animate = $state(false); // the shown node is one move after the one before
  lost = $state(false);
  gone = $state(false); // there is nothing to show, and never will be
  why = $state(""); // what the server said last
  thoughts = $state.raw<ReadonlyMap<number, Kept>>(new Map());
  trees = $state.raw<Record<string, TreeNode>>({}); // by path, of the node shown
  since = $state(0); // when the present thinking began
  analysing = $state(false);
  skippable = $state(false);
  trunk = $state.raw<number[]>([0]);
  hold = () => HOLD; // a room may have a pace of its own

  readonly tree = $derived(new Tree(this.session?.nodes ?? []));
  readonly at = $derived(this.session?.at ?? 0);
  readonly here = $derived(this.thoughts.get(this.at) ?? null);

  private newest: Session | null = null;
  private aim: number | null = null; // the node asked for last, so that arrows can be held down
  private finished = false; // the trunk has come to an end: what follows are variations
  private readonly line: Line<Ask>;
  private readonly pace = new Pace<Session>(
    (session, step) => this.show(session, step),
    (waiting, shown) => (calm() ? 0 : shown && isDealt(shown) ? DEAL : Math.min(this.hold(), BURST / waiting)),
  );

  constructor(readonly id: string) {
    this.line = connect<Ask, Tell>(api.sessionSocket(id), {
      heard: (tell) => this.heard(tell),
      changed: (up) => this.changed(up),
      gone: () => (this.gone = true),
    });
  }

  leave(): void {
    this.pace.stop();
    this.line.close();
  }

  // ---- what the server tells -----------------------------------------------------------------------------------

  private changed(up: boolean): void {
    this.lost = !up;
    if (!up) return;
    this.newest = null; // whatever the server knows now is what is true
    if (this.analysing) this.line.send({ type: "analyse", on: true });
  }

  private heard(tell: Tell): void {
    if (tell.type === "session") this.receive(tell.session);
    else if (tell.type === "thought") this.keep(tell);
    else if (tell.type === "tree") this.trees = { ...this.trees, [tell.tree.path.join(" ")]: tell.tree };
    else if (tell.type === "error") {
      this.aim = null;
      this.why = tell.sentence;
      if (this.session) toast(capital(tell.sentence));
    }
  }

  private receive(session: Session): void {
    const before = this.newest;
    if (before && session.version < before.version) return;
    this.newest = session;
    if (this.aim === session.at) this.aim = null;
    const further = before !== null && session.nodes.length > before.nodes.length && session.at !== before.at;
    const step = further || (before === null && isDealt(session));
    this.pace.push(session, step);
    this.skippable = this.pace.busy;
  }

  private show(session: Session, step: boolean): void {
    const before = this.session;
    const other = before?.at !== session.at;
    if (session.thinking && JSON.stringify(session.thinking) !== JSON.stringify(before?.thinking)) {
      this.since = performance.now();
    }
    if (other) this.trees = {};
    if (before && !other && JSON.stringify(before.position) === JSON.stringify(session.position)) {
      session = { ...session, position: before.position }; // the same object: nothing to draw again
    }
    this.trunk = this.trunkOf(session, step);
    this.animate = step && !calm();
    this.session = session;
    this.skippable = this.pace.busy;
    if (session.thinking?.kind === "analysis") this.analysing = true; // switched on in another window
  }

  /** The trunk is the game as it is being played; once it has ended, what people try out stays beside it. */
  private trunkOf(session: Session, step: boolean): number[] {
    const before = this.session;
    const reviewed = session.review?.moves.at(-1)?.node;
    if (!before && reviewed !== undefined && !session.line.includes(reviewed)) {
      this.finished = true;
      return new Tree(session.nodes).through(reviewed);
    }
    if (session.review) this.finished = true;
    const trunk = !before || (step && !this.finished) ? session.line : this.trunk;
    if (session.position.returns && session.at === trunk.at(-1)) this.finished = true;
    return trunk;
  }

  private keep(tell: Tell & { type: "thought" }): void {
    const thoughts = new Map(this.thoughts);
    thoughts.delete(tell.thought.node);
    thoughts.set(tell.thought.node, { thought: tell.thought, of: tell.of });
    const oldest = thoughts.keys().next().value;
    if (thoughts.size > THOUGHTS_KEPT && oldest !== undefined) thoughts.delete(oldest);
    this.thoughts = thoughts;
  }

  // ---- what the person wants -----------------------------------------------------------------------------------

  send(ask: Ask): boolean {
    const sent = this.line.send(ask);
    if (!sent) this.lost = true;
    return sent;
  }

  skip(): void {
    this.pace.skip();
    this.skippable = false;
  }

  play(action: number): void {
    this.send({ type: "play", action, at: this.at });
  }

  go(node: number | undefined): void {
    if (node === undefined) return;
    this.skip();
    if (node === (this.aim ?? this.newest?.at)) return;
    this.aim = node;
    this.send({ type: "go", node });
  }

  /** -1 and 1: a move back or on; -Infinity and Infinity: the start and the end of the line. */
  step(by: number): void {
    const line = this.newest?.line ?? [];
    const index = line.indexOf(this.aim ?? this.newest?.at ?? 0);
    const to = Math.max(0, Math.min(line.length - 1, index + by));
    this.go(line[to]);
  }

  /** The move tried before or after this one at the same place. */
  sideways(by: number): void {
    const brothers = this.tree.brothers(this.at);
    this.go(brothers[brothers.findIndex((node) => node.id === this.at) + by]?.id);
  }

  analyse(on: boolean, player?: string): void {
    this.analysing = on;
    this.send({ type: "analyse", on, ...(player ? { player } : {}) });
  }

  stop(): void {
    this.analysing = false;
    this.send({ type: "stop" });
  }

  seat(seat: number, choice: { level?: Level["id"] | null; player?: string | null }): void {
    this.send({ type: "seat", seat, ...choice });
  }

  /** Shows a line of moves beside the game, from its first one, without anybody answering. */
  lineOf(node: number, actions: ActionInfo[]): void {
    this.skip();
    this.send({ type: "line", at: node, actions: actions.slice(0, LINE).map((one) => one.action) });
  }

  /** The next marked mistake on the trunk after the node shown, from the beginning again after the last. */
  nextMistake(): void {
    const marked = this.trunk.map((id) => this.tree.byId.get(id)).filter((node) => node?.mark && node.mark !== "good");
    const at = this.tree.byId.get(this.aim ?? this.at)?.ply ?? 0;
    this.go((marked.find((node) => (node?.ply ?? 0) > at) ?? marked[0])?.id);
  }

  // ---- what follows from both ----------------------------------------------------------------------------------

  /** What is expected here: by a thought about this node, or the last known on the way to it. */
  readonly values = $derived.by<number[] | null>(() => {
    const session = this.session;
    if (!session) return null;
    if (session.position.returns) return session.position.returns;
    if (this.here?.thought.values.length) return this.here.thought.values; // some players expect nothing
    return this.tree.path(session.at).reverse().find((node) => node.values?.length)?.values ?? null;
  });
}
