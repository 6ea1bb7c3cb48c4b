// Small animations that never block: a new one, or a new position, brings the old ones to their end at once.

interface Running {
  start: number | null;
  milliseconds: number;
  step: (part: number) => void;
}

export function wantsMotion(): boolean {
  return typeof matchMedia !== "function" || !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Motion {
  private running: Running[] = [];
  private frame = 0;

  /** Calls `step` with 0 … 1, the last time with exactly 1; at once where nothing shall move. */
  run(milliseconds: number, step: (part: number) => void, moving = true): void {
    if (!moving || milliseconds <= 0 || !wantsMotion()) return step(1);
    step(0);
    this.running.push({ start: null, milliseconds, step });
    this.frame ||= requestAnimationFrame(this.tick);
  }

  /** Everything at its end, now. */
  finish(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    for (const one of this.running.splice(0)) one.step(1);
  }

  private readonly tick = (now: number): void => {
    const left: Running[] = [];
    for (const one of this.running) {
      one.start ??= now;
      const part = Math.min(1, (now - one.start) / one.milliseconds);
      one.step(part);
      if (part < 1) left.push(one);
    }
    this.running = left;
    this.frame = left.length > 0 ? requestAnimationFrame(this.tick) : 0;
  };
}

export function easeOut(part: number): number {
  return 1 - (1 - part) ** 3;
}

/** A thing that falls by 1 and bounces twice: how far it has fallen at `part` of the time. */
export function falling(part: number): number {
  // Each bounce flies for `LOSS` of the time before it; heights are squares of times.
  const LOSS = 0.36;
  const first = 1 / (1 + 2 * LOSS + 2 * LOSS ** 2);
  if (part >= 1) return 1;
  if (part < first) return (part / first) ** 2;
  let time = part - first;
  for (let flight = LOSS; ; flight *= LOSS) {
    const half = flight * first;
    if (time <= 2 * half) return 1 - (half * half - (time - half) ** 2) / first ** 2;
    if (flight < LOSS ** 2) return 1;
    time -= 2 * half;
  }
}
