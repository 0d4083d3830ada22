import type { Line } from '../../prices/bill.ts';
import type { Workload } from '../workload/workload.ts';
import type { DeploySettings } from './deployCommand.ts';

/** What an architecture uses in a month, how many machines that is, and whether it fits the workload. */
export interface Sizing {
  readonly lines: readonly Line[];
  /** What `npm run deploy` has to set for it, in addition to what the workload says of every architecture. */
  readonly settings: DeploySettings;
  /** Machines at the busiest hour; 0 where there are none. */
  readonly machines: number;
  /** Why it cannot serve the workload as it is; empty when it can. */
  readonly problems: readonly string[];
  /** What you have to request of AWS before it serves the workload. */
  readonly needs?: readonly string[];
  /** What exceeds the quotas of a new account. It counts as possible, since AWS raises them as an account grows. */
  readonly overQuota?: readonly string[];
  /** What it assumes of AWS that neither documentation nor a trial confirms. It is then no choice. */
  readonly assumes?: string;
  /** What it lacks. */
  readonly lacks: readonly string[];
  /** What else a payer should know. */
  readonly notes: readonly string[];
}

/** What hosts without TLS lack. */
export function missingTls({ tls }: Workload): string[] {
  return tls ? [] : ['TLS: pages served over https cannot connect'];
}

/** The sizing of what cannot be done at any size. */
export function impossible(problem: string): Sizing {
  return { lines: [], settings: {}, machines: 0, problems: [problem], lacks: [], notes: [] };
}
