import type { Line } from './bill.ts';

/** What an architecture uses in a month, how many machines that is, and what speaks against it. */
export interface Plan {
  readonly lines: readonly Line[];
  /** Machines at the busiest hour; 0 where there are none. */
  readonly machines: number;
  /** Why it cannot serve the workload as it is; empty when it can. */
  readonly problems: readonly string[];
  /** What to know besides. */
  readonly notes: readonly string[];
}
