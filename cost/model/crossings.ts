import type { Assumptions } from './assumptions.ts';
import { ARCHITECTURES, type Architecture, costOf } from './compare.ts';
import { scaledTo, type Workload } from './workload.ts';

/** Where one architecture stops being the cheaper one as connections grow. */
export interface Crossing {
  readonly from: Architecture;
  readonly to: Architecture;
  /** Connections at peak. */
  readonly connections: number;
  /** US dollars a month, of both. */
  readonly usd: number;
}

/** What a number of connections costs a month. */
export interface Point {
  readonly connections: number;
  /** US dollars; undefined where the architecture cannot serve it. */
  readonly usd: Readonly<Partial<Record<Architecture, number>>>;
}

/** From how few to how many connections costs are looked at. */
const SPAN = { least: 1, most: 10_000_000 } as const;

/** Costs of every architecture along a logarithmic axis of connections. @param steps points for each power of ten */
export function costCurve(workload: Workload, assumed: Assumptions, steps = 12): Point[] {
  const base = startable(workload);
  const decades = Math.log10(SPAN.most / SPAN.least);
  return Array.from({ length: decades * steps + 1 }, (_, step) =>
    pointAt(base, assumed, SPAN.least * 10 ** (step / steps)),
  );
}

function pointAt(base: Workload, assumed: Assumptions, connections: number): Point {
  const scaled = scaledTo(base, connections);
  const usd: Partial<Record<Architecture, number>> = {};
  for (const architecture of Object.keys(ARCHITECTURES) as Architecture[]) {
    const { bill, isPossible } = costOf(architecture, scaled, assumed);
    if (isPossible) usd[architecture] = bill.total;
  }
  return { connections, usd };
}

/**
 * Every number of connections at which the cheapest architecture changes, ascending, found to a thousandth. One that
 * cannot serve a number of connections is not cheap there.
 *
 * @param curve of the same workload: where to look closer
 */
export function crossings(workload: Workload, assumed: Assumptions, curve: readonly Point[]): Crossing[] {
  const base = startable(workload);
  const found: Crossing[] = [];
  for (const [index, upper] of curve.entries()) {
    const lower = curve[index - 1];
    if (lower === undefined) continue;
    const [from, to] = [findCheapest(lower), findCheapest(upper)];
    if (from === undefined || to === undefined || from === to) continue;
    const both = (connections: number) => pointAt(base, assumed, connections);
    const connections = bisect(lower.connections, upper.connections, (at) => findCheapest(both(at)) === from);
    found.push({ from, to, connections, usd: both(connections).usd[to] ?? Number.NaN });
  }
  return found;
}

function findCheapest({ usd }: Point): Architecture | undefined {
  const [cheapest] = Object.entries(usd).toSorted(([, a], [, b]) => a - b);
  return cheapest?.[0] as Architecture | undefined;
}

/**
 * Connections from which on one architecture costs more than another, in bare numbers.
 *
 * @returns undefined when it never does within {@link SPAN}; its least when it does from the start
 */
export function breakEven(
  costs: (connections: number) => number,
  other: (connections: number) => number,
): number | undefined {
  const isCheaper = (at: number) => costs(at) <= other(at);
  if (!isCheaper(SPAN.least)) return SPAN.least;
  if (isCheaper(SPAN.most)) return undefined;
  return bisect(SPAN.least, SPAN.most, isCheaper);
}

/** The largest number, to a thousandth, for which something still holds that holds for the lower and not for the upper. */
function bisect(lower: number, upper: number, holds: (at: number) => boolean): number {
  let [low, high] = [lower, upper];
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** A workload without connections has nothing to scale: then all that follows from them stays nothing. */
function startable(workload: Workload): Workload {
  return workload.connections > 0 ? workload : { ...workload, connections: 1 };
}
