import { scaledTo, type Workload } from '../workload/workload.ts';
import { type Architecture, choose, compare, obstaclesOf, type Ranges } from './compare.ts';

/** Where another architecture becomes the one to choose as connections grow. */
export interface Crossing {
  readonly from: Architecture;
  readonly to: Architecture;
  /** Connections at peak. */
  readonly connections: number;
  /** US dollars a month of the new choice. */
  readonly usd: number;
  /** What speaks against the former choice, after its name. */
  readonly reason: string;
}

/** What a number of connections costs a month. */
export interface Point {
  readonly connections: number;
  /** US dollars; undefined where the architecture cannot serve it. */
  readonly usd: Readonly<Partial<Record<Architecture, number>>>;
  /** The architecture to choose; undefined where none can serve it. */
  readonly choice: Architecture | undefined;
}

/** Costs are looked at from one connection to ten million: powers of ten, and points for each of them. */
const DECADES = 7;
const STEPS = 12;

/** Costs of every architecture along a logarithmic axis of connections. */
export function costCurve(workload: Workload, ranges: Ranges): Point[] {
  const base = startable(workload);
  return Array.from({ length: DECADES * STEPS + 1 }, (_, step) => pointAt(base, ranges, 10 ** (step / STEPS)));
}

function pointAt(base: Workload, ranges: Ranges, connections: number): Point {
  const costs = compare(scaledTo(base, connections), ranges);
  const possible = costs.filter(({ isPossible }) => isPossible);
  const usd = Object.fromEntries(possible.map(({ architecture, bill }) => [architecture, bill.total]));
  return { connections, usd, choice: choose(costs)?.architecture };
}

/**
 * Every number of connections at which the architecture to {@link choose} changes, ascending, found to a thousandth.
 *
 * @param curve of the same workload: where to look closer
 */
export function crossings(workload: Workload, ranges: Ranges, curve: readonly Point[]): Crossing[] {
  const base = startable(workload);
  const found: Crossing[] = [];
  for (const [index, upper] of curve.entries()) {
    const lower = curve[index - 1];
    if (lower === undefined) continue;
    const { choice: from } = lower;
    if (from === undefined || upper.choice === undefined || from === upper.choice) continue;
    const at = bisect(lower.connections, upper.connections, (each) => pointAt(base, ranges, each).choice === from);
    const { choice: to = upper.choice, usd, connections } = pointAt(base, ranges, at);
    const reason = reasonAgainst(from, scaledTo(base, connections), ranges);
    found.push({ from, to, connections, usd: usd[to] ?? Number.NaN, reason });
  }
  return found;
}

/** Why a former choice is no longer one. */
function reasonAgainst(architecture: Architecture, workload: Workload, ranges: Ranges): string {
  const cost = compare(workload, ranges).find((each) => each.architecture === architecture);
  const [obstacle] = cost ? obstaclesOf(cost) : [];
  if (obstacle !== undefined) return `is ruled out: ${obstacle}`;
  const [risk] = cost?.risks ?? [];
  return risk === undefined ? 'costs more' : `is ruled out by the worst assumptions: ${risk}`;
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
