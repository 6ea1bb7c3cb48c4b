// A chart on a canvas, by uPlot, which is loaded when the first one is shown. Curves differ by dashes as well as colour.
import type uPlot from "uplot";
import type { Chart } from "./figures";

export const STYLES = [
  { colour: "--seat-1", dash: [] },
  { colour: "--seat-0", dash: [9, 4] },
  { colour: "--seat-2", dash: [2, 3] },
  { colour: "--seat-3", dash: [10, 3, 2, 3] },
  { colour: "--faint", dash: [4, 2] },
];

export function styleOf(number: number): { colour: string; dash: number[] } {
  return STYLES[number % STYLES.length]!;
}

/** A colour of the theme as the canvas needs it: light-dark() is resolved by asking an element. */
function resolved(host: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

export interface Wanted {
  host: HTMLElement;
  chart: Chart;
  height: number;
  from_zero: boolean; // whether the axis begins at 0, or below where a curve does
  high?: number; // and where it ends at least
  format: (value: number) => string;
  at: (index: number | null) => void; // where the pointer is
}

let canvas: Promise<typeof import("./canvas")> | undefined;

export async function draw(wanted: Wanted): Promise<uPlot> {
  const { UPlot } = await (canvas ??= import("./canvas"));
  return new UPlot(options(wanted), data(wanted.chart), wanted.host);
}

export function data(chart: Chart): uPlot.AlignedData {
  return [chart.x, ...chart.curves.map((curve) => curve.values)];
}

function options(wanted: Wanted): uPlot.Options {
  const { host, chart, from_zero, high, format, at } = wanted;
  const ink = resolved(host, "--faint");
  const line = { stroke: resolved(host, "--line"), width: 1 };
  const few = chart.x.length < 40;
  return {
    width: Math.max(220, host.clientWidth),
    height: wanted.height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false, range: iterations }, y: { range: span(from_zero, high) } },
    axes: [
      { stroke: ink, size: 30, grid: { show: false }, ticks: line, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000], space: 40 },
      { stroke: ink, grid: line, ticks: line, size: 56, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...chart.curves.map((_, number) => {
        const { colour, dash } = styleOf(number);
        const stroke = resolved(host, colour);
        return { stroke, width: 2, dash, spanGaps: true, points: { show: few, size: 5, fill: stroke } };
      }),
    ],
    hooks: { setCursor: [(plot: uPlot) => at(plot.cursor.idx ?? null)] },
  };
}

/** From the first iteration to the last, and one step where there is only one. */
function iterations(plot: uPlot): [number, number] {
  const x = plot.data[0];
  const first = x[0] ?? 0;
  return [first, Math.max(x[x.length - 1] ?? 1, first + 1)];
}

function span(from_zero: boolean, high = 0): (plot: uPlot, low: number | null, top: number | null) => [number, number] {
  return (_, low, top) => {
    const end = Math.max(top ?? 1, high);
    const begin = from_zero ? Math.min(0, low ?? 0) : (low ?? 0);
    const air = 0.06 * (end - begin || 1);
    return [from_zero && begin === 0 ? 0 : begin - air, end + air];
  };
}
