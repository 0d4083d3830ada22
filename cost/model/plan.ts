import type { Line } from '../prices/bill.ts';

/** What an architecture uses in a month, how many machines that is, and what speaks against it. */
export interface Plan {
  readonly lines: readonly Line[];
  /** Machines at the busiest hour; 0 where there are none. */
  readonly machines: number;
  /** Why it cannot serve the workload as it is; empty when it can. */
  readonly problems: readonly string[];
  /** What it lacks. */
  readonly lacks: readonly string[];
  /** What of its cost nobody has listed, so that it is a guess. */
  readonly guesses?: readonly string[];
  /** What to know besides. */
  readonly notes: readonly string[];
}

/** The plan of what cannot be done at any size. */
export function impossible(problem: string): Plan {
  return { lines: [], machines: 0, problems: [problem], lacks: [], notes: [] };
}
